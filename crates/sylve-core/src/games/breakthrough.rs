//! Breakthrough: pawns race to the far row. Rules: `docs/games/breakthrough.md`.
//!
//! Cell = row * columns + column, a1 = cell 0, bottom left. A set of cells is a word, cell i = bit
//! i, so that a step of every pawn at once is one shift. Move = direction * cells + from-cell.

mod decisive;
mod features;
mod notation;

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::means::Means;
use crate::rng::{Rng, hash_words};

/// The directions of a step, in the order of the moves. Right is the higher column for both.
const STRAIGHT: usize = 0;
const RIGHT: usize = 1;
const LEFT: usize = 2;

/// The gestures of the AMAF codes, by direction; a capture adds 1.
const GESTURE: [usize; 3] = [0, 1, 3];
const GESTURES: usize = 5;

/// The rules on a board of some size.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// How far each player's step goes, by direction: upwards for the first player.
    pub(crate) steps: [[usize; 3]; 2],
    /// Where a step may start without leaving the board at the side, by direction.
    pub(crate) inside: [u64; 3],
    /// The row that each player wants to reach.
    far_row: [u64; 2],
    /// The row before it.
    last_row_but_one: [u64; 2],
}

/// The cells of each player, and the side to move, who has not won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) pawns: [u64; 2],
    pub(crate) turn: Player,
}

/// The cells forward of `set`, `step` cells on for `player`.
#[inline(always)]
pub(crate) fn forward(set: u64, step: usize, player: Player) -> u64 {
    match player {
        Player::First => set << step,
        Player::Second => set >> step,
    }
}

/// One draw among the steps of these pawns, which are given by direction.
#[inline(always)]
fn draw_step<C: Cpu>([straight, right, left]: [u64; 3], rng: &mut Rng) -> [u64; 3] {
    let [straights, rights, lefts] = [straight, right, left].map(u64::count_ones);
    let k = rng.below(straights + rights + lefts);
    // The draw falls into one direction, the others give 0: no branch, nothing to mispredict.
    // A shift takes off the moves of the directions before, and a bit shifted out is gone.
    // At most 16 pawns x 3 directions: k < 64.
    let draw = 1u64 << k;
    [
        C::nth_bit_at(straight, draw),
        C::nth_bit_at(right, draw >> straights),
        C::nth_bit_at(left, draw >> (straights + rights)),
    ]
}

impl Breakthrough {
    /// The game on `columns` x `rows` cells.
    ///
    /// # Panics
    /// Unless there are 2 to 8 columns and 4 to 8 rows.
    pub fn new(columns: usize, rows: usize) -> Breakthrough {
        assert!((2..=8).contains(&columns) && (4..=8).contains(&rows), "{columns} x {rows}");
        let row = (1u64 << columns) - 1;
        let first_column = (0..rows).fold(0u64, |set, row| set | 1 << (row * columns));
        let last_column = first_column << (columns - 1);
        Breakthrough {
            columns,
            rows,
            steps: [[columns, columns + 1, columns - 1], [columns, columns - 1, columns + 1]],
            inside: [u64::MAX, !last_column, !first_column],
            far_row: [row << ((rows - 1) * columns), row],
            last_row_but_one: [row << ((rows - 2) * columns), row << columns],
        }
    }

    #[inline(always)]
    fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The direction and the from-cell of a move below 3 * cells. Comparing is faster than dividing.
    #[inline(always)]
    fn parts(&self, mv: Move) -> (usize, usize) {
        let (mv, cells) = (usize::from(mv.0), self.cells());
        let direction = usize::from(mv >= cells) + usize::from(mv >= 2 * cells);
        (direction, mv - direction * cells)
    }

    /// The cell that a pawn of the side to move steps to, as a set. The step stays on the board.
    #[inline(always)]
    fn target(&self, state: &State, mv: Move) -> u64 {
        let (direction, from) = self.parts(mv);
        forward(1 << from, self.steps[state.turn.index()][direction], state.turn)
    }

    /// Whether a move of the side to move takes a pawn.
    #[inline(always)]
    fn captures(&self, state: &State, mv: Move) -> bool {
        self.target(state, mv) & state.pawns[state.turn.other().index()] != 0
    }

    /// The pawns of `player` that can step in each direction. Nobody has won.
    #[inline(always)]
    fn movers(&self, pawns: &[u64; 2], player: Player) -> [u64; 3] {
        let own = pawns[player.index()];
        let steps = self.steps[player.index()];
        // A step of the opponent leads back from a cell to the pawns that can go there. No pawn
        // stands on its far row, so that no target is beyond the board.
        let back = |set, direction| forward(set, steps[direction], player.other());
        [
            own & !back(pawns[0] | pawns[1], STRAIGHT),
            own & self.inside[RIGHT] & !back(own, RIGHT),
            own & self.inside[LEFT] & !back(own, LEFT),
        ]
    }

    /// The pawns of the side to move that can step in each direction; none once the game is over.
    #[inline(always)]
    fn legal(&self, state: &State) -> [u64; 3] {
        match self.outcome(state) {
            None => self.movers(&state.pawns, state.turn),
            Some(_) => [0; 3],
        }
    }

