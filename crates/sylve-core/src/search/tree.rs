//! Tree search: one loop (descend, playout, update) for every formula. Begin with
//! [`TreeSearch::simulate`]; the same algorithm to read is `python/sylve/search/tree.py`.

use super::config::{Formula, Update};
use super::policies::Playouts;
use super::report::{MoveNumbers, order_by};
use super::statistics::{Needs, ROOT, Statistics};
use super::store::NONE;
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::{Rng, mix};

/// A search that goes on where it stopped.
pub struct TreeSearch<G: Game> {
    root: G::State,
    root_moves: Vec<Move>,
    root_codes: Vec<u16>,
    transpositions: bool,
    known: Statistics,
    // What one simulation needs, kept to be used again.
    scratch: Vec<Move>,
    /// The positions of the descent, where codes are wanted.
    states: Vec<G::State>,
    /// The codes of a playout, where their order counts.
    played: Vec<u16>,
}

impl<G: Game> TreeSearch<G> {
    /// A tree of one node. `moves` are the root's, which a game's history may have reduced.
    pub fn new(
        game: &G,
        root: G::State,
        moves: Vec<Move>,
        formula: Formula,
        update: Update,
        transpositions: bool,
    ) -> TreeSearch<G> {
        TreeSearch {
            known: Statistics::new(game, formula, update, game.hash(&root), moves.len() as u16),
            root_codes: moves.iter().map(|&mv| game.code(&root, mv) as u16).collect(),
            root,
            root_moves: moves,
            transpositions,
            scratch: Vec::new(),
            states: Vec::new(),
            played: Vec::new(),
        }
    }

