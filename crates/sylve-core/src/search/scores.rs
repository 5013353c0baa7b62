//! The formulas at a node: exact for every search, and quick (see `screen.rs`) for UCB1 and for RAVE
//! and GRAVE with the schedules that have a closed form.

use super::arithmetic::ln_of;
use super::config::{Formula, Rule, Schedule};
use super::formulas::{Parts, amaf_parts, multi_scale_parts, squared_bias};
use super::pairs::Pair;
use super::screen::{LANES, Lanes, Scores};
use super::store::{Column, Look, LookColumn, Store, View};
use super::tally::Tally;
use crate::game::{Game, Player};
use std::array::from_fn;

/// Where a formula is asked for scores.
pub struct AtNode<'a, G> {
    /// The game.
    pub game: &'a G,
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
}

/// What to do with the scores of a node.
pub trait UseScores {
    /// What comes out.
    type Output;
    /// Do it.
    fn with<S: Scores>(self, scores: &S) -> Self::Output;
}

impl<G: Game> AtNode<'_, G> {
    /// Makes the scores of the node and hands them over.
    #[inline(always)]
    pub fn scores<U: UseScores>(&self, user: U) -> U::Output {
        self.store.look(self.node, MakeScores { at: self, user })
    }
}

struct MakeScores<'a, G, U> {
    at: &'a AtNode<'a, G>,
    user: U,
}

impl<G: Game, U: UseScores> Look for MakeScores<'_, G, U> {
    type Output = U::Output;

    #[inline(always)]
    fn look<P: Pair>(self, view: View<'_, P>) -> U::Output {
        let AtNode { game, store, codes, player, .. } = *self.at;
        let total = store.node(self.at.node).visits;
        match self.at.formula {
            Formula::Uct(rule) => self.user.with(&UctScores::new(*rule, total, view)),
            Formula::Amaf { alpha, c } => {
                self.user.with(&AmafScores { alpha: *alpha, c: *c, total, view })
            }
            Formula::Rave { schedule, c } => {
                let (own, amaf) = (view.own(), view.amaf(0));
                self.user.with(&RaveScores::new(*schedule, *c, total, own, amaf))
            }
            Formula::Grave { schedule, c, .. } => {
                let (own, user) = (view.own(), self.user);
                let look =
                    MakeGrave { schedule: *schedule, c: *c, total, own, codes, player, user };
                store.look_table(self.at.reference, look)
            }
            Formula::MultiScale { by_kind, c, limits } => {
                let kind = |index: usize| game.kind(usize::from(codes[index]));
                let kinds = by_kind.then(|| (game.kinds(), kind));
                let bands = 1 + limits.len();
                self.user.with(&MultiScaleScores::new(*c, total, bands, view, kinds))
            }
        }
    }
}

struct MakeGrave<'a, P, U> {
    schedule: Schedule,
    c: f64,
    total: u32,
    own: Column<'a, P>,
    codes: &'a [u16],
    player: Player,
    user: U,
}

impl<P: Pair, U: UseScores> LookColumn for MakeGrave<'_, P, U> {
    type Output = U::Output;

    #[inline(always)]
    fn look<Q: Pair>(self, table: Column<'_, Q>) -> U::Output {
        let amaf = Reference { table, codes: self.codes, player: self.player };
        self.user.with(&RaveScores::new(self.schedule, self.c, self.total, self.own, amaf))
    }
}

