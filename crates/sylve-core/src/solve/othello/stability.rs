//! Discs that no continuation of the game can turn.
//!
//! A disc is turned along one of four lines: its row, its column, its two diagonals. It is safe along
//! a line that is full, along one that ends at its own cell, and behind a safe disc of its own
//! colour. On an edge, where only the edge itself counts, every way to fill it has been tried.
//! What is found is stable; not all that is stable is found.

use crate::games::othello::Othello;
use std::sync::LazyLock;

/// For every edge, read as a number in base 3 (0 empty, 1 own, 2 other): the own discs on it that are
/// never turned along it. One table for each size of board.
static EDGES: [LazyLock<Vec<u8>>; 3] = [
    LazyLock::new(|| stable_edges(4)),
    LazyLock::new(|| stable_edges(6)),
    LazyLock::new(|| stable_edges(8)),
];

/// For a set of cells of an edge, the number in base 3 with these digits.
const BASE_3: [u16; 256] = {
    let mut numbers = [0; 256];
    let (mut set, mut power, mut bit) = (1, 1, 1);
    while set < 256 {
        if set == 2 * bit {
            bit = set;
            power *= 3;
        }
        numbers[set] = power + numbers[set - bit];
        set += 1;
    }
    numbers
};

/// [`EDGES`] for one size, from full edges to empty ones.
fn stable_edges(size: usize) -> Vec<u8> {
    let mut table = vec![0; 3usize.pow(size as u32)];
    let full = (1usize << size) - 1;
    for empties in 0..=size as u32 {
        for own in 0..=full {
            for other in (0..=full).filter(|other| own & other == 0) {
                let empty = full & !(own | other);
                if empty.count_ones() != empties {
                    continue;
                }
                // Either side may be able to put a disc on any empty cell, because of other lines.
                let mut stable = own as u8;
                for cell in (0..size).filter(|cell| empty >> cell & 1 == 1) {
                    let turned = turned_on_edge(own, other, cell, size);
                    let (own_next, other_next) = (own | turned | 1 << cell, other & !turned);
                    stable &= table[edge_index(own_next, other_next)];
                    let turned = turned_on_edge(other, own, cell, size);
                    let (own_next, other_next) = (own & !turned, other | turned | 1 << cell);
                    stable &= table[edge_index(own_next, other_next)];
                }
                table[edge_index(own, other)] = stable;
            }
        }
    }
    table
}

#[inline(always)]
fn edge_index(own: usize, other: usize) -> usize {
    usize::from(BASE_3[own]) + 2 * usize::from(BASE_3[other])
}

/// The discs of `other` that a disc on `cell` turns, on one line of `size` cells.
fn turned_on_edge(own: usize, other: usize, cell: usize, size: usize) -> usize {
    let until = |cells: &mut dyn Iterator<Item = usize>| {
        let mut line = 0;
        for cell in cells {
            if own >> cell & 1 == 1 {
                return line;
            }
            if other >> cell & 1 == 0 {
                break;
            }
            line |= 1 << cell;
        }
        0
    };
    until(&mut (cell + 1..size)) | until(&mut (0..cell).rev())
}

impl<const SIZE: usize> Othello<SIZE> {
    pub(super) const ROW: u64 = (1 << SIZE) - 1;

    /// The leftmost column.
    pub(super) const LEFT: u64 = Self::FULL / Self::ROW;

    pub(super) const RIGHT: u64 = Self::LEFT << (SIZE - 1);

    /// The first and last cells of the lines in the order of `SHIFTS`: rows, diagonals that fall to
    /// the left, columns, diagonals that fall to the right.
    const LINE_ENDS: [u64; 4] = {
        let sides = Self::LEFT | Self::RIGHT;
        let ends = Self::ROW | Self::ROW << (SIZE * (SIZE - 1));
        [sides, sides | ends, ends, sides | ends]
    };

    /// The cells that a shift towards higher cells may reach, along each lane.
    const ENTERED_UP: [u64; 4] =
        [Self::FULL & !Self::LEFT, Self::FULL & !Self::RIGHT, Self::FULL, Self::FULL & !Self::LEFT];

    /// The same towards lower cells.
    const ENTERED_DOWN: [u64; 4] = [
        Self::FULL & !Self::RIGHT,
        Self::FULL & !Self::LEFT,
        Self::FULL,
        Self::FULL & !Self::RIGHT,
    ];

