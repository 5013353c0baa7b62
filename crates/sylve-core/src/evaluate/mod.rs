//! Evaluations: how good a position looks to the side to move, without searching.
//!
//! Integers, in thousandths of the unit of each evaluation, the same in both languages:
//! `docs/evaluations.md` has the formulas, `python/sylve/evaluations/` the code to read.

mod breakthrough;
mod bulk;
mod connect_four;
mod go;
mod hex;
mod othello;
pub mod patterns;
mod tic_tac_toe;

pub use bulk::evaluate_all;
pub use othello::learn;

use crate::game::{Game, Move};

/// No evaluation is larger than this, or smaller than its negation: wins and losses lie beyond.
pub const LARGEST: i32 = 900_000;

/// The named parts of an evaluation, each for the side to move.
pub type Terms = Vec<(&'static str, i32)>;

/// A game whose positions can be evaluated.
pub trait Evaluate: Game {
    /// The names of the evaluations of the game. The first is the default.
    const EVALUATIONS: &'static [&'static str];

    /// The evaluation with this index in [`Evaluate::EVALUATIONS`], for the side to move.
    ///
    /// The game is not over: how it ended is the affair of the search.
    fn evaluate(&self, state: &Self::State, evaluation: usize) -> i32;

    /// The parts that [`Evaluate::evaluate`] is made of.
    fn terms(&self, state: &Self::State, evaluation: usize) -> Terms;

    /// Whether the evaluation with this index can be asked: one that was learned needs its weights.
    fn is_ready(&self, _evaluation: usize) -> bool {
        true
    }

    /// Calls `each` with the position after each of these moves, in order, and with its evaluation
    /// for the side to move there; `None` if the game is over.
    ///
    /// A game may share work among the moves, as long as the numbers are those of
    /// [`Evaluate::evaluate`].
    #[inline(always)]
    fn evaluate_moves(
        &self,
        state: &Self::State,
        moves: &[Move],
        evaluation: usize,
        mut each: impl FnMut(&Self::State, Option<i32>),
    ) {
        for &mv in moves {
            let mut after = state.clone();
            self.play(&mut after, mv);
            let over = self.outcome(&after).is_some();
            each(&after, (!over).then(|| self.evaluate(&after, evaluation)));
        }
    }

    /// How promising the move was that led here, for the one who made it: only for the order in
    /// which moves are tried.
    #[inline(always)]
    fn promise(&self, _after: &Self::State) -> i32 {
        0
    }
}

/// 100 x difference / sum, in thousandths, rounded towards zero; 0 if there is nothing to compare.
#[inline(always)]
fn ratio(own: u32, other: u32) -> i32 {
    RATIO[own as usize][other as usize]
}

/// [`ratio`] for all counts up to 64: a look-up is faster than a division.
static RATIO: [[i32; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let (mut own, mut other) = (0, 1);
    while own <= 64 {
        while other <= 64 {
            table[own][other] = 100_000 * (own as i32 - other as i32) / (own + other) as i32;
            other += 1;
        }
        own += 1;
        other = 0;
    }
    table
};
