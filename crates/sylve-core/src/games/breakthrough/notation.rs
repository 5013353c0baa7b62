//! Text of Breakthrough positions and moves: `docs/games/breakthrough.md`.

use super::{Breakthrough, LEFT, RIGHT, STRAIGHT, State};
use crate::game::{Move, Player};
use crate::notation::{Board, Found, Notation, ReadError, read_cell, write_board, write_cell};

impl Notation for Breakthrough {
    fn move_syntax(&self) -> String {
        "a move such as \"a2-a3\", \"a2xb3\" or \"a2F\" (F, L or R)".into()
    }

    fn read(&self, text: &str) -> Result<State, ReadError> {
        let board = Board::read(text, self.columns, self.rows, 0)?;
        let players = [Player::First, Player::Second];
        let pawns = players.map(|player| board.bits(player, |index| self.cell(index)));
        let state = State { pawns, turn: board.turn };
        match self.problem(&state) {
            Some(problem) => Err(ReadError::new(text, problem)),
            None => Ok(state),
        }
    }

    fn write(&self, state: &State) -> String {
        write_board(self.columns, self.rows, state.turn, |player, index| {
            state.pawns[player.index()] >> self.cell(index) & 1 == 1
        })
    }

    fn find_move(&self, state: &State, text: &str) -> Found {
        if !text.is_ascii() || text.len() < 3 {
            return Found::Unreadable;
        }
        let text = text.to_ascii_lowercase();
        let (from, rest) = text.split_at(2);
        let Some((column, row)) = read_cell(from, self.columns, self.rows) else {
            return Found::Unreadable;
        };
        let first = state.turn == Player::First;
        let (direction, capture) = match rest {
            "f" => (STRAIGHT, false),
            // As the mover sees it: the second player looks down the board.
            "r" => (if first { RIGHT } else { LEFT }, false),
            "l" => (if first { LEFT } else { RIGHT }, false),
            _ => {
                let starred = rest.strip_suffix('*');
                let rest = starred.unwrap_or(rest);
                let crossed = rest.strip_prefix('x');
                let to = crossed.or(rest.strip_prefix('-')).unwrap_or(rest);
                let Some((to_column, to_row)) = read_cell(to, self.columns, self.rows) else {
                    return Found::Unreadable;
                };
                if to_row != if first { row + 1 } else { row.wrapping_sub(1) } {
                    return Found::NoSuchMove;
                }
                let direction = match (to_column + 1).checked_sub(column) {
                    Some(0) => LEFT,
                    Some(1) => STRAIGHT,
                    Some(2) => RIGHT,
                    _ => return Found::NoSuchMove,
                };
                (direction, starred.or(crossed).is_some())
            }
        };
        let mv = Move((direction * self.cells() + row * self.columns + column) as u16);
        // A name that says "capture" where there is none is no other name of the quiet move.
        if capture && !self.captures(state, mv) { Found::NoSuchMove } else { Found::Move(mv) }
    }

    fn write_move(&self, state: &State, mv: Move) -> String {
        let name = |cell| write_cell(cell % self.columns, cell / self.columns);
        let (_, from) = self.parts(mv);
        let to = self.target(state, mv).trailing_zeros() as usize;
        let sign = if self.captures(state, mv) { 'x' } else { '-' };
        format!("{}{sign}{}", name(from), name(to))
    }
}

impl Breakthrough {
    /// The cell of an index in a position text, which begins with the top row.
    fn cell(&self, index: usize) -> usize {
        (self.rows - 1 - index / self.columns) * self.columns + index % self.columns
    }

    /// Why no game has this position, if that is found out.
    fn problem(&self, state: &State) -> Option<String> {
        let counts = state.pawns.map(u64::count_ones);
        let most = 2 * self.columns as u32;
        let (turn, last) = (state.turn.index(), state.turn.other().index());
        let there = [0, 1].map(|player| (state.pawns[player] & self.far_row[player]).count_ones());
        if let Some(player) = [0, 1].into_iter().find(|&player| counts[player] > most) {
            let (count, stone) = (counts[player], ["x", "o"][player]);
            Some(format!("{count} {stone}, but a side has at most {most} pawns"))
        } else if counts == [0, 0] {
            Some("there is no pawn".into())
        } else if there[0] > 0 && there[1] > 0 {
            Some("both sides have a pawn on their far row".into())
        } else if there[turn] > 0 {
            Some("the side to move has a pawn on its far row: it has won already".into())
        } else if counts[last] == 0 {
            Some("the side to move has captured every pawn: it has won already".into())
        } else if there[last] > 1 {
            Some(format!("{} pawns on the far row, but the first one wins", there[last]))
        } else {
            let (first, second) =
                (self.made(state, Player::First), self.made(state, Player::Second));
            // The first player has made as many moves as the second, or one more.
            let low = first.0.max(second.0 + turn as i32);
            let high = first.1.min(second.1 + turn as i32);
            (low > high).then(|| {
                format!(
                    "x must have made {} to {} moves and o {} to {}: they have not taken turns",
                    first.0, first.1, second.0, second.1
                )
            })
        }
    }

    /// The fewest and the most moves that `player` can have made.
    fn made(&self, state: &State, player: Player) -> (i32, i32) {
        let (columns, rows) = (self.columns as i32, self.rows as i32);
        // A move is a step of one row, and at the start the rows of all pawns, counted from home,
        // sum up to `columns`.
        let mut steps = -columns;
        for row in 0..rows {
            let own_row = if player == Player::First { row } else { rows - 1 - row };
            let cells = ((1u64 << columns) - 1) << (own_row * columns);
            steps += row * (state.pawns[player.index()] & cells).count_ones() as i32;
        }
        let lost = |player: Player| 2 * columns - state.pawns[player.index()].count_ones() as i32;
        // Each lost pawn was captured on any row but the far one; each capture was a move.
        (steps.max(lost(player.other())), steps + lost(player) * (rows - 2))
    }
}
