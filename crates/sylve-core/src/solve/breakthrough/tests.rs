use super::*;
use crate::rng::Rng;
use crate::solve::plain::Plain;
use std::sync::atomic::AtomicBool;

const SIZES: [(usize, usize); 8] = [(2, 4), (2, 8), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5), (8, 8)];

/// A random position with few pawns, the first player to move; the game is not over.
pub(super) fn sparse_position(board: &Board, rng: &mut Rng) -> Pawns {
    loop {
        let mut pawns = Pawns { own: 0, other: 0 };
        for side in [&mut pawns.own, &mut pawns.other] {
            for _ in 0..1 + rng.below(4) {
                *side |= 1 << rng.below(board.cells() as u32);
            }
        }
        pawns.own &= !board.row(board.rows - 1);
        pawns.other &= !(board.row(0) | pawns.own);
        if pawns.own != 0 && pawns.other != 0 {
            return pawns;
        }
    }
}

/// Thousands of positions of every size: the same value as alpha-beta over the rules.
#[test]
fn agrees_with_the_rules_alone() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    let mut rng = Rng::stream(6, 0);
    for (columns, rows) in SIZES {
        let game = Breakthrough::new(columns, rows);
        let board = Board::new(columns, rows);
        let (mut plain, mut solver) =
            (Plain::within(usize::MAX), BreakthroughSolver::new(&game, usize::MAX));
        let mut wins = 0;
        for index in 0..600 {
            let pawns = sparse_position(&board, &mut rng);
            // The same position for either side to move.
            let (turn, cells) = if index % 2 == 0 {
                (Player::First, [pawns.own, pawns.other])
            } else {
                (Player::Second, [board.turned(pawns.other), board.turned(pawns.own)])
            };
            let state = State { pawns: cells, turn };
            assert_eq!(seen_by_mover(&board, &state), pawns);
            let expected = plain.value(&game, &state, -1, 1, &limits);
            assert_eq!(solver.value(&game, &state, -1, 1, &limits), expected, "{state:?}");
            wins += i32::from(expected == Some(1));
        }
        assert!((100..590).contains(&wins), "{wins} wins on {columns} x {rows}");
    }
}

/// Sizes that others have solved, or that two programs agree on (docs/solving.md).
#[test]
fn solved_sizes() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
    for (columns, rows, value) in
        [(3, 4, -1), (4, 4, -1), (5, 4, -1), (6, 4, -1), (3, 5, -1), (4, 5, -1), (3, 6, 1)]
    {
        let game = Breakthrough::new(columns, rows);
        let mut solver = BreakthroughSolver::new(&game, usize::MAX);
        let found = solver.value(&game, &game.start(), -1, 1, &limits);
        assert_eq!(found, Some(value), "{columns} x {rows}");
    }
}

/// The counts of two boards, which other programs found too (docs/solving.md), and every kind of threads.
#[test]
fn complete_tables() {
    let stop = AtomicBool::new(false);
    for (columns, rows, positions, wins) in
        [(3, 6, 1_920_717, 1_360_015), (4, 5, 4_975_689, 3_525_338)]
    {
        let layout = table::Layout::new(columns, rows).unwrap();
        let progress = std::sync::atomic::AtomicUsize::new(0);
        let table = table::build(&layout, columns - 2, &stop, &progress).unwrap();
        assert_eq!((table.positions, table.wins), (positions, wins), "{columns} x {rows}");
        assert_eq!(progress.into_inner(), 1000);
        let bits: u32 = table.words.iter().map(|word| word.count_ones()).sum();
        assert_eq!(u64::from(bits), wins);
        // The solver agrees, also where there are many pawns.
        let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
        let game = Breakthrough::new(columns, rows);
        let board = Board::new(columns, rows);
        let mut solver = BreakthroughSolver::new(&game, usize::MAX);
        let mut rng = Rng::stream(8, 1);
        for _ in 0..2000 {
            let home = (1 << (columns * (rows - 2))) - 1;
            let own = rng.next() & home;
            let other = board.turned(rng.next() & home) & !own;
            let pawns = Pawns { own, other };
            let most = 2 * columns as u32;
            if own == 0 || other == 0 || own.count_ones().max(other.count_ones()) > most {
                continue;
            }
            assert!(layout.is_quiet(pawns));
            let index = layout.index(pawns);
            let found = table.words[(index / 64) as usize] >> (index % 64) & 1 == 1;
            let state = State { pawns: [own, other], turn: Player::First };
            let expected = solver.value(&game, &state, -1, 1, &limits);
            assert_eq!(Some(if found { 1 } else { -1 }), expected, "{pawns:?}");
        }
    }
    assert!(table::Layout::new(8, 8).is_none());
}
