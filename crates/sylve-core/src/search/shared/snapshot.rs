//! The tallies of a node as one thread has read them, for the formulas of the serial search.

use super::super::columns::{Column, Judged};
use super::super::pairs::{LANES, Pair};
use super::super::sync::{AtomicU64, Ordering};
use super::super::tally::Tally;
use super::super::units::{Counting, DRAW, WIN};
use super::cells;
use super::counters::{NodeCounters, tally_of};
use super::values;
use crate::game::Player;

/// What a thread has read of a node's own tallies: plain numbers, for the formulas of the serial search.
///
/// Visits contain the simulations under way.
#[derive(Default)]
pub struct OwnTallies {
    /// The number of moves.
    pub moves: usize,
    /// Visits of the node.
    pub total: u32,
    /// Moves that somebody has tried.
    tried: u32,
    /// What is proven of each move; empty where nothing is.
    pub proofs: Vec<u8>,
    /// Their tallies.
    pub pairs: Pairs,
    /// What evaluations say of each move, with zeros behind the last; empty where they say nothing.
    implicit: Vec<u16>,
    prior: Vec<u16>,
}

/// What else the formulas need.
///
/// Simulations under way are losses for AMAF too: without, a move that AMAF does not know yet would
/// attract all threads at once.
#[derive(Default)]
pub struct AmafTallies {
    /// The tallies of AMAF, by move or from a table.
    pub amaf: Pairs,
    losses: Vec<[u32; LANES]>,
}

/// A column of tallies: of 16 bits, eight by eight as they are read, or where a node has more visits
/// of 32.
#[derive(Default)]
pub struct Pairs {
    /// Whether those of 32 bits count.
    pub wide: bool,
    narrow: Vec<[u32; LANES]>,
    /// How results are counted.
    counting: Counting,
    /// Whether there are draws, or parts: the formulas take an empty column for zeros.
    drawn: bool,
    narrow_draws: Vec<[u32; LANES]>,
    pairs: Vec<u64>,
    draws: Vec<u64>,
}

impl Pairs {
    /// The narrow ones.
    pub fn narrow(&self, moves: usize) -> Column<'_, u32> {
        let draws = &self.narrow_draws.as_flattened()[..if self.drawn { moves } else { 0 }];
        Column { pairs: &self.narrow.as_flattened()[..moves], draws, counting: self.counting() }
    }

    /// The wide ones.
    pub fn wide(&self) -> Column<'_, u64> {
        Column { pairs: &self.pairs, draws: &self.draws, counting: self.counting() }
    }

    /// Estimates without a part count like outcomes without a draw.
    fn counting(&self) -> Counting {
        if self.drawn { self.counting } else { Counting::Outcomes }
    }

    fn tally(&self, moves: usize, index: usize) -> Tally {
        if self.wide { self.wide().tally(index) } else { self.narrow(moves).tally(index) }
    }

    /// Reads the draws. Before the pairs: whoever sees a draw sees its visit.
    #[inline(always)]
    fn read_draws(&mut self, words: &[AtomicU64], counting: Counting) {
        self.counting = counting;
        let mut any = [0; LANES];
        read(&mut self.narrow_draws, words, Ordering::Acquire, |_, draws| {
            if counting == Counting::Estimates {
                *draws = draws.map(|parts| parts % WIN); // a win that somebody carries comes soon
            }
            any.iter_mut().zip(draws).for_each(|(any, draws)| *any |= *draws);
        });
        self.drawn = any != [0; LANES];
    }

    /// Counts a result of one of so many moves.
    #[inline(always)]
    fn count(&mut self, index: usize, units: u32, moves: usize) {
        if self.counting == Counting::Estimates {
            return self.count_estimate(index, units, moves);
        }
        let won = u32::from(units == WIN);
        if self.wide {
            self.pairs[index] += u64::new(1, won);
        } else {
            self.narrow[index / LANES][index % LANES] += <u32 as Pair>::new(1, won);
        }
        if units == DRAW {
            self.count_draw(index, moves);
        }
    }

    fn count_estimate(&mut self, index: usize, units: u32, moves: usize) {
        self.drawn = true; // the narrow ones are zeros before
        let part = &mut self.narrow_draws[index / LANES][index % LANES];
        let sum = *part + units;
        *part = sum % WIN;
        if self.wide {
            self.draws.resize(moves, 0);
            self.draws[index] = u64::from(sum % WIN);
            self.pairs[index] += u64::new(1, sum / WIN);
        } else {
            self.narrow[index / LANES][index % LANES] += <u32 as Pair>::new(1, sum / WIN);
        }
    }

    #[cold]
    fn count_draw(&mut self, index: usize, moves: usize) {
        self.drawn = true; // the narrow ones are zeros before
        self.narrow_draws[index / LANES][index % LANES] += 1;
        if self.wide {
            self.draws.resize(moves, 0);
            self.draws[index] += 1;
        }
    }

    /// Adds what the wide words have.
    #[cold]
    fn widen(&mut self, wide: &[AtomicU64]) {
        self.wide = true;
        let narrow = self.narrow.as_flattened().iter();
        let sum = |(pair, wide): (&u32, &AtomicU64)| {
            u64::new(pair.visits(), pair.wins()) + wide.load(Ordering::Relaxed)
        };
        self.pairs.clear();
        self.pairs.extend(narrow.zip(wide).map(sum));
        self.draws.clear();
        let count = if self.drawn { wide.len() } else { 0 };
        let draws = self.narrow_draws.as_flattened()[..count].iter();
        self.draws.extend(draws.map(|&draws| u64::from(draws)));
    }
}

