//! The primitives of the shared tree under every order of events that memory allows.
//!
//! `make test-threads` runs them (RUSTFLAGS="--cfg loom"); without that flag this file is empty. Each
//! `control_...` breaks a primitive on purpose, and loom must find an order that shows it.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use sylve_core::search::shared::cells;
use sylve_core::search::shared::pool::Pool;
use sylve_core::search::shared::slots::{Found, Slots};

/// Runs two threads, and waits for both.
fn two(work: impl Fn(usize) + Send + Sync + 'static) {
    let work = Arc::new(work);
    let other = Arc::clone(&work);
    let thread = thread::spawn(move || other(1));
    work(0);
    thread.join().unwrap();
}

#[test]
fn no_result_is_lost_and_no_loss_is_left() {
    loom::model(|| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let shared = Arc::clone(&words);
        two(move |number| {
            cells::begin(&shared.1);
            cells::finish(&shared.0, &shared.1, 1 + number as u32); // a draw and a win
        });
        let seen = cells::look(&words.0, &words.1);
        assert_eq!((seen.tally().visits, seen.tally().wins, seen.tally().draws), (2, 1, 1));
        assert_eq!(seen.under_way, 0);
    });
}

#[test]
fn a_proof_and_a_result_both_count() {
    loom::model(|| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let shared = Arc::clone(&words);
        two(move |number| {
            cells::begin(&shared.1);
            cells::finish(&shared.0, &shared.1, 1);
            if number == 0 {
                cells::prove(&shared.1, 2);
            }
        });
        let seen = cells::look(&words.0, &words.1);
        assert_eq!((seen.tally().visits, seen.tally().draws), (2, 2));
        assert_eq!((seen.proof, seen.under_way), (2, 0));
    });
}

#[test]
fn whoever_sees_a_draw_sees_its_visit() {
    loom::model(|| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let shared = Arc::clone(&words);
        let thread = thread::spawn(move || {
            cells::begin(&shared.1);
            cells::finish(&shared.0, &shared.1, 1);
            cells::count(&shared.0, Some(&shared.1), 1);
        });
        let tally = cells::look(&words.0, &words.1).tally();
        assert!(tally.wins + tally.draws <= tally.visits);
        thread.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "draws without visits")]
fn control_draws_counted_before_visits() {
    loom::model(|| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let shared = Arc::clone(&words);
        let thread = thread::spawn(move || {
            shared.1.fetch_add(1, Ordering::Relaxed); // not released, and in the wrong order
            shared.0.fetch_add(1, Ordering::Relaxed);
        });
        let tally = cells::look(&words.0, &words.1).tally();
        assert!(tally.draws <= tally.visits, "draws without visits");
        thread.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "a result is lost")]
fn control_read_then_written() {
    loom::model(|| {
        let word = Arc::new(AtomicU64::new(0));
        let shared = Arc::clone(&word);
        two(move |_| {
            let before = shared.load(Ordering::Relaxed);
            shared.store(before + 1, Ordering::Relaxed);
        });
        assert_eq!(word.load(Ordering::Relaxed), 2, "a result is lost");
    });
}

/// Makes the node of `key` if it is not there; where it is.
fn make(slots: &Slots, key: u64, block: u32, check: u32) -> Option<(u32, u32)> {
    loop {
        match slots.find(key, 3, u32::MAX, || check) {
            Found::Node(node) => return Some((node.slot, node.block)),
            Found::Busy => return None,
            Found::Free(slot, key) if slots.take(slot, key) => {
                slots.publish(slot, block, 3, check);
                return Some((slot, block));
            }
            Found::Free(..) => {}
        }
    }
}

#[test]
fn a_position_is_made_once_and_seen_whole() {
    loom::model(|| {
        let slots = Arc::new(Slots::new(4));
        let shared = Arc::clone(&slots);
        two(move |number| {
            // Whoever finds the node finds its check: else it would look under another key.
            make(&shared, 5, number as u32, 77);
        });
        assert_eq!(slots.nodes().count(), 1);
        let Found::Node(node) = slots.find(5, 3, u32::MAX, || 77) else { panic!("not found") };
        assert_eq!(node.moves, 3);
        assert!(node.block < 2);
    });
}

#[test]
fn two_positions_with_one_slot_get_two() {
    loom::model(|| {
        let slots = Arc::new(Slots::new(4));
        let shared = Arc::clone(&slots);
        two(move |number| {
            let key = 1 + 4 * number as u64; // the same low bits
            assert!(make(&shared, key, number as u32, 9).is_some());
        });
        let blocks: Vec<u32> = slots.nodes().map(|node| node.block).collect();
        assert_eq!(blocks.len(), 2);
        assert_ne!(blocks[0], blocks[1]);
    });
}

#[test]
#[should_panic(expected = "half a node")]
fn control_published_without_release() {
    loom::model(|| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let shared = Arc::clone(&words);
        let thread = thread::spawn(move || {
            shared.0.store(77, Ordering::Relaxed);
            shared.1.store(1, Ordering::Relaxed); // `publish` has release here
        });
        if words.1.load(Ordering::Acquire) == 1 {
            assert_eq!(words.0.load(Ordering::Relaxed), 77, "half a node");
        }
        thread.join().unwrap();
    });
}

#[test]
fn one_table_counts() {
    loom::model(|| {
        let slots = Arc::new(Slots::new(2));
        assert!(make(&slots, 1, 0, 9).is_some());
        let shared = Arc::clone(&slots);
        let other = thread::spawn(move || shared.set_table(1, 10));
        let mine = slots.set_table(1, 20);
        let theirs = other.join().unwrap();
        assert_eq!(mine, theirs);
        assert_eq!(slots.table(1), Some(mine));
    });
}

#[test]
fn blocks_do_not_overlap() {
    loom::model(|| {
        let pool = Arc::new(Pool::new(4));
        let shared = Arc::clone(&pool);
        let other = thread::spawn(move || shared.allocate(2));
        let mine = pool.allocate(2);
        let theirs = other.join().unwrap();
        let mut both = [mine.unwrap(), theirs.unwrap()];
        both.sort_unstable();
        assert_eq!(both, [0, 2]);
        assert_eq!(pool.allocate(1), None);
        assert_eq!(pool.left(), 0);
    });
}
