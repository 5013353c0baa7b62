//! Batches: some descents, then their playouts on several threads, then their updates in order.
//!
//! A descent counts as a loss until its result is known (virtual loss), so that the next one looks
//! elsewhere. The tree does not depend on the number of threads: only playouts are shared out, each
//! has its own stream of random numbers, and none sees the result of another of its batch.

use super::meeting::{Meeting, lock};
use super::policies::Playouts;
use super::seen::Seen;
use super::shared::sync::Mutex;
use super::statistics::{Needs, Step};
use super::tree::{End, TreeSearch, play};
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Outcome};
use crate::rng::Rng;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

/// A descent that waits for its playout, or for its update.
pub struct Waiting<G: Game> {
    path: Vec<Step>,
    seen: Seen,
    states: Vec<G::State>,
    played: Vec<u16>,
    state: Option<G::State>,
    end: End,
    outcome: Option<Outcome>,
}

impl<G: Game> Waiting<G> {
    /// Room for one.
    pub fn new(game: &G) -> Waiting<G> {
        Waiting {
            path: Vec::new(),
            seen: Seen::new(game),
            states: Vec::new(),
            played: Vec::new(),
            state: None,
            end: End::Open,
            outcome: None,
        }
    }
}

/// What the threads share.
struct Round<'a, G: Game> {
    game: &'a G,
    seed: u64,
    coded: bool,
    needs: Needs,
    waiting: &'a [Mutex<Waiting<G>>],
    /// How the playouts are made; what they have learned changes from round to round.
    playouts: RwLock<Playouts>,
    /// The number of the first simulation, and how many there are.
    first: AtomicU64,
    size: AtomicUsize,
    threads: usize,
    over: AtomicBool,
    /// All threads meet before a round and after it: this orders all of the above.
    meeting: Meeting,
}

impl<G: Game> Round<'_, G> {
    /// Plays the part of a thread. The parts are fixed: to ask who takes the next one would take as
    /// long as a short playout.
    #[inline(always)]
    fn play<C: Cpu>(&self, thread: usize, playouts: &mut Playouts) {
        let size = self.size.load(Ordering::Relaxed);
        for index in size * thread / self.threads..size * (thread + 1) / self.threads {
            let one = &mut *lock(&self.waiting[index]);
            let Some(state) = one.state.take() else { continue };
            let number = self.first.load(Ordering::Relaxed) + index as u64;
            let mut rng = Rng::stream(self.seed, number);
            let (depth, needs, coded) = (one.path.len(), self.needs, self.coded);
            let (seen, played) = (&mut one.seen, &mut one.played);
            let outcome = play::<C, G>(
                self.game, state, playouts, &mut rng, coded, needs, depth, seen, played,
            );
            one.outcome = Some(outcome);
        }
    }
}

/// A thread that helps with the playouts: its number, from 1.
struct Help<'a, G: Game>(&'a Round<'a, G>, usize);

impl<G: Game> Work for Help<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Help(round, thread) = self;
        let copy = || round.playouts.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut playouts = copy();
        loop {
            round.meeting.wait();
            if round.over.load(Ordering::Relaxed) {
                return;
            }
            if playouts.learns() {
                playouts = copy();
            }
            round.play::<C>(thread, &mut playouts);
            round.meeting.wait();
        }
    }
}

/// Runs simulations in batches; the answer is how many were run.
#[inline(always)]
pub fn run<C: Cpu, G: Game>(
    tree: &mut TreeSearch<G>,
    game: &G,
    playouts: &mut Playouts,
    seed: u64,
    range: std::ops::Range<u64>,
    stop: &AtomicBool,
) -> u64 {
    let waiting = tree.take_waiting(game);
    let threads = tree.threads;
    let round = Round {
        game,
        seed,
        coded: tree.is_coded(playouts),
        needs: tree.needs(),
        waiting: &waiting,
        playouts: RwLock::new(playouts.clone()),
        first: AtomicU64::new(range.start),
        size: AtomicUsize::new(0),
        threads,
        over: AtomicBool::new(false),
        meeting: Meeting::new(threads),
    };
    let mut first = range.start;
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let help = Help(&round, thread);
            scope.spawn(|| cpu::run(help));
        }
        while first < range.end && !stop.load(Ordering::Relaxed) && tree.proof().is_none() {
            let size = (range.end - first).min(waiting.len() as u64) as usize;
            for one in &waiting[..size] {
                tree.send_down::<C>(game, round.coded, &mut lock(one));
            }
            if playouts.learns() && threads > 1 {
                *round.playouts.write().unwrap_or_else(PoisonError::into_inner) = playouts.clone();
            }
            round.first.store(first, Ordering::Relaxed);
            round.size.store(size, Ordering::Relaxed);
            round.meeting.wait();
            round.play::<C>(0, playouts);
            round.meeting.wait();
            for one in &waiting[..size] {
                tree.bring_up::<C>(game, playouts, round.coded, &mut lock(one));
            }
            first += size as u64;
        }
        round.over.store(true, Ordering::Relaxed);
        round.meeting.wait();
    });
    tree.waiting = waiting;
    first - range.start
}

impl<G: Game> TreeSearch<G> {
    fn take_waiting(&mut self, game: &G) -> Vec<Mutex<Waiting<G>>> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.resize_with(self.batch, || Mutex::new(Waiting::new(game)));
        waiting
    }

    /// Makes a descent and puts it aside.
    #[inline(always)]
    fn send_down<C: Cpu>(&mut self, game: &G, coded: bool, one: &mut Waiting<G>) {
        let (state, end) = self.descend::<C>(game, coded);
        self.known.count_virtual_loss::<C>();
        (one.state, one.outcome) = match end {
            End::Open => (Some(state), None),
            End::Certain(outcome) | End::Cycle(outcome) => (None, Some(outcome)),
        };
        one.end = end;
        self.exchange(one);
    }

    /// Takes up a descent whose result is known, and counts it.
    #[inline(always)]
    fn bring_up<C: Cpu>(
        &mut self,
        game: &G,
        playouts: &mut Playouts,
        coded: bool,
        one: &mut Waiting<G>,
    ) {
        self.exchange(one);
        self.known.take_back_virtual_loss::<C>();
        if let Some(outcome) = one.outcome {
            self.update::<C>(game, playouts, outcome, one.end, coded);
        }
    }

    fn exchange(&mut self, one: &mut Waiting<G>) {
        self.known.exchange(&mut one.path, &mut one.seen);
        std::mem::swap(&mut self.states, &mut one.states);
    }
}
