//! Monte Carlo search: the engine. The same algorithms to read: `python/sylve/search/`.
//!
//! [`Searcher`] runs any [`Config`] on any game; `tree.rs` has the loop, [`formulas`] the formulas.

mod amaf;
mod any_searcher;
pub mod arithmetic;
mod bandits;
mod batch;
pub mod bytes;
mod columns;
pub mod config;
mod descent;
pub mod formulas;
mod judge_node;
pub mod judging;
mod node;
pub mod own;
mod own_scores;
mod pairs;
pub mod parallel;
mod policies;
mod pooled_scores;
mod pools;
mod proofs;
mod record;
mod report;
mod root;
mod saved;
mod scores;
mod screen;
mod searcher;
mod serial_view;
pub mod shared;
pub mod spin_barrier;
mod statistics;
mod store;
pub mod sync;
pub mod tally;
mod tree;
mod tree_view;
pub mod units;
mod visited_codes;

pub use any_searcher::AnySearcher;
pub use config::Config;
pub use descent::MOST_WAITING;
pub use report::{Inside, MoveNumbers, Numbers};
pub use searcher::Searcher;
pub use tree_view::TreeView;
