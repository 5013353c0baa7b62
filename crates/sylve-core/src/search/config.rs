//! What is searched for and how: plain data, filled by the binding. Papers and advice are in the
//! Python classes of the same names (`python/sylve/search/`).

use super::judging::Judgement;
use super::own::Own;
use super::units::Counting;
use crate::guide::Guide;

/// A bandit rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// mean + c sqrt(ln N / n)
    Ucb1 {
        /// The constant.
        c: f64,
    },
    /// mean + c sqrt(ln N / n * min(1/4, V))
    Tuned {
        /// The constant.
        c: f64,
        /// V without its second term.
        simple: bool,
    },
    /// A quantile of the Beta posterior.
    Bayes {
        /// The prior's wins.
        wins: f64,
        /// The prior's losses.
        losses: f64,
    },
    /// A random move with probability e, else the best mean.
    Epsilon {
        /// The probability.
        e: f64,
    },
    /// The same with e = min(1, c K / (d^2 N)).
    DecayingEpsilon {
        /// The factor.
        c: f64,
        /// The gap.
        d: f64,
    },
    /// A draw from each Beta posterior.
    Thompson {
        /// The prior's wins.
        wins: f64,
        /// The prior's losses.
        losses: f64,
    },
    /// UCB1 on tallies that shrink at each step.
    Discounted {
        /// The factor of a step.
        gamma: f64,
        /// The constant.
        c: f64,
    },
    /// mean + what a user's own rule adds
    Own(Own),
    /// The move that a user's own rule chooses.
    OwnChoice(Own),
}

/// A schedule for beta.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// sqrt(k / (3 N + k))
    Hand {
        /// The equivalence parameter.
        k: f64,
    },
    /// n~ / (n + n~ + 4 n n~ b^2)
    Bias {
        /// The bias.
        b: f64,
    },
    /// n~ / (n + n~ + b n n~)
    Slides {
        /// The constant.
        b: f64,
    },
    /// n~ / (n + n~ + 4 n^2 n~)
    Course,
    /// beta itself
    Fixed {
        /// The weight.
        beta: f64,
    },
    /// s^2 / (s^2 + s~^2 + b~^2)
    Mse,
    /// n~ / (n~ + r n (n~ - n)), r measured over the moves of the node
    Pooled,
    /// A user's own.
    Own(Own),
}

/// Which moves of a simulation count for the AMAF of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// All of them.
    Course,
    /// Those from the node on.
    Suffix,
}

/// How a simulation goes on once it has left the tree.
#[derive(Clone, PartialEq, Debug)]
pub enum Policy {
    /// Every move alike.
    Uniform,
    /// Take a win in one, leave none.
    Decisive,
    /// Epsilon-greedy on the mean of each code.
    Mast {
        /// The probability of a random move.
        epsilon: f64,
    },
    /// In proportion to a weight per code.
    Weighted {
        /// By code.
        weights: Vec<u32>,
    },
    /// In proportion to the product of the weights of what a move does.
    Featured {
        /// By feature.
        weights: Vec<u32>,
    },
    /// So many moves by another policy, then an evaluation says the result.
    Cut {
        /// The number of moves.
        plies: usize,
        /// The evaluation.
        judgement: Judgement,
        /// Chooses the moves.
        then: Box<Policy>,
    },
    /// Save a bridge that the last stone intruded into, else as another one.
    Bridge {
        /// The other one.
        then: Box<Policy>,
    },
    /// Go: round the last move.
    Guided(Guide),
    /// One of two, by a draw at every ply.
    Mix {
        /// The probability of the first.
        p: f64,
        /// The first.
        first: Box<Policy>,
        /// The second.
        second: Box<Policy>,
    },
    /// A user's own.
    Own(Own),
}

impl Policy {
    /// How the results of its playouts are counted.
    pub fn counting(&self) -> Counting {
        match self {
            Policy::Cut { .. } => Counting::Estimates,
            _ => Counting::Outcomes,
        }
    }

    /// Whether it looks at the results of codes.
    pub fn learns(&self) -> bool {
        match self {
            Policy::Mast { .. } => true,
            Policy::Own(own) => own.learns(),
            Policy::Cut { then, .. } => then.learns(),
            Policy::Bridge { then } => then.learns(),
            Policy::Mix { first, second, .. } => first.learns() || second.learns(),
            _ => false,
        }
    }
}

