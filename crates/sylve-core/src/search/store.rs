//! Where the tree lives: nodes by hash, and their tallies in columns.

use super::columns::{Column, ColumnMut, Judged, NodeColumns};
use super::node::{HAS_PROOFS, NONE, Node, PASSED, PROOF};
use super::pairs::Pair;
use super::pools::{Block, Pools, Width, Words, map_words, with_words};
use super::proofs::encode;
use super::tally::Tally;
use super::units::Counting;
use crate::cpu::Cpu;
use crate::game::Outcome;
use crate::memory;

/// Words that a node may need: one that needs more asks in vain.
const CHUNKED: usize = 4096;

/// What a store keeps of each node.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreShape {
    /// AMAF tallies of a move.
    pub bands: usize,
    /// Whether the game has draws.
    pub draws: bool,
    /// How results are counted.
    pub counting: Counting,
    /// Codes of a table.
    pub codes: usize,
    /// Whether moves have values that go up the tree.
    pub implicit: bool,
    /// Whether moves have values of virtual visits.
    pub prior: bool,
}

/// The nodes, by hash, with their tallies.
pub struct Store {
    /// Open addressing: see [`Store::entry`]; 0 is empty.
    slots: Vec<u32>,
    nodes: Vec<Node>,
    pools: Pools,
    shape: StoreShape,
    bands: usize,
    /// Words of a tally: a pair, and another for draws where the game has them, or for estimates.
    per_tally: usize,
    codes: usize,
}

impl Store {
    /// An empty store.
    pub fn new(shape: StoreShape) -> Store {
        let two = shape.draws || shape.counting == Counting::Estimates;
        Store {
            slots: vec![0; 64],
            nodes: Vec::new(),
            pools: Pools::default(),
            shape,
            bands: shape.bands,
            per_tally: if two { 2 } else { 1 },
            codes: shape.codes,
        }
    }

    /// An empty store of the same kind.
    pub fn empty(&self) -> Store {
        Store::new(self.shape)
    }

    /// How results are counted.
    #[inline(always)]
    pub fn counting(&self) -> Counting {
        self.shape.counting
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
        let block = self.pools.allocate(Width::Eight, self.block_length(moves));
        self.push(Node { block, ..Node::new(key, moves, check) })
    }

    /// Adds a node whose counters follow: [`Store::set_counters`].
    pub fn add_later(&mut self, key: u64, moves: u16, check: u32) -> u32 {
        self.push(Node::new(key, moves, check))
    }

    /// Adds a node of another store, with all that it counts.
    pub fn copy(&mut self, from: &Store, id: u32) -> u32 {
        let block = self.pools.copy(&from.pools, from.block(id));
        let mut node = Node { block, next: 0, ..from.nodes[id as usize] };
        if from.has_table(id) {
            node.table = self.pools.copy(&from.pools, from.table_block(id));
        }
        self.push(node)
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
        self.pools.fill(self.table_block(id), &words);
    }

    /// A column as the words of a block: pairs, then draws where the game has them, or parts.
    fn words(&self, column: &[Tally]) -> Vec<(u32, u32)> {
        let pairs = column.iter().map(|tally| (tally.visits, tally.wins));
        let second = |tally: &Tally| match self.shape.counting {
            Counting::Outcomes => (tally.draws, 0),
            Counting::Estimates => (tally.parts & 0xFF, tally.parts >> 8),
        };
        let draws = column.iter().map(second);
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
        let judged = usize::from(self.shape.implicit) + usize::from(self.shape.prior);
        usize::from(moves) * (self.per_tally * (1 + self.bands) + judged)
    }

    /// Where a column of numbers begins in the block of a node with so many moves, if there is one.
    #[inline(always)]
    fn start_of(&self, judged: Judged, moves: usize) -> Option<usize> {
        let start = moves * self.per_tally * (1 + self.bands);
        match judged {
            Judged::Implicit => self.shape.implicit.then_some(start),
            Judged::Prior if self.shape.implicit => self.shape.prior.then_some(start + moves),
            Judged::Prior => self.shape.prior.then_some(start),
        }
    }

