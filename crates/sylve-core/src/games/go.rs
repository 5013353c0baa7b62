//! Go: area scoring, no suicide, simple ko. Rules: `docs/games/go.md`.
//!
//! Superko needs the history of a game, which a state has not: games played through Python add it.

pub(crate) mod bits;
mod board;
mod notation;
mod playout;

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::games::{GameError, cells};
use crate::rng::{Rng, hash_words};
use bits::{Bits, Shape};
use board::Template;

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
    template: Template<POINTS>,
}

/// The stones of each player, the side to move, the ko point, the passes in a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State<const WORDS: usize> {
    pub(crate) stones: [Bits<WORDS>; 2],
    turn: Player,
    /// Where the side to move may not play, because it would take back the stone that just took.
    ko: Option<u16>,
    passes: u8,
}

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

    fn pass(&self) -> usize {
        self.shape.size * self.shape.size
    }

    #[inline(always)]
    fn empty(&self, state: &State<WORDS>) -> Bits<WORDS> {
        self.shape.full & !(state.stones[0] | state.stones[1])
    }

    /// Whether the chain of `stones` that `cell` belongs to has a liberty in `free`.
    #[inline(always)]
    fn lives(&self, cell: Bits<WORDS>, stones: Bits<WORDS>, free: Bits<WORDS>) -> bool {
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
    fn is_no_suicide(&self, state: &State<WORDS>, cell: usize, empty: Bits<WORDS>) -> bool {
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
    fn sides(&self, state: &State<WORDS>) -> (Bits<WORDS>, Bits<WORDS>) {
        (state.stones[state.turn.index()], state.stones[state.turn.other().index()])
    }

    /// The empty cells that may be played.
    #[inline(always)]
    fn playable(&self, state: &State<WORDS>) -> Bits<WORDS> {
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
    fn is_eye(&self, state: &State<WORDS>, cell: usize, player: Player) -> bool {
        let point = Bits::one(cell);
        let diagonal = self.shape.diagonal(point);
        let enemies = (diagonal & state.stones[player.other().index()]).count();
        let edge = u32::from(diagonal.count() < 4);
        (self.shape.near(point) & !state.stones[player.index()]).is_empty() && enemies + edge < 2
    }

    /// Area scoring: stones, and empty regions that touch one colour only.
    #[inline(always)]
    fn area(&self, stones: [Bits<WORDS>; 2]) -> Outcome {
        let empty = self.shape.full & !(stones[0] | stones[1]);
        let reached = stones.map(|own| self.shape.flood(own, empty));
        let first = (reached[0] & !reached[1]).count() as i32;
        let second = (reached[1] & !reached[0]).count() as i32;
        self.decide(first - second)
    }

    /// The outcome of Black's area minus White's.
    #[inline(always)]
    fn decide(&self, lead: i32) -> Outcome {
        match (2 * lead).cmp(&self.double_komi) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
        }
    }
}

impl<const WORDS: usize, const POINTS: usize> Game for Go<WORDS, POINTS> {
    type State = State<WORDS>;

    fn start(&self) -> State<WORDS> {
        State { stones: [Bits::NONE; 2], turn: Player::First, ko: None, passes: 0 }
    }

    #[inline(always)]
    fn turn(&self, state: &State<WORDS>) -> Player {
        state.turn
    }

    #[inline(always)]
    fn outcome(&self, state: &State<WORDS>) -> Option<Outcome> {
        (state.passes == 2).then(|| self.area(state.stones))
    }

    fn moves(&self, state: &State<WORDS>, out: &mut Vec<Move>) {
        out.clear();
        if state.passes < 2 {
            out.extend(self.playable(state).cells().map(|cell| Move(cell as u16)));
            out.push(Move(self.pass() as u16));
        }
    }

    fn is_legal(&self, state: &State<WORDS>, mv: Move) -> bool {
        let (cell, empty) = (usize::from(mv.0), self.empty(state));
        if state.passes == 2 || cell >= self.pass() {
            return state.passes < 2 && cell == self.pass();
        }
        empty.has(cell) && state.ko != Some(mv.0) && self.is_no_suicide(state, cell, empty)
    }

    #[inline(always)]
    fn play(&self, state: &mut State<WORDS>, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        let cell = usize::from(mv.0);
        let (player, other) = (state.turn.index(), state.turn.other().index());
        state.turn = state.turn.other();
        state.ko = None;
        if cell == self.pass() {
            state.passes += 1;
            return;
        }
        state.passes = 0;
        let point = Bits::one(cell);
        state.stones[player].insert(cell);
        let near = self.shape.near(point);
        let empty = self.empty(state);
        let mut captured = Bits::NONE;
        for next in (near & state.stones[other]).cells() {
            let stone = Bits::one(next);
            if !self.lives(stone, state.stones[other], empty) {
                captured = captured | self.shape.flood(stone, state.stones[other]);
            }
        }
        if captured.is_empty() {
            return;
        }
        state.stones[other] = state.stones[other] & !captured;
        // One stone took one stone and can be taken back there: a ko.
        if captured.count() == 1 && (near & (state.stones[player] | empty)).is_empty() {
            state.ko = Some(captured.lowest() as u16);
        }
    }

    #[inline(always)]
    fn hash(&self, state: &State<WORDS>) -> u64 {
        let ko = state.ko.map_or(0, |cell| u64::from(cell) + 1);
        let extra = state.turn.index() as u64 + 2 * u64::from(state.passes) + 8 * ko;
        let words = self.pass().div_ceil(64);
        let [first, second] = &state.stones;
        let stones = first.0[..words].iter().chain(&second.0[..words]);
        hash_words(std::iter::once(extra).chain(stones.copied()))
    }

    fn remembers(&self) -> bool {
        true // superko
    }

    fn has_draws(&self) -> bool {
        self.double_komi % 2 == 0
    }

    fn adjudicate(&self, state: &State<WORDS>) -> Outcome {
        self.area(state.stones)
    }

    fn codes(&self) -> usize {
        2 * (self.pass() + 1)
    }

    #[inline(always)]
    fn code(&self, state: &State<WORDS>, mv: Move) -> usize {
        2 * usize::from(mv.0) + state.turn.index()
    }

    /// The longest playout. A game by the rules has no useful bound: superko alone ends it.
    fn max_plies(&self) -> usize {
        3 * self.pass()
    }

    #[inline(always)]
    fn nth_move<C: Cpu>(&self, state: &State<WORDS>, index: usize, _: &mut Vec<Move>) -> Move {
        cells::nth::<C>(&self.playable(state).0, index).unwrap_or(Move(self.pass() as u16))
    }

    #[inline(always)]
    fn move_codes(&self, state: &State<WORDS>, _: &mut Vec<Move>, out: &mut Vec<u16>) {
        if state.passes < 2 {
            cells::list_codes(&self.playable(state).0, state.turn, out);
            out.push((2 * self.pass() + state.turn.index()) as u16);
        }
    }

    #[inline(always)]
    fn moves_check(&self, state: &State<WORDS>) -> u32 {
        cells::check(&self.playable(state).0, state.passes < 2)
    }

    fn code_place(&self, code: usize) -> usize {
        cells::code_place(code, self.pass() + 1)
    }

    #[inline(always)]
    fn seen_moves<C: Cpu>(
        &self,
        state: &State<WORDS>,
        seen: &[u64],
        _: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        let (cells, pass) = (self.playable(state), self.pass());
        let more = Some(Move(pass as u16));
        cells::seen::<C>(&cells.0, more, pass + 1, state.turn, seen, out);
    }

    #[inline(always)]
    fn count_moves(&self, state: &State<WORDS>) -> usize {
        if state.passes == 2 { 0 } else { self.playable(state).count() as usize + 1 }
    }

    fn playout_moves(&self, state: &State<WORDS>, out: &mut Vec<Move>) {
        out.clear();
        if state.passes == 2 {
            return;
        }
        let cells = self.playable(state).cells();
        out.extend(
            cells
                .filter(|&cell| !self.is_eye(state, cell, state.turn))
                .map(|cell| Move(cell as u16)),
        );
        if out.is_empty() {
            out.push(Move(self.pass() as u16));
        }
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        state: State<WORDS>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        playout::run(self, &state, rng, record)
    }
}
