//! Connect Four: open threes and twos, and stones near the middle.

use super::{Evaluate, Terms};
use crate::games::connect_four::{ConnectFour, State};

/// What three stones in an open line of four are worth, two, and a stone one column nearer to the
/// middle; chosen by hand.
const THREE: i32 = 1000;
const TWO: i32 = 100;
const MIDDLE: i32 = 50;

impl ConnectFour {
    /// Lines of four cells with three stones of `own` and an empty one, and with two of each.
    #[inline(always)]
    fn open_lines(&self, own: u64, empty: u64) -> (u32, u32) {
        let right = self.rows + 1;
        let (mut threes, mut twos) = (0, 0);
        for step in [1, right, right - 1, right + 1] {
            // Pairs of neighbours: both own, one of each, both empty; then pairs of pairs.
            let both = own & (own >> step);
            let one = (own & (empty >> step)) | (empty & (own >> step));
            let none = empty & (empty >> step);
            let beyond = 2 * step;
            let three = (both & (one >> beyond)) | (one & (both >> beyond));
            let two =
                (both & (none >> beyond)) | (none & (both >> beyond)) | (one & (one >> beyond));
            threes += three.count_ones();
            twos += two.count_ones();
        }
        (threes, twos)
    }

    /// The distances of the stones from the nearer side edge, summed.
    #[inline(always)]
    fn nearness(&self, stones: u64) -> i32 {
        let column = (1u64 << self.rows) - 1;
        let sum = |(index, near): (usize, usize)| {
            (stones & column << (index * (self.rows + 1))).count_ones() as i32 * near as i32
        };
        (0..self.columns).map(|index| (index, index.min(self.columns - 1 - index))).map(sum).sum()
    }

    #[inline(always)]
    fn parts(&self, state: &State) -> [i32; 3] {
        let empty = self.board & !(state.own | state.other);
        let (own, other) = (self.open_lines(state.own, empty), self.open_lines(state.other, empty));
        [
            THREE * (own.0 as i32 - other.0 as i32),
            TWO * (own.1 as i32 - other.1 as i32),
            MIDDLE * (self.nearness(state.own) - self.nearness(state.other)),
        ]
    }
}

impl Evaluate for ConnectFour {
    const EVALUATIONS: &'static [&'static str] = &["threes"];

    #[inline(always)]
    fn evaluate(&self, state: &State, _: usize) -> i32 {
        self.parts(state).into_iter().sum()
    }

    fn terms(&self, state: &State, _: usize) -> Terms {
        ["threes", "twos", "middle"].into_iter().zip(self.parts(state)).collect()
    }
}
