//! Alpha-beta: the value of minimax at a fixed depth, with few of its nodes.
//!
//! Negamax with iterative deepening, principal variation search, a transposition table and move
//! ordering. Nothing is left out on suspicion: the value is that of plain minimax, whatever the
//! size of the table. The algorithm to read is `python/sylve/search/reference/alpha_beta.py`.

mod ordering;
pub mod table;
mod visit;

use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::Move;
use ordering::{History, Ply};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use table::Table;
use visit::is_proven;

/// A game that is won at the root; each ply that the win takes costs 1.
pub const WIN: i32 = 1_000_000;
/// The deepest search.
pub const MAX_DEPTH: u32 = 100;
/// Beyond every value.
const INFINITE: i32 = 2 * WIN;
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
pub type Custom<'a, G> = &'a (dyn Fn(&G, &<G as crate::Game>::State) -> i32 + Sync);

/// Searches `state` among `moves`, of which there is at least one. `None` if `stop` was set.
pub fn alpha_beta<G: Evaluate>(
    game: &G,
    state: &G::State,
    moves: &[Move],
    config: &Config,
    custom: Option<Custom<'_, G>>,
    table: &mut Table,
    stop: &AtomicBool,
) -> Option<Answer> {
    let plies = (0..=config.depth as usize + 1).map(|_| Ply::new()).collect();
    let mut engine = Engine {
        game,
        config,
        custom,
        table,
        plies,
        history: History::new(game.codes()),
        moves: Vec::new(),
        nodes: 0,
        visits: 0,
        stop,
        deadline: None,
        stopped: false,
    };
    let began = Instant::now();
    let mut order: Vec<usize> = (0..moves.len()).collect();
    let mut answer: Option<Answer> = None;
    for depth in 1..=config.depth {
        let work = Iteration { engine: &mut engine, state, moves, order: &order, depth };
        let Some(found) = cpu::run(work) else { break };
        let scores = &found.scores;
        let settled = match config.multi {
            true => scores.iter().all(|score| score.is_some_and(is_proven)),
            false => is_proven(found.score),
        };
        // The best move first, next time.
        let best = moves.iter().position(|&mv| mv == found.best).expect("one of the moves");
        order.sort_by_key(|&index| (index != best, -scores[index].unwrap_or(0)));
        answer = Some(found);
        engine.deadline = config.time.map(|time| began + time);
        if settled {
            break;
        }
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    answer.map(|answer| Answer { nodes: engine.nodes, ..answer })
}

/// A search under way.
struct Engine<'a, G: Evaluate> {
    game: &'a G,
    config: &'a Config,
    custom: Option<Custom<'a, G>>,
    table: &'a mut Table,
    /// By distance from the root.
    plies: Vec<Ply<G::State>>,
    history: History,
    /// Room for a list of moves.
    moves: Vec<Move>,
    nodes: u64,
    /// Nodes that are not leaves.
    visits: u64,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    /// Time is up: what is still returned means nothing.
    stopped: bool,
}

impl<G: Evaluate> Engine<'_, G> {
    /// Counts a node and looks at the clock now and then; whether to stop.
    #[inline(always)]
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.visits += 1;
        if self.visits & (LOOK - 1) == 0 {
            self.stopped |= self.stop.load(Ordering::Relaxed)
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.stopped
    }

    #[inline(always)]
    fn evaluate(&self, state: &G::State) -> i32 {
        match self.custom {
            None => self.game.evaluate(state, self.config.evaluation),
            Some(custom) => custom(self.game, state),
        }
    }
}

/// All moves of the root at one depth.
struct Iteration<'a, 'b, G: Evaluate> {
    engine: &'a mut Engine<'b, G>,
    state: &'a G::State,
    moves: &'a [Move],
    /// The indices of the moves, in the order in which they are tried.
    order: &'a [usize],
    depth: u32,
}

impl<G: Evaluate> Work for Iteration<'_, '_, G> {
    /// `None` if time was up.
    type Output = Option<Answer>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Option<Answer> {
        let Iteration { engine, state, moves, order, depth } = self;
        engine.count_node();
        let mover = engine.game.turn(state);
        let mut scores = vec![None; moves.len()];
        let (mut best, mut score) = (usize::MAX, -INFINITE);
        for &index in order {
            let mut after = state.clone();
            engine.game.play(&mut after, moves[index]);
            // A move that comes earlier in the list wins a tie.
            let alpha = if index < best && best != usize::MAX { score - 1 } else { score };
            let value = if engine.config.multi || best == usize::MAX {
                engine.reply::<C>(mover, &after, depth, 0, -INFINITE, INFINITE)
            } else {
                match engine.reply::<C>(mover, &after, depth, 0, alpha, alpha + 1) {
                    value if value > alpha => {
                        engine.reply::<C>(mover, &after, depth, 0, alpha, INFINITE)
                    }
                    value => value,
                }
            };
            if engine.stopped {
                return None;
            }
            if engine.config.multi {
                scores[index] = Some(value);
            }
            if value > score || value == score && index < best {
                (best, score) = (index, value);
                engine.keep_line(0, moves[index], depth);
            }
        }
        scores[best] = Some(score);
        let line = engine.plies[0].line.clone();
        Some(Answer { depth, score, best: moves[best], line, scores, nodes: engine.nodes })
    }
}

#[cfg(test)]
mod tests;
