//! Where a disc may be put and what it turns: all lines of the board at once, without a branch.

use super::board::Othello;

/// One set of cells for each of four directions: a row, a column and the two diagonals.
///
/// Loops over the four lanes have no branch and constant shifts, so that the compiler turns each
/// into a few instructions on one register where the processor has registers of 256 bits.
type Lanes = [u64; 4];

/// The discs that a move may turn: those of the other side in an unbroken row behind a disc of the
/// side to move, seen along each lane towards higher cells (`up`) and towards lower ones (`down`).
#[derive(Clone, Copy)]
pub(super) struct Chains {
    up: Lanes,
    down: Lanes,
}

impl<const SIZE: usize> Othello<SIZE> {
    /// From a cell to its neighbour on the right, below left, below, below right.
    pub(crate) const SHIFTS: [u32; 4] = [1, SIZE as u32 - 1, SIZE as u32, SIZE as u32 + 1];

    /// Where discs can be turned along each lane. The left and right edges are left out, except
    /// along columns: nothing lies behind them, and a shift would go on in another row.
    const INNER: Lanes = {
        let (mut left, mut row) = (0, 0);
        while row < SIZE {
            left |= 1 << (row * SIZE);
            row += 1;
        }
        let inner = Self::FULL & !left & !(left << (SIZE - 1));
        [inner, inner, Self::FULL, inner]
    };

    /// The cells that lie beyond each cell, along each lane: towards higher cells, towards lower.
    const RAYS: &'static [[Lanes; 2]; 64] = &Self::rays();

    const fn rays() -> [[Lanes; 2]; 64] {
        // Steps to the right and down, in the order of SHIFTS.
        let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        let mut rays = [[[0; 4]; 2]; 64];
        let mut index = 0;
        while index < Self::CELLS * 8 {
            let (cell, side, lane) = (index / 8, index / 4 % 2, index % 4);
            let sign = 1 - 2 * side as isize;
            let (right, down) = (sign * steps[lane].0, sign * steps[lane].1);
            let (mut column, mut row) = ((cell % SIZE) as isize, (cell / SIZE) as isize);
            loop {
                column += right;
                row += down;
                let size = SIZE as isize;
                if column < 0 || column >= size || row < 0 || row >= size {
                    break;
                }
                rays[cell][side][lane] |= 1 << (row * size + column);
            }
            index += 1;
        }
        rays
    }

    /// All chains at once, by steps that reach 1 disc, 2, 4, then 6: behind a longer one there is
    /// no cell left.
    ///
    /// Two loops, because together the compiler orders their lanes differently and pays for it.
    #[inline(always)]
    pub(super) fn chains(own: u64, other: u64) -> Chains {
        let mut chains = Chains { up: [0; 4], down: [0; 4] };
        for lane in 0..4 {
            let (shift, discs) = (Self::SHIFTS[lane], other & Self::INNER[lane]);
            let pairs = discs & (discs << shift);
            let mut up = discs & (own << shift);
            up |= discs & (up << shift);
            up |= pairs & (up << (2 * shift));
            up |= pairs & (up << (2 * shift));
            chains.up[lane] = up;
        }
        for lane in 0..4 {
            let (shift, discs) = (Self::SHIFTS[lane], other & Self::INNER[lane]);
            let pairs = discs & (discs >> shift);
            let mut down = discs & (own >> shift);
            down |= discs & (down >> shift);
            down |= pairs & (down >> (2 * shift));
            down |= pairs & (down >> (2 * shift));
            chains.down[lane] = down;
        }
        chains
    }

    /// The empty cells at the end of a chain: the moves that are not passes.
    #[inline(always)]
    pub(super) fn ends(chains: &Chains, empty: u64) -> u64 {
        let mut ends = 0;
        for lane in 0..4 {
            let shift = Self::SHIFTS[lane];
            ends |= (chains.up[lane] << shift) | (chains.down[lane] >> shift);
        }
        empty & ends
    }

