//! Columns of tallies: to be read, and the ways to count a result in them.

use super::pairs::{LANES, Pair};
use super::tally::Tally;
use super::units::{Counting, DRAW, WIN};
use crate::cpu::Cpu;

/// Tallies of the same kind, by move or by code.
#[derive(Clone, Copy)]
pub struct Column<'a, P> {
    /// Visits and wins.
    pub pairs: &'a [P],
    /// Draws in the lower half; empty where the game has none. Of estimates: the parts.
    pub draws: &'a [P],
    /// How results are counted.
    pub counting: Counting,
}

impl<'a, P: Pair> Column<'a, P> {
    /// Pairs, and draws if there is more.
    #[inline(always)]
    pub fn new(words: &'a [P], length: usize, counting: Counting) -> Column<'a, P> {
        let (pairs, draws) = words.split_at(length);
        Column { pairs, draws, counting }
    }

    /// One of them.
    #[inline(always)]
    pub fn tally(&self, index: usize) -> Tally {
        let pair = self.pairs[index];
        let (visits, wins) = (pair.visits(), pair.wins());
        if self.counting == Counting::Estimates {
            return Tally { visits, wins, draws: 0, parts: self.draws[index].number() };
        }
        let draws = if self.draws.is_empty() { 0 } else { self.draws[index].visits() };
        Tally { visits, wins, draws, parts: 0 }
    }
}

/// What evaluations say of the moves of a node: a column for each use of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// The values that go up the tree (implicit minimax).
    Implicit,
    /// Those of the virtual visits.
    Prior,
}

/// The columns of a node: a tally of each move, others for the bands of AMAF, and what evaluations say.
#[derive(Clone, Copy)]
pub struct NodeColumns<'a, P> {
    words: &'a [P],
    moves: usize,
    column: usize,
    counting: Counting,
}

impl<'a, P: Pair> NodeColumns<'a, P> {
    /// Columns of so many words each, for so many moves.
    #[inline(always)]
    pub fn new(
        words: &'a [P],
        moves: usize,
        column: usize,
        counting: Counting,
    ) -> NodeColumns<'a, P> {
        NodeColumns { words, moves, column, counting }
    }

    /// The number of moves.
    #[inline(always)]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The moves' own tallies.
    #[inline(always)]
    pub fn own(&self) -> Column<'a, P> {
        Column::new(&self.words[..self.column], self.moves, self.counting)
    }

    /// Their AMAF tallies in a band.
    #[inline(always)]
    pub fn amaf(&self, band: usize) -> Column<'a, P> {
        let start = (1 + band) * self.column;
        Column::new(&self.words[start..start + self.column], self.moves, self.counting)
    }

    /// Numbers by move, from this word on.
    #[inline(always)]
    pub fn numbers(&self, start: usize) -> &'a [P] {
        &self.words[start..start + self.moves]
    }
}

/// A column to be changed.
pub struct ColumnMut<'a, P> {
    pairs: &'a mut [P],
    draws: &'a mut [P],
    counting: Counting,
}

impl<'a, P: Pair> ColumnMut<'a, P> {
    /// Pairs, and draws if there is more.
    #[inline(always)]
    pub fn new(words: &'a mut [P], length: usize, counting: Counting) -> ColumnMut<'a, P> {
        let (pairs, draws) = words.split_at_mut(length);
        ColumnMut { pairs, draws, counting }
    }

    /// Counts a result.
    #[inline(always)]
    pub fn add(mut self, index: usize, units: u32) {
        if self.counting == Counting::Estimates {
            return self.add_estimate(index, units);
        }
        self.pairs[index] += P::new(1, u32::from(units == WIN));
        if !self.draws.is_empty() {
            self.draws[index] += P::from(units == DRAW);
        }
    }

    #[inline(always)]
    fn add_estimate(&mut self, index: usize, units: u32) {
        let sum = self.draws[index].number() + units;
        self.pairs[index] += P::new(1, sum / WIN);
        self.draws[index] = P::of_number(sum % WIN);
    }

    /// Takes back a loss.
    #[inline(always)]
    pub fn take_loss(self, index: usize) {
        self.pairs[index] -= P::new(1, 0);
    }

    /// Counts a result for some entries, all different.
    #[inline(always)]
    pub fn add_all(mut self, indices: &[u16], units: u32) {
        if self.counting == Counting::Estimates {
            indices.iter().for_each(|&index| self.add_estimate(usize::from(index), units));
            return;
        }
        let result = P::new(1, u32::from(units == WIN));
        for &index in indices {
            self.pairs[usize::from(index)] += result;
        }
        if units == DRAW {
            for &index in indices {
                self.draws[usize::from(index)] += P::from(true);
            }
        }
    }

    /// Counts a result for the entries whose bits are set in `chosen`, 64 to a word.
    #[inline(always)]
    pub fn add_chosen<C: Cpu>(mut self, chosen: &[u64], units: u32) {
        if self.counting == Counting::Estimates {
            for (number, &chosen) in chosen.iter().enumerate() {
                let mut left = chosen;
                while left != 0 {
                    self.add_estimate(64 * number + left.trailing_zeros() as usize, units);
                    left &= left - 1;
                }
            }
            return;
        }
        let result = P::new(1, u32::from(units == WIN));
        for (pairs, &chosen) in self.pairs.chunks_mut(64).zip(chosen) {
            add_to_chosen::<C, P>(pairs, chosen, result);
        }
        if units == DRAW {
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
