//! Copies of busy nodes, which a thread has for itself.
//!
//! What one processor has written another one waits for: 200 ns for a word that two threads send to
//! and fro, on a virtual machine with an AMD EPYC, which is nearly half a playout of Breakthrough. And
//! that at most nodes of a descent, since all threads pass the same. So a thread reads a busy node
//! once, then chooses and counts in its copy. From time to time it tells the tree the results, and
//! reads anew: while they are still a small part of the node's visits, so that all choose nearly as
//! if they knew everything.

use super::super::units::{Counting, DRAW, WIN};
use super::cells;
use super::snapshot::OwnTallies;
use super::store::{NodeRef, SharedStore};

/// So many nodes are copied. With the sizes of Breakthrough's nodes 160 KiB or so, which a cache of
/// the second level holds.
const PLACES: usize = 1 << 8;
/// A result is told before there are more than one in so many visits, by all threads together.
const PART: usize = 8;
/// The most results that a thread keeps to itself.
const MOST: usize = 64;
/// A copy gives way to a node that comes by so often while nobody asks for it.
const PATIENCE: u8 = 4;

/// Copies by the keys of their nodes.
pub struct Copies {
    /// The keys of the copied nodes by place, together because most questions end here.
    keys: Vec<u64>,
    /// The last is for nodes that are not busy: it is read anew each time.
    places: Vec<CopiedNode>,
    /// How many have copies: this thread and others.
    threads: usize,
}

#[derive(Default)]
struct CopiedNode {
    node: Option<NodeRef>,
    /// The check of its moves.
    check: u32,
    own: OwnTallies,
    /// What the tree does not know yet: moves with their results in units.
    results: Vec<(u16, u32)>,
    /// So many are kept.
    keep: usize,
    /// How often another node came by since this one was wanted.
    idle: u8,
}

/// The place of what is read anew each time.
pub const READ: usize = PLACES;

impl Copies {
    /// None, for one of so many threads.
    pub fn new(threads: usize) -> Copies {
        let places = (0..=PLACES).map(|_| CopiedNode::default()).collect();
        Copies { keys: vec![0; PLACES], places, threads }
    }

    /// The tallies in a place.
    #[inline(always)]
    pub fn own(&self, place: usize) -> &OwnTallies {
        &self.places[place].own
    }

    /// The node with this key, if there is a copy, and the check of its moves.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<(NodeRef, u32)> {
        let at = place_of(key);
        if self.keys[at] != key {
            return None;
        }
        let place = &self.places[at];
        place.node.map(|node| (node, place.check))
    }

    /// Whether the copy of a node is in a place.
    #[inline(always)]
    pub fn has(&self, place: usize, node: NodeRef) -> bool {
        self.places[place].node == Some(node)
    }

    /// The place with the tallies of a node: its copy, made if it is busy and may be copied, or else
    /// [`READ`].
    #[inline(always)]
    pub fn read(&mut self, store: &SharedStore, node: NodeRef, may_copy: bool) -> usize {
        let at = place_of(node.key);
        if self.keys[at] == node.key && self.has(at, node) {
            let place = &mut self.places[at];
            place.idle = 0;
            if place.results.len() >= place.keep {
                self.renew(store, at, node);
            }
            return at;
        }
        let read = &mut self.places[READ].own;
        read.fill(store.at(node));
        if may_copy && read.total as usize >= 2 * PART * self.threads && self.makes_way(store, at) {
            self.places[at].check = store.check(node);
            self.fill(store, at, node);
            return at;
        }
        READ
    }

    /// Whether a place is free now.
    fn makes_way(&mut self, store: &SharedStore, at: usize) -> bool {
        let place = &mut self.places[at];
        if place.node.is_some() && place.idle < PATIENCE {
            place.idle += 1;
            return false;
        }
        place.tell(store);
        true
    }

    fn fill(&mut self, store: &SharedStore, at: usize, node: NodeRef) {
        let place = &mut self.places[at];
        place.own.fill(store.at(node));
        (self.keys[at], place.node) = (node.key, Some(node));
        place.idle = 0;
        place.keep = (place.own.total as usize / (PART * self.threads)).min(MOST);
    }

    /// Counts a result in a copy.
    #[inline(always)]
    pub fn count(&mut self, place: usize, index: u16, units: u32) {
        let place = &mut self.places[place];
        place.own.count(usize::from(index), units);
        place.results.push((index, units));
    }

    /// Writes the value of a move that goes up the tree, which the tree has already.
    #[inline(always)]
    pub fn set_implicit(&mut self, place: usize, index: u16, value: u32) {
        self.places[place].own.set_implicit(usize::from(index), value);
    }

    /// Tells the results of a copied node and reads it anew.
    pub fn renew(&mut self, store: &SharedStore, at: usize, node: NodeRef) {
        self.places[at].tell(store);
        self.fill(store, at, node);
    }

    /// Tells all results, and forgets the copies: other threads go on, or the tree changes.
    pub fn tell_all(&mut self, store: &SharedStore) {
        for place in &mut self.places {
            place.tell(store);
            place.node = None;
        }
    }
}