    /// One ply of a playout; whether `player` won by it.
    #[inline(always)]
    fn random_ply<C: Cpu, R: Record>(
        &self,
        pawns: &mut [u64; 2],
        player: Player,
        rng: &mut Rng,
        record: &mut R,
    ) -> bool {
        let drawn = draw_step::<C>(self.movers(pawns, player), rng);
        self.step_ply(pawns, drawn, player, record)
    }

    /// The same with the step of one pawn, given by direction.
    #[inline(always)]
    fn step_ply<R: Record>(
        &self,
        pawns: &mut [u64; 2],
        [straight, right, left]: [u64; 3],
        player: Player,
        record: &mut R,
    ) -> bool {
        let steps = self.steps[player.index()];
        let from = straight | right | left;
        let to = forward(straight, steps[STRAIGHT], player)
            | forward(right, steps[RIGHT], player)
            | forward(left, steps[LEFT], player);
        let (own, other) = (player.index(), player.other().index());
        if R::WANTED {
            let gesture = GESTURE[RIGHT] * usize::from(right != 0)
                + GESTURE[LEFT] * usize::from(left != 0)
                + usize::from(to & pawns[other] != 0);
            record.played(self.code_of(player, from.trailing_zeros() as usize, gesture));
        }
        pawns[own] = pawns[own] & !from | to;
        pawns[other] &= !to;
        to & self.far_row[own] != 0 || pawns[other] == 0
    }

    /// The AMAF code: from-cell and gesture, and the second player after the first.
    #[inline(always)]
    fn code_of(&self, player: Player, from: usize, gesture: usize) -> usize {
        GESTURES * (self.cells() * player.index() + from) + gesture
    }
}

impl Game for Breakthrough {
    type State = State;

