//! The counters of a node, by move, as they lie in its block.

use super::super::columns::Judged;
use super::super::pairs::Pair;
use super::super::sync::{AtomicU64, Ordering};
use super::super::tally::Tally;
use super::super::units::{Counting, WIN};
use super::cells;
use super::header::HEADER;
use super::values;

/// Which counters nodes have.
#[derive(Clone, Copy, Debug)]
pub struct CounterShape {
    /// Simulations under way: the formulas with AMAF need them apart.
    pub under_way: bool,
    /// Tallies of AMAF by move.
    pub amaf: bool,
    /// Draws, which the game has, or parts of estimates.
    pub draws: bool,
    /// How results are counted.
    pub counting: Counting,
    /// Whether moves have values that go up the tree.
    pub implicit: bool,
    /// Whether moves have values of virtual visits.
    pub prior: bool,
}

/// The counters of a node. All but the wide ones lie two to a word; what there is not is empty.
#[derive(Clone, Copy)]
pub struct NodeCounters<'a> {
    /// The number of moves.
    pub moves: usize,
    /// How results are counted.
    pub counting: Counting,
    /// Visits and wins.
    pub own: &'a [AtomicU64],
    /// Draws, or parts of estimates.
    pub draws: &'a [AtomicU64],
    /// Simulations under way.
    pub under_way: &'a [AtomicU64],
    /// Visits and wins of AMAF.
    pub amaf: &'a [AtomicU64],
    /// Draws of AMAF.
    pub amaf_draws: &'a [AtomicU64],
    /// What evaluations say (see `values.rs`): what goes up the tree.
    pub implicit: &'a [AtomicU64],
    /// The values of virtual visits.
    pub prior: &'a [AtomicU64],
    /// What `own` and `amaf` have no room for.
    pub wide: Option<Wide<'a>>,
}

/// Wide counters of a node.
#[derive(Clone, Copy)]
pub struct Wide<'a> {
    /// Visits and wins.
    pub own: &'a [AtomicU64],
    /// Visits and wins of AMAF.
    pub amaf: &'a [AtomicU64],
}

impl CounterShape {
    /// Words of a block.
    #[inline(always)]
    pub fn length(self, moves: u16) -> usize {
        let draws = if self.draws { 2 } else { 1 };
        let columns = draws * (1 + usize::from(self.amaf)) + usize::from(self.under_way);
        let judged = usize::from(self.implicit) + usize::from(self.prior);
        let moves = usize::from(moves);
        HEADER + columns * moves.div_ceil(2) + judged * values::length(moves)
    }

    /// Words of wide counters.
    #[inline(always)]
    pub fn wide_length(self, moves: u16) -> usize {
        usize::from(moves) * if self.amaf { 2 } else { 1 }
    }

    /// The counters in a block.
    #[inline(always)]
    pub fn at<'a>(
        self,
        words: &'a [AtomicU64],
        moves: u16,
        wide: Option<Wide<'a>>,
    ) -> NodeCounters<'a> {
        let column = usize::from(moves).div_ceil(2);
        let judged = values::length(usize::from(moves));
        let (own, mut rest) = words[HEADER..].split_at(column);
        let mut next = |wanted: bool, length: usize| {
            let column;
            (column, rest) = rest.split_at(if wanted { length } else { 0 });
            column
        };
        NodeCounters {
            moves: usize::from(moves),
            counting: self.counting,
            own,
            draws: next(self.draws, column),
            under_way: next(self.under_way, column),
            amaf: next(self.amaf, column),
            amaf_draws: next(self.amaf && self.draws, column),
            implicit: next(self.implicit, judged),
            prior: next(self.prior, judged),
            wide,
        }
    }

    /// Wide counters in a block.
    #[inline(always)]
    pub fn wide(self, words: &[AtomicU64], moves: u16) -> Wide<'_> {
        let (own, amaf) = words[..self.wide_length(moves)].split_at(usize::from(moves));
        Wide { own, amaf }
    }
}

impl<'a> NodeCounters<'a> {
    /// What an evaluation says of the moves.
    #[inline(always)]
    pub fn judged(&self, what: Judged) -> &'a [AtomicU64] {
        match what {
            Judged::Implicit => self.implicit,
            Judged::Prior => self.prior,
        }
    }

    /// What is proven of each move; 0 where nothing is.
    pub fn proofs(&self) -> impl Iterator<Item = u8> {
        let half = |index| cells::half(self.own, index, Ordering::Relaxed);
        (0..self.moves).map(move |index| cells::proof(half(index)) as u8)
    }

    /// The tally of a move.
    pub fn tally(&self, index: usize) -> Tally {
        self.tally_in(self.own, self.draws, self.wide.map(|wide| &wide.own[index]), index)
    }

    /// Its tally of AMAF, if there is one.
    pub fn amaf_tally(&self, index: usize) -> Option<Tally> {
        let wide = self.wide.map(|wide| wide.amaf);
        let wide = wide.filter(|wide| !wide.is_empty()).map(|wide| &wide[index]);
        (!self.amaf.is_empty()).then(|| self.tally_in(self.amaf, self.amaf_draws, wide, index))
    }

    fn tally_in(
        &self,
        own: &[AtomicU64],
        draws: &[AtomicU64],
        wide: Option<&AtomicU64>,
        index: usize,
    ) -> Tally {
        // Draws first: whoever sees one sees its visit, so that wins and draws are never more than
        // visits.
        let draws = if draws.is_empty() { 0 } else { cells::half(draws, index, Ordering::Acquire) };
        let pair = cells::pair(cells::half(own, index, Ordering::Relaxed));
        let wide = wide.map_or(0, |wide| wide.load(Ordering::Relaxed));
        let (visits, wins) = (pair.visits() + wide.visits(), pair.wins() + wide.wins());
        tally_of(visits, wins, draws, self.counting)
    }
}

/// A tally of what was read: of draws or parts, as results are counted.
pub fn tally_of(visits: u32, wins: u32, draws: u32, counting: Counting) -> Tally {
    match counting {
        Counting::Outcomes => Tally { visits, wins, draws, parts: 0 },
        // A win that somebody is carrying comes soon.
        Counting::Estimates => Tally { visits, wins, draws: 0, parts: draws % WIN },
    }
}
