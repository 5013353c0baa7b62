//! Sets of cells wider than a word, and the shape of the board: neighbours and floods.

use std::ops::{BitAnd, BitOr, Not};

/// A set of cells: cell `i` is bit `i % 64` of word `i / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// No cell.
    pub const NONE: Bits<WORDS> = Bits([0; WORDS]);

    #[inline(always)]
    pub fn one(cell: usize) -> Bits<WORDS> {
        let mut set = Bits::NONE;
        set.insert(cell);
        set
    }

    #[inline(always)]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline(always)]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    #[inline(always)]
    pub fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self == Bits::NONE
    }

    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.into_iter().map(u64::count_ones).sum()
    }

    /// The lowest cell of a set that is not empty.
    #[inline(always)]
    pub fn lowest(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).expect("the set is not empty");
        64 * word + self.0[word].trailing_zeros() as usize
    }

    /// The cells, increasing.
    #[inline(always)]
    pub fn cells(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let low = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    64 * index + low
                })
            })
        })
    }

    /// Every cell moved up by `by`, which is from 1 to 63.
    #[inline(always)]
    fn up(self, by: usize) -> Bits<WORDS> {
        let mut moved = Bits::NONE;
        for i in 0..WORDS {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            moved.0[i] = self.0[i] << by | carried;
        }
        moved
    }

    /// Every cell moved down by `by`, which is from 1 to 63.
    #[inline(always)]
    fn down(self, by: usize) -> Bits<WORDS> {
        let mut moved = Bits::NONE;
        for i in 0..WORDS {
            let carried = if i + 1 < WORDS { self.0[i + 1] << (64 - by) } else { 0 };
            moved.0[i] = self.0[i] >> by | carried;
        }
        moved
    }
}

impl<const WORDS: usize> BitAnd for Bits<WORDS> {
    type Output = Bits<WORDS>;
    #[inline(always)]
    fn bitand(self, other: Bits<WORDS>) -> Bits<WORDS> {
        Bits(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const WORDS: usize> BitOr for Bits<WORDS> {
    type Output = Bits<WORDS>;
    #[inline(always)]
    fn bitor(self, other: Bits<WORDS>) -> Bits<WORDS> {
        Bits(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const WORDS: usize> Not for Bits<WORDS> {
    type Output = Bits<WORDS>;
    #[inline(always)]
    fn not(self) -> Bits<WORDS> {
        Bits(self.0.map(|word| !word))
    }
}

/// A square board: which cells it has, and which are next to which.
#[derive(Clone, Copy, Debug)]
pub struct Shape<const WORDS: usize> {
    pub size: usize,
    /// Every cell.
    pub full: Bits<WORDS>,
    /// All but the first column: what a step to the right can reach.
    not_first: Bits<WORDS>,
    /// All but the last column: what a step to the left can reach.
    not_last: Bits<WORDS>,
}

impl<const WORDS: usize> Shape<WORDS> {
    pub fn new(size: usize) -> Shape<WORDS> {
        let (mut full, mut not_first, mut not_last) = (Bits::NONE, Bits::NONE, Bits::NONE);
        for cell in 0..size * size {
            full.insert(cell);
            if cell % size > 0 {
                not_first.insert(cell);
            }
            if cell % size < size - 1 {
                not_last.insert(cell);
            }
        }
        Shape { size, full, not_first, not_last }
    }

    #[inline(always)]
    fn columns_beside(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        set.up(1) & self.not_first | set.down(1) & self.not_last
    }

    #[inline(always)]
    fn rows_beside(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        (set.up(self.size) | set.down(self.size)) & self.full
    }

    /// The cells with a neighbour in `set`.
    #[inline(always)]
    pub fn near(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        self.columns_beside(set) | self.rows_beside(set)
    }

    /// The cells with a diagonal neighbour in `set`.
    #[inline(always)]
    pub fn diagonal(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        self.rows_beside(self.columns_beside(set))
    }

    /// What can be reached from `seed` through `within`, the seed included.
    #[inline(always)]
    pub fn flood(&self, seed: Bits<WORDS>, within: Bits<WORDS>) -> Bits<WORDS> {
        let mut reached = seed;
        loop {
            let next = reached | self.near(reached) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbours and diagonals by bits are those by rows and columns, on every size.
    #[test]
    fn near_and_diagonal_by_coordinates() {
        for size in 2..=19 {
            let shape = Shape::<6>::new(size);
            for cell in 0..size * size {
                let (mut near, mut diagonal) = (Bits::NONE, Bits::NONE);
                for other in 0..size * size {
                    let rows = (cell / size).abs_diff(other / size);
                    let columns = (cell % size).abs_diff(other % size);
                    if rows + columns == 1 {
                        near.insert(other);
                    } else if (rows, columns) == (1, 1) {
                        diagonal.insert(other);
                    }
                }
                assert_eq!(shape.near(Bits::one(cell)), near);
                assert_eq!(shape.diagonal(Bits::one(cell)), diagonal);
            }
            assert_eq!(
                shape.full.cells().collect::<Vec<_>>(),
                (0..size * size).collect::<Vec<_>>()
            );
            assert_eq!(shape.flood(Bits::one(0), shape.full), shape.full);
        }
    }
}
