//! Tree search: one loop (descend, playout, update) for every formula. Begin with
//! [`TreeSearch::simulate`]; the same algorithm to read is `python/sylve/search/tree.py`.

use super::config::{Formula, Update};
use super::formulas::Parts;
use super::pairs::Pair;
use super::policies::Playouts;
use super::report::{MoveNumbers, order_by};
use super::scores::{AtNode, UseScores};
use super::screen::{Scores, first_maximum};
use super::seen::Seen;
use super::store::{Column, Look, LookColumn, NONE, Store, View};
use super::tally::Tally;
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player};
use crate::rng::{Rng, mix};

const ROOT: u32 = 0;

/// A choice made on the way down: at this node, the move with this index.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: u32,
    index: u16,
    player: Player,
    /// Where the codes of the node's moves begin in [`TreeSearch::codes`].
    codes: u32,
}

/// A search that goes on where it stopped.
pub struct TreeSearch<G: Game> {
    root: G::State,
    root_moves: Vec<Move>,
    formula: Formula,
    update: Update,
    transpositions: bool,
    store: Store,
    /// Choices made in all descents together.
    steps: u64,
    // What one simulation needs, kept to be used again.
    path: Vec<Step>,
    /// The codes of all moves of every node of the path, one node after the other.
    codes: Vec<u16>,
    seen: Seen,
    scratch: Vec<Move>,
    room: Vec<f32>,
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
        let bands = match &formula {
            Formula::Uct(_) | Formula::Grave { .. } => 0,
            Formula::Amaf { .. } | Formula::Rave { .. } => 1,
            Formula::MultiScale { limits, .. } => 1 + limits.len(),
        };
        let codes = game.codes();
        let mut store = Store::new(bands, game.has_draws(), codes);
        store.add(game.hash(&root), moves.len() as u16, 0);
        if matches!(formula, Formula::Grave { .. }) {
            store.add_table(ROOT);
        }
        TreeSearch {
            root,
            root_moves: moves,
            formula,
            update,
            transpositions,
            store,
            steps: 0,
            path: Vec::new(),
            codes: Vec::new(),
            seen: Seen::new(codes),
            scratch: Vec::new(),
            room: Vec::new(),
        }
    }

    /// Descends the tree, plays to the end, updates the nodes passed.
    #[inline(always)]
    pub fn simulate<C: Cpu>(&mut self, game: &G, playouts: &mut Playouts, rng: &mut Rng) {
        let wanted = self.wants_codes() || playouts.learns();
        let (state, outcome) = self.descend::<C>(game, wanted);
        let outcome = if wanted {
            self.seen.clear(self.path.len());
            let outcome = outcome
                .unwrap_or_else(|| playouts.play::<C, _, _>(game, state, rng, &mut self.seen));
            self.update_amaf(outcome, playouts);
            outcome
        } else {
            outcome.unwrap_or_else(|| playouts.play::<C, _, _>(game, state, rng, &mut ()))
        };
        self.steps += self.path.len() as u64;
        for step in &self.path {
            self.store.prepare(step.node);
            self.store.count(step.node, usize::from(step.index), outcome.points(step.player));
        }
    }

    fn wants_codes(&self) -> bool {
        !matches!(self.formula, Formula::Uct(_))
    }

    /// Follows the formula to a position without a node, or to the end of the game.
    #[inline(always)]
    fn descend<C: Cpu>(&mut self, game: &G, wanted: bool) -> (G::State, Option<Outcome>) {
        let mut state = self.root.clone();
        let (mut node, mut reference) = (ROOT, ROOT);
        self.path.clear();
        self.codes.clear();
        loop {
            if let Formula::Grave { reference: more, .. } = self.formula
                && self.store.node(node).visits > more
            {
                reference = node;
            }
            let codes = self.codes.len();
            if wanted {
                self.list_codes(game, &state, node);
            }
            let player = game.turn(&state);
            let index = self.select(game, node, reference, player, codes);
            let mv = if node == ROOT {
                self.root_moves[index]
            } else {
                game.nth_move::<C>(&state, index, &mut self.scratch)
            };
            self.store.pass(node);
            self.path.push(Step { node, index: index as u16, player, codes: codes as u32 });
            game.play(&mut state, mv);
            let outcome = game.outcome(&state);
            if outcome.is_some() {
                return (state, outcome);
            }
            let key = self.child_key(game, &state, node, mv);
            let moves = game.count_moves(&state) as u16;
            let (mut child, key) = self.store.find(key, moves, || game.moves_check(&state));
            if child == NONE {
                if self.store.look(node, Own(index)).visits == 0 {
                    return (state, None);
                }
                child = self.store.add(key, moves, game.moves_check(&state));
            } else if self.store.node(child).passed {
                // The game has come back to a position of this very descent (Go: a long cycle).
                let outcome = game.adjudicate(&state);
                return (state, Some(outcome));
            }
            node = child;
        }
    }

    #[inline(always)]
    fn child_key(&self, game: &G, state: &G::State, node: u32, mv: Move) -> u64 {
        if self.transpositions {
            game.hash(state)
        } else {
            mix(self.store.key(node) ^ (u64::from(mv.0) + 1))
        }
    }

    /// Appends the codes of a node's moves.
    #[inline(always)]
    fn list_codes(&mut self, game: &G, state: &G::State, node: u32) {
        if node == ROOT {
            for &mv in &self.root_moves {
                self.codes.push(game.code(state, mv) as u16);
            }
        } else {
            game.move_codes(state, &mut self.scratch, &mut self.codes);
        }
    }

    /// The index of the first move with the largest score.
    #[inline(always)]
    fn select(
        &mut self,
        game: &G,
        node: u32,
        reference: u32,
        player: Player,
        codes: usize,
    ) -> usize {
        let TreeSearch { formula, store, room, codes: all, .. } = self;
        let total = store.node(node).visits;
        if matches!(formula, Formula::Uct(_)) && total < u32::from(store.node(node).moves) {
            // Unvisited moves come first, in order: the tried ones are those before `total`.
            return total as usize;
        }
        let codes = &all[codes..];
        AtNode { game, formula, store, node, reference, player, codes }.scores(Select(room))
    }

    /// Counts the codes of the simulation at every node passed.
    #[inline(always)]
    fn update_amaf(&mut self, outcome: Outcome, playouts: &mut Playouts) {
        let first_points = outcome.points(Player::First);
        let amaf = self.wants_codes();
        for depth in (0..self.path.len()).rev() {
            let step = self.path[depth];
            let code = self.codes[step.codes as usize + usize::from(step.index)];
            self.seen.add_before(code, depth);
            if amaf && self.update == Update::Suffix {
                self.update_node(depth, outcome, first_points);
            }
        }
        if amaf && self.update == Update::Course {
            for depth in 0..self.path.len() {
                self.update_node(depth, outcome, first_points);
            }
        }
        if playouts.learns() {
            for &code in self.seen.codes() {
                playouts.learn(usize::from(code), first_points);
            }
        }
    }

    #[inline(always)]
    fn update_node(&mut self, depth: usize, outcome: Outcome, first_points: u32) {
        let TreeSearch { formula, store, seen, codes, path, .. } = self;
        let step = path[depth];
        store.prepare(step.node);
        if let Formula::Grave { reference, .. } = formula {
            if !store.has_table(step.node) {
                if store.node(step.node).visits < *reference / 2 {
                    return;
                }
                store.add_table(step.node);
            }
            store.count_codes(step.node, seen.codes(), first_points);
            return;
        }
        let points = outcome.points(step.player);
        let codes = &codes[step.codes as usize..];
        if let Formula::MultiScale { limits, .. } = formula {
            let moves = usize::from(store.node(step.node).moves);
            for (index, &code) in codes[..moves].iter().enumerate() {
                if seen.has(code) {
                    let distance = seen.distance(code, depth);
                    let band = limits.iter().filter(|&&limit| distance >= limit as usize).count();
                    store.count_amaf(step.node, band, index, points);
                }
            }
        } else {
            store.count_seen(step.node, codes, points, |code| seen.has(code));
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.store.nodes()
    }

    /// Choices made in all descents together.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The memory of the tree.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// What is known of the root's moves.
    pub fn numbers(&mut self, game: &G) -> Vec<MoveNumbers> {
        self.codes.clear();
        let root = self.root.clone();
        self.list_codes(game, &root, ROOT);
        let player = game.turn(&root);
        let TreeSearch { formula, store, codes, .. } = &*self;
        let at = AtNode { game, formula, store, node: ROOT, reference: ROOT, player, codes };
        let parts = at.scores(AllParts);
        let bands = match &self.formula {
            Formula::MultiScale { limits, .. } => 1 + limits.len(),
            _ => 1,
        };
        (0..self.root_moves.len())
            .map(|index| {
                let own = self.store.look(ROOT, Own(index));
                let amaf = match &self.formula {
                    Formula::Uct(_) => None,
                    Formula::Grave { .. } => {
                        let code = usize::from(self.codes[index]);
                        let tally = self.store.look_table(ROOT, OfCode(code));
                        Some(if player == Player::First { tally } else { tally.of_second() })
                    }
                    _ => Some(self.store.look(ROOT, AllBands(index, bands))),
                };
                MoveNumbers { own, amaf, parts: parts[index], mean: None }
            })
            .collect()
    }

    /// The principal variation: at each node the most visited move, then mean, then first.
    pub fn line<C: Cpu>(&mut self, game: &G) -> Vec<Move> {
        let (mut line, mut passed) = (Vec::new(), vec![ROOT]);
        let mut state = self.root.clone();
        let mut node = ROOT;
        loop {
            let moves = usize::from(self.store.node(node).moves);
            let tallies: Vec<Tally> =
                (0..moves).map(|index| self.store.look(node, Own(index))).collect();
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
            let moves = game.count_moves(&state) as u16;
            let (child, _) = self.store.find(key, moves, || game.moves_check(&state));
            if child == NONE || self.store.node(child).visits == 0 || passed.contains(&child) {
                return line;
            }
            passed.push(child);
            node = child;
        }
    }
}

struct Select<'a>(&'a mut Vec<f32>);

impl UseScores for Select<'_> {
    type Output = usize;
    #[inline(always)]
    fn with<S: Scores>(self, scores: &S) -> usize {
        first_maximum(scores, self.0)
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

struct OfCode(usize);

impl LookColumn for OfCode {
    type Output = Tally;
    fn look<P: Pair>(self, column: Column<'_, P>) -> Tally {
        column.tally(self.0)
    }
}
