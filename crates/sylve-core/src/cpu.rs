//! Run-time dispatch: the same code compiled for any x86-64 and for newer processors.
//!
//! With `foreign.rs` this is the only module with `unsafe` (`cpu/lanes.rs` is part of it). Hot loops
//! are written once, as [`Work`] with `#[inline(always)]` all the way down, and [`run`] picks the
//! compilation that fits the machine.

#![expect(unsafe_code, reason = "calling code compiled for another processor level")]

mod lanes;

pub use lanes::Lanes;
use std::sync::OnceLock;

/// What a processor level offers beyond what the compiler finds by itself.
pub trait Cpu: Copy + Send + Sync {
    /// Eight numbers at once.
    type Lanes: Lanes;

    /// The lowest `k` set bits of `set` removed, then the lowest one left, alone: bit number `k`.
    ///
    /// Zero if `set` has no more than `k` bits (also for `k >= 64`): a caller may look in several
    /// sets at once without a branch.
    fn nth_bit(set: u64, k: u32) -> u64;

    /// [`Cpu::nth_bit`] with `k` given as the word `1 << k`; zero if that word is zero.
    ///
    /// With the number in this form, "k less so many, if there are so many" is a shift right.
    fn nth_bit_at(set: u64, one_hot: u64) -> u64;

    /// The bits of `set` that `mask` has too, moved together at the low end: bit i of the answer is
    /// that of the i-th bit of `mask`.
    fn extract(set: u64, mask: u64) -> u64;

    /// Eight words: all ones where the bit of that number is set, else zero.
    fn masks(bits: u32) -> [u32; 8];

    /// Begins to bring what `place` refers to into the cache; nothing else changes.
    fn prefetch<T>(place: &T);

    /// The same for what will be written: other processors lose it.
    fn prefetch_to_write<T>(place: &T);

    /// Runs `work` compiled for this level, as a function of its own. Hot code is copied into each
    /// of its callers, many times over for all games: this is how they share one copy.
    fn call<W: Work>(work: W) -> W::Output;
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    type Lanes = lanes::Plain;

    #[inline(always)]
    fn nth_bit(set: u64, k: u32) -> u64 {
        // Each byte of `sums` is the number of bits of `set` up to and with that byte.
        let pairs = set - ((set >> 1) & (ONES * 0x55));
        let fours = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
        let sums = ((fours + (fours >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
        let k = u64::from(k);
        if k >= sums >> 56 {
            return 0;
        }
        // All bytes compared at once: a top bit is left where the sum exceeds k. The lowest such
        // byte holds the bit.
        let exceeds = (sums | (ONES * 0x80)) - ONES * (k + 1);
        let low = (exceeds & (ONES * 0x80)).trailing_zeros() - 7;
        let mut rest = (set >> low) & 0xff;
        for _ in 0..k - (((sums << 8) >> low) & 0xff) {
            rest &= rest - 1;
        }
        (rest & rest.wrapping_neg()) << low
    }

    #[inline(always)]
    fn nth_bit_at(set: u64, one_hot: u64) -> u64 {
        Portable::nth_bit(set, one_hot.trailing_zeros()) // 64 for zero
    }

    #[inline(always)]
    fn extract(set: u64, mut mask: u64) -> u64 {
        let (mut bits, mut place) = (0, 1);
        while mask != 0 {
            if set & mask & mask.wrapping_neg() != 0 {
                bits |= place;
            }
            mask &= mask - 1;
            place <<= 1;
        }
        bits
    }

    #[inline(always)]
    fn masks(bits: u32) -> [u32; 8] {
        std::array::from_fn(|lane| (bits >> lane & 1).wrapping_neg())
    }

    #[inline(always)]
    fn prefetch<T>(_place: &T) {}

    #[inline(always)]
    fn prefetch_to_write<T>(_place: &T) {}

    #[inline(never)]
    fn call<W: Work>(work: W) -> W::Output {
        work.run::<Portable>()
    }
}

/// x86-64-v3 and its like: BMI2 (pdep), AVX2, popcnt.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V3(());

#[cfg(target_arch = "x86_64")]
impl Cpu for V3 {
    type Lanes = lanes::Avx;

    #[inline(always)]
    fn nth_bit(set: u64, k: u32) -> u64 {
        // A shift by 64 or more must give 0, not wrap. With `if`, the compiler makes a branch of
        // it, which nobody can predict: random playouts took half as long again.
        V3::nth_bit_at(set, u64::from(k < 64) << (k & 63))
    }

    #[inline(always)]
    fn nth_bit_at(set: u64, one_hot: u64) -> u64 {
        // SAFETY: `Cpu` methods of V3 run only below `run_v3`, after BMI2 was detected.
        unsafe { std::arch::x86_64::_pdep_u64(one_hot, set) }
    }

    #[inline(always)]
    fn extract(set: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u64(set, mask) }
    }

    #[inline(always)]
    fn masks(bits: u32) -> [u32; 8] {
        use std::arch::x86_64::{_mm256_and_si256, _mm256_cmpeq_epi32, _mm256_set1_epi32};
        use std::arch::x86_64::{_mm256_setr_epi32, _mm256_storeu_si256};
        let mut masks = [0; 8];
        // SAFETY: as above, for AVX2; the 32 bytes stored are those of `masks`.
        unsafe {
            let places = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let own = _mm256_and_si256(_mm256_set1_epi32(bits as i32), places);
            _mm256_storeu_si256((&raw mut masks).cast(), _mm256_cmpeq_epi32(own, places));
        }
        masks
    }

    #[inline(always)]
    fn prefetch<T>(place: &T) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has this instruction, and it reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *place).cast()) }
    }

    #[inline(always)]
    fn prefetch_to_write<T>(place: &T) {
        // SAFETY: as above; processors of this level that lack it take it for no instruction. In
        // assembler because the compiler uses it only if told that the processor has it.
        unsafe {
            std::arch::asm!("prefetchw [{}]", in(reg) place, options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn call<W: Work>(work: W) -> W::Output {
        // SAFETY: as above.
        unsafe { run_v3(work) }
    }
}

/// A computation to be compiled once per processor level.
pub trait Work {
    /// Its result.
    type Output;
    /// The computation. Implement it `#[inline(always)]`, and all that is hot below it.
    fn run<C: Cpu>(self) -> Self::Output;
}

/// The levels that [`run`] chooses from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// See [`Portable`].
    Portable,
    /// See `V3`.
    V3,
}

/// The level of this process: the best of the machine, or `portable` if `SYLVE_CPU` says so.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let portable = std::env::var_os("SYLVE_CPU").is_some_and(|value| value == "portable");
        if !portable && has_v3() { Level::V3 } else { Level::Portable }
    })
}

