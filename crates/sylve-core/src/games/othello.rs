//! Othello on 4 x 4, 6 x 6 or 8 x 8 cells. Rules: `docs/games/othello.md`.

use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::notation::{
    Board, Found, Notation, ReadError, quote, read_cell, write_board, write_cell,
};
use crate::rng::{Rng, hash_words};

/// One set of cells for each of four directions: a row, a column and the two diagonals.
///
/// Loops over the four lanes have no branch and no length to find out, so that the compiler keeps
/// them in one register where the processor has registers of 256 bits.
type Lanes = [u64; 4];

/// The rules. `SIZE` is 4, 6 or 8; cell `row * SIZE + column` is bit number that, 0 is a1 (top left).
#[derive(Clone, Copy, Debug)]
pub struct Othello<const SIZE: usize>;

/// The discs of the side to move and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    own: u64,
    other: u64,
    turn: Player,
}

impl State {
    #[inline(always)]
    fn passed(self) -> State {
        State { own: self.other, other: self.own, turn: self.turn.other() }
    }

    #[inline(always)]
    fn discs(&self, player: Player) -> u64 {
        if player == self.turn { self.own } else { self.other }
    }

    /// The result once nobody can move.
    #[inline(always)]
    fn result(&self) -> Outcome {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        if own == other {
            Outcome::Draw
        } else {
            Outcome::Win(if own > other { self.turn } else { self.turn.other() })
        }
    }
}

/// The discs that a move may turn: those of the other side in an unbroken row behind a disc of the
/// side to move, seen along each lane towards higher cells (`up`) and towards lower ones (`down`).
#[derive(Clone, Copy)]
struct Chains {
    up: Lanes,
    down: Lanes,
}

impl<const SIZE: usize> Othello<SIZE> {
    const CELLS: usize = SIZE * SIZE;
    const PASS: Move = Move(Self::CELLS as u16);
    const FULL: u64 = u64::MAX >> (64 - Self::CELLS);

    /// From a cell to its neighbour on the right, below left, below, below right.
    const SHIFTS: [u32; 4] = [1, SIZE as u32 - 1, SIZE as u32, SIZE as u32 + 1];

    /// Where discs can be turned along each lane. The left and right edges are left out, except
    /// along columns: nothing lies behind them, and a shift would go on in another row.
    const INNER: Lanes = {
        let (mut left, mut row) = (0, 0);
        while row < SIZE {
            left |= 1 << (row * SIZE);
            row += 1;
        }
        let inner = Self::FULL & !left & !(left << (SIZE - 1));
        [inner, inner, Self::FULL, inner]
    };

    /// The cells that lie beyond each cell, along each lane: towards higher cells, towards lower.
    const RAYS: &'static [[Lanes; 2]; 64] = &Self::rays();

    const fn rays() -> [[Lanes; 2]; 64] {
        // Steps to the right and down, in the order of SHIFTS.
        let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        let mut rays = [[[0; 4]; 2]; 64];
        let mut index = 0;
        while index < Self::CELLS * 8 {
            let (cell, side, lane) = (index / 8, index / 4 % 2, index % 4);
            let sign = 1 - 2 * side as isize;
            let (right, down) = (sign * steps[lane].0, sign * steps[lane].1);
            let (mut column, mut row) = ((cell % SIZE) as isize, (cell / SIZE) as isize);
            loop {
                column += right;
                row += down;
                let size = SIZE as isize;
                if column < 0 || column >= size || row < 0 || row >= size {
                    break;
                }
                rays[cell][side][lane] |= 1 << (row * size + column);
            }
            index += 1;
        }
        rays
    }

    /// All chains at once, each doubling its reach in a step: 1 disc, 2, then 4 and 6.
    #[inline(always)]
    fn chains(own: u64, other: u64) -> Chains {
        let mut chains = Chains { up: [0; 4], down: [0; 4] };
        for lane in 0..4 {
            let (shift, discs) = (Self::SHIFTS[lane], other & Self::INNER[lane]);
            let pairs = discs & (discs << shift);
            let mut up = discs & (own << shift);
            up |= discs & (up << shift);
            up |= pairs & (up << (2 * shift));
            up |= pairs & (up << (2 * shift));
            chains.up[lane] = up;
            let pairs = pairs >> shift;
            let mut down = discs & (own >> shift);
            down |= discs & (down >> shift);
            down |= pairs & (down >> (2 * shift));
            down |= pairs & (down >> (2 * shift));
            chains.down[lane] = down;
        }
        chains
    }

    /// The empty cells at the end of a chain: the moves that are not passes.
    #[inline(always)]
    fn ends(chains: &Chains, empty: u64) -> u64 {
        let mut ends = [0; 4];
        for lane in 0..4 {
            let shift = Self::SHIFTS[lane];
            ends[lane] = (chains.up[lane] << shift) | (chains.down[lane] >> shift);
        }
        empty & (ends[0] | ends[1] | ends[2] | ends[3])
    }

    /// The cells where the side to move can put a disc.
    #[inline(always)]
    fn places(own: u64, other: u64) -> u64 {
        Self::ends(&Self::chains(own, other), Self::FULL & !(own | other))
    }