    /// The discs at the other end of each chain: those beside the empty cells.
    #[inline(always)]
    pub(super) fn beside_ends(chains: &Chains, empty: u64) -> u64 {
        let mut beside = 0;
        for lane in 0..4 {
            let shift = Self::SHIFTS[lane];
            beside |= (chains.up[lane] & empty >> shift) | (chains.down[lane] & empty << shift);
        }
        beside
    }

    /// The cells where the side to move can put a disc.
    #[inline(always)]
    pub(crate) fn places(own: u64, other: u64) -> u64 {
        Self::ends(&Self::chains(own, other), Self::FULL & !(own | other))
    }

    /// The discs that a disc on `cell` turns: in each direction those up to the first cell that is
    /// in no chain. A chain that begins beside `cell` has an own disc at its other end.
    #[inline(always)]
    pub(super) fn turned(chains: &Chains, cell: usize) -> u64 {
        let [higher, lower] = &Self::RAYS[cell];
        let mut turned = 0;
        for lane in 0..4 {
            let shift = Self::SHIFTS[lane];
            let stops = higher[lane] & !chains.down[lane];
            // Below the lowest stop.
            turned |= higher[lane] & !stops & stops.wrapping_sub(1);
            let mut stops = lower[lane] & !chains.up[lane];
            // Above the highest: not a stop, and none of what lies behind one.
            stops |= stops >> shift;
            stops |= stops >> (2 * shift);
            stops |= stops >> (4 * shift);
            turned |= lower[lane] & !stops;
        }
        turned
    }

    /// [`Othello::turned`] for one cell alone, without the chains of the others.
    #[inline(always)]
    pub(crate) fn turned_by(own: u64, other: u64, cell: usize) -> u64 {
        let [higher, lower] = &Self::RAYS[cell];
        let mut turned = 0;
        for ray in higher {
            // Adding one carries through the discs of the other side to the first cell that is not.
            let end = (other | !ray).wrapping_add(1) & ray & own;
            turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for ray in lower {
            // The highest cell that is not of the other side. If there is none, cell 63, which is
            // on no such ray and is shifted out.
            let end = (1 << 63 >> ((ray & !other).leading_zeros() & 63)) & own;
            turned |= (end << 1).wrapping_neg() & ray;
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The discs that a disc on `cell` turns, by walking from cell to cell.
    fn walked<const SIZE: usize>(own: u64, other: u64, cell: usize) -> u64 {
        let mut turned = 0;
        for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
        {
            let (mut column, mut row, mut line) = (cell % SIZE, cell / SIZE, 0);
            loop {
                column = column.wrapping_add_signed(right);
                row = row.wrapping_add_signed(down);
                if column >= SIZE || row >= SIZE {
                    break; // also below 0, which wraps
                }
                let bit = 1 << (row * SIZE + column);
                if own & bit != 0 {
                    turned |= line;
                }
                if other & bit == 0 {
                    break;
                }
                line |= bit;
            }
        }
        turned
    }

    /// Boards with few and many discs, reachable or not.
    fn check_random_boards<const SIZE: usize>() {
        for seed in 0..3000 {
            let mut rng = Rng::stream(1, seed);
            let full = Othello::<SIZE>::FULL;
            let discs = full & (rng.next() | if seed % 3 == 0 { 0 } else { rng.next() });
            let own = discs & rng.next() & if seed % 2 == 0 { rng.next() } else { full };
            let other = discs & !own;
            let chains = Othello::<SIZE>::chains(own, other);
            let mut places = 0;
            for cell in (0..SIZE * SIZE).filter(|cell| discs >> cell & 1 == 0) {
                let expected = walked::<SIZE>(own, other, cell);
                places |= u64::from(expected != 0) << cell;
                assert_eq!(Othello::<SIZE>::turned(&chains, cell), expected, "{own:x} {other:x}");
                let turned = Othello::<SIZE>::turned_by(own, other, cell);
                assert_eq!(turned, expected, "{own:x} {other:x}");
            }
            assert_eq!(Othello::<SIZE>::places(own, other), places, "{own:x} {other:x}");
        }
    }

    #[test]
    fn moves_and_turned_discs_are_those_found_by_walking() {
        check_random_boards::<4>();
        check_random_boards::<6>();
        check_random_boards::<8>();
    }
}
