//! Statistics of a move: whole numbers, so that sums and variances are exact.

use super::units::{Counting, DRAW, WIN};

/// How often, with how many wins and draws, for the player who makes the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How often.
    pub visits: u32,
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Of estimated results: what they sum up to beyond whole wins, in units.
    pub parts: u32,
}

impl Tally {
    /// The sum of so many results, in units.
    #[inline(always)]
    pub fn of_units(visits: u32, sum: u64) -> Tally {
        let (wins, parts) = ((sum / u64::from(WIN)) as u32, (sum % u64::from(WIN)) as u32);
        Tally { visits, wins, draws: 0, parts }
    }

    /// Counts a result.
    #[inline(always)]
    pub fn add(&mut self, units: u32, counting: Counting) {
        self.visits += 1;
        match counting {
            Counting::Outcomes => {
                self.wins += u32::from(units == WIN);
                self.draws += u32::from(units == DRAW);
            }
            Counting::Estimates => {
                let sum = self.parts + units;
                self.wins += sum / WIN;
                self.parts = sum % WIN;
            }
        }
    }

    /// The sum of two tallies.
    #[inline(always)]
    pub fn plus(self, other: Tally) -> Tally {
        let parts = self.parts + other.parts;
        Tally {
            visits: self.visits + other.visits,
            wins: self.wins + other.wins + parts / WIN,
            draws: self.draws + other.draws,
            parts: parts % WIN,
        }
    }

    /// The same results seen by the other player.
    #[inline(always)]
    pub fn of_second(self) -> Tally {
        let parts = (WIN - self.parts) % WIN;
        let wins = self.visits - self.wins - self.draws - u32::from(parts > 0);
        Tally { wins, parts, ..self }
    }

    /// The parts as a share of a win.
    #[inline(always)]
    pub fn share(self) -> f64 {
        f64::from(self.parts) / f64::from(WIN)
    }

    /// The mean result, 0 to 1; `visits` must not be 0.
    #[inline(always)]
    pub fn mean(self) -> f64 {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws) + self.share();
        points / f64::from(self.visits)
    }

    /// The mean squared distance from the mean, results being 1, 1/2 and 0. An estimate counts as if
    /// it had been played out to a win with that probability: no results vary more.
    #[inline(always)]
    pub fn variance(self) -> f64 {
        let mean = self.mean();
        let squares = f64::from(self.wins) + 0.25 * f64::from(self.draws) + self.share();
        let square = squares / f64::from(self.visits);
        let value = square - mean * mean;
        if value > 0.0 { value } else { 0.0 }
    }

    /// The squared standard error of the mean: sample variance / visits; `visits` >= 2.
    #[inline(always)]
    pub fn variance_of_mean(self) -> f64 {
        self.variance() / (f64::from(self.visits) - 1.0)
    }
}
