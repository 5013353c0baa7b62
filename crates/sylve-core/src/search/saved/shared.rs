//! A tree that threads share, as bytes: the same as of a tree of one thread.

use super::super::config::{self, Formula};
use super::super::pairs::Pair;
use super::super::shared::sync::{AtomicU64, Ordering};
use super::super::shared::{Found, Node, Tree, cells};
use super::super::tally::Tally;
use super::nodes::Shape;
use super::{Damaged, Reader, Record, Writer, read_bound, write_bound};
use crate::cpu::Cpu;
use crate::game::{Game, Move};
use std::collections::HashSet;

impl<G: Game> Tree<G> {
    /// Writes the tree. No thread may run meanwhile.
    pub fn save<C: Cpu>(&self, out: &mut Writer) {
        self.save_from::<C>(self.store.root(), &self.root, &self.root_moves, out);
    }

    /// Writes what can be reached from a node by moves that were tried, as a tree of its own.
    fn save_from<C: Cpu>(&self, root: Node, state: &G::State, moves: &[Move], out: &mut Writer) {
        write_bound(self.bound(), self.store.is_full(), out);
        out.word(if self.transpositions { 0 } else { root.key });
        let (mut count, mut records) = (0_u64, Writer::default());
        let mut met = HashSet::from([root.block]);
        let mut left = vec![(root, state.clone())];
        let (mut scratch, bands) = (Vec::new(), self.shape().bands);
        while let Some((node, state)) = left.pop() {
            let mut record = self.record(node);
            let visits: Vec<u32> = record.own(bands).map(|tally| tally.visits).collect();
            for (index, _) in visits.into_iter().enumerate().filter(|&(_, visits)| visits > 0) {
                let mv = if count == 0 {
                    moves[index]
                } else {
                    self.game.nth_move::<C>(&state, index, &mut scratch)
                };
                let Some((after, found)) = self.after(&state, node, mv) else { continue };
                if let Found::Node(child) = found
                    && met.insert(child.block)
                {
                    record.children.push(index as u16);
                    left.push((child, after));
                }
            }
            record.write(&mut records);
            count += 1;
        }
        out.number(count);
        out.bytes.append(&mut records.bytes);
    }

    /// The position after a move that does not end the game, and where it is in the tree.
    fn after(&self, state: &G::State, node: Node, mv: Move) -> Option<(G::State, Found)> {
        let mut after = state.clone();
        self.game.play(&mut after, mv);
        self.game.outcome(&after).is_none().then_some(())?;
        let key = self.child_key(&after, node, mv);
        let found = self.find(&after, key);
        Some((after, found))
    }

    fn record(&self, node: Node) -> Record {
        let at = self.store.at(node);
        let both = |index| [Some(at.tally(index)), at.amaf_tally(index)];
        let tallies = (0..at.moves).flat_map(both).flatten().collect();
        let table = self.store.table(node).map(|(pairs, draws)| {
            let all = pairs.iter().enumerate();
            let all = all.map(|(code, pair)| (code, plain_tally(pair, draws.get(code))));
            all.filter(|(_, tally)| tally.visits > 0).collect()
        });
        let mut proofs: Vec<u8> = at.proofs().collect();
        if proofs.iter().all(|&proof| proof == 0) {
            proofs.clear();
        }
        Record { tallies, proofs, table, children: Vec::new() }
    }

    /// Reads a tree that was saved, of the same position; this one must be new. The answer is the
    /// visits of the root.
    pub fn load<C: Cpu>(&mut self, from: &mut Reader<'_>) -> Result<u32, Damaged> {
        let shape = self.shape();
        let (_, full) = read_bound(from)?;
        let key = from.word()?;
        if !self.transpositions {
            self.set_root_key(key);
        }
        let nodes = from.number(from.left() as u64)?;
        self.store.make_room_for(nodes as usize);
        let root = self.store.root();
        let mut left = vec![(root, self.root.clone())];
        let (mut count, mut visits, mut scratch) = (0_u64, 0, Vec::new());
        while let Some((node, state)) = left.pop() {
            let record = Record::read(from, usize::from(node.moves), shape)?;
            if count == 0 {
                visits = record.visits(shape.bands);
            }
            self.fill(node, &record)?;
            for &index in &record.children {
                let mv = if count == 0 {
                    self.root_moves[usize::from(index)]
                } else {
                    self.game.nth_move::<C>(&state, usize::from(index), &mut scratch)
                };
                let found = self.after(&state, node, mv);
                let Some((after, Found::Free(slot, key))) = found else {
                    return Err(Damaged("a position that cannot be new"));
                };
                let (game, moves) = (&*self.game, self.game.count_moves(&after) as u16);
                self.store.make_words();
                let child = self.store.add((slot, key), moves, game.moves_check(&after));
                left.push((child.ok_or(Damaged("more nodes than it says"))?, after));
            }
            count += 1;
        }
        if count != nodes {
            return Err(Damaged("it has another number of nodes"));
        }
        self.store.set_full(full);
        self.see_proof();
        Ok(visits)
    }

