use super::*;
use crate::cpu::{self, Portable, Work};

/// Plays one simulation as [`Game::playout`] is specified, from the lists of moves.
fn plain_playout(game: &Breakthrough, mut state: State, rng: &mut Rng) -> (Outcome, Vec<u16>) {
    let (mut moves, mut codes) = (Vec::new(), Vec::new());
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return (outcome, codes);
        }
        game.moves(&state, &mut moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        codes.push(game.code(&state, mv) as u16);
        game.play(&mut state, mv);
    }
}

struct Playout<'a>(&'a Breakthrough, State, u64);

impl Work for Playout<'_> {
    type Output = (Outcome, Vec<u16>, Rng, Rng);
    #[inline(always)]
    fn run<C: Cpu>(self) -> Self::Output {
        let Playout(game, state, index) = self;
        let (mut traced, mut plain) = (Rng::stream(1, index), Rng::stream(1, index));
        let mut codes = Vec::new();
        let outcome = game.playout::<C, _>(state, &mut traced, &mut codes);
        assert_eq!(game.playout::<C, ()>(state, &mut plain, &mut ()), outcome);
        (outcome, codes, traced, plain)
    }
}

/// The same game, the same codes and the same number of draws, on every processor level.
#[test]
fn playouts_are_those_of_the_lists() {
    for (columns, rows) in [(2, 4), (3, 7), (5, 5), (8, 4), (8, 8)] {
        let game = Breakthrough::new(columns, rows);
        let mut after_one = game.start();
        // a2 to the right: also on four rows, where every straight step is blocked.
        game.play(&mut after_one, Move((columns * rows + columns) as u16));
        for index in 0..300 {
            let state = [game.start(), after_one][index as usize % 2];
            let mut rng = Rng::stream(1, index);
            let (outcome, codes) = plain_playout(&game, state, &mut rng);
            assert!(codes.len() <= game.max_plies());
            let expected = (outcome, codes, rng.clone(), rng);
            assert_eq!(Playout(&game, state, index).run::<Portable>(), expected);
            assert_eq!(cpu::run(Playout(&game, state, index)), expected);
        }
    }
}

#[test]
#[should_panic(expected = "9 x 8")]
fn a_word_holds_64_cells() {
    Breakthrough::new(9, 8);
}
