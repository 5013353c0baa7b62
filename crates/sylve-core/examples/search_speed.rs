//! Simulations per second and bytes per simulation of the tree searches, for profilers.
//!
//! `cargo run --release --example search_speed -- breakthrough [simulations] [uct|rave|grave] [rounds]
//! [threads]`
//!
//! With a number of threads: in a shared tree. Processor time with one, else wall time.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::open;
use sylve_core::search::Config;
use sylve_core::search::config::{Algorithm, Formula, Policy, Rule, Schedule, TreeConfig};
use sylve_core::search::parallel::Parallel;

/// The processor time of this thread where Linux tells it: other programs do not count.
fn cpu_seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

fn main() {
    let start = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "breakthrough".into());
    let simulations: u64 = arguments.next().map_or(100_000, |n| n.parse().expect("a number"));
    let only = arguments.next();
    let rounds: u64 = arguments.next().map_or(8, |n| n.parse().expect("a number"));
    let threads: Option<usize> = arguments.next().map(|n| n.parse().expect("a number"));
    let position = open(&game).unwrap_or_else(|error| panic!("{error}"));
    let never = AtomicBool::new(false);
    // Nanoseconds a simulation of the best round: other work only ever makes a round slower.
    // One round is for profilers; the clock needs a fifth of a second or so.
    let repeats = if rounds == 1 { 1 } else { (200_000 / simulations).max(1) };
    let now = || match threads {
        Some(2..) => start.elapsed().as_secs_f64(),
        _ => cpu_seconds(start),
    };
    let timed = |work: &mut dyn FnMut()| {
        let before = now();
        for _ in 0..repeats {
            work();
        }
        (now() - before) * 1e9 / (simulations * repeats) as f64
    };
    let slides = Schedule::Slides { b: 1e-5 };
    for (name, formula) in [
        ("uct", Formula::Uct(Rule::Ucb1 { c: 0.4 })),
        ("rave", Formula::Rave { schedule: slides, c: 0.0 }),
        ("grave", Formula::Grave { schedule: slides, c: 0.0, reference: 50 }),
    ] {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (mut raw, mut best) = (f64::INFINITY, f64::INFINITY);
        let (mut bytes, mut nodes, mut steps) = (0, 0, 0);
        for seed in 0..rounds {
            raw = raw.min(timed(&mut || {
                position.playouts(seed, simulations, &never);
            }));
            let algorithm = Algorithm::Tree(TreeConfig::new(formula.clone()));
            let config = Config { algorithm, policy: Policy::Uniform, seed };
            best = best.min(timed(&mut || {
                let moves = position.moves();
                let parallel = if threads.is_some() { Parallel::Tree } else { Parallel::Batch };
                let count = threads.unwrap_or(1);
                let mut searcher = position.searcher(moves, config.clone(), parallel, count);
                searcher.run(simulations, &never);
                let numbers = searcher.numbers();
                (bytes, nodes, steps) = (numbers.bytes, numbers.nodes, numbers.steps as usize);
            }));
        }
        let per = |n: usize| n as f64 / simulations as f64;
        println!(
            "{game} {name}: {best:.0} ns, {:.2} of raw ({raw:.0} ns), {:.1} bytes, {:.2} nodes and \
             {:.1} levels a simulation",
            raw / best,
            per(bytes),
            per(nodes),
            per(steps),
        );
    }
}
