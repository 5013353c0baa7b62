//! Long computations that Ctrl-C can end, and the end of the interpreter.

use crate::leaving::{Inside, is_leaving, leaving};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A computation that others may end, and that ends itself at some time.
pub struct Until<'a> {
    /// Set to end it.
    pub stop: &'a AtomicBool,
    /// When it ends.
    pub deadline: Option<Instant>,
    /// Set with `stop` by a signal and, if the deadline is the last one, by that: what else is to end.
    pub also: Option<&'a AtomicBool>,
    /// Whether the deadline is the last one.
    pub last: bool,
}

impl<'a> Until<'a> {
    /// Until `stop` or the deadline.
    pub fn new(stop: &'a AtomicBool, deadline: Option<Instant>) -> Until<'a> {
        Until { stop, deadline, also: None, last: true }
    }

    fn end(&self, last: bool) {
        self.stop.store(true, Ordering::Relaxed);
        if let (Some(also), true) = (self.also, last) {
            also.store(true, Ordering::Relaxed);
        }
    }
}

/// How often the main thread looks for a signal while a computation runs.
const LOOK: Duration = Duration::from_millis(20);

/// Runs `work` on another thread, detached from Python, and raises what a signal handler raises
/// (`KeyboardInterrupt`) after telling `work` to stop.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_until(py, Until::new(&AtomicBool::new(false), None), work)
}

/// [`interruptible`], with a deadline, and with a flag that others may set too.
///
/// The thread that waits is the clock: the one that works looks at nothing but the flag.
pub fn interruptible_until<T: Send>(
    py: Python<'_>,
    until: Until<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_with(py, until, work, || Ok(()))
}

/// The same; at every look for a signal it also calls `look`, whose error ends the work.
pub fn interruptible_with<T: Send>(
    py: Python<'_>,
    until: Until<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    mut look: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let (stop, until) = (until.stop, &until);
    let _inside = Inside::new()?;
    std::thread::scope(|scope| {
        let (done, mut finished) = channel();
        let work = move || done.send(catch_unwind(AssertUnwindSafe(|| work(stop))));
        Builder::new().spawn_scoped(scope, work).map_err(|error| {
            PyMemoryError::new_err(format!("the system refuses a thread for the search: {error}"))
        })?;
        let mut interrupted = None;
        loop {
            let answer;
            (answer, finished) = py.detach(move || (wait(&finished, until), finished));
            match answer {
                Ok(Ok(value)) => return interrupted.map_or(Ok(value), Err),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the engine failed"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if interrupted.is_some() {
                        continue; // told to stop, and about to
                    }
                    let left = || if is_leaving() { Err(leaving()) } else { py.check_signals() };
                    if let Err(error) = left().and_then(|()| look()) {
                        until.end(true);
                        interrupted = Some(error);
                    }
                }
            }
        }
    })
}

/// Raises `MemoryError` unless the system has so many bytes.
pub fn want_memory(bytes: usize, what: &str) -> PyResult<()> {
    if sylve_core::memory::is_there(bytes) {
        return Ok(());
    }
    Err(PyMemoryError::new_err(format!("the system has no memory for {what}: {bytes} bytes")))
}

/// Waits for the answer until it is time to look for a signal; at the deadline, asks for the end.
fn wait<T>(finished: &Receiver<T>, until: &Until<'_>) -> Result<T, RecvTimeoutError> {
    let look = Instant::now() + LOOK;
    match until.deadline {
        Some(deadline) if deadline <= look => {
            match finished.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => until.end(until.last),
                answer => return answer,
            }
        }
        _ => {}
    }
    finished.recv_timeout(look.saturating_duration_since(Instant::now()))
}
