//! Monte Carlo search: the engine. The same algorithms to read: `python/sylve/search/`.
//!
//! [`Searcher`] runs any [`Config`] on any game; `tree.rs` has the loop, [`formulas`] the formulas.

pub mod arithmetic;
mod batch;
mod columns;
pub mod config;
pub mod formulas;
mod kept;
pub mod meeting;
mod pairs;
pub mod parallel;
mod policies;
mod pools;
mod proofs;
mod report;
mod root;
pub mod saved;
mod scores;
mod screen;
mod seen;
pub mod shared;
mod statistics;
mod store;
pub mod tally;
mod tree;

pub use batch::MOST_WAITING;
pub use config::Config;
pub use report::{Inside, MoveNumbers, Numbers};

use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::Rng;
use crate::solve::{DECIDER_BYTES, Decide, Decider, Solvable};
use config::{Algorithm, Tree};
use policies::Playouts;
use root::RootSearch;
use saved::{Damaged, Reader, Writer};
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
    give_up: Arc<AtomicBool>,
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
            Algorithm::Tree(how) => Kind::Tree(TreeSearch::new(&*game, root, moves, how)),
            algorithm => Kind::Root(RootSearch::new(&*game, root, moves, algorithm)),
        };
        let give_up = Arc::default();
        Searcher { game, seed: config.seed, simulations: 0, playouts, search, give_up }
    }

    /// Asks `decider` about every new node of the tree.
    #[must_use]
    pub fn with_decider(mut self, decider: Box<dyn Decide<G>>) -> Searcher<G> {
        if let Kind::Tree(tree) = &mut self.search {
            tree.decider = Some(decider);
        }
        self
    }

    /// Runs so many more simulations, or fewer if `stop` is set or they prove the position meanwhile.
    ///
    /// A batch that is stopped goes on with the next run, unless [`Searcher::settle`] ends it.
    pub fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        cpu::run(Run { searcher: self, simulations, stop });
    }

    /// Ends a batch that was stopped: the playouts that were made count.
    pub fn settle(&mut self) {
        if let Kind::Tree(tree) = &mut self.search {
            self.simulations += tree.settle(&*self.game, &mut self.playouts);
        }
    }

    /// While this is set, the solver gives up what it is asked. Set it together with `stop` if the
    /// search is to end: a proof that was given up is not begun again.
    pub fn give_up(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.give_up)
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

    /// Whose turn it is at the root.
    pub fn turn(&self) -> Player {
        match &self.search {
            Kind::Root(root) => root.turn(&*self.game),
            Kind::Tree(tree) => self.game.turn(&tree.root),
        }
    }

    /// How the game ends with best play, if that is proven: then there is nothing left to search.
    pub fn proof(&self) -> Option<Outcome> {
        match &self.search {
            Kind::Root(_) => None,
            Kind::Tree(tree) => tree.proof(),
        }
    }

    /// Whether the last run ended because the system has refused memory.
    pub fn is_refused(&self) -> bool {
        matches!(&self.search, Kind::Tree(tree) if tree.is_refused())
    }

    /// Makes the position after `mv` the root, with these moves; keeps what is known of it.
    pub fn advance(&mut self, mv: Move, moves: Vec<Move>) {
        self.settle();
        match &mut self.search {
            Kind::Root(root) => {
                root.advance(&*self.game, mv, moves);
                self.playouts.forget();
            }
            Kind::Tree(tree) => tree.advance::<cpu::Portable>(&*self.game, mv, moves),
        }
    }

    /// Writes down everything that a search needs to go on.
    pub fn save(&mut self, out: &mut Writer) {
        self.settle();
        out.number(self.simulations);
        self.playouts.save(out);
        match &mut self.search {
            Kind::Root(root) => root.save(out),
            Kind::Tree(tree) => tree.save::<cpu::Portable>(&*self.game, out),
        }
    }

    /// Reads what was saved by a search of the same position with the same configuration.
    ///
    /// # Errors
    /// If the bytes are something else: then this search is of no use any more.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        self.simulations = from.number(u64::MAX >> 1)?;
        self.playouts.load(from)?;
        let visits = match &mut self.search {
            Kind::Root(root) => root.load(&*self.game, from)?,
            Kind::Tree(tree) => {
                tree.load::<cpu::Portable>(&*self.game, from)?;
                tree.known.store.node(statistics::ROOT).visits
            }
        };
        if u64::from(visits) > self.simulations {
            return Err(Damaged("more visits than simulations"));
        }
        Ok(())
    }

    /// 64 bits for everything that the tree counts; `docs/spec.md` says how.
    pub fn digest(&mut self) -> u64 {
        match &mut self.search {
            Kind::Root(_) => 0,
            Kind::Tree(tree) => tree.digest(),
        }
    }

    /// What is known of the position after these moves, if it has a node.
    pub fn look(&mut self, path: &[Move]) -> Option<Inside> {
        self.settle();
        match &mut self.search {
            Kind::Root(_) => None,
            Kind::Tree(tree) => tree.inside::<cpu::Portable>(&*self.game, path),
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
            Kind::Tree(tree) => tree.without_waiting(|tree| {
                let moves = tree.numbers(&*self.game);
                let order = tree.order(&*self.game);
                let line = tree.line::<cpu::Portable>(&*self.game);
                (moves, order, line, tree.nodes(), tree.bytes(), tree.steps())
            }),
        };
        let (proofs, full) = match &self.search {
            Kind::Root(_) => (vec![None; moves.len()], false),
            Kind::Tree(tree) => (tree.proofs(), tree.is_full()),
        };
        let simulations = self.simulations;
        Numbers { moves, proofs, order, line, simulations, nodes, bytes, full, steps }
    }
}

