//! The complete table of the quiet positions of a small board: one bit each, who wins.
//!
//! A position is *quiet* if no pawn of either side stands on its second-last row. Other positions need no
//! table: such a pawn wins unless it is captured at once, and then the position is quiet again.
//! Seen by the side to move, who goes up, the two lowest rows then hold own pawns only, the two
//! highest enemy pawns only, and the rows between them both. Numbered in that way, with `w` columns:
//!
//! index = ((middle * 4^w) + theirs) * 4^w + ours
//!
//! where bit i of `ours` is cell i of the lowest two rows, bit i of `theirs` is cell i of the highest two rows,
//! from their lower left corner, and `middle` is a number in base three whose digit i is 0 for an empty cell i
//! of the rows between, 1 for an own pawn, 2 for an enemy. `docs/solving.md` describes the file.
//!
//! Every move brings a pawn nearer to its far row. So positions are done in the order of the steps that
//! all pawns together have to go; those of one sum do not depend on each other, and threads share them.

use super::board::{Board, Pawns};
use crate::cpu::{self, Cpu, Work};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Boards with larger tables are refused: 2 GB.
const MOST_BITS: u64 = 1 << 34;

/// How the quiet positions of a board are numbered.
pub struct Layout {
    board: Board,
    /// Cells of the two rows that only one side can stand on.
    home: usize,
    /// For a set of cells of the middle, the number that its pawns contribute: 3^i for cell i.
    middle_number: Vec<u32>,
    /// The same for the set after half a turn.
    middle_turned: Vec<u32>,
    /// A set of home cells after half a turn.
    home_turned: Vec<u32>,
}

impl Layout {
    /// `None` if the table would be too large.
    pub fn new(columns: usize, rows: usize) -> Option<Layout> {
        let board = Board::new(columns, rows);
        let (home, middle) = (2 * columns, columns * (rows - 4));
        let bits = 3u64.checked_pow(middle as u32)?.checked_mul(1 << (2 * home))?;
        if bits > MOST_BITS {
            return None;
        }
        let number = |set: u32| (0..middle as u32).map(|i| (set >> i & 1) * 3u32.pow(i)).sum();
        let turned = |set: u32, cells: usize| {
            if cells == 0 { 0 } else { set.reverse_bits() >> (32 - cells) }
        };
        Some(Layout {
            board,
            home,
            middle_number: (0..1 << middle).map(number).collect(),
            middle_turned: (0..1 << middle).map(|set| number(turned(set, middle))).collect(),
            home_turned: (0..1 << home).map(|set| turned(set, home)).collect(),
        })
    }

    /// The number of bits of the table. Some stand for no position: sides with no pawn, or with too many.
    pub fn bits(&self) -> u64 {
        let middle = self.board.columns * (self.board.rows - 4);
        3u64.pow(middle as u32) << (2 * self.home)
    }

    /// The parts of a quiet position: own home rows, enemy home rows, own and enemy pawns between.
    #[inline(always)]
    fn parts(&self, pawns: Pawns) -> [usize; 4] {
        let home = (1u64 << self.home) - 1;
        let top = self.board.cells() - self.home;
        let middle = (1u64 << (top - self.home)) - 1;
        let between = |set: u64| (set >> self.home & middle) as usize;
        [
            (pawns.own & home) as usize,
            (pawns.other >> top & home) as usize,
            between(pawns.own),
            between(pawns.other),
        ]
    }

    /// The number of a quiet position.
    #[inline(always)]
    pub fn index(&self, pawns: Pawns) -> u64 {
        let [ours, theirs, own, other] = self.parts(pawns);
        let middle = self.middle_number[own] + 2 * self.middle_number[other];
        (u64::from(middle) << self.home | theirs as u64) << self.home | ours as u64
    }

    /// The number of a quiet position after half a turn, the sides exchanged: the other side to move.
    #[inline(always)]
    fn index_of_other(&self, pawns: Pawns) -> u64 {
        let [ours, theirs, own, other] = self.parts(pawns);
        let middle = self.middle_turned[other] + 2 * self.middle_turned[own];
        (u64::from(middle) << self.home | u64::from(self.home_turned[ours])) << self.home
            | u64::from(self.home_turned[theirs])
    }

    /// Whether no pawn of either side stands on its second-last row, or beyond.
    pub fn is_quiet(&self, pawns: Pawns) -> bool {
        let rows = self.board.rows;
        pawns.own >> ((rows - 2) * self.board.columns) == 0
            && pawns.other & (self.board.row(0) | self.board.row(1)) == 0
    }

    /// Whether the side to move wins a quiet position; `won` knows all that can come of it.
    #[inline(always)]
    fn wins(&self, pawns: Pawns, won: impl Fn(u64) -> bool) -> bool {
        let board = &self.board;
        let second_last = board.row(board.rows - 2);
        board.any_move(pawns, |from, to| {
            let after = Pawns { own: pawns.own ^ (from | to), other: pawns.other & !to };
            if after.other == 0 {
                true
            } else if to & second_last == 0 {
                !won(self.index_of_other(after))
            } else {
                // The enemy must capture it, with one of two pawns at most; we are to move again.
                let [right, left] = board.diagonals_up(to);
                let own = after.own ^ to;
                let survives = |capturer: u64| {
                    capturer & after.other == 0
                        || own != 0
                            && won(self.index(Pawns { own, other: after.other ^ (capturer | to) }))
                };
                survives(right) && survives(left)
            }
        })
    }
}

