//! `sylve._core.Searcher`: a search of a position of a compiled game.

use crate::config::read_config;
use crate::position::Position;
use crate::stop::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Mutex;
use sylve_core::AnySearcher;
use sylve_core::search::tally::Tally;

/// A search that can be run on and looked at.
#[pyclass(frozen, module = "sylve._core")]
pub struct Searcher {
    inner: Mutex<Box<dyn AnySearcher>>,
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
        let config = read_config(config, position.inner.codes())?;
        Ok(Searcher { inner: Mutex::new(position.inner.searcher(moves, config)) })
    }

    /// Run so many more simulations.
    fn run(&self, py: Python<'_>, simulations: u64) -> PyResult<()> {
        interruptible(py, |stop| self.lock().run(simulations, stop))
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
