//! `sylve._core.Searcher`: a search of a position of a compiled game.

use crate::config::read_config;
use crate::leaving::{Inside, is_leaving, leaving};
use crate::native::Faults;
use crate::parts::Parts;
use crate::position::Position;
use crate::python_game::{Failure, PythonGame};
use crate::stop::{Until, interruptible_with, want_memory};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use sylve_core::search::bytes::{Damaged, Reader, Writer};
use sylve_core::search::config::Algorithm;
use sylve_core::search::formulas::Parts as Score;
use sylve_core::search::parallel::{Parallel, refusal};
use sylve_core::search::{self, Config, MOST_WAITING, MoveNumbers, tally::Tally};
use sylve_core::{AnySearcher, Game, Move, Outcome, Player};

/// A search that can be run on and looked at.
#[pyclass(frozen, module = "sylve._core")]
pub struct Searcher {
    inner: Mutex<Box<dyn AnySearcher>>,
    /// Of a game written in Python, which can fail.
    failure: Option<Failure>,
    /// Of a user's game that was compiled, which can fail too.
    faults: Faults,
    /// What of the search is the user's own, which can fail too.
    parts: Parts,
    /// Set to end the run under way.
    paused: AtomicBool,
    /// Set to end the proof under way too.
    give_up: Arc<AtomicBool>,
    /// Simulations that belong together.
    batch: u64,
    /// How many threads it starts.
    threads: usize,
}

/// Bytes that a thread may take.
const STACK: usize = 4 << 20;

/// A move of a report: (own, amaf, value, exploration, beta, mean, implicit, prior, proof).
type Row =
    (Counts, Option<Counts>, f64, f64, Option<f64>, Option<f64>, Option<u16>, Option<u16>, u8);

fn row(entry: &MoveNumbers, proof: Option<Outcome>) -> Row {
    let MoveNumbers { own, amaf, parts, mean, implicit, prior } = *entry;
    let proof = proof.map_or(0, |outcome| 1 + outcome.points(Player::First) as u8);
    let amaf = amaf.map(counts);
    let Score { value, exploration, beta } = parts;
    (counts(own), amaf, value, exploration, beta, mean, implicit, prior, proof)
}

fn batch(config: &Config) -> u64 {
    match &config.algorithm {
        Algorithm::Tree(tree) => tree.batch.min(MOST_WAITING) as u64,
        _ => 1,
    }
}

const CONTRADICTION: &str =
    "the game contradicts itself: moves() and code() must always give the same for a state";

type Counts = (u32, u32, u32, u32);

fn counts(tally: Tally) -> Counts {
    (tally.visits, tally.wins, tally.draws, tally.parts)
}

#[pymethods]
impl Searcher {
    /// A search of `position` among `moves`, configured by a dictionary (sylve.search.running.compiled).
    #[new]
    fn new(
        py: Python<'_>,
        position: &Position,
        moves: Vec<u16>,
        config: &Bound<'_, PyDict>,
    ) -> PyResult<Searcher> {
        let moves = moves.into_iter().map(|mv| position.legal(py, mv)).collect::<PyResult<_>>()?;
        let (config, threads, parallel, parts) = read_config(config, position.inner.codes())?;
        let batch = batch(&config);
        if threads > 1
            && let Some(reason) = refusal(&config, parallel)
        {
            return Err(PyValueError::new_err(reason));
        }
        let parallel = if threads == 1 { Parallel::Batch } else { parallel };
        let inner = position.inner.searcher(moves, config, parallel, threads);
        let (give_up, inner) = (inner.give_up(), Mutex::new(inner));
        let (faults, paused) = (position.faults.share(py), AtomicBool::default());
        faults.check(py)?;
        Ok(Searcher { inner, failure: None, faults, parts, paused, give_up, batch, threads })
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
        let (config, _, _, parts) = read_config(config, rules.codes())?;
        let moves = moves.into_iter().map(Move).collect();
        let batch = batch(&config);
        let search =
            search::Searcher::new(Arc::new(rules), PythonGame::state(state), moves, config);
        failure.check(game.py())?;
        let give_up = search.give_up();
        let inner: Mutex<Box<dyn AnySearcher>> = Mutex::new(Box::new(search));
        let (failure, faults, paused) = (Some(failure), Faults::default(), AtomicBool::default());
        Ok(Searcher { inner, failure, faults, parts, paused, give_up, batch, threads: 0 })
    }

