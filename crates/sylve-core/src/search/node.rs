//! A node of the tree of one thread, without its counters.

use super::pools::Width;
use super::proofs::decode;
use crate::game::Outcome;

/// No node, no block.
pub const NONE: u32 = u32::MAX;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The hash of the position, or of the way to it.
    pub key: u64,
    /// A check of the move list: another position with the same hash has another one.
    pub check: u32,
    /// How many simulations passed.
    pub visits: u32,
    /// Where its counters are.
    pub block: u32,
    /// Where its table of codes is, if it has one.
    pub table: u32,
    /// The number of legal moves.
    pub moves: u16,
    /// The bits of its counters.
    pub width: Width,
    /// Bits: see below.
    pub marks: u8,
    /// Where the last descent went from here: often where the next one goes too.
    pub next: u32,
}

/// The descent under way has passed here.
pub const PASSED: u8 = 1;
/// Some move is decided.
pub const HAS_PROOFS: u8 = 2;
/// The outcome with best play, as [`encode`] writes it, so many bits up.
pub const PROOF: u8 = 2;

impl Node {
    /// A node that has counted nothing, and has no counters.
    pub fn new(key: u64, moves: u16, check: u32) -> Node {
        let (visits, block, table, width, marks, next) = (0, NONE, NONE, Width::Eight, 0, 0);
        Node { key, check, visits, block, table, moves, width, marks, next }
    }

    /// Whether the descent under way has passed here.
    #[inline(always)]
    pub fn passed(&self) -> bool {
        self.marks & PASSED != 0
    }

    /// Whether a descent need not look at it twice: not passed, nothing proven.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.marks == 0
    }

    /// Whether some of its moves are decided.
    #[inline(always)]
    pub fn has_proofs(&self) -> bool {
        self.marks & HAS_PROOFS != 0
    }

    /// How the game ends from here with best play, if that is known.
    #[inline(always)]
    pub fn proof(&self) -> Option<Outcome> {
        decode(self.marks >> PROOF)
    }
}
