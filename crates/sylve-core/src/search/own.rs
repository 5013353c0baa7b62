//! A rule, a schedule or a policy of a user's own: a function of C, compiled elsewhere.
//!
//! What it answers is checked here. The formulas cannot fail: an answer that is not allowed counts
//! as 0, the failure is kept, and whoever runs the search asks for it ([`Watch`]).

use super::tally::Tally;
use crate::foreign::PartFunction;
use crate::rng::Rng;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the function can be asked for; the numbers are those of `python/sylve/native/part_code.py`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as the methods of the parts")]
pub enum Method {
    Exploration,
    Beta,
    Choose,
    Pick,
}

impl Method {
    /// All, in order, by the names that Python has for them.
    pub const ALL: [(&'static str, Method); 4] = [
        ("exploration", Method::Exploration),
        ("beta", Method::Beta),
        ("choose", Method::Choose),
        ("pick", Method::Pick),
    ];
}

/// Visits, wins and draws, as the function reads them.
pub type Counts = [i64; 3];

/// A tally as the function reads it.
#[inline(always)]
pub fn counts(tally: Tally) -> Counts {
    [i64::from(tally.visits), i64::from(tally.wins), i64::from(tally.draws)]
}

/// What was asked and what was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The first answer that is not allowed, or what the function said instead.
    pub answer: String,
    /// The visits of the node.
    pub total: i64,
    /// The tallies of the moves.
    pub own: Vec<i64>,
    /// What else was given of the moves.
    pub other: Vec<i64>,
    /// Where the random numbers stood.
    pub word: u64,
}

/// How a part is made.
pub struct Source {
    /// Where its function is.
    pub address: usize,
    /// Its one method.
    pub method: Method,
    /// Its arguments, which the function gets each time.
    pub arguments: Box<[u64]>,
    /// Whether a policy looks at codes.
    pub coded: bool,
    /// Whether a policy looks at the results of codes.
    pub learns: bool,
    /// Keeps the function in memory.
    pub keeper: Box<dyn Any + Send + Sync>,
}

struct Part {
    function: PartFunction,
    source: Source,
    /// How often it has failed.
    failures: AtomicU64,
    kept: Mutex<Kept>,
}

/// The first failure since somebody began to watch.
struct Kept {
    wanted: bool,
    fault: Option<Fault>,
}

/// A part: as small as the ones of the engine, so that formulas can hand it on by value.
#[derive(Clone, Copy)]
pub struct Own(&'static Part);

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl std::fmt::Debug for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Own({:?}, {:?})", self.0.source.method, self.0.source.arguments)
    }
}

/// All parts, by function and arguments. They are never freed: a formula that is handed on by value
/// cannot count who still has it. There are as many as a process uses different values, each some
/// hundred bytes; machine code of a class is kept anyway.
static ALL: Mutex<BTreeMap<Key, Own>> = Mutex::new(BTreeMap::new());

/// The address of a function, and its arguments.
type Key = (usize, Box<[u64]>);

impl Own {
    /// The part of this function with these arguments; `None` if there is no function.
    pub fn new(source: Source) -> Option<Own> {
        let function = PartFunction::at(source.address)?;
        let key = (source.address, source.arguments.clone());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let made = all.entry(key).or_insert_with(|| {
            let kept = Mutex::new(Kept { wanted: false, fault: None });
            let part = Part { function, source, failures: AtomicU64::new(0), kept };
            Own(Box::leak(Box::new(part)))
        });
        Some(*made)
    }

    /// Its method.
    pub fn method(self) -> Method {
        self.0.source.method
    }

    /// Whether it looks at codes (a policy).
    pub fn is_coded(self) -> bool {
        self.0.source.coded
    }

    /// Whether it looks at the results of codes (a policy).
    pub fn learns(self) -> bool {
        self.0.source.coded && self.0.source.learns
    }

    /// What a rule adds to the mean of a move that was tried.
    pub fn exploration(self, total: u32, own: Tally) -> f64 {
        let mut out = [0.0];
        self.explorations(total, &[counts(own)], &mut out);
        out[0]
    }

    /// The same for some moves.
    #[inline(always)]
    pub fn explorations(self, total: u32, own: &[Counts], out: &mut [f64]) {
        self.numbers(total, own, &[], out, f64::is_finite);
    }

