//! The tree search: principal variation search over null windows, down to the last squares.

use super::board::Board;
use super::ordering::{Child, Children};
use super::table::{NO_MOVE, Table};
use crate::cpu::{Cpu, Work};
use crate::solve::Limits;

/// With so many empty cells or fewer, no table and no sorting: they cost more than they save.
const SHALLOW: u32 = 6;

/// A search under way.
pub(super) struct Search<'a, const SIZE: usize> {
    pub table: &'a mut Table<SIZE>,
    pub limits: &'a Limits<'a>,
    /// Positions visited.
    pub nodes: u64,
    /// When to look at the limits again.
    pub next_look: u64,
    /// A limit was reached: all values are void.
    pub stopped: bool,
    /// How sure selective cut-offs must be: an index into the levels of `selective`; the last one
    /// means that there are none.
    pub confidence: u8,
}

/// The confidence of a search without selective cut-offs.
pub(super) const CERTAIN: u8 = 255;

impl<const SIZE: usize> Search<'_, SIZE> {
    /// Counts a position, and looks at the limits now and then.
    #[inline(always)]
    fn visit(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + 4096;
            self.stopped |= self.limits.reached(self.nodes);
        }
    }

    /// Whether the value is at most or above `alpha`.
    #[inline(always)]
    pub fn null_window<C: Cpu>(&mut self, board: Board<SIZE>, alpha: i32, odd: u64) -> i32 {
        let empties = board.empties();
        if empties > SHALLOW {
            C::call(NullWindow { search: self, board, alpha, odd })
        } else if empties > 4 {
            self.nodes += 1;
            C::call(Shallow { nodes: &mut self.nodes, board, alpha, odd })
        } else {
            self.nodes += 1;
            board.last(alpha, odd, &mut self.nodes)
        }
    }
}

/// A few empty cells: odd quadrants first, corners before other cells.
struct Shallow<'s, const SIZE: usize> {
    nodes: &'s mut u64,
    board: Board<SIZE>,
    alpha: i32,
    odd: u64,
}

impl<const SIZE: usize> Work for Shallow<'_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let Shallow { nodes, mut board, mut alpha, odd } = self;
        if alpha >= stability_pays::<SIZE>(board.empties()) {
            let most = board.most();
            if most <= alpha {
                return most;
            }
        }
        let mut sign = 1;
        let mut moves = board.places();
        if moves == 0 {
            (board, alpha, sign) = (board.passed(), -alpha - 1, -1);
            moves = board.places();
            if moves == 0 {
                return -board.over();
            }
        }
        let corners = Board::<SIZE>::CORNERS;
        let last = board.empties() <= 5;
        let mut best = -Board::<SIZE>::CELLS;
        for mut cells in [moves & odd & corners, moves & odd & !corners, moves & !odd] {
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let next = board.after(cell, board.turned(cell));
                let odd = odd ^ Board::<SIZE>::QUADRANT[cell];
                *nodes += 1;
                let value = -if last {
                    next.last_4(-alpha - 1, odd, nodes)
                } else {
                    C::call(Shallow { nodes: &mut *nodes, board: next, alpha: -alpha - 1, odd })
                };
                if value > alpha {
                    return sign * value;
                }
                best = best.max(value);
            }
        }
        sign * best
    }
}

/// From which bound on the discs of the other side that are never turned are likely to decide.
#[inline(always)]
fn stability_pays<const SIZE: usize>(empties: u32) -> i32 {
    2 * empties as i32 * Board::<SIZE>::CELLS / 64
}

struct NullWindow<'s, 'a, const SIZE: usize> {
    search: &'s mut Search<'a, SIZE>,
    board: Board<SIZE>,
    alpha: i32,
    odd: u64,
}

impl<const SIZE: usize> Work for NullWindow<'_, '_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let NullWindow { search, board, alpha, odd } = self;
        search.visit();
        if search.stopped {
            return alpha;
        }
        let empties = board.empties();
        if alpha >= stability_pays::<SIZE>(empties) {
            let most = board.most();
            if most <= alpha {
                return most;
            }
        }
        let moves = board.places();
        if moves == 0 {
            return if board.passed().places() == 0 {
                board.over()
            } else {
                -search.null_window::<C>(board.passed(), -alpha - 1, odd)
            };
        }
        let (depth, confidence) = (empties as u8, search.confidence);
        let mut known = [NO_MOVE; 2];
        if let Some(entry) = search.table.get(board) {
            if (entry.depth, entry.confidence) >= (depth, confidence) {
                if i32::from(entry.lower) > alpha {
                    return entry.lower.into();
                }
                if i32::from(entry.upper) <= alpha {
                    return entry.upper.into();
                }
            }
            known = entry.moves;
        }
        let mut children = Children::new(board, moves);
        for child in children.iter() {
            if let Some(entry) = search.table.get(child.board)
                && (entry.depth, entry.confidence) >= (depth - 1, confidence)
                && -i32::from(entry.upper) > alpha
            {
                return -i32::from(entry.upper);
            }
        }
        children.order(board, odd, known);
        let mut best = -Board::<SIZE>::CELLS - 1;
        let mut best_move = NO_MOVE;
        while let Some(&Child { board: next, cell, .. }) = children.next() {
            let odd = odd ^ Board::<SIZE>::QUADRANT[usize::from(cell)];
            let value = -search.null_window::<C>(next, -alpha - 1, odd);
            if search.stopped {
                return alpha;
            }
            if value > best {
                (best, best_move) = (value, cell);
                if value > alpha {
                    break;
                }
            }
        }
        search.table.put(board, (depth, confidence), (alpha, alpha + 1), best, best_move);
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
        let (depth, confidence) = (board.empties() as u8, search.confidence);
        let known = search.table.get(board).map_or([NO_MOVE; 2], |entry| entry.moves);
        let mut children = Children::new(board, moves);
        children.order(board, odd, known);
        let mut best = -Board::<SIZE>::CELLS - 1;
        let mut best_move = NO_MOVE;
        while let Some(&Child { board: next, cell, .. }) = children.next() {
            let low = alpha.max(best);
            let first = best_move == NO_MOVE;
            let mut value = low + 1;
            if !first || value >= beta {
                let odd = odd ^ Board::<SIZE>::QUADRANT[usize::from(cell)];
                value = -search.null_window::<C>(next, -low - 1, odd);
            }
            if low + 1 < beta && (first || value > low && value < beta) {
                value = -C::call(Principal { search, board: next, alpha: -beta, beta: -low });
            }
            if search.stopped {
                return alpha;
            }
            if value > best {
                (best, best_move) = (value, cell);
                if value >= beta {
                    break;
                }
            }
        }
        search.table.put(board, (depth, confidence), (alpha, beta), best, best_move);
        best
    }
}
