//! The counters: a result is one addition, which no other thread can undo.
//!
//! A word has the tallies of two neighbouring moves, 32 bits each: from below 15 bits of visits, 15 of
//! wins, and 2 that say how the game ends after the move, where that is proven. A simulation is a
//! visit from its beginning, and a win when it has won: while it is under way it counts as a loss
//! ("virtual loss"), so that other threads look elsewhere, and nothing has to be taken back later.
//!
//! A node with more visits than 15 bits hold gets wide words, one a move, beside the narrow ones. They
//! go on where the narrow ones stop: a tally is the sum of both. Nothing is copied, so nothing is
//! lost that another thread counts meanwhile.

use super::super::pairs::Pair;
use super::super::sync::{AtomicU64, Ordering};
use super::super::units::{DRAW, WIN as UNITS};

/// From so many visits on, a node needs wide words.
///
/// Each of the 256 threads that may run can count what it kept to itself before it sees that
/// (`copies.rs`: 64), one more, and the rest of its share (`parallel/shared_tree.rs`: 16) while all stop to
/// make room: 20,736.
pub const ENOUGH: u32 = MOST - 21_000;
/// The most visits of a narrow tally.
const MOST: u32 = (1 << 15) - 1;
const WIN: u64 = 1 << 15;
const PROOF: u32 = 30;

/// How far up in its word the tally of a move is.
#[inline(always)]
fn up(index: usize) -> u32 {
    32 * (index as u32 & 1)
}

/// Begins a simulation through a move, whose tally is in this word.
#[inline(always)]
pub fn begin(word: &AtomicU64, index: usize) {
    word.fetch_add(1 << up(index), Ordering::Relaxed);
}

/// A simulation that was begun is won.
#[inline(always)]
pub fn win(word: &AtomicU64, index: usize) {
    word.fetch_add(WIN << up(index), Ordering::Relaxed);
}

/// Counts a result that nobody announced.
#[inline(always)]
pub fn count(word: &AtomicU64, index: usize, won: bool) {
    word.fetch_add(result(won) << up(index), Ordering::Relaxed);
}

#[inline(always)]
fn result(won: bool) -> u64 {
    if won { 1 + WIN } else { 1 }
}

/// The same in a wide word.
#[inline(always)]
pub fn count_wide(word: &AtomicU64, won: bool) {
    word.fetch_add(u64::new(1, u32::from(won)), Ordering::Relaxed);
}

/// Begins a simulation in a wide word.
#[inline(always)]
pub fn begin_wide(word: &AtomicU64) {
    word.fetch_add(u64::new(1, 0), Ordering::Relaxed);
}

/// A simulation that was begun in a wide word is won.
#[inline(always)]
pub fn win_wide(word: &AtomicU64) {
    word.fetch_add(u64::new(0, 1), Ordering::Relaxed);
}

/// Adds one to a plain number of 32 bits, two to a word: draws, simulations under way.
///
/// Release: whoever reads a draw with acquire sees the visit that was counted before.
#[inline(always)]
pub fn add(words: &[AtomicU64], index: usize) {
    words[index / 2].fetch_add(1 << up(index), Ordering::Release);
}

/// Adds an estimated result to such a number, which keeps what is beyond whole wins. Whether a whole win
/// came out of it, which is to be counted.
///
/// Whoever carries takes the win off: every time the number passes a multiple of a win, one thread does.
#[inline(always)]
pub fn add_part(words: &[AtomicU64], index: usize, units: u32) -> bool {
    let (word, up) = (&words[index / 2], up(index));
    let before = (word.fetch_add(u64::from(units) << up, Ordering::Release) >> up) as u32;
    let carries = passes(before, units);
    if carries {
        word.fetch_sub(u64::from(UNITS) << up, Ordering::Release);
    }
    carries
}

/// Whether a number passes a multiple of a win. Never by two: a result is a win at most.
#[inline(always)]
fn passes(before: u32, units: u32) -> bool {
    before / UNITS < (before + units) / UNITS
}

/// Takes one from such a number.
#[inline(always)]
pub fn take(words: &[AtomicU64], index: usize) {
    words[index / 2].fetch_sub(1 << up(index), Ordering::Relaxed);
}

/// A move is proven. There is one truth, so that it does not matter who says it first.
pub fn prove(words: &[AtomicU64], index: usize, proof: u8) {
    words[index / 2].fetch_or(u64::from(proof) << PROOF << up(index), Ordering::Relaxed);
}

/// Counts a result (AMAF) for the moves whose bits are set, from `start` on.
#[inline(always)]
pub fn count_chosen(words: &[AtomicU64], start: usize, mut chosen: u64, won: bool) {
    add_chosen(words, start, &mut chosen, result(won), Ordering::Relaxed);
}