#[cfg(target_arch = "x86_64")]
fn has_v3() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_v3() -> bool {
    false
}

/// Runs `work` compiled for this processor.
#[inline]
pub fn run<W: Work>(work: W) -> W::Output {
    match level() {
        // SAFETY: `level` answers V3 only after detecting every feature that `run_v3` enables.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { run_v3(work) },
        _ => Portable::call(work),
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<W: Work>(work: W) -> W::Output {
    work.run::<V3>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NthBits(u64);

    impl Work for NthBits {
        type Output = [Vec<u64>; 2];
        #[inline(always)]
        fn run<C: Cpu>(self) -> [Vec<u64>; 2] {
            [
                (0..70).map(|k| C::nth_bit(self.0, k)).collect(),
                (0..70).map(|k| C::nth_bit_at(self.0, 1u64.checked_shl(k).unwrap_or(0))).collect(),
            ]
        }
    }

    struct Sets(u64, u64);

    impl Work for Sets {
        type Output = (u64, [u32; 8]);
        #[inline(always)]
        fn run<C: Cpu>(self) -> Self::Output {
            (C::extract(self.0, self.1), C::masks(self.0 as u32))
        }
    }

    #[test]
    fn extracted_bits_and_masks_are_the_same_on_every_level() {
        for seed in 0..300 {
            let mut rng = crate::Rng::stream(2, seed);
            let (set, mask) = (rng.next() & rng.next(), rng.next() & rng.next());
            let places = (0..64).filter(|place| mask >> place & 1 == 1).enumerate();
            let expected = (
                places.fold(0, |word, (i, place)| word | (set >> place & 1) << i),
                std::array::from_fn(|lane| if set >> lane & 1 == 1 { u32::MAX } else { 0 }),
            );
            assert_eq!(Sets(set, mask).run::<Portable>(), expected);
            assert_eq!(run(Sets(set, mask)), expected);
        }
    }

    #[test]
    fn nth_bit_is_the_kth_bit_on_every_level() {
        for seed in 0..200 {
            let mut rng = crate::Rng::stream(1, seed);
            let set = rng.next() & rng.next();
            let mut expected: Vec<u64> =
                (0..64).map(|i| set & (1 << i)).filter(|&b| b != 0).collect();
            expected.resize(70, 0);
            let expected = [expected.clone(), expected];
            assert_eq!(NthBits(set).run::<Portable>(), expected);
            assert_eq!(run(NthBits(set)), expected);
        }
    }
}
