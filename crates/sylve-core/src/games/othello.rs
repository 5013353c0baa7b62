//! Othello on 4 x 4, 6 x 6 or 8 x 8 cells. Rules: `docs/games/othello.md`.

mod board;
mod chains;
mod decisive;
mod features;

pub use board::Othello;

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::games::cells;
use crate::means::Means;
use crate::notation::{
    Board, Found, Notation, ReadError, find_cell, quote, words, write_board, write_cell,
};
use crate::rng::{Rng, hash_words};
use chains::Chains;

/// The discs of the side to move and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    own: u64,
    other: u64,
    turn: Player,
}

impl State {
    /// The discs of the side to move, and those of the other side.
    #[inline(always)]
    pub fn sides(&self) -> (u64, u64) {
        (self.own, self.other)
    }

    /// The number of discs of the side to move and of the other side.
    pub(crate) fn counts(&self) -> [i32; 2] {
        [self.own, self.other].map(|discs| discs.count_ones() as i32)
    }

    #[inline(always)]
    fn passed(self) -> State {
        State { own: self.other, other: self.own, turn: self.turn.other() }
    }

    #[inline(always)]
    fn discs(&self, player: Player) -> u64 {
        if player == self.turn { self.own } else { self.other }
    }

    /// The result once nobody can move.
    #[inline(always)]
    fn result(&self) -> Outcome {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        if own == other {
            Outcome::Draw
        } else {
            Outcome::Win(if own > other { self.turn } else { self.turn.other() })
        }
    }
}

impl<const SIZE: usize> Othello<SIZE> {
    const PASS: Move = Move(Self::CELLS as u16);

    /// The position after a disc on `cell`.
    #[inline(always)]
    fn placed(state: State, chains: &Chains, cell: usize) -> State {
        let turned = Self::turned(chains, cell);
        State { own: state.own | turned | 1 << cell, other: state.other & !turned, ..state }
            .passed()
    }
}

impl<const SIZE: usize> Game for Othello<SIZE> {
    type State = State;

    fn start(&self) -> State {
        let middle = SIZE / 2;
        let bit = |row: usize, column: usize| 1u64 << (row * SIZE + column);
        State {
            own: bit(middle, middle - 1) | bit(middle - 1, middle),
            other: bit(middle - 1, middle - 1) | bit(middle, middle),
            turn: Player::First,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline(always)]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.count_moves(state) == 0).then(|| state.result())
    }

    #[inline(always)]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        let mut places = Self::places(state.own, state.other);
        if places == 0 && Self::places(state.other, state.own) != 0 {
            out.push(Self::PASS);
        }
        while places != 0 {
            out.push(Move(places.trailing_zeros() as u16));
            places &= places - 1;
        }
    }

    #[inline(always)]
    fn count_moves(&self, state: &State) -> usize {
        match Self::places(state.own, state.other) {
            0 => usize::from(Self::places(state.other, state.own) != 0),
            places => places.count_ones() as usize,
        }
    }

    #[inline(always)]
    fn nth_move<C: Cpu>(&self, state: &State, index: usize, _: &mut Vec<Move>) -> Move {
        cells::nth::<C>(&[Self::places(state.own, state.other)], index).unwrap_or(Self::PASS)
    }

    #[inline(always)]
    fn move_codes(&self, state: &State, _: &mut Vec<Move>, out: &mut Vec<u16>) {
        let places = Self::places(state.own, state.other);
        cells::list_codes(&[places], state.turn, out);
        if places == 0 && Self::places(state.other, state.own) != 0 {
            out.push(self.code(state, Self::PASS) as u16);
        }
    }

    #[inline(always)]
    fn moves_check(&self, state: &State) -> u32 {
        // No place: a pass, or the end, which the tree never asks about.
        cells::check(&[Self::places(state.own, state.other)], false)
    }

    fn code_place(&self, code: usize) -> usize {
        cells::code_place(code, Self::CELLS + 1)
    }

    #[inline(always)]
    fn seen_moves<C: Cpu>(
        &self,
        state: &State,
        seen: &[u64],
        _: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        let places = Self::places(state.own, state.other);
        let pass = places == 0 && Self::places(state.other, state.own) != 0;
        let (more, moves) = (pass.then_some(Self::PASS), Self::CELLS + 1);
        cells::seen::<C>(&[places], more, moves, state.turn, seen, out);
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        let places = Self::places(state.own, state.other);
        if mv == Self::PASS {
            places == 0 && Self::places(state.other, state.own) != 0
        } else {
            mv < Self::PASS && places >> mv.0 & 1 == 1
        }
    }

    #[inline(always)]
    fn play(&self, state: &mut State, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        *state = if mv == Self::PASS {
            state.passed()
        } else {
            Self::placed(*state, &Self::chains(state.own, state.other), usize::from(mv.0))
        };
    }

    #[inline(always)]
    fn hash(&self, state: &State) -> u64 {
        let side = state.turn.index() as u64;
        hash_words([side, state.discs(Player::First), state.discs(Player::Second)])
    }

    fn codes(&self) -> usize {
        2 * (Self::CELLS + 1)
    }

    #[inline(always)]
    fn code(&self, state: &State, mv: Move) -> usize {
        2 * usize::from(mv.0) + state.turn.index()
    }

    fn max_plies(&self) -> usize {
        // A move needs a disc of each colour on the board, so that at most CELLS - 2 cells are
        // filled; two passes never follow each other, so that each comes before a filled cell.
        2 * (Self::CELLS - 2)
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        mut state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        loop {
            let chains = Self::chains(state.own, state.other);
            let places = Self::ends(&chains, Self::FULL & !(state.own | state.other));
            if places == 0 {
                if Self::places(state.other, state.own) == 0 {
                    return state.result();
                }
                rng.next(); // one draw a ply, also for a pass
                if R::WANTED {
                    record.played(self.code(&state, Self::PASS));
                }
                state = state.passed();
                continue;
            }
            let place = C::nth_bit(places, rng.below(places.count_ones()));
            let cell = place.trailing_zeros() as usize;
            if R::WANTED {
                record.played(2 * cell + state.turn.index());
            }
            state = Self::placed(state, &chains, cell);
        }
    }

    fn features(&self, state: &State, mv: Move) -> u32 {
        self.features_of(state, mv)
    }

    fn decisive_move(&self, state: &State, _: &[Move], rng: &mut Rng) -> Move {
        Self::choose_decisive(state, rng)
    }

    #[inline(always)]
    fn decisive_playout<C: Cpu, R: Record>(
        &self,
        state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        Self::play_decisive::<C, R>(state, rng, record)
    }

    #[inline(always)]
    fn draw_move<C: Cpu>(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let places = Self::places(state.own, state.other);
        // One draw, also for a pass.
        let index = rng.below(places.count_ones().max(1)) as usize;
        cells::nth::<C>(&[places], index).unwrap_or(Self::PASS)
    }

    #[inline(always)]
    fn best_move<C: Cpu>(&self, state: &State, means: &Means, _: &mut Vec<Move>) -> Move {
        let places = Self::places(state.own, state.other);
        let from = self.code_place(state.turn.index());
        cells::best_of_few(places, &means.of(state.turn.index())[from..]).unwrap_or(Self::PASS)
    }
}

