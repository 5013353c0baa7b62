//! A search of any kind, of any game.

use super::bytes::{Damaged, Reader, Writer};
use super::report::{Inside, Numbers};
use crate::game::{Move, Outcome};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search with its game hidden.
pub trait AnySearcher: Send + Sync {
    /// Runs so many more simulations, or fewer if `stop` is set or they prove the position meanwhile.
    ///
    /// A batch that is stopped goes on with the next run, unless [`AnySearcher::settle`] ends it.
    fn run(&mut self, simulations: u64, stop: &AtomicBool);
    /// How many simulations were run.
    fn simulations(&self) -> u64;
    /// The number of nodes, the root included.
    fn nodes(&self) -> usize;
    /// How the game ends with best play, if that is proven: then there is nothing left to search.
    fn proof(&self) -> Option<Outcome>;
    /// Whether the last run ended because the system has refused memory.
    fn is_refused(&self) -> bool;
    /// Makes the position after `mv` the root, with these moves; keeps what is known of it.
    fn advance(&mut self, mv: Move, moves: Vec<Move>);
    /// Writes down everything that a search needs to go on.
    fn save(&mut self, out: &mut Writer);
    /// Reads what was saved by a search of the same position with the same configuration.
    ///
    /// # Errors
    /// If the bytes are something else: then this search is of no use any more.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
    /// 64 bits for everything that the tree counts, where its nodes are always the same;
    /// `docs/spec.md` says how.
    fn digest(&mut self) -> u64 {
        0
    }
    /// Ends a batch that was stopped: the playouts that were made count.
    fn settle(&mut self) {}
    /// While this is set, the solver gives up what it is asked. Set it together with `stop` if the
    /// search is to end: a proof that was given up is not begun again.
    fn give_up(&self) -> Arc<AtomicBool> {
        Arc::default()
    }
    /// What is known of the position after these moves, if it has a node.
    fn look(&mut self, _path: &[Move]) -> Option<Inside> {
        None
    }
    /// The key of the position after these moves in the tree; if it has a node, writes down what the
    /// search knows besides its tree, and the node. None: it has no tree, or a move is not legal.
    fn save_node(&mut self, _path: &[Move], _out: &mut Writer) -> Option<u64> {
        None
    }
    /// What is known so far.
    fn numbers(&mut self) -> Numbers;
}
