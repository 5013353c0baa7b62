//! The primitives of the shared tree under every order of events that memory allows.
//!
//! `make test-threads` runs them (RUSTFLAGS="--cfg loom"); without that flag this file is empty. Each
//! `control_...` breaks a primitive on purpose, and loom must find an order that shows it.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use sylve_core::search::shared::cells;
use sylve_core::search::shared::counters::{CounterShape, NodeCounters};
use sylve_core::search::shared::header::{self, HEADER, More};
use sylve_core::search::shared::pool::Pool;
use sylve_core::search::shared::slots::{Place, Slots};
use sylve_core::search::shared::values;
use sylve_core::search::spin_barrier::SpinBarrier;
use sylve_core::search::units::Counting;

/// Runs two threads, and waits for both.
fn two(work: impl Fn(usize) + Send + Sync + 'static) {
    let work = Arc::new(work);
    let other = Arc::clone(&work);
    let thread = thread::spawn(move || other(1));
    work(0);
    thread.join().unwrap();
}

fn words(count: usize) -> Arc<Vec<AtomicU64>> {
    Arc::new((0..count).map(|_| AtomicU64::new(0)).collect())
}

const PLAIN: CounterShape = CounterShape {
    under_way: false,
    amaf: false,
    draws: false,
    counting: Counting::Outcomes,
    implicit: false,
    prior: false,
};
const DRAWS: CounterShape = CounterShape { draws: true, ..PLAIN };
const JUDGED: CounterShape = CounterShape { implicit: true, prior: true, ..PLAIN };
/// The words of a node with two judged moves: header, tallies, two columns of values.
const NODE: usize = HEADER + 3;

/// The counters of a node with two moves.
fn at(words: &[AtomicU64], shape: CounterShape) -> NodeCounters<'_> {
    shape.at(words, 2, None)
}

#[test]
fn no_result_is_lost_of_two_moves_in_a_word() {
    loom::model(|| {
        let block = words(DRAWS.length(2));
        let shared = Arc::clone(&block);
        two(move |number| {
            let at = at(&shared, DRAWS);
            cells::begin(&at.own[0], number);
            cells::win(&at.own[0], number);
            cells::count(&at.own[0], 1, number == 1);
            cells::add(at.draws, 1);
        });
        let tallies = [0, 1].map(|index| at(&block, DRAWS).tally(index));
        assert_eq!(tallies.map(|tally| tally.visits), [1, 3]);
        assert_eq!(tallies.map(|tally| tally.wins), [1, 2]);
        assert_eq!(tallies.map(|tally| tally.draws), [0, 2]);
    });
}

#[test]
fn no_simulation_is_left_under_way() {
    loom::model(|| {
        let block = words(1);
        let shared = Arc::clone(&block);
        two(move |number| {
            cells::add(&shared, number);
            cells::add(&shared, 1);
            cells::take(&shared, 1);
            cells::take(&shared, number);
        });
        assert_eq!(block[0].load(Ordering::Relaxed), 0);
    });
}

#[test]
fn a_proof_and_a_result_both_count() {
    loom::model(|| {
        let block = words(PLAIN.length(2));
        let shared = Arc::clone(&block);
        two(move |number| {
            let at = at(&shared, PLAIN);
            cells::begin(&at.own[0], 1);
            if number == 0 {
                cells::prove(at.own, 1, 2);
            } else {
                cells::win(&at.own[0], 1);
            }
        });
        let at = at(&block, PLAIN);
        assert_eq!((at.tally(1).visits, at.tally(1).wins), (2, 1));
        assert_eq!(at.proofs().collect::<Vec<_>>(), [0, 2]);
    });
}

