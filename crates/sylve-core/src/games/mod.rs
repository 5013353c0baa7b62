//! The games, one file each.

pub mod breakthrough;
mod cells;
pub mod connect_four;
mod error;
pub mod go;
pub mod hex;
pub mod othello;
pub mod tic_tac_toe;

pub use error::GameError;
