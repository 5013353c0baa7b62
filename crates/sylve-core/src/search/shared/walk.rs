//! A simulation in a shared tree: descend, playout, update, as in `search/tree.rs`.
//!
//! With one thread the choices are those of the serial search, number for number (tested): the same
//! formulas see the same tallies.

use super::super::config::{self, Formula, Update};
use super::super::pairs::Pair;
use super::super::proofs::{decide, decode, encode, worth};
use super::super::report::{MoveNumbers, order_by};
use super::super::seen::Seen;
use super::super::tally::Tally;
use super::super::tree::End;
use super::cells;
use super::columns::{AllParts, Columns, Pick};
use super::slots::{Found, Node};
use super::store::{At, Store};
use super::sync::{AtomicBool, Ordering};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::mix;
use std::sync::Arc;

/// A tree that several [`Walker`]s change at once.
pub struct Tree<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    pub(in super::super) root: G::State,
    pub(in super::super) root_moves: Vec<Move>,
    root_codes: Vec<u16>,
    pub(in super::super) formula: Formula,
    update: Update,
    pub(in super::super) transpositions: bool,
    pub(in super::super) solving: bool,
    /// Whether the result with best play is known.
    proven: AtomicBool,
    /// The nodes.
    pub store: Store,
}

/// A choice made on the way down.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    index: u16,
    player: Player,
    code: u16,
    /// The visits of the node when it was passed.
    total: u32,
}

impl<G: Game> Tree<G> {
    /// A tree of one node. `moves` are the root's, which a game's history may have reduced.
    pub fn new(game: Arc<G>, root: G::State, root_moves: Vec<Move>, how: config::Tree) -> Tree<G> {
        let config::Tree { formula, update, transpositions, solver, memory, .. } = how;
        let key = game.hash(&root);
        let mut store = new_store(&*game, key, root_moves.len(), &formula);
        store.set_memory(memory);
        let root_codes = root_moves.iter().map(|&mv| game.code(&root, mv) as u16).collect();
        // A proof would forget the history, on which moves depend.
        let (solving, proven) = (solver && !game.remembers(), AtomicBool::new(false));
        Tree {
            game,
            root,
            root_moves,
            root_codes,
            formula,
            update,
            transpositions,
            solving,
            proven,
            store,
        }
    }

    /// Makes another position the root, with these moves; the tree is empty then.
    pub fn set_root(&mut self, root: G::State, moves: Vec<Move>, key: u64) {
        self.root_codes = moves.iter().map(|&mv| self.game.code(&root, mv) as u16).collect();
        (self.root, self.root_moves) = (root, moves);
        self.set_root_key(key);
    }

    /// Begins with an empty tree whose root has this key.
    pub fn set_root_key(&mut self, key: u64) {
        let memory = self.store.memory();
        self.store = new_store(&*self.game, key, self.root_moves.len(), &self.formula);
        self.store.set_memory(memory);
        self.see_proof();
    }

    /// Whether the result with best play is known: there is nothing left to search.
    #[inline(always)]
    pub fn is_proven(&self) -> bool {
        self.proven.load(Ordering::Relaxed)
    }

    /// What is proven of the root's moves.
    pub fn proofs(&self) -> Vec<Option<Outcome>> {
        self.store.at(self.store.root()).proofs().map(decode).collect()
    }

    /// How the game ends with best play, if that is proven.
    pub fn proof(&self) -> Option<Outcome> {
        let proofs: Vec<u8> = self.store.at(self.store.root()).proofs().collect();
        decide(&proofs, self.turn())
    }

    /// Looks whether the root is proven.
    pub fn see_proof(&mut self) {
        self.proven = AtomicBool::new(self.proof().is_some());
    }

    /// Who is to move at the root.
    pub fn turn(&self) -> Player {
        self.game.turn(&self.root)
    }

    /// Whether the codes of playouts are wanted.
    pub fn coded(&self) -> bool {
        !matches!(self.formula, Formula::Uct(_))
    }

    #[inline(always)]
    pub(in super::super) fn child_key(&self, state: &G::State, parent: Node, mv: Move) -> u64 {
        if self.transpositions {
            self.game.hash(state)
        } else {
            mix(parent.key ^ (u64::from(mv.0) + 1))
        }
    }

    /// What is known of the root's moves. No thread may run meanwhile.
    pub fn numbers(&self) -> Vec<MoveNumbers> {
        let root = self.store.root();
        let player = self.turn();
        let mut columns = Columns::default();
        let at = self.store.at(root);
        columns.fill_own(at);
        self.fill_amaf(&mut columns, root, root, player, &self.root_codes);
        let parts = columns.scores(&self.formula, AllParts);
        let one = |(index, parts)| MoveNumbers {
            own: columns.own().tally(index),
            amaf: self.coded().then(|| columns.amaf().tally(index)),
            parts,
            mean: None,
        };
        parts.into_iter().enumerate().map(one).collect()
    }

