//! Selective cut-offs (ProbCut, Buro 1995): a shallow search that is far outside the window speaks
//! for the deep one. They are used only in searches that come before the exact one, to find good
//! moves for the table and a first guess of the value.

use super::board::Board;
use super::context::Search;
use crate::cpu::Cpu;

/// How far outside the window, in discs, for each level of confidence. A shallow search is wrong by
/// about five discs (one standard deviation).
pub(super) const MARGINS: [i32; 2] = [5, 7];

/// The confidence of a search without selective cut-offs: above all levels.
pub(super) const CERTAIN: u8 = MARGINS.len() as u8;

/// With fewer empty cells, searching is cheap enough.
const LEAST_EMPTIES: u32 = 11;

impl<const SIZE: usize> Search<'_, SIZE> {
    /// A bound on the side where the value probably lies, if a shallow search is clear enough.
    #[inline(always)]
    pub fn selective_cut<C: Cpu>(
        &mut self,
        board: Board<SIZE>,
        moves: u64,
        alpha: i32,
        odd: u64,
    ) -> Option<i32> {
        let empties = board.empties();
        if self.confidence == CERTAIN || empties < LEAST_EMPTIES {
            return None;
        }
        let (depth, margin) = ((empties - 6) / 2, MARGINS[usize::from(self.confidence)]);
        let (high, low) = (alpha + margin, alpha - margin);
        if high < Board::<SIZE>::CELLS
            && self.null_window::<C>(board, moves, high, odd, depth) > high
        {
            return Some(alpha + 1);
        }
        if low >= -Board::<SIZE>::CELLS
            && self.null_window::<C>(board, moves, low, odd, depth) <= low
        {
            return Some(alpha);
        }
        None
    }
}
