//! `sylve._core.Patterns` and games of Othello for those who learn weights.

use crate::stop::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use sylve_core::evaluate::patterns::{self, Family, Scale};
use sylve_core::evaluate::{Evaluate, learn};
use sylve_core::games::othello::Othello;
use sylve_core::self_play::{Judge, Played, Side, boards, play};
use sylve_core::{Move, Rng};

/// Weights of patterns, ready to be looked up.
#[pyclass(frozen, module = "sylve._core")]
pub struct Patterns {
    inner: Arc<patterns::Patterns>,
}

#[pymethods]
impl Patterns {
    /// `families`: a name, and the cells of each instance; `weights`: 16 bits each, by stage, family
    /// and number. `first`, `width`: discs where the stages begin, and of each; `unit`: thousandths.
    #[new]
    fn new(
        size: usize,
        first: u32,
        width: u32,
        unit: i32,
        families: Vec<(String, Vec<Vec<u8>>)>,
        weights: &[u8],
    ) -> PyResult<Patterns> {
        let scale = Scale { size, first, width, unit };
        let families =
            families.into_iter().map(|(name, instances)| Family { name, instances }).collect();
        let weights =
            weights.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let patterns = patterns::Patterns::new(scale, families, weights);
        Ok(Patterns { inner: Arc::new(patterns.map_err(PyValueError::new_err)?) })
    }

    /// The score of the side to move, in thousandths of a disc, and its parts. `own`, `other`: the
    /// cells of its discs and of the other side's.
    fn evaluate(&self, own: u64, other: u64) -> (i32, Vec<(&str, i32)>) {
        (self.inner.evaluate(own, other), self.inner.terms(own, other))
    }

    /// Makes them the weights of the evaluation `learned`, once and for all.
    fn learn(&self) -> PyResult<()> {
        learn(Arc::clone(&self.inner)).map_err(PyValueError::new_err)
    }
}

/// The name of an evaluation, or weights.
#[derive(FromPyObject)]
pub enum By<'py> {
    Learned(Bound<'py, Patterns>),
    Named(String),
}

/// All moves of a game after so many random ones, and the discs of the first player less those of the
/// second. Each player: by what he goes, and how deep. From `exact` empty cells on both are perfect.
#[pyfunction]
pub fn othello_game<'py>(
    py: Python<'py>,
    size: usize,
    seed: u64,
    random: u32,
    players: [(By<'py>, u32); 2],
    exact: u32,
) -> PyResult<(Bound<'py, PyBytes>, i32)> {
    let found = match size {
        4 => of_size::<4>(py, seed, random, players, exact),
        6 => of_size::<6>(py, seed, random, players, exact),
        8 => of_size::<8>(py, seed, random, players, exact),
        _ => Err(no_size(size)),
    };
    let Played { moves, result } = found?;
    let moves: Vec<u8> = moves.into_iter().map(|mv| mv.0 as u8).collect();
    Ok((PyBytes::new(py, &moves), result))
}

fn no_size(size: usize) -> PyErr {
    PyValueError::new_err(format!("the size must be 4, 6 or 8, not {size}"))
}

fn of_size<const SIZE: usize>(
    py: Python<'_>,
    seed: u64,
    random: u32,
    players: [(By<'_>, u32); 2],
    exact: u32,
) -> PyResult<Played> {
    let names = Othello::<SIZE>::EVALUATIONS;
    let [first, second] = players.map(|(by, depth)| match by {
        By::Learned(patterns) => {
            let patterns = Arc::clone(&patterns.get().inner);
            match patterns.size() == SIZE {
                true => Ok((Some(patterns), 0, depth)),
                false => Err(PyValueError::new_err("weights of another size of board")),
            }
        }
        By::Named(name) => match names.iter().position(|&known| known == name) {
            Some(index) => Ok((None, index, depth)),
            None => Err(PyValueError::new_err(format!("unknown evaluation {name:?}: {names:?}"))),
        },
    });
    let sides = [first?, second?];
    let work = |stop: &AtomicBool| {
        let sides = sides.each_ref().map(|(patterns, index, depth)| Side {
            judge: patterns.as_deref().map_or(Judge::Named(*index), Judge::Learned),
            depth: *depth,
        });
        play::<SIZE>(&mut Rng::stream(seed, 0), random, sides, exact, stop)
    };
    Ok(interruptible(py, work)?.expect("stopped only when interrupted"))
}

/// The discs of the side to move and of the other, 8 bytes each, before each move of a game and after
/// the last.
#[pyfunction]
pub fn othello_boards<'py>(
    py: Python<'py>,
    size: usize,
    moves: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let moves: Vec<Move> = moves.iter().map(|&mv| Move(mv.into())).collect();
    let boards = match size {
        4 => boards::<4>(&moves),
        6 => boards::<6>(&moves),
        8 => boards::<8>(&moves),
        _ => return Err(no_size(size)),
    };
    let boards = boards.ok_or_else(|| PyValueError::new_err("an illegal move"))?;
    let bytes = boards.into_iter().flat_map(|(own, other)| [own, other]).flat_map(u64::to_le_bytes);
    Ok(PyBytes::new(py, &bytes.collect::<Vec<u8>>()))
}
