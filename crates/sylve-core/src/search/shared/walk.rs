//! A simulation in a shared tree: descend, playout, update, as in `search/tree.rs`.
//!
//! With one thread the choices are those of the serial search, number for number (tested): the same
//! formulas see the same tallies.

use super::super::config::{Formula, Update};
use super::super::pairs::Pair;
use super::super::report::{MoveNumbers, order_by};
use super::super::seen::Seen;
use super::super::tally::Tally;
use super::cells;
use super::columns::{AllParts, Columns, Pick};
use super::slots::{Found, Node};
use super::store::{At, Store};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::mix;
use std::sync::Arc;

/// A tree that several [`Walker`]s change at once.
pub struct Tree<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    root: G::State,
    root_moves: Vec<Move>,
    root_codes: Vec<u16>,
    formula: Formula,
    update: Update,
    transpositions: bool,
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
    pub fn new(
        game: Arc<G>,
        root: G::State,
        root_moves: Vec<Move>,
        formula: Formula,
        update: Update,
        transpositions: bool,
    ) -> Tree<G> {
        let amaf = matches!(formula, Formula::Rave { .. } | Formula::Amaf { .. });
        let (key, draws, codes) = (game.hash(&root), game.has_draws(), game.codes());
        let store = Store::new(key, root_moves.len() as u16, amaf, draws, codes);
        if matches!(formula, Formula::Grave { .. }) {
            store.add_table(store.root());
        }
        let root_codes = root_moves.iter().map(|&mv| game.code(&root, mv) as u16).collect();
        Tree { game, root, root_moves, root_codes, formula, update, transpositions, store }
    }

    /// Whether the codes of playouts are wanted.
    pub fn coded(&self) -> bool {
        !matches!(self.formula, Formula::Uct(_))
    }

    #[inline(always)]
    fn child_key(&self, state: &G::State, parent: Node, mv: Move) -> u64 {
        if self.transpositions {
            self.game.hash(state)
        } else {
            mix(parent.key ^ (u64::from(mv.0) + 1))
        }
    }

    /// What is known of the root's moves. No thread may run meanwhile.
    pub fn numbers(&self) -> Vec<MoveNumbers> {
        let root = self.store.root();
        let player = self.game.turn(&self.root);
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
            let visits: Vec<f64> = tallies.iter().map(|tally| f64::from(tally.visits)).collect();
            let index = order_by(&visits, &tallies, None)[0];
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

    /// Follows the formula to a position without a node, or to the end of the game. On the way, the
    /// moves chosen are marked as under way: `update` must follow.
    #[inline(always)]
    pub fn descend<C: Cpu>(&mut self, tree: &Tree<G>) -> (G::State, Option<Outcome>) {
        let game = &*tree.game;
        let root = tree.store.root();
        let (mut node, mut reference) = (root, root);
        let mut state = tree.root.clone();
        let coded = tree.coded();
        self.path.clear();
        self.states.clear();
        loop {
            let player = game.turn(&state);
            let at_root = node.slot == root.slot && self.path.is_empty();
            let (index, tried) = self.choose::<C>(tree, node, &mut reference, &state, player);
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
            let outcome = game.outcome(&state);
            if outcome.is_some() {
                return (state, outcome);
            }
            let key = tree.child_key(&state, node, mv);
            let moves = game.count_moves(&state) as u16;
            let check = || game.moves_check(&state);
            let child = match tree.store.find(key, moves, check) {
                Found::Node(child) => {
                    if self.path.iter().any(|step| step.node.slot == child.slot) {
                        // The game has come back to a position of this descent (Go: a long cycle).
                        let outcome = game.adjudicate(&state);
                        return (state, Some(outcome));
                    }
                    Some(child)
                }
                Found::Free(..) if tried => tree.store.add(key, moves, check),
                _ => None,
            };
            match child {
                Some(child) => node = child,
                None => return (state, None),
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
    ) -> (usize, bool) {
        let at = tree.store.at(node);
        let columns = &mut self.columns;
        let untried = columns.fill_own(at);
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
                C::call(Pick { columns, formula: &tree.formula })
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
    pub fn update<C: Cpu>(&mut self, tree: &Tree<G>, outcome: Outcome) {
        if tree.coded() {
            self.count_codes::<C>(tree, outcome);
        }
        for step in &self.path {
            let (at, index) = (tree.store.at(step.node), usize::from(step.index));
            cells::finish(&at.pairs[index], &at.seconds[index], outcome.points(step.player));
        }
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
