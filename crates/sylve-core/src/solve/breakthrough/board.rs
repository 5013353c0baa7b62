//! A Breakthrough board seen by the side to move, who always goes up.
//!
//! Cell = row * columns + column is bit number cell. After a move the board is turned by half a turn, so that
//! one direction is enough.

/// A position: the pawns of the side to move and those of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pawns {
    pub own: u64,
    pub other: u64,
}

/// A board of some size.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub columns: usize,
    pub rows: usize,
    first_column: u64,
    last_column: u64,
}

impl Board {
    pub fn new(columns: usize, rows: usize) -> Board {
        let first_column = (0..rows).fold(0u64, |set, row| set | 1 << (row * columns));
        Board { columns, rows, first_column, last_column: first_column << (columns - 1) }
    }

    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cells of a row, from the side to move.
    #[inline(always)]
    pub fn row(&self, row: usize) -> u64 {
        ((1 << self.columns) - 1) << (row * self.columns)
    }

    /// A set of cells after half a turn of the board.
    #[inline(always)]
    pub fn turned(&self, set: u64) -> u64 {
        set.reverse_bits() >> (64 - self.cells())
    }

    /// Left and right exchanged.
    pub fn mirrored(&self, set: u64) -> u64 {
        // Half a turn, then the rows back in their order.
        let turned = self.turned(set);
        (0..self.rows).fold(0, |mirrored, row| {
            let pawns = turned >> (row * self.columns) & self.row(0);
            mirrored | pawns << ((self.rows - 1 - row) * self.columns)
        })
    }

    /// Where steps to the right and to the left lead, for pawns that go up.
    #[inline(always)]
    pub fn diagonals_up(&self, set: u64) -> [u64; 2] {
        [
            (set & !self.last_column) << (self.columns + 1),
            (set & !self.first_column) << (self.columns - 1),
        ]
    }

    /// The cells from which a diagonal step up leads into `set`; also: where pawns that go down capture.
    #[inline(always)]
    pub fn diagonals_down(&self, set: u64) -> u64 {
        (set & !self.last_column) >> (self.columns - 1)
            | (set & !self.first_column) >> (self.columns + 1)
    }

    /// Calls `visit` with every move, as the pawn and its target, until it answers true; whether it did.
    #[inline(always)]
    pub fn any_move(&self, pawns: Pawns, mut visit: impl FnMut(u64, u64) -> bool) -> bool {
        let Pawns { own, other } = pawns;
        let [right, left] = self.diagonals_up(own);
        let steps = [
            (own << self.columns & !(own | other), self.columns),
            (right & !own, self.columns + 1),
            (left & !own, self.columns - 1),
        ];
        for (mut targets, step) in steps {
            while targets != 0 {
                let target = targets & targets.wrapping_neg();
                targets ^= target;
                if visit(target >> step, target) {
                    return true;
                }
            }
        }
        false
    }

    /// The position after a move, for the other side to move.
    #[inline(always)]
    pub fn played(&self, pawns: Pawns, from: u64, to: u64) -> Pawns {
        Pawns { own: self.turned(pawns.other & !to), other: self.turned(pawns.own ^ (from | to)) }
    }

    /// The pawns of the side to move that can capture `target`.
    #[inline(always)]
    pub fn capturers(&self, pawns: Pawns, target: u64) -> u64 {
        self.diagonals_down(target) & pawns.own
    }
}
