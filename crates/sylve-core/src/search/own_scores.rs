//! Scores by a rule or schedule of a user's own: quick ones (see `screen.rs`) of eight moves at a call.

use super::amaf::Amaf;
use super::config::Schedule;
use super::formulas::{Parts, spread};
use super::own::{Counts, Own, counts};
use super::pairs::LANES;
use super::screen::Scores;
use super::tally::Tally;
use crate::cpu::Lanes;

/// The move of each lane; the last one again if there are fewer than eight.
#[inline(always)]
fn lanes_of(start: usize, moves: usize) -> [usize; LANES] {
    std::array::from_fn(|lane| (start + lane).min(moves - 1))
}

/// The moves that are asked about: those of which something is known, packed.
struct Asked {
    own: [Counts; LANES],
    amaf: [Counts; LANES],
    lanes: [usize; LANES],
    count: usize,
}

impl Asked {
    const NOTHING: Asked =
        Asked { own: [[0; 3]; LANES], amaf: [[0; 3]; LANES], lanes: [0; LANES], count: 0 };

    #[inline(always)]
    fn add(&mut self, lane: usize, own: Tally, amaf: Tally) {
        let Asked { count, .. } = *self;
        (self.own[count], self.amaf[count], self.lanes[count]) = (counts(own), counts(amaf), lane);
        self.count += 1;
    }

    /// What a rule adds, by lane; 0 for the other moves.
    #[inline(never)]
    fn explorations(&self, rule: Own, total: u32) -> [f32; LANES] {
        let (mut found, mut added) = ([0.0; LANES], [0.0; LANES]);
        rule.explorations(total, &self.own[..self.count], &mut found);
        for (&lane, found) in self.lanes[..self.count].iter().zip(found) {
            added[lane] = found as f32;
        }
        added
    }

    /// 1 - beta and beta, by lane; 0 for the other moves.
    #[inline(never)]
    fn betas(&self, schedule: Own, total: u32) -> ([f32; LANES], [f32; LANES]) {
        let (mut found, mut less, mut beta) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let count = self.count;
        schedule.betas(total, &self.own[..count], &self.amaf[..count], &mut found);
        for (&lane, found) in self.lanes[..count].iter().zip(found) {
            (less[lane], beta[lane]) = ((1.0 - found) as f32, found as f32);
        }
        (less, beta)
    }
}

/// UCT: Q + exploration of the rule.
pub struct OwnUctScores<A> {
    /// The rule.
    pub rule: Own,
    /// The visits of the node.
    pub total: u32,
    /// The number of its moves.
    pub moves: usize,
    /// Their tallies.
    pub own: A,
}

impl<A: Amaf> Scores for OwnUctScores<A> {
    fn moves(&self) -> usize {
        self.moves
    }

    fn parts(&self, index: usize) -> Parts {
        let own = self.own.tally(index);
        if own.visits == 0 {
            return Parts::untried(None);
        }
        let exploration = self.rule.exploration(self.total, own);
        Parts { value: own.mean(), exploration, beta: None }
    }

    /// w / n and what the rule adds. Where that is below 0, the exact sum, if it is not.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let mut asked = Asked::NOTHING;
        for (lane, index) in lanes_of(start, self.moves()).into_iter().enumerate() {
            let own = self.own.tally(index);
            if own.visits > 0 {
                asked.add(lane, own, own);
            }
        }
        let added = match asked.count {
            0 => [0.0; LANES],
            _ => asked.explorations(self.rule, self.total),
        };
        let (visits, points): (L, L) = self.own.lanes(start);
        let scores = points.over(visits).plus(L::from_array(added));
        let scores = scores.where_positive(visits, L::splat(f32::INFINITY));
        if added.iter().all(|&added| added >= 0.0) {
            return scores;
        }
        let mut scores = scores.to_array();
        for (lane, index) in lanes_of(start, self.moves()).into_iter().enumerate() {
            if added[lane] < 0.0 {
                let score = self.parts(index).score();
                scores[lane] = if score >= 0.0 { score as f32 } else { f32::NAN };
            }
        }
        L::from_array(scores)
    }

    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
    }
}

/// RAVE and GRAVE: (1 - beta) Q + beta Q~ + c sqrt(ln N / n).
pub struct OwnRaveScores<O, A> {
    /// The schedule.
    pub schedule: Own,
    /// The constant.
    pub c: f64,
    /// The visits of the node.
    pub total: u32,
    /// The number of its moves.
    pub moves: usize,
    /// Their tallies.
    pub own: O,
    /// Those of AMAF.
    pub amaf: A,
}

impl<O: Amaf, A: Amaf> Scores for OwnRaveScores<O, A> {
    fn moves(&self) -> usize {
        self.moves
    }

    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        Schedule::Own(self.schedule).parts(self.c, self.total, own, amaf)
    }

    /// 1 - beta is rounded last: then all terms are right to single precision.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let mut asked = Asked::NOTHING;
        for (lane, index) in lanes_of(start, self.moves()).into_iter().enumerate() {
            // Most moves were not tried at most nodes.
            let own = self.own.tally(index);
            if own.visits > 0 {
                let amaf = self.amaf.tally(index);
                if amaf.visits > 0 {
                    asked.add(lane, own, amaf);
                }
            }
        }
        let (less, beta) = match asked.count {
            0 => ([0.0; LANES], [0.0; LANES]),
            _ => asked.betas(self.schedule, self.total),
        };
        let (n, w): (L, L) = self.own.lanes(start);
        let (m, v): (L, L) = self.amaf.lanes(start);
        let (own, amaf) = (w.over(n), v.over(m));
        let mut scores = own.times(L::from_array(less)).plus(amaf.times(L::from_array(beta)));
        let mut untried = amaf;
        if self.c > 0.0 {
            let spread = L::splat(spread(self.c, self.total));
            scores = spread.times(L::splat(1.0).over(n).sqrt()).plus(scores);
            untried = L::splat(f32::INFINITY);
        }
        let scores = scores.where_positive(n, untried);
        scores.where_positive(m, L::splat(f32::INFINITY))
    }

    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
            && self.amaf.tally(one) == self.amaf.tally(other)
    }
}
