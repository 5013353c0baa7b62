//! Go: who is nearer to each point, and liberties.

use super::{Evaluate, Terms};
use crate::game::{Game, Player};
use crate::games::go::bits::Bits;
use crate::games::go::{Go, State};

/// A point of area, and an empty point beside own stones; chosen by hand.
const POINT: i32 = 1000;
const LIBERTY: i32 = 100;

impl<const WORDS: usize, const POINTS: usize> Go<WORDS, POINTS> {
    /// The points that each player is nearer to, walking over empty points; his stones included.
    #[inline(always)]
    fn nearer(&self, stones: [Bits<WORDS>; 2]) -> [Bits<WORDS>; 2] {
        let mut reached = stones;
        let mut free = self.shape.full & !(stones[0] | stones[1]);
        loop {
            let next = reached.map(|set| self.shape.near(set) & free);
            if (next[0] | next[1]).is_empty() {
                return reached;
            }
            // What both reach in the same step is nobody's, and nobody walks on from there.
            free = free & !(next[0] | next[1]);
            reached = [reached[0] | next[0] & !next[1], reached[1] | next[1] & !next[0]];
        }
    }

    #[inline(always)]
    fn parts_of_evaluation(&self, state: &State<WORDS>) -> [i32; 3] {
        let empty = self.shape.full & !(state.stones[0] | state.stones[1]);
        let areas = self.nearer(state.stones).map(|set| set.count() as i32);
        let liberties = state.stones.map(|set| (self.shape.near(set) & empty).count() as i32);
        let parts = [
            POINT * (areas[0] - areas[1]),
            LIBERTY * (liberties[0] - liberties[1]),
            -POINT / 2 * self.double_komi,
        ];
        match self.turn(state) {
            Player::First => parts,
            Player::Second => parts.map(|part| -part),
        }
    }
}

impl<const WORDS: usize, const POINTS: usize> Evaluate for Go<WORDS, POINTS> {
    const EVALUATIONS: &'static [&'static str] = &["area"];

    #[inline(always)]
    fn evaluate(&self, state: &State<WORDS>, _: usize) -> i32 {
        self.parts_of_evaluation(state).into_iter().sum()
    }

    fn terms(&self, state: &State<WORDS>, _: usize) -> Terms {
        ["area", "liberties", "komi"].into_iter().zip(self.parts_of_evaluation(state)).collect()
    }
}
