//! The counters of the tree: visits and wins side by side in one word, so that counting a result is
//! one addition and a search of all moves of a node reads one column.

use crate::cpu::Lanes;
use std::ops::{AddAssign, SubAssign};

/// So many moves are looked at together.
pub const LANES: usize = 8;

/// Visits in the lower half of a word, wins in the upper one.
pub trait Pair: Copy + Default + AddAssign + SubAssign + From<bool> {
    /// From numbers that fit.
    fn new(visits: u32, wins: u32) -> Self;
    /// The lower half.
    fn visits(self) -> u32;
    /// The upper half.
    fn wins(self) -> u32;
    /// Visits and wins of eight pairs.
    fn lanes<L: Lanes>(pairs: &[Self; LANES]) -> (L, L);
    /// Visits less wins of eight pairs, not rounded before it is subtracted.
    fn lanes_without_wins<L: Lanes>(pairs: &[Self; LANES]) -> L;
    /// Itself or zero: `mask` is all ones or zero.
    fn masked(self, mask: u32) -> Self;
}

/// Up to 65,535 visits.
impl Pair for u32 {
    #[inline(always)]
    fn new(visits: u32, wins: u32) -> u32 {
        wins << 16 | visits
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        self & 0xFFFF
    }
    #[inline(always)]
    fn wins(self) -> u32 {
        self >> 16
    }
    #[inline(always)]
    fn lanes<L: Lanes>(pairs: &[u32; LANES]) -> (L, L) {
        (L::from_low(pairs), L::from_high(pairs))
    }
    #[inline(always)]
    fn lanes_without_wins<L: Lanes>(pairs: &[u32; LANES]) -> L {
        L::from_low(pairs).minus(L::from_high(pairs)) // exact: both are below 2^16
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> u32 {
        self & mask
    }
}

/// Beyond.
impl Pair for u64 {
    #[inline(always)]
    fn new(visits: u32, wins: u32) -> u64 {
        u64::from(wins) << 32 | u64::from(visits)
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        self as u32
    }
    #[inline(always)]
    fn wins(self) -> u32 {
        (self >> 32) as u32
    }
    #[inline(always)]
    fn lanes<L: Lanes>(pairs: &[u64; LANES]) -> (L, L) {
        (
            L::from_array(pairs.map(|pair| pair.visits() as f32)),
            L::from_array(pairs.map(|pair| pair.wins() as f32)),
        )
    }
    #[inline(always)]
    fn lanes_without_wins<L: Lanes>(pairs: &[u64; LANES]) -> L {
        L::from_array(pairs.map(|pair| (pair.visits() - pair.wins()) as f32))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> u64 {
        self & (u64::from(mask) << 32 | u64::from(mask))
    }
}

/// Blocks of words in chunks that never move. A block's address: its chunk and its offset there.
#[derive(Default)]
pub struct Pool<P> {
    chunks: Vec<Vec<P>>,
    /// Words in all blocks.
    words: usize,
}

/// Words of a chunk; a longer block gets a chunk of its own.
const CHUNK: usize = 1 << 16;

impl<P: Pair> Pool<P> {
    /// A block of zeros.
    ///
    /// # Panics
    /// After 65,536 chunks: 16 GB.
    pub fn allocate(&mut self, length: usize) -> u32 {
        if self.chunks.last().is_none_or(|chunk| chunk.len() + length > CHUNK) {
            // The first chunk grows as it is filled: a small search stays small.
            let capacity = if self.chunks.is_empty() { length } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity.max(length)));
        }
        self.words += length;
        let number = self.chunks.len() - 1;
        assert!(number < 1 << 16, "the tree is full: {number} chunks of {CHUNK} counters");
        let chunk = &mut self.chunks[number];
        let offset = chunk.len();
        chunk.resize(offset + length, P::default());
        (number << 16 | offset) as u32
    }

    /// A block, by its address and length.
    #[inline(always)]
    pub fn block(&self, at: u32, length: usize) -> &[P] {
        let offset = (at & 0xFFFF) as usize;
        &self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    /// A block to be changed.
    #[inline(always)]
    pub fn block_mut(&mut self, at: u32, length: usize) -> &mut [P] {
        let offset = (at & 0xFFFF) as usize;
        &mut self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    /// A block that is a copy of another.
    pub fn copy(&mut self, words: &[P]) -> u32 {
        let block = self.allocate(words.len());
        self.block_mut(block, words.len()).copy_from_slice(words);
        block
    }

    /// The memory of the blocks.
    pub fn used(&self) -> usize {
        self.words * size_of::<P>()
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.capacity() * size_of::<P>()).sum()
    }
}
