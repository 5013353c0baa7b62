//! Tallies of eight moves at a time, and where those of AMAF are.

use super::columns::Column;
use super::pairs::{LANES, Pair};
use super::tally::Tally;
use super::units::{Counting, WIN};
use crate::cpu::Lanes;
use crate::game::Player;

/// Visits and points (wins, and half of the draws) of eight moves.
#[inline(always)]
fn lanes<P: Pair, L: Lanes>(pairs: &[P; LANES], draws: Option<&[P; LANES]>) -> (L, L) {
    let (visits, mut points) = P::lanes(pairs);
    if let Some(draws) = draws {
        points = P::lanes::<L>(draws).0.times(L::splat(0.5)).plus(points);
    }
    (visits, points)
}

/// The same of estimates.
#[inline(always)]
fn estimate_lanes<P: Pair, L: Lanes>(pairs: &[P; LANES], parts: &[P; LANES]) -> (L, L) {
    let (visits, wins): (L, L) = P::lanes(pairs);
    (visits, number_lanes::<P, L>(parts).plus(wins))
}

/// Eight plain numbers ([`Pair::number`]) as shares of a win.
#[inline(always)]
fn number_lanes<P: Pair, L: Lanes>(numbers: &[P; LANES]) -> L {
    let (low, high): (L, L) = P::lanes(numbers);
    high.times(L::splat(256.0)).plus(low).times(L::splat(1.0 / WIN as f32))
}

/// What an evaluation says of neighbouring moves.
#[inline(always)]
pub fn judged_lanes<P: Pair, L: Lanes>(numbers: &[P], start: usize) -> L {
    number_lanes(&eight_of(&numbers[start..]))
}

/// Those of eight codes. A closure for each code would not be inlined here.
#[inline(always)]
fn eight_at<P: Pair>(words: &[P], codes: &[u16; LANES]) -> [P; LANES] {
    let mut found = [words[usize::from(codes[0])]; LANES];
    for (found, &code) in found.iter_mut().zip(codes) {
        *found = words[usize::from(code)];
    }
    found
}

/// The first eight; the last one again if there are fewer.
#[inline(always)]
fn eight_of<T: Copy>(words: &[T]) -> [T; LANES] {
    match words.first_chunk() {
        Some(eight) => *eight,
        None => std::array::from_fn(|lane| words[lane.min(words.len() - 1)]),
    }
}

/// The same of neighbouring moves in a column.
#[inline(always)]
pub fn column_lanes<P: Pair, L: Lanes>(column: &Column<'_, P>, start: usize) -> (L, L) {
    let pairs = eight_of(&column.pairs[start..]);
    if column.counting == Counting::Estimates {
        return estimate_lanes(&pairs, &eight_of(&column.draws[start..]));
    }
    if column.draws.is_empty() {
        return lanes(&pairs, None);
    }
    lanes(&pairs, Some(&eight_of(&column.draws[start..])))
}

/// Where the AMAF tallies of a node's moves are.
pub trait Amaf {
    /// That of a move.
    fn tally(&self, index: usize) -> Tally;
    /// Visits and points of neighbouring moves.
    fn lanes<L: Lanes>(&self, start: usize) -> (L, L);
}

/// RAVE: at the node itself.
impl<P: Pair> Amaf for Column<'_, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        Column::tally(self, index)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self, start: usize) -> (L, L) {
        column_lanes(self, start)
    }
}

/// GRAVE: in the reference's table, by code, seen by the player to move.
pub struct Reference<'a, P> {
    /// The table, for the first player.
    pub table: Column<'a, P>,
    /// The codes of the moves.
    pub codes: &'a [u16],
    /// Who moves at the node.
    pub player: Player,
}

