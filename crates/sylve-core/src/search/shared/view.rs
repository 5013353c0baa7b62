//! The tree that threads share as its readers see it.

use super::super::bytes::Damaged;
use super::super::columns::Judged;
use super::super::config::{Formula, TreeConfig};
use super::super::pairs::Pair;
use super::super::record::{NodeRecord, RecordShape};
use super::super::report::MoveNumbers;
use super::super::root::Root;
use super::super::screen::AllParts;
use super::super::sync::{AtomicU64, Ordering};
use super::super::tally::Tally;
use super::super::tree_view::TreeView;
use super::super::units::Counting;
use super::cells;
use super::counters::{NodeCounters, tally_of};
use super::shared_tree::{Found, SharedTree};
use super::slots::Place;
use super::snapshot::{AmafTallies, OwnTallies};
use super::store::NodeRef;
use super::values;
use crate::evaluate::Evaluate;
use crate::game::{Move, Player};

impl<G: Evaluate> TreeView<G> for SharedTree<G> {
    type Node = NodeRef;

    fn root(&self) -> &Root<G> {
        &self.root
    }

    fn root_node(&self) -> NodeRef {
        self.store.root()
    }

    fn nodes(&self) -> usize {
        self.store.nodes()
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }

    fn bound(&self) -> Option<usize> {
        let bounded = self.is_full() || self.store.memory() < TreeConfig::MOST_MEMORY;
        bounded.then(|| self.store.bytes())
    }

    fn is_full(&self) -> bool {
        self.store.is_full()
    }

    fn number(&self, node: NodeRef) -> usize {
        node.block as usize
    }

    fn key(&self, node: NodeRef) -> u64 {
        node.key
    }

    fn moves(&self, node: NodeRef) -> usize {
        usize::from(node.moves)
    }

    fn find(&self, _: &G, state: &G::State, key: u64) -> Result<NodeRef, u64> {
        match SharedTree::find(self, state, key) {
            Found::Node(node) => Ok(node),
            Found::Free(_, key) => Err(key),
        }
    }

    fn tally(&self, node: NodeRef, index: usize) -> Tally {
        self.store.at(node).tally(index)
    }

    fn proofs(&self, node: NodeRef) -> Vec<u8> {
        self.store.at(node).proofs().collect()
    }

    fn record(&self, node: NodeRef) -> NodeRecord {
        let at = self.store.at(node);
        let both = |index| [Some(at.tally(index)), at.amaf_tally(index)];
        let table = self.store.table(node).map(|(pairs, draws)| {
            let all = pairs.iter().enumerate();
            let all =
                all.map(|(code, pair)| (code, table_tally(pair, draws.get(code), self.counting)));
            all.filter(|(_, tally)| tally.visits > 0).collect()
        });
        let mut proofs = self.proofs(node);
        if proofs.iter().all(|&proof| proof == 0) {
            proofs.clear();
        }
        let tallies = (0..at.moves).flat_map(both).flatten().collect();
        let implicit = judged(at, Judged::Implicit);
        NodeRecord { tallies, implicit, proofs, table, children: Vec::new() }
    }

    fn serves_as_reference(&self, node: NodeRef) -> bool {
        self.is_reference(node, self.visits(node))
    }

    fn move_numbers(
        &self,
        node: NodeRef,
        reference: NodeRef,
        player: Player,
        codes: &[u16],
    ) -> Vec<MoveNumbers> {
        let (mut own, mut amaf) = (OwnTallies::default(), AmafTallies::default());
        own.fill(self.store.at(node));
        self.fill_amaf(&mut amaf, node, reference, player, codes);
        let parts = amaf.scores(&own, &self.formula, self.extras, AllParts).into_iter().enumerate();
        let judged = |what, index| own.judged(what).get(index).copied();
        let numbers = |(index, parts)| MoveNumbers {
            own: own.tally(index),
            amaf: self.coded.then(|| amaf.tally(usize::from(node.moves), index)),
            parts,
            mean: None,
            implicit: judged(Judged::Implicit, index),
            prior: judged(Judged::Prior, index),
        };
        parts.map(numbers).collect()
    }

