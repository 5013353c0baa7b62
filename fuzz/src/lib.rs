//! What every fuzz target does: two functions, whatever the game.
//!
//! A target is one line, `position!("hex")` or `moves!("hex")`. Panics and hangs are found by the
//! fuzzer; the asserts below say what else must hold for every text.

pub use libfuzzer_sys;

use sylve_core::{AnyPosition, Rng, open};

/// Any text: it is refused, or it is a position in every respect.
pub fn position(start: &dyn AnyPosition, text: &str) {
    let Ok(position) = start.read(text) else { return };
    let written = position.write();
    let again = start.read(&written).unwrap_or_else(|error| panic!("{text:?} reads, but {error}"));
    assert_eq!(again.write(), written);
    assert_eq!(again.hash(), position.hash(), "{text:?} and {written:?} are one position");

    let moves = position.moves();
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{written:?}");
    assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{written:?}");

    let (_, codes) = position.traced_playout(1, 0);
    assert!(codes.len() <= position.max_plies(), "{written:?}: {} plies", codes.len());
    assert!(codes.iter().all(|&code| usize::from(code) < position.codes()), "{written:?}");
}

/// A number of random plies from the start, which of them, then any text as a move.
pub fn moves(start: &dyn AnyPosition, data: &[u8]) {
    let [plies, index, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut rng = Rng::stream(0, u64::from(*index));
    let mut played: Option<Box<dyn AnyPosition>> = None;
    for _ in 0..*plies {
        let position = played.as_deref().unwrap_or(start);
        let choices = position.playout_moves();
        if choices.is_empty() {
            break;
        }
        let mv = choices[rng.below(choices.len() as u32) as usize];
        played = Some(position.play(mv).expect("a move of the list is legal"));
    }
    let position = played.as_deref().unwrap_or(start);
    if let Ok(mv) = position.read_move(text) {
        assert!(position.is_legal(mv), "{text:?} in {:?}", position.write());
        let name = position.write_move(mv);
        assert_eq!(position.read_move(&name), Ok(mv), "{text:?} is {name:?}");
    }
}

/// The start of a game, opened once for each process.
pub fn start(game: &str) -> Box<dyn AnyPosition> {
    open(game).unwrap_or_else(|error| panic!("{error}"))
}

/// The target for the position texts of a game.
#[macro_export]
macro_rules! position {
    ($game:literal) => {
        static START: std::sync::LazyLock<Box<dyn sylve_core::AnyPosition>> =
            std::sync::LazyLock::new(|| $crate::start($game));
        $crate::libfuzzer_sys::fuzz_target!(|text: &str| $crate::position(&**START, text));
    };
}

/// The target for the move texts of a game.
#[macro_export]
macro_rules! moves {
    ($game:literal) => {
        static START: std::sync::LazyLock<Box<dyn sylve_core::AnyPosition>> =
            std::sync::LazyLock::new(|| $crate::start($game));
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::moves(&**START, data));
    };
}