#[test]
fn whoever_sees_a_draw_sees_its_visit() {
    loom::model(|| {
        let block = words(DRAWS.length(2));
        let shared = Arc::clone(&block);
        let thread = thread::spawn(move || {
            let at = at(&shared, DRAWS);
            cells::begin(&at.own[0], 1);
            cells::add(at.draws, 1);
            cells::count_chosen(at.own, 0, 0b10, false);
            cells::add_to_chosen(at.draws, 0, 0b10);
        });
        let tally = at(&block, DRAWS).tally(1);
        assert!(tally.wins + tally.draws <= tally.visits);
        thread.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "draws without visits")]
fn control_draws_counted_before_visits() {
    loom::model(|| {
        let block = words(DRAWS.length(2));
        let shared = Arc::clone(&block);
        let thread = thread::spawn(move || {
            let at = at(&shared, DRAWS);
            at.draws[0].fetch_add(1, Ordering::Relaxed); // not released, and in the wrong order
            cells::begin(&at.own[0], 0);
        });
        let tally = at(&block, DRAWS).tally(0);
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

/// The counters of a node with two moves in a pool, wide ones included where it has some.
fn in_pool(pool: &Pool) -> NodeCounters<'_> {
    let block = pool.block(0);
    let wide = header::more(block, More::Wide).map(|at| PLAIN.wide(pool.block(at), 2));
    PLAIN.at(block, 2, wide)
}

/// A pool with a node, and room for wide counters twice.
fn pool_with_node() -> Arc<Pool> {
    let mut pool = Pool::new(8);
    pool.add_chunk();
    assert_eq!(pool.allocate(PLAIN.length(2)), Some(0));
    Arc::new(pool)
}

#[test]
fn nothing_is_lost_while_wide_counters_are_made() {
    loom::model(|| {
        let pool = pool_with_node();
        let shared = Arc::clone(&pool);
        two(move |number| {
            if number == 0 {
                let at = shared.allocate(PLAIN.wide_length(2)).unwrap();
                header::set_more(shared.block(0), More::Wide, at);
            }
            let at = in_pool(&shared);
            match at.wide {
                None => {
                    cells::begin(&at.own[0], 1);
                    cells::win(&at.own[0], 1); // where its visit is, whatever there is now
                }
                Some(wide) => {
                    cells::begin_wide(&wide.own[1]);
                    cells::win_wide(&wide.own[1]);
                }
            }
            let seen = in_pool(&shared).tally(1);
            assert!(seen.visits >= 1 && seen.wins <= seen.visits);
        });
        let tally = in_pool(&pool).tally(1);
        assert_eq!((tally.visits, tally.wins), (2, 2));
    });
}

#[test]
#[should_panic(expected = "a visit is lost")]
fn control_narrow_counters_copied_to_wide_ones() {
    loom::model(|| {
        let pool = pool_with_node();
        let shared = Arc::clone(&pool);
        two(move |number| {
            let at = in_pool(&shared);
            if number == 1 {
                cells::begin(&at.own[0], 0);
                return;
            }
            // What `header.rs` does not do: counters move, and others still count in the old place.
            let before = at.own[0].load(Ordering::Relaxed);
            let wide = shared.allocate(2).unwrap();
            shared.block(wide)[0].store(before, Ordering::Relaxed);
            at.own[0].store(0, Ordering::Relaxed);
            header::set_more(shared.block(0), More::Wide, wide);
        });
        assert_eq!(in_pool(&pool).tally(0).visits, 1, "a visit is lost");
    });
}

#[test]
fn one_of_two_wide_blocks_counts_and_a_table_stays() {
    loom::model(|| {
        let block = words(HEADER);
        let shared = Arc::clone(&block);
        let other = thread::spawn(move || {
            header::set_more(&shared, More::Table, 7);
            header::set_more(&shared, More::Wide, 10)
        });
        let mine = header::set_more(&block, More::Wide, 20);
        assert_eq!(header::more(&block, More::Wide), Some(mine));
        assert_eq!(other.join().unwrap(), mine);
        assert_eq!(header::more(&block, More::Table), Some(7));
    });
}

/// Makes the node of `key` in one of the blocks if it is not there; where it is.
fn make(slots: &Slots, blocks: &[AtomicU64], key: u64, block: u32) -> u32 {
    let of = |block: u32| &blocks[block as usize * NODE..];
    header::write(of(block), key, 2, 77);
    values::write(at(of(block), JUDGED).implicit, &[100, 200]);
    values::write(at(of(block), JUDGED).prior, &[300, 400]);
    loop {
        match slots.find(key, |block| header::key(of(block))) {
            Place::Block(block) => {
                // Whoever finds a node finds its moves too, and what evaluations say of them.
                assert_eq!(header::moves_and_check(of(block)), (2, 77), "half a node");
                let at = at(of(block), JUDGED);
                for (words, expected) in [(at.implicit, [100, 200]), (at.prior, [300, 400])] {
                    let mut seen = Vec::new();
                    values::read(&mut seen, words);
                    assert_eq!(seen[..2], expected, "half a node");
                }
                return block;
            }
            Place::Free(slot) if slots.put(slot, key, block) => return block,
            Place::Free(_) => {}
        }
    }
}

#[test]
fn a_position_is_made_once_and_seen_whole() {
    loom::model(|| {
        let both = Arc::new((Slots::new(4), words(2 * NODE)));
        let shared = Arc::clone(&both);
        let other = thread::spawn(move || make(&shared.0, &shared.1, 5, 1));
        let mine = make(&both.0, &both.1, 5, 0);
        assert_eq!(other.join().unwrap(), mine);
        assert_eq!(both.0.blocks().collect::<Vec<_>>(), [mine]);
    });
}

#[test]
fn two_positions_with_one_slot_get_two() {
    loom::model(|| {
        let both = Arc::new((Slots::new(4), words(2 * NODE)));
        let shared = Arc::clone(&both);
        two(move |number| {
            let key = 1 + 4 * number as u64; // the same low bits
            assert_eq!(make(&shared.0, &shared.1, key, number as u32), number as u32);
        });
        let mut blocks: Vec<u32> = both.0.blocks().collect();
        blocks.sort_unstable();
        assert_eq!(blocks, [0, 1]);
    });
}

#[test]
#[should_panic(expected = "half a node")]
fn control_published_without_release() {
    loom::model(|| {
        let words = words(2);
        let shared = Arc::clone(&words);
        let thread = thread::spawn(move || {
            shared[0].store(77, Ordering::Relaxed);
            shared[1].store(1, Ordering::Relaxed); // `Slots::put` has release here
        });
        if words[1].load(Ordering::Acquire) == 1 {
            assert_eq!(words[0].load(Ordering::Relaxed), 77, "half a node");
        }
        thread.join().unwrap();
    });
}

/// The value of the move before a node of two moves, for the other player, and both of its own.
fn three_values(words: &[AtomicU64]) -> [u16; 3] {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    values::read(&mut before, &words[..1]);
    values::read(&mut after, &words[1..]);
    [before[1], after[0], after[1]]
}

/// Two threads: each has a new value for one of two moves, and gives the move before the best of both.
fn two_values_go_up(raise: impl Fn(&[AtomicU64]) + Copy + Send + Sync + 'static) {
    loom::model(move || {
        let both = words(2);
        values::write(&both[1..], &[10, 10]);
        let shared = Arc::clone(&both);
        two(move |number| {
            values::set(&shared[1..], number, [30, 5][number]);
            raise(&shared);
        });
        assert_eq!(three_values(&both), [(65_536 - 30) as u16, 30, 5], "a value is left behind");
    });
}

#[test]
fn the_best_value_arrives_whoever_comes_last() {
    two_values_go_up(|words| {
        values::raise(&words[..1], 1, &words[1..], true);
    });
}

#[test]
#[should_panic(expected = "a value is left behind")]
fn control_a_value_that_nobody_looks_at_again() {
    two_values_go_up(|words| {
        let best = u32::from(three_values(words)[1..].iter().copied().max().unwrap());
        values::set(&words[..1], 1, 65_536 - best);
    });
}

#[test]
fn neighbours_keep_their_values() {
    loom::model(|| {
        let both = words(1);
        values::write(&both, &[1, 2, 3]);
        let shared = Arc::clone(&both);
        two(move |number| {
            values::set(&shared, 2 * number, 50 + number as u32);
        });
        let mut seen = Vec::new();
        values::read(&mut seen, &both);
        assert_eq!(seen, [50, 2, 51, 0]);
    });
}

#[test]
fn blocks_do_not_overlap() {
    loom::model(|| {
        let mut pool = Pool::new(4);
        pool.add_chunk();
        let pool = Arc::new(pool);
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

/// Two rounds: in each a thread says that it was there, and must then see that the other was.
fn meet_twice(make: impl Fn() -> SpinBarrier + Send + Sync + 'static) {
    loom::model(move || {
        let (barrier, said, seen) = (make(), words(4), words(2));
        let shared = Arc::clone(&seen);
        two(move |number| {
            for round in 0..2 {
                said[2 * round + number].store(1, Ordering::Relaxed);
                barrier.wait();
                let other = said[2 * round + 1 - number].load(Ordering::Relaxed);
                shared[number].fetch_add(other, Ordering::Relaxed);
            }
        });
        let seen: Vec<_> = seen.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        assert_eq!(seen, [2, 2], "one went on alone");
    });
}

#[test]
fn all_have_come_when_one_goes_on() {
    meet_twice(|| SpinBarrier::new(2));
}

#[test]
#[should_panic(expected = "one went on alone")]
fn control_a_barrier_that_does_not_wait() {
    meet_twice(|| SpinBarrier::new(1));
}
