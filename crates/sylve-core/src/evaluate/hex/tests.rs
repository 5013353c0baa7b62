//! The evaluation against the same one cell by cell, as in `python/sylve/evaluations/hex.py`.

use super::{CELL, STEP};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move, Player};
use crate::games::hex::{Cells, Hex, State};
use crate::notation::Notation;
use crate::rng::Rng;

fn cells<const W: usize>(set: &Cells<W>) -> Vec<usize> {
    let mut list = Vec::new();
    set.for_each(|cell| list.push(cell));
    list
}

fn near<const W: usize>(game: &Hex<W>, cell: usize) -> Vec<usize> {
    cells(&game.neighbours[cell])
}

/// The chain of stones that this one belongs to.
fn chain<const W: usize>(game: &Hex<W>, stones: &Cells<W>, stone: usize) -> Vec<usize> {
    let mut chain = vec![stone];
    let mut next = 0;
    while next < chain.len() {
        for at in near(game, chain[next]) {
            if stones.has(at) && !chain.contains(&at) {
                chain.push(at);
            }
        }
        next += 1;
    }
    chain
}

/// The distance of each cell from the cells of `start`.
fn distances(near: &[Vec<usize>], empty: &[usize], start: &[usize]) -> Vec<Option<i32>> {
    let mut distances = vec![None; near.len()];
    start.iter().for_each(|&cell| distances[cell] = Some(1));
    for distance in 2.. {
        let far = empty.iter().copied().filter(|&cell| distances[cell].is_none());
        let reached = |cell: &usize| near[*cell].iter().filter(|&&at| distances[at].is_some());
        let new: Vec<usize> = far.filter(|cell| reached(cell).count() >= 2).collect();
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|&cell| distances[cell] = Some(distance));
    }
    distances
}

fn potential<const W: usize>(game: &Hex<W>, state: &State<W>, player: Player) -> (i32, i32) {
    let empty = cells(&state.empty(&game.board));
    let is_empty = |cell: &usize| empty.contains(cell);
    let empty_near = |cell| near(game, cell).into_iter().filter(is_empty).collect();
    let mut all_near: Vec<Vec<usize>> = (0..game.size * game.size).map(empty_near).collect();
    let stones = &state.stones[player.index()];
    let sides = [&game.from[player.index()], &game.to[player.index()]];
    let mut beside = sides.map(|side| cells(&side.and(&state.empty(&game.board))));
    for stone in cells(stones) {
        let chain = chain(game, stones, stone); // once for each of its stones
        let around: Vec<usize> = chain.iter().flat_map(|&cell| all_near[cell].clone()).collect();
        let around: Vec<usize> = around.into_iter().filter(is_empty).collect();
        for &cell in &around {
            all_near[cell].extend(&around);
            all_near[cell].sort_unstable();
            all_near[cell].dedup();
        }
        for (side, beside) in sides.iter().zip(&mut beside) {
            if chain.iter().any(|&stone| side.has(stone)) {
                beside.extend(&around);
            }
        }
    }
    let [one, two] = beside.map(|beside| distances(&all_near, &empty, &beside));
    let sums: Vec<i32> = empty.iter().filter_map(|&cell| Some(one[cell]? + two[cell]?)).collect();
    let best = sums.iter().copied().fold(3 * game.size as i32, i32::min);
    (best, sums.iter().filter(|&&sum| sum == best).count() as i32)
}

/// What [`Evaluate::evaluate`] must say.
fn expected<const W: usize>(game: &Hex<W>, state: &State<W>) -> i32 {
    let turn = game.turn(state);
    let (own, other) = (potential(game, state, turn), potential(game, state, turn.other()));
    STEP * (other.0 - own.0) + CELL * (own.1 - other.1)
}

/// Compares all that follows from a position: a move of it in `every` is compared, from 0 on.
fn compare<const W: usize>(game: &Hex<W>, state: &State<W>, every: usize) -> usize {
    let shown = || format!("{} on {}", game.write(state), game.size);
    assert_eq!(game.evaluate(state, 0), expected(game, state), "{}", shown());
    let (mut all, mut moves) = (Vec::new(), Vec::new());
    game.moves(state, &mut all);
    moves.extend(all.iter().copied().rev().step_by(every)); // the swap, if there is one, is last
    let mut visited = 0;
    game.evaluate_moves(state, &moves, 0, |after, score| {
        let mv = moves[visited];
        let mut played = *state;
        game.play(&mut played, mv);
        assert_eq!(*after, played);
        let wanted = game.outcome(after).is_none().then(|| expected(game, after));
        assert_eq!(score, wanted, "{} in {}", game.write_move(state, mv), shown());
        visited += 1;
    });
    assert_eq!(visited, moves.len());
    1 + visited
}

