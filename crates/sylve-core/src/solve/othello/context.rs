//! What all parts of a search share.

use super::board::Board;
use super::table::Table;
use crate::solve::{LOOK, Limits};

/// A move and the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<const SIZE: usize> {
    pub board: Board<SIZE>,
    /// The replies, or [`UNKNOWN`].
    pub replies: u64,
    /// Of the board.
    pub hash: u32,
    pub cell: u8,
    /// The larger, the earlier it is tried.
    pub score: i32,
}

/// In place of moves that nobody has looked for yet. Never the moves of a position: not all cells are empty.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// A search under way. Its values are differences of discs.
pub(super) struct Search<'a, const SIZE: usize> {
    pub table: &'a mut Table<SIZE>,
    /// The moves of the positions from the root to the one under way, one after the other.
    pub children: &'a mut Vec<Child<SIZE>>,
    pub limits: &'a Limits<'a>,
    /// Positions visited.
    pub nodes: u64,
    /// When to look at the limits again.
    pub next_look: u64,
    /// A limit was reached: all values are void.
    pub stopped: bool,
    /// How sure selective cut-offs must be; see `selective.rs`.
    pub confidence: u8,
}

impl<const SIZE: usize> Search<'_, SIZE> {
    /// Counts a position, and looks at the limits now and then.
    #[inline(always)]
    pub fn visit(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.stopped |= self.limits.reached(self.nodes);
            self.next_look = (self.nodes + LOOK).min(self.limits.nodes);
        }
    }
}
