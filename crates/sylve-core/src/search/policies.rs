//! Playout policies, as in `python/sylve/search/reference/policies.py`.

use super::arithmetic::uniform;
use super::bytes::{Damaged, Reader, Writer};
use super::config::Policy;
use super::own::{Counts, counts};
use super::tally::Tally;
use crate::cpu::{Cpu, Work};
use crate::game::{Game, Move, Outcome, Player, Record, play_to_the_end};
use crate::rng::Rng;

/// What the playouts of a search need besides the game.
#[derive(Clone)]
pub struct Playouts {
    policy: Policy,
    /// The results of every code so far, for the first player (`mast`, and policies of one's own).
    mast: Vec<Tally>,
    others: Vec<Move>,
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
    pub fn new(policy: Policy, codes: usize) -> Playouts {
        let remembered = if policy.learns() { codes } else { 0 };
        let mast = vec![Tally::default(); remembered];
        Playouts { policy, mast, others: Vec::new(), asked: Asked::default() }
    }

    /// Whether the codes of every simulation are wanted.
    pub fn learns(&self) -> bool {
        !self.mast.is_empty()
    }

    /// Remembers the result of a code.
    pub fn learn(&mut self, code: usize, first_points: u32) {
        self.mast[code].add(first_points);
    }

    /// What was learned (`mast`).
    pub fn save(&self, out: &mut Writer) {
        let all = self.mast.iter().copied().enumerate();
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
        for (code, tally) in from.codes(self.mast.len(), u32::MAX, true)? {
            self.mast[code] = tally;
        }
        Ok(())
    }

    /// Forgets what was learned.
    pub fn forget(&mut self) {
        self.mast.fill(Tally::default());
    }

    /// Plays to the end.
    #[inline(always)]
    pub fn play<C: Cpu, G: Game, R: Record>(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        match &self.policy {
            Policy::Uniform => C::call(Playout { game, state, rng, record }),
            _ => self.choose_to_the_end(game, state, rng, record),
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

    fn choose<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[Move],
        rng: &mut Rng,
    ) -> Move {
        let any = |rng: &mut Rng, among: &[Move]| among[rng.below(among.len() as u32) as usize];
        match &self.policy {
            Policy::Uniform => any(rng, moves),
            Policy::Decisive => {
                let player = game.turn(state);
                let after = |mv: Move| {
                    let mut next = state.clone();
                    game.play(&mut next, mv);
                    next
                };
                let won = Some(Outcome::Win(player));
                if let Some(&mv) = moves.iter().find(|&&mv| game.outcome(&after(mv)) == won) {
                    return mv;
                }
                let mut safe = std::mem::take(&mut self.others);
                safe.clear();
                safe.extend(moves.iter().filter(|&&mv| !can_win(game, &after(mv), player)));
                let mv = any(rng, if safe.is_empty() { moves } else { &safe });
                self.others = safe;
                mv
            }
            Policy::Mast { epsilon } => {
                if uniform(rng) < *epsilon {
                    return any(rng, moves);
                }
                let player = game.turn(state);
                let (mut best, mut best_mean) = (moves[0], -1.0);
                for &mv in moves {
                    let tally = self.mast[game.code(state, mv)];
                    let mean = match (tally.visits, player) {
                        (0, _) => 0.5,
                        (_, Player::First) => tally.mean(),
                        (_, Player::Second) => tally.of_second().mean(),
                    };
                    if mean > best_mean {
                        (best, best_mean) = (mv, mean);
                    }
                }
                best
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
            Policy::Weighted { weights } => {
                let weight = |mv: Move| u64::from(weights[game.code(state, mv)]);
                let total: u64 = moves.iter().map(|&mv| weight(mv)).sum();
                if total == 0 {
                    return any(rng, moves);
                }
                let mut left = rng.below_wide(total);
                for &mv in moves {
                    if left < weight(mv) {
                        return mv;
                    }
                    left -= weight(mv);
                }
                unreachable!("the weights sum to their total")
            }
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

/// Whether the opponent of `player`, to move, has a win in one.
fn can_win<G: Game>(game: &G, state: &G::State, player: Player) -> bool {
    if game.outcome(state).is_some() || game.turn(state) == player {
        return false;
    }
    let mut moves = Vec::new();
    game.playout_moves(state, &mut moves);
    moves.into_iter().any(|mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        game.outcome(&next) == Some(Outcome::Win(player.other()))
    })
}
