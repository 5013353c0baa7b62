//! The board of playouts, faster to change than sets of cells.
//!
//! The board has a border, so that every point has four neighbours. Stones of a chain are linked in
//! a ring and carry the chain's name, which is one of its points. A chain counts its
//! pseudo-liberties: pairs of a stone of it and an empty neighbour. They are easy to keep, and zero
//! exactly when there is no liberty, which is all that the rules ask. Guided playouts ask for more, and
//! count more ([`super::liberties`]).

use super::bits::Bits;
use super::liberties::Liberties;
use super::patterns::BEYOND;

// What is on a point, in four fields of four bits: their sum over four neighbours counts all at
// once. The border counts as a stone of both colours, so that it never makes an eye or a ko false.
const STONE: [u16; 2] = [0x0001, 0x0010];
const BORDER: u16 = 0x0111;
pub const EMPTY: u16 = 0x1000;

/// One player's stones in a sum, and the borders.
#[inline(always)]
pub fn stones_and_borders(sum: u16, player: usize) -> u16 {
    sum >> (4 * player) & 15
}

/// The borders in a sum.
#[inline(always)]
pub fn borders(sum: u16) -> u16 {
    sum >> 8 & 15
}

/// Whether a sum has an empty point.
#[inline(always)]
pub fn has_empty(sum: u16) -> bool {
    sum >= EMPTY
}

/// The name of no chain: what empty points and the border carry.
const NO_CHAIN: u16 = 0;
/// Point 0 is on the border.
pub const NO_POINT: u16 = 0;

/// The empty board and the numbering of its points, made once per game.
#[derive(Clone, Debug)]
pub struct Template<const POINTS: usize> {
    /// From a point to the one above it.
    pub width: usize,
    content: [u16; POINTS],
    /// The point of each cell, increasing.
    pub point: [u16; POINTS],
    /// The cell of each point.
    pub cell: [u16; POINTS],
    /// What is around each point ([`super::patterns`]).
    pub codes: [u16; POINTS],
}

impl<const POINTS: usize> Template<POINTS> {
    pub fn new(size: usize) -> Template<POINTS> {
        // One column serves as the right border of a row and as the left border of the next one.
        let width = size + 1;
        assert!(POINTS.is_power_of_two() && (size + 2) * width < POINTS);
        let (mut content, mut point, mut cell) = ([BORDER; POINTS], [0; POINTS], [0; POINTS]);
        for (number, point) in point.iter_mut().enumerate().take(size * size) {
            let at = (number / size + 1) * width + number % size + 1;
            content[at] = EMPTY;
            *point = at as u16;
            cell[at] = number as u16;
        }
        let mut codes = [0; POINTS];
        for &at in &point[..size * size] {
            for (place, near) in circle(at.into(), width).into_iter().enumerate() {
                if content[near] == BORDER {
                    codes[usize::from(at)] |= BEYOND << (2 * place);
                }
            }
        }
        Template { width, content, point, cell, codes }
    }
}

/// The eight points around a point, increasing.
#[inline(always)]
pub fn circle(point: usize, width: usize) -> [usize; 8] {
    let (below, above) = (point - width, point + width);
    [below - 1, below, below + 1, point - 1, point + 1, above - 1, above, above + 1]
}

/// The board of one playout. Indices are masked, which the compiler needs to drop its checks.
pub struct Board<const POINTS: usize, L = i16> {
    width: usize,
    content: [u16; POINTS],
    /// The name of the chain of each stone.
    chain: [u16; POINTS],
    /// The next stone of the chain.
    next: [u16; POINTS],
    /// Pseudo-liberties, by name of chain.
    liberties: [L; POINTS],
    /// Stones, by name of chain.
    stones: [u16; POINTS],
    /// The list of empty points, then nothing of interest.
    pub empty: [u16; POINTS],
    /// Its length.
    pub empties: usize,
    /// Black stones minus White stones.
    pub lead: i32,
}

impl<const POINTS: usize, L: Liberties> Board<POINTS, L> {
    pub const MASK: usize = POINTS - 1;

    /// The board with these stones, which all have liberties.
    #[inline(always)]
    pub fn new<const WORDS: usize>(
        template: &Template<POINTS>,
        stones: [Bits<WORDS>; 2],
        empty: Bits<WORDS>,
    ) -> Board<POINTS, L> {
        let mut board = Board {
            width: template.width,
            content: template.content,
            chain: [NO_CHAIN; POINTS],
            next: [NO_POINT; POINTS],
            liberties: [L::NONE; POINTS],
            stones: [0; POINTS],
            empty: [NO_POINT; POINTS],
            empties: 0,
            lead: 0,
        };
        // What is no chain loses and gains liberties with the others, and must not come to zero.
        board.liberties[usize::from(NO_CHAIN)] = L::NO_CHAIN;
        for cell in empty.cells() {
            board.empty[board.empties & Self::MASK] = template.point[cell];
            board.empties += 1;
        }
        for (player, stones) in stones.into_iter().enumerate() {
            for cell in stones.cells() {
                let point = usize::from(template.point[cell]) & Self::MASK;
                let around = board.around(point);
                board.change_liberties(point, -1);
                board.put(point, around, player);
            }
        }
        board
    }

