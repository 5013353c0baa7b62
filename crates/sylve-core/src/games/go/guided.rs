//! Playouts that look round the last move: the policies `mogo` and `local`. What they do, draw by draw,
//! is specified in `docs/games/go.md`.

mod shapes;
mod steps;

use super::bits::Bits;
use super::board::{Board, EMPTY, NO_POINT, circle};
use super::liberties::{Exact, Liberties};
use super::patterns::{TABLE, Table};
use super::rules::{Go, NO_MOVE, State};
use crate::cpu::Cpu;
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::games::cells;
use crate::guide::Guide;
use crate::rng::Rng;
use steps::{Mogo, Steps};

/// Plays to the end.
#[inline(always)]
pub fn run<C: Cpu, const WORDS: usize, const POINTS: usize, R: Record>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    guide: Guide,
    rng: &mut Rng,
    record: &mut R,
) -> Outcome {
    if let Some(outcome) = game.outcome(state) {
        return outcome;
    }
    let mut board = Guided::new(game, state);
    match guide {
        Guide::Mogo => board.play_to_the_end::<C, _, _>(&Mogo, state, rng, record),
        Guide::Local(chances) => board.play_to_the_end::<C, _, _>(&chances, state, rng, record),
    }
}

/// The move that the policy chooses.
pub fn choose<C: Cpu, const WORDS: usize, const POINTS: usize>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    guide: Guide,
    rng: &mut Rng,
) -> Move {
    let mut board = Guided::new(game, state);
    let cell = match guide {
        Guide::Mogo => board.choose_for::<C, _>(&Mogo, state.turn, rng),
        Guide::Local(chances) => board.choose_for::<C, _>(&chances, state.turn, rng),
    };
    Move(cell as u16)
}

/// A board that sees ataris and shapes of 3 x 3 points at once.
struct Guided<'a, const WORDS: usize, const POINTS: usize> {
    game: &'a Go<WORDS, POINTS>,
    board: Board<POINTS, Exact>,
    patterns: &'a Table,
    /// What is around each point, as [`Table`] has it.
    codes: [u16; POINTS],
    empty: Bits<WORDS>,
    /// Stones of each player: of each chain in atari at least one, and perhaps some others.
    pressed: [Bits<WORDS>; 2],
    ko: u16,
    /// The points of the last move and of the one before, or NO_POINT.
    last: [u16; 2],
    /// The neighbours of the last move that are stones in atari of the player to move: bit i for the
    /// neighbour with index i.
    threatened: u32,
}

impl<'a, const WORDS: usize, const POINTS: usize> Guided<'a, WORDS, POINTS> {
    const MASK: usize = POINTS - 1;

