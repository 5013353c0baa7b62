//! The policy `decisive`: only the last pass can win at once.

use super::rules::{Go, State};
use crate::game::{Move, Outcome};
use crate::rng::Rng;

/// See [`crate::Game::decisive_move`]. Only the second pass ends a game, and playouts pass only if
/// nothing else is left: so no move is ever worse than another by what the opponent can win at once.
pub fn choose<const WORDS: usize, const POINTS: usize>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    moves: &[Move],
    rng: &mut Rng,
) -> Move {
    let pass = Move(game.pass() as u16);
    if state.passes == 1 && moves == [pass] && game.area(state.stones) == Outcome::Win(state.turn) {
        return pass;
    }
    moves[rng.below(moves.len() as u32) as usize]
}
