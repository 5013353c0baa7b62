//! What is said of the moves of a new node, in every tree: values that go up the tree, and those of
//! virtual visits.

use super::columns::Judged;
use super::config::{Prior, TreeConfig};
use super::judging::{Judge, Judgement, ValuesOfMoves};
use super::units::{DRAW, WIN};
use crate::cpu::{Cpu, Work};
use crate::evaluate::Evaluate;
use crate::game::{Game, Move};

/// By what the moves of a new node are judged.
pub struct Judging {
    judgement: Judgement,
    prior: Prior,
    /// Whether values go up the tree.
    implicit: bool,
}

/// What it needs, kept to be used again.
#[derive(Default)]
pub struct JudgingRoom {
    judge: Option<Judge>,
    values: Vec<u16>,
    moves: Vec<Move>,
}

impl Judging {
    /// As a search says.
    pub fn new(how: &TreeConfig) -> Judging {
        let TreeConfig { judgement, implicit, .. } = *how;
        Judging { judgement, prior: how.prior.clone(), implicit: implicit > 0.0 }
    }
}

/// Judges the moves of a node: a copy for each processor level.
pub struct JudgeNode<'a, G: Game, W> {
    /// By what.
    pub judging: &'a Judging,
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Its moves, if they are not those of the rules: the root's.
    pub moves: Option<&'a [Move]>,
    /// Room.
    pub room: &'a mut JudgingRoom,
    /// Gets the values, of each kind that is wanted.
    pub write: W,
}

impl<G: Evaluate, W: FnMut(Judged, &[u16])> Work for JudgeNode<'_, G, W> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self) {
        let JudgeNode { judging, game, state, moves: of_root, room, mut write } = self;
        let Judging { judgement, ref prior, implicit } = *judging;
        let JudgingRoom { judge, values, moves } = room;
        match of_root {
            Some(of_root) => of_root.clone_into(moves),
            None => game.moves(state, moves),
        }
        if implicit || matches!(prior, Prior::Heuristic { .. }) {
            let judge = judge.get_or_insert_with(|| Judge::new(judgement));
            let out = &mut *values;
            ValuesOfMoves { game, state, moves, judge, out }.run::<C>();
            if implicit {
                write(Judged::Implicit, values);
            }
        }
        if let Prior::Preferred { weights, .. } = prior {
            values.clear();
            let weight = |mv: &Move| u64::from(weights[game.code(state, *mv)]);
            let largest = moves.iter().map(weight).max().unwrap_or(0);
            values.extend(moves.iter().map(|mv| match largest {
                0 => DRAW as u16,
                _ => (weight(mv) * u64::from(WIN - 1) / largest).max(1) as u16,
            }));
        }
        if *prior != Prior::None {
            write(Judged::Prior, values);
        }
    }
}
