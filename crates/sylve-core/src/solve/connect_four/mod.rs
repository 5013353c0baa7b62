//! Connect Four: alpha-beta on bitboards with windows of width one.
//!
//! What makes it fast: moves that lose at once are never tried; a bound from the parity of the
//! empty cells ([`zugzwang`]) cuts whole subtrees; moves that make most threats come first; a table of
//! bounds, small enough for the cache, finds transpositions again, also mirrored ones.

mod board;
mod table;
#[cfg(test)]
mod tests;
mod zugzwang;

use super::plain::Plain;
use super::{Limits, Solvable, Solver};
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move, Outcome};
use crate::games::connect_four::{ConnectFour, State};
use board::{Board, COLUMNS, Shape, Usual};
use table::{Entry, Table, mix};
use zugzwang::upper_bound;

/// Mirrored positions are looked up as one while the board has fewer stones: later they are rare.
const MIRROR: u32 = 18;
/// Whether the value lies beyond this is asked first: it costs little, and saves much if it does.
const SOON: i32 = 8;
/// The positions after the moves are looked up, before one of them is searched, while more cells are empty.
const LOOK: i32 = 6;

/// A win is worth 1, and 1 more for each stone that the winner has left: on 7 x 6, 22 minus the stones
/// that he has played.
impl Solvable for ConnectFour {
    fn final_value(&self, state: &State) -> Option<i32> {
        match self.outcome(state)? {
            Outcome::Draw => Some(0),
            Outcome::Win(_) => {
                // The winner moved last; with him, this many stones are on the board.
                let stones = (state.own | state.other).count_ones() as i32;
                Some(-win(self.max_plies() as i32, stones - 1))
            }
        }
    }

    fn highest_value(&self) -> i32 {
        win(self.max_plies() as i32, 6) // the fourth stone of the first player is the seventh
    }

    fn solver(&self, bytes: usize) -> Box<dyn Solver<ConnectFour>> {
        let board = Board::new(self.columns as u32, self.rows as u32);
        match (self.columns, self.rows) {
            _ if Table::least_bytes(&board) > bytes => Box::new(Plain::within(bytes)),
            (7, 6) => Box::new(ConnectFourSolver::new(Usual, bytes)),
            _ => Box::new(ConnectFourSolver::new(board, bytes)),
        }
    }
}

/// The value of winning with the next stone, on a board of `cells` with so many stones.
#[inline(always)]
fn win(cells: i32, stones: i32) -> i32 {
    (cells + 1 - stones) / 2
}

/// The solver.
pub struct ConnectFourSolver<S> {
    shape: S,
    table: Table,
    nodes: u64,
}

impl<S: Shape> ConnectFourSolver<S> {
    /// A solver that knows nothing yet and remembers within so many bytes, or in the smallest table that
    /// there can be.
    pub fn new(shape: S, bytes: usize) -> ConnectFourSolver<S> {
        ConnectFourSolver { shape, table: Table::new(&shape.board(), bytes), nodes: 0 }
    }
}

/// One number for a position, as the table wants it, the same for its mirror image while there are few
/// stones; and whether it is that of the mirror image.
#[inline(always)]
fn key(board: &Board, own: u64, stones: u64) -> (u64, bool) {
    // In each column a bit above the stones, then the stones of the side to move: no two
    // positions have the same.
    let key = own + stones + board.bottom;
    if stones.count_ones() >= MIRROR {
        return (mix(board, key), false);
    }
    let other = board.mirror(key);
    (mix(board, key.min(other)), other < key)
}

/// A column here is that one in the position that the table holds, and the other way round.
#[inline(always)]
fn seen_from(board: &Board, column: u32, mirrored: bool) -> u32 {
    if mirrored { board.columns - 1 - column } else { column }
}

/// Whether the side to move loses to the next stone of the other side, wherever it plays: it cannot block all of
/// the other side's winning cells, or each of its moves makes one available.
#[inline(always)]
fn is_lost(landing: u64, threats: u64) -> bool {
    let blocks = landing & threats;
    let moves = if blocks == 0 { landing } else { blocks };
    blocks & blocks.wrapping_sub(1) != 0 || moves & !(threats >> 1) == 0
}