    /// What an evaluation says of a node's moves, in the words of its block: see [`Pair::number`].
    #[inline(always)]
    pub fn judged<'a, P: Pair>(
        &self,
        columns: NodeColumns<'a, P>,
        judged: Judged,
    ) -> Option<&'a [P]> {
        self.start_of(judged, columns.moves()).map(|start| columns.numbers(start))
    }

    /// The same as numbers; none if there are none.
    pub fn values(&self, id: u32, judged: Judged) -> Vec<u16> {
        with_words!(self.columns(id), |columns| {
            let words = self.judged(columns, judged).unwrap_or_default();
            words.iter().map(|word| word.number() as u16).collect()
        })
    }

    /// Writes them.
    pub fn set_values(&mut self, id: u32, judged: Judged, values: &[u16]) {
        let block = self.block(id);
        let Some(start) = self.start_of(judged, values.len()) else { return };
        with_words!(self.pools.block_mut(block), |words| {
            for (word, &value) in words[start..].iter_mut().zip(values) {
                *word = Pair::of_number(u32::from(value));
            }
        });
    }

    /// Writes the value of a move that goes up the tree.
    #[inline(always)]
    pub fn set_implicit(&mut self, id: u32, index: usize, value: u32) {
        let block = self.block(id);
        let moves = usize::from(self.nodes[id as usize].moves);
        let start = moves * self.per_tally * (1 + self.bands);
        with_words!(self.pools.block_mut(block), |words| {
            words[start + index] = Pair::of_number(value);
        });
    }

    /// The largest value of a node's moves that goes up the tree.
    #[inline(always)]
    pub fn largest_implicit(&self, id: u32) -> u32 {
        with_words!(self.columns(id), |columns| {
            let words = self.judged(columns, Judged::Implicit).unwrap_or_default();
            words.iter().map(|word| word.number()).max().unwrap_or(0)
        })
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

    /// The tallies of a node.
    #[inline(always)]
    pub fn columns(
        &self,
        id: u32,
    ) -> Words<NodeColumns<'_, u16>, NodeColumns<'_, u32>, NodeColumns<'_, u64>> {
        let moves = usize::from(self.nodes[id as usize].moves);
        let column = moves * self.per_tally;
        let counting = self.shape.counting;
        map_words!(self.pools.block(self.block(id)), |words| NodeColumns::new(
            words, moves, column, counting
        ))
    }

    /// A column of a node, to be changed: 0 has the moves' own tallies, the others those of AMAF.
    #[inline(always)]
    fn column_mut(
        &mut self,
        id: u32,
        number: usize,
    ) -> Words<ColumnMut<'_, u16>, ColumnMut<'_, u32>, ColumnMut<'_, u64>> {
        let moves = usize::from(self.nodes[id as usize].moves);
        let column = moves * self.per_tally;
        let (start, end) = (number * column, (number + 1) * column);
        let (block, counting) = (self.block(id), self.shape.counting);
        map_words!(self.pools.block_mut(block), |words| ColumnMut::new(
            &mut words[start..end],
            moves,
            counting
        ))
    }

    /// A node's table of codes, for the first player.
    #[inline(always)]
    pub fn table(&self, id: u32) -> Words<Column<'_, u16>, Column<'_, u32>, Column<'_, u64>> {
        map_words!(self.pools.block(self.table_block(id)), |words| Column::new(
            words,
            self.codes,
            self.shape.counting
        ))
    }

    /// The tally of a move of a node.
    #[inline(always)]
    pub fn own(&self, id: u32, index: usize) -> Tally {
        with_words!(self.columns(id), |columns| columns.own().tally(index))
    }

    #[inline(always)]
    fn block(&self, id: u32) -> Block {
        let node = &self.nodes[id as usize];
        Block { width: node.width, at: node.block, length: self.block_length(node.moves) }
    }

    #[inline(always)]
    fn table_block(&self, id: u32) -> Block {
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
    pub fn count(&mut self, id: u32, index: usize, units: u32) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        node.marks &= !PASSED;
        with_words!(self.column_mut(id, 0), |column| column.add(index, units));
    }

    /// Counts a loss, of a descent whose result is not known yet, where a formula looks: in the
    /// move's own tally and, if there are any of AMAF, in the first of them.
    pub fn count_waiting(&mut self, id: u32, index: usize) {
        self.prepare(id);
        self.count(id, index, 0);
        if self.bands > 0 {
            self.count_amaf(id, 0, index, 0);
        }
    }

    /// Takes such a loss back.
    pub fn take_waiting(&mut self, id: u32, index: usize) {
        self.nodes[id as usize].visits -= 1;
        for column in 0..=self.bands.min(1) {
            with_words!(self.column_mut(id, column), |column| column.take_loss(index));
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

    /// Counts a result for a move's AMAF tally in a band.
    #[inline(always)]
    pub fn count_amaf(&mut self, id: u32, band: usize, index: usize, units: u32) {
        with_words!(self.column_mut(id, 1 + band), |column| column.add(index, units));
    }

    /// Counts a result for the AMAF tallies of the moves whose bits are set in `chosen`.
    #[inline(always)]
    pub fn count_chosen<C: Cpu>(&mut self, id: u32, chosen: &[u64], units: u32) {
        with_words!(self.column_mut(id, 1), |column| column.add_chosen::<C>(chosen, units));
    }

    /// Moves a node's counters to more bits before they overflow.
    #[cold]
    fn widen(&mut self, id: u32) {
        let block = self.pools.widen(self.block(id));
        if self.has_table(id) {
            self.nodes[id as usize].table = self.pools.widen(self.table_block(id)).at;
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
        let Block { width, length, .. } = self.table_block(id);
        self.nodes[id as usize].table = self.pools.allocate(width, length);
    }

    /// Counts a result for each of some codes, all different, in a node's table.
    #[inline(always)]
    pub fn count_codes(&mut self, id: u32, codes: &[u16], first_units: u32) {
        let (block, length, counting) = (self.table_block(id), self.codes, self.shape.counting);
        with_words!(self.pools.block_mut(block), |words| {
            ColumnMut::new(words, length, counting).add_all(codes, first_units);
        });
    }
}
