//! Which move to try first.

use super::board::Board;

/// A move and the position after it.
#[derive(Clone, Copy, Default)]
pub(super) struct Child<const SIZE: usize> {
    pub board: Board<SIZE>,
    pub cell: u8,
    score: i32,
}

/// No position has more moves.
const MOST: usize = 34;

/// The moves of a position, sorted as far as they are asked for.
pub(super) struct Children<const SIZE: usize> {
    list: [Child<SIZE>; MOST],
    next: usize,
    end: usize,
}

impl<const SIZE: usize> Children<SIZE> {
    #[inline(always)]
    pub fn new(board: Board<SIZE>, mut moves: u64) -> Children<SIZE> {
        let mut list = [Child::default(); MOST];
        let mut end = 0;
        while moves != 0 {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            list[end] =
                Child { board: board.after(cell, board.turned(cell)), cell: cell as u8, score: 0 };
            end += 1;
        }
        Children { list, next: 0, end }
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = &Child<SIZE>> {
        self.list[..self.end].iter()
    }

    /// Scores the moves: those that worked before, then those that leave the other side least choice.
    #[inline(always)]
    pub fn order(&mut self, _board: Board<SIZE>, odd: u64, known: [u8; 2]) {
        for child in &mut self.list[..self.end] {
            child.score = if child.cell == known[0] {
                1 << 30
            } else if child.cell == known[1] {
                1 << 29
            } else {
                let replies = child.board.places();
                let mobility =
                    replies.count_ones() + (replies & Board::<SIZE>::CORNERS).count_ones();
                let cell = 1u64 << child.cell;
                -((mobility as i32) << 8)
                    + 64 * i32::from(cell & odd != 0)
                    + 128 * i32::from(cell & Board::<SIZE>::CORNERS != 0)
            };
        }
    }

    /// The best of those not yet given.
    #[inline(always)]
    pub fn next(&mut self) -> Option<&Child<SIZE>> {
        if self.next == self.end {
            return None;
        }
        let mut best = self.next;
        for index in self.next + 1..self.end {
            if self.list[index].score > self.list[best].score {
                best = index;
            }
        }
        self.list.swap(self.next, best);
        self.next += 1;
        Some(&self.list[self.next - 1])
    }
}
