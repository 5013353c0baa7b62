//! Connect Four.
use super::Solvable;
use crate::game::{Game, Outcome};
use crate::games::connect_four::{ConnectFour, State};

/// A win is worth 1 and 1 more for each stone that the winner would still have had: on 7 x 6,
/// 22 minus the stones he has played.
impl Solvable for ConnectFour {
    fn final_value(&self, state: &State) -> Option<i32> {
        match self.outcome(state)? {
            Outcome::Draw => Some(0),
            Outcome::Win(winner) => {
                // Only the one who moved last can have won.
                let stones = state.stones().map(u64::count_ones)[winner.index()];
                let all = (self.max_plies() + 1 - winner.index()) / 2;
                Some(stones as i32 - 1 - all as i32)
            }
        }
    }

    fn highest_value(&self) -> i32 {
        self.max_plies().div_ceil(2) as i32 - 3
    }
}
