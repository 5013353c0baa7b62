//! What a move does: `corner`, `beside`, `tight`.

use super::{Othello, State};
use crate::game::{Game, Move};

/// With so few moves left, the opponent is short of good ones.
const FEW: u32 = 2;

impl<const SIZE: usize> Othello<SIZE> {
    /// See [`crate::Game::features`].
    pub(super) fn features_of(&self, state: &State, mv: Move) -> u32 {
        if mv == Self::PASS {
            return 0;
        }
        let (row, column) = (usize::from(mv.0) / SIZE, usize::from(mv.0) % SIZE);
        let last = SIZE - 1;
        // The nearest corner, and how far it is.
        let near = |line: usize| if 2 * line > last { last } else { 0 };
        let far = row.abs_diff(near(row)).max(column.abs_diff(near(column)));
        let corner: u64 = 1 << (near(row) * SIZE + near(column));
        let empty = corner & (state.own | state.other) == 0;
        let mut after = *state;
        self.play(&mut after, mv);
        let tight = Self::places(after.own, after.other).count_ones() <= FEW;
        u32::from(far == 0) | u32::from(far == 1 && empty) << 1 | u32::from(tight) << 2
    }
}