/// Random boards: `full` of 100 cells have a stone, `first` of 100 of those are the first player's.
fn random<const W: usize>(game: &Hex<W>, rng: &mut Rng, full: u32, first: u32) -> State<W> {
    let mut text = String::new();
    for cell in 0..game.size * game.size {
        if cell > 0 && cell % game.size == 0 {
            text.push('/');
        }
        text.push(match (rng.below(100) < full, rng.below(100) < first) {
            (false, _) => '.',
            (true, true) => 'x',
            (true, false) => 'o',
        });
    }
    text.push_str([" x", " o"][rng.below(2) as usize]);
    game.read(&text).unwrap_or_else(|_| game.start()) // the side to move has won already
}

/// The number of comparisons.
fn random_boards<const W: usize>(size: usize, boards: u64) -> usize {
    let game = Hex::<W>::new(size, size.is_multiple_of(2));
    let mut compared = compare(&game, &game.start(), 1 + size * size / 20);
    for seed in 0..boards {
        let mut rng = Rng::stream(40 + size as u64, seed);
        let (full, first) = (rng.below(100), [10, 50, 50, 50, 90][rng.below(5) as usize]);
        let state = random(&game, &mut rng, full, first);
        if game.outcome(&state).is_none() {
            compared += compare(&game, &state, 1 + size * size / 20);
        }
        // As in games: the second stone may be the swap.
        let (mut state, mut moves) = (game.start(), Vec::new());
        for _ in 0..rng.below((size * size) as u32) {
            game.moves(&state, &mut moves);
            let mut next = state;
            game.play(&mut next, moves[rng.below(moves.len() as u32) as usize]);
            if game.outcome(&next).is_some() {
                break;
            }
            state = next;
        }
        compared += compare(&game, &state, 1 + size * size / 20);
    }
    compared
}

#[test]
fn random_boards_of_all_sizes_cell_by_cell() {
    let mut compared = 0;
    for size in 2..=8 {
        compared += random_boards::<1>(size, 60);
    }
    for size in 9..=11 {
        compared += random_boards::<2>(size, 15);
    }
    for size in 12..=13 {
        compared += random_boards::<3>(size, 8);
    }
    for size in [14, 16, 19] {
        compared += random_boards::<6>(size, 4);
    }
    assert!(compared > 5000, "{compared}");
}

#[test]
fn words_without_cells_change_nothing() {
    let (two, six) = (Hex::<2>::new(11, false), Hex::<6>::new(11, false));
    let (mut a, mut b) = (two.start(), six.start());
    for cell in [60, 3, 17, 110, 20, 21, 93, 64, 63] {
        two.play(&mut a, Move(cell));
        six.play(&mut b, Move(cell));
        assert_eq!(two.evaluate(&a, 0), six.evaluate(&b, 0));
    }
}

/// The first player's chain goes from the bottom to the mouth of a long way, two cells wide, that
/// the second player's stones leave free: its far end has a sum beyond what a byte holds.
#[test]
fn sums_that_no_byte_holds() {
    let size = 19;
    let game = Hex::<6>::new(size, false);
    let mut text = String::new();
    for row in 0..size {
        for column in 0..size {
            let at_turn = match row / 3 % 2 {
                0 => column >= size - 2,
                _ => (2..4).contains(&column),
            };
            text.push(match (row, column) {
                (1.., 0) => 'x',
                (2.., 1) => 'o',
                (17.., _) => 'o',
                (2 | 5 | 8 | 11 | 14, 2..) if !at_turn => 'o',
                _ => '.',
            });
        }
        text.push_str(if row + 1 < size { "/" } else { " x" });
    }
    let state = game.read(&text).unwrap();
    assert_eq!(potential(&game, &state, Player::First), (2, 2), "{text}");
    compare(&game, &state, 7);
}
