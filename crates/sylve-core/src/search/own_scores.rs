//! Scores by a rule or schedule of a user's own: eight moves at a call. The quick scores are the exact
//! ones, rounded; `screen.rs` takes those that are not negative.

use super::columns::Column;
use super::formulas::{Parts, exploration};
use super::own::{Counts, Own, counts};
use super::pairs::{LANES, Pair};
use super::scores::Amaf;
use super::screen::Scores;
use super::tally::Tally;
use crate::cpu::Lanes;

/// Eight numbers of moves that were asked about, in order.
type Eight<T> = [T; LANES];

/// The move of each lane; the last one again if there are fewer than eight.
#[inline(always)]
fn lanes_of(start: usize, moves: usize) -> Eight<usize> {
    std::array::from_fn(|lane| (start + lane).min(moves - 1))
}

/// A score that `screen.rs` can compare; else not a number.
#[inline(always)]
fn quick_of(score: f64) -> f32 {
    if score >= 0.0 { score as f32 } else { f32::NAN }
}

/// UCT: Q + exploration of the rule.
pub struct OwnUctScores<'a, P> {
    /// The rule.
    pub rule: Own,
    /// The visits of the node.
    pub total: u32,
    /// The tallies of its moves.
    pub own: Column<'a, P>,
}

impl<P: Pair> Scores for OwnUctScores<'_, P> {
    fn moves(&self) -> usize {
        self.own.pairs.len()
    }

    fn parts(&self, index: usize) -> Parts {
        let own = self.own.tally(index);
        if own.visits == 0 {
            return Parts::untried(None);
        }
        let exploration = self.rule.exploration(self.total, own);
        Parts { value: own.mean(), exploration, beta: None }
    }

    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let tallies = lanes_of(start, self.moves()).map(|index| self.own.tally(index));
        L::from_array(quick_uct(self.rule, self.total, &tallies))
    }

    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
    }
}

fn quick_uct(rule: Own, total: u32, tallies: &Eight<Tally>) -> Eight<f32> {
    let (mut asked, mut lanes, mut count) = ([Counts::default(); LANES], [0; LANES], 0);
    let mut scores = [f32::INFINITY; LANES]; // of moves that were not tried
    for (lane, &tally) in tallies.iter().enumerate() {
        (asked[count], lanes[count]) = (counts(tally), lane);
        count += usize::from(tally.visits > 0);
    }
    let mut found = [0.0; LANES];
    rule.explorations(total, &asked[..count], &mut found);
    for (&lane, exploration) in lanes[..count].iter().zip(found) {
        scores[lane] = quick_of(tallies[lane].mean() + exploration);
    }
    scores
}

/// RAVE and GRAVE: (1 - beta) Q + beta Q~ + c sqrt(ln N / n).
pub struct OwnRaveScores<'a, P, A> {
    /// The schedule.
    pub schedule: Own,
    /// The constant.
    pub c: f64,
    /// The visits of the node.
    pub total: u32,
    /// The tallies of its moves.
    pub own: Column<'a, P>,
    /// Those of AMAF.
    pub amaf: A,
}

impl<P: Pair, A: Amaf> Scores for OwnRaveScores<'_, P, A> {
    fn moves(&self) -> usize {
        self.own.pairs.len()
    }

    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        let schedule = super::config::Schedule::Own(self.schedule);
        schedule.parts(self.c, self.total, own, amaf)
    }

    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let indices = lanes_of(start, self.moves());
        let own = indices.map(|index| self.own.tally(index));
        let amaf = indices.map(|index| self.amaf.tally(index));
        L::from_array(quick_rave(self.schedule, self.c, self.total, &own, &amaf))
    }

    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
            && self.amaf.tally(one) == self.amaf.tally(other)
    }
}

fn quick_rave(
    schedule: Own,
    c: f64,
    total: u32,
    own: &Eight<Tally>,
    amaf: &Eight<Tally>,
) -> Eight<f32> {
    let (mut lanes, mut count) = ([0; LANES], 0);
    let (mut asked, mut other) = ([Counts::default(); LANES], [Counts::default(); LANES]);
    let mut scores = [f32::INFINITY; LANES]; // of moves of which nothing is known
    for lane in 0..LANES {
        (asked[count], other[count], lanes[count]) = (counts(own[lane]), counts(amaf[lane]), lane);
        count += usize::from(own[lane].visits > 0 && amaf[lane].visits > 0);
        if c <= 0.0 && own[lane].visits == 0 && amaf[lane].visits > 0 {
            scores[lane] = amaf[lane].mean() as f32;
        }
    }
    let mut found = [0.0; LANES];
    schedule.betas(total, &asked[..count], &other[..count], &mut found);
    for (&lane, beta) in lanes[..count].iter().zip(found) {
        let mut score = (1.0 - beta) * own[lane].mean() + beta * amaf[lane].mean();
        if c > 0.0 {
            score += exploration(c, total, own[lane]);
        }
        scores[lane] = quick_of(score);
    }
    scores
}
