//! The policy `decisive`: which moves end the game, or let the opponent end it.
//!
//! A move ends the game if it leaves nobody a place. So it must turn the first disc of every chain that
//! leads to another place of its own side: all of these lie on lines through its cell, which rules
//! out nearly everything at once.

use super::chains::Chains;
use super::{Othello, State};
use crate::cpu::{Cpu, Portable};
use crate::game::{Move, Outcome, Record};
use crate::rng::Rng;

/// What the side to move can do.
struct Seen {
    state: State,
    chains: Chains,
    places: u64,
    /// The first place that wins at once.
    winning: Option<usize>,
}

impl<const SIZE: usize> Othello<SIZE> {
    /// The cells on the lines through each cell.
    const LINES: &'static [u64; 64] = &Self::lines();

    const fn lines() -> [u64; 64] {
        let (mut lines, mut cell) = ([0; 64], 0);
        while cell < Self::CELLS {
            let mut other = 0;
            while other < Self::CELLS {
                let rows = (cell / SIZE).abs_diff(other / SIZE);
                let columns = (cell % SIZE).abs_diff(other % SIZE);
                if cell != other && (rows == 0 || columns == 0 || rows == columns) {
                    lines[cell] |= 1 << other;
                }
                other += 1;
            }
            cell += 1;
        }
        lines
    }

    /// What the side to move can do.
    #[inline(always)]
    fn look(state: State) -> Seen {
        let empty = Self::FULL & !(state.own | state.other);
        let chains = Self::chains(state.own, state.other);
        let places = Self::ends(&chains, empty);
        let may = Self::may_end(&chains, places, empty);
        let winning = if may == 0 { None } else { Self::winning(&state, &chains, may) };
        Seen { state, chains, places, winning }
    }

    /// The places that may end the game.
    #[inline(always)]
    fn may_end(chains: &Chains, mut places: u64, empty: u64) -> u64 {
        let mut first = Self::beside_ends(chains, empty);
        while first != 0 && places != 0 {
            places &= Self::LINES[first.trailing_zeros() as usize & 63];
            first &= first - 1;
        }
        places
    }

    /// The first of these places that wins at once.
    #[inline(never)]
    fn winning(state: &State, chains: &Chains, mut may: u64) -> Option<usize> {
        while may != 0 {
            let cell = may.trailing_zeros() as usize;
            let after = Self::placed(*state, chains, cell);
            let over = Self::places(after.own, after.other) == 0
                && Self::places(after.other, after.own) == 0;
            if over && after.result() == Outcome::Win(state.turn) {
                return Some(cell);
            }
            may &= may - 1;
        }
        None
    }

    /// What the opponent can do after a disc there.
    #[inline(always)]
    fn after(seen: &Seen, cell: usize) -> Seen {
        Self::look(Self::placed(seen.state, &seen.chains, cell))
    }

    /// The places after which the opponent has no win at once.
    #[inline(never)]
    fn safe(seen: &Seen) -> u64 {
        let (mut safe, mut left) = (0, seen.places);
        while left != 0 {
            if Self::after(seen, left.trailing_zeros() as usize).winning.is_none() {
                safe |= left & left.wrapping_neg();
            }
            left &= left - 1;
        }
        safe
    }

    /// The place that the policy draws, and what the opponent can do then; none wins, and there is one.
    #[inline(always)]
    fn draw<C: Cpu>(seen: &Seen, rng: &mut Rng) -> (usize, Seen) {
        let among = |places: u64, rng: &mut Rng| {
            let place = C::nth_bit(places, rng.below(places.count_ones()));
            place.trailing_zeros() as usize
        };
        let cell = among(seen.places, rng);
        let after = Self::after(seen, cell);
        if after.winning.is_some() {
            let safe = Self::safe(seen);
            if safe != 0 {
                let cell = among(safe, rng);
                return (cell, Self::after(seen, cell));
            }
        }
        (cell, after)
    }

    /// See [`crate::Game::decisive_move`].
    pub(super) fn choose_decisive(state: &State, rng: &mut Rng) -> Move {
        let seen = Self::look(*state);
        if seen.places == 0 {
            rng.next(); // a pass, among one
            return Self::PASS;
        }
        let cell = seen.winning.unwrap_or_else(|| Self::draw::<Portable>(&seen, rng).0);
        Move(cell as u16)
    }

    /// See [`crate::Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        // Whether the opponent can win after a move is whether the next player can: it is asked once.
        let mut seen = Self::look(state);
        loop {
            let state = seen.state;
            if seen.places == 0 {
                if Self::places(state.other, state.own) == 0 {
                    return state.result();
                }
                rng.next(); // a pass, among one
                if R::WANTED {
                    record.played(2 * Self::CELLS + state.turn.index());
                }
                seen = Self::look(state.passed());
                continue;
            }
            let winning = seen.winning;
            let cell = match winning {
                Some(cell) => cell,
                None => {
                    let (cell, after) = Self::draw::<C>(&seen, rng);
                    seen = after;
                    cell
                }
            };
            if R::WANTED {
                record.played(2 * cell + state.turn.index());
            }
            if winning.is_some() {
                return Outcome::Win(state.turn);
            }
        }
    }
}
