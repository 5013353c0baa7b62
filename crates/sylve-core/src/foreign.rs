//! Calls of C functions through their addresses: the one place besides `cpu.rs` with `unsafe`.
//!
//! Whoever makes one of these promises that the address is that of a function with the parameters
//! below, that it stays in memory as long as it is called, and that it writes only where it is told
//! to. `sylve.native` compiles such functions, with their bounds checked.

#![expect(unsafe_code, reason = "calling a function that was compiled elsewhere")]

use std::mem::transmute;

/// operation, arguments of the game, state, one word, room for moves, room for codes, a number, and
/// how many codes there are.
type GameRun =
    unsafe extern "C" fn(i64, *const u64, *mut u64, *mut u64, *mut i32, *mut i32, i64, i64) -> i64;

/// operation, arguments of the part, a number, how many moves there are, their tallies, other
/// numbers of theirs, one word, and room for a number for each move.
type PartRun = unsafe extern "C" fn(
    i64,
    *const u64,
    i64,
    i64,
    *const i64,
    *const i64,
    *mut u64,
    *mut f64,
) -> i64;

/// The rules of a game as one function.
#[derive(Clone, Copy)]
pub struct GameFunction(GameRun);

impl GameFunction {
    /// The function at this address; `None` if there is none.
    pub fn at(address: usize) -> Option<GameFunction> {
        // SAFETY: the address is that of such a function (see above); `Option` of it is zero if there
        // is none.
        unsafe { transmute::<usize, Option<GameRun>>(address) }.map(GameFunction)
    }

    /// Asks it. It may write to the whole state, to the word, and to so many moves and codes as the
    /// operation says: the slices must be that long.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "those of the function")]
    pub fn call(
        self,
        operation: i64,
        arguments: &[u64],
        state: &mut [u64],
        word: &mut u64,
        moves: &mut [i32],
        codes: &mut [i32],
        given: i64,
        coded: i64,
    ) -> i64 {
        // SAFETY: the function writes only to the state, which has as many words as it knows; to the
        // word; for `Look` and `Playout`, to `max_moves` numbers of `moves`; for `Playout`, to
        // `given` numbers of `codes`: so long these slices are (see `native/functions.rs`).
        unsafe {
            (self.0)(
                operation,
                arguments.as_ptr(),
                state.as_mut_ptr(),
                word,
                moves.as_mut_ptr(),
                codes.as_mut_ptr(),
                given,
                coded,
            )
        }
    }
}

/// A rule, a schedule or a policy as one function.
#[derive(Clone, Copy)]
pub struct PartFunction(PartRun);

impl PartFunction {
    /// The function at this address; `None` if there is none.
    pub fn at(address: usize) -> Option<PartFunction> {
        // SAFETY: as above.
        unsafe { transmute::<usize, Option<PartRun>>(address) }.map(PartFunction)
    }

    /// Asks it about so many moves. It reads as much of `own` and `other` as the operation says, and
    /// writes to the word and to `count` numbers of `out`, if it has any.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "those of the function")]
    pub fn call(
        self,
        operation: i64,
        arguments: &[u64],
        total: i64,
        count: usize,
        own: &[i64],
        other: &[i64],
        word: &mut u64,
        out: &mut [f64],
    ) -> i64 {
        // SAFETY: the function reads three numbers of `own` for each move, if there are tallies, and
        // of `other` three or two; it writes to `out` where it gives numbers: so long these slices
        // are (see `search/own.rs`).
        unsafe {
            (self.0)(
                operation,
                arguments.as_ptr(),
                total,
                count as i64,
                own.as_ptr(),
                other.as_ptr(),
                word,
                out.as_mut_ptr(),
            )
        }
    }
}
