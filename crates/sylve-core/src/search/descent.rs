//! One descent of the tree: its choices, how it ended, and what is kept of it while it waits.

use super::units::Units;
use crate::game::{Game, Outcome, Player};

/// A choice made on the way down: at this node, the move with this index.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The node.
    pub node: u32,
    /// The index of the move.
    pub index: u16,
    /// Who made it.
    pub player: Player,
    /// The code of the move, where codes are wanted.
    pub code: u16,
}

/// How a descent ended.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// At a position without a node: a playout follows.
    Open,
    /// At the end of the game, or at a proof.
    Certain(Outcome),
    /// At a position of this very descent, with the result that the game gives it.
    Cycle(Outcome),
}

impl End {
    /// The result, where no playout is needed to find it.
    #[inline(always)]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            End::Open => None,
            End::Certain(outcome) | End::Cycle(outcome) => Some(outcome),
        }
    }

    /// How the game ends with best play, where that is known.
    #[inline(always)]
    pub fn certain(self) -> Option<Outcome> {
        if let End::Certain(outcome) = self { Some(outcome) } else { None }
    }
}

/// Descents that may wait at once: a larger batch is one of so many. More would take long to be counted
/// when the time is up, and much memory, and no number of threads needs them.
pub const MOST_WAITING: usize = 1024;

/// A descent that waits for the rest of its batch.
pub struct Waiting<G: Game> {
    /// Its choices.
    pub path: Vec<Step>,
    /// The positions where they were made, where codes are wanted.
    pub states: Vec<G::State>,
    /// The codes of its playout: a set, or in order, as the formula needs them.
    pub set: Vec<u64>,
    /// In order.
    pub played: Vec<u16>,
    /// Where its playout begins, until it is made.
    pub state: Option<G::State>,
    /// How it ended.
    pub end: End,
    /// The result, once it is known.
    pub result: Option<Units>,
}

impl<G: Game> Default for Waiting<G> {
    fn default() -> Waiting<G> {
        Waiting {
            path: Vec::new(),
            states: Vec::new(),
            set: Vec::new(),
            played: Vec::new(),
            state: None,
            end: End::Open,
            result: None,
        }
    }
}

impl<G: Game> Waiting<G> {
    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Waiting<G>>()
            + self.path.capacity() * size_of::<Step>()
            + self.states.capacity() * size_of::<G::State>()
            + self.set.capacity() * size_of::<u64>()
            + self.played.capacity() * size_of::<u16>()
    }
}
