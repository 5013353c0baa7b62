//! Leaf parallelisation: one thread descends, then each thread plays a playout from the leaf.
//!
//! For teaching: it is the simplest of the three, and what it gains is least worth, because a descent
//! waits for the longest playout and several results of one leaf say less than results of several
//! leaves. The same numbers for the same number of threads; also in `python/sylve/search/running/leaf.py`.

use super::super::config::Config;
use super::super::meeting::{Meeting, lock};
use super::super::policies::Playouts;
use super::super::seen::Seen;
use super::super::shared::sync::Mutex;
use super::super::shared::{Tree, Walker};
use super::super::tree::End;
use super::shared::Threads;
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Outcome, Record};
use crate::rng::Rng;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads of which the first leads and all play.
pub struct LeafThreads<G: Game> {
    walker: Walker<G>,
    players: Vec<Mutex<Player<G::State>>>,
    seed: u64,
    steps: u64,
}

/// What a thread needs to play, what it is to play, and how that ended.
struct Player<S> {
    playouts: Playouts,
    seen: Seen,
    /// From this state, for the simulation of this number.
    task: Option<(S, u64)>,
    outcome: Outcome,
}

impl<S> Player<S> {
    /// Plays what there is to play; the codes are in `seen`.
    #[inline(always)]
    fn play<C: Cpu, G: Game<State = S>>(&mut self, tree: &Tree<G>, seed: u64) {
        let Some((state, index)) = self.task.take() else { return };
        let Player { playouts, seen, .. } = self;
        let mut rng = Rng::stream(seed, index);
        seen.clear();
        self.outcome = if tree.coded() {
            let outcome = playouts.play::<C, _, _>(&*tree.game, state, &mut rng, seen);
            seen.list();
            outcome
        } else {
            playouts.play::<C, _, _>(&*tree.game, state, &mut rng, &mut ())
        };
    }
}

impl<G: Game> Threads<G> for LeafThreads<G> {
    fn new(game: &G, config: &Config, count: usize) -> LeafThreads<G> {
        let player = |_| {
            Mutex::new(Player {
                playouts: Playouts::new(config.policy.clone(), game.codes()),
                seen: Seen::new(game),
                task: None,
                outcome: Outcome::Draw,
            })
        };
        LeafThreads {
            walker: Walker::new(game, 1),
            players: (0..count).map(player).collect(),
            seed: config.seed,
            steps: 0,
        }
    }

    fn work(&mut self, tree: &Tree<G>, simulations: Range<u64>, stop: &AtomicBool) -> u64 {
        let LeafThreads { walker, players, seed, steps } = self;
        let (over, meeting) = (AtomicBool::new(false), Meeting::new(players.len()));
        let leaf = Leaf { tree, players, seed: *seed, over: &over, meeting: &meeting };
        std::thread::scope(|scope| {
            for number in 1..players.len() {
                scope.spawn(move || cpu::run(Play { leaf, number }));
            }
            // Portable: one more copy of the tree is saved.
            Lead { leaf, walker, steps, simulations, stop }.run::<cpu::Portable>()
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// What the threads share. They meet before the playouts of a leaf, and after them.
struct Leaf<'a, G: Game> {
    tree: &'a Tree<G>,
    players: &'a [Mutex<Player<G::State>>],
    seed: u64,
    over: &'a AtomicBool,
    meeting: &'a Meeting,
}

impl<G: Game> Clone for Leaf<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Leaf<'_, G> {}

/// A thread that plays.
struct Play<'a, G: Game> {
    leaf: Leaf<'a, G>,
    number: usize,
}

impl<G: Game> Work for Play<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Leaf { tree, players, seed, over, meeting } = self.leaf;
        loop {
            meeting.wait();
            if over.load(Ordering::Relaxed) {
                return;
            }
            lock(&players[self.number]).play::<C, G>(tree, seed);
            meeting.wait();
        }
    }
}

/// The thread that descends and updates, and plays the first playout itself.
struct Lead<'a, G: Game> {
    leaf: Leaf<'a, G>,
    walker: &'a mut Walker<G>,
    steps: &'a mut u64,
    simulations: Range<u64>,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Lead<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self) -> u64 {
        let Lead { leaf, walker, steps, simulations, stop } = self;
        let Leaf { tree, players, seed, over, meeting } = leaf;
        let Range { start: mut next, end } = simulations;
        walker.start(tree);
        let ended = || stop.load(Ordering::Relaxed) || tree.is_proven() || tree.store.wants_room();
        while next < end && !ended() {
            let (state, end_of_descent) = walker.descend::<C>(tree);
            *steps += walker.depth() as u64;
            if let Some(outcome) = end_of_descent.outcome() {
                // The end of the game needs no playout, and counts once.
                walker.seen.clear();
                walker.update::<C>(tree, outcome, end_of_descent);
                next += 1;
                continue;
            }
            for (index, player) in (next..end).zip(players) {
                lock(player).task = Some((state.clone(), index));
            }
            meeting.wait();
            lock(&players[0]).play::<C, G>(tree, seed);
            meeting.wait();
            for (index, player) in (next..end).zip(players) {
                if index > next {
                    walker.begin_again(tree);
                }
                let player = lock(player);
                count::<C, G>(tree, walker, player.outcome, player.seen.codes());
            }
            next = end.min(next + players.len() as u64);
        }
        over.store(true, Ordering::Relaxed);
        meeting.wait();
        walker.finish(tree);
        next
    }
}

/// Counts a result with the codes of its playout.
#[inline(always)]
fn count<C: Cpu, G: Game>(tree: &Tree<G>, walker: &mut Walker<G>, outcome: Outcome, codes: &[u16]) {
    walker.seen.clear();
    for &code in codes {
        walker.seen.played(usize::from(code));
    }
    walker.update::<C>(tree, outcome, End::Open);
}
