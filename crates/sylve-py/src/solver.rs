//! `sylve._core.Solver`: exact values of positions of a compiled game.

use crate::leaving::Inside;
use crate::native::Faults;
use crate::position::{InvalidPosition, Position};
use crate::stop::{Until, interruptible_with};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use sylve_core::ReadError;
use sylve_core::solve::{AnySolver, Limits, Solution, Step, Want};

/// A solver of one game, which remembers from one position to the next.
#[pyclass(frozen, module = "sylve._core")]
pub struct Solver {
    inner: Mutex<Box<dyn AnySolver>>,
    /// Of a user's game that was compiled.
    faults: Faults,
}

/// What is solved within so many nodes is solved on the thread that asks: it takes a few milliseconds at
/// most, and another thread and its signals would cost more.
const QUICK: u64 = 10_000;

/// Value, best move, every move with its value, line, nodes.
type Numbers = (Option<i32>, Option<u16>, Vec<(u16, Option<i32>)>, Vec<u16>, u64);

#[pymethods]
impl Solver {
    /// A solver of the game of `position`; what it remembers takes at most so many bytes.
    #[new]
    #[pyo3(signature = (position, most_bytes=None))]
    fn new(py: Python<'_>, position: &Position, most_bytes: Option<usize>) -> Solver {
        let most_bytes = most_bytes.unwrap_or(usize::MAX);
        let inner = Mutex::new(position.inner.solver(most_bytes));
        Solver { inner, faults: position.faults.share(py) }
    }

    /// (value, best, by move: (move, value), line, nodes) of the position of a text; None for what is
    /// not wanted or was not found within `seconds` or `nodes`. `want` is value, line or moves. `progress` is called now and then with the values found,
    /// the values wanted, and the nodes when the last one was found.
    #[pyo3(signature = (position, want, seconds=None, nodes=None, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: &str,
        want: &str,
        seconds: Option<f64>,
        nodes: Option<u64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Numbers> {
        let want = match want {
            "value" => Want::Value,
            "line" => Want::Line,
            "moves" => Want::Moves,
            _ => return Err(PyValueError::new_err(format!("cannot want {want:?}"))),
        };
        let step = Mutex::new(Step::default());
        let latest = || *step.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // More seconds than an Instant can count are no limit.
        let deadline = seconds.and_then(|seconds| {
            Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)
        });
        let nodes = nodes.unwrap_or(u64::MAX);
        let bad_text = |error: ReadError| InvalidPosition::new_err(error.to_string());
        let inside = Inside::new()?;
        let quick = py.detach(|| {
            let stop = &AtomicBool::new(false);
            let limits = Limits { stop, deadline, nodes: nodes.min(QUICK) };
            self.lock().solve(position, want, &limits, &mut |_| ())
        });
        drop(inside);
        self.faults.check(py)?;
        let quick = quick.map_err(bad_text)?;
        let visited = quick.nodes;
        if quick.finished || nodes <= visited {
            return Ok(numbers(quick));
        }
        let solution = interruptible_with(
            py,
            Until::new(&AtomicBool::new(false), None),
            |stop| {
                let limits = Limits { stop, deadline, nodes: nodes - visited };
                let mut tell = |at: Step| {
                    *step.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = at;
                };
                self.lock().solve(position, want, &limits, &mut tell)
            },
            || match &progress {
                None => Ok(()),
                Some(progress) => {
                    let Step { done, wanted, nodes } = latest();
                    progress.call1((done, wanted, nodes)).map(|_| ())
                }
            },
        );
        self.faults.check(py)?; // before what became of the search
        let solution = solution?.map_err(bad_text)?;
        Ok(numbers(Solution { nodes: visited + solution.nodes, ..solution }))
    }

    /// Who wins the position of a text, if so many nodes tell: 1 the side to move, 0 nobody, -1 the
    /// other side. For searches: if it may take long, `ended` is asked now and then whether to give up.
    #[pyo3(signature = (position, nodes, ended=None))]
    fn winner(
        &self,
        py: Python<'_>,
        position: &str,
        nodes: u64,
        ended: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Option<i32>> {
        let stop = &AtomicBool::new(false);
        let found = match ended {
            Some(ended) if nodes > QUICK => interruptible_with(
                py,
                Until::new(stop, None),
                |stop| self.lock().winner(position, nodes, stop),
                || {
                    stop.fetch_or(ended.call0()?.is_truthy()?, Ordering::Relaxed);
                    Ok(())
                },
            )?,
            _ => {
                let _inside = Inside::new()?;
                py.detach(|| self.lock().winner(position, nodes, stop))
            }
        };
        self.faults.check(py)?;
        found.map_err(|error| InvalidPosition::new_err(error.to_string()))
    }

    /// Forget everything.
    fn clear(&self) {
        self.lock().clear();
    }
}

fn numbers(solution: Solution) -> Numbers {
    (
        solution.value,
        solution.best.map(|mv| mv.0),
        solution.per_move.into_iter().map(|(mv, value)| (mv.0, value)).collect(),
        solution.line.into_iter().map(|mv| mv.0).collect(),
        solution.nodes,
    )
}

impl Solver {
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnySolver>> {
        // A poisoned lock means that a solver panicked; what it remembered before is still right.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
