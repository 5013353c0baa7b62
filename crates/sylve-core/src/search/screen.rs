//! The first maximum of many scores, without computing all of them in full.
//!
//! A quick score in single precision sorts out the moves that cannot be the best; the exact formula
//! decides among those left, nearly always one or two. The choice is that of the exact formula.
//!
//! Why: let s be the exact scores, q the quick ones, and |q - s| <= e s for all moves. If a is the
//! exact maximum and b the quick one, then q(a) >= (1 - e) s(a) >= (1 - e) s(b) >= (1 - e) / (1 + e)
//! q(b) >= (1 - 2 e) q(b): no move below that is the best. The quick scores add, multiply and divide
//! numbers that are not negative, at most 18 times, each with a relative error of 2^-24; and the
//! exact ones have errors of their own: 1 - beta >= 2^-32 is rounded to 2^-53. Together e < 2^-19.

use super::formulas::Parts;
use super::pairs::LANES;
use super::proofs::encode;
use crate::cpu::{Cpu, Lanes};
use crate::game::{Outcome, Player};
use std::marker::PhantomData;

/// 1 - 2 e, with room to spare.
const NEARLY: f32 = 1.0 - 1.0 / 65_536.0;
/// Below it, single precision has fewer digits, and relative errors are larger.
const TINY: f32 = 1e-30;

/// A formula at a node.
pub trait Scores {
    /// The number of moves.
    fn moves(&self) -> usize;

    /// What the score of a move is made of.
    fn parts(&self, index: usize) -> Parts;

    /// The scores of eight moves from `start` on, nearly; the last one again if there are fewer. Not
    /// a number: only `parts` can tell.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let (value, exploration): (L, L) = self.quick_parts(start);
        exploration.plus(value)
    }

    /// The same as value and exploration, where a formula can tell.
    #[inline(always)]
    fn quick_parts<L: Lanes>(&self, _start: usize) -> (L, L) {
        (L::splat(f32::NAN), L::splat(f32::NAN))
    }

    /// Whether two moves have the same score, seen without computing it.
    #[inline(always)]
    fn same(&self, _one: usize, _other: usize) -> bool {
        false
    }
}

/// What to do with the scores of a node, whatever formula makes them.
pub trait UseScores {
    /// What comes out.
    type Output;
    /// Do it.
    fn with<S: Scores>(self, scores: &S) -> Self::Output;
}

/// Chooses the first move with the largest score; the vector is room for the quick scores.
pub struct Choose<'a, C>(pub &'a mut Vec<[f32; LANES]>, pub PhantomData<C>);

impl<C: Cpu> UseScores for Choose<'_, C> {
    type Output = usize;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S) -> usize {
        first_maximum::<C, S>(scores, self.0, &AllOpen)
    }
}

/// The same among the moves that `proofs` do not say to be lost for this player.
pub struct ChooseOpen<'a, C> {
    /// By move: see `proofs.rs`.
    pub proofs: &'a [u8],
    /// Who moves.
    pub player: Player,
    /// Room for the quick scores.
    pub room: &'a mut Vec<[f32; LANES]>,
    /// The processor level.
    pub level: PhantomData<C>,
}

impl<C: Cpu> UseScores for ChooseOpen<'_, C> {
    type Output = usize;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S) -> usize {
        let lost = encode(Outcome::Win(self.player.other()));
        first_maximum::<C, S>(scores, self.room, &NotLost { proofs: self.proofs, lost })
    }
}

/// Which moves are open to choice.
trait Open {
    /// Whether this one is.
    fn is_open(&self, index: usize) -> bool;
    /// The quick scores of neighbouring moves, with those that are not open below all others.
    fn masked<L: Lanes>(&self, quick: L, start: usize) -> L;
}

/// All of them.
struct AllOpen;

impl Open for AllOpen {
    #[inline(always)]
    fn is_open(&self, _index: usize) -> bool {
        true
    }

