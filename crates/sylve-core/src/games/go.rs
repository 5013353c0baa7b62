//! Go: area scoring, no suicide, simple ko. Rules: `docs/games/go.md`.
//!
//! Superko needs the history of a game, which a state has not: games played through Python add it.

pub(crate) mod bits;
mod board;
mod decisive;
mod guided;
mod liberties;
mod notation;
mod ordered;
mod patterns;
mod playout;
mod rules;

pub use rules::{Go, LargeGo, SMALL, SmallGo, State, check_komi};

use super::cells;
use crate::cpu::{Cpu, Portable};
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::guide::Guide;
use crate::means::Means;
use crate::rng::{Rng, hash_words};
use bits::Bits;
use ordered::Choice;
use rules::NO_MOVE;

impl<const WORDS: usize, const POINTS: usize> Game for Go<WORDS, POINTS> {
    type State = State<WORDS>;

    fn start(&self) -> State<WORDS> {
        let last = [NO_MOVE; 2];
        State { stones: [Bits::NONE; 2], turn: Player::First, ko: None, passes: 0, last }
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
        state.last = [if cell == self.pass() { NO_MOVE } else { mv.0 }, state.last[0]];
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

    fn decisive_move(&self, state: &State<WORDS>, moves: &[Move], rng: &mut Rng) -> Move {
        decisive::choose(self, state, moves, rng)
    }

    #[inline(always)]
    fn decisive_playout<C: Cpu, R: Record>(
        &self,
        state: State<WORDS>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        ordered::run::<C, WORDS, POINTS, R>(self, &state, Choice::Decisive, rng, record)
    }

    fn ranked_moves(&self) -> usize {
        self.pass()
    }

    #[inline(always)]
    fn mast_playout<C: Cpu, R: Record>(
        &self,
        state: State<WORDS>,
        epsilon: f64,
        means: &mut Means,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let choice = Choice::Mast(epsilon, means.ranked());
        ordered::run::<C, WORDS, POINTS, R>(self, &state, choice, rng, record)
    }

    fn forget_last(&self, state: &mut State<WORDS>) {
        state.last = [NO_MOVE; 2];
    }

    fn guided_move(&self, state: &State<WORDS>, _: &[Move], guide: Guide, rng: &mut Rng) -> Move {
        guided::choose::<Portable, WORDS, POINTS>(self, state, guide, rng)
    }

    #[inline(always)]
    fn guided_playout<C: Cpu, R: Record>(
        &self,
        state: State<WORDS>,
        guide: Guide,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        guided::run::<C, WORDS, POINTS, R>(self, &state, guide, rng, record)
    }
}
