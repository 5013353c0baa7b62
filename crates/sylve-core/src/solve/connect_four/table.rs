//! What the search knows of positions. A position is one key, and no two are ever confused.

use super::super::slots::slots_within;
use super::board::Board;
use crate::cpu::Cpu;
use crate::memory;

/// Two entries.
type Bucket = [u64; 2];

/// A table begins small and grows with what it holds, to 4 MB: what costs few nodes is soon forgotten,
/// and that is no loss. With 256 MB the start of 7 x 6 takes 6 % fewer nodes and twice the time, since
/// each look waits for the memory. (A board with wide keys needs more buckets for its short labels.)
const LEAST_BITS: u32 = 10;
const MOST_BITS: u32 = 18;

/// An entry: 42 bits of the key, then these.
const KEY_BITS: u32 = 42;
const LOW: u32 = 16;
const HIGH: u32 = 10;
const COLUMN: u32 = 6;
/// Bounds are kept as numbers from 0 to 63.
const ZERO: i32 = 32;

/// What is known of a position: its value lies from `low` to `high`; `column` was best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub low: i32,
    pub high: i32,
    pub column: u32,
}

/// A bijection of the keys that spreads them over the buckets. The table asks for what it gives.
#[inline(always)]
pub fn mix(board: &Board, key: u64) -> u64 {
    let width = board.columns * board.step;
    let mask = u64::MAX >> (64 - width);
    let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
    (product ^ product >> (width / 2)).wrapping_mul(0xD6E8_FEB8_6659_FD93) & mask
}

pub struct Table {
    buckets: Vec<Bucket>,
    /// The number of buckets is 2 to this.
    bits: u32,
    /// The most that `bits` may be.
    most_bits: u32,
    /// Of a key.
    width: u32,
    used: usize,
}

/// The bits of a key that an entry does not hold are those that find the bucket.
fn least_bits(board: &Board) -> u32 {
    (board.columns * board.step).saturating_sub(KEY_BITS).max(LEAST_BITS)
}

impl Table {
    /// An empty table, which grows within so many bytes.
    pub fn new(board: &Board, bytes: usize) -> Table {
        let (bits, width) = (least_bits(board), board.columns * board.step);
        let most_bits = MOST_BITS.min(slots_within(bytes, size_of::<Bucket>()).ilog2());
        Table { buckets: vec![[0; 2]; 1 << bits], bits, most_bits, width, used: 0 }
    }

    /// The bytes that it takes at least.
    pub fn least_bytes(board: &Board) -> usize {
        size_of::<Bucket>() << least_bits(board)
    }

    #[inline(always)]
    fn bucket(&self, mixed: u64) -> usize {
        (mixed >> (self.width - self.bits)) as usize
    }

    /// The part of a key that an entry holds, in its place.
    #[inline(always)]
    fn label(mixed: u64) -> u64 {
        mixed << (64 - KEY_BITS)
    }

    #[inline(always)]
    fn same_label(one: u64, other: u64) -> bool {
        (one ^ other) >> (64 - KEY_BITS) == 0
    }

    /// Begins to fetch what [`Table::get`] will look at.
    #[inline(always)]
    pub fn prefetch<C: Cpu>(&self, mixed: u64) {
        C::prefetch(&self.buckets[self.bucket(mixed)]);
    }

    #[inline(always)]
    pub fn get(&self, mixed: u64) -> Option<Entry> {
        let label = Table::label(mixed);
        let bucket = &self.buckets[self.bucket(mixed)];
        let found = *bucket.iter().find(|&&entry| entry != 0 && Table::same_label(entry, label))?;
        let bound = |shift: u32| (found >> shift & 63) as i32 - ZERO;
        Some(Entry { low: bound(LOW), high: bound(HIGH), column: (found >> COLUMN & 15) as u32 })
    }

    /// `work`: the nodes that the entry has cost. The cheapest one of the bucket gives way.
    #[inline(always)]
    pub fn put(&mut self, mixed: u64, entry: Entry, work: u64) {
        if self.used > self.buckets.len() && self.bits < self.most_bits {
            self.grow();
        }
        let bound = |value: i32, shift: u32| ((value + ZERO) as u64) << shift;
        let cost = u64::from(64 - work.leading_zeros()).clamp(1, 63); // never 0: that is no entry
        let packed = Table::label(mixed)
            | bound(entry.low, LOW)
            | bound(entry.high, HIGH)
            | u64::from(entry.column) << COLUMN
            | cost;
        self.insert(self.bucket(mixed), packed);
    }

    #[inline(always)]
    fn insert(&mut self, bucket: usize, packed: u64) {
        let bucket = &mut self.buckets[bucket];
        let (mut place, mut least) = (0, u64::MAX);
        for (index, &entry) in bucket.iter().enumerate() {
            if entry != 0 && Table::same_label(entry, packed) {
                place = index;
                break;
            }
            if entry & 63 < least {
                (place, least) = (index, entry & 63);
            }
        }
        self.used += usize::from(bucket[place] == 0);
        bucket[place] = packed;
    }

    #[cold]
    fn grow(&mut self) {
        let (old_bits, bits) = (self.bits, (self.bits + 2).min(self.most_bits));
        if !memory::is_there(size_of::<[u64; 2]>() << bits) {
            self.used = 0; // it forgets instead, and asks again later
            return;
        }
        let old = std::mem::replace(&mut self.buckets, vec![[0; 2]; 1 << bits]);
        (self.bits, self.used) = (bits, 0);
        for (index, bucket) in old.into_iter().enumerate() {
            for packed in bucket.into_iter().filter(|&packed| packed != 0) {
                // The key again: its high bits from the bucket, its low ones from the entry. Where they
                // overlap they agree.
                let mixed = (index as u64) << (self.width - old_bits) | packed >> (64 - KEY_BITS);
                self.insert(self.bucket(mixed), packed);
            }
        }
    }
}
