//! Which steps a policy takes: `mogo` all of them, `local` by chance.

use crate::guide::Chances;
use crate::means::is_random;
use crate::rng::Rng;

/// Which steps are taken.
pub trait Steps {
    /// Whether patterns are looked for round the last two moves, and self-atari is avoided.
    const WIDE: bool;
    fn save(&self, rng: &mut Rng) -> bool;
    fn pattern(&self, rng: &mut Rng) -> bool;
    fn capture(&self, rng: &mut Rng) -> bool;
    fn refuse(&self, rng: &mut Rng) -> bool;
}

/// All of them, without a draw.
pub struct Mogo;

impl Steps for Mogo {
    const WIDE: bool = false;
    #[inline(always)]
    fn save(&self, _: &mut Rng) -> bool {
        true
    }
    #[inline(always)]
    fn pattern(&self, _: &mut Rng) -> bool {
        true
    }
    #[inline(always)]
    fn capture(&self, _: &mut Rng) -> bool {
        true
    }
    #[inline(always)]
    fn refuse(&self, _: &mut Rng) -> bool {
        false
    }
}

impl Steps for Chances {
    const WIDE: bool = true;
    #[inline(always)]
    fn save(&self, rng: &mut Rng) -> bool {
        is_random(self.save, rng)
    }
    #[inline(always)]
    fn pattern(&self, rng: &mut Rng) -> bool {
        is_random(self.pattern, rng)
    }
    #[inline(always)]
    fn capture(&self, rng: &mut Rng) -> bool {
        is_random(self.capture, rng)
    }
    #[inline(always)]
    fn refuse(&self, rng: &mut Rng) -> bool {
        is_random(self.refuse, rng)
    }
}
