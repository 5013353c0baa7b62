//! The formulas of the serial search on what a thread has read of a node, and the choice of a move.

use super::super::amaf::{Amaf, Bare, VirtualVisits, Wrap};
use super::super::columns::Judged;
use super::super::config::Formula;
use super::super::pairs::LANES;
use super::super::scores::{AmafScores, Extras, Mix, rave, uct};
use super::super::screen::{Choose, ChooseOpen, UseScores};
use super::snapshot::{AmafTallies, OwnTallies};
use crate::cpu::{Cpu, Work};
use crate::game::Player;
use std::marker::PhantomData;

impl AmafTallies {
    /// Makes the scores and hands them over.
    #[inline(always)]
    pub fn scores<U: UseScores>(
        &self,
        own: &OwnTallies,
        formula: &Formula,
        extras: Extras,
        user: U,
    ) -> U::Output {
        if extras == Extras::NONE {
            return self.scores_with(own, formula, own.total, user, Bare);
        }
        let Extras { implicit: weight, prior: visits } = extras;
        let user = Mix { user, weight, values: own.judged(Judged::Implicit) };
        let more = VirtualVisits { visits, values: own.judged(Judged::Prior) };
        let total = own.total + visits * own.moves as u32;
        self.scores_with(own, formula, total, user, more)
    }

    #[inline(always)]
    fn scores_with<U: UseScores, W: Wrap>(
        &self,
        own: &OwnTallies,
        formula: &Formula,
        total: u32,
        user: U,
        more: W,
    ) -> U::Output {
        let (moves, pairs) = (own.moves, &own.pairs);
        if pairs.wide {
            self.scores_by(more.wrap(pairs.wide()), formula, (moves, total), user, more)
        } else {
            self.scores_by(more.wrap(pairs.narrow(moves)), formula, (moves, total), user, more)
        }
    }

    #[inline(always)]
    fn scores_by<O: Amaf, U: UseScores, W: Wrap>(
        &self,
        own: O,
        formula: &Formula,
        (moves, total): (usize, u32),
        user: U,
        more: W,
    ) -> U::Output {
        match *formula {
            Formula::Uct(rule) => uct(user, rule, total, moves, own),
            Formula::Rave { schedule, c } | Formula::Grave { schedule, c, .. } => {
                if self.amaf.wide {
                    rave(user, schedule, c, total, moves, own, more.wrap(self.amaf.wide()))
                } else {
                    rave(user, schedule, c, total, moves, own, more.wrap(self.amaf.narrow(moves)))
                }
            }
            Formula::Amaf { alpha, c } if self.amaf.wide => {
                let amaf = more.wrap(self.amaf.wide());
                user.with(&AmafScores { alpha, c, total, moves, own, amaf })
            }
            Formula::Amaf { alpha, c } => {
                let amaf = more.wrap(self.amaf.narrow(moves));
                user.with(&AmafScores { alpha, c, total, moves, own, amaf })
            }
            Formula::MultiScale { .. } => unreachable!("refused by parallel::refusal"),
        }
    }
}

/// Chooses a move: one copy of the hot code for all games.
pub struct Pick<'a> {
    /// The node's own tallies.
    pub own: &'a OwnTallies,
    /// What else the formula needs.
    pub amaf: &'a AmafTallies,
    /// Room for quick scores.
    pub room: &'a mut Vec<[f32; LANES]>,
    /// The formula.
    pub formula: &'a Formula,
    /// What evaluations add to it.
    pub extras: Extras,
    /// Who is to move.
    pub player: Player,
}

impl Work for Pick<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<C: Cpu>(self) -> usize {
        let Pick { own, amaf, room, formula, extras, player } = self;
        if own.proofs.is_empty() {
            amaf.scores(own, formula, extras, Choose(room, PhantomData::<C>))
        } else {
            amaf.scores(
                own,
                formula,
                extras,
                ChooseOpen { proofs: &own.proofs, player, room, level: PhantomData::<C> },
            )
        }
    }
}
