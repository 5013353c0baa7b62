//! Flat searches: bandits over the moves of the position, no tree. As in `python/sylve/search/reference/bandits.py`.

use super::arithmetic::{beta, ln, uniform};
use super::bytes::{Damaged, Reader, Writer};
use super::config::{Algorithm, Rule};
use super::formulas::Parts;
use super::policies::Playouts;
use super::report::{MoveNumbers, Numbers, order_by};
use super::tally::Tally;
use super::units::{Counting, Units, WIN};
use super::visited_codes::VisitedCodes;
use crate::cpu::Cpu;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Player, Record};
use crate::rng::Rng;

/// A flat search that goes on where it stopped.
pub struct BanditSearch<G: Game> {
    root: G::State,
    moves: Vec<Move>,
    codes: Vec<u16>,
    algorithm: Algorithm,
    visits: u32,
    tallies: Vec<Tally>,
    amaf: Vec<Tally>,
    /// Weighted visits and sums of results (`flat` with gamma, `discounted`).
    weights: Vec<f64>,
    sums: Vec<f64>,
    halving: Halving,
    /// Of a simulation: its codes in their order (`flat_amaf`), and each once.
    played: Vec<u16>,
    seen: VisitedCodes,
}

/// The rounds of sequential halving.
struct Halving {
    left: Vec<usize>,
    survived: Vec<u32>,
    turn: u64,
    round_ends: u64,
}

impl<G: Evaluate> BanditSearch<G> {
    /// Nothing tried yet.
    pub fn new(
        game: &G,
        mut root: G::State,
        moves: Vec<Move>,
        algorithm: Algorithm,
    ) -> BanditSearch<G> {
        game.forget_last(&mut root); // a position read from a text knows of none either
        let count = moves.len();
        let codes = moves.iter().map(|&mv| game.code(&root, mv) as u16).collect();
        let mut search = BanditSearch {
            root,
            codes,
            visits: 0,
            tallies: vec![Tally::default(); count],
            amaf: vec![Tally::default(); count],
            weights: vec![0.0; count],
            sums: vec![0.0; count],
            halving: Halving {
                left: (0..count).collect(),
                survived: vec![0; count],
                turn: 0,
                round_ends: 0,
            },
            played: Vec::new(),
            seen: VisitedCodes::new(game),
            moves,
            algorithm,
        };
        search.halving.round_ends = search.share() * count as u64;
        search
    }

    /// Whose turn it is.
    pub fn turn(&self, game: &G) -> Player {
        game.turn(&self.root)
    }

    /// Begins again with the position after `mv`, which has these moves.
    pub fn advance(&mut self, game: &G, mv: Move, moves: Vec<Move>) {
        let mut root = self.root.clone();
        game.play(&mut root, mv);
        *self = BanditSearch::new(game, root, moves, self.algorithm.clone());
    }

    /// The simulations of each move left in a round of sequential halving.
    fn share(&self) -> u64 {
        let Algorithm::SequentialHalving { playouts } = self.algorithm else { return 0 };
        let rounds = (self.moves.len() - 1).checked_ilog2().map_or(0, |log| log + 1);
        (playouts / (self.halving.left.len() as u64 * u64::from(rounds.max(1)))).max(1)
    }

    /// Chooses a move, plays to the end, counts the result.
    #[inline(always)]
    pub fn simulate<C: Cpu>(
        &mut self,
        game: &G,
        playouts: &mut Playouts,
        rng: &mut Rng,
        simulation: u64,
    ) {
        let (counting, learns) = (playouts.counting(), playouts.learns());
        if learns {
            self.seen.clear();
        }
        let result = if self.algorithm == Algorithm::FlatAmaf {
            self.played.clear();
            let result = playouts.play::<C, _, _>(game, self.root.clone(), rng, &mut self.played);
            if learns {
                self.seen.fill_in_order(&self.played, 0);
            }
            self.count_amaf(result.of_player(game.turn(&self.root)), counting);
            result
        } else {
            let index = self.choose(rng, simulation);
            let mut state = self.root.clone();
            game.play(&mut state, self.moves[index]);
            if learns {
                self.seen.played(usize::from(self.codes[index]));
            }
            let result = match game.outcome(&state) {
                Some(outcome) => Units::from(outcome),
                None if learns => playouts.play::<C, _, _>(game, state, rng, &mut self.seen),
                None => playouts.play::<C, _, _>(game, state, rng, &mut ()),
            };
            self.count(index, result.of_player(game.turn(&self.root)), counting);
            result
        };
        if learns {
            if self.algorithm != Algorithm::FlatAmaf {
                self.seen.list();
            }
            playouts.learn(self.seen.codes(), result);
        }
    }