/// Plays a stone that does not win: all winning cells that its side then has; or a lower bound of the move's value of
/// at least `beta`, if one is seen.
#[inline(always)]
fn play(board: &Board, own: u64, stones: u64, stone: u64, beta: i32) -> Result<u64, i32> {
    let (other, after) = (own ^ stones, stones | stone);
    let landing = board.landing(after);
    let threats = board.winning_cells(own | stone, after);
    if is_lost(landing, threats) {
        return Err(win(board.cells, after.count_ones() as i32 + 1));
    }
    if landing & threats != 0 {
        return Ok(threats); // the other side must block: no time to follow
    }
    match upper_bound(board, other, after, landing, threats, -beta) {
        zugzwang::NONE => Ok(threats),
        bound => Err(-bound),
    }
}

/// One node. The side to move cannot win at once, is not lost ([`is_lost`]), and the game is not over.
/// Is its value above `alpha`? The answer is the value or a bound of it on the same side of `alpha`.
struct ConnectFourNode<'a, S> {
    solver: &'a mut ConnectFourSolver<S>,
    own: u64,
    stones: u64,
    /// The winning cells of the other side.
    threats: u64,
    alpha: i32,
    limits: &'a Limits<'a>,
}

/// A move: what it promises, its cell, and all winning cells that its side then has.
type Candidate = (u32, u64, u64);

impl<S: Shape> Work for ConnectFourNode<'_, S> {
    type Output = Option<i32>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Option<i32> {
        let ConnectFourNode { solver, own, stones, threats, alpha, limits } = self;
        solver.nodes += 1;
        if limits.reached_at(solver.nodes) {
            return None;
        }
        let board = solver.shape.board();
        let cells = board.cells;
        let (count, beta) = (stones.count_ones() as i32, alpha + 1);
        if count >= cells - 2 {
            return Some(0);
        }
        // Neither side wins with its next stone.
        let (mut low, mut high) = (-win(cells, count + 3), win(cells, count + 2));
        if low >= beta || high <= alpha {
            return Some(if low >= beta { low } else { high });
        }
        let (other, landing) = (own ^ stones, board.landing(stones));
        // A threat of the other side on a cell that can be played must be blocked.
        let block = landing & threats;
        if block != 0 {
            let threats = match play(&board, own, stones, block, beta) {
                Err(value) => return Some(value),
                Ok(threats) => threats,
            };
            let stones = stones | block;
            let node =
                ConnectFourNode { solver, own: other, stones, threats, alpha: -beta, limits };
            return C::call(node).map(|value| -value);
        }
        // Late, one side may have no line left.
        let hopeful = if alpha >= 0 { own } else { other };
        if 2 * count > cells && !board.has_four(hopeful | board.all & !stones) {
            return Some(0);
        }
        let ((key, mirrored), mut guess) = (key(&board, own, stones), 0);
        if let Some(entry) = solver.table.get(key) {
            (low, high) = (low.max(entry.low), high.min(entry.high));
            if low >= beta || high <= alpha {
                return Some(if low >= beta { low } else { high });
            }
            guess = board.column(seen_from(&board, entry.column, mirrored));
        }
        let before = solver.nodes;
        let mut list = [(0, 0, 0); COLUMNS];
        let list = match solver.order_moves::<C>(own, stones, threats, beta, guess, &mut list) {
            Err(value) => return Some(value),
            Ok(length) => &list[..length],
        };
        // No move wins with the stone after it, either.
        high = high.min(win(cells, count + 4));
        if high <= alpha {
            return Some(high);
        }
        let (mut best, mut best_value) = (0, i32::MIN);
        for &(_, stone, threats) in list {
            let value = -C::call(ConnectFourNode {
                solver: &mut *solver,
                own: other,
                stones: stones | stone,
                threats,
                alpha: -beta,
                limits,
            })?;
            if value > best_value {
                (best, best_value) = (stone, value);
            }
            if best_value >= beta {
                break;
            }
        }
        if best_value >= beta {
            low = low.max(best_value);
        } else {
            high = high.min(best_value);
        }
        let column = seen_from(&board, best.trailing_zeros() / board.step, mirrored);
        solver.table.put(key, Entry { low, high, column }, solver.nodes - before);
        Some(best_value)
    }
}

