//! The formulas at a node: exact for every search, and quick (see `screen.rs`) for UCB1 and for RAVE
//! and GRAVE with the schedules `slides` and `bias`; `pooled` has a file of its own.

use super::amaf::{Amaf, Bare, Reference, VirtualVisits, WithWaiting, Wrap, judged_lanes};
use super::columns::{Judged, NodeColumns};
use super::config::{Formula, Rule, Schedule, TreeConfig};
use super::formulas::{Parts, amaf_parts, multi_scale_parts, spread, squared_bias};
use super::own_scores::{OwnRaveScores, OwnUctScores};
use super::pairs::Pair;
use super::pooled_scores::PooledScores;
use super::pools::{Words, with_words};
use super::screen::{Scores, UseScores};
use super::store::Store;
use super::tally::Tally;
use super::units::WIN;
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
    /// What evaluations add.
    pub extras: Extras,
}

/// What evaluations add to every formula.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Extras {
    /// The weight of the values that go up the tree.
    pub implicit: f64,
    /// The virtual visits of each move.
    pub prior: u32,
}

impl Extras {
    /// Nothing.
    pub const NONE: Extras = Extras { implicit: 0.0, prior: 0 };

    /// What a search adds.
    pub fn of(how: &TreeConfig) -> Extras {
        Extras { implicit: how.implicit, prior: how.prior.visits() }
    }
}

impl AtNode<'_> {
    /// Makes the scores of the node and hands them over.
    #[inline(always)]
    pub fn scores<U: UseScores>(&self, user: U) -> U::Output {
        let AtNode { store, node, extras, .. } = *self;
        let visits = store.node(node).visits;
        with_words!(store.columns(node), |columns| {
            if extras == Extras::NONE {
                return self.by_formula(user, visits, columns, Bare);
            }
            let Extras { implicit: weight, prior: visits_more } = extras;
            let judged = |what| store.judged(columns, what).unwrap_or_default();
            let user = Mix { user, weight, values: judged(Judged::Implicit) };
            let more = VirtualVisits { visits: visits_more, values: judged(Judged::Prior) };
            let total = visits + visits_more * columns.moves() as u32;
            self.by_formula(user, total, columns, more)
        })
    }

    #[inline(always)]
    fn by_formula<U: UseScores, P: Pair, W: Wrap>(
        &self,
        user: U,
        total: u32,
        columns: NodeColumns<'_, P>,
        more: W,
    ) -> U::Output {
        let AtNode { store, codes, kinds, player, .. } = *self;
        let (moves, own) = (columns.moves(), more.wrap(columns.own()));
        match self.formula {
            Formula::Uct(rule) => uct(user, *rule, total, moves, own),
            Formula::Amaf { alpha, c } => {
                let (alpha, c, amaf) = (*alpha, *c, more.wrap(columns.amaf(0)));
                user.with(&AmafScores { alpha, c, total, moves, own, amaf })
            }
            Formula::Rave { schedule, c } => {
                rave(user, *schedule, *c, total, moves, own, more.wrap(columns.amaf(0)))
            }
            Formula::Grave { schedule, c, .. } => {
                with_words!(store.table(self.reference), |table| {
                    let amaf = Reference { table, codes, player };
                    if store.bands() == 0 {
                        rave(user, *schedule, *c, total, moves, own, more.wrap(amaf))
                    } else {
                        let amaf = WithWaiting { amaf, waiting: columns.amaf(0) };
                        rave(user, *schedule, *c, total, moves, own, more.wrap(amaf))
                    }
                })
            }
            Formula::MultiScale { by_kind, c, limits } => {
                let kind = |index: usize| usize::from(kinds[usize::from(codes[index])]);
                let kinds = by_kind.then_some(kind);
                let bands = 1 + limits.len();
                user.with(&MultiScaleScores::new(*c, total, bands, columns, own, kinds))
            }
        }
    }
}

/// Mixes the values that go up the tree into the scores before they are used.
pub struct Mix<'a, U, P> {
    /// What uses them.
    pub user: U,
    /// The weight of the values.
    pub weight: f64,
    /// By move; none if nothing goes up the tree.
    pub values: &'a [P],
}

