//! Othello endings.

pub mod stability;