    fn count_amaf(&mut self, units: u32, counting: Counting) {
        self.visits += 1;
        for (index, code) in self.codes.iter().enumerate() {
            if self.played.contains(code) {
                self.amaf[index].add(units, counting);
            }
        }
        let first = self.played.first(); // none if a game's own playout tells nothing
        if let Some(index) = self.codes.iter().position(|code| Some(code) == first) {
            self.tallies[index].add(units, counting);
        }
    }

    fn count(&mut self, index: usize, units: u32, counting: Counting) {
        self.visits += 1;
        self.tallies[index].add(units, counting);
        let share = f64::from(units) / f64::from(WIN);
        match self.algorithm {
            Algorithm::Flat { gamma } => {
                self.weights[index] = self.weights[index] * gamma + 1.0;
                self.sums[index] = self.sums[index] * gamma + share;
            }
            Algorithm::Ucb(Rule::Discounted { gamma, .. }) => {
                for (weight, sum) in self.weights.iter_mut().zip(&mut self.sums) {
                    *weight *= gamma;
                    *sum *= gamma;
                }
                self.weights[index] += 1.0;
                self.sums[index] += share;
            }
            _ => {}
        }
    }

    fn choose(&mut self, rng: &mut Rng, simulation: u64) -> usize {
        match self.algorithm {
            Algorithm::Flat { .. } => (simulation % self.moves.len() as u64) as usize,
            Algorithm::SequentialHalving { .. } => self.next_left(),
            Algorithm::Ucb(Rule::Epsilon { e }) => self.greedy(e, rng),
            Algorithm::Ucb(Rule::DecayingEpsilon { c, d }) => {
                let arms = self.moves.len() as f64;
                let value =
                    if self.visits > 0 { c * arms / (d * d * f64::from(self.visits)) } else { 1.0 };
                self.greedy(if value < 1.0 { value } else { 1.0 }, rng)
            }
            Algorithm::Ucb(Rule::Thompson { wins, losses }) => {
                first_maximum(self.tallies.iter().map(|tally| {
                    let lost = f64::from(tally.visits - tally.wins - tally.draws);
                    let a =
                        wins + f64::from(tally.wins) + 0.5 * f64::from(tally.draws) + tally.share();
                    let b = losses + lost + 0.5 * f64::from(tally.draws) - tally.share();
                    beta(a, b, rng)
                }))
            }
            Algorithm::Ucb(Rule::OwnChoice(rule)) => rule.choose(self.visits, &self.tallies, rng),
            _ => first_maximum(self.parts().into_iter().map(Parts::score)),
        }
    }

    /// Untried moves first; then a random one at the rate, else the best mean.
    fn greedy(&self, rate: f64, rng: &mut Rng) -> usize {
        if let Some(index) = self.tallies.iter().position(|tally| tally.visits == 0) {
            return index;
        }
        if uniform(rng) < rate {
            return rng.below(self.moves.len() as u32) as usize;
        }
        first_maximum(self.tallies.iter().map(|tally| tally.mean()))
    }

    fn next_left(&mut self) -> usize {
        self.halve_if_due();
        let halving = &mut self.halving;
        let index = halving.left[(halving.turn % halving.left.len() as u64) as usize];
        halving.turn += 1;
        index
    }

    /// Keeps the better half at the end of a round, the first of equal ones.
    fn halve_if_due(&mut self) {
        if self.halving.turn != self.halving.round_ends || self.halving.left.len() <= 1 {
            return;
        }
        let means = self.means();
        let mut left = std::mem::take(&mut self.halving.left);
        left.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
        left.truncate(left.len().div_ceil(2));
        left.sort_unstable();
        for &index in &left {
            self.halving.survived[index] += 1;
        }
        self.halving.left = left;
        self.halving.turn = 0;
        self.halving.round_ends = self.share() * self.halving.left.len() as u64;
    }

