//! Numbers and tallies as bytes. `docs/spec.md` ("Saved searches") has the format.
//!
//! What is read may be anything. Every number is checked before it is used, and nothing is allocated
//! that the bytes still to come do not account for.

use super::tally::Tally;
use super::units::{Counting, WIN};

/// Bytes that are no search of this position: what is wrong with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged(pub &'static str);

/// Bytes under way.
#[derive(Default)]
pub struct Writer {
    /// What was written.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// A whole number: seven bits a byte, the lowest first; all bytes but the last have their top bit
    /// set (LEB128).
    pub fn number(&mut self, number: impl Into<u64>) {
        let mut left = number.into();
        while left >= 0x80 {
            self.bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        self.bytes.push(left as u8);
    }

    /// Visits, and if there are any, wins and draws.
    pub fn tally(&mut self, tally: Tally) {
        self.number(tally.visits);
        if tally.visits > 0 {
            self.number(tally.wins);
            self.number(tally.draws + tally.parts); // only one of them is counted
        }
    }

    /// The codes that were seen, with their tallies: how many, then each.
    pub fn codes(&mut self, codes: &[(usize, Tally)]) {
        self.number(codes.len() as u64);
        for &(code, tally) in codes {
            self.number(code as u64);
            self.tally(tally);
        }
    }

    /// Eight bytes, the lowest first.
    pub fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }
}

/// Bytes to be read.
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the beginning.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    /// A whole number of at most `most`.
    pub fn number(&mut self, most: u64) -> Result<u64, Damaged> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (&byte, rest) = self.bytes.split_first().ok_or(Damaged("it ends too soon"))?;
            self.bytes = rest;
            let part = u64::from(byte & 0x7F);
            if shift > 63 || part << shift >> shift != part {
                return Err(Damaged("a number is too large"));
            }
            number |= part << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        if number > most { Err(Damaged("a number is too large")) } else { Ok(number) }
    }

    /// A count of at most `most`.
    pub fn count(&mut self, most: u32) -> Result<u32, Damaged> {
        Ok(self.number(u64::from(most))? as u32)
    }

    /// A tally of at most so many visits; whether the game has draws, and how results are counted.
    pub fn tally(&mut self, most: u32, draws: bool, counting: Counting) -> Result<Tally, Damaged> {
        let visits = self.count(most)?;
        if visits == 0 {
            return Ok(Tally::default());
        }
        let wins = self.count(visits)?;
        if counting == Counting::Estimates {
            let parts = self.count(if wins < visits { WIN - 1 } else { 0 })?;
            return Ok(Tally { visits, wins, draws: 0, parts });
        }
        let draws = self.count(if draws { visits - wins } else { 0 })?;
        Ok(Tally { visits, wins, draws, parts: 0 })
    }

    /// Codes below `codes` with their tallies, of at most `most` visits.
    pub fn codes(
        &mut self,
        codes: usize,
        most: u32,
        draws: bool,
        counting: Counting,
    ) -> Result<Vec<(usize, Tally)>, Damaged> {
        let count = self.number(codes as u64)?;
        let mut found: Vec<(usize, Tally)> = Vec::new();
        for _ in 0..count {
            let code = self.number(codes as u64 - 1)? as usize;
            if found.last().is_some_and(|&(last, _)| last >= code) {
                return Err(Damaged("codes out of order"));
            }
            let tally = self.tally(most, draws, counting)?;
            if tally.visits == 0 {
                return Err(Damaged("a code that was never seen"));
            }
            found.push((code, tally));
        }
        Ok(found)
    }

    /// Eight bytes.
    pub fn word(&mut self) -> Result<u64, Damaged> {
        let (word, rest) = self.bytes.split_first_chunk().ok_or(Damaged("it ends too soon"))?;
        self.bytes = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// As many bytes as the number before them says.
    pub fn part(&mut self) -> Result<Reader<'a>, Damaged> {
        let count = self.number(u64::MAX)?;
        if count > self.bytes.len() as u64 {
            return Err(Damaged("it ends too soon"));
        }
        let (part, rest) = self.bytes.split_at(count as usize);
        self.bytes = rest;
        Ok(Reader::new(part))
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (&byte, rest) = self.bytes.split_first().ok_or(Damaged("it ends too soon"))?;
        self.bytes = rest;
        Ok(byte)
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// Refuses bytes that nobody asked for.
    pub fn finish(self) -> Result<(), Damaged> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Damaged("it goes on after its end")) }
    }
}

