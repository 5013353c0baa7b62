//! A shared tree with its game: where positions are, and the line of best moves.

use super::super::config::{self, Formula, Update};
use super::super::proofs::{decide, decode, worth};
use super::super::report::order_by;
use super::super::tally::Tally;
use super::at::Shape;
use super::columns::Columns;
use super::slots::Place;
use super::store::{Node, Store};
use super::sync::{AtomicBool, Ordering};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::mix;
use std::sync::Arc;

/// A tree that several [`super::Walker`]s change at once.
pub struct Tree<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    pub(in super::super) root: G::State,
    pub(in super::super) root_moves: Vec<Move>,
    pub(super) root_codes: Vec<u16>,
    pub(in super::super) formula: Formula,
    pub(super) coded: bool,
    pub(super) update: Update,
    pub(in super::super) transpositions: bool,
    pub(in super::super) solving: bool,
    /// Whether the result with best play is known.
    pub(super) proven: AtomicBool,
    /// The nodes.
    pub store: Store,
}

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Here.
    Node(Node),
    /// Nowhere: this slot was free, for this key.
    Free(usize, u64),
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
            coded: !matches!(formula, Formula::Uct(_)),
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

    #[inline(always)]
    pub(in super::super) fn child_key(&self, state: &G::State, parent: Node, mv: Move) -> u64 {
        if self.transpositions {
            self.game.hash(state)
        } else {
            mix(parent.key ^ (u64::from(mv.0) + 1))
        }
    }

    /// Looks at the AMAF tallies of a node's moves, seen by the player to move.
    #[inline(always)]
    pub(super) fn fill_amaf(
        &self,
        columns: &mut Columns,
        node: Node,
        reference: Node,
        player: Player,
        codes: &[u16],
    ) {
        if self.coded {
            columns.fill_losses(self.store.at(node));
        }
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
            let at = self.store.at(node);
            let tallies: Vec<Tally> = (0..at.moves).map(|index| at.tally(index)).collect();
            if tallies.iter().all(|tally| tally.visits == 0) && !line.is_empty() {
                return line;
            }
            let player = self.game.turn(&state);
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
            match self.find(&state, key) {
                Found::Node(child) if !passed.contains(&child) => passed.push(child),
                _ => return line,
            }
        }
    }
}

/// A store with a root of so many moves.
fn new_store<G: Game>(game: &G, key: u64, moves: usize, formula: &Formula) -> Store {
    let amaf = matches!(formula, Formula::Rave { .. } | Formula::Amaf { .. });
    let grave = matches!(formula, Formula::Grave { .. });
    let shape = Shape { under_way: amaf || grave, amaf, draws: game.has_draws() };
    let store = Store::new(key, moves as u16, shape, game.codes());
    if grave {
        store.add_table(store.root());
    }
    store
}
