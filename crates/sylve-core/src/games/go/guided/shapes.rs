//! Step 2: moves by a pattern round the last ones.

use super::super::bits::Bits;
use super::super::board::{NO_POINT, circle};
use super::steps::Steps;
use super::{Guided, draw};
use crate::cpu::Cpu;
use crate::rng::Rng;

impl<const WORDS: usize, const POINTS: usize> Guided<'_, WORDS, POINTS> {
    /// The points round another that match a pattern: bit i for the one with index i of the circle.
    #[inline(always)]
    fn shapes<const PLAYER: usize>(&self, around: [usize; 8]) -> u64 {
        let mut found = 0;
        for (place, at) in around.into_iter().enumerate() {
            // No branches: most are as good as random.
            let code = self.codes[at & Self::MASK];
            let hit = self.board.is_empty(at) & self.patterns.matches(code, PLAYER);
            found |= u64::from(hit) << place;
        }
        found
    }

    /// Step 2 of `mogo`: a move by a pattern round the last one.
    #[inline(always)]
    pub(super) fn shape<C: Cpu, const PLAYER: usize>(&self, rng: &mut Rng) -> Option<usize> {
        let around = circle(self.last[0].into(), self.game.template.width);
        let mut left = self.shapes::<PLAYER>(around);
        while left != 0 {
            let one = C::nth_bit(left, rng.below(left.count_ones()));
            let point = around[one.trailing_zeros() as usize & 7] & Self::MASK;
            if self.is_playable::<PLAYER>(point) {
                return Some(self.cell(point));
            }
            left ^= one;
        }
        None
    }

    /// Step 2 of `local`: a move by a pattern round the last two.
    #[inline(always)]
    pub(super) fn wide_shape<C: Cpu, S: Steps, const PLAYER: usize>(
        &self,
        steps: &S,
        rng: &mut Rng,
    ) -> Option<usize> {
        let mut left = Bits::<WORDS>::NONE;
        for last in self.last {
            if last == NO_POINT {
                continue;
            }
            let around = circle(last.into(), self.game.template.width);
            let mut bits = self.shapes::<PLAYER>(around);
            while bits != 0 {
                left.insert(self.cell(around[bits.trailing_zeros() as usize & 7]));
                bits &= bits - 1;
            }
        }
        if left.is_empty() || !steps.pattern(rng) {
            return None;
        }
        while !left.is_empty() {
            let cell = draw::<C, WORDS>(left, rng);
            let point = usize::from(self.game.template.point[cell]) & Self::MASK;
            if self.is_playable::<PLAYER>(point) && !self.is_self_atari::<PLAYER>(point) {
                return Some(cell);
            }
            left.remove(cell);
        }
        None
    }
}
