//! Positions whose winner is known.

use super::super::slots::slots_within;
use super::board::Pawns;
use crate::memory;
use crate::rng::mix;

/// Four positions, one cache line. The latest comes first.
type Bucket = [[u64; 2]; 4];

/// At most 2^22 buckets, 256 MB.
const MOST_BUCKETS: usize = 1 << 22;

/// Whole positions are kept, so that no two are confused. A position takes two words; that it is won is
/// said by their order: own pawns first, or those of the other side. They are never equal.
pub struct Memory {
    buckets: Vec<Bucket>,
    stored: usize,
    /// How many buckets there may be.
    most: usize,
}

impl Memory {
    /// An empty one, which takes at most so many bytes.
    pub fn new(bytes: usize) -> Memory {
        let most = MOST_BUCKETS.min(slots_within(bytes, size_of::<Bucket>()));
        Memory { buckets: vec![[[0; 2]; 4]; most.min(1 << 8)], stored: 0, most }
    }

    #[inline(always)]
    fn bucket(&self, pawns: Pawns) -> usize {
        // Of both words in either order the same: the table can grow without knowing which is which.
        let hash =
            mix(pawns.own).wrapping_add(mix(pawns.other)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }

    /// Whether the side to move wins, if it is known.
    #[inline(always)]
    pub fn get(&self, Pawns { own, other }: Pawns) -> Option<bool> {
        for &entry in &self.buckets[self.bucket(Pawns { own, other })] {
            if entry == [own, other] {
                return Some(true);
            }
            if entry == [other, own] {
                return Some(false);
            }
        }
        None
    }

    #[inline(always)]
    pub fn put(&mut self, pawns: Pawns, won: bool) {
        if self.stored > 2 * self.buckets.len() && self.buckets.len() < self.most {
            self.grow();
        }
        self.stored += 1;
        let entry = if won { [pawns.own, pawns.other] } else { [pawns.other, pawns.own] };
        let bucket = self.bucket(pawns);
        let bucket = &mut self.buckets[bucket];
        bucket.rotate_right(1);
        bucket[0] = entry;
    }

    #[cold]
    fn grow(&mut self) {
        if !memory::is_there(4 * size_of_val(self.buckets.as_slice())) {
            self.stored = 0; // it forgets instead, and asks again later
            return;
        }
        let larger = vec![[[0; 2]; 4]; (4 * self.buckets.len()).min(self.most)];
        let old = std::mem::replace(&mut self.buckets, larger);
        for entry in
            old.iter().flat_map(|bucket| bucket.iter().rev()).filter(|entry| **entry != [0; 2])
        {
            let bucket = self.bucket(Pawns { own: entry[0], other: entry[1] });
            self.buckets[bucket].rotate_right(1);
            self.buckets[bucket][0] = *entry;
        }
    }
}
