//! `sylve._core.Position`: a position of one of the compiled games.

use crate::alpha_beta::{self, Found};
use crate::native::{self, Faults};
use crate::stop::interruptible;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;
use sylve_core::alpha_beta::Config;
use sylve_core::{AnyPosition, Finished, Move, MoveError, Outcome, Player, open};

create_exception!(sylve._core, InvalidPosition, PyValueError);
create_exception!(sylve._core, InvalidMove, PyValueError);
create_exception!(sylve._core, IllegalMove, PyValueError);

/// A position of a compiled game. Immutable; moves and players are plain integers.
#[pyclass(frozen, module = "sylve._core")]
pub struct Position {
    pub(crate) inner: Box<dyn AnyPosition>,
    pub(crate) faults: Faults,
}

/// The winner as 0 or 1, or -1 for a draw.
fn winner(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win(Player::First) => 0,
        Outcome::Win(Player::Second) => 1,
        Outcome::Draw => -1,
    }
}

impl Position {
    pub(crate) fn legal(&self, py: Python<'_>, mv: u16) -> PyResult<Move> {
        if self.told(py, self.inner.is_legal(Move(mv)))? {
            Ok(Move(mv))
        } else {
            Err(IllegalMove::new_err(format!("illegal move {mv}")))
        }
    }

    /// The answer of the rules, unless they have failed.
    fn told<T>(&self, py: Python<'_>, answer: T) -> PyResult<T> {
        self.faults.check(py).map(|()| answer)
    }
}

#[pymethods]
impl Position {
    /// The start of a game such as "hex(size=5)", or the position that `text` describes.
    #[new]
    #[pyo3(signature = (game, text=None))]
    fn new(game: &str, text: Option<&str>) -> PyResult<Position> {
        let start = open(game).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let inner = match text {
            None => start,
            Some(text) => {
                start.read(text).map_err(|error| InvalidPosition::new_err(error.to_string()))?
            }
        };
        Ok(Position { inner, faults: Faults::default() })
    }

    /// The position of a state of a user's game that was compiled (sylve.native).
    #[staticmethod]
    fn of_functions(rules: &Bound<'_, PyAny>, state: &[u8], coded: bool) -> PyResult<Position> {
        let (inner, faults) = native::position(rules, state, coded)?;
        Ok(Position { inner, faults })
    }

    /// Who is to move: 0 or 1.
    fn turn(&self, py: Python<'_>) -> PyResult<usize> {
        self.told(py, self.inner.turn().index())
    }

    /// None while the game goes on; else the winner, 0 or 1, or -1 for a draw.
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<i8>> {
        self.told(py, self.inner.outcome().map(winner))
    }

