//! A root search as bytes.

use super::super::config::Algorithm;
use super::super::root::RootSearch;
use super::{Damaged, Reader, Writer};
use crate::game::Game;

impl<G: Game> RootSearch<G> {
    /// Writes what it counts, and what only some searches have.
    pub fn save(&self, out: &mut Writer) {
        out.number(self.visits);
        for &tally in self.tallies.iter().chain(&self.amaf) {
            out.tally(tally);
        }
        if self.weighs() {
            for &value in self.weights.iter().chain(&self.sums) {
                out.word(value.to_bits());
            }
        }
        if self.halves() {
            out.number(self.halving.turn);
            for &rounds in &self.halving.survived {
                out.number(rounds);
            }
        }
    }

    /// Reads it back; the answer is its visits.
    pub fn load(&mut self, game: &G, from: &mut Reader<'_>) -> Result<u32, Damaged> {
        let draws = game.has_draws();
        self.visits = from.count(u32::MAX)?;
        let mut total = 0;
        for tally in &mut self.tallies {
            *tally = from.tally(self.visits - total, draws)?;
            total += tally.visits;
        }
        for tally in &mut self.amaf {
            *tally = from.tally(self.visits, draws)?;
        }
        if self.weighs() {
            for value in self.weights.iter_mut().chain(&mut self.sums) {
                *value = f64::from_bits(from.word()?);
            }
            let good =
                |(sum, weight): (&f64, &f64)| weight.is_finite() && (0.0..=*weight).contains(sum);
            if !self.sums.iter().zip(&self.weights).all(good) {
                return Err(Damaged("a weight that cannot be"));
            }
        }
        if self.halves() {
            let turn = from.number(u64::MAX >> 1)?;
            for rounds in &mut self.halving.survived {
                *rounds = from.count(64)?;
            }
            self.resume_halving(turn)?;
        }
        Ok(self.visits)
    }

    /// The moves left are those that have survived the most rounds.
    fn resume_halving(&mut self, turn: u64) -> Result<(), Damaged> {
        let most = self.halving.survived.iter().copied().max().unwrap_or(0);
        let left = (0..self.tallies.len()).filter(|&index| self.halving.survived[index] == most);
        self.halving.left = left.collect();
        self.halving.round_ends = self.share() * self.halving.left.len() as u64;
        self.halving.turn = turn;
        if self.halving.left.len() > 1 && turn > self.halving.round_ends {
            return Err(Damaged("a round is longer than it can be"));
        }
        Ok(())
    }

    fn weighs(&self) -> bool {
        matches!(self.algorithm, Algorithm::Flat { .. } | Algorithm::Ucb(_))
    }

    fn halves(&self) -> bool {
        matches!(self.algorithm, Algorithm::SequentialHalving { .. })
    }
}
