//! Playout policies, as in `python/sylve/search/reference/policies.py`.

use super::arithmetic::uniform;
use super::bytes::{Damaged, Reader, Writer};
use super::config::Policy;
use super::judging::Judge;
use super::own::{Counts, counts};
use super::tally::Tally;
use super::units::{Counting, Units};
use crate::cpu::{Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{
    Game, Move, Outcome, Player, Record, best_by_code, no_means, play_at_most, play_to_the_end,
};
use crate::guide::Guide;
use crate::means::Means;
use crate::rng::Rng;

/// What the playouts of a search need besides the game.
#[derive(Clone)]
pub struct Playouts {
    policy: Policy,
    /// After so many moves an evaluation says the result.
    cut: Option<Cut>,
    known: Known,
}

/// What a policy looks at, and room for lists.
#[derive(Clone, Default)]
struct Known {
    /// The results of every code so far, for the first player (`mast`, and policies of one's own).
    mast: Vec<Tally>,
    means: Means,
    saving: Vec<Move>,
    weights: Vec<u64>,
    asked: Asked,
}

/// What a policy of one's own is told of the moves.
#[derive(Clone, Default)]
struct Asked {
    /// The moves, then their codes.
    numbers: Vec<i64>,
    tallies: Vec<Counts>,
}

impl Playouts {
    /// Nothing played yet.
    pub fn new<G: Game>(policy: Policy, game: &G) -> Playouts {
        let mut known = Known::default();
        if policy.learns() {
            known.mast = vec![Tally::default(); game.codes()];
            known.means = no_means(game);
        }
        let (policy, cut) = match policy {
            Policy::Cut { plies, judgement, then } => {
                (*then, Some(Cut { plies, judge: Judge::new(judgement) }))
            }
            policy => (policy, None),
        };
        Playouts { policy, cut, known }
    }

    /// How results are counted.
    #[inline(always)]
    pub fn counting(&self) -> Counting {
        if self.cut.is_some() { Counting::Estimates } else { Counting::Outcomes }
    }

    /// Whether the codes of every simulation are wanted.
    pub fn learns(&self) -> bool {
        !self.known.mast.is_empty()
    }

    /// Remembers the result of the codes of a simulation, each once.
    #[inline(always)]
    pub fn learn(&mut self, codes: &[u16], result: Units) {
        let (counting, units) = (self.counting(), result.of_player(Player::First));
        for &code in codes {
            self.known.mast[usize::from(code)].add(units, counting);
            self.known.set_means(usize::from(code));
        }
    }

    /// What was learned (`mast`).
    pub fn save(&self, out: &mut Writer) {
        let all = self.known.mast.iter().copied().enumerate();
        out.codes(&all.filter(|(_, tally)| tally.visits > 0).collect::<Vec<_>>());
    }

    /// Reads it back.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        if !self.learns() {
            return match from.number(u64::MAX)? {
                0 => Ok(()),
                _ => Err(Damaged("this search learns no codes")),
            };
        }
        for (code, tally) in from.codes(self.known.mast.len(), u32::MAX, true, self.counting())? {
            self.known.mast[code] = tally;
            self.known.set_means(code);
        }
        Ok(())
    }

    /// Forgets what was learned.
    pub fn forget(&mut self) {
        self.known.mast.fill(Tally::default());
        self.known.means.clear();
    }

    /// Plays to the end, or as far as the policy goes.
    #[inline(always)]
    pub fn play<C: Cpu, G: Evaluate, R: Record>(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Units {
        let Playouts { policy, cut, known } = self;
        if let Some(cut) = cut {
            return C::call(CutPlayout { policy, cut, known, game, state, rng, record });
        }
        match &self.policy {
            Policy::Uniform => C::call(Playout { game, state, rng, record }).into(),
            Policy::Decisive => {
                C::call(DecisivePlayout(Playout { game, state, rng, record })).into()
            }
            Policy::Bridge { then } if **then == Policy::Uniform => {
                C::call(BridgePlayout(Playout { game, state, rng, record })).into()
            }
            Policy::Guided(guide) => {
                C::call(GuidedPlayout(Playout { game, state, rng, record }, *guide)).into()
            }
            Policy::Mast { epsilon } => {
                let playout = Playout { game, state, rng, record };
                C::call(MastPlayout(playout, *epsilon, &mut self.known.means)).into()
            }
            _ => self.choose_to_the_end(game, state, rng, record).into(),
        }
    }

    #[inline(never)]
    fn choose_to_the_end<G: Game, R: Record>(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        play_to_the_end(game, state, record, |state, moves| self.choose(game, state, moves, rng))
    }

    /// The move of the policy among those of a playout.
    pub fn choose<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[Move],
        rng: &mut Rng,
    ) -> Move {
        self.known.choose(&self.policy, game, state, moves, rng)
    }
}

impl Known {
    /// The means of a code with results.
    #[inline(always)]
    fn set_means(&mut self, code: usize) {
        let tally = self.mast[code];
        if tally.visits > 0 {
            self.means.set(code, [tally.mean(), tally.of_second().mean()]);
        }
    }

