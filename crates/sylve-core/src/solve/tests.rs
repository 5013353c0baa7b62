//! What all solvers share, on a game in which the players do not simply alternate.

use super::*;
use crate::game::{Game, Move, Outcome, Player};
use crate::turns::{Turns, seen_by};
use plain::Plain;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);
const NO_LIMITS: Limits<'_> = Limits { stop: &GO_ON, deadline: None, nodes: u64::MAX };

#[test]
fn values_moves_and_lines_are_minimax_whoever_moves() {
    for seed in 0..100 {
        let game = Turns { seed, plies: 7 };
        let mut kept = Plain::within(usize::MAX);
        for state in game.positions() {
            let turn = game.turn(&state);
            let value = seen_by(turn, game.solved(&state));
            let of_moves: Vec<(Move, Option<i32>)> = game
                .children(&state)
                .iter()
                .map(|(mv, after)| (*mv, Some(seen_by(turn, game.solved(after)))))
                .collect();
            for want in [Want::Value, Want::Line, Want::Moves] {
                let solution = solve(
                    &game,
                    &state,
                    &mut Plain::within(usize::MAX),
                    want,
                    &NO_LIMITS,
                    &mut |_| (),
                );
                assert_eq!(solution.value, Some(value), "{state:?} of seed {seed}");
                if want == Want::Moves {
                    assert_eq!(solution.per_move, of_moves, "{state:?} of seed {seed}");
                }
                if want == Want::Value || of_moves.is_empty() {
                    continue;
                }
                let best = solution.best.expect("there are moves");
                assert!(of_moves.contains(&(best, Some(value))), "{state:?} of seed {seed}");
                let mut end = state;
                for mv in solution.line {
                    game.play(&mut end, mv);
                }
                let reached = game.final_value(&end).expect("the line goes to the end");
                assert_eq!(seen_by(turn, seen_by(game.turn(&end), reached)), value);
            }
            // Windows, and what is remembered from other positions.
            for alpha in -6..5 {
                let beta = alpha + 1;
                let found = kept.value(&game, &state, alpha, beta, &NO_LIMITS).expect("no limits");
                assert_eq!(found >= beta, value >= beta, "{state:?} of seed {seed}, {beta}");
            }
        }
    }
}

#[test]
fn who_wins_is_decided_whoever_moves() {
    for seed in 0..100 {
        let game = Turns { seed, plies: 7 };
        let mut decider = Decider::new(&game, 1 << 20, Default::default());
        for state in game.positions() {
            let outcome = match game.solved(&state) {
                0 => Outcome::Draw,
                1.. => Outcome::Win(Player::First),
                _ => Outcome::Win(Player::Second),
            };
            let decided = decider.decide(&game, &state, 100_000);
            assert_eq!(decided, Some(outcome), "{state:?} of seed {seed}");
        }
    }
}
