//! A search on one thread, or in batches: any configuration, any game.

use super::any_searcher::AnySearcher;
use super::bandits::BanditSearch;
use super::batch;
use super::bytes::{Damaged, Reader, Writer};
use super::config::{Algorithm, Config, TreeConfig};
use super::policies::Playouts;
use super::report::{Inside, Numbers};
use super::saved;
use super::tree::TreeSearch;
use super::tree_view::TreeView;
use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::Rng;
use crate::solve::{DECIDER_BYTES, Decide, Decider, Solvable};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    Bandit(BanditSearch<G>),
    Tree(TreeSearch<G>),
}

impl<G: Evaluate> Searcher<G> {
    /// A search of `root` with these moves (the legal ones, less what history forbids).
    pub fn new(game: Arc<G>, root: G::State, moves: Vec<Move>, config: Config) -> Searcher<G> {
        let playouts = Playouts::new(config.policy, &*game);
        let search = match config.algorithm {
            Algorithm::Tree(how) => Kind::Tree(TreeSearch::new(&*game, root, moves, how)),
            algorithm => Kind::Bandit(BanditSearch::new(&*game, root, moves, algorithm)),
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

    /// Whose turn it is at the root.
    pub fn turn(&self) -> Player {
        match &self.search {
            Kind::Bandit(bandit) => bandit.turn(&*self.game),
            Kind::Tree(tree) => tree.root.turn(&*self.game),
        }
    }
}

impl<G: Evaluate> AnySearcher for Searcher<G> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        cpu::run(Run { searcher: self, simulations, stop });
    }

    fn settle(&mut self) {
        if let Kind::Tree(tree) = &mut self.search {
            self.simulations += tree.settle(&*self.game, &mut self.playouts);
        }
    }

    fn give_up(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.give_up)
    }

    fn simulations(&self) -> u64 {
        self.simulations
    }

    fn nodes(&self) -> usize {
        match &self.search {
            Kind::Bandit(_) => 1,
            Kind::Tree(tree) => tree.nodes(),
        }
    }

    fn proof(&self) -> Option<Outcome> {
        match &self.search {
            Kind::Bandit(_) => None,
            Kind::Tree(tree) => tree.proof(),
        }
    }

    fn is_refused(&self) -> bool {
        matches!(&self.search, Kind::Tree(tree) if tree.is_refused())
    }

    fn advance(&mut self, mv: Move, moves: Vec<Move>) {
        self.settle();
        match &mut self.search {
            Kind::Bandit(bandit) => {
                bandit.advance(&*self.game, mv, moves);
                self.playouts.forget();
            }
            Kind::Tree(tree) => saved::advance(&*self.game, tree, mv, moves),
        }
    }

    fn save(&mut self, out: &mut Writer) {
        self.settle();
        out.number(self.simulations);
        self.playouts.save(out);
        match &self.search {
            Kind::Bandit(bandit) => bandit.save(out),
            Kind::Tree(tree) => saved::save(&*self.game, tree, out),
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        self.simulations = from.number(u64::MAX >> 1)?;
        self.playouts.load(from)?;
        let visits = match &mut self.search {
            Kind::Bandit(bandit) => bandit.load(&*self.game, self.playouts.counting(), from)?,
            Kind::Tree(tree) => saved::load(&*self.game, tree, from)?,
        };
        if u64::from(visits) > self.simulations {
            return Err(Damaged("more visits than simulations"));
        }
        Ok(())
    }

    fn digest(&mut self) -> u64 {
        match &mut self.search {
            Kind::Bandit(_) => 0,
            Kind::Tree(tree) => tree.digest(),
        }
    }

    fn look(&mut self, path: &[Move]) -> Option<Inside> {
        self.settle();
        match &self.search {
            Kind::Bandit(_) => None,
            Kind::Tree(tree) => tree.inside(&self.game, path),
        }
    }

    fn save_node(&mut self, path: &[Move], out: &mut Writer) -> Option<u64> {
        self.settle();
        let Kind::Tree(tree) = &self.search else { return None };
        let found = saved::find_after(&*self.game, tree, path)?;
        if let Ok(node) = found {
            out.number(self.simulations);
            self.playouts.save(out);
            tree.record(node).write(out);
        }
        Some(found.map_or_else(|key| key, |node| tree.key(node)))
    }

    fn numbers(&mut self) -> Numbers {
        let Searcher { game, search, simulations, .. } = self;
        match search {
            Kind::Bandit(bandit) => bandit.report(*simulations),
            Kind::Tree(tree) => {
                tree.without_waiting(|tree| tree.numbers(&**game, *simulations, tree.known.steps))
            }
        }
    }
}

impl<G: Solvable + Evaluate> Searcher<G> {
    /// A search that asks the game's solver, if the configuration says so.
    pub fn solving(game: Arc<G>, root: G::State, moves: Vec<Move>, config: Config) -> Searcher<G> {
        let give_up = Arc::default();
        Searcher::solving_until(game, root, moves, config, &give_up)
    }

    /// The same; several searches may have one flag to give up ([`AnySearcher::give_up`]).
    pub fn solving_until(
        game: Arc<G>,
        root: G::State,
        moves: Vec<Move>,
        mut config: Config,
        give_up: &Arc<AtomicBool>,
    ) -> Searcher<G> {
        let mut decider = None;
        if let Algorithm::Tree(how) = &mut config.algorithm
            && how.solver_nodes + how.solver_rate > 0
        {
            let bytes = DECIDER_BYTES.min(how.memory / 4);
            if how.memory < TreeConfig::MOST_MEMORY {
                how.memory -= bytes; // what the solver remembers counts too
            }
            let give_up = Arc::clone(give_up);
            decider = Some(Box::new(Decider::new(&*game, bytes, give_up)));
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

impl<G: Evaluate> Work for Run<'_, G> {
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
            Kind::Bandit(bandit) => {
                while *simulations < end && !self.stop.load(Ordering::Relaxed) {
                    let mut rng = Rng::stream(*seed, *simulations);
                    bandit.simulate::<C>(game, playouts, &mut rng, *simulations);
                    *simulations += 1;
                }
            }
        }
    }
}
