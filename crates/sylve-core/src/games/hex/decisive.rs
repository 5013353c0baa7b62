//! The policy `decisive`, by sets of cells next to what is joined to a side.
//!
//! A cell wins if it is next to a side, or to stones joined to it, and so for the other side. A stone
//! of one player never gives the other one a win, and takes away one cell: so a draw is among all
//! cells, unless the other player has one winning cell, which must be taken.

use super::{Cells, Hex, State};
use crate::cpu::Cpu;
use crate::game::{Move, Outcome, Player, Record};
use crate::games::cells;
use crate::rng::Rng;

/// What the stones of one player are joined to.
struct Reach<const W: usize> {
    stones: Cells<W>,
    /// Those joined to each of his two sides.
    joined: [Cells<W>; 2],
    /// These sides, and the cells around those stones.
    near: [Cells<W>; 2],
}

impl<const W: usize> Reach<W> {
    #[inline(always)]
    fn new(game: &Hex<W>, state: &State<W>, player: Player) -> Reach<W> {
        let stones = state.stones[player.index()];
        let near = [game.from[player.index()], game.to[player.index()]];
        let joined = near.map(|cells| stones.and(&cells));
        let mut reach = Reach { stones, joined, near };
        for (side, start) in joined.into_iter().enumerate() {
            reach.spread(game, side, start);
        }
        reach
    }

    /// The cells that win, empty or not.
    #[inline(always)]
    fn winning(&self) -> Cells<W> {
        self.near[0].and(&self.near[1])
    }

    /// Puts a stone on a cell that does not win: it is next to one of the sides at most.
    #[inline(always)]
    fn put(&mut self, game: &Hex<W>, cell: usize) {
        self.stones.insert(cell);
        for side in 0..2 {
            if self.near[side].has(cell) {
                let mut todo = Cells::NONE;
                todo.insert(cell);
                self.joined[side].insert(cell);
                self.spread(game, side, todo);
            }
        }
    }

    /// Joins to a side what the stones in `todo` lead to.
    #[inline(always)]
    fn spread(&mut self, game: &Hex<W>, side: usize, mut todo: Cells<W>) {
        let (joined, around) = (&mut self.joined[side], &mut self.near[side]);
        while let Some(i) = todo.0.iter().position(|&word| word != 0) {
            let cell = 64 * i + todo.0[i].trailing_zeros() as usize;
            todo.0[i] &= todo.0[i] - 1;
            let near = &game.neighbours[cell];
            for i in 0..W {
                around.0[i] |= near.0[i];
                let new = near.0[i] & self.stones.0[i] & !joined.0[i];
                joined.0[i] |= new;
                todo.0[i] |= new;
            }
        }
    }
}

/// The only cell of a set.
#[inline(always)]
fn only<const W: usize>(set: &Cells<W>) -> Option<usize> {
    if set.count() != 1 {
        return None;
    }
    lowest(set)
}

#[inline(always)]
fn lowest<const W: usize>(set: &Cells<W>) -> Option<usize> {
    let i = set.0.iter().position(|&word| word != 0)?;
    Some(64 * i + set.0[i].trailing_zeros() as usize)
}

impl<const W: usize> Hex<W> {
    /// See [`crate::Game::decisive_move`].
    pub(super) fn choose_decisive(&self, state: &State<W>, moves: &[Move], rng: &mut Rng) -> Move {
        let empty = state.empty(&self.board);
        let winning = |player| Reach::new(self, state, player).winning().and(&empty);
        if let Some(cell) = lowest(&winning(state.turn)) {
            return Move(cell as u16);
        }
        match only(&winning(state.turn.other())) {
            Some(cell) => {
                rng.next(); // among one
                Move(cell as u16)
            }
            None => moves[rng.below(moves.len() as u32) as usize],
        }
    }

    /// See [`crate::Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        &self,
        state: &State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let last = state.turn.other();
        if state.reached[last.index()].meets(&self.to[last.index()]) {
            return Outcome::Win(last);
        }
        let (mut empty, mut player) = (state.empty(&self.board), state.turn);
        let mut left = empty.count();
        let mut own = Reach::new(self, state, player);
        let mut other = Reach::new(self, state, player.other());
        loop {
            let winning = lowest(&own.winning().and(&empty));
            let cell = winning.unwrap_or_else(|| match only(&other.winning().and(&empty)) {
                Some(cell) => {
                    rng.next(); // among one
                    cell
                }
                None => {
                    let index = rng.below(left as u32) as usize;
                    let mv = cells::nth::<C>(&empty.0, index);
                    usize::from(mv.expect("the draw is below the number of cells").0)
                }
            });
            if R::WANTED {
                record.played(2 * cell + player.index());
            }
            if winning.is_some() {
                return Outcome::Win(player);
            }
            own.put(self, cell);
            empty.remove(cell);
            left -= 1;
            std::mem::swap(&mut own, &mut other);
            player = player.other();
        }
    }
}
