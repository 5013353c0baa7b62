//! A search under way, how to search, and what comes out.

use super::ordering::{History, Ply};
use super::table::Table;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A game that is won at the root; each ply that the win takes costs 1.
pub const WIN: i32 = 1_000_000;
/// The deepest search.
pub const MAX_DEPTH: u32 = 100;
/// Beyond every value.
pub(super) const INFINITE: i32 = 2 * WIN;
/// Visits between two looks at the clock; a power of two.
const LOOK: u64 = 32;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Plies to look ahead, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// When to stop; the first iteration is always completed.
    pub time: Option<Duration>,
    /// Which of the game's evaluations.
    pub evaluation: usize,
    /// Whether to find the value of every move, not only of the best.
    pub multi: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The depth of the last iteration that was completed.
    pub depth: u32,
    /// The value of the best move, for the side to move.
    pub score: i32,
    /// The first of the best moves.
    pub best: Move,
    /// The moves that lead to the value.
    pub line: Vec<Move>,
    /// The value of each move, as far as it is known.
    pub scores: Vec<Option<i32>>,
    /// Positions visited, leaves included.
    pub nodes: u64,
}

/// An evaluation that is not the game's own.
pub type Custom<'a, G> = &'a (dyn Fn(&G, &<G as Game>::State) -> i32 + Sync);

/// A search under way.
pub(super) struct Engine<'a, G: Evaluate> {
    pub game: &'a G,
    pub config: &'a Config,
    pub custom: Option<Custom<'a, G>>,
    pub table: &'a mut Table,
    /// By distance from the root.
    pub plies: Vec<Ply<G::State>>,
    pub history: History,
    /// Room for a list of moves.
    pub moves: Vec<Move>,
    pub nodes: u64,
    /// Nodes that are not leaves.
    pub visits: u64,
    pub stop: &'a AtomicBool,
    pub deadline: Option<Instant>,
    /// Time is up: what is still returned means nothing.
    pub stopped: bool,
}

impl<G: Evaluate> Engine<'_, G> {
    /// Counts a node and looks at the clock now and then; whether to stop.
    #[inline(always)]
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.visits += 1;
        if self.visits & (LOOK - 1) == 0 {
            self.stopped |= self.stop.load(Ordering::Relaxed)
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.stopped
    }

    #[inline(always)]
    pub fn evaluate(&self, state: &G::State) -> i32 {
        match self.custom {
            None => self.game.evaluate(state, self.config.evaluation),
            Some(custom) => custom(self.game, state),
        }
    }
}
