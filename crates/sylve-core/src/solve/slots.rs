//! A memory of positions that grows with its use up to a limit, and then forgets the older ones.

use crate::memory;

/// How many slots of a table that grows fourfold fit into so many bytes, as a power of two: for a moment the
/// old table is there too.
pub fn slots_within(bytes: usize, slot: usize) -> usize {
    1 << (bytes / 5 * 4 / slot).max(1).ilog2()
}

/// Each position has one slot, named by the low bits of its hash; the last one to come stays. Whole
/// positions are compared, so that two of the same hash are never confused.
pub struct Slots<K, V> {
    slots: Vec<Option<(K, V)>>,
    used: usize,
    most: usize,
}

impl<K: Clone + Eq, V: Clone> Slots<K, V> {
    /// Room for `most` positions, a power of two, or for fewer if they take more than `bytes`.
    pub fn new(most: usize, bytes: usize) -> Slots<K, V> {
        debug_assert!(most.is_power_of_two());
        let most = most.min(slots_within(bytes, size_of::<Option<(K, V)>>()));
        Slots { slots: vec![None; most.min(1 << 10)], used: 0, most }
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    pub fn get(&self, hash: u64, key: &K) -> Option<&V> {
        let (known, value) = self.slots[self.slot(hash)].as_ref()?;
        (known == key).then_some(value)
    }

    /// Remembers; `hash_of` is needed when the memory grows.
    pub fn put(&mut self, hash: u64, key: K, value: V, hash_of: impl Fn(&K) -> u64) {
        let size = (4 * self.slots.len()).min(self.most);
        if 2 * self.used > self.slots.len()
            && self.slots.len() < self.most
            && memory::is_there(size * size_of::<Option<(K, V)>>())
        {
            let old = std::mem::replace(&mut self.slots, vec![None; size]);
            self.used = 0;
            for (key, value) in old.into_iter().flatten() {
                self.set(hash_of(&key), (key, value));
            }
        }
        self.set(hash, (key, value));
    }

    fn set(&mut self, hash: u64, entry: (K, V)) {
        let slot = self.slot(hash);
        self.used += usize::from(self.slots[slot].is_none());
        self.slots[slot] = Some(entry);
    }
}
