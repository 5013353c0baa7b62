//! `sylve._core.breakthrough_table`: builds the complete table of a small board.

use crate::stop::{Until, interruptible_with, want_memory};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use sylve_core::solve::breakthrough::table::{Layout, build};

/// (bits, positions, wins): bit i % 8 of byte i / 8 says that the side to move wins quiet position i.
/// `progress` is called now and then with the share done, from 0 to 1.
#[pyfunction]
#[pyo3(signature = (columns, rows, threads, progress=None))]
pub fn breakthrough_table<'py>(
    py: Python<'py>,
    columns: usize,
    rows: usize,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, u64, u64)> {
    if !(2..=8).contains(&columns) || !(4..=8).contains(&rows) || !(1..=256).contains(&threads) {
        return Err(PyValueError::new_err(format!(
            "expected 2 to 8 columns, 4 to 8 rows and 1 to 256 threads, not {columns}, {rows}, {threads}"
        )));
    }
    let layout = Layout::new(columns, rows).ok_or_else(|| {
        PyValueError::new_err(format!(
            "the table of {columns} columns x {rows} rows is too large: more than 2 GB"
        ))
    })?;
    let size = layout.bits().div_ceil(8) as usize;
    want_memory(2 * size, "the table")?; // the table, and the bytes for Python
    let done = AtomicUsize::new(0);
    let table = interruptible_with(
        py,
        Until::new(&AtomicBool::new(false), None),
        |stop| build(&layout, threads, stop, &done),
        || match &progress {
            None => Ok(()),
            Some(progress) => progress.call1((done.load(Relaxed) as f64 / 1000.0,)).map(|_| ()),
        },
    )?
    .expect("stopped only when interrupted");
    let bits = PyBytes::new_with(py, size, |bytes| {
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = (table.words[place / 8] >> (8 * (place % 8))) as u8;
        }
        Ok(())
    })?;
    Ok((bits, table.positions, table.wins))
}