    #[inline(always)]
    fn new(game: &'a Go<WORDS, POINTS>, state: &State<WORDS>) -> Guided<'a, WORDS, POINTS> {
        let empty = game.empty(state);
        let point = |cell: u16| game.template.point[usize::from(cell)];
        let mut guided = Guided {
            game,
            board: Board::new(&game.template, state.stones, empty),
            patterns: &TABLE,
            codes: game.template.codes,
            empty,
            pressed: [Bits::NONE; 2],
            ko: state.ko.map_or(NO_POINT, point),
            last: state.last.map(|cell| if cell == NO_MOVE { NO_POINT } else { point(cell) }),
            threatened: 0,
        };
        for (player, stones) in state.stones.into_iter().enumerate() {
            for cell in stones.cells() {
                let at = usize::from(game.template.point[cell]) & Self::MASK;
                guided.change_codes(at, player);
                if guided.board.liberties_at(at).is_single() {
                    guided.pressed[player].insert(cell);
                }
            }
        }
        if state.last[0] != NO_MOVE {
            let last = usize::from(guided.last[0]) & Self::MASK;
            guided.threatened = guided.in_atari_at(last, state.turn.index());
        }
        guided
    }

    /// The neighbours of a point that are stones in atari of a player.
    #[inline(always)]
    fn in_atari_at(&self, point: usize, player: usize) -> u32 {
        let mut found = 0;
        for (place, at) in self.board.neighbours(point).into_iter().enumerate() {
            // No branches: most are as good as random.
            let hit = self.board.is_stone(at, player) & self.board.liberties_at(at).is_single();
            found |= u32::from(hit) << place;
        }
        found
    }

    #[inline(always)]
    fn play_to_the_end<C: Cpu, S: Steps, R: Record>(
        &mut self,
        steps: &S,
        state: &State<WORDS>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let (mut turn, mut passes) = (state.turn, state.passes);
        for _ in 0..self.game.max_plies() {
            let cell = self.choose_for::<C, S>(steps, turn, rng);
            if R::WANTED {
                record.played(2 * cell + turn.index());
            }
            if cell == self.game.pass() {
                (self.ko, self.last, self.threatened) = (NO_POINT, [NO_POINT, self.last[0]], 0);
                passes += 1;
                if passes == 2 {
                    break;
                }
            } else {
                passes = 0;
                match turn {
                    Player::First => self.play::<0>(cell),
                    Player::Second => self.play::<1>(cell),
                }
            }
            turn = turn.other();
        }
        self.board.result(self.game, self.empty)
    }

    /// A stone was put on a point, or taken from it.
    #[inline(always)]
    fn change_codes(&mut self, point: usize, player: usize) {
        let around = circle(point, self.game.template.width);
        for (place, at) in around.into_iter().enumerate() {
            // Seen from there, the point is on the opposite side.
            self.codes[at & Self::MASK] ^= (1 + player as u16) << (2 * (7 - place));
        }
    }

    #[inline(always)]
    fn cell(&self, point: usize) -> usize {
        usize::from(self.game.template.cell[point & Self::MASK])
    }

    #[inline(always)]
    fn play<const PLAYER: usize>(&mut self, cell: usize) {
        let point = usize::from(self.game.template.point[cell]) & Self::MASK;
        self.empty.remove(cell);
        self.ko = self.board.play::<WORDS, PLAYER>(self.game, cell, |cell| self.empty.insert(cell));
        self.last = [point as u16, self.last[0]];
        self.change_codes(point, PLAYER);
        for index in 0..self.board.empties {
            let taken = usize::from(self.board.empty[index & Self::MASK]);
            self.change_codes(taken, 1 - PLAYER);
        }
        if self.board.liberties_at(point).is_single() {
            self.pressed[PLAYER].insert(cell);
        }
        self.threatened = self.in_atari_at(point, 1 - PLAYER);
        let mut bits = self.threatened;
        while bits != 0 {
            let at = self.board.neighbours(point)[bits.trailing_zeros() as usize & 3];
            let cell = self.cell(at);
            self.pressed[1 - PLAYER].insert(cell);
            bits &= bits - 1;
        }
    }

    #[inline(always)]
    fn choose_for<C: Cpu, S: Steps>(&mut self, steps: &S, turn: Player, rng: &mut Rng) -> usize {
        match turn {
            Player::First => self.choose::<C, S, 0>(steps, rng),
            Player::Second => self.choose::<C, S, 1>(steps, rng),
        }
    }

    #[inline(always)]
    fn choose<C: Cpu, S: Steps, const PLAYER: usize>(&mut self, steps: &S, rng: &mut Rng) -> usize {
        if self.threatened != 0 {
            let saving = self.saving::<PLAYER>();
            if !saving.is_empty() && steps.save(rng) {
                return draw::<C, WORDS>(saving, rng);
            }
        }
        let shape = if S::WIDE {
            self.wide_shape::<C, S, PLAYER>(steps, rng)
        } else if self.last[0] != NO_POINT {
            self.shape::<C, PLAYER>(rng)
        } else {
            None
        };
        if let Some(cell) = shape {
            return cell;
        }
        let captures = self.captures::<PLAYER>();
        if !captures.is_empty() && steps.capture(rng) {
            return draw::<C, WORDS>(captures, rng);
        }
        self.any::<C, S, PLAYER>(steps, rng)
    }

    /// Step 1: what saves a chain that the last move has put in atari.
    #[inline(never)]
    fn saving<const PLAYER: usize>(&self) -> Bits<WORDS> {
        let around = self.board.neighbours(self.last[0].into());
        let (mut found, mut bits) = (Bits::NONE, self.threatened);
        while bits != 0 {
            let at = around[bits.trailing_zeros() as usize & 3];
            let liberty = self.board.liberties_at(at).single().expect("it is in atari");
            self.save::<PLAYER>(at, liberty, &mut found);
            bits &= bits - 1;
        }
        found
    }

    #[inline(always)]
    fn save<const PLAYER: usize>(&self, stone: usize, liberty: usize, found: &mut Bits<WORDS>) {
        let after = self.after::<PLAYER>(liberty);
        if liberty != usize::from(self.ko)
            && (after.captures || !(after.liberties.is_none() || after.liberties.is_single()))
            && !self.board.is_eye(liberty, self.board.around(liberty), PLAYER)
        {
            found.insert(self.cell(liberty));
        }
        if self.pressed[1 - PLAYER].is_empty() {
            return; // there is nothing to capture
        }
        let mut at = stone;
        loop {
            for near in self.board.neighbours(at) {
                if self.board.is_stone(near, 1 - PLAYER)
                    && let Some(liberty) = self.board.liberties_at(near).single()
                    && liberty != usize::from(self.ko)
                {
                    found.insert(self.cell(liberty));
                }
            }
            at = self.board.next_stone(at);
            if at == stone {
                break;
            }
        }
    }

    /// Step 3: what captures, anywhere.
    #[inline(always)]
    fn captures<const PLAYER: usize>(&mut self) -> Bits<WORDS> {
        let mut found = Bits::NONE;
        for cell in self.pressed[1 - PLAYER].cells() {
            let at = usize::from(self.game.template.point[cell]) & Self::MASK;
            let liberty = self.board.liberties_at(at).single();
            match liberty.filter(|_| self.board.is_stone(at, 1 - PLAYER)) {
                Some(liberty) if liberty != usize::from(self.ko) => {
                    found.insert(self.cell(liberty));
                }
                Some(_) => {}
                None => self.pressed[1 - PLAYER].remove(cell),
            }
        }
        found
    }

    /// Step 4: any other point, or the pass.
    #[inline(always)]
    fn any<C: Cpu, S: Steps, const PLAYER: usize>(&mut self, steps: &S, rng: &mut Rng) -> usize {
        let mut left = self.empty;
        for count in (1..=left.count()).rev() {
            let cell = draw_of::<C, WORDS>(left, count, rng);
            let point = usize::from(self.game.template.point[cell]) & Self::MASK;
            if self.is_playable::<PLAYER>(point)
                && !(S::WIDE && self.is_self_atari::<PLAYER>(point) && steps.refuse(rng))
            {
                return cell;
            }
            left.remove(cell);
        }
        self.game.pass()
    }

    /// Whether a playout may play on an empty point.
    #[inline(always)]
    fn is_playable<const PLAYER: usize>(&self, point: usize) -> bool {
        has_empty_beside(self.codes[point]) || self.stays::<PLAYER>(point)
    }

    /// The same for a point without empty neighbours: no eye, no ko, no suicide.
    #[inline(always)]
    fn stays<const PLAYER: usize>(&self, point: usize) -> bool {
        if self.board.is_eye(point, self.board.around(point), PLAYER)
            || point == usize::from(self.ko)
        {
            return false;
        }
        // An own chain with another liberty, or an enemy chain without: this is one of theirs.
        let [a, b, c, d] = self.board.neighbours(point).map(|at| {
            let single = self.board.liberties_at(at).is_single();
            self.board.is_stone(at, PLAYER) & !single | self.board.is_stone(at, 1 - PLAYER) & single
        });
        a | b | c | d
    }

    /// Whether a stone on a point that may be played captures nothing and leaves its chain one liberty.
    #[inline(always)]
    fn is_self_atari<const PLAYER: usize>(&self, point: usize) -> bool {
        // Two empty neighbours are two liberties.
        self.board.around(point) < 2 * EMPTY && {
            let after = self.after::<PLAYER>(point);
            !after.captures && after.liberties.is_single()
        }
    }

    /// What a stone on an empty point would do.
    #[inline(always)]
    fn after<const PLAYER: usize>(&self, point: usize) -> After {
        let around = self.board.neighbours(point);
        let mut liberties = Exact::of_empty(0, around, |at| self.board.is_empty(at));
        let (mut captures, mut chains) = (false, [0; 4]);
        for (place, at) in around.into_iter().enumerate() {
            if self.board.is_stone(at, PLAYER) {
                chains[place] = self.board.chain_of(at);
                if !chains[..place].contains(&chains[place]) {
                    liberties = liberties.joined(self.board.liberties_at(at));
                }
                liberties = liberties.changed(point, -1);
            } else if self.board.is_stone(at, 1 - PLAYER) {
                captures |= self.board.liberties_at(at).is_single();
            }
        }
        After { captures, liberties }
    }
}

/// What a stone does: whether it captures, and the liberties of its chain besides what it captures.
struct After {
    captures: bool,
    liberties: Exact,
}

/// Whether one of the four neighbours is empty, by what is around.
#[inline(always)]
fn has_empty_beside(code: u16) -> bool {
    const BESIDE: u16 = 0b01_00_01_01_00_01_00;
    (code | code >> 1) & BESIDE != BESIDE
}

/// One of the cells of a set, by one draw.
#[inline(always)]
fn draw<C: Cpu, const WORDS: usize>(cells: Bits<WORDS>, rng: &mut Rng) -> usize {
    draw_of::<C, WORDS>(cells, cells.count(), rng)
}

/// The same if their number is known.
#[inline(always)]
fn draw_of<C: Cpu, const WORDS: usize>(cells: Bits<WORDS>, count: u32, rng: &mut Rng) -> usize {
    let mv = cells::nth::<C>(&cells.0, rng.below(count) as usize);
    mv.expect("the draw is below the number of cells").0.into()
}
