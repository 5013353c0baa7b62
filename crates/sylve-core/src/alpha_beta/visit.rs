//! One position of the search: negamax with principal variation search.
//!
//! A value is for the side to move at its own position. Whether that side is the one who moved before
//! is asked of the game: in some games a player moves twice in a row.

use super::engine::{Engine, INFINITE, MAX_DEPTH, WIN};
use super::ordering::{killed, pick};
use super::table::{Bound, Entry};
use crate::cpu::{Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Move, Outcome, Player};

/// From this depth on the game is asked which moves promise most: below, asking costs more.
const PROMISING: u32 = 3;

/// A visit to a position, at least one ply above the leaves.
///
/// It is a [`Work`] because a recursive function cannot be inlined into the compilation for this
/// processor: each level calls the next through [`Cpu::call`].
pub(super) struct Visit<'a, 'b, G: Evaluate> {
    pub engine: &'a mut Engine<'b, G>,
    pub state: &'a G::State,
    /// Plies left; at least 1.
    pub depth: u32,
    /// Plies from the root.
    pub ply: usize,
    pub alpha: i32,
    pub beta: i32,
}

impl<G: Evaluate> Work for Visit<'_, '_, G> {
    /// The value for the side to move: exact between alpha and beta, else a bound on that side.
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let Visit { engine, state, depth, ply, mut alpha, beta } = self;
        engine.plies[ply].line.clear();
        if engine.count_node() {
            return 0; // nobody reads it
        }
        let mover = engine.game.turn(state);
        if let Some(outcome) = engine.game.outcome(state) {
            return ended(outcome, mover, ply);
        }
        let (key, narrow) = (engine.game.hash(state), beta - alpha == 1);
        let known = engine.table.find(key);
        // Only where the window is narrow: elsewhere the whole line is wanted.
        if let Some(value) =
            known.filter(|_| narrow).and_then(|entry| cut(entry, depth, ply, alpha, beta))
        {
            return value;
        }

        let mut moves = std::mem::take(&mut engine.moves);
        engine.game.moves(state, &mut moves);
        let place = &mut engine.plies[ply];
        let known = known.map(|entry| entry.mv);
        engine.history.fill(engine.game, state, &moves, known, place, depth >= PROMISING);
        engine.moves = moves;
        let mut candidates = std::mem::take(&mut engine.plies[ply].candidates);

        let (before, mut best, mut best_move) = (alpha, -INFINITE, candidates[0].mv);
        for index in 0..candidates.len() {
            pick(&mut candidates, index);
            let (mv, after) = (candidates[index].mv, &candidates[index].after);
            let value = if depth == 1 {
                engine.leaf(mover, after, ply + 1)
            } else if index == 0 {
                engine.reply::<C>(mover, after, depth, ply, alpha, beta)
            } else {
                let value = engine.reply::<C>(mover, after, depth, ply, alpha, alpha + 1);
                if value > alpha && value < beta {
                    engine.reply::<C>(mover, after, depth, ply, alpha, beta)
                } else {
                    value
                }
            };
            if value > best {
                (best, best_move) = (value, mv);
            }
            if value > alpha {
                alpha = value;
                if alpha >= beta {
                    engine.history.refuted(engine.game.code(state, mv), depth);
                    killed(&mut engine.plies[ply], mv);
                    break;
                }
                engine.keep_line(ply, mv, depth);
            }
        }
        engine.plies[ply].candidates = candidates;
        if !engine.stopped {
            let bound = match best {
                _ if best <= before => Bound::Upper,
                _ if best >= beta => Bound::Lower,
                _ => Bound::Exact,
            };
            let value = to_table(best, ply);
            engine.table.insert(key, Entry { value, depth, bound, mv: best_move });
        }
        best
    }
}

impl<G: Evaluate> Engine<'_, G> {
    /// The value of the position after a move for `mover`, who made it; so is the window.
    #[inline(always)]
    pub(super) fn reply<C: Cpu>(
        &mut self,
        mover: Player,
        after: &G::State,
        depth: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 1 {
            return self.leaf(mover, after, ply + 1);
        }
        let (depth, ply) = (depth - 1, ply + 1);
        if self.game.turn(after) == mover {
            return C::call(Visit { engine: self, state: after, depth, ply, alpha, beta });
        }
        -C::call(Visit { engine: self, state: after, depth, ply, alpha: -beta, beta: -alpha })
    }

    /// The value of a position at the end of the search for `mover`, who moved there.
    #[inline(always)]
    fn leaf(&mut self, mover: Player, state: &G::State, ply: usize) -> i32 {
        self.nodes += 1;
        match self.game.outcome(state) {
            Some(outcome) => ended(outcome, mover, ply),
            None if self.game.turn(state) == mover => self.evaluate(state),
            None => -self.evaluate(state),
        }
    }

    /// The move, then the line of the ply below.
    #[inline(always)]
    pub(super) fn keep_line(&mut self, ply: usize, mv: Move, depth: u32) {
        let (here, below) = self.plies.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(mv);
        if depth > 1 {
            line.extend_from_slice(&below[0].line);
        }
    }
}

/// The value of a finished game for a player: a quick win is better than a slow one.
#[inline(always)]
fn ended(outcome: Outcome, player: Player, ply: usize) -> i32 {
    match outcome.points(player) {
        0 => -(WIN - ply as i32),
        1 => 0,
        _ => WIN - ply as i32,
    }
}

/// Whether a value is a win or a loss for certain.
#[inline(always)]
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= WIN - MAX_DEPTH as i32
}

/// In the table wins are counted from the position itself, in the search from the root.
#[inline(always)]
fn to_table(value: i32, ply: usize) -> i32 {
    if is_proven(value) { value + value.signum() * ply as i32 } else { value }
}

/// The value of a position by an entry of the table, if the entry decides it.
///
/// Only an entry of the same depth does, so that the value is that of minimax; or one that is
/// certain within the depth: a win in so many plies stays one, however deep one looks.
#[inline(always)]
fn cut(entry: Entry, depth: u32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = entry.value;
    let (lower, upper) = (entry.bound != Bound::Upper, entry.bound != Bound::Lower);
    let certain = WIN - depth as i32;
    let usable = entry.depth == depth || lower && value >= certain || upper && value <= -certain;
    let value = if is_proven(value) { value - value.signum() * ply as i32 } else { value };
    (usable && (lower && value >= beta || upper && value <= alpha)).then_some(value)
}
