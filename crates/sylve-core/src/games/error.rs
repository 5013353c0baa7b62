//! A game that cannot be.

use std::fmt;

/// A game string that names no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError(String);

impl GameError {
    /// `problem` says what was wrong and what was allowed.
    pub fn new(problem: impl Into<String>) -> GameError {
        GameError(problem.into())
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GameError {}
