//! One thread finds what the serial search finds; several lose nothing.

use super::super::any_searcher::AnySearcher;
use super::super::bytes::{Reader, Writer};
use super::super::config::{
    Algorithm, Config, Formula, Policy, Rule, Schedule, TreeConfig, Update,
};
use super::super::judging::Judgement;
use super::super::report::{MoveNumbers, Numbers};
use super::super::searcher::Searcher;
use super::*;
use crate::evaluate::Evaluate;
use crate::game::{Game, Move};
use crate::games::breakthrough::Breakthrough;
use crate::games::connect_four::ConnectFour;
use crate::games::go::SmallGo;
use crate::games::othello::Othello;
use crate::games::tic_tac_toe::TicTacToe;
use crate::turns::Turns;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn formulas() -> Vec<Formula> {
    vec![
        Formula::Uct(Rule::Ucb1 { c: 0.4 }),
        Formula::Uct(Rule::Tuned { c: 1.0, simple: false }),
        Formula::Uct(Rule::Bayes { wins: 1.0, losses: 1.0 }),
        Formula::Amaf { alpha: 0.5, c: 0.4 },
        Formula::Rave { schedule: Schedule::Slides { b: 1e-5 }, c: 0.0 },
        Formula::Rave { schedule: Schedule::Mse, c: 0.2 },
        Formula::Grave { schedule: Schedule::Bias { b: 0.1 }, c: 0.0, reference: 20 },
        Formula::Grave { schedule: Schedule::Slides { b: 1e-5 }, c: 0.0, reference: 0 },
    ]
}

fn config(formula: Formula, update: Update, transpositions: bool, solver: bool) -> Config {
    let how = TreeConfig { update, transpositions, solver, ..TreeConfig::new(formula) };
    let algorithm = Algorithm::Tree(how);
    Config { algorithm, policy: Policy::Uniform, seed: 7 }
}

/// The same search with results that are estimates.
fn estimating(mut config: Config) -> Config {
    let judgement = Judgement { evaluation: 0, scale: 2000.0 };
    config.policy = Policy::Cut { plies: 2, judgement, then: Box::new(Policy::Uniform) };
    if let Algorithm::Tree(how) = &mut config.algorithm {
        how.counting = config.policy.counting();
    }
    config
}

/// Wins and losses, and estimates.
fn both(config: Config) -> [Config; 2] {
    [config.clone(), estimating(config)]
}

fn start<G: Game>(game: &G) -> (G::State, Vec<Move>) {
    let (state, mut moves) = (game.start(), Vec::new());
    game.moves(&state, &mut moves);
    (state, moves)
}

fn one_thread_is_the_serial_search<G: Evaluate>(game: G, simulations: u64) {
    let game = Arc::new(game);
    let (state, moves) = start(&*game);
    for formula in formulas() {
        let all = [
            (Update::Course, true, false),
            (Update::Suffix, true, true),
            (Update::Suffix, false, true),
        ];
        let config = |(update, transpositions, solver)| {
            both(config(formula.clone(), update, transpositions, solver))
        };
        for config in all.into_iter().flat_map(config) {
            let mut serial =
                Searcher::new(Arc::clone(&game), state.clone(), moves.clone(), config.clone());
            serial.run(simulations, &GO_ON);
            let expected = serial.numbers();
            let mut search =
                SharedTreeSearcher::new(&game, state.clone(), moves.clone(), &config, 1);
            search.run(simulations / 3, &GO_ON);
            search.run(simulations - simulations / 3, &GO_ON);
            let mut numbers = search.numbers();
            numbers.bytes = expected.bytes;
            assert_eq!(numbers, expected, "{config:?}");
            assert_eq!(search.proof(), serial.proof());
            for depth in 0..=expected.line.len() {
                let path = &expected.line[..depth];
                assert_eq!(search.look(path), serial.look(path), "{formula:?} {path:?}");
            }
            let mut after = state.clone();
            game.play(&mut after, expected.line[0]);
            let mut moves = Vec::new();
            game.moves(&after, &mut moves);
            search.advance(expected.line[0], moves.clone());
            serial.advance(expected.line[0], moves);
            assert_eq!(search.numbers().moves, serial.numbers().moves, "{formula:?}");
            let (mut file, mut other) = (Writer::default(), Writer::default());
            search.save(&mut file);
            serial.save(&mut other);
            assert_eq!(file.bytes, other.bytes, "{config:?}");
        }
    }
}

