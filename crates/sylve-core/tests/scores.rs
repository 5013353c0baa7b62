//! Every score is a number: the debug checks of the engine are on here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use sylve_core::AnySearcher;
use sylve_core::evaluate::Evaluate;
use sylve_core::games::connect_four::ConnectFour;
use sylve_core::games::tic_tac_toe::TicTacToe;
use sylve_core::search::config::{Algorithm, Formula, Policy, Rule, Schedule, TreeConfig, Update};
use sylve_core::search::parallel::SharedTreeSearcher;
use sylve_core::search::{Config, Searcher};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn formulas() -> Vec<Formula> {
    let rules = [
        Rule::Ucb1 { c: 0.0 },
        Rule::Ucb1 { c: 0.4 },
        Rule::Tuned { c: 1.0, simple: false },
        Rule::Tuned { c: 1.0, simple: true },
        Rule::Bayes { wins: 1.0, losses: 1.0 },
    ];
    let schedules = [
        Schedule::Hand { k: 50.0 },
        Schedule::Bias { b: 0.0 },
        Schedule::Slides { b: 1e-5 },
        Schedule::Course,
        Schedule::Fixed { beta: 0.5 },
        Schedule::Mse,
        Schedule::Pooled,
    ];
    let mut all = rules.map(Formula::Uct).to_vec();
    for c in [0.0, 0.4] {
        for schedule in schedules {
            all.push(Formula::Rave { schedule, c });
            all.push(Formula::Grave { schedule, c, reference: 5 });
        }
        for alpha in [0.0, 0.5, 1.0] {
            all.push(Formula::Amaf { alpha, c });
        }
        for by_kind in [false, true] {
            let limits = if by_kind { vec![] } else { vec![2, 8] };
            all.push(Formula::MultiScale { limits, by_kind, c });
        }
    }
    all
}

fn configs() -> impl Iterator<Item = Config> {
    let updates = [Update::Course, Update::Suffix];
    let both = formulas().into_iter().flat_map(move |f| updates.map(|u| (f.clone(), u)));
    both.map(|(formula, update)| {
        let algorithm = Algorithm::Tree(TreeConfig { update, ..TreeConfig::new(formula) });
        Config { algorithm, policy: Policy::Uniform, seed: 3 }
    })
}

fn in_batches_of(size: usize, mut config: Config) -> Config {
    if let Algorithm::Tree(how) = &mut config.algorithm {
        how.batch = size;
    }
    config
}

fn check<G: Evaluate>(game: G) {
    let game = Arc::new(game);
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    for config in configs() {
        for batch in [1, 2, 7, 32] {
            let config = in_batches_of(batch, config.clone());
            let mut search = Searcher::new(Arc::clone(&game), game.start(), moves.clone(), config);
            search.run(400, &GO_ON);
            let numbers = search.numbers();
            assert!(numbers.moves.iter().all(|entry| !entry.parts.score().is_nan()));
        }
        let Algorithm::Tree(how) = &config.algorithm else { unreachable!() };
        if matches!(how.formula, Formula::MultiScale { .. }) {
            continue;
        }
        let mut tree = SharedTreeSearcher::new(&game, game.start(), moves.clone(), &config, 4);
        tree.run(2000, &GO_ON);
    }
}

#[test]
fn every_score_is_a_number() {
    check(TicTacToe);
    check(ConnectFour::new(7, 6).unwrap());
}
