//! A simulation in a shared tree: descend, playout, update, as in `search/tree.rs`.
//!
//! With one thread the choices are those of the serial search, number for number (tested): the same
//! formulas see the same tallies.

use super::super::config::Formula;
use super::super::descent::End;
use super::super::judge_node::{JudgeNode, JudgingRoom};
use super::super::judging::value_of;
use super::super::pairs::LANES;
use super::super::proofs::{decide, encode};
use super::super::sync::{AtomicU64, Ordering};
use super::super::units::{Counting, DRAW, Units, WIN};
use super::super::visited_codes::VisitedCodes;
use super::cells;
use super::copies::{Copies, READ};
use super::counters::NodeCounters;
use super::pick::Pick;
use super::shared_tree::{Found, SharedTree};
use super::snapshot::{AmafTallies, OwnTallies};
use super::store::NodeRef;
use super::values;
use crate::cpu::Cpu;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome, Player};

/// A choice made on the way down.
#[derive(Clone, Copy)]
pub struct SharedStep {
    /// At this node.
    pub node: NodeRef,
    index: u16,
    /// Who made it.
    pub player: Player,
    /// The code of the move, where codes are wanted.
    pub code: u16,
    /// Whether it is counted in the wide words.
    wide: bool,
    /// The place of the node's copy, or [`READ`].
    place: u16,
    /// The visits of the node when it was passed.
    pub total: u32,
}

impl SharedStep {
    #[inline(always)]
    fn is_copied(&self) -> bool {
        usize::from(self.place) != READ
    }
}

/// Children to which a thread went, by parent: so many are remembered. 64 KiB, which a cache holds.
const GUESSES: usize = 1 << 14;
/// 2^32 / golden ratio: the upper bits of a product with it depend on all of a block's.
const ODD: u32 = 0x9E37_79B9;

/// What one thread needs for its simulations.
pub struct Walker<G: Game> {
    pub(super) path: Vec<SharedStep>,
    /// Where the last descent of this thread went, by the block of the parent: often where the next
    /// one goes too. The processor goes on with it while it still computes the key that confirms it.
    guesses: Vec<u32>,
    /// The positions of the descent, where codes are wanted.
    pub(super) states: Vec<G::State>,
    /// The codes of the simulation under way. A playout writes straight into it.
    pub seen: VisitedCodes,
    copies: Copies,
    amaf: AmafTallies,
    /// Room for quick scores.
    room: Vec<[f32; LANES]>,
    /// The root, as it is during a run.
    root: Option<NodeRef>,
    codes: Vec<u16>,
    pub(super) chosen: Vec<u64>,
    pub(super) scratch: Vec<Move>,
    judging: JudgingRoom,
}

impl<G: Evaluate> Walker<G> {
    /// One of so many that has not moved.
    pub fn new(game: &G, threads: usize) -> Walker<G> {
        Walker {
            path: Vec::new(),
            guesses: vec![0; GUESSES],
            states: Vec::new(),
            seen: VisitedCodes::new(game),
            copies: Copies::new(threads),
            amaf: AmafTallies::default(),
            room: Vec::new(),
            root: None,
            codes: Vec::new(),
            chosen: Vec::new(),
            scratch: Vec::new(),
            judging: JudgingRoom::default(),
        }
    }

    /// Choices made in the last descent.
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Begins a run: the tree may be another one.
    pub fn start(&mut self, tree: &SharedTree<G>) {
        self.guesses.fill(0); // the root's block, which always is one
        self.root = Some(tree.store.root());
    }

    /// Ends a run: the tree gets all results.
    pub fn finish(&mut self, tree: &SharedTree<G>) {
        self.copies.tell_all(&tree.store);
    }

    /// Follows the formula to a position without a node, a proof, or the end of the game, then begins
    /// a simulation through the moves chosen: `update` must follow.
    ///
    /// It begins at the end, not on the way: a processor does not read ahead beyond an atomic addition.
    #[inline(always)]
    pub fn descend<C: Cpu>(&mut self, tree: &SharedTree<G>) -> (G::State, End) {
        let (reached, coded) = (self.follow::<C>(tree), tree.coded());
        for step in &mut self.path {
            // A copy may have made way for another one further down.
            if step.is_copied() && !self.copies.has(usize::from(step.place), step.node) {
                step.place = READ as u16;
                step.wide = tree.store.at(step.node).wide.is_some();
            }
            begin(tree, step, coded);
        }
        reached
    }

