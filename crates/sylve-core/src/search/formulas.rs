//! Rules, schedules and formulas: a number per move. The same lines as in
//! `python/sylve/search/reference/{rules,schedules,formulas}.py`; the order of operations matters.

use super::arithmetic::{ln_of, upper_quantile};
use super::config::{Rule, Schedule};
use super::tally::Tally;
use std::iter::once;

/// Below so many samples the bias is not measured but assumed (document 002).
const FEW: u32 = 10;
/// The square of the bias, assumed (document 002).
const ASSUMED_BIAS: f64 = 0.1;
/// Of an estimate from fewer than two samples (document 002).
const NO_VARIANCE: f64 = 1.0;
/// Two estimates with squared errors below it weigh the same.
const LEAST_ERROR: f64 = 1e-10;

/// What a score is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parts {
    /// The estimate.
    pub value: f64,
    /// What is added for the unknown.
    pub exploration: f64,
    /// The weight of AMAF, where there is one.
    pub beta: Option<f64>,
}

impl Parts {
    /// Of a move that was not tried.
    #[inline(always)]
    pub fn untried(beta: Option<f64>) -> Parts {
        Parts { value: f64::INFINITY, exploration: f64::INFINITY, beta }
    }

    /// The sum.
    #[inline(always)]
    pub fn score(self) -> f64 {
        self.value + self.exploration
    }
}

/// c sqrt(ln N / n)
#[inline(always)]
pub fn exploration(c: f64, total: u32, own: Tally) -> f64 {
    c * (ln_of(total) / f64::from(own.visits)).sqrt()
}

/// c sqrt(ln N), for the quick scores
#[inline(always)]
pub fn spread(c: f64, total: u32) -> f32 {
    (c * ln_of(total).sqrt()) as f32
}

impl Rule {
    /// What an index rule adds to the mean; 0 for the rules that choose in other ways.
    #[inline(always)]
    pub fn exploration(self, total: u32, own: Tally) -> f64 {
        match self {
            Rule::Ucb1 { c } => exploration(c, total, own),
            Rule::Tuned { c, simple } => {
                let ratio = ln_of(total) / f64::from(own.visits);
                let mut v = own.variance();
                if !simple {
                    v += (2.0 * ratio).sqrt();
                }
                c * (ratio * if v < 0.25 { v } else { 0.25 }).sqrt()
            }
            Rule::Bayes { wins, losses } => {
                let lost = f64::from(own.visits - own.wins - own.draws);
                let a = wins + f64::from(own.wins) + 0.5 * f64::from(own.draws) + own.share();
                let b = losses + lost + 0.5 * f64::from(own.draws) - own.share();
                let both = a + b;
                let spread = (a * b / (both * both * (both + 1.0))).sqrt();
                a / both + upper_quantile(total + 1) * spread - own.mean()
            }
            Rule::Own(rule) => rule.exploration(total, own),
            _ => 0.0,
        }
    }

    /// The formula of UCT.
    #[inline(always)]
    pub fn parts(self, total: u32, own: Tally) -> Parts {
        if own.visits == 0 {
            return Parts::untried(None);
        }
        Parts { value: own.mean(), exploration: self.exploration(total, own), beta: None }
    }
}

impl Schedule {
    /// The weight of AMAF, given the node's visits and both tallies, neither empty.
    #[inline(always)]
    pub fn beta(self, total: u32, own: Tally, amaf: Tally) -> f64 {
        let (n, m) = (f64::from(own.visits), f64::from(amaf.visits));
        match self {
            Schedule::Hand { k } => (k / (3.0 * f64::from(total) + k)).sqrt(),
            Schedule::Bias { b } => m / (n + m + 4.0 * n * m * b * b),
            Schedule::Slides { b } => m / (n + m + b * n * m),
            Schedule::Course => m / (n + m + 4.0 * n * n * m),
            Schedule::Fixed { beta } => beta,
            Schedule::Own(schedule) => schedule.beta(total, own, amaf),
            Schedule::Mse => {
                let variance = squared_error(own);
                let denominator = variance + squared_error(amaf) + squared_bias(own, amaf);
                if denominator <= LEAST_ERROR {
                    return 0.5;
                }
                let beta = variance / denominator;
                if beta < 1.0 { beta } else { 1.0 }
            }
            Schedule::Pooled => pooled_beta(bias_ratio(once((own, amaf))), own, amaf),
        }
    }

    /// The formula of RAVE and GRAVE.
    #[inline(always)]
    pub fn parts(self, c: f64, total: u32, own: Tally, amaf: Tally) -> Parts {
        rave_parts(c, total, own, amaf, || self.beta(total, own, amaf))
    }
}

