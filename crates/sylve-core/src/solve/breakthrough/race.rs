//! Who wins a race, without search.
//!
//! A pawn is *free* if no enemy pawn is before it in the cone that widens by one column a row: then none
//! can ever capture or block it. The foremost free pawn reaches the far row in as many moves as it has
//! rows to go, and nothing but a faster enemy can prevent that.

use super::board::{Board, Pawns};

/// Whether the side to move wins, if a race decides it.
#[inline(always)]
pub fn race(board: &Board, pawns: Pawns) -> Option<bool> {
    let free = pawns.own & !cone_down(board, pawns.other);
    // Rows to go for the fastest enemy, if nothing stood in its way.
    let fastest_other = pawns.other.trailing_zeros() as usize / board.columns;
    if free != 0 && board.rows - 1 - foremost(board, free) <= fastest_other {
        return Some(true);
    }
    let free_other = pawns.other & !cone_up(board, pawns.own);
    if free_other != 0 {
        let to_go = free_other.trailing_zeros() as usize / board.columns;
        if to_go < board.rows - 1 - foremost(board, pawns.own) {
            return Some(false);
        }
    }
    None
}

/// The highest row of a set that is not empty.
#[inline(always)]
fn foremost(board: &Board, set: u64) -> usize {
    (63 - set.leading_zeros() as usize) / board.columns
}

/// The cells that pawns going down can reach, with any captures.
#[inline(always)]
fn cone_down(board: &Board, mut front: u64) -> u64 {
    let mut cone = 0;
    while front != 0 {
        front = front >> board.columns | board.diagonals_down(front);
        cone |= front;
    }
    cone
}

/// The cells that pawns going up can reach, with any captures.
#[inline(always)]
fn cone_up(board: &Board, mut front: u64) -> u64 {
    let (mut cone, inside) = (0, u64::MAX >> (64 - board.cells()));
    while front != 0 {
        let [right, left] = board.diagonals_up(front);
        front = (front << board.columns | right | left) & inside;
        cone |= front;
    }
    cone
}
