//! Othello: `weights`, `composite`, `stability`, `composite_stability`, `positional` and `learned`.

use super::patterns::Patterns;
use super::{Evaluate, Terms, ratio};
use crate::games::othello::{Othello, State};
use std::sync::{Arc, OnceLock};

const WEIGHTS: usize = 1;
const COMPOSITE: usize = 2;
const STABILITY: usize = 3;
const COMPOSITE_STABILITY: usize = 4;
const LEARNED: usize = 5;

/// The weights of `learned`, once they are wanted: Python reads and checks their file.
static WEIGHTS_OF_LEARNED: OnceLock<Arc<Patterns>> = OnceLock::new();

/// The only board that has them.
const LEARNED_SIZE: usize = 8;

/// Gives `learned` its weights. An error says why not; the same program never changes them.
pub fn learn(patterns: Arc<Patterns>) -> Result<(), String> {
    if patterns.size() != LEARNED_SIZE {
        return Err(format!(
            "learned weights are for size {LEARNED_SIZE}, not {}",
            patterns.size()
        ));
    }
    WEIGHTS_OF_LEARNED.set(patterns).map_err(|_| "the learned weights are there already".into())
}

/// A quarter of the square table of Norvig's "Paradigms of Artificial Intelligence Programming"
/// (1992), chapter 18; the rest is its mirror image. Smaller boards leave out the inner lines.
const QUARTER: [[i32; 4]; 4] =
    [[120, -20, 20, 5], [-20, -40, -5, -5], [20, -5, 15, 3], [5, -5, 3, 3]];

/// The weights that occur in it.
const VALUES: [i32; 8] = [120, -20, 20, 5, -40, -5, 15, 3];

/// The terms of `composite_stability`; those of `composite` are the first three.
const COMPOSITE_TERMS: [&str; 4] = ["coin_parity", "mobility", "corners", "stability"];

/// The terms of `positional`.
const TERMS: [&str; 7] =
    ["coin_parity", "mobility", "frontier", "corners", "x_squares", "c_squares", "stability"];

/// Their weights, in hundredths, by the share of the cells that have a disc: one row for each sixth.
/// Fitted to the results of games that the program played against itself (`docs/evaluations.md`).
const PHASES: [[i32; 7]; 6] = [
    [0, 9, 11, 45, 42, 35, 180],
    [0, 9, 11, 45, 42, 35, 180],
    [0, 13, 11, 38, 37, 15, 105],
    [0, 13, 7, 26, 23, 6, 67],
    [3, 11, 1, 12, 11, 6, 56],
    [4, 5, 1, 4, 2, 3, 52],
];

impl<const SIZE: usize> Othello<SIZE> {
    /// The cells of each of [`VALUES`].
    const CELLS_OF_VALUE: [u64; 8] = {
        let mut sets = [0; 8];
        let mut index = 0;
        while index < SIZE * SIZE * 8 {
            let (cell, value) = (index / 8, index % 8);
            let (row, column) = (cell / SIZE, cell % SIZE);
            let row = if row < SIZE / 2 { row } else { SIZE - 1 - row };
            let column = if column < SIZE / 2 { column } else { SIZE - 1 - column };
            if QUARTER[row][column] == VALUES[value] {
                sets[value] |= 1 << cell;
            }
            index += 1;
        }
        sets
    };

    const CORNERS: u64 = {
        let last = SIZE * (SIZE - 1);
        1 | 1 << (SIZE - 1) | 1 << last | 1 << (last + SIZE - 1)
    };

    /// The cells diagonally beside a corner, and those straight beside one.
    const X_SQUARES: u64 = Self::CELLS_OF_VALUE[4];
    const C_SQUARES: u64 = Self::CELLS_OF_VALUE[1];

    /// The cells of a set and those around them.
    #[inline(always)]
    fn around(set: u64) -> u64 {
        let row = (1u64 << SIZE) - 1;
        let first = Self::FULL / row; // the leftmost column
        let (right, left) = (Self::FULL & !first, Self::FULL & !(first << (SIZE - 1)));
        let beside = set | (set << 1 & right) | (set >> 1 & left);
        (beside | beside << SIZE | beside >> SIZE) & Self::FULL
    }

    #[inline(always)]
    fn coin_parity(own: u64, other: u64) -> i32 {
        ratio(own.count_ones(), other.count_ones())
    }

    #[inline(always)]
    fn mobility(own: u64, other: u64) -> i32 {
        ratio(Self::places(own, other).count_ones(), Self::places(other, own).count_ones())
    }

    #[inline(always)]
    fn corners(own: u64, other: u64) -> i32 {
        ratio((own & Self::CORNERS).count_ones(), (other & Self::CORNERS).count_ones())
    }

