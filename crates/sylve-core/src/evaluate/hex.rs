//! Hex: the two-distance of van Rijswijck's Queenbee.

use super::{Evaluate, Terms};
use crate::game::{Game, Player};
use crate::games::hex::{Cells, Hex, State};

/// A step of distance, and a cell on a best way; chosen so that distance comes first.
const STEP: i32 = 1000;
const CELL: i32 = 10;

impl<const W: usize> Hex<W> {
    /// The two-distances of one player's best cells from his two sides, summed, and how many cells
    /// have that sum. A cell beside a side has distance 1; any other has one more than the second
    /// nearest of its neighbours, because the opponent takes the nearest. Cells that touch the same
    /// chain of own stones are neighbours.
    fn potential(&self, state: &State<W>, player: Player) -> (i32, i32) {
        let empty = state.empty(&self.board);
        let mut near = [[Cells::NONE; 64]; W];
        let near = near.as_flattened_mut();
        empty.for_each(|cell| near[cell] = self.neighbours[cell].and(&empty));
        let sides = [&self.from[player.index()], &self.to[player.index()]];
        let mut beside = sides.map(|side| side.and(&empty));
        self.join_chains(&state.stones[player.index()], &empty, sides, near, &mut beside);

        let mut sums = [[0u8; 64]; W];
        let sums = sums.as_flattened_mut();
        let mut reached = empty; // from both sides
        for start in beside {
            let distances = self.two_distances(&empty, near, start, sums);
            reached = reached.and(&distances);
        }
        let (mut best, mut count) = (3 * self.size as i32, 0); // farther than any cell counts as this
        reached.for_each(|cell| {
            let sum = i32::from(sums[cell]);
            if sum < best {
                (best, count) = (sum, 0);
            }
            count += i32::from(sum == best);
        });
        (best, count)
    }

    /// Makes the empty cells around each chain neighbours of each other, and those around a chain
    /// that touches a side neighbours of that side.
    #[inline(always)]
    fn join_chains(
        &self,
        stones: &Cells<W>,
        empty: &Cells<W>,
        sides: [&Cells<W>; 2],
        near: &mut [Cells<W>],
        beside: &mut [Cells<W>; 2],
    ) {
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
            around.for_each(|cell| near[cell] = near[cell].or(&around));
            for (side, beside) in sides.iter().zip(beside.iter_mut()) {
                if chain.meets(side) {
                    *beside = beside.or(&around);
                }
            }
        }
    }

    /// Adds to `sums` the distance of each cell from the side that the cells of `start` touch;
    /// returns the cells that have one.
    #[inline(always)]
    fn two_distances(
        &self,
        empty: &Cells<W>,
        near: &[Cells<W>],
        start: Cells<W>,
        sums: &mut [u8],
    ) -> Cells<W> {
        let (mut reached, mut new, mut distance) = (start, start, 1);
        while new != Cells::NONE {
            new.for_each(|cell| sums[cell] += distance);
            distance += 1;
            new = Cells::NONE;
            empty.without(&reached).for_each(|cell| {
                // A cell that shares a chain with others is in its own set, but not reached.
                if near[cell].and(&reached).count() >= 2 {
                    new.insert(cell);
                }
            });
            reached = reached.or(&new);
        }
        reached
    }

    fn parts_of_evaluation(&self, state: &State<W>) -> [i32; 2] {
        let turn = self.turn(state);
        let (own, other) = (self.potential(state, turn), self.potential(state, turn.other()));
        [STEP * (other.0 - own.0), CELL * (own.1 - other.1)]
    }
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
}
