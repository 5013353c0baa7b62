//! The AMAF codes of a simulation: each once, and when it came first.

use crate::game::{Game, Record};

/// The codes of the simulation under way. A playout writes straight into it.
pub struct VisitedCodes {
    /// By code: its place in the set.
    places: Vec<u16>,
    /// By place: the code.
    by_place: Vec<u16>,
    /// A bit for each place.
    set: Vec<u64>,
    /// The codes, each once, from [`VisitedCodes::list`] on: the first `count` entries.
    codes: Vec<u16>,
    count: usize,
    /// By code: the ply of its first time (see [`VisitedCodes::fill_in_order`]).
    first: Vec<u16>,
}

impl VisitedCodes {
    /// None of a game's codes seen.
    pub fn new<G: Game>(game: &G) -> VisitedCodes {
        let codes = game.codes();
        let places: Vec<u16> = (0..codes).map(|code| game.code_place(code) as u16).collect();
        let last = places.iter().max().map_or(0, |&place| usize::from(place));
        let mut by_place = vec![0; last + 1];
        for (code, &place) in places.iter().enumerate() {
            by_place[usize::from(place)] = code as u16;
        }
        VisitedCodes {
            places,
            by_place,
            set: vec![0; last / 64 + 1],
            codes: vec![0; codes + 1], // one more: room to write a code before it is known to be new
            count: 0,
            first: vec![0; codes],
        }
    }

    /// Forgets everything.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.set.fill(0);
        self.count = 0;
    }

    /// Puts a move of this ply before those seen so far.
    #[inline(always)]
    pub fn add_before(&mut self, code: u16, ply: usize) {
        // Without a branch: nobody can predict whether a code is new.
        self.codes[self.count] = code;
        self.count += usize::from(!self.has(code));
        self.played(usize::from(code));
        self.first[usize::from(code)] = ply as u16;
    }

    /// Lists the codes that a playout has written; those put before them later join the list.
    #[inline(always)]
    pub fn list(&mut self) {
        self.count = 0;
        for (word, &bits) in self.set.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                self.codes[self.count] = self.by_place[64 * word + bits.trailing_zeros() as usize];
                self.count += 1;
                bits &= bits - 1;
            }
        }
    }

    /// Adds moves in the order played, the first of them at this ply, and remembers when.
    pub fn fill_in_order(&mut self, codes: &[u16], ply: usize) {
        for (index, &code) in codes.iter().enumerate().rev() {
            self.add_before(code, ply + index);
        }
    }

    /// Whether a code was seen.
    #[inline(always)]
    pub fn has(&self, code: u16) -> bool {
        let place = self.places[usize::from(code)];
        self.set[usize::from(place / 64)] >> (place % 64) & 1 == 1
    }

    /// The set of codes, by place.
    #[inline(always)]
    pub fn set(&self) -> &[u64] {
        &self.set
    }

    /// Takes over a set of codes that another one had.
    pub fn take_set(&mut self, set: &[u64]) {
        self.count = 0;
        self.set.copy_from_slice(set);
    }

    /// How many plies before or after `depth` a code, which was seen, came first.
    #[inline(always)]
    pub fn distance(&self, code: u16, depth: usize) -> usize {
        usize::from(self.first[usize::from(code)]).abs_diff(depth)
    }

    /// All that were seen, each once, if they were listed.
    #[inline(always)]
    pub fn codes(&self) -> &[u16] {
        &self.codes[..self.count]
    }
}

impl Record for VisitedCodes {
    const WANTED: bool = true;

    #[inline(always)]
    fn played(&mut self, code: usize) {
        let place = self.places[code];
        self.set[usize::from(place / 64)] |= 1 << (place % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::breakthrough::Breakthrough;

    #[test]
    fn a_code_counts_once_and_from_its_first_ply() {
        let mut seen = VisitedCodes::new(&Breakthrough::new(5, 5));
        seen.clear();
        seen.fill_in_order(&[3, 84, 3], 2);
        assert_eq!(seen.codes(), [3, 84]);
        assert_eq!((seen.distance(3, 0), seen.distance(84, 0)), (2, 3));
        seen.add_before(84, 1);
        seen.add_before(5, 0);
        assert_eq!(seen.codes(), [3, 84, 5]);
        seen.played(7);
        seen.played(84);
        seen.list();
        let mut listed = seen.codes().to_vec();
        listed.sort_unstable();
        assert_eq!(listed, [3, 5, 7, 84]);
        assert_eq!((seen.distance(3, 1), seen.distance(84, 1), seen.distance(5, 1)), (1, 0, 1));
        let bits: Vec<u16> = (0..100).filter(|&code| seen.has(code)).collect();
        assert_eq!(bits, [3, 5, 7, 84]);
        seen.clear();
        assert!(seen.codes().is_empty() && (0..100).all(|code| !seen.has(code)));
    }
}