    fn choose<G: Game>(
        &mut self,
        policy: &Policy,
        game: &G,
        state: &G::State,
        moves: &[Move],
        rng: &mut Rng,
    ) -> Move {
        let any = |rng: &mut Rng, among: &[Move]| among[rng.below(among.len() as u32) as usize];
        match policy {
            Policy::Uniform => any(rng, moves),
            Policy::Decisive => game.decisive_move(state, moves, rng),
            Policy::Bridge { then } => {
                game.bridge_moves(state, &mut self.saving);
                if self.saving.is_empty() {
                    return self.choose(then, game, state, moves, rng);
                }
                any(rng, &self.saving)
            }
            Policy::Guided(guide) => game.guided_move(state, moves, *guide, rng),
            Policy::Mix { p, first, second } => {
                let chosen = if uniform(rng) < *p { first } else { second };
                self.choose(chosen, game, state, moves, rng)
            }
            Policy::Mast { epsilon } => {
                if uniform(rng) < *epsilon {
                    return any(rng, moves);
                }
                best_by_code(game, state, &self.means, moves)
            }
            Policy::Own(policy) => {
                let Asked { numbers, tallies } = &mut self.asked;
                numbers.clear();
                tallies.clear();
                numbers.extend(moves.iter().map(|mv| i64::from(mv.0)));
                if policy.is_coded() {
                    numbers.extend(moves.iter().map(|&mv| game.code(state, mv) as i64));
                }
                if policy.learns() {
                    let player = game.turn(state);
                    tallies.extend(numbers[moves.len()..].iter().map(|&code| {
                        let tally = self.mast[code as usize];
                        counts(if player == Player::First { tally } else { tally.of_second() })
                    }));
                }
                moves[policy.pick(moves.len(), numbers, tallies, rng)]
            }
            Policy::Cut { .. } => unreachable!("it wraps a policy that chooses"),
            Policy::Weighted { weights } => {
                let weight = |mv: Move| u64::from(weights[game.code(state, mv)]);
                draw_by_weight(moves, &mut self.weights, weight, rng)
            }
            Policy::Featured { weights } => {
                let weight = |mv: Move| {
                    let features = game.features(state, mv);
                    let weights = weights.iter().enumerate();
                    let has = weights.filter(|(feature, _)| features >> feature & 1 != 0);
                    has.map(|(_, &weight)| u64::from(weight)).product()
                };
                draw_by_weight(moves, &mut self.weights, weight, rng)
            }
        }
    }
}

/// One draw below the sum of the weights; any move if all weigh nothing. `room` is for the weights.
fn draw_by_weight(
    moves: &[Move],
    room: &mut Vec<u64>,
    weight: impl Fn(Move) -> u64,
    rng: &mut Rng,
) -> Move {
    room.clear();
    room.extend(moves.iter().map(|&mv| weight(mv)));
    let total: u64 = room.iter().sum();
    if total == 0 {
        return moves[rng.below(moves.len() as u32) as usize];
    }
    let mut left = rng.below_wide(total);
    for (&mv, &weight) in moves.iter().zip(&*room) {
        if left < weight {
            return mv;
        }
        left -= weight;
    }
    unreachable!("the weights sum to their total")
}

/// When a playout ends before the game does, and what is its result then.
#[derive(Clone)]
struct Cut {
    plies: usize,
    judge: Judge,
}

struct CutPlayout<'a, G: Game, R> {
    policy: &'a Policy,
    cut: &'a mut Cut,
    known: &'a mut Known,
    game: &'a G,
    state: G::State,
    rng: &'a mut Rng,
    record: &'a mut R,
}

impl<G: Evaluate, R: Record> Work for CutPlayout<'_, G, R> {
    type Output = Units;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Units {
        let CutPlayout { policy, cut, known, game, mut state, rng, record } = self;
        let choose =
            |state: &G::State, moves: &[Move]| known.choose(policy, game, state, moves, rng);
        match play_at_most(game, &mut state, record, cut.plies, choose) {
            Some(outcome) => outcome.into(),
            None => Units::of(cut.judge.value(game, &state), game.turn(&state)),
        }
    }
}

struct Playout<'a, G: Game, R> {
    game: &'a G,
    state: G::State,
    rng: &'a mut Rng,
    record: &'a mut R,
}

impl<G: Game, R: Record> Work for Playout<'_, G, R> {
    type Output = Outcome;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Outcome {
        self.game.playout::<C, R>(self.state, self.rng, self.record)
    }
}

struct DecisivePlayout<'a, G: Game, R>(Playout<'a, G, R>);

impl<G: Game, R: Record> Work for DecisivePlayout<'_, G, R> {
    type Output = Outcome;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Outcome {
        let Playout { game, state, rng, record } = self.0;
        game.decisive_playout::<C, R>(state, rng, record)
    }
}

struct BridgePlayout<'a, G: Game, R>(Playout<'a, G, R>);

impl<G: Game, R: Record> Work for BridgePlayout<'_, G, R> {
    type Output = Outcome;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Outcome {
        let Playout { game, state, rng, record } = self.0;
        game.bridge_playout::<C, R>(state, rng, record)
    }
}

struct GuidedPlayout<'a, G: Game, R>(Playout<'a, G, R>, Guide);

impl<G: Game, R: Record> Work for GuidedPlayout<'_, G, R> {
    type Output = Outcome;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Outcome {
        let GuidedPlayout(Playout { game, state, rng, record }, guide) = self;
        game.guided_playout::<C, R>(state, guide, rng, record)
    }
}

struct MastPlayout<'a, G: Game, R>(Playout<'a, G, R>, f64, &'a mut Means);

impl<G: Game, R: Record> Work for MastPlayout<'_, G, R> {
    type Output = Outcome;
    #[inline(always)]
    fn run<C: Cpu>(self) -> Outcome {
        let MastPlayout(Playout { game, state, rng, record }, epsilon, means) = self;
        game.mast_playout::<C, R>(state, epsilon, means, rng, record)
    }
}
