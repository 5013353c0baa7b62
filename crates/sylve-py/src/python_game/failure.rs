//! The first error of a game. The methods of [`sylve_core::Game`] cannot fail, those of a game in
//! Python can.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The first error of a game.
#[derive(Clone, Default)]
pub struct Failure {
    failed: Arc<AtomicBool>,
    error: Arc<Mutex<Told>>,
}

/// What is left to say of the error of a game.
#[derive(Default)]
enum Told {
    /// It has not failed.
    #[default]
    Nothing,
    /// It has, and nobody has been told.
    Error(PyErr),
    /// The error was raised; this was its text. The error itself must not be kept: its traceback
    /// holds the frames of the search, and those hold us, so that neither would ever be freed.
    Text(String),
}

impl Failure {
    /// Keeps the error, if it is the first.
    pub fn set(&self, error: PyErr) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            *self.lock() = Told::Error(error);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Told> {
        self.error.lock().expect("no panic while it is held")
    }

    /// Whether there is one: the flag stops a search.
    pub fn flag(&self) -> &AtomicBool {
        &self.failed
    }

    /// Raises it; when it was raised before, says so.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        let told = std::mem::take(&mut *self.lock());
        let (text, raised) = match told {
            Told::Nothing => return Ok(()),
            // The text may call Python: not while the lock is held.
            Told::Error(error) => {
                (error.value(py).repr().map(|text| text.to_string()), Some(error))
            }
            Told::Text(text) => (Ok(text), None),
        };
        let text = text.unwrap_or_else(|_| "an error that cannot be shown".into());
        let again = format!("the search cannot go on, because its game has failed: {text}");
        *self.lock() = Told::Text(text);
        Err(raised.unwrap_or_else(|| PyRuntimeError::new_err(again)))
    }
}
