//! Exact values of positions. A solver per game; what they share is here.

pub mod othello;

use crate::game::Game;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What ends a solver before it has its answer.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Set from another thread.
    pub stop: &'a AtomicBool,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Nodes to visit at most, over the life of the solver.
    pub nodes: u64,
}

impl Limits<'_> {
    /// Whether to give up now. A solver asks every few thousand nodes.
    pub fn reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Finds exact values of positions of a game, and remembers what it found.
pub trait Solver<G: Game>: Send {
    /// The largest value that a position can have; the smallest is its negation.
    fn highest(&self, game: &G) -> i32;

    /// The value for the side to move: exact if it lies between `alpha` and `beta`, else a bound on
    /// that side. `None` if a limit was reached. Also for a finished game.
    fn value(
        &mut self,
        game: &G,
        state: &G::State,
        alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32>;

    /// Positions visited so far, leaves included.
    fn nodes(&self) -> u64;
}
