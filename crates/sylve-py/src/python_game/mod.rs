//! A user's game in Python as a [`sylve_core::Game`]: the exception to "the binding has no logic".
//!
//! The first error of the game is kept, from then on every game is over at once, and
//! [`Failure::check`] raises the error.

mod answers;
mod failure;
mod rules;

pub use failure::Failure;
pub use rules::PythonGame;
