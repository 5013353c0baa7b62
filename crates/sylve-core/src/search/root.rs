//! The position that is searched: the root of a tree.

use super::config::TreeConfig;
use crate::cpu::Cpu;
use crate::game::{Game, Move, Player};
use crate::rng::mix;

/// The root of a tree, and how the tree goes on from it.
pub struct Root<G: Game> {
    /// The position.
    pub state: G::State,
    /// Its moves, which a game's history may have reduced.
    pub moves: Vec<Move>,
    /// Their codes.
    pub codes: Vec<u16>,
    /// Whether a position reached in two ways is one node.
    pub transpositions: bool,
    /// Whether ends of the game prove moves.
    pub solving: bool,
}

impl<G: Game> Root<G> {
    /// A position with these moves.
    pub fn new(game: &G, state: G::State, moves: Vec<Move>, how: &TreeConfig) -> Root<G> {
        let codes = codes_of(game, &state, &moves);
        // A proof would forget the history, on which moves depend.
        let solving = how.solver && !game.remembers();
        Root { state, moves, codes, transpositions: how.transpositions, solving }
    }

    /// Makes another position the root.
    pub fn set(&mut self, game: &G, state: G::State, moves: Vec<Move>) {
        self.codes = codes_of(game, &state, &moves);
        (self.state, self.moves) = (state, moves);
    }

    /// Who is to move.
    pub fn turn(&self, game: &G) -> Player {
        game.turn(&self.state)
    }

    /// The check of its moves; another one if the game's history has reduced them.
    pub fn check(&self, game: &G) -> u32 {
        let check = game.moves_check(&self.state);
        if legal_moves(game, &self.state) == self.moves { check } else { !check }
    }

    /// The key of the position after a move of a node: its hash, or else that of the way to it.
    #[inline(always)]
    pub fn child_key(&self, game: &G, after: &G::State, parent: u64, mv: Move) -> u64 {
        if self.transpositions { game.hash(after) } else { mix(parent ^ (u64::from(mv.0) + 1)) }
    }

    /// The move with this index of a position, which may be the root.
    #[inline(always)]
    pub fn move_at<C: Cpu>(
        &self,
        game: &G,
        is_root: bool,
        state: &G::State,
        index: usize,
        scratch: &mut Vec<Move>,
    ) -> Move {
        if is_root { self.moves[index] } else { game.nth_move::<C>(state, index, scratch) }
    }
}

/// The legal moves of a position.
pub fn legal_moves<G: Game>(game: &G, state: &G::State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

fn codes_of<G: Game>(game: &G, state: &G::State, moves: &[Move]) -> Vec<u16> {
    moves.iter().map(|&mv| game.code(state, mv) as u16).collect()
}
