//! For games whose moves are cells, row after row, and perhaps one more move after the last cell:
//! the cheap ways through a list of moves that a tree search asks a [`crate::Game`] for.
//!
//! Legal cells are a set of words, cell i = bit i % 64 of word i / 64. The AMAF code of a move is
//! twice its number, plus 1 for the second player.

use crate::cpu::Cpu;
use crate::game::{Move, Player};
use crate::rng::mix;

/// Words that hold `moves` bits.
const fn words(moves: usize) -> usize {
    moves.div_ceil(64)
}

/// The place of a code in a set of codes: all moves of a player, then those of the other.
#[inline(always)]
pub fn code_place(code: usize, moves: usize) -> usize {
    code % 2 * 64 * words(moves) + code / 2
}

/// The cell with this index among the legal ones; `None` past the last one.
#[inline(always)]
pub fn nth<C: Cpu>(legal: &[u64], index: usize) -> Option<Move> {
    let mut left = index as u32;
    for (number, &word) in legal.iter().enumerate() {
        let count = word.count_ones();
        if left < count {
            let cell = 64 * number + C::nth_bit(word, left).trailing_zeros() as usize;
            return Some(Move(cell as u16));
        }
        left -= count;
    }
    None
}

/// Appends the codes of the legal cells.
#[inline(always)]
pub fn list_codes(legal: &[u64], player: Player, out: &mut Vec<u16>) {
    for (number, &word) in legal.iter().enumerate() {
        let mut left = word;
        out.extend((0..word.count_ones()).map(|_| {
            let cell = 64 * number + left.trailing_zeros() as usize;
            left &= left - 1;
            (2 * cell + player.index()) as u16
        }));
    }
}

/// A check of the legal cells, and whether there is one more move.
#[inline(always)]
pub fn check(legal: &[u64], more: bool) -> u32 {
    let mut sum = u64::from(more);
    for &word in legal {
        sum = mix(sum ^ word);
    }
    (sum >> 32) as u32
}

/// Appends which of the legal cells, and of the one more move if there is one, are in the set `seen`
/// of the codes of a game with so many `moves`.
#[inline(always)]
pub fn seen<C: Cpu>(
    legal: &[u64],
    more: Option<Move>,
    moves: usize,
    player: Player,
    seen: &[u64],
    out: &mut Vec<u64>,
) {
    let seen = &seen[player.index() * words(moves)..];
    let (mut word, mut filled) = (0, 0);
    let mut append = |bits: u64, count: u32| {
        word |= bits << filled;
        if filled + count >= 64 {
            out.push(word);
            word = if filled == 0 { 0 } else { bits >> (64 - filled) };
        }
        filled = (filled + count) % 64;
    };
    for (&legal, &seen) in legal.iter().zip(seen) {
        append(C::extract(seen, legal), legal.count_ones());
    }
    if let Some(mv) = more {
        append(seen[usize::from(mv.0) / 64] >> (mv.0 % 64) & 1, 1);
    }
    out.push(word); // one too many if nothing is left: nobody looks at it
}

/// The first cell of a set with the highest mean, its place being its number; `None` in no cell.
#[inline(always)]
pub fn best_of_few(mut set: u64, means: &[f64]) -> Option<Move> {
    let means = &means[..64];
    let (mut best, mut highest) = (None, -1.0);
    while set != 0 {
        let cell = set.trailing_zeros() as usize;
        if means[cell] > highest {
            (best, highest) = (Some(Move(cell as u16)), means[cell]);
        }
        set &= set - 1;
    }
    best
}
