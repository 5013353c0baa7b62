//! A simulation in a shared tree: its codes are counted (AMAF), as in `search/tree.rs`.

use super::super::config::{Formula, Update};
use super::super::units::{Counting, DRAW, Units, WIN};
use super::cells;
use super::counters::{NodeCounters, Wide};
use super::shared_tree::SharedTree;
use super::walk::{SharedStep, Walker};
use crate::cpu::Cpu;
use crate::game::{Game, Player};

impl<G: Game> Walker<G> {
    /// Counts the codes of the simulation at every node passed.
    #[inline(always)]
    pub(super) fn count_codes<C: Cpu>(&mut self, tree: &SharedTree<G>, result: Units) {
        if matches!(tree.formula, Formula::Grave { .. }) {
            self.seen.list();
        }
        let suffixes = tree.update == Update::Suffix;
        for depth in (0..self.path.len()).rev() {
            self.seen.add_before(self.path[depth].code, depth);
            if suffixes {
                self.count_codes_at::<C>(tree, depth, result);
            }
        }
        if !suffixes {
            for depth in 0..self.path.len() {
                self.count_codes_at::<C>(tree, depth, result);
            }
        }
    }

    #[inline(always)]
    fn count_codes_at<C: Cpu>(&mut self, tree: &SharedTree<G>, depth: usize, result: Units) {
        let SharedStep { node, player, total, .. } = self.path[depth];
        if let Formula::Grave { reference, .. } = tree.formula {
            if tree.store.table(node).is_none() && total < reference / 2 {
                return;
            }
            let Some((pairs, draws)) = tree.store.add_table(node) else { return };
            for &code in self.seen.codes() {
                let (code, units) = (usize::from(code), result.of_player(Player::First));
                match tree.counting {
                    Counting::Outcomes => cells::count_code(&pairs[code], draws.get(code), units),
                    Counting::Estimates => {
                        cells::count_estimate_of_code(&pairs[code], &draws[code], units);
                    }
                }
            }
            return;
        }
        self.chosen.clear();
        if depth == 0 {
            let word = |codes: &[u16]| {
                codes.iter().rev().fold(0, |word, &code| word << 1 | u64::from(self.seen.has(code)))
            };
            self.chosen.extend(tree.root.codes.chunks(64).map(word));
        } else {
            let (state, seen) = (&self.states[depth], self.seen.set());
            tree.game.seen_moves::<C>(state, seen, &mut self.scratch, &mut self.chosen);
        }
        let (at, units) = (tree.store.at(node), result.of_player(player));
        // A move is seen at most once a visit of the node.
        let wide = tree.store.wide_for(node, at, total);
        for (number, &chosen) in self.chosen.iter().enumerate() {
            let start = 64 * number;
            if tree.counting == Counting::Estimates {
                count_estimates(at, wide, start, chosen, units);
                continue;
            }
            match wide {
                None => cells::count_chosen(at.amaf, start, chosen, units == WIN),
                Some(wide) => cells::count_chosen_wide(wide.amaf, start, chosen, units == WIN),
            }
            if units == DRAW {
                cells::add_to_chosen(at.amaf_draws, start, chosen);
            }
        }
    }
}

/// Counts an estimated result (AMAF) for the moves whose bits are set, from `start` on.
fn count_estimates(
    at: NodeCounters<'_>,
    wide: Option<Wide<'_>>,
    start: usize,
    mut chosen: u64,
    units: u32,
) {
    while chosen != 0 {
        let index = start + chosen.trailing_zeros() as usize;
        chosen &= chosen - 1;
        match wide {
            None => cells::begin(&at.amaf[index / 2], index),
            Some(wide) => cells::begin_wide(&wide.amaf[index]),
        }
        if cells::add_part(at.amaf_draws, index, units) {
            match wide {
                None => cells::win(&at.amaf[index / 2], index),
                Some(wide) => cells::win_wide(&wide.amaf[index]),
            }
        }
    }
}