/// Copies words, and shows each eight numbers, with zeros behind the last, before they are written.
#[inline(always)]
fn read(
    into: &mut Vec<[u32; LANES]>,
    words: &[AtomicU64],
    order: Ordering,
    mut see: impl FnMut(usize, &mut [u32; LANES]),
) {
    // Sized beforehand: a push for each entry would look for room each time.
    let count = words.len().div_ceil(LANES / 2);
    if into.len() < count {
        into.resize(count, [0; LANES]);
    }
    let chunks = words.chunks(LANES / 2).zip(into.iter_mut()).enumerate();
    for (number, (words, into)) in chunks {
        let four = match words {
            [a, b, c, d] => [a.load(order), b.load(order), c.load(order), d.load(order)],
            [a, b, c] => [a.load(order), b.load(order), c.load(order), 0],
            [a, b] => [a.load(order), b.load(order), 0, 0],
            _ => [words[0].load(order), 0, 0, 0],
        };
        let mut eight = std::array::from_fn(|at| (four[at / 2] >> (32 * (at % 2))) as u32);
        see(LANES * number, &mut eight);
        *into = eight;
    }
}

impl OwnTallies {
    /// The tally of a move.
    pub fn tally(&self, index: usize) -> Tally {
        self.pairs.tally(self.moves, index)
    }

    /// The visits of a move.
    #[inline(always)]
    pub fn visits(&self, index: usize) -> u32 {
        if self.pairs.wide {
            self.pairs.pairs[index].visits()
        } else {
            self.pairs.narrow[index / LANES][index % LANES].visits()
        }
    }

    /// What an evaluation says of the moves; nothing where there is none.
    #[inline(always)]
    pub fn judged(&self, what: Judged) -> &[u16] {
        let values = match what {
            Judged::Implicit => &self.implicit,
            Judged::Prior => &self.prior,
        };
        values.get(..self.moves).unwrap_or_default()
    }

    /// Writes the value of a move that goes up the tree.
    #[inline(always)]
    pub fn set_implicit(&mut self, index: usize, value: u32) {
        self.implicit[index] = value as u16;
    }