    /// Looks at the AMAF tallies of a node's moves, seen by the player to move.
    #[inline(always)]
    fn fill_amaf(
        &self,
        columns: &mut Columns,
        node: Node,
        reference: Node,
        player: Player,
        codes: &[u16],
    ) {
        match self.formula {
            Formula::Rave { .. } | Formula::Amaf { .. } => columns.fill_amaf(self.store.at(node)),
            Formula::Grave { .. } => {
                let table = self.store.table(reference).expect("a reference has a table");
                columns.fill_reference(table, codes, player);
            }
            _ => {}
        }
    }

    /// The principal variation. No thread may run meanwhile.
    pub fn line<C: Cpu>(&self) -> Vec<Move> {
        let (mut line, mut passed) = (Vec::new(), vec![self.store.root()]);
        let mut state = self.root.clone();
        let mut scratch = Vec::new();
        loop {
            let node = passed[passed.len() - 1];
            let At { pairs, seconds, .. } = self.store.at(node);
            let tally = |(pair, second)| cells::look(pair, second).tally();
            let tallies: Vec<Tally> = pairs.iter().zip(seconds).map(tally).collect();
            if tallies.iter().all(|tally| tally.visits == 0) && !line.is_empty() {
                return line;
            }
            let player = self.game.turn(&state);
            let at = self.store.at(node);
            let worths = at.proofs().map(decode).zip(&tallies);
            let worths: Vec<f64> =
                worths.map(|(proof, tally)| worth(proof, player, tally.visits)).collect();
            let index = order_by(&worths, &tallies, None)[0];
            let mv = if passed.len() == 1 {
                self.root_moves[index]
            } else {
                self.game.nth_move::<C>(&state, index, &mut scratch)
            };
            line.push(mv);
            self.game.play(&mut state, mv);
            if self.game.outcome(&state).is_some() {
                return line;
            }
            let key = self.child_key(&state, node, mv);
            let moves = self.game.count_moves(&state) as u16;
            match self.store.find(key, moves, || self.game.moves_check(&state)) {
                Found::Node(child) if !passed.contains(&child) => passed.push(child),
                _ => return line,
            }
        }
    }
}

/// A store with a root of so many moves.
fn new_store<G: Game>(game: &G, key: u64, moves: usize, formula: &Formula) -> Store {
    let amaf = matches!(formula, Formula::Rave { .. } | Formula::Amaf { .. });
    let store = Store::new(key, moves as u16, amaf, game.has_draws(), game.codes());
    if matches!(formula, Formula::Grave { .. }) {
        store.add_table(store.root());
    }
    store
}

/// What one thread needs for its simulations.
pub struct Walker<G: Game> {
    path: Vec<Step>,
    /// The positions of the descent, where codes are wanted.
    states: Vec<G::State>,
    /// The codes of the simulation under way. A playout writes straight into it.
    pub seen: Seen,
    columns: Columns,
    codes: Vec<u16>,
    chosen: Vec<u64>,
    scratch: Vec<Move>,
}

