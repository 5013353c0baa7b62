//! An upper bound from the parity of the empty cells, without search (after Allis 1988: follow-up,
//! claimeven, baseinverse and odd threats).
//!
//! A column with an even number of empty cells falls into pairs, one above the other. A player who
//! always answers in the pair just begun, the *follower*, gets every upper cell, and the opponent only
//! lower ones. In a column with an odd number the landing cell is left over; the follower answers a
//! stone on one left-over cell with a stone on another, so that of two the opponent gets one.
//! If the opponent has no four in all that he can get, he cannot win. If the follower moreover has a
//! winning cell that the opponent must make available when all else is full, the follower wins.

use super::board::Board;

/// No bound.
pub const NONE: i32 = i32::MAX;

/// An upper bound of the value for the side to move if one is found that is at most `wanted`, else [`NONE`].
/// `threats` are the winning cells of the other side.
#[inline(always)]
pub fn upper_bound(
    board: &Board,
    own: u64,
    stones: u64,
    landing: u64,
    threats: u64,
    wanted: i32,
) -> i32 {
    let empty = board.all & !stones;
    let left_over = landing & board.upper;
    let lower = empty & !board.upper;
    // Upper cells where the follower wins, and which cannot be blocked at once: below them the
    // opponent will not play before he must, and nothing above them matters.
    let upper_threats = threats & board.upper & !landing;
    let odd = empty.count_ones() % 2 == 1;
    if !odd {
        let closed = board.lowest_and_above(upper_threats);
        // All other cells are full when the follower wins: this many stones he would have had left,
        // and one for the win. None of them: no win, a draw at best.
        let bound = -((closed & board.upper).count_ones() as i32);
        let none = bound > wanted || reaches_four(board, own | lower & !closed, left_over);
        return if none { NONE } else { bound };
    }
    // An odd number of empty cells: the other side can be the follower if one column is set aside where he
    // has a winning cell among the lower ones. If the column has a left-over cell, the roles change
    // there. If not, its landing cell is one more to be left over, and then it is such a column.
    let lower_threats = threats & !board.upper;
    let mut bound = NONE;
    let mut columns = if lower_threats == 0 { 0 } else { landing & !lower_threats };
    while columns != 0 {
        let first = columns & columns.wrapping_neg();
        let column = board.column(columns.trailing_zeros() / board.step);
        columns ^= first;
        let threat = lower_threats & column & (lower_threats & column).wrapping_neg();
        if threat == 0 {
            continue;
        }
        let below = column & (threat - 1);
        let above = column & !(threat | (threat - 1));
        let closed = board.lowest_and_above(upper_threats & !column);
        let left = above.count_ones().div_ceil(2) + (closed & board.upper).count_ones();
        if -(left as i32) > wanted.min(bound - 1) {
            continue;
        }
        let sure = lower & !closed & !column | empty & board.upper & below;
        let left_over = left_over & !column | first & !board.upper;
        if !reaches_four(board, own | sure, left_over) {
            bound = -(left as i32);
        }
    }
    bound
}

/// Whether the opponent may get four in a row, if he has or gets all of `sure` and, of the cells left over, one
/// of each pair; the follower chooses the pairs.
#[inline(always)]
fn reaches_four(board: &Board, sure: u64, left_over: u64) -> bool {
    if !board.has_four(sure | left_over) {
        return false;
    }
    let (first, others) = lowest(left_over);
    let (second, others) = lowest(others);
    let (third, fourth) = lowest(others);
    match (second, third, fourth) {
        (0, ..) => true, // none, or one: no pair
        (_, 0, _) => board.has_four(sure | first) || board.has_four(sure | second),
        // Six, on a wide board, are not looked at further.
        _ if !fourth.is_power_of_two() || board.has_four(sure) => true,
        _ => [
            (first, second, third, fourth),
            (first, third, second, fourth),
            (first, fourth, second, third),
        ]
        .into_iter()
        .all(|(a, b, c, d)| {
            [a | c, a | d, b | c, b | d].into_iter().any(|got| board.has_four(sure | got))
        }),
    }
}

/// The lowest cell of a set, and the others.
#[inline(always)]
fn lowest(set: u64) -> (u64, u64) {
    let cell = set & set.wrapping_neg();
    (cell, set ^ cell)
}
