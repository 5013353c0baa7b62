//! `sylve._core.Searcher`: a search of a position of a compiled game.

use crate::config::{read_config, read_threads};
use crate::position::Position;
use crate::python_game::{Failure, PythonGame};
use crate::stop::{Until, interruptible_until};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use sylve_core::search::{self, parallel::refusal, tally::Tally};
use sylve_core::{AnySearcher, Game, Move};

/// A search that can be run on and looked at.
#[pyclass(frozen, module = "sylve._core")]
pub struct Searcher {
    inner: Mutex<Box<dyn AnySearcher>>,
    /// Of a game written in Python, which can fail.
    failure: Option<Failure>,
    /// Set to end the run under way.
    paused: AtomicBool,
}

type Counts = (u32, u32, u32);

fn counts(tally: Tally) -> Counts {
    (tally.visits, tally.wins, tally.draws)
}

#[pymethods]
impl Searcher {
    /// A search of `position` among `moves`, configured by a dictionary (sylve.search.compiled).
    #[new]
    fn new(position: &Position, moves: Vec<u16>, config: &Bound<'_, PyDict>) -> PyResult<Searcher> {
        let moves = moves.into_iter().map(|mv| position.legal(mv)).collect::<PyResult<_>>()?;
        let (threads, parallel) = read_threads(config)?;
        let config = read_config(config, position.inner.codes())?;
        let inner = if threads == 1 {
            position.inner.searcher(moves, config)
        } else {
            if let Some(reason) = refusal(&config, parallel) {
                return Err(PyValueError::new_err(reason));
            }
            position.inner.parallel_searcher(moves, &config, parallel, threads)
        };
        let inner = Mutex::new(inner);
        Ok(Searcher { inner, failure: None, paused: AtomicBool::default() })
    }

    /// A search of a state of a game written in Python.
    #[staticmethod]
    fn of_game(
        game: &Bound<'_, PyAny>,
        state: Bound<'_, PyAny>,
        moves: Vec<u16>,
        config: &Bound<'_, PyDict>,
    ) -> PyResult<Searcher> {
        let rules = PythonGame::new(game)?;
        let failure = rules.failure.clone();
        let config = read_config(config, rules.codes())?;
        let moves = moves.into_iter().map(Move).collect();
        let search =
            search::Searcher::new(Arc::new(rules), PythonGame::state(state), moves, config);
        failure.check(game.py())?;
        let inner: Mutex<Box<dyn AnySearcher>> = Mutex::new(Box::new(search));
        Ok(Searcher { inner, failure: Some(failure), paused: AtomicBool::default() })
    }

    /// Run so many more simulations, or fewer if the time is up or `pause` is called.
    #[pyo3(signature = (simulations, seconds=None))]
    fn run(&self, py: Python<'_>, simulations: u64, seconds: Option<f64>) -> PyResult<()> {
        // Longer than any process lives: no deadline.
        let seconds = seconds.filter(|&seconds| seconds < 1e10);
        let deadline = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s.max(0.0)));
        let done = match &self.failure {
            None => {
                let until = Until { stop: &self.paused, deadline };
                interruptible_until(py, until, |stop| self.lock().run(simulations, stop))
            }
            Some(failure) => self.run_python(py, simulations, deadline, failure),
        };
        self.paused.store(false, Ordering::Relaxed);
        done
    }

    /// End the run under way, or else the next one, after the simulation at hand.
    fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// (simulations, nodes).
    fn counts(&self, py: Python<'_>) -> (u64, usize) {
        py.detach(|| {
            let search = self.lock();
            (search.simulations(), search.nodes())
        })
    }

    /// (simulations, nodes, bytes, order, line, by move: (own, amaf, value, exploration, beta, mean)).
    #[expect(clippy::type_complexity, reason = "one tuple across the border, taken apart at once")]
    fn numbers(
        &self,
        py: Python<'_>,
    ) -> (
        u64,
        usize,
        usize,
        Vec<usize>,
        Vec<u16>,
        Vec<(Counts, Option<Counts>, f64, f64, Option<f64>, Option<f64>)>,
    ) {
        // Detached: whoever holds the lock may be waiting for Python.
        let numbers = py.detach(|| self.lock().numbers());
        let moves = numbers.moves.iter().map(|entry| {
            let parts = entry.parts;
            let amaf = entry.amaf.map(counts);
            (counts(entry.own), amaf, parts.value, parts.exploration, parts.beta, entry.mean)
        });
        (
            numbers.simulations,
            numbers.nodes,
            numbers.bytes,
            numbers.order.clone(),
            numbers.line.iter().map(|mv| mv.0).collect(),
            moves.collect(),
        )
    }
}

impl Searcher {
    /// A game written in Python runs on the thread that asks, and looks up after every simulation.
    fn run_python(
        &self,
        py: Python<'_>,
        simulations: u64,
        deadline: Option<Instant>,
        failure: &Failure,
    ) -> PyResult<()> {
        for _ in 0..simulations {
            let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || self.paused.load(Ordering::Relaxed) {
                break;
            }
            self.lock().run(1, failure.flag());
            failure.check(py)?;
            py.check_signals()?;
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnySearcher>> {
        // A poisoned lock means that a search panicked: its numbers are still plain numbers.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