/// The formula of a tree search.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// Q + exploration of the rule.
    Uct(Rule),
    /// alpha Q~ + (1 - alpha) Q + c sqrt(ln N / n)
    Amaf {
        /// The weight of AMAF.
        alpha: f64,
        /// The constant.
        c: f64,
    },
    /// (1 - beta) Q + beta Q~ + c sqrt(ln N / n)
    Rave {
        /// Of beta.
        schedule: Schedule,
        /// The constant.
        c: f64,
    },
    /// The same with the AMAF tallies of an ancestor.
    Grave {
        /// Of beta.
        schedule: Schedule,
        /// The constant.
        c: f64,
        /// The playouts that make an ancestor a reference.
        reference: u32,
    },
    /// Several AMAF tallies a move, weighted by their squared errors.
    MultiScale {
        /// The distances at which a new band begins.
        limits: Vec<u32>,
        /// Bias measured by kind of move.
        by_kind: bool,
        /// The constant.
        c: f64,
    },
}

/// A search.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Every move the same number of playouts.
    Flat {
        /// The weight of older results.
        gamma: f64,
    },
    /// Playouts from the position; codes count wherever played.
    FlatAmaf,
    /// A bandit at the root.
    Ucb(Rule),
    /// Rounds, halving the moves.
    SequentialHalving {
        /// The whole budget.
        playouts: u64,
    },
    /// One of the tree searches.
    Tree(TreeConfig),
}

/// Virtual visits, which every move of a node has from the beginning.
#[derive(Clone, PartialEq, Debug)]
pub enum Prior {
    /// None.
    None,
    /// Their results are those of the evaluation.
    Heuristic {
        /// How many.
        visits: u32,
    },
    /// Their results are in proportion to a weight per code.
    Preferred {
        /// How many.
        visits: u32,
        /// By code.
        weights: Vec<u32>,
    },
}

impl Prior {
    /// How many visits a move begins with.
    pub fn visits(&self) -> u32 {
        match self {
            Prior::None => 0,
            Prior::Heuristic { visits } | Prior::Preferred { visits, .. } => *visits,
        }
    }
}

/// A tree search.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeConfig {
    /// Its formula.
    pub formula: Formula,
    /// Which moves count for AMAF.
    pub update: Update,
    /// Whether a position reached in two ways is one node.
    pub transpositions: bool,
    /// Whether ends of the game prove moves.
    pub solver: bool,
    /// Nodes in which the exact solver may decide a new position; 0: it is not asked.
    pub solver_nodes: u64,
    /// Nodes for each visit in which it may decide a position that is visited often; 0: it is not asked.
    pub solver_rate: u64,
    /// At which visit a position gets its node.
    pub expand: u32,
    /// Descents before their playouts.
    pub batch: usize,
    /// Threads that make the playouts of a batch.
    pub threads: usize,
    /// Bytes that the tree may take.
    pub memory: usize,
    /// The weight of the evaluations that go up the tree (implicit minimax); 0: none do.
    pub implicit: f64,
    /// Virtual visits.
    pub prior: Prior,
    /// By what moves are judged, for both.
    pub judgement: Judgement,
    /// How results are counted: as the policy of the search needs it.
    pub counting: Counting,
}

impl TreeConfig {
    /// The addresses of the narrowest counters end at 8 GiB (see `pools.rs`): a tree stops growing before.
    pub const MOST_MEMORY: usize = 7 << 30;

    /// A formula with what it has by default.
    pub fn new(formula: Formula) -> TreeConfig {
        TreeConfig {
            formula,
            update: Update::Course,
            transpositions: true,
            solver: true,
            solver_nodes: 0,
            solver_rate: 0,
            expand: 2,
            batch: 1,
            threads: 1,
            memory: TreeConfig::MOST_MEMORY,
            implicit: 0.0,
            prior: Prior::None,
            judgement: Judgement { evaluation: 0, scale: 1.0 },
            counting: Counting::Outcomes,
        }
    }
}

/// A search with what all searches have.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How.
    pub algorithm: Algorithm,
    /// The playouts.
    pub policy: Policy,
    /// The seed.
    pub seed: u64,
}
