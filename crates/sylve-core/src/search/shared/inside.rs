//! A shared tree looked into, as `search/kept.rs` does it for the tree of one thread.

use super::super::config::Formula;
use super::super::proofs::decode;
use super::super::report::{Inside, MoveNumbers};
use super::columns::{AllParts, Columns, Own};
use super::store::Node;
use super::tree::{Found, Tree};
use crate::game::{Game, Move, Player};

impl<G: Game> Tree<G> {
    /// What is known of the root's moves. No thread may run meanwhile.
    pub fn numbers(&self) -> Vec<MoveNumbers> {
        let root = self.store.root();
        self.numbers_at(root, root, self.turn(), &self.root_codes)
    }

    /// What is known of the moves of a node, which have these codes.
    fn numbers_at(
        &self,
        node: Node,
        reference: Node,
        player: Player,
        codes: &[u16],
    ) -> Vec<MoveNumbers> {
        let (mut own, mut columns) = (Own::default(), Columns::default());
        own.fill(self.store.at(node));
        self.fill_amaf(&mut columns, node, reference, player, codes);
        let parts = columns.scores(&own, &self.formula, AllParts);
        let one = |(index, parts)| MoveNumbers {
            own: own.tally(index),
            amaf: self.coded().then(|| columns.amaf(usize::from(node.moves), index)),
            parts,
            mean: None,
        };
        parts.into_iter().enumerate().map(one).collect()
    }

    /// What is known of the position after these moves, if it has a node. No thread may run meanwhile.
    pub fn inside(&self, path: &[Move]) -> Option<Inside> {
        let (mut node, mut reference) = (self.store.root(), self.store.root());
        let (mut state, mut moves) = (self.root.clone(), self.root_moves.clone());
        for &mv in path {
            if !moves.contains(&mv) {
                return None;
            }
            self.game.play(&mut state, mv);
            self.game.outcome(&state).is_none().then_some(())?;
            let Found::Node(child) = self.find(&state, self.child_key(&state, node, mv)) else {
                return None;
            };
            node = child;
            if self.serves_as_reference(node, self.visits(node)) {
                reference = node;
            }
            self.game.moves(&state, &mut moves);
        }
        let codes: Vec<u16> = moves.iter().map(|&mv| self.game.code(&state, mv) as u16).collect();
        let numbers = self.numbers_at(node, reference, self.game.turn(&state), &codes);
        let proofs: Vec<_> = self.store.at(node).proofs().map(decode).collect();
        let both = moves.into_iter().zip(numbers).zip(proofs);
        Some(Inside {
            moves: both.map(|((mv, numbers), proof)| (mv, numbers, proof)).collect(),
            visits: self.visits(node),
        })
    }

    /// Whether the AMAF tallies of a node with so many visits serve the nodes below (GRAVE).
    #[inline(always)]
    pub(super) fn serves_as_reference(&self, node: Node, visits: u32) -> bool {
        match self.formula {
            Formula::Grave { reference, .. } => {
                visits > reference && self.store.table(node).is_some()
            }
            _ => false,
        }
    }

    fn visits(&self, node: Node) -> u32 {
        let at = self.store.at(node);
        (0..at.moves).map(|index| at.tally(index).visits).sum()
    }
}