#[test]
fn one_thread_is_the_serial_search_on_every_kind_of_game() {
    one_thread_is_the_serial_search(TicTacToe, 3000); // draws, and the whole tree
    one_thread_is_the_serial_search(Breakthrough::new(5, 5), 3000);
    one_thread_is_the_serial_search(ConnectFour::new(7, 6).unwrap(), 2000);
    one_thread_is_the_serial_search(Othello::<4>, 1000);
    one_thread_is_the_serial_search(SmallGo::new(3, 0.5), 1000); // cycles
    one_thread_is_the_serial_search(Turns { seed: 1, plies: 30 }, 1000); // two moves in a row
}

#[test]
fn nothing_is_lost() {
    let game = Arc::new(Breakthrough::new(5, 5));
    let (state, moves) = start(&*game);
    for formula in formulas() {
        for threads in [1, 2, 4, 8] {
            let config = config(formula.clone(), Update::Course, true, false);
            let config = if threads == 4 { estimating(config) } else { config };
            let mut search = SharedTreeSearcher::new(&game, state, moves.clone(), &config, threads);
            for simulations in [1, 10, 489, 20_000] {
                let before = search.simulations();
                search.run(simulations, &GO_ON);
                assert_eq!(search.simulations(), before + simulations);
                let visits: u64 =
                    search.numbers().moves.iter().map(|m| u64::from(m.own.visits)).sum();
                assert_eq!(visits, search.simulations(), "{formula:?}, {threads} threads");
                assert_eq!(search.unbalanced(), 0, "{formula:?}, {threads} threads");
            }
        }
    }
}

/// More visits than the narrow counters of nine moves hold (`shared/cells.rs`).
const MANY: u64 = 400_000;

fn searches_of_many() -> (Arc<TicTacToe>, Vec<Move>, Vec<Config>) {
    let game = Arc::new(TicTacToe);
    let moves = start(&*game).1;
    let all = formulas(); // one of each kind: UCT, alpha-AMAF, RAVE, GRAVE
    let config = |kind: usize| config(all[kind].clone(), Update::Course, true, false);
    (game, moves, [0, 3, 4, 6].map(config).into_iter().flat_map(both).collect())
}

#[test]
fn nothing_is_lost_beyond_narrow_counters() {
    let (game, moves, configs) = searches_of_many();
    for config in configs {
        for threads in [2, 8] {
            let mut search =
                SharedTreeSearcher::new(&game, game.start(), moves.clone(), &config, threads);
            search.run(MANY, &GO_ON);
            let numbers = search.numbers();
            let visits = numbers.moves.iter().map(|m| u64::from(m.own.visits));
            assert!(visits.clone().max() > Some(40_000), "{config:?}");
            assert_eq!((visits.sum(), search.unbalanced()), (MANY, 0), "{config:?}");
            let whole = |m: &MoveNumbers| m.own.wins + m.own.draws + u32::from(m.own.parts > 0);
            let results = numbers.moves.iter().map(whole);
            assert!(results.zip(&numbers.moves).all(|(results, m)| results <= m.own.visits));
        }
    }
}

#[test]
fn one_thread_is_the_serial_search_beyond_narrow_counters_and_so_is_its_file() {
    let (game, moves, configs) = searches_of_many();
    for config in configs {
        let new = || SharedTreeSearcher::new(&game, game.start(), moves.clone(), &config, 1);
        let mut serial =
            Searcher::new(Arc::clone(&game), game.start(), moves.clone(), config.clone());
        serial.run(MANY, &GO_ON);
        let mut search = new();
        search.run(MANY, &GO_ON);
        let expected = Numbers { bytes: 0, ..serial.numbers() };
        assert_eq!(Numbers { bytes: 0, ..search.numbers() }, expected, "{config:?}");
        let (mut file, mut other) = (Writer::default(), Writer::default());
        search.save(&mut file);
        AnySearcher::save(&mut serial, &mut other);
        assert_eq!(file.bytes, other.bytes, "{config:?}");
        let mut loaded = new();
        loaded.load(&mut Reader::new(&file.bytes)).unwrap();
        loaded.run(1000, &GO_ON);
        search.run(1000, &GO_ON);
        let [loaded, kept] = [loaded.numbers(), search.numbers()];
        assert_eq!(loaded.moves, kept.moves, "{config:?}");
    }
}

#[test]
fn a_stop_loses_nothing_either() {
    let game = Arc::new(ConnectFour::new(7, 6).unwrap());
    let (state, moves) = start(&*game);
    let config = config(Formula::Uct(Rule::Ucb1 { c: 0.4 }), Update::Course, true, false);
    let mut search = SharedTreeSearcher::new(&game, state, moves, &config, 4);
    for milliseconds in 0..20 {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(milliseconds % 5));
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            search.run(u64::MAX, &stop);
        });
        let visits: u64 = search.numbers().moves.iter().map(|m| u64::from(m.own.visits)).sum();
        assert_eq!((visits, search.unbalanced()), (search.simulations(), 0));
    }
}
