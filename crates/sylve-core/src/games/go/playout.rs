//! Random playouts. What they do, draw by draw, is specified in `docs/games/go.md`.

use super::board::{Board, NO_POINT, borders, has_empty, stones_and_borders};
use super::liberties::Liberties;
use super::rules::{Go, State};
use crate::game::{Game, Outcome, Player, Record};
use crate::rng::{Rng, scale};

/// A stream whose next bits are ready before they are needed: a wrongly predicted branch, of which
/// a playout has many, then does not wait for the generator as well (7 % on 9 x 9).
struct Draws {
    /// The stream after the draws made so far.
    used: Rng,
    ahead: Rng,
    bits: u64,
}

impl Draws {
    #[inline(always)]
    fn new(rng: &Rng) -> Draws {
        let mut ahead = rng.clone();
        let bits = ahead.next();
        Draws { used: rng.clone(), ahead, bits }
    }

    /// As [`Rng::below`].
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        let bits = self.bits;
        self.used = self.ahead.clone();
        self.bits = self.ahead.next();
        scale(bits, n)
    }
}

/// Plays to the end: two passes, or three times as many plies as the board has cells.
#[inline(always)]
pub fn run<const WORDS: usize, const POINTS: usize, R: Record>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    rng: &mut Rng,
    record: &mut R,
) -> Outcome {
    if let Some(outcome) = game.outcome(state) {
        return outcome;
    }
    let mut board: Board<POINTS> = Board::new(&game.template, state.stones, game.empty(state));
    let mut draws = Draws::new(rng);
    let mut turn = state.turn;
    let mut passes = state.passes;
    let mut ko = state.ko.map_or(NO_POINT, |cell| game.template.point[usize::from(cell)]);
    let mut plies = 3 * game.pass();
    while passes < 2 && plies > 0 {
        plies -= 1;
        let played = match turn {
            Player::First => board.ply::<0>(&mut ko, &mut draws),
            Player::Second => board.ply::<1>(&mut ko, &mut draws),
        };
        passes = if played.is_some() { 0 } else { passes + 1 };
        if R::WANTED {
            let cell = played.map_or(game.pass(), |point| game.template.cell[point].into());
            record.played(2 * cell + turn.index());
        }
        turn = turn.other();
    }
    *rng = draws.used;
    score(game, &board)
}

impl<const POINTS: usize> Board<POINTS> {
    /// Draws and plays a move: its point, or none for a pass.
    #[inline(always)]
    fn ply<const PLAYER: usize>(&mut self, ko: &mut u16, draws: &mut Draws) -> Option<usize> {
        let mut live = self.empties;
        while live > 0 {
            let index = draws.below(live as u32) as usize & Self::MASK;
            let point = usize::from(self.empty[index]) & Self::MASK;
            let around = self.around(point);
            if self.takes_liberties(point, around, PLAYER, *ko) {
                self.empties -= 1;
                self.empty[index] = self.empty[self.empties & Self::MASK];
                self.put(point, around, PLAYER);
                let captured = self.capture_around(point, 1 - PLAYER);
                let is_ko = captured == 1 && stones_and_borders(around, 1 - PLAYER) == 4;
                let last = self.empty[self.empties.wrapping_sub(1) & Self::MASK];
                *ko = if is_ko { last } else { NO_POINT };
                return Some(point);
            }
            live -= 1;
            self.empty.swap(index, live & Self::MASK);
        }
        *ko = NO_POINT;
        None
    }

    /// If `point` may be played, takes a liberty from the chains around it and says so.
    #[inline(always)]
    fn takes_liberties(&mut self, point: usize, around: u16, player: usize, ko: u16) -> bool {
        if has_empty(around) {
            self.change_liberties(point, -1);
            return true;
        }
        if self.is_eye(point, around, player) || point == usize::from(ko) {
            return false;
        }
        self.change_liberties(point, -1);
        let survives = self.survives(point, player);
        if !survives {
            self.change_liberties(point, 1);
        }
        survives
    }
}

/// The result of the board as it stands.
#[inline(always)]
pub fn score<const WORDS: usize, const POINTS: usize, L: Liberties>(
    game: &Go<WORDS, POINTS>,
    board: &Board<POINTS, L>,
) -> Outcome {
    // At the end of most playouts every empty point is alone: its neighbours tell whose it is.
    let mut lead = board.lead;
    for &point in &board.empty[..board.empties] {
        let sum = board.around(usize::from(point));
        if has_empty(sum) {
            return game.area(board.stones(&game.template));
        }
        let stones = [0, 1].map(|player| stones_and_borders(sum, player) - borders(sum));
        lead += i32::from(stones[1] == 0) - i32::from(stones[0] == 0);
    }
    game.decide(lead)
}

#[cfg(test)]
mod tests {
    use super::super::{LargeGo, SmallGo};
    use super::*;
    use crate::game::Move;
    use crate::playouts::traced_playout;

    /// Every move of a playout is one that the rules offer to playouts, and the result is theirs.
    fn follows_the_rules<const WORDS: usize, const POINTS: usize>(size: usize, playouts: u64) {
        let game = Go::<WORDS, POINTS>::new(size, 0.0);
        let mut moves = Vec::new();
        for index in 0..playouts {
            let mut state = game.start();
            let (outcome, codes) = traced_playout(&game, &state, 1, index);
            for &code in &codes {
                assert!(state.passes < 2);
                game.playout_moves(&state, &mut moves);
                assert!(moves.contains(&Move(code / 2)), "{state:?} {code}");
                assert_eq!(usize::from(code % 2), state.turn.index());
                game.play(&mut state, Move(code / 2));
            }
            assert!(state.passes == 2 || codes.len() == game.max_plies());
            assert_eq!(outcome, game.area(state.stones));
        }
    }

    #[test]
    fn playouts_follow_the_rules_on_every_size() {
        for size in 2..=11 {
            follows_the_rules::<2, 256>(size, 40);
        }
        for size in 2..=19 {
            follows_the_rules::<6, 512>(size, 8);
        }
    }

    /// The number of words in a state is a matter of speed only.
    #[test]
    fn both_widths_play_the_same_games() {
        for size in 2..=11 {
            let (small, large) = (SmallGo::new(size, 0.5), LargeGo::new(size, 0.5));
            for index in 0..20 {
                assert_eq!(
                    traced_playout(&small, &small.start(), 2, index),
                    traced_playout(&large, &large.start(), 2, index)
                );
            }
            assert_eq!(small.hash(&small.start()), large.hash(&large.start()));
        }
    }

    #[test]
    fn draws_ahead_are_the_same_draws() {
        let mut rng = Rng::stream(3, 4);
        let mut draws = Draws::new(&rng);
        for n in 1..500 {
            assert_eq!(draws.below(n), rng.below(n));
            assert_eq!(draws.used, rng);
        }
    }
}
