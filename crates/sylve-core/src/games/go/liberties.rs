//! What a chain knows of its liberties: how many pairs of a stone and an empty neighbour there are, or
//! enough to see an atari without looking at its stones.

/// Liberties of a chain, counted once for each of its stones that touches them.
pub trait Liberties: Copy {
    /// There are none.
    const NONE: Self;
    /// Of what is no chain: no number of stones makes it [`Liberties::NONE`].
    const NO_CHAIN: Self;

    /// With the liberty `point` once more (`by` = 1) or less (`by` = -1).
    fn changed(self, point: usize, by: i16) -> Self;

    /// Those of both.
    fn joined(self, other: Self) -> Self;

    /// Those of four points that are empty, which are `count`.
    fn of_empty(count: i16, points: [usize; 4], is_empty: impl Fn(usize) -> bool) -> Self;

    fn is_none(self) -> bool;
}

/// Their number.
impl Liberties for i16 {
    const NONE: i16 = 0;
    /// 4 a stone, of which a playout puts fewer than 4 * 361: half of this at most.
    const NO_CHAIN: i16 = i16::MAX / 2;

    #[inline(always)]
    fn changed(self, _: usize, by: i16) -> i16 {
        self + by
    }

    #[inline(always)]
    fn joined(self, other: i16) -> i16 {
        self + other
    }

    #[inline(always)]
    fn of_empty(count: i16, _: [usize; 4], _: impl Fn(usize) -> bool) -> i16 {
        count
    }

    #[inline(always)]
    fn is_none(self) -> bool {
        self == 0
    }
}

/// Their number, the sum of their points and the sum of the squares, in one word. The points are all
/// the same exactly if number * squares = sum * sum (else the variance of the points is not 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exact(u64);

// At most 4 * 361 liberties and 421 points: the number is below 2^12, the sum below 2^20, and the sum
// of the squares below 2^32.
const SUM: u32 = 12;
const SQUARES: u32 = 32;

impl Exact {
    #[inline(always)]
    fn of(point: usize) -> u64 {
        let point = point as u64;
        1 | point << SUM | (point * point) << SQUARES
    }

    /// The liberty, if there is only one.
    #[inline(always)]
    pub fn single(self) -> Option<usize> {
        self.is_single().then(|| {
            let count = self.0 & ((1 << SUM) - 1);
            (self.sum() / count) as usize
        })
    }

    #[inline(always)]
    pub fn is_single(self) -> bool {
        let (count, sum) = (self.0 & ((1 << SUM) - 1), self.sum());
        count != 0 && count * (self.0 >> SQUARES) == sum * sum
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0 >> SUM & ((1 << (SQUARES - SUM)) - 1)
    }
}

impl Liberties for Exact {
    const NONE: Exact = Exact(0);
    /// What a playout adds or takes is below 2^62.
    const NO_CHAIN: Exact = Exact(1 << 63);

    #[inline(always)]
    fn changed(self, point: usize, by: i16) -> Exact {
        // Sums and differences of words, whatever the fields carry: they never are below 0.
        let one = Exact::of(point);
        Exact(if by < 0 { self.0.wrapping_sub(one) } else { self.0.wrapping_add(one) })
    }

    #[inline(always)]
    fn joined(self, other: Exact) -> Exact {
        Exact(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn of_empty(_: i16, points: [usize; 4], is_empty: impl Fn(usize) -> bool) -> Exact {
        let all = points.map(|at| if is_empty(at) { Exact::of(at) } else { 0 });
        Exact(all.into_iter().sum())
    }

    #[inline(always)]
    fn is_none(self) -> bool {
        self.0 == 0
    }
}
