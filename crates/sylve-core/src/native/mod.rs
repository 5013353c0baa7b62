//! A game whose rules are a function of C: a user's own, compiled elsewhere.
//!
//! A state is a block of words that the function reads and writes. What it answers is checked here;
//! the first answer that breaks a rule is kept ([`Failure`]), and from then on every game is over at
//! once.

mod failure;
mod functions;
mod rules;
mod state;
mod text;

pub use failure::{Failure, Fault};
pub use functions::{Functions, Operation};
pub use rules::{NativeGame, Numbers, Own};
pub use state::State;