    fn start(&self) -> State {
        let home = (1u64 << (2 * self.columns)) - 1;
        State { pawns: [home, home << ((self.rows - 2) * self.columns)], turn: Player::First }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline(always)]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = state.turn.other(); // only the one who moved last can have won
        let reached = state.pawns[last.index()] & self.far_row[last.index()] != 0;
        (reached || state.pawns[state.turn.index()] == 0).then_some(Outcome::Win(last))
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        for (direction, mut from) in self.legal(state).into_iter().enumerate() {
            while from != 0 {
                let cell = from.trailing_zeros() as usize;
                out.push(Move((direction * self.cells() + cell) as u16));
                from &= from - 1;
            }
        }
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, mv: Move) -> bool {
        let (direction, from) = self.parts(mv);
        from < self.cells() && self.legal(state)[direction] >> from & 1 == 1
    }

    #[inline(always)]
    fn play(&self, state: &mut State, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        let (own, other) = (state.turn.index(), state.turn.other().index());
        let (from, to) = (1 << self.parts(mv).1, self.target(state, mv));
        state.pawns[own] ^= from | to;
        state.pawns[other] &= !to;
        state.turn = state.turn.other();
    }

    #[inline(always)]
    fn hash(&self, state: &State) -> u64 {
        hash_words([state.turn.index() as u64, state.pawns[0], state.pawns[1]])
    }

    fn codes(&self) -> usize {
        2 * GESTURES * self.cells()
    }

    #[inline(always)]
    fn code(&self, state: &State, mv: Move) -> usize {
        let (direction, from) = self.parts(mv);
        let gesture = GESTURE[direction] + usize::from(self.captures(state, mv));
        self.code_of(state.turn, from, gesture)
    }

    /// A move takes a pawn one row forward. The pawns of the home row can make rows - 2 steps
    /// without reaching the far row, those before them rows - 3; the winning step is one more.
    fn max_plies(&self) -> usize {
        2 * self.columns * (2 * self.rows - 5) + 1
    }

    #[inline(always)]
    fn count_moves(&self, state: &State) -> usize {
        self.legal(state).into_iter().map(|from| from.count_ones() as usize).sum()
    }

    #[inline(always)]
    fn nth_move<C: Cpu>(&self, state: &State, index: usize, _: &mut Vec<Move>) -> Move {
        let [straight, right, left] = self.legal(state);
        let draw = 1u64 << index;
        let draws = [draw, draw >> straight.count_ones()];
        let left_draw = draws[1] >> right.count_ones();
        let (straight, right) = (C::nth_bit_at(straight, draw), C::nth_bit_at(right, draws[1]));
        let from = straight | right | C::nth_bit_at(left, left_draw);
        let direction = if straight != 0 {
            STRAIGHT
        } else if right != 0 {
            RIGHT
        } else {
            LEFT
        };
        Move((direction * self.cells() + from.trailing_zeros() as usize) as u16)
    }

    #[inline(always)]
    fn move_codes(&self, state: &State, _: &mut Vec<Move>, out: &mut Vec<u16>) {
        let enemies = state.pawns[state.turn.other().index()];
        let steps = self.steps[state.turn.index()];
        let base = GESTURES * self.cells() * state.turn.index();
        for (direction, mut from) in self.legal(state).into_iter().enumerate() {
            // Where a step in this direction would take a pawn.
            let captures = forward(enemies, steps[direction], state.turn.other());
            out.extend((0..from.count_ones()).map(|_| {
                let cell = from.trailing_zeros() as usize;
                from &= from - 1;
                let gesture = GESTURE[direction] + (captures >> cell & 1) as usize;
                (base + GESTURES * cell + gesture) as u16
            }));
        }
    }

    /// A word for each gesture of each player.
    fn code_place(&self, code: usize) -> usize {
        let (cell, gesture) = (code / GESTURES % self.cells(), code % GESTURES);
        let player = code / (GESTURES * self.cells());
        64 * (GESTURES * player + gesture) + cell
    }

    #[inline(always)]
    fn seen_moves<C: Cpu>(
        &self,
        state: &State,
        seen: &[u64],
        _: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        let legal = self.legal(state);
        let enemies = state.pawns[state.turn.other().index()];
        let steps = self.steps[state.turn.index()];
        let seen = &seen[GESTURES * state.turn.index()..][..GESTURES];
        let among = |direction: usize| {
            // Where a step in this direction would take a pawn: then it is the next gesture.
            let captures = forward(enemies, steps[direction], state.turn.other());
            let gesture = GESTURE[direction];
            let taken = if direction == STRAIGHT { 0 } else { captures & seen[gesture + 1] };
            C::extract(seen[gesture] & !captures | taken, legal[direction])
        };
        let (straights, rights) = (legal[STRAIGHT].count_ones(), legal[RIGHT].count_ones());
        // At most 16 pawns x 3 directions: one word.
        out.push(among(STRAIGHT) | among(RIGHT) << straights | among(LEFT) << (straights + rights));
    }

    #[inline(always)]
    fn moves_check(&self, state: &State) -> u32 {
        // The moves follow from the pawns that can make them; any mixture of these will do.
        let [straight, right, left] = self.legal(state);
        let factor = 0x9E37_79B9_7F4A_7C15_u64; // any odd number with many bits
        let sum = straight.wrapping_mul(factor) ^ right.rotate_left(21);
        ((sum.wrapping_mul(factor) ^ left).wrapping_mul(factor) >> 32) as u32
    }

    fn has_draws(&self) -> bool {
        false
    }

    fn kinds(&self) -> usize {
        GESTURES
    }

    fn kind(&self, code: usize) -> usize {
        code % GESTURES
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(&self, state: State, rng: &mut Rng, record: &mut R) -> Outcome {
        if let Some(outcome) = self.outcome(&state) {
            return outcome;
        }
        let mut pawns = state.pawns;
        let second = |pawns: &mut [u64; 2], rng: &mut Rng, record: &mut R| {
            self.random_ply::<C, R>(pawns, Player::Second, rng, record)
        };
        if state.turn == Player::Second && second(&mut pawns, rng, record) {
            return Outcome::Win(Player::Second);
        }
        // Two plies a round: each is compiled for its player, with fixed directions of shifts.
        loop {
            if self.random_ply::<C, R>(&mut pawns, Player::First, rng, record) {
                return Outcome::Win(Player::First);
            }
            if second(&mut pawns, rng, record) {
                return Outcome::Win(Player::Second);
            }
        }
    }

    #[inline(always)]
    fn draw_move<C: Cpu>(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        let index = rng.below(self.count_moves(state) as u32) as usize;
        self.nth_move::<C>(state, index, scratch)
    }

    #[inline(always)]
    fn best_move<C: Cpu>(&self, state: &State, means: &Means, _: &mut Vec<Move>) -> Move {
        let enemies = state.pawns[state.turn.other().index()];
        let steps = self.steps[state.turn.index()];
        let means =
            &means.of(state.turn.index())[64 * GESTURES * state.turn.index()..][..64 * GESTURES];
        let (mut best, mut highest) = (Move(0), -1.0);
        for (direction, mut from) in self.movers(&state.pawns, state.turn).into_iter().enumerate() {
            // Where a step in this direction takes a pawn: then it is the next gesture.
            let captures = forward(enemies, steps[direction], state.turn.other());
            while from != 0 {
                let cell = from.trailing_zeros() as usize;
                let gesture = GESTURE[direction] + (captures >> cell & 1) as usize;
                let mean = means[64 * gesture + cell];
                if mean > highest {
                    (best, highest) = (Move((direction * self.cells() + cell) as u16), mean);
                }
                from &= from - 1;
            }
        }
        best
    }

    fn features(&self, state: &State, mv: Move) -> u32 {
        self.features_of(state, mv)
    }

    fn decisive_move(&self, state: &State, moves: &[Move], rng: &mut Rng) -> Move {
        self.choose_decisive(state, moves, rng)
    }

    #[inline(always)]
    fn decisive_playout<C: Cpu, R: Record>(
        &self,
        state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        self.play_decisive::<C, R>(state, rng, record)
    }
}

#[cfg(test)]
mod tests;
