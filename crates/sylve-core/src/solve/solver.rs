//! What a solver is, what ends it, and what a game must say to be solved.

use crate::game::{Game, Move, Outcome, Player};
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

/// How many nodes lie between two looks at the clock and at `stop`.
pub const LOOK: u64 = 1 << 12;

impl Limits<'_> {
    /// Whether to give up, asked at every node: the clock is not looked at each time.
    #[inline(always)]
    pub fn reached_at(&self, nodes: u64) -> bool {
        nodes >= self.nodes || nodes & (LOOK - 1) == 0 && self.reached(nodes)
    }

    /// Whether to give up now.
    pub fn reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Finds exact values of positions of a game, and remembers what it found.
pub trait Solver<G: Solvable>: Send + Sync {
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

    /// A move that is probably best in a position whose value was just found; tried first.
    fn guess(&mut self, _game: &G, _state: &G::State) -> Option<Move> {
        None
    }
}

/// The value of the position after a move for `mover`, who made it; so is the window.
///
/// In some games the same player moves again.
pub(crate) fn value_after<G: Game>(
    game: &G,
    mover: Player,
    next: &G::State,
    alpha: i32,
    beta: i32,
    value: impl FnOnce(i32, i32) -> Option<i32>,
) -> Option<i32> {
    if game.turn(next) == mover {
        return value(alpha, beta);
    }
    value(-beta, -alpha).map(|value| -value)
}

/// A game that can be solved: what its ends are worth, and by which solver.
pub trait Solvable: Game + Sized + 'static {
    /// What a finished game is worth to the side to move; `None` while it goes on.
    fn final_value(&self, state: &Self::State) -> Option<i32> {
        self.outcome(state).map(|outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == self.turn(state) => 1,
            Outcome::Win(_) => -1,
        })
    }

    /// No final value is larger; none is smaller than its negation.
    fn highest_value(&self) -> i32 {
        1
    }

    /// A solver that knows nothing yet. What it remembers takes at most so many bytes.
    fn solver(&self, bytes: usize) -> Box<dyn Solver<Self>>;
}
