//! The last four empty cells: no move lists, no table, and the last disc is not even placed.
//!
//! Every function answers for the window `alpha`, `alpha + 1`: a value above `alpha` is at most the
//! true one, another is at least the true one.

use super::board::Board;
use crate::games::othello::Othello;

/// For a cell of a line and the own discs on it: how many discs a disc there turns along the line if
/// all other cells are of the other side. Where a line is shorter, the cells missing count as
/// of the other side: with no own disc behind them, they are never turned.
const TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut cell = 0;
    while cell < 8 {
        let mut own = 0;
        while own < 256 {
            let (mut up, mut down) = (cell + 1, cell);
            while up < 8 && own >> up & 1 == 0 {
                up += 1;
            }
            while down > 0 && own >> (down - 1) & 1 == 0 {
                down -= 1;
            }
            let above = if up < 8 { up - cell - 1 } else { 0 };
            let below = if down > 0 { cell - down } else { 0 };
            turned[cell][own] = (above + below) as u8;
            own += 1;
        }
        cell += 1;
    }
    turned
};

/// Below every value.
const NONE: i32 = i32::MIN;

impl<const SIZE: usize> Board<SIZE> {
    /// The diagonals through each cell: those that fall to the left, to the right.
    const DIAGONALS: [[u64; 2]; 64] = {
        let mut diagonals = [[0; 2]; 64];
        let mut pair = 0;
        while pair < Othello::<SIZE>::CELLS * Othello::<SIZE>::CELLS {
            let (a, b) = (pair / Othello::<SIZE>::CELLS, pair % Othello::<SIZE>::CELLS);
            if a / SIZE + a % SIZE == b / SIZE + b % SIZE {
                diagonals[a][0] |= 1 << b;
            }
            if a / SIZE + b % SIZE == b / SIZE + a % SIZE {
                diagonals[a][1] |= 1 << b;
            }
            pair += 1;
        }
        diagonals
    };

    /// The number of discs that a disc on the last empty cell turns.
    #[inline(always)]
    fn turned_by_last(own: u64, cell: usize) -> i32 {
        let (row, column) = (cell / SIZE, cell % SIZE);
        let line = |line: u64| (line & Othello::<SIZE>::ROW) as usize & 255;
        // Each cell of a diagonal lies in another column: the product brings them to the last row.
        let diagonal = |mask: u64| {
            line((own & mask).wrapping_mul(Othello::<SIZE>::LEFT) >> (SIZE * (SIZE - 1)))
        };
        let [left, right] = Self::DIAGONALS[cell];
        let across = TURNED[column & 7];
        i32::from(across[line(own >> (row * SIZE))])
            + i32::from(across[diagonal(left)])
            + i32::from(across[diagonal(right)])
            + i32::from(TURNED[row & 7][Othello::<SIZE>::left_column(own >> column) & 255])
    }

    /// The value with one empty cell, exact whatever the window.
    #[inline(always)]
    fn last_1(own: u64, cell: usize) -> i32 {
        let discs = own.count_ones() as i32;
        let cells = Othello::<SIZE>::CELLS as i32;
        let turned = Self::turned_by_last(own, cell);
        if turned > 0 {
            return 2 * (discs + turned + 1) - cells;
        }
        let turned = Self::turned_by_last(Othello::<SIZE>::FULL & !own & !(1 << cell), cell);
        if turned > 0 {
            return 2 * (discs - turned) - cells;
        }
        // Nobody can play there: it goes to the winner, and the others are odd in number.
        if 2 * discs >= cells { 2 * discs - cells + 2 } else { 2 * discs - cells }
    }

    /// The value once there is no empty cell but these two.
    #[inline(always)]
    fn last_2(self, alpha: i32, a: usize, b: usize, nodes: &mut u64) -> i32 {
        // The side to move, then, if it has no move, the other side after a pass. Not a closure for
        // both: the compiler would not inline it into code for this processor.
        let (mut board, mut bound, mut sign) = (self, alpha, 1);
        for _ in 0..2 {
            let mut best = NONE;
            for (cell, left) in [(a, b), (b, a)] {
                let turned = board.turned_near(cell);
                if turned == 0 {
                    continue;
                }
                *nodes += 1;
                let value = -Self::last_1(board.other ^ turned, left);
                if value > bound {
                    return sign * value;
                }
                best = best.max(value);
            }
            if best > NONE {
                return sign * best;
            }
            (board, bound, sign) = (board.passed(), -bound - 1, -1);
        }
        self.over()
    }

    /// The value with four empty cells, or with three. `odd`: the quadrants with an odd number of
    /// them, played in first, so that the side to move has the last word there.
    #[inline(always)]
    pub fn last_3_or_4<const COUNT: usize>(self, alpha: i32, odd: u64, nodes: &mut u64) -> i32 {
        let empty = self.empty();
        // The side to move, then, if it has no move, the other side after a pass. Not a closure for
        // both: the compiler would not inline it into code for this processor.
        let (mut board, mut bound, mut sign) = (self, alpha, 1);
        for _ in 0..2 {
            let mut best = NONE;
            for mut cells in [empty & odd, empty & !odd] {
                while cells != 0 {
                    let cell = cells.trailing_zeros() as usize;
                    cells &= cells - 1;
                    let turned = board.turned_near(cell);
                    if turned == 0 {
                        continue;
                    }
                    *nodes += 1;
                    let next = board.after(cell, turned);
                    let value = if COUNT == 4 {
                        -next.last_3_or_4::<3>(-bound - 1, odd ^ Self::QUADRANT[cell], nodes)
                    } else {
                        let left = empty ^ 1 << cell;
                        let (a, b) = (left.trailing_zeros(), 63 - left.leading_zeros());
                        -next.last_2(-bound - 1, a as usize, b as usize, nodes)
                    };
                    if value > bound {
                        return sign * value;
                    }
                    best = best.max(value);
                }
            }
            if best > NONE {
                return sign * best;
            }
            (board, bound, sign) = (board.passed(), -bound - 1, -1);
        }
        self.over()
    }

    /// The value with at most four empty cells.
    #[inline(always)]
    pub fn last(self, alpha: i32, odd: u64, nodes: &mut u64) -> i32 {
        let empty = self.empty();
        let (low, high) =
            (empty.trailing_zeros() as usize, 63 - (empty | 1).leading_zeros() as usize);
        match empty.count_ones() {
            0 => self.over(),
            1 => Self::last_1(self.own, low),
            2 => self.last_2(alpha, low, high, nodes),
            3 => self.last_3_or_4::<3>(alpha, odd, nodes),
            _ => self.last_3_or_4::<4>(alpha, odd, nodes),
        }
    }

    /// The discs that a disc on `cell` turns.
    #[inline(always)]
    fn turned_near(self, cell: usize) -> u64 {
        if self.other & Self::NEIGHBOURS[cell] == 0 {
            return 0; // often so, and quick to see
        }
        self.turned(cell)
    }
}
