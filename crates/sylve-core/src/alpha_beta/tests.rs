use super::table::Table;
use super::visit::is_proven;
use super::*;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome};
use crate::games::breakthrough::Breakthrough;
use crate::games::connect_four::ConnectFour;
use crate::games::go::SmallGo;
use crate::games::hex::Hex;
use crate::games::othello::Othello;
use crate::games::tic_tac_toe::TicTacToe;
use crate::rng::Rng;
use crate::turns::{Turns, seen_by};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Minimax as the books have it: the value for the side to move, whoever that is next.
fn minimax<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u32,
    ply: i32,
    evaluation: usize,
) -> i32 {
    if let Some(outcome) = game.outcome(state) {
        return (WIN - ply) * (outcome.points(game.turn(state)) as i32 - 1);
    }
    if depth == 0 {
        return game.evaluate(state, evaluation);
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut after = state.clone();
        game.play(&mut after, mv);
        for_mover(game, state, &after, minimax(game, &after, depth - 1, ply + 1, evaluation))
    });
    values.max().expect("a game that goes on has a move")
}

/// A value of the position after a move, for the one who made it.
fn for_mover<G: Game>(game: &G, before: &G::State, after: &G::State, value: i32) -> i32 {
    if game.turn(after) == game.turn(before) { value } else { -value }
}

/// A position after some random moves; the game goes on.
fn random_position<G: Game>(game: &G, index: u64) -> G::State {
    let mut rng = Rng::stream(11, index);
    let (mut state, mut moves) = (game.start(), Vec::new());
    // Any ply of the game alike; Go games are cut at two stones a point.
    let plies = rng.below(game.max_plies().min(2 * game.codes()) as u32);
    for _ in 0..plies {
        game.playout_moves(&state, &mut moves);
        let mut next = state.clone();
        game.play(&mut next, moves[rng.below(moves.len() as u32) as usize]);
        if game.outcome(&next).is_some() {
            break;
        }
        state = next;
    }
    state
}

/// The root moves and their values by minimax.
fn root_values<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u32,
    evaluation: usize,
) -> (Vec<Move>, Vec<i32>) {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let value = |&mv: &Move| {
        let mut after = state.clone();
        game.play(&mut after, mv);
        for_mover(game, state, &after, minimax(game, &after, depth - 1, 1, evaluation))
    };
    let values = moves.iter().map(value).collect();
    (moves, values)
}

/// Plays the line and checks that it leads to the value.
fn check_line<G: Evaluate>(game: &G, state: &G::State, answer: &Answer, evaluation: usize) {
    let (root, mut state, mut moves) = (game.turn(state), state.clone(), Vec::new());
    for mv in &answer.line {
        game.moves(&state, &mut moves);
        assert!(moves.contains(mv));
        game.play(&mut state, *mv);
    }
    let plies = answer.line.len() as i32;
    let value = match game.outcome(&state) {
        Some(outcome) => (WIN - plies) * (outcome.points(root) as i32 - 1),
        None => {
            assert_eq!(plies, answer.depth as i32);
            game.evaluate(&state, evaluation) * if game.turn(&state) == root { 1 } else { -1 }
        }
    };
    assert_eq!(value, answer.score);
}

fn search<G: Evaluate>(
    game: &G,
    state: &G::State,
    moves: &[Move],
    config: &Config,
    table: &mut Table,
) -> Answer {
    let stop = AtomicBool::new(false);
    alpha_beta(game, state, moves, config, None, table, &stop).expect("nobody stops it")
}

