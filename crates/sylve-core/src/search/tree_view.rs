//! A tree as its readers see it, whether one thread changes it or several. What is not hot is written
//! once, here and in `saved.rs`. No thread may change the tree meanwhile.

use super::bytes::Damaged;
use super::proofs::{decode, worth};
use super::record::{NodeRecord, RecordShape};
use super::report::{Inside, MoveNumbers, Numbers, order_by};
use super::root::Root;
use super::tally::Tally;
use crate::cpu;
use crate::game::{Game, Move, Outcome, Player};

/// The nodes of a tree, to be read, and to be made anew from records.
pub trait TreeView<G: Game> {
    /// Names a node.
    type Node: Copy + Eq;

    /// The position that is searched.
    fn root(&self) -> &Root<G>;
    /// Its node.
    fn root_node(&self) -> Self::Node;
    /// The number of nodes.
    fn nodes(&self) -> usize;
    /// The memory of the tree.
    fn bytes(&self) -> usize;
    /// The bytes in use, if there is a bound of the memory.
    fn bound(&self) -> Option<usize>;
    /// Whether the memory did not suffice for the whole tree.
    fn is_full(&self) -> bool;

    /// Numbers a node: no other one has the same, and few nodes have small numbers.
    fn number(&self, node: Self::Node) -> usize;
    /// The key of a node.
    fn key(&self, node: Self::Node) -> u64;
    /// The number of its moves.
    fn moves(&self, node: Self::Node) -> usize;
    /// The node of a position, or the key under which there is none.
    fn find(&self, game: &G, state: &G::State, key: u64) -> Result<Self::Node, u64>;
    /// The tally of a move.
    fn tally(&self, node: Self::Node, index: usize) -> Tally;
    /// What is proven of each move; 0 where nothing is.
    fn proofs(&self, node: Self::Node) -> Vec<u8>;
    /// Everything that a node counts, but not its children.
    fn record(&self, node: Self::Node) -> NodeRecord;
    /// Whether the AMAF tallies of a node serve the nodes below (GRAVE).
    fn serves_as_reference(&self, node: Self::Node) -> bool;
    /// What is known of the moves of a node, which have these codes.
    fn move_numbers(
        &self,
        node: Self::Node,
        reference: Self::Node,
        player: Player,
        codes: &[u16],
    ) -> Vec<MoveNumbers>;

    /// What its records have in common.
    fn shape(&self, game: &G) -> RecordShape;
    /// Makes another position the root, of an empty tree. The root's record follows, see
    /// [`TreeView::fill`].
    fn restart(&mut self, game: &G, state: G::State, moves: Vec<Move>, key: u64);
    /// Keeps these nodes only, each with its position; the first becomes the root, with these moves.
    fn keep(&mut self, game: &G, moves: Vec<Move>, nodes: &[(Self::Node, G::State)]);
    /// Makes room for so many nodes.
    fn make_room_for(&mut self, _nodes: usize) {}
    /// Adds the node of a position under a key that was found free.
    fn add(&mut self, game: &G, state: &G::State, key: u64) -> Result<Self::Node, Damaged>;
    /// Writes a record into a node that has counted nothing; `player` is to move there.
    fn fill(
        &mut self,
        node: Self::Node,
        player: Player,
        record: &NodeRecord,
    ) -> Result<(), Damaged>;
    /// Judges the moves of a node that was filled, as far as its record does not say.
    fn judge(&mut self, _: &G, _: Self::Node, _: &G::State, _: &NodeRecord) {}
    /// Whether some move shows how the game ends, if that is known: else the solver has said so.
    fn shows_proof(&self, _: Self::Node, _: Player) -> bool {
        true
    }
    /// Whether the tree is within its bound.
    fn fits(&self) -> bool {
        true
    }
    /// All records are there.
    fn finish(&mut self);
    /// Says whether the bound was met.
    fn set_full(&mut self, full: bool);
    /// Counts as much memory as the same tree took before it was saved.
    fn set_used(&mut self, _used: usize) {}

