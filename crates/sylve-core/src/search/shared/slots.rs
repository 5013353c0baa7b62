//! Nodes by hash: open addressing, a slot is taken once and never given back.

use super::super::sync::{AtomicU64, Ordering};

/// Where a key is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The block of its node.
    Block(u32),
    /// Nowhere: this slot was free.
    Free(usize),
}

/// All slots; a power of two.
#[derive(Debug)]
pub struct Slots {
    /// 0: free. Else the lower half of a key, and below it where the block of its node is, plus 1.
    slots: Vec<AtomicU64>,
}

impl Slots {
    /// So many free slots, a power of two.
    pub fn new(count: usize) -> Slots {
        assert!(count.is_power_of_two() && count <= 1 << 31, "{count} slots");
        Slots { slots: (0..count).map(|_| AtomicU64::new(0)).collect() }
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// The memory that it takes.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<AtomicU64>()
    }

    /// Looks for a key. `key_of`: that of the node in a block.
    #[inline(always)]
    pub fn find(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Place {
        let mut slot = self.first(key);
        loop {
            // Acquire, with the release in `put`: whoever sees a block sees its header.
            let entry = self.slots[slot].load(Ordering::Acquire);
            if entry == 0 {
                return Place::Free(slot);
            }
            if entry >> 32 == key & u64::from(u32::MAX) {
                let block = entry as u32 - 1;
                if key_of(block) == key {
                    return Place::Block(block);
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Shows a node, whose header is written, in the slot that [`Slots::find`] found free for its key;
    /// false if another thread was faster.
    #[inline(always)]
    pub fn put(&self, slot: usize, key: u64, block: u32) -> bool {
        let entry = key << 32 | (u64::from(block) + 1);
        let slot = &self.slots[slot];
        slot.compare_exchange(0, entry, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The blocks of all nodes.
    pub fn blocks(&self) -> impl Iterator<Item = u32> {
        let entries = self.slots.iter().map(|slot| slot.load(Ordering::Acquire));
        entries.filter(|&entry| entry != 0).map(|entry| entry as u32 - 1)
    }

    /// The same nodes in twice as many slots.
    pub fn doubled(&self) -> Slots {
        let larger = Slots::new(2 * self.slots.len());
        for entry in self.slots.iter().map(|slot| slot.load(Ordering::Relaxed)) {
            if entry != 0 {
                let mut slot = larger.first(entry >> 32);
                while larger.slots[slot].load(Ordering::Relaxed) != 0 {
                    slot = (slot + 1) & (larger.slots.len() - 1);
                }
                larger.slots[slot].store(entry, Ordering::Relaxed);
            }
        }
        larger
    }

    #[inline(always)]
    fn first(&self, key: u64) -> usize {
        // The key is a hash already: its low bits will do.
        key as usize & (self.slots.len() - 1)
    }
}
