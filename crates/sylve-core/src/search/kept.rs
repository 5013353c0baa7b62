//! A tree looked into, and moved on: what does not belong to a simulation.

use super::proofs::{Proofs, decode, encode};
use super::report::Inside;
use super::saved::Record;
use super::statistics::{ROOT, Statistics};
use super::store::{NONE, Store};
use super::tally::Tally;
use super::tree::{TreeSearch, root_check};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome};
use crate::rng::hash_words;
use std::collections::HashMap;

impl<G: Game> TreeSearch<G> {
    /// Makes the position after `mv` the root, with these moves, which a game's history may have
    /// reduced. Keeps the nodes that it can reach by moves that were tried.
    pub fn advance<C: Cpu>(&mut self, game: &G, mv: Move, moves: Vec<Move>) {
        let mut state = self.root.clone();
        game.play(&mut state, mv);
        let (old_root, key) = self.find(game, &state, self.child_key(game, &state, ROOT, mv));
        let mut store = self.known.store.empty();
        let mut copies = HashMap::new();
        // A node that the solver decided has no visits, and no move to show for it.
        let known = old_root != NONE && self.known.store.node(old_root).visits > 0;
        if known && root_check(game, &state, &moves) == game.moves_check(&state) {
            copies.insert(old_root, store.copy(&self.known.store, old_root));
            self.copy_below::<C>(game, old_root, &state, &mut store, &mut copies);
        } else {
            store.add(key, moves.len() as u16, root_check(game, &state, &moves));
        }
        let mut proofs = Proofs::default();
        for (&old, &new) in &copies {
            let count = usize::from(store.node(new).moves);
            if let Some(known) = self.known.proofs.of(old, count) {
                proofs.set(new, known);
            }
        }
        (self.known.store, self.known.proofs) = (store, proofs);
        self.known.prepare_root();
        self.set_root(game, state, moves);
    }

    /// Copies the nodes below one that was copied.
    fn copy_below<C: Cpu>(
        &mut self,
        game: &G,
        node: u32,
        state: &G::State,
        store: &mut Store,
        copies: &mut HashMap<u32, u32>,
    ) {
        let mut left = vec![(node, state.clone())];
        while let Some((node, state)) = left.pop() {
            for index in 0..usize::from(self.known.store.node(node).moves) {
                if self.known.own(node, index).visits == 0 {
                    continue;
                }
                let (after, mv) = self.after::<C>(game, node, &state, index);
                if game.outcome(&after).is_some() {
                    continue;
                }
                let key = self.child_key(game, &after, node, mv);
                let (child, _) = self.find(game, &after, key);
                if child != NONE && !copies.contains_key(&child) {
                    copies.insert(child, store.copy(&self.known.store, child));
                    left.push((child, after));
                }
            }
        }
    }

    /// The position after a move of a node, and the move.
    pub(super) fn after<C: Cpu>(
        &mut self,
        game: &G,
        node: u32,
        state: &G::State,
        index: usize,
    ) -> (G::State, Move) {
        let mv = self.move_at::<C>(game, node, state, index);
        let mut after = state.clone();
        game.play(&mut after, mv);
        (after, mv)
    }

    /// What is known of the position after these moves, if it has a node.
    pub fn inside<C: Cpu>(&mut self, game: &G, path: &[Move]) -> Option<Inside> {
        let (mut node, mut reference) = (ROOT, ROOT);
        let mut state = self.root.clone();
        for &mv in path {
            if !self.moves_at::<C>(game, node, &state).contains(&mv) {
                return None;
            }
            game.play(&mut state, mv);
            game.outcome(&state).is_none().then_some(())?;
            let key = self.child_key(game, &state, node, mv);
            node = self.find(game, &state, key).0;
            if node == NONE {
                return None;
            }
            if self.known.serves_as_reference(node) {
                reference = node;
            }
        }
        let moves = self.moves_at::<C>(game, node, &state);
        let codes: Vec<u16> = moves.iter().map(|&mv| game.code(&state, mv) as u16).collect();
        let numbers = self.known.numbers(node, reference, game.turn(&state), &codes);
        let proofs = self.known.proofs_of(node);
        let both = numbers.into_iter().zip(proofs);
        Some(Inside {
            moves: moves.into_iter().zip(both).map(|(mv, (n, proof))| (mv, n, proof)).collect(),
            visits: self.known.store.node(node).visits,
        })
    }

    fn moves_at<C: Cpu>(&mut self, game: &G, node: u32, state: &G::State) -> Vec<Move> {
        let count = usize::from(self.known.store.node(node).moves);
        (0..count).map(|index| self.move_at::<C>(game, node, state, index)).collect()
    }

    /// 64 bits that tell whether two trees are equal, whatever the order of their nodes.
    pub fn digest(&mut self) -> u64 {
        self.without_waiting(|tree| {
            let nodes = 0..tree.nodes() as u32;
            nodes.fold(0_u64, |sum, node| sum.wrapping_add(tree.known.node_digest(node)))
        })
    }
}

impl Statistics {
    /// By move of a node: what is proven.
    pub fn proofs_of(&self, node: u32) -> Vec<Option<Outcome>> {
        let moves = usize::from(self.store.node(node).moves);
        let proofs = self.proofs.of(node, moves);
        (0..moves).map(|index| proofs.and_then(|proofs| decode(proofs[index]))).collect()
    }

    /// Everything that a node counts, but not its children.
    pub fn record(&self, id: u32) -> Record {
        let moves = usize::from(self.store.node(id).moves);
        Record {
            tallies: (0..moves).flat_map(|index| self.all_tallies(id, index)).collect(),
            proofs: self.proofs.of(id, moves).unwrap_or_default().to_vec(),
            table: self.store.has_table(id).then(|| self.table(id)),
            children: Vec::new(),
        }
    }

    /// The hash of everything that a node counts.
    fn node_digest(&self, id: u32) -> u64 {
        let node = self.store.node(id);
        let proof = |outcome: Option<Outcome>| outcome.map_or(0, |o| u64::from(encode(o)));
        let mut words = vec![self.store.key(id), u64::from(node.visits), proof(node.proof())];
        let count = |words: &mut Vec<u64>, tally: Tally| {
            words.extend([tally.visits, tally.wins, tally.draws].map(u64::from));
        };
        for (index, outcome) in self.proofs_of(id).into_iter().enumerate() {
            words.push(proof(outcome));
            for tally in self.all_tallies(id, index) {
                count(&mut words, tally);
            }
        }
        for (code, tally) in self.table(id) {
            words.push(code as u64);
            count(&mut words, tally);
        }
        hash_words(words)
    }
}