    /// Run so many more simulations, or fewer if the time is up or `pause` is called. `last`: the
    /// search ends when the time is up, so that a proof under way is given up then.
    #[pyo3(signature = (simulations, seconds=None, last=true))]
    fn run(
        &self,
        py: Python<'_>,
        simulations: u64,
        seconds: Option<f64>,
        last: bool,
    ) -> PyResult<()> {
        want_memory(self.threads * STACK, "the stacks of the threads")?;
        // Longer than any process lives: no deadline.
        let seconds = seconds.filter(|&seconds| seconds < 1e10);
        let deadline = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s.max(0.0)));
        let done = match &self.failure {
            None => {
                let also = Some(&*self.give_up);
                let until = Until { stop: &self.paused, deadline, also, last };
                let run = |stop: &AtomicBool| self.lock().run(simulations, stop);
                interruptible_with(py, until, run, || self.check(py))
            }
            Some(failure) => self.run_python(py, simulations, deadline, failure),
        };
        self.paused.store(false, Ordering::Relaxed);
        self.give_up.store(false, Ordering::Relaxed);
        self.check_parts(py)?;
        done?;
        if self.lock().is_refused() {
            return Err(PyMemoryError::new_err(
                "the system has no memory left for the tree; memory= bounds it",
            ));
        }
        Ok(())
    }

    /// End the run under way, or else the next one, after the simulation at hand.
    fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// The same, and a proof under way is given up.
    fn stop(&self) {
        self.give_up.store(true, Ordering::Relaxed);
        self.pause();
    }

    /// End a batch that was stopped: the playouts that were made count.
    fn settle(&self, py: Python<'_>) -> PyResult<()> {
        self.use_it(py, |search| search.settle())
    }

    /// (simulations, nodes).
    fn counts(&self, py: Python<'_>) -> PyResult<(u64, usize)> {
        self.use_it(py, |search| (search.simulations(), search.nodes()))
    }

    /// Whether the result with best play is known.
    fn proven(&self, py: Python<'_>) -> PyResult<bool> {
        self.use_it(py, |search| search.proof().is_some())
    }

    /// 64 bits for everything that the tree counts.
    fn digest(&self, py: Python<'_>) -> PyResult<u64> {
        self.use_it(py, |search| search.digest())
    }

    /// Make the position after a move the root; it has these moves.
    fn advance(&self, py: Python<'_>, mv: u16, moves: Vec<u16>) -> PyResult<()> {
        let moves = moves.into_iter().map(Move).collect();
        self.use_it(py, |search| search.advance(Move(mv), moves))?;
        self.check(py)
    }

    /// Everything that a search needs to go on, as bytes (docs/spec.md).
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut out = Writer::default();
        let save = || self.use_it(py, |search| search.save(&mut out));
        let done = catch_unwind(AssertUnwindSafe(save));
        self.check(py)?;
        done.map_err(|_| PyValueError::new_err(CONTRADICTION))??;
        Ok(PyBytes::new(py, &out.bytes))
    }

    /// The key of the position after these moves in the tree; what the search knows besides its tree,
    /// and the node, as bytes, which are empty if there is no such node. None: a move is not legal.
    fn save_node<'py>(
        &self,
        py: Python<'py>,
        path: Vec<u16>,
    ) -> PyResult<Option<(u64, Bound<'py, PyBytes>)>> {
        let path: Vec<Move> = path.into_iter().map(Move).collect();
        let mut out = Writer::default();
        let key = self.use_it(py, |search| search.save_node(&path, &mut out))?;
        self.check(py)?;
        Ok(key.map(|key| (key, PyBytes::new(py, &out.bytes))))
    }

    /// Read what was saved. This search must be new, and of the same position.
    fn load(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let load = |search: &mut dyn AnySearcher| {
            let mut from = Reader::new(saved);
            search.load(&mut from)?;
            from.finish()
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.use_it(py, load)));
        self.check(py)?;
        done.map_err(|_| PyValueError::new_err(CONTRADICTION))??
            .map_err(|Damaged(problem)| PyValueError::new_err(problem))
    }

    /// What is known of the position after these moves: its visits, and (move, row) of each move.
    #[expect(clippy::type_complexity, reason = "one tuple across the border, taken apart at once")]
    fn look(&self, py: Python<'_>, path: Vec<u16>) -> PyResult<Option<(u32, Vec<(u16, Row)>)>> {
        let path: Vec<Move> = path.into_iter().map(Move).collect();
        let inside = self.use_it(py, |search| search.look(&path))?;
        self.check(py)?;
        let rows = |(mv, numbers, proof): &(Move, _, _)| (mv.0, row(numbers, *proof));
        Ok(inside.map(|found| (found.visits, found.moves.iter().map(rows).collect())))
    }

    /// (simulations, nodes, bytes, order, line, rows of the moves, steps, whether memory ran out).
    #[expect(clippy::type_complexity, reason = "one tuple across the border, taken apart at once")]
    fn numbers(
        &self,
        py: Python<'_>,
    ) -> PyResult<(u64, usize, usize, Vec<usize>, Vec<u16>, Vec<Row>, u64, bool)> {
        let numbers = self.use_it(py, |search| search.numbers())?;
        self.check_parts(py)?;
        let moves = numbers.moves.iter().zip(&numbers.proofs);
        Ok((
            numbers.simulations,
            numbers.nodes,
            numbers.bytes,
            numbers.order.clone(),
            numbers.line.iter().map(|mv| mv.0).collect(),
            moves.map(|(entry, proof)| row(entry, *proof)).collect(),
            numbers.steps,
            numbers.full,
        ))
    }
}

