//! Tree parallelisation: all threads search one tree.

use super::super::config::{Algorithm, Config};
use super::super::policies::Playouts;
use super::super::report::{Numbers, order_by};
use super::super::shared::{Tree, Walker};
use crate::any::AnySearcher;
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move};
use crate::rng::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A search of one position by several threads in one tree.
///
/// Simulation i has the random numbers of simulation i, whichever thread runs it; but what it finds
/// in the tree depends on the others.
pub struct TreeSearcher<G: Game> {
    tree: Tree<G>,
    threads: Vec<Thread<G>>,
    seed: u64,
    simulations: u64,
}

struct Thread<G: Game> {
    walker: Walker<G>,
    playouts: Playouts,
    steps: u64,
}

/// The tree of a configuration that was not refused.
pub(super) fn make_tree<G: Game>(
    game: &Arc<G>,
    root: G::State,
    moves: Vec<Move>,
    config: &Config,
) -> Tree<G> {
    let Algorithm::Tree(how) = config.algorithm.clone() else {
        unreachable!("refused by parallel::refusal")
    };
    Tree::new(Arc::clone(game), root, moves, how.formula, how.update, how.transpositions)
}

impl<G: Game> TreeSearcher<G> {
    /// A search by so many threads; `config` must not be refused.
    pub fn new(
        game: &Arc<G>,
        root: G::State,
        moves: Vec<Move>,
        config: &Config,
        threads: usize,
    ) -> TreeSearcher<G> {
        let thread = |_| Thread {
            walker: Walker::new(&**game),
            playouts: Playouts::new(config.policy.clone(), game.codes()),
            steps: 0,
        };
        TreeSearcher {
            tree: make_tree(game, root, moves, config),
            threads: (0..threads).map(thread).collect(),
            seed: config.seed,
            simulations: 0,
        }
    }

    /// Simulations under way: 0 between runs, else a result was lost.
    pub fn under_way(&self) -> u64 {
        self.tree.store.under_way()
    }
}

/// What is known of a tree in which no thread runs.
pub(super) fn numbers_of<G: Game>(tree: &Tree<G>, simulations: u64, steps: u64) -> Numbers {
    let moves = tree.numbers();
    let tallies: Vec<_> = moves.iter().map(|numbers| numbers.own).collect();
    let visits: Vec<f64> = tallies.iter().map(|tally| f64::from(tally.visits)).collect();
    Numbers {
        proofs: vec![None; moves.len()],
        full: false,
        order: order_by(&visits, &tallies, None),
        line: tree.line::<cpu::Portable>(),
        moves,
        simulations,
        nodes: tree.store.nodes(),
        bytes: tree.store.bytes(),
        steps,
    }
}

impl<G: Game> AnySearcher for TreeSearcher<G> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        let end = self.simulations.saturating_add(simulations);
        while self.simulations < end && !stop.load(Ordering::Relaxed) {
            self.tree.store.make_room(end - self.simulations);
            let next = AtomicU64::new(self.simulations);
            let TreeSearcher { tree, threads, seed, .. } = &mut *self;
            let (tree, next_, seed) = (&*tree, &next, *seed);
            std::thread::scope(|scope| {
                for thread in threads {
                    let part = Part { tree, thread, seed, next: next_, end, stop };
                    scope.spawn(move || cpu::run(part));
                }
            });
            // Whoever found nothing left to do has counted too far.
            self.simulations = next.load(Ordering::Relaxed).min(end);
        }
    }

    fn simulations(&self) -> u64 {
        self.simulations
    }

    fn nodes(&self) -> usize {
        self.tree.store.nodes()
    }

    fn numbers(&mut self) -> Numbers {
        let steps = self.threads.iter().map(|thread| thread.steps).sum();
        numbers_of(&self.tree, self.simulations, steps)
    }
}

/// What one thread does.
struct Part<'a, G: Game> {
    tree: &'a Tree<G>,
    thread: &'a mut Thread<G>,
    seed: u64,
    /// The next simulation that nobody has begun.
    next: &'a AtomicU64,
    end: u64,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Part<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Part { tree, thread, seed, next, end, stop } = self;
        let Thread { walker, playouts, steps } = thread;
        let coded = tree.coded();
        while !stop.load(Ordering::Relaxed) && !tree.store.wants_room() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= end {
                return;
            }
            let mut rng = Rng::stream(seed, index);
            let (state, outcome) = walker.descend::<C>(tree);
            let game = &*tree.game;
            walker.seen.clear();
            let outcome = match outcome {
                Some(outcome) => outcome,
                None if coded => playouts.play::<C, _, _>(game, state, &mut rng, &mut walker.seen),
                None => playouts.play::<C, _, _>(game, state, &mut rng, &mut ()),
            };
            walker.update::<C>(tree, outcome);
            *steps += walker.depth() as u64;
        }
    }
}
