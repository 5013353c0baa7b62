//! Room for counters: blocks of words, taken one after the other and never given back.

use super::super::sync::{AtomicU64, AtomicUsize, CachePadded, Ordering};

/// Chunks of words that never move. A block lies in one chunk.
#[derive(Debug)]
pub struct Pool {
    chunks: Vec<Vec<AtomicU64>>,
    /// Words of a chunk; a power of two.
    size: usize,
    shift: u32,
    /// The first word that is not taken.
    next: CachePadded<AtomicUsize>,
}

impl Pool {
    /// No chunk, later ones of so many words, a power of two.
    pub fn new(size: usize) -> Pool {
        assert!(size.is_power_of_two(), "chunks of {size} words");
        let next = CachePadded(AtomicUsize::new(0));
        Pool { chunks: Vec::new(), size, shift: size.ilog2(), next }
    }

    /// One more chunk, of zeros.
    pub fn add_chunk(&mut self) {
        self.chunks.push((0..self.size).map(|_| AtomicU64::new(0)).collect());
    }

    /// Takes a block of zeros; `None` if there is no room.
    #[inline(always)]
    pub fn allocate(&self, length: usize) -> Option<u32> {
        let mut next = self.next.0.load(Ordering::Relaxed);
        loop {
            let left = self.size - (next & (self.size - 1));
            // What is left of a chunk is not used if the block does not fit.
            let start = if left < length { next + left } else { next };
            if length > self.size || start + length > self.chunks.len() * self.size {
                return None;
            }
            let end = start + length;
            match self.next.0.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Some(start as u32),
                Err(other) => next = other,
            }
        }
    }

    /// The words of a block, and those behind it.
    #[inline(always)]
    pub fn block(&self, at: u32) -> &[AtomicU64] {
        let (chunk, offset) = (at as usize >> self.shift, at as usize & (self.size - 1));
        &self.chunks[chunk][offset..]
    }

    /// One word of a block.
    #[inline(always)]
    pub fn word(&self, at: u32) -> &AtomicU64 {
        &self.chunks[at as usize >> self.shift][at as usize & (self.size - 1)]
    }

    /// Words that are not taken.
    #[inline(always)]
    pub fn left(&self) -> usize {
        self.chunks.len() * self.size - self.next.0.load(Ordering::Relaxed)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Words of a chunk.
    pub fn chunk_size(&self) -> usize {
        self.size
    }

    /// Whether one more chunk can be addressed.
    pub fn may_grow(&self) -> bool {
        (self.chunks.len() + 1) * self.size <= u32::MAX as usize
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.chunks.len() * self.size * size_of::<AtomicU64>()
    }
}
