//! A tree that several threads change at once, without locks.
//!
//! `cells.rs` has the counters, `values.rs` what evaluations say, `header.rs` what stands before them,
//! `slots.rs` the nodes by hash, `pool.rs` the room; each is tried by loom under every order of events
//! (`make test-threads`). `counters.rs` says where the counters of a node lie, `store.rs` puts all
//! together, `shared_tree.rs` adds the game, `snapshot.rs` is a node as a thread has read it, `pick.rs`
//! chooses a move there, `copies.rs` keeps threads from waiting for each other, `walk.rs` and
//! `walk_codes.rs` are a simulation, and `view.rs` shows the tree to its readers.
//!
//! Nothing here grows while threads run: a thread that finds little room left says so, all stop after
//! the simulation at hand, and the one who started them makes room (`SharedStore::make_room`).

pub mod cells;
mod copies;
pub mod counters;
pub mod header;
mod pick;
pub mod pool;
mod shared_tree;
pub mod slots;
mod snapshot;
mod store;
pub mod values;
mod view;
mod walk;
mod walk_codes;

pub use counters::NodeCounters;
pub use shared_tree::{Found, SharedTree};
pub use store::{NodeRef, SharedStore};
pub use walk::Walker;
