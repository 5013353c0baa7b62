//! The counters: a result is one addition, which no other thread can undo.
//!
//! A tally takes two words. In the first are visits and wins, changed together; in the second draws,
//! and the simulations that are under way through this move ("virtual loss"): they count as visits
//! without a win until their result is known, so that other threads look elsewhere. Two bits on top
//! say how the game ends after the move, where that is proven.

use super::super::pairs::Pair;
use super::super::tally::Tally;
use super::sync::{AtomicU64, Ordering};

/// One simulation under way, in the upper half of the second word.
const UNDER_WAY: u64 = 1 << 32;
/// Where the proof begins: as `proofs::encode` writes it.
const PROOF: u32 = 62;

/// What another thread sees of a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Visits and wins, as `Pair` has them.
    pub pair: u64,
    /// Draws.
    pub draws: u64,
    /// Simulations under way.
    pub under_way: u64,
    /// 0, or how the game ends after the move.
    pub proof: u8,
}

impl Seen {
    /// With the simulations under way as losses.
    #[inline(always)]
    pub fn with_losses(self) -> u64 {
        self.pair + self.under_way // visits are the lower half
    }

    /// Without them.
    pub fn tally(self) -> Tally {
        Tally { visits: self.pair.visits(), wins: self.pair.wins(), draws: self.draws as u32 }
    }
}

/// Looks at a tally. Wins and draws are never more than visits.
#[inline(always)]
pub fn look(pair: &AtomicU64, second: &AtomicU64) -> Seen {
    // `count` adds to the pair before it adds to the draws. Read in the other order, and with
    // acquire, so that whoever sees a draw sees its visit.
    let second = second.load(Ordering::Acquire);
    let pair = pair.load(Ordering::Relaxed);
    Seen {
        pair,
        draws: second & (UNDER_WAY - 1),
        under_way: under_way(second),
        proof: proof(second),
    }
}

/// The simulations under way in a second word.
#[inline(always)]
pub fn under_way(second: u64) -> u64 {
    (second & ((1 << PROOF) - 1)) / UNDER_WAY
}

/// The proof in a second word.
#[inline(always)]
pub fn proof(second: u64) -> u8 {
    (second >> PROOF) as u8
}

/// A move is proven. There is one truth, so that it does not matter who says it first.
pub fn prove(second: &AtomicU64, proof: u8) {
    second.fetch_or(u64::from(proof) << PROOF, Ordering::Relaxed);
}

/// Begins a simulation through a move.
#[inline(always)]
pub fn begin(second: &AtomicU64) {
    second.fetch_add(UNDER_WAY, Ordering::Relaxed);
}

/// Counts the result of a simulation that was begun: 2 for a win, 1 for a draw, 0 for a loss.
#[inline(always)]
pub fn finish(pair: &AtomicU64, second: &AtomicU64, points: u32) {
    pair.fetch_add(u64::new(1, u32::from(points == 2)), Ordering::Relaxed);
    let draw = u64::from(points == 1);
    second.fetch_add(draw.wrapping_sub(UNDER_WAY), Ordering::Release);
}

/// Counts a result that nobody announced (AMAF); `draws` where the game has them.
#[inline(always)]
pub fn count(pair: &AtomicU64, draws: Option<&AtomicU64>, points: u32) {
    pair.fetch_add(u64::new(1, u32::from(points == 2)), Ordering::Relaxed);
    if points == 1
        && let Some(draws) = draws
    {
        draws.fetch_add(1, Ordering::Release);
    }
}
