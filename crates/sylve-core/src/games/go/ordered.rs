//! Playouts by a policy that needs all moves in their order: `decisive` and `mast`. The uniform ones of
//! `playout.rs` draw among the empty points and look at few of them.

use super::bits::Bits;
use super::board::{Board, NO_POINT, has_empty, stones_and_borders};
use super::liberties::Liberties;
use super::playout::score;
use super::rules::{Go, State};
use crate::cpu::Cpu;
use crate::game::{Game, Outcome, Player, Record};
use crate::games::cells;
use crate::means::{Ranking, is_random};
use crate::rng::Rng;

/// How a move is chosen.
#[derive(Clone, Copy)]
pub enum Choice<'a> {
    /// A draw; none for the last pass if it wins.
    Decisive,
    /// With this probability a draw, else the best mean.
    Mast(f64, &'a [Ranking; 2]),
}

/// The empty cells.
struct Empty<'a, const WORDS: usize> {
    cells: Bits<WORDS>,
    /// By their rank for each player.
    ranked: [Bits<WORDS>; 2],
    /// None if nobody asks.
    rankings: Option<&'a [Ranking; 2]>,
}

impl<'a, const WORDS: usize> Empty<'a, WORDS> {
    #[inline(always)]
    fn new(cells: Bits<WORDS>, choice: Choice<'a>) -> Empty<'a, WORDS> {
        let rankings = match choice {
            Choice::Decisive => None,
            Choice::Mast(_, rankings) => Some(rankings),
        };
        let mut empty = Empty { cells: Bits::NONE, ranked: [Bits::NONE; 2], rankings };
        for cell in cells.cells() {
            empty.insert(cell);
        }
        empty
    }

    #[inline(always)]
    fn insert(&mut self, cell: usize) {
        self.cells.insert(cell);
        for (ranked, ranking) in self.ranked.iter_mut().zip(self.rankings.into_iter().flatten()) {
            ranked.insert(usize::from(ranking.ranks()[cell]));
        }
    }

    #[inline(always)]
    fn remove(&mut self, cell: usize) {
        self.cells.remove(cell);
        for (ranked, ranking) in self.ranked.iter_mut().zip(self.rankings.into_iter().flatten()) {
            ranked.remove(usize::from(ranking.ranks()[cell]));
        }
    }
}

/// Plays to the end.
#[inline(always)]
pub fn run<C: Cpu, const WORDS: usize, const POINTS: usize, R: Record>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    choice: Choice<'_>,
    rng: &mut Rng,
    record: &mut R,
) -> Outcome {
    if let Some(outcome) = game.outcome(state) {
        return outcome;
    }
    let cells = game.empty(state);
    let mut board: Board<POINTS> = Board::new(&game.template, state.stones, cells);
    let mut empty = Empty::new(cells, choice);
    let (mut turn, mut passes) = (state.turn, state.passes);
    let mut ko = state.ko.map_or(NO_POINT, |cell| game.template.point[usize::from(cell)]);
    for _ in 0..game.max_plies() {
        let cell = match turn {
            Player::First => {
                board.choose::<C, WORDS, 0>(game, choice, &empty, ko, passes, turn, rng)
            }
            Player::Second => {
                board.choose::<C, WORDS, 1>(game, choice, &empty, ko, passes, turn, rng)
            }
        };
        if R::WANTED {
            record.played(2 * cell + turn.index());
        }
        (passes, ko) = if cell == game.pass() {
            (passes + 1, NO_POINT)
        } else {
            empty.remove(cell);
            let ko = match turn {
                Player::First => board.play::<WORDS, 0>(game, cell, |cell| empty.insert(cell)),
                Player::Second => board.play::<WORDS, 1>(game, cell, |cell| empty.insert(cell)),
            };
            (0, ko)
        };
        if passes == 2 {
            break;
        }
        turn = turn.other();
    }
    board.result(game, empty.cells)
}

