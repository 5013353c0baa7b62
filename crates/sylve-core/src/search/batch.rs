//! Batches: some descents with their playouts, on several threads, then their updates in order.
//!
//! A descent waits for the rest of its batch, and meanwhile counts as a loss, so that the next one looks
//! elsewhere. The tree does not depend on the number of threads: only playouts are shared out, each
//! has its own stream of random numbers, and none sees the result of another of its batch.
//!
//! A batch can be left between two descents and taken up again ([`run`]), or ended there
//! ([`TreeSearch::settle`]): then it is a batch of as many descents as it has.

use super::descent::{End, Waiting};
use super::policies::Playouts;
use super::spin_barrier::{SpinBarrier, lock};
use super::statistics::Needs;
use super::sync::Mutex;
use super::tree::{TreeSearch, play};
use super::visited_codes::VisitedCodes;
use crate::cpu::{self, Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::Game;
use crate::rng::Rng;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

/// Descents for each thread before their playouts are made.
const PART: usize = 32;

/// What the threads share.
struct Round<'a, G: Game> {
    game: &'a G,
    seed: u64,
    coded: bool,
    needs: Needs,
    waiting: &'a [Mutex<Waiting<G>>],
    /// How the playouts are made; what they have learned changes from batch to batch.
    playouts: RwLock<Playouts>,
    /// The number of the batch's first simulation, and the part of the batch that is to be played.
    first: AtomicU64,
    from: AtomicUsize,
    to: AtomicUsize,
    threads: usize,
    over: AtomicBool,
    /// All threads meet before a part and after it: this orders all of the above.
    barrier: SpinBarrier,
}

impl<G: Evaluate> Round<'_, G> {
    /// Plays the share of a thread. The shares are fixed: to ask who takes the next one would take as
    /// long as a short playout.
    #[inline(always)]
    fn play<C: Cpu>(&self, thread: usize, playouts: &mut Playouts, seen: &mut VisitedCodes) {
        let from = self.from.load(Ordering::Relaxed);
        let size = self.to.load(Ordering::Relaxed) - from;
        for index in size * thread / self.threads..size * (thread + 1) / self.threads {
            let descent = &mut *lock(&self.waiting[from + index]);
            let Some(state) = descent.state.take() else { continue };
            let number = self.first.load(Ordering::Relaxed) + (from + index) as u64;
            let mut rng = Rng::stream(self.seed, number);
            let (depth, needs, coded) = (descent.path.len(), self.needs, self.coded);
            seen.clear();
            let played = &mut descent.played;
            let result = play::<C, G>(
                self.game, state, playouts, &mut rng, coded, needs, depth, seen, played,
            );
            if coded && needs != Needs::CodesInOrder {
                descent.set.extend_from_slice(seen.set());
            }
            descent.result = Some(result);
        }
    }
}

/// A thread that helps with the playouts: its number, from 1.
struct Help<'a, G: Game>(&'a Round<'a, G>, usize);

impl<G: Evaluate> Work for Help<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Help(round, thread) = self;
        let copy = || round.playouts.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (mut playouts, mut seen) = (copy(), VisitedCodes::new(round.game));
        loop {
            round.barrier.wait();
            if round.over.load(Ordering::Relaxed) {
                return;
            }
            if playouts.learns() {
                playouts = copy();
            }
            round.play::<C>(thread, &mut playouts, &mut seen);
            round.barrier.wait();
        }
    }
}

/// Runs simulations in batches; the answer is how many were counted. If `stop` is set, the batch at hand
/// is left where it is, and the next run takes it up there.
#[inline(always)]
pub fn run<C: Cpu, G: Evaluate>(
    tree: &mut TreeSearch<G>,
    game: &G,
    playouts: &mut Playouts,
    seed: u64,
    range: std::ops::Range<u64>,
    stop: &AtomicBool,
) -> u64 {
    let waiting = tree.take_waiting(range.end - range.start);
    let threads = tree.threads;
    let round = Round {
        game,
        seed,
        coded: tree.is_coded(playouts),
        needs: tree.needs(),
        waiting: &waiting,
        playouts: RwLock::new(playouts.clone()),
        first: AtomicU64::new(range.start),
        from: AtomicUsize::new(0),
        to: AtomicUsize::new(0),
        threads,
        over: AtomicBool::new(false),
        barrier: SpinBarrier::new(threads),
    };
    let stopped = || stop.load(Ordering::Relaxed);
    let mut seen = VisitedCodes::new(game);
    let mut first = range.start;
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let help = Help(&round, thread);
            scope.spawn(|| cpu::run(help));
        }
        while first < range.end && !stopped() && tree.proof().is_none() && !tree.is_refused() {
            let size = (range.end - first).min(tree.batch as u64) as usize;
            while tree.sent < size && !stopped() {
                let (from, most) = (tree.sent, size.min(tree.sent + PART * threads));
                if from == 0 {
                    tree.begin_batch();
                    if playouts.learns() && threads > 1 {
                        *round.playouts.write().unwrap_or_else(PoisonError::into_inner) =
                            playouts.clone();
                    }
                }
                while tree.sent < most && (tree.sent == from || !stopped()) {
                    tree.send_down::<C>(game, round.coded, &mut lock(&waiting[tree.sent]));
                }
                round.first.store(first, Ordering::Relaxed);
                round.from.store(from, Ordering::Relaxed);
                round.to.store(tree.sent, Ordering::Relaxed);
                round.barrier.wait();
                round.play::<C>(0, playouts, &mut seen);
                round.barrier.wait();
            }
            if tree.sent < size {
                break; // stopped
            }
            first += tree.bring_all_up::<C>(game, playouts, &waiting);
        }
        round.over.store(true, Ordering::Relaxed);
        round.barrier.wait();
    });
    tree.waiting = waiting;
    first - range.start
}

