//! The mean result of each AMAF code, for whoever chooses by it (`mast`).

use crate::rng::Rng;

/// The means at the places of codes (`Game::code_place`), for each player; 1/2 where there are no
/// results.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// The place of each code.
    places: Vec<u32>,
    exact: [Vec<f64>; 2],
    /// In single precision: rounding keeps their order, but may make neighbours equal.
    quick: [Vec<f32>; 2],
}

impl Means {
    /// No results of any code; `places` are those of the codes.
    pub fn new(places: Vec<u32>) -> Means {
        // Whole words of places, and one more, since sets of moves are looked at by words.
        let room = places.iter().max().map_or(0, |&most| (most as usize / 64 + 2) * 64);
        let exact = [vec![0.5; room], vec![0.5; room]];
        Means { places, exact, quick: [vec![0.5; room], vec![0.5; room]] }
    }

    /// Sets the means of a code, for each player.
    #[inline(always)]
    pub fn set(&mut self, code: usize, means: [f64; 2]) {
        let place = self.places[code] as usize;
        for ((exact, quick), mean) in self.exact.iter_mut().zip(&mut self.quick).zip(means) {
            exact[place] = mean;
            quick[place] = mean as f32;
        }
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        self.exact.iter_mut().for_each(|means| means.fill(0.5));
        self.quick.iter_mut().for_each(|means| means.fill(0.5));
    }

    /// Those of a player, by place.
    #[inline(always)]
    pub fn of(&self, player: usize) -> &[f64] {
        &self.exact[player]
    }

    /// The same in single precision.
    #[inline(always)]
    pub fn quick(&self, player: usize) -> &[f32] {
        &self.quick[player]
    }
}

/// Whether a draw falls below a probability.
#[inline(always)]
pub fn is_random(probability: f64, rng: &mut Rng) -> bool {
    uniform(rng) < probability
}

/// A uniform number in [0, 1): the upper 53 bits of a draw.
#[inline(always)]
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
