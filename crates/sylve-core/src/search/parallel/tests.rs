//! One thread finds what the serial search finds; several lose nothing.

use super::super::any_searcher::AnySearcher;
use super::super::bytes::{Reader, Writer};
use super::super::config::{
    Algorithm, Config, Formula, Policy, Prior, Rule, Schedule, TreeConfig, Update,
};
use super::super::judging::{Judge, Judgement, value_of};
use super::super::report::{MoveNumbers, Numbers};
use super::super::searcher::Searcher;
use super::super::units::WIN;
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

const JUDGEMENT: Judgement = Judgement { evaluation: 0, scale: 2000.0 };

/// The same search with results that are estimates.
fn estimating(mut config: Config) -> Config {
    let then = Box::new(Policy::Uniform);
    config.policy = Policy::Cut { plies: 2, judgement: JUDGEMENT, then };
    if let Algorithm::Tree(how) = &mut config.algorithm {
        how.counting = config.policy.counting();
    }
    config
}

/// The same search with values that go up the tree, and with virtual visits.
fn guided(mut config: Config, weight: f64, visits: Prior) -> Config {
    if let Algorithm::Tree(how) = &mut config.algorithm {
        (how.implicit, how.prior, how.judgement) = (weight, visits, JUDGEMENT);
    }
    config
}

/// The same search with its nodes made at another visit.
fn expanding(mut config: Config, expand: u32) -> Config {
    if let Algorithm::Tree(how) = &mut config.algorithm {
        how.expand = expand;
    }
    config
}

/// Wins and losses, estimates, and all that evaluations and weights of so many codes add.
fn all_kinds(config: Config, codes: usize) -> [Config; 6] {
    let heuristic = |visits| Prior::Heuristic { visits };
    let weights = (0..codes as u32).map(|code| code * 7 % 5).collect();
    let preferred = Prior::Preferred { visits: 3, weights };
    [
        config.clone(),
        expanding(config.clone(), 5),
        estimating(config.clone()),
        guided(config.clone(), 0.4, Prior::None),
        guided(config.clone(), 0.0, preferred),
        expanding(guided(estimating(config), 0.8, heuristic(2)), 1),
    ]
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
            all_kinds(config(formula.clone(), update, transpositions, solver), game.codes())
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
            let config = match threads {
                2 => guided(config, 0.4, Prior::Heuristic { visits: 2 }),
                4 => estimating(config),
                _ => config,
            };
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
    let kinds = |config: Config| {
        let visits = Prior::Heuristic { visits: 1 };
        [config.clone(), estimating(config.clone()), guided(estimating(config), 0.1, visits)]
    };
    (game, moves, [0, 3, 4, 6].map(config).into_iter().flat_map(kinds).collect())
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

/// Checks all values below a position: that of a move with a node behind it is the best of that node,
/// that of another what it was judged by. How many nodes there are.
fn check_values<G: Evaluate>(
    game: &G,
    search: &mut SharedTreeSearcher<G>,
    (state, path): (&G::State, &mut Vec<Move>),
) -> u32 {
    let inside = search.look(path).expect("it has a node");
    let player = game.turn(state);
    let mut nodes = 0;
    for (mv, numbers, _) in inside.moves {
        let mut after = state.clone();
        game.play(&mut after, mv);
        path.push(mv);
        let turned = |value: u32| if game.turn(&after) == player { value } else { WIN - value };
        let expected = if let Some(outcome) = game.outcome(&after) {
            value_of(outcome, player)
        } else if let Some(behind) = search.look(path) {
            nodes += 1 + check_values(game, search, (&after, &mut *path));
            let best = behind.moves.iter().filter_map(|(_, numbers, _)| numbers.implicit).max();
            turned(u32::from(best.expect("they have values")))
        } else {
            turned(Judge::new(JUDGEMENT).value(game, &after))
        };
        assert_eq!(numbers.implicit.map(u32::from), Some(expected), "{path:?}");
        path.pop();
    }
    nodes
}

fn values_are_those_behind<G: Evaluate>(game: G, simulations: u64) {
    let game = Arc::new(game);
    let (state, moves) = start(&*game);
    for (number, formula) in [0, 4, 6].into_iter().enumerate() {
        for threads in [1, 2, 8] {
            // Of nodes that are reached in several ways only the last one to pass knows.
            let config = config(formulas()[formula].clone(), Update::Course, false, number != 1);
            let config = guided(config, 0.5, Prior::None);
            let mut search =
                SharedTreeSearcher::new(&game, state.clone(), moves.clone(), &config, threads);
            for _ in 0..3 {
                search.run(simulations, &GO_ON);
                let nodes = check_values(&*game, &mut search, (&state, &mut Vec::new()));
                assert_eq!(nodes as usize + 1, search.numbers().nodes, "all are seen");
            }
        }
    }
}

/// Whatever the threads did at once: when they have met, every value is that of the moves behind it.
#[test]
fn no_value_is_left_behind() {
    values_are_those_behind(TicTacToe, 2000); // proofs, and draws
    values_are_those_behind(Breakthrough::new(4, 4), 2000);
    values_are_those_behind(Turns { seed: 1, plies: 30 }, 1000); // two moves in a row
}
