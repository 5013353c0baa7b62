//! Root parallelisation: independent searches with seeds of their own, their tallies summed.
//!
//! The same numbers for the same number of searches, whatever the threads do meanwhile; also in
//! `python/sylve/search/running/summed.py`.

use super::super::any_searcher::AnySearcher;
use super::super::bytes::{Damaged, Reader, Writer};
use super::super::config::{Algorithm, Config};
use super::super::formulas::Parts;
use super::super::report::{MoveNumbers, Numbers, order_by};
use super::super::searcher::Searcher;
use super::super::tally::Tally;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::{hash_words, mix};
use crate::solve::Solvable;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Several searches of one position, one to a thread.
pub struct IndependentSearcher<G: Game> {
    searches: Vec<Searcher<G>>,
    moves: Vec<Move>,
    /// Whose turn it is.
    player: Player,
    /// The answer is the move with the best mean, not the most visited one.
    by_mean: bool,
    by_amaf: bool,
}

/// The seed of search number `index`.
///
/// Simulation i has the stream `mix(mix(seed) + i)`: the searches count the other way, so that none
/// of them has the seed of a simulation.
pub fn seed_of(seed: u64, index: u64) -> u64 {
    mix(mix(seed).wrapping_sub(index + 1))
}

impl<G: Solvable + Evaluate> IndependentSearcher<G> {
    /// As many searches as threads; `config` must not be refused.
    pub fn new(
        game: &Arc<G>,
        root: &G::State,
        moves: &[Move],
        config: &Config,
        threads: usize,
    ) -> IndependentSearcher<G> {
        let give_up = Arc::default();
        let search = |index: usize| {
            let config = Config { seed: seed_of(config.seed, index as u64), ..config.clone() };
            let (game, root) = (Arc::clone(game), root.clone());
            Searcher::solving_until(game, root, moves.to_vec(), config, &give_up)
        };
        IndependentSearcher {
            searches: (0..threads).map(search).collect(),
            moves: moves.to_vec(),
            player: game.turn(root),
            by_mean: matches!(config.algorithm, Algorithm::Flat { .. }),
            by_amaf: config.algorithm == Algorithm::FlatAmaf,
        }
    }
}

/// How many more each search gets: those with the fewest first, and the first of equal ones, so that
/// `run(a); run(b)` equals `run(a + b)` also if a run ended early.
pub fn shares(done: &[u64], simulations: u64) -> Vec<u64> {
    let total: u128 = done.iter().map(|&n| u128::from(n)).sum::<u128>() + u128::from(simulations);
    // The searches that are ahead of an even share get nothing, and the others share the rest.
    let mut behind: Vec<usize> = (0..done.len()).collect();
    let mut rest = total;
    while let Some(place) =
        behind.iter().position(|&index| u128::from(done[index]) > rest / behind.len() as u128)
    {
        rest -= u128::from(done[behind.remove(place)]);
    }
    let (even, more) = (rest / behind.len() as u128, rest % behind.len() as u128);
    let mut shares = vec![0; done.len()];
    for (place, index) in behind.into_iter().enumerate() {
        let target = even + u128::from((place as u128) < more);
        shares[index] = (target - u128::from(done[index])) as u64;
    }
    shares
}

impl<G: Evaluate> AnySearcher for IndependentSearcher<G> {
    fn run(&mut self, simulations: u64, stop: &AtomicBool) {
        let done: Vec<u64> = self.searches.iter().map(AnySearcher::simulations).collect();
        let shares = shares(&done, simulations);
        std::thread::scope(|scope| {
            for (search, share) in self.searches.iter_mut().zip(shares) {
                scope.spawn(move || search.run(share, stop));
            }
        });
    }

    fn simulations(&self) -> u64 {
        self.searches.iter().map(AnySearcher::simulations).sum()
    }

    fn nodes(&self) -> usize {
        self.searches.iter().map(AnySearcher::nodes).sum()
    }

    fn proof(&self) -> Option<Outcome> {
        self.searches.iter().find_map(AnySearcher::proof)
    }

    fn is_refused(&self) -> bool {
        self.searches.iter().any(AnySearcher::is_refused)
    }

    fn advance(&mut self, mv: Move, moves: Vec<Move>) {
        for search in &mut self.searches {
            search.advance(mv, moves.clone());
        }
        self.moves = moves;
        self.player = self.searches[0].turn();
    }

    fn digest(&mut self) -> u64 {
        hash_words(self.searches.iter_mut().map(AnySearcher::digest))
    }

    fn settle(&mut self) {
        self.searches.iter_mut().for_each(AnySearcher::settle);
    }