    fn shape(&self, game: &G) -> RecordShape {
        RecordShape {
            bands: usize::from(matches!(self.formula, Formula::Rave { .. } | Formula::Amaf { .. })),
            codes: matches!(self.formula, Formula::Grave { .. }).then(|| game.codes()),
            draws: game.has_draws(),
            counting: self.counting,
            implicit: self.extras.implicit > 0.0,
            proves: self.root.solving,
        }
    }

    fn restart(&mut self, game: &G, state: G::State, moves: Vec<Move>, key: u64) {
        self.root.set(game, state, moves);
        self.empty_store(key);
    }

    fn keep(&mut self, game: &G, moves: Vec<Move>, nodes: &[(NodeRef, G::State)]) {
        let all = |&(node, _): &(NodeRef, _)| {
            (self.record(node), judged(self.store.at(node), Judged::Prior))
        };
        let records: Vec<_> = nodes.iter().map(all).collect();
        let (root, state) = &nodes[0];
        self.restart(game, state.clone(), moves, root.key);
        self.make_room_for(nodes.len());
        for ((old, state), (record, prior)) in nodes.iter().zip(&records) {
            let is_root = old.key == root.key;
            let node = if is_root { Ok(self.root_node()) } else { self.add(game, state, old.key) };
            let node = node.expect("there is room for all of them");
            self.fill(node, game.turn(state), record).expect("and for their tables");
            values::write(self.store.at(node).prior, prior);
        }
    }

    fn make_room_for(&mut self, nodes: usize) {
        self.store.make_room_for(nodes);
    }

    fn add(&mut self, game: &G, state: &G::State, key: u64) -> Result<NodeRef, Damaged> {
        let Place::Free(slot) = self.store.find(key) else { unreachable!("it was found free") };
        self.store.make_words();
        let moves = game.count_moves(state) as u16;
        let node = self.store.add((slot, key), moves, game.moves_check(state), |_| ());
        node.ok_or(Damaged("more nodes than it says"))
    }

    fn fill(&mut self, node: NodeRef, _: Player, record: &NodeRecord) -> Result<(), Damaged> {
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
        values::write(at.implicit, &record.implicit);
        for (index, &proof) in record.proofs.iter().enumerate() {
            cells::prove(at.own, index, proof);
        }
        if let Some(table) = &record.table {
            self.store.make_words();
            let room = self.store.add_table(node).ok_or(Damaged("a table without room"))?;
            for &(code, tally) in table {
                room.0[code].store(u64::new(tally.visits, tally.wins), Ordering::Relaxed);
                if let Some(draws) = room.1.get(code) {
                    draws.store(u64::from(tally.draws + tally.parts), Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    fn judge(&mut self, _: &G, node: NodeRef, state: &G::State, record: &NodeRecord) {
        SharedTree::judge(self, node, state, &record.implicit);
    }

    fn finish(&mut self) {
        self.see_proof();
    }

    fn set_full(&mut self, full: bool) {
        self.store.set_full(full);
    }
}

/// What an evaluation says of the moves of a node.
fn judged(at: NodeCounters<'_>, what: Judged) -> Vec<u16> {
    let mut values = Vec::new();
    values::read(&mut values, at.judged(what));
    values.truncate(at.moves);
    values
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
        cells::set_plain(draws, index, tally.draws + tally.parts);
    }
}

/// A tally of a table.
fn table_tally(pair: &AtomicU64, draws: Option<&AtomicU64>, counting: Counting) -> Tally {
    let pair = pair.load(Ordering::Relaxed);
    let draws = draws.map_or(0, |draws| draws.load(Ordering::Relaxed) as u32);
    tally_of(pair.visits(), pair.wins(), draws, counting)
}
