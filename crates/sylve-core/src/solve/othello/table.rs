//! The transposition table: bounds on values, and the moves that were best.

use super::board::Board;
use crate::cpu::Cpu;
use crate::memory;

/// What is known about a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry<const SIZE: usize> {
    /// The position itself, not a hash of it: no two are ever taken for one another.
    pub board: Board<SIZE>,
    /// The value is at least this,
    pub lower: i8,
    /// and at most this,
    pub upper: i8,
    /// as found by a search of so many plies,
    pub depth: u8,
    /// cut off with this confidence.
    pub confidence: u8,
    /// The best move and the best one before it; [`NO_MOVE`] if there is none.
    pub moves: [u8; 2],
    /// When it was written.
    age: u8,
}

/// In place of a cell.
pub(super) const NO_MOVE: u8 = 64;

/// Where to look for a position. It is asked for every move of every position: cheaper than
/// [`crate::rng::mix`], and as good for this.
#[inline(always)]
pub(super) fn hash<const SIZE: usize>(board: Board<SIZE>) -> u32 {
    let own = board.own.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let sum = own.wrapping_add(board.other.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    ((sum ^ sum >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// Entries that share a place.
const BUCKET: usize = 4;

/// Positions with fewer empty cells are kept apart, in a table small enough for the processor's own
/// memory: they are many, soon forgotten, and asked about all the time.
const NEAR: u32 = 10;

/// Buckets for them, at most: 400 kB.
const MOST_NEAR: usize = 1 << 12;

/// Replaces, among the few entries that share a place, the one that cost least to find.
#[derive(Debug)]
pub(super) struct Table<const SIZE: usize> {
    near: Buckets<SIZE>,
    far: Buckets<SIZE>,
    age: u8,
}

/// A power of two of buckets.
#[derive(Debug)]
struct Buckets<const SIZE: usize>(Vec<[Entry<SIZE>; BUCKET]>);

impl<const SIZE: usize> Buckets<SIZE> {
    fn new(buckets: usize) -> Buckets<SIZE> {
        let mut buckets = 1 << buckets.max(1).ilog2();
        // A table of any size will do.
        while buckets > 1 && !memory::is_there(buckets * size_of::<[Entry<SIZE>; BUCKET]>()) {
            buckets /= 2;
        }
        Buckets(vec![[Entry::default(); BUCKET]; buckets])
    }

    #[inline(always)]
    fn place(&self, hash: u32) -> usize {
        hash as usize & (self.0.len() - 1)
    }
}

impl<const SIZE: usize> Table<SIZE> {
    /// Room for at most `entries`, but at least for eight.
    pub fn new(entries: usize) -> Table<SIZE> {
        let near = (entries / BUCKET / 2).min(MOST_NEAR);
        let far = Buckets::new((entries / BUCKET).saturating_sub(near));
        Table { near: Buckets::new(near), far, age: 0 }
    }

    /// What is found from now on replaces what was found before.
    pub fn renew(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, board: Board<SIZE>, hash: u32) -> &[Entry<SIZE>; BUCKET] {
        let buckets = if board.empties() < NEAR { &self.near } else { &self.far };
        &buckets.0[buckets.place(hash)]
    }

    /// Says that [`Table::get`] will soon be asked. `hash` is that of the board, here and below.
    #[inline(always)]
    pub fn prepare<C: Cpu>(&self, board: Board<SIZE>, hash: u32) {
        C::prefetch(self.bucket(board, hash));
    }

    #[inline(always)]
    pub fn get(&self, board: Board<SIZE>, hash: u32) -> Option<&Entry<SIZE>> {
        self.bucket(board, hash).iter().find(|entry| entry.board == board)
    }

    /// Keeps what a search of `depth` plies found: `value`, for the window `alpha`, `beta`.
    #[inline(always)]
    pub fn put(
        &mut self,
        (board, hash): (Board<SIZE>, u32),
        (depth, confidence): (u8, u8),
        (alpha, beta): (i32, i32),
        value: i32,
        best: u8,
    ) {
        let age = self.age;
        let buckets = if board.empties() < NEAR { &mut self.near } else { &mut self.far };
        let place = buckets.place(hash);
        let bucket = &mut buckets.0[place];
        let mut cheapest = 0;
        for index in 0..bucket.len() {
            let entry = &mut bucket[index];
            if entry.board == board {
                cheapest = index;
                break;
            }
            let cost = |entry: &Entry<SIZE>| (entry.age == age, entry.depth, entry.confidence);
            if cost(&bucket[index]) < cost(&bucket[cheapest]) {
                cheapest = index;
            }
        }
        let entry = &mut bucket[cheapest];
        if entry.board != board {
            *entry = Entry { board, moves: [NO_MOVE; 2], ..Entry::default() };
        }
        let most = Board::<SIZE>::CELLS as i8;
        if (entry.depth, entry.confidence) > (depth, confidence) {
            return; // more is known
        }
        if (entry.depth, entry.confidence) != (depth, confidence) || entry.moves == [NO_MOVE; 2] {
            // What another search found says nothing about this one, but for its moves.
            (entry.lower, entry.upper) = (-most, most);
        }
        (entry.depth, entry.confidence, entry.age) = (depth, confidence, age);
        if value > alpha {
            entry.lower = entry.lower.max(value as i8);
        }
        if value < beta {
            entry.upper = entry.upper.min(value as i8);
        }
        if best != entry.moves[0] && (value > alpha || entry.moves[0] == NO_MOVE) {
            entry.moves = [best, entry.moves[0]];
        }
    }
}
