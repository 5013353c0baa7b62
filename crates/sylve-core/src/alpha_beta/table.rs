//! The transposition table: what is known of positions that were searched before.

use crate::game::Move;

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact = 1,
    /// The value is at least this.
    Lower = 2,
    /// The value is at most this.
    Upper = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// For the side to move, wins counted from this position.
    pub value: i32,
    /// How many plies it was searched.
    pub depth: u32,
    /// What the value says.
    pub bound: Bound,
    /// The best move, or the one that refuted the position before.
    pub mv: Move,
}

/// A table of a fixed number of entries, 16 bytes each: the key, then the packed entry.
///
/// Zeros are an empty table, so that the system hands out its memory when it is first used.
#[derive(Debug)]
pub struct Table {
    slots: Vec<[u64; 2]>,
}

impl Table {
    /// A table of so many entries; none: nothing is remembered.
    pub fn new(entries: usize) -> Table {
        Table { slots: vec![[0; 2]; entries] }
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
    }

    /// The two places of a key: one keeps the deeper entry, the other the newer one.
    #[inline(always)]
    fn places(&self, key: u64) -> [usize; 2] {
        let first = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize;
        let second = if first ^ 1 < self.slots.len() { first ^ 1 } else { first };
        [first, second]
    }

    /// What is known of the position with this hash.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<Entry> {
        if self.slots.is_empty() {
            return None;
        }
        self.places(key).into_iter().find_map(|place| {
            let [stored, packed] = self.slots[place];
            if stored == key { unpack(packed) } else { None }
        })
    }

    /// Remembers an entry. The first place goes to it unless something deeper is there.
    #[inline(always)]
    pub fn insert(&mut self, key: u64, entry: Entry) {
        if self.slots.is_empty() {
            return;
        }
        let [first, second] = self.places(key);
        let [stored, packed] = self.slots[first];
        let keep = stored != key && depth_of(packed) > entry.depth;
        let place = if keep || self.slots[second][0] == key { second } else { first };
        self.slots[place] = [key, pack(entry)];
    }
}

#[inline(always)]
fn pack(entry: Entry) -> u64 {
    u64::from(entry.value as u32)
        | u64::from(entry.mv.0) << 32
        | u64::from(entry.depth as u8) << 48
        | (entry.bound as u64) << 56
}

#[inline(always)]
fn depth_of(packed: u64) -> u32 {
    u32::from((packed >> 48) as u8)
}

#[inline(always)]
fn unpack(packed: u64) -> Option<Entry> {
    let bound = match packed >> 56 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None, // never written
    };
    Some(Entry {
        value: packed as u32 as i32,
        depth: depth_of(packed),
        bound,
        mv: Move((packed >> 32) as u16),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_as_it_went() {
        for size in [1, 2, 3, 1000] {
            let mut table = Table::new(size);
            assert_eq!(table.find(0), None, "an empty table knows nothing, not even of key 0");
            for (value, bound) in
                [(-999_990, Bound::Lower), (12_345, Bound::Exact), (-1, Bound::Upper)]
            {
                let entry = Entry { value, depth: 100, bound, mv: Move(361) };
                for key in [0, 1, u64::MAX] {
                    table.insert(key, entry);
                    assert_eq!(table.find(key), Some(entry), "size {size}");
                }
            }
        }
        let mut off = Table::new(0);
        off.insert(1, Entry { value: 1, depth: 1, bound: Bound::Exact, mv: Move(0) });
        assert_eq!(off.find(1), None);
    }
}
