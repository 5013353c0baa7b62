//! The policy `decisive`, by sets of cells that would complete four in a row.

use super::{ConnectFour, State};
use crate::cpu::{Cpu, Portable};
use crate::game::{Game, Move, Outcome, Record};
use crate::rng::Rng;

impl ConnectFour {
    /// The cells that complete four in a row with these stones. Stones may stand there already.
    #[inline(always)]
    fn completing(&self, stones: u64) -> u64 {
        let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
        let right = self.rows + 1; // from a cell to the one beside it
        for step in [right, right - 1, right + 1] {
            let (up, down) = (stones << step, stones >> step);
            let (ups, downs) = (up & (stones << (2 * step)), down & (stones >> (2 * step)));
            cells |= ups & (down | stones << (3 * step));
            cells |= downs & (up | stones >> (3 * step));
        }
        cells & self.board
    }

    /// One draw if no stone wins, or two; `lost`: the cells that would complete a line of the other side.
    #[inline(always)]
    fn draw_safe<C: Cpu>(landing: u64, lost: u64, rng: &mut Rng) -> u64 {
        let threats = landing & lost;
        let stopping = match threats {
            0 => landing,
            _ if threats & (threats - 1) == 0 => threats,
            _ => 0,
        };
        // A stone right below such a cell lets the other side play there.
        let safe = stopping & !(lost >> 1);
        let drawn = C::nth_bit(landing, rng.below(landing.count_ones()));
        if drawn & safe != 0 || safe == 0 {
            return drawn;
        }
        C::nth_bit(safe, rng.below(safe.count_ones()))
    }

    /// See [`Game::decisive_move`].
    pub(super) fn choose_decisive(&self, state: &State, rng: &mut Rng) -> Move {
        let landing = self.landing(state.own | state.other);
        let winning = landing & self.completing(state.own);
        let stone = if winning != 0 {
            winning
        } else {
            ConnectFour::draw_safe::<Portable>(landing, self.completing(state.other), rng)
        };
        let cell = self.cell_of_bit[stone.trailing_zeros() as usize & 63];
        Move(u16::from(cell) % self.columns as u16)
    }

    /// See [`Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        &self,
        state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        if let Some(outcome) = self.outcome(&state) {
            return outcome;
        }
        let (mut own, mut other, mut player) = (state.own, state.other, state.turn());
        let mut won = self.completing(own);
        // What a side would win with changes with its own stones alone.
        loop {
            let landing = self.landing(own | other);
            if landing == 0 {
                return Outcome::Draw;
            }
            let winning = landing & won;
            let lost = self.completing(other);
            let stone = if winning != 0 {
                winning & winning.wrapping_neg()
            } else {
                ConnectFour::draw_safe::<C>(landing, lost, rng)
            };
            if R::WANTED {
                let cell = self.cell_of_bit[stone.trailing_zeros() as usize & 63];
                record.played(2 * usize::from(cell) + player.index());
            }
            if winning != 0 {
                return Outcome::Win(player);
            }
            own |= stone;
            (own, other, player, won) = (other, own, player.other(), lost);
        }
    }
}