    #[inline(always)]
    fn follow<C: Cpu>(&mut self, tree: &SharedTree<G>) -> (G::State, End) {
        let (game, store) = (&*tree.game, &tree.store);
        let root = self.root.expect("the run has begun");
        let (mut node, mut reference) = (root, root);
        let mut state = tree.root.state.clone();
        let coded = tree.coded();
        self.path.clear();
        self.states.clear();
        let (mut passed, mut fresh) = (0, false);
        self.has_passed(root.block, &mut passed);
        loop {
            let player = game.turn(&state);
            let place = self.copies.read(store, node, !coded);
            let own = self.copies.own(place);
            let at_root = self.path.is_empty();
            if !own.proofs.is_empty()
                && !at_root
                && let Some(outcome) = decide(&own.proofs, player)
            {
                return (state, End::Certain(outcome));
            }
            let index = if coded {
                if tree.is_reference(node, own.total) {
                    reference = node;
                }
                self.fill_amaf(tree, node, reference, &state, player);
                pick::<C, G>(tree, self.copies.own(place), &self.amaf, &mut self.room, player)
            } else {
                // UCT tries every move once, in order, before it compares.
                match own.untried().filter(|_| tree.extras.prior == 0) {
                    Some(index) => index,
                    None => pick::<C, G>(tree, own, &self.amaf, &mut self.room, player),
                }
            };
            let own = self.copies.own(place);
            let (visits, total) = (own.visits(index), own.total);
            let wide = place == READ && store.wide_for(node, store.at(node), visits).is_some();
            if place == READ {
                C::prefetch_to_write(store.own(node, index)); // for `begin`
            }
            let mv = tree.root.move_at::<C>(game, at_root, &state, index, &mut self.scratch);
            let code = if coded { game.code(&state, mv) as u16 } else { 0 };
            let (index, place) = (index as u16, place as u16);
            self.path.push(SharedStep { node, index, player, code, wide, place, total });
            if coded {
                self.states.push(state.clone());
            }
            game.play(&mut state, mv);
            if let Some(outcome) = game.outcome(&state) {
                return (state, End::Certain(outcome));
            }
            let may_grow = !fresh && visits + 1 >= tree.expand;
            fresh = false;
            match self.child::<C>(tree, &state, node, mv, may_grow, &mut fresh) {
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

    /// The node of the position after a move of `node`, made if it may be: then it is `fresh`.
    #[inline(always)]
    fn child<C: Cpu>(
        &mut self,
        tree: &SharedTree<G>,
        state: &G::State,
        node: NodeRef,
        mv: Move,
        may_grow: bool,
        fresh: &mut bool,
    ) -> Option<NodeRef> {
        let (game, store) = (&*tree.game, &tree.store);
        let key = tree.root.child_key(game, state, node.key, mv);
        if let Some((child, check)) = self.copies.find(key)
            && (child.is_root() || check == game.moves_check(state))
        {
            return Some(child);
        }
        let place = node.block.wrapping_mul(ODD) >> (32 - GUESSES.ilog2());
        let guess = self.guesses[place as usize];
        if store.key(guess) == key
            && let Some(child) = store.checked(guess, game.moves_check(state))
        {
            return Some(child);
        }
        let child = match tree.find(state, key) {
            Found::Node(child) => child,
            Found::Free(..) if !may_grow => return None,
            Found::Free(slot, key) => {
                *fresh = true;
                let moves = game.count_moves(state) as u16;
                let room = &mut self.judging;
                store.add((slot, key), moves, game.moves_check(state), |at| {
                    if tree.judges() {
                        let write = |what, values: &[u16]| values::write(at.judged(what), values);
                        let judging = &tree.judging;
                        C::call(JudgeNode { judging, game, state, moves: None, room, write });
                    }
                })?
            }
        };
        self.guesses[place as usize] = child.block;
        Some(child)
    }

    /// Reads the tallies of AMAF.
    #[inline(always)]
    fn fill_amaf(
        &mut self,
        tree: &SharedTree<G>,
        node: NodeRef,
        reference: NodeRef,
        state: &G::State,
        player: Player,
    ) {
        if let Formula::Grave { .. } = tree.formula {
            self.codes.clear();
            if self.path.is_empty() {
                self.codes.extend_from_slice(&tree.root.codes);
            } else {
                tree.game.move_codes(state, &mut self.scratch, &mut self.codes);
            }
        }
        tree.fill_amaf(&mut self.amaf, node, reference, player, &self.codes);
    }

    /// Counts the result at every node passed. `seen` has the codes of the playout.
    #[inline(always)]
    pub fn update<C: Cpu>(&mut self, tree: &SharedTree<G>, result: Units, end: End) {
        let coded = tree.coded();
        if coded {
            self.count_codes::<C>(tree, result);
        }
        for step in &self.path {
            let index = usize::from(step.index);
            let units = result.of_player(step.player);
            if step.is_copied() {
                self.copies.count(usize::from(step.place), step.index, units);
                continue;
            }
            // A visit is a loss until it is a win.
            let won = match tree.counting {
                Counting::Outcomes => units == WIN,
                Counting::Estimates => {
                    cells::add_part(tree.store.at(step.node).draws, index, units)
                }
            };
            if won && step.wide {
                cells::win_wide(wide_own(tree, step));
            } else if won {
                cells::win(tree.store.own(step.node, index), index);
            } else if units == DRAW && tree.counting == Counting::Outcomes {
                cells::add(tree.store.at(step.node).draws, index);
            }
            if coded {
                cells::take(tree.store.at(step.node).under_way, index);
            }
        }
        if tree.extras.implicit > 0.0 {
            self.raise_values(tree, end.certain());
        }
        if tree.root.solving
            && let Some(outcome) = end.certain()
        {
            self.prove(tree, outcome);
        }
    }

    /// Lets the values of the nodes passed go up, as `Statistics::raise_values`.
    #[inline(never)]
    fn raise_values(&mut self, tree: &SharedTree<G>, certain: Option<Outcome>) {
        let Walker { path, copies, .. } = self;
        let mut below: Option<(&SharedStep, NodeCounters<'_>)> = None;
        for step in path.iter().rev() {
            let (at, index) = (tree.store.at(step.node), usize::from(step.index));
            let value = match (below, certain) {
                (Some((below, moves)), _) => {
                    let turned = step.player != below.player;
                    Some(values::raise(at.implicit, index, moves.implicit, turned))
                }
                (None, Some(outcome)) => {
                    let value = value_of(outcome, step.player);
                    values::set(at.implicit, index, value);
                    Some(value)
                }
                (None, None) => None,
            };
            if let Some(value) = value
                && step.is_copied()
            {
                copies.set_implicit(usize::from(step.place), step.index, value);
            }
            below = Some((step, at));
        }
    }

    /// The last choice of the descent is decided: so may be the nodes that it passed.
    ///
    /// Two threads may decide the last two moves of a node at once and neither see it: then the next
    /// descent that arrives there does.
    #[cold]
    fn prove(&mut self, tree: &SharedTree<G>, mut outcome: Outcome) {
        for step in self.path.iter().rev() {
            let at = tree.store.at(step.node);
            cells::prove(at.own, usize::from(step.index), encode(outcome));
            if step.is_copied() {
                self.copies.renew(&tree.store, usize::from(step.place), step.node);
            }
            match decide(&at.proofs().collect::<Vec<u8>>(), step.player) {
                Some(decided) => outcome = decided,
                None => return,
            }
        }
        tree.proven.store(true, Ordering::Relaxed);
    }
}

/// Begins a simulation through a move.
#[inline(always)]
fn begin<G: Game>(tree: &SharedTree<G>, step: &SharedStep, coded: bool) {
    let index = usize::from(step.index);
    if step.is_copied() {
        return; // nobody else would see it
    }
    if step.wide {
        cells::begin_wide(wide_own(tree, step));
    } else {
        cells::begin(tree.store.own(step.node, index), index);
    }
    if coded {
        cells::add(tree.store.at(step.node).under_way, index);
    }
}

/// The first move with the largest score.
#[inline(always)]
fn pick<C: Cpu, G: Game>(
    tree: &SharedTree<G>,
    own: &OwnTallies,
    amaf: &AmafTallies,
    room: &mut Vec<[f32; LANES]>,
    player: Player,
) -> usize {
    let (formula, extras) = (&tree.formula, tree.extras);
    C::call(Pick { own, amaf, room, formula, extras, player })
}

/// The wide tally of a choice that is counted there.
#[cold]
fn wide_own<'a, G: Game>(tree: &'a SharedTree<G>, step: &SharedStep) -> &'a AtomicU64 {
    let wide = tree.store.at(step.node).wide.expect("it never goes away");
    &wide.own[usize::from(step.index)]
}
