//! The numbers of a report. The Python package makes the report itself of them.

use super::formulas::Parts;
use super::tally::Tally;
use crate::game::{Move, Outcome};

/// What is known of one move of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveNumbers {
    /// Its own results.
    pub own: Tally,
    /// Its AMAF results, where the search keeps them.
    pub amaf: Option<Tally>,
    /// Its score.
    pub parts: Parts,
    /// Its mean, where that is not the mean of the tally.
    pub mean: Option<f64>,
    /// Its value that goes up the tree, where there are any.
    pub implicit: Option<u16>,
    /// The value of its virtual visits.
    pub prior: Option<u16>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Numbers {
    /// By move.
    pub moves: Vec<MoveNumbers>,
    /// By move: how the game ends after it with best play, where that is proven.
    pub proofs: Vec<Option<Outcome>>,
    /// The indices of the moves, best first.
    pub order: Vec<usize>,
    /// The principal variation.
    pub line: Vec<Move>,
    /// Simulations done.
    pub simulations: u64,
    /// Nodes, the root included.
    pub nodes: usize,
    /// The memory of the tree.
    pub bytes: usize,
    /// Whether the memory did not suffice for the whole tree.
    pub full: bool,
    /// Choices made in the tree, by all simulations together.
    pub steps: u64,
}

/// What is known of a position inside the tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Inside {
    /// Its legal moves, and what is known of each: as in [`Numbers`].
    pub moves: Vec<(Move, MoveNumbers, Option<Outcome>)>,
    /// How many simulations passed.
    pub visits: u32,
}

/// Indices by value, then mean (1/2 where there is none), then order.
pub fn order_by(values: &[f64], tallies: &[Tally], means: Option<&[f64]>) -> Vec<usize> {
    let mean = |index: usize| match means {
        Some(means) => means[index],
        None if tallies[index].visits == 0 => 0.5,
        None => tallies[index].mean(),
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| {
        let by_value = values[b].total_cmp(&values[a]);
        by_value.then(mean(b).total_cmp(&mean(a))).then(a.cmp(&b))
    });
    order
}