    #[inline(always)]
    fn stable_discs(own: u64, other: u64) -> (u32, u32) {
        // Without a disc in a corner only crossings of four full lines are stable, and they take
        // more than two full lines of discs.
        let discs = own | other;
        if discs & Self::CORNERS == 0 && discs.count_ones() < 2 * SIZE as u32 {
            return (0, 0);
        }
        (Self::stable(own, other).count_ones(), Self::stable(other, own).count_ones())
    }

    #[inline(always)]
    fn weights(own: u64, other: u64) -> i32 {
        let sum = |(cells, value): (u64, i32)| {
            value * ((own & cells).count_ones() as i32 - (other & cells).count_ones() as i32)
        };
        1000 * Self::CELLS_OF_VALUE.into_iter().zip(VALUES).map(sum).sum::<i32>()
    }

    #[inline(always)]
    fn composite(own: u64, other: u64) -> [i32; 3] {
        [Self::coin_parity(own, other), Self::mobility(own, other), Self::corners(own, other)]
    }

    #[inline(always)]
    fn stability(own: u64, other: u64) -> i32 {
        let (stable, other_stable) = Self::stable_discs(own, other);
        ratio(stable, other_stable)
    }

    #[inline(always)]
    fn composite_stability(own: u64, other: u64) -> [i32; 4] {
        let [parity, mobility, corners] = Self::composite(own, other);
        [parity, mobility, corners, Self::stability(own, other)]
    }

    /// In the order of [`TERMS`].
    #[inline(always)]
    fn positional(own: u64, other: u64) -> [i32; 7] {
        let empty = Self::FULL & !(own | other);
        let lead =
            |cells: u64| (own & cells).count_ones() as i32 - (other & cells).count_ones() as i32;
        // Discs beside an empty cell, which give the other side its moves.
        let open = Self::around(empty);
        // Cells that may give a corner away: there are four and eight of them.
        let risky = Self::around(Self::CORNERS & empty);
        let (stable, other_stable) = Self::stable_discs(own, other);
        [
            Self::coin_parity(own, other),
            Self::mobility(own, other),
            ratio((other & open).count_ones(), (own & open).count_ones()),
            25_000 * lead(Self::CORNERS),
            -25_000 * lead(Self::X_SQUARES & risky),
            -12_500 * lead(Self::C_SQUARES & risky),
            100_000 * (stable as i32 - other_stable as i32) / (SIZE * SIZE) as i32,
        ]
    }

    #[inline(always)]
    fn weighed(own: u64, other: u64, terms: [i32; 7]) -> i32 {
        let discs = (own | other).count_ones() as usize;
        let phase = &PHASES[6 * (discs - 1) / (SIZE * SIZE)];
        let sum: i32 = terms.into_iter().zip(phase).map(|(term, weight)| term * weight).sum();
        sum / 100
    }
}

impl<const SIZE: usize> Evaluate for Othello<SIZE> {
    const EVALUATIONS: &'static [&'static str] = if SIZE == LEARNED_SIZE {
        &["positional", "weights", "composite", "stability", "composite_stability", "learned"]
    } else {
        &["positional", "weights", "composite", "stability", "composite_stability"]
    };

    #[inline(always)]
    fn evaluate(&self, state: &State, evaluation: usize) -> i32 {
        let (own, other) = state.sides();
        match evaluation {
            WEIGHTS => Self::weights(own, other),
            COMPOSITE => Self::composite(own, other).into_iter().sum::<i32>() / 3,
            STABILITY => Self::stability(own, other),
            COMPOSITE_STABILITY => {
                Self::composite_stability(own, other).into_iter().sum::<i32>() / 4
            }
            LEARNED => WEIGHTS_OF_LEARNED.get().map_or(0, |learned| learned.evaluate(own, other)),
            _ => Self::weighed(own, other, Self::positional(own, other)),
        }
    }

    fn terms(&self, state: &State, evaluation: usize) -> Terms {
        let (own, other) = state.sides();
        match evaluation {
            WEIGHTS => vec![("weights", Self::weights(own, other))],
            COMPOSITE => COMPOSITE_TERMS.into_iter().zip(Self::composite(own, other)).collect(),
            STABILITY => vec![("stability", Self::stability(own, other))],
            COMPOSITE_STABILITY => {
                COMPOSITE_TERMS.into_iter().zip(Self::composite_stability(own, other)).collect()
            }
            LEARNED => WEIGHTS_OF_LEARNED.get().map_or(vec![], |learned| learned.terms(own, other)),
            _ => TERMS.into_iter().zip(Self::positional(own, other)).collect(),
        }
    }

    fn is_ready(&self, evaluation: usize) -> bool {
        evaluation != LEARNED || WEIGHTS_OF_LEARNED.get().is_some()
    }

    /// Few replies, and none of them a corner.
    #[inline(always)]
    fn promise(&self, after: &State) -> i32 {
        let (own, other) = after.sides();
        let replies = Self::places(own, other);
        -(replies.count_ones() as i32 + 2 * (replies & Self::CORNERS).count_ones() as i32)
    }
}