    /// A schedule's weight of AMAF for a move; neither tally is empty.
    pub fn beta(self, total: u32, own: Tally, amaf: Tally) -> f64 {
        let mut out = [0.0];
        self.betas(total, &[counts(own)], &[counts(amaf)], &mut out);
        out[0]
    }

    /// The same for some moves.
    #[inline(always)]
    pub fn betas(self, total: u32, own: &[Counts], amaf: &[Counts], out: &mut [f64]) {
        self.numbers(total, own, amaf, out, |beta| (0.0..=1.0).contains(&beta));
    }

    /// The place of the move that a bandit rule tries.
    pub fn choose(self, total: u32, tallies: &[Tally], rng: &mut Rng) -> usize {
        let own: Vec<Counts> = tallies.iter().copied().map(counts).collect();
        self.place(total, &own, &[], tallies.len(), rng)
    }

    /// The place of the move that a policy plays, of so many. `numbers`: the moves, then their codes
    /// if it looks at these; `tallies`: the results of the codes, if it looks at these.
    pub fn pick(self, moves: usize, numbers: &[i64], tallies: &[Counts], rng: &mut Rng) -> usize {
        self.place(0, tallies, numbers, moves, rng)
    }

    /// A number for each move, all of them allowed.
    #[inline(always)]
    fn numbers(
        self,
        total: u32,
        own: &[Counts],
        other: &[Counts],
        out: &mut [f64],
        allowed: impl Fn(f64) -> bool,
    ) {
        assert!(out.len() >= own.len() && (other.is_empty() || other.len() == own.len()));
        let out = &mut out[..own.len()];
        let (own, other) = (own.as_flattened(), other.as_flattened());
        let answer = self.call(i64::from(total), out.len(), own, other, &mut 0, out);
        // Without a branch: the compiler looks at several at once.
        let good = out.iter().fold(true, |good, &number| good & allowed(number));
        if answer != 0 || !good {
            let wrong = out.iter().find(|&&number| !allowed(number));
            let told = wrong.map_or_else(|| answer.to_string(), f64::to_string);
            self.fail(told, i64::from(total), own, other, 0);
            out.fill(0.0);
        }
    }

    /// A place of so many.
    fn place(
        self,
        total: u32,
        own: &[Counts],
        other: &[i64],
        moves: usize,
        rng: &mut Rng,
    ) -> usize {
        let (begun, mut word) = (rng.state(), rng.state());
        let own = own.as_flattened();
        let answer = self.call(i64::from(total), moves, own, other, &mut word, &mut []);
        rng.set_state(word);
        match usize::try_from(answer) {
            Ok(place) if place < moves => place,
            _ => {
                self.fail(answer.to_string(), i64::from(total), own, other, begun);
                0
            }
        }
    }

    #[inline(always)]
    fn call(
        self,
        total: i64,
        moves: usize,
        own: &[i64],
        other: &[i64],
        word: &mut u64,
        out: &mut [f64],
    ) -> i64 {
        let Part { function, source, .. } = self.0;
        function.call(source.method as i64, &source.arguments, total, moves, own, other, word, out)
    }

    #[cold]
    fn fail(self, answer: String, total: i64, own: &[i64], other: &[i64], word: u64) {
        let mut kept = self.kept();
        self.0.failures.fetch_add(1, Ordering::Relaxed);
        if std::mem::take(&mut kept.wanted) {
            kept.fault =
                Some(Fault { answer, total, own: own.to_vec(), other: other.to_vec(), word });
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells whether a part has failed since this was made. Others may use the same part: a failure of
/// theirs counts too, so that no result that a failure has changed goes unnoticed.
pub struct Watch {
    own: Own,
    before: u64,
}

impl Watch {
    /// From now on.
    pub fn new(own: Own) -> Watch {
        let mut kept = own.kept();
        kept.wanted = true;
        Watch { own, before: own.0.failures.load(Ordering::Relaxed) }
    }

    /// What went wrong, if something has.
    pub fn fault(&self) -> Option<Fault> {
        if self.own.0.failures.load(Ordering::Relaxed) == self.before {
            return None;
        }
        self.own.kept().fault.clone()
    }
}
