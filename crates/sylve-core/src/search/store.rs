//! Where the tree lives: nodes by hash, and their tallies in columns of 16 bits (32 once a node has
//! more visits than fit), allocated in chunks that never move.

use super::tally::Tally;
use crate::rng::mix;

/// No node, no block.
pub const NONE: u32 = u32::MAX;

/// A whole number of a column.
pub trait Counter: Copy + Default {
    /// Its value.
    fn get(self) -> u32;
    /// From a value that fits.
    fn of(value: u32) -> Self;
}

impl Counter for u16 {
    #[inline(always)]
    fn get(self) -> u32 {
        u32::from(self)
    }
    #[inline(always)]
    fn of(value: u32) -> u16 {
        value as u16
    }
}

impl Counter for u32 {
    #[inline(always)]
    fn get(self) -> u32 {
        self
    }
    #[inline(always)]
    fn of(value: u32) -> u32 {
        value
    }
}

/// Blocks of counters in chunks. A block's address: the number of its chunk and its offset there.
#[derive(Default)]
struct Pool<T> {
    chunks: Vec<Vec<T>>,
}

/// Counters of a chunk; a longer block gets a chunk of its own.
const CHUNK: usize = 1 << 16;

impl<T: Counter> Pool<T> {
    fn allocate(&mut self, length: usize) -> u32 {
        if self.chunks.last().is_none_or(|chunk| chunk.len() + length > CHUNK) {
            // The first chunk grows as it is filled: a small search stays small.
            let capacity = if self.chunks.is_empty() { length } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity.max(length)));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let offset = chunk.len();
        chunk.resize(offset + length, T::default());
        (number << 16 | offset) as u32
    }

    #[inline(always)]
    fn block(&self, at: u32, length: usize) -> &[T] {
        let offset = (at & 0xFFFF) as usize;
        &self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    #[inline(always)]
    fn block_mut(&mut self, at: u32, length: usize) -> &mut [T] {
        let offset = (at & 0xFFFF) as usize;
        &mut self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.capacity() * size_of::<T>()).sum()
    }
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    key: u64,
    /// A check of the move list: another position with the same hash has another one.
    check: u32,
    /// How many simulations passed.
    pub visits: u32,
    block: u32,
    table: u32,
    /// The number of legal moves.
    pub moves: u16,
    wide: bool,
}

/// The tallies of a node: for each kind of counter a column with an entry per move.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    columns: &'a [T],
    moves: usize,
    per_tally: usize,
}

impl<T: Counter> View<'_, T> {
    /// The number of moves.
    #[inline(always)]
    pub fn moves(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn tally(&self, first_column: usize, index: usize) -> Tally {
        let at = first_column * self.moves + index;
        Tally {
            visits: self.columns[at].get(),
            wins: self.columns[at + self.moves].get(),
            draws: if self.per_tally == 3 { self.columns[at + 2 * self.moves].get() } else { 0 },
        }
    }

    /// The move's own tally.
    #[inline(always)]
    pub fn own(&self, index: usize) -> Tally {
        self.tally(0, index)
    }

    /// The move's AMAF tally in a band.
    #[inline(always)]
    pub fn amaf(&self, band: usize, index: usize) -> Tally {
        self.tally((1 + band) * self.per_tally, index)
    }
}

/// Something to do with a view of either width.
pub trait Look {
    /// What comes out.
    type Output;
    /// Do it.
    fn look<T: Counter>(self, view: View<'_, T>) -> Self::Output;
}

/// The nodes, by hash, with their tallies.
pub struct Store {
    /// Open addressing: node number + 1, or 0.
    slots: Vec<u32>,
    nodes: Vec<Node>,
    narrow: Pool<u16>,
    wide: Pool<u32>,
    bands: usize,
    /// Columns of a tally: visits, wins, and draws where the game has them.
    per_tally: usize,
    codes: usize,
}

impl Store {
    /// An empty store for nodes with `bands` AMAF tallies a move and tables of `codes` codes.
    pub fn new(bands: usize, draws: bool, codes: usize) -> Store {
        Store {
            slots: vec![0; 64],
            nodes: Vec::new(),
            narrow: Pool::default(),
            wide: Pool::default(),
            bands,
            per_tally: if draws { 3 } else { 2 },
            codes,
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.narrow.bytes()
            + self.wide.bytes()
    }

    /// A node.
    #[inline(always)]
    pub fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// The key of a node.
    #[inline(always)]
    pub fn key(&self, id: u32) -> u64 {
        self.nodes[id as usize].key
    }

    /// The node of a position (`NONE` if there is none), and the key that it has or would have.
    ///
    /// A node with another check of its moves is another position with the same hash: look under the
    /// next key. `root` is found by its hash alone: its moves may be fewer (superko).
    #[inline(always)]
    pub fn find(&self, mut key: u64, moves: u16, check: impl Fn() -> u32) -> (u32, u64) {
        loop {
            let mut slot = self.slot(key);
            let id = loop {
                let entry = self.slots[slot];
                if entry == 0 {
                    return (NONE, key);
                }
                if self.nodes[entry as usize - 1].key == key {
                    break entry - 1;
                }
                slot = (slot + 1) & (self.slots.len() - 1);
            };
            let node = &self.nodes[id as usize];
            if id == 0 || (node.moves == moves && node.check == check()) {
                return (id, key);
            }
            key = mix(key);
        }
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        // The key is a hash already: its low bits will do.
        key as usize & (self.slots.len() - 1)
    }

    /// Adds a node under a key that [`Store::find`] found free.
    pub fn add(&mut self, key: u64, moves: u16, check: u32) -> u32 {
        if 3 * self.nodes.len() >= 2 * self.slots.len() {
            self.grow();
        }
        let length = usize::from(moves) * self.per_tally * (1 + self.bands);
        let block = self.narrow.allocate(length);
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { key, check, visits: 0, block, table: NONE, moves, wide: false });
        self.insert(key, id);
        id
    }

