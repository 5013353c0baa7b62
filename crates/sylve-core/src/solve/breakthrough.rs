//! Breakthrough.
use super::Solvable;
use crate::games::breakthrough::Breakthrough;
impl Solvable for Breakthrough {}
