//! Breakthrough: pawns, how far they are, and runners that nobody can stop.

use super::{Evaluate, Terms};
use crate::game::{Game, Player};
use crate::games::breakthrough::{Breakthrough, State, forward};

/// A pawn; one step squared; a runner, and each row that it is nearer. Chosen by hand.
const PAWN: i32 = 1000;
const STEP: i32 = 20;
const RUNNER: i32 = 10_000;
const NEARER: i32 = 1000;

impl Breakthrough {
    /// The pawns of `player` on each row, counted from his home row.
    #[inline(always)]
    fn on_row(&self, pawns: u64, player: Player, row: usize) -> u64 {
        let row = match player {
            Player::First => row,
            Player::Second => self.rows - 1 - row,
        };
        pawns & ((1 << self.columns) - 1) << (row * self.columns)
    }

    /// Every cell that a pawn of `player` stands on or could come to, if nothing were in its way.
    #[inline(always)]
    fn cone(&self, pawns: u64, player: Player) -> u64 {
        let mut reached = pawns;
        for _ in 1..self.rows {
            for (step, inside) in self.steps[player.index()].into_iter().zip(self.inside) {
                reached |= forward(reached & inside, step, player);
            }
        }
        reached
    }

    /// Pawns, advancement and runner of one player.
    #[inline(always)]
    fn side(&self, state: &State, player: Player) -> [i32; 3] {
        let pawns = state.pawns[player.index()];
        let enemies = state.pawns[player.other().index()];
        let runners = pawns & !self.cone(enemies, player.other());
        let (mut advancement, mut runner) = (0, 0);
        for row in 1..self.rows {
            let steps = row as i32;
            let count = self.on_row(pawns, player, row).count_ones() as i32;
            advancement += STEP * steps * steps * count;
            if self.on_row(runners, player, row) != 0 {
                runner = RUNNER + NEARER * steps; // the last one is the nearest
            }
        }
        [PAWN * pawns.count_ones() as i32, advancement, runner]
    }

    #[inline(always)]
    fn parts_of_evaluation(&self, state: &State) -> [i32; 3] {
        let turn = self.turn(state);
        let (own, other) = (self.side(state, turn), self.side(state, turn.other()));
        std::array::from_fn(|i| own[i] - other[i])
    }
}

impl Evaluate for Breakthrough {
    const EVALUATIONS: &'static [&'static str] = &["advancement"];

    #[inline(always)]
    fn evaluate(&self, state: &State, _: usize) -> i32 {
        self.parts_of_evaluation(state).into_iter().sum()
    }

    fn terms(&self, state: &State, _: usize) -> Terms {
        ["pawns", "advancement", "runners"]
            .into_iter()
            .zip(self.parts_of_evaluation(state))
            .collect()
    }
}
