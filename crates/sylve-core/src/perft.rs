//! Perft: the number of paths of exactly `depth` plies, the first test of every move generator.

use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a game that ended before `depth` counts for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finished {
    /// Nothing: only paths of full length count.
    Zero,
    /// One leaf, as in the published Othello table from depth 10 on.
    Leaf,
}

/// Counts the paths of `depth` plies from `state`.
///
/// ```
/// use sylve_core::{Finished, Game, games::tic_tac_toe::TicTacToe, perft};
/// let start = TicTacToe.start();
/// assert_eq!(perft(&TicTacToe, &start, 9, Finished::Zero), 127_872);
/// assert_eq!(perft(&TicTacToe, &start, 9, Finished::Leaf), 255_168);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, finished: Finished) -> u64 {
    let never = AtomicBool::new(false);
    perft_until(game, state, depth, finished, &never).expect("nobody sets the flag")
}

/// [`perft()`] that gives up with `None` soon after `stop` is set.
pub fn perft_until<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    finished: Finished,
    stop: &AtomicBool,
) -> Option<u64> {
    let mut lists = vec![Vec::new(); depth as usize];
    count(game, state, &mut lists, finished, stop)
}

/// One list of moves per ply left: no allocation once they have grown.
fn count<G: Game>(
    game: &G,
    state: &G::State,
    lists: &mut [Vec<Move>],
    finished: Finished,
    stop: &AtomicBool,
) -> Option<u64> {
    let leaf = u64::from(finished == Finished::Leaf);
    match lists {
        [] => Some(1),
        [_] => Some(match game.count_moves(state) {
            0 => leaf,
            moves => moves as u64,
        }),
        [moves, _] => Some(cpu::run(LastTwoPlies { game, state, moves, leaf })),
        [moves, rest @ ..] => {
            // Looking at the flag above the last three plies only: it costs nothing there.
            if rest.len() >= 3 && stop.load(Ordering::Relaxed) {
                return None;
            }
            game.moves(state, moves);
            if moves.is_empty() {
                return Some(leaf);
            }
            let mut total = 0;
            for &mv in moves.iter() {
                let mut next = state.clone();
                game.play(&mut next, mv);
                total += count(game, &next, rest, finished, stop)?;
            }
            Some(total)
        }
    }
}

/// Where nearly all the time goes, in one function: a recursive one cannot be inlined into the
/// compilation for this processor.
struct LastTwoPlies<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    moves: &'a mut Vec<Move>,
    leaf: u64,
}

impl<G: Game> Work for LastTwoPlies<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self) -> u64 {
        self.game.moves(self.state, self.moves);
        if self.moves.is_empty() {
            return self.leaf;
        }
        let mut total = 0;
        for &mv in self.moves.iter() {
            let mut next = self.state.clone();
            self.game.play(&mut next, mv);
            total += match self.game.count_moves(&next) {
                0 => self.leaf,
                moves => moves as u64,
            };
        }
        total
    }
}
