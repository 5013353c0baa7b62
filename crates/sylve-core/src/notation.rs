//! Text of positions and moves, apart from the rules. The formats are in `docs/spec.md`.

use crate::game::{Game, Move, Player};
use std::fmt;

/// A game whose positions and moves can be read and written.
pub trait Notation: Game {
    /// What a move looks like, for error messages: `a cell such as "d3"`.
    fn move_syntax(&self) -> String;

    /// Reads a position; `read(&write(p)) == p`.
    fn read(&self, text: &str) -> Result<Self::State, ReadError>;

    /// Writes a position.
    fn write(&self, state: &Self::State) -> String;

    /// Finds the move that `text` names, by syntax alone: whether it is legal is asked later.
    fn find_move(&self, state: &Self::State, text: &str) -> Found;

    /// The name of a move.
    fn write_move(&self, state: &Self::State, mv: Move) -> String;

    /// Reads a move and checks that it is legal.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<Move, MoveError> {
        match self.find_move(state, text.trim_matches(BLANKS)) {
            Found::Move(mv) if self.is_legal(state, mv) => Ok(mv),
            Found::Unreadable => {
                Err(MoveError::Unreadable { text: quote(text), allowed: self.move_syntax() })
            }
            _ => {
                let mut moves = Vec::new();
                self.moves(state, &mut moves);
                let legal = moves.iter().map(|&mv| self.write_move(state, mv)).collect();
                Err(MoveError::Illegal { text: quote(text), legal })
            }
        }
    }
}

/// What [`Notation::find_move`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// This move, legal or not.
    Move(Move),
    /// Well-formed, but no move of this game could be meant (`a2-a7` in Breakthrough).
    NoSuchMove,
    /// Not a move in any form that the game accepts.
    Unreadable,
}

/// A position that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    text: String,
    problem: String,
}

impl ReadError {
    /// `problem` says what was found and what was allowed.
    pub fn new(text: &str, problem: impl Into<String>) -> ReadError {
        ReadError { text: quote(text), problem: problem.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid position {}: {}", self.text, self.problem)
    }
}

impl std::error::Error for ReadError {}

/// A move that could not be read or may not be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text is not a move.
    Unreadable {
        /// The text, quoted.
        text: String,
        /// What would have been a move.
        allowed: String,
    },
    /// The move is against the rules here.
    Illegal {
        /// The text, quoted.
        text: String,
        /// The names of the legal moves; empty once the game is over.
        legal: Vec<String>,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable { text, allowed } => {
                write!(f, "invalid move {text}: expected {allowed}")
            }
            MoveError::Illegal { text, legal } if legal.is_empty() => {
                write!(f, "illegal move {text}: the game is over")
            }
            MoveError::Illegal { text, legal } => {
                let shown = legal.iter().take(12).cloned().collect::<Vec<_>>().join(" ");
                let more = if legal.len() > 12 { " ..." } else { "" };
                write!(f, "illegal move {text}: legal here: {shown}{more}")
            }
        }
    }
}

impl std::error::Error for MoveError {}

/// `text` in quotes, cut to what fits in a message.
pub fn quote(text: &str) -> String {
    let shown: String = text.chars().take(100).collect();
    let more = if text.chars().nth(100).is_some() { "..." } else { "" };
    format!("{shown:?}{more}")
}

/// What separates words, in both languages.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The words of a text, between blanks.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(BLANKS).filter(|word| !word.is_empty())
}

/// The part of a position text that all games share: rows, side to move, then what a game adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The cells, top row first, left to right.
    pub cells: Vec<Option<Player>>,
    /// The side to move.
    pub turn: Player,
    /// The words after the side to move.
    pub extra: Vec<String>,
}

