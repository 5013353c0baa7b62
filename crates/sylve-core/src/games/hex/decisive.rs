//! The policy `decisive`, by sets of cells next to what is joined to a side.
//!
//! A cell wins if it is next to a side, or to stones joined to it, and so for the other side. A stone
//! of one player never gives the other one a win, and takes away one cell. So every cell is safe, unless
//! the other player has winning cells: one must be taken, and more than one cannot be.

use super::reach::Side;
use super::{Cells, Hex, State};
use crate::cpu::{Cpu, Portable};
use crate::game::{Move, Outcome, Player, Record};
use crate::rng::Rng;

/// So many plies are drawn before anyone looks at what they join. Most games are long over before anyone
/// can win at once, and a look at several stones takes hardly longer than one at a single stone.
const AHEAD: usize = 16;

/// A position of a playout.
#[derive(Clone, Copy)]
struct Board<const W: usize> {
    /// The sides of each player.
    sides: [[Side<W>; 2]; 2],
    empty: Cells<W>,
    /// How many these are.
    left: u32,
}

impl<const W: usize> Board<W> {
    #[inline(always)]
    fn new(game: &Hex<W>, state: &State<W>) -> Board<W> {
        let sides = [0, 1].map(|player| {
            [&game.from, &game.to]
                .map(|sides| Side::new(game, &sides[player], &state.stones[player]))
        });
        let empty = state.empty(&game.board);
        Board { sides, empty, left: empty.count() as u32 }
    }

    /// The cells that win, empty or not.
    #[inline(always)]
    fn winning(&self, player: Player) -> Cells<W> {
        let [one, other] = &self.sides[player.index()];
        one.near.and(&other.near)
    }

    /// Whether one of these cells wins for anyone.
    #[inline(always)]
    fn wins_any(&self, cells: &Cells<W>) -> bool {
        self.winning(Player::First).or(&self.winning(Player::Second)).meets(cells)
    }

    /// Takes a drawn cell off the empty ones.
    #[inline(always)]
    fn draw<C: Cpu>(&mut self, rng: &mut Rng) -> Cells<W> {
        let drawn = self.empty.nth::<C>(rng.below(self.left));
        self.take(&drawn);
        drawn
    }

    #[inline(always)]
    fn take(&mut self, stone: &Cells<W>) {
        self.empty = self.empty.without(stone);
        self.left -= 1;
    }

    #[inline(always)]
    fn put(&mut self, game: &Hex<W>, player: Player, stones: &Cells<W>) {
        for side in &mut self.sides[player.index()] {
            side.put(game, stones);
        }
    }

    /// The cell that the policy takes off the empty ones, and whether it wins.
    #[inline(always)]
    fn choose<C: Cpu>(&mut self, player: Player, rng: &mut Rng) -> (Cells<W>, bool) {
        if let Some(cell) = self.winning(player).and(&self.empty).lowest() {
            return (Cells::one(cell), true);
        }
        let dangers = self.winning(player.other()).and(&self.empty);
        if dangers.count() == 1 {
            if self.empty.nth::<C>(rng.below(self.left)) != dangers {
                rng.next(); // among one
            }
            self.take(&dangers);
            return (dangers, false);
        }
        (self.draw::<C>(rng), false)
    }

    /// Draws [`AHEAD`] plies; false, with nothing done, if someone might have won at once meanwhile.
    #[inline(always)]
    fn run_ahead<C: Cpu, R: Record>(
        &mut self,
        game: &Hex<W>,
        player: Player,
        rng: &mut Rng,
        record: &mut R,
    ) -> bool {
        if (self.left as usize) < AHEAD {
            return false;
        }
        let (mut next, mut draws) = (*self, rng.clone());
        let drawn: [Cells<W>; AHEAD] = std::array::from_fn(|_| next.draw::<C>(&mut draws));
        let players = [player, player.other()];
        for (first, player) in players.into_iter().enumerate() {
            let own = drawn.iter().skip(first).step_by(2);
            next.put(game, player, &own.fold(Cells::NONE, |all, stone| all.or(stone)));
        }
        // What is near a side never becomes less: none of these cells won at any time.
        if next.wins_any(&self.empty) {
            return false;
        }
        if R::WANTED {
            for (ply, stone) in drawn.iter().enumerate() {
                record.played(code(stone, players[ply % 2]));
            }
        }
        (*self, *rng) = (next, draws);
        true
    }
}

/// The AMAF code of a stone.
#[inline(always)]
fn code<const W: usize>(stone: &Cells<W>, player: Player) -> usize {
    2 * stone.lowest().expect("there is a stone") + player.index()
}

impl<const W: usize> Hex<W> {
    /// See [`crate::Game::decisive_move`].
    pub(super) fn choose_decisive(&self, state: &State<W>, rng: &mut Rng) -> Move {
        let (stone, _) = Board::new(self, state).choose::<Portable>(state.turn, rng);
        Move(stone.lowest().expect("a cell was chosen") as u16)
    }

    /// See [`crate::Game::decisive_playout`].
    #[inline(always)]
    pub(super) fn play_decisive<C: Cpu, R: Record>(
        &self,
        state: &State<W>,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let last = state.turn.other();
        if state.reached[last.index()].meets(&self.to[last.index()]) {
            return Outcome::Win(last);
        }
        let (mut board, mut player) = (Board::new(self, state), state.turn);
        loop {
            if !board.wins_any(&board.empty) && board.run_ahead::<C, R>(self, player, rng, record) {
                continue;
            }
            for _ in 0..AHEAD {
                let (stone, wins) = board.choose::<C>(player, rng);
                if R::WANTED {
                    record.played(code(&stone, player));
                }
                if wins {
                    return Outcome::Win(player);
                }
                board.put(self, player, &stone);
                player = player.other();
            }
        }
    }
}
