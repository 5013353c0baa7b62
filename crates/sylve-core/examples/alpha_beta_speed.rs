//! Alpha-beta by depth: `cargo run --release --example alpha_beta_speed -- othello 12 [TABLE]`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sylve_core::alpha_beta::{Config, table::Table};
use sylve_core::open;

#[expect(clippy::print_stdout, reason = "it is a program")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let game = words.first().map_or("othello", String::as_str);
    let last: u32 = words.get(1).map_or(12, |word| word.parse().expect("a depth"));
    let entries: usize = words.get(2).map_or(1 << 20, |word| word.parse().expect("entries"));
    let position = open(game).expect("a game");
    let moves = position.moves();
    println!("{game}, {} evaluation, {entries} entries", position.evaluations()[0]);
    println!("depth        nodes  seconds  million/s  score  best");
    for depth in 1..=last {
        let config = Config { depth, time: None, evaluation: 0, multi: false };
        let (mut table, stop) = (Table::new(entries), AtomicBool::new(false));
        let began = Instant::now();
        let answer = position.alpha_beta(&moves, &config, None, &mut table, &stop);
        let answer = answer.expect("nobody stops it");
        let seconds = began.elapsed().as_secs_f64();
        let speed = answer.nodes as f64 / seconds / 1e6;
        let best = position.write_move(answer.best);
        println!(
            "{depth:5} {:12} {seconds:8.3} {speed:10.2} {:6}  {best}",
            answer.nodes, answer.score
        );
    }
}