impl Searcher {
    /// Uses the search while no run is under way. Detached: whoever holds the lock may be waiting for
    /// Python.
    fn use_it<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn AnySearcher) -> T + Send,
    ) -> PyResult<T> {
        let _inside = Inside::new()?;
        Ok(py.detach(|| act(&mut **self.lock())))
    }

    /// A game written in Python runs on the thread that asks, and looks up after every simulation.
    fn run_python(
        &self,
        py: Python<'_>,
        simulations: u64,
        deadline: Option<Instant>,
        failure: &Failure,
    ) -> PyResult<()> {
        let _inside = Inside::new()?;
        let end = self.lock().simulations() + simulations;
        let left = || end.saturating_sub(self.lock().simulations());
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        std::thread::scope(|scope| {
            let (over, wait) = channel::<()>();
            if let (Some(deadline), true) = (deadline, self.batch > 1) {
                // In a batch the engine looks at the flag alone: this is its clock.
                scope.spawn(move || {
                    let seconds = deadline.saturating_duration_since(Instant::now());
                    if wait.recv_timeout(seconds) == Err(RecvTimeoutError::Timeout) {
                        self.paused.store(true, Ordering::Relaxed);
                    }
                });
            }
            while left() > 0 && self.lock().proof().is_none() {
                if is_leaving() {
                    return Err(leaving());
                }
                if late() || self.paused.load(Ordering::Relaxed) {
                    break;
                }
                let size = left().min(self.batch);
                // Rules that contradict themselves (other moves each time) can break the engine's tables.
                let done = catch_unwind(AssertUnwindSafe(|| self.lock().run(size, &self.paused)));
                failure.check(py)?;
                self.parts.check(py)?;
                done.map_err(|_| PyValueError::new_err(CONTRADICTION))?;
                py.check_signals()?;
            }
            drop(over);
            Ok(())
        })
    }

    /// Raises what compiled code of a user has done wrong.
    fn check_parts(&self, py: Python<'_>) -> PyResult<()> {
        self.faults.check(py)?;
        self.parts.check(py)
    }

    /// The same, and what a game in Python has done wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.check_parts(py)?;
        self.failure.as_ref().map_or(Ok(()), |failure| failure.check(py))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnySearcher>> {
        // A poisoned lock means that a search panicked: its numbers are still plain numbers.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
