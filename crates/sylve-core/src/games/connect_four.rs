//! Connect Four: stones fall to the bottom, four in a row win. Rules: `docs/games/connect_four.md`.

mod decisive;

use super::error::GameError;
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::games::cells;
use crate::means::Means;
use crate::notation::{Board, Found, Notation, ReadError, write_board, write_cell};
use crate::rng::{Rng, hash_words, mix};

/// The rules on a board of some size. A move is a column from 0.
///
/// The stones of a player are a set of bits, one column after the other, each with a bit on top
/// that stays empty: adding 1 at the bottom of a column of stones gives the cell where the next
/// one lands, and no line of four runs from one column into another that is not beside it.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Every cell.
    pub(crate) board: u64,
    /// The bottom cell of each column.
    bottom: u64,
    /// The top cell of each column.
    top: u64,
    /// The number of the cell, row after row from a1, of each bit.
    cell_of_bit: [u8; 64],
}

/// The stones, in two forms: by columns for the rules, by cell number for hash and text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// By columns: the side to move.
    pub(crate) own: u64,
    /// By columns: the side that moved last.
    pub(crate) other: u64,
    /// By cell number: each player. Kept because turning one form into the other at every hash
    /// would cost more than one more bit to set at every move.
    cells: [u64; 2],
}

impl State {
    #[inline(always)]
    fn turn(&self) -> Player {
        if (self.own | self.other).count_ones() % 2 == 1 { Player::Second } else { Player::First }
    }
}

impl ConnectFour {
    /// The rules on `columns` x `rows` cells, each at least 4 (else it panics); an error if they do
    /// not fit in 64 bits.
    pub fn new(columns: usize, rows: usize) -> Result<ConnectFour, GameError> {
        let bits = columns * (rows + 1);
        assert!(columns >= 4 && rows >= 4, "a line of four must be possible");
        if bits > 64 {
            return Err(GameError::new(format!(
                "connect_four: columns * (rows + 1) must be at most 64, \
                 which {columns} columns and {rows} rows exceed"
            )));
        }
        let bottom = (0..columns).map(|column| 1 << (column * (rows + 1))).sum::<u64>();
        let mut cell_of_bit = [0; 64];
        for (bit, cell) in cell_of_bit.iter_mut().enumerate().take(bits) {
            let (column, row) = (bit / (rows + 1), bit % (rows + 1));
            *cell = (row * columns + column) as u8;
        }
        Ok(ConnectFour {
            columns,
            rows,
            board: bottom * ((1 << rows) - 1),
            bottom,
            top: bottom << (rows - 1),
            cell_of_bit,
        })
    }

    /// The cells on which a stone can land: at most one a column, hence in the order of the moves.
    #[inline(always)]
    fn landing(&self, stones: u64) -> u64 {
        (stones + self.bottom) & self.board
    }

    #[inline(always)]
    fn column(&self, mv: Move) -> u64 {
        ((1 << self.rows) - 1) << (usize::from(mv.0) * (self.rows + 1))
    }

    #[inline(always)]
    fn has_four(&self, stones: u64) -> bool {
        let right = self.rows + 1; // from a cell to the one beside it
        // One branch for the four directions: vertical, horizontal, the two diagonals.
        [1, right, right - 1, right + 1].into_iter().fold(0, |found, step| {
            let pairs = stones & (stones >> step);
            found | (pairs & (pairs >> (2 * step)))
        }) != 0
    }

    /// The column and the row, from the bottom, of a cell in a text.
    fn place(&self, index: usize) -> (usize, usize) {
        (index % self.columns, self.rows - 1 - index / self.columns)
    }
}

impl Game for ConnectFour {
    type State = State;

