//! Tree search: one loop (descend, playout, update) for every formula. Begin with
//! [`TreeSearch::simulate`]; the same algorithm to read is `python/sylve/search/tree.py`.

use super::config::{Formula, Rule, Schedule, Update};
use super::formulas::{Parts, amaf_parts, multi_scale_parts, squared_bias};
use super::policies::Playouts;
use super::report::{MoveNumbers, order_by};
use super::store::{Counter, Look, NONE, Store, View};
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
    codes: usize,
}

/// A search that goes on where it stopped.
pub struct TreeSearch<G: Game> {
    root: G::State,
    root_moves: Vec<Move>,
    formula: Formula,
    update: Update,
    transpositions: bool,
    store: Store,
    // What one simulation needs, kept to be used again.
    path: Vec<Step>,
    /// The codes of all moves of every node of the path, one node after the other.
    codes: Vec<u16>,
    /// The codes played, from the root on.
    played: Vec<u16>,
    seen: Seen,
    scratch: Vec<Move>,
}

/// The codes of a simulation, and when each came first.
struct Seen {
    bits: Vec<u64>,
    first: Vec<u16>,
}

impl Seen {
    #[inline(always)]
    fn add(&mut self, code: u16, ply: usize) {
        self.bits[usize::from(code) / 64] |= 1 << (code % 64);
        self.first[usize::from(code)] = ply as u16;
    }

    #[inline(always)]
    fn has(&self, code: u16) -> bool {
        self.bits[usize::from(code) / 64] >> (code % 64) & 1 == 1
    }

    fn each(&self, mut visit: impl FnMut(usize)) {
        for (number, &word) in self.bits.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(64 * number + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
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
            path: Vec::new(),
            codes: Vec::new(),
            played: Vec::new(),
            seen: Seen { bits: vec![0; codes.div_ceil(64)], first: vec![0; codes] },
            scratch: Vec::new(),
        }
    }

