//! How playouts of Go are guided: the policies `mogo` and `local`.

/// A policy that looks round the last move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guide {
    /// The steps of MoGo, each as soon as it has a move.
    Mogo,
    /// The same, each with a probability; patterns round two moves; no self-atari.
    Local(Chances),
}

/// With which probability a step is taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Save chains from atari.
    pub save: f64,
    /// Play by a pattern.
    pub pattern: f64,
    /// Capture.
    pub capture: f64,
    /// Refuse a random move that puts one's own stones in atari.
    pub refuse: f64,
}
