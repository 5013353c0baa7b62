//! Iterative deepening: all moves of the root, at one depth after the other.

use super::engine::{Answer, Config, Custom, Engine, INFINITE};
use super::ordering::{History, Ply};
use super::table::Table;
use super::visit::is_proven;
use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::Move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
