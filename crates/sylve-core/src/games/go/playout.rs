//! Random playouts, on a board of their own that is faster to change than sets of cells.
//!
//! What a playout does, draw by draw, is specified in `docs/games/go.md`.
//!
//! The board has a border, so that every point has four neighbours. Stones of a chain are linked in
//! a ring and carry the chain's name, which is one of its points. A chain counts its
//! pseudo-liberties: pairs of a stone of it and an empty neighbour. They are easy to keep, and zero
//! exactly when there is no liberty, which is all that the rules ask.

use super::bits::Bits;
use super::{Go, State};
use crate::game::{Outcome, Player, Record};
use crate::rng::Rng;

// What is on a point, in four fields of four bits: their sum over four neighbours counts all at
// once. The border counts as a stone of both colours, so that it never makes an eye or a ko false.
const STONE: [u16; 2] = [0x0001, 0x0010];
const BORDER: u16 = 0x0111;
const EMPTY: u16 = 0x1000;

/// The first player's stones and borders in a sum, or the second's.
#[inline(always)]
fn stones_and_borders(sum: u16, player: usize) -> u16 {
    sum >> (4 * player) & 15
}

#[inline(always)]
fn borders(sum: u16) -> u16 {
    sum >> 8 & 15
}

#[inline(always)]
fn has_empty(sum: u16) -> bool {
    sum >= EMPTY
}

/// The name of no chain: what empty points and the border carry. It counts, but nobody looks.
const NO_CHAIN: u16 = 0;
const NO_POINT: u16 = 0;

/// The empty board and the numbering of its points, made once per game.
#[derive(Clone, Debug)]
pub struct Template<const POINTS: usize> {
    /// From a point to the one above it.
    width: usize,
    content: [u16; POINTS],
    /// The point of each cell, increasing: at the start also the list of empty points.
    point: [u16; POINTS],
    /// The cell of each point.
    cell: [u16; POINTS],
}

impl<const POINTS: usize> Template<POINTS> {
    pub fn new(size: usize) -> Template<POINTS> {
        // One column serves as the right border of a row and as the left border of the next one.
        let width = size + 1;
        assert!(POINTS.is_power_of_two() && (size + 2) * width < POINTS);
        let (mut content, mut point, mut cell) = ([BORDER; POINTS], [0; POINTS], [0; POINTS]);
        for number in 0..size * size {
            let at = (number / size + 1) * width + number % size + 1;
            content[at] = EMPTY;
            point[number] = at as u16;
            cell[at] = number as u16;
        }
        Template { width, content, point, cell }
    }
}

/// The board of one playout. Indices are masked, which the compiler needs to drop its checks.
struct Board<const POINTS: usize> {
    width: usize,
    content: [u16; POINTS],
    /// The name of the chain of each stone.
    chain: [u16; POINTS],
    /// The next stone of the chain.
    next: [u16; POINTS],
    /// Pseudo-liberties, by name of chain.
    liberties: [i16; POINTS],
    /// Stones, by name of chain.
    stones: [u16; POINTS],
    /// The empty points, then nothing of interest.
    empty: [u16; POINTS],
    empties: usize,
}

impl<const POINTS: usize> Board<POINTS> {
    const MASK: usize = POINTS - 1;

    #[inline(always)]
    fn neighbours(&self, point: usize) -> [usize; 4] {
        [point - self.width, point - 1, point + 1, point + self.width].map(|at| at & Self::MASK)
    }

    #[inline(always)]
    fn around(&self, point: usize) -> u16 {
        self.neighbours(point).into_iter().map(|at| self.content[at]).sum()
    }

    #[inline(always)]
    fn chain_of(&self, point: usize) -> usize {
        usize::from(self.chain[point & Self::MASK]) & Self::MASK
    }

    /// See `docs/games/go.md`: own stones all around, at most one enemy on the diagonals, none of
    /// them at the edge.
    #[inline(always)]
    fn is_eye(&self, point: usize, around: u16, player: usize) -> bool {
        if stones_and_borders(around, player) != 4 {
            return false;
        }
        let (below, above) = (point - self.width, point + self.width);
        let diagonals = [below - 1, below + 1, above - 1, above + 1];
        let sum = diagonals.into_iter().map(|at| self.content[at & Self::MASK]).sum();
        let enemies = stones_and_borders(sum, 1 - player) - borders(sum);
        enemies + u16::from(borders(sum) > 0) < 2
    }

    /// Takes a pseudo-liberty from the chains around a point, or gives it back.
    #[inline(always)]
    fn change_liberties(&mut self, point: usize, by: i16) {
        for at in self.neighbours(point) {
            self.liberties[self.chain_of(at)] += by;
        }
    }

    /// Whether a stone on a point without empty neighbours stays: liberties are already taken.
    #[inline(always)]
    fn survives(&self, point: usize, player: usize) -> bool {
        self.neighbours(point).into_iter().any(|at| {
            let alive = self.liberties[self.chain_of(at)] != 0;
            self.content[at] == STONE[player] && alive
                || self.content[at] == STONE[1 - player] && !alive
        })
    }

    /// Puts a stone and joins it to its chains: liberties are already taken.
    #[inline(always)]
    fn put(&mut self, point: usize, around: u16, player: usize) {
        self.content[point] = STONE[player];
        self.chain[point] = point as u16;
        self.next[point] = point as u16;
        self.stones[point] = 1;
        self.liberties[point] = (around / EMPTY) as i16;
        if stones_and_borders(around, player) == borders(around) {
            return;
        }
        for at in self.neighbours(point) {
            if self.content[at] == STONE[player] {
                self.join(self.chain_of(point), self.chain_of(at));
            }
        }
    }

