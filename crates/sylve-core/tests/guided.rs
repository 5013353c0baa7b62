//! Playouts by a policy: what a game does fast is what the plain definition does, draw by draw.

use sylve_core::cpu::{self, Cpu, Work};
use sylve_core::game::{best_by_code, no_means, try_decisive};
use sylve_core::games::breakthrough::Breakthrough;
use sylve_core::games::connect_four::ConnectFour;
use sylve_core::games::go::{Go, LargeGo, SmallGo, State};
use sylve_core::games::hex::Hex;
use sylve_core::games::othello::Othello;
use sylve_core::games::tic_tac_toe::TicTacToe;
use sylve_core::guide::{Chances, Guide};
use sylve_core::means::{Means, is_random};
use sylve_core::{Game, Move, Notation, Outcome, Rng, play_to_the_end};

type Played = (Outcome, Vec<u16>, Rng);

/// A playout by the game's own way.
struct Fast<'a, G: Game>(&'a G, &'a G::State, Rng, bool);

impl<G: Game> Work for Fast<'_, G> {
    type Output = Played;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Played {
        let Fast(game, state, mut rng, decisive) = self;
        let mut codes = Vec::new();
        let outcome = if decisive {
            game.decisive_playout::<C, _>(state.clone(), &mut rng, &mut codes)
        } else {
            game.bridge_playout::<C, _>(state.clone(), &mut rng, &mut codes)
        };
        (outcome, codes, rng)
    }
}

/// The same by trying every move and reply.
fn tried<G: Game>(game: &G, state: &G::State, mut rng: Rng) -> Played {
    let mut codes = Vec::new();
    let outcome = play_to_the_end(game, state.clone(), &mut codes, |state, moves| {
        try_decisive(game, state, moves, &mut rng)
    });
    (outcome, codes, rng)
}

fn same_decisive<G: Game>(game: &G, state: &G::State, seed: u64) {
    let rng = Rng::stream(seed, 1);
    let expected = tried(game, state, rng.clone());
    assert_eq!(cpu::run(Fast(game, state, rng.clone(), true)), expected, "{state:?}");
    assert_eq!(Fast(game, state, rng, true).run::<cpu::Portable>(), expected, "{state:?}");
    let mut moves = Vec::new();
    game.playout_moves(state, &mut moves);
    if game.outcome(state).is_none() {
        for index in 0..3 {
            let (mut one, mut other) = (Rng::stream(seed, index), Rng::stream(seed, index));
            let expected = try_decisive(game, state, &moves, &mut one);
            assert_eq!(game.decisive_move(state, &moves, &mut other), expected, "{state:?}");
            assert_eq!(one, other);
        }
    }
}

