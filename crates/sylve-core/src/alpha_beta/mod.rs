//! Alpha-beta: the value of minimax at a fixed depth, with few of its nodes.
//!
//! Negamax with iterative deepening, principal variation search, a transposition table and move
//! ordering. Nothing is left out on suspicion: the value is that of plain minimax, whatever the
//! size of the table. The algorithm to read is `python/sylve/search/reference/alpha_beta.py`.

mod deepening;
mod engine;
mod ordering;
pub mod table;
mod visit;

pub use deepening::alpha_beta;
pub use engine::{Answer, Config, Custom, MAX_DEPTH, WIN};

#[cfg(test)]
mod tests;
