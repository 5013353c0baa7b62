//! Where a shared tree lives: nodes by hash, their counters in blocks.

use super::cells;
use super::pool::Pool;
use super::slots::{Found, Node, Slots};
use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

const FIRST_SLOTS: usize = 1 << 12;
/// Words: half a megabyte.
const CHUNK: usize = 1 << 16;
/// Nodes for which a run makes room beforehand.
const AHEAD: usize = 1 << 15;

/// The nodes with their counters.
pub struct Store {
    slots: Slots,
    pool: Pool,
    nodes: AtomicUsize,
    root: u32,
    amaf: bool,
    draws: bool,
    codes: usize,
    /// Bytes that it may take.
    memory: usize,
    /// Whether a node was not added, or a table, because it would take too many.
    full: AtomicBool,
}

/// The counters of a node, by move.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Visits and wins.
    pub pairs: &'a [AtomicU64],
    /// Draws, and simulations under way.
    pub seconds: &'a [AtomicU64],
    /// Visits and wins of AMAF, where the formula has them by move.
    pub amaf: &'a [AtomicU64],
    /// Draws of AMAF; empty where the game has none.
    pub amaf_draws: &'a [AtomicU64],
}

impl At<'_> {
    /// What is proven of each move; 0 where nothing is.
    pub fn proofs(&self) -> impl Iterator<Item = u8> {
        self.seconds.iter().map(|second| cells::proof(second.load(Ordering::Relaxed)))
    }
}

impl Store {
    /// A store with one node, the root. `amaf`: tallies of AMAF by move; `codes`: of a table.
    pub fn new(key: u64, moves: u16, amaf: bool, draws: bool, codes: usize) -> Store {
        let mut store = Store {
            slots: Slots::new(FIRST_SLOTS),
            pool: Pool::new(CHUNK),
            nodes: AtomicUsize::new(0),
            root: u32::MAX,
            amaf,
            draws,
            codes,
            memory: usize::MAX,
            full: AtomicBool::new(false),
        };
        let root = store.add(key, moves, || 0).expect("an empty store has room");
        store.root = root.slot;
        store
    }

    /// The root.
    #[inline(always)]
    pub fn root(&self) -> Node {
        self.slots.node(self.root).expect("made at the beginning")
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.pool.bytes()
    }

    /// Where a position is.
    #[inline(always)]
    pub fn find(&self, key: u64, moves: u16, check: impl Fn() -> u32) -> Found {
        self.slots.find(key, moves, self.root, check)
    }

    /// The node of a position, made if need be. `None`: no room, or another thread is making it.
    #[inline(always)]
    pub fn add(&self, key: u64, moves: u16, check: impl Fn() -> u32) -> Option<Node> {
        let mut block = None;
        loop {
            let (slot, key) = match self.find(key, moves, &check) {
                Found::Node(node) => return Some(node),
                Found::Busy => return None,
                Found::Free(slot, key) => (slot, key),
            };
            // The last slots stay free, so that a search for a key ends.
            if self.nodes() >= self.slots.count() / 8 * 7 {
                return self.without_room();
            }
            let room = match block.or_else(|| self.pool.allocate(self.length(moves))) {
                Some(room) => room,
                None => return self.without_room(),
            };
            block = Some(room);
            if self.slots.take(slot, key) {
                self.nodes.fetch_add(1, Ordering::Relaxed);
                self.slots.publish(slot, room, moves, check());
                return self.slots.node(slot);
            }
        }
    }

    /// Between two runs there is more, up to the bound: only that is worth telling.
    #[cold]
    fn without_room<T>(&self) -> Option<T> {
        if !self.wants_room() {
            self.full.store(true, Ordering::Relaxed);
        }
        None
    }

    /// Whether the memory did not suffice for the whole tree.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Says so, of a tree that was saved.
    pub fn set_full(&mut self, full: bool) {
        self.full = AtomicBool::new(full);
    }

    /// The bound of the memory.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Bounds it. What is there already, which may be more, stays.
    pub fn set_memory(&mut self, memory: usize) {
        self.memory = memory;
    }