    /// Writes the counters of a record into a node that has counted nothing yet.
    fn fill(&mut self, node: Node, record: &Record) -> Result<(), Damaged> {
        if record.tallies.iter().any(|tally| tally.visits >= cells::ENOUGH) {
            self.store.make_wide(node);
        }
        let at = self.store.at(node);
        let mut tallies = record.tallies.iter().copied();
        for index in 0..at.moves {
            let wide = at.wide.map(|wide| &wide.own[index]);
            set(at.own, at.draws, wide, index, tallies.next().unwrap_or_default());
            if !at.amaf.is_empty() {
                let wide = at.wide.map(|wide| &wide.amaf[index]);
                set(at.amaf, at.amaf_draws, wide, index, tallies.next().unwrap_or_default());
            }
        }
        for (index, &proof) in record.proofs.iter().enumerate() {
            cells::prove(at.own, index, proof);
        }
        if let Some(table) = &record.table {
            self.store.make_words();
            let room = self.store.add_table(node).ok_or(Damaged("a table without room"))?;
            for &(code, tally) in table {
                room.0[code].store(u64::new(tally.visits, tally.wins), Ordering::Relaxed);
                if let Some(draws) = room.1.get(code) {
                    draws.store(u64::from(tally.draws), Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    /// The bytes in use, if there is a bound.
    fn bound(&self) -> Option<usize> {
        let bounded = self.store.is_full() || self.store.memory() < config::Tree::MOST_MEMORY;
        bounded.then(|| self.store.bytes())
    }

    fn shape(&self) -> Shape {
        Shape {
            bands: usize::from(matches!(self.formula, Formula::Rave { .. } | Formula::Amaf { .. })),
            codes: matches!(self.formula, Formula::Grave { .. }).then(|| self.game.codes()),
            draws: self.game.has_draws(),
            proves: self.solving,
        }
    }

    /// Makes the position after `mv` the root, with these moves; keeps the nodes that it can reach by
    /// moves that were tried. No thread may run meanwhile.
    pub fn advance<C: Cpu>(&mut self, mv: Move, moves: Vec<Move>) {
        let mut state = self.root.clone();
        self.game.play(&mut state, mv);
        let key = self.child_key(&state, self.store.root(), mv);
        let found = self.find(&state, key);
        let mut legal = Vec::new();
        self.game.moves(&state, &mut legal);
        let mut kept = Writer::default();
        if let Found::Node(node) = found
            && legal == moves
        {
            self.save_from::<C>(node, &state, &moves, &mut kept);
        }
        self.set_root(state, moves, key);
        if !kept.bytes.is_empty() {
            self.load::<C>(&mut Reader::new(&kept.bytes)).expect("just written");
        }
    }
}

/// Writes a tally into counters that have counted nothing.
fn set(
    own: &[AtomicU64],
    draws: &[AtomicU64],
    wide: Option<&AtomicU64>,
    index: usize,
    tally: Tally,
) {
    match wide {
        None => cells::set(own, index, tally.visits, tally.wins),
        Some(wide) => wide.store(u64::new(tally.visits, tally.wins), Ordering::Relaxed),
    }
    if !draws.is_empty() {
        cells::set_plain(draws, index, tally.draws);
    }
}

/// A tally of a table.
fn plain_tally(pair: &AtomicU64, draws: Option<&AtomicU64>) -> Tally {
    let pair = pair.load(Ordering::Relaxed);
    let draws = draws.map_or(0, |draws| draws.load(Ordering::Relaxed) as u32);
    Tally { visits: pair.visits(), wins: pair.wins(), draws }
}
