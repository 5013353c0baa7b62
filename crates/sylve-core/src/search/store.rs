//! Where the tree lives: nodes by hash, and their tallies in columns.

use super::columns::{Add, AddAll, AddChosen, Change, Column, ColumnMut, TakeLoss};
use super::pairs::Pair;
use super::pools::{self, Block, Pools, Width};
use super::proofs::{decode, encode};
use super::tally::Tally;
use crate::cpu::Cpu;
use crate::game::Outcome;
use crate::memory;
use std::marker::PhantomData;

/// Words that a node may need: one that needs more asks in vain.
const CHUNKED: usize = 4096;
/// No node, no block.
pub const NONE: u32 = u32::MAX;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    key: u64,
    /// A check of the move list: another position with the same hash has another one.
    pub check: u32,
    /// How many simulations passed.
    pub visits: u32,
    block: u32,
    table: u32,
    /// The number of legal moves.
    pub moves: u16,
    width: Width,
    /// Bits: see below.
    marks: u8,
    /// Where the last descent went from here: often where the next one goes too.
    next: u32,
}

/// The descent under way has passed here.
const PASSED: u8 = 1;
/// Some move is decided.
const HAS_PROOFS: u8 = 2;
/// The outcome with best play, as [`encode`] writes it, so many bits up.
const PROOF: u8 = 2;

impl Node {
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

/// Something to do with the tallies of a node, of either width.
pub trait Look {
    /// What comes out.
    type Output;
    /// Do it.
    fn look<P: Pair>(self, view: View<'_, P>) -> Self::Output;
}

/// The tallies of a node: a column of its own, and one for each band of AMAF.
#[derive(Clone, Copy)]
pub struct View<'a, P> {
    words: &'a [P],
    moves: usize,
    column: usize,
}

impl<'a, P: Pair> View<'a, P> {
    /// The number of moves.
    #[inline(always)]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The moves' own tallies.
    #[inline(always)]
    pub fn own(&self) -> Column<'a, P> {
        Column::new(&self.words[..self.column], self.moves)
    }

    /// Their AMAF tallies in a band.
    #[inline(always)]
    pub fn amaf(&self, band: usize) -> Column<'a, P> {
        let start = (1 + band) * self.column;
        Column::new(&self.words[start..start + self.column], self.moves)
    }
}

/// Something to do with a column, of either width.
pub trait LookColumn {
    /// What comes out.
    type Output;
    /// Do it.
    fn look<P: Pair>(self, column: Column<'_, P>) -> Self::Output;
}

/// The nodes, by hash, with their tallies.
pub struct Store {
    /// Open addressing: see [`Store::entry`]; 0 is empty.
    slots: Vec<u32>,
    nodes: Vec<Node>,
    pools: Pools,
    bands: usize,
    /// Words of a tally: a pair, and another for draws where the game has them.
    per_tally: usize,
    codes: usize,
}

impl Store {
    /// An empty store for nodes with `bands` AMAF tallies a move and tables of `codes` codes.
    pub fn new(bands: usize, draws: bool, codes: usize) -> Store {
        Store {
            slots: vec![0; 64],
            nodes: Vec::new(),
            pools: Pools::default(),
            bands,
            per_tally: if draws { 2 } else { 1 },
            codes,
        }
    }

    /// An empty store of the same kind.
    pub fn empty(&self) -> Store {
        Store::new(self.bands, self.per_tally == 2, self.codes)
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.pools.bytes()
    }

    /// A node.
    #[inline(always)]
    pub fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// Marks a node as passed by this descent; [`Store::count`] takes the mark off.
    #[inline(always)]
    pub fn pass(&mut self, id: u32) {
        self.nodes[id as usize].marks |= PASSED;
    }

    /// The key of a node.
    #[inline(always)]
    pub fn key(&self, id: u32) -> u64 {
        self.nodes[id as usize].key
    }

