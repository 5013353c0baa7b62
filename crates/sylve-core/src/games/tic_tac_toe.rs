//! Tic-tac-toe: the smallest game, for tests and teaching. Rules: `docs/games/tic_tac_toe.md`.

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::notation::{Board, Found, Notation, ReadError, find_cell, write_board, write_cell};
use crate::rng::{Rng, hash_words};

const FULL: u64 = 0b111_111_111;

/// The eight lines of three: rows, columns, diagonals. Cell 0 is a1, top left.
pub(crate) const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The cells of each player; the side to move follows from their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) stones: [u64; 2],
}

impl State {
    #[inline(always)]
    fn empty(&self) -> u64 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    #[inline(always)]
    fn turn(&self) -> Player {
        if self.empty().count_ones() % 2 == 1 { Player::First } else { Player::Second }
    }
}

#[inline(always)]
fn has_line(stones: u64) -> bool {
    LINES.into_iter().any(|line| line & !stones == 0)
}

impl Game for TicTacToe {
    type State = State;

    fn start(&self) -> State {
        State { stones: [0, 0] }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    #[inline(always)]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if has_line(state.stones[0]) {
            Some(Outcome::Win(Player::First))
        } else if has_line(state.stones[1]) {
            Some(Outcome::Win(Player::Second))
        } else if state.empty() == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.outcome(state).is_none() {
            out.extend((0..9).filter(|cell| state.empty() >> cell & 1 == 1).map(Move));
        }
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        mv.0 < 9 && state.empty() >> mv.0 & 1 == 1 && self.outcome(state).is_none()
    }

    #[inline(always)]
    fn play(&self, state: &mut State, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        state.stones[state.turn().index()] |= 1 << mv.0;
    }

    #[inline(always)]
    fn hash(&self, state: &State) -> u64 {
        hash_words([state.turn().index() as u64, state.stones[0], state.stones[1]])
    }

    fn codes(&self) -> usize {
        2 * 9
    }

    fn code(&self, state: &State, mv: Move) -> usize {
        2 * usize::from(mv.0) + state.turn().index()
    }

    fn max_plies(&self) -> usize {
        9
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        mut state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome(&state) {
                return outcome;
            }
            let empty = state.empty();
            let cell = C::nth_bit(empty, rng.below(empty.count_ones()));
            let player = state.turn();
            if R::WANTED {
                record.played(2 * cell.trailing_zeros() as usize + player.index());
            }
            state.stones[player.index()] |= cell;
        }
    }
}

impl Notation for TicTacToe {
    fn move_syntax(&self) -> String {
        "a cell from \"a1\" (top left) to \"c3\"".into()
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let board = Board::read(text, 3, 3, 0)?;
        let bits = |player| board.bits(player, |cell| cell);
        let state = State { stones: [Player::First, Player::Second].map(bits) };
        board.check_turns(text)?;
        if has_line(state.stones[0]) && has_line(state.stones[1]) {
            return Err(ReadError::new(text, "both players have a line of three"));
        }
        // The winner moved last.
        if has_line(state.stones[board.turn.index()]) {
            return Err(ReadError::new(text, "the side to move has a line of three already"));
        }
        Ok(state)
    }

    fn write(&self, state: &State) -> String {
        write_board(3, 3, state.turn(), |player, cell| {
            state.stones[player.index()] >> cell & 1 == 1
        })
    }

    fn find_move(&self, _state: &State, text: &str) -> Found {
        find_cell(text, 3, 3)
    }

    fn write_move(&self, _state: &State, mv: Move) -> String {
        write_cell(usize::from(mv.0 % 3), usize::from(mv.0 / 3))
    }
}
