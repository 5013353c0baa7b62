//! Hex up to 8 x 8: must-play regions (Hayward et al., *Solving 7x7 Hex*, 2003).
//!
//! A win comes with its *carrier*: a set of empty cells that the winner's strategy never leaves. If a move
//! fails against a win with some carrier, every move outside of that carrier fails too. So only the cells in
//! all carriers found so far need be tried, and a position is lost when none is left.

use super::plain::Plain;
use super::slots::Slots;
use super::{Limits, Solvable, Solver};
use crate::game::{Game, Move, Outcome, Player};
use crate::games::hex::{Cells, Hex, State};
use crate::rng::hash_words;

/// Positions to remember: 200 MB when full.
const MOST_SLOTS: usize = 1 << 22;

/// A win, a loss.
impl<const W: usize> Solvable for Hex<W> {
    fn solver(&self, bytes: usize) -> Box<dyn Solver<Hex<W>>> {
        if self.size <= 8 {
            Box::new(HexSolver::new(self, bytes))
        } else {
            Box::new(Plain::within(bytes))
        }
    }
}

/// The stones of the first and of the second player, and whose turn it is.
type Key = (u64, u64, Player);

/// Who wins, and within which cells.
#[derive(Clone, Copy)]
struct Win {
    mover_wins: bool,
    carrier: u64,
}

/// The solver.
pub struct HexSolver {
    memory: Slots<Key, Win>,
    nodes: u64,
    /// The cells from the middle outwards: those in the middle win most often.
    order: Vec<u16>,
    all: u64,
}

fn hash(&(first, second, turn): &Key) -> u64 {
    hash_words([turn.index() as u64, first, second])
}

impl HexSolver {
    /// A solver that knows nothing yet and remembers within so many bytes. The board has at most 64
    /// cells.
    pub fn new<const W: usize>(game: &Hex<W>, bytes: usize) -> HexSolver {
        let size = game.size;
        let mut order: Vec<u16> = (0..(size * size) as u16).collect();
        // Twice the distance from the middle, in steps from cell to cell.
        let distance = |cell: u16| {
            let row = i32::from(cell) / size as i32 * 2 - (size as i32 - 1);
            let column = i32::from(cell) % size as i32 * 2 - (size as i32 - 1);
            row.abs().max(column.abs()).max((row + column).abs())
        };
        order.sort_by_key(|&cell| distance(cell));
        let all = u64::MAX >> (64 - size * size);
        HexSolver { memory: Slots::new(MOST_SLOTS, bytes), nodes: 0, order, all }
    }

    fn search<const W: usize>(
        &mut self,
        game: &Hex<W>,
        state: &State<W>,
        limits: &Limits<'_>,
    ) -> Option<Win> {
        self.nodes += 1;
        if limits.reached_at(self.nodes) {
            return None;
        }
        let [first, second] = state.stones.map(|cells| cells.0[0]);
        let key = (first, second, game.turn(state));
        if let Some(known) = self.memory.get(hash(&key), &key) {
            return Some(*known);
        }
        let (mut must_play, mut carriers) = (self.all & !(first | second), 0);
        let mut found = None;
        for place in 0..self.order.len() {
            let cell = self.order[place];
            if must_play >> cell & 1 == 0 {
                continue;
            }
            let mut next = *state;
            game.play(&mut next, Move(cell));
            let reply = match game.outcome(&next) {
                Some(_) => Win { mover_wins: false, carrier: 0 },
                None => self.search(game, &next, limits)?,
            };
            if !reply.mover_wins {
                found = Some(Win { mover_wins: true, carrier: reply.carrier | 1 << cell });
                break;
            }
            must_play &= reply.carrier;
            carriers |= reply.carrier;
        }
        let win = found.unwrap_or(Win { mover_wins: false, carrier: carriers });
        self.memory.put(hash(&key), key, win, hash);
        Some(win)
    }

    /// Whether the side to move wins, the swap included, of which `search` knows nothing.
    fn wins<const W: usize>(
        &mut self,
        game: &Hex<W>,
        state: &State<W>,
        limits: &Limits<'_>,
    ) -> Option<bool> {
        let after = |mv: Move| {
            let mut next = *state;
            game.play(&mut next, mv);
            next
        };
        if game.swap && state.stones == [Cells::NONE; 2] {
            // To each first stone the reply may be the swap.
            for place in 0..self.order.len() {
                if !self.wins(game, &after(Move(self.order[place])), limits)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        if self.search(game, state, limits)?.mover_wins {
            return Some(true);
        }
        let swap = game.swap_move();
        Some(game.is_legal(state, swap) && !self.search(game, &after(swap), limits)?.mover_wins)
    }
}

impl<const W: usize> Solver<Hex<W>> for HexSolver {
    fn value(
        &mut self,
        game: &Hex<W>,
        state: &State<W>,
        _alpha: i32,
        _beta: i32,
        limits: &Limits<'_>,
    ) -> Option<i32> {
        if limits.reached(self.nodes) {
            return None;
        }
        if let Some(Outcome::Win(_)) = game.outcome(state) {
            self.nodes += 1;
            return game.final_value(state);
        }
        Some(if self.wins(game, state, limits)? { 1 } else { -1 })
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::sync::atomic::AtomicBool;

    /// Random positions of every size: the same value as alpha-beta over the rules.
    #[test]
    fn agrees_with_the_rules_alone() {
        let stop = AtomicBool::new(false);
        let limits = Limits { stop: &stop, deadline: None, nodes: u64::MAX };
        let (mut moves, mut seen) = (Vec::new(), 0);
        for size in 2..=8 {
            let game = Hex::<1>::new(size, size % 2 == 1);
            let (mut plain, mut solver) =
                (Plain::within(usize::MAX), HexSolver::new(&game, usize::MAX));
            for index in 0..400 {
                let mut rng = Rng::stream(2, index);
                let mut state = game.start();
                let left = if size < 4 { rng.below(10) } else { 4 + rng.below(6) };
                for _ in left as usize..size * size {
                    game.moves(&state, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
                }
                let expected = plain.value(&game, &state, -1, 1, &limits);
                assert_eq!(solver.value(&game, &state, -1, 1, &limits), expected, "{state:?}");
                seen += usize::from(game.outcome(&state).is_none());
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