impl<S: Shape> ConnectFourSolver<S> {
    /// Puts the moves into `list`, the most promising first, and returns their number; or a lower bound
    /// of at least `beta`, if a move is seen to reach it.
    #[inline(always)]
    fn order_moves<C: Cpu>(
        &self,
        own: u64,
        stones: u64,
        threats: u64,
        beta: i32,
        guess: u64,
        list: &mut [Candidate; COLUMNS],
    ) -> Result<usize, i32> {
        let (board, other) = (&self.shape.board(), own ^ stones);
        let look = board.cells - stones.count_ones() as i32 > LOOK;
        // The cell below a winning cell of the other side must not be played.
        let moves = board.landing(stones) & !(threats >> 1);
        // And a winning cell above one is of no use.
        let useful = !(board.lowest_and_above(threats) << 1);
        let (mut length, mut keys) = (0, [0; COLUMNS]);
        for &column in &board.order[..board.columns as usize] {
            let stone = moves & column;
            if stone == 0 {
                continue;
            }
            let (threats, after) = (play(board, own, stones, stone, beta)?, stones | stone);
            if look && board.landing(after) & threats == 0 {
                keys[length] = key(board, other, after).0;
                self.table.prefetch::<C>(keys[length]);
            }
            // Of moves that promise as much, the one in the middle: a fixed order meets more
            // transpositions than one that knows more.
            let guessed = u32::from(stone & guess != 0);
            let promise = 2 * (threats & useful).count_ones() + guessed;
            let mut place = length;
            while place > 0 && list[place - 1].0 < promise {
                list[place] = list[place - 1];
                place -= 1;
            }
            list[place] = (promise, stone, threats);
            length += 1;
        }
        // What is known of the positions after the moves may end it too.
        for &key in keys[..length].iter().filter(|&&key| key != 0) {
            if let Some(entry) = self.table.get(key).filter(|entry| -entry.high >= beta) {
                return Err(-entry.high);
            }
        }
        Ok(length)
    }
}

impl<S: Shape> Solver<ConnectFour> for ConnectFourSolver<S> {
    /// Windows of width one: who wins, before how soon.
    fn value(
        &mut self,
        game: &ConnectFour,
        state: &State,
        alpha: i32,
        beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        if limits.reached(self.nodes) {
            return None;
        }
        self.nodes += 1;
        if let Some(value) = game.final_value(state) {
            return Some(value);
        }
        let (&State { own, other, .. }, board) = (state, self.shape.board());
        let (stones, landing) = (own | other, board.landing(own | other));
        let count = stones.count_ones() as i32;
        if board.winning_cells(own, stones) & landing != 0 {
            return Some(win(board.cells, count));
        }
        let threats = board.winning_cells(other, stones);
        if is_lost(landing, threats) {
            return Some(-win(board.cells, count + 1));
        }
        // The value lies from `low` to `high`; no more is asked than the window wants to know.
        let (mut low, mut high) = (-win(board.cells, count + 3), win(board.cells, count + 2));
        let mut step = 0;
        while low < high && low < beta && high > alpha {
            // Who wins; then away from 0 in growing steps, and in small ones again after one too many.
            let middle = match (low, high) {
                (..0, _) if high > SOON => SOON,
                (_, 1..) if low < -SOON => -SOON - 1,
                (..0, 1..) => 0,
                (0.., _) => low + step,
                _ => high - 1 - step,
            };
            let middle = middle.clamp(low.max(alpha), high.min(beta) - 1);
            let solver = &mut *self;
            let node = ConnectFourNode { solver, own, stones, threats, alpha: middle, limits };
            let value = cpu::run(node)?;
            let away = if middle >= 0 { value > middle } else { value <= middle };
            step = if away && (low >= 0 || high <= 0) { 2 * step + 1 } else { 0 };
            if value <= middle {
                high = value;
            } else {
                low = value;
            }
        }
        Some(if low >= beta { low } else { high })
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn guess(&mut self, _: &ConnectFour, state: &State) -> Option<Move> {
        let (&State { own, other, .. }, board) = (state, self.shape.board());
        let (stones, landing) = (own | other, board.landing(own | other));
        let wins = board.winning_cells(own, stones) & landing;
        let blocks = board.winning_cells(other, stones) & landing;
        for cells in [wins, blocks] {
            if cells != 0 {
                return Some(Move((cells.trailing_zeros() / board.step) as u16));
            }
        }
        let (key, mirrored) = key(&board, own, stones);
        let entry = self.table.get(key)?;
        Some(Move(seen_from(&board, entry.column, mirrored) as u16))
    }
}
