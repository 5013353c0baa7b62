//! The shared tree under ThreadSanitizer: `make test-threads`, which is tests/test_threads.py, builds and runs it.
//!
//! A plain program, because the standard library is not instrumented: threads that are joined and
//! `Arc`s that are dropped would be reported though nothing is wrong. So the threads are started once,
//! never joined, meet on atomics, what they share is leaked, and the program leaves by `exit`.
//!
//! `tsan` searches; `tsan race` and `tsan publish` are wrong on purpose, and must be reported.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use sylve_core::cpu::Portable;
use sylve_core::evaluate::Evaluate;
use sylve_core::games::breakthrough::Breakthrough;
use sylve_core::games::tic_tac_toe::TicTacToe;
use sylve_core::rng::Rng;
use sylve_core::search::TreeView;
use sylve_core::search::config::{Formula, Prior, Rule, Schedule, TreeConfig};
use sylve_core::search::shared::{SharedTree, Walker};

const THREADS: usize = 4;

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => {
            let seen = search(Breakthrough::new(5, 5)) + search(TicTacToe);
            eprintln!("{seen} results counted, none lost");
        }
        Some("race") => race(),
        Some("publish") => publish(),
        Some(other) => panic!("{other:?}: expected nothing, race or publish"),
    }
    exit(0);
}

/// Starts the threads, and waits until all have done their work.
fn all(work: impl Fn(usize) + Send + Sync + 'static) {
    let work: &'static _ = Box::leak(Box::new(work));
    let done: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
    for number in 0..THREADS {
        std::mem::forget(thread::spawn(move || {
            work(number);
            done.fetch_add(1, Ordering::Release);
            loop {
                thread::park(); // a thread that ends gives its memory back, which is reported
            }
        }));
    }
    while done.load(Ordering::Acquire) < THREADS {
        thread::yield_now();
    }
}

/// Searches with every kind of formula, and with evaluations in the tree; the number of results.
fn search<G: Evaluate + 'static>(game: G) -> u64 {
    let formulas = [
        Formula::Uct(Rule::Ucb1 { c: 0.4 }),
        Formula::Rave { schedule: Schedule::Slides { b: 1e-5 }, c: 0.0 },
        Formula::Grave { schedule: Schedule::Slides { b: 1e-5 }, c: 0.0, reference: 10 },
    ];
    let (game, simulations) = (Arc::new(game), 20_000_u64);
    let mut total = 0;
    let plain = formulas.into_iter().map(TreeConfig::new);
    let guided = TreeConfig {
        implicit: 0.4,
        prior: Prior::Heuristic { visits: 3 },
        ..TreeConfig::new(Formula::Uct(Rule::Ucb1 { c: 0.4 }))
    };
    for how in plain.chain([guided]) {
        let (state, mut moves) = (game.start(), Vec::new());
        game.moves(&state, &mut moves);
        let mut tree = SharedTree::new(Arc::clone(&game), state, moves, how.clone());
        tree.store.make_room(simulations);
        // Makes what is made once, under a lock of the standard library.
        tree.numbers(&tree.game, 0, 0);
        let tree: &'static SharedTree<G> = Box::leak(Box::new(tree));
        let next: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(0)));
        all(move |_| {
            let mut walker = std::mem::ManuallyDrop::new(Walker::new(&*tree.game, THREADS));
            walker.start(tree);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= simulations {
                    break;
                }
                let mut rng = Rng::stream(1, index);
                let (state, end) = walker.descend::<Portable>(tree);
                walker.seen.clear();
                let outcome = end.outcome().unwrap_or_else(|| {
                    tree.game.playout::<Portable, _>(state, &mut rng, &mut walker.seen)
                });
                walker.update::<Portable>(tree, outcome.into(), end);
            }
            walker.finish(tree);
        });
        let counted: u64 =
            tree.numbers(&tree.game, 0, 0).moves.iter().map(|m| u64::from(m.own.visits)).sum();
        let under_way = tree.store.visits_and_under_way().1;
        assert_eq!((counted, under_way), (simulations, 0), "{how:?}");
        total += counted;
    }
    total
}

/// A plain word that two threads write, through a type that claims to be safe to share.
fn race() {
    let word: &'static Racy = Box::leak(Box::new(Racy(std::cell::Cell::new(0))));
    all(move |_| {
        for _ in 0..1000 {
            word.0.set(word.0.get() + 1);
        }
    });
}

struct Racy(std::cell::Cell<u64>);

#[expect(unsafe_code, reason = "the planted race")]
// SAFETY: there is none. This is the fault that ThreadSanitizer must see.
unsafe impl Sync for Racy {}

/// A node whose head is shown without release: what is behind it is not there yet.
fn publish() {
    let shared: &'static (Racy, AtomicU64) =
        Box::leak(Box::new((Racy(std::cell::Cell::new(0)), AtomicU64::new(0))));
    all(move |number| {
        if number == 0 {
            shared.0.0.set(77);
            shared.1.store(1, Ordering::Relaxed);
        } else {
            while shared.1.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            std::hint::black_box(shared.0.0.get());
        }
    });
}
