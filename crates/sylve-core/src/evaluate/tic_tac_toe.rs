//! Tic-tac-toe: lines that are still open.

use super::{Evaluate, Terms};
use crate::game::Game;
use crate::games::tic_tac_toe::{LINES, State, TicTacToe};

impl Evaluate for TicTacToe {
    const EVALUATIONS: &'static [&'static str] = &["lines"];

    #[inline(always)]
    fn evaluate(&self, state: &State, _: usize) -> i32 {
        let turn = self.turn(state);
        let open = |enemies: u64| LINES.iter().filter(|&line| line & enemies == 0).count() as i32;
        let [own, other] = [turn, turn.other()].map(|player| state.stones[player.index()]);
        1000 * (open(other) - open(own))
    }

    fn terms(&self, state: &State, evaluation: usize) -> Terms {
        vec![("lines", self.evaluate(state, evaluation))]
    }
}
