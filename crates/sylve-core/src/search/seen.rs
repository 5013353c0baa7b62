//! The AMAF codes of a simulation: each once, and when it came first.

use crate::game::Record;

/// The codes of the simulation under way. A playout writes straight into it.
pub struct Seen {
    /// By code: the number of the simulation that had it last, so that nothing need be cleared.
    last: Vec<u32>,
    /// By code: the ply of its first time in this simulation.
    first: Vec<u16>,
    simulation: u32,
    ply: u16,
    /// The codes of this simulation, each once: the first `count` entries.
    codes: Vec<u16>,
    count: usize,
}

impl Seen {
    /// None of `codes` codes seen.
    pub fn new(codes: usize) -> Seen {
        Seen {
            last: vec![0; codes],
            first: vec![0; codes],
            simulation: 0,
            ply: 0,
            codes: vec![0; codes + 1], // one more: room to write a code before it is known to be new
            count: 0,
        }
    }

    /// Forgets everything. The next move played is at this ply.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.last.fill(0);
            self.simulation = 1;
        }
        self.ply = ply as u16;
        self.count = 0;
    }

    /// Puts a move before those seen so far.
    #[inline(always)]
    pub fn add_before(&mut self, code: u16, ply: usize) {
        self.ply = ply as u16;
        let known = self.has(code);
        self.played(usize::from(code));
        if known {
            self.first[usize::from(code)] = ply as u16;
        }
    }

    /// Whether a code was seen.
    #[inline(always)]
    pub fn has(&self, code: u16) -> bool {
        self.last[usize::from(code)] == self.simulation
    }

    /// How many plies before or after `depth` a code, which was seen, came first.
    #[inline(always)]
    pub fn distance(&self, code: u16, depth: usize) -> usize {
        usize::from(self.first[usize::from(code)]).abs_diff(depth)
    }

    /// All that were seen, each once.
    #[inline(always)]
    pub fn codes(&self) -> &[u16] {
        &self.codes[..self.count]
    }
}

impl Record for Seen {
    const WANTED: bool = true;

    #[inline(always)]
    fn played(&mut self, code: usize) {
        // No branch: nobody can predict whether a code of a random game is new.
        let known = self.last[code] == self.simulation;
        self.last[code] = self.simulation;
        self.first[code] = if known { self.first[code] } else { self.ply };
        self.codes[self.count] = code as u16;
        self.count += usize::from(!known);
        self.ply = self.ply.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_counts_once_and_from_its_first_ply() {
        let mut seen = Seen::new(10);
        seen.clear(2);
        for code in [3, 4, 3] {
            seen.played(code);
        }
        assert_eq!(seen.codes(), [3, 4]);
        assert_eq!((seen.distance(3, 0), seen.distance(4, 0)), (2, 3));
        seen.add_before(4, 1);
        seen.add_before(5, 0);
        assert_eq!(seen.codes(), [3, 4, 5]);
        assert_eq!((seen.distance(3, 1), seen.distance(4, 1), seen.distance(5, 1)), (1, 0, 1));
        seen.clear(0);
        assert!(seen.codes().is_empty() && (0..10).all(|code| !seen.has(code)));
    }

    #[test]
    fn the_numbers_of_simulations_may_wrap() {
        let mut seen = Seen::new(2);
        seen.simulation = u32::MAX;
        seen.played(1);
        seen.clear(0);
        assert!(!seen.has(0) && !seen.has(1));
    }
}
