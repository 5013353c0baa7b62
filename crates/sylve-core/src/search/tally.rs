//! Statistics of a move: whole numbers, so that sums and variances are exact.

/// How often, with how many wins and draws, for the player who makes the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How often.
    pub visits: u32,
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
}

impl Tally {
    /// Counts a result: 2 for a win, 1 for a draw, 0 for a loss.
    #[inline(always)]
    pub fn add(&mut self, points: u32) {
        self.visits += 1;
        self.wins += u32::from(points == 2);
        self.draws += u32::from(points == 1);
    }

    /// The sum of two tallies.
    #[inline(always)]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            visits: self.visits + other.visits,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
        }
    }

    /// The same results seen by the other player.
    #[inline(always)]
    pub fn of_second(self) -> Tally {
        Tally { wins: self.visits - self.wins - self.draws, ..self }
    }

    /// The mean result, 0 to 1; `visits` must not be 0.
    #[inline(always)]
    pub fn mean(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.visits)
    }

    /// The mean squared distance from the mean, results being 1, 1/2 and 0.
    #[inline(always)]
    pub fn variance(self) -> f64 {
        let mean = self.mean();
        let square = (f64::from(self.wins) + 0.25 * f64::from(self.draws)) / f64::from(self.visits);
        let value = square - mean * mean;
        if value > 0.0 { value } else { 0.0 }
    }

    /// The squared standard error of the mean: sample variance / visits; `visits` >= 2.
    #[inline(always)]
    pub fn variance_of_mean(self) -> f64 {
        self.variance() / (f64::from(self.visits) - 1.0)
    }
}
