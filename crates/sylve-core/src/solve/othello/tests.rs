//! The solver against plain minimax.

use super::*;
use crate::game::Game;
use crate::rng::Rng;
use std::sync::atomic::AtomicBool;

/// The value by the rules alone.
fn minimax<const SIZE: usize>(state: &State) -> i32 {
    let game = Othello::<SIZE>;
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    if moves.is_empty() {
        let (own, other) = state.sides();
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        let cells = (SIZE * SIZE) as i32;
        return match own.cmp(&other) {
            std::cmp::Ordering::Greater => cells - 2 * other,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 2 * own - cells,
        };
    }
    let after = |&mv: &Move| {
        let mut next = *state;
        game.play(&mut next, mv);
        -minimax::<SIZE>(&next)
    };
    moves.iter().map(after).max().expect("there is a move")
}

/// A position of a random game with about so many empty cells.
fn random_position<const SIZE: usize>(empties: u32, index: u64) -> State {
    let game = Othello::<SIZE>;
    let mut rng = Rng::stream(9, index);
    let mut state = game.start();
    let mut moves = Vec::new();
    loop {
        game.moves(&state, &mut moves);
        let (own, other) = state.sides();
        if moves.is_empty() || (own | other).count_zeros() - (64 - (SIZE * SIZE) as u32) <= empties
        {
            return state;
        }
        game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
    }
}

/// Values for a full window and for narrow ones around the value.
fn check<const SIZE: usize>(positions: u64, most_empties: u32, entries: usize) {
    let (game, never) = (Othello::<SIZE>, AtomicBool::new(false));
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let mut solver = OthelloSolver::<SIZE>::new(entries);
    let highest = solver.highest(&game);
    for index in 0..positions {
        let empties = index as u32 % (most_empties + 1);
        let state = random_position::<SIZE>(empties, index);
        let expected = minimax::<SIZE>(&state);
        let mut value = |alpha, beta| solver.value(&game, &state, alpha, beta, &limits).unwrap();
        for alpha in [expected - 3, expected - 1, expected, expected + 1, -1] {
            for beta in [alpha + 1, alpha + 2, alpha + 4] {
                let found = value(alpha, beta);
                if expected <= alpha {
                    assert!(found <= alpha && found >= expected, "{state:?} {alpha} {beta}");
                } else if expected >= beta {
                    assert!(found >= beta && found <= expected, "{state:?} {alpha} {beta}");
                } else {
                    assert_eq!(found, expected, "{state:?} {alpha} {beta}");
                }
            }
        }
        assert_eq!(value(-highest, highest), expected, "{state:?}");
    }
}

#[test]
fn values_are_those_of_minimax() {
    check::<4>(3000, 8, 1 << 12);
    check::<6>(3000, 8, 1 << 12);
    check::<8>(3000, 7, 1 << 12);
}