    #[inline(always)]
    fn masked<L: Lanes>(&self, quick: L, _start: usize) -> L {
        quick
    }
}

/// Those without this proof.
struct NotLost<'a> {
    proofs: &'a [u8],
    lost: u8,
}

impl Open for NotLost<'_> {
    #[inline(always)]
    fn is_open(&self, index: usize) -> bool {
        self.proofs[index] != self.lost
    }

    #[inline(always)]
    fn masked<L: Lanes>(&self, quick: L, start: usize) -> L {
        let quick = quick.to_array();
        let last = self.proofs.len() - 1; // where there are fewer than eight, the last one again
        L::from_array(std::array::from_fn(|lane| {
            let lost = self.proofs[(start + lane).min(last)] == self.lost;
            if lost { f32::NEG_INFINITY } else { quick[lane] }
        }))
    }
}

/// Lists what the scores are made of.
pub struct AllParts;

impl UseScores for AllParts {
    type Output = Vec<Parts>;
    fn with<S: Scores>(self, scores: &S) -> Vec<Parts> {
        (0..scores.moves()).map(|index| scores.parts(index)).collect()
    }
}

/// The index of the largest score among the open moves; the first of equal ones. `room` is for the
/// quick scores.
#[inline(always)]
fn first_maximum<C: Cpu, S: Scores>(
    scores: &S,
    room: &mut Vec<[f32; LANES]>,
    open: &impl Open,
) -> usize {
    let moves = scores.moves();
    debug_assert!((0..moves).all(|index| !open.is_open(index) || is_number(scores, index)));
    let count = moves.div_ceil(LANES);
    if room.len() < count {
        room.resize(count, [0.0; LANES]);
    }
    // The last lanes end with the moves, and may overlap those before.
    let start = |number: usize| (number * LANES).min(moves.saturating_sub(LANES));
    let mut highest = C::Lanes::splat(f32::NEG_INFINITY);
    for (number, room) in room[..count].iter_mut().enumerate() {
        let quick: C::Lanes = open.masked(scores.quick(start(number)), start(number));
        *room = quick.to_array();
        highest = highest.larger(quick);
    }
    let least = highest.highest() * NEARLY - TINY;
    let mut best = Best { scores, index: None, score: None };
    for (word, room) in room[..count].chunks(64 / LANES).enumerate() {
        // Those left of 64 moves, found without a branch: nobody can predict where the best is.
        let mut left = 0u64;
        for (number, room) in room.iter().enumerate() {
            let all = word * (64 / LANES) + number;
            let again = all * LANES - start(all); // lanes that overlap those before
            let kept = C::Lanes::from_array(*room).not_below(least) >> again;
            left |= u64::from(kept) << (number * LANES);
        }
        left &= u64::MAX >> (64 * (word + 1)).saturating_sub(moves); // less what was padded
        while left != 0 {
            let index = 64 * word + left.trailing_zeros() as usize;
            if open.is_open(index) {
                best.offer(index);
            }
            left &= left - 1;
        }
    }
    best.index.unwrap_or(0)
}

/// Whether a formula gives a move a score that can be compared.
fn is_number<S: Scores>(scores: &S, index: usize) -> bool {
    !scores.parts(index).score().is_nan()
}

/// The first maximum so far. A score is computed when there is another to compare it with.
struct Best<'a, S> {
    scores: &'a S,
    index: Option<usize>,
    score: Option<f64>,
}

impl<S: Scores> Best<'_, S> {
    #[inline(always)]
    fn offer(&mut self, index: usize) {
        let Some(best) = self.index else {
            self.index = Some(index);
            return;
        };
        if self.scores.same(best, index) {
            return;
        }
        let highest = self.score.unwrap_or_else(|| self.scores.parts(best).score());
        let score = self.scores.parts(index).score();
        self.score = Some(highest);
        if score > highest {
            (self.index, self.score) = (Some(index), Some(score));
        }
    }
}