    /// Descends the tree, plays to the end, updates the nodes passed.
    #[inline(always)]
    pub fn simulate<C: Cpu>(&mut self, game: &G, playouts: &mut Playouts, rng: &mut Rng) {
        let (state, outcome) = self.descend::<C>(game, playouts);
        let wanted = self.wants_codes() || playouts.learns();
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => playouts.play::<C, G>(game, state, rng, wanted.then_some(&mut self.played)),
        };
        if wanted {
            self.update_amaf(game, outcome, playouts);
        }
        for step in &self.path {
            self.store.count(step.node, usize::from(step.index), outcome.points(step.player));
        }
    }

    fn wants_codes(&self) -> bool {
        !matches!(self.formula, Formula::Uct(_))
    }

    /// Follows the formula to a position without a node, or to the end of the game.
    #[inline(always)]
    fn descend<C: Cpu>(&mut self, game: &G, playouts: &Playouts) -> (G::State, Option<Outcome>) {
        let wanted = self.wants_codes() || playouts.learns();
        let mut state = self.root.clone();
        let (mut node, mut reference) = (ROOT, ROOT);
        self.path.clear();
        self.codes.clear();
        self.played.clear();
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
            if wanted {
                self.played.push(self.codes[codes + index]);
            }
            self.path.push(Step { node, index: index as u16, player, codes });
            game.play(&mut state, mv);
            let outcome = game.outcome(&state);
            if outcome.is_some() {
                return (state, outcome);
            }
            let key = self.child_key(game, &state, node, mv);
            let moves = game.count_moves(&state) as u16;
            let (mut child, key) = self.store.find(key, moves, || game.moves_check(&state));
            if child == NONE {
                if self.visits(node, index) == 0 {
                    return (state, None);
                }
                child = self.store.add(key, moves, game.moves_check(&state));
            } else if self.path.iter().any(|step| step.node == child) {
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

    #[inline(always)]
    fn visits(&self, node: u32, index: usize) -> u32 {
        struct Visits(usize);
        impl Look for Visits {
            type Output = u32;
            #[inline(always)]
            fn look<T: Counter>(self, view: View<'_, T>) -> u32 {
                view.own(self.0).visits
            }
        }
        self.store.look(node, Visits(index))
    }

    /// The index of the first move with the largest score.
    #[inline(always)]
    fn select(&self, game: &G, node: u32, reference: u32, player: Player, codes: usize) -> usize {
        let total = self.store.node(node).visits;
        let moves = usize::from(self.store.node(node).moves);
        if matches!(self.formula, Formula::Uct(_)) && (total as usize) < moves {
            // Unvisited moves come first, in order: the tried ones are those before `total`.
            return total as usize;
        }
        let mut best = Best::default();
        self.each_part(game, node, reference, player, codes, &mut |parts| {
            best.offer(parts.score())
        });
        best.index
    }

    /// Goes through the parts of the score of every move of a node.
    #[inline(always)]
    fn each_part(
        &self,
        game: &G,
        node: u32,
        reference: u32,
        player: Player,
        codes: usize,
        visit: &mut impl FnMut(Parts),
    ) {
        let total = self.store.node(node).visits;
        match &self.formula {
            Formula::Uct(rule) => self.store.look(node, UctParts { rule: *rule, total, visit }),
            Formula::Amaf { alpha, c } => {
                self.store.look(node, AmafParts { alpha: *alpha, c: *c, total, visit });
            }
            Formula::Rave { schedule, c } => {
                self.store.look(node, RaveParts { schedule: *schedule, c: *c, total, visit });
            }
            Formula::Grave { schedule, c, .. } => {
                let amaf = |index: usize| {
                    let tally =
                        self.store.code_tally(reference, usize::from(self.codes[codes + index]));
                    if player == Player::First { tally } else { tally.of_second() }
                };
                let look = GraveParts { schedule: *schedule, c: *c, total, amaf, visit };
                self.store.look(node, look);
            }
            Formula::MultiScale { by_kind, c, limits } => {
                let bands = 1 + limits.len();
                let kind = |index: usize| game.kind(usize::from(self.codes[codes + index]));
                let kinds = by_kind.then(|| game.kinds());
                let look = MultiScaleParts { c: *c, total, bands, kind, kinds, visit };
                self.store.look(node, look);
            }
        }
    }

    /// Counts the codes of the simulation at every node passed.
    #[inline(always)]
    fn update_amaf(&mut self, game: &G, outcome: Outcome, playouts: &mut Playouts) {
        let first_points = outcome.points(Player::First);
        let depth = self.path.len();
        self.seen.bits.fill(0);
        let amaf = self.wants_codes();
        for ply in (0..self.played.len()).rev() {
            self.seen.add(self.played[ply], ply);
            if amaf && ply < depth && self.update == Update::Suffix {
                self.update_node(game, ply, outcome, first_points);
            }
        }
        if amaf && self.update == Update::Course {
            for ply in 0..depth {
                self.update_node(game, ply, outcome, first_points);
            }
        }
        if playouts.learns() {
            self.seen.each(|code| playouts.learn(code, first_points));
        }
    }

    #[inline(always)]
    fn update_node(&mut self, _game: &G, depth: usize, outcome: Outcome, first_points: u32) {
        let step = self.path[depth];
        if let Formula::Grave { reference, .. } = self.formula {
            if !self.store.has_table(step.node) {
                if self.store.node(step.node).visits < reference / 2 {
                    return;
                }
                self.store.add_table(step.node);
            }
            let store = &mut self.store;
            self.seen.each(|code| store.count_code(step.node, code, first_points));
            return;
        }
        let points = outcome.points(step.player);
        for index in 0..usize::from(self.store.node(step.node).moves) {
            let code = self.codes[step.codes + index];
            if self.seen.has(code) {
                let band = match &self.formula {
                    Formula::MultiScale { limits, .. } => {
                        let distance =
                            usize::from(self.seen.first[usize::from(code)]).abs_diff(depth);
                        limits.iter().filter(|&&limit| distance >= limit as usize).count()
                    }
                    _ => 0,
                };
                self.store.count_amaf(step.node, band, index, points);
            }
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.store.nodes()
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
        let mut parts = Vec::new();
        self.each_part(game, ROOT, ROOT, player, 0, &mut |part| parts.push(part));
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
                        let tally = self.store.code_tally(ROOT, usize::from(self.codes[index]));
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

/// The first maximum so far.
struct Best {
    index: usize,
    score: f64,
    next: usize,
}

impl Default for Best {
    fn default() -> Best {
        Best { index: 0, score: f64::NEG_INFINITY, next: 0 }
    }
}

impl Best {
    #[inline(always)]
    fn offer(&mut self, score: f64) {
        if score > self.score {
            (self.index, self.score) = (self.next, score);
        }
        self.next += 1;
    }
}

struct Own(usize);

impl Look for Own {
    type Output = Tally;
    fn look<T: Counter>(self, view: View<'_, T>) -> Tally {
        view.own(self.0)
    }
}

struct AllBands(usize, usize);

impl Look for AllBands {
    type Output = Tally;
    fn look<T: Counter>(self, view: View<'_, T>) -> Tally {
        (0..self.1).fold(Tally::default(), |sum, band| sum.plus(view.amaf(band, self.0)))
    }
}

struct UctParts<'a, F> {
    rule: Rule,
    total: u32,
    visit: &'a mut F,
}

impl<F: FnMut(Parts)> Look for UctParts<'_, F> {
    type Output = ();
    #[inline(always)]
    fn look<T: Counter>(self, view: View<'_, T>) {
        for index in 0..view.moves() {
            (self.visit)(self.rule.parts(self.total, view.own(index)));
        }
    }
}

struct AmafParts<'a, F> {
    alpha: f64,
    c: f64,
    total: u32,
    visit: &'a mut F,
}

impl<F: FnMut(Parts)> Look for AmafParts<'_, F> {
    type Output = ();
    #[inline(always)]
    fn look<T: Counter>(self, view: View<'_, T>) {
        for index in 0..view.moves() {
            let (own, amaf) = (view.own(index), view.amaf(0, index));
            (self.visit)(amaf_parts(self.alpha, self.c, self.total, own, amaf));
        }
    }
}

