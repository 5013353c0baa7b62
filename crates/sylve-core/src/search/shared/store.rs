//! Where a shared tree lives: nodes by hash, their counters in blocks.

use super::super::sync::{AtomicBool, AtomicU64, AtomicUsize, CachePadded, Ordering};
use super::cells;
use super::counters::{CounterShape, NodeCounters, Wide};
use super::header::{self, More};
use super::pool::Pool;
use super::slots::{Place, Slots};
use crate::memory;
use crate::rng::mix;

const FIRST_SLOTS: usize = 1 << 12;
/// Words: half a megabyte.
const CHUNK: usize = 1 << 16;
/// Words for wide counters: 64 KiB, or more in games with many codes, since the wide counters of a node
/// must fit in: two words a move at most, and hardly a position has more moves than its game has codes.
const WIDE_CHUNK: usize = 1 << 13;
/// Nodes for which a run makes room beforehand.
const AHEAD: usize = 1 << 13;
/// The block of the root: the first.
const ROOT: u32 = 0;

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeRef {
    /// Where its counters are.
    pub block: u32,
    /// The number of its moves.
    pub moves: u16,
    /// Its key.
    pub key: u64,
}

impl NodeRef {
    /// Whether it is the root.
    #[inline(always)]
    pub fn is_root(self) -> bool {
        self.block == ROOT
    }
}

/// The nodes with their counters.
pub struct SharedStore {
    slots: Slots,
    pool: Pool,
    /// Wide counters, apart because they get room beyond the bound of the memory: results must go
    /// somewhere. Few nodes have any.
    wide: Pool,
    shape: CounterShape,
    codes: usize,
    /// Bytes that it may take.
    memory: usize,
    nodes: CachePadded<AtomicUsize>,
    /// Whether the threads should stop so that [`SharedStore::make_room`] can be called.
    wanting: CachePadded<AtomicBool>,
    /// Whether wide counters found no room.
    starved: AtomicBool,
    /// Whether a node was not added, or a table, because it would take too many bytes.
    full: AtomicBool,
    /// Whether the system has refused memory.
    refused: bool,
}

impl SharedStore {
    /// A store with one node, the root.
    pub fn new(key: u64, moves: u16, shape: CounterShape, codes: usize) -> SharedStore {
        let wide = (2 * codes.max(usize::from(moves))).next_power_of_two().max(WIDE_CHUNK);
        let mut store = SharedStore {
            slots: Slots::new(FIRST_SLOTS),
            pool: Pool::new(CHUNK),
            wide: Pool::new(wide),
            shape,
            codes,
            memory: usize::MAX,
            nodes: CachePadded::default(),
            wanting: CachePadded::default(),
            starved: AtomicBool::new(false),
            full: AtomicBool::new(false),
            refused: false,
        };
        store.pool.add_chunk();
        let Place::Free(slot) = store.find(key) else { unreachable!("it is empty") };
        let root = store.add((slot, key), moves, 0, |_| ()).expect("an empty store has room");
        debug_assert_eq!(root.block, ROOT);
        store
    }

    /// The root.
    #[inline(always)]
    pub fn root(&self) -> NodeRef {
        self.node(ROOT)
    }

    /// The node in a block.
    #[inline(always)]
    pub fn node(&self, block: u32) -> NodeRef {
        let words = self.pool.block(block);
        NodeRef { block, moves: header::moves_and_check(words).0, key: header::key(words) }
    }

    /// The number of nodes.
    #[inline(always)]
    pub fn nodes(&self) -> usize {
        self.nodes.0.load(Ordering::Relaxed)
    }

