//! Hex: the two-distance of van Rijswijck's Queenbee.
//!
//! The distances from both sides of both players are found at once, a layer of cells after the
//! other. Cells far from chains find their neighbours by shifts of whole boards.

mod four;
#[cfg(test)]
mod tests;

use self::four::{Counts, Four};
use super::{Evaluate, Terms};
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Move, Player};
use crate::games::hex::{Cells, Hex, State};

/// A step of distance, and a cell on a best way; chosen so that distance comes first.
const STEP: i32 = 1000;
const CELL: i32 = 10;

/// Bits of a distance: none that counts is larger than 3 x 19 - 1.
const BITS: usize = 6;

/// What one player's chains join.
#[derive(Clone)]
struct Joined<const W: usize> {
    /// The empty cells that touch a chain.
    touching: Cells<W>,
    /// The neighbours that each of those has by its chains alone.
    far: [[Cells<W>; 64]; W],
    /// The cells that touch each of the player's sides, or a chain that does.
    beside: [Cells<W>; 2],
}

impl<const W: usize> Joined<W> {
    const NONE: Joined<W> =
        Joined { touching: Cells::NONE, far: [[Cells::NONE; 64]; W], beside: [Cells::NONE; 2] };

    /// Makes the empty cells around a chain neighbours of each other.
    #[inline(always)]
    fn add(&mut self, around: &Cells<W>, neighbours: &[Cells<W>]) {
        self.touching = self.touching.or(around);
        let far = self.far.as_flattened_mut();
        around.for_each(|cell| far[cell] = far[cell].or(around).without(&neighbours[cell]));
    }
}

impl<const W: usize> Hex<W> {
    /// Makes the empty cells around each chain neighbours of each other, and those around a chain
    /// that touches a side neighbours of that side.
    #[inline(always)]
    fn join(&self, state: &State<W>, empty: &Cells<W>, both: &mut [Joined<W>; 2]) {
        for (player, joined) in both.iter_mut().enumerate() {
            let stones = &state.stones[player];
            let sides = [&self.from[player], &self.to[player]];
            joined.beside = sides.map(|side| side.and(empty));
            let mut left = *stones;
            while let Some(i) = left.0.iter().position(|&word| word != 0) {
                let mut chain = Cells::NONE;
                chain.insert(64 * i + left.0[i].trailing_zeros() as usize);
                let mut around = Cells::NONE;
                let mut todo = chain;
                while todo != Cells::NONE {
                    let mut next = Cells::NONE;
                    todo.for_each(|cell| {
                        for word in 0..W {
                            around.0[word] |= self.neighbours[cell].0[word] & empty.0[word];
                            next.0[word] |= self.neighbours[cell].0[word] & stones.0[word];
                        }
                    });
                    todo = next.without(&chain);
                    chain = chain.or(&todo);
                }
                left = left.without(&chain);
                joined.add(&around, &self.neighbours);
                for (side, beside) in sides.iter().zip(&mut joined.beside) {
                    if chain.meets(side) {
                        *beside = beside.or(&around);
                    }
                }
            }
        }
    }

    /// For each player: the two-distances of his best cells from his two sides, summed, and how many
    /// cells have that sum. A cell beside a side has distance 1; any other has one more than the
    /// second nearest of its neighbours, because the opponent takes the nearest. Cells that touch
    /// the same chain of own stones are neighbours.
    #[inline(always)]
    fn potentials(&self, empty: &Cells<W>, joined: [&Joined<W>; 2]) -> [(i32, i32); 2] {
        // In each of the four places: a player, and one of his sides.
        let start = Four::new(&std::array::from_fn(|i| joined[i / 2].beside[i % 2].and(empty)));
        let chained = Four::new(&std::array::from_fn(|i| joined[i / 2].touching));
        let board = Four::new(&[*empty; 4]);
        let not_left = Four::new(&[self.board.without(&self.from[1]); 4]);
        let not_right = Four::new(&[self.board.without(&self.to[1]); 4]);
        let mut left = board.without(&start); // not reached yet
        let mut new = start;
        let mut counts = Counts::NONE; // how many neighbours of each cell are reached
        let mut distances = [Four::NONE; BITS]; // bit by bit
        let farthest = 3 * self.size - 1; // one more step, and a cell does not count
        for distance in 1..=farthest {
            for (bit, cells) in distances.iter_mut().enumerate() {
                if distance >> bit & 1 == 1 {
                    *cells = cells.or(&new);
                }
            }
            if distance == farthest || left.is_empty() {
                break;
            }
            let (westwards, eastwards) = (new.and(&not_left), new.and(&not_right));
            counts.add(&eastwards.later(1));
            counts.add(&westwards.earlier(1));
            counts.add(&new.later(self.size));
            counts.add(&new.earlier(self.size));
            counts.add(&westwards.later(self.size - 1));
            counts.add(&eastwards.earlier(self.size - 1));
            // Chains join the cells that touch them with no others.
            let open = chained.and(&left).without(&counts.twice);
            if !open.is_empty() {
                let touch = new.and(&chained);
                for place in 0..4 {
                    if open.lane(place) != Cells::NONE {
                        count_far(&touch, place, &joined[place / 2].far, &mut counts);
                    }
                }
            }
            new = counts.twice.and(&left);
            if new.is_empty() {
                break;
            }
            left = left.without(&new);
        }
        let reached = board.without(&left);
        [0, 2].map(|lane| {
            let reached = reached.lane(lane).and(&reached.lane(lane + 1));
            let [one, two] =
                [lane, lane + 1].map(|lane| distances.each_ref().map(|cells| cells.lane(lane)));
            self.least(&one, &two, reached)
        })
    }

