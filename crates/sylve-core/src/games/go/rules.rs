//! The board of Go: what may be played, what lives, and who has more area.

use super::super::error::GameError;
use super::bits::{Bits, Shape};
use super::board::Template;
use crate::game::{Outcome, Player};

/// Boards up to 11 x 11: 121 cells in two words, 157 points with the border.
pub type SmallGo = Go<2, 256>;
/// Boards up to 19 x 19: 361 cells in six words, 421 points with the border.
pub type LargeGo = Go<6, 512>;

/// The largest board of [`SmallGo`].
pub const SMALL: usize = 11;

/// The rules. `WORDS` hold a set of cells; playouts use boards of `POINTS` points, a power of two.
#[derive(Clone, Debug)]
pub struct Go<const WORDS: usize, const POINTS: usize> {
    pub(crate) shape: Shape<WORDS>,
    /// Half points that White has from the start.
    pub(crate) double_komi: i32,
    pub(super) template: Template<POINTS>,
}

/// The stones of each player, the side to move, the ko point, the passes in a row.
#[derive(Clone, Copy, Debug)]
pub struct State<const WORDS: usize> {
    pub(crate) stones: [Bits<WORDS>; 2],
    pub(super) turn: Player,
    /// Where the side to move may not play, because it would take back the stone that just took.
    pub(super) ko: Option<u16>,
    pub(super) passes: u8,
    /// The last move and the one before, which guided playouts reply to: cells, or [`NO_MOVE`] for
    /// passes and where none is known. They are no part of the position.
    pub(super) last: [u16; 2],
}

/// No stone.
pub(super) const NO_MOVE: u16 = u16::MAX;

impl<const WORDS: usize> PartialEq for State<WORDS> {
    #[inline(always)]
    fn eq(&self, other: &State<WORDS>) -> bool {
        (self.stones, self.turn, self.ko, self.passes)
            == (other.stones, other.turn, other.ko, other.passes)
    }
}

impl<const WORDS: usize> Eq for State<WORDS> {}

/// Refuses a komi that is not a multiple of 0.5 between -400 and 400.
pub fn check_komi(komi: f64) -> Result<f64, GameError> {
    if komi.abs() <= 400.0 && (2.0 * komi).fract() == 0.0 {
        return Ok(komi);
    }
    Err(GameError::new(format!(
        "go: komi must be a multiple of 0.5 between -400 and 400, not {komi}"
    )))
}

impl<const WORDS: usize, const POINTS: usize> Go<WORDS, POINTS> {
    /// A board of `size` x `size`, with a komi that [`check_komi`] accepts.
    pub fn new(size: usize, komi: f64) -> Go<WORDS, POINTS> {
        assert!((2..=19).contains(&size) && size * size <= 64 * WORDS);
        Go {
            shape: Shape::new(size),
            double_komi: (2.0 * komi) as i32,
            template: Template::new(size),
        }
    }

    pub(super) fn pass(&self) -> usize {
        self.shape.size * self.shape.size
    }

    #[inline(always)]
    pub(super) fn empty(&self, state: &State<WORDS>) -> Bits<WORDS> {
        self.shape.full & !(state.stones[0] | state.stones[1])
    }

    /// Whether the chain of `stones` that `cell` belongs to has a liberty in `free`.
    #[inline(always)]
    pub(super) fn lives(&self, cell: Bits<WORDS>, stones: Bits<WORDS>, free: Bits<WORDS>) -> bool {
        // Most chains show a liberty at once.
        let mut chain = cell;
        loop {
            let near = self.shape.near(chain);
            if !(near & free).is_empty() {
                return true;
            }
            let next = chain | near & stones;
            if next == chain {
                return false;
            }
            chain = next;
        }
    }

    /// Whether an empty cell may be played: it keeps a liberty or takes something. Ko is not asked.
    #[inline(always)]
    pub(super) fn is_no_suicide(
        &self,
        state: &State<WORDS>,
        cell: usize,
        empty: Bits<WORDS>,
    ) -> bool {
        let point = Bits::one(cell);
        let near = self.shape.near(point);
        if !(near & empty).is_empty() {
            return true;
        }
        let free = empty & !point;
        let (own, enemy) = self.sides(state);
        (near & own).cells().any(|next| self.lives(Bits::one(next), own, free))
            || (near & enemy).cells().any(|next| !self.lives(Bits::one(next), enemy, free))
    }

    #[inline(always)]
    pub(super) fn sides(&self, state: &State<WORDS>) -> (Bits<WORDS>, Bits<WORDS>) {
        (state.stones[state.turn.index()], state.stones[state.turn.other().index()])
    }

    /// The empty cells that may be played.
    #[inline(always)]
    pub(super) fn playable(&self, state: &State<WORDS>) -> Bits<WORDS> {
        let empty = self.empty(state);
        // A cell with an empty neighbour is legal (and no ko point); the others are looked at.
        let mut legal = empty & self.shape.near(empty);
        for cell in (empty & !legal).cells() {
            if state.ko != Some(cell as u16) && self.is_no_suicide(state, cell, empty) {
                legal.insert(cell);
            }
        }
        legal
    }

    /// Whether an empty cell is a one-point eye of `player`, which playouts do not fill.
    #[inline(always)]
    pub(super) fn is_eye(&self, state: &State<WORDS>, cell: usize, player: Player) -> bool {
        let point = Bits::one(cell);
        let diagonal = self.shape.diagonal(point);
        let enemies = (diagonal & state.stones[player.other().index()]).count();
        let edge = u32::from(diagonal.count() < 4);
        (self.shape.near(point) & !state.stones[player.index()]).is_empty() && enemies + edge < 2
    }

    /// Area scoring: stones, and empty regions that touch one colour only.
    #[inline(always)]
    pub(super) fn area(&self, stones: [Bits<WORDS>; 2]) -> Outcome {
        let empty = self.shape.full & !(stones[0] | stones[1]);
        let reached = stones.map(|own| self.shape.flood(own, empty));
        let first = (reached[0] & !reached[1]).count() as i32;
        let second = (reached[1] & !reached[0]).count() as i32;
        self.decide(first - second)
    }

    /// The outcome of Black's area minus White's.
    #[inline(always)]
    pub(super) fn decide(&self, lead: i32) -> Outcome {
        match (2 * lead).cmp(&self.double_komi) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
        }
    }
}