/// Adds one to the plain numbers of these moves.
#[inline(always)]
pub fn add_to_chosen(words: &[AtomicU64], start: usize, mut chosen: u64) {
    add_chosen(words, start, &mut chosen, 1, Ordering::Release);
}

/// Two neighbours are one addition.
#[inline(always)]
fn add_chosen(words: &[AtomicU64], start: usize, chosen: &mut u64, what: u64, order: Ordering) {
    while *chosen != 0 {
        let word = chosen.trailing_zeros() / 2;
        let both = *chosen >> (2 * word);
        let sum = what * (both & 1) + (what << 32) * (both >> 1 & 1);
        words[start / 2 + word as usize].fetch_add(sum, order);
        *chosen &= !(3 << (2 * word));
    }
}

/// The same in wide words.
#[inline(always)]
pub fn count_chosen_wide(words: &[AtomicU64], start: usize, mut chosen: u64, won: bool) {
    while chosen != 0 {
        let index = start + chosen.trailing_zeros() as usize;
        count_wide(&words[index], won);
        chosen &= chosen - 1;
    }
}

/// Counts a result of a code (GRAVE); `draws` where the game has them.
#[inline(always)]
pub fn count_code(pair: &AtomicU64, draws: Option<&AtomicU64>, units: u32) {
    count_wide(pair, units == UNITS);
    if units == DRAW
        && let Some(draws) = draws
    {
        draws.fetch_add(1, Ordering::Release);
    }
}

/// Counts an estimated result of a code.
#[inline(always)]
pub fn count_estimate_of_code(pair: &AtomicU64, parts: &AtomicU64, units: u32) {
    // The visit first: results are never more than visits.
    begin_wide(pair);
    let before = parts.fetch_add(u64::from(units), Ordering::Release) as u32;
    if passes(before, units) {
        parts.fetch_sub(u64::from(UNITS), Ordering::Release);
        win_wide(pair);
    }
}

/// The 32 bits of a move.
#[inline(always)]
pub fn half(words: &[AtomicU64], index: usize, order: Ordering) -> u32 {
    (words[index / 2].load(order) >> up(index)) as u32
}

/// Visits and wins of a narrow tally, 16 bits each, as `Pair` has them.
#[inline(always)]
pub fn pair(half: u32) -> u32 {
    half & MOST | half << 1 & MOST << 16
}

/// The proof in a narrow tally: 0, or how the game ends after the move.
#[inline(always)]
pub fn proof(half: u32) -> u32 {
    half >> PROOF
}

/// Writes a tally that narrow words can hold into one that has counted nothing.
pub fn set(words: &[AtomicU64], index: usize, visits: u32, wins: u32) {
    debug_assert!(visits < ENOUGH, "{visits} visits");
    set_plain(words, index, visits + wins * WIN as u32);
}

/// Writes a plain number that was 0.
pub fn set_plain(words: &[AtomicU64], index: usize, number: u32) {
    words[index / 2].fetch_or(u64::from(number) << up(index), Ordering::Relaxed);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Estimates that several threads add at once: whole wins and what is beyond them sum up exactly.
    #[test]
    fn no_part_is_lost() {
        const EACH: u32 = 20_000;
        let (own, parts) = ([AtomicU64::new(0)], [AtomicU64::new(0)]);
        let of_code = [AtomicU64::new(0), AtomicU64::new(0)];
        let units = |thread: u32, count: u32| (thread * 977 + count * 31_337) % (UNITS + 1);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (own, parts, of_code) = (&own, &parts, &of_code);
                scope.spawn(move || {
                    for count in 0..EACH {
                        let units = units(thread, count);
                        if add_part(parts, 1, units) {
                            own[0].fetch_add(1, Ordering::Relaxed);
                        }
                        count_estimate_of_code(&of_code[0], &of_code[1], units);
                    }
                });
            }
        });
        let all = (0..4).flat_map(|thread| (0..EACH).map(move |count| units(thread, count)));
        let sum: u64 = all.map(u64::from).sum();
        let [wins, part] = [&own[0], &parts[0]].map(|word| word.load(Ordering::Relaxed));
        assert_eq!(wins * u64::from(UNITS) + (part >> 32), sum);
        assert_eq!(part & u64::from(u32::MAX), 0, "its neighbour is another move's");
        let [pair, part] = of_code.map(|word| word.load(Ordering::Relaxed));
        assert_eq!(pair.visits(), 4 * EACH);
        assert_eq!(u64::from(pair.wins()) * u64::from(UNITS) + part, sum);
    }
}
