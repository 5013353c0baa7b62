//! A simulation in a shared tree: descend, playout, update, as in `search/tree.rs`.
//!
//! With one thread the choices are those of the serial search, number for number (tested): the same
//! formulas see the same tallies.

use super::super::config::{Formula, Update};
use super::super::proofs::{decide, encode};
use super::super::seen::Seen;
use super::super::tree::End;
use super::at::{At, Wide};
use super::cells;
use super::columns::{Columns, Pick};
use super::store::{Node, Store};
use super::sync::{AtomicU64, Ordering};
use super::tree::{Found, Tree};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};

/// A choice made on the way down.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    index: u16,
    player: Player,
    code: u16,
    /// Whether it is counted in the wide words.
    wide: bool,
    /// The visits of the node when it was passed.
    total: u32,
}

/// Children to which a thread went, by parent: so many are remembered. 64 KiB, which a cache holds.
const GUESSES: usize = 1 << 14;
/// 2^32 / golden ratio: the upper bits of a product with it depend on all of a block's.
const ODD: u32 = 0x9E37_79B9;

/// What one thread needs for its simulations.
pub struct Walker<G: Game> {
    path: Vec<Step>,
    /// Where the last descent of this thread went, by the block of the parent: often where the next
    /// one goes too. The processor goes on with it while it still computes the key that confirms it.
    guesses: Vec<u32>,
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
            guesses: vec![0; GUESSES],
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

    /// Begins a run: the tree may be another one.
    pub fn start(&mut self) {
        self.guesses.fill(0); // the root's block, which always is one
    }

    /// Follows the formula to a position without a node, a proof, or the end of the game, then begins
    /// a simulation through the moves chosen: `update` must follow.
    ///
    /// It begins at the end, not on the way: a processor does not read ahead beyond an atomic addition.
    #[inline(always)]
    pub fn descend<C: Cpu>(&mut self, tree: &Tree<G>) -> (G::State, End) {
        let (reached, coded) = (self.follow::<C>(tree), tree.coded());
        for step in &self.path {
            begin(tree, step, coded);
        }
        reached
    }

    #[inline(always)]
    fn follow<C: Cpu>(&mut self, tree: &Tree<G>) -> (G::State, End) {
        let (game, store) = (&*tree.game, &tree.store);
        let root = store.root();
        let (mut node, mut reference) = (root, root);
        let mut state = tree.root.clone();
        let coded = tree.coded();
        self.path.clear();
        self.states.clear();
        let mut passed = 0;
        self.has_passed(root.block, &mut passed);
        loop {
            let player = game.turn(&state);
            let at = store.at(node);
            self.columns.fill_own(at);
            let at_root = self.path.is_empty();
            if !self.columns.proofs.is_empty()
                && !at_root
                && let Some(outcome) = decide(&self.columns.proofs, player)
            {
                return (state, End::Certain(outcome));
            }
            let index = self.choose::<C>(tree, node, &mut reference, &state, player);
            let visits = self.columns.visits(index);
            let wide = wide_for(store, node, at, visits).is_some();
            let mv = if at_root {
                tree.root_moves[index]
            } else {
                game.nth_move::<C>(&state, index, &mut self.scratch)
            };
            let code = if coded { game.code(&state, mv) as u16 } else { 0 };
            let total = self.columns.total;
            self.path.push(Step { node, index: index as u16, player, code, wide, total });
            if coded {
                self.states.push(state.clone());
            }
            game.play(&mut state, mv);
            if let Some(outcome) = game.outcome(&state) {
                return (state, End::Certain(outcome));
            }
            match self.child(tree, &state, node, mv, visits > 0) {
                None => return (state, End::Open),
                Some(child) if self.has_passed(child.block, &mut passed) => {
                    // The game has come back to a position of this descent (Go: a long cycle).
                    let outcome = game.adjudicate(&state);
                    return (state, End::Cycle(outcome));
                }
                Some(child) => node = child,
            }
        }
    }

    /// Whether this descent has passed a block, which joins the set `passed`: a bit each, so that the
    /// path is seldom looked at.
    #[inline(always)]
    fn has_passed(&self, block: u32, passed: &mut u64) -> bool {
        let bit = 1 << (block.wrapping_mul(ODD) >> 26);
        let perhaps = *passed & bit != 0;
        *passed |= bit;
        perhaps && self.path.iter().any(|step| step.node.block == block)
    }

