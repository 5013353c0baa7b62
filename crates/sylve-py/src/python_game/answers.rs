//! The answers of a game in Python, read and refused.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sylve_core::{Outcome, Player};

/// The error for an answer that breaks a rule of the protocol.
pub fn refused(rule: &str, answer: &Bound<'_, PyAny>) -> PyErr {
    PyValueError::new_err(format!("{rule}, not {}", shown(answer)))
}

/// An object of a user, cut to what fits in a message, as `sylve.errors.shown` does.
fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map(|text| text.to_string()).unwrap_or_default();
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// What `outcome` and `adjudicate` answer.
pub fn read_outcome(answer: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if answer.is_none() {
        return Ok(None);
    }
    let problem = || refused("outcome() must be None or an Outcome", answer);
    let winner = answer.getattr("winner").map_err(|_| problem())?;
    match winner.extract::<Option<u8>>() {
        Ok(None) => Ok(Some(Outcome::Draw)),
        Ok(Some(0)) => Ok(Some(Outcome::Win(Player::First))),
        Ok(Some(1)) => Ok(Some(Outcome::Win(Player::Second))),
        _ => Err(problem()),
    }
}
