//! The first maximum of many scores, without computing all of them in full.
//!
//! A quick score in single precision sorts out the moves that cannot be the best; the exact formula
//! decides among those left, nearly always one or two. The choice is that of the exact formula.
//!
//! Why: let s be the exact scores, q the quick ones, and |q - s| <= e s for all moves. If a is the
//! exact maximum and b the quick one, then q(a) >= (1 - e) s(a) >= (1 - e) s(b) >= (1 - e) / (1 + e)
//! q(b) >= (1 - 2 e) q(b): no move below that is the best. The quick scores add, multiply and divide
//! numbers that are not negative, at most 12 times, each with a relative error of 2^-24; and the
//! exact ones have errors of their own: 1 - beta >= 2^-32 is rounded to 2^-53. Together e < 2^-19.

use super::formulas::Parts;

/// Scores are computed so many at a time.
pub const LANES: usize = 8;

/// Numbers of neighbouring moves.
pub type Lanes = [f32; LANES];

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

    /// The scores of the moves from `start` on, nearly. Not a number: only `parts` can tell.
    #[inline(always)]
    fn quick(&self, _start: usize) -> Lanes {
        [f32::NAN; LANES]
    }

    /// Whether two moves have the same score, seen without computing it.
    #[inline(always)]
    fn same(&self, _one: usize, _other: usize) -> bool {
        false
    }
}

/// The index of the largest score; the first of equal ones. `room` is for the quick scores.
#[inline(always)]
pub fn first_maximum(scores: &impl Scores, room: &mut Vec<f32>) -> usize {
    let moves = scores.moves();
    let mut best = Best { scores, index: None, score: None };
    if moves < LANES {
        (0..moves).for_each(|index| best.offer(index));
        return best.index.unwrap_or(0);
    }
    if room.len() < moves {
        room.resize(moves, 0.0);
    }
    let room = &mut room[..moves];
    let mut highest = [f32::NEG_INFINITY; LANES];
    for start in starts(moves) {
        let quick = scores.quick(start);
        room[start..start + LANES].copy_from_slice(&quick);
        for (high, score) in highest.iter_mut().zip(quick) {
            *high = if score > *high { score } else { *high };
        }
    }
    let highest = highest.into_iter().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    let least = highest * NEARLY - TINY;
    let mut next = 0;
    for start in starts(moves) {
        let mut left = 0u32;
        for (lane, &score) in room[start..start + LANES].iter().enumerate() {
            // Written so that it keeps what is not a number.
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN must be kept")]
            let keep = !(score < least);
            left |= u32::from(keep) << lane;
        }
        left &= u32::MAX << (next - start); // the last lanes overlap those before
        next = start + LANES;
        while left != 0 {
            best.offer(start + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
    best.index.unwrap_or(0)
}

/// Where the lanes begin; the last ones end with the moves, and may overlap those before.
#[inline(always)]
fn starts(moves: usize) -> impl Iterator<Item = usize> {
    (0..moves.div_ceil(LANES)).map(move |number| (number * LANES).min(moves - LANES))
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
