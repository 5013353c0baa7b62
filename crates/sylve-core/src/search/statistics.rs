//! What a tree search knows, chooses by and learns: everything in it that needs no game.

use super::columns::Column;
use super::config::{Formula, Tree, Update};
use super::formulas::Parts;
use super::pairs::{LANES, Pair};
use super::proofs::{Proofs, decode, first_open, worth};
use super::report::MoveNumbers;
use super::scores::{AtNode, UseScores};
use super::screen::{Scores, first_maximum};
use super::seen::Seen;
use super::store::{Look, LookColumn, Node, Store, View};
use super::tally::Tally;
use crate::cpu::{Cpu, Work};
use crate::game::{Game, Outcome, Player};
use std::marker::PhantomData;

/// The node of the position that is searched.
pub const ROOT: u32 = 0;

/// A choice made on the way down: at this node, the move with this index.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    node: u32,
    index: u16,
    player: Player,
    /// The code of the move, where codes are wanted.
    code: u16,
}

/// What a formula needs to count the codes of a simulation at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// It counts no codes.
    NoCodes,
    /// What was seen.
    Seen,
    /// The moves of the node that were seen, in [`Statistics::chosen`].
    Chosen,
    /// The codes of the node's moves in [`Statistics::codes`], and what was seen, in order.
    CodesInOrder,
}

/// The tree, and the simulation under way.
pub struct Statistics {
    formula: Formula,
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
    kinds: Vec<u16>,
    /// Choices made in all descents together.
    pub steps: u64,
    // What one simulation needs, kept to be used again.
    path: Vec<Step>,
    /// The node whose AMAF tallies count (GRAVE).
    reference: u32,
    /// The codes of the moves of the node where the descent has arrived, where they are wanted.
    pub codes: Vec<u16>,
    /// The codes played since the descent ended.
    pub seen: Seen,
    room: Vec<[f32; LANES]>,
    /// The moves that were seen, of the node whose codes are counted next: a bit for each.
    pub chosen: Vec<u64>,
}

impl Statistics {
    /// A tree of one node with this key and number of moves.
    pub fn new<G: Game>(
        game: &G,
        formula: Formula,
        update: Update,
        memory: usize,
        in_batches: bool,
        (key, moves, check): (u64, u16, u32),
    ) -> Self {
        let (bands, by_kind) = match &formula {
            Formula::Uct(_) => (0, false),
            // Its tallies are in tables: descents that wait are counted in a column of their own.
            Formula::Grave { .. } => (usize::from(in_batches), false),
            Formula::Amaf { .. } | Formula::Rave { .. } => (1, false),
            Formula::MultiScale { limits, by_kind, .. } => (1 + limits.len(), *by_kind),
        };
        let codes = game.codes();
        let mut store = Store::new(bands, game.has_draws(), codes);
        store.add(key, moves, check);
        let coded = if by_kind { codes } else { 0 };
        let mut statistics = Statistics {
            formula,
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
            seen: Seen::new(game),
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
            Formula::Grave { .. } => Needs::Seen,
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
        let index = if matches!(self.formula, Formula::Uct(_)) && visits < u32::from(moves) {
            // Unvisited moves come first, in order: the tried ones are those before.
            visits as usize
        } else {
            C::call(Choose { statistics: self, node, player })
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
        self.full || self.memory < Tree::MOST_MEMORY
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
            let proof = self.proofs.prove(step.node, moves, index, step.player, outcome);
            self.store.set_proof(step.node, proof);
            match proof {
                Some(proof) => outcome = proof,
                None => return,
            }
        }
    }

    /// Counts a loss at every choice of the descent under way, until its result is known.
    pub fn wait<C: Cpu>(&mut self) {
        for step in &self.path {
            self.store.count_waiting::<C>(step.node, usize::from(step.index));
        }
    }

    /// Takes these losses back.
    pub fn stop_waiting<C: Cpu>(&mut self) {
        for step in &self.path {
            self.store.take_waiting::<C>(step.node, usize::from(step.index));
        }
    }

    /// Exchanges the descent under way for another.
    pub fn exchange(&mut self, path: &mut Vec<Step>) {
        std::mem::swap(&mut self.path, path);
    }

    /// How good a move of a node is to play.
    pub fn worth(&self, node: u32, index: usize, player: Player) -> f64 {
        let moves = usize::from(self.store.node(node).moves);
        let proof = self.proofs.of(node, moves).and_then(|proofs| decode(proofs[index]));
        worth(proof, player, self.own(node, index).visits)
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
    pub fn count_codes<C: Cpu>(&mut self, depth: usize, outcome: Outcome) {
        C::call(CountCodes { statistics: self, depth, outcome });
    }

    /// Counts the result at every node passed, for the player who moved there.
    #[inline(always)]
    pub fn count<C: Cpu>(&mut self, outcome: Outcome) {
        self.steps += self.path.len() as u64;
        for step in &self.path {
            self.store.prepare(step.node);
            self.store.count::<C>(step.node, usize::from(step.index), outcome.points(step.player));
        }
    }

    /// The tally of a move of a node.
    #[inline(always)]
    pub fn own(&self, node: u32, index: usize) -> Tally {
        self.store.look(node, Own(index))
    }

    /// The tallies of a move of a node: its own, and those of AMAF by band.
    pub fn all_tallies(&self, node: u32, index: usize) -> Vec<Tally> {
        self.store.look(node, All(index, self.bands()))
    }

    /// The codes that a node has seen, with their tallies for the first player (GRAVE).
    pub fn table(&self, node: u32) -> Vec<(usize, Tally)> {
        if self.store.has_table(node) { self.store.look_table(node, Seldom) } else { Vec::new() }
    }

    /// The AMAF tallies of a move.
    pub fn bands(&self) -> usize {
        match &self.formula {
            Formula::Uct(_) | Formula::Grave { .. } => 0,
            Formula::Amaf { .. } | Formula::Rave { .. } => 1,
            Formula::MultiScale { limits, .. } => 1 + limits.len(),
        }
    }

    /// What is known of the moves of a node, which have these codes.
    pub fn numbers(
        &self,
        node: u32,
        reference: u32,
        player: Player,
        codes: &[u16],
    ) -> Vec<MoveNumbers> {
        let Statistics { formula, store, kinds, .. } = self;
        let at = AtNode { formula, store, node, reference, player, codes, kinds };
        let parts = at.scores(AllParts);
        let bands = match &self.formula {
            Formula::MultiScale { limits, .. } => 1 + limits.len(),
            _ => 1,
        };
        let amaf = |index: usize| match &self.formula {
            Formula::Uct(_) => None,
            Formula::Grave { .. } => {
                let tally = self.store.look_table(reference, OfCode(usize::from(codes[index])));
                Some(if player == Player::First { tally } else { tally.of_second() })
            }
            _ => Some(self.store.look(node, AllBands(index, bands))),
        };
        let one = |(index, parts)| {
            let own = self.own(node, index);
            MoveNumbers { own, amaf: amaf(index), parts, mean: None }
        };
        parts.into_iter().enumerate().map(one).collect()
    }
}

struct Choose<'a> {
    statistics: &'a mut Statistics,
    node: u32,
    player: Player,
}

impl Work for Choose<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<C: Cpu>(self) -> usize {
        let Choose { statistics, node, player } = self;
        let Statistics { formula, store, reference, codes, kinds, room, proofs, .. } = statistics;
        let at = AtNode { formula, store, node, reference: *reference, player, codes, kinds };
        if store.node(node).has_proofs()
            && let Some(proofs) = proofs.of(node, usize::from(store.node(node).moves))
        {
            return at.scores(SelectOpen { proofs, player });
        }
        at.scores(Select::<C> { room, cpu: PhantomData })
    }
}

