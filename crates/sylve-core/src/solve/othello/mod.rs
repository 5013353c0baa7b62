//! Othello endings, exactly.
//!
//! Read `search` first (the tree), then `shallow` and `last_squares` (where nearly all positions are),
//! then `ordering`, `evaluation` and `guess` (which move first), `selective` (searches before the
//! exact one), [`stability`] and `table`.

mod board;
mod context;
mod evaluation;
mod guess;
mod last_squares;
mod ordering;
mod search;
mod selective;
mod shallow;
pub mod stability;
mod table;
#[cfg(test)]
mod tests;

use crate::cpu;
use crate::game::Move;
use crate::games::othello::{Othello, State};
use crate::solve::{Limits, Solver};
use board::Board;
use context::{Child, Search};
use search::Principal;
use selective::CERTAIN;
use table::{NO_MOVE, Table, hash};

/// With fewer empty cells, the exact search needs no other before it.
const PRE_SEARCHED: u32 = 14;

/// Finds the final difference of discs for the side to move, the empty cells given to the winner.
///
/// All values are even. To know only who wins, ask for the window -1, 1: the answer is then above 0,
/// 0 or below 0, and usually found several times faster.
#[derive(Debug)]
pub struct OthelloSolver<const SIZE: usize> {
    table: Table<SIZE>,
    /// Room for the moves of a search, empty between searches.
    children: Vec<Child<SIZE>>,
    /// What the table has room for, and what it may have room for.
    entries: usize,
    most_entries: usize,
    nodes: u64,
}

impl<const SIZE: usize> OthelloSolver<SIZE> {
    /// A solver whose table has room for `entries` positions, of 24 bytes each: the next lower power
    /// of two or two, and at least eight. It is smaller until there are positions that need it.
    pub fn new(entries: usize) -> OthelloSolver<SIZE> {
        OthelloSolver {
            table: Table::new(0),
            children: Vec::new(),
            entries: 0,
            most_entries: entries,
            nodes: 0,
        }
    }

    /// A larger table, if a position with so many empty cells needs it. It forgets. For a small tree,
    /// to clear a large table would take longer than to search.
    fn make_room(&mut self, empties: u32) {
        let needed = self.most_entries.min(1 << (empties + 2));
        if needed > self.entries {
            self.entries = needed;
            self.table = Table::new(needed);
        }
    }

    /// The best move of a position whose value was found inside the window asked for, while the
    /// table remembers it. `None` also if the side to move must pass.
    pub fn best(&self, state: &State) -> Option<Move> {
        let (own, other) = state.sides();
        let board = Board { own, other };
        let entry = self.table.get(board, hash(board))?;
        (entry.moves[0] != NO_MOVE).then_some(Move(entry.moves[0].into()))
    }
}

impl<const SIZE: usize> Search<'_, SIZE> {
    /// The value between `alpha` and `beta`, by narrow windows that move towards it from `guess`.
    fn aspire(&mut self, board: Board<SIZE>, guess: i32, alpha: i32, beta: i32) -> i32 {
        // All values are even, though guesses need not be.
        let guess = guess & !1;
        let (mut low, mut high) = ((guess - 1).max(alpha), (guess + 1).min(beta));
        if low >= high {
            // The guess lies outside.
            (low, high) = if guess <= alpha { (alpha, alpha + 1) } else { (beta - 1, beta) };
        }
        let (mut least, mut most, mut step) = (-Board::<SIZE>::CELLS, Board::<SIZE>::CELLS, 2);
        loop {
            let value = cpu::run(Principal { search: self, board, alpha: low, beta: high });
            if self.stopped {
                return value;
            }
            if value <= low && low > alpha {
                most = value;
                (low, high) = ((value - step - 1).max(alpha), value + 1);
            } else if value >= high && high < beta {
                least = value;
                (low, high) = (value - 1, (value + step + 1).min(beta));
            } else {
                return value;
            }
            // Equal bounds are the value. A selective search may contradict itself: then either
            // bound is good enough.
            if least >= most {
                return value;
            }
            step *= 2;
        }
    }
}

impl<const SIZE: usize> Solver<Othello<SIZE>> for OthelloSolver<SIZE> {
    fn value(
        &mut self,
        _game: &Othello<SIZE>,
        state: &State,
        alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        let (own, other) = state.sides();
        let board = Board { own, other };
        self.make_room(board.empties());
        self.table.renew();
        let mut search = Search {
            table: &mut self.table,
            children: &mut self.children,
            limits,
            nodes: self.nodes,
            next_look: self.nodes,
            stopped: false,
            confidence: CERTAIN,
        };
        // Searches of rising confidence, the last one certain: each leaves good moves in the table
        // and a guess to the next.
        let first = if board.empties() < PRE_SEARCHED { CERTAIN } else { 0 };
        let mut value = 0;
        for confidence in first..=CERTAIN {
            search.confidence = confidence;
            value = search.aspire(board, value, alpha, beta);
            if search.stopped {
                break;
            }
        }
        let stopped = search.stopped;
        self.nodes = search.nodes;
        (!stopped).then_some(value)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn guess(&mut self, _game: &Othello<SIZE>, state: &State) -> Option<Move> {
        self.best(state)
    }
}