    /// The mean of each move; 1/2 where there is none.
    fn means(&self) -> Vec<f64> {
        if let Algorithm::Flat { gamma } = self.algorithm
            && gamma != 1.0
        {
            let pairs = self.sums.iter().zip(&self.weights);
            return pairs.map(|(&sum, &w)| if w > 0.0 { sum / w } else { 0.5 }).collect();
        }
        self.tallies.iter().map(|tally| if tally.visits > 0 { tally.mean() } else { 0.5 }).collect()
    }

    fn amaf_means(&self) -> Vec<f64> {
        self.amaf.iter().map(|tally| if tally.visits > 0 { tally.mean() } else { 0.5 }).collect()
    }

    /// Value and exploration of every move.
    fn parts(&self) -> Vec<Parts> {
        let plain = |value: f64, beta| Parts { value, exploration: 0.0, beta };
        match self.algorithm {
            Algorithm::FlatAmaf => {
                self.amaf_means().into_iter().map(|mean| plain(mean, Some(1.0))).collect()
            }
            Algorithm::Ucb(Rule::Discounted { c, .. }) => {
                let total = self.weights.iter().fold(0.0, |sum, weight| sum + weight);
                let log = if total > 1.0 { ln(total) } else { 0.0 };
                (0..self.moves.len())
                    .map(|index| {
                        if self.tallies[index].visits == 0 {
                            return Parts::untried(None);
                        }
                        let (sum, weight) = (self.sums[index], self.weights[index]);
                        let exploration = c * (log / weight).sqrt();
                        Parts { value: sum / weight, exploration, beta: None }
                    })
                    .collect()
            }
            Algorithm::Ucb(rule) => {
                self.tallies.iter().map(|&tally| rule.parts(self.visits, tally)).collect()
            }
            _ => self.means().into_iter().map(|mean| plain(mean, None)).collect(),
        }
    }

    /// The indices of the moves, best first.
    fn order(&mut self) -> Vec<usize> {
        self.halve_if_due();
        let means = self.means();
        let values = match self.algorithm {
            Algorithm::Flat { .. } => means.clone(),
            Algorithm::FlatAmaf => self.amaf_means(),
            Algorithm::SequentialHalving { .. } => {
                self.halving.survived.iter().map(|&rounds| f64::from(rounds)).collect()
            }
            _ => self.tallies.iter().map(|tally| f64::from(tally.visits)).collect(),
        };
        order_by(&values, &self.tallies, Some(&means))
    }

    /// What is known of the position after so many simulations.
    pub fn report(&mut self, simulations: u64) -> Numbers {
        let order = self.order();
        Numbers {
            moves: self.numbers(),
            proofs: vec![None; self.moves.len()],
            line: vec![self.moves[order[0]]],
            order,
            simulations,
            nodes: 1,
            bytes: 0,
            full: false,
            steps: simulations,
        }
    }

    /// What is known of the moves.
    fn numbers(&self) -> Vec<MoveNumbers> {
        let (parts, means) = (self.parts(), self.means());
        let weighted = matches!(self.algorithm, Algorithm::Flat { .. });
        (0..self.moves.len())
            .map(|index| MoveNumbers {
                own: self.tallies[index],
                amaf: (self.algorithm == Algorithm::FlatAmaf).then(|| self.amaf[index]),
                parts: parts[index],
                mean: weighted.then(|| means[index]),
                implicit: None,
                prior: None,
            })
            .collect()
    }

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
    pub fn load(
        &mut self,
        game: &G,
        counting: Counting,
        from: &mut Reader<'_>,
    ) -> Result<u32, Damaged> {
        let draws = game.has_draws();
        self.visits = from.count(u32::MAX)?;
        let mut total = 0;
        for tally in &mut self.tallies {
            *tally = from.tally(self.visits - total, draws, counting)?;
            total += tally.visits;
        }
        for tally in &mut self.amaf {
            *tally = from.tally(self.visits, draws, counting)?;
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

/// The index of the largest score; the first of equal ones.
fn first_maximum(scores: impl Iterator<Item = f64>) -> usize {
    let (mut best, mut best_score) = (0, f64::NEG_INFINITY);
    for (index, score) in scores.enumerate() {
        if score > best_score {
            (best, best_score) = (index, score);
        }
    }
    best
}
