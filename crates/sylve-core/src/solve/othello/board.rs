//! A position as the solver sees it: two sets of cells, the side to move first.

use crate::games::othello::Othello;

/// The discs of the side to move and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board<const SIZE: usize> {
    pub own: u64,
    pub other: u64,
}

impl<const SIZE: usize> Board<SIZE> {
    pub const CELLS: i32 = Othello::<SIZE>::CELLS as i32;

    pub const CORNERS: u64 = {
        let (row, last) = (1 | 1 << (SIZE - 1), SIZE * (SIZE - 1));
        row | row << last
    };

    /// The quarter of the board that a cell lies in.
    pub const QUADRANT: [u64; 64] = {
        let mut quadrants = [0; 64];
        let (cells, half) = (SIZE * SIZE, SIZE / 2);
        let mut pair = 0;
        while pair < cells * cells {
            let (a, b) = (pair / cells, pair % cells);
            let same_row = a / SIZE / half == b / SIZE / half;
            if same_row && a % SIZE / half == b % SIZE / half {
                quadrants[a] |= 1 << b;
            }
            pair += 1;
        }
        quadrants
    };

    /// The cells around each cell.
    pub const NEIGHBOURS: [u64; 64] = {
        let mut neighbours = [0; 64];
        let cells = SIZE * SIZE;
        let mut pair = 0;
        while pair < cells * cells {
            let (a, b) = (pair / cells, pair % cells);
            let (down, right) = ((a / SIZE).abs_diff(b / SIZE), (a % SIZE).abs_diff(b % SIZE));
            if a != b && down <= 1 && right <= 1 {
                neighbours[a] |= 1 << b;
            }
            pair += 1;
        }
        neighbours
    };

    #[inline(always)]
    pub fn empty(self) -> u64 {
        Othello::<SIZE>::FULL & !(self.own | self.other)
    }

    /// The number of empty cells.
    #[inline(always)]
    pub fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The quadrants with an odd number of empty cells.
    pub fn odd(self) -> u64 {
        let mut odd = 0;
        let mut empty = self.empty();
        while empty != 0 {
            odd ^= Self::QUADRANT[empty.trailing_zeros() as usize];
            empty &= empty - 1;
        }
        odd
    }

    /// Where the side to move can put a disc.
    #[inline(always)]
    pub fn places(self) -> u64 {
        Othello::<SIZE>::places(self.own, self.other)
    }

    /// The discs that a disc on `cell` turns.
    #[inline(always)]
    pub fn turned(self, cell: usize) -> u64 {
        Othello::<SIZE>::turned_by(self.own, self.other, cell)
    }

    /// The position after a disc on `cell` that turns `turned`.
    #[inline(always)]
    pub fn after(self, cell: usize, turned: u64) -> Board<SIZE> {
        Board { own: self.other ^ turned, other: self.own | turned | 1 << cell }
    }

    #[inline(always)]
    pub fn passed(self) -> Board<SIZE> {
        Board { own: self.other, other: self.own }
    }

    /// The value once nobody can move: the empty cells go to the winner.
    #[inline(always)]
    pub fn over(self) -> i32 {
        let (own, other) = (self.own.count_ones() as i32, self.other.count_ones() as i32);
        let empties = Self::CELLS - own - other;
        own - other + (own - other).signum() * empties
    }

    /// A bound on the value that is not above `alpha`, if the discs of the other side that are never
    /// turned give one. Looked for only if `alpha` is so high that it is likely.
    #[inline(always)]
    pub fn at_most(self, alpha: i32, empties: u32) -> Option<i32> {
        // Twice the number of empty cells on 8 x 8: found by trial.
        if alpha < 2 * empties as i32 * Self::CELLS / 64 {
            return None;
        }
        let lost = Othello::<SIZE>::stable(self.other, self.own).count_ones() as i32;
        let most = Self::CELLS - 2 * lost;
        if most <= alpha { Some(most) } else { None }
    }
}