    /// The node of this key that the last descent went to from `parent`, or [`NONE`].
    ///
    /// The processor goes on with it while it still computes the key that confirms it: a descent
    /// waits for its memory most of the time.
    #[inline(always)]
    pub fn guess(&self, parent: u32, key: u64) -> u32 {
        let guess = self.nodes[parent as usize].next;
        if self.nodes[guess as usize].key == key { guess } else { NONE }
    }

    /// Remembers where a descent went from `parent`.
    #[inline(always)]
    pub fn set_guess(&mut self, parent: u32, child: u32) {
        self.nodes[parent as usize].next = child;
    }

    /// The node of a key, or [`NONE`].
    #[inline(always)]
    pub fn find(&self, key: u64) -> u32 {
        let mut slot = key as usize & self.mask();
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return NONE;
            }
            let id = (entry & self.mask() as u32) - 1;
            if entry == self.entry(key, id) && self.nodes[id as usize].key == key {
                return id;
            }
            slot = (slot + 1) & self.mask();
        }
    }

    /// The bits of a slot's number. The key is a hash already: its low bits will do.
    #[inline(always)]
    fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    /// What a slot holds: node number + 1, which needs no more bits than the number of slots, and
    /// above it bits of the key, so that most other keys are told apart without a look at their node.
    #[inline(always)]
    fn entry(&self, key: u64, id: u32) -> u32 {
        (key >> 32) as u32 & !(self.mask() as u32) | (id + 1)
    }

    /// Adds a node under a key that [`Store::find`] found free.
    pub fn add(&mut self, key: u64, moves: u16, check: u32) -> u32 {
        let width = Width::Eight;
        let block = self.pools.allocate(width, self.block_length(moves));
        let (visits, table, marks, next) = (0, NONE, 0, 0);
        self.push(Node { key, check, visits, block, table, moves, width, marks, next })
    }

    /// Adds a node whose counters follow: [`Store::set_counters`].
    pub fn add_later(&mut self, key: u64, moves: u16, check: u32) -> u32 {
        let (visits, block, table, width, marks, next) = (0, NONE, NONE, Width::Eight, 0, 0);
        self.push(Node { key, check, visits, block, table, moves, width, marks, next })
    }

    /// Gives a node its counters: by column, then by move.
    pub fn set_counters(&mut self, id: u32, visits: u32, columns: &[Vec<Tally>]) {
        let width = Width::of(visits);
        let words: Vec<_> = columns.iter().flat_map(|column| self.words(column)).collect();
        // Longer than the words where descents that wait have a column, which is zeros now.
        let length = self.block_length(self.nodes[id as usize].moves);
        let at = self.pools.allocate(width, length);
        self.pools.fill(Block { width, at, length }, &words);
        let node = &mut self.nodes[id as usize];
        (node.visits, node.block, node.width) = (visits, at, width);
    }

    /// Gives a node, which has its counters, a table of codes.
    pub fn set_table(&mut self, id: u32, table: &[(usize, Tally)]) {
        let mut column = vec![Tally::default(); self.codes];
        for &(code, tally) in table {
            column[code] = tally;
        }
        let words = self.words(&column);
        self.add_table(id);
        self.pools.fill(self.table(id), &words);
    }

    /// A column as the words of a block: pairs, then draws where the game has them.
    fn words(&self, column: &[Tally]) -> Vec<(u32, u32)> {
        let pairs = column.iter().map(|tally| (tally.visits, tally.wins));
        let draws = column.iter().map(|tally| (tally.draws, 0));
        pairs.chain(draws).take(column.len() * self.per_tally).collect()
    }

    fn push(&mut self, node: Node) -> u32 {
        if self.is_crowded() {
            self.grow();
        }
        if self.nodes.len() == self.nodes.capacity() {
            // By a quarter, not twofold: memory matters more than a few copies.
            self.nodes.reserve_exact(self.nodes.len() / 4 + 16);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.insert(node.key, id);
        id
    }

    #[inline(always)]
    fn is_crowded(&self) -> bool {
        3 * self.nodes.len() >= 2 * self.slots.len()
    }

    #[inline(always)]
    fn block_length(&self, moves: u16) -> usize {
        usize::from(moves) * self.per_tally * (1 + self.bands)
    }

    fn insert(&mut self, key: u64, id: u32) {
        let mut slot = key as usize & self.mask();
        while self.slots[slot] != 0 {
            slot = (slot + 1) & self.mask();
        }
        self.slots[slot] = self.entry(key, id);
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for id in 0..self.nodes.len() {
            self.insert(self.nodes[id].key, id as u32);
        }
    }

    /// Shows the tallies of a node.
    #[inline(always)]
    pub fn look<L: Look>(&self, id: u32, look: L) -> L::Output {
        let moves = usize::from(self.nodes[id as usize].moves);
        let column = moves * self.per_tally;
        self.pools.look(self.block(id), AsView { look, moves, column })
    }

    /// Shows a node's table of codes, for the first player.
    #[inline(always)]
    pub fn look_table<L: LookColumn>(&self, id: u32, look: L) -> L::Output {
        self.pools.look(self.table(id), AsColumn { look, length: self.codes })
    }

    #[inline(always)]
    fn block(&self, id: u32) -> Block {
        let node = &self.nodes[id as usize];
        Block { width: node.width, at: node.block, length: self.block_length(node.moves) }
    }

    #[inline(always)]
    fn table(&self, id: u32) -> Block {
        let node = &self.nodes[id as usize];
        Block { width: node.width, at: node.table, length: self.codes * self.per_tally }
    }

    /// Makes room for one more simulation in the counters of a node. Call it before counting.
    #[inline(always)]
    pub fn prepare(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        if !node.width.has_room(node.visits) {
            self.widen(id);
        }
    }

    /// Counts a simulation at a node: its visit, and the result of the move chosen.
    #[inline(always)]
    pub fn count<C: Cpu>(&mut self, id: u32, index: usize, points: u32) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        node.marks &= !PASSED;
        self.change::<C, _>(id, 0, Add { index, points });
    }

    /// Counts a loss, of a descent whose result is not known yet, where a formula looks: in the
    /// move's own tally and, if there are any of AMAF, in the first of them.
    pub fn count_waiting<C: Cpu>(&mut self, id: u32, index: usize) {
        self.prepare(id);
        self.count::<C>(id, index, 0);
        if self.bands > 0 {
            self.count_amaf::<C>(id, 0, index, 0);
        }
    }

    /// Takes such a loss back.
    pub fn take_waiting<C: Cpu>(&mut self, id: u32, index: usize) {
        self.nodes[id as usize].visits -= 1;
        for column in 0..=self.bands.min(1) {
            self.change::<C, _>(id, column, TakeLoss { index });
        }
    }

    /// How many AMAF tallies a move has, or 1 where descents that wait have a column of their own.
    #[inline(always)]
    pub fn bands(&self) -> usize {
        self.bands
    }

    /// Some move of the node is decided, and so perhaps is the node.
    pub fn set_proof(&mut self, id: u32, proof: Option<Outcome>) {
        let node = &mut self.nodes[id as usize];
        node.marks |= HAS_PROOFS | proof.map_or(0, |outcome| encode(outcome) << PROOF);
    }

    /// The memory in use. What is reserved beyond it was never touched.
    pub fn used(&self) -> usize {
        self.slots.len() * size_of::<u32>()
            + self.nodes.len() * size_of::<Node>()
            + self.pools.used()
    }

    /// What a node of so many moves would add, a larger hash table included.
    pub fn cost(&self, moves: u16) -> usize {
        let slots = if self.is_crowded() { self.slots.len() * size_of::<u32>() } else { 0 };
        slots + size_of::<Node>() + self.block_length(moves) * size_of::<u16>()
    }

    /// Whether the system has memory for what another node makes grow, if anything.
    #[inline(always)]
    pub fn can_grow(&self) -> bool {
        let slots = if self.is_crowded() { 2 * self.slots.len() * size_of::<u32>() } else { 0 };
        let nodes = if self.nodes.len() == self.nodes.capacity() {
            (self.nodes.len() / 4 * 5 + 16) * size_of::<Node>()
        } else {
            0
        };
        let more = slots + nodes + self.pools.next_chunk(CHUNKED);
        more == 0 || memory::is_there(more)
    }

    /// What a table of codes may add to a node.
    pub fn table_cost(&self) -> usize {
        self.codes * self.per_tally * size_of::<u32>()
    }

    /// Copies a node of another store of the same kind.
    pub fn copy(&mut self, from: &Store, id: u32) -> u32 {
        let node = from.nodes[id as usize];
        let block = self.pools.copy(&from.pools, from.block(id));
        let table = match node.table {
            NONE => NONE,
            _ => self.pools.copy(&from.pools, from.table(id)),
        };
        self.push(Node { block, table, next: 0, ..node })
    }

    /// Counts a result for a move's AMAF tally in a band.
    #[inline(always)]
    pub fn count_amaf<C: Cpu>(&mut self, id: u32, band: usize, index: usize, points: u32) {
        self.change::<C, _>(id, 1 + band, Add { index, points });
    }

    /// Counts a result for the AMAF tallies of the moves whose bits are set in `chosen`.
    #[inline(always)]
    pub fn count_chosen<C: Cpu>(&mut self, id: u32, chosen: &[u64], points: u32) {
        self.change::<C, _>(id, 1, AddChosen { chosen, points });
    }

    #[inline(always)]
    fn change<C: Cpu, F: Change>(&mut self, id: u32, number: usize, change: F) {
        let length = usize::from(self.nodes[id as usize].moves);
        let column = length * self.per_tally;
        let part =
            ChangePart { change, part: number * column, column, length, cpu: PhantomData::<C> };
        self.pools.change(self.block(id), part);
    }

    /// Moves a node's counters to more bits before they overflow.
    #[cold]
    fn widen(&mut self, id: u32) {
        let block = self.pools.widen(self.block(id));
        if self.has_table(id) {
            self.nodes[id as usize].table = self.pools.widen(self.table(id)).at;
        }
        let node = &mut self.nodes[id as usize];
        (node.block, node.width) = (block.at, block.width);
    }

    /// Whether a node keeps a table of codes.
    #[inline(always)]
    pub fn has_table(&self, id: u32) -> bool {
        self.nodes[id as usize].table != NONE
    }

    /// Gives a node a table of codes.
    pub fn add_table(&mut self, id: u32) {
        let Block { width, length, .. } = self.table(id);
        self.nodes[id as usize].table = self.pools.allocate(width, length);
    }

    /// Counts a result for each of some codes, all different, in a node's table.
    #[inline(always)]
    pub fn count_codes<C: Cpu>(&mut self, id: u32, codes: &[u16], first_points: u32) {
        let (change, length) = (AddAll { codes, points: first_points }, self.codes);
        let column = length * self.per_tally;
        let whole = ChangePart { change, part: 0, column, length, cpu: PhantomData::<C> };
        self.pools.change(self.table(id), whole);
    }
}

struct AsView<L> {
    look: L,
    moves: usize,
    column: usize,
}

impl<L: Look> pools::Look for AsView<L> {
    type Output = L::Output;
    #[inline(always)]
    fn look<P: Pair>(self, words: &[P]) -> L::Output {
        self.look.look(View { words, moves: self.moves, column: self.column })
    }
}

struct AsColumn<L> {
    look: L,
    length: usize,
}

impl<L: LookColumn> pools::Look for AsColumn<L> {
    type Output = L::Output;
    #[inline(always)]
    fn look<P: Pair>(self, words: &[P]) -> L::Output {
        self.look.look(Column::new(words, self.length))
    }
}

/// A change of one column of a block.
struct ChangePart<F, C> {
    change: F,
    /// Where the column begins, and its words.
    part: usize,
    column: usize,
    /// The number of tallies.
    length: usize,
    cpu: PhantomData<C>,
}

impl<F: Change, C: Cpu> pools::Change for ChangePart<F, C> {
    #[inline(always)]
    fn change<P: Pair>(self, words: &mut [P]) {
        let words = &mut words[self.part..self.part + self.column];
        self.change.change::<C, _>(ColumnMut::new(words, self.length));
    }
}
