//! The formulas at a node: exact for every search, and quick (see `screen.rs`) for UCB1 and for RAVE
//! and GRAVE with the schedules `slides` and `bias`.

use super::amaf::{Amaf, Reference, WithWaiting, column_lanes};
use super::columns::{Column, NodeColumns};
use super::config::{Formula, Rule, Schedule};
use super::formulas::{Parts, amaf_parts, multi_scale_parts, spread, squared_bias};
use super::own_scores::{OwnRaveScores, OwnUctScores};
use super::pairs::Pair;
use super::pools::{Words, with_words};
use super::screen::{Scores, UseScores};
use super::store::Store;
use super::tally::Tally;
use crate::cpu::Lanes;
use crate::game::Player;

/// Where a formula is asked for scores.
pub struct AtNode<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// The tree.
    pub store: &'a Store,
    /// The node.
    pub node: u32,
    /// Its reference (GRAVE).
    pub reference: u32,
    /// Who moves.
    pub player: Player,
    /// The codes of the moves, where the formula needs them.
    pub codes: &'a [u16],
    /// The kinds of moves, by code, where the formula needs them.
    pub kinds: &'a [u16],
}

impl AtNode<'_> {
    /// Makes the scores of the node and hands them over.
    #[inline(always)]
    pub fn scores<U: UseScores>(&self, user: U) -> U::Output {
        let AtNode { store, codes, kinds, player, .. } = *self;
        let total = store.node(self.node).visits;
        with_words!(store.columns(self.node), |columns| match self.formula {
            Formula::Uct(rule) => uct(user, *rule, total, columns.own()),
            Formula::Amaf { alpha, c } => {
                let (alpha, c, own, amaf) = (*alpha, *c, columns.own(), columns.amaf(0));
                user.with(&AmafScores { alpha, c, total, own, amaf })
            }
            Formula::Rave { schedule, c } => {
                rave(user, *schedule, *c, total, columns.own(), columns.amaf(0))
            }
            Formula::Grave { schedule, c, .. } => {
                with_words!(store.table(self.reference), |table| {
                    let (own, amaf) = (columns.own(), Reference { table, codes, player });
                    if store.bands() == 0 {
                        rave(user, *schedule, *c, total, own, amaf)
                    } else {
                        let amaf = WithWaiting { amaf, waiting: columns.amaf(0) };
                        rave(user, *schedule, *c, total, own, amaf)
                    }
                })
            }
            Formula::MultiScale { by_kind, c, limits } => {
                let kind = |index: usize| usize::from(kinds[usize::from(codes[index])]);
                let kinds = by_kind.then_some(kind);
                let bands = 1 + limits.len();
                user.with(&MultiScaleScores::new(*c, total, bands, columns, kinds))
            }
        })
    }
}

/// Hands over the scores of UCT.
#[inline(always)]
pub fn uct<U: UseScores, P: Pair>(
    user: U,
    rule: Rule,
    total: u32,
    own: Column<'_, P>,
) -> U::Output {
    match rule {
        Rule::Own(rule) => user.with(&OwnUctScores { rule, total, own }),
        _ => user.with(&UctScores::new(rule, total, own)),
    }
}

/// Hands over the scores of RAVE and GRAVE.
#[inline(always)]
pub fn rave<U: UseScores, P: Pair, A: Amaf>(
    user: U,
    schedule: Schedule,
    c: f64,
    total: u32,
    own: Column<'_, P>,
    amaf: A,
) -> U::Output {
    match schedule {
        Schedule::Own(schedule) => user.with(&OwnRaveScores { schedule, c, total, own, amaf }),
        _ => user.with(&RaveScores::new(schedule, c, total, own, amaf)),
    }
}

/// UCT: Q + exploration of the rule.
pub struct UctScores<'a, P> {
    rule: Rule,
    total: u32,
    own: Column<'a, P>,
    /// c sqrt(ln N), for UCB1
    spread: f32,
}

impl<'a, P: Pair> UctScores<'a, P> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(rule: Rule, total: u32, own: Column<'a, P>) -> UctScores<'a, P> {
        let spread = if let Rule::Ucb1 { c } = rule { spread(c, total) } else { f32::NAN };
        UctScores { rule, total, own, spread }
    }
}

impl<P: Pair> Scores for UctScores<'_, P> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.own.pairs.len()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        self.rule.parts(self.total, self.own.tally(index))
    }

    /// w / n + c sqrt(ln N) sqrt(1 / n)
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let (visits, points): (L, L) = column_lanes(&self.own, start);
        let share = L::splat(1.0).over(visits);
        points.times(share).plus(L::splat(self.spread).times(share.sqrt()))
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
    }
}

