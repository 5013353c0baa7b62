//! What a tree search knows, chooses by and learns: everything in it that needs no game.

use super::config::{Formula, TreeConfig, Update};
use super::descent::Step;
use super::judging::value_of;
use super::node::Node;
use super::pairs::LANES;
use super::proofs::Proofs;
use super::scores::{AtNode, Extras};
use super::screen::{Choose, ChooseOpen};
use super::store::{Store, StoreShape};
use super::units::{Units, WIN};
use super::visited_codes::VisitedCodes;
use crate::cpu::{Cpu, Work};
use crate::game::{Game, Outcome, Player};
use std::marker::PhantomData;

/// The node of the position that is searched.
pub const ROOT: u32 = 0;

/// What a formula needs to count the codes of a simulation at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// It counts no codes.
    NoCodes,
    /// What was seen.
    Visited,
    /// The moves of the node that were seen, in [`Statistics::chosen`].
    Chosen,
    /// The codes of the node's moves in [`Statistics::codes`], and what was seen, in order.
    CodesInOrder,
}

/// The tree, and the simulation under way.
pub struct Statistics {
    /// How moves are chosen.
    pub formula: Formula,
    /// What evaluations add to that.
    pub extras: Extras,
    update: Update,
    /// The nodes.
    pub store: Store,
    /// What is decided.
    pub proofs: Proofs,
    /// Bytes that the tree may take.
    memory: usize,
    /// Bytes that count although they were freed since: see [`Statistics::set_used`].
    lost: usize,
    /// Bytes of the descents that wait in a batch, at most so far.
    waiting: usize,
    /// Whether a node was not added, or a table or a proof, because it would take too many.
    pub full: bool,
    /// Whether the system has refused memory: then a run ends.
    pub refused: bool,
    /// By code: the kind of move, where the formula needs it.
    pub kinds: Vec<u16>,
    /// Choices made in all descents together.
    pub steps: u64,
    // What one simulation needs, kept to be used again.
    path: Vec<Step>,
    /// The node whose AMAF tallies count (GRAVE).
    reference: u32,
    /// The codes of the moves of the node where the descent has arrived, where they are wanted.
    pub codes: Vec<u16>,
    /// The codes played since the descent ended.
    pub seen: VisitedCodes,
    room: Vec<[f32; LANES]>,
    /// The moves that were seen, of the node whose codes are counted next: a bit for each.
    pub chosen: Vec<u64>,
}

impl Statistics {
    /// A tree of one node with this key and number of moves.
    pub fn new<G: Game>(game: &G, how: &TreeConfig, (key, moves, check): (u64, u16, u32)) -> Self {
        let TreeConfig { update, memory, .. } = *how;
        let (formula, in_batches) = (how.formula.clone(), how.batch > 1);
        let extras = Extras::of(how);
        let (bands, by_kind) = match &formula {
            Formula::Uct(_) => (0, false),
            // Its tallies are in tables: descents that wait are counted in a column of their own.
            Formula::Grave { .. } => (usize::from(in_batches), false),
            Formula::Amaf { .. } | Formula::Rave { .. } => (1, false),
            Formula::MultiScale { limits, by_kind, .. } => (1 + limits.len(), *by_kind),
        };
        let codes = game.codes();
        let mut store = Store::new(StoreShape {
            bands,
            draws: game.has_draws(),
            counting: how.counting,
            codes,
            implicit: extras.implicit > 0.0,
            prior: extras.prior > 0,
        });
        store.add(key, moves, check);
        let coded = if by_kind { codes } else { 0 };
        let mut statistics = Statistics {
            formula,
            extras,
            update,
            store,
            proofs: Proofs::default(),
            memory,
            lost: 0,
            waiting: 0,
            full: false,
            refused: false,
            kinds: (0..coded).map(|code| game.kind(code) as u16).collect(),
            steps: 0,
            path: Vec::new(),
            reference: ROOT,
            codes: Vec::new(),
            seen: VisitedCodes::new(game),
            room: Vec::new(),
            chosen: Vec::new(),
        };
        statistics.prepare_root();
        statistics
    }

    /// Gives the root what it must have.
    pub fn prepare_root(&mut self) {
        if matches!(self.formula, Formula::Grave { .. }) && !self.store.has_table(ROOT) {
            self.store.add_table(ROOT);
        }
    }

    /// Whether the AMAF tallies of a node serve the nodes below (GRAVE).
    #[inline(always)]
    pub fn serves_as_reference(&self, node: u32) -> bool {
        match self.formula {
            Formula::Grave { reference, .. } => {
                self.store.node(node).visits > reference && self.store.has_table(node)
            }
            _ => false,
        }
    }

