//! RAVE and GRAVE with the schedule `pooled`: the bias of AMAF is measured once for all moves of a node.

use super::amaf::Amaf;
use super::formulas::{Parts, bias_ratio, pooled_beta, rave_parts, spread};
use super::screen::Scores;
use crate::cpu::Lanes;

/// Whole numbers up to here are exact in single precision, and so are their differences.
const EXACT: f32 = 16_777_216.0;

/// (1 - beta) Q + beta Q~ + c sqrt(ln N / n), beta = n~ / (n~ + r n (n~ - n)).
pub struct PooledScores<O, A> {
    c: f64,
    total: u32,
    moves: usize,
    own: O,
    amaf: A,
    /// r
    ratio: f64,
    /// c sqrt(ln N)
    spread: f32,
}

impl<O: Amaf, A: Amaf> PooledScores<O, A> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(c: f64, total: u32, moves: usize, own: O, amaf: A) -> Self {
        // Most moves were not tried at most nodes: their AMAF tallies are not read.
        let tried = (0..moves).map(|index| (index, own.tally(index)));
        let tried = tried.filter(|(_, own)| own.visits > 0);
        let ratio = bias_ratio(tried.map(|(index, own)| (own, amaf.tally(index))));
        let spread = if c > 0.0 { spread(c, total) } else { 0.0 };
        PooledScores { c, total, moves, own, amaf, ratio, spread }
    }
}

impl<O: Amaf, A: Amaf> Scores for PooledScores<O, A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        rave_parts(self.c, self.total, own, amaf, || pooled_beta(self.ratio, own, amaf))
    }

    /// With more = r (n~ - n): 1 - beta = n more / (n more + n~), and the sum is
    /// (w more + w~) / (n more + n~), as in `RaveScores`. Q where there are no others.
    #[inline(always)]
    fn quick_parts<L: Lanes>(&self, start: usize) -> (L, L) {
        let (n, w): (L, L) = self.own.lanes(start);
        let (m, v): (L, L) = self.amaf.lanes(start);
        let others = m.minus(n);
        let more = others.times(L::splat(self.ratio as f32));
        let mixed = w.times(more).plus(v).over(n.times(more).plus(m));
        let value = mixed.where_positive(others, w.over(n));
        let mut exploration = L::splat(0.0);
        if self.c > 0.0 {
            let share = L::splat(1.0).over(n);
            exploration = L::splat(self.spread).times(share.sqrt());
        }
        let value = value.where_positive(m, L::splat(f32::INFINITY));
        // Beyond, the rounded difference may be all wrong.
        (value.where_positive(L::splat(EXACT).minus(m), L::splat(f32::NAN)), exploration)
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
            && self.amaf.tally(one) == self.amaf.tally(other)
    }
}