impl<G: Solvable> Searcher<G> {
    /// A search that asks the game's solver, if the configuration says so.
    pub fn solving(game: Arc<G>, root: G::State, moves: Vec<Move>, config: Config) -> Searcher<G> {
        let give_up = Arc::default();
        Searcher::solving_until(game, root, moves, config, &give_up)
    }

    /// The same; several searches may have one flag to give up ([`Searcher::give_up`]).
    pub fn solving_until(
        game: Arc<G>,
        root: G::State,
        moves: Vec<Move>,
        mut config: Config,
        give_up: &Arc<AtomicBool>,
    ) -> Searcher<G> {
        let mut decider = None;
        if let Algorithm::Tree(how) = &mut config.algorithm
            && how.solver_nodes > 0
        {
            let bytes = DECIDER_BYTES.min(how.memory / 4);
            if how.memory < Tree::MOST_MEMORY {
                how.memory -= bytes; // what the solver remembers counts too
            }
            let give_up = Arc::clone(give_up);
            decider = Some(Box::new(Decider::new(&*game, how.solver_nodes, bytes, give_up)));
        }
        let mut searcher = Searcher::new(game, root, moves, config);
        searcher.give_up = Arc::clone(give_up);
        match decider {
            Some(decider) => searcher.with_decider(decider),
            None => searcher,
        }
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
        let Searcher { game, seed, simulations, playouts, search, .. } = self.searcher;
        let end = *simulations + self.simulations;
        if let Kind::Tree(tree) = search {
            tree.known.refused = false; // there may be more by now
        }
        match search {
            Kind::Tree(tree) if tree.batch > 1 => {
                let range = *simulations..end;
                *simulations += batch::run::<C, G>(tree, game, playouts, *seed, range, self.stop);
            }
            Kind::Tree(tree) => {
                while *simulations < end
                    && !self.stop.load(Ordering::Relaxed)
                    && tree.proof().is_none()
                    && !tree.is_refused()
                {
                    let mut rng = Rng::stream(*seed, *simulations);
                    tree.simulate::<C>(game, playouts, &mut rng);
                    *simulations += 1;
                }
            }
            Kind::Root(root) => {
                while *simulations < end && !self.stop.load(Ordering::Relaxed) {
                    let mut rng = Rng::stream(*seed, *simulations);
                    root.simulate::<C>(game, playouts, &mut rng, *simulations);
                    *simulations += 1;
                }
            }
        }
    }
}