/// All positions of so many random games.
fn positions<G: Game>(game: &G, games: u64, mut check: impl FnMut(&G::State, u64)) {
    let mut moves = Vec::new();
    for index in 0..games {
        let (mut state, mut rng) = (game.start(), Rng::stream(5, index));
        for ply in 0..game.max_plies() as u64 {
            check(&state, 1000 * index + ply);
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

fn decisive<G: Game>(game: &G, games: u64) {
    positions(game, games, |state, seed| same_decisive(game, state, seed));
}

#[test]
fn decisive_in_breakthrough() {
    for (columns, rows) in [(8, 8), (5, 5), (6, 6), (2, 4), (3, 7), (8, 4), (7, 5)] {
        decisive(&Breakthrough::new(columns, rows), if columns * rows > 30 { 4 } else { 40 });
    }
}

/// Few pawns, anywhere: the last one of a side may be taken.
#[test]
fn decisive_in_breakthrough_with_few_pawns() {
    for (columns, rows) in [(4, 5), (2, 4), (8, 8), (3, 6)] {
        let game = Breakthrough::new(columns, rows);
        for seed in 0..3000 {
            let mut rng = Rng::stream(9, seed);
            let mut cells = vec!['.'; columns * rows];
            for (pawn, home) in [('x', rows - 1), ('o', 0)] {
                for _ in 0..1 + rng.below(3) {
                    // Not on the row that it wants to reach: the first row of the text is the last.
                    let cell = rng.below((columns * rows) as u32) as usize;
                    if cell / columns != rows - 1 - home {
                        cells[cell] = pawn;
                    }
                }
            }
            let text: Vec<String> = cells.chunks(columns).map(|row| row.iter().collect()).collect();
            let text = format!("{} {}", text.join("/"), if seed % 2 == 0 { 'x' } else { 'o' });
            if let Ok(state) = game.read(&text) {
                same_decisive(&game, &state, seed);
            }
        }
    }
}

#[test]
fn decisive_in_connect_four() {
    for (columns, rows) in [(7, 6), (4, 4), (8, 7), (9, 6), (12, 4), (4, 13)] {
        decisive(&ConnectFour::new(columns, rows).unwrap(), 40);
    }
}

#[test]
fn decisive_in_tic_tac_toe() {
    decisive(&TicTacToe, 200);
}

#[test]
fn decisive_in_othello() {
    decisive(&Othello::<4>, 150);
    decisive(&Othello::<6>, 15);
    decisive(&Othello::<8>, 2);
}

#[test]
fn decisive_in_hex() {
    for size in 2..=6 {
        decisive(&Hex::<1>::new(size, false), 60 / size as u64);
    }
    decisive(&Hex::<1>::new(4, true), 20);
    decisive(&Hex::<2>::new(6, false), 5);
    decisive(&Hex::<2>::new(9, false), 1);
}

#[test]
fn decisive_in_go() {
    for size in 2..=5 {
        decisive(&SmallGo::new(size, 0.5), 20);
    }
    decisive(&SmallGo::new(7, 7.5), 2);
    decisive(&LargeGo::new(4, 0.0), 10);
}

fn same_bridges<const W: usize>(size: usize, games: u64) {
    let game = Hex::<W>::new(size, false);
    positions(&game, games, |state, seed| {
        let rng = Rng::stream(seed, 1);
        let mut own = rng.clone();
        let (mut codes, mut saving) = (Vec::new(), Vec::new());
        let outcome = play_to_the_end(&game, *state, &mut codes, |state, moves| {
            game.bridge_moves(state, &mut saving);
            let among: &[Move] = if saving.is_empty() { moves } else { &saving };
            among[own.below(among.len() as u32) as usize]
        });
        assert_eq!(cpu::run(Fast(&game, state, rng, false)), (outcome, codes, own));
    });
}

#[test]
fn bridges_in_hex() {
    for size in 2..=8 {
        same_bridges::<1>(size, 20);
    }
    same_bridges::<2>(11, 3);
    same_bridges::<6>(19, 1);
}

struct Mast<'a, G: Game>(&'a G, &'a G::State, &'a mut Means, Rng);

impl<G: Game> Work for Mast<'_, G> {
    type Output = Played;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Played {
        let Mast(game, state, means, mut rng) = self;
        let mut codes = Vec::new();
        let outcome = game.mast_playout::<C, _>(state.clone(), 0.4, means, &mut rng, &mut codes);
        (outcome, codes, rng)
    }
}

/// Means of few values: many are equal, some only in single precision.
fn some_means<G: Game>(game: &G, seed: u64) -> Means {
    let (mut means, mut rng) = (no_means(game), Rng::stream(seed, 7));
    for code in 0..game.codes() {
        let mean = match rng.below(6) {
            0 => 0.0,
            1 => 1.0,
            2 => 0.7,
            3 => 0.7 + 1e-12,
            4 => f64::from(rng.below(1000)) / 1000.0,
            _ => continue,
        };
        means.set(code, [mean, 1.0 - mean]);
    }
    means
}

fn same_mast<G: Game>(game: &G, games: u64) {
    positions(game, games, |state, seed| {
        let (mut means, rng) = (some_means(game, seed), Rng::stream(seed, 2));
        let (mut own, mut codes) = (rng.clone(), Vec::new());
        let outcome = play_to_the_end(game, state.clone(), &mut codes, |state, moves| {
            if is_random(0.4, &mut own) {
                moves[own.below(moves.len() as u32) as usize]
            } else {
                best_by_code(game, state, &means, moves)
            }
        });
        let expected = (outcome, codes, own);
        assert_eq!(cpu::run(Mast(game, state, &mut means, rng.clone())), expected, "{state:?}");
        assert_eq!(
            Mast(game, state, &mut means, rng).run::<cpu::Portable>(),
            expected,
            "{state:?}"
        );
    });
}

#[test]
fn mast_in_every_game() {
    same_mast(&TicTacToe, 50);
    for (columns, rows) in [(8, 8), (5, 5), (2, 4), (3, 7)] {
        same_mast(&Breakthrough::new(columns, rows), 10);
    }
    for (columns, rows) in [(7, 6), (4, 4), (8, 7), (12, 4)] {
        same_mast(&ConnectFour::new(columns, rows).unwrap(), 10);
    }
    same_mast(&Othello::<4>, 20);
    same_mast(&Othello::<8>, 3);
    same_mast(&Hex::<1>::new(5, true), 10);
    same_mast(&Hex::<2>::new(11, false), 2);
    same_mast(&Hex::<6>::new(14, false), 1);
    for size in [2, 3, 5, 9] {
        same_mast(&SmallGo::new(size, 0.5), 2);
    }
    same_mast(&LargeGo::new(13, 7.5), 1);
}

struct Guided<'a, G: Game>(&'a G, &'a G::State, Guide, Rng);

impl<G: Game> Work for Guided<'_, G> {
    type Output = Played;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Played {
        let Guided(game, state, guide, mut rng) = self;
        let mut codes = Vec::new();
        let outcome = game.guided_playout::<C, _>(state.clone(), guide, &mut rng, &mut codes);
        (outcome, codes, rng)
    }
}

