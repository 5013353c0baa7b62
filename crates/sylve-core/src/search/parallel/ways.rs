//! The ways to share a search among threads, and which searches can be shared.

use super::super::config::{Algorithm, Config, Formula, Policy, TreeConfig};

/// How threads share the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// Independent trees, tallies summed.
    Root,
    /// One tree that all change at once.
    Tree,
    /// One tree, playouts shared out.
    Batch,
}

/// Why a search cannot be shared in this way.
pub fn refusal(config: &Config, parallel: Parallel) -> Option<&'static str> {
    match (parallel, &config.algorithm) {
        (Parallel::Root, Algorithm::SequentialHalving { .. }) => {
            Some("parallel=root: the rounds of sequential_halving are one plan, not several")
        }
        (Parallel::Root, Algorithm::Flat { gamma }) if *gamma != 1.0 => {
            Some("parallel=root: flat with gamma weighs by order, and a sum has none")
        }
        (Parallel::Root, _) => None,
        (Parallel::Batch, Algorithm::Tree(TreeConfig { batch: 2.., .. })) => None,
        (Parallel::Batch, _) => {
            Some("parallel=batch needs a tree search in batches, such as uct(batch=32)")
        }
        (_, Algorithm::Tree(TreeConfig { batch: 2.., .. })) => {
            Some("parallel=tree makes no batches: use parallel=batch")
        }
        (_, Algorithm::Tree(TreeConfig { solver_nodes: 1.., .. })) => {
            Some("parallel=tree has no solver_nodes: use parallel=root")
        }
        (_, Algorithm::Tree(TreeConfig { solver_rate: 1.., .. })) => {
            Some("parallel=tree has no solver_rate: use parallel=root")
        }
        (_, Algorithm::Tree(TreeConfig { formula: Formula::MultiScale { .. }, .. })) => {
            Some("parallel=tree has no multi_scale_rave: use parallel=root")
        }
        (_, Algorithm::Tree(_)) if matches!(config.policy, Policy::Mast { .. }) => {
            Some("parallel=tree has no mast, which learns in order: use parallel=root")
        }
        (_, Algorithm::Tree(_)) if config.policy.learns() => Some(
            "parallel=tree has no policy that learns, which is in order: use parallel=root, or give it \
             learns = False if it does not look at tallies",
        ),
        (_, Algorithm::Tree(_)) => None,
        _ => Some("parallel=tree needs a tree search: use parallel=root"),
    }
}
