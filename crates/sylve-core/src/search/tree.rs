//! Tree search: one loop (descend, playout, update) for every formula. Begin with
//! [`TreeSearch::simulate`]; the same algorithm to read is `python/sylve/search/reference/tree.py`.

use super::config::TreeConfig;
use super::descent::{End, MOST_WAITING, Waiting};
use super::judge_node::{JudgeNode, Judging, JudgingRoom};
use super::node::NONE;
use super::policies::Playouts;
use super::root::Root;
use super::scores::Extras;
use super::statistics::{Needs, ROOT, Statistics};
use super::sync::Mutex;
use super::units::Units;
use super::visited_codes::VisitedCodes;
use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Outcome};
use crate::rng::{Rng, mix};
use crate::solve::Decide;

/// A search that goes on where it stopped.
pub struct TreeSearch<G: Game> {
    pub(super) root: Root<G>,
    /// Decides new nodes, and nodes that are visited often.
    pub(super) decider: Option<Box<dyn Decide<G>>>,
    /// In so many nodes of its own, or so many for each visit.
    solver_nodes: u64,
    solver_rate: u64,
    /// At which visit a position gets its node.
    expand: u32,
    /// See `batch.rs`.
    pub(super) batch: usize,
    pub(super) threads: usize,
    pub(super) waiting: Vec<Mutex<Waiting<G>>>,
    /// How many of them wait: descents of a batch that is not at its end.
    pub(super) sent: usize,
    /// The number of nodes when it began.
    pub(super) nodes_before: usize,
    pub(super) known: Statistics,
    // What one simulation needs, kept to be used again.
    scratch: Vec<Move>,
    /// The positions of the descent, where codes are wanted.
    pub(super) states: Vec<G::State>,
    /// The codes of a playout, where their order counts.
    played: Vec<u16>,
    /// By what moves are judged, where a node has values for them.
    judging: Judging,
    judging_room: JudgingRoom,
}

impl<G: Evaluate> TreeSearch<G> {
    /// A tree of one node. `moves` are the root's, which a game's history may have reduced.
    pub fn new(game: &G, root: G::State, moves: Vec<Move>, how: TreeConfig) -> TreeSearch<G> {
        let root = Root::new(game, root, moves, &how);
        let node = (game.hash(&root.state), root.moves.len() as u16, root.check(game));
        let known = Statistics::new(game, &how, node);
        let judging = Judging::new(&how);
        let TreeConfig { batch, threads, .. } = how;
        let mut tree = TreeSearch {
            known,
            judging,
            judging_room: JudgingRoom::default(),
            root,
            decider: None,
            solver_nodes: how.solver_nodes,
            solver_rate: how.solver_rate,
            expand: how.expand,
            batch: batch.min(MOST_WAITING),
            threads,
            waiting: Vec::new(),
            sent: 0,
            nodes_before: 0,
            scratch: Vec::new(),
            states: Vec::new(),
            played: Vec::new(),
        };
        tree.judge_root(game);
        tree
    }

    /// Descends the tree, plays to the end, updates the nodes passed.
    #[inline(always)]
    pub fn simulate<C: Cpu>(&mut self, game: &G, playouts: &mut Playouts, rng: &mut Rng) {
        let coded = self.is_coded(playouts);
        let (state, end) = self.descend::<C>(game, coded);
        let result = match end {
            End::Open => {
                let TreeSearch { known, played, .. } = self;
                let needs = known.needs();
                let depth = known.depth();
                play::<C, G>(
                    game,
                    state,
                    playouts,
                    rng,
                    coded,
                    needs,
                    depth,
                    &mut known.seen,
                    played,
                )
            }
            End::Certain(outcome) | End::Cycle(outcome) => outcome.into(),
        };
        self.update::<C>(game, playouts, result, end, coded);
    }

    /// What the formula needs to count codes.
    pub fn needs(&self) -> Needs {
        self.known.needs()
    }

