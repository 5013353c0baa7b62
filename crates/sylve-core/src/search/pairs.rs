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

    /// A plain number below 2^16 in the lowest bytes of both halves, where every width has room.
    #[inline(always)]
    fn of_number(number: u32) -> Self {
        Self::new(number & 0xFF, number >> 8)
    }
    /// That number.
    #[inline(always)]
    fn number(self) -> u32 {
        self.visits() | self.wins() << 8
    }
}

/// Up to 255 visits.
impl Pair for u16 {
    #[inline(always)]
    fn new(visits: u32, wins: u32) -> u16 {
        (wins << 8 | visits) as u16
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        u32::from(self & 0xFF)
    }
    #[inline(always)]
    fn wins(self) -> u32 {
        u32::from(self >> 8)
    }
    #[inline(always)]
    fn lanes<L: Lanes>(pairs: &[u16; LANES]) -> (L, L) {
        (L::from_low(&pairs.map(Pair::visits)), L::from_low(&pairs.map(Pair::wins)))
    }
    #[inline(always)]
    fn lanes_without_wins<L: Lanes>(pairs: &[u16; LANES]) -> L {
        L::from_low(&pairs.map(|pair| pair.visits() - pair.wins()))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> u16 {
        self & mask as u16
    }
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
