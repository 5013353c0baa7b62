//! The patterns of 3 x 3 points round a move that MoGo's playouts look for: drawn in
//! `docs/games/go.md`, published by Gelly, Wang, Munos and Teytaud in 2006.

use std::sync::LazyLock;

/// What is on the eight points around a point, two bits each: row by row from the lowest number. The
/// first bits: 0 empty, 1 Black, 2 White, 3 beyond the board.
pub const BEYOND: u16 = 3;

/// Which player's move a drawing shows.
#[derive(Clone, Copy, PartialEq)]
enum Mover {
    Both,
    X,
    O,
}

/// `X` and `O` are the two colours, either way; `x` is X or empty, `o` O or empty, `?` anything on the
/// board, `-` beyond it. Every drawing may be turned and mirrored.
struct Pattern {
    drawing: &'static str,
    /// Drawings, held in the same way, that must not match too.
    except: &'static [&'static str],
    mover: Mover,
}

const fn pattern(drawing: &'static str, mover: Mover) -> Pattern {
    Pattern { drawing, except: &[], mover }
}

const PATTERNS: [Pattern; 11] = [
    // Hane: round the head of an enemy stone.
    pattern("XOX .*. ???", Mover::Both),
    pattern("XO. .*. ?.?", Mover::Both),
    pattern("XO? X*. ?.?", Mover::Both),
    pattern("XOO .*. ?.?", Mover::X),
    // Cuts.
    Pattern { drawing: "XO? O*? ???", except: &["XO? O*O ?.?", "XO? O*. ?O?"], mover: Mover::Both },
    pattern("?X? O*O xxx", Mover::Both),
    // At the edge.
    pattern("X.? O*? ---", Mover::Both),
    pattern("?X? o*O ---", Mover::Both),
    pattern("?XO ?*? ---", Mover::X),
    pattern("?XO ?*o ---", Mover::O),
    pattern("?XO O*X ---", Mover::O),
];

/// For each player, which of the 65,536 codes match a pattern for a move of his.
pub struct Table([[u64; 1024]; 2]);

impl Table {
    #[inline(always)]
    pub fn matches(&self, code: u16, player: usize) -> bool {
        self.0[player][usize::from(code) / 64] >> (code % 64) & 1 == 1
    }

    fn new() -> Table {
        let mut table = Table([[0; 1024]; 2]);
        for Pattern { drawing, except, mover } in &PATTERNS {
            for symmetry in 0..8 {
                for x in 0..2 {
                    let allowed = allowed(drawing, symmetry, x);
                    let except: Vec<_> =
                        except.iter().map(|drawing| self::allowed(drawing, symmetry, x)).collect();
                    for code in codes(&allowed) {
                        if except.iter().any(|allowed| is_allowed(code, allowed)) {
                            continue;
                        }
                        for player in 0..2 {
                            if *mover == Mover::Both || (*mover == Mover::X) == (player == x) {
                                table.0[player][usize::from(code) / 64] |= 1 << (code % 64);
                            }
                        }
                    }
                }
            }
        }
        table
    }
}

/// The table, made once.
pub static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| Box::new(Table::new()));

/// What a drawing allows on each of the eight points, turned or mirrored, X being player `x`.
fn allowed(drawing: &str, symmetry: u32, x: usize) -> [Vec<u16>; 8] {
    let rows: Vec<&[u8]> = drawing.split(' ').map(str::as_bytes).collect();
    let (own, other) = (1 + x as u16, 2 - x as u16);
    let at = |point: usize| {
        let (mut row, mut column) = (point / 3, point % 3);
        if symmetry & 1 != 0 {
            row = 2 - row;
        }
        if symmetry & 2 != 0 {
            column = 2 - column;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        match rows[row][column] {
            b'X' => vec![own],
            b'O' => vec![other],
            b'.' => vec![0],
            b'x' => vec![0, own],
            b'o' => vec![0, other],
            b'?' => vec![0, 1, 2],
            b'-' => vec![BEYOND],
            mark => unreachable!("no pattern has a {}", char::from(mark)),
        }
    };
    std::array::from_fn(|place| at(if place < 4 { place } else { place + 1 }))
}

/// All codes of these contents.
fn codes(allowed: &[Vec<u16>; 8]) -> Vec<u16> {
    let mut codes = vec![0];
    for (place, allowed) in allowed.iter().enumerate() {
        let with = |code: u16| allowed.iter().map(move |content| code | content << (2 * place));
        codes = codes.into_iter().flat_map(with).collect();
    }
    codes
}

fn is_allowed(code: u16, allowed: &[Vec<u16>; 8]) -> bool {
    allowed.iter().enumerate().all(|(place, allowed)| allowed.contains(&(code >> (2 * place) & 3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turned, mirrored and in the other colours the same codes match.
    #[test]
    fn patterns_are_symmetric() {
        let mut matching = [0, 0];
        for code in 0..=u16::MAX {
            let content = |place: usize| code >> (2 * place) & 3;
            let swapped = (0..8).fold(0, |all, place| {
                all | [0, 2, 1, 3][usize::from(content(place))] << (2 * place)
            });
            // Places are 0 1 2 / 3 4 / 5 6 7: mirrored left to right, then along the diagonal.
            let mirrored = [2, 1, 0, 4, 3, 7, 6, 5];
            let turned = [0, 3, 5, 1, 6, 2, 4, 7];
            let moved = |places: [usize; 8]| {
                (0..8).fold(0, |all, place| all | content(places[place]) << (2 * place))
            };
            for (player, matching) in matching.iter_mut().enumerate() {
                let matches = TABLE.matches(code, player);
                *matching += usize::from(matches);
                assert_eq!(matches, TABLE.matches(swapped, 1 - player));
                assert_eq!(matches, TABLE.matches(moved(mirrored), player));
                assert_eq!(matches, TABLE.matches(moved(turned), player));
            }
        }
        assert_eq!(matching[0], matching[1]);
        assert!(!TABLE.matches(0, 0));
    }
}
