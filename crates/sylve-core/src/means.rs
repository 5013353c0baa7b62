//! The mean result of each AMAF code, for whoever chooses by it (`mast`).

use crate::rng::Rng;

/// The means at the places of codes (`Game::code_place`), for each player; 1/2 where there are no
/// results.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// The place of each code.
    places: Vec<u32>,
    exact: [Vec<f64>; 2],
    rankings: [Ranking; 2],
}

/// The moves of a player in the order in which `mast` takes them: the higher mean first, then the lower
/// move.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The place of move 0; the others follow it.
    from: usize,
    /// The moves by their rank, and their means when they were ranked.
    moves: Vec<u16>,
    means: Vec<f64>,
    /// The rank of each move.
    ranks: Vec<u16>,
}

impl Means {
    /// No results of any code; `places` are those of the codes, `ranked` is [`crate::Game::ranked_moves`].
    pub fn new(places: Vec<u32>, ranked: usize) -> Means {
        // Whole words of places, since sets of moves are looked at by words.
        let room = places.iter().max().map_or(0, |&most| (most as usize / 64 + 1) * 64);
        let exact = [vec![0.5; room], vec![0.5; room]];
        let rankings = [0, 1].map(|player| Ranking {
            from: places.get(player).map_or(0, |&place| place as usize),
            moves: (0..ranked as u16).collect(),
            means: vec![0.5; ranked],
            ranks: (0..ranked as u16).collect(),
        });
        Means { places, exact, rankings }
    }

    /// Sets the means of a code, for each player.
    #[inline(always)]
    pub fn set(&mut self, code: usize, means: [f64; 2]) {
        let place = self.places[code] as usize;
        for (exact, mean) in self.exact.iter_mut().zip(means) {
            exact[place] = mean;
        }
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        self.exact.iter_mut().for_each(|means| means.fill(0.5));
    }

    /// Those of a player, by place.
    #[inline(always)]
    pub fn of(&self, player: usize) -> &[f64] {
        &self.exact[player]
    }

    /// The rankings of both players, brought up to date.
    #[inline(always)]
    pub fn ranked(&mut self) -> &[Ranking; 2] {
        for (ranking, means) in self.rankings.iter_mut().zip(&self.exact) {
            ranking.sort(means);
        }
        &self.rankings
    }
}

impl Ranking {
    /// The moves by their rank.
    #[inline(always)]
    pub fn moves(&self) -> &[u16] {
        &self.moves
    }

    /// The rank of each move.
    #[inline(always)]
    pub fn ranks(&self) -> &[u16] {
        &self.ranks
    }

    /// By insertion: one playout changes the means so little that hardly any move goes far.
    #[inline(always)]
    fn sort(&mut self, means: &[f64]) {
        let (moves, sorted) = (&mut self.moves[..], &mut self.means[..]);
        let means = &means[self.from..];
        for rank in 0..moves.len() {
            let mv = moves[rank];
            let mean = means[usize::from(mv)];
            let comes_later = |other: f64, its: u16| other < mean || other == mean && its > mv;
            let mut at = rank;
            while at > 0 && comes_later(sorted[at - 1], moves[at - 1]) {
                (sorted[at], moves[at]) = (sorted[at - 1], moves[at - 1]);
                at -= 1;
            }
            (sorted[at], moves[at]) = (mean, mv);
        }
        for (rank, &mv) in moves.iter().enumerate() {
            self.ranks[usize::from(mv)] = rank as u16;
        }
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
