//! Long computations that Ctrl-C can end.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the main thread looks for a signal while a computation runs.
const LOOK: Duration = Duration::from_millis(20);

/// Runs `work` on another thread, detached from Python, and raises what a signal handler raises
/// (`KeyboardInterrupt`) after telling `work` to stop.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_with(py, work, || Ok(()))
}

/// The same; at every look for a signal it also calls `look`, whose error ends the work.
pub fn interruptible_with<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    mut look: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, mut finished) = channel();
        let flag = &stop;
        scope.spawn(move || done.send(work(flag)));
        let mut interrupted = None;
        loop {
            let answer;
            (answer, finished) = py.detach(move || (finished.recv_timeout(LOOK), finished));
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