    /// The legal moves, increasing.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<u16>> {
        self.told(py, self.inner.moves().into_iter().map(|mv| mv.0).collect())
    }

    /// The moves that a playout draws from, increasing.
    fn playout_moves(&self, py: Python<'_>) -> PyResult<Vec<u16>> {
        self.told(py, self.inner.playout_moves().into_iter().map(|mv| mv.0).collect())
    }

    /// Whether a move is legal, found without the list.
    #[pyo3(name = "is_legal")]
    fn is_legal(&self, py: Python<'_>, r#move: u16) -> PyResult<bool> {
        self.told(py, self.inner.is_legal(Move(r#move)))
    }

    /// The position after a legal move.
    fn play(&self, py: Python<'_>, r#move: u16) -> PyResult<Position> {
        let mv = self.legal(py, r#move)?;
        let inner = self.inner.play(mv).expect("just found legal");
        self.told(py, Position { inner, faults: self.faults.share(py) })
    }

    /// The 64-bit hash.
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.told(py, self.inner.hash())
    }

    /// The number of AMAF codes of the game.
    fn codes(&self) -> usize {
        self.inner.codes()
    }

    /// The AMAF code of a legal move.
    fn code(&self, py: Python<'_>, r#move: u16) -> PyResult<usize> {
        self.told(py, self.inner.code(self.legal(py, r#move)?))
    }

    /// No game is longer than this.
    fn max_plies(&self) -> usize {
        self.inner.max_plies()
    }

    /// The text of the position.
    fn write(&self) -> String {
        self.inner.write()
    }

    /// The name of a legal move.
    fn write_move(&self, py: Python<'_>, r#move: u16) -> PyResult<String> {
        Ok(self.inner.write_move(self.legal(py, r#move)?))
    }

    /// The move of a name.
    fn read_move(&self, text: &str) -> PyResult<u16> {
        self.inner.read_move(text).map(|mv| mv.0).map_err(|error| match error {
            MoveError::Unreadable { .. } => InvalidMove::new_err(error.to_string()),
            MoveError::Illegal { .. } => IllegalMove::new_err(error.to_string()),
        })
    }

    /// The number of paths of `depth` plies; a game that ended earlier counts 0, or 1 if `leaf`.
    #[pyo3(signature = (depth, leaf=false))]
    fn perft(&self, py: Python<'_>, depth: u32, leaf: bool) -> PyResult<u64> {
        let finished = if leaf { Finished::Leaf } else { Finished::Zero };
        let nodes = interruptible(py, |stop| self.inner.perft(depth, finished, stop))?;
        self.told(py, nodes.expect("stopped only when interrupted"))
    }

    /// Simulations 0..count of `seed`: how many the first player won, were drawn, the second won.
    fn playouts(&self, py: Python<'_>, seed: u64, count: u64) -> PyResult<(u64, u64, u64)> {
        let results = interruptible(py, |stop| self.inner.playouts(seed, count, stop))?;
        self.told(py, (results.first, results.draws, results.second))
    }

    /// Simulation `index` of `seed`: its result (as in `outcome`) and its AMAF codes in order.
    fn traced_playout(&self, py: Python<'_>, seed: u64, index: u64) -> PyResult<(i8, Vec<u16>)> {
        let (outcome, codes) = self.inner.traced_playout(seed, index);
        self.told(py, (winner(outcome), codes))
    }

    /// The names of the game's evaluations; the first is the default.
    fn evaluations(&self) -> Vec<&'static str> {
        self.inner.evaluations().to_vec()
    }

    /// An evaluation in thousandths, for the side to move, and its parts.
    fn evaluate(
        &self,
        py: Python<'_>,
        evaluation: &str,
    ) -> PyResult<(i32, Vec<(&'static str, i32)>)> {
        self.told(py, self.inner.evaluate(self.evaluation(evaluation)?))
    }

    /// All positions `depth` plies on, evaluated so many times: how many evaluations, their sum.
    fn evaluate_all(
        &self,
        py: Python<'_>,
        evaluation: &str,
        depth: u32,
        rounds: u32,
    ) -> PyResult<(u64, i64)> {
        let evaluation = self.evaluation(evaluation)?;
        let sum =
            interruptible(py, |stop| self.inner.evaluate_all(evaluation, depth, rounds, stop))?;
        self.told(py, sum)
    }

    /// Alpha-beta among `moves`: depth, score, best, line, score of each move, nodes, bytes.
    #[pyo3(signature = (moves, depth, seconds, evaluation, table, multi, custom=None))]
    #[expect(clippy::too_many_arguments, reason = "the fields of a search, by name")]
    fn alpha_beta(
        &self,
        py: Python<'_>,
        moves: Vec<u16>,
        depth: u32,
        seconds: Option<f64>,
        evaluation: &str,
        table: usize,
        multi: bool,
        custom: Option<Py<PyAny>>,
    ) -> PyResult<Found> {
        let moves = moves.into_iter().map(|mv| self.legal(py, mv)).collect::<PyResult<Vec<_>>>()?;
        let evaluation = self.evaluation(evaluation)?;
        let config =
            Config { depth, time: seconds.map(Duration::from_secs_f64), evaluation, multi };
        let found = alpha_beta::run(py, &*self.inner, &moves, &config, table, custom);
        self.told(py, ())?; // before what the search says of it
        found
    }
}

impl Position {
    /// The index of an evaluation of the game.
    fn evaluation(&self, name: &str) -> PyResult<usize> {
        let names = self.inner.evaluations();
        let index = names.iter().position(|&known| known == name).ok_or_else(|| {
            PyValueError::new_err(format!("unknown evaluation {name:?}: expected one of {names:?}"))
        })?;
        if !self.inner.is_ready(index) {
            return Err(PyValueError::new_err(format!("the weights of {name:?} are not loaded")));
        }
        Ok(index)
    }
}