    /// The memory that it takes.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.pool.bytes() + self.wide.bytes()
    }

    /// The key of the node in a block.
    #[inline(always)]
    pub fn key(&self, block: u32) -> u64 {
        header::key(self.pool.block(block))
    }

    /// The node in a block, if its move list has this check. That of the root is not looked at: a
    /// game's history may have reduced its moves.
    #[inline(always)]
    pub fn checked(&self, block: u32, check: u32) -> Option<NodeRef> {
        let words = self.pool.block(block);
        let (moves, checked) = header::moves_and_check(words);
        let same = block == ROOT || checked == check;
        same.then(|| NodeRef { block, moves, key: header::key(words) })
    }

    /// The check of a node's moves.
    pub fn check(&self, node: NodeRef) -> u32 {
        header::moves_and_check(self.pool.block(node.block)).1
    }

    /// Where a key is.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Place {
        self.slots.find(key, |block| self.key(block))
    }

    /// Makes the node of a position that was not found: its slot was free, for this key. `judge` writes
    /// what evaluations say of its moves before any other thread sees them. `None`: no room.
    #[inline(always)]
    pub fn add(
        &self,
        (mut slot, mut key): (usize, u64),
        moves: u16,
        check: u32,
        judge: impl FnOnce(NodeCounters<'_>),
    ) -> Option<NodeRef> {
        // The last slots stay free, so that a search for a key ends; and results must find room.
        if self.nodes() >= self.slots.count() / 8 * 7
            || self.shape.wide_length(moves) > self.wide.chunk_size()
        {
            return self.without_room();
        }
        let Some(block) = self.pool.allocate(self.shape.length(moves)) else {
            return self.without_room();
        };
        judge(self.shape.at(self.pool.block(block), moves, None));
        loop {
            header::write(self.pool.block(block), key, moves, check);
            if self.slots.put(slot, key, block) {
                self.nodes.0.fetch_add(1, Ordering::Relaxed);
                if self.crowded() || self.short_of_words() {
                    self.wanting.0.store(true, Ordering::Relaxed);
                }
                return Some(NodeRef { block, moves, key });
            }
            // Another thread was faster; if with the same position, the block is lost, which is rare.
            match self.find(key) {
                Place::Free(other) => slot = other,
                Place::Block(block) => match self.checked(block, check) {
                    Some(node) => return Some(node),
                    None => key = mix(key),
                },
            }
        }
    }

    /// Between two runs there is more, up to the bound: only that is worth telling.
    #[cold]
    fn without_room<T>(&self) -> Option<T> {
        if self.crowded() || self.short_of_words() {
            self.wanting.0.store(true, Ordering::Relaxed);
        } else {
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

    /// The word with the narrow tally of a move.
    #[inline(always)]
    pub fn own(&self, node: NodeRef, index: usize) -> &AtomicU64 {
        self.pool.word(node.block + (header::HEADER + index / 2) as u32)
    }

    /// The counters of a node.
    #[inline(always)]
    pub fn at(&self, node: NodeRef) -> NodeCounters<'_> {
        let words = self.pool.block(node.block);
        let wide = header::more(words, More::Wide);
        self.shape.at(words, node.moves, wide.map(|wide| self.wide_at(wide, node.moves)))
    }

    #[inline(always)]
    fn wide_at(&self, wide: u32, moves: u16) -> Wide<'_> {
        self.shape.wide(self.wide.block(wide), moves)
    }

    /// The wide counters of a node, where they are needed: it has some, or a narrow tally of so many
    /// visits.
    #[inline(always)]
    pub fn wide_for<'a>(
        &'a self,
        node: NodeRef,
        at: NodeCounters<'a>,
        visits: u32,
    ) -> Option<Wide<'a>> {
        if at.wide.is_none() && visits >= cells::ENOUGH { self.add_wide(node) } else { at.wide }
    }

    /// Wide counters of a node, made if need be. `None`: no room before all threads stop.
    #[cold]
    pub fn add_wide(&self, node: NodeRef) -> Option<Wide<'_>> {
        let words = self.pool.block(node.block);
        if let Some(wide) = header::more(words, More::Wide) {
            return Some(self.wide_at(wide, node.moves));
        }
        let Some(wide) = self.wide.allocate(self.shape.wide_length(node.moves)) else {
            self.starved.store(true, Ordering::Relaxed);
            self.wanting.0.store(true, Ordering::Relaxed);
            return None;
        };
        Some(self.wide_at(header::set_more(words, More::Wide, wide), node.moves))
    }

    /// The same where no thread runs.
    pub fn make_wide(&mut self, node: NodeRef) -> Wide<'_> {
        if self.wide.left() < self.shape.wide_length(node.moves) {
            self.wide.add_chunk();
        }
        self.add_wide(node).expect("just made room")
    }

    /// The table of a node, by code: visits and wins, and draws where the game has them.
    #[inline(always)]
    pub fn table(&self, node: NodeRef) -> Option<(&[AtomicU64], &[AtomicU64])> {
        let table = header::more(self.pool.block(node.block), More::Table);
        table.map(|table| self.words_of_table(table))
    }

    fn words_of_table(&self, table: u32) -> (&[AtomicU64], &[AtomicU64]) {
        self.pool.block(table)[..self.table_length()].split_at(self.codes)
    }

    fn table_length(&self) -> usize {
        self.codes * if self.shape.draws { 2 } else { 1 }
    }

    /// The table of a node, made if need be; `None` if there is no room.
    pub fn add_table(&self, node: NodeRef) -> Option<(&[AtomicU64], &[AtomicU64])> {
        if let Some(table) = self.table(node) {
            return Some(table);
        }
        let Some(table) = self.pool.allocate(self.table_length()) else {
            return self.without_room();
        };
        if self.short_of_words() {
            self.wanting.0.store(true, Ordering::Relaxed);
        }
        let words = self.pool.block(node.block);
        Some(self.words_of_table(header::set_more(words, More::Table, table)))
    }

    /// Whether the threads should stop so that [`SharedStore::make_room`] can be called.
    #[inline(always)]
    pub fn wants_room(&self) -> bool {
        self.wanting.0.load(Ordering::Relaxed)
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

    /// Makes room for more nodes: half as much again, and for the first of so many simulations. False
    /// if the system has refused the memory.
    pub fn make_room(&mut self, simulations: u64) -> bool {
        self.wanting.0.store(false, Ordering::Relaxed);
        self.refused = false;
        if self.starved.load(Ordering::Relaxed) {
            for _ in 0..self.wide.chunks() / 2 + 1 {
                if !self.get(self.wide.chunk_size()) {
                    return false;
                }
                self.wide.add_chunk();
            }
            self.starved.store(false, Ordering::Relaxed);
        }
        let ahead = usize::try_from(simulations).map_or(AHEAD, |count| count.min(AHEAD));
        while self.crowded()
            || (self.slots.count() < 2 * (self.nodes() + ahead) && self.may_double())
        {
            if !self.get(2 * self.slots.count()) {
                return false;
            }
            self.slots = self.slots.doubled();
        }
        let words = ahead / 4 * self.shape.length(self.root().moves);
        let mut more = if self.short_of_words() { self.pool.chunks() / 2 + 1 } else { 0 };
        more = more.max(words.saturating_sub(self.pool.left()) / self.pool.chunk_size());
        for _ in 0..more {
            if self.may_grow() {
                if !self.get(CHUNK) {
                    return false;
                }
                self.pool.add_chunk();
            }
        }
        true
    }

    /// Whether the system has so many words; if not, it is remembered.
    fn get(&mut self, words: usize) -> bool {
        self.refused = !memory::is_there(words * size_of::<u64>());
        !self.refused
    }

    /// Whether the system has refused memory.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// Makes room for so many nodes in all: then they stay where they are until there are more.
    pub fn make_room_for(&mut self, nodes: usize) {
        while self.slots.count() < 2 * nodes {
            self.slots = self.slots.doubled();
        }
    }

    /// Makes room for the counters of a few more nodes.
    pub fn make_words(&mut self) {
        if self.short_of_words() {
            self.pool.add_chunk();
        }
    }

    /// Visits of all moves of all nodes: a choice of a descent is one, whatever its result. And the
    /// simulations under way, where they are counted: 0 when no thread runs.
    pub fn visits_and_under_way(&self) -> (u64, u64) {
        let (mut visits, mut under_way) = (0, 0);
        for at in self.slots.blocks().map(|block| self.at(self.node(block))) {
            for index in 0..at.moves {
                visits += u64::from(at.tally(index).visits);
                if !at.under_way.is_empty() {
                    under_way += u64::from(cells::half(at.under_way, index, Ordering::Relaxed));
                }
            }
        }
        (visits, under_way)
    }
}
