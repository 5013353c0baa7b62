//! What is joined to a side of the board, kept up to date while a playout puts stones.

use super::{Cells, Hex};

/// A side of the board and the stones of its player.
#[derive(Clone, Copy)]
pub(super) struct Side<const W: usize> {
    /// The cells at the side, and those around the stones that are joined to it.
    pub(super) near: Cells<W>,
    /// The stones that are not joined to it.
    pub(super) loose: Cells<W>,
}

impl<const W: usize> Side<W> {
    /// With these stones.
    #[inline(always)]
    pub(super) fn new(game: &Hex<W>, side: &Cells<W>, stones: &Cells<W>) -> Side<W> {
        let mut new = Side { near: *side, loose: *stones };
        new.join(game, stones.and(side));
        new
    }

    /// Puts stones.
    #[inline(always)]
    pub(super) fn put(&mut self, game: &Hex<W>, stones: &Cells<W>) {
        self.loose = self.loose.or(stones);
        self.join(game, stones.and(&self.near));
    }

    /// Joins these stones, and what they lead to.
    #[inline(always)]
    fn join(&mut self, game: &Hex<W>, mut todo: Cells<W>) {
        // All of them at once: few steps lead to the last one.
        let (mut near, mut loose) = (self.near, self.loose.without(&todo));
        while todo != Cells::NONE {
            let around = game.around(&todo);
            near = near.or(&around);
            todo = around.and(&loose);
            loose = loose.without(&todo);
        }
        *self = Side { near, loose };
    }
}

impl<const W: usize> Hex<W> {
    /// The cells around these; bits beyond the last row are no cells.
    #[inline(always)]
    fn around(&self, cells: &Cells<W>) -> Cells<W> {
        let (first, last) = (&self.from[1], &self.to[1]);
        let (left, right) = (cells.without(first).down(1), cells.without(last).up(1));
        // Of the row below the cell and the one to its left, of the row above it and the one to its right.
        let below = cells.or(&left).up(self.size);
        let above = cells.or(&right).down(self.size);
        left.or(&right).or(&below).or(&above)
    }
}