    /// The least sum of two distances, given bit by bit, among the cells that are reached from both
    /// sides; and how many cells have it.
    #[inline(always)]
    fn least(
        &self,
        one: &[Cells<W>; BITS],
        two: &[Cells<W>; BITS],
        reached: Cells<W>,
    ) -> (i32, i32) {
        let mut sums = [Cells::NONE; BITS + 1];
        let mut carry = Cells::NONE;
        for (bit, (one, two)) in one.iter().zip(two).enumerate() {
            for i in 0..W {
                let (a, b, c) = (one.0[i], two.0[i], carry.0[i]);
                sums[bit].0[i] = a ^ b ^ c;
                carry.0[i] = a & b | (a ^ b) & c;
            }
        }
        sums[BITS] = carry;
        let (mut best, mut cells) = (0, reached);
        for (bit, sum) in sums.iter().enumerate().rev() {
            let less = cells.without(sum);
            if less == Cells::NONE {
                best |= 1 << bit;
            } else {
                cells = less;
            }
        }
        let most = 3 * self.size as i32; // farther than any cell counts as this
        if best > most || reached == Cells::NONE { (most, 0) } else { (best, cells.count() as i32) }
    }

    fn parts_of_evaluation(&self, state: &State<W>) -> [i32; 2] {
        parts(&cpu::run(Whole { game: self, state }), self.turn(state))
    }
}

/// The potentials of both players.
struct Whole<'a, const W: usize> {
    game: &'a Hex<W>,
    state: &'a State<W>,
}

impl<const W: usize> Work for Whole<'_, W> {
    type Output = [(i32, i32); 2];

    #[inline(always)]
    fn run<C: Cpu>(self) -> [(i32, i32); 2] {
        let empty = self.state.empty(&self.game.board);
        let mut joined = [Joined::NONE; 2];
        self.game.join(self.state, &empty, &mut joined);
        self.game.potentials(&empty, joined.each_ref())
    }
}

/// The potentials of both players after each of these moves. What the chains join is found once.
struct AfterEach<'a, const W: usize> {
    game: &'a Hex<W>,
    state: &'a State<W>,
    moves: &'a [Move],
    out: &'a mut Vec<[(i32, i32); 2]>,
}

impl<const W: usize> Work for AfterEach<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let AfterEach { game, state, moves, out } = self;
        let (player, empty) = (game.turn(state).index(), state.empty(&game.board));
        let mut joined = [Joined::NONE; 2];
        game.join(state, &empty, &mut joined);
        let before = joined[player].clone();
        for &mv in moves {
            if mv == game.swap_move() {
                let mut swapped = *state;
                game.play(&mut swapped, mv);
                out.push(Whole { game, state: &swapped }.run::<C>());
                continue;
            }
            let cell = usize::from(mv.0);
            let mut stone = Cells::NONE;
            stone.insert(cell);
            let empty = empty.without(&stone);
            // The stone joins all that were near its cell.
            let around = before.far.as_flattened()[cell].or(&game.neighbours[cell]).and(&empty);
            let after = &mut joined[player];
            after.add(&around, &game.neighbours);
            for beside in after.beside.iter_mut().filter(|beside| beside.has(cell)) {
                *beside = beside.or(&around);
            }
            out.push(game.potentials(&empty, joined.each_ref()));
            let after = &mut joined[player];
            (after.touching, after.beside) = (before.touching, before.beside);
            let far = after.far.as_flattened_mut();
            around.for_each(|cell| far[cell] = before.far.as_flattened()[cell]);
        }
    }
}

/// Counts the neighbours that the cells of one place have by chains.
#[inline(always)]
fn count_far<const W: usize>(
    touch: &Four<W>,
    place: usize,
    far: &[[Cells<W>; 64]; W],
    counts: &mut Counts<W>,
) {
    let (mut once, mut twice) = (counts.once.lane(place), counts.twice.lane(place));
    touch.lane(place).for_each(|cell| {
        let far = &far.as_flattened()[cell];
        twice = twice.or(&once.and(far));
        once = once.or(far);
    });
    counts.once.set_lane(place, &once);
    counts.twice.set_lane(place, &twice);
}

/// The parts of an evaluation for one player, of which both have these potentials.
#[inline(always)]
fn parts(potentials: &[(i32, i32); 2], player: Player) -> [i32; 2] {
    let (own, other) = (potentials[player.index()], potentials[player.other().index()]);
    [STEP * (other.0 - own.0), CELL * (own.1 - other.1)]
}

impl<const W: usize> Evaluate for Hex<W> {
    const EVALUATIONS: &'static [&'static str] = &["two_distance"];

    #[inline(always)]
    fn evaluate(&self, state: &State<W>, _: usize) -> i32 {
        self.parts_of_evaluation(state).into_iter().sum()
    }

    fn terms(&self, state: &State<W>, _: usize) -> Terms {
        ["distance", "mobility"].into_iter().zip(self.parts_of_evaluation(state)).collect()
    }

    #[inline(always)]
    fn evaluate_moves(
        &self,
        state: &State<W>,
        moves: &[Move],
        _: usize,
        mut each: impl FnMut(&State<W>, Option<i32>),
    ) {
        let player = self.turn(state);
        let mut potentials = Vec::with_capacity(moves.len());
        cpu::run(AfterEach { game: self, state, moves, out: &mut potentials });
        for (&mv, potentials) in moves.iter().zip(&potentials) {
            let mut after = *state;
            self.play(&mut after, mv);
            let over = self.outcome(&after).is_some();
            let score = || parts(potentials, player.other()).into_iter().sum();
            each(&after, (!over).then(score));
        }
    }
}