    /// The node of the position after a move of `node`, made if the move was tried before.
    #[inline(always)]
    fn child(
        &mut self,
        tree: &Tree<G>,
        state: &G::State,
        node: Node,
        mv: Move,
        tried: bool,
    ) -> Option<Node> {
        let (game, store) = (&*tree.game, &tree.store);
        let key = tree.child_key(state, node, mv);
        let place = node.block.wrapping_mul(ODD) >> (32 - GUESSES.ilog2());
        let guess = self.guesses[place as usize];
        if store.key(guess) == key
            && let Some(child) = store.checked(guess, game.moves_check(state))
        {
            return Some(child);
        }
        let child = match tree.find(state, key) {
            Found::Node(child) => child,
            Found::Free(..) if !tried => return None,
            Found::Free(slot, key) => {
                let moves = game.count_moves(state) as u16;
                store.add((slot, key), moves, game.moves_check(state))?
            }
        };
        self.guesses[place as usize] = child.block;
        Some(child)
    }

    /// The first move with the largest score.
    #[inline(always)]
    fn choose<C: Cpu>(
        &mut self,
        tree: &Tree<G>,
        node: Node,
        reference: &mut Node,
        state: &G::State,
        player: Player,
    ) -> usize {
        let columns = &mut self.columns;
        // UCT tries every move once, in order, before it compares.
        if !tree.coded() {
            return match columns.untried() {
                Some(index) => index,
                None => C::call(Pick { columns, formula: &tree.formula, player }),
            };
        }
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
        tree.fill_amaf(columns, node, *reference, player, &self.codes);
        C::call(Pick { columns, formula: &tree.formula, player })
    }

    /// Counts the result at every node passed. `seen` has the codes of the playout.
    #[inline(always)]
    pub fn update<C: Cpu>(&mut self, tree: &Tree<G>, outcome: Outcome, end: End) {
        let coded = tree.coded();
        if coded {
            self.count_codes::<C>(tree, outcome);
        }
        for step in &self.path {
            let index = usize::from(step.index);
            let points = outcome.points(step.player);
            match points {
                2 if step.wide => cells::win_wide(wide_own(tree, step)),
                2 => cells::win(tree.store.own(step.node, index), index),
                1 => cells::add(tree.store.at(step.node).draws, index),
                _ => {} // a visit is a loss until it is a win
            }
            if coded {
                cells::take(tree.store.at(step.node).under_way, index);
            }
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
            cells::prove(at.own, usize::from(step.index), encode(outcome));
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
            begin(tree, step, tree.coded());
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
                cells::count_code(&pairs[code], draws.get(code), outcome.points(Player::First));
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
        // A move is seen at most once a visit of the node.
        let wide = wide_for(&tree.store, node, at, total);
        for (number, &chosen) in self.chosen.iter().enumerate() {
            let start = 64 * number;
            match wide {
                None => cells::count_chosen(at.amaf, start, chosen, points == 2),
                Some(wide) => cells::count_chosen_wide(wide.amaf, start, chosen, points == 2),
            }
            if points == 1 {
                cells::add_to_chosen(at.amaf_draws, start, chosen);
            }
        }
    }
}

/// The wide counters of a node, where they are needed: it has some, or a narrow tally of so many visits.
#[inline(always)]
fn wide_for<'a>(store: &'a Store, node: Node, at: At<'a>, visits: u32) -> Option<Wide<'a>> {
    if at.wide.is_none() && visits >= cells::ENOUGH { store.add_wide(node) } else { at.wide }
}

/// Begins a simulation through a move.
#[inline(always)]
fn begin<G: Game>(tree: &Tree<G>, step: &Step, coded: bool) {
    let index = usize::from(step.index);
    if step.wide {
        cells::begin_wide(wide_own(tree, step));
    } else {
        cells::begin(tree.store.own(step.node, index), index);
    }
    if coded {
        cells::add(tree.store.at(step.node).under_way, index);
    }
}

/// The wide tally of a choice that is counted there.
#[cold]
fn wide_own<'a, G: Game>(tree: &'a Tree<G>, step: &Step) -> &'a AtomicU64 {
    let wide = tree.store.at(step.node).wide.expect("it never goes away");
    &wide.own[usize::from(step.index)]
}