impl Board {
    /// Reads `rows` rows of `columns` cells (`x`, `o`, `.`), joined by `/`, a blank, `x` or `o`.
    pub fn read(text: &str, columns: usize, rows: usize, extra: usize) -> Result<Board, ReadError> {
        let error = |problem: String| ReadError::new(text, problem);
        let mut words = words(text);
        let board = words.next().unwrap_or("");
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != rows {
            return Err(error(format!(
                "expected {rows} rows joined by '/', found {}",
                lines.len()
            )));
        }
        let mut cells = Vec::with_capacity(columns * rows);
        for (row, line) in lines.iter().enumerate() {
            if line.chars().count() != columns {
                return Err(error(format!(
                    "expected {columns} cells in each row, found {} in row {} from the top",
                    line.chars().count(),
                    row + 1
                )));
            }
            for cell in line.chars() {
                cells.push(match cell {
                    'x' => Some(Player::First),
                    'o' => Some(Player::Second),
                    '.' => None,
                    other => {
                        return Err(error(format!(
                            "expected cells 'x', 'o' or '.', found {other:?}"
                        )));
                    }
                });
            }
        }
        let turn = match words.next() {
            Some("x") => Player::First,
            Some("o") => Player::Second,
            Some(word) => {
                return Err(error(format!(
                    "expected the side to move, 'x' or 'o', found {}",
                    quote(word)
                )));
            }
            None => {
                return Err(error("expected the side to move, 'x' or 'o', after the rows".into()));
            }
        };
        let rest: Vec<String> = words.map(str::to_owned).collect();
        if rest.len() > extra {
            return Err(error(format!("unexpected {} at the end", quote(&rest[extra]))));
        }
        Ok(Board { cells, turn, extra: rest })
    }

    /// The set of one player's cells, each mapped from its index in the text to a bit.
    pub fn bits(&self, player: Player, bit: impl Fn(usize) -> usize) -> u64 {
        let mut set = 0;
        for (index, &cell) in self.cells.iter().enumerate() {
            if cell == Some(player) {
                set |= 1 << bit(index);
            }
        }
        set
    }

    /// Refuses a board on which the players cannot have added stones in turns.
    pub fn check_turns(&self, text: &str) -> Result<(), ReadError> {
        let [first, second] = [Player::First, Player::Second]
            .map(|player| self.cells.iter().filter(|&&cell| cell == Some(player)).count());
        if first == second + self.turn.index() {
            return Ok(());
        }
        let problem = "do not fit the side to move (x moves first)";
        Err(ReadError::new(text, format!("{first} x and {second} o {problem}")))
    }
}

/// Writes rows and side to move, the inverse of [`Board::read`]. `has`: whether a
/// player has the cell with this index in the text.
pub fn write_board(
    columns: usize,
    rows: usize,
    turn: Player,
    has: impl Fn(Player, usize) -> bool,
) -> String {
    let mut text = String::with_capacity((columns + 1) * rows + 2);
    for row in 0..rows {
        if row > 0 {
            text.push('/');
        }
        for column in 0..columns {
            let index = row * columns + column;
            text.push(match [Player::First, Player::Second].map(|player| has(player, index)) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            });
        }
    }
    text.push(' ');
    text.push(if turn == Player::First { 'x' } else { 'o' });
    text
}

/// Reads a cell name, a letter for the column and a number from 1: `(column, number - 1)`.
///
/// `None` if it is not of that form or off a board of `columns` x `rows`. Upper case is accepted.
pub fn read_cell(text: &str, columns: usize, rows: usize) -> Option<(usize, usize)> {
    let letter = text.chars().next()?.to_ascii_lowercase();
    let number = &text[letter.len_utf8()..];
    if !letter.is_ascii_lowercase() || number.starts_with('0') {
        return None;
    }
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let column = usize::from(letter as u8 - b'a');
    let row: usize = number.parse().ok()?;
    (column < columns && row <= rows).then(|| (column, row - 1))
}

/// The move to a cell, where moves are cells, row after row from a1.
pub fn find_cell(text: &str, columns: usize, rows: usize) -> Found {
    match read_cell(text, columns, rows) {
        Some((column, row)) => Found::Move(Move((row * columns + column) as u16)),
        None => Found::Unreadable,
    }
}

/// Writes a cell name: `write_cell(2, 0)` is `c1`.
pub fn write_cell(column: usize, row: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}
