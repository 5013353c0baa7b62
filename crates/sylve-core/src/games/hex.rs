//! Hex: join your two sides of the board. Rules: `docs/games/hex.md`.

mod bordered;
mod bridge;
mod cell_set;
mod decisive;
mod mast;
mod notation;
mod reach;

pub(crate) use cell_set::Cells;

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::games::cells;
use crate::means::Means;
use crate::rng::{Rng, hash_words};

/// The rules on a board of `size` x `size` cells, in `W` words. A move is a cell, row after row from
/// a1, top left; one more number is the swap.
#[derive(Clone, Debug)]
pub struct Hex<const W: usize> {
    pub(crate) size: usize,
    pub(crate) swap: bool,
    /// Every cell.
    pub(crate) board: Cells<W>,
    /// The side of the board from which each player starts to join: top, left.
    pub(crate) from: [Cells<W>; 2],
    /// The side that he has to reach: bottom, right.
    pub(crate) to: [Cells<W>; 2],
    /// The two to six cells around each cell.
    pub(crate) neighbours: Vec<Cells<W>>,
    /// The board with a border, for the policy `bridge`.
    bordered: bordered::Bordered,
}

/// The stones, and what they reach.
#[derive(Clone, Copy, Debug)]
pub struct State<const W: usize> {
    pub(crate) stones: [Cells<W>; 2],
    /// The stones of each player that are joined to his side `from`. Each stone enters once, so
    /// that looking for a winner costs next to nothing a move.
    reached: [Cells<W>; 2],
    turn: Player,
    /// The cell of the last stone, which the policy `bridge` replies to; else [`NO_STONE`]. It is no
    /// part of the position.
    last: u16,
}

/// No last stone is known.
const NO_STONE: u16 = u16::MAX;

impl<const W: usize> PartialEq for State<W> {
    #[inline(always)]
    fn eq(&self, other: &State<W>) -> bool {
        self.stones == other.stones && self.turn == other.turn
    }
}

impl<const W: usize> Eq for State<W> {}

impl<const W: usize> State<W> {
    #[inline(always)]
    pub(crate) fn empty(&self, board: &Cells<W>) -> Cells<W> {
        board.without(&self.stones[0]).without(&self.stones[1])
    }
}

impl<const W: usize> Hex<W> {
    /// The rules. Panics unless `size * size` bits fit in `W` words.
    pub fn new(size: usize, swap: bool) -> Hex<W> {
        assert!(size >= 2 && size * size <= 64 * W, "{size} x {size} cells in {W} words");
        let set = |wanted: &dyn Fn(usize, usize) -> bool| {
            let mut cells = Cells::NONE;
            for cell in (0..size * size).filter(|cell| wanted(cell / size, cell % size)) {
                cells.insert(cell);
            }
            cells
        };
        // A neighbour is one row or one column away, or both in opposite directions.
        let near = |cell: usize| {
            let (row, column) = (cell / size, cell % size);
            set(&|r, c| {
                (r == row && c.abs_diff(column) == 1)
                    || (c == column && r.abs_diff(row) == 1)
                    || (r + 1 == row && c == column + 1)
                    || (r == row + 1 && c + 1 == column)
            })
        };
        Hex {
            size,
            swap,
            board: set(&|_, _| true),
            from: [set(&|row, _| row == 0), set(&|_, column| column == 0)],
            to: [set(&|row, _| row == size - 1), set(&|_, column| column == size - 1)],
            neighbours: (0..size * size).map(near).collect(),
            bordered: bordered::Bordered::new(size),
        }
    }

    /// The move that is the swap.
    #[inline(always)]
    pub(crate) fn swap_move(&self) -> Move {
        Move((self.size * self.size) as u16)
    }

    /// Whether the second player may take over the first stone: it is the only one.
    #[inline(always)]
    fn may_swap(&self, state: &State<W>) -> bool {
        self.swap
            && state.turn == Player::Second
            && state.stones[0].count() == 1
            && state.stones[1] == Cells::NONE
    }