/// Reads a line of OBF: 64 cells, the side to move, then `;` or `%` and what is not read.
///
/// `None` if the text does not begin with 64 characters without `/`.
fn read_obf(text: &str) -> Result<Option<Board>, ReadError> {
    let error = |problem: String| Err(ReadError::new(text, problem));
    let mut words = words(text.split([';', '%']).next().unwrap_or(""));
    let line = words.next().unwrap_or("");
    if line.chars().count() != 64 || line.contains('/') {
        return Ok(None);
    }
    let mut cells = Vec::with_capacity(64);
    for cell in line.chars() {
        cells.push(match cell {
            'X' | 'x' | '*' => Some(Player::First),
            'O' | 'o' => Some(Player::Second),
            '-' | '.' => None,
            strange => return error(format!("expected cells 'X', 'O' or '-', found {strange:?}")),
        });
    }
    let turn = match words.next() {
        Some("X" | "x" | "*") => Player::First,
        Some("O" | "o") => Player::Second,
        Some(word) => {
            return error(format!("expected the side to move, 'X' or 'O', found {}", quote(word)));
        }
        None => return error("expected the side to move, 'X' or 'O', after the cells".into()),
    };
    if let Some(word) = words.next() {
        return error(format!("unexpected {} at the end", quote(word)));
    }
    Ok(Some(Board { cells, turn, extra: Vec::new() }))
}

impl<const SIZE: usize> Notation for Othello<SIZE> {
    fn move_syntax(&self) -> String {
        let last = write_cell(SIZE - 1, SIZE - 1);
        format!("a cell from \"a1\" (top left) to {last:?}, or \"pass\"")
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let obf = if SIZE == 8 { read_obf(text)? } else { None };
        let board = match obf {
            Some(board) => board,
            None => Board::read(text, SIZE, SIZE, 0)?,
        };
        let bits = |player| board.bits(player, |cell| cell);
        if bits(Player::First) | bits(Player::Second) == 0 {
            return Err(ReadError::new(text, "expected at least one disc, found an empty board"));
        }
        Ok(State { own: bits(board.turn), other: bits(board.turn.other()), turn: board.turn })
    }

    fn write(&self, state: &State) -> String {
        write_board(SIZE, SIZE, state.turn, |player, cell| state.discs(player) >> cell & 1 == 1)
    }

    fn find_move(&self, _state: &State, text: &str) -> Found {
        if ["pass", "pa", "--"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return Found::Move(Self::PASS);
        }
        find_cell(text, SIZE, SIZE)
    }

    fn write_move(&self, _state: &State, mv: Move) -> String {
        if mv == Self::PASS {
            return "pass".into();
        }
        let cell = usize::from(mv.0);
        write_cell(cell % SIZE, cell / SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::playouts::traced_playout;

    #[test]
    fn every_processor_level_plays_the_same_playouts() {
        let game = Othello::<8>;
        for index in 0..200 {
            let mut codes: Vec<u16> = Vec::new();
            let mut rng = Rng::stream(3, index);
            let outcome = game.playout::<Portable, _>(game.start(), &mut rng, &mut codes);
            assert_eq!(traced_playout(&game, &game.start(), 3, index), (outcome, codes));
        }
    }
}