    /// Makes one chain of two, if they are two: the smaller one takes the name of the larger.
    #[inline(always)]
    fn join(&mut self, one: usize, two: usize) {
        if one == two {
            return;
        }
        let (large, small) =
            if self.stones[one] > self.stones[two] { (one, two) } else { (two, one) };
        self.liberties[large] += self.liberties[small];
        self.stones[large] += self.stones[small];
        let mut at = small;
        loop {
            self.chain[at] = large as u16;
            at = usize::from(self.next[at]) & Self::MASK;
            if at == small {
                break;
            }
        }
        self.next.swap(large, small);
    }

    /// Takes the enemy chains without liberties off the board; returns the number of stones.
    #[inline(always)]
    fn capture_around(&mut self, point: usize, enemy: usize) -> usize {
        let before = self.empties;
        for at in self.neighbours(point) {
            let chain = self.chain_of(at);
            if self.liberties[chain] == 0 && self.content[at] == STONE[enemy] {
                self.remove(chain);
            }
        }
        let captured = self.empties - before;
        if captured > 1 {
            self.empty[before..self.empties].sort_unstable();
        }
        captured
    }

    #[inline(always)]
    fn remove(&mut self, chain: usize) {
        let mut at = chain;
        loop {
            self.content[at] = EMPTY;
            self.chain[at] = NO_CHAIN;
            self.change_liberties(at, 1);
            self.empty[self.empties & Self::MASK] = at as u16;
            self.empties += 1;
            at = usize::from(self.next[at]) & Self::MASK;
            if at == chain {
                break;
            }
        }
    }
}

/// The board of a state.
#[inline(always)]
fn set_up<const WORDS: usize, const POINTS: usize>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
) -> Board<POINTS> {
    let template = &game.template;
    let mut board = Board {
        width: template.width,
        content: template.content,
        chain: [NO_CHAIN; POINTS],
        next: [NO_POINT; POINTS],
        liberties: [0; POINTS],
        stones: [0; POINTS],
        empty: [NO_POINT; POINTS],
        empties: 0,
    };
    for cell in game.empty(state).cells() {
        board.empty[board.empties & (POINTS - 1)] = template.point[cell];
        board.empties += 1;
    }
    for player in 0..2 {
        for cell in state.stones[player].cells() {
            let point = usize::from(template.point[cell]);
            board.change_liberties(point, -1);
            let around = board.around(point);
            board.put(point & (POINTS - 1), around, player);
        }
    }
    board
}

/// Plays to the end: two passes, or three times as many plies as the board has cells.
#[inline(always)]
pub fn run<const WORDS: usize, const POINTS: usize, R: Record>(
    game: &Go<WORDS, POINTS>,
    state: &State<WORDS>,
    rng: &mut Rng,
    record: &mut R,
) -> Outcome {
    let mut board = set_up(game, state);
    let mut player = state.turn.index();
    let mut passes = state.passes;
    let mut ko = state.ko.map_or(NO_POINT, |cell| game.template.point[usize::from(cell)]);
    let mut plies = 3 * game.pass();
    while passes < 2 && plies > 0 {
        plies -= 1;
        let mut live = board.empties;
        let mut cell = game.pass();
        let around_and_point = loop {
            if live == 0 {
                break None;
            }
            let index = rng.below(live as u32) as usize & (POINTS - 1);
            let point = usize::from(board.empty[index]) & (POINTS - 1);
            let around = board.around(point);
            let mut accepted = has_empty(around);
            if accepted {
                board.change_liberties(point, -1);
            } else if !board.is_eye(point, around, player) && point != usize::from(ko) {
                board.change_liberties(point, -1);
                accepted = board.survives(point, player);
                if !accepted {
                    board.change_liberties(point, 1);
                }
            }
            if accepted {
                board.empties -= 1;
                board.empty[index] = board.empty[board.empties & (POINTS - 1)];
                break Some((around, point));
            }
            live -= 1;
            board.empty.swap(index, live & (POINTS - 1));
        };
        ko = NO_POINT;
        match around_and_point {
            None => passes += 1,
            Some((around, point)) => {
                passes = 0;
                if R::WANTED {
                    cell = usize::from(game.template.cell[point]);
                }
                board.put(point, around, player);
                let captured = board.capture_around(point, 1 - player);
                if captured == 1 && stones_and_borders(around, 1 - player) == 4 {
                    ko = board.empty[(board.empties - 1) & (POINTS - 1)];
                }
            }
        }
        if R::WANTED {
            record.played(2 * cell + player);
        }
        player = 1 - player;
    }
    score(game, &board)
}

/// The result of the board as it stands.
#[inline(always)]
fn score<const WORDS: usize, const POINTS: usize>(
    game: &Go<WORDS, POINTS>,
    board: &Board<POINTS>,
) -> Outcome {
    let mut stones = [Bits::NONE; 2];
    for cell in 0..game.pass() {
        let content = board.content[usize::from(game.template.point[cell]) & (POINTS - 1)];
        for player in [Player::First, Player::Second] {
            if content == STONE[player.index()] {
                stones[player.index()].insert(cell);
            }
        }
    }
    game.area(stones)
}
