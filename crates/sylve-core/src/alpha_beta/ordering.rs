//! In which order moves are tried: a good first move is what makes alpha-beta fast.
//!
//! The move of the table, then the killers of the ply (they refuted a brother of this position),
//! then what the game promises and what history tells (moves that refuted anywhere).

use crate::evaluate::Evaluate;
use crate::game::Move;

/// A move to try.
#[derive(Clone, Debug)]
pub struct Candidate<S> {
    pub mv: Move,
    /// The position after it.
    pub after: S,
    order: i64,
}

/// What one ply keeps between visits: room for its moves, killers, the line from here on.
#[derive(Debug)]
pub struct Ply<S> {
    pub candidates: Vec<Candidate<S>>,
    pub killers: [Option<Move>; 2],
    pub line: Vec<Move>,
}

impl<S> Ply<S> {
    pub fn new() -> Ply<S> {
        Ply { candidates: Vec::new(), killers: [None; 2], line: Vec::new() }
    }
}

const FIRST: i64 = 1 << 60;
const KILLER: i64 = 1 << 58;
/// One unit of promise against history, whose counters stay below this.
const PROMISE: i64 = 1 << 32;

/// How often a move with some AMAF code refuted a position, deep refutations counting more.
#[derive(Debug)]
pub struct History(Vec<i64>);

impl History {
    pub fn new(codes: usize) -> History {
        History(vec![0; codes])
    }

    /// A move with this code refuted a position that was searched so deep.
    #[inline(always)]
    pub fn refuted(&mut self, code: usize, depth: u32) {
        self.0[code] += i64::from(depth * depth);
        if self.0[code] >= PROMISE {
            self.0.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Plays each move and gives it its place. `promising`: whether to ask the game.
    #[inline(always)]
    pub fn fill<G: Evaluate>(
        &self,
        game: &G,
        state: &G::State,
        moves: &[Move],
        known: Option<Move>,
        ply: &mut Ply<G::State>,
        promising: bool,
    ) {
        ply.candidates.clear();
        for &mv in moves {
            let mut after = state.clone();
            game.play(&mut after, mv);
            let order = if known == Some(mv) {
                FIRST
            } else {
                let [first, second] = ply.killers.map(|killer| i64::from(killer == Some(mv)));
                let promise = if promising { i64::from(game.promise(&after)) } else { 0 };
                KILLER * 2 * first
                    + KILLER * second * (1 - first)
                    + PROMISE * promise
                    + self.0[game.code(state, mv)]
            };
            ply.candidates.push(Candidate { mv, after, order });
        }
    }
}

/// Brings the best of the moves from `index` on to that place; of equal ones, any.
#[inline(always)]
pub fn pick<S>(candidates: &mut [Candidate<S>], index: usize) {
    let mut best = index;
    for other in index + 1..candidates.len() {
        if candidates[other].order > candidates[best].order {
            best = other;
        }
    }
    candidates.swap(index, best);
}

/// Remembers a move that refuted a position of this ply.
#[inline(always)]
pub fn killed<S>(ply: &mut Ply<S>, mv: Move) {
    if ply.killers[0] != Some(mv) {
        ply.killers = [Some(mv), ply.killers[0]];
    }
}
