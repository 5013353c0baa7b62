//! For tests: a game in which the players do not simply alternate.
//!
//! Nobody may take it for granted that the other side is to move next: not at a position, and not at
//! the end of a game, where `turn` may say anything.

use crate::evaluate::{Evaluate, Terms};
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::{hash_words, scale};
use crate::solve::plain::Plain;
use crate::solve::{Solvable, Solver};

/// A walk through a few numbers, so that many ways lead to the same place. Who moves where, who wins,
/// by how much, and what looks good is scattered at random.
pub struct Turns {
    pub seed: u64,
    pub plies: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    ply: u32,
    number: u32,
}

const NUMBERS: u32 = 11;
/// A game is won by at most so many points.
const MOST: i32 = 5;

impl Turns {
    fn scattered(&self, state: &State, salt: u64, below: u32) -> u32 {
        let words = [self.seed, salt, u64::from(state.ply), u64::from(state.number)];
        scale(hash_words(words), below)
    }

    /// The points of the first player at the end.
    fn points(&self, state: &State) -> Option<i32> {
        let early = state.ply > 1 && self.scattered(state, 1, 12) == 0;
        (early || state.ply == self.plies)
            .then(|| self.scattered(state, 2, 2 * MOST as u32 + 1) as i32 - MOST)
    }

    /// The value for the first player by the rules alone: of the ends `end`, of what lies `depth`
    /// plies ahead `leaf`.
    pub fn minimax(
        &self,
        state: &State,
        depth: u32,
        end: &impl Fn(&State) -> Option<i32>,
        leaf: &impl Fn(&State) -> i32,
    ) -> i32 {
        if let Some(value) = end(state) {
            return value;
        }
        if depth == 0 {
            return leaf(state);
        }
        let values = self.children(state).into_iter();
        let values = values.map(|(_, after)| self.minimax(&after, depth - 1, end, leaf));
        let best = if self.turn(state) == Player::First { values.max() } else { values.min() };
        best.expect("a game that goes on has a move")
    }

    /// The points of the first player with best play.
    pub fn solved(&self, state: &State) -> i32 {
        self.minimax(state, u32::MAX, &|state| self.points(state), &|_| 0)
    }

    /// The moves and where they lead.
    pub fn children(&self, state: &State) -> Vec<(Move, State)> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let after = |mv: Move| {
            let mut next = *state;
            self.play(&mut next, mv);
            (mv, next)
        };
        moves.into_iter().map(after).collect()
    }

    /// Every position of the game.
    pub fn positions(&self) -> Vec<State> {
        let mut found = vec![self.start()];
        let mut next = 0;
        while next < found.len() {
            for (_, after) in self.children(&found[next]) {
                if !found.contains(&after) {
                    found.push(after);
                }
            }
            next += 1;
        }
        found
    }
}

/// A value of the first player, seen by this one.
pub fn seen_by(player: Player, value: i32) -> i32 {
    if player == Player::First { value } else { -value }
}

impl Game for Turns {
    type State = State;

    fn start(&self) -> State {
        State { ply: 0, number: 0 }
    }

    fn turn(&self, state: &State) -> Player {
        if self.scattered(state, 3, 2) == 0 { Player::First } else { Player::Second }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.points(state).map(|points| match points {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        })
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.points(state).is_none() {
            out.extend((0..1 + self.scattered(state, 4, 4) as u16).map(Move));
        }
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        self.children(state).iter().any(|&(legal, _)| legal == mv)
    }

    fn play(&self, state: &mut State, mv: Move) {
        state.number = (5 * state.number + 3 * u32::from(mv.0) + 1) % NUMBERS;
        state.ply += 1;
    }

    fn hash(&self, state: &State) -> u64 {
        hash_words([u64::from(state.ply), u64::from(state.number)])
    }

    fn codes(&self) -> usize {
        8
    }

    fn code(&self, state: &State, mv: Move) -> usize {
        2 * usize::from(mv.0) + self.turn(state).index()
    }

    fn max_plies(&self) -> usize {
        self.plies as usize
    }
}

impl Evaluate for Turns {
    const EVALUATIONS: &'static [&'static str] = &["scattered"];

    fn evaluate(&self, state: &State, _: usize) -> i32 {
        self.scattered(state, 5, 2001) as i32 - 1000
    }

    fn terms(&self, state: &State, evaluation: usize) -> Terms {
        vec![("scattered", self.evaluate(state, evaluation))]
    }
}

impl Solvable for Turns {
    fn final_value(&self, state: &State) -> Option<i32> {
        self.points(state).map(|points| seen_by(self.turn(state), points))
    }

    fn highest_value(&self) -> i32 {
        MOST
    }

    fn solver(&self, bytes: usize) -> Box<dyn Solver<Turns>> {
        Box::new(Plain::within(bytes))
    }
}