    /// The visits of a node.
    fn visits(&self, node: Self::Node) -> u32 {
        (0..self.moves(node)).map(|index| self.tally(node, index).visits).sum()
    }

    /// The move of a node with this index.
    fn move_at(
        &self,
        game: &G,
        node: Self::Node,
        state: &G::State,
        index: usize,
        scratch: &mut Vec<Move>,
    ) -> Move {
        let is_root = node == self.root_node();
        self.root().move_at::<cpu::Portable>(game, is_root, state, index, scratch)
    }

    /// How the game ends after each move of a node, where that is proven.
    fn outcomes(&self, node: Self::Node) -> Vec<Option<Outcome>> {
        self.proofs(node).into_iter().map(decode).collect()
    }

    /// The indices of the moves of a node, best first.
    fn order(&self, node: Self::Node, player: Player) -> Vec<usize> {
        let tallies: Vec<Tally> =
            (0..self.moves(node)).map(|index| self.tally(node, index)).collect();
        let both = self.outcomes(node).into_iter().zip(&tallies);
        let worths: Vec<f64> =
            both.map(|(proof, tally)| worth(proof, player, tally.visits)).collect();
        order_by(&worths, &tallies, None)
    }

    /// The principal variation: at each node the best move.
    fn line(&self, game: &G) -> Vec<Move> {
        let (mut line, mut passed) = (Vec::new(), vec![self.root_node()]);
        let (mut state, mut scratch) = (self.root().state.clone(), Vec::new());
        loop {
            let node = passed[passed.len() - 1];
            let index = self.order(node, game.turn(&state))[0];
            let mv = self.move_at(game, node, &state, index, &mut scratch);
            line.push(mv);
            game.play(&mut state, mv);
            if game.outcome(&state).is_some() {
                return line;
            }
            let key = self.root().child_key(game, &state, self.key(node), mv);
            match self.find(game, &state, key) {
                Ok(child) if self.visits(child) > 0 && !passed.contains(&child) => {
                    passed.push(child);
                }
                _ => return line,
            }
        }
    }

    /// What is known of the position after these moves, if it has a node.
    fn inside(&self, game: &G, path: &[Move]) -> Option<Inside> {
        let (mut node, mut reference) = (self.root_node(), self.root_node());
        let (mut state, mut scratch) = (self.root().state.clone(), Vec::new());
        let mut list = |node, state: &G::State| -> Vec<Move> {
            let indices = 0..self.moves(node);
            indices.map(|index| self.move_at(game, node, state, index, &mut scratch)).collect()
        };
        for &mv in path {
            if !list(node, &state).contains(&mv) {
                return None;
            }
            game.play(&mut state, mv);
            game.outcome(&state).is_none().then_some(())?;
            let key = self.root().child_key(game, &state, self.key(node), mv);
            node = self.find(game, &state, key).ok()?;
            if self.serves_as_reference(node) {
                reference = node;
            }
        }
        let moves = list(node, &state);
        let codes: Vec<u16> = moves.iter().map(|&mv| game.code(&state, mv) as u16).collect();
        let numbers = self.move_numbers(node, reference, game.turn(&state), &codes);
        let all = moves.into_iter().zip(numbers).zip(self.outcomes(node));
        Some(Inside {
            moves: all.map(|((mv, numbers), proof)| (mv, numbers, proof)).collect(),
            visits: self.visits(node),
        })
    }

    /// What is known of the root, after so many simulations and choices.
    fn numbers(&self, game: &G, simulations: u64, steps: u64) -> Numbers {
        let (node, player) = (self.root_node(), self.root().turn(game));
        Numbers {
            moves: self.move_numbers(node, node, player, &self.root().codes),
            proofs: self.outcomes(node),
            order: self.order(node, player),
            line: self.line(game),
            simulations,
            nodes: self.nodes(),
            bytes: self.bytes(),
            full: self.is_full(),
            steps,
        }
    }
}
