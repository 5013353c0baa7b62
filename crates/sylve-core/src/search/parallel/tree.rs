//! Tree parallelisation: all threads search one tree.

use super::super::config::{Algorithm, Config};
use super::super::policies::Playouts;
use super::super::proofs::worth;
use super::super::report::{Inside, Numbers, order_by};
use super::super::saved::{Damaged, Reader, Writer};
use super::super::shared::pool::Apart;
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

/// Apart from the others in memory: each writes much into its own.
#[repr(align(128))]
struct Thread<G: Game> {
    walker: Walker<G>,
    playouts: Playouts,
    steps: u64,
}

/// Simulations that a thread takes at a time: to ask for each would cost a few percent, because the
/// number of the next one would go to and fro between the processors. All of them are made.
const SHARE: u64 = 4;

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

    /// What does not balance: simulations that were begun and not counted to their end, or the other
    /// way round. 0 between runs, else something was lost. Not after `advance`, which forgets nodes.
    pub fn unbalanced(&self) -> u64 {
        let steps = self.threads.iter().map(|thread| thread.steps).sum();
        let (visits, under_way) = self.tree.store.visits_and_under_way();
        visits.abs_diff(steps) + under_way
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
            let next = Apart(AtomicU64::new(self.simulations));
            let TreeSearcher { tree, threads, seed, .. } = &mut *self;
            let (tree, next_, seed) = (&*tree, &next, *seed);
            let share = if threads.len() == 1 { 1 } else { SHARE };
            let part = |thread| Part { tree, thread, seed, next: next_, share, end, stop };
            let (own, others) = threads.split_first_mut().expect("one thread at least");
            std::thread::scope(|scope| {
                for thread in others {
                    scope.spawn(move || cpu::run(part(thread)));
                }
                cpu::run(part(own));
            });
            // Whoever found nothing left to do has counted too far.
            self.simulations = next.0.load(Ordering::Relaxed).min(end);
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

    fn look(&mut self, path: &[Move]) -> Option<Inside> {
        self.tree.inside(path)
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
        walker.start();
        while !stop.load(Ordering::Relaxed) && !tree.is_proven() && !tree.store.wants_room() {
            let first = next.0.fetch_add(share, Ordering::Relaxed);
            if first >= end {
                return;
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
    }
}
