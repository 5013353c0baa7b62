//! The sizes of the board.

/// The rules. `SIZE` is 4, 6 or 8. A move is a cell, `row * SIZE + column` from a1 (top left), which
/// is also its bit in a set of cells; the number after the last cell is the pass.
#[derive(Clone, Copy, Debug)]
pub struct Othello<const SIZE: usize>;

impl<const SIZE: usize> Othello<SIZE> {
    pub(crate) const CELLS: usize = {
        assert!(SIZE == 4 || SIZE == 6 || SIZE == 8, "no such board");
        SIZE * SIZE
    };
    pub(crate) const FULL: u64 = u64::MAX >> (64 - Self::CELLS);
}
