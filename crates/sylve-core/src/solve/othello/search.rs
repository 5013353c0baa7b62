//! The tree search: principal variation search over null windows, down to the last squares.

use super::board::Board;
use super::context::{Child, Search, UNKNOWN};
use super::evaluation::DISC;
use super::guess::Guess;
use super::selective::CERTAIN;
use super::shallow::Shallow;
use super::table::{NO_MOVE, hash};
use crate::cpu::{Cpu, Work};

/// With so many empty cells or fewer, `Shallow` searches.
const SHALLOW: u32 = 6;

/// With so many empty cells or fewer, to look up every reply costs more than it saves.
const LOOKED_AHEAD: u32 = 8;

/// With so many plies or fewer before the evaluation, `Guess` searches.
const GUESSED: u32 = 2;

impl<const SIZE: usize> Search<'_, SIZE> {
    /// Searches `depth` plies, the evaluation behind them, or to the end if there are no more empty
    /// cells: a bound above `alpha` or one not above it.
    ///
    /// `odd`: the quadrants with an odd number of empty cells. `moves`: where discs can be put, or
    /// [`UNKNOWN`].
    #[inline(always)]
    pub fn null_window<C: Cpu>(
        &mut self,
        board: Board<SIZE>,
        moves: u64,
        alpha: i32,
        odd: u64,
        depth: u32,
    ) -> i32 {
        let empties = board.empties();
        if depth < empties && depth <= GUESSED {
            let low = DISC * alpha + DISC / 2;
            let value = C::call(Guess { search: self, board, alpha: low, beta: low + 1, depth });
            let cells = Board::<SIZE>::CELLS;
            (value + DISC / 2 - 1).div_euclid(DISC).clamp(-cells, cells)
        } else if depth < empties || empties > SHALLOW {
            C::call(NullWindow { search: self, board, moves, alpha, odd, depth })
        } else if empties > 4 {
            C::call(Shallow { nodes: &mut self.nodes, board, moves, alpha, odd })
        } else {
            self.nodes += 1;
            board.last(alpha, odd, &mut self.nodes)
        }
    }
}

struct NullWindow<'s, 'a, const SIZE: usize> {
    search: &'s mut Search<'a, SIZE>,
    board: Board<SIZE>,
    moves: u64,
    alpha: i32,
    odd: u64,
    depth: u32,
}

impl<const SIZE: usize> Work for NullWindow<'_, '_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let NullWindow { search, board, moves, alpha, odd, depth } = self;
        search.visit();
        if search.stopped {
            return alpha;
        }
        let empties = board.empties();
        if let Some(most) = board.at_most(alpha, empties) {
            return most;
        }
        let moves = if moves == UNKNOWN { board.places() } else { moves };
        if moves == 0 {
            let (passed, replies) = (board.passed(), board.passed().places());
            return if replies == 0 {
                board.over()
            } else {
                -search.null_window::<C>(passed, replies, -alpha - 1, odd, depth)
            };
        }
        let exact = depth == empties;
        let confidence = if exact { search.confidence } else { CERTAIN };
        let (plies, hash) = (depth as u8, hash(board));
        let mut known = [NO_MOVE; 2];
        if let Some(entry) = search.table.get(board, hash) {
            if (entry.depth, entry.confidence) >= (plies, confidence) {
                if i32::from(entry.lower) > alpha {
                    return entry.lower.into();
                }
                if i32::from(entry.upper) <= alpha {
                    return entry.upper.into();
                }
            }
            known = entry.moves;
        }
        if exact && let Some(bound) = search.selective_cut::<C>(board, moves, alpha, odd) {
            return bound;
        }
        let children = search.add_children(board, moves);
        // Enhanced transposition cut-off: a reply that is known to be bad enough decides.
        let look_ahead = empties > LOOKED_AHEAD;
        if look_ahead {
            for child in &search.children[children.clone()] {
                search.table.prepare::<C>(child.board, child.hash);
            }
        }
        search.score_children::<C>(children.clone(), depth, odd, known);
        if look_ahead {
            for child in &search.children[children.clone()] {
                if let Some(entry) = search.table.get(child.board, child.hash)
                    && (entry.depth, entry.confidence) >= (plies - 1, confidence)
                    && -i32::from(entry.upper) > alpha
                {
                    let bound = -i32::from(entry.upper);
                    search.children.truncate(children.start);
                    return bound;
                }
            }
        }
        let mut best = -Board::<SIZE>::CELLS - 1;
        let mut best_move = NO_MOVE;
        for first in children.clone() {
            let child = search.best_child(first..children.end);
            let odd = odd ^ Board::<SIZE>::QUADRANT[usize::from(child.cell)];
            let (next, replies) = (child.board, child.replies);
            let value = -search.null_window::<C>(next, replies, -alpha - 1, odd, depth - 1);
            if value > best {
                (best, best_move) = (value, child.cell);
                if value > alpha {
                    break;
                }
            }
        }
        search.children.truncate(children.start);
        if search.stopped {
            return alpha;
        }
        search.table.put((board, hash), (plies, confidence), (alpha, alpha + 1), best, best_move);
        best
    }
}

/// A principal variation search.
pub(super) struct Principal<'s, 'a, const SIZE: usize> {
    pub search: &'s mut Search<'a, SIZE>,
    pub board: Board<SIZE>,
    pub alpha: i32,
    pub beta: i32,
}

impl<const SIZE: usize> Work for Principal<'_, '_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let Principal { search, board, alpha, beta } = self;
        search.visit();
        if search.stopped {
            return alpha;
        }
        let moves = board.places();
        if moves == 0 {
            return if board.passed().places() == 0 {
                board.over()
            } else {
                let board = board.passed();
                -C::call(Principal { search, board, alpha: -beta, beta: -alpha })
            };
        }
        let odd = board.odd();
        let (empties, confidence, hash) = (board.empties(), search.confidence, hash(board));
        let known = search.table.get(board, hash).map_or([NO_MOVE; 2], |entry| entry.moves);
        let children = search.add_children(board, moves);
        search.score_children::<C>(children.clone(), empties, odd, known);
        let mut best = -Board::<SIZE>::CELLS - 1;
        let mut best_move = NO_MOVE;
        for index in children.clone() {
            let Child { board: next, replies, cell, .. } = search.best_child(index..children.end);
            let low = alpha.max(best);
            let first = best_move == NO_MOVE;
            let mut value = low + 1;
            if !first || value >= beta {
                let odd = odd ^ Board::<SIZE>::QUADRANT[usize::from(cell)];
                value = -search.null_window::<C>(next, replies, -low - 1, odd, empties - 1);
            }
            if low + 1 < beta && (first || value > low && value < beta) {
                value = -C::call(Principal { search, board: next, alpha: -beta, beta: -low });
            }
            if value > best {
                (best, best_move) = (value, cell);
                if value >= beta {
                    break;
                }
            }
        }
        search.children.truncate(children.start);
        if search.stopped {
            return alpha;
        }
        let depth = (empties as u8, confidence);
        search.table.put((board, hash), depth, (alpha, beta), best, best_move);
        best
    }
}
