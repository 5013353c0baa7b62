//! Sets of cells.

use crate::cpu::Cpu;

/// A set of cells: cell i is bit i. `W` words of 64 hold a board of up to 64 W cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cells<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Cells<W> {
    pub(crate) const NONE: Cells<W> = Cells([0; W]);

    #[inline(always)]
    pub(crate) fn one(cell: usize) -> Cells<W> {
        let mut cells = Cells::NONE;
        cells.insert(cell);
        cells
    }

    #[inline(always)]
    pub(crate) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    #[inline(always)]
    pub(crate) fn and(&self, other: &Cells<W>) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline(always)]
    pub(crate) fn or(&self, other: &Cells<W>) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline(always)]
    pub(crate) fn without(&self, other: &Cells<W>) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline(always)]
    pub(crate) fn meets(&self, other: &Cells<W>) -> bool {
        self.and(other) != Cells::NONE
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The same without a branch or a place in memory, for cells that nobody can predict.
    #[inline(always)]
    pub(crate) fn alone(cell: usize) -> Cells<W> {
        Cells(std::array::from_fn(|i| u64::from(cell / 64 == i) << (cell % 64)))
    }

    /// The cell of a set of one, without a branch.
    #[inline(always)]
    pub(crate) fn only(&self) -> usize {
        let (mut bit, mut before) = (0, 0);
        for (i, &word) in self.0.iter().enumerate() {
            bit |= word;
            before += 64 * i * usize::from(word != 0);
        }
        before + bit.trailing_zeros() as usize
    }

    #[inline(always)]
    pub(crate) fn lowest(&self) -> Option<usize> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Some(64 * i + self.0[i].trailing_zeros() as usize)
    }

    /// The cell with this index among them, alone. Without a branch: which word has it nobody can
    /// predict.
    #[inline(always)]
    pub(crate) fn nth<C: Cpu>(&self, mut index: u32) -> Cells<W> {
        Cells(self.0.map(|word| {
            let bit = C::nth_bit(word, index); // 0 where there are not so many
            index = index.wrapping_sub(word.count_ones()); // past the cell far more than 64
            bit
        }))
    }

    /// Every cell moved up by `by`, which is from 1 to 63.
    #[inline(always)]
    pub(crate) fn up(&self, by: usize) -> Cells<W> {
        Cells(std::array::from_fn(|i| {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            self.0[i] << by | carried
        }))
    }

    /// Every cell moved down by `by`, which is from 1 to 63.
    #[inline(always)]
    pub(crate) fn down(&self, by: usize) -> Cells<W> {
        Cells(std::array::from_fn(|i| {
            let carried = if i + 1 < W { self.0[i + 1] << (64 - by) } else { 0 };
            self.0[i] >> by | carried
        }))
    }

    /// Calls `visit` with each cell, in increasing order.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(64 * i + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}
