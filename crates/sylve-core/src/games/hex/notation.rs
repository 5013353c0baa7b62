//! Positions and moves of Hex as text.

use super::{Hex, State};
use crate::game::{Game, Move, Player};
use crate::notation::{Board, Found, Notation, ReadError, find_cell, write_board, write_cell};

impl<const W: usize> Notation for Hex<W> {
    fn move_syntax(&self) -> String {
        let last = write_cell(self.size - 1, self.size - 1);
        let swap = if self.swap { ", or \"swap-pieces\"" } else { "" };
        format!("a cell from \"a1\" (top left) to \"{last}\"{swap}")
    }

    fn read(&self, text: &str) -> Result<State<W>, ReadError> {
        let board = Board::read(text, self.size, self.size, 0)?;
        let mut state = State { turn: board.turn, ..self.start() };
        for (cell, owner) in board.cells.iter().enumerate() {
            if let Some(owner) = owner {
                state.stones[owner.index()].insert(cell);
            }
        }
        for player in [Player::First, Player::Second] {
            let index = player.index();
            state.reached[index] = self.reached(&state.stones[index], player);
        }
        // Both cannot have won: this is what makes Hex a game without draws.
        let mover = board.turn.index();
        if state.reached[mover].meets(&self.to[mover]) {
            return Err(ReadError::new(text, "the side to move has joined its sides already"));
        }
        Ok(state)
    }

    fn write(&self, state: &State<W>) -> String {
        write_board(self.size, self.size, state.turn, |player, cell| {
            state.stones[player.index()].has(cell)
        })
    }

    fn find_move(&self, _state: &State<W>, text: &str) -> Found {
        if ["swap-pieces", "swap"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return if self.swap { Found::Move(self.swap_move()) } else { Found::NoSuchMove };
        }
        find_cell(text, self.size, self.size)
    }

    fn write_move(&self, _state: &State<W>, mv: Move) -> String {
        if mv == self.swap_move() {
            return "swap-pieces".into();
        }
        let cell = usize::from(mv.0);
        write_cell(cell % self.size, cell / self.size)
    }
}