impl<U: UseScores, P: Pair> UseScores for Mix<'_, U, P> {
    type Output = U::Output;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S) -> U::Output {
        let Mix { user, weight, values } = self;
        user.with(&Mixed { scores, weight, values })
    }
}

/// Implicit minimax: (1 - alpha) value + alpha v, and the exploration.
struct Mixed<'a, S, P> {
    scores: &'a S,
    weight: f64,
    /// v of each move; none if nothing goes up the tree.
    values: &'a [P],
}

impl<S: Scores, P: Pair> Scores for Mixed<'_, S, P> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.scores.moves()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let parts = self.scores.parts(index);
        if self.values.is_empty() || parts.value == f64::INFINITY {
            return parts;
        }
        let v = f64::from(self.values[index].number()) / f64::from(WIN);
        Parts { value: (1.0 - self.weight) * parts.value + self.weight * v, ..parts }
    }

    #[inline(always)]
    fn quick_parts<L: Lanes>(&self, start: usize) -> (L, L) {
        let (value, exploration): (L, L) = self.scores.quick_parts(start);
        if self.values.is_empty() {
            return (value, exploration);
        }
        let v: L = judged_lanes(self.values, start);
        let kept = value.times(L::splat((1.0 - self.weight) as f32));
        (v.times(L::splat(self.weight as f32)).plus(kept), exploration)
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        let value = |index: usize| self.values.get(index).map(|value| value.number());
        value(one) == value(other) && self.scores.same(one, other)
    }
}

/// Hands over the scores of UCT.
#[inline(always)]
pub fn uct<U: UseScores, A: Amaf>(
    user: U,
    rule: Rule,
    total: u32,
    moves: usize,
    own: A,
) -> U::Output {
    match rule {
        Rule::Own(rule) => user.with(&OwnUctScores { rule, total, moves, own }),
        _ => user.with(&UctScores::new(rule, total, moves, own)),
    }
}

/// Hands over the scores of RAVE and GRAVE.
#[inline(always)]
pub fn rave<U: UseScores, O: Amaf, A: Amaf>(
    user: U,
    schedule: Schedule,
    c: f64,
    total: u32,
    moves: usize,
    own: O,
    amaf: A,
) -> U::Output {
    match schedule {
        Schedule::Own(schedule) => {
            user.with(&OwnRaveScores { schedule, c, total, moves, own, amaf })
        }
        Schedule::Pooled => user.with(&PooledScores::new(c, total, moves, own, amaf)),
        _ => user.with(&RaveScores::new(schedule, c, total, moves, own, amaf)),
    }
}

/// UCT: Q + exploration of the rule.
pub struct UctScores<A> {
    rule: Rule,
    total: u32,
    moves: usize,
    own: A,
    /// c sqrt(ln N), for UCB1
    spread: f32,
}

impl<A: Amaf> UctScores<A> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(rule: Rule, total: u32, moves: usize, own: A) -> UctScores<A> {
        let spread = if let Rule::Ucb1 { c } = rule { spread(c, total) } else { f32::NAN };
        UctScores { rule, total, moves, own, spread }
    }
}

impl<A: Amaf> Scores for UctScores<A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        self.rule.parts(self.total, self.own.tally(index))
    }

    /// w / n + c sqrt(ln N) sqrt(1 / n)
    #[inline(always)]
    fn quick_parts<L: Lanes>(&self, start: usize) -> (L, L) {
        let (visits, points): (L, L) = self.own.lanes(start);
        let share = L::splat(1.0).over(visits);
        (points.times(share), L::splat(self.spread).times(share.sqrt()))
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
    }
}

/// Alpha-AMAF: alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n).
pub struct AmafScores<O, A> {
    /// The weight of AMAF.
    pub alpha: f64,
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

impl<O: Amaf, A: Amaf> Scores for AmafScores<O, A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        amaf_parts(self.alpha, self.c, self.total, own, amaf)
    }
}

