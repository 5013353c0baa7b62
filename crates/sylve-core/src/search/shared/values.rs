//! What evaluations say of a node's moves: 16 bits each, four to a word.
//!
//! The values of virtual visits never change. Those that go up the tree (implicit minimax) do, and
//! when no thread runs, the value of a move is that of the node behind it, as its own moves have it:
//! whoever has changed a value looks at it again until nothing is left to change. Why that suffices:
//! a thread writes to a node, then sees to the move before it; another has read the node before, and
//! writes to the move after. Each passes a fence between the two, so that one at least sees what the
//! other wrote, and puts it right. Nobody waits: to look again, some other thread must have gone on.

use super::super::sync::{AtomicU64, Ordering, fence};
use super::super::units::WIN;

const EACH: usize = 4;

/// Words for the values of so many moves.
#[inline(always)]
pub fn length(moves: usize) -> usize {
    moves.div_ceil(EACH)
}

/// Writes the values of all moves, before the node is shown or where no thread runs.
pub fn write(words: &[AtomicU64], values: &[u16]) {
    for (word, values) in words.iter().zip(values.chunks(EACH)) {
        let all = values.iter().rev().fold(0, |all, &value| all << 16 | u64::from(value));
        word.store(all, Ordering::Relaxed);
    }
}

/// Reads them, with zeros behind the last.
#[inline(always)]
pub fn read(into: &mut Vec<u16>, words: &[AtomicU64]) {
    into.clear();
    into.extend(words.iter().flat_map(four));
}

#[inline(always)]
fn four(word: &AtomicU64) -> [u16; EACH] {
    let word = word.load(Ordering::Relaxed);
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}

/// The largest.
#[inline(always)]
fn largest(words: &[AtomicU64]) -> u32 {
    words.iter().flat_map(four).max().map_or(0, u32::from)
}

/// Writes the value of a move. Whether that was another one.
#[inline(always)]
pub fn set(words: &[AtomicU64], index: usize, value: u32) -> bool {
    let (word, up) = (&words[index / EACH], 16 * (index % EACH));
    let mut before = word.load(Ordering::Relaxed);
    loop {
        let after = before & !(0xFFFF << up) | u64::from(value) << up;
        if after == before {
            return false;
        }
        match word.compare_exchange_weak(before, after, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {
                fence(Ordering::SeqCst);
                return true;
            }
            Err(other) => before = other, // a neighbour has changed, or this one
        }
    }
}

/// Gives a move the value of the node behind it, whose moves have the values `below`; `turned`: the
/// other player moves there. The answer is the value.
#[inline(always)]
pub fn raise(words: &[AtomicU64], index: usize, below: &[AtomicU64], turned: bool) -> u32 {
    loop {
        let best = largest(below);
        let value = if turned { WIN - best } else { best };
        if !set(words, index, value) {
            return value;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn values_lie_side_by_side() {
        for moves in 1..10_u16 {
            let words: Vec<_> =
                (0..length(moves.into())).map(|_| AtomicU64::new(u64::MAX)).collect();
            let mut values: Vec<u16> = (1..=moves).map(|value| 7000 * value).collect();
            write(&words, &values);
            let last = usize::from(moves) - 1;
            assert!(!set(&words, last, 7000 * u32::from(moves)));
            assert!(set(&words, last, 65_535));
            values[last] = 65_535;
            let mut read_back = Vec::new();
            read(&mut read_back, &words);
            values.resize(EACH * words.len(), 0);
            assert_eq!(read_back, values);
            let above = [AtomicU64::new(3 << 16)];
            assert_eq!(raise(&above, 0, &words, true), 1);
            assert_eq!(raise(&above, 2, &words, false), 65_535);
            assert_eq!(four(&above[0]), [1, 3, 65_535, 0]);
        }
    }
}