impl<G: Game> Walker<G> {
    /// One that has not moved.
    pub fn new(game: &G) -> Walker<G> {
        Walker {
            path: Vec::new(),
            states: Vec::new(),
            seen: Seen::new(game),
            columns: Columns::default(),
            codes: Vec::new(),
            chosen: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Choices made in the last descent.
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Follows the formula to a position without a node, a proof, or the end of the game. On the
    /// way, the moves chosen are marked as under way: `update` must follow.
    #[inline(always)]
    pub fn descend<C: Cpu>(&mut self, tree: &Tree<G>) -> (G::State, End) {
        let game = &*tree.game;
        let root = tree.store.root();
        let (mut node, mut reference) = (root, root);
        let mut state = tree.root.clone();
        let coded = tree.coded();
        self.path.clear();
        self.states.clear();
        loop {
            let player = game.turn(&state);
            let untried = self.columns.fill_own(tree.store.at(node));
            let at_root = self.path.is_empty();
            if !self.columns.proofs.is_empty()
                && !at_root
                && let Some(outcome) = decide(&self.columns.proofs, player)
            {
                return (state, End::Certain(outcome));
            }
            let (index, tried) =
                self.choose::<C>(tree, node, &mut reference, &state, player, untried);
            let mv = if at_root {
                tree.root_moves[index]
            } else {
                game.nth_move::<C>(&state, index, &mut self.scratch)
            };
            if coded {
                let step = self.path.last_mut().expect("a choice was made");
                step.code = game.code(&state, mv) as u16;
                self.states.push(state.clone());
            }
            game.play(&mut state, mv);
            if let Some(outcome) = game.outcome(&state) {
                return (state, End::Certain(outcome));
            }
            let key = tree.child_key(&state, node, mv);
            let moves = game.count_moves(&state) as u16;
            let check = || game.moves_check(&state);
            let child = match tree.store.find(key, moves, check) {
                Found::Node(child) => {
                    if self.path.iter().any(|step| step.node.slot == child.slot) {
                        // The game has come back to a position of this descent (Go: a long cycle).
                        let outcome = game.adjudicate(&state);
                        return (state, End::Cycle(outcome));
                    }
                    Some(child)
                }
                Found::Free(..) if tried => tree.store.add(key, moves, check),
                _ => None,
            };
            match child {
                Some(child) => node = child,
                None => return (state, End::Open),
            }
        }
    }

    /// The first move with the largest score, and whether anybody has tried it.
    #[inline(always)]
    fn choose<C: Cpu>(
        &mut self,
        tree: &Tree<G>,
        node: Node,
        reference: &mut Node,
        state: &G::State,
        player: Player,
        untried: Option<usize>,
    ) -> (usize, bool) {
        let at = tree.store.at(node);
        let columns = &mut self.columns;
        if let Formula::Grave { reference: enough, .. } = tree.formula {
            if columns.total > enough && tree.store.table(node).is_some() {
                *reference = node;
            }
            self.codes.clear();
            if self.path.is_empty() {
                self.codes.extend_from_slice(&tree.root_codes);
            } else {
                tree.game.move_codes(state, &mut self.scratch, &mut self.codes);
            }
        }
        let index = match (untried, &tree.formula) {
            // UCT tries every move once, in order, before it compares.
            (Some(index), Formula::Uct(_)) => index,
            _ => {
                tree.fill_amaf(columns, node, *reference, player, &self.codes);
                C::call(Pick { columns, formula: &tree.formula, player })
            }
        };
        cells::begin(&at.seconds[index]);
        let tried = columns.pairs[index].visits() > 0;
        let (index_, total) = (index as u16, columns.total);
        self.path.push(Step { node, index: index_, player, code: 0, total });
        (index, tried)
    }

    /// Counts the result at every node passed. `seen` has the codes of the playout.
    #[inline(always)]
    pub fn update<C: Cpu>(&mut self, tree: &Tree<G>, outcome: Outcome, end: End) {
        if tree.coded() {
            self.count_codes::<C>(tree, outcome);
        }
        for step in &self.path {
            let (at, index) = (tree.store.at(step.node), usize::from(step.index));
            cells::finish(&at.pairs[index], &at.seconds[index], outcome.points(step.player));
        }
        if tree.solving && matches!(end, End::Certain(_)) {
            self.prove(tree, outcome);
        }
    }

    /// The last choice of the descent is decided: so may be the nodes that it passed.
    ///
    /// Two threads may decide the last two moves of a node at once and neither see it: then the next
    /// descent that arrives there does.
    #[cold]
    fn prove(&self, tree: &Tree<G>, mut outcome: Outcome) {
        for step in self.path.iter().rev() {
            let at = tree.store.at(step.node);
            cells::prove(&at.seconds[usize::from(step.index)], encode(outcome));
            match decide(&at.proofs().collect::<Vec<u8>>(), step.player) {
                Some(decided) => outcome = decided,
                None => return,
            }
        }
        tree.proven.store(true, Ordering::Relaxed);
    }

    /// Marks the moves of the last descent as under way once more: another result will follow.
    pub fn begin_again(&mut self, tree: &Tree<G>) {
        for step in &mut self.path {
            step.total += 1; // by the result before
            cells::begin(&tree.store.at(step.node).seconds[usize::from(step.index)]);
        }
    }

    #[inline(always)]
    fn count_codes<C: Cpu>(&mut self, tree: &Tree<G>, outcome: Outcome) {
        if matches!(tree.formula, Formula::Grave { .. }) {
            self.seen.list();
        }
        let suffixes = tree.update == Update::Suffix;
        for depth in (0..self.path.len()).rev() {
            self.seen.add_before(self.path[depth].code, depth);
            if suffixes {
                self.count_codes_at::<C>(tree, depth, outcome);
            }
        }
        if !suffixes {
            for depth in 0..self.path.len() {
                self.count_codes_at::<C>(tree, depth, outcome);
            }
        }
    }

    #[inline(always)]
    fn count_codes_at<C: Cpu>(&mut self, tree: &Tree<G>, depth: usize, outcome: Outcome) {
        let Step { node, player, total, .. } = self.path[depth];
        if let Formula::Grave { reference, .. } = tree.formula {
            if tree.store.table(node).is_none() && total < reference / 2 {
                return;
            }
            let Some((pairs, draws)) = tree.store.add_table(node) else { return };
            for &code in self.seen.codes() {
                let code = usize::from(code);
                cells::count(&pairs[code], draws.get(code), outcome.points(Player::First));
            }
            return;
        }
        self.chosen.clear();
        if depth == 0 {
            let word = |codes: &[u16]| {
                codes.iter().rev().fold(0, |word, &code| word << 1 | u64::from(self.seen.has(code)))
            };
            self.chosen.extend(tree.root_codes.chunks(64).map(word));
        } else {
            let (state, seen) = (&self.states[depth], self.seen.set());
            tree.game.seen_moves::<C>(state, seen, &mut self.scratch, &mut self.chosen);
        }
        let (at, points) = (tree.store.at(node), outcome.points(player));
        for (number, &word) in self.chosen.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let index = 64 * number + left.trailing_zeros() as usize;
                cells::count(&at.amaf[index], at.amaf_draws.get(index), points);
                left &= left - 1;
            }
        }
    }
}