    /// What the formula needs to count the codes of a simulation at a node.
    #[inline(always)]
    pub fn needs(&self) -> Needs {
        match self.formula {
            Formula::Uct(_) => Needs::NoCodes,
            Formula::Grave { .. } => Needs::Visited,
            Formula::Amaf { .. } | Formula::Rave { .. } => Needs::Chosen,
            Formula::MultiScale { .. } => Needs::CodesInOrder,
        }
    }

    /// Whether the formula needs the codes of all moves to choose.
    #[inline(always)]
    pub fn chooses_by_codes(&self) -> bool {
        matches!(self.formula, Formula::Grave { .. } | Formula::MultiScale { .. })
    }

    /// Begins a simulation, whose codes are wanted or not.
    #[inline(always)]
    pub fn begin(&mut self, coded: bool) {
        self.path.clear();
        if coded {
            self.seen.clear();
        }
        self.reference = ROOT;
    }

    /// Arrives at a node. The codes of its moves, if they are wanted, are appended next.
    #[inline(always)]
    pub fn arrive(&mut self, node: u32) {
        if self.serves_as_reference(node) {
            self.reference = node;
        }
        self.store.pass(node);
        self.codes.clear();
    }

    /// Chooses at the node where the descent has arrived: the first move with the largest score.
    #[inline(always)]
    pub fn choose<C: Cpu>(&mut self, node: u32, player: Player) -> usize {
        let Node { visits, moves, .. } = *self.store.node(node);
        let tries_all = matches!(self.formula, Formula::Uct(_)) && self.extras.prior == 0;
        let index = if tries_all && visits < u32::from(moves) {
            // Unvisited moves come first, in order: the tried ones are those before.
            visits as usize
        } else {
            C::call(ChooseAt { statistics: self, node, player })
        };
        self.path.push(Step { node, index: index as u16, player, code: 0 });
        index
    }

    /// Whether there is room for so many bytes more; if not, it is remembered.
    #[inline(always)]
    pub fn has_room(&mut self, cost: usize) -> bool {
        let room = self.used() + cost <= self.memory;
        self.full |= !room;
        if room && !self.store.can_grow() {
            self.refused = true;
        }
        room && !self.refused
    }

    /// The memory in use.
    #[inline(always)]
    pub fn used(&self) -> usize {
        self.store.used() + self.proofs.used() + self.lost + self.waiting
    }

    /// Counts the memory of the descents that wait in a batch.
    pub fn use_waiting(&mut self, bytes: usize) {
        self.waiting = self.waiting.max(bytes);
    }

    /// Counts as much memory as the same tree took before it was saved.
    pub fn set_used(&mut self, used: usize) {
        self.lost = 0;
        self.lost = used.saturating_sub(self.used());
    }

    /// Whether the tree is within its bound.
    pub fn fits(&self) -> bool {
        self.used() <= self.memory
    }

    /// Whether there is a bound, or the tree met the end of its addresses.
    pub fn is_bounded(&self) -> bool {
        self.full || self.memory < TreeConfig::MOST_MEMORY
    }

    /// Whether nodes keep tables of codes.
    pub fn keeps_tables(&self) -> bool {
        matches!(self.formula, Formula::Grave { .. })
    }

    /// The last choice of the descent is decided: so may be the nodes that it passed.
    #[cold]
    pub fn prove(&mut self, mut outcome: Outcome) {
        for step in self.path.iter().rev() {
            let moves = usize::from(self.store.node(step.node).moves);
            let index = usize::from(step.index);
            if self.used() + self.proofs.cost(step.node, moves) > self.memory {
                self.full = true; // what is not written down is found again, or not: never wrong
                return;
            }
            let known = self.store.node(step.node).proof(); // the solver may have said so
            let shown = self.proofs.prove(step.node, moves, index, step.player, outcome);
            let proof = known.or(shown);
            self.store.set_proof(step.node, proof);
            match proof {
                Some(proof) => outcome = proof,
                None => return,
            }
        }
    }

    /// Counts a loss at every choice of the descent under way, until its result is known.
    pub fn wait(&mut self) {
        for step in &self.path {
            self.store.count_waiting(step.node, usize::from(step.index));
        }
    }

    /// Takes these losses back.
    pub fn stop_waiting(&mut self) {
        for step in &self.path {
            self.store.take_waiting(step.node, usize::from(step.index));
        }
    }

    /// Exchanges the descent under way for another.
    pub fn exchange(&mut self, path: &mut Vec<Step>) {
        std::mem::swap(&mut self.path, path);
    }

    /// Remembers the code of the move just chosen.
    #[inline(always)]
    pub fn set_code(&mut self, code: usize) {
        if let Some(step) = self.path.last_mut() {
            step.code = code as u16;
        }
    }