    fn start(&self) -> State {
        State { own: 0, other: 0, cells: [0, 0] }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    #[inline(always)]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        // Only the one who moved last can have just won.
        if self.has_four(state.other) {
            Some(Outcome::Win(state.turn().other()))
        } else if self.landing(state.own | state.other) == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline(always)]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.has_four(state.other) {
            return;
        }
        let free = self.top & !(state.own | state.other);
        out.extend((0..self.columns as u16).map(Move).filter(|&mv| free & self.column(mv) != 0));
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, mv: Move) -> bool {
        usize::from(mv.0) < self.columns
            && self.column(mv) & self.top & !(state.own | state.other) != 0
            && !self.has_four(state.other)
    }

    #[inline(always)]
    fn play(&self, state: &mut State, mv: Move) {
        debug_assert!(self.is_legal(state, mv));
        let stone = self.landing(state.own | state.other) & self.column(mv);
        let cell = self.cell_of_bit[stone.trailing_zeros() as usize & 63];
        state.cells[state.turn().index()] |= 1 << cell;
        (state.own, state.other) = (state.other, state.own | stone);
    }

    #[inline(always)]
    fn hash(&self, state: &State) -> u64 {
        hash_words([state.turn().index() as u64, state.cells[0], state.cells[1]])
    }

    fn codes(&self) -> usize {
        2 * self.columns * self.rows
    }

    #[inline(always)]
    fn code(&self, state: &State, mv: Move) -> usize {
        let stone = self.landing(state.own | state.other) & self.column(mv);
        let cell = self.cell_of_bit[stone.trailing_zeros() as usize & 63];
        2 * usize::from(cell) + state.turn().index()
    }

    fn max_plies(&self) -> usize {
        self.columns * self.rows
    }

    #[inline(always)]
    fn count_moves(&self, state: &State) -> usize {
        if self.has_four(state.other) {
            return 0;
        }
        (self.top & !(state.own | state.other)).count_ones() as usize
    }

    #[inline(always)]
    fn nth_move<C: Cpu>(&self, state: &State, index: usize, _: &mut Vec<Move>) -> Move {
        let landing = self.landing(state.own | state.other);
        let bit = C::nth_bit(landing, index as u32).trailing_zeros() as usize;
        Move(u16::from(self.cell_of_bit[bit & 63]) % self.columns as u16)
    }

    #[inline(always)]
    fn moves_check(&self, state: &State) -> u32 {
        // Which columns are free.
        (mix(self.top & !(state.own | state.other)) >> 32) as u32
    }

    /// By columns, as the stones are.
    fn code_place(&self, code: usize) -> usize {
        let (column, row) = (code / 2 % self.columns, code / 2 / self.columns);
        64 * (code % 2) + column * (self.rows + 1) + row
    }

    #[inline(always)]
    fn seen_moves<C: Cpu>(
        &self,
        state: &State,
        seen: &[u64],
        _: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        out.push(C::extract(seen[state.turn().index()], self.landing(state.own | state.other)));
    }

    #[inline(always)]
    fn move_codes(&self, state: &State, _: &mut Vec<Move>, out: &mut Vec<u16>) {
        if self.has_four(state.other) {
            return;
        }
        let mut landing = self.landing(state.own | state.other);
        while landing != 0 {
            let cell = self.cell_of_bit[landing.trailing_zeros() as usize & 63];
            out.push(2 * u16::from(cell) + state.turn().index() as u16);
            landing &= landing - 1;
        }
    }

    #[inline(always)]
    fn playout<C: Cpu, R: Record>(&self, state: State, rng: &mut Rng, record: &mut R) -> Outcome {
        if let Some(outcome) = self.outcome(&state) {
            return outcome;
        }
        let (mut own, mut other, mut player) = (state.own, state.other, state.turn());
        loop {
            let mut landing = self.landing(own | other);
            let moves = landing.count_ones();
            if moves == 0 {
                return Outcome::Draw;
            }
            // The number of moves changes only when a column is full: counting outside of this
            // loop lets the processor draw the next numbers before it knows the stones.
            loop {
                let stone = C::nth_bit(landing, rng.below(moves));
                if R::WANTED {
                    let cell = self.cell_of_bit[stone.trailing_zeros() as usize & 63];
                    record.played(2 * usize::from(cell) + player.index());
                }
                own |= stone;
                if self.has_four(own) {
                    return Outcome::Win(player);
                }
                (own, other, player) = (other, own, player.other());
                if stone & self.top != 0 {
                    break;
                }
                landing = self.landing(own | other);
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
        let (landing, player) = (self.landing(state.own | state.other), state.turn());
        let best = cells::best_of_few(landing, &means.of(player.index())[64 * player.index()..]);
        let bit = usize::from(best.expect("the game goes on").0);
        Move(u16::from(self.cell_of_bit[bit & 63]) % self.columns as u16)
    }

    fn decisive_move(&self, state: &State, _: &[Move], rng: &mut Rng) -> Move {
        self.choose_decisive(state, rng)
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

impl Notation for ConnectFour {
    fn move_syntax(&self) -> String {
        let last = self.columns;
        let letter = (b'a' + last as u8 - 1) as char;
        format!("a column from \"1\" to \"{last}\" or \"a\" to \"{letter}\"")
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let board = Board::read(text, self.columns, self.rows, 0)?;
        board.check_turns(text)?;
        let cells = [Player::First, Player::Second].map(|player| {
            board.bits(player, |index| {
                let (column, row) = self.place(index);
                row * self.columns + column
            })
        });
        let stones = cells[0] | cells[1];
        let floating = stones & !(stones << self.columns | ((1 << self.columns) - 1));
        if floating != 0 {
            let cell = floating.trailing_zeros() as usize;
            let name = write_cell(cell % self.columns, cell / self.columns);
            return Err(ReadError::new(text, format!("the stone on {name} has nothing below it")));
        }
        let [own, other] = [board.turn, board.turn.other()].map(|player| {
            board.bits(player, |index| {
                let (column, row) = self.place(index);
                column * (self.rows + 1) + row
            })
        });
        if self.has_four(own) && self.has_four(other) {
            return Err(ReadError::new(text, "both players have four in a row"));
        }
        // The winner moved last.
        if self.has_four(own) {
            return Err(ReadError::new(text, "the side to move has four in a row already"));
        }
        Ok(State { own, other, cells })
    }

    fn write(&self, state: &State) -> String {
        write_board(self.columns, self.rows, state.turn(), |player, index| {
            let (column, row) = self.place(index);
            state.cells[player.index()] >> (row * self.columns + column) & 1 == 1
        })
    }

    fn find_move(&self, _state: &State, text: &str) -> Found {
        let named = |column: &usize| {
            let letter = (b'a' + *column as u8) as char;
            text == (column + 1).to_string() || text.eq_ignore_ascii_case(&letter.to_string())
        };
        match (0..self.columns).find(named) {
            Some(column) => Found::Move(Move(column as u16)),
            None => Found::Unreadable,
        }
    }

    fn write_move(&self, _state: &State, mv: Move) -> String {
        (mv.0 + 1).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two forms of the stones stay the same position, on boards that use the last bits too.
    #[test]
    fn a_played_state_is_the_state_that_its_text_describes() {
        for (columns, rows) in [(7, 6), (4, 4), (4, 13), (5, 11), (8, 7), (9, 6), (12, 4)] {
            let game = ConnectFour::new(columns, rows).unwrap();
            for index in 0..200 {
                let mut rng = Rng::stream(1, index);
                let (mut state, mut moves) = (game.start(), Vec::new());
                while game.outcome(&state).is_none() {
                    game.moves(&state, &mut moves);
                    game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
                    assert_eq!(game.read(&game.write(&state)), Ok(state));
                }
            }
        }
    }
}
