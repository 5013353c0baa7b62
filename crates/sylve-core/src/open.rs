//! From a game string to the start of the game.

use crate::any::{AnyPosition, at};
use crate::evaluate::Evaluate;
use crate::game::Game;
use crate::games::{GameError, breakthrough, connect_four, go, hex, othello, tic_tac_toe};
use crate::notation::Notation;
use crate::solve::Solvable;

/// The starting position of the game that a string such as `hex(size=5)` names.
///
/// Only the canonical form is read here (keywords, numbers, `true`, `false`); the command line and
/// the Python package accept more and write this form.
pub fn open(game: &str) -> Result<Box<dyn AnyPosition>, GameError> {
    let mut arguments = Arguments::read(game)?;
    let position = match arguments.name.as_str() {
        "breakthrough" => {
            let columns = arguments.take_size("columns", 8, 2, 8)?;
            let rows = arguments.take_size("rows", 8, 4, 8)?;
            started(breakthrough::Breakthrough::new(columns, rows))
        }
        "othello" => match arguments.take("size", 8.0) {
            4.0 => started(othello::Othello::<4>),
            6.0 => started(othello::Othello::<6>),
            8.0 => started(othello::Othello::<8>),
            size => {
                return Err(GameError::new(format!("othello: size must be 4, 6 or 8, not {size}")));
            }
        },
        "connect_four" => {
            let columns = arguments.take_size("columns", 7, 4, 12)?;
            let rows = arguments.take_size("rows", 6, 4, 13)?;
            started(connect_four::ConnectFour::new(columns, rows)?)
        }
        "hex" => {
            let size = arguments.take_size("size", 11, 2, 19)?;
            let swap = arguments.take_flag("swap", false)?;
            match size {
                2..=8 => started(hex::Hex::<1>::new(size, swap)),
                9..=11 => started(hex::Hex::<2>::new(size, swap)),
                12..=13 => started(hex::Hex::<3>::new(size, swap)),
                _ => started(hex::Hex::<6>::new(size, swap)),
            }
        }
        "go" => {
            let size = arguments.take_size("size", 9, 2, 19)?;
            let komi = go::check_komi(arguments.take("komi", 7.5))?;
            if size <= go::SMALL {
                started(go::SmallGo::new(size, komi))
            } else {
                started(go::LargeGo::new(size, komi))
            }
        }
        "tic_tac_toe" => started(tic_tac_toe::TicTacToe),
        name => return Err(GameError::new(format!("unknown game {name:?}"))),
    };
    arguments.all_used()?;
    Ok(position)
}

fn started<G: Notation + Evaluate + Solvable>(game: G) -> Box<dyn AnyPosition> {
    let state = Game::start(&game);
    at(game, state)
}

/// The name and the arguments of a game string.
struct Arguments {
    name: String,
    values: Vec<(String, f64)>,
}

impl Arguments {
    fn read(text: &str) -> Result<Arguments, GameError> {
        let bad = || {
            GameError::new(format!(
                "invalid game {text:?}: expected a name or name(argument=number, ...)"
            ))
        };
        let Some((name, inside)) = text.split_once('(') else {
            return Ok(Arguments { name: text.trim().to_owned(), values: Vec::new() });
        };
        let inside = inside.trim_end().strip_suffix(')').ok_or_else(bad)?;
        let mut values = Vec::new();
        for argument in inside.split(',').filter(|part| !part.trim().is_empty()) {
            let (key, value) = argument.split_once('=').ok_or_else(bad)?;
            let value = match value.trim() {
                "true" => 1.0,
                "false" => 0.0,
                number => number.parse().map_err(|_| bad())?,
            };
            values.push((key.trim().to_owned(), value));
        }
        Ok(Arguments { name: name.trim().to_owned(), values })
    }

    /// Takes out an argument, or its default.
    fn take(&mut self, key: &str, default: f64) -> f64 {
        match self.values.iter().position(|(name, _)| name == key) {
            Some(index) => self.values.remove(index).1,
            None => default,
        }
    }

    /// Takes out an argument that is a whole number from `low` to `high`.
    fn take_size(
        &mut self,
        key: &str,
        default: usize,
        low: usize,
        high: usize,
    ) -> Result<usize, GameError> {
        let value = self.take(key, default as f64);
        if value.fract() != 0.0 || value < low as f64 || value > high as f64 {
            return Err(GameError::new(format!(
                "{}: {key} must be a whole number from {low} to {high}, not {value}",
                self.name
            )));
        }
        Ok(value as usize)
    }

    /// Takes out an argument that is `true` or `false`.
    fn take_flag(&mut self, key: &str, default: bool) -> Result<bool, GameError> {
        let value = self.take(key, f64::from(u8::from(default)));
        if value != 0.0 && value != 1.0 {
            return Err(GameError::new(format!(
                "{}: {key} must be true or false, not {value}",
                self.name
            )));
        }
        Ok(value == 1.0)
    }

    fn all_used(&self) -> Result<(), GameError> {
        match self.values.first() {
            Some((key, _)) => {
                Err(GameError::new(format!("{}: unknown argument {key:?}", self.name)))
            }
            None => Ok(()),
        }
    }
}
