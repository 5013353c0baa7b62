//! Tree parallelisation: all threads search one tree.

use super::super::config::{Algorithm, Config};
use super::super::policies::Playouts;
use super::super::proofs::worth;
use super::super::report::{Numbers, order_by};
use super::super::saved::{Damaged, Reader, Writer};
use super::super::shared::{Tree, Walker};
use crate::any::AnySearcher;
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move, Outcome};
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
    Tree::new(Arc::clone(game), root, moves, how)
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
    let (proofs, player) = (tree.proofs(), tree.turn());
    let worths = tallies.iter().zip(&proofs);
    let worths: Vec<f64> = worths.map(|(t, &proof)| worth(proof, player, t.visits)).collect();
    Numbers {
        proofs,
        full: tree.store.is_full(),
        order: order_by(&worths, &tallies, None),
        line: tree.line::<cpu::Portable>(),
        moves,
        simulations,
        nodes: tree.store.nodes(),
        bytes: tree.store.bytes(),
        steps,
    }
}

/// Writes a search of a shared tree in the form of a search by one thread.
pub(super) fn save_tree<G: Game>(tree: &Tree<G>, simulations: u64, out: &mut Writer) {
    out.number(simulations);
    out.number(0_u64); // no codes are learned
    tree.save::<cpu::Portable>(out);
}

/// Reads it back; the answer is the number of simulations.
pub(super) fn load_tree<G: Game>(
    tree: &mut Tree<G>,
    from: &mut Reader<'_>,
) -> Result<u64, Damaged> {
    let simulations = from.number(u64::MAX >> 1)?;
    if from.number(u64::MAX)? != 0 {
        return Err(Damaged("this search learns no codes"));
    }
    if u64::from(tree.load::<cpu::Portable>(from)?) > simulations {
        return Err(Damaged("more visits than simulations"));
    }
    Ok(simulations)
}

impl<G: Game> AnySearcher for TreeSearcher<G> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        let end = self.simulations.saturating_add(simulations);
        while self.simulations < end && !stop.load(Ordering::Relaxed) && !self.tree.is_proven() {
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

    fn proof(&self) -> Option<Outcome> {
        self.tree.proof()
    }

    fn advance(&mut self, mv: Move, moves: Vec<Move>) {
        self.tree.advance::<cpu::Portable>(mv, moves);
    }

    fn save(&mut self, out: &mut Writer) {
        save_tree(&self.tree, self.simulations, out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        self.simulations = load_tree(&mut self.tree, from)?;
        Ok(())
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
        while !stop.load(Ordering::Relaxed) && !tree.is_proven() && !tree.store.wants_room() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= end {
                return;
            }
            let mut rng = Rng::stream(seed, index);
            let (state, end) = walker.descend::<C>(tree);
            let game = &*tree.game;
            walker.seen.clear();
            let outcome = match end.outcome() {
                Some(outcome) => outcome,
                None if coded => playouts.play::<C, _, _>(game, state, &mut rng, &mut walker.seen),
                None => playouts.play::<C, _, _>(game, state, &mut rng, &mut ()),
            };
            walker.update::<C>(tree, outcome, end);
            *steps += walker.depth() as u64;
        }
    }
}
