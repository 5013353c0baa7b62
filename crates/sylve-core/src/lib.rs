//! Games and game-tree search, without Python.
//!
//! Read [`game`] first (what a game is), then [`games::tic_tac_toe`] (the smallest one), then
//! [`perft()`] (the smallest user of a game). Everything that both languages must do alike is
//! specified in `docs/spec.md`.

pub mod alpha_beta;
pub mod any;
pub mod cpu;
pub mod evaluate;
pub mod foreign;
pub mod game;
pub mod games;
pub mod guide;
pub mod means;
pub mod memory;
pub mod native;
pub mod notation;
mod open;
pub mod perft;
pub mod playouts;
pub mod rng;
pub mod search;
pub mod self_play;
pub mod solve;
#[cfg(test)]
mod turns;

pub use any::AnyPosition;
pub use game::{Game, Move, Outcome, Player, Record, play_to_the_end};
pub use notation::{MoveError, Notation, ReadError};
pub use open::open;
pub use perft::{Finished, perft};
pub use rng::Rng;
pub use search::AnySearcher;