/// Visits and points (wins, and half of the draws) of neighbouring moves.
#[inline(always)]
fn lanes<P: Pair>(column: &Column<'_, P>, start: usize) -> (Lanes, Lanes) {
    let pairs = &column.pairs[start..start + LANES];
    let visits = from_fn(|lane| pairs[lane].visits() as f32);
    let mut points: Lanes = from_fn(|lane| pairs[lane].wins() as f32);
    if !column.draws.is_empty() {
        let draws = &column.draws[start..start + LANES];
        points = from_fn(|lane| points[lane] + 0.5 * draws[lane].visits() as f32);
    }
    (visits, points)
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
    pub fn new(rule: Rule, total: u32, view: View<'a, P>) -> UctScores<'a, P> {
        let spread = if let Rule::Ucb1 { c } = rule { spread(c, total) } else { f32::NAN };
        UctScores { rule, total, own: view.own(), spread }
    }
}

#[inline(always)]
fn spread(c: f64, total: u32) -> f32 {
    (c * ln_of(total).sqrt()) as f32
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
    fn quick(&self, start: usize) -> Lanes {
        let (visits, points) = lanes(&self.own, start);
        from_fn(|lane| {
            let share = 1.0 / visits[lane];
            points[lane] * share + self.spread * share.sqrt()
        })
    }

    #[inline(always)]
    fn same(&self, one: usize, other: usize) -> bool {
        self.own.tally(one) == self.own.tally(other)
    }
}

/// Alpha-AMAF: alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n).
pub struct AmafScores<'a, P> {
    /// The weight of AMAF.
    pub alpha: f64,
    /// The constant.
    pub c: f64,
    /// The visits of the node.
    pub total: u32,
    /// Its tallies.
    pub view: View<'a, P>,
}

impl<P: Pair> Scores for AmafScores<'_, P> {
    #[inline(always)]
    fn moves(&self) -> usize {
        self.view.moves()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.view.own().tally(index), self.view.amaf(0).tally(index));
        amaf_parts(self.alpha, self.c, self.total, own, amaf)
    }
}

/// Where the AMAF tallies of a node's moves are.
pub trait Amaf {
    /// That of a move.
    fn tally(&self, index: usize) -> Tally;
    /// Visits and points of neighbouring moves.
    fn lanes(&self, start: usize) -> (Lanes, Lanes);
}

/// RAVE: at the node itself.
impl<P: Pair> Amaf for Column<'_, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        Column::tally(self, index)
    }

    #[inline(always)]
    fn lanes(&self, start: usize) -> (Lanes, Lanes) {
        lanes(self, start)
    }
}

/// GRAVE: in the reference's table, by code, seen by the player to move.
pub struct Reference<'a, P> {
    /// The table, for the first player.
    pub table: Column<'a, P>,
    /// The codes of the moves.
    pub codes: &'a [u16],
    /// Who moves at the node.
    pub player: Player,
}

impl<P: Pair> Amaf for Reference<'_, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        let tally = self.table.tally(usize::from(self.codes[index]));
        if self.player == Player::First { tally } else { tally.of_second() }
    }

    #[inline(always)]
    fn lanes(&self, start: usize) -> (Lanes, Lanes) {
        let codes = &self.codes[start..start + LANES];
        let at: [usize; LANES] = from_fn(|lane| usize::from(codes[lane]));
        let pairs: [P; LANES] = from_fn(|lane| self.table.pairs[at[lane]]);
        let visits = from_fn(|lane| pairs[lane].visits() as f32);
        let mut draws = [0; LANES];
        if !self.table.draws.is_empty() {
            draws = from_fn(|lane| self.table.draws[at[lane]].visits());
        }
        // Whole numbers are subtracted before they are rounded.
        let wins: [u32; LANES] = match self.player {
            Player::First => from_fn(|lane| pairs[lane].wins()),
            Player::Second => {
                from_fn(|lane| pairs[lane].visits() - pairs[lane].wins() - draws[lane])
            }
        };
        let mut points: Lanes = from_fn(|lane| wins[lane] as f32);
        if !self.table.draws.is_empty() {
            points = from_fn(|lane| points[lane] + 0.5 * draws[lane] as f32);
        }
        (visits, points)
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
    /// The beta of `hand`: the same for all moves.
    hand: f64,
}

