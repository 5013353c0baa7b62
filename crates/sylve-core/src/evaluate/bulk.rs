//! An evaluation of many positions, many times: what one of them costs.

use super::Evaluate;
use crate::cpu::{self, Cpu, Work};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates all positions `depth` plies on that are not over, so many times.
///
/// The number of evaluations and their sum; fewer if `stop` is set meanwhile. Positions that are
/// reached by several paths count once for each.
pub fn evaluate_all<G: Evaluate>(
    game: &G,
    state: &G::State,
    evaluation: usize,
    depth: u32,
    rounds: u32,
    stop: &AtomicBool,
) -> (u64, i64) {
    let mut states = vec![state.clone()];
    let mut moves = Vec::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        for state in &states {
            if game.outcome(state).is_none() {
                moves.clear();
                game.moves(state, &mut moves);
                next.extend(moves.iter().map(|&mv| {
                    let mut after = state.clone();
                    game.play(&mut after, mv);
                    after
                }));
            }
        }
        states = next;
    }
    states.retain(|state| game.outcome(state).is_none());
    cpu::run(Rounds { game, states: &states, evaluation, rounds, stop })
}

struct Rounds<'a, G: Evaluate> {
    game: &'a G,
    states: &'a [G::State],
    evaluation: usize,
    rounds: u32,
    stop: &'a AtomicBool,
}

impl<G: Evaluate> Work for Rounds<'_, G> {
    type Output = (u64, i64);

    #[inline(always)]
    fn run<C: Cpu>(self) -> (u64, i64) {
        let (mut count, mut sum) = (0, 0);
        for _ in 0..self.rounds {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            for state in self.states {
                // The compiler must not know that the rounds are alike.
                sum += i64::from(self.game.evaluate(black_box(state), self.evaluation));
            }
            count += self.states.len() as u64;
        }
        (count, sum)
    }
}