    /// The discs that a disc on `cell` turns: in each direction those up to the first cell that is
    /// in no chain. A chain that begins beside `cell` has an own disc at its other end.
    #[inline(always)]
    fn turned(chains: &Chains, cell: usize) -> u64 {
        let rays = &Self::RAYS[cell];
        let mut turned = [0; 4];
        for lane in 0..4 {
            let shift = Self::SHIFTS[lane];
            let ray = rays[0][lane];
            let stops = ray & !chains.down[lane];
            let higher = ray & !stops & stops.wrapping_sub(1);
            let ray = rays[1][lane];
            let mut stops = ray & !chains.up[lane];
            stops |= stops >> shift;
            stops |= stops >> (2 * shift);
            stops |= stops >> (4 * shift);
            turned[lane] = higher | (ray & !stops);
        }
        turned[0] | turned[1] | turned[2] | turned[3]
    }

    /// The position after a disc on `cell`.
    #[inline(always)]
    fn placed(state: State, chains: &Chains, cell: usize) -> State {
        let turned = Self::turned(chains, cell);
        State { own: state.own | turned | 1 << cell, other: state.other & !turned, ..state }
            .passed()
    }
}

impl<const SIZE: usize> Game for Othello<SIZE> {
    type State = State;

    fn start(&self) -> State {
        let middle = SIZE / 2;
        let bit = |row: usize, column: usize| 1u64 << (row * SIZE + column);
        State {
            own: bit(middle, middle - 1) | bit(middle - 1, middle),
            other: bit(middle - 1, middle - 1) | bit(middle, middle),
            turn: Player::First,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline(always)]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.count_moves(state) == 0).then(|| state.result())
    }

    #[inline(always)]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        let mut places = Self::places(state.own, state.other);
        if places == 0 && Self::places(state.other, state.own) != 0 {
            out.push(Self::PASS);
        }
        while places != 0 {
            out.push(Move(places.trailing_zeros() as u16));
            places &= places - 1;
        }
    }

    #[inline(always)]
    fn count_moves(&self, state: &State) -> usize {
        match Self::places(state.own, state.other) {
            0 => usize::from(Self::places(state.other, state.own) != 0),
            places => places.count_ones() as usize,
        }
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        let places = Self::places(state.own, state.other);
        if mv == Self::PASS {
            places == 0 && Self::places(state.other, state.own) != 0
        } else {
            mv < Self::PASS && places >> mv.0 & 1 == 1
        }
    }

    #[inline(always)]
    fn play(&self, state: &mut State, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        *state = if mv == Self::PASS {
            state.passed()
        } else {
            Self::placed(*state, &Self::chains(state.own, state.other), usize::from(mv.0))
        };
    }

    #[inline(always)]
    fn hash(&self, state: &State) -> u64 {
        let side = state.turn.index() as u64;
        hash_words([side, state.discs(Player::First), state.discs(Player::Second)])
    }

    fn codes(&self) -> usize {
        2 * (Self::CELLS + 1)
    }

    #[inline(always)]
    fn code(&self, state: &State, mv: Move) -> usize {
        2 * usize::from(mv.0) + state.turn.index()
    }

    fn max_plies(&self) -> usize {
        // A move needs a disc of each colour on the board, so that at most CELLS - 2 cells are
        // filled; two passes never follow each other, so that each comes before a filled cell.
        2 * (Self::CELLS - 2)
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        mut state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        loop {
            let chains = Self::chains(state.own, state.other);
            let places = Self::ends(&chains, Self::FULL & !(state.own | state.other));
            if places == 0 {
                if Self::places(state.other, state.own) == 0 {
                    return state.result();
                }
                rng.next(); // one draw a ply, also for a pass
                if R::WANTED {
                    record.played(self.code(&state, Self::PASS));
                }
                state = state.passed();
                continue;
            }
            let place = C::nth_bit(places, rng.below(places.count_ones()));
            let cell = place.trailing_zeros() as usize;
            if R::WANTED {
                record.played(2 * cell + state.turn.index());
            }
            state = Self::placed(state, &chains, cell);
        }
    }
}

impl<const SIZE: usize> Notation for Othello<SIZE> {
    fn move_syntax(&self) -> String {
        let last = write_cell(SIZE - 1, SIZE - 1);
        format!("a cell from \"a1\" (top left) to {last:?}, or \"pass\"")
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let board = Board::read(text, SIZE, SIZE, 0)?;
        let bits = |player| board.bits(player, |cell| cell);
        Ok(State { own: bits(board.turn), other: bits(board.turn.other()), turn: board.turn })
    }

    fn write(&self, state: &State) -> String {
        write_board(SIZE, SIZE, state.turn, |cell| {
            [Player::First, Player::Second]
                .into_iter()
                .find(|&player| state.discs(player) >> cell & 1 == 1)
        })
    }

    fn find_move(&self, _state: &State, text: &str) -> Found {
        if ["pass", "pa", "--"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return Found::Move(Self::PASS);
        }
        match read_cell(text, SIZE, SIZE) {
            Some((column, row)) => Found::Move(Move((SIZE * row + column) as u16)),
            None => Found::Unreadable,
        }
    }

    fn write_move(&self, _state: &State, mv: Move) -> String {
        if mv == Self::PASS {
            return "pass".into();
        }
        let cell = usize::from(mv.0);
        write_cell(cell % SIZE, cell / SIZE)
    }
}
