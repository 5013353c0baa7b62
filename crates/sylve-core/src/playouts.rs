//! Many playouts from one position: the raw speed of a game, and the law of its random play.

use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Outcome, Player};
use crate::rng::Rng;
use std::sync::atomic::{AtomicBool, Ordering};

/// The results of a batch of playouts, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Won by the first player.
    pub first: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the second player.
    pub second: u64,
}

/// Plays simulations `0..count` of `seed` from `state`; fewer if `stop` is set meanwhile.
pub fn playouts<G: Game>(
    game: &G,
    state: &G::State,
    seed: u64,
    count: u64,
    stop: &AtomicBool,
) -> Results {
    cpu::run(Batch { game, state, seed, count, stop })
}

struct Batch<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seed: u64,
    count: u64,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Batch<'_, G> {
    type Output = Results;

    #[inline(always)]
    fn run<C: Cpu>(self) -> Results {
        let mut results = Results::default();
        for index in 0..self.count {
            if index % 1024 == 0 && self.stop.load(Ordering::Relaxed) {
                break;
            }
            let mut rng = Rng::stream(self.seed, index);
            match self.game.playout::<C, ()>(self.state.clone(), &mut rng, &mut ()) {
                Outcome::Win(Player::First) => results.first += 1,
                Outcome::Draw => results.draws += 1,
                Outcome::Win(Player::Second) => results.second += 1,
            }
        }
        results
    }
}

/// Plays simulation `index` of `seed` from `state` and returns its result and its codes in order.
pub fn traced_playout<G: Game>(
    game: &G,
    state: &G::State,
    seed: u64,
    index: u64,
) -> (Outcome, Vec<u16>) {
    cpu::run(Traced { game, state, seed, index })
}

struct Traced<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seed: u64,
    index: u64,
}

impl<G: Game> Work for Traced<'_, G> {
    type Output = (Outcome, Vec<u16>);

    #[inline(always)]
    fn run<C: Cpu>(self) -> (Outcome, Vec<u16>) {
        let mut codes = Vec::new();
        let mut rng = Rng::stream(self.seed, self.index);
        let outcome = self.game.playout::<C, _>(self.state.clone(), &mut rng, &mut codes);
        (outcome, codes)
    }
}
