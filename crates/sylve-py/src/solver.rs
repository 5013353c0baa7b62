//! `sylve._core.Solver`: exact values of positions of a compiled game.

use crate::position::{InvalidPosition, Position};
use crate::stop::{Until, interruptible_with};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use sylve_core::solve::{AnySolver, Limits, Step};

/// A solver of one game, which remembers from one position to the next.
#[pyclass(frozen, module = "sylve._core")]
pub struct Solver {
    inner: Mutex<Box<dyn AnySolver>>,
}

/// Value, best move, every move with its value, line, nodes.
type Numbers = (Option<i32>, Option<u16>, Vec<(u16, Option<i32>)>, Vec<u16>, u64);

#[pymethods]
impl Solver {
    /// A solver of the game of `position`.
    #[new]
    fn new(position: &Position) -> Solver {
        Solver { inner: Mutex::new(position.inner.solver()) }
    }

    /// (value, best, by move: (move, value), line, nodes) of the position of a text; None for what was
    /// not found within `seconds` or `nodes`. `progress` is called now and then with the values found,
    /// the values wanted, and the nodes when the last one was found.
    #[pyo3(signature = (position, every_move, seconds=None, nodes=None, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: &str,
        every_move: bool,
        seconds: Option<f64>,
        nodes: Option<u64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Numbers> {
        let step = Mutex::new(Step::default());
        let latest = || *step.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // More seconds than an Instant can count are no limit.
        let deadline = seconds.and_then(|seconds| {
            Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)
        });
        let solution = interruptible_with(
            py,
            Until { stop: &AtomicBool::new(false), deadline: None },
            |stop| {
                let limits = Limits { stop, deadline, nodes: nodes.unwrap_or(u64::MAX) };
                let mut tell = |at: Step| {
                    *step.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = at;
                };
                self.lock().solve(position, every_move, &limits, &mut tell)
            },
            || match &progress {
                None => Ok(()),
                Some(progress) => {
                    let Step { done, wanted, nodes } = latest();
                    progress.call1((done, wanted, nodes)).map(|_| ())
                }
            },
        )?
        .map_err(|error| InvalidPosition::new_err(error.to_string()))?;
        Ok((
            solution.value,
            solution.best.map(|mv| mv.0),
            solution.per_move.into_iter().map(|(mv, value)| (mv.0, value)).collect(),
            solution.line.into_iter().map(|mv| mv.0).collect(),
            solution.nodes,
        ))
    }

    /// Forget everything.
    fn clear(&self) {
        self.lock().clear();
    }
}

impl Solver {
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnySolver>> {
        // A poisoned lock means that a solver panicked; what it remembered before is still right.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
