//! Text of Go positions and moves: `docs/games/go.md`.

use super::bits::Bits;
use super::rules::{Go, NO_MOVE, State};
use crate::game::Move;
use crate::notation::{Board, Found, Notation, ReadError, quote, write_board};

/// The columns of GTP: there is no I.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRST";

/// Reads `D4` or `d4` on a board of this size.
fn read_point(text: &str, size: usize) -> Option<usize> {
    let (letter, number) = text.split_at_checked(1)?;
    let column = LETTERS.iter().position(|l| letter.as_bytes()[0].eq_ignore_ascii_case(l))?;
    // No sign, no leading zero: `parse` alone would accept both.
    if !matches!(number.as_bytes(), [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']) {
        return None;
    }
    let row = number.parse::<usize>().ok()? - 1;
    (column < size && row < size).then_some(row * size + column)
}

fn write_point(cell: usize, size: usize) -> String {
    format!("{}{}", LETTERS[cell % size] as char, cell / size + 1)
}

impl<const WORDS: usize, const POINTS: usize> Go<WORDS, POINTS> {
    /// The first cell of a stone whose chain has no liberty.
    fn dead_stone(&self, state: &State<WORDS>) -> Option<usize> {
        let empty = self.empty(state);
        let alive = state
            .stones
            .map(|own| self.shape.flood(self.shape.near(empty) & own, own))
            .into_iter()
            .fold(Bits::NONE, |all, own| all | own);
        (self.shape.full & !empty & !alive).cells().next()
    }

    /// Whether the side to move could just have lost a stone on `cell` to a ko: enemy stones all
    /// around, of which exactly one stands alone with no other liberty, and no other chain is in atari.
    fn could_be_ko(&self, state: &State<WORDS>, cell: usize) -> bool {
        let point = Bits::one(cell);
        let empty = self.empty(state);
        let enemy = state.stones[state.turn.other().index()];
        let near = self.shape.near(point);
        if !empty.has(cell) || !(near & !enemy).is_empty() {
            return false;
        }
        let mut atari = Bits::NONE;
        for next in near.cells() {
            let stone = Bits::one(next);
            if !self.lives(stone, enemy, empty & !point) {
                atari = atari | self.shape.flood(stone, enemy);
            }
        }
        atari.count() == 1
    }
}

impl<const WORDS: usize, const POINTS: usize> Notation for Go<WORDS, POINTS> {
    fn move_syntax(&self) -> String {
        let size = self.shape.size;
        format!(
            "a point from \"A1\" (bottom left) to \"{}\" (no I), or \"pass\"",
            write_point(size * size - 1, size)
        )
    }

    fn read(&self, text: &str) -> Result<State<WORDS>, ReadError> {
        let size = self.shape.size;
        let error = |problem: String| Err(ReadError::new(text, problem));
        let board = Board::read(text, size, size, 2)?;
        let mut stones = [Bits::NONE; 2];
        for (index, cell) in board.cells.iter().enumerate() {
            if let Some(player) = cell {
                // The text begins with the top row, the cells with the bottom one.
                stones[player.index()].insert((size - 1 - index / size) * size + index % size);
            }
        }
        let mut state = State { stones, turn: board.turn, ko: None, passes: 0, last: [NO_MOVE; 2] };
        if let Some(cell) = self.dead_stone(&state) {
            return error(format!("the stone on {} has no liberty", write_point(cell, size)));
        }
        state.passes = match board.extra.get(1).map(String::as_str) {
            None | Some("0") => 0,
            Some("1") => 1,
            Some("2") => 2,
            Some(word) => {
                return error(format!("expected 0, 1 or 2 passes, found {}", quote(word)));
            }
        };
        let word = board.extra.first().map_or("-", String::as_str);
        if word == "-" {
            return Ok(state);
        }
        let Some(cell) = read_point(word, size) else {
            return error(format!(
                "expected a ko point such as 'D4', or '-', found {}",
                quote(word)
            ));
        };
        if !self.could_be_ko(&state, cell) {
            return error(format!(
                "no stone can just have been taken in a ko on {}",
                write_point(cell, size)
            ));
        }
        if state.passes > 0 {
            return error("a pass ends a ko: expected '-' or 0 passes".into());
        }
        state.ko = Some(cell as u16);
        Ok(state)
    }

    fn write(&self, state: &State<WORDS>) -> String {
        let size = self.shape.size;
        let rows = write_board(size, size, state.turn, |player, index| {
            let cell = (size - 1 - index / size) * size + index % size;
            state.stones[player.index()].has(cell)
        });
        let ko = state.ko.map_or("-".into(), |cell| write_point(cell.into(), size));
        format!("{rows} {ko} {}", state.passes)
    }

    fn find_move(&self, _state: &State<WORDS>, text: &str) -> Found {
        if text.eq_ignore_ascii_case("pass") {
            return Found::Move(Move(self.pass() as u16));
        }
        match read_point(text, self.shape.size) {
            Some(cell) => Found::Move(Move(cell as u16)),
            None => Found::Unreadable,
        }
    }

    fn write_move(&self, _state: &State<WORDS>, mv: Move) -> String {
        let cell = usize::from(mv.0);
        if cell == self.pass() { "pass".into() } else { write_point(cell, self.shape.size) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SmallGo;
    use super::*;
    use crate::game::Game;

    /// The number of boards on which every stone has a liberty: https://oeis.org/A094777.
    #[test]
    fn legal_positions() {
        for (size, count) in [(2, 57), (3, 12_675), (4, 24_318_165)] {
            let game = SmallGo::new(size, 7.5);
            assert_eq!(legal_boards(&game, &mut game.start(), 0), count);
        }
    }

    fn legal_boards(game: &SmallGo, state: &mut State<2>, cell: usize) -> u64 {
        if cell == game.pass() {
            return u64::from(game.dead_stone(state).is_none());
        }
        let before = *state;
        let mut count = legal_boards(game, state, cell + 1);
        for player in 0..2 {
            state.stones[player].insert(cell);
            count += legal_boards(game, state, cell + 1);
            *state = before;
        }
        count
    }
}
