//! What [`solve`] finds, and how it asks a solver for it.

use super::decide::winner;
use super::{Limits, Solvable, Solver, value_after};
use crate::game::Move;
use crate::notation::{Notation, ReadError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What to find; each includes those before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Want {
    /// The value of the position.
    Value,
    /// A best move and a line of best play.
    Line,
    /// The value of every move.
    Moves,
}

/// What is exact about a position, or as much of it as was wanted and as the limits allowed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Solution {
    /// The value for the side to move; `None` if a limit was reached before it was known.
    pub value: Option<i32>,
    /// The first of the best moves; if not every move was wanted, one of them.
    pub best: Option<Move>,
    /// Every legal move with its value for the side to move; `None` for what is not known.
    pub per_move: Vec<(Move, Option<i32>)>,
    /// Best play of both sides to the end; shorter if a limit was reached.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether all that was wanted was found.
    pub finished: bool,
}

/// How far [`solve`] is: values found, values wanted (the position's own is the first), nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Values found.
    pub done: usize,
    /// Values wanted.
    pub wanted: usize,
    /// Positions visited when the last of them was found.
    pub nodes: u64,
}

/// Solves a position.
pub fn solve<G: Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut dyn Solver<G>,
    want: Want,
    limits: &Limits<'_>,
    progress: &mut dyn FnMut(Step),
) -> Solution {
    let before = solver.nodes();
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut solution =
        Solution { per_move: moves.iter().map(|&mv| (mv, None)).collect(), ..Solution::default() };
    let wanted = 1 + if want == Want::Moves { moves.len() } else { 0 };
    let mut tell = |done, solver: &dyn Solver<G>| {
        progress(Step { done, wanted, nodes: solver.nodes() - before });
    };
    tell(0, solver);
    let highest = game.highest_value();
    solution.value = match game.final_value(state) {
        Some(value) => Some(value),
        None => solver.value(game, state, -highest, highest, limits),
    };
    solution.finished = solution.value.is_some();
    if let (Some(value), true) = (solution.value, want > Want::Value && !moves.is_empty()) {
        tell(1, solver);
        solution.best = find_best(game, state, solver, value, limits);
        if want == Want::Moves {
            let mover = game.turn(state);
            for (index, (mv, of_move)) in solution.per_move.iter_mut().enumerate() {
                let mut next = state.clone();
                game.play(&mut next, *mv);
                *of_move = value_after(game, mover, &next, -highest, highest, |alpha, beta| {
                    solver.value(game, &next, alpha, beta, limits)
                });
                if of_move.is_none() {
                    break;
                }
                tell(2 + index, solver);
            }
            let first = solution.per_move.iter().find(|(_, of_move)| *of_move == Some(value));
            solution.best = first.map(|&(mv, _)| mv).or(solution.best);
        }
        let to_the_end;
        (solution.line, to_the_end) = best_line(game, state, solver, value, solution.best, limits);
        let all_known = solution.per_move.iter().all(|(_, of_move)| of_move.is_some());
        solution.finished = to_the_end && (want < Want::Moves || all_known);
    }
    solution.nodes = solver.nodes() - before;
    solution
}

/// A move that keeps the value of the position.
fn find_best<G: Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut dyn Solver<G>,
    value: i32,
    limits: &Limits<'_>,
) -> Option<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let guess = solver.guess(game, state);
    if let Some(at) = guess.and_then(|guess| moves.iter().position(|&mv| mv == guess)) {
        moves[..=at].rotate_right(1);
    }
    // No move is better, so that one which is not worse is best. The last needs no look.
    let mover = game.turn(state);
    let (last, others) = moves.split_last()?;
    for &mv in others {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let found = value_after(game, mover, &next, value - 1, value, |alpha, beta| {
            solver.value(game, &next, alpha, beta, limits)
        });
        if found? >= value {
            return Some(mv);
        }
    }
    Some(*last)
}

/// Best play from a position of known value, and whether it goes to the end; its first move may be given.
fn best_line<G: Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut dyn Solver<G>,
    mut value: i32,
    mut first: Option<Move>,
    limits: &Limits<'_>,
) -> (Vec<Move>, bool) {
    let mut line = Vec::new();
    let mut state = state.clone();
    while game.final_value(&state).is_none() && line.len() < game.max_plies() {
        let best = first.take().or_else(|| find_best(game, &state, solver, value, limits));
        let Some(best) = best else { return (line, false) };
        line.push(best);
        let mover = game.turn(&state);
        game.play(&mut state, best);
        if game.turn(&state) != mover {
            value = -value;
        }
    }
    (line, true)
}

/// A solver with its game hidden. It remembers from one position to the next.
pub trait AnySolver: Send {
    /// Solves the position of a text; see [`solve`]. `limits.nodes` counts from this call on.
    fn solve(
        &mut self,
        text: &str,
        want: Want,
        limits: &Limits<'_>,
        progress: &mut dyn FnMut(Step),
    ) -> Result<Solution, ReadError>;

    /// Who wins the position of a text, if so many nodes tell before `stop` is set: 1 the side to move,
    /// 0 nobody, -1 the other side.
    fn winner(
        &mut self,
        text: &str,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<Option<i32>, ReadError>;

    /// Forgets everything.
    fn clear(&mut self);
}

pub(crate) struct SolverOf<G: Solvable> {
    game: Arc<G>,
    bytes: usize,
    solver: Box<dyn Solver<G>>,
}

impl<G: Solvable> SolverOf<G> {
    pub(crate) fn new(game: Arc<G>, bytes: usize) -> SolverOf<G> {
        SolverOf { solver: game.solver(bytes), game, bytes }
    }
}

impl<G: Notation + Solvable> AnySolver for SolverOf<G> {
    fn solve(
        &mut self,
        text: &str,
        want: Want,
        limits: &Limits<'_>,
        progress: &mut dyn FnMut(Step),
    ) -> Result<Solution, ReadError> {
        let state = self.game.read(text)?;
        let nodes = limits.nodes.saturating_add(self.solver.nodes());
        let limits = Limits { nodes, ..*limits };
        Ok(solve(&*self.game, &state, &mut *self.solver, want, &limits, progress))
    }

    fn winner(
        &mut self,
        text: &str,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<Option<i32>, ReadError> {
        let state = self.game.read(text)?;
        Ok(winner(&*self.game, &state, &mut *self.solver, nodes, stop))
    }

    fn clear(&mut self) {
        self.solver = self.game.solver(self.bytes);
    }
}