const GUIDES: [Guide; 4] = [
    Guide::Mogo,
    Guide::Local(Chances { save: 0.9, pattern: 0.95, capture: 0.9, refuse: 0.9 }),
    Guide::Local(Chances { save: 0.5, pattern: 0.0, capture: 1.0, refuse: 0.2 }),
    Guide::Local(Chances { save: 0.0, pattern: 1.0, capture: 0.0, refuse: 1.0 }),
];

/// A whole playout is one move after another, each chosen on a board that knows nothing of the moves
/// before but the last two; and every move is one of the playout's, or the pass of a player who refuses
/// what is left.
fn same_guided<const W: usize, const P: usize>(size: usize, games: u64)
where
    Go<W, P>: Game<State = State<W>>,
{
    let game = Go::<W, P>::new(size, 0.5);
    let pass = Move((size * size) as u16);
    positions(&game, games, |state, seed| {
        let guide = GUIDES[seed as usize % GUIDES.len()];
        let (rng, mut allowed) = (Rng::stream(seed, 3), Vec::new());
        let (mut own, mut codes) = (rng.clone(), Vec::new());
        let outcome = play_to_the_end(&game, *state, &mut codes, |state, moves| {
            let mv = game.guided_move(state, moves, guide, &mut own);
            game.playout_moves(state, &mut allowed);
            assert!(allowed.contains(&mv) || guide != Guide::Mogo && mv == pass, "{state:?}");
            mv
        });
        let expected = (outcome, codes, own);
        assert_eq!(cpu::run(Guided(&game, state, guide, rng.clone())), expected, "{state:?}");
        assert_eq!(Guided(&game, state, guide, rng).run::<cpu::Portable>(), expected, "{state:?}");
    });
}

#[test]
fn guided_in_go() {
    for size in 2..=7 {
        same_guided::<2, 256>(size, 6);
    }
    same_guided::<2, 256>(9, 1);
    same_guided::<6, 512>(5, 3);
    same_guided::<6, 512>(13, 1);
}