impl<const POINTS: usize, L: Liberties> Board<POINTS, L> {
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the parts of a playout, borrowed apart")]
    fn choose<C: Cpu, const WORDS: usize, const PLAYER: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        choice: Choice<'_>,
        empty: &Empty<'_, WORDS>,
        ko: u16,
        passes: u8,
        turn: Player,
        rng: &mut Rng,
    ) -> usize {
        if let Choice::Mast(epsilon, rankings) = choice
            && !is_random(epsilon, rng)
        {
            let ranked = empty.ranked[PLAYER].cells();
            let mut best = ranked.map(|rank| usize::from(rankings[PLAYER].moves()[rank]));
            let playable = |cell: &usize| self.may_play::<WORDS, PLAYER>(game, *cell, ko);
            return best.find(playable).unwrap_or(game.pass());
        }
        let playable = self.playable::<WORDS, PLAYER>(game, empty.cells, ko);
        let count = playable.count();
        if count > 0 {
            let index = rng.below(count) as usize;
            let mv = cells::nth::<C>(&playable.0, index);
            return mv.expect("the draw is below the number of cells").0.into();
        }
        let wins = |board: &mut Self| board.result(game, empty.cells) == Outcome::Win(turn);
        if matches!(choice, Choice::Mast(..)) || passes == 0 || !wins(self) {
            rng.next(); // among one
        }
        game.pass()
    }

    /// The cells that a playout may play.
    #[inline(always)]
    fn playable<const WORDS: usize, const PLAYER: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        empty: Bits<WORDS>,
        ko: u16,
    ) -> Bits<WORDS> {
        // With an empty cell beside it, a cell is neither an eye nor a suicide nor a ko point.
        let mut playable = empty & game.shape.near(empty);
        for cell in (empty & !playable).cells() {
            if self.is_playable::<WORDS, PLAYER>(game, cell, ko) {
                playable.insert(cell);
            }
        }
        playable
    }

    /// Whether a playout may play on an empty cell.
    #[inline(always)]
    fn may_play<const WORDS: usize, const PLAYER: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        cell: usize,
        ko: u16,
    ) -> bool {
        let point = usize::from(game.template.point[cell]) & Self::MASK;
        has_empty(self.around(point)) || self.is_playable::<WORDS, PLAYER>(game, cell, ko)
    }

    /// Whether a playout may play on a cell without an empty one beside it.
    #[inline(always)]
    pub(super) fn is_playable<const WORDS: usize, const PLAYER: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        cell: usize,
        ko: u16,
    ) -> bool {
        let point = usize::from(game.template.point[cell]) & Self::MASK;
        let around = self.around(point);
        if self.is_eye(point, around, PLAYER) || point == usize::from(ko) {
            return false;
        }
        self.change_liberties(point, -1);
        let survives = self.survives(point, PLAYER);
        self.change_liberties(point, 1);
        survives
    }

    /// Plays on a cell, and tells which cells are empty again; the answer is the ko point.
    #[inline(always)]
    pub(super) fn play<const WORDS: usize, const PLAYER: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        cell: usize,
        mut freed: impl FnMut(usize),
    ) -> u16 {
        let point = usize::from(game.template.point[cell]) & Self::MASK;
        let around = self.around(point);
        self.change_liberties(point, -1);
        self.put(point, around, PLAYER);
        self.empties = 0; // here the list is that of the stones taken
        let captured = self.capture_around(point, 1 - PLAYER);
        for &taken in &self.empty[..captured] {
            freed(game.template.cell[usize::from(taken)].into());
        }
        let is_ko = captured == 1 && stones_and_borders(around, 1 - PLAYER) == 4;
        if is_ko { self.empty[0] } else { NO_POINT }
    }

    /// The result of the board as it stands.
    #[inline(always)]
    pub(super) fn result<const WORDS: usize>(
        &mut self,
        game: &Go<WORDS, POINTS>,
        empty: Bits<WORDS>,
    ) -> Outcome {
        self.empties = 0;
        for cell in empty.cells() {
            self.empty[self.empties & Self::MASK] = game.template.point[cell];
            self.empties += 1;
        }
        score(game, self)
    }
}