    /// The first move that nobody has tried, where moves are tried in order.
    #[inline(always)]
    pub fn untried(&self) -> Option<usize> {
        let tried = self.tried as usize;
        (tried < self.moves).then_some(tried)
    }

    /// Reads the tallies.
    #[inline(always)]
    pub fn fill(&mut self, at: NodeCounters<'_>) {
        self.moves = at.moves;
        self.pairs.wide = false;
        self.pairs.read_draws(at.draws, at.counting);
        // By lane: the compiler takes eight at a time.
        let (mut total, mut tried, mut any) = ([0; LANES], [0; LANES], [0; LANES]);
        read(&mut self.pairs.narrow, at.own, Ordering::Relaxed, |_, eight| {
            for (lane, half) in eight.iter_mut().enumerate() {
                any[lane] |= *half;
                *half = cells::pair(*half);
                total[lane] += half.visits();
                tried[lane] += u32::from(half.visits() > 0);
            }
        });
        self.proofs.clear();
        if any.map(cells::proof) != [0; LANES] {
            self.proofs.extend(at.proofs());
        }
        (self.total, self.tried) = (total.iter().sum(), tried.iter().sum());
        values::read(&mut self.implicit, at.implicit);
        values::read(&mut self.prior, at.prior);
        if let Some(wide) = at.wide {
            self.pairs.widen(wide.own);
            let visits = || self.pairs.pairs.iter().map(|pair| pair.visits());
            self.total = visits().sum();
            self.tried = visits().filter(|&visits| visits > 0).count() as u32;
        }
    }

    /// Counts a result, as `cells` does for all.
    #[inline(always)]
    pub fn count(&mut self, index: usize, units: u32) {
        self.total += 1;
        self.tried += u32::from(self.visits(index) == 0);
        self.pairs.count(index, units, self.moves);
    }
}

impl AmafTallies {
    /// The tally of AMAF of a move, of so many.
    pub fn tally(&self, moves: usize, index: usize) -> Tally {
        self.amaf.tally(moves, index)
    }

    /// Reads the simulations under way.
    #[inline(always)]
    pub fn fill_losses(&mut self, at: NodeCounters<'_>) {
        read(&mut self.losses, at.under_way, Ordering::Relaxed, |_, _| {});
    }

    /// Reads the tallies of AMAF.
    #[inline(always)]
    pub fn fill(&mut self, at: NodeCounters<'_>) {
        self.amaf.wide = false;
        self.amaf.read_draws(at.amaf_draws, at.counting);
        let losses = &self.losses;
        read(&mut self.amaf.narrow, at.amaf, Ordering::Relaxed, |start, eight| {
            for (half, losses) in eight.iter_mut().zip(&losses[start / LANES]) {
                *half = cells::pair(*half) + losses; // visits are the lower half
            }
        });
        if let Some(wide) = at.wide {
            self.amaf.widen(wide.amaf);
        }
    }

    /// The tallies of the moves' codes in a table, which is for the first player.
    #[inline(always)]
    pub fn fill_reference(
        &mut self,
        (pairs, draws): (&[AtomicU64], &[AtomicU64]),
        codes: &[u16],
        player: Player,
        counting: Counting,
    ) {
        let amaf = &mut self.amaf;
        (amaf.wide, amaf.drawn, amaf.counting) = (true, true, counting);
        amaf.pairs.clear();
        amaf.draws.clear();
        for (&code, &losses) in codes.iter().zip(self.losses.as_flattened()) {
            let code = usize::from(code);
            let drawn = draws.get(code).map_or(0, |word| word.load(Ordering::Acquire));
            let pair = pairs[code].load(Ordering::Relaxed);
            let tally = tally_of(pair.visits(), pair.wins(), drawn as u32, counting);
            let tally = if player == Player::First { tally } else { tally.of_second() };
            amaf.pairs.push(u64::new(tally.visits + losses, tally.wins));
            if !draws.is_empty() {
                amaf.draws.push(u64::from(tally.draws + tally.parts));
            }
        }
    }
}
