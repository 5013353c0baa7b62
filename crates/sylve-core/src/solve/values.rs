//! What the ends of the games are worth: the scales of `solve`. The same in `python/sylve/games/`.

use super::othello::OthelloSolver;
use super::plain::Plain;
use super::{Solvable, Solver};
use crate::game::Game;
use crate::games::go::Go;
use crate::games::othello::{Othello, State};
use crate::games::tic_tac_toe::TicTacToe;

// A win, a draw, a loss.
impl Solvable for TicTacToe {
    fn solver(&self, bytes: usize) -> Box<dyn Solver<TicTacToe>> {
        Box::new(Plain::within(bytes))
    }
}

impl<const WORDS: usize, const POINTS: usize> Solvable for Go<WORDS, POINTS> {
    fn solver(&self, bytes: usize) -> Box<dyn Solver<Go<WORDS, POINTS>>> {
        Box::new(Plain::within(bytes))
    }
}

/// Positions that the table of Othello remembers: 50 MB.
const OTHELLO_ENTRIES: usize = 1 << 21;
/// Bytes of each.
const OTHELLO_ENTRY: usize = 24;

/// Discs of the side to move minus discs of the other; empty cells count for the winner.
impl<const SIZE: usize> Solvable for Othello<SIZE> {
    fn final_value(&self, state: &State) -> Option<i32> {
        self.outcome(state)?;
        let [own, other] = state.counts();
        let empty = (SIZE * SIZE) as i32 - own - other;
        Some(own - other + empty * (own - other).signum())
    }

    fn highest_value(&self) -> i32 {
        (SIZE * SIZE) as i32
    }

    fn solver(&self, bytes: usize) -> Box<dyn Solver<Othello<SIZE>>> {
        Box::new(OthelloSolver::new(OTHELLO_ENTRIES.min(bytes / OTHELLO_ENTRY)))
    }
}
