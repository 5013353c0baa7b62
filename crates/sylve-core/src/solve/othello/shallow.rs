//! Five and six empty cells: no table and no sorting, which would cost more than they save.

use super::board::Board;
use super::context::UNKNOWN;
use crate::cpu::{Cpu, Work};

/// A search with the window `alpha`, `alpha + 1`. Odd quadrants first, corners before other cells.
pub(super) struct Shallow<'s, const SIZE: usize> {
    pub nodes: &'s mut u64,
    pub board: Board<SIZE>,
    /// Where discs can be put, or [`UNKNOWN`].
    pub moves: u64,
    pub alpha: i32,
    /// The quadrants with an odd number of empty cells.
    pub odd: u64,
}

impl<const SIZE: usize> Work for Shallow<'_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let Shallow { nodes, mut board, mut moves, mut alpha, odd } = self;
        *nodes += 1;
        let empties = board.empties();
        if let Some(most) = board.at_most(alpha, empties) {
            return most;
        }
        let mut sign = 1;
        if moves == UNKNOWN {
            moves = board.places();
        }
        if moves == 0 {
            (board, alpha, sign) = (board.passed(), -alpha - 1, -1);
            moves = board.places();
            if moves == 0 {
                return -board.over();
            }
        }
        let corners = Board::<SIZE>::CORNERS;
        let mut best = -Board::<SIZE>::CELLS;
        for mut cells in [moves & odd & corners, moves & odd & !corners, moves & !odd] {
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let next = board.after(cell, board.turned(cell));
                let odd = odd ^ Board::<SIZE>::QUADRANT[cell];
                let value = -if empties <= 5 {
                    *nodes += 1;
                    next.last_3_or_4::<4>(-alpha - 1, odd, nodes)
                } else {
                    let nodes = &mut *nodes;
                    C::call(Shallow { nodes, board: next, moves: UNKNOWN, alpha: -alpha - 1, odd })
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
