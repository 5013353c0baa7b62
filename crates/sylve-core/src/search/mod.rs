//! Monte Carlo search: the engine. The same algorithms to read: `python/sylve/search/`.
//!
//! [`Searcher`] runs any [`Config`] on any game; `tree.rs` has the loop, [`formulas`] the formulas.

pub mod arithmetic;
pub mod config;
pub mod formulas;
mod pairs;
pub mod parallel;
mod policies;
mod report;
mod root;
mod scores;
mod screen;
mod seen;
pub mod shared;
mod statistics;
mod store;
pub mod tally;
mod tree;

pub use config::Config;
pub use report::{MoveNumbers, Numbers};

use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move};
use crate::rng::Rng;
use config::Algorithm;
use policies::Playouts;
use root::RootSearch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::TreeSearch;

/// A search of one position: `run(a); run(b)` equals `run(a + b)`.
pub struct Searcher<G: Game> {
    game: Arc<G>,
    seed: u64,
    simulations: u64,
    playouts: Playouts,
    search: Kind<G>,
}

#[expect(clippy::large_enum_variant, reason = "there is one of it in a search")]
enum Kind<G: Game> {
    Root(RootSearch<G>),
    Tree(TreeSearch<G>),
}

impl<G: Game> Searcher<G> {
    /// A search of `root` with these moves (the legal ones, less what history forbids).
    pub fn new(game: Arc<G>, root: G::State, moves: Vec<Move>, config: Config) -> Searcher<G> {
        let playouts = Playouts::new(config.policy, game.codes());
        let search = match config.algorithm {
            Algorithm::Tree { formula, update, transpositions } => {
                let tree = TreeSearch::new(&*game, root, moves, formula, update, transpositions);
                Kind::Tree(tree)
            }
            algorithm => Kind::Root(RootSearch::new(&*game, root, moves, algorithm)),
        };
        Searcher { game, seed: config.seed, simulations: 0, playouts, search }
    }

    /// Runs so many more simulations, or fewer if `stop` is set meanwhile.
    pub fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        cpu::run(Run { searcher: self, simulations, stop });
    }

    /// How many simulations were run.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// The number of nodes, the root included.
    pub fn nodes(&self) -> usize {
        match &self.search {
            Kind::Root(_) => 1,
            Kind::Tree(tree) => tree.nodes(),
        }
    }

    /// What is known so far.
    pub fn numbers(&mut self) -> Numbers {
        let (moves, order, line, nodes, bytes, steps) = match &mut self.search {
            Kind::Root(root) => {
                let order = root.order();
                let line = vec![root.moves()[order[0]]];
                (root.numbers(), order, line, 1, 0, self.simulations)
            }
            Kind::Tree(tree) => {
                let moves = tree.numbers(&*self.game);
                let tallies: Vec<_> = moves.iter().map(|numbers| numbers.own).collect();
                let visits: Vec<f64> = tallies.iter().map(|t| f64::from(t.visits)).collect();
                let order = report::order_by(&visits, &tallies, None);
                let line = tree.line::<cpu::Portable>(&*self.game);
                (moves, order, line, tree.nodes(), tree.bytes(), tree.steps())
            }
        };
        Numbers { moves, order, line, simulations: self.simulations, nodes, bytes, steps }
    }
}

struct Run<'a, G: Game> {
    searcher: &'a mut Searcher<G>,
    simulations: u64,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Run<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Searcher { game, seed, simulations, playouts, search } = self.searcher;
        for _ in 0..self.simulations {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let mut rng = Rng::stream(*seed, *simulations);
            match search {
                Kind::Tree(tree) => tree.simulate::<C>(game, playouts, &mut rng),
                Kind::Root(root) => root.simulate::<C>(game, playouts, &mut rng, *simulations),
            }
            *simulations += 1;
        }
    }
}
