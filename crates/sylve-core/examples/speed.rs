//! Random playouts per second and perft leaves per second, without Python, for profilers.
//!
//! `cargo run --release --example speed -- "breakthrough(columns=5, rows=5)" [perft depth]`

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::{Finished, cpu, open};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "tic_tac_toe".into());
    let position = open(&game).unwrap_or_else(|error| panic!("{error}"));
    let never = AtomicBool::new(false);
    if let Some(depth) = arguments.next() {
        let depth = depth.parse().expect("the perft depth is a number");
        let start = Instant::now();
        let leaves = position.perft(depth, Finished::Leaf, &never).expect("not stopped");
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{game} perft {depth}: {leaves} leaves in {seconds:.3} s, {:.1} M/s",
            leaves as f64 / seconds / 1e6
        );
        return;
    }
    // Best of several rounds: other work on the machine only ever makes a round slower.
    let (mut best, mut count) = (0.0f64, 1000);
    for round in 0..12 {
        let start = Instant::now();
        let results = position.playouts(round, count, &never);
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(results.first + results.draws + results.second, count);
        best = best.max(count as f64 / seconds);
        count = ((best * 0.25) as u64).max(1000);
    }
    println!("{game} [{:?}]: {best:.0} playouts/s", cpu::level());
}