impl<G: Evaluate> TreeSearch<G> {
    /// Room for the batches of so many simulations.
    fn take_waiting(&mut self, simulations: u64) -> Vec<Mutex<Waiting<G>>> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let size = simulations.min(self.batch as u64) as usize;
        waiting.resize_with(size.max(waiting.len()), Mutex::default);
        waiting
    }

    fn begin_batch(&mut self) {
        self.nodes_before = self.known.store.nodes();
    }

    /// Makes a descent and puts it aside.
    #[inline(always)]
    fn send_down<C: Cpu>(&mut self, game: &G, coded: bool, descent: &mut Waiting<G>) {
        let (state, end) = self.descend::<C>(game, coded);
        self.known.wait();
        (descent.state, descent.result) = match end {
            End::Open => (Some(state), None),
            End::Certain(outcome) | End::Cycle(outcome) => (None, Some(outcome.into())),
        };
        descent.end = end;
        descent.set.clear();
        descent.played.clear();
        self.exchange(descent);
        self.sent += 1;
    }

    /// Counts the results of all descents that wait, in their order; the answer is how many.
    #[inline(always)]
    fn bring_all_up<C: Cpu>(
        &mut self,
        game: &G,
        playouts: &mut Playouts,
        waiting: &[Mutex<Waiting<G>>],
    ) -> u64 {
        let (mut bytes, coded) = (0, self.is_coded(playouts));
        for descent in &waiting[..self.sent] {
            let descent = &mut *lock(descent);
            self.bring_up::<C>(game, playouts, coded, descent);
            bytes += descent.bytes();
        }
        self.known.use_waiting(bytes);
        std::mem::take(&mut self.sent) as u64
    }

    /// Takes up a descent whose result is known, and counts it.
    #[inline(always)]
    fn bring_up<C: Cpu>(
        &mut self,
        game: &G,
        playouts: &mut Playouts,
        coded: bool,
        descent: &mut Waiting<G>,
    ) {
        self.exchange(descent);
        self.known.stop_waiting();
        if coded {
            let (depth, needs) = (self.known.depth(), self.needs());
            let seen = &mut self.known.seen;
            seen.clear();
            if needs == Needs::CodesInOrder {
                seen.fill_in_order(&descent.played, depth);
            } else if !descent.set.is_empty() {
                seen.take_set(&descent.set);
                if needs == Needs::Visited || playouts.learns() {
                    seen.list();
                }
            }
        }
        if let Some(result) = descent.result {
            self.update::<C>(game, playouts, result, descent.end, coded);
        }
        self.exchange(descent);
    }

    fn exchange(&mut self, descent: &mut Waiting<G>) {
        self.known.exchange(&mut descent.path);
        std::mem::swap(&mut self.states, &mut descent.states);
    }

    /// Ends the batch at hand, which then was one of as many descents as wait: their playouts are made.
    /// The answer is how many.
    pub fn settle(&mut self, game: &G, playouts: &mut Playouts) -> u64 {
        let waiting = std::mem::take(&mut self.waiting);
        let count = self.bring_all_up::<cpu::Portable>(game, playouts, &waiting);
        self.waiting = waiting;
        count
    }

    /// Looks at the tree as it was before the batch at hand.
    pub fn without_waiting<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let waiting = std::mem::take(&mut self.waiting);
        for descent in &waiting[..self.sent] {
            self.known.exchange(&mut lock(descent).path);
            self.known.stop_waiting();
            self.known.exchange(&mut lock(descent).path);
        }
        let found = look(self);
        for descent in &waiting[..self.sent] {
            self.known.exchange(&mut lock(descent).path);
            self.known.wait();
            self.known.exchange(&mut lock(descent).path);
        }
        self.waiting = waiting;
        found
    }
}
