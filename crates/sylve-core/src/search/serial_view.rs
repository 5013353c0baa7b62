//! The tree of one thread as its readers see it.

use super::bytes::Damaged;
use super::columns::Judged;
use super::config::Formula;
use super::node::NONE;
use super::pools::{Words, with_words};
use super::proofs::{Proofs, decide, encode};
use super::record::{NodeRecord, RecordShape};
use super::report::MoveNumbers;
use super::root::Root;
use super::scores::AtNode;
use super::screen::AllParts;
use super::statistics::{ROOT, Statistics};
use super::tally::Tally;
use super::tree::TreeSearch;
use super::tree_view::TreeView;
use crate::evaluate::Evaluate;
use crate::game::{Move, Outcome, Player};
use crate::rng::hash_words;

impl<G: Evaluate> TreeView<G> for TreeSearch<G> {
    type Node = u32;

    fn root(&self) -> &Root<G> {
        &self.root
    }

    fn root_node(&self) -> u32 {
        ROOT
    }

    /// Less those of the batch at hand.
    fn nodes(&self) -> usize {
        if self.sent > 0 { self.nodes_before } else { self.known.store.nodes() }
    }

    fn bytes(&self) -> usize {
        self.known.store.bytes() + self.known.proofs.used()
    }

    fn bound(&self) -> Option<usize> {
        self.known.is_bounded().then(|| self.known.used())
    }

    fn is_full(&self) -> bool {
        self.known.full
    }

    fn number(&self, node: u32) -> usize {
        node as usize
    }

    fn visits(&self, node: u32) -> u32 {
        self.known.store.node(node).visits
    }

    fn key(&self, node: u32) -> u64 {
        self.known.store.key(node)
    }

    fn moves(&self, node: u32) -> usize {
        usize::from(self.known.store.node(node).moves)
    }

    fn find(&self, game: &G, state: &G::State, key: u64) -> Result<u32, u64> {
        match TreeSearch::find(self, game, state, key) {
            (NONE, key) => Err(key),
            (node, _) => Ok(node),
        }
    }

    fn tally(&self, node: u32, index: usize) -> Tally {
        self.known.store.own(node, index)
    }

    fn proofs(&self, node: u32) -> Vec<u8> {
        let moves = self.moves(node);
        self.known.proofs.of(node, moves).map_or_else(|| vec![0; moves], <[u8]>::to_vec)
    }

    fn record(&self, node: u32) -> NodeRecord {
        self.known.record(node)
    }

    fn serves_as_reference(&self, node: u32) -> bool {
        self.known.serves_as_reference(node)
    }

    fn move_numbers(
        &self,
        node: u32,
        reference: u32,
        player: Player,
        codes: &[u16],
    ) -> Vec<MoveNumbers> {
        let Statistics { formula, store, kinds, extras, .. } = &self.known;
        let extras = *extras;
        let at = AtNode { formula, store, node, reference, player, codes, kinds, extras };
        let (implicit, prior) =
            (store.values(node, Judged::Implicit), store.values(node, Judged::Prior));
        let amaf = |index: usize| match formula {
            Formula::Uct(_) => None,
            Formula::Grave { .. } => {
                let code = usize::from(codes[index]);
                let tally = with_words!(store.table(reference), |table| table.tally(code));
                Some(if player == Player::First { tally } else { tally.of_second() })
            }
            _ => {
                let bands = self.known.tallies(node, index).skip(1);
                Some(bands.fold(Tally::default(), Tally::plus))
            }
        };
        let parts = at.scores(AllParts).into_iter().enumerate();
        let numbers = |(index, parts)| {
            let own = store.own(node, index);
            let (implicit, prior) = (implicit.get(index).copied(), prior.get(index).copied());
            MoveNumbers { own, amaf: amaf(index), parts, mean: None, implicit, prior }
        };
        parts.map(numbers).collect()
    }

    fn shape(&self, game: &G) -> RecordShape {
        RecordShape {
            bands: self.known.bands(),
            codes: self.known.keeps_tables().then(|| game.codes()),
            draws: game.has_draws(),
            counting: self.known.store.counting(),
            implicit: self.known.has_implicit(),
            proves: self.root.solving,
        }
    }

    fn restart(&mut self, game: &G, state: G::State, moves: Vec<Move>, key: u64) {
        self.root.set(game, state, moves);
        let mut store = self.known.store.empty();
        store.add_later(key, self.root.moves.len() as u16, self.root.check(game));
        (self.known.store, self.known.proofs) = (store, Proofs::default());
    }