struct RaveParts<'a, F> {
    schedule: Schedule,
    c: f64,
    total: u32,
    visit: &'a mut F,
}

impl<F: FnMut(Parts)> Look for RaveParts<'_, F> {
    type Output = ();
    #[inline(always)]
    fn look<T: Counter>(self, view: View<'_, T>) {
        for index in 0..view.moves() {
            let (own, amaf) = (view.own(index), view.amaf(0, index));
            (self.visit)(self.schedule.parts(self.c, self.total, own, amaf));
        }
    }
}

struct GraveParts<'a, A, F> {
    schedule: Schedule,
    c: f64,
    total: u32,
    amaf: A,
    visit: &'a mut F,
}

impl<A: Fn(usize) -> Tally, F: FnMut(Parts)> Look for GraveParts<'_, A, F> {
    type Output = ();
    #[inline(always)]
    fn look<T: Counter>(self, view: View<'_, T>) {
        for index in 0..view.moves() {
            let (own, amaf) = (view.own(index), (self.amaf)(index));
            (self.visit)(self.schedule.parts(self.c, self.total, own, amaf));
        }
    }
}

struct MultiScaleParts<'a, K, F> {
    c: f64,
    total: u32,
    bands: usize,
    kind: K,
    /// The number of kinds, if the bias is measured by kind.
    kinds: Option<usize>,
    visit: &'a mut F,
}

impl<K: Fn(usize) -> usize, F: FnMut(Parts)> Look for MultiScaleParts<'_, K, F> {
    type Output = ();
    fn look<T: Counter>(self, view: View<'_, T>) {
        let bias: Option<Vec<f64>> = self.kinds.map(|kinds| {
            let mut sums = vec![(Tally::default(), Tally::default()); kinds];
            for index in 0..view.moves() {
                let sum = &mut sums[(self.kind)(index)];
                *sum = (sum.0.plus(view.own(index)), sum.1.plus(view.amaf(0, index)));
            }
            sums.into_iter().map(|(own, amaf)| squared_bias(own, amaf)).collect()
        });
        let mut amaf = Vec::with_capacity(self.bands);
        for index in 0..view.moves() {
            amaf.clear();
            amaf.extend((0..self.bands).map(|band| view.amaf(band, index)));
            let bias = bias.as_ref().map(|by_kind| by_kind[(self.kind)(index)]);
            (self.visit)(multi_scale_parts(self.c, self.total, view.own(index), &amaf, bias));
        }
    }
}
