//! Solvers inside of searches: a tree need not grow below a position that is decided.

use super::{Limits, Solvable, Solver};
use crate::game::{Game, Outcome};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the solver of a search remembers at most, also without a bound of the memory: to make a larger table
/// takes longer than a search may be late. The same in `python/sylve/solve.py`.
pub const DECIDER_BYTES: usize = 16 << 20;

/// Says how the game ends from a position with best play, if that is found out quickly.
pub trait Decide<G: Game>: Send + Sync {
    /// `None` if so many nodes do not tell, or if it is told to give up. The position is not the end of
    /// the game.
    fn decide(&mut self, game: &G, state: &G::State, nodes: u64) -> Option<Outcome>;
}

/// A solver for many positions. It remembers: asked about the same positions in the
/// same order, it gives the same answers.
pub struct Decider<G: Solvable> {
    solver: Box<dyn Solver<G>>,
    give_up: Arc<AtomicBool>,
}

impl<G: Solvable> Decider<G> {
    /// One that knows nothing yet and remembers within so many bytes. While `give_up` is set it decides
    /// nothing, and a question that is under way then ends: the search that asks is over.
    pub fn new(game: &G, bytes: usize, give_up: Arc<AtomicBool>) -> Decider<G> {
        Decider { solver: game.solver(bytes), give_up }
    }
}

impl<G: Solvable> Decide<G> for Decider<G> {
    fn decide(&mut self, game: &G, state: &G::State, nodes: u64) -> Option<Outcome> {
        let turn = game.turn(state);
        Some(match winner(game, state, &mut *self.solver, nodes, &self.give_up)? {
            1.. => Outcome::Win(turn),
            0 => Outcome::Draw,
            _ => Outcome::Win(turn.other()),
        })
    }
}

/// The sign of the value, which takes less than the value: 1 if the side to move wins, 0, or -1.
pub(super) fn winner<G: Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut dyn Solver<G>,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<i32> {
    let limits = Limits { stop, deadline: None, nodes: solver.nodes().saturating_add(nodes) };
    let value = match game.final_value(state) {
        Some(value) => value,
        None => solver.value(game, state, -1, 1, &limits)?,
    };
    Some(value.signum())
}
