//! What is known for certain of the moves of some nodes (the MCTS-Solver): few nodes have any.

use crate::game::{Outcome, Player};
use std::collections::HashMap;

/// Proofs by node and move.
#[derive(Default)]
pub struct Proofs {
    /// Where the moves of a node begin in `values`.
    places: HashMap<u32, usize>,
    /// 0: open; else see [`encode`].
    values: Vec<u8>,
}

/// An outcome as a number that is not 0.
#[inline(always)]
pub fn encode(outcome: Outcome) -> u8 {
    1 + outcome.points(Player::First) as u8
}

/// The outcome of such a number; 0 is none.
#[inline(always)]
pub fn decode(value: u8) -> Option<Outcome> {
    match value {
        1 => Some(Outcome::Win(Player::Second)),
        2 => Some(Outcome::Draw),
        3 => Some(Outcome::Win(Player::First)),
        _ => None,
    }
}

impl Proofs {
    /// The proofs of the moves of a node that has some.
    pub fn of(&self, node: u32, moves: usize) -> Option<&[u8]> {
        self.places.get(&node).map(|&place| &self.values[place..place + moves])
    }

    /// A move of a node is decided. The answer: how the game ends from the node, if that is.
    pub fn prove(
        &mut self,
        node: u32,
        moves: usize,
        index: usize,
        player: Player,
        outcome: Outcome,
    ) -> Option<Outcome> {
        let Proofs { places, values } = self;
        let place = *places.entry(node).or_insert_with(|| {
            values.resize(values.len() + moves, 0);
            values.len() - moves
        });
        let values = &mut values[place..place + moves];
        values[index] = encode(outcome);
        let open = values.contains(&0);
        let decided = values.iter().filter_map(|&value| decode(value));
        let best = decided.max_by_key(|proof| proof.points(player))?;
        (best == Outcome::Win(player) || !open).then_some(best)
    }

    /// The proofs of a node, written down again.
    pub fn set(&mut self, node: u32, proofs: &[u8]) {
        self.places.insert(node, self.values.len());
        self.values.extend_from_slice(proofs);
    }

    /// The memory that they take.
    pub fn bytes(&self) -> usize {
        self.values.capacity() + self.places.capacity() * size_of::<(u32, usize)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_decides_at_once_and_a_loss_when_all_moves_lose() {
        let mut proofs = Proofs::default();
        let lost = Outcome::Win(Player::Second);
        assert_eq!(proofs.prove(7, 3, 1, Player::First, lost), None);
        assert_eq!(proofs.of(7, 3), Some(&[0, 1, 0][..]));
        assert_eq!(proofs.prove(7, 3, 0, Player::First, Outcome::Draw), None);
        assert_eq!(proofs.prove(7, 3, 2, Player::First, lost), Some(Outcome::Draw));
        assert_eq!(proofs.prove(8, 3, 2, Player::Second, lost), Some(lost));
        assert_eq!(proofs.of(9, 3), None);
    }
}
