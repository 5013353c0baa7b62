//! The tallies of a node as one thread has read them, for the formulas of the serial search.

use super::super::columns::Column;
use super::super::config::Formula;
use super::super::formulas::{Parts, amaf_parts};
use super::super::pairs::{LANES, Pair};
use super::super::proofs::first_open;
use super::super::scores::{RaveScores, UctScores};
use super::super::screen::{Scores, first_maximum};
use super::cells;
use super::store::At;
use super::sync::{AtomicU64, Ordering};
use crate::cpu::{Cpu, Work};
use crate::game::Player;
use std::marker::PhantomData;

/// What a thread has read of a node: plain numbers, for the formulas of the serial search.
#[derive(Default)]
pub struct Columns {
    /// Visits (with the simulations under way) and wins.
    pub pairs: Vec<u64>,
    draws: Vec<u64>,
    /// The simulations under way. They are losses for AMAF too: without, a move that AMAF does not
    /// know yet would attract all threads at once.
    losses: Vec<u64>,
    amaf: Vec<u64>,
    amaf_draws: Vec<u64>,
    /// What is proven of each move; empty where nothing is.
    pub proofs: Vec<u8>,
    /// Visits of the node, with the simulations under way.
    pub total: u32,
    room: Vec<[f32; LANES]>,
}

impl Columns {
    /// The moves' own tallies.
    pub fn own(&self) -> Column<'_, u64> {
        Column { pairs: &self.pairs, draws: &self.draws }
    }

    /// Their tallies of AMAF.
    pub fn amaf(&self) -> Column<'_, u64> {
        Column { pairs: &self.amaf, draws: &self.amaf_draws }
    }

    /// Reads the tallies; the index of the first move that nobody has tried, if there is one.
    pub fn fill_own(&mut self, at: At<'_>) -> Option<usize> {
        let (mut total, mut untried, mut any_draws, mut any_proof) = (0, None, 0, 0);
        let moves = at.pairs.len();
        // Sized beforehand: a push for each entry would look for room each time.
        self.pairs.resize(moves, 0);
        self.draws.resize(moves, 0);
        self.losses.resize(moves, 0);
        let read = at.pairs.iter().zip(at.seconds);
        let written = self.pairs.iter_mut().zip(&mut self.draws).zip(&mut self.losses);
        for (index, ((pair, second), ((into, draws), losses))) in read.zip(written).enumerate() {
            let seen = cells::look(pair, second);
            let pair = seen.with_losses();
            if pair.visits() == 0 && untried.is_none() {
                untried = Some(index);
            }
            total += pair.visits();
            any_draws |= seen.draws;
            any_proof |= seen.proof;
            (*into, *draws, *losses) = (pair, seen.draws, seen.under_way);
        }
        if any_draws == 0 {
            self.draws.clear(); // the formulas take an empty column for zeros
        }
        self.total = total;
        self.proofs.clear();
        if any_proof != 0 {
            self.proofs.extend(at.proofs());
        }
        untried
    }

    /// Reads the tallies of AMAF.
    pub fn fill_amaf(&mut self, at: At<'_>) {
        self.amaf.clear();
        self.amaf_draws.clear();
        self.amaf_draws.extend(at.amaf_draws.iter().map(|word| word.load(Ordering::Acquire)));
        let words = at.amaf.iter().zip(&self.losses);
        self.amaf.extend(words.map(|(word, losses)| word.load(Ordering::Relaxed) + losses));
    }

    /// The tallies of the moves' codes in a table, which is for the first player.
    pub fn fill_reference(
        &mut self,
        (pairs, draws): (&[AtomicU64], &[AtomicU64]),
        codes: &[u16],
        player: Player,
    ) {
        self.amaf.clear();
        self.amaf_draws.clear();
        for (&code, &losses) in codes.iter().zip(&self.losses) {
            let code = usize::from(code);
            let drawn = draws.get(code).map_or(0, |word| word.load(Ordering::Acquire));
            let pair = pairs[code].load(Ordering::Relaxed);
            let wins = match player {
                Player::First => pair.wins(),
                Player::Second => pair.visits() - pair.wins() - drawn as u32,
            };
            self.amaf.push(u64::new(pair.visits(), wins) + losses);
            if !draws.is_empty() {
                self.amaf_draws.push(drawn);
            }
        }
    }

    /// Makes the scores and hands them over.
    #[inline(always)]
    pub fn scores<U: UseColumns>(&mut self, formula: &Formula, user: U) -> U::Output {
        let mut room = std::mem::take(&mut self.room);
        let total = self.total;
        let output = match *formula {
            Formula::Uct(rule) => user.with(&UctScores::new(rule, total, self.own()), &mut room),
            Formula::Rave { schedule, c } | Formula::Grave { schedule, c, .. } => {
                let scores = RaveScores::new(schedule, c, total, self.own(), self.amaf());
                user.with(&scores, &mut room)
            }
            Formula::Amaf { alpha, c } => {
                let scores = AlphaScores { alpha, c, columns: self };
                user.with(&scores, &mut room)
            }
            Formula::MultiScale { .. } => unreachable!("refused by parallel::refusal"),
        };
        self.room = room;
        output
    }
}

/// Alpha-AMAF, which has no quick form.
struct AlphaScores<'a> {
    alpha: f64,
    c: f64,
    columns: &'a Columns,
}

impl Scores for AlphaScores<'_> {
    fn moves(&self) -> usize {
        self.columns.pairs.len()
    }

    #[inline(always)]
    fn parts(&self, index: usize) -> Parts {
        let (own, amaf) = (self.columns.own().tally(index), self.columns.amaf().tally(index));
        amaf_parts(self.alpha, self.c, self.columns.total, own, amaf)
    }
}

/// What to do with scores.
pub trait UseColumns {
    /// What comes out.
    type Output;
    /// Do it.
    fn with<S: Scores>(self, scores: &S, room: &mut Vec<[f32; LANES]>) -> Self::Output;
}

/// Chooses a move: one copy of the hot code for all games.
pub struct Pick<'a> {
    /// Of the node.
    pub columns: &'a mut Columns,
    /// The formula.
    pub formula: &'a Formula,
    /// Who is to move.
    pub player: Player,
}

impl Work for Pick<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<C: Cpu>(self) -> usize {
        let Pick { columns, formula, player } = self;
        if columns.proofs.is_empty() {
            return columns.scores(formula, Select::<C>(PhantomData));
        }
        let proofs = std::mem::take(&mut columns.proofs);
        let index = columns.scores(formula, SelectOpen { proofs: &proofs, player });
        columns.proofs = proofs;
        index
    }
}

struct SelectOpen<'a> {
    proofs: &'a [u8],
    player: Player,
}

impl UseColumns for SelectOpen<'_> {
    type Output = usize;
    fn with<S: Scores>(self, scores: &S, _room: &mut Vec<[f32; LANES]>) -> usize {
        first_open(scores, self.proofs, self.player)
    }
}

struct Select<C>(PhantomData<C>);

impl<C: Cpu> UseColumns for Select<C> {
    type Output = usize;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S, room: &mut Vec<[f32; LANES]>) -> usize {
        first_maximum::<C, S>(scores, room)
    }
}

/// The parts of all scores.
pub struct AllParts;

impl UseColumns for AllParts {
    type Output = Vec<Parts>;
    fn with<S: Scores>(self, scores: &S, _room: &mut Vec<[f32; LANES]>) -> Vec<Parts> {
        (0..scores.moves()).map(|index| scores.parts(index)).collect()
    }
}
