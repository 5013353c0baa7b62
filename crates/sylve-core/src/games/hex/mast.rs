//! The policy `mast`: the empty cells are a set by their rank, too, of which the lowest is the best.

use super::reach::Side;
use super::{Cells, Hex, State};
use crate::cpu::Cpu;
use crate::game::{Outcome, Player, Record};
use crate::means::{Means, Ranking, is_random};
use crate::rng::Rng;

/// So many plies are played before anyone looks who has won: what is played does not depend on it.
const AHEAD: usize = 16;

/// The empty cells.
struct Empty<'a, const W: usize> {
    cells: Cells<W>,
    left: u32,
    /// By their rank for each player.
    ranked: [Cells<W>; 2],
    rankings: &'a [Ranking; 2],
}

impl<const W: usize> Empty<'_, W> {
    #[inline(always)]
    fn take(&mut self, cell: usize) {
        self.cells = self.cells.without(&Cells::alone(cell));
        self.left -= 1;
        for (ranked, ranking) in self.ranked.iter_mut().zip(self.rankings) {
            *ranked = ranked.without(&Cells::alone(usize::from(ranking.ranks()[cell])));
        }
    }

    /// With probability `epsilon` a draw, else the best mean.
    #[inline(always)]
    fn choose<C: Cpu>(&self, player: usize, epsilon: f64, rng: &mut Rng) -> usize {
        if is_random(epsilon, rng) {
            return self.cells.nth::<C>(rng.below(self.left)).only();
        }
        let best = self.ranked[player].lowest().expect("a cell is left");
        usize::from(self.rankings[player].moves()[best])
    }
}

/// The stones of a player.
#[derive(Clone, Copy)]
struct Stones<const W: usize> {
    all: Cells<W>,
    from: Side<W>,
}

impl<const W: usize> Stones<W> {
    #[inline(always)]
    fn put(&mut self, game: &Hex<W>, stones: &Cells<W>) {
        self.all = self.all.or(stones);
        self.from.put(game, stones);
    }

    /// Whether one of those joined to the first side is at the other one.
    #[inline(always)]
    fn have_won(&self, game: &Hex<W>, player: Player) -> bool {
        self.all.without(&self.from.loose).meets(&game.to[player.index()])
    }
}

impl<const W: usize> Hex<W> {
    /// See [`crate::Game::mast_playout`].
    #[inline(always)]
    pub(super) fn play_mast<C: Cpu, R: Record>(
        &self,
        state: &State<W>,
        epsilon: f64,
        means: &mut Means,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let cells = state.empty(&self.board);
        let all = self.board;
        let mut empty = Empty {
            cells: all,
            left: all.count() as u32,
            ranked: [all; 2],
            rankings: means.ranked(),
        };
        all.without(&cells).for_each(|cell| empty.take(cell));
        let mut stones = [0, 1].map(|player| {
            let all = state.stones[player];
            Stones { all, from: Side::new(self, &self.from[player], &all) }
        });
        let mut player = state.turn;
        if stones[player.other().index()].have_won(self, player.other()) {
            return Outcome::Win(player.other());
        }
        loop {
            let mut cells = [0; AHEAD];
            let mut draws: [Rng; AHEAD] = std::array::from_fn(|_| rng.clone());
            let (mut put, mut turn) = ([Cells::NONE; 2], player);
            let plies = AHEAD.min(empty.left as usize);
            for (cell, after) in cells.iter_mut().zip(&mut draws).take(plies) {
                *cell = empty.choose::<C>(turn.index(), epsilon, rng);
                empty.take(*cell);
                put[turn.index()].insert(*cell);
                *after = rng.clone();
                turn = turn.other();
            }
            let before = stones;
            for (stones, put) in stones.iter_mut().zip(&put) {
                stones.put(self, put);
            }
            let over = [Player::First, Player::Second]
                .into_iter()
                .any(|player| stones[player.index()].have_won(self, player));
            if over {
                stones = before;
            }
            // Once more, one by one, if the game has ended among these.
            for (&cell, after) in cells.iter().zip(draws).take(plies) {
                if R::WANTED {
                    record.played(2 * cell + player.index());
                }
                if over {
                    let own = &mut stones[player.index()];
                    own.put(self, &Cells::one(cell));
                    if own.have_won(self, player) {
                        *rng = after;
                        return Outcome::Win(player);
                    }
                }
                player = player.other();
            }
        }
    }
}
