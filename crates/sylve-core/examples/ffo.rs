//! The FFO endings 40 to 44, solved exactly: nodes and time, with perft 11 as the yardstick.
//!
//! `cargo run --release --example ffo [-- TABLE_ENTRIES [ID...]]`

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::games::othello::Othello;
use sylve_core::solve::othello::OthelloSolver;
use sylve_core::solve::{Limits, Solver};
use sylve_core::{Finished, Game, Move, Notation, cpu, perft};

const DATA: &str = include_str!("../../../tests/data/othello_ffo.json");

/// The text between the first `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).expect("the data file has this field").1;
    rest.split_once(end).expect("the data file is complete").0.trim()
}

/// Seconds that this thread has run: other work on the machine does not count. Where the system
/// does not tell, seconds since `begin`.
fn seconds(begin: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |time| time / 1e9)
}

fn main() {
    let begin = Instant::now();
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let entries = arguments.first().copied().unwrap_or(1 << 22);
    let ids = if arguments.len() > 1 { &arguments[1..] } else { &[40, 41, 42, 43, 44][..] };

    let game = Othello::<8>;
    let before = seconds(begin);
    let leaves = perft(&game, &game.start(), 11, Finished::Leaf);
    let yardstick = leaves as f64 / (seconds(begin) - before);
    println!("perft 11 [{:?}]: {leaves} leaves, {:.0} M/s", cpu::level(), yardstick / 1e6);
    println!("table: {entries} entries of 24 bytes, cleared for each position");
    println!(" id  value  best      nodes  seconds   M/s  of perft");

    let never = AtomicBool::new(false);
    let limits = Limits { stop: &never, deadline: None, nodes: u64::MAX };
    let (mut all_nodes, mut all_seconds) = (0, 0.0);
    for text in DATA.split("\"id\":").skip(1) {
        let id: usize = text.split_once(',').expect("a list").0.trim().parse().expect("a number");
        if !ids.contains(&id) {
            continue;
        }
        let side = if between(text, "\"to_move\": \"", "\"") == "black" { 'X' } else { 'O' };
        let line = format!("{} {side}", between(text, "\"board\": \"", "\""));
        let state = game.read(&line).expect("a position");
        let score: i32 = between(text, "\"score\":", ",").parse().expect("a number");
        let best_moves = between(text, "\"best\": [", "]");

        let mut solver = OthelloSolver::<8>::new(entries);
        let before = seconds(begin);
        let value = solver.value(&game, &state, -64, 64, &limits).expect("no limit");
        let seconds = seconds(begin) - before;
        let nodes = solver.nodes();
        let best = solver.best(&state).map_or("-".into(), |mv: Move| game.write_move(&state, mv));
        println!(
            " {id} {value:+6}  {best:>4} {nodes:>10} {seconds:8.2} {:5.1}    {:.3}",
            nodes as f64 / seconds / 1e6,
            nodes as f64 / seconds / yardstick,
        );
        assert_eq!(value, score, "the exact score of {id}");
        assert!(best_moves.contains(&best), "{best} is no best move of {id}");
        all_nodes += nodes;
        all_seconds += seconds;
    }
    println!(
        "all              {all_nodes:>10} {all_seconds:8.2} {:5.1}    {:.3}",
        all_nodes as f64 / all_seconds / 1e6,
        all_nodes as f64 / all_seconds / yardstick,
    );
}