    /// Whether the codes of a simulation are wanted.
    #[inline(always)]
    pub fn is_coded(&self, playouts: &Playouts) -> bool {
        self.known.needs() != Needs::NoCodes || playouts.learns()
    }

    /// Updates the nodes passed.
    #[inline(always)]
    pub(super) fn update<C: Cpu>(
        &mut self,
        game: &G,
        playouts: &mut Playouts,
        result: Units,
        end: End,
        coded: bool,
    ) {
        if coded {
            self.count_codes::<C>(game, result);
            if playouts.learns() {
                playouts.learn(self.known.seen.codes(), result);
            }
        }
        self.known.count(result);
        if self.known.has_implicit() {
            self.known.raise_values(end.certain());
        }
        if self.root.solving
            && let Some(outcome) = end.certain()
        {
            self.known.prove(outcome);
        }
    }

    /// Follows the formula to a position without a node, a proof, or the end of the game.
    #[inline(always)]
    pub(super) fn descend<C: Cpu>(&mut self, game: &G, coded: bool) -> (G::State, End) {
        let mut state = self.root.state.clone();
        let mut node = ROOT;
        let mut fresh = false; // whether this descent has made the node
        self.known.begin(coded);
        self.states.clear();
        loop {
            self.known.arrive(node);
            if self.known.chooses_by_codes() {
                self.list_codes(game, &state, node);
            }
            let index = self.known.choose::<C>(node, game.turn(&state));
            let TreeSearch { root, scratch, .. } = self;
            let mv = root.move_at::<C>(game, node == ROOT, &state, index, scratch);
            if coded {
                self.known.set_code(game.code(&state, mv));
                self.states.push(state.clone());
            }
            game.play(&mut state, mv);
            if let Some(outcome) = game.outcome(&state) {
                return (state, End::Certain(outcome));
            }
            let key = self.root.child_key(game, &state, self.known.store.key(node), mv);
            let mut made = false;
            let mut child = self.known.store.guess(node, key);
            if child == NONE || !self.is_of(game, child, &state) {
                let (found, key) = self.find(game, &state, key);
                child = found;
                if child == NONE {
                    let moves = game.count_moves(&state) as u16;
                    let cost = self.known.store.cost(moves);
                    let early = self.known.store.own(node, index).visits + 1 < self.expand;
                    if fresh || early || !self.known.has_room(cost) {
                        return (state, End::Open);
                    }
                    made = true;
                    child = self.known.store.add(key, moves, game.moves_check(&state));
                    if self.judges() {
                        C::call(self.judge_node(game, &state, child));
                    }
                    if self.solver_nodes > 0 {
                        self.decide(game, &state, child, self.solver_nodes);
                    }
                }
                self.known.store.set_guess(node, child);
            }
            if self.solver_rate > 0 {
                let visits = self.known.store.node(child).visits;
                if is_fourfold(visits) {
                    self.decide(game, &state, child, self.solver_rate * u64::from(visits));
                }
            }
            let place = self.known.store.node(child);
            if !place.is_plain() {
                if place.passed() {
                    // The game has come back to a position of this very descent (Go: a long cycle).
                    let outcome = game.adjudicate(&state);
                    return (state, End::Cycle(outcome));
                }
                if let Some(outcome) = place.proof() {
                    return (state, End::Certain(outcome));
                }
            }
            (node, fresh) = (child, made);
        }
    }

    /// Whether the moves of nodes are judged.
    #[inline(always)]
    fn judges(&self) -> bool {
        self.known.extras != Extras::NONE
    }

    /// Judges the moves of the root.
    pub(super) fn judge_root(&mut self, game: &G) {
        let state = self.root.state.clone();
        self.judge(game, &state, ROOT);
    }

    /// Judges the moves of a node, as far as it wants values.
    pub(super) fn judge(&mut self, game: &G, state: &G::State, node: u32) {
        if self.judges() {
            cpu::run(self.judge_node(game, state, node));
        }
    }