    /// Adds to `reached` what the stones in `todo` lead to.
    #[inline(always)]
    fn spread(&self, stones: &Cells<W>, reached: &mut Cells<W>, mut todo: Cells<W>) {
        while let Some(i) = todo.0.iter().position(|&word| word != 0) {
            let cell = 64 * i + todo.0[i].trailing_zeros() as usize;
            todo.0[i] &= todo.0[i] - 1;
            let near = &self.neighbours[cell];
            for i in 0..W {
                let new = near.0[i] & stones.0[i] & !reached.0[i];
                reached.0[i] |= new;
                todo.0[i] |= new;
            }
        }
    }

    /// The stones of a player that are joined to his first side, found from nothing.
    fn reached(&self, stones: &Cells<W>, player: Player) -> Cells<W> {
        let start = stones.and(&self.from[player.index()]);
        let mut reached = start;
        self.spread(stones, &mut reached, start);
        reached
    }

    /// Whether the first player, with these stones, joins top and bottom.
    #[inline(always)]
    fn first_joins(&self, stones: &Cells<W>) -> bool {
        // From the top along the stone nearest to the bottom: the answer is often known early.
        let bottom = self.size * (self.size - 1);
        let mut todo = stones.and(&self.from[0]);
        let mut left = stones.without(&todo);
        while let Some(i) = todo.0.iter().rposition(|&word| word != 0) {
            let cell = 64 * i + 63 - todo.0[i].leading_zeros() as usize;
            if cell >= bottom {
                return true;
            }
            todo.0[i] ^= 1 << (cell % 64);
            let near = &self.neighbours[cell];
            for i in 0..W {
                let new = near.0[i] & left.0[i];
                left.0[i] ^= new;
                todo.0[i] |= new;
            }
        }
        false
    }
}

impl<const W: usize> Game for Hex<W> {
    type State = State<W>;

    fn start(&self) -> State<W> {
        State {
            stones: [Cells::NONE; 2],
            reached: [Cells::NONE; 2],
            turn: Player::First,
            last: NO_STONE,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State<W>) -> Player {
        state.turn
    }

    #[inline(always)]
    fn outcome(&self, state: &State<W>) -> Option<Outcome> {
        // Only the one who moved last can have just won.
        let last = state.turn.other();
        let won = state.reached[last.index()].meets(&self.to[last.index()]);
        won.then_some(Outcome::Win(last))
    }

    #[inline(always)]
    fn moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        self.playout_moves(state, out);
        if self.may_swap(state) {
            out.push(self.swap_move());
        }
    }

    #[inline(always)]
    fn is_legal(&self, state: &State<W>, mv: Move) -> bool {
        if mv == self.swap_move() {
            return self.may_swap(state);
        }
        let cell = usize::from(mv.0);
        cell < self.size * self.size
            && state.empty(&self.board).has(cell)
            && self.outcome(state).is_none()
    }

    #[inline(always)]
    fn play(&self, state: &mut State<W>, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        let mut cell = usize::from(mv.0);
        if mv == self.swap_move() {
            // The first stone leaves; its mirror image is the second player's.
            state.stones[0]
                .for_each(|stone| cell = stone % self.size * self.size + stone / self.size);
            state.stones[0] = Cells::NONE;
            state.reached[0] = Cells::NONE;
        }
        let player = state.turn.index();
        state.stones[player].insert(cell);
        state.last = cell as u16;
        let reached = &mut state.reached[player];
        if self.from[player].has(cell) || self.neighbours[cell].meets(reached) {
            reached.insert(cell);
            let mut todo = Cells::NONE;
            todo.insert(cell);
            self.spread(&state.stones[player], reached, todo);
        }
        state.turn = state.turn.other();
    }

    #[inline(always)]
    fn hash(&self, state: &State<W>) -> u64 {
        // As many words as the board has, which may be fewer than W.
        let words = (self.size * self.size).div_ceil(64);
        let [first, second] = &state.stones;
        let turn = state.turn.index() as u64;
        hash_words(
            std::iter::once(turn)
                .chain(first.0.iter().take(words).copied())
                .chain(second.0.iter().take(words).copied()),
        )
    }

    fn has_draws(&self) -> bool {
        false
    }

    fn codes(&self) -> usize {
        2 * (self.size * self.size + usize::from(self.swap))
    }