    /// Descends the tree, plays to the end, updates the nodes passed.
    #[inline(always)]
    pub fn simulate<C: Cpu>(&mut self, game: &G, playouts: &mut Playouts, rng: &mut Rng) {
        let coded = self.known.needs() != Needs::NoCodes || playouts.learns();
        let (state, outcome) = self.descend::<C>(game, coded);
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => self.play::<C>(game, state, playouts, rng, coded),
        };
        if coded {
            self.count_codes::<C>(game, outcome);
            if playouts.learns() {
                for &code in self.known.seen.codes() {
                    playouts.learn(usize::from(code), outcome.points(Player::First));
                }
            }
        }
        self.known.count::<C>(outcome);
    }

    /// Follows the formula to a position without a node, or to the end of the game.
    #[inline(always)]
    fn descend<C: Cpu>(&mut self, game: &G, coded: bool) -> (G::State, Option<Outcome>) {
        let mut state = self.root.clone();
        let mut node = ROOT;
        self.known.begin(coded);
        self.states.clear();
        loop {
            self.known.arrive(node);
            if self.known.chooses_by_codes() {
                self.list_codes(game, &state, node);
            }
            let index = self.known.choose::<C>(node, game.turn(&state));
            let mv = if node == ROOT {
                self.root_moves[index]
            } else {
                game.nth_move::<C>(&state, index, &mut self.scratch)
            };
            if coded {
                self.known.set_code(game.code(&state, mv));
                self.states.push(state.clone());
            }
            game.play(&mut state, mv);
            let outcome = game.outcome(&state);
            if outcome.is_some() {
                return (state, outcome);
            }
            let key = self.child_key(game, &state, node, mv);
            let mut child = self.known.store.guess(node, key);
            if child == NONE || !self.is_of(game, child, &state) {
                let (found, key) = self.find(game, &state, key);
                child = found;
                if child == NONE {
                    if self.known.own(node, index).visits == 0 {
                        return (state, None);
                    }
                    let (moves, check) = (game.count_moves(&state), game.moves_check(&state));
                    child = self.known.store.add(key, moves as u16, check);
                }
                self.known.store.set_guess(node, child);
            }
            if self.known.store.node(child).passed {
                // The game has come back to a position of this very descent (Go: a long cycle).
                let outcome = game.adjudicate(&state);
                return (state, Some(outcome));
            }
            node = child;
        }
    }

    /// Plays to the end, with the codes kept in the form that is needed.
    #[inline(always)]
    fn play<C: Cpu>(
        &mut self,
        game: &G,
        state: G::State,
        playouts: &mut Playouts,
        rng: &mut Rng,
        coded: bool,
    ) -> Outcome {
        let TreeSearch { known, played, .. } = self;
        if !coded {
            return playouts.play::<C, _, _>(game, state, rng, &mut ());
        }
        if known.needs() == Needs::CodesInOrder {
            played.clear();
            let outcome = playouts.play::<C, _, _>(game, state, rng, played);
            known.see_in_order(played);
            return outcome;
        }
        playouts.play::<C, _, _>(game, state, rng, &mut known.seen)
    }

    /// Counts the codes of the simulation at every node passed.
    #[inline(always)]
    fn count_codes<C: Cpu>(&mut self, game: &G, outcome: Outcome) {
        let suffixes = self.known.counts_suffixes();
        for depth in (0..self.known.depth()).rev() {
            self.known.see_choice(depth);
            if suffixes {
                self.count_codes_at::<C>(game, depth, outcome);
            }
        }
        if !suffixes {
            for depth in 0..self.known.depth() {
                self.count_codes_at::<C>(game, depth, outcome);
            }
        }
    }

    #[inline(always)]
    fn count_codes_at<C: Cpu>(&mut self, game: &G, depth: usize, outcome: Outcome) {
        let TreeSearch { known, scratch, states, .. } = self;
        match known.needs() {
            Needs::NoCodes => return,
            Needs::Seen => {}
            Needs::Chosen if depth == 0 => known.choose_seen_of_root(&self.root_codes),
            Needs::Chosen => {
                known.chosen.clear();
                game.seen_moves::<C>(&states[depth], known.seen.set(), scratch, &mut known.chosen);
            }
            Needs::CodesInOrder => {
                known.codes.clear();
                let node = if depth == 0 { ROOT } else { NONE };
                let state = states[depth].clone();
                self.list_codes(game, &state, node);
            }
        }
        self.known.count_codes::<C>(depth, outcome);
    }

    /// The node of a position or [`NONE`], and its key.
    ///
    /// A node with other moves is another position with the same hash: look under the next key.
    #[inline(always)]
    fn find(&self, game: &G, state: &G::State, mut key: u64) -> (u32, u64) {
        loop {
            let id = self.known.store.find(key);
            if id == NONE || self.is_of(game, id, state) {
                return (id, key);
            }
            key = mix(key);
        }
    }

    /// Whether a node with the key of a position has its moves too.
    #[inline(always)]
    fn is_of(&self, game: &G, id: u32, state: &G::State) -> bool {
        id == ROOT || self.known.store.node(id).check == game.moves_check(state)
    }

    #[inline(always)]
    fn child_key(&self, game: &G, state: &G::State, node: u32, mv: Move) -> u64 {
        if self.transpositions {
            game.hash(state)
        } else {
            mix(self.known.store.key(node) ^ (u64::from(mv.0) + 1))
        }
    }

    /// Appends the codes of a node's moves.
    #[inline(always)]
    fn list_codes(&mut self, game: &G, state: &G::State, node: u32) {
        if node == ROOT {
            self.known.codes.extend_from_slice(&self.root_codes);
        } else {
            game.move_codes(state, &mut self.scratch, &mut self.known.codes);
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.known.store.nodes()
    }

    /// Choices made in all descents together.
    pub fn steps(&self) -> u64 {
        self.known.steps
    }

    /// The memory of the tree.
    pub fn bytes(&self) -> usize {
        self.known.store.bytes()
    }

    /// What is known of the root's moves.
    pub fn numbers(&self, game: &G) -> Vec<MoveNumbers> {
        self.known.numbers(game.turn(&self.root), &self.root_codes)
    }

    /// The principal variation: at each node the most visited move, then mean, then first.
    pub fn line<C: Cpu>(&mut self, game: &G) -> Vec<Move> {
        let (mut line, mut passed) = (Vec::new(), vec![ROOT]);
        let mut state = self.root.clone();
        let mut node = ROOT;
        loop {
            let moves = usize::from(self.known.store.node(node).moves);
            let tallies: Vec<_> = (0..moves).map(|index| self.known.own(node, index)).collect();
            let visits: Vec<f64> = tallies.iter().map(|tally| f64::from(tally.visits)).collect();
            let index = order_by(&visits, &tallies, None)[0];
            let mv = if node == ROOT {
                self.root_moves[index]
            } else {
                game.nth_move::<C>(&state, index, &mut self.scratch)
            };
            line.push(mv);
            game.play(&mut state, mv);
            if game.outcome(&state).is_some() {
                return line;
            }
            let key = self.child_key(game, &state, node, mv);
            let (child, _) = self.find(game, &state, key);
            if child == NONE || self.known.store.node(child).visits == 0 || passed.contains(&child)
            {
                return line;
            }
            passed.push(child);
            node = child;
        }
    }
}