/// The formula of RAVE and GRAVE; `beta` is asked where both tallies have visits.
#[inline(always)]
pub fn rave_parts(
    c: f64,
    total: u32,
    own: Tally,
    amaf: Tally,
    beta: impl FnOnce() -> f64,
) -> Parts {
    if amaf.visits == 0 {
        return Parts::untried(Some(1.0));
    }
    if own.visits == 0 {
        let exploration = if c > 0.0 { f64::INFINITY } else { 0.0 };
        return Parts { value: amaf.mean(), exploration, beta: Some(1.0) };
    }
    let beta = beta();
    let value = (1.0 - beta) * own.mean() + beta * amaf.mean();
    Parts { value, exploration: exploration(c, total, own), beta: Some(beta) }
}

/// The schedule `pooled`, with what was measured at the node.
#[inline(always)]
pub fn pooled_beta(ratio: f64, own: Tally, amaf: Tally) -> f64 {
    let (n, m) = (f64::from(own.visits), f64::from(amaf.visits));
    let others = m - n;
    if others > 0.0 { m / (m + ratio * n * others) } else { 0.0 }
}

/// What `pooled` measures over the moves of a node, given with their AMAF tallies: the squared bias
/// of AMAF in variances of a result. The reference says why (`bias_ratio`).
#[inline(always)]
pub fn bias_ratio(moves: impl Iterator<Item = (Tally, Tally)>) -> f64 {
    let (mut wins, mut visits) = (0.0, 0.0);
    let (mut count, mut squares, mut weights) = (0.0, 0.0, 0.0);
    for (own, amaf) in moves.filter(|(own, _)| own.visits > 0) {
        let (n, m, mean) = (f64::from(own.visits), f64::from(amaf.visits), own.mean());
        visits += n;
        wins += n * mean;
        let others = m - n;
        if others > 0.0 {
            let difference = amaf.mean() - mean;
            count += 1.0;
            weights += n * others / m;
            squares += n * m / others * (difference * difference);
        }
    }
    if count == 0.0 {
        return 0.0;
    }
    let p = (wins + 1.0) / (visits + 2.0);
    let excess = squares / (p * (1.0 - p)) - count;
    if excess > LEAST_ERROR * weights { excess / weights } else { 0.0 }
}

/// The formula of alpha-AMAF.
#[inline(always)]
pub fn amaf_parts(alpha: f64, c: f64, total: u32, own: Tally, amaf: Tally) -> Parts {
    // Without AMAF samples only where threads count at once: own visits may be seen before them.
    if own.visits == 0 || amaf.visits == 0 {
        return Parts::untried(Some(alpha));
    }
    let value = alpha * amaf.mean() + (1.0 - alpha) * own.mean();
    Parts { value, exploration: exploration(c, total, own), beta: Some(alpha) }
}

/// The squared standard error of a mean; assumed below two samples.
#[inline(always)]
pub fn squared_error(tally: Tally) -> f64 {
    if tally.visits >= 2 { tally.variance_of_mean() } else { NO_VARIANCE }
}

/// The squared bias of AMAF: measured with enough samples of both, else assumed.
#[inline(always)]
pub fn squared_bias(own: Tally, amaf: Tally) -> f64 {
    if own.visits < FEW || amaf.visits < FEW {
        return ASSUMED_BIAS;
    }
    let difference = amaf.mean() - own.mean();
    difference * difference
}

/// The formula of multi-scale RAVE: all estimates weighted by the inverse of their squared errors.
///
/// `bias` is the squared bias where it is measured by kind of move; else each band measures its own.
pub fn multi_scale_parts(
    c: f64,
    total: u32,
    own: Tally,
    amaf: impl Iterator<Item = Tally>,
    bias: Option<f64>,
) -> Parts {
    let (mut value, mut weights) = (0.0, 0.0);
    for tally in amaf.filter(|tally| tally.visits > 0) {
        let error = squared_error(tally) + bias.unwrap_or_else(|| squared_bias(own, tally));
        let weight = 1.0 / if error > LEAST_ERROR { error } else { LEAST_ERROR };
        weights += weight;
        value += weight * tally.mean();
    }
    if weights == 0.0 {
        return Parts::untried(Some(1.0)); // no tally with a visit: weights are positive
    }
    if own.visits == 0 {
        let exploration = if c > 0.0 { f64::INFINITY } else { 0.0 };
        return Parts { value: value / weights, exploration, beta: Some(1.0) };
    }
    let error = squared_error(own);
    let weight = 1.0 / if error > LEAST_ERROR { error } else { LEAST_ERROR };
    value += weight * own.mean();
    Parts {
        value: value / (weights + weight),
        exploration: exploration(c, total, own),
        beta: Some(weights / (weights + weight)),
    }
}
