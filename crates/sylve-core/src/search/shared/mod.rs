//! A tree that several threads change at once, without locks.
//!
//! `cells.rs` has the counters, `slots.rs` the nodes by hash, `pool.rs` the room for counters; each is
//! tried by loom under every order of events (`make test-threads`). `store.rs` puts them together,
//! `walk.rs` is a simulation.
//!
//! Nothing here grows while threads run: a thread that finds little room left says so, all stop after
//! the simulation at hand, and the one who started them makes room (`Store::make_room`).

pub mod cells;
mod columns;
pub mod pool;
pub mod slots;
mod store;
mod walk;

pub use slots::{Found, Node};
pub use store::{At, Store};
pub use walk::{Tree, Walker};

/// Loom's atomics, which try every order of events, or the real ones.
pub mod sync {
    #[cfg(loom)]
    pub use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
    #[cfg(not(loom))]
    pub use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
}
