//! Columns of tallies: to be read, and the ways to count a result in them.

use super::pairs::{LANES, Pair};
use super::tally::Tally;
use crate::cpu::Cpu;

/// Tallies of the same kind, by move or by code.
#[derive(Clone, Copy)]
pub struct Column<'a, P> {
    /// Visits and wins.
    pub pairs: &'a [P],
    /// Draws in the lower half; empty where the game has none.
    pub draws: &'a [P],
}

impl<'a, P: Pair> Column<'a, P> {
    /// Pairs, and draws if there is more.
    #[inline(always)]
    pub fn new(words: &'a [P], length: usize) -> Column<'a, P> {
        let (pairs, draws) = words.split_at(length);
        Column { pairs, draws }
    }

    /// One of them.
    #[inline(always)]
    pub fn tally(&self, index: usize) -> Tally {
        let pair = self.pairs[index];
        let draws = if self.draws.is_empty() { 0 } else { self.draws[index].visits() };
        Tally { visits: pair.visits(), wins: pair.wins(), draws }
    }
}

/// The tallies of a node: a column of its own, and one for each band of AMAF.
#[derive(Clone, Copy)]
pub struct NodeColumns<'a, P> {
    words: &'a [P],
    moves: usize,
    column: usize,
}

impl<'a, P: Pair> NodeColumns<'a, P> {
    /// Columns of so many words each, for so many moves.
    #[inline(always)]
    pub fn new(words: &'a [P], moves: usize, column: usize) -> NodeColumns<'a, P> {
        NodeColumns { words, moves, column }
    }

    /// The number of moves.
    #[inline(always)]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The moves' own tallies.
    #[inline(always)]
    pub fn own(&self) -> Column<'a, P> {
        Column::new(&self.words[..self.column], self.moves)
    }

    /// Their AMAF tallies in a band.
    #[inline(always)]
    pub fn amaf(&self, band: usize) -> Column<'a, P> {
        let start = (1 + band) * self.column;
        Column::new(&self.words[start..start + self.column], self.moves)
    }
}

/// A column to be changed.
pub struct ColumnMut<'a, P> {
    pairs: &'a mut [P],
    draws: &'a mut [P],
}

impl<'a, P: Pair> ColumnMut<'a, P> {
    /// Pairs, and draws if there is more.
    #[inline(always)]
    pub fn new(words: &'a mut [P], length: usize) -> ColumnMut<'a, P> {
        let (pairs, draws) = words.split_at_mut(length);
        ColumnMut { pairs, draws }
    }

    /// Counts a result: 2 for a win, 1 for a draw, 0 for a loss.
    #[inline(always)]
    pub fn add(self, index: usize, points: u32) {
        self.pairs[index] += P::new(1, u32::from(points == 2));
        if !self.draws.is_empty() {
            self.draws[index] += P::from(points == 1);
        }
    }

    /// Takes back a loss.
    #[inline(always)]
    pub fn take_loss(self, index: usize) {
        self.pairs[index] -= P::new(1, 0);
    }

    /// Counts a result for some entries, all different.
    #[inline(always)]
    pub fn add_all(self, indices: &[u16], points: u32) {
        let result = P::new(1, u32::from(points == 2));
        for &index in indices {
            self.pairs[usize::from(index)] += result;
        }
        if points == 1 {
            for &index in indices {
                self.draws[usize::from(index)] += P::from(true);
            }
        }
    }

    /// Counts a result for the entries whose bits are set in `chosen`, 64 to a word.
    #[inline(always)]
    pub fn add_chosen<C: Cpu>(self, chosen: &[u64], points: u32) {
        let result = P::new(1, u32::from(points == 2));
        for (pairs, &chosen) in self.pairs.chunks_mut(64).zip(chosen) {
            add_to_chosen::<C, P>(pairs, chosen, result);
        }
        if points == 1 {
            for (draws, &chosen) in self.draws.chunks_mut(64).zip(chosen) {
                add_to_chosen::<C, P>(draws, chosen, P::from(true));
            }
        }
    }
}

/// Adds `result` to the entries whose bits are set, eight at a time and without a branch: whether a
/// move was seen in a random game cannot be predicted.
#[inline(always)]
fn add_to_chosen<C: Cpu, P: Pair>(pairs: &mut [P], mut chosen: u64, result: P) {
    let count = pairs.len();
    if count < LANES {
        while chosen != 0 {
            pairs[chosen.trailing_zeros() as usize] += result;
            chosen &= chosen - 1;
        }
        return;
    }
    let mut start = 0;
    loop {
        let masks = C::masks((chosen >> start) as u32);
        for (pair, mask) in pairs[start..start + LANES].iter_mut().zip(masks) {
            *pair += result.masked(mask);
        }
        if start + LANES >= count {
            return;
        }
        // The last lanes end with the moves: what they have in common with those before is done.
        chosen &= u64::MAX << (start + LANES);
        start = (start + LANES).min(count - LANES);
    }
}
