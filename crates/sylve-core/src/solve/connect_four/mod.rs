//! Connect Four: alpha-beta on bitboards with windows of width one.
//!
//! What makes it fast: moves that lose at once are never tried; a bound from the parity of the
//! empty cells ([`zugzwang`]) cuts whole subtrees; moves that make most threats come first; a table of
//! bounds finds transpositions again, also mirrored ones.

mod board;
mod table;
#[cfg(test)]
mod tests;
mod zugzwang;

use super::{Limits, Solvable, Solver};
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move, Outcome};
use crate::games::connect_four::{ConnectFour, State};
use board::Board;
use table::{Entry, Table};
use zugzwang::upper_bound;

/// Mirrored positions are looked up as one while the board has fewer stones: later they are rare.
const MIRROR: u32 = 18;
/// No board has more columns.
const COLUMNS: usize = 12;

/// A win is worth 1, and 1 more for each stone that the winner has left: on 7 x 6, 22 minus the stones
/// that he has played.
impl Solvable for ConnectFour {
    fn final_value(&self, state: &State) -> Option<i32> {
        match self.outcome(state)? {
            Outcome::Draw => Some(0),
            Outcome::Win(_) => {
                // The winner moved last; with him, this many stones are on the board.
                let [own, other] = state.sides();
                Some(-win(self.max_plies() as i32, (own | other).count_ones() as i32 - 1))
            }
        }
    }

    fn highest_value(&self) -> i32 {
        win(self.max_plies() as i32, 6) // the fourth stone of the first player is the seventh
    }

    fn solver(&self) -> Box<dyn Solver<ConnectFour>> {
        Box::new(ConnectFourSolver::new(self))
    }
}

/// The value of winning with the next stone, on a board of `cells` with so many stones.
#[inline(always)]
fn win(cells: i32, stones: i32) -> i32 {
    (cells + 1 - stones) / 2
}

/// The solver.
pub struct ConnectFourSolver {
    board: Board,
    cells: i32,
    table: Table,
    nodes: u64,
    /// The columns, from the middle outwards.
    order: Vec<u32>,
}

impl ConnectFourSolver {
    /// A solver that knows nothing yet.
    pub fn new(game: &ConnectFour) -> ConnectFourSolver {
        let (columns, rows) = game.size();
        let board = Board::new(columns as u32, rows as u32);
        let mut order: Vec<u32> = (0..board.columns).collect();
        order.sort_by_key(|&column| (2 * column).abs_diff(board.columns - 1));
        let cells = game.max_plies() as i32;
        ConnectFourSolver { board, cells, table: Table::new(&board), nodes: 0, order }
    }

    /// One number for a position, the same for its mirror image while there are few stones; and
    /// whether it is that of the mirror image.
    #[inline(always)]
    fn key(&self, own: u64, stones: u64) -> (u64, bool) {
        // In each column a bit above the stones, then the stones of the side to move: no two
        // positions have the same.
        let key = own + stones + self.board.bottom;
        if stones.count_ones() >= MIRROR {
            return (key, false);
        }
        let other = self.board.mirror(own) + self.board.mirror(stones) + self.board.bottom;
        (key.min(other), other < key)
    }

    /// A column here is that one in the position that the table holds, and the other way round.
    #[inline(always)]
    fn seen_from(&self, column: u32, mirrored: bool) -> u32 {
        if mirrored { self.board.columns - 1 - column } else { column }
    }
}

/// One node. The side to move cannot win at once, and the game is not over.
struct Node<'a> {
    solver: &'a mut ConnectFourSolver,
    own: u64,
    stones: u64,
    alpha: i32,
    beta: i32,
    limits: &'a Limits<'a>,
}

/// A move: what it promises, and its cell.
type Candidate = (i32, u64);

