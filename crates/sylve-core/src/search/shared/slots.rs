//! Nodes by hash: open addressing, a slot is taken once and never given back.

use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::rng::mix;

/// A position in the tree, or room for one.
#[derive(Default, Debug)]
pub struct Slot {
    /// 0: free. Whoever changes it from 0 makes the node.
    key: AtomicU64,
    /// 0: being made. Else where its counters are, plus 1, and the number of moves.
    head: AtomicU64,
    /// A check of the move list: another position with the same hash has another one.
    check: AtomicU32,
    /// 0, or where its table of codes is, plus 1 (GRAVE).
    table: AtomicU32,
}

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its slot.
    pub slot: u32,
    /// Where its counters are.
    pub block: u32,
    /// The number of its moves.
    pub moves: u16,
    /// Its key.
    pub key: u64,
}

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Here.
    Node(Node),
    /// Nowhere: this slot was free, for this key.
    Free(u32, u64),
    /// Another thread is making it.
    Busy,
}

/// The key of a position whose hash is 0, which means free.
const ZERO: u64 = 0x5eed;

/// All slots; a power of two.
#[derive(Debug)]
pub struct Slots {
    slots: Vec<Slot>,
}

impl Slots {
    /// So many free slots, a power of two.
    pub fn new(count: usize) -> Slots {
        assert!(count.is_power_of_two() && count <= 1 << 31, "{count} slots");
        Slots { slots: (0..count).map(|_| Slot::default()).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Looks for a position. `root`: the slot of the root, whose moves a game's history may have
    /// reduced; `check`: of the move list.
    ///
    /// A node with other moves is another position with the same hash: look under the next key.
    #[inline(always)]
    pub fn find(&self, key: u64, moves: u16, root: u32, check: impl Fn() -> u32) -> Found {
        let mut key = if key == 0 { ZERO } else { key };
        loop {
            let mut slot = self.first(key);
            loop {
                let entry = &self.slots[slot];
                let found = entry.key.load(Ordering::Relaxed);
                if found == 0 {
                    return Found::Free(slot as u32, key);
                }
                if found == key {
                    break;
                }
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            let slot = slot as u32;
            let Some(node) = self.node(slot) else { return Found::Busy };
            let entry = &self.slots[slot as usize];
            let same = || entry.check.load(Ordering::Relaxed) == check();
            if slot == root || (node.moves == moves && same()) {
                return Found::Node(node);
            }
            key = mix(key);
        }
    }

    /// The node in a slot, once it is made.
    #[inline(always)]
    pub fn node(&self, slot: u32) -> Option<Node> {
        let entry = &self.slots[slot as usize];
        // Acquire, with the release in `publish`: whoever sees the head sees the check.
        match entry.head.load(Ordering::Acquire) {
            0 => None,
            head => Some(Node {
                slot,
                block: (head >> 16) as u32 - 1,
                moves: head as u16,
                key: entry.key.load(Ordering::Relaxed),
            }),
        }
    }

    /// Takes the slot that [`Slots::find`] found free; false if another thread was faster.
    ///
    /// Then `publish` must follow.
    #[inline(always)]
    pub fn take(&self, slot: u32, key: u64) -> bool {
        let entry = &self.slots[slot as usize].key;
        entry.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Shows a node to the other threads.
    #[inline(always)]
    pub fn publish(&self, slot: u32, block: u32, moves: u16, check: u32) {
        let entry = &self.slots[slot as usize];
        entry.check.store(check, Ordering::Relaxed);
        let head = (u64::from(block) + 1) << 16 | u64::from(moves);
        entry.head.store(head, Ordering::Release);
    }

    /// Where the table of a node is.
    #[inline(always)]
    pub fn table(&self, slot: u32) -> Option<u32> {
        // Relaxed: the counters there were zero before any thread began.
        self.slots[slot as usize].table.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Gives a node a table; if another thread did so first, that one counts.
    pub fn set_table(&self, slot: u32, table: u32) -> u32 {
        let entry = &self.slots[slot as usize].table;
        match entry.compare_exchange(0, table + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => table,
            Err(other) => other - 1,
        }
    }

    /// The nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..self.slots.len() as u32).filter_map(|slot| self.node(slot))
    }

    /// The same nodes in twice as many slots, and where the root is now.
    pub fn doubled(&self, root: u32) -> (Slots, u32) {
        let (larger, mut new_root) = (Slots::new(2 * self.slots.len()), root);
        for node in self.nodes() {
            let mut slot = larger.first(node.key);
            while larger.slots[slot].key.load(Ordering::Relaxed) != 0 {
                slot = (slot + 1) & (larger.slots.len() - 1);
            }
            let slot = slot as u32;
            let old = &self.slots[node.slot as usize];
            larger.take(slot, node.key);
            larger.publish(slot, node.block, node.moves, old.check.load(Ordering::Relaxed));
            if let Some(table) = self.table(node.slot) {
                larger.set_table(slot, table);
            }
            if node.slot == root {
                new_root = slot;
            }
        }
        (larger, new_root)
    }

    #[inline(always)]
    fn first(&self, key: u64) -> usize {
        // The key is a hash already: its low bits will do.
        key as usize & (self.slots.len() - 1)
    }
}
