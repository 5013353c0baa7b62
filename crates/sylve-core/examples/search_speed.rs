//! Simulations per second and bytes per simulation of the tree searches, for profilers.
//!
//! `cargo run --release --example search_speed -- breakthrough [simulations] [uct|rave|grave]`

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::open;
use sylve_core::search::Config;
use sylve_core::search::config::{Algorithm, Formula, Policy, Rule, Schedule, Update};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "breakthrough".into());
    let simulations: u64 = arguments.next().map_or(100_000, |n| n.parse().expect("a number"));
    let only = arguments.next();
    let position = open(&game).unwrap_or_else(|error| panic!("{error}"));
    let never = AtomicBool::new(false);
    let mut raw = 0.0f64;
    for round in 0..5 {
        let start = Instant::now();
        position.playouts(round, simulations, &never);
        raw = raw.max(simulations as f64 / start.elapsed().as_secs_f64());
    }
    println!("{game}: raw {raw:.0} playouts/s");
    let slides = Schedule::Slides { b: 1e-5 };
    for (name, formula) in [
        ("uct", Formula::Uct(Rule::Ucb1 { c: 0.4 })),
        ("rave", Formula::Rave { schedule: slides, c: 0.0 }),
        ("grave", Formula::Grave { schedule: slides, c: 0.0, reference: 50 }),
    ] {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (mut best, mut bytes, mut nodes) = (0.0f64, 0, 0);
        for seed in 0..5 {
            let algorithm = Algorithm::Tree {
                formula: formula.clone(),
                update: Update::Course,
                transpositions: true,
            };
            let config = Config { algorithm, policy: Policy::Uniform, seed };
            let mut searcher = position.searcher(position.moves(), config);
            let start = Instant::now();
            searcher.run(simulations, &never);
            best = best.max(simulations as f64 / start.elapsed().as_secs_f64());
            let numbers = searcher.numbers();
            (bytes, nodes) = (numbers.bytes, numbers.nodes);
        }
        let per = |n: usize| n as f64 / simulations as f64;
        println!(
            "  {name}: {best:.0}/s, {:.2} of raw, {:.1} bytes and {:.2} nodes a simulation",
            best / raw,
            per(bytes),
            per(nodes)
        );
    }
}
