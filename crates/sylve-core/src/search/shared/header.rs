//! What stands before the counters of a node: its key, its moves, and where it has more.
//!
//! Key and moves are written before the node is shown to other threads and never change. Where it has
//! more is written once, by whichever thread comes first.

use super::super::sync::{AtomicU64, Ordering};

/// Words of a header.
pub const HEADER: usize = 3;

/// What a node may get later: counters of 32 bits, a table of codes (GRAVE).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum More {
    /// Wide counters.
    Wide = 0,
    /// A table.
    Table = 32,
}

/// Writes a header, before the node is shown.
#[inline(always)]
pub fn write(words: &[AtomicU64], key: u64, moves: u16, check: u32) {
    words[0].store(key, Ordering::Relaxed);
    words[1].store(u64::from(check) << 32 | u64::from(moves), Ordering::Relaxed);
}

/// The key.
#[inline(always)]
pub fn key(words: &[AtomicU64]) -> u64 {
    words[0].load(Ordering::Relaxed)
}

/// The number of moves, and a check of their list: another position with the same hash has another.
#[inline(always)]
pub fn moves_and_check(words: &[AtomicU64]) -> (u16, u32) {
    let word = words[1].load(Ordering::Relaxed);
    (word as u16, (word >> 32) as u32)
}

/// Where it has more, if it has.
#[inline(always)]
pub fn more(words: &[AtomicU64], what: More) -> Option<u32> {
    // Relaxed: the counters there were zero before any thread began.
    ((words[2].load(Ordering::Relaxed) >> what as u32) as u32).checked_sub(1)
}

/// Says where; if another thread did so first, that counts. The answer is what counts.
pub fn set_more(words: &[AtomicU64], what: More, at: u32) -> u32 {
    let mut word = words[2].load(Ordering::Relaxed);
    loop {
        if let Some(other) = ((word >> what as u32) as u32).checked_sub(1) {
            return other;
        }
        let new = word | (u64::from(at) + 1) << what as u32;
        match words[2].compare_exchange_weak(word, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return at,
            Err(other) => word = other,
        }
    }
}
