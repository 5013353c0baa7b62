//! The policy `bridge`: a reply to a stone in one of one's bridges.
//!
//! Two stones that are no neighbours but have two empty ones in common are a bridge: if the opponent
//! takes one of them, the other still joins. Around the stone that took it, in a circle, stand then a
//! stone, an empty cell and a stone; a side of the board counts as stones of its player.

use super::bordered::{EMPTY, MOST_PLACES, STONE};
use super::{Cells, Hex, NO_STONE, State};
use crate::cpu::Cpu;
use crate::game::{Move, Outcome, Record};
use crate::games::cells;
use crate::rng::Rng;

impl<const W: usize> Hex<W> {
    #[inline(always)]
    fn contents(&self, state: &State<W>) -> [u8; MOST_PLACES] {
        let mut contents = [EMPTY; MOST_PLACES];
        contents[..self.bordered.contents.len()].copy_from_slice(&self.bordered.contents);
        for (stones, stone) in state.stones.iter().zip(STONE) {
            stones.for_each(|cell| contents[usize::from(self.bordered.places[cell])] = stone);
        }
        contents
    }

    /// See [`crate::Game::bridge_moves`].
    pub(super) fn list_saving(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        if state.last == NO_STONE {
            return;
        }
        let place = usize::from(self.bordered.places[usize::from(state.last)]);
        let mut bits = self.bordered.saving(&self.contents(state), place, state.turn);
        while bits != 0 {
            out.push(Move(self.bordered.cell(place, bits) as u16));
            bits &= bits - 1;
        }
        out.sort_unstable();
    }

    /// See [`crate::Game::bridge_playout`].
    #[inline(always)]
    pub(super) fn play_bridge<C: Cpu, R: Record>(
        &self,
        state: &State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let bordered = &self.bordered;
        let mut contents = self.contents(state);
        let (mut empty, mut player) = (state.empty(&self.board), state.turn);
        let (mut stones, mut reached, mut last) = (state.stones, state.reached, state.last);
        let mut left = empty.count();
        loop {
            let before = player.other().index();
            if reached[before].meets(&self.to[before]) {
                return Outcome::Win(player.other());
            }
            let saving = if last == NO_STONE {
                0
            } else {
                let place = usize::from(bordered.places[usize::from(last)]);
                bordered.saving(&contents, place, player)
            };
            let cell = if saving == 0 {
                let index = rng.below(left as u32) as usize;
                let mv = cells::nth::<C>(&empty.0, index);
                usize::from(mv.expect("the draw is below the number of cells").0)
            } else {
                let place = usize::from(bordered.places[usize::from(last)]);
                self.draw_saving(place, saving, rng)
            };
            if R::WANTED {
                record.played(2 * cell + player.index());
            }
            contents[usize::from(bordered.places[cell])] = STONE[player.index()];
            let own = player.index();
            stones[own].insert(cell);
            if self.from[own].has(cell) || self.neighbours[cell].meets(&reached[own]) {
                reached[own].insert(cell);
                let mut todo = Cells::NONE;
                todo.insert(cell);
                self.spread(&stones[own], &mut reached[own], todo);
            }
            empty.remove(cell);
            left -= 1;
            last = cell as u16;
            player = player.other();
        }
    }

    /// One of the cells that save a bridge, by their order.
    #[inline(always)]
    fn draw_saving(&self, place: usize, mut saving: u32, rng: &mut Rng) -> usize {
        let count = saving.count_ones();
        let mut found = [usize::MAX; 6];
        for cell in found.iter_mut().take(count as usize) {
            *cell = self.bordered.cell(place, saving);
            saving &= saving - 1;
        }
        if count > 1 {
            found.sort_unstable();
        }
        found[rng.below(count) as usize]
    }
}
