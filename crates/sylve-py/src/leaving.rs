//! The end of the interpreter: whatever still computes ends first.
//!
//! A thread that comes back to Python after the interpreter has ended is ended by Python, in the middle
//! of our functions, and Rust answers that with an abort of the whole process. So every computation
//! says when it begins and ends, and `leave`, called at exit, waits for them.

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::SeqCst};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// The thread that ends the interpreter, once it does: it alone may still compute.
static LEAVER: OnceLock<ThreadId> = OnceLock::new();
/// How many computations are under way, in the process of this number. A child that was forked has
/// none of the threads of its parent.
static UNDER_WAY: AtomicI64 = AtomicI64::new(0);
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// How often [`leave`] looks.
const LOOK: Duration = Duration::from_millis(1);

/// A computation under way, until it is dropped.
pub struct Inside(());

impl Inside {
    /// One more; refused once the interpreter ends.
    pub fn new() -> PyResult<Inside> {
        let process = std::process::id();
        if PROCESS.swap(process, SeqCst) != process {
            UNDER_WAY.store(0, SeqCst);
        }
        UNDER_WAY.fetch_add(1, SeqCst);
        let inside = Inside(());
        // Only now: else it might begin just after `leave` has counted.
        if is_leaving() { Err(leaving()) } else { Ok(inside) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, SeqCst);
    }
}

/// Whether a computation of this thread must end, because the interpreter does.
pub fn is_leaving() -> bool {
    LEAVER.get().is_some_and(|&leaver| leaver != std::thread::current().id())
}

/// What a computation raises that ends because the interpreter does.
pub fn leaving() -> PyErr {
    // Of a thread, Python takes it as an order to end, without a word.
    PySystemExit::new_err("the interpreter is about to end: nothing is searched any more")
}

/// End all computations of other threads, and begin no more; whether they ended within `seconds`.
/// To be called at exit.
#[pyfunction]
pub fn leave(py: Python<'_>, seconds: f64) -> bool {
    LEAVER.get_or_init(|| std::thread::current().id());
    let until = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 60.0));
    py.detach(|| {
        while PROCESS.load(SeqCst) == std::process::id() && UNDER_WAY.load(SeqCst) > 0 {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(LOOK);
        }
        true
    })
}
