//! A game and a position of it with their types hidden: what the binding and the tests hold.

use crate::alpha_beta::table::Table;
use crate::alpha_beta::{self, Answer};
use crate::evaluate::{Evaluate, Terms, evaluate_all};
use crate::game::{Move, Outcome, Player};
use crate::notation::{MoveError, Notation, ReadError};
use crate::perft::{Finished, perft_until};
use crate::playouts::{Results, playouts, traced_playout};
use crate::search::parallel::{IndependentSearcher, Parallel, SharedTreeSearcher};
use crate::search::{AnySearcher, Config, Searcher};
use crate::solve::{AnySolver, Solvable, SolverOf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A position that knows its game. The methods are those of [`crate::Game`] and [`Notation`].
pub trait AnyPosition: Send + Sync {
    /// Who is to move.
    fn turn(&self) -> Player;
    /// How the game ended, if it did.
    fn outcome(&self) -> Option<Outcome>;
    /// The legal moves, increasing.
    fn moves(&self) -> Vec<Move>;
    /// The moves that a playout draws from, increasing.
    fn playout_moves(&self) -> Vec<Move>;
    /// Whether a move is legal, without the list.
    fn is_legal(&self, mv: Move) -> bool;
    /// The position after a legal move; `None` if it is not legal.
    fn play(&self, mv: Move) -> Option<Box<dyn AnyPosition>>;
    /// The 64-bit hash.
    fn hash(&self) -> u64;
    /// The number of AMAF codes of the game.
    fn codes(&self) -> usize;
    /// The AMAF code of a legal move.
    fn code(&self, mv: Move) -> usize;
    /// The game's bound on the number of plies.
    fn max_plies(&self) -> usize;
    /// The text of the position.
    fn write(&self) -> String;
    /// The name of a legal move.
    fn write_move(&self, mv: Move) -> String;
    /// The move of a name.
    fn read_move(&self, text: &str) -> Result<Move, MoveError>;
    /// Another position of the same game.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, ReadError>;
    /// See [`crate::perft()`]; `None` if stopped.
    fn perft(&self, depth: u32, finished: Finished, stop: &AtomicBool) -> Option<u64>;
    /// See [`playouts`].
    fn playouts(&self, seed: u64, count: u64, stop: &AtomicBool) -> Results;
    /// See [`traced_playout`].
    fn traced_playout(&self, seed: u64, index: u64) -> (Outcome, Vec<u16>);
    /// A search of this position; `Batch` is one of one thread, but for the playouts of a batch. The
    /// configuration must not be refused ([`crate::search::parallel::refusal`]).
    fn searcher(
        &self,
        moves: Vec<Move>,
        config: Config,
        parallel: Parallel,
        threads: usize,
    ) -> Box<dyn AnySearcher>;
    /// The names of the game's evaluations.
    fn evaluations(&self) -> &'static [&'static str];
    /// See [`Evaluate::is_ready`].
    fn is_ready(&self, evaluation: usize) -> bool;
    /// The evaluation with this index, for the side to move, and its parts.
    fn evaluate(&self, evaluation: usize) -> (i32, Terms);
    /// See [`evaluate_all`].
    fn evaluate_all(
        &self,
        evaluation: usize,
        depth: u32,
        rounds: u32,
        stop: &AtomicBool,
    ) -> (u64, i64);
    /// See [`alpha_beta::alpha_beta`]; `custom` evaluates the text of a position.
    fn alpha_beta(
        &self,
        moves: &[Move],
        config: &alpha_beta::Config,
        custom: Option<&(dyn Fn(&str) -> i32 + Sync)>,
        table: &mut Table,
        stop: &AtomicBool,
    ) -> Option<Answer>;
    /// A solver of this game that knows nothing yet and remembers within so many bytes.
    fn solver(&self, bytes: usize) -> Box<dyn AnySolver>;
}

struct GamePosition<G: Notation + Solvable> {
    game: Arc<G>,
    state: G::State,
}

