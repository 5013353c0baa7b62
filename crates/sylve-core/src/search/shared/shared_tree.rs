//! A shared tree with its game: where positions are.

use super::super::config::{Formula, TreeConfig, Update};
use super::super::judge_node::{JudgeNode, Judging, JudgingRoom};
use super::super::proofs::decide;
use super::super::root::Root;
use super::super::scores::Extras;
use super::super::sync::{AtomicBool, Ordering};
use super::super::units::Counting;
use super::counters::CounterShape;
use super::slots::Place;
use super::snapshot::AmafTallies;
use super::store::{NodeRef, SharedStore};
use super::values;
use crate::cpu;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::mix;
use std::sync::Arc;

/// A tree that several [`super::Walker`]s change at once.
pub struct SharedTree<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    pub(super) root: Root<G>,
    pub(super) formula: Formula,
    pub(super) coded: bool,
    pub(super) update: Update,
    /// How results are counted.
    pub(super) counting: Counting,
    /// What evaluations add to the formula.
    pub(super) extras: Extras,
    /// At which visit a position gets its node.
    pub(super) expand: u32,
    /// By what the moves of a new node are judged.
    pub(super) judging: Judging,
    /// Room for that where no thread runs.
    room: JudgingRoom,
    /// Whether the result with best play is known.
    pub(super) proven: AtomicBool,
    /// The nodes.
    pub store: SharedStore,
}

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Here.
    Node(NodeRef),
    /// Nowhere: this slot was free, for this key.
    Free(usize, u64),
}

impl<G: Evaluate> SharedTree<G> {
    /// A tree of one node. `moves` are the root's, which a game's history may have reduced.
    pub fn new(game: Arc<G>, root: G::State, moves: Vec<Move>, how: TreeConfig) -> SharedTree<G> {
        let root = Root::new(&*game, root, moves, &how);
        let (extras, judging) = (Extras::of(&how), Judging::new(&how));
        let TreeConfig { formula, update, memory, counting, expand, .. } = how;
        let key = game.hash(&root.state);
        let mut store = new_store(&*game, key, root.moves.len(), &formula, counting, extras);
        store.set_memory(memory);
        let mut tree = SharedTree {
            game,
            root,
            coded: !matches!(formula, Formula::Uct(_)),
            formula,
            update,
            counting,
            extras,
            expand,
            judging,
            room: JudgingRoom::default(),
            proven: AtomicBool::new(false),
            store,
        };
        let state = tree.root.state.clone();
        tree.judge(tree.store.root(), &state, &[]);
        tree
    }

    /// Judges the moves of a node, which no thread passes now. `implicit`: the values that go up the
    /// tree, if they are known.
    pub(super) fn judge(&mut self, node: NodeRef, state: &G::State, implicit: &[u16]) {
        if !self.judges() {
            return;
        }
        let SharedTree { game, root, judging, room, store, .. } = self;
        let at = store.at(node);
        cpu::run(JudgeNode {
            judging,
            game: &**game,
            state,
            moves: node.is_root().then_some(&root.moves[..]),
            room,
            write: |what, values: &[u16]| values::write(at.judged(what), values),
        });
        values::write(at.implicit, implicit);
    }
}

impl<G: Game> SharedTree<G> {
    /// Whether the moves of nodes are judged.
    #[inline(always)]
    pub(super) fn judges(&self) -> bool {
        self.extras != Extras::NONE
    }

    /// Begins with an empty tree whose root has this key.
    pub(super) fn empty_store(&mut self, key: u64) {
        let memory = self.store.memory();
        let SharedTree { game, root, formula, counting, extras, .. } = self;
        self.store = new_store(&**game, key, root.moves.len(), formula, *counting, *extras);
        self.store.set_memory(memory);
    }

    /// Whether the result with best play is known: there is nothing left to search.
    #[inline(always)]
    pub fn is_proven(&self) -> bool {
        self.proven.load(Ordering::Relaxed)
    }

    /// How the game ends with best play, if that is proven.
    pub fn proof(&self) -> Option<Outcome> {
        let proofs: Vec<u8> = self.store.at(self.store.root()).proofs().collect();
        decide(&proofs, self.root.turn(&*self.game))
    }

    /// Looks whether the root is proven.
    pub(super) fn see_proof(&mut self) {
        self.proven = AtomicBool::new(self.proof().is_some());
    }

    /// Whether the codes of playouts are wanted.
    #[inline(always)]
    pub fn coded(&self) -> bool {
        self.coded
    }

    /// Where a position is, whose hash may be that of others too.
    ///
    /// A node with other moves is another position: look under the next key.
    #[inline(always)]
    pub fn find(&self, state: &G::State, mut key: u64) -> Found {
        loop {
            match self.store.find(key) {
                Place::Free(slot) => return Found::Free(slot, key),
                Place::Block(block) => {
                    match self.store.checked(block, self.game.moves_check(state)) {
                        Some(node) => return Found::Node(node),
                        None => key = mix(key),
                    }
                }
            }
        }
    }

    /// Looks at the AMAF tallies of a node's moves, seen by the player to move.
    #[inline(always)]
    pub(super) fn fill_amaf(
        &self,
        amaf: &mut AmafTallies,
        node: NodeRef,
        reference: NodeRef,
        player: Player,
        codes: &[u16],
    ) {
        if self.coded {
            amaf.fill_losses(self.store.at(node));
        }
        match self.formula {
            Formula::Rave { .. } | Formula::Amaf { .. } => amaf.fill(self.store.at(node)),
            Formula::Grave { .. } => {
                let table = self.store.table(reference).expect("a reference has a table");
                amaf.fill_reference(table, codes, player, self.counting);
            }
            _ => {}
        }
    }

    /// Whether the AMAF tallies of a node with so many visits serve the nodes below (GRAVE).
    #[inline(always)]
    pub(super) fn is_reference(&self, node: NodeRef, visits: u32) -> bool {
        match self.formula {
            Formula::Grave { reference, .. } => {
                visits > reference && self.store.table(node).is_some()
            }
            _ => false,
        }
    }
}

/// A store with a root of so many moves.
fn new_store<G: Game>(
    game: &G,
    key: u64,
    moves: usize,
    formula: &Formula,
    counting: Counting,
    extras: Extras,
) -> SharedStore {
    let amaf = matches!(formula, Formula::Rave { .. } | Formula::Amaf { .. });
    let grave = matches!(formula, Formula::Grave { .. });
    let draws = game.has_draws() || counting == Counting::Estimates;
    let shape = CounterShape {
        under_way: amaf || grave,
        amaf,
        draws,
        counting,
        implicit: extras.implicit > 0.0,
        prior: extras.prior > 0,
    };
    let store = SharedStore::new(key, moves as u16, shape, game.codes());
    if grave {
        store.add_table(store.root());
    }
    store
}
