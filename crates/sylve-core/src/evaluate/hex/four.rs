//! Four sets of cells side by side, one for each player and side: what is done with one is done with all,
//! by the same instructions.

use crate::games::hex::Cells;

/// Four sets. A word of each set after a word of each set, so that a vector holds the same word of
/// all of them.
#[derive(Clone, Copy)]
pub(super) struct Four<const W: usize>([[u64; 4]; W]);

impl<const W: usize> Four<W> {
    pub(super) const NONE: Four<W> = Four([[0; 4]; W]);

    #[inline(always)]
    pub(super) fn new(sets: &[Cells<W>; 4]) -> Four<W> {
        Four(std::array::from_fn(|i| std::array::from_fn(|lane| sets[lane].0[i])))
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i][lane]))
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, cells: &Cells<W>) {
        for (words, &word) in self.0.iter_mut().zip(&cells.0) {
            words[lane] = word;
        }
    }

    #[inline(always)]
    fn zip(&self, other: &Four<W>, combine: impl Fn(u64, u64) -> u64) -> Four<W> {
        Four(std::array::from_fn(|i| {
            std::array::from_fn(|lane| combine(self.0[i][lane], other.0[i][lane]))
        }))
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &Four<W>) -> Four<W> {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Four<W>) -> Four<W> {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn without(&self, other: &Four<W>) -> Four<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// Each cell moved to the one `by` places later, 0 < `by` < 64.
    #[inline(always)]
    pub(super) fn later(&self, by: usize) -> Four<W> {
        Four(std::array::from_fn(|i| {
            std::array::from_fn(|lane| {
                let carry = if i > 0 { self.0[i - 1][lane] >> (64 - by) } else { 0 };
                self.0[i][lane] << by | carry
            })
        }))
    }

    /// Each cell moved to the one `by` places earlier, 0 < `by` < 64.
    #[inline(always)]
    pub(super) fn earlier(&self, by: usize) -> Four<W> {
        Four(std::array::from_fn(|i| {
            std::array::from_fn(|lane| {
                let carry = if i + 1 < W { self.0[i + 1][lane] << (64 - by) } else { 0 };
                self.0[i][lane] >> by | carry
            })
        }))
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().flatten().fold(0, |all, word| all | word) == 0
    }
}

/// Which cells have been counted once or more, and which twice or more.
#[derive(Clone, Copy)]
pub(super) struct Counts<const W: usize> {
    pub(super) once: Four<W>,
    pub(super) twice: Four<W>,
}

impl<const W: usize> Counts<W> {
    pub(super) const NONE: Counts<W> = Counts { once: Four::NONE, twice: Four::NONE };

    #[inline(always)]
    pub(super) fn add(&mut self, cells: &Four<W>) {
        self.twice = self.twice.or(&self.once.and(cells));
        self.once = self.once.or(cells);
    }
}