    fn keep(&mut self, game: &G, moves: Vec<Move>, nodes: &[(u32, G::State)]) {
        self.root.set(game, nodes[0].1.clone(), moves);
        let Statistics { store, proofs, .. } = &mut self.known;
        let empty = store.empty();
        let (old, decided) = (std::mem::replace(store, empty), std::mem::take(proofs));
        for &(id, _) in nodes {
            let copy = store.copy(&old, id);
            if let Some(of_moves) = decided.of(id, usize::from(old.node(id).moves)) {
                proofs.set(copy, of_moves);
            }
        }
    }

    fn add(&mut self, game: &G, state: &G::State, key: u64) -> Result<u32, Damaged> {
        let moves = game.count_moves(state) as u16;
        Ok(self.known.store.add_later(key, moves, game.moves_check(state)))
    }

    fn fill(&mut self, node: u32, player: Player, record: &NodeRecord) -> Result<(), Damaged> {
        let columns = 1 + self.known.bands();
        let column =
            |number| record.tallies.iter().copied().skip(number).step_by(columns).collect();
        let tallies: Vec<Vec<Tally>> = (0..columns).map(column).collect();
        let visits = tallies[0].iter().map(|tally| tally.visits).sum();
        let Statistics { store, proofs, .. } = &mut self.known;
        store.set_counters(node, visits, &tallies);
        if let Some(table) = &record.table {
            store.set_table(node, table);
        }
        if !record.proofs.is_empty() {
            proofs.set(node, &record.proofs);
            store.set_proof(node, decide(&record.proofs, player));
        }
        Ok(())
    }

    fn judge(&mut self, game: &G, node: u32, state: &G::State, record: &NodeRecord) {
        let needs = self.known.extras.prior > 0 || record.implicit.is_empty();
        if needs {
            TreeSearch::judge(self, game, state, node);
        }
        if !record.implicit.is_empty() {
            self.known.store.set_values(node, Judged::Implicit, &record.implicit);
        }
    }

    fn shows_proof(&self, node: u32, player: Player) -> bool {
        self.known.store.node(node).proof().is_none()
            || decide(&TreeView::proofs(self, node), player).is_some()
    }

    fn fits(&self) -> bool {
        self.known.fits()
    }

    fn finish(&mut self) {
        self.known.prepare_root();
    }

    fn set_full(&mut self, full: bool) {
        self.known.full = full;
    }

    fn set_used(&mut self, used: usize) {
        self.known.set_used(used);
    }
}

impl<G: Evaluate> TreeSearch<G> {
    /// 64 bits that tell whether two trees are equal, whatever the order of their nodes.
    pub fn digest(&mut self) -> u64 {
        self.without_waiting(|tree| {
            let nodes = 0..TreeView::nodes(tree) as u32;
            nodes.fold(0_u64, |sum, node| sum.wrapping_add(tree.known.digest(node)))
        })
    }
}

impl Statistics {
    /// The tallies of a move of a node: its own, and those of AMAF by band.
    fn tallies(&self, node: u32, index: usize) -> impl Iterator<Item = Tally> {
        let band = move |band: usize| {
            with_words!(self.store.columns(node), |columns| columns.amaf(band).tally(index))
        };
        std::iter::once(self.store.own(node, index)).chain((0..self.bands()).map(band))
    }

    fn record(&self, node: u32) -> NodeRecord {
        let moves = usize::from(self.store.node(node).moves);
        let proofs = self.proofs.of(node, moves).unwrap_or_default().to_vec();
        let table = self.store.has_table(node).then(|| {
            with_words!(self.store.table(node), |table| {
                let all = (0..table.pairs.len()).map(|code| (code, table.tally(code)));
                all.filter(|(_, tally)| tally.visits > 0).collect()
            })
        });
        NodeRecord {
            implicit: self.store.values(node, Judged::Implicit),
            tallies: (0..moves).flat_map(|index| self.tallies(node, index)).collect(),
            proofs,
            table,
            children: Vec::new(),
        }
    }

    /// The hash of everything that a node counts.
    fn digest(&self, id: u32) -> u64 {
        let (node, record) = (self.store.node(id), self.record(id));
        let number = |outcome: Option<Outcome>| outcome.map_or(0, |o| u64::from(encode(o)));
        let mut words = vec![node.key, u64::from(node.visits), number(node.proof())];
        // Draws or parts: only one of them is counted.
        let counts =
            |tally: Tally| [tally.visits, tally.wins, tally.draws + tally.parts].map(u64::from);
        for (index, tallies) in record.tallies.chunks(1 + self.bands()).enumerate() {
            words.push(record.proofs.get(index).map_or(0, |&proof| u64::from(proof)));
            words.extend(tallies.iter().copied().flat_map(counts));
            words.extend(record.implicit.get(index).map(|&value| u64::from(value)));
        }
        for (code, tally) in record.table.unwrap_or_default() {
            words.push(code as u64);
            words.extend(counts(tally));
        }
        hash_words(words)
    }
}