    fn insert(&mut self, key: u64, id: u32) {
        let mut slot = self.slot(key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = id + 1;
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
        let node = &self.nodes[id as usize];
        let moves = usize::from(node.moves);
        let per_tally = self.per_tally;
        let length = moves * per_tally * (1 + self.bands);
        if node.wide {
            look.look(View { columns: self.wide.block(node.block, length), moves, per_tally })
        } else {
            look.look(View { columns: self.narrow.block(node.block, length), moves, per_tally })
        }
    }

    /// Counts a simulation at a node: its visit, and the result of the move chosen.
    #[inline(always)]
    pub fn count(&mut self, id: u32, index: usize, points: u32) {
        if self.nodes[id as usize].visits == u32::from(u16::MAX) {
            self.widen(id);
        }
        self.nodes[id as usize].visits += 1;
        self.add_result(id, 0, index, points);
    }

    /// Counts a result for a move's AMAF tally in a band. The node's visit is counted after it.
    #[inline(always)]
    pub fn count_amaf(&mut self, id: u32, band: usize, index: usize, points: u32) {
        if self.nodes[id as usize].visits == u32::from(u16::MAX) {
            self.widen(id);
        }
        self.add_result(id, (1 + band) * self.per_tally, index, points);
    }

    #[inline(always)]
    fn add_result(&mut self, id: u32, column: usize, index: usize, points: u32) {
        let node = &self.nodes[id as usize];
        let moves = usize::from(node.moves);
        let length = moves * self.per_tally * (1 + self.bands);
        let at = column * moves + index;
        let draws = self.per_tally == 3;
        if node.wide {
            add(self.wide.block_mut(node.block, length), at, moves, draws, points);
        } else {
            add(self.narrow.block_mut(node.block, length), at, moves, draws, points);
        }
    }

    /// Moves a node's counters to 32 bits before the 16 overflow.
    #[cold]
    fn widen(&mut self, id: u32) {
        let node = self.nodes[id as usize];
        if node.wide {
            return;
        }
        let length = usize::from(node.moves) * self.per_tally * (1 + self.bands);
        let block = self.copy_wide(node.block, length);
        let table = match node.table {
            NONE => NONE,
            table => self.copy_wide(table, self.codes * self.per_tally),
        };
        let node = &mut self.nodes[id as usize];
        (node.block, node.table, node.wide) = (block, table, true);
    }

    fn copy_wide(&mut self, narrow: u32, length: usize) -> u32 {
        let block = self.wide.allocate(length);
        let from = self.narrow.block(narrow, length);
        for (to, from) in self.wide.block_mut(block, length).iter_mut().zip(from) {
            *to = u32::from(*from);
        }
        block
    }

    /// Whether a node keeps a table of codes.
    #[inline(always)]
    pub fn has_table(&self, id: u32) -> bool {
        self.nodes[id as usize].table != NONE
    }

    /// Gives a node a table of codes.
    pub fn add_table(&mut self, id: u32) {
        let length = self.codes * self.per_tally;
        let wide = self.nodes[id as usize].wide;
        self.nodes[id as usize].table =
            if wide { self.wide.allocate(length) } else { self.narrow.allocate(length) };
    }

    /// The tally of a code in a node's table, for the first player.
    #[inline(always)]
    pub fn code_tally(&self, id: u32, code: usize) -> Tally {
        let node = &self.nodes[id as usize];
        let (codes, per_tally) = (self.codes, self.per_tally);
        let length = codes * per_tally;
        if node.wide {
            let columns = self.wide.block(node.table, length);
            View { columns, moves: codes, per_tally }.own(code)
        } else {
            let columns = self.narrow.block(node.table, length);
            View { columns, moves: codes, per_tally }.own(code)
        }
    }

    /// Counts a result for a code in a node's table.
    #[inline(always)]
    pub fn count_code(&mut self, id: u32, code: usize, first_points: u32) {
        if self.nodes[id as usize].visits == u32::from(u16::MAX) {
            self.widen(id);
        }
        let node = &self.nodes[id as usize];
        let codes = self.codes;
        let draws = self.per_tally == 3;
        let length = codes * self.per_tally;
        if node.wide {
            add(self.wide.block_mut(node.table, length), code, codes, draws, first_points);
        } else {
            add(self.narrow.block_mut(node.table, length), code, codes, draws, first_points);
        }
    }
}

#[inline(always)]
fn add<T: Counter>(columns: &mut [T], at: usize, moves: usize, draws: bool, points: u32) {
    columns[at] = T::of(columns[at].get() + 1);
    let wins = at + moves;
    columns[wins] = T::of(columns[wins].get() + u32::from(points == 2));
    if draws {
        let drawn = at + 2 * moves;
        columns[drawn] = T::of(columns[drawn].get() + u32::from(points == 1));
    }
}