/// Compares with minimax: table on, off, of one entry, and full of other positions; every move too.
fn check<G: Evaluate>(game: &G, positions: u64, depths: std::ops::RangeInclusive<u32>) {
    let mut warm = Table::new(10_000);
    for index in 0..positions {
        let state = random_position(game, index);
        let evaluation = index as usize % G::EVALUATIONS.len();
        let depth = depths.start() + (index % depths.clone().count() as u64) as u32;
        let (moves, values) = root_values(game, &state, depth, evaluation);
        let score = *values.iter().max().expect("there are moves");
        let best = moves[values.iter().position(|&value| value == score).expect("it is there")];
        let config = Config { depth, time: None, evaluation, multi: false };
        for size in [0, 1, 1000] {
            let answer = search(game, &state, &moves, &config, &mut Table::new(size));
            assert_eq!((answer.score, answer.best), (score, best), "{state:?} depth {depth}");
            check_line(game, &state, &answer, evaluation);
        }
        let config = Config { multi: true, ..config };
        for table in [&mut Table::new(0), &mut warm] {
            // The entries of another evaluation are no help: values would not be those of this one.
            if evaluation != 0 && table.bytes() > 0 {
                continue;
            }
            let answer = search(game, &state, &moves, &config, table);
            let found: Vec<i32> = answer.scores.iter().map(|score| score.expect("multi")).collect();
            assert_eq!((answer.best, found), (best, values.clone()), "{state:?} depth {depth}");
            check_line(game, &state, &answer, evaluation);
        }
    }
}

#[test]
fn tic_tac_toe_is_minimax() {
    check(&TicTacToe, 10_000, 1..=4);
}

#[test]
fn breakthrough_is_minimax() {
    check(&Breakthrough::new(3, 5), 7000, 1..=4);
    check(&Breakthrough::new(5, 5), 3000, 1..=3);
}

#[test]
fn othello_is_minimax() {
    check(&Othello::<4>, 6000, 1..=6);
    check(&Othello::<6>, 3000, 1..=4);
    check(&Othello::<8>, 1000, 1..=3);
}

#[test]
fn connect_four_is_minimax() {
    check(&ConnectFour::new(4, 4).unwrap(), 7000, 1..=5);
    check(&ConnectFour::new(7, 6).unwrap(), 3000, 1..=3);
}

#[test]
fn hex_is_minimax() {
    check(&Hex::<1>::new(3, false), 8000, 1..=3);
    check(&Hex::<1>::new(4, true), 2000, 1..=2);
}

#[test]
fn go_is_minimax() {
    check(&SmallGo::new(2, 0.5), 5000, 1..=4);
    check(&SmallGo::new(3, 0.0), 5000, 1..=3);
}

#[test]
fn a_player_may_move_twice_in_a_row() {
    for seed in 0..100 {
        let game = Turns { seed, plies: 9 };
        check(&game, 24, 1..=9);
        // The same by another hand: for the first player throughout, no signs to get wrong.
        for state in game.positions().iter().filter(|state| game.outcome(state).is_none()) {
            let player = game.turn(state);
            let leaf = |state: &_| seen_by(game.turn(state), game.evaluate(state, 0));
            let end = |state: &_| match game.outcome(state)? {
                Outcome::Win(winner) => Some(seen_by(winner, WIN)),
                Outcome::Draw => Some(0),
            };
            let value = seen_by(player, game.minimax(state, 3, &end, &leaf));
            let (moves, _) = root_values(&game, state, 1, 0);
            let config = Config { depth: 3, time: None, evaluation: 0, multi: false };
            let found = search(&game, state, &moves, &config, &mut Table::new(100)).score;
            // Wins are counted in plies here, there not.
            let found = if is_proven(found) { WIN * found.signum() } else { found };
            assert_eq!(found, value, "{state:?} of seed {seed}");
        }
    }
}

#[test]
fn a_set_flag_stops_it() {
    let game = Othello::<8>;
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let config = Config { depth: 60, time: None, evaluation: 0, multi: false };
    let stop = AtomicBool::new(true);
    let mut table = Table::new(10);
    assert_eq!(alpha_beta(&game, &game.start(), &moves, &config, None, &mut table, &stop), None);
}

#[test]
fn the_first_iteration_is_completed_whatever_the_time() {
    let game = Othello::<8>;
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let config = Config { depth: 60, time: Some(Duration::ZERO), evaluation: 0, multi: false };
    let answer = search(&game, &game.start(), &moves, &config, &mut Table::new(1000));
    assert!((1..10).contains(&answer.depth));
    assert_eq!(answer.line.len(), answer.depth as usize);
}