/// Hides the types of a game and its state.
pub fn at<G: Notation + Evaluate + Solvable>(game: G, state: G::State) -> Box<dyn AnyPosition> {
    Box::new(GamePosition { game: Arc::new(game), state })
}

impl<G: Notation + Evaluate + Solvable> AnyPosition for GamePosition<G> {
    fn turn(&self) -> Player {
        self.game.turn(&self.state)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, &mut moves);
        moves
    }

    fn playout_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.playout_moves(&self.state, &mut moves);
        moves
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.game.is_legal(&self.state, mv)
    }

    fn play(&self, mv: Move) -> Option<Box<dyn AnyPosition>> {
        if !self.is_legal(mv) {
            return None;
        }
        let mut state = self.state.clone();
        self.game.play(&mut state, mv);
        Some(Box::new(GamePosition { game: Arc::clone(&self.game), state }))
    }

    fn hash(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn codes(&self) -> usize {
        self.game.codes()
    }

    fn code(&self, mv: Move) -> usize {
        self.game.code(&self.state, mv)
    }

    fn max_plies(&self) -> usize {
        self.game.max_plies()
    }

    fn write(&self) -> String {
        self.game.write(&self.state)
    }

    fn write_move(&self, mv: Move) -> String {
        self.game.write_move(&self.state, mv)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        self.game.read_move(&self.state, text)
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, ReadError> {
        let state = self.game.read(text)?;
        Ok(Box::new(GamePosition { game: Arc::clone(&self.game), state }))
    }

    fn perft(&self, depth: u32, finished: Finished, stop: &AtomicBool) -> Option<u64> {
        perft_until(&*self.game, &self.state, depth, finished, stop)
    }

    fn playouts(&self, seed: u64, count: u64, stop: &AtomicBool) -> Results {
        playouts(&*self.game, &self.state, seed, count, stop)
    }

    fn traced_playout(&self, seed: u64, index: u64) -> (Outcome, Vec<u16>) {
        traced_playout(&*self.game, &self.state, seed, index)
    }

    fn searcher(
        &self,
        moves: Vec<Move>,
        config: Config,
        parallel: Parallel,
        threads: usize,
    ) -> Box<dyn AnySearcher> {
        let (game, state) = (&self.game, self.state.clone());
        match parallel {
            Parallel::Root => {
                Box::new(IndependentSearcher::new(game, &state, &moves, &config, threads))
            }
            Parallel::Tree => {
                Box::new(SharedTreeSearcher::new(game, state, moves, &config, threads))
            }
            Parallel::Batch => Box::new(Searcher::solving(Arc::clone(game), state, moves, config)),
        }
    }

    fn evaluations(&self) -> &'static [&'static str] {
        G::EVALUATIONS
    }

    fn is_ready(&self, evaluation: usize) -> bool {
        self.game.is_ready(evaluation)
    }

    fn evaluate(&self, evaluation: usize) -> (i32, Terms) {
        let (game, state) = (&*self.game, &self.state);
        (game.evaluate(state, evaluation), game.terms(state, evaluation))
    }

    fn evaluate_all(
        &self,
        evaluation: usize,
        depth: u32,
        rounds: u32,
        stop: &AtomicBool,
    ) -> (u64, i64) {
        evaluate_all(&*self.game, &self.state, evaluation, depth, rounds, stop)
    }

    fn alpha_beta(
        &self,
        moves: &[Move],
        config: &alpha_beta::Config,
        custom: Option<&(dyn Fn(&str) -> i32 + Sync)>,
        table: &mut Table,
        stop: &AtomicBool,
    ) -> Option<Answer> {
        let game = &*self.game;
        let by_text =
            custom.map(|custom| move |game: &G, state: &G::State| custom(&game.write(state)));
        let custom = by_text.as_ref().map(|custom| custom as alpha_beta::Custom<'_, G>);
        alpha_beta::alpha_beta(game, &self.state, moves, config, custom, table, stop)
    }

    fn solver(&self, bytes: usize) -> Box<dyn AnySolver> {
        Box::new(SolverOf::new(Arc::clone(&self.game), bytes))
    }
}