impl CopiedNode {
    /// Tells the tree the results.
    fn tell(&mut self, store: &SharedStore) {
        let Some(node) = self.node else { return };
        let at = store.at(node);
        for (index, units) in self.results.drain(..) {
            let index = usize::from(index);
            let wide = store.wide_for(node, at, self.own.visits(index));
            match (at.counting, wide) {
                (Counting::Outcomes, Some(wide)) => {
                    cells::count_wide(&wide.own[index], units == WIN);
                }
                (Counting::Outcomes, None) => cells::count(&at.own[index / 2], index, units == WIN),
                (Counting::Estimates, Some(wide)) => {
                    cells::begin_wide(&wide.own[index]);
                    if cells::add_part(at.draws, index, units) {
                        cells::win_wide(&wide.own[index]);
                    }
                }
                (Counting::Estimates, None) => {
                    cells::begin(&at.own[index / 2], index);
                    if cells::add_part(at.draws, index, units) {
                        cells::win(&at.own[index / 2], index);
                    }
                }
            }
            if units == DRAW && at.counting == Counting::Outcomes {
                cells::add(at.draws, index);
            }
        }
    }
}

#[inline(always)]
fn place_of(key: u64) -> usize {
    key as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::super::counters::CounterShape;
    use super::*;

    const SHAPE: CounterShape = CounterShape {
        under_way: false,
        amaf: false,
        draws: true,
        counting: Counting::Outcomes,
        implicit: false,
        prior: false,
    };

    /// Sums over all moves of a node: visits, points.
    fn sums(store: &SharedStore, node: NodeRef) -> (u32, u32) {
        let at = store.at(node);
        let tallies = (0..at.moves).map(|index| at.tally(index));
        tallies.fold((0, 0), |(visits, points), tally| {
            (visits + tally.visits, points + 2 * tally.wins + tally.draws)
        })
    }

    /// One of four threads counts for a while: the tree knows nearly all, in the end all, also when the
    /// counters have become wide.
    #[test]
    fn a_copy_tells_what_it_counts() {
        let mut store = SharedStore::new(1, 3, SHAPE, 3);
        let (node, mut copies) = (store.root(), Copies::new(4));
        let (mut told, mut points) = (0, 0);
        for count in 0..100_000_u32 {
            let place = copies.read(&store, node, true);
            assert_eq!(copies.own(place).total, count, "its own results are known to it");
            assert_eq!(place == READ, count < 64, "{count} visits");
            let (visits, known) = sums(&store, node);
            assert!(count - visits <= (count / 32).min(64), "{visits} of {count} told");
            assert!(known <= points);
            told = told.max(visits);
            let (index, result) = ((count % 3) as u16, count * 7 % 3);
            let units = result * DRAW;
            if place == READ {
                let at = usize::from(index);
                cells::count(store.own(node, at), at, result == 2);
                if result == 1 {
                    cells::add(store.at(node).draws, at);
                }
            } else {
                copies.count(place, index, units);
            }
            points += result;
            store.make_room(1); // for wide counters, when they are wanted
        }
        assert!(told < 100_000, "some are kept back, or this tests nothing");
        copies.tell_all(&store);
        assert_eq!(sums(&store, node), (100_000, points));
        assert!(store.at(node).wide.is_some());
        assert_eq!(copies.find(node.key), None);
    }

    /// A node that comes by often enough takes the place of one that nobody asks for; its results stay.
    #[test]
    fn copies_make_way() {
        let mut store = SharedStore::new(5, 2, SHAPE, 2);
        store.make_room(1000);
        let root = store.root();
        let super::super::slots::Place::Free(slot) = store.find(5 + PLACES as u64) else {
            unreachable!("not there yet")
        };
        let other = store.add((slot, 5 + PLACES as u64), 2, 9, |_| ()).expect("there is room");
        for node in [root, other] {
            (0..100).for_each(|_| cells::count(store.own(node, 0), 0, false));
        }
        let mut copies = Copies::new(1);
        let first = copies.read(&store, root, true);
        copies.count(first, 1, WIN);
        for _ in 0..PATIENCE {
            assert_eq!(copies.read(&store, other, true), READ);
        }
        assert_eq!(copies.read(&store, other, true), first);
        assert_eq!(copies.find(other.key), Some((other, 9)));
        assert!(!copies.has(first, root));
        assert_eq!(sums(&store, root), (101, 2));
        assert_eq!(copies.read(&store, root, false), READ, "not where copies are not wanted");
    }
}