    #[inline(always)]
    fn length(&self, moves: u16) -> usize {
        let tallies = if !self.amaf {
            2
        } else if self.draws {
            4
        } else {
            3
        };
        tallies * usize::from(moves)
    }

    /// The counters of a node.
    #[inline(always)]
    pub fn at(&self, node: Node) -> At<'_> {
        let moves = usize::from(node.moves);
        let words = self.pool.block(node.block, self.length(node.moves));
        let (pairs, rest) = words.split_at(moves);
        let (seconds, rest) = rest.split_at(moves);
        let (amaf, amaf_draws) = rest.split_at(if self.amaf { moves } else { 0 });
        At { pairs, seconds, amaf, amaf_draws }
    }

    /// The table of a node, by code: visits and wins, and draws where the game has them.
    #[inline(always)]
    pub fn table(&self, node: Node) -> Option<(&[AtomicU64], &[AtomicU64])> {
        self.slots.table(node.slot).map(|table| self.words_of_table(table))
    }

    fn words_of_table(&self, table: u32) -> (&[AtomicU64], &[AtomicU64]) {
        self.pool.block(table, self.table_length()).split_at(self.codes)
    }

    fn table_length(&self) -> usize {
        self.codes * if self.draws { 2 } else { 1 }
    }

    /// The table of a node, made if need be; `None` if there is no room.
    pub fn add_table(&self, node: Node) -> Option<(&[AtomicU64], &[AtomicU64])> {
        if let Some(table) = self.table(node) {
            return Some(table);
        }
        let Some(table) = self.pool.allocate(self.table_length()) else {
            return self.without_room();
        };
        Some(self.words_of_table(self.slots.set_table(node.slot, table)))
    }

    /// Whether the threads should stop so that [`Store::make_room`] can be called.
    #[inline(always)]
    pub fn wants_room(&self) -> bool {
        self.crowded() || self.short_of_words()
    }

    #[inline(always)]
    fn crowded(&self) -> bool {
        3 * self.nodes() >= 2 * self.slots.count() && self.may_double()
    }

    /// Whether twice as many slots can be addressed, and fit beside those that they replace.
    #[inline(always)]
    fn may_double(&self) -> bool {
        let fits = self.bytes() + 2 * self.slots.bytes() <= self.memory;
        fits && self.slots.count() < 1 << 31
    }

    #[inline(always)]
    fn may_grow(&self) -> bool {
        self.bytes() + CHUNK * size_of::<u64>() <= self.memory && self.pool.may_grow()
    }

    #[inline(always)]
    fn short_of_words(&self) -> bool {
        self.pool.left() < CHUNK / 2 && self.may_grow()
    }

    /// Makes room for more nodes: half as much again, and for the first of so many simulations.
    pub fn make_room(&mut self, simulations: u64) {
        let ahead = usize::try_from(simulations).map_or(AHEAD, |count| count.min(AHEAD));
        while self.crowded()
            || (self.slots.count() < 2 * (self.nodes() + ahead) && self.may_double())
        {
            (self.slots, self.root) = self.slots.doubled(self.root);
        }
        let words = ahead / 4 * self.length(self.root().moves);
        let mut more = if self.short_of_words() { self.pool.chunks() / 2 + 1 } else { 0 };
        more = more.max(words.saturating_sub(self.pool.left()) / self.pool.chunk_size());
        for _ in 0..more {
            if self.may_grow() {
                self.pool.add_chunk();
            }
        }
    }

    /// Makes room for so many nodes in all: then they stay where they are until there are more.
    pub fn make_room_for(&mut self, nodes: usize) {
        while self.slots.count() < 2 * nodes {
            (self.slots, self.root) = self.slots.doubled(self.root);
        }
    }

    /// Makes room for the counters of a few more nodes.
    pub fn make_words(&mut self) {
        if self.short_of_words() {
            self.pool.add_chunk();
        }
    }

    /// Simulations under way at all moves of all nodes: 0 when no thread runs.
    pub fn under_way(&self) -> u64 {
        let at = |node| self.at(node);
        let seconds = self.slots.nodes().flat_map(|node| at(node).seconds);
        seconds.map(|second| cells::under_way(second.load(Ordering::Relaxed))).sum()
    }
}