impl<'a, P: Pair, A: Amaf> RaveScores<'a, P, A> {
    /// At a node with `total` visits.
    #[inline(always)]
    pub fn new(schedule: Schedule, c: f64, total: u32, own: Column<'a, P>, amaf: A) -> Self {
        let hand = match schedule {
            Schedule::Hand { .. } => schedule.beta(total, Tally::default(), Tally::default()),
            _ => 0.0,
        };
        let spread = if c > 0.0 { spread(c, total) } else { 0.0 };
        RaveScores { schedule, c, total, own, amaf, spread, hand }
    }

    /// (1 - beta) Q + beta Q~
    ///
    /// All schedules but two are beta = m / (n + m + n t), n = own visits, m = those of AMAF. With it
    /// 1 - beta = n (1 + t) / (n + m + n t), and the sum of both terms has a single division.
    #[inline(always)]
    fn quick_value(&self, own: (Lanes, Lanes), amaf: (Lanes, Lanes)) -> Lanes {
        let ((n, w), (m, v)) = (own, amaf);
        let with = |t: Lanes| {
            from_fn(|lane| {
                let more = 1.0 + t[lane];
                (w[lane] * more + v[lane]) / (n[lane] * more + m[lane])
            })
        };
        match self.schedule {
            Schedule::Bias { b } => {
                let factor = (4.0 * b * b) as f32;
                with(m.map(|m| factor * m))
            }
            Schedule::Slides { b } => {
                let factor = b as f32;
                with(m.map(|m| factor * m))
            }
            Schedule::Course => with(from_fn(|lane| 4.0 * n[lane] * m[lane])),
            Schedule::Hand { .. } => {
                let (rest, beta) = ((1.0 - self.hand) as f32, self.hand as f32);
                from_fn(|lane| {
                    let both = rest * (w[lane] / n[lane]) + beta * (v[lane] / m[lane]);
                    if n[lane] > 0.0 { both } else { v[lane] / m[lane] }
                })
            }
            Schedule::Mse => [f32::NAN; LANES],
        }
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

    #[inline(always)]
    fn quick(&self, start: usize) -> Lanes {
        let (own, amaf) = (lanes(&self.own, start), self.amaf.lanes(start));
        let mut scores = self.quick_value(own, amaf);
        if self.c > 0.0 {
            scores = from_fn(|lane| scores[lane] + self.spread * (1.0 / own.0[lane]).sqrt());
        }
        from_fn(|lane| if amaf.0[lane] > 0.0 { scores[lane] } else { f32::INFINITY })
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
    view: View<'a, P>,
    /// The squared bias by move, where it is measured by kind of move.
    bias: Option<Vec<f64>>,
}

impl<'a, P: Pair> MultiScaleScores<'a, P> {
    /// At a node with `total` visits. `kinds`: how many, and that of each move.
    pub fn new(
        c: f64,
        total: u32,
        bands: usize,
        view: View<'a, P>,
        kinds: Option<(usize, impl Fn(usize) -> usize)>,
    ) -> MultiScaleScores<'a, P> {
        let bias = kinds.map(|(kinds, kind)| {
            let mut sums = vec![(Tally::default(), Tally::default()); kinds];
            for index in 0..view.moves() {
                let (own, amaf) = &mut sums[kind(index)];
                *own = own.plus(view.own().tally(index));
                *amaf = amaf.plus(view.amaf(0).tally(index));
            }
            let bias = |index| {
                let (own, amaf) = sums[kind(index)];
                squared_bias(own, amaf)
            };
            (0..view.moves()).map(bias).collect()
        });
        MultiScaleScores { c, total, bands, view, bias }
    }
}

impl<P: Pair> Scores for MultiScaleScores<'_, P> {
    fn moves(&self) -> usize {
        self.view.moves()
    }

    fn parts(&self, index: usize) -> Parts {
        let amaf = (0..self.bands).map(|band| self.view.amaf(band).tally(index));
        let bias = self.bias.as_ref().map(|by_move| by_move[index]);
        multi_scale_parts(self.c, self.total, self.view.own().tally(index), amaf, bias)
    }
}
