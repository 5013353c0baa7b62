//! Sets of cells of a Connect Four board, and what can be seen in them at once.

/// No board has more columns.
pub const COLUMNS: usize = 12;

/// Where the search gets its board from. The usual one is known when the search is compiled: its shifts
/// and masks become constants.
pub trait Shape: Copy + Send + Sync + 'static {
    fn board(self) -> Board;
}

/// 7 x 6.
#[derive(Clone, Copy, Debug)]
pub struct Usual;

impl Shape for Usual {
    #[inline(always)]
    fn board(self) -> Board {
        const { Board::new(7, 6) }
    }
}

/// Any size.
impl Shape for Board {
    #[inline(always)]
    fn board(self) -> Board {
        self
    }
}

/// A board of some size. Columns one after the other, `rows + 1` bits each, the top one unused: as in
/// [`crate::games::connect_four`].
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub columns: u32,
    pub rows: u32,
    /// Their number.
    pub cells: i32,
    /// From a cell to the one beside it.
    pub step: u32,
    /// The bottom cell of each column.
    pub bottom: u64,
    /// The unused bit of each column.
    pub guard: u64,
    /// Every cell.
    pub all: u64,
    /// The top cell of each column and every second one below: a column with an even number of
    /// empty cells falls into pairs, and these are the upper ones.
    pub upper: u64,
    /// The columns as sets of cells, from the middle outwards.
    pub order: [u64; COLUMNS],
}

impl Board {
    pub const fn new(columns: u32, rows: u32) -> Board {
        let step = rows + 1;
        let (mut bottom, mut upper, mut order) = (0, 0, [0; COLUMNS]);
        let (mut column, mut row) = (0, rows);
        while column < columns {
            bottom |= 1 << (column * step);
            // To the left and to the right in turn. Which comes first matters little in most positions;
            // with the right one first for the inner columns only, the start of 7 x 6 takes 15 % fewer nodes.
            let left = column % 2 == (columns % 2 == 1 && column > 2) as u32;
            let (middle, away) = ((columns - 1) / 2, column.div_ceil(2));
            let place = if left { middle - away } else { middle + away };
            order[column as usize] = ((1 << rows) - 1) << (place * step);
            column += 1;
        }
        while row > 0 {
            upper |= bottom << (row - 1);
            row = row.saturating_sub(2);
        }
        let (guard, all) = (bottom << rows, bottom * ((1 << rows) - 1));
        let cells = (columns * rows) as i32;
        Board { columns, rows, cells, step, bottom, guard, all, upper, order }
    }

    /// The cells of one column.
    #[inline(always)]
    pub fn column(&self, column: u32) -> u64 {
        ((1 << self.rows) - 1) << (column * self.step)
    }

    /// Where a stone can land, at most one cell a column.
    #[inline(always)]
    pub fn landing(&self, stones: u64) -> u64 {
        (stones + self.bottom) & self.all
    }

    #[inline(always)]
    pub fn has_four(&self, set: u64) -> bool {
        [1, self.step, self.step - 1, self.step + 1].into_iter().fold(0, |found, step| {
            let pairs = set & (set >> step);
            found | (pairs & (pairs >> (2 * step)))
        }) != 0
    }

    /// The empty cells that would give `own` four in a row, whether a stone can land there or not.
    #[inline(always)]
    pub fn winning_cells(&self, own: u64, stones: u64) -> u64 {
        // Upwards only below the cell; elsewhere the missing stone may be any of the four.
        let mut found = (own << 1) & (own << 2) & (own << 3);
        for step in [self.step, self.step - 1, self.step + 1] {
            let pairs = own & (own << step);
            let (two_before, two_after) = (pairs << step, pairs >> (2 * step));
            found |= two_before & ((own << (3 * step)) | (own >> step));
            found |= two_after & ((own << step) | (own >> (3 * step)));
        }
        found & self.all & !stones
    }

    /// In each column the lowest cell of `set`, and all cells above it.
    #[inline(always)]
    pub fn lowest_and_above(&self, set: u64) -> u64 {
        // Column by column, without carries from one to the next: the guard lends a bit.
        let lowest = set & !((self.guard | set) - self.bottom);
        (self.guard - lowest) & self.all
    }

    /// Left and right exchanged; the bits above the cells too.
    #[inline(always)]
    pub fn mirror(&self, set: u64) -> u64 {
        let column = |number: u32| set >> (number * self.step) & ((1 << self.step) - 1);
        (0..self.columns).fold(0, |mirrored, number| {
            mirrored | column(number) << ((self.columns - 1 - number) * self.step)
        })
    }
}
