//! Results as whole numbers of a fixed unit, so that sums are exact in any order and on any number of
//! threads, also where a result is an estimate between loss and win.

use crate::game::{Outcome, Player};

/// The units of a win.
pub const WIN: u32 = 65_536;
/// Those of a draw.
pub const DRAW: u32 = WIN / 2;

/// The result of a simulation, in units for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Units(u32);

impl Units {
    /// An estimate of so many units for `player`.
    #[inline(always)]
    pub fn of(units: u32, player: Player) -> Units {
        Units(seen_by(units, player))
    }

    /// The units of a player.
    #[inline(always)]
    pub fn of_player(self, player: Player) -> u32 {
        seen_by(self.0, player)
    }
}

impl From<Outcome> for Units {
    #[inline(always)]
    fn from(outcome: Outcome) -> Units {
        Units(outcome.points(Player::First) * DRAW)
    }
}

/// The units of the first player as `player` sees them, and the other way round.
#[inline(always)]
fn seen_by(units: u32, player: Player) -> u32 {
    match player {
        Player::First => units,
        Player::Second => WIN - units,
    }
}

/// How results are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// Wins and draws apart.
    #[default]
    Outcomes,
    /// Estimates: whole wins, and parts of one. A draw is half a win.
    Estimates,
}
