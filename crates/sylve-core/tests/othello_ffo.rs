//! The FFO endings: exact values, published and confirmed by three other programs.

use std::sync::atomic::AtomicBool;
use sylve_core::games::othello::Othello;
use sylve_core::solve::othello::OthelloSolver;
use sylve_core::solve::{Limits, Solver};
use sylve_core::{Game, Notation};

const DATA: &str = include_str!("../../../tests/data/othello_ffo.json");

/// The text between the first `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).expect("the data file has this field").1;
    rest.split_once(end).expect("the data file is complete").0.trim()
}

/// A position, its score, and the score of each move.
fn read(id: usize) -> (String, i32, Vec<(String, i32)>) {
    let text = DATA.split_once(&format!("\"id\": {id},")).expect("the position is there").1;
    let side = if between(text, "\"to_move\": \"", "\"") == "black" { 'X' } else { 'O' };
    let position = format!("{} {side}", between(text, "\"board\": \"", "\""));
    let number = |text: &str| text.trim().parse::<i32>().expect("a score");
    let moves = between(text, "\"move_scores\": {", "}").split(',').map(|pair| {
        let (name, score) = pair.split_once(':').expect("a move and its score");
        (name.trim().trim_matches('"').to_string(), number(score))
    });
    (position, number(between(text, "\"score\":", ",")), moves.collect())
}

fn check(id: usize, every_move: bool) {
    let (game, never) = (Othello::<8>, AtomicBool::new(false));
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let mut solver = OthelloSolver::<8>::new(1 << 20);
    let (position, score, moves) = read(id);
    let state = game.read(&position).unwrap();
    assert_eq!(solver.value(&game, &state, -64, 64, &limits), Some(score), "FFO {id}");
    let best = game.write_move(&state, solver.best(&state).expect("the root is in the table"));
    assert!(moves.contains(&(best.clone(), score)), "FFO {id}: {best} is not best");
    for (name, score) in moves.iter().filter(|_| every_move) {
        let mut next = state;
        let sylve_core::notation::Found::Move(mv) = game.find_move(&state, name) else {
            panic!("{name} is no move")
        };
        game.play(&mut next, mv);
        let value = solver.value(&game, &next, -64, 64, &limits);
        assert_eq!(value, Some(-score), "FFO {id}, {name}");
    }
}

#[test]
fn every_move_of_ffo_40() {
    check(40, true);
}

#[test]
fn the_value_of_ffo_44() {
    check(44, false);
}