    #[inline(always)]
    fn judge_node<'a>(
        &'a mut self,
        game: &'a G,
        state: &'a G::State,
        node: u32,
    ) -> impl Work<Output = ()> {
        let TreeSearch { root, known, judging, judging_room: room, .. } = self;
        let moves = (node == ROOT).then_some(&root.moves[..]);
        let write = move |what, values: &[u16]| known.store.set_values(node, what, values);
        JudgeNode { judging, game, state, moves, room, write }
    }

    /// Asks the solver about a node. Decided, it ends every descent that comes to it.
    #[cold]
    fn decide(&mut self, game: &G, state: &G::State, node: u32, nodes: u64) {
        if self.known.store.node(node).passed() || self.known.store.node(node).proof().is_some() {
            return; // a cycle, or there is nothing to ask
        }
        let decider = self.decider.as_mut().filter(|_| self.root.solving);
        if let Some(outcome) = decider.and_then(|decider| decider.decide(game, state, nodes)) {
            self.known.store.set_proof(node, Some(outcome));
        }
    }

    /// Counts the codes of the simulation at every node passed.
    #[inline(always)]
    fn count_codes<C: Cpu>(&mut self, game: &G, result: Units) {
        let suffixes = self.known.counts_suffixes();
        for depth in (0..self.known.depth()).rev() {
            self.known.see_choice(depth);
            if suffixes {
                self.count_codes_at::<C>(game, depth, result);
            }
        }
        if !suffixes {
            for depth in 0..self.known.depth() {
                self.count_codes_at::<C>(game, depth, result);
            }
        }
    }

    #[inline(always)]
    fn count_codes_at<C: Cpu>(&mut self, game: &G, depth: usize, result: Units) {
        let TreeSearch { known, scratch, states, .. } = self;
        match known.needs() {
            Needs::NoCodes => return,
            Needs::Visited => {}
            Needs::Chosen if depth == 0 => known.choose_seen_of_root(&self.root.codes),
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
        self.known.count_codes::<C>(depth, result);
    }

    /// The node of a position or [`NONE`], and its key.
    ///
    /// A node with other moves is another position with the same hash: look under the next key.
    #[inline(always)]
    pub(super) fn find(&self, game: &G, state: &G::State, mut key: u64) -> (u32, u64) {
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

    /// Appends the codes of a node's moves.
    #[inline(always)]
    fn list_codes(&mut self, game: &G, state: &G::State, node: u32) {
        if node == ROOT {
            self.known.codes.extend_from_slice(&self.root.codes);
        } else {
            game.move_codes(state, &mut self.scratch, &mut self.known.codes);
        }
    }

    /// Whether the system has refused memory.
    #[inline(always)]
    pub fn is_refused(&self) -> bool {
        self.known.refused
    }

    /// How the game ends with best play, if that is proven.
    #[inline(always)]
    pub fn proof(&self) -> Option<Outcome> {
        self.known.store.node(ROOT).proof()
    }
}

/// The visits at which a position is given to the solver again: 16, 64, 256, ...
#[inline(always)]
fn is_fourfold(visits: u32) -> bool {
    visits >= 16 && visits.is_power_of_two() && visits.trailing_zeros().is_multiple_of(2)
}

/// Plays to the end, with the codes kept in the form that is needed.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the parts of a simulation, borrowed apart")]
pub(super) fn play<C: Cpu, G: Evaluate>(
    game: &G,
    state: G::State,
    playouts: &mut Playouts,
    rng: &mut Rng,
    coded: bool,
    needs: Needs,
    depth: usize,
    seen: &mut VisitedCodes,
    played: &mut Vec<u16>,
) -> Units {
    if !coded {
        return playouts.play::<C, _, _>(game, state, rng, &mut ());
    }
    if needs == Needs::CodesInOrder {
        played.clear();
        let result = playouts.play::<C, _, _>(game, state, rng, played);
        seen.fill_in_order(played, depth);
        return result;
    }
    let result = playouts.play::<C, _, _>(game, state, rng, seen);
    if needs == Needs::Visited || playouts.learns() {
        seen.list();
    }
    result
}
