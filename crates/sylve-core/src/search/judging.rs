//! What an evaluation says, as a result between loss and win. As `value` in
//! `python/sylve/evaluations/__init__.py`.

use super::arithmetic::exp;
use super::units::{DRAW, WIN};
use crate::cpu::{Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome, Player};

/// An evaluation of a game, and how many of its points make a clear advantage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// Its index in [`Evaluate::EVALUATIONS`].
    pub evaluation: usize,
    /// The score at which the odds are e to 1.
    pub scale: f64,
}

/// A judgement that remembers what scores are worth: an exponential takes longer than most evaluations.
#[derive(Clone, Debug)]
pub struct Judge {
    judgement: Judgement,
    /// Scores ahead and their values, each in the slot of a hash.
    known: Vec<(u32, u32)>,
}

impl Judge {
    /// One that knows nothing yet.
    pub fn new(judgement: Judgement) -> Judge {
        Judge { judgement, known: vec![(0, DRAW); 1 << SLOT_BITS] } // 0 is worth a draw, everywhere
    }

    /// The value of a position that is not over, in units of the side to move.
    #[inline(always)]
    pub fn value<G: Evaluate>(&mut self, game: &G, state: &G::State) -> u32 {
        self.of_score(game.evaluate(state, self.judgement.evaluation))
    }

    /// The same as [`value`].
    #[inline(always)]
    fn of_score(&mut self, score: i32) -> u32 {
        let ahead = score.unsigned_abs();
        let slot = ahead.wrapping_mul(0x9E37_79B9) >> (u32::BITS - SLOT_BITS);
        let known = &mut self.known[slot as usize];
        if known.0 != ahead {
            *known = (ahead, value(ahead as i32, self.judgement.scale));
        }
        if score < 0 { WIN - known.1 } else { known.1 }
    }
}

const SLOT_BITS: u32 = 10;

/// A score as a share of a win, in units: 1 / (1 + exp(-score / scale)).
///
/// Computed for the side that is ahead: so the two sides' values sum up to a win.
#[inline(always)]
pub fn value(score: i32, scale: f64) -> u32 {
    let behind = exp(-(f64::from(score.unsigned_abs()) / scale));
    let units = (1.0 / (1.0 + behind) * f64::from(WIN) + 0.5) as u32;
    let units = units.min(WIN - 1);
    if score < 0 { WIN - units } else { units }
}

/// How a game has ended, as a value: a win is as near to 1 as a value comes.
#[inline(always)]
pub fn value_of(outcome: Outcome, player: Player) -> u32 {
    (outcome.points(player) * DRAW).clamp(1, WIN - 1)
}

/// The value of the position after each of these moves, for the side to move before.
pub struct ValuesOfMoves<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Its moves.
    pub moves: &'a [Move],
    /// By whom.
    pub judge: &'a mut Judge,
    /// Where they go.
    pub out: &'a mut Vec<u16>,
}

impl<G: Evaluate> Work for ValuesOfMoves<'_, G> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self) {
        let ValuesOfMoves { game, state, moves, judge, out } = self;
        let player = game.turn(state);
        out.clear();
        game.evaluate_moves(state, moves, judge.judgement.evaluation, |after, score| {
            let value = match score.map(|score| judge.of_score(score)) {
                None => value_of(game.outcome(after).expect("no score: it is over"), player),
                Some(value) if game.turn(after) == player => value,
                Some(value) => WIN - value,
            };
            out.push(value as u16);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_symmetric_and_never_certain() {
        for score in [0, 1, 20, 1999, 2000, 7000, 100_000, 900_000] {
            let (ahead, behind) = (value(score, 2000.0), value(-score, 2000.0));
            assert_eq!(ahead + behind, WIN, "{score}");
            assert!((1..WIN).contains(&ahead), "{score}");
        }
        assert_eq!(value(0, 2000.0), DRAW);
        assert_eq!(value(2000, 2000.0), 47911); // 65,536 / (1 + 1/e) = 47,911.3
    }

    #[test]
    fn a_judge_remembers_the_right_values() {
        let mut judge = Judge::new(Judgement { evaluation: 0, scale: 2000.0 });
        // More scores than slots, each twice in a row and again later.
        for score in (-900_000..900_000).step_by(731).chain(-3000..3000) {
            for score in [score, score, -score] {
                assert_eq!(judge.of_score(score), value(score, 2000.0), "{score}");
            }
        }
    }
}
