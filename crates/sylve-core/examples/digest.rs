//! The digests of a few searches: the same from every build (`tests/test_same_digest.py`).

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::sync::atomic::AtomicBool;
use sylve_core::open;
use sylve_core::search::Config;
use sylve_core::search::config::{Algorithm, Formula, Policy, Rule, TreeConfig};
use sylve_core::search::parallel::Parallel;

fn main() {
    for game in
        ["breakthrough(columns=6, rows=6)", "othello", "connect_four", "hex(size=7)", "go(size=5)"]
    {
        let position = open(game).unwrap_or_else(|error| panic!("{error}"));
        let algorithm = Algorithm::Tree(TreeConfig::new(Formula::Uct(Rule::Ucb1 { c: 0.4 })));
        let config = Config { algorithm, policy: Policy::Uniform, seed: 11 };
        let mut searcher = position.searcher(position.moves(), config, Parallel::Batch, 1);
        searcher.run(2000, &AtomicBool::new(false));
        println!("{:016x}", searcher.digest());
    }
}
