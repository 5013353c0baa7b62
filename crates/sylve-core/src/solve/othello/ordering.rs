//! Which move to try first.

use super::board::Board;
use super::context::{Child, Search, UNKNOWN};
use super::evaluation::DISC;
use super::guess::Guess;
use super::table::hash;
use crate::cpu::Cpu;
use std::ops::Range;

/// From this depth on, moves are ordered by the evaluation, with one ply more for every four.
const EVALUATED: u32 = 12;

/// What a reply of the other side counts for beside the evaluation: few replies make small trees.
const REPLY: i32 = 3 * DISC;

/// The moves of a position are a part of [`Search::children`], the last one, sorted as far as they are
/// asked for.
impl<const SIZE: usize> Search<'_, SIZE> {
    /// Adds `moves`, cells where discs can be put.
    #[inline(always)]
    pub fn add_children(&mut self, board: Board<SIZE>, mut moves: u64) -> Range<usize> {
        let first = self.children.len();
        while moves != 0 {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let board = board.after(cell, board.turned(cell));
            let (hash, cell) = (hash(board), cell as u8);
            self.children.push(Child { board, replies: UNKNOWN, hash, cell, score: 0 });
        }
        first..self.children.len()
    }

    /// Scores the moves: those that worked before, then by what they leave to the other side.
    ///
    /// `odd`: the quadrants with an odd number of empty cells.
    #[inline(always)]
    pub fn score_children<C: Cpu>(
        &mut self,
        children: Range<usize>,
        depth: u32,
        odd: u64,
        known: [u8; 2],
    ) {
        let corners = Board::<SIZE>::CORNERS;
        for index in children {
            let Child { board, cell, .. } = self.children[index];
            if let Some(rank) = known.iter().position(|&known| known == cell) {
                self.children[index].score = i32::MAX - rank as i32;
                continue;
            }
            let replies = board.places();
            let mobility = (replies.count_ones() + (replies & corners).count_ones()) as i32;
            let score = if depth >= EVALUATED {
                let bound = 2 * DISC * Board::<SIZE>::CELLS;
                let depth = (depth - EVALUATED) / 4;
                let search = &mut *self;
                let value = C::call(Guess { search, board, alpha: -bound, beta: bound, depth });
                -value - REPLY * mobility
            } else {
                let cell = 1u64 << cell;
                2 * i32::from(cell & corners != 0) + i32::from(cell & odd != 0) - 4 * mobility
            };
            let child = &mut self.children[index];
            (child.score, child.replies) = (score, replies);
        }
    }

    /// The best of some moves, which becomes the first of them.
    #[inline(always)]
    pub fn best_child(&mut self, children: Range<usize>) -> Child<SIZE> {
        let rest = &mut self.children[children];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        rest.swap(0, best);
        rest[0]
    }
}
