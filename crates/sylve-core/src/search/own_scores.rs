//! Scores by a rule or schedule of a user's own: quick ones (see `screen.rs`) of eight moves at a call.

use super::amaf::{Amaf, column_lanes};
use super::columns::Column;
use super::config::Schedule;
use super::formulas::{Parts, spread};
use super::own::{Counts, Own, counts};
use super::pairs::{LANES, Pair};
use super::screen::Scores;
use super::tally::Tally;
use crate::cpu::Lanes;

/// The move of each lane; the last one again if there are fewer than eight.
#[inline(always)]
fn lanes_of(start: usize, moves: usize) -> [usize; LANES] {
    std::array::from_fn(|lane| (start + lane).min(moves - 1))
}

/// The lanes where `known` holds, and how many they are.
#[inline(always)]
fn lanes_where(known: [bool; LANES]) -> ([usize; LANES], usize) {
    let (mut lanes, mut count) = ([0; LANES], 0);
    for (lane, known) in known.into_iter().enumerate() {
        lanes[count] = lane;
        count += usize::from(known);
    }
    (lanes, count)
}

/// What is asked of the moves with known tallies, by lane; 0 for the others.
#[inline(always)]
fn ask<const N: usize>(
    known: [bool; LANES],
    tallies: [[Tally; LANES]; N],
    ask: impl Fn([&[Counts]; N], &mut [f64; LANES]),
) -> [f64; LANES] {
    let mut found = [0.0; LANES];
    if known == [true; LANES] {
        let tallies = tallies.map(|tallies| tallies.map(counts));
        ask(tallies.each_ref().map(|tallies| tallies.as_slice()), &mut found);
        return found;
    }
    let (lanes, count) = lanes_where(known);
    if count == 0 {
        return found;
    }
    let packed = tallies.map(|tallies| lanes.map(|lane| counts(tallies[lane])));
    ask(packed.each_ref().map(|tallies| &tallies[..count]), &mut found);
    let mut spread = [0.0; LANES];
    for (&lane, found) in lanes[..count].iter().zip(found) {
        spread[lane] = found;
    }
    spread
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

    /// w / n and what the rule adds. Where that is below 0, the exact sum, if it is not.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let own = lanes_of(start, self.moves()).map(|index| self.own.tally(index));
        let tried = own.map(|own| own.visits > 0);
        let added = ask(tried, [own], |[own], out| self.rule.explorations(self.total, own, out));
        let (visits, points): (L, L) = column_lanes(&self.own, start);
        let scores = points.over(visits).plus(L::from_array(added.map(|added| added as f32)));
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
        Schedule::Own(self.schedule).parts(self.c, self.total, own, amaf)
    }

    /// 1 - beta is rounded last: then all terms are right to single precision.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let indices = lanes_of(start, self.moves());
        let own = indices.map(|index| self.own.tally(index));
        let amaf = indices.map(|index| self.amaf.tally(index));
        let known = std::array::from_fn(|lane| own[lane].visits > 0 && amaf[lane].visits > 0);
        let found = ask(known, [own, amaf], |[own, amaf], out| {
            self.schedule.betas(self.total, own, amaf, out);
        });
        let (less, beta) = (found.map(|beta| (1.0 - beta) as f32), found.map(|beta| beta as f32));
        let (n, w): (L, L) = column_lanes(&self.own, start);
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