    /// One bit every SIZE - 1 cells: a product with it takes a column to a row, or a row to a column.
    const TRANSPOSE: u64 = {
        let (mut bits, mut i) = (0, 0);
        while i < SIZE {
            bits |= 1 << ((SIZE - 1) * i);
            i += 1;
        }
        bits
    };

    /// The cells of the leftmost column of `set`, as a row.
    #[inline(always)]
    pub(super) fn left_column(set: u64) -> usize {
        // The bit of row i lies at i * SIZE; times 2^((SIZE - 1) * (SIZE - 1 - i)) it comes to
        // (SIZE - 1)^2 + i. No two products of a cell and a factor meet in one place.
        let product = (set & Self::LEFT).wrapping_mul(Self::TRANSPOSE);
        (product >> ((SIZE - 1) * (SIZE - 1)) & Self::ROW) as usize
    }

    /// The leftmost column with the cells of the row `set`.
    #[inline(always)]
    fn as_left_column(set: u64) -> u64 {
        // Bit i times 2^((SIZE - 1) * i) comes to i * SIZE. The last one would meet the first on
        // the way, so it goes alone.
        let last = set >> (SIZE - 1);
        let others = set ^ last << (SIZE - 1);
        (others.wrapping_mul(Self::TRANSPOSE) & Self::LEFT) | last << (SIZE * (SIZE - 1))
    }

    /// The discs of `own` on the four edges that are never turned, whatever is played: exact as far
    /// as the edge alone tells.
    #[inline(always)]
    pub fn stable_on_edges(own: u64, other: u64) -> u64 {
        let edges: &[u8] = &EDGES[SIZE / 2 - 2];
        let row = |shift: usize| {
            let edge = |set: u64| (set >> shift & Self::ROW) as usize;
            u64::from(edges[edge_index(edge(own), edge(other))]) << shift
        };
        let column = |shift: usize| {
            let edge = |set: u64| Self::left_column(set >> shift);
            Self::as_left_column(u64::from(edges[edge_index(edge(own), edge(other))])) << shift
        };
        row(0) | row(SIZE * (SIZE - 1)) | column(0) | column(SIZE - 1)
    }

    /// For each lane, the cells whose line has no empty cell.
    #[inline(always)]
    fn full_lines(empty: u64) -> [u64; 4] {
        let mut full = [0; 4];
        for (lane, full) in full.iter_mut().enumerate() {
            let shift = Self::SHIFTS[lane];
            let (enter_up, enter_down) = (Self::ENTERED_UP[lane], Self::ENTERED_DOWN[lane]);
            let (mut up, mut down) = (empty, empty);
            let (mut pass_up, mut pass_down) = (enter_up, enter_down);
            for step in [shift, 2 * shift, 4 * shift] {
                up |= pass_up & (up << step);
                pass_up &= pass_up << step;
                down |= pass_down & (down >> step);
                pass_down &= pass_down >> step;
            }
            *full = !(up | down);
        }
        full
    }

    /// Discs of `own` that are never turned, whatever is played.
    #[inline(always)]
    pub fn stable(own: u64, other: u64) -> u64 {
        let mut safe = Self::full_lines(Self::FULL & !(own | other));
        let mut stable = own;
        for (safe, ends) in safe.iter_mut().zip(Self::LINE_ENDS) {
            *safe |= ends;
            stable &= *safe;
        }
        stable |= Self::stable_on_edges(own, other);
        loop {
            // A shift over the left or right edge is harmless: where it arrives, the line ends.
            let mut more = own;
            for (safe, shift) in safe.iter().zip(Self::SHIFTS) {
                more &= safe | stable << shift | stable >> shift;
            }
            if more & !stable == 0 {
                return stable;
            }
            stable |= more;
        }
    }
}

