//! Alpha-beta over the rules alone, for any game: the solver of small games.
//!
//! It knows nothing but the rules: moves in the order of the list, the best known one first. Its memory
//! compares whole positions, so that two of the same hash are never taken for each other.

use super::slots::Slots;
use super::{Limits, Solvable, Solver, value_after};
use crate::game::Move;

/// The memory grows until it has this many slots: some 60 MB for a Hex board of one word.
const MOST_SLOTS: usize = 1 << 20;

/// What is known of a position: its value lies between `low` and `high`.
#[derive(Clone)]
struct Entry {
    low: i32,
    high: i32,
    best: Move,
}

/// The solver.
pub struct Plain<S> {
    memory: Slots<S, Entry>,
    nodes: u64,
    /// Lists of moves to use again.
    lists: Vec<Vec<Move>>,
}

impl<S: Clone + Eq> Plain<S> {
    /// A solver that knows nothing yet; its memory takes at most so many bytes.
    pub fn within(bytes: usize) -> Plain<S> {
        Plain { memory: Slots::new(MOST_SLOTS, bytes), nodes: 0, lists: Vec::new() }
    }

    fn search<G: Solvable<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        mut alpha: i32,
        mut beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        self.nodes += 1;
        if limits.reached_at(self.nodes) {
            return None;
        }
        if let Some(value) = game.final_value(state) {
            return Some(value);
        }
        let hash = game.hash(state);
        let (mut low, mut high) = (-game.highest_value(), game.highest_value());
        let mut guess = None;
        if let Some(entry) = self.memory.get(hash, state) {
            (low, high, guess) = (entry.low, entry.high, Some(entry.best));
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return Some(if low == high || low >= beta { low } else { high });
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        game.moves(state, &mut moves);
        if let Some(at) = guess.and_then(|guess| moves.iter().position(|&mv| mv == guess)) {
            moves[..=at].rotate_right(1);
        }
        let mover = game.turn(state);
        let (mut best, mut best_value) = (moves[0], i32::MIN);
        for &mv in &moves {
            let mut next = state.clone();
            game.play(&mut next, mv);
            let floor = alpha.max(best_value);
            let value = value_after(game, mover, &next, floor, beta, |alpha, beta| {
                self.search(game, &next, alpha, beta, limits)
            });
            let Some(value) = value else {
                self.lists.push(moves);
                return None;
            };
            if value > best_value {
                (best, best_value) = (mv, value);
            }
            if best_value >= beta {
                break;
            }
        }
        self.lists.push(moves);
        // At or above beta it is a lower bound, at or below alpha an upper one, else exact.
        if best_value > alpha {
            low = low.max(best_value);
        }
        if best_value < beta {
            high = high.min(best_value);
        }
        let entry = Entry { low, high, best };
        self.memory.put(hash, state.clone(), entry, |state| game.hash(state));
        Some(best_value)
    }
}

impl<G: Solvable> Solver<G> for Plain<G::State> {
    fn value(
        &mut self,
        game: &G,
        state: &G::State,
        alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        if limits.reached(self.nodes) {
            return None;
        }
        self.search(game, state, alpha, beta, limits)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn guess(&mut self, game: &G, state: &G::State) -> Option<Move> {
        self.memory.get(game.hash(state), state).map(|entry| entry.best)
    }
}