/// The table: who wins each quiet position.
pub struct Table {
    /// Bit i of word i / 64: the side to move wins position i.
    pub words: Vec<u64>,
    /// Quiet positions with one to two rows of pawns a side.
    pub positions: u64,
    /// Those of them that the side to move wins.
    pub wins: u64,
}

/// The sets of home cells by the steps that their pawns have to go.
fn by_steps(sets: usize, steps: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for set in 0..sets {
        let steps = steps(set);
        groups.resize_with(groups.len().max(steps + 1), Vec::new);
        groups[steps].push(set);
    }
    groups
}

/// The rows that the pawns of a set have to go up, the lowest cell having number `base`.
fn steps_up(board: &Board, set: usize, base: usize) -> usize {
    let cells = (0..board.cells()).filter(|cell| set >> cell & 1 == 1);
    cells.map(|cell| board.rows - 1 - (cell + base) / board.columns).sum()
}

/// Builds the table with so many threads; `None` if stopped. `progress` is told the share done, of 1000.
pub fn build(
    layout: &Layout,
    threads: usize,
    stop: &AtomicBool,
    progress: &AtomicUsize,
) -> Option<Table> {
    let board = &layout.board;
    let words: Vec<AtomicU64> =
        (0..layout.bits().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let (positions, wins) = (AtomicU64::new(0), AtomicU64::new(0));
    let home = 1 << layout.home;
    let ours = by_steps(home, |set| steps_up(board, set, 0));
    // Enemy pawns have as far to go as ours would after half a turn.
    let theirs = by_steps(home, |set| steps_up(board, layout.home_turned[set] as usize, 0));
    // The middle: disjoint sets of own and enemy pawns, with their steps.
    let sets = layout.middle_number.len();
    let turned = |set: usize| set.reverse_bits() >> (usize::BITS - sets.trailing_zeros()).min(63);
    let mut middles = Vec::new();
    for own in 0..sets {
        for other in (0..sets).filter(|other| other & own == 0) {
            let other_up = if sets == 1 { 0 } else { turned(other) };
            let steps = steps_up(board, own, layout.home) + steps_up(board, other_up, layout.home);
            middles.push((own, other, steps));
        }
    }
    let most = middles.iter().map(|&(_, _, steps)| steps).max().unwrap_or(0);
    let layers = ours.len() + theirs.len() + most;
    for layer in 0..layers {
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut seen, mut won) = (0, 0);
            while let Some(&(own, other, steps)) = middles.get(next.fetch_add(1, Relaxed)) {
                if stop.load(Relaxed) || steps > layer {
                    continue;
                }
                for (our_steps, ours) in ours.iter().enumerate().take(layer - steps + 1) {
                    let Some(theirs) = theirs.get(layer - steps - our_steps) else { continue };
                    let words = &words;
                    let done = cpu::run(Fill { layout, words, own, other, ours, theirs });
                    (seen, won) = (seen + done.0, won + done.1);
                }
            }
            positions.fetch_add(seen, Relaxed);
            wins.fetch_add(won, Relaxed);
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        if stop.load(Relaxed) {
            return None;
        }
        progress.store(1000 * (layer + 1) / layers, Relaxed);
    }
    let words = words.into_iter().map(AtomicU64::into_inner).collect();
    Some(Table { words, positions: positions.into_inner(), wins: wins.into_inner() })
}

/// Decides the positions of these parts; how many there are, and how many are won.
struct Fill<'a> {
    layout: &'a Layout,
    words: &'a [AtomicU64],
    own: usize,
    other: usize,
    ours: &'a [usize],
    theirs: &'a [usize],
}

impl Work for Fill<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run<C: Cpu>(self) -> (u64, u64) {
        let Fill { layout, words, own, other, ours, theirs } = self;
        let most = layout.home as u32; // pawns a side: two rows of them
        let top = layout.board.cells() - layout.home;
        let is_won =
            |index: u64| words[(index / 64) as usize].load(Relaxed) >> (index % 64) & 1 == 1;
        let (mut seen, mut won) = (0, 0);
        for &theirs in theirs {
            let enemies = (theirs as u64) << top | (other as u64) << layout.home;
            if enemies == 0 || enemies.count_ones() > most {
                continue;
            }
            for &ours in ours {
                let own = ours as u64 | (own as u64) << layout.home;
                if own == 0 || own.count_ones() > most {
                    continue;
                }
                let pawns = Pawns { own, other: enemies };
                seen += 1;
                if layout.wins(pawns, is_won) {
                    won += 1;
                    let index = layout.index(pawns);
                    words[(index / 64) as usize].fetch_or(1 << (index % 64), Relaxed);
                }
            }
        }
        (seen, won)
    }
}
