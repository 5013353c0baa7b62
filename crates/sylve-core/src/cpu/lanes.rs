//! Eight single-precision numbers at once: what the compiler does not reliably find by itself.

#![expect(unsafe_code, reason = "calling code compiled for another processor level")]

/// Eight numbers. Every operation rounds as the same operation on one number does.
pub trait Lanes: Copy {
    /// Eight times the same.
    fn splat(value: f32) -> Self;
    /// These eight.
    fn from_array(values: [f32; 8]) -> Self;
    /// The lower halves of the words.
    fn from_low(words: &[u32; 8]) -> Self;
    /// The upper halves of the words.
    fn from_high(words: &[u32; 8]) -> Self;
    /// The numbers.
    fn to_array(self) -> [f32; 8];
    /// self + other
    fn plus(self, other: Self) -> Self;
    /// self - other
    fn minus(self, other: Self) -> Self;
    /// self * other
    fn times(self, other: Self) -> Self;
    /// self / other
    fn over(self, other: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The larger one; `self` if either is not a number.
    fn larger(self, other: Self) -> Self;
    /// `self` where `condition` is above 0, else `other`.
    fn where_positive(self, condition: Self, other: Self) -> Self;
    /// A bit for each number that is not below `least`; what is not a number counts.
    fn not_below(self, least: f32) -> u32;

    /// The largest, if there is a number among them that is comparable with the first.
    #[inline(always)]
    fn highest(self) -> f32 {
        let larger = |one: f32, other: f32| if other > one { other } else { one };
        let all = self.to_array();
        let four: [f32; 4] = std::array::from_fn(|lane| larger(all[lane], all[lane + 4]));
        larger(larger(four[0], four[2]), larger(four[1], four[3]))
    }
}

/// For any processor.
#[derive(Clone, Copy, Debug)]
pub struct Plain([f32; 8]);

impl Plain {
    #[inline(always)]
    fn both(self, other: Plain, operation: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: f32) -> Plain {
        Plain([value; 8])
    }
    #[inline(always)]
    fn from_array(values: [f32; 8]) -> Plain {
        Plain(values)
    }
    #[inline(always)]
    fn from_low(words: &[u32; 8]) -> Plain {
        Plain(words.map(|word| (word & 0xFFFF) as f32))
    }
    #[inline(always)]
    fn from_high(words: &[u32; 8]) -> Plain {
        Plain(words.map(|word| (word >> 16) as f32))
    }
    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self.0
    }
    #[inline(always)]
    fn plus(self, other: Plain) -> Plain {
        self.both(other, |a, b| a + b)
    }
    #[inline(always)]
    fn minus(self, other: Plain) -> Plain {
        self.both(other, |a, b| a - b)
    }
    #[inline(always)]
    fn times(self, other: Plain) -> Plain {
        self.both(other, |a, b| a * b)
    }
    #[inline(always)]
    fn over(self, other: Plain) -> Plain {
        self.both(other, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self) -> Plain {
        Plain(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn larger(self, other: Plain) -> Plain {
        self.both(other, |a, b| if b > a { b } else { a })
    }
    #[inline(always)]
    fn where_positive(self, condition: Plain, other: Plain) -> Plain {
        let one = |lane: usize| if condition.0[lane] > 0.0 { self.0[lane] } else { other.0[lane] };
        Plain(std::array::from_fn(one))
    }
    #[inline(always)]
    fn not_below(self, least: f32) -> u32 {
        let below = |lane: usize| u32::from(self.0[lane] < least) << lane;
        !(0..8).fold(0, |bits, lane| bits | below(lane)) & 0xFF
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::Lanes;
    use std::arch::x86_64::*;

    /// For processors with AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx(__m256);

    // SAFETY, here and below: these methods run only below `cpu::run_v3`, after AVX2 was detected;
    // what is loaded or stored are the 32 bytes of an array of eight words.
    #[inline(always)]
    fn load(words: &[u32; 8]) -> __m256i {
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    impl Lanes for Avx {
        #[inline(always)]
        fn splat(value: f32) -> Avx {
            Avx(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        fn from_array(values: [f32; 8]) -> Avx {
            Avx(unsafe { _mm256_loadu_ps(values.as_ptr()) })
        }
        #[inline(always)]
        fn from_low(words: &[u32; 8]) -> Avx {
            unsafe {
                let low = _mm256_and_si256(load(words), _mm256_set1_epi32(0xFFFF));
                Avx(_mm256_cvtepi32_ps(low))
            }
        }
        #[inline(always)]
        fn from_high(words: &[u32; 8]) -> Avx {
            Avx(unsafe { _mm256_cvtepi32_ps(_mm256_srli_epi32::<16>(load(words))) })
        }
        #[inline(always)]
        fn to_array(self) -> [f32; 8] {
            let mut values = [0.0; 8];
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
            values
        }
        #[inline(always)]
        fn plus(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn minus(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn times(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn over(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sqrt(self) -> Avx {
            Avx(unsafe { _mm256_sqrt_ps(self.0) })
        }
        #[inline(always)]
        fn larger(self, other: Avx) -> Avx {
            // Its second operand is the answer where either is not a number.
            Avx(unsafe { _mm256_max_ps(other.0, self.0) })
        }
        #[inline(always)]
        fn where_positive(self, condition: Avx, other: Avx) -> Avx {
            unsafe {
                let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(condition.0, _mm256_setzero_ps());
                Avx(_mm256_blendv_ps(other.0, self.0, positive))
            }
        }
        #[inline(always)]
        fn not_below(self, least: f32) -> u32 {
            unsafe {
                let kept = _mm256_cmp_ps::<_CMP_NLT_UQ>(self.0, _mm256_set1_ps(least));
                _mm256_movemask_ps(kept) as u32
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx::Avx;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{self, Cpu, Portable, Work};

    struct Everything([f32; 8], [f32; 8], [u32; 8]);

    impl Work for Everything {
        type Output = (Vec<[u32; 8]>, [u32; 3]);
        #[inline(always)]
        fn run<C: Cpu>(self) -> Self::Output {
            let (a, b) = (C::Lanes::from_array(self.0), C::Lanes::from_array(self.1));
            let lanes = [
                a.plus(b),
                a.minus(b),
                a.times(b),
                a.over(b),
                a.sqrt(),
                a.larger(b),
                a.where_positive(b, C::Lanes::splat(7.0)),
                C::Lanes::from_low(&self.2),
                C::Lanes::from_high(&self.2),
            ];
            // Bits, to compare what is not a number too; all such are alike.
            let bits = |value: f32| if value.is_nan() { u32::MAX } else { value.to_bits() };
            let least = self.1[0];
            let numbers = [a.not_below(least), b.not_below(1.0), bits(a.highest())];
            (lanes.map(|lanes| lanes.to_array().map(bits)).to_vec(), numbers)
        }
    }

    #[test]
    fn lanes_are_the_same_on_every_level() {
        let special = [0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.3, 1e-40];
        for seed in 0..500 {
            let mut rng = crate::Rng::stream(2, seed);
            let mut numbers = || std::array::from_fn(|_| special[rng.below(8) as usize]);
            let (a, b): ([f32; 8], [f32; 8]) = (numbers(), numbers());
            let words = std::array::from_fn(|_| rng.next() as u32);
            let plain = Everything(a, b, words).run::<Portable>();
            assert_eq!(cpu::run(Everything(a, b, words)), plain);
            for lane in 0..8 {
                let kept = a[lane].partial_cmp(&b[0]) != Some(std::cmp::Ordering::Less);
                assert_eq!(plain.1[0] >> lane & 1 == 1, kept);
                assert_eq!(f32::from_bits(plain.0[7][lane]), f32::from(words[lane] as u16));
            }
        }
    }
}
