//! Leaf parallelisation: one thread descends, then each thread plays a playout from the leaf.
//!
//! For teaching: it is the simplest of the three, and the slowest, because a descent waits for the
//! longest playout and several results of one leaf say less than results of several leaves. The same
//! numbers for the same number of threads; also in `python/sylve/search/parallel.py`.

use super::super::config::Config;
use super::super::policies::Playouts;
use super::super::seen::Seen;
use super::super::shared::{Tree, Walker};
use super::super::tree::End;
use super::shared::Threads;
use crate::cpu::{self, Cpu, Work};
use crate::game::{Game, Outcome, Record};
use crate::rng::Rng;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Threads of which the first leads and the others play.
pub struct LeafThreads<G: Game> {
    walker: Walker<G>,
    players: Vec<Player>,
    seed: u64,
    steps: u64,
}

/// What a thread needs to play.
struct Player {
    playouts: Playouts,
    seen: Seen,
}

/// A playout to play: from this state, for this simulation.
type Task<S> = (S, u64);

impl Player {
    /// Plays; the codes are in `seen`.
    #[inline(always)]
    fn play<C: Cpu, G: Game>(
        &mut self,
        tree: &Tree<G>,
        state: G::State,
        seed: u64,
        index: u64,
    ) -> Outcome {
        let Player { playouts, seen } = self;
        let mut rng = Rng::stream(seed, index);
        seen.clear();
        if tree.coded() {
            let outcome = playouts.play::<C, _, _>(&*tree.game, state, &mut rng, seen);
            seen.list();
            outcome
        } else {
            playouts.play::<C, _, _>(&*tree.game, state, &mut rng, &mut ())
        }
    }
}

impl<G: Game> Threads<G> for LeafThreads<G> {
    fn new(game: &G, config: &Config, count: usize) -> LeafThreads<G> {
        let player = |_| Player {
            playouts: Playouts::new(config.policy.clone(), game.codes()),
            seen: Seen::new(game),
        };
        LeafThreads {
            walker: Walker::new(game, 1),
            players: (0..count).map(player).collect(),
            seed: config.seed,
            steps: 0,
        }
    }

    fn work(&mut self, tree: &Tree<G>, simulations: Range<u64>, stop: &AtomicBool) -> u64 {
        let LeafThreads { walker, players, seed, steps } = self;
        let seed = *seed;
        std::thread::scope(|scope| {
            let mut hands = Vec::new();
            let (own, others) = players.split_first_mut().expect("one thread at least");
            for player in others {
                let (give, tasks) = channel();
                let (answer, results) = channel();
                scope.spawn(move || cpu::run(Play { tree, player, seed, tasks, answer }));
                hands.push((give, results));
            }
            // Portable: it waits most of the time, and one more copy of the tree is saved.
            Lead { tree, walker, own, hands, seed, steps, simulations, stop }.run::<cpu::Portable>()
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// A thread that plays.
struct Play<'a, G: Game> {
    tree: &'a Tree<G>,
    player: &'a mut Player,
    seed: u64,
    tasks: Receiver<Task<G::State>>,
    answer: Sender<(Outcome, Vec<u16>)>,
}

impl<G: Game> Work for Play<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self) {
        let Play { tree, player, seed, tasks, answer } = self;
        // It ends when the leader is gone.
        while let Ok((state, index)) = tasks.recv() {
            let outcome = player.play::<C, G>(tree, state, seed, index);
            if answer.send((outcome, player.seen.codes().to_vec())).is_err() {
                return;
            }
        }
    }
}

/// How the leader gives tasks to a player and gets the results.
type Hand<S> = (Sender<Task<S>>, Receiver<(Outcome, Vec<u16>)>);

/// The thread that descends and updates, and plays the first playout itself.
struct Lead<'a, G: Game> {
    tree: &'a Tree<G>,
    walker: &'a mut Walker<G>,
    own: &'a mut Player,
    hands: Vec<Hand<G::State>>,
    seed: u64,
    steps: &'a mut u64,
    simulations: Range<u64>,
    stop: &'a AtomicBool,
}

impl<G: Game> Work for Lead<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self) -> u64 {
        let Lead { tree, walker, own, hands, seed, steps, simulations, stop } = self;
        let Range { start: mut next, end } = simulations;
        walker.start(tree);
        let ended = || stop.load(Ordering::Relaxed) || tree.is_proven() || tree.store.wants_room();
        while next < end && !ended() {
            let (state, end_of_descent) = walker.descend::<C>(tree);
            *steps += walker.depth() as u64;
            if let Some(outcome) = end_of_descent.outcome() {
                // The end of the game needs no playout, and counts once.
                walker.seen.clear();
                walker.update::<C>(tree, outcome, end_of_descent);
                next += 1;
                continue;
            }
            let others = (end - next - 1).min(hands.len() as u64);
            for (index, (give, _)) in (1..=others).zip(&hands) {
                give.send((state.clone(), next + index)).expect("players wait for us");
            }
            let outcome = own.play::<C, G>(tree, state, seed, next);
            count::<C, G>(tree, walker, outcome, own.seen.codes());
            for (_, (_, results)) in (0..others).zip(&hands) {
                let (outcome, codes) = results.recv().expect("players answer");
                walker.begin_again(tree);
                count::<C, G>(tree, walker, outcome, &codes);
            }
            next += 1 + others;
        }
        walker.finish(tree);
        next
    }
}

/// Counts a result with the codes of its playout.
#[inline(always)]
fn count<C: Cpu, G: Game>(tree: &Tree<G>, walker: &mut Walker<G>, outcome: Outcome, codes: &[u16]) {
    walker.seen.clear();
    for &code in codes {
        walker.seen.played(usize::from(code));
    }
    walker.update::<C>(tree, outcome, End::Open);
}
