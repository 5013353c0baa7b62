//! SharedTree parallelisation: all threads search one tree.

use super::super::any_searcher::AnySearcher;
use super::super::bytes::{Damaged, Reader, Writer};
use super::super::config::{Algorithm, Config};
use super::super::policies::Playouts;
use super::super::report::{Inside, Numbers};
use super::super::saved;
use super::super::shared::{SharedTree, Walker};
use super::super::sync::CachePadded;
use super::super::tree_view::TreeView;
use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome};
use crate::rng::Rng;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A search of one position by threads that all descend, play and update in one tree.
///
/// Simulation i has the random numbers of simulation i, whichever thread runs it; but what it finds
/// in the tree depends on the others.
pub struct SharedTreeSearcher<G: Game> {
    tree: SharedTree<G>,
    threads: Vec<Thread<G>>,
    seed: u64,
    simulations: u64,
}

/// CachePadded from the others in memory: each writes much into its own.
#[repr(align(128))]
struct Thread<G: Game> {
    walker: Walker<G>,
    playouts: Playouts,
    /// Choices made in all descents.
    steps: u64,
}

/// Simulations that a thread takes at a time: to ask for each would cost a few percent, because the
/// number of the next one would go to and fro between the processors. All of them are made.
const SHARE: u64 = 16;

impl<G: Evaluate> SharedTreeSearcher<G> {
    /// A search by so many threads; `config` must not be refused.
    pub fn new(
        game: &Arc<G>,
        root: G::State,
        moves: Vec<Move>,
        config: &Config,
        threads: usize,
    ) -> SharedTreeSearcher<G> {
        let Algorithm::Tree(how) = config.algorithm.clone() else {
            unreachable!("refused by parallel::refusal")
        };
        let thread = |_| Thread {
            walker: Walker::new(&**game, threads),
            playouts: Playouts::new(config.policy.clone(), &**game),
            steps: 0,
        };
        SharedTreeSearcher {
            tree: SharedTree::new(Arc::clone(game), root, moves, how),
            threads: (0..threads).map(thread).collect(),
            seed: config.seed,
            simulations: 0,
        }
    }

    /// Makes the simulations of these numbers, fewer if told to stop, or if the tree is proven or wants
    /// room. The number of the next one.
    fn work(&mut self, simulations: Range<u64>, stop: &AtomicBool) -> u64 {
        let SharedTreeSearcher { tree, threads, seed, .. } = self;
        let (tree, seed, end) = (&*tree, *seed, simulations.end);
        let next = CachePadded(AtomicU64::new(simulations.start));
        let share = if threads.len() == 1 { 1 } else { SHARE };
        let part = |thread| Part { tree, thread, seed, next: &next, share, end, stop };
        match &mut threads[..] {
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

    /// What does not balance: simulations that were begun and not counted to their end, or the other
    /// way round. 0 between runs, else something was lost. Not after `advance`, which forgets nodes.
    pub fn unbalanced(&self) -> u64 {
        let (visits, under_way) = self.tree.store.visits_and_under_way();
        visits.abs_diff(self.steps()) + under_way
    }
}

/// What one thread does.
struct Part<'a, G: Game> {
    tree: &'a SharedTree<G>,
    thread: &'a mut Thread<G>,
    seed: u64,
    /// The next simulation that nobody has begun.
    next: &'a CachePadded<AtomicU64>,
    /// So many are begun at a time.
    share: u64,
    end: u64,
    stop: &'a AtomicBool,
}

impl<G: Evaluate> Work for Part<'_, G> {
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
                let result = match end.outcome() {
                    Some(outcome) => outcome.into(),
                    None if coded => {
                        playouts.play::<C, _, _>(game, state, &mut rng, &mut walker.seen)
                    }
                    None => playouts.play::<C, _, _>(game, state, &mut rng, &mut ()),
                };
                walker.update::<C>(tree, result, end);
                *steps += walker.depth() as u64;
            }
        }
        walker.finish(tree);
    }
}

impl<G: Evaluate> AnySearcher for SharedTreeSearcher<G> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        let end = self.simulations.saturating_add(simulations);
        while self.simulations < end && !stop.load(Ordering::Relaxed) && !self.tree.is_proven() {
            if !self.tree.store.make_room(end - self.simulations) {
                break;
            }
            self.simulations = self.work(self.simulations..end, stop);
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

    fn is_refused(&self) -> bool {
        self.tree.store.is_refused()
    }

    fn advance(&mut self, mv: Move, moves: Vec<Move>) {
        let game = Arc::clone(&self.tree.game);
        saved::advance(&*game, &mut self.tree, mv, moves);
    }

    /// In the form of a search by one thread.
    fn save(&mut self, out: &mut Writer) {
        out.number(self.simulations);
        out.number(0_u64); // no codes are learned
        saved::save(&*self.tree.game, &self.tree, out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let simulations = from.number(u64::MAX >> 1)?;
        if from.number(u64::MAX)? != 0 {
            return Err(Damaged("this search learns no codes"));
        }
        let game = Arc::clone(&self.tree.game);
        if u64::from(saved::load(&*game, &mut self.tree, from)?) > simulations {
            return Err(Damaged("more visits than simulations"));
        }
        self.simulations = simulations;
        Ok(())
    }

    fn look(&mut self, path: &[Move]) -> Option<Inside> {
        self.tree.inside(&self.tree.game, path)
    }

    fn numbers(&mut self) -> Numbers {
        self.tree.numbers(&self.tree.game, self.simulations, self.steps())
    }
}
