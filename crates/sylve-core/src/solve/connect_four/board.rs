//! Sets of cells of a Connect Four board, and what can be seen in them at once.

/// A board of some size. Columns one after the other, `rows + 1` bits each, the top one unused: as in
/// [`crate::games::connect_four`].
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub columns: u32,
    pub rows: u32,
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
}

impl Board {
    pub fn new(columns: u32, rows: u32) -> Board {
        let step = rows + 1;
        let bottom = (0..columns).map(|column| 1u64 << (column * step)).sum::<u64>();
        let upper = (0..rows).rev().step_by(2).map(|row| bottom << row).sum();
        Board {
            columns,
            rows,
            step,
            bottom,
            guard: bottom << rows,
            all: bottom * ((1 << rows) - 1),
            upper,
        }
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
            let two_before = (own << step) & (own << (2 * step));
            let two_after = (own >> step) & (own >> (2 * step));
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

    /// Left and right exchanged.
    pub fn mirror(&self, set: u64) -> u64 {
        let column = |number: u32| set >> (number * self.step) & ((1 << self.step) - 1);
        (0..self.columns).fold(0, |mirrored, number| {
            mirrored | column(number) << ((self.columns - 1 - number) * self.step)
        })
    }
}
