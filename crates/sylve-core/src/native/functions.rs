//! The C function of a game, method by method.
//!
//! Whoever makes [`Functions`] promises that the address is that of a function as `foreign.rs` wants
//! it, and that `keeper` keeps it in memory.

use super::state::State;
use crate::foreign::GameFunction;
use std::any::Any;

/// What the function can be asked for; the numbers are those of `python/sylve/native/wrapper.py`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as the methods of a game")]
pub enum Operation {
    Playout,
    Look,
    Turn,
    Play,
    Start,
    Code,
    Key,
    Kind,
    Evaluate,
    Adjudicate,
}

impl Operation {
    /// All, in order, by the names that Python has for them.
    pub const NAMES: [&'static str; 10] = [
        "playout",
        "look",
        "turn",
        "play",
        "start",
        "code",
        "key",
        "kind",
        "evaluate",
        "adjudicate",
    ];
}

/// An answer that the function does not give: it has changed the state that it was asked about.
pub const CHANGED: i64 = i64::MIN;

/// The rules of a game as one function.
pub struct Functions {
    run: GameFunction,
    /// The arguments of the game, which the function gets each time.
    arguments: Box<[u64]>,
    /// Room that it needs for a list of moves.
    max_moves: usize,
    _keeper: Box<dyn Any + Send + Sync>,
}

impl Functions {
    /// The function at this address, which lives as long as `keeper`; `None` if there is none.
    pub fn new(
        address: usize,
        arguments: Box<[u64]>,
        max_moves: usize,
        keeper: Box<dyn Any + Send + Sync>,
    ) -> Option<Functions> {
        let run = GameFunction::at(address)?;
        Some(Functions { run, arguments, max_moves, _keeper: keeper })
    }

    /// Does something to the state: `Start`, on zeros, or `Play`.
    pub fn change(&self, operation: Operation, state: &mut State, given: i64) -> i64 {
        self.call(operation, state, &mut 0, (&mut [], &mut []), given, 0)
    }

    /// Asks for a number.
    pub fn ask(&self, operation: Operation, state: &State, given: i64) -> i64 {
        self.unchanged(state, |copy| {
            self.call(operation, copy, &mut 0, (&mut [], &mut []), given, 0)
        })
    }

    /// The outcome in the two low bits, 0 while the game goes on; then the player to move in the next
    /// bit, and the number of legal moves in those above. The moves are written into `out`.
    ///
    /// One call, since a search wants all of this of every position. `copy` becomes the state.
    pub fn look(&self, state: &State, copy: &mut State, out: &mut Vec<i32>) -> i64 {
        out.resize(self.max_moves, -1);
        copy.copy_from(state);
        let answer = self.call(Operation::Look, copy, &mut 0, (out, &mut []), 0, 0);
        if copy == state { answer } else { CHANGED }
    }

    /// The game's own hash: whether it was found, and the hash.
    pub fn key(&self, state: &State) -> (i64, u64) {
        let mut hash = 0;
        let answer = self.unchanged(state, |copy| {
            self.call(Operation::Key, copy, &mut hash, (&mut [], &mut []), 0, 0)
        });
        (answer, hash)
    }

    /// Plays on at random for as many plies as `codes` has room; 0 if the game goes on after them.
    /// Writes the codes of the moves, each below `coded`; 0 if nobody wants them.
    pub fn playout(
        &self,
        state: &mut State,
        rng: &mut u64,
        room: &mut Vec<i32>,
        codes: &mut [i32],
        coded: usize,
    ) -> i64 {
        room.resize(self.max_moves, -1);
        let plies = codes.len() as i64;
        self.call(Operation::Playout, state, rng, (room, codes), plies, coded as i64)
    }

    fn call(
        &self,
        operation: Operation,
        state: &mut State,
        word: &mut u64,
        (moves, codes): (&mut [i32], &mut [i32]),
        given: i64,
        coded: i64,
    ) -> i64 {
        let (operation, state) = (operation as i64, state.words_mut());
        self.run.call(operation, &self.arguments, state, word, moves, codes, given, coded)
    }

    /// Calls with a copy of the state, which must stay as it is.
    #[inline(always)]
    fn unchanged(&self, state: &State, call: impl FnOnce(&mut State) -> i64) -> i64 {
        let mut copy = state.clone();
        let answer = call(&mut copy);
        if copy == *state { answer } else { CHANGED }
    }
}
