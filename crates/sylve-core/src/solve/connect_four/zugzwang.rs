//! An upper bound from the parity of the empty cells, without search (after Allis 1988: follow-up,
//! claimeven, baseinverse and odd threats).
//!
//! A column with an even number of empty cells falls into pairs, one above the other. A player who
//! always answers in the pair just begun, the *follower*, gets every upper cell, and the opponent only
//! lower ones. In a column with an odd number the landing cell is left over; the follower answers a
//! stone on one left-over cell with a stone on another, so that of these the opponent gets some.
//! If the opponent has no four in all that he can get, he cannot win. If the follower moreover has a
//! winning cell that the opponent must make available when all else is full, the follower wins.

use super::board::Board;

/// No bound.
pub const NONE: i32 = i32::MAX;

/// An upper bound of the value for the side to move, or [`NONE`]. `threats` are the winning cells of the
/// other side.
#[inline(always)]
pub fn upper_bound(board: &Board, own: u64, stones: u64, landing: u64, threats: u64) -> i32 {
    let empty = board.all & !stones;
    let left_over = landing & board.upper;
    let lower = empty & !board.upper;
    // Upper cells where the follower wins, and which cannot be blocked at once: below them the
    // opponent will not play before he must, and nothing above them matters.
    let upper_threats = threats & board.upper & !landing;
    let odd = empty.count_ones() % 2 == 1;
    if !odd {
        let closed = board.lowest_and_above(upper_threats);
        if board.has_four(own | (lower | left_over) & !closed) {
            return NONE;
        }
        // All other cells are full when the follower wins: this many stones he would have had left,
        // and one for the win. None of them: no win, a draw at best.
        return -((closed & board.upper).count_ones() as i32);
    }
    // An odd number of empty cells: the other side can be the follower if one column with a left-over
    // cell is set aside. There the roles change, and he needs a winning cell among the lower ones.
    let lower_threats = threats & !board.upper;
    let mut bound = NONE;
    let mut columns = if lower_threats == 0 { 0 } else { left_over };
    while columns != 0 {
        let column = board.column(columns.trailing_zeros() / board.step);
        columns &= columns - 1;
        let threat = lower_threats & column & (lower_threats & column).wrapping_neg();
        if threat == 0 {
            continue;
        }
        let below = column & (threat - 1);
        let above = column & !(threat | (threat - 1));
        let closed = board.lowest_and_above(upper_threats & !column);
        let elsewhere = (lower | left_over) & !closed & !column;
        if board.has_four(own | elsewhere | empty & board.upper & below) {
            continue;
        }
        let left = above.count_ones().div_ceil(2) + (closed & board.upper).count_ones();
        bound = bound.min(-(left as i32));
    }
    bound
}