impl Work for Node<'_> {
    type Output = Option<i32>;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Option<i32> {
        let Node { solver, own, stones, mut alpha, mut beta, limits } = self;
        solver.nodes += 1;
        if limits.reached_at(solver.nodes) {
            return None;
        }
        let (board, cells) = (solver.board, solver.cells);
        let count = stones.count_ones() as i32;
        let (other, landing) = (own ^ stones, board.landing(stones));
        // A threat of the other side on a cell that can be played must be blocked, and the cell below
        // a threat must not be played.
        let threats = board.winning_cells(other, stones);
        let blocks = landing & threats;
        let forced = if blocks == 0 { landing } else { blocks };
        let moves = forced & !(threats >> 1);
        if blocks.count_ones() > 1 || moves == 0 {
            return Some(-win(cells, count + 1));
        }
        if count >= cells - 2 {
            return Some(0);
        }
        // Neither side wins with its next stone.
        let (mut low, mut high) = (-win(cells, count + 3), win(cells, count + 2));
        high = high.min(upper_bound(&board, own, stones, landing, threats));
        let (key, mirrored) = solver.key(own, stones);
        let mut guess = None;
        let known = if high > alpha { solver.table.get(key) } else { None };
        if let Some(entry) = known {
            (low, high) = (low.max(entry.low), high.min(entry.high));
            guess = Some(solver.seen_from(entry.column, mirrored));
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return Some(if low >= beta { low } else { high });
        }
        let before = solver.nodes;
        let mut list = [(0, 0); COLUMNS];
        let list = match solver.order_moves(own, stones, moves, beta, guess, &mut list) {
            Err(value) => return Some(value),
            Ok(length) => &list[..length],
        };
        let (mut best, mut best_value) = (0, i32::MIN);
        for &(_, stone) in list {
            let value = -C::call(Node {
                solver: &mut *solver,
                own: other,
                stones: stones | stone,
                alpha: -beta,
                beta: -alpha.max(best_value),
                limits,
            })?;
            if value > best_value {
                (best, best_value) = (stone, value);
            }
            if best_value >= beta {
                break;
            }
        }
        // At or above beta it is a lower bound, at or below alpha an upper one, else exact.
        if best_value > alpha {
            low = low.max(best_value);
        }
        if best_value < beta {
            high = high.min(best_value);
        }
        let column = solver.seen_from(best.trailing_zeros() / board.step, mirrored);
        solver.table.put(key, Entry { low, high, column }, solver.nodes - before);
        Some(best_value)
    }
}

impl ConnectFourSolver {
    /// Puts the moves into `list`, the most promising first, and returns their number; or a lower bound
    /// of at least `beta`, if a move is seen to reach it.
    #[inline(always)]
    fn order_moves(
        &self,
        own: u64,
        stones: u64,
        moves: u64,
        beta: i32,
        guess: Option<u32>,
        list: &mut [Candidate; COLUMNS],
    ) -> Result<usize, i32> {
        let (board, count) = (&self.board, stones.count_ones() as i32);
        let mut length = 0;
        for &column in &self.order {
            let stone = moves & board.column(column);
            if stone == 0 {
                continue;
            }
            let (after, mine) = (stones | stone, own | stone);
            let landing = board.landing(after);
            let threats = board.winning_cells(mine, after);
            // Two threats at once cannot both be blocked.
            let double = (threats & landing).count_ones() > 1;
            let sure = win(self.cells, count + 2);
            if double && sure >= beta {
                return Err(sure);
            }
            let bound = upper_bound(board, own ^ stones, after, landing, threats);
            if bound != zugzwang::NONE && -bound >= beta {
                return Err(-bound);
            }
            // Threats count, those that parity favours half as much again.
            let favoured = if count % 2 == self.cells % 2 { !board.upper } else { board.upper };
            let mut promise = (2 * threats.count_ones() + (threats & favoured).count_ones()) as i32;
            promise += 10 * i32::from(bound != zugzwang::NONE) + 100 * i32::from(double);
            promise += 1000 * i32::from(guess == Some(column));
            let mut place = length;
            while place > 0 && list[place - 1].0 < promise {
                list[place] = list[place - 1];
                place -= 1;
            }
            list[place] = (promise, stone);
            length += 1;
        }
        // What is known of the positions after the moves may end it too.
        if count < self.cells - 6 {
            for &(_, stone) in &list[..length] {
                let known = self.table.get(self.key(own ^ stones, stones | stone).0);
                if let Some(entry) = known.filter(|entry| -entry.high >= beta) {
                    return Err(-entry.high);
                }
            }
        }
        Ok(length)
    }
}

impl Solver<ConnectFour> for ConnectFourSolver {
    fn highest(&self, game: &ConnectFour) -> i32 {
        game.highest_value()
    }

    /// Windows of width one, the first at 0: who wins, before how soon.
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
        let [own, other] = state.sides();
        let stones = own | other;
        let count = stones.count_ones() as i32;
        if self.board.winning_cells(own, stones) & self.board.landing(stones) != 0 {
            return Some(win(self.cells, count));
        }
        // The value lies from `low` to `high`; no more is asked than the window wants to know.
        let (mut low, mut high) = (-win(self.cells, count + 1), win(self.cells, count + 2));
        while low < high && low < beta && high > alpha {
            let middle = match (low, high) {
                (..0, 1..) => 0,
                (0.., _) => low + (high - low) / 2,
                _ => high - 1 - (high - low - 1) / 2,
            };
            let middle = middle.clamp(low.max(alpha), high.min(beta) - 1);
            let node =
                Node { solver: &mut *self, own, stones, alpha: middle, beta: middle + 1, limits };
            let value = cpu::run(node)?;
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
        let [own, other] = state.sides();
        let stones = own | other;
        let wins = self.board.winning_cells(own, stones) & self.board.landing(stones);
        if wins != 0 {
            return Some(Move((wins.trailing_zeros() / self.board.step) as u16));
        }
        let (key, mirrored) = self.key(own, stones);
        let entry = self.table.get(key)?;
        Some(Move(self.seen_from(entry.column, mirrored) as u16))
    }
}