struct CountCodes<'a> {
    statistics: &'a mut Statistics,
    depth: usize,
    outcome: Outcome,
}

impl Work for CountCodes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self) {
        let CountCodes { statistics, depth, outcome } = self;
        let Statistics { formula, store, seen, codes, path, chosen, .. } = statistics;
        let Step { node, player, .. } = path[depth];
        let points = outcome.points(player);
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
                store.count_codes::<C>(node, seen.codes(), outcome.points(Player::First));
            }
            Formula::MultiScale { limits, .. } => {
                for (index, &code) in codes.iter().enumerate().filter(|(_, code)| seen.has(**code))
                {
                    let distance = seen.distance(code, depth);
                    let band = limits.iter().filter(|&&limit| distance >= limit as usize).count();
                    store.count_amaf::<C>(node, band, index, points);
                }
            }
            _ => store.count_chosen::<C>(node, chosen, points),
        }
    }
}

struct Select<'a, C> {
    room: &'a mut Vec<[f32; LANES]>,
    cpu: PhantomData<C>,
}

impl<C: Cpu> UseScores for Select<'_, C> {
    type Output = usize;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S) -> usize {
        first_maximum::<C, S>(scores, self.room)
    }
}

/// The first maximum of the moves that are not known to lose.
struct SelectOpen<'a> {
    proofs: &'a [u8],
    player: Player,
}

impl UseScores for SelectOpen<'_> {
    type Output = usize;
    fn with<S: Scores>(self, scores: &S) -> usize {
        first_open(scores, self.proofs, self.player)
    }
}

struct AllParts;

impl UseScores for AllParts {
    type Output = Vec<Parts>;
    fn with<S: Scores>(self, scores: &S) -> Vec<Parts> {
        (0..scores.moves()).map(|index| scores.parts(index)).collect()
    }
}

struct Own(usize);

impl Look for Own {
    type Output = Tally;
    #[inline(always)]
    fn look<P: Pair>(self, view: View<'_, P>) -> Tally {
        view.own().tally(self.0)
    }
}

struct AllBands(usize, usize);

impl Look for AllBands {
    type Output = Tally;
    fn look<P: Pair>(self, view: View<'_, P>) -> Tally {
        let bands = (0..self.1).map(|band| view.amaf(band).tally(self.0));
        bands.fold(Tally::default(), Tally::plus)
    }
}

struct All(usize, usize);

impl Look for All {
    type Output = Vec<Tally>;
    fn look<P: Pair>(self, view: View<'_, P>) -> Vec<Tally> {
        let bands = (0..self.1).map(|band| view.amaf(band).tally(self.0));
        std::iter::once(view.own().tally(self.0)).chain(bands).collect()
    }
}

/// The codes with visits.
struct Seldom;

impl LookColumn for Seldom {
    type Output = Vec<(usize, Tally)>;
    fn look<P: Pair>(self, column: Column<'_, P>) -> Self::Output {
        let all = (0..column.pairs.len()).map(|code| (code, column.tally(code)));
        all.filter(|(_, tally)| tally.visits > 0).collect()
    }
}

struct OfCode(usize);

impl LookColumn for OfCode {
    type Output = Tally;
    fn look<P: Pair>(self, column: Column<'_, P>) -> Tally {
        column.tally(self.0)
    }
}
