//! What a move does: `capture`, `run`.

use super::{Breakthrough, LEFT, RIGHT, STRAIGHT, State, forward};
use crate::game::Move;

impl Breakthrough {
    /// See [`crate::Game::features`].
    pub(super) fn features_of(&self, state: &State, mv: Move) -> u32 {
        u32::from(self.captures(state, mv)) | u32::from(self.runs(state, mv)) << 1
    }

    /// Whether no pawn of the other side can stop the pawn moved on its way to the far row.
    fn runs(&self, state: &State, mv: Move) -> bool {
        let steps = self.steps[state.turn.index()];
        let (mut ahead, mut front) = (0, self.target(state, mv));
        for _ in 1..self.rows {
            front = [STRAIGHT, RIGHT, LEFT]
                .map(|way| forward(front & self.inside[way], steps[way], state.turn))
                .into_iter()
                .fold(0, |cells, more| cells | more);
            ahead |= front;
        }
        ahead & state.pawns[state.turn.other().index()] == 0
    }
}
