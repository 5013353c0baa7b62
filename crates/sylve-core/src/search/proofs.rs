//! What is known for certain of the moves of some nodes (the MCTS-Solver): few nodes have any.

use crate::game::{Outcome, Player};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Proofs by node and move.
#[derive(Default)]
pub struct Proofs {
    /// Where the moves of a node begin in `values`.
    places: HashMap<u32, usize, BuildHasherDefault<NumberHasher>>,
    /// 0: open; else see [`encode`].
    values: Vec<u8>,
}

/// Numbers of nodes count up and come from nobody else: one multiplication spreads them.
#[derive(Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(self.0 as u32 ^ u32::from(byte));
        }
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// An outcome as a number that is not 0.
#[inline(always)]
pub fn encode(outcome: Outcome) -> u8 {
    1 + outcome.points(Player::First) as u8
}

/// Whether it is such a number.
pub fn is_proof(value: u8) -> bool {
    decode(value).is_some()
}

/// How the game ends from a position whose moves have these proofs, if that is known.
pub fn decide(values: &[u8], player: Player) -> Option<Outcome> {
    let open = values.contains(&0);
    let decided = values.iter().filter_map(|&value| decode(value));
    let best = decided.max_by_key(|proof| proof.points(player))?;
    (best == Outcome::Win(player) || !open).then_some(best)
}

/// How good a move is to play: proven wins, then what is open or drawn, then proven losses; among
/// these, by visits.
pub fn worth(proof: Option<Outcome>, player: Player, visits: u32) -> f64 {
    let points = proof.map_or(1, |proof| proof.points(player));
    // Exact: visits have 32 bits, a double 53.
    f64::from(points) * 4_294_967_296.0 + f64::from(visits)
}

/// The outcome of such a number; 0 is none.
#[inline(always)]
pub fn decode(value: u8) -> Option<Outcome> {
    match value {
        1 => Some(Outcome::Win(Player::Second)),
        2 => Some(Outcome::Draw),
        3 => Some(Outcome::Win(Player::First)),
        _ => None,
    }
}

impl Proofs {
    /// The proofs of the moves of a node that has some.
    pub fn of(&self, node: u32, moves: usize) -> Option<&[u8]> {
        self.places.get(&node).map(|&place| &self.values[place..place + moves])
    }

    /// A move of a node is decided. The answer: how the game ends from the node, if that is.
    pub fn prove(
        &mut self,
        node: u32,
        moves: usize,
        index: usize,
        player: Player,
        outcome: Outcome,
    ) -> Option<Outcome> {
        let Proofs { places, values } = self;
        let place = *places.entry(node).or_insert_with(|| {
            values.resize(values.len() + moves, 0);
            values.len() - moves
        });
        let values = &mut values[place..place + moves];
        values[index] = encode(outcome);
        decide(values, player)
    }

    /// The proofs of a node, written down again.
    pub fn set(&mut self, node: u32, proofs: &[u8]) {
        self.places.insert(node, self.values.len());
        self.values.extend_from_slice(proofs);
    }

    /// The memory in use. What is reserved beyond it was never touched.
    pub fn used(&self) -> usize {
        self.values.len() + table_bytes(self.places.capacity())
    }

    /// What the proofs of a node with so many moves would add; nothing if it has some.
    pub fn cost(&self, node: u32, moves: usize) -> usize {
        if self.places.contains_key(&node) {
            return 0;
        }
        // A table that is full is copied to one twice as large.
        let crowded = self.places.len() == self.places.capacity();
        moves + if crowded { table_bytes(2 * self.places.len() + 1) } else { 0 }
    }
}

/// The memory of a hash table for so many places: an eighth stays free, and each has a byte of marks.
fn table_bytes(places: usize) -> usize {
    places * 8 / 7 * (size_of::<(u32, usize)>() + 1)
}

#[cfg(test)]
mod tests {
    use super::super::any_searcher::AnySearcher;
    use super::super::config::{Algorithm, Config, Formula, Policy, Rule, TreeConfig};
    use super::super::parallel::SharedTreeSearcher;
    use super::super::searcher::Searcher;
    use super::*;
    use crate::turns::Turns;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn proofs_are_minimax_whoever_moves() {
        for seed in 0..50 {
            let game = Arc::new(Turns { seed, plies: 7 });
            for root in game.positions() {
                let truth = |state: &_| match game.solved(state) {
                    0 => Outcome::Draw,
                    1.. => Outcome::Win(Player::First),
                    _ => Outcome::Win(Player::Second),
                };
                let children = game.children(&root);
                let moves: Vec<_> = children.iter().map(|&(mv, _)| mv).collect();
                if moves.is_empty() {
                    continue;
                }
                for (transpositions, solver_nodes) in [(true, 0), (false, 0), (true, 20)] {
                    let formula = Formula::Uct(Rule::Ucb1 { c: 2.0 });
                    let how =
                        TreeConfig { transpositions, solver_nodes, ..TreeConfig::new(formula) };
                    let algorithm = Algorithm::Tree(how);
                    let config = Config { algorithm, policy: Policy::Uniform, seed };
                    let (own, all) = (Arc::clone(&game), || moves.clone());
                    let mut searches: Vec<Box<dyn AnySearcher>> =
                        vec![Box::new(Searcher::solving(own, root, all(), config.clone()))];
                    if solver_nodes == 0 {
                        searches.push(Box::new(SharedTreeSearcher::new(
                            &game,
                            root,
                            all(),
                            &config,
                            2,
                        )));
                    }
                    for search in &mut searches {
                        search.run(2000, &AtomicBool::new(false));
                        // A draw may be played for ever while another move is still open.
                        let proof = search.proof();
                        assert!(proof.is_some() || truth(&root) == Outcome::Draw, "{root:?}");
                        let right = proof.is_none_or(|proof| proof == truth(&root));
                        assert!(right, "{root:?} of seed {seed}");
                        for (proof, (mv, after)) in search.numbers().proofs.iter().zip(&children) {
                            let right = proof.is_none_or(|proof| proof == truth(after));
                            assert!(right, "{mv:?} of {root:?} of seed {seed}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_win_decides_at_once_and_a_loss_when_all_moves_lose() {
        let mut proofs = Proofs::default();
        let lost = Outcome::Win(Player::Second);
        assert_eq!(proofs.prove(7, 3, 1, Player::First, lost), None);
        assert_eq!(proofs.of(7, 3), Some(&[0, 1, 0][..]));
        assert_eq!(proofs.prove(7, 3, 0, Player::First, Outcome::Draw), None);
        assert_eq!(proofs.prove(7, 3, 2, Player::First, lost), Some(Outcome::Draw));
        assert_eq!(proofs.prove(8, 3, 2, Player::Second, lost), Some(lost));
        assert_eq!(proofs.of(9, 3), None);
    }
}
