//! One node of a saved tree. The rules give its moves, so that only their counters are kept.

use super::bytes::{Damaged, Reader, Writer};
use super::proofs::is_proof;
use super::tally::Tally;
use super::units::{Counting, WIN};

/// What is kept of a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeRecord {
    /// By move: its own tally, then those of AMAF, band after band.
    pub tallies: Vec<Tally>,
    /// By move: the value that goes up the tree; empty where there are none.
    pub implicit: Vec<u16>,
    /// By move, if any is proven; else empty.
    pub proofs: Vec<u8>,
    /// The results of codes, if it keeps a table.
    pub table: Option<Vec<(usize, Tally)>>,
    /// The moves that lead to a node not met before.
    pub children: Vec<u16>,
}

/// What the records of a tree have in common.
#[derive(Clone, Copy, Debug)]
pub struct RecordShape {
    /// AMAF tallies of a move.
    pub bands: usize,
    /// Codes of a table; none if the search keeps no tables.
    pub codes: Option<usize>,
    /// Whether the game has draws.
    pub draws: bool,
    /// How results are counted.
    pub counting: Counting,
    /// Whether moves have values that go up the tree.
    pub implicit: bool,
    /// Whether the search proves.
    pub proves: bool,
}

/// Some moves are proven: a byte for each follows.
const PROOFS: u8 = 1;
/// A table follows.
const TABLE: u8 = 2;

impl NodeRecord {
    /// That of a node with so many moves that has counted nothing.
    pub fn empty(moves: usize, bands: usize) -> NodeRecord {
        NodeRecord { tallies: vec![Tally::default(); moves * (1 + bands)], ..Default::default() }
    }

    /// Writes it down.
    pub fn write(&self, out: &mut Writer) {
        for &tally in &self.tallies {
            out.tally(tally);
        }
        self.implicit.iter().for_each(|&value| out.number(value));
        let proofs = if self.proofs.is_empty() { 0 } else { PROOFS };
        out.bytes.push(proofs | if self.table.is_some() { TABLE } else { 0 });
        out.bytes.extend_from_slice(&self.proofs);
        if let Some(table) = &self.table {
            out.codes(table);
        }
        out.number(self.children.len() as u64);
        for &index in &self.children {
            out.number(index);
        }
    }

    /// Reads the record of a node with so many moves.
    pub fn read(
        from: &mut Reader<'_>,
        moves: usize,
        shape: RecordShape,
    ) -> Result<NodeRecord, Damaged> {
        let RecordShape { bands, codes, draws, counting, implicit, proves } = shape;
        let mut record = NodeRecord::default();
        let mut visits = 0_u32;
        // AMAF counts a simulation once: never more than the visits, which are known at the end.
        let mut most = 0;
        for place in 0..moves * (1 + bands) {
            let tally = from.tally(u32::MAX, draws, counting)?;
            if place % (1 + bands) == 0 {
                visits = visits.checked_add(tally.visits).ok_or(Damaged("too many visits"))?;
            }
            most = most.max(tally.visits);
            record.tallies.push(tally);
        }
        if most > visits {
            return Err(Damaged("a tally of more visits than its node"));
        }
        for _ in 0..if implicit { moves } else { 0 } {
            match from.number(u64::from(WIN - 1))? {
                0 => return Err(Damaged("a value that cannot be")),
                value => record.implicit.push(value as u16),
            }
        }
        let marks = from.byte()?;
        if marks & !(PROOFS | TABLE) != 0
            || (marks & PROOFS != 0 && !proves)
            || (marks & TABLE != 0 && codes.is_none())
        {
            return Err(Damaged("marks that this search has not"));
        }
        if marks & PROOFS != 0 {
            for _ in 0..moves {
                let proof = from.byte()?;
                if proof != 0 && !is_proof(proof) {
                    return Err(Damaged("an unknown proof"));
                }
                record.proofs.push(proof);
            }
            if record.proofs.iter().all(|&proof| proof == 0) {
                return Err(Damaged("proofs of no move"));
            }
        }
        if marks & TABLE != 0 {
            record.table = Some(from.codes(codes.unwrap_or(0), visits, draws, counting)?);
        }
        let count = from.number(moves as u64)?;
        for _ in 0..count {
            let index = from.number(moves as u64 - 1)? as u16;
            if record.children.last().is_some_and(|&last| last >= index) {
                return Err(Damaged("children out of order"));
            }
            if record.tallies[usize::from(index) * (1 + bands)].visits == 0 {
                return Err(Damaged("a child that was never visited"));
            }
            record.children.push(index);
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back() {
        let tally = |visits, wins, draws| Tally { visits, wins, draws, parts: 0 };
        let record = NodeRecord {
            tallies: vec![
                tally(3, 1, 1),
                tally(4, 0, 0),
                tally(0, 0, 0),
                tally(2, 2, 0),
                tally(300, 0, 7),
                tally(303, 0, 0),
            ],
            implicit: vec![65_535, 1, 40_000],
            proofs: vec![0, 3, 1],
            table: Some(vec![(2, tally(5, 0, 5)), (7, tally(303, 9, 0))]),
            children: vec![0, 2],
        };
        let shape = RecordShape {
            bands: 1,
            codes: Some(8),
            draws: true,
            counting: Counting::Outcomes,
            implicit: true,
            proves: true,
        };
        let mut out = Writer::default();
        record.write(&mut out);
        let mut from = Reader::new(&out.bytes);
        assert_eq!(NodeRecord::read(&mut from, 3, shape), Ok(record));
        assert_eq!(from.finish(), Ok(()));
        for end in 0..out.bytes.len() {
            assert!(NodeRecord::read(&mut Reader::new(&out.bytes[..end]), 3, shape).is_err());
        }
        for other in [
            RecordShape { draws: false, ..shape },
            RecordShape { proves: false, ..shape },
            RecordShape { codes: None, ..shape },
            RecordShape { codes: Some(7), ..shape },
        ] {
            assert!(NodeRecord::read(&mut Reader::new(&out.bytes), 3, other).is_err());
        }
    }
}
