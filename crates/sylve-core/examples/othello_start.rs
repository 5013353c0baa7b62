//! The value of 6 x 6 Othello from the start, exactly: a long run.
//!
//! `cargo run --release --example othello_start [-- TABLE_ENTRIES]`

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::Game;
use sylve_core::games::othello::Othello;
use sylve_core::solve::othello::OthelloSolver;
use sylve_core::solve::{Limits, Solver};

fn main() {
    let entries = std::env::args().nth(1).map_or(1 << 24, |word| word.parse().expect("a number"));
    let never = AtomicBool::new(false);
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let game = Othello::<6>;
    let mut solver = OthelloSolver::<6>::new(entries);
    let begin = Instant::now();
    // The first moves are the same but for symmetry: one of them is enough.
    let (mut state, mut moves) = (game.start(), Vec::new());
    game.moves(&state, &mut moves);
    game.play(&mut state, moves[0]);
    let value = -solver.value(&game, &state, -36, 36, &limits).expect("no limit");
    let (nodes, seconds) = (solver.nodes(), begin.elapsed().as_secs_f64());
    println!("6 x 6 from the start: {value:+}, {nodes} nodes, {seconds:.0} s");
}