/// Alpha-AMAF: alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n).
pub struct AmafScores<'a, P, A> {
    /// The weight of AMAF.
    pub alpha: f64,
    /// The constant.
    pub c: f64,
    /// The visits of the node.
    pub total: u32,
    /// The tallies of its moves.
    pub own: Column<'a, P>,
    /// Those of AMAF.
    pub amaf: A,
}

impl<P: Pair, A: Amaf> Scores for AmafScores<'_, P, A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.own.pairs.len()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        amaf_parts(self.alpha, self.c, self.total, own, amaf)
    }
}

/// RAVE and GRAVE: (1 - beta) Q + beta Q~ + c sqrt(ln N / n).
pub struct RaveScores<'a, P, A> {
    schedule: Schedule,
    c: f64,
    total: u32,
    own: Column<'a, P>,
    amaf: A,
    /// c sqrt(ln N)
    spread: f32,
    /// f, where beta = n~ / (n + n~ + f n n~); else not a number.
    factor: f32,
}

impl<'a, P: Pair, A: Amaf> RaveScores<'a, P, A> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(schedule: Schedule, c: f64, total: u32, own: Column<'a, P>, amaf: A) -> Self {
        let factor = match schedule {
            Schedule::Bias { b } => 4.0 * b * b,
            Schedule::Slides { b } => b,
            _ => f64::NAN,
        };
        let spread = if c > 0.0 { spread(c, total) } else { 0.0 };
        RaveScores { schedule, c, total, own, amaf, spread, factor: factor as f32 }
    }
}

impl<P: Pair, A: Amaf> Scores for RaveScores<'_, P, A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.own.pairs.len()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        self.schedule.parts(self.c, self.total, own, amaf)
    }

    /// With more = 1 + f n~: 1 - beta = n more / (n more + n~), and beta = n~ / (n more + n~), so that
    /// the sum is (w more + w~) / (n more + n~): all terms positive, and one division.
    #[inline(always)]
    fn quick<L: Lanes>(&self, start: usize) -> L {
        let (n, w): (L, L) = column_lanes(&self.own, start);
        let (m, v): (L, L) = self.amaf.lanes(start);
        let more = m.times(L::splat(self.factor)).plus(L::splat(1.0));
        let mut scores = w.times(more).plus(v).over(n.times(more).plus(m));
        if self.c > 0.0 {
            let share = L::splat(1.0).over(n);
            scores = L::splat(self.spread).times(share.sqrt()).plus(scores);
        }
        scores.where_positive(m, L::splat(f32::INFINITY))
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
            && self.amaf.tally(one) == self.amaf.tally(other)
    }
}

/// Multi-scale RAVE: every estimate weighted by the inverse of its squared error.
pub struct MultiScaleScores<'a, P> {
    c: f64,
    total: u32,
    bands: usize,
    columns: NodeColumns<'a, P>,
    /// The squared bias by move, where it is measured by kind of move.
    bias: Option<Vec<f64>>,
}

impl<'a, P: Pair> MultiScaleScores<'a, P> {
    /// At a node with `total` visits. `kind`: of a move.
    pub fn new(
        c: f64,
        total: u32,
        bands: usize,
        columns: NodeColumns<'a, P>,
        kind: Option<impl Fn(usize) -> usize>,
    ) -> MultiScaleScores<'a, P> {
        let bias = kind.map(|kind| {
            let kinds = (0..columns.moves()).map(|index| kind(index) + 1).max().unwrap_or(0);
            let mut sums = vec![(Tally::default(), Tally::default()); kinds];
            for index in 0..columns.moves() {
                let (own, amaf) = &mut sums[kind(index)];
                *own = own.plus(columns.own().tally(index));
                *amaf = amaf.plus(columns.amaf(0).tally(index));
            }
            let bias = |index| {
                let (own, amaf) = sums[kind(index)];
                squared_bias(own, amaf)
            };
            (0..columns.moves()).map(bias).collect()
        });
        MultiScaleScores { c, total, bands, columns, bias }
    }
}

impl<P: Pair> Scores for MultiScaleScores<'_, P> {
    fn moves(&self) -> usize {
        self.columns.moves()
    }

    fn parts(&self, index: usize) -> Parts {
        let amaf = (0..self.bands).map(|band| self.columns.amaf(band).tally(index));
        let bias = self.bias.as_ref().map(|by_move| by_move[index]);
        multi_scale_parts(self.c, self.total, self.columns.own().tally(index), amaf, bias)
    }
}