    /// The number of choices of this descent.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Whether the codes of a node are those from it on, not all of the simulation.
    #[inline(always)]
    pub fn counts_suffixes(&self) -> bool {
        self.update == Update::Suffix
    }

    /// Puts the choice at `depth` before the moves seen so far.
    #[inline(always)]
    pub fn see_choice(&mut self, depth: usize) {
        self.seen.add_before(self.path[depth].code, depth);
    }

    /// Finds the moves of the root that were seen.
    pub fn choose_seen_of_root(&mut self, codes: &[u16]) {
        let Statistics { seen, chosen, .. } = self;
        chosen.clear();
        chosen.extend(codes.chunks(64).map(|codes| {
            codes.iter().rev().fold(0, |word, &code| word << 1 | u64::from(seen.has(code)))
        }));
    }

    /// Counts the result for the codes seen, at the node of the path at `depth`.
    #[inline(always)]
    pub fn count_codes<C: Cpu>(&mut self, depth: usize, result: Units) {
        C::call(CountCodes { statistics: self, depth, result });
    }

    /// Counts the result at every node passed, for the player who moved there.
    #[inline(always)]
    pub fn count(&mut self, result: Units) {
        self.steps += self.path.len() as u64;
        for step in &self.path {
            self.store.prepare(step.node);
            self.store.count(step.node, usize::from(step.index), result.of_player(step.player));
        }
    }

    /// Whether values of evaluations go up the tree.
    #[inline(always)]
    pub fn has_implicit(&self) -> bool {
        self.extras.implicit > 0.0
    }

    /// Lets the values of the nodes passed go up, from the deepest on: the value of a move is the
    /// largest of the node behind it. `certain`: how the game ends after the last move, if known.
    #[inline(never)]
    pub fn raise_values(&mut self, certain: Option<Outcome>) {
        let Statistics { store, path, .. } = self;
        let Some(mut below) = path.last().copied() else { return };
        if let Some(outcome) = certain {
            let value = value_of(outcome, below.player);
            store.set_implicit(below.node, usize::from(below.index), value);
        }
        for step in path.iter().rev().skip(1) {
            let best = store.largest_implicit(below.node);
            let value = if step.player == below.player { best } else { WIN - best };
            store.set_implicit(step.node, usize::from(step.index), value);
            below = *step;
        }
    }

    /// The AMAF tallies of a move.
    pub fn bands(&self) -> usize {
        match &self.formula {
            Formula::Uct(_) | Formula::Grave { .. } => 0,
            Formula::Amaf { .. } | Formula::Rave { .. } => 1,
            Formula::MultiScale { limits, .. } => 1 + limits.len(),
        }
    }
}

struct ChooseAt<'a> {
    statistics: &'a mut Statistics,
    node: u32,
    player: Player,
}

impl Work for ChooseAt<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<C: Cpu>(self) -> usize {
        let ChooseAt { statistics, node, player } = self;
        let Statistics { formula, extras, store, reference, codes, kinds, room, proofs, .. } =
            statistics;
        let (reference, extras) = (*reference, *extras);
        let at = AtNode { formula, store, node, reference, player, codes, kinds, extras };
        if store.node(node).has_proofs()
            && let Some(proofs) = proofs.of(node, usize::from(store.node(node).moves))
        {
            return at.scores(ChooseOpen { proofs, player, room, level: PhantomData::<C> });
        }
        at.scores(Choose(room, PhantomData::<C>))
    }
}

struct CountCodes<'a> {
    statistics: &'a mut Statistics,
    depth: usize,
    result: Units,
}

impl Work for CountCodes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self) {
        let CountCodes { statistics, depth, result } = self;
        let Statistics { formula, store, seen, codes, path, chosen, .. } = statistics;
        let Step { node, player, .. } = path[depth];
        let units = result.of_player(player);
        store.prepare(node);
        match formula {
            Formula::Grave { reference, .. } => {
                if !store.has_table(node) {
                    if store.node(node).visits < *reference / 2 {
                        return;
                    }
                    let cost = store.table_cost();
                    if !statistics.has_room(cost) {
                        return;
                    }
                    statistics.store.add_table(node);
                }
                let Statistics { store, seen, .. } = statistics;
                store.count_codes(node, seen.codes(), result.of_player(Player::First));
            }
            Formula::MultiScale { limits, .. } => {
                for (index, &code) in codes.iter().enumerate().filter(|(_, code)| seen.has(**code))
                {
                    let distance = seen.distance(code, depth);
                    let band = limits.iter().filter(|&&limit| distance >= limit as usize).count();
                    store.count_amaf(node, band, index, units);
                }
            }
            _ => store.count_chosen::<C>(node, chosen, units),
        }
    }
}