    fn give_up(&self) -> Arc<AtomicBool> {
        self.searches[0].give_up()
    }

    fn save(&mut self, out: &mut Writer) {
        for search in &mut self.searches {
            let mut part = Writer::default();
            search.save(&mut part);
            out.number(part.bytes.len() as u64);
            out.bytes.append(&mut part.bytes);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        for search in &mut self.searches {
            let mut part = from.part()?;
            search.load(&mut part)?;
            part.finish()?;
        }
        Ok(())
    }

    fn numbers(&mut self) -> Numbers {
        let all: Vec<Numbers> = self.searches.iter_mut().map(AnySearcher::numbers).collect();
        let sum = |tally: &dyn Fn(&Numbers) -> Tally| {
            all.iter().map(tally).fold(Tally::default(), Tally::plus)
        };
        let moves: Vec<MoveNumbers> = (0..self.moves.len())
            .map(|index| MoveNumbers {
                own: sum(&|numbers| numbers.moves[index].own),
                amaf: all[0].moves[index]
                    .amaf
                    .map(|_| sum(&|numbers| numbers.moves[index].amaf.unwrap_or_default())),
                // Nobody chooses by the sum: there is no next choice, and no score.
                parts: Parts { value: f64::NAN, exploration: f64::NAN, beta: None },
                mean: None,
                // Each search has its own.
                implicit: None,
                prior: all[0].moves[index].prior,
            })
            .collect();
        let mean = |tally: Tally| if tally.visits > 0 { tally.mean() } else { 0.5 };
        let value = |numbers: &MoveNumbers| match numbers.amaf {
            Some(amaf) if self.by_amaf => mean(amaf),
            _ if self.by_mean => mean(numbers.own),
            _ => f64::from(numbers.own.visits),
        };
        // What one of them has proven is so.
        let proven = |index: usize| all.iter().find_map(|numbers| numbers.proofs[index]);
        let proofs: Vec<Option<Outcome>> = (0..moves.len()).map(proven).collect();
        let worth = |(numbers, proof): (&MoveNumbers, &Option<Outcome>)| {
            // More than any number of visits, and nothing where nothing is proven.
            let points = proof.map_or(1, |proof| proof.points(self.player));
            (f64::from(points) - 1.0) * 4_294_967_296.0 + value(numbers)
        };
        let values: Vec<f64> = moves.iter().zip(&proofs).map(worth).collect();
        let own: Vec<Tally> = moves.iter().map(|numbers| numbers.own).collect();
        let order = order_by(&values, &own, None);
        let best = self.moves[order[0]];
        // The line of the first search that agrees; else nobody knows the reply.
        let line = all.iter().map(|numbers| &numbers.line).find(|line| line[0] == best);
        Numbers {
            line: line.cloned().unwrap_or_else(|| vec![best]),
            moves,
            proofs,
            full: all.iter().any(|numbers| numbers.full),
            order,
            simulations: all.iter().map(|numbers| numbers.simulations).sum(),
            nodes: all.iter().map(|numbers| numbers.nodes).sum(),
            bytes: all.iter().map(|numbers| numbers.bytes).sum(),
            steps: all.iter().map(|numbers| numbers.steps).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_go_on() {
        assert_eq!(shares(&[0, 0, 0], 7), [3, 2, 2]);
        assert_eq!(shares(&[3, 2, 2], 1), [0, 1, 0]);
        assert_eq!(shares(&[3, 2, 2], 2), [0, 1, 1]);
        assert_eq!(shares(&[9, 0, 1], 4), [0, 3, 1], "those behind catch up first");
        assert_eq!(shares(&[5, 5], 0), [0, 0]);
        assert_eq!(shares(&[0, 2, 2], 0), [0, 0, 0]);
        assert_eq!(shares(&[0, 2, 2], 1), [1, 0, 0]);
    }

    #[test]
    fn however_a_run_is_cut_the_end_is_the_same() {
        let whole = shares(&[0; 3], 100);
        for cut in 0..100 {
            // Any progress below the shares: a run that was ended early.
            let part = [cut % 35, (cut * 7) % 34, (cut * 3) % 34];
            let rest = shares(&part, 100 - part.iter().sum::<u64>());
            let sums: Vec<u64> = part.iter().zip(rest).map(|(a, b)| a + b).collect();
            assert_eq!(sums, whole);
        }
    }

    #[test]
    fn seeds_differ() {
        let mut seeds: Vec<u64> = (0..1000).map(|index| seed_of(7, index)).collect();
        seeds.push(7);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 1001);
    }
}