    /// The stones of each player.
    pub fn stones<const WORDS: usize>(&self, template: &Template<POINTS>) -> [Bits<WORDS>; 2] {
        STONE.map(|stone| {
            let mut set = Bits::NONE;
            for (at, &content) in self.content.iter().enumerate() {
                if content == stone {
                    set.insert(template.cell[at].into());
                }
            }
            set
        })
    }

    #[inline(always)]
    pub fn neighbours(&self, point: usize) -> [usize; 4] {
        [point - self.width, point - 1, point + 1, point + self.width].map(|at| at & Self::MASK)
    }

    /// What is next to a point, as a sum.
    #[inline(always)]
    pub fn around(&self, point: usize) -> u16 {
        self.neighbours(point).into_iter().map(|at| self.content[at]).sum()
    }

    #[inline(always)]
    pub fn chain_of(&self, point: usize) -> usize {
        usize::from(self.chain[point & Self::MASK]) & Self::MASK
    }

    /// The liberties of the chain of a stone.
    #[inline(always)]
    pub fn liberties_at(&self, point: usize) -> L {
        self.liberties[self.chain_of(point)]
    }

    #[inline(always)]
    pub fn is_stone(&self, point: usize, player: usize) -> bool {
        self.content[point & Self::MASK] == STONE[player]
    }

    #[inline(always)]
    pub fn is_empty(&self, point: usize) -> bool {
        self.content[point & Self::MASK] == EMPTY
    }

    /// The next stone of the chain, in a ring.
    #[inline(always)]
    pub fn next_stone(&self, point: usize) -> usize {
        usize::from(self.next[point & Self::MASK]) & Self::MASK
    }

    /// See `docs/games/go.md`: own stones all around, at most one enemy on the diagonals, none of
    /// them at the edge.
    #[inline(always)]
    pub fn is_eye(&self, point: usize, around: u16, player: usize) -> bool {
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
    pub fn change_liberties(&mut self, point: usize, by: i16) {
        for at in self.neighbours(point) {
            let chain = self.chain_of(at);
            self.liberties[chain] = self.liberties[chain].changed(point, by);
        }
    }

    /// Whether a stone on a point without empty neighbours stays: liberties are already taken.
    #[inline(always)]
    pub fn survives(&self, point: usize, player: usize) -> bool {
        // An own chain that lives on, or an enemy chain that does not. No branches: they are
        // as good as random here.
        let [a, b, c, d] = self.neighbours(point).map(|at| {
            let alive = !self.liberties_at(at).is_none();
            (self.content[at] == STONE[player]) & alive
                | (self.content[at] == STONE[1 - player]) & !alive
        });
        a | b | c | d
    }

    /// Puts a stone and joins it to its chains: liberties are already taken.
    #[inline(always)]
    pub fn put(&mut self, point: usize, around: u16, player: usize) {
        self.lead += 1 - 2 * player as i32;
        self.content[point] = STONE[player];
        let count = (around / EMPTY) as i16;
        let around = self.neighbours(point);
        let own_liberties = L::of_empty(count, around, |at| self.content[at] == EMPTY);
        let mut own = 0u32;
        for (i, at) in around.into_iter().enumerate() {
            own |= u32::from(self.content[at] == STONE[player]) << i;
        }
        if own == 0 {
            self.chain[point] = point as u16;
            self.next[point] = point as u16;
            self.liberties[point] = own_liberties;
            self.stones[point] = 1;
            return;
        }
        // The stone joins one chain, and the others join that.
        let mut chain = self.chain_of(around[own.trailing_zeros() as usize & 3]);
        self.chain[point] = chain as u16;
        self.next[point] = self.next[chain];
        self.next[chain] = point as u16;
        self.liberties[chain] = self.liberties[chain].joined(own_liberties);
        self.stones[chain] += 1;
        own &= own - 1;
        while own != 0 {
            let other = self.chain_of(around[own.trailing_zeros() as usize & 3]);
            if other != chain {
                chain = self.join(chain, other);
            }
            own &= own - 1;
        }
    }

    /// Makes one chain of two: the smaller one takes the name of the larger, which is returned.
    #[inline(always)]
    fn join(&mut self, one: usize, two: usize) -> usize {
        let (large, small) =
            if self.stones[one] > self.stones[two] { (one, two) } else { (two, one) };
        self.liberties[large] = self.liberties[large].joined(self.liberties[small]);
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
        large
    }

    /// Takes the enemy chains without liberties off the board; returns the number of stones.
    #[inline(always)]
    pub fn capture_around(&mut self, point: usize, enemy: usize) -> usize {
        let around = self.neighbours(point);
        // Empty points and the border have no chain, and so never zero liberties.
        let [a, b, c, d] = around.map(|at| self.liberties_at(at).is_none());
        if a | b | c | d { self.capture_some(around, enemy) } else { 0 }
    }

    /// Apart, since it is seldom needed and would make the loop around it slower.
    #[inline(never)]
    fn capture_some(&mut self, around: [usize; 4], enemy: usize) -> usize {
        let before = self.empties;
        for at in around {
            let chain = self.chain_of(at);
            if self.liberties[chain].is_none() && self.content[at] == STONE[enemy] {
                self.remove(chain);
            }
        }
        let captured = self.empties - before;
        self.lead -= captured as i32 * (1 - 2 * enemy as i32);
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