/// There is a bound of the memory: the bytes in use follow.
const BOUNDED: u64 = 1;
/// It was met.
const FULL: u64 = 2;

/// Writes the bytes in use if there is a bound of the memory, and whether it was met.
pub fn write_bound(used: Option<usize>, full: bool, out: &mut Writer) {
    let Some(used) = used else { return out.number(0_u64) };
    out.number(BOUNDED | if full { FULL } else { 0 });
    out.number(used as u64);
}

/// Reads it back, for a search with a bound or without. Without one nothing counts as used, unless all
/// the memory that there can be (`most`) was used up.
pub fn read_bound(
    bounded: bool,
    most: usize,
    from: &mut Reader<'_>,
) -> Result<(usize, bool), Damaged> {
    let mark = from.number(BOUNDED | FULL)?;
    if mark & BOUNDED == 0 {
        let right = mark == 0 && !bounded;
        return if right { Ok((0, false)) } else { Err(Damaged("no bound of the memory")) };
    }
    let (used, full) = (from.number(u64::MAX >> 8)? as usize, mark & FULL != 0);
    if !bounded && (!full || used < most / 2) {
        return Err(Damaged("a bound of the memory, which this search has not"));
    }
    Ok((used, full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 31, u64::from(u32::MAX), 1 << 63, u64::MAX];
        let mut out = Writer::default();
        for number in numbers {
            out.number(number);
        }
        let mut from = Reader::new(&out.bytes);
        for number in numbers {
            assert_eq!(from.number(u64::MAX), Ok(number));
        }
        assert_eq!(from.finish(), Ok(()));
        assert_eq!(Reader::new(&[0xAC, 0x02]).number(300), Ok(300));
        assert!(Reader::new(&[0xAC, 0x02]).number(299).is_err());
        assert!(Reader::new(&[0x80]).number(5).is_err());
        assert!(Reader::new(&[0xFF; 11]).number(u64::MAX).is_err());
        assert!(
            Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2])
                .number(u64::MAX)
                .is_err()
        );
    }

    #[test]
    fn a_tally_that_cannot_be_is_refused() {
        let mut out = Writer::default();
        out.tally(Tally { visits: 5, wins: 3, draws: 2, parts: 0 });
        let read =
            |bytes: &[u8], most, draws| Reader::new(bytes).tally(most, draws, Counting::Outcomes);
        assert!(read(&out.bytes, 5, true).is_ok());
        assert!(read(&out.bytes, 4, true).is_err());
        assert!(read(&out.bytes, 5, false).is_err());
        assert!(read(&[5, 3, 3], 5, true).is_err());
        assert!(read(&[5, 6, 0], 5, true).is_err());
        let estimate = |bytes: &[u8]| Reader::new(bytes).tally(5, false, Counting::Estimates);
        assert_eq!(estimate(&[5, 4, 0x80, 1]).map(|tally| tally.parts), Ok(128));
        assert!(estimate(&[5, 5, 0]).is_ok());
        assert!(estimate(&[5, 5, 1]).is_err());
        assert!(estimate(&[5, 4, 0x80, 0x80, 4]).is_err());
    }

    #[test]
    fn a_bound_is_read_where_there_is_one() {
        let read = |bounded, bytes: &[u8]| read_bound(bounded, 100, &mut Reader::new(bytes));
        assert_eq!(read(false, &[0]), Ok((0, false)));
        assert_eq!(read(false, &[3, 99]), Ok((99, true)));
        assert_eq!(read(true, &[1, 9]), Ok((9, false)));
        assert_eq!(read(true, &[3, 9]), Ok((9, true)));
        assert!(read(true, &[0]).is_err());
        assert!(read(true, &[2]).is_err());
        assert!(read(false, &[1, 99]).is_err());
        assert!(read(false, &[2]).is_err());
        assert!(read(false, &[3, 9]).is_err());
    }
}
