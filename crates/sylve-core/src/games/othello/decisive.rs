//! The policy `decisive`: which moves end the game, or let the opponent end it.
//!
//! A move ends the game if it leaves nobody a place. So it must turn the first disc of every chain that
//! leads to another place of its own side: all of these lie on lines through its cell, which rules
//! out nearly everything at once.

use super::{Othello, State};
use crate::cpu::{Cpu, Portable};
use crate::game::{Move, Outcome, Record};
use crate::rng::Rng;

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

    /// The places of the side to move that may end the game.
    #[inline(always)]
    fn may_end(own: u64, other: u64) -> u64 {
        let empty = Self::FULL & !(own | other);
        let chains = Self::chains(own, other);
        let mut places = Self::ends(&chains, empty);
        let mut first = Self::beside_ends(&chains, empty);
        while first != 0 && places != 0 {
            places &= Self::LINES[first.trailing_zeros() as usize & 63];
            first &= first - 1;
        }
        places
    }

    /// The result of a disc there, if that ends the game.
    #[inline(always)]
    fn end_after(state: &State, cell: usize) -> Option<Outcome> {
        let after = Self::after(state, cell);
        let over =
            Self::places(after.own, after.other) == 0 && Self::places(after.other, after.own) == 0;
        over.then(|| after.result())
    }

    #[inline(always)]
    fn after(state: &State, cell: usize) -> State {
        let turned = Self::turned_by(state.own, state.other, cell);
        State { own: state.own | turned | 1 << cell, other: state.other & !turned, ..*state }
            .passed()
    }

    /// The first place that wins at once.
    #[inline(always)]
    fn winning(state: &State) -> Option<usize> {
        let mut may = Self::may_end(state.own, state.other);
        while may != 0 {
            let cell = may.trailing_zeros() as usize;
            if Self::end_after(state, cell) == Some(Outcome::Win(state.turn)) {
                return Some(cell);
            }
            may &= may - 1;
        }
        None
    }

    /// The places after which the opponent has no win at once.
    #[inline(always)]
    fn safe(state: &State, places: u64) -> u64 {
        let (mut safe, mut left) = (places, places);
        while left != 0 {
            let after = Self::after(state, left.trailing_zeros() as usize);
            if Self::winning(&after).is_some() {
                safe &= !(left & left.wrapping_neg());
            }
            left &= left - 1;
        }
        safe
    }

    /// The place that the policy takes; there is one.
    #[inline(always)]
    fn decide<C: Cpu>(state: &State, places: u64, rng: &mut Rng) -> usize {
        if let Some(cell) = Self::winning(state) {
            return cell;
        }
        let safe = Self::safe(state, places);
        let among = if safe == 0 { places } else { safe };
        C::nth_bit(among, rng.below(among.count_ones())).trailing_zeros() as usize
    }

    /// See [`crate::Game::decisive_move`].
    pub(super) fn choose_decisive(state: &State, rng: &mut Rng) -> Move {
        let places = Self::places(state.own, state.other);
        if places == 0 {
            rng.next(); // a pass, among one
            return Self::PASS;
        }
        Move(Self::decide::<Portable>(state, places, rng) as u16)
    }

    /// See [`crate::Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        mut state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        loop {
            let places = Self::places(state.own, state.other);
            if places == 0 {
                if Self::places(state.other, state.own) == 0 {
                    return state.result();
                }
                rng.next(); // a pass, among one
                if R::WANTED {
                    record.played(2 * Self::CELLS + state.turn.index());
                }
                state = state.passed();
                continue;
            }
            let cell = Self::decide::<C>(&state, places, rng);
            if R::WANTED {
                record.played(2 * cell + state.turn.index());
            }
            state = Self::after(&state, cell);
        }
    }
}
