//! A tree search as bytes: its nodes in the order of a walk that every engine makes alike.

use super::super::proofs::{Proofs, decide};
use super::super::statistics::ROOT;
use super::super::store::{NONE, Store};
use super::super::tree::TreeSearch;
use super::nodes::Shape;
use super::{Damaged, Reader, Record, Writer, read_bound, write_bound};
use crate::cpu::Cpu;
use crate::game::Game;

impl<G: Game> TreeSearch<G> {
    /// Writes the tree.
    ///
    /// From the root: take the node met last, write its record, and meet the nodes of its moves that
    /// were tried, in order, unless they were met before.
    pub fn save<C: Cpu>(&mut self, game: &G, out: &mut Writer) {
        write_bound(self.known.is_bounded().then(|| self.known.used()), self.known.full, out);
        // Of a position it is the hash; of a way to it, it cannot be found out again.
        out.word(if self.transpositions { 0 } else { self.known.store.key(ROOT) });
        out.number(self.nodes() as u64);
        let mut met = vec![false; self.nodes()];
        met[ROOT as usize] = true;
        let mut left = vec![(ROOT, self.root.clone())];
        while let Some((node, state)) = left.pop() {
            let mut record = self.known.record(node);
            for index in 0..usize::from(self.known.store.node(node).moves) {
                let Some((after, key)) = self.tried::<C>(game, node, &state, index) else {
                    continue;
                };
                let (child, _) = self.find(game, &after, key);
                if child != NONE && !met[child as usize] {
                    met[child as usize] = true;
                    record.children.push(index as u16);
                    left.push((child, after));
                }
            }
            record.write(out);
        }
    }

    /// The position after a move that was tried and does not end the game, and its key.
    fn tried<C: Cpu>(
        &mut self,
        game: &G,
        node: u32,
        state: &G::State,
        index: usize,
    ) -> Option<(G::State, u64)> {
        if self.known.own(node, index).visits == 0 {
            return None;
        }
        let (after, mv) = self.after::<C>(game, node, state, index);
        let key = self.child_key(game, &after, node, mv);
        game.outcome(&after).is_none().then_some((after, key))
    }

    /// Reads a tree that was saved, of the same position; this one must be new.
    pub fn load<C: Cpu>(&mut self, game: &G, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let shape = self.shape(game);
        let (used, full) = read_bound(from)?;
        let key = match from.word()? {
            _ if self.transpositions => self.known.store.key(ROOT),
            key => key,
        };
        let nodes = from.number(u64::from(NONE))?;
        let mut store = self.known.store.empty();
        let root = self.known.store.node(ROOT);
        store.add_later(key, root.moves, root.check);
        self.known.store = store;
        self.known.proofs = Proofs::default();
        let mut left = vec![(ROOT, self.root.clone())];
        while let Some((node, state)) = left.pop() {
            let moves = usize::from(self.known.store.node(node).moves);
            let record = Record::read(from, moves, shape)?;
            self.known.store.fill(node, shape.bands, &record);
            if !record.proofs.is_empty() {
                let proof = decide(&record.proofs, game.turn(&state));
                self.known.proofs.set(node, &record.proofs);
                self.known.store.set_proof(node, proof);
            }
            for &index in &record.children {
                let place = self.tried::<C>(game, node, &state, usize::from(index));
                let (after, key) = place.ok_or(Damaged("the game is over, and goes on"))?;
                let (NONE, key) = self.find(game, &after, key) else {
                    return Err(Damaged("a position comes twice"));
                };
                let check = game.moves_check(&after);
                let child = self.known.store.add_later(key, game.count_moves(&after) as u16, check);
                left.push((child, after));
            }
            if !self.known.fits() {
                return Err(Damaged("the tree does not fit into the memory that it may take"));
            }
        }
        if self.nodes() as u64 != nodes {
            return Err(Damaged("it has another number of nodes"));
        }
        self.known.prepare_root();
        self.known.full = full;
        self.known.set_used(used);
        Ok(())
    }

    fn shape(&self, game: &G) -> Shape {
        Shape {
            bands: self.known.bands(),
            codes: self.known.keeps_tables().then(|| game.codes()),
            draws: game.has_draws(),
            proves: self.solving,
        }
    }
}

impl Store {
    /// Writes the counters of a record into a node that has none yet.
    fn fill(&mut self, id: u32, bands: usize, record: &Record) {
        let moves = usize::from(self.node(id).moves);
        let at = |column: usize| {
            (0..moves).map(move |index| record.tallies[index * (1 + bands) + column])
        };
        let columns: Vec<Vec<_>> = (0..=bands).map(|column| at(column).collect()).collect();
        self.set_counters(id, record.visits(bands), &columns);
        if let Some(table) = &record.table {
            self.set_table(id, table);
        }
    }
}
