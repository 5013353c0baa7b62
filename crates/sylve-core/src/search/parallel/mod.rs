//! Searches on several threads. docs/searcher.md says which to use when.

mod independent;
mod shared_tree;
mod ways;

pub use independent::IndependentSearcher;
pub use shared_tree::SharedTreeSearcher;
pub use ways::{Parallel, refusal};

#[cfg(test)]
mod tests;
