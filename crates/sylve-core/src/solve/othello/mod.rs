//! Othello endings, exactly.

mod board;
mod last_squares;
mod ordering;
mod search;
pub mod stability;
mod table;

use crate::cpu;
use crate::game::Move;
use crate::games::othello::{Othello, State};
use crate::solve::{Limits, Solver};
use board::Board;
use search::{CERTAIN, Principal, Search};
use table::{NO_MOVE, Table};

/// Finds the final difference of discs for the side to move, the empty cells given to the winner.
#[derive(Debug)]
pub struct OthelloSolver<const SIZE: usize> {
    table: Table<SIZE>,
    nodes: u64,
}

impl<const SIZE: usize> OthelloSolver<SIZE> {
    /// A solver whose table has room for `entries` positions of 24 bytes.
    pub fn new(entries: usize) -> OthelloSolver<SIZE> {
        OthelloSolver { table: Table::new(entries), nodes: 0 }
    }

    /// The best move of a position that was solved, while the table remembers it.
    pub fn best(&self, state: &State) -> Option<Move> {
        let (own, other) = state.sides();
        let entry = self.table.get(Board { own, other })?;
        (entry.moves[0] != NO_MOVE).then_some(Move(entry.moves[0].into()))
    }
}

impl<const SIZE: usize> Solver<Othello<SIZE>> for OthelloSolver<SIZE> {
    fn highest(&self, _game: &Othello<SIZE>) -> i32 {
        Board::<SIZE>::CELLS
    }

    fn value(
        &mut self,
        _game: &Othello<SIZE>,
        state: &State,
        alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        let (own, other) = state.sides();
        let mut search = Search {
            table: &mut self.table,
            limits,
            nodes: self.nodes,
            next_look: self.nodes,
            stopped: false,
            confidence: CERTAIN,
        };
        let board = Board { own, other };
        let value = cpu::run(Principal { search: &mut search, board, alpha, beta });
        let stopped = search.stopped;
        self.nodes = search.nodes;
        (!stopped).then_some(value)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests;
