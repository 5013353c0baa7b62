//! Alpha-beta for `sylve._core.Position`, also with an evaluation written in Python.

use crate::stop::{interruptible, want_memory};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use sylve_core::alpha_beta::table::Table;
use sylve_core::alpha_beta::{Answer, Config};
use sylve_core::{AnyPosition, Move};

/// (depth, score, best, line, score of each move, nodes, bytes)
pub type Found = (u32, i32, u16, Vec<u16>, Vec<Option<i32>>, u64, usize);

/// Searches; `custom` is called with the text of each position at the end of the search.
pub fn run(
    py: Python<'_>,
    position: &dyn AnyPosition,
    moves: &[Move],
    config: &Config,
    table: usize,
    custom: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let error = Mutex::new(None);
    want_memory(table.saturating_mul(size_of::<[u64; 2]>()), "the table of alpha-beta")?;
    let mut table = Table::new(table);
    let answer = interruptible(py, |stop| {
        let evaluate = |text: &str| {
            let custom = custom.as_ref().expect("only called if there is one");
            Python::attach(|py| custom.call1(py, (text,))?.extract(py)).unwrap_or_else(|problem| {
                stop.store(true, Ordering::Relaxed);
                error.lock().expect("no panic while it is held").get_or_insert(problem);
                0
            })
        };
        let evaluate = custom.is_some().then_some(&evaluate as &(dyn Fn(&str) -> i32 + Sync));
        position.alpha_beta(moves, config, evaluate, &mut table, stop)
    })?;
    if let Some(problem) = error.into_inner().expect("no panic while it was held") {
        return Err(problem);
    }
    let Answer { depth, score, best, line, scores, nodes } =
        answer.expect("stopped only when interrupted");
    let line = line.into_iter().map(|mv| mv.0).collect();
    Ok((depth, score, best.0, line, scores, nodes, table.bytes()))
}
