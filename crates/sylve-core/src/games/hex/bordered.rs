//! A board with a border, on which the neighbours of a cell are found by adding.

use crate::game::Player;

/// Where the cells stand on a board with a border of one cell.
#[derive(Clone, Debug)]
pub(super) struct Bordered {
    /// From a cell to its six neighbours, in a circle.
    steps: [usize; 6],
    /// The place of each cell.
    pub(super) places: Vec<u16>,
    /// The cell of each place.
    cells: Vec<u16>,
    /// Of an empty board.
    pub(super) contents: Vec<u8>,
}

/// What stands on an empty cell.
pub(super) const EMPTY: u8 = 0;
/// By player.
pub(super) const STONE: [u8; 2] = [1, 2];
/// The largest board with its border.
pub(super) const MOST_PLACES: usize = 21 * 21;

impl Bordered {
    pub(super) fn new(size: usize) -> Bordered {
        let width = size + 2;
        let places: Vec<u16> = (0..size * size)
            .map(|cell| ((cell / size + 1) * width + cell % size + 1) as u16)
            .collect();
        let mut cells = vec![0; width * width];
        // Left and right are the second player's; at a corner it does not matter whose it is.
        let mut contents: Vec<u8> = (0..width * width)
            .map(|place| STONE[usize::from((1..=size).contains(&(place / width)))])
            .collect();
        for (cell, &place) in places.iter().enumerate() {
            cells[usize::from(place)] = cell as u16;
            contents[usize::from(place)] = EMPTY;
        }
        // Right, below, below left, left, above, above right; the last two and the one before them as
        // steps down, modulo the words' size.
        let steps = [
            1,
            width,
            width - 1,
            1usize.wrapping_neg(),
            width.wrapping_neg(),
            (width - 1).wrapping_neg(),
        ];
        Bordered { steps, places, cells, contents }
    }

    /// Which neighbours of the place of the last stone save a bridge of `player`: bit i for step i.
    #[inline(always)]
    pub(super) fn saving(&self, contents: &[u8], place: usize, player: Player) -> u32 {
        let (mut own, mut empty) = (0, 0);
        for (i, step) in self.steps.into_iter().enumerate() {
            let content = contents[place.wrapping_add(step)];
            own |= u32::from(content == STONE[player.index()]) << i;
            empty |= u32::from(content == EMPTY) << i;
        }
        empty & (own << 1 | own >> 5) & (own >> 1 | own << 5)
    }

    /// The cell in the direction of the lowest bit.
    #[inline(always)]
    pub(super) fn cell(&self, place: usize, bits: u32) -> usize {
        let step = self.steps[bits.trailing_zeros() as usize];
        usize::from(self.cells[place.wrapping_add(step)])
    }
}
