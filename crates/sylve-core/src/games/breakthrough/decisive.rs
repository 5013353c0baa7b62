//! The policy `decisive`, without trying moves.
//!
//! A pawn on the last row but one wins: of the two cells diagonally before it at least one is on the
//! board, and none holds a pawn of its own side, which would have won. So nothing but a capture stops
//! it, and two of them cannot be stopped. A game also ends with the last pawn of a side: where a side
//! has one left, moves are tried.

use super::{Breakthrough, LEFT, RIGHT, STRAIGHT, State, draw_step, forward};
use crate::cpu::{Cpu, Portable};
use crate::game::{Game, Move, Outcome, Player, Record, try_decisive};
use crate::rng::Rng;

/// What the policy does.
enum Choice {
    /// The lowest of these steps, which all win.
    Win([u64; 3]),
    /// A draw among these steps: each is safe, or none.
    Draw([u64; 3]),
    /// A draw among the first of these; one more among the second, the safe ones, if it is none of them.
    Stop([u64; 3], [u64; 3]),
    /// A side has one pawn left.
    Try,
}

/// See [`Choice::Stop`].
#[inline(always)]
fn draw_stop<C: Cpu>(movers: [u64; 3], safe: [u64; 3], rng: &mut Rng) -> [u64; 3] {
    let drawn = draw_step::<C>(movers, rng);
    let is_safe = drawn.iter().zip(safe).any(|(step, safe)| step & safe != 0);
    if is_safe { drawn } else { draw_step::<C>(safe, rng) }
}

impl Breakthrough {
    #[inline(always)]
    fn decide(&self, pawns: &[u64; 2], player: Player) -> Choice {
        let (own, enemies) = (pawns[player.index()], pawns[player.other().index()]);
        let movers = self.movers(pawns, player);
        let (ready, dangers) = (
            own & self.last_row_but_one[player.index()],
            enemies & self.last_row_but_one[player.other().index()],
        );
        // One test for all that is rare: a pawn is ready, or a side has one pawn left.
        if ready == 0 && own & (own - 1) != 0 && enemies & (enemies - 1) != 0 {
            if dangers == 0 {
                return Choice::Draw(movers);
            }
            let captures = self.captures_of(dangers, movers, player);
            let stops = dangers & (dangers - 1) == 0 && captures[RIGHT] | captures[LEFT] != 0;
            return if stops { Choice::Stop(movers, captures) } else { Choice::Draw(movers) };
        }
        if own & (own - 1) == 0 || enemies & (enemies - 1) == 0 {
            return Choice::Try;
        }
        Choice::Win(movers.map(|pawns| pawns & ready))
    }

    /// The steps that take one of `taken`.
    #[inline(always)]
    fn captures_of(&self, taken: u64, movers: [u64; 3], player: Player) -> [u64; 3] {
        let steps = self.steps[player.index()];
        let by =
            |direction: usize| movers[direction] & forward(taken, steps[direction], player.other());
        [0, by(RIGHT), by(LEFT)]
    }

    /// A ply of a playout; whether `player` won by it.
    #[inline(always)]
    fn decisive_ply<C: Cpu, R: Record>(
        &self,
        pawns: &mut [u64; 2],
        player: Player,
        rng: &mut Rng,
        record: &mut R,
    ) -> bool {
        match self.decide(pawns, player) {
            Choice::Draw(movers) => {
                self.step_ply(pawns, draw_step::<C>(movers, rng), player, record)
            }
            Choice::Stop(movers, safe) => {
                self.step_ply(pawns, draw_stop::<C>(movers, safe, rng), player, record)
            }
            Choice::Win(movers) => {
                if R::WANTED {
                    let state = State { pawns: *pawns, turn: player };
                    record.played(self.code(&state, self.lowest(movers)));
                }
                true
            }
            Choice::Try => {
                let mut state = State { pawns: *pawns, turn: player };
                let (mv, code) = self.tried(&state, rng);
                if R::WANTED {
                    record.played(code);
                }
                self.play(&mut state, mv);
                *pawns = state.pawns;
                self.outcome(&state).is_some()
            }
        }
    }

    /// The first move of these steps.
    #[inline(always)]
    fn lowest(&self, movers: [u64; 3]) -> Move {
        let direction = if movers[STRAIGHT] != 0 {
            STRAIGHT
        } else if movers[RIGHT] != 0 {
            RIGHT
        } else {
            LEFT
        };
        Move((direction * self.cells()) as u16 + movers[direction].trailing_zeros() as u16)
    }

    #[inline(never)]
    fn tried(&self, state: &State, rng: &mut Rng) -> (Move, usize) {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let mv = try_decisive(self, state, &moves, rng);
        (mv, self.code(state, mv))
    }

    /// See [`Game::decisive_move`].
    pub(super) fn choose_decisive(&self, state: &State, moves: &[Move], rng: &mut Rng) -> Move {
        match self.decide(&state.pawns, state.turn) {
            Choice::Win(movers) => self.lowest(movers),
            Choice::Draw(movers) => self.lowest(draw_step::<Portable>(movers, rng)),
            Choice::Stop(movers, safe) => self.lowest(draw_stop::<Portable>(movers, safe, rng)),
            Choice::Try => try_decisive(self, state, moves, rng),
        }
    }

    /// See [`Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        &self,
        state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        if let Some(outcome) = self.outcome(&state) {
            return outcome;
        }
        let mut pawns = state.pawns;
        let second = |pawns: &mut [u64; 2], rng: &mut Rng, record: &mut R| {
            self.decisive_ply::<C, R>(pawns, Player::Second, rng, record)
        };
        if state.turn == Player::Second && second(&mut pawns, rng, record) {
            return Outcome::Win(Player::Second);
        }
        loop {
            if self.decisive_ply::<C, R>(&mut pawns, Player::First, rng, record) {
                return Outcome::Win(Player::First);
            }
            if second(&mut pawns, rng, record) {
                return Outcome::Win(Player::Second);
            }
        }
    }
}
