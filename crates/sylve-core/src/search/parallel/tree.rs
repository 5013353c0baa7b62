//! Tree parallelisation: all threads search one tree.

use super::super::config::Config;
use super::super::policies::Playouts;
use super::super::shared::pool::Apart;
use super::super::shared::{Tree, Walker};
use super::shared::Threads;
use crate::cpu::{self, Cpu, Work};
use crate::game::Game;
use crate::rng::Rng;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Threads that all descend, play and update.
///
/// Simulation i has the random numbers of simulation i, whichever thread runs it; but what it finds
/// in the tree depends on the others.
pub struct TreeThreads<G: Game> {
    threads: Vec<Thread<G>>,
    seed: u64,
}

/// Apart from the others in memory: each writes much into its own.
#[repr(align(128))]
struct Thread<G: Game> {
    walker: Walker<G>,
    playouts: Playouts,
    steps: u64,
}

/// Simulations that a thread takes at a time: to ask for each would cost a few percent, because the
/// number of the next one would go to and fro between the processors. All of them are made.
const SHARE: u64 = 16;

impl<G: Game> Threads<G> for TreeThreads<G> {
    fn new(game: &G, config: &Config, count: usize) -> TreeThreads<G> {
        let thread = |_| Thread {
            walker: Walker::new(game, count),
            playouts: Playouts::new(config.policy.clone(), game.codes()),
            steps: 0,
        };
        TreeThreads { threads: (0..count).map(thread).collect(), seed: config.seed }
    }

    fn work(&mut self, tree: &Tree<G>, simulations: Range<u64>, stop: &AtomicBool) -> u64 {
        let (next, end, seed) =
            (Apart(AtomicU64::new(simulations.start)), simulations.end, self.seed);
        let share = if self.threads.len() == 1 { 1 } else { SHARE };
        let part = |thread| Part { tree, thread, seed, next: &next, share, end, stop };
        match &mut self.threads[..] {
            [alone] => cpu::run(part(alone)),
            // All are new ones: this one would keep its processor, and the system at first may put
            // another one there too.
            threads => std::thread::scope(|scope| {
                for thread in threads {
                    scope.spawn(move || cpu::run(part(thread)));
                }
            }),
        }
        // Whoever found nothing left to do has counted too far.
        next.0.load(Ordering::Relaxed).min(end)
    }

    fn steps(&self) -> u64 {
        self.threads.iter().map(|thread| thread.steps).sum()
    }
}

/// What one thread does.
struct Part<'a, G: Game> {
    tree: &'a Tree<G>,
    thread: &'a mut Thread<G>,
    seed: u64,
    /// The next simulation that nobody has begun.
    next: &'a Apart<AtomicU64>,
    /// So many are begun at a time.
    share: u64,
    end: u64,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Part<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Part { tree, thread, seed, next, share, end, stop } = self;
        let Thread { walker, playouts, steps } = thread;
        let coded = tree.coded();
        walker.start(tree);
        while !stop.load(Ordering::Relaxed) && !tree.is_proven() && !tree.store.wants_room() {
            let first = next.0.fetch_add(share, Ordering::Relaxed);
            if first >= end {
                break;
            }
            for index in first..end.min(first + share) {
                let mut rng = Rng::stream(seed, index);
                let (state, end) = walker.descend::<C>(tree);
                let game = &*tree.game;
                walker.seen.clear();
                let outcome = match end.outcome() {
                    Some(outcome) => outcome,
                    None if coded => {
                        playouts.play::<C, _, _>(game, state, &mut rng, &mut walker.seen)
                    }
                    None => playouts.play::<C, _, _>(game, state, &mut rng, &mut ()),
                };
                walker.update::<C>(tree, outcome, end);
                *steps += walker.depth() as u64;
            }
        }
        walker.finish(tree);
    }
}
