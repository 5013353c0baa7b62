//! A search whose threads share one tree: all of it but what the threads do.

use super::super::config::{Algorithm, Config};
use super::super::proofs::worth;
use super::super::report::{Inside, Numbers, order_by};
use super::super::saved::{Damaged, Reader, Writer};
use super::super::shared::Tree;
use crate::any::AnySearcher;
use crate::cpu;
use crate::game::{Game, Move, Outcome};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads, and how they work on a tree.
pub trait Threads<G: Game>: Send + Sync {
    /// So many of them, for a tree that is new.
    fn new(game: &G, config: &Config, count: usize) -> Self;

    /// Makes the simulations of these numbers, fewer if told to stop, or if the tree is proven or wants
    /// room. The number of the next one.
    fn work(&mut self, tree: &Tree<G>, simulations: Range<u64>, stop: &AtomicBool) -> u64;

    /// Choices made in all descents.
    fn steps(&self) -> u64;
}

/// A search of one position by threads in one tree.
pub struct SharedSearcher<G: Game, T> {
    tree: Tree<G>,
    threads: T,
    simulations: u64,
}

impl<G: Game, T: Threads<G>> SharedSearcher<G, T> {
    /// A search by so many threads; `config` must not be refused.
    pub fn new(
        game: &Arc<G>,
        root: G::State,
        moves: Vec<Move>,
        config: &Config,
        threads: usize,
    ) -> SharedSearcher<G, T> {
        let Algorithm::Tree(how) = config.algorithm.clone() else {
            unreachable!("refused by parallel::refusal")
        };
        SharedSearcher {
            tree: Tree::new(Arc::clone(game), root, moves, how),
            threads: T::new(game, config, threads),
            simulations: 0,
        }
    }

    /// What does not balance: simulations that were begun and not counted to their end, or the other
    /// way round. 0 between runs, else something was lost. Not after `advance`, which forgets nodes.
    pub fn unbalanced(&self) -> u64 {
        let (visits, under_way) = self.tree.store.visits_and_under_way();
        visits.abs_diff(self.threads.steps()) + under_way
    }
}

impl<G: Game, T: Threads<G>> AnySearcher for SharedSearcher<G, T> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        let end = self.simulations.saturating_add(simulations);
        while self.simulations < end && !stop.load(Ordering::Relaxed) && !self.tree.is_proven() {
            if !self.tree.store.make_room(end - self.simulations) {
                break;
            }
            self.simulations = self.threads.work(&self.tree, self.simulations..end, stop);
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
        self.tree.advance::<cpu::Portable>(mv, moves);
    }

    /// In the form of a search by one thread.
    fn save(&mut self, out: &mut Writer) {
        out.number(self.simulations);
        out.number(0_u64); // no codes are learned
        self.tree.save::<cpu::Portable>(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let simulations = from.number(u64::MAX >> 1)?;
        if from.number(u64::MAX)? != 0 {
            return Err(Damaged("this search learns no codes"));
        }
        if u64::from(self.tree.load::<cpu::Portable>(from)?) > simulations {
            return Err(Damaged("more visits than simulations"));
        }
        self.simulations = simulations;
        Ok(())
    }

    fn look(&mut self, path: &[Move]) -> Option<Inside> {
        self.tree.inside(path)
    }

    fn numbers(&mut self) -> Numbers {
        let tree = &self.tree;
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
            simulations: self.simulations,
            nodes: tree.store.nodes(),
            bytes: tree.store.bytes(),
            steps: self.threads.steps(),
        }
    }
}
