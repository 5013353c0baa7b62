use super::*;
use crate::rng::Rng;
use crate::solve::plain::Plain;
use std::sync::atomic::AtomicBool;

const SIZES: [(usize, usize); 8] =
    [(4, 4), (5, 4), (4, 5), (5, 5), (7, 6), (6, 7), (8, 7), (12, 4)];

/// A position of a random game with `left` empty cells, if the game lasts so long.
fn random_position(game: &ConnectFour, left: usize, seed: u64, index: u64) -> Option<State> {
    let (mut state, mut rng, mut moves) = (game.start(), Rng::stream(seed, index), Vec::new());
    for _ in 0..game.max_plies() - left {
        game.moves(&state, &mut moves);
        let number = u32::try_from(moves.len()).ok().filter(|&number| number > 0)?;
        game.play(&mut state, moves[rng.below(number) as usize]);
    }
    Some(state)
}

/// Thousands of positions of every size: the same value as alpha-beta over the rules.
#[test]
fn agrees_with_the_rules_alone() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    let mut seen = 0;
    for (columns, rows) in SIZES {
        let game = ConnectFour::new(columns, rows).unwrap();
        let highest = game.highest_value();
        let (mut plain, mut solver) = (Plain::within(usize::MAX), game.solver(usize::MAX));
        for index in 0..1500 {
            let left = 4 + index as usize % 9;
            let Some(state) = random_position(&game, left, 3, index) else { continue };
            let expected = plain.value(&game, &state, -highest, highest, &limits);
            let found = solver.value(&game, &state, -highest, highest, &limits);
            assert_eq!(found, expected, "{columns} x {rows}, {state:?}");
            // A narrow window gives the value or a bound on the right side.
            let (value, alpha) = (expected.unwrap(), index as i32 % 7 - 3);
            let bound = solver.value(&game, &state, alpha, alpha + 2, &limits).unwrap();
            assert!(
                bound == value
                    || (bound <= alpha && value <= bound)
                    || (bound >= alpha + 2 && value >= bound)
            );
            seen += 1;
        }
    }
    assert!(seen > 3000, "{seen}");
}

/// The bound from parity never lies below the value, and is often there.
#[test]
fn parity_bounds_hold() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    let mut bounds = 0;
    for (columns, rows) in SIZES {
        let game = ConnectFour::new(columns, rows).unwrap();
        let board = Board::new(columns as u32, rows as u32);
        let highest = game.highest_value();
        let mut plain = Plain::within(usize::MAX);
        for index in 0..1500 {
            let left = 4 + index as usize % 9;
            let Some(state) = random_position(&game, left, 4, index) else { continue };
            if game.outcome(&state).is_some() {
                continue;
            }
            let State { own, other, .. } = state;
            let stones = own | other;
            let threats = board.winning_cells(other, stones);
            let bound = upper_bound(&board, own, stones, board.landing(stones), threats, 0);
            if bound != zugzwang::NONE {
                let value = plain.value(&game, &state, -highest, highest, &limits).unwrap();
                assert!(value <= bound, "{value} > {bound}, {columns} x {rows}, {state:?}");
                // Asked for less, the same or none.
                for wanted in [bound, bound - 1] {
                    let landing = board.landing(stones);
                    let less = upper_bound(&board, own, stones, landing, threats, wanted);
                    assert_eq!(less, if wanted == bound { bound } else { zugzwang::NONE });
                }
                bounds += 1;
            }
        }
    }
    assert!(bounds > 500, "{bounds}");
}

/// The board that is known when the search is compiled is searched as any other.
#[test]
fn the_usual_board_is_no_exception() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    let game = ConnectFour::new(7, 6).unwrap();
    let mut usual = ConnectFourSolver::new(Usual, usize::MAX);
    let mut general = ConnectFourSolver::new(Board::new(7, 6), usize::MAX);
    for index in 0..200 {
        let Some(state) = random_position(&game, 20 + index as usize % 8, 5, index) else {
            continue;
        };
        let value = usual.value(&game, &state, -22, 22, &limits);
        assert_eq!(value, general.value(&game, &state, -22, 22, &limits));
        assert_eq!(usual.nodes(), general.nodes());
    }
    assert!(usual.nodes() > 10_000, "{}", usual.nodes());
}

#[test]
fn sets_of_cells() {
    let board = Board::new(7, 6);
    let set = 1 << 2 | 1 << 4 | 1 << (3 * 7);
    let expected = 0b11_1100 | 0b11_1111 << (3 * 7);
    assert_eq!(board.lowest_and_above(set), expected);
    assert_eq!(board.mirror(1 << 2), 1 << (6 * 7 + 2));
    assert_eq!(board.upper & board.column(0), 0b10_1010);
    assert_eq!(Board::new(4, 5).upper & 0b1_1111, 0b1_0101);
    assert_eq!(board.order[..7], [3, 4, 2, 1, 5, 0, 6].map(|column| board.column(column)));
    let wide = Board::new(8, 7);
    assert_eq!(wide.order[..8], [3, 4, 2, 5, 1, 6, 0, 7].map(|column| wide.column(column)));
}

/// What was put is found again or forgotten, also after the table has grown, and nothing else is found. What
/// has cost much stays.
#[test]
fn the_table_forgets_the_cheapest_first() {
    for (columns, rows) in [(4, 4), (7, 6), (8, 7)] {
        let board = Board::new(columns, rows);
        let mut table = Table::new(&board, usize::MAX);
        let width = columns * (rows + 1);
        // A number that is odd times the index, so that no two are the same, even if keys are short.
        let key = |index: u64| {
            mix(&board, index.wrapping_mul(0x9E37_79B9_7F4A_7C15) << (64 - width) >> (64 - width))
        };
        let entry = |index: u64| Entry {
            low: -(index as i32 % 19),
            high: index as i32 % 18,
            column: index as u32 % 4,
        };
        let is_dear = |index: u64| index.is_multiple_of(40);
        for index in 0..20_000 {
            table.put(key(index), entry(index), if is_dear(index) { 1000 } else { 1 });
        }
        let mut found = [0; 2];
        for index in 0..20_000 {
            if let Some(known) = table.get(key(index)) {
                assert_eq!(known, entry(index));
                found[usize::from(is_dear(index))] += 1;
            }
        }
        let [cheap, dear] = found;
        assert!(cheap > 15_000 && dear > 490, "{cheap} and {dear} on {columns} x {rows}");
        assert!((20_000..40_000).all(|index| table.get(key(index)).is_none()));
    }
}
