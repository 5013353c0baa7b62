//! `sylve._core.Searcher`: a search of a position of a compiled game.

use crate::config::read_config;
use crate::position::Position;
use crate::python_game::{Failure, PythonGame};
use crate::stop::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use sylve_core::search::{self, tally::Tally};
use sylve_core::{AnySearcher, Game, Move};

/// A search that can be run on and looked at.
#[pyclass(frozen, module = "sylve._core")]
pub struct Searcher {
    inner: Mutex<Box<dyn AnySearcher>>,
    /// Of a game written in Python, which can fail.
    failure: Option<Failure>,
}

/// Simulations of a Python game between two looks for a signal.
const SLICE: u64 = 16;

const CONTRADICTION: &str =
    "the game contradicts itself: moves() and code() must always give the same for a state";

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
        let config = read_config(config, position.inner.codes())?;
        let inner = Mutex::new(position.inner.searcher(moves, config));
        Ok(Searcher { inner, failure: None })
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
        Ok(Searcher { inner: Mutex::new(Box::new(search)), failure: Some(failure) })
    }

    /// Run so many more simulations.
    fn run(&self, py: Python<'_>, simulations: u64) -> PyResult<()> {
        let Some(failure) = &self.failure else {
            return interruptible(py, |stop| self.lock().run(simulations, stop));
        };
        let mut left = simulations;
        while left > 0 {
            // Rules that contradict themselves (other moves each time) can break the engine's tables.
            let work = AssertUnwindSafe(|| self.lock().run(left.min(SLICE), failure.flag()));
            let done = catch_unwind(work);
            failure.check(py)?;
            done.map_err(|_| PyValueError::new_err(CONTRADICTION))?;
            py.check_signals()?;
            left = left.saturating_sub(SLICE);
        }
        Ok(())
    }

    /// (simulations, nodes, bytes, order, line, by move: (own, amaf, value, exploration, beta, mean)).
    #[expect(clippy::type_complexity, reason = "one tuple across the border, taken apart at once")]
    fn numbers(
        &self,
    ) -> (
        u64,
        usize,
        usize,
        Vec<usize>,
        Vec<u16>,
        Vec<(Counts, Option<Counts>, f64, f64, Option<f64>, Option<f64>)>,
    ) {
        let numbers = self.lock().numbers();
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
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnySearcher>> {
        // A poisoned lock means that a search panicked: its numbers are still plain numbers.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
