//! Which move to try first.

use super::board::Board;
use super::evaluation::DISC;
use super::guess::Guess;
use super::search::Search;
use crate::cpu::Cpu;

/// A move and the position after it.
#[derive(Clone, Copy, Default)]
pub(super) struct Child<const SIZE: usize> {
    pub board: Board<SIZE>,
    pub cell: u8,
    score: i32,
}

/// Moves of a position, at most. No game is known to reach more than 33, but boards may be composed.
const MOST: usize = 64;

/// From this depth on, moves are ordered by the evaluation, with one ply more for every four.
const EVALUATED: u32 = 12;

/// What a reply of the other side counts for beside the evaluation: few replies make small trees.
const REPLY: i32 = 3 * DISC;

/// The moves of a position, sorted as far as they are asked for.
pub(super) struct Children<const SIZE: usize> {
    list: [Child<SIZE>; MOST],
    next: usize,
    end: usize,
}

impl<const SIZE: usize> Children<SIZE> {
    #[inline(always)]
    pub fn empty() -> Children<SIZE> {
        Children { list: [Child::default(); MOST], next: 0, end: 0 }
    }

    /// Adds `moves`, cells where discs can be put. In place: a list is too long to be moved.
    #[inline(always)]
    pub fn fill(&mut self, board: Board<SIZE>, mut moves: u64) {
        while moves != 0 {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let next = board.after(cell, board.turned(cell));
            self.list[self.end] = Child { board: next, cell: cell as u8, score: 0 };
            self.end += 1;
        }
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = &Child<SIZE>> {
        self.list[..self.end].iter()
    }

    /// Scores the moves: those that worked before, then by what they leave to the other side.
    ///
    /// `odd`: the quadrants with an odd number of empty cells.
    #[inline(always)]
    pub fn order<C: Cpu>(
        &mut self,
        search: &mut Search<'_, SIZE>,
        depth: u32,
        odd: u64,
        known: [u8; 2],
    ) {
        let corners = Board::<SIZE>::CORNERS;
        for child in &mut self.list[..self.end] {
            if let Some(rank) = known.iter().position(|&cell| cell == child.cell) {
                child.score = i32::MAX - rank as i32;
                continue;
            }
            let board = child.board;
            let replies = board.places();
            let mobility = (replies.count_ones() + (replies & corners).count_ones()) as i32;
            child.score = if depth >= EVALUATED {
                let bound = 2 * DISC * Board::<SIZE>::CELLS;
                let depth = (depth - EVALUATED) / 4;
                let search = &mut *search;
                let value = C::call(Guess { search, board, alpha: -bound, beta: bound, depth });
                -value - REPLY * mobility
            } else {
                let cell = 1u64 << child.cell;
                2 * i32::from(cell & corners != 0) + i32::from(cell & odd != 0) - 4 * mobility
            };
        }
    }

    /// The best of those not yet given.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Child<SIZE>> {
        let rest = &mut self.list[self.next..self.end];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        self.next += 1;
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        Some(rest[0])
    }
}
