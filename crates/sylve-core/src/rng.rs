//! The generator: SplitMix64 (Steele, Lea and Flood 2014), specified in `docs/spec.md`.
//!
//! Each simulation has a stream of its own, keyed by (seed, index), so that the result of a
//! simulation does not depend on which thread runs it or on what ran before.

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio, made odd

/// A bijection of 64 bits with full avalanche: the finaliser of SplitMix64.
#[inline(always)]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The hash of a few words, in order: `h = mix(h ^ word)`, from 0. Every game hashes with it.
#[inline(always)]
pub fn hash_words(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = 0;
    for word in words {
        hash = mix(hash ^ word);
    }
    hash
}

/// The factors of [`hash_block`]: `mix` of 1, 2, and so on.
const FACTORS: [u64; 32] = {
    let (mut factors, mut at) = ([0; 32], 0);
    while at < factors.len() {
        factors[at] = mix(at as u64 + 1);
        at += 1;
    }
    factors
};

/// The hash of a block of words: of each pair the product in 128 bits, its halves joined, summed up. A
/// processor multiplies several pairs at once, so that it is faster than [`hash_words`] where there are
/// many. The states of compiled games are hashed with it.
#[inline(always)]
pub fn hash_block(words: &[u64]) -> u64 {
    let factor = |at: usize| FACTORS.get(at).copied().unwrap_or_else(|| mix(at as u64 + 1));
    let mut sum = 0u64;
    for (at, pair) in words.chunks(2).enumerate() {
        let (one, other) = (pair[0], pair.get(1).copied().unwrap_or(0));
        let product = u128::from(one ^ factor(2 * at)) * u128::from(other ^ factor(2 * at + 1));
        sum = sum.wrapping_add(product as u64 ^ (product >> 64) as u64);
    }
    mix(sum)
}

/// 64 random bits as a number in `0..n`: what [`Rng::below`] does with [`Rng::next`].
#[inline(always)]
pub const fn scale(bits: u64, n: u32) -> u32 {
    ((bits as u128 * n as u128) >> 64) as u32
}

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of simulation `index` of a search with this seed.
    ///
    /// `mix` on both sides: with a bare `seed + index * GAMMA`, stream `index + 1` would be
    /// stream `index` shifted by one draw.
    #[inline(always)]
    pub const fn stream(seed: u64, index: u64) -> Rng {
        Rng { state: mix(mix(seed).wrapping_add(index)) }
    }

    /// The next 64 bits.
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "an endless stream is not an iterator here")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// A number in `0..n`, `n > 0`, by the high half of a product. The bias is below n / 2^64.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        scale(self.next(), n)
    }
}

impl Rng {
    /// Where the stream is: for a generator of another language to go on from.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Goes on from there.
    pub fn set_state(&mut self, state: u64) {
        self.state = state;
    }

    /// The same for a larger `n`.
    #[inline(always)]
    pub fn below_wide(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in Python (`python/sylve/rng.py`), also beyond the table of factors.
    #[test]
    fn hashes_of_blocks() {
        let many: Vec<u64> = (0..40).collect();
        let found = [&[1][..], &[1, 2], &[1, 2, 3], &many].map(hash_block);
        let expected = [
            0xa920_8c93_daff_04c1,
            0x423d_6c9e_83f8_775d,
            0x47fb_cc96_5057_e3a4,
            0x4cec_83bc_f534_47b8,
        ];
        assert_eq!(found, expected);
    }

    /// The first outputs of SplitMix64 from state 1234567, as its authors' C code prints them.
    #[test]
    fn splitmix64_reference_vector() {
        let mut rng = Rng { state: 1_234_567 };
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for value in expected {
            assert_eq!(rng.next(), value);
        }
    }

    #[test]
    fn neighbouring_streams_are_not_shifts_of_each_other() {
        let mut a = Rng::stream(7, 0);
        let mut b = Rng::stream(7, 1);
        a.next();
        assert_ne!(a, b);
        assert_ne!(a.next(), b.next());
    }
}
