//! Shallow searches with the light evaluation.

use super::board::Board;
use super::context::Search;
use super::evaluation::DISC;
use crate::cpu::{Cpu, Work};

/// Alpha-beta over the evaluation, in parts of a disc.
pub(super) struct Guess<'s, 'a, const SIZE: usize> {
    pub search: &'s mut Search<'a, SIZE>,
    pub board: Board<SIZE>,
    pub alpha: i32,
    pub beta: i32,
    pub depth: u32,
}

impl<const SIZE: usize> Work for Guess<'_, '_, SIZE> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        let Guess { search, board, mut alpha, beta, depth } = self;
        search.visit();
        if depth == 0 || search.stopped {
            return board.evaluate();
        }
        let mut moves = board.places();
        if moves == 0 {
            let passed = board.passed();
            if passed.places() == 0 {
                return DISC * board.over();
            }
            return -C::call(Guess { search, board: passed, alpha: -beta, beta: -alpha, depth });
        }
        let mut best = i32::MIN;
        while moves != 0 {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let next = board.after(cell, board.turned(cell));
            let value = if depth == 1 {
                search.nodes += 1;
                -next.evaluate()
            } else {
                -C::call(Guess {
                    search: &mut *search,
                    board: next,
                    alpha: -beta,
                    beta: -alpha,
                    depth: depth - 1,
                })
            };
            if value > best {
                best = value;
                if value >= beta {
                    break;
                }
                alpha = alpha.max(value);
            }
        }
        best
    }
}
