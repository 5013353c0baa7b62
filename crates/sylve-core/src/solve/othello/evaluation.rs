//! A light evaluation: it orders moves and guides selective searches; no exact value depends on it.

use super::board::Board;
use crate::games::othello::Othello;

/// Parts of a disc.
pub(super) const DISC: i32 = 16;

/// The number of features.
const FEATURES: usize = 6;

/// What each feature counts for: least squares over 2,141 positions with 16 empty cells from games
/// that were random, then greedy, solved exactly; rounded. Half of a standard deviation of 32 discs
/// is left unexplained, which is good enough to order moves.
const WEIGHTS: [i32; FEATURES] = [40, -4, 30, -80, -45, 27];

/// What it counts for to be the side to move.
const TO_MOVE: i32 = 8;

impl<const SIZE: usize> Board<SIZE> {
    /// The cells diagonally next to corners.
    const X_CELLS: u64 = {
        let (row, last) = (1 << 1 | 1 << (SIZE - 2), SIZE * (SIZE - 2));
        row << SIZE | row << last
    };

    /// The cells next to corners on the edges.
    const C_CELLS: u64 = {
        let side = 1 << 1 | 1 << (SIZE - 2);
        let rows = side | side << (SIZE * (SIZE - 1));
        let columns = Self::CORNERS << SIZE & Othello::<SIZE>::FULL | Self::CORNERS >> SIZE;
        rows | columns & Othello::<SIZE>::FULL
    };

    /// `set` and the cells around it.
    #[inline(always)]
    fn around(set: u64) -> u64 {
        let (left, right) = (Othello::<SIZE>::LEFT, Othello::<SIZE>::RIGHT);
        let rows = set | (set & !right) << 1 | (set & !left) >> 1;
        rows | rows << SIZE | rows >> SIZE
    }

    /// What the evaluation looks at, own side minus the other: moves, empty cells beside discs of
    /// the opponent, corners, cells next to empty corners (diagonally, on edges), safe edge discs.
    #[inline(always)]
    pub fn features(self) -> [i32; FEATURES] {
        let empty = self.empty();
        let difference = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let (near_own, near_other) = (Self::around(self.own), Self::around(self.other));
        let weak = Self::around(empty & Self::CORNERS);
        [
            difference(self.places(), self.passed().places()),
            difference(empty & near_other, empty & near_own),
            difference(self.own & Self::CORNERS, self.other & Self::CORNERS),
            difference(self.own & weak & Self::X_CELLS, self.other & weak & Self::X_CELLS),
            difference(self.own & weak & Self::C_CELLS, self.other & weak & Self::C_CELLS),
            difference(
                Othello::<SIZE>::stable_on_edges(self.own, self.other),
                Othello::<SIZE>::stable_on_edges(self.other, self.own),
            ),
        ]
    }

    /// The value to expect, in parts of a disc.
    #[inline(always)]
    pub fn evaluate(self) -> i32 {
        let mut sum = TO_MOVE;
        for (weight, feature) in WEIGHTS.iter().zip(self.features()) {
            sum += weight * feature;
        }
        sum
    }
}
