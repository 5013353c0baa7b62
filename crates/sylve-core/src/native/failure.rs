//! The first broken rule of a native game. The methods of [`crate::Game`] cannot fail.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was asked and what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The function.
    pub method: &'static str,
    /// Its answer.
    pub answer: i64,
    /// The bytes of the state that it was asked about.
    pub state: Vec<u8>,
    /// What else it was given: a move, a code, or where the random numbers stood.
    pub given: u64,
}

/// The first fault of a game.
#[derive(Default, Debug)]
pub struct Failure {
    failed: AtomicBool,
    first: Mutex<Option<Fault>>,
}

impl Failure {
    /// Keeps the fault, if it is the first.
    pub fn set(&self, fault: impl FnOnce() -> Fault) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            *self.first.lock().expect("no panic while it is held") = Some(fault());
        }
    }

    /// Whether there is one.
    #[inline(always)]
    pub fn is_set(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The first one.
    pub fn first(&self) -> Option<Fault> {
        self.first.lock().expect("no panic while it is held").clone()
    }
}