impl<P: Pair> Amaf for Reference<'_, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        let tally = self.table.tally(usize::from(self.codes[index]));
        if self.player == Player::First { tally } else { tally.of_second() }
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self, start: usize) -> (L, L) {
        let Column { pairs, draws, counting } = self.table;
        let codes: [u16; LANES] = eight_of(&self.codes[start..]);
        let of_first = eight_at(pairs, &codes);
        if counting == Counting::Estimates {
            let parts = eight_at(draws, &codes);
            let (visits, points): (L, L) = estimate_lanes(&of_first, &parts);
            if self.player == Player::First {
                return (visits, points);
            }
            // Both are whole numbers of 2^-16: what is left has no larger relative error.
            let without_wins: L = P::lanes_without_wins(&of_first);
            return (visits, without_wins.minus(number_lanes::<P, L>(&parts)));
        }
        let draws = if draws.is_empty() { None } else { Some(eight_at(draws, &codes)) };
        let (visits, points) = lanes(&of_first, draws.as_ref());
        if self.player == Player::First {
            return (visits, points);
        }
        let without_wins: L = P::lanes_without_wins(&of_first);
        let half_draws = draws.map(|draws| P::lanes::<L>(&draws).0.times(L::splat(0.5)));
        (visits, half_draws.map_or(without_wins, |half| without_wins.minus(half)))
    }
}

/// GRAVE in batches: descents through a move that wait for their results are losses for AMAF too.
pub struct WithWaiting<'a, A, P> {
    /// Those that are counted.
    pub amaf: A,
    /// The descents, as losses.
    pub waiting: Column<'a, P>,
}

impl<A: Amaf, P: Pair> Amaf for WithWaiting<'_, A, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        self.amaf.tally(index).plus(self.waiting.tally(index))
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self, start: usize) -> (L, L) {
        let (visits, points): (L, L) = self.amaf.lanes(start);
        (visits.plus(column_lanes::<P, L>(&self.waiting, start).0), points)
    }
}

/// What is added to the tallies of a node, wherever they are.
pub trait Wrap: Copy {
    /// The tallies with what is added.
    type Of<A: Amaf>: Amaf;
    /// Adds it.
    fn wrap<A: Amaf>(self, counted: A) -> Self::Of<A>;
}

/// Nothing is added.
#[derive(Clone, Copy)]
pub struct Bare;

impl Wrap for Bare {
    type Of<A: Amaf> = A;
    #[inline(always)]
    fn wrap<A: Amaf>(self, counted: A) -> A {
        counted
    }
}

/// Virtual visits: every move begins with some, of the value that the node has for it.
#[derive(Clone, Copy)]
pub struct VirtualVisits<'a, P> {
    /// How many; there may be none.
    pub visits: u32,
    /// Their values; none if there are no visits.
    pub values: &'a [P],
}

impl<'a, P: Pair> Wrap for VirtualVisits<'a, P> {
    type Of<A: Amaf> = WithVisits<'a, A, P>;
    #[inline(always)]
    fn wrap<A: Amaf>(self, counted: A) -> WithVisits<'a, A, P> {
        WithVisits { counted, more: self }
    }
}

/// Tallies with virtual visits.
pub struct WithVisits<'a, A, P> {
    counted: A,
    more: VirtualVisits<'a, P>,
}

impl<A: Amaf, P: Pair> Amaf for WithVisits<'_, A, P> {
    #[inline(always)]
    fn tally(&self, index: usize) -> Tally {
        let VirtualVisits { visits, values } = self.more;
        let counted = self.counted.tally(index);
        if visits == 0 {
            return counted;
        }
        let sum = u64::from(visits) * u64::from(values[index].number());
        counted.plus(Tally::of_units(visits, sum))
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self, start: usize) -> (L, L) {
        let VirtualVisits { visits, values } = self.more;
        let counted: (L, L) = self.counted.lanes(start);
        if visits == 0 {
            return counted;
        }
        let more = L::splat(visits as f32);
        let value: L = judged_lanes(values, start);
        (counted.0.plus(more), value.times(more).plus(counted.1))
    }
}
