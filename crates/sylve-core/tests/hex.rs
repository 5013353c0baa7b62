//! Hex has exactly one winner on every full board: random ones, judged by an independent search.

use sylve_core::games::hex::Hex;
use sylve_core::playouts::traced_playout;
use sylve_core::{Game, Move, Notation, Outcome, Player};

const BOARDS: u64 = 100_000;

/// Whether `player` joins his sides, by merging neighbours until nothing changes: slow and plain.
fn joins(board: &[Player], size: usize, player: Player) -> bool {
    // Two more groups stand for the sides.
    let (start, goal) = (board.len(), board.len() + 1);
    let mut group: Vec<usize> = (0..board.len() + 2).collect();
    fn find(group: &[usize], mut at: usize) -> usize {
        while group[at] != at {
            at = group[at];
        }
        at
    }
    let mut merge = |a: usize, b: usize| {
        let (a, b) = (find(&group, a), find(&group, b));
        group[a] = b;
    };
    for cell in (0..board.len()).filter(|&cell| board[cell] == player) {
        let (row, column) = (cell / size, cell % size);
        let along = if player == Player::First { row } else { column };
        if along == 0 {
            merge(cell, start);
        }
        if along == size - 1 {
            merge(cell, goal);
        }
        let right = (column + 1 < size).then_some(cell + 1);
        let below = (row + 1 < size).then_some(cell + size);
        let below_left = (row + 1 < size && column > 0).then(|| cell + size - 1);
        for near in [right, below, below_left].into_iter().flatten() {
            if board[near] == player {
                merge(cell, near);
            }
        }
    }
    find(&group, start) == find(&group, goal)
}

/// Random full boards: one winner, the one that the playout names and that play finds on its way.
fn one_winner_on_every_full_board<const W: usize>(size: usize) {
    let game = Hex::<W>::new(size, false);
    let start = game.start();
    for index in 0..BOARDS {
        let (outcome, codes) = traced_playout(&game, &start, size as u64, index);
        let mut board = vec![Player::First; size * size];
        for code in &codes {
            board[usize::from(code / 2)] = [Player::First, Player::Second][usize::from(code % 2)];
        }
        assert_eq!(codes.len(), board.len());
        let (first, second) =
            (joins(&board, size, Player::First), joins(&board, size, Player::Second));
        assert!(first != second, "{size}: {board:?}");
        let winner = if first { Player::First } else { Player::Second };
        assert_eq!(outcome, Outcome::Win(winner));

        let mut state = start;
        for code in &codes {
            game.play(&mut state, Move(code / 2));
            if game.outcome(&state).is_some() {
                break;
            }
        }
        assert_eq!(game.outcome(&state), Some(outcome));
        // What grew move by move is what a reader finds from nothing.
        if index % 100 == 0 {
            assert_eq!(game.read(&game.write(&state)), Ok(state));
        }
    }
}

#[test]
fn one_winner_on_3x3() {
    one_winner_on_every_full_board::<1>(3);
}

#[test]
fn one_winner_on_5x5() {
    one_winner_on_every_full_board::<1>(5);
}

#[test]
fn one_winner_on_11x11() {
    one_winner_on_every_full_board::<2>(11);
}

/// The number of words is a matter of speed alone.
#[test]
fn the_same_game_in_more_words() {
    let (two, six) = (Hex::<2>::new(11, true), Hex::<6>::new(11, true));
    let (mut a, mut b) = (two.start(), six.start());
    for index in 0..2_000 {
        assert_eq!(two.hash(&a), six.hash(&b));
        assert_eq!(two.write(&a), six.write(&b));
        let traced = traced_playout(&two, &a, 1, index);
        assert_eq!(traced, traced_playout(&six, &b, 1, index));
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        two.moves(&a, &mut moves);
        six.moves(&b, &mut others);
        assert_eq!(moves, others);
        match traced.1.first() {
            Some(code) => {
                two.play(&mut a, Move(code / 2));
                six.play(&mut b, Move(code / 2));
            }
            None => (a, b) = (two.start(), six.start()),
        }
    }
}
