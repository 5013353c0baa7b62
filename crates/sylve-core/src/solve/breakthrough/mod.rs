//! Breakthrough: who wins, by a boolean search.
//!
//! A pawn on its second-last row wins unless it is captured at once: so the replies are forced, and a pawn
//! that gets there safely has won. Races are counted, not searched (`race.rs`). Positions are remembered whole, mirrored ones as one.

mod board;
mod memory;
mod race;
pub mod table;
#[cfg(test)]
mod tests;

use super::{Limits, Solvable, Solver};
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Player};
use crate::games::breakthrough::{Breakthrough, State};
use board::{Board, Pawns};
use memory::Memory;
use race::race;

/// Two rows of pawns on the widest board, three directions each.
const MOST_MOVES: usize = 48;

impl Solvable for Breakthrough {
    fn solver(&self, bytes: usize) -> Box<dyn Solver<Breakthrough>> {
        Box::new(BreakthroughSolver::new(self, bytes))
    }
}

/// The position as the side to move sees it.
fn seen_by_mover(board: &Board, state: &State) -> Pawns {
    let [first, second] = state.pawns;
    match state.turn {
        Player::First => Pawns { own: first, other: second },
        Player::Second => Pawns { own: board.turned(second), other: board.turned(first) },
    }
}

/// The solver.
pub struct BreakthroughSolver {
    board: Board,
    memory: Memory,
    nodes: u64,
}

impl BreakthroughSolver {
    /// A solver that knows nothing yet and remembers within so many bytes.
    pub fn new(game: &Breakthrough, bytes: usize) -> BreakthroughSolver {
        let board = Board::new(game.columns, game.rows);
        BreakthroughSolver { board, memory: Memory::new(bytes), nodes: 0 }
    }
}

/// One node: whether the side to move wins. The game is not over.
struct BreakthroughNode<'a> {
    solver: &'a mut BreakthroughSolver,
    pawns: Pawns,
    limits: &'a Limits<'a>,
}

impl Work for BreakthroughNode<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Option<bool> {
        let BreakthroughNode { solver, mut pawns, limits } = self;
        solver.nodes += 1;
        if limits.reached_at(solver.nodes) {
            return None;
        }
        let board = solver.board;
        if pawns.own & board.row(board.rows - 2) != 0 {
            return Some(true);
        }
        // A pawn about to win must be captured; two of them cannot be.
        let threats = pawns.other & board.row(1);
        if threats & threats.wrapping_sub(1) != 0 {
            return Some(false);
        }
        let mut list = [(0, 0, 0); MOST_MOVES];
        let mut length = 0;
        if threats != 0 {
            let mut capturers = board.capturers(pawns, threats);
            while capturers != 0 {
                list[length] = (0, capturers & capturers.wrapping_neg(), threats);
                length += 1;
                capturers &= capturers - 1;
            }
        } else {
            if steps_up_safely(&board, pawns) {
                return Some(true);
            }
            if let Some(won) = race(&board, pawns) {
                return Some(won);
            }
            let mirror =
                Pawns { own: board.mirrored(pawns.own), other: board.mirrored(pawns.other) };
            if (mirror.own, mirror.other) < (pawns.own, pawns.other) {
                pawns = mirror;
            }
            if let Some(won) = solver.memory.get(pawns) {
                return Some(won);
            }
            length = list_moves(&board, pawns, &mut list);
        }
        let mut won = false;
        for &(_, from, to) in &list[..length] {
            let next = board.played(pawns, from, to);
            if next.own == 0
                || !C::call(BreakthroughNode { solver: &mut *solver, pawns: next, limits })?
            {
                won = true;
                break;
            }
        }
        if threats == 0 {
            solver.memory.put(pawns, won);
        }
        Some(won)
    }
}

/// A move: what it promises, the pawn, its target.
type Candidate = (i32, u64, u64);

/// Whether a pawn can step to its second-last row and not be captured there. No enemy is about to win.
#[inline(always)]
fn steps_up_safely(board: &Board, pawns: Pawns) -> bool {
    let near = pawns.own & board.row(board.rows - 3);
    let [right, left] = board.diagonals_up(near);
    let targets = right | left | near << board.columns & !pawns.other;
    targets & !board.diagonals_down(pawns.other & board.row(board.rows - 1)) != 0
}

/// The moves, the most promising first; their number. The weights were found by trial on 4 x 5.
#[inline(always)]
fn list_moves(board: &Board, pawns: Pawns, list: &mut [Candidate; MOST_MOVES]) -> usize {
    let mut length = 0;
    board.any_move(pawns, |from, to| {
        let capture = i32::from(to & pawns.other != 0);
        let row = (to.trailing_zeros() as usize / board.columns) as i32;
        let [right, left] = board.diagonals_up(to);
        let attackers = ((right | left) & pawns.other).count_ones();
        let guards = (board.diagonals_down(to) & pawns.own & !from).count_ones();
        let gift = i32::from(attackers > 0 && guards == 0);
        let outnumbered = i32::from(attackers > guards);
        let promise = 20 * capture + 2 * row - 6 * gift - 4 * outnumbered;
        let mut place = length;
        while place > 0 && list[place - 1].0 < promise {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = (promise, from, to);
        length += 1;
        false
    });
    length
}

impl Solver<Breakthrough> for BreakthroughSolver {
    fn value(
        &mut self,
        game: &Breakthrough,
        state: &State,
        _alpha: i32,
        _beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        if limits.reached(self.nodes) {
            return None;
        }
        if game.outcome(state).is_some() {
            self.nodes += 1;
            return game.final_value(state);
        }
        let pawns = seen_by_mover(&self.board, state);
        let won = cpu::run(BreakthroughNode { solver: &mut *self, pawns, limits })?;
        Some(if won { 1 } else { -1 })
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