/// [`Othello::stable`] for a board of this size.
#[inline(always)]
pub fn stable<const SIZE: usize>(own: u64, other: u64) -> u64 {
    Othello::<SIZE>::stable(own, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Move};
    use crate::rng::Rng;

    /// The cells of a drawing, from the top left.
    fn cells(drawing: &str, disc: char) -> u64 {
        let cells = drawing.chars().filter(|c| !c.is_whitespace());
        cells.enumerate().fold(0, |set, (cell, c)| set | u64::from(c == disc) << cell)
    }

    /// Whether a disc of `own` on `cell` of an edge survives every way to fill the edge.
    fn survives(own: usize, other: usize, cell: usize, size: usize) -> bool {
        if own >> cell & 1 == 0 {
            return false;
        }
        (0..size).filter(|at| (own | other) >> at & 1 == 0).all(|at| {
            let turned = turned_on_edge(own, other, at, size);
            let back = turned_on_edge(other, own, at, size);
            survives(own | turned | 1 << at, other & !turned, cell, size)
                && survives(own & !back, other | back | 1 << at, cell, size)
        })
    }

    #[test]
    fn edges_are_exact() {
        for (size, table) in [4, 6].into_iter().zip(&EDGES) {
            for own in 0..1 << size {
                for other in (0..1 << size).filter(|other| own & other == 0) {
                    let found = table[edge_index(own, other)];
                    for cell in 0..size {
                        let expected = survives(own, other, cell, size);
                        assert_eq!(found >> cell & 1 == 1, expected, "{own:b} {other:b} {cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn edges_of_eight_cells() {
        let stable = |drawing: &str| {
            let (own, other) = (cells(drawing, 'x') as usize, cells(drawing, 'o') as usize);
            u64::from(EDGES[2][edge_index(own, other)])
        };
        assert_eq!(stable("x......."), cells("x.......", 'x'));
        assert_eq!(stable(".xxxxxx."), 0);
        assert_eq!(stable("xxxo...."), cells("xxx.....", 'x'));
        assert_eq!(stable("ooooxxox"), cells("....xx.x", 'x'));
        // Neither side can reach both ends of a full block: the own discs inside are safe.
        assert_eq!(stable(".xxxxxxx"), cells(".xxxxxxx", 'x'));
        assert_eq!(stable("oxxx..xo"), 0);
    }

    #[test]
    fn known_boards() {
        let corner = "xxxo.... xxx..... xx...... x....... o....... ........ ........ ........";
        let (own, other) = (cells(corner, 'x'), cells(corner, 'o'));
        assert_eq!(stable::<8>(own, other), own);
        assert_eq!(stable::<8>(other, own), 0);
        // d4 lies on four full lines.
        let crossing = "x..x..x. .o.o.o.. ..ooo... xooxoooo ..ooo... .o.o.o.. x..x..o. ...x...o";
        let (own, other) = (cells(crossing, 'x'), cells(crossing, 'o'));
        let found = stable::<8>(own, other);
        assert_eq!(found & cells("........ ........ ........ ...x....", 'x'), 1 << 27);
        // The corner, and nothing else, on smaller boards.
        let small = "xo.. .xo. .ox. ....";
        assert_eq!(stable::<4>(cells(small, 'x'), cells(small, 'o')), 1);
        let full = "xoxo oxox xoxo oxox";
        assert_eq!(stable::<4>(cells(full, 'x'), cells(full, 'o')), cells(full, 'x'));
    }

    /// In random games no disc that was called stable is ever turned. The number found guards
    /// against a function that finds none.
    fn count_in_random_games<const SIZE: usize>(games: u64) -> u32 {
        let (game, mut count) = (Othello::<SIZE>, 0);
        for index in 0..games {
            let mut rng = Rng::stream(5, index);
            let mut state = game.start();
            let mut moves: Vec<Move> = Vec::new();
            let mut kept = [0; 2];
            loop {
                let (own, other) = state.sides();
                let turn = game.turn(&state).index();
                for (side, discs) in [(turn, own), (1 - turn, other)] {
                    assert_eq!(kept[side] & !discs, 0, "{state:?}");
                }
                kept[turn] |= stable::<SIZE>(own, other);
                kept[1 - turn] |= stable::<SIZE>(other, own);
                count += (kept[0] | kept[1]).count_ones();
                game.moves(&state, &mut moves);
                if moves.is_empty() {
                    break;
                }
                game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        count
    }

    #[test]
    fn stable_discs_are_never_turned() {
        assert!(count_in_random_games::<4>(2000) > 0);
        assert!(count_in_random_games::<6>(2000) > 0);
        assert!(count_in_random_games::<8>(2000) > 0);
    }
}
