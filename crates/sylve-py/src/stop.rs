//! Long computations that Ctrl-C can end.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A computation that others may end, and that ends itself at some time.
pub struct Until<'a> {
    /// Set to end it.
    pub stop: &'a AtomicBool,
    /// When it ends.
    pub deadline: Option<Instant>,
}

/// How often the main thread looks for a signal while a computation runs.
const LOOK: Duration = Duration::from_millis(20);

/// Runs `work` on another thread, detached from Python, and raises what a signal handler raises
/// (`KeyboardInterrupt`) after telling `work` to stop.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_until(py, Until { stop: &AtomicBool::new(false), deadline: None }, work)
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
    let Until { stop, deadline } = until;
    std::thread::scope(|scope| {
        let (done, mut finished) = channel();
        scope.spawn(move || done.send(work(stop)));
        let mut interrupted = None;
        loop {
            let answer;
            (answer, finished) = py.detach(move || (wait(&finished, stop, deadline), finished));
            match answer {
                Ok(value) => return interrupted.map_or(Ok(value), Err),
                // The sender is gone without a value: `work` panicked, and the scope passes it on.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(pyo3::exceptions::PyRuntimeError::new_err("the engine failed"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if interrupted.is_some() {
                        continue; // told to stop, and about to
                    }
                    if let Err(error) = py.check_signals().and_then(|()| look()) {
                        stop.store(true, Ordering::Relaxed);
                        interrupted = Some(error);
                    }
                }
            }
        }
    })
}

/// Waits for the answer until it is time to look for a signal; at the deadline, asks for the end.
fn wait<T>(
    finished: &Receiver<T>,
    stop: &AtomicBool,
    deadline: Option<Instant>,
) -> Result<T, RecvTimeoutError> {
    let look = Instant::now() + LOOK;
    match deadline {
        Some(deadline) if deadline <= look => {
            match finished.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => stop.store(true, Ordering::Relaxed),
                answer => return answer,
            }
        }
        _ => {}
    }
    finished.recv_timeout(look.saturating_duration_since(Instant::now()))
}