    #[inline(always)]
    fn code(&self, state: &State<W>, mv: Move) -> usize {
        2 * usize::from(mv.0) + state.turn.index()
    }

    fn max_plies(&self) -> usize {
        self.size * self.size + usize::from(self.swap)
    }

    #[inline(always)]
    fn count_moves(&self, state: &State<W>) -> usize {
        if self.outcome(state).is_some() {
            return 0;
        }
        state.empty(&self.board).count() + usize::from(self.may_swap(state))
    }

    #[inline(always)]
    fn nth_move<C: Cpu>(&self, state: &State<W>, index: usize, _: &mut Vec<Move>) -> Move {
        cells::nth::<C>(&state.empty(&self.board).0, index).unwrap_or(self.swap_move())
    }

    #[inline(always)]
    fn move_codes(&self, state: &State<W>, _: &mut Vec<Move>, out: &mut Vec<u16>) {
        if self.outcome(state).is_some() {
            return;
        }
        cells::list_codes(&state.empty(&self.board).0, state.turn, out);
        if self.may_swap(state) {
            out.push(self.code(state, self.swap_move()) as u16);
        }
    }

    #[inline(always)]
    fn moves_check(&self, state: &State<W>) -> u32 {
        cells::check(&state.empty(&self.board).0, self.may_swap(state))
    }

    fn code_place(&self, code: usize) -> usize {
        cells::code_place(code, self.size * self.size + 1)
    }

    #[inline(always)]
    fn seen_moves<C: Cpu>(
        &self,
        state: &State<W>,
        seen: &[u64],
        _: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        let (empty, moves) = (state.empty(&self.board), self.size * self.size + 1);
        let swap = self.may_swap(state).then_some(self.swap_move());
        cells::seen::<C>(&empty.0, swap, moves, state.turn, seen, out);
    }

    /// Every empty cell: playouts never swap.
    #[inline(always)]
    fn playout_moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        out.clear();
        if self.outcome(state).is_none() {
            state.empty(&self.board).for_each(|cell| out.push(Move(cell as u16)));
        }
    }

    /// Fills the board in random order and decides once: a full board has exactly one winner, and
    /// it is the one who joins his sides first, because the other never can after that.
    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        state: State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        if let Some(outcome) = self.outcome(&state) {
            return outcome;
        }
        let mut cells = [[0u16; 64]; W];
        let cells = cells.as_flattened_mut();
        let mut count = 0;
        state.empty(&self.board).for_each(|cell| {
            cells[count] = cell as u16;
            count += 1;
        });
        let mut first = state.stones[0];
        let mut player = state.turn;
        for i in 0..count {
            // Fisher and Yates; a cell that was drawn is not looked at again.
            let j = i + rng.below((count - i) as u32) as usize;
            let cell = usize::from(cells[j]);
            cells[j] = cells[i];
            if R::WANTED {
                record.played(2 * cell + player.index());
            }
            if player == Player::First {
                first.insert(cell);
            }
            player = player.other();
        }
        if self.first_joins(&first) {
            Outcome::Win(Player::First)
        } else {
            Outcome::Win(Player::Second)
        }
    }

    fn decisive_move(&self, state: &State<W>, _: &[Move], rng: &mut Rng) -> Move {
        self.choose_decisive(state, rng)
    }

    #[inline(always)]
    fn decisive_playout<C: Cpu, R: Record>(
        &self,
        state: State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        self.play_decisive::<C, R>(&state, rng, record)
    }

    fn ranked_moves(&self) -> usize {
        self.size * self.size
    }

    #[inline(always)]
    fn mast_playout<C: Cpu, R: Record>(
        &self,
        state: State<W>,
        epsilon: f64,
        means: &mut Means,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        self.play_mast::<C, R>(&state, epsilon, means, rng, record)
    }

    fn forget_last(&self, state: &mut State<W>) {
        state.last = NO_STONE;
    }

    fn bridge_moves(&self, state: &State<W>, out: &mut Vec<Move>) {
        self.list_saving(state, out);
    }

    #[inline(always)]
    fn bridge_playout<C: Cpu, R: Record>(
        &self,
        state: State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        self.play_bridge::<C, R>(&state, rng, record)
    }
}
