//! Positions of a native game as text: the bytes in hexadecimal. Only the binding reads it.

use super::rules::NativeGame;
use super::state::State;
use crate::game::Move;
use crate::notation::{Found, Notation, ReadError};
use std::fmt::Write;

impl Notation for NativeGame {
    fn move_syntax(&self) -> String {
        "a number".into()
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
        let wanted = 16 * self.numbers.words;
        match digits {
            Some(digits) if digits.len() == wanted => {
                let bytes: Vec<u8> =
                    digits.chunks_exact(2).map(|pair| 16 * pair[0] + pair[1]).collect();
                Ok(State::of(&bytes))
            }
            _ => Err(ReadError::new(text, format!("expected {wanted} hexadecimal digits"))),
        }
    }

    fn write(&self, state: &State) -> String {
        state.bytes(self.numbers.words).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes everything");
            text
        })
    }

    fn find_move(&self, _: &State, text: &str) -> Found {
        text.parse().map_or(Found::Unreadable, |number| Found::Move(Move(number)))
    }

    fn write_move(&self, _: &State, mv: Move) -> String {
        mv.0.to_string()
    }
}
