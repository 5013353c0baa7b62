//! Where threads meet: each waits until all have come.
//!
//! The barrier of the standard library sleeps at once, and to be woken takes longer than many playouts.
//! Here a thread looks out for the others before it sleeps.

use super::sync::{AtomicU64, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};
use std::sync::{OnceLock, PoisonError};

/// How often a thread looks before it sleeps: a tenth of a millisecond or so.
const LOOKS: usize = if cfg!(loom) { 1 } else { 4000 };

/// A place where a number of threads meet, again and again.
pub struct SpinBarrier {
    threads: usize,
    looks: usize,
    /// How many have come to this round.
    come: AtomicUsize,
    round: AtomicU64,
    /// How many sleep until the next round.
    asleep: Mutex<usize>,
    begun: Condvar,
}

/// The lock, also where a thread has panicked with it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Processors for this process.
fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

impl SpinBarrier {
    /// For so many threads.
    pub fn new(threads: usize) -> SpinBarrier {
        // Where threads share a processor, one that looks is in the way of those that work.
        let looks = if cfg!(loom) || threads <= processors() { LOOKS } else { 0 };
        SpinBarrier {
            threads,
            looks,
            come: AtomicUsize::new(0),
            round: AtomicU64::new(0),
            asleep: Mutex::new(0),
            begun: Condvar::new(),
        }
    }

    /// Waits for all others. What each did before, all see after it.
    pub fn wait(&self) {
        let round = self.round.load(Ordering::Relaxed);
        if self.come.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.come.store(0, Ordering::Relaxed);
            let asleep = lock(&self.asleep);
            self.round.store(round + 1, Ordering::Release);
            if *asleep > 0 {
                self.begun.notify_all();
            }
            return;
        }
        for _ in 0..self.looks {
            if self.round.load(Ordering::Acquire) != round {
                return;
            }
            std::hint::spin_loop();
        }
        let mut asleep = lock(&self.asleep);
        *asleep += 1;
        while self.round.load(Ordering::Acquire) == round {
            asleep = self.begun.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
        *asleep -= 1;
    }
}
