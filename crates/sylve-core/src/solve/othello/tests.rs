//! The solver against plain minimax.

use super::*;
use crate::game::Game;
use crate::rng::Rng;
use crate::solve::Solvable;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    let highest = game.highest_value();
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

#[test]
fn the_smallest_table_gives_the_same_values() {
    check::<4>(500, 9, 1);
    check::<6>(300, 9, 1);
    check::<8>(300, 8, 1);
}

/// Alpha-beta by the rules alone, moves in increasing order.
fn alpha_beta<const SIZE: usize>(state: &State, mut alpha: i32, beta: i32) -> i32 {
    let game = Othello::<SIZE>;
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    if moves.is_empty() {
        return minimax::<SIZE>(state);
    }
    for mv in moves {
        let mut next = *state;
        game.play(&mut next, mv);
        alpha = alpha.max(-alpha_beta::<SIZE>(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Deep enough for the table, the evaluation and the selective searches to take part.
fn check_deep<const SIZE: usize>(positions: u64, empties: u32, entries: usize) {
    let (game, never) = (Othello::<SIZE>, AtomicBool::new(false));
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let mut solver = OthelloSolver::<SIZE>::new(entries);
    let highest = game.highest_value();
    for index in 0..positions {
        let state = random_position::<SIZE>(empties, index);
        let value = solver.value(&game, &state, -highest, highest, &limits).unwrap();
        // Two windows prove a value.
        assert!(alpha_beta::<SIZE>(&state, value - 1, value) >= value, "{state:?}");
        assert!(alpha_beta::<SIZE>(&state, value, value + 1) <= value, "{state:?}");
        // Also when the table is full of what was found, and for who wins alone.
        let again = solver.value(&game, &state, -highest, highest, &limits);
        assert_eq!(again, Some(value), "{state:?}");
        let winner = solver.value(&game, &state, -1, 1, &limits).unwrap();
        assert_eq!(winner.signum(), value.signum(), "{state:?}");
    }
}

#[test]
fn values_are_those_of_plain_alpha_beta() {
    check_deep::<4>(20, 12, 1 << 12);
    check_deep::<6>(60, 12, 1 << 12);
    check_deep::<8>(60, 12, 1 << 14);
    check_deep::<8>(10, 15, 1);
    check_deep::<6>(10, 15, 1 << 16);
}

#[test]
fn the_second_player_wins_4_x_4_by_11_to_3() {
    let (game, never) = (Othello::<4>, AtomicBool::new(false));
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let mut solver = OthelloSolver::<4>::new(1 << 12);
    // The two empty cells go to the winner.
    assert_eq!(solver.value(&game, &game.start(), -16, 16, &limits), Some(-10));
}

#[test]
fn limits_end_a_search() {
    let (game, stop) = (Othello::<8>, AtomicBool::new(false));
    let state = random_position::<8>(30, 1);
    let free = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    let mut solver = OthelloSolver::<8>::new(1 << 12);
    let few = Limits { nodes: 100_000, ..free };
    assert_eq!(solver.value(&game, &state, -64, 64, &few), None);
    // Nodes count over the life of a solver; a look costs at most some thousands more.
    assert!((100_000..200_000).contains(&solver.nodes()), "{}", solver.nodes());
    assert_eq!(solver.value(&game, &state, -64, 64, &few), None);
    let late = Limits { deadline: Some(Instant::now()), ..free };
    assert_eq!(solver.value(&game, &state, -64, 64, &late), None);
    stop.store(true, Ordering::Relaxed);
    assert_eq!(solver.value(&game, &state, -64, 64, &free), None);
    // What was left in the table by searches that were ended is right.
    stop.store(false, Ordering::Relaxed);
    let state = random_position::<8>(7, 1);
    assert_eq!(solver.value(&game, &state, -64, 64, &free), Some(minimax::<8>(&state)));
}
