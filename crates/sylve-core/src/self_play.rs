//! Whole games of Othello for those who learn from them: alpha-beta after a random opening, then
//! exact to the end.

use crate::alpha_beta::table::Table;
use crate::alpha_beta::{Config, Custom, alpha_beta};
use crate::evaluate::patterns::Patterns;
use crate::game::{Game, Move, Player};
use crate::games::othello::{Othello, State};
use crate::rng::Rng;
use crate::solve::{Limits, Solvable, Want, solve};
use std::sync::atomic::AtomicBool;

/// Entries of the table of alpha-beta: the searches are shallow.
const ENTRIES: usize = 1 << 14;

/// What the solver may remember. Its table grows with the empty cells; there are few.
const SOLVER_BYTES: usize = 1 << 21;

/// By what a player goes.
#[derive(Clone, Copy, Debug)]
pub enum Judge<'a> {
    /// An evaluation of the game, by its index.
    Named(usize),
    /// Weights that are being learned.
    Learned(&'a Patterns),
}

/// A player: alpha-beta at a fixed depth.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The evaluation at its leaves.
    pub judge: Judge<'a>,
    /// Plies to look ahead.
    pub depth: u32,
}

/// A game from its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// All moves, passes too.
    pub moves: Vec<Move>,
    /// Discs of the first player less those of the second; empty cells count for the winner.
    pub result: i32,
}

/// A game that begins with `random` random moves, drawn from `rng`; from `exact` empty cells on both
/// sides play perfectly. `None` if `stop` was set.
pub fn play<const SIZE: usize>(
    rng: &mut Rng,
    random: u32,
    sides: [Side<'_>; 2],
    exact: u32,
    stop: &AtomicBool,
) -> Option<Played> {
    let game = Othello::<SIZE>;
    let (mut state, mut played, mut moves) = (game.start(), Vec::new(), Vec::new());
    while game.outcome(&state).is_none() {
        game.moves(&state, &mut moves);
        let best = if played.len() < random as usize {
            moves[rng.below(moves.len() as u32) as usize]
        } else if empties::<SIZE>(&state) <= exact {
            let limits = Limits { stop, deadline: None, nodes: u64::MAX };
            let mut solver = game.solver(SOLVER_BYTES);
            let found = solve(&game, &state, &mut *solver, Want::Line, &limits, &mut |_| ());
            if !found.finished {
                return None;
            }
            for mv in found.line {
                game.play(&mut state, mv);
                played.push(mv);
            }
            break;
        } else {
            chosen::<SIZE>(&state, &moves, &sides[game.turn(&state).index()], stop)?
        };
        game.play(&mut state, best);
        played.push(best);
    }
    let value = game.final_value(&state).expect("the game is over");
    let result = if game.turn(&state) == Player::First { value } else { -value };
    Some(Played { moves: played, result })
}

fn empties<const SIZE: usize>(state: &State) -> u32 {
    let (own, other) = state.sides();
    (SIZE * SIZE) as u32 - (own | other).count_ones()
}

/// The move of a player.
fn chosen<const SIZE: usize>(
    state: &State,
    moves: &[Move],
    side: &Side<'_>,
    stop: &AtomicBool,
) -> Option<Move> {
    if let &[only] = moves {
        return Some(only);
    }
    let (evaluation, patterns) = match side.judge {
        Judge::Named(index) => (index, None),
        Judge::Learned(patterns) => (0, Some(patterns)),
    };
    let config = Config { depth: side.depth, time: None, evaluation, multi: false };
    let by_patterns = patterns.map(|patterns| {
        move |_: &Othello<SIZE>, state: &State| {
            let (own, other) = state.sides();
            patterns.evaluate_here(own, other)
        }
    });
    let custom = by_patterns.as_ref().map(|by| by as Custom<'_, Othello<SIZE>>);
    let mut table = Table::new(ENTRIES);
    let game = Othello::<SIZE>;
    alpha_beta(&game, state, moves, &config, custom, &mut table, stop).map(|answer| answer.best)
}

/// The discs of the side to move and of the other before each move of a game, and after the last;
/// `None` if one of the moves is not legal.
pub fn boards<const SIZE: usize>(moves: &[Move]) -> Option<Vec<(u64, u64)>> {
    let game = Othello::<SIZE>;
    let mut state = game.start();
    let mut boards = vec![state.sides()];
    for &mv in moves {
        if !game.is_legal(&state, mv) {
            return None;
        }
        game.play(&mut state, mv);
        boards.push(state.sides());
    }
    Some(boards)
}
