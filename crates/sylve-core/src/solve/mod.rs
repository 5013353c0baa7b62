//! Exact values of positions: a solver for each game, and what they share.
//!
//! [`solve`] asks a [`Solver`] for the value of a position, of each move, and for a line of best
//! play. Tic-tac-toe and what has no solver of its own use [`plain`].

pub mod breakthrough;
mod connect_four;
mod decide;
mod hex;
pub mod othello;
pub mod plain;
mod slots;
mod solution;
mod solver;
mod values;

pub use decide::{DECIDER_BYTES, Decide, Decider};
pub(crate) use solution::SolverOf;
pub use solution::{AnySolver, Solution, Step, Want, solve};
pub(crate) use solver::value_after;
pub use solver::{LOOK, Limits, Solvable, Solver};

#[cfg(test)]
mod tests;