/// RAVE and GRAVE: (1 - beta) Q + beta Q~ + c sqrt(ln N / n).
pub struct RaveScores<O, A> {
    schedule: Schedule,
    c: f64,
    total: u32,
    moves: usize,
    own: O,
    amaf: A,
    /// c sqrt(ln N)
    spread: f32,
    /// f, where beta = n~ / (n + n~ + f n n~); else not a number.
    factor: f32,
}

impl<O: Amaf, A: Amaf> RaveScores<O, A> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(schedule: Schedule, c: f64, total: u32, moves: usize, own: O, amaf: A) -> Self {
        let factor = match schedule {
            Schedule::Bias { b } => 4.0 * b * b,
            Schedule::Slides { b } => b,
            _ => f64::NAN,
        };
        let spread = if c > 0.0 { spread(c, total) } else { 0.0 };
        RaveScores { schedule, c, total, moves, own, amaf, spread, factor: factor as f32 }
    }
}

impl<O: Amaf, A: Amaf> Scores for RaveScores<O, A> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.own.tally(index), self.amaf.tally(index));
        self.schedule.parts(self.c, self.total, own, amaf)
    }

    /// With more = 1 + f n~: 1 - beta = n more / (n more + n~), and beta = n~ / (n more + n~), so that
    /// the sum is (w more + w~) / (n more + n~): all terms positive, and one division.
    #[inline(always)]
    fn quick_parts<L: Lanes>(&self, start: usize) -> (L, L) {
        let (n, w): (L, L) = self.own.lanes(start);
        let (m, v): (L, L) = self.amaf.lanes(start);
        let more = m.times(L::splat(self.factor)).plus(L::splat(1.0));
        let value = w.times(more).plus(v).over(n.times(more).plus(m));
        let mut exploration = L::splat(0.0);
        if self.c > 0.0 {
            let share = L::splat(1.0).over(n);
            exploration = L::splat(self.spread).times(share.sqrt());
        }
        (value.where_positive(m, L::splat(f32::INFINITY)), exploration)
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
            && self.amaf.tally(one) == self.amaf.tally(other)
    }
}

/// Multi-scale RAVE: every estimate weighted by the inverse of its squared error.
pub struct MultiScaleScores<'a, P, O> {
    c: f64,
    total: u32,
    bands: usize,
    columns: NodeColumns<'a, P>,
    own: O,
    /// The squared bias by move, where it is measured by kind of move.
    bias: Option<Vec<f64>>,
}

impl<'a, P: Pair, O: Amaf> MultiScaleScores<'a, P, O> {
    /// At a node with `total` visits. `kind`: of a move.
    pub fn new(
        c: f64,
        total: u32,
        bands: usize,
        columns: NodeColumns<'a, P>,
        own: O,
        kind: Option<impl Fn(usize) -> usize>,
    ) -> MultiScaleScores<'a, P, O> {
        let bias = kind.map(|kind| {
            let kinds = (0..columns.moves()).map(|index| kind(index) + 1).max().unwrap_or(0);
            let mut sums = vec![(Tally::default(), Tally::default()); kinds];
            for index in 0..columns.moves() {
                let (all_own, amaf) = &mut sums[kind(index)];
                *all_own = all_own.plus(own.tally(index));
                *amaf = amaf.plus(columns.amaf(0).tally(index));
            }
            let bias = |index| {
                let (own, amaf) = sums[kind(index)];
                squared_bias(own, amaf)
            };
            (0..columns.moves()).map(bias).collect()
        });
        MultiScaleScores { c, total, bands, columns, own, bias }
    }
}

impl<P: Pair, O: Amaf> Scores for MultiScaleScores<'_, P, O> {
    fn moves(&self) -> usize {
        self.columns.moves()
    }

    fn parts(&self, index: usize) -> Parts {
        let amaf = (0..self.bands).map(|band| self.columns.amaf(band).tally(index));
        let bias = self.bias.as_ref().map(|by_move| by_move[index]);
        multi_scale_parts(self.c, self.total, self.own.tally(index), amaf, bias)
    }
}
