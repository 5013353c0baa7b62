//! A tree that several threads change at once, without locks.
//!
//! `cells.rs` has the counters, `header.rs` what stands before them, `slots.rs` the nodes by hash,
//! `pool.rs` the room; each is tried by loom under every order of events (`make test-threads`). `at.rs`
//! says where the counters of a node lie, `store.rs` puts all together, `tree.rs` adds the game,
//! `walk.rs` is a simulation, `copies.rs` keeps threads from waiting for each other, `inside.rs` tells
//! what is known.
//!
//! Nothing here grows while threads run: a thread that finds little room left says so, all stop after
//! the simulation at hand, and the one who started them makes room (`Store::make_room`).

pub mod at;
pub mod cells;
mod columns;
mod copies;
pub mod header;
mod inside;
pub mod pool;
pub mod slots;
mod store;
mod tree;
mod walk;

pub use at::At;
pub use store::{Node, Store};
pub use tree::{Found, Tree};
pub use walk::Walker;

/// Loom's atomics and locks, which try every order of events, or the real ones.
pub mod sync {
    #[cfg(loom)]
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
    #[cfg(loom)]
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
    #[cfg(not(loom))]
    pub use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
    #[cfg(not(loom))]
    pub use std::sync::{Condvar, Mutex, MutexGuard};
}
