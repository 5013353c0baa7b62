//! What a game is: a rules object with its parameters, and a small state that is copied.

use crate::cpu::Cpu;
use crate::guide::Guide;
use crate::means::{Means, is_random};
use crate::rng::{Rng, hash_words};

/// A move: a small dense integer, meaningful together with a position.
///
/// One concrete type for all games, so that trees, reports and files need no generics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u16);

/// One of the two players. The first moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// Black in Othello, Hex and Go; White in Breakthrough.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 or 1.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One player won.
    Win(Player),
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// Half points for `player`: 2 for a win, 1 for a draw, 0 for a loss.
    #[inline(always)]
    pub fn points(self, player: Player) -> u32 {
        match self {
            Outcome::Win(winner) => 2 * u32::from(winner == player),
            Outcome::Draw => 1,
        }
    }
}

/// What a playout tells about its moves: the AMAF code of each, in the order played.
pub trait Record {
    /// False if the codes are not wanted, so that a game need not compute them.
    const WANTED: bool;
    /// A move with this code was played.
    fn played(&mut self, code: usize);
}

/// Nothing is recorded.
impl Record for () {
    const WANTED: bool = false;
    #[inline(always)]
    fn played(&mut self, _code: usize) {}
}

/// Every code is kept, in order.
impl Record for Vec<u16> {
    const WANTED: bool = true;
    #[inline(always)]
    fn played(&mut self, code: usize) {
        self.push(code as u16);
    }
}

/// The rules of a game for two players with perfect information.
///
/// Required methods first; a new game can be searched with these alone. The provided ones are
/// there to be overridden where a game knows a faster way to do exactly the same.
pub trait Game: Send + Sync {
    /// A position. Small and `Copy` in every game of this crate.
    type State: Clone + Eq + std::fmt::Debug + Send + Sync;

    /// The starting position.
    fn start(&self) -> Self::State;

    /// Who is to move: the sides need not alternate. Asked of finished games too.
    fn turn(&self, state: &Self::State) -> Player;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Clears `out` and fills it with the legal moves in increasing order; none once it is over.
    fn moves(&self, state: &Self::State, out: &mut Vec<Move>);

    /// Whether `mv` is legal: the same answer as [`Game::moves`], found without the list.
    fn is_legal(&self, state: &Self::State, mv: Move) -> bool;

    /// Plays `mv`, which must be legal (checked by `debug_assert!` only).
    fn play(&self, state: &mut Self::State, mv: Move);

    /// 64 bits: equal positions have equal hashes; the side to move counts.
    fn hash(&self, state: &Self::State) -> u64;

    /// The number of AMAF codes.
    fn codes(&self) -> usize;

    /// The AMAF code of `mv`: the same gesture by the same player, whatever the position.
    fn code(&self, state: &Self::State, mv: Move) -> usize;

    /// A playout is cut off after so many plies. Only Go has games that are longer.
    fn max_plies(&self) -> usize;

    /// The number of legal moves.
    #[inline]
    fn count_moves(&self, state: &Self::State) -> usize {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.len()
    }

    /// The moves among which a playout draws, in increasing order: the legal ones, except in Go.
    fn playout_moves(&self, state: &Self::State, out: &mut Vec<Move>) {
        self.moves(state, out);
    }

    /// The legal move with this index in the increasing list. `scratch` is room for a list.
    #[inline]
    fn nth_move<C: Cpu>(&self, state: &Self::State, index: usize, scratch: &mut Vec<Move>) -> Move {
        self.moves(state, scratch);
        scratch[index]
    }

    /// Appends the AMAF codes of all legal moves, in order. `scratch` is room for a list.
    #[inline]
    fn move_codes(&self, state: &Self::State, scratch: &mut Vec<Move>, out: &mut Vec<u16>) {
        self.moves(state, scratch);
        for &mv in scratch.iter() {
            out.push(self.code(state, mv) as u16);
        }
    }

    /// Whether the history of a game decides which moves are legal, so that a position alone proves
    /// nothing.
    fn remembers(&self) -> bool {
        false
    }

    /// The place of an AMAF code in a set of codes; a game may choose places that make
    /// [`Game::seen_moves`] easy.
    fn code_place(&self, code: usize) -> usize {
        code
    }

    /// Which legal moves have a code in the set `seen`: bit i of word i / 64 for the move with index
    /// i. The code at place p of the set is bit p of word p / 64. `scratch` is room for a list.
    #[inline]
    fn seen_moves<C: Cpu>(
        &self,
        state: &Self::State,
        seen: &[u64],
        scratch: &mut Vec<Move>,
        out: &mut Vec<u64>,
    ) {
        self.moves(state, scratch);
        for moves in scratch.chunks(64) {
            let bit = |mv: Move| {
                let place = self.code_place(self.code(state, mv));
                seen[place / 64] >> (place % 64) & 1
            };
            out.push(moves.iter().rev().fold(0, |word, &mv| word << 1 | bit(mv)));
        }
    }

    /// A check of the move list: positions with the same hash and other moves have another one.
    #[inline]
    fn moves_check(&self, state: &Self::State) -> u32 {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        hash_words(moves.iter().map(|mv| u64::from(mv.0))) as u32
    }

    /// Whether a game can be drawn.
    fn has_draws(&self) -> bool {
        true
    }

    /// The result of a game that is cut off: Go scores the board; elsewhere it is a draw.
    fn adjudicate(&self, _state: &Self::State) -> Outcome {
        Outcome::Draw
    }

    /// The result of a playout that has reached [`Game::max_plies`].
    fn cut_off(&self, state: &Self::State) -> Outcome {
        self.adjudicate(state)
    }

    /// The number of kinds of moves.
    fn kinds(&self) -> usize {
        1
    }

    /// The kind of a move, by its AMAF code.
    fn kind(&self, _code: usize) -> usize {
        0
    }

    /// Plays uniformly random moves to the end: one draw a ply, also when there is one move.
    ///
    /// The draw is `below(number of moves)` and indexes the moves in increasing order, so that
    /// every implementation of a game plays the same game from the same stream.
    #[inline(always)]
    fn playout<C: Cpu, R: Record>(
        &self,
        state: Self::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        play_to_the_end(self, state, record, |_, moves| {
            moves[rng.below(moves.len() as u32) as usize]
        })
    }

    /// The move of the policy `decisive` among those of a playout: the first that wins at once, without
    /// a draw. Else one draw among all; if the opponent can win at once after that move, and not after
    /// every other, one more draw among those after which he cannot.
    fn decisive_move(&self, state: &Self::State, moves: &[Move], rng: &mut Rng) -> Move {
        try_decisive(self, state, moves, rng)
    }

    /// Plays [`Game::decisive_move`] to the end.
    #[inline(always)]
    fn decisive_playout<C: Cpu, R: Record>(
        &self,
        state: Self::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        play_to_the_end(self, state, record, |state, moves| self.decisive_move(state, moves, rng))
    }

    /// One draw among the moves of a playout. `scratch` is room for a list.
    #[inline(always)]
    fn draw_move<C: Cpu>(
        &self,
        state: &Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
    ) -> Move {
        self.playout_moves(state, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }

    /// The first move of a playout whose code has the highest mean.
    #[inline(always)]
    fn best_move<C: Cpu>(
        &self,
        state: &Self::State,
        means: &Means,
        scratch: &mut Vec<Move>,
    ) -> Move {
        self.playout_moves(state, scratch);
        best_by_code(self, state, means, scratch)
    }

    /// So many moves, from 0 on, are ranked by their means for [`Game::mast_playout`]; their codes are
    /// twice the move, plus the player. None where a position has few moves, which are looked at.
    fn ranked_moves(&self) -> usize {
        0
    }

    /// Plays to the end: with probability `epsilon` a draw, else the best mean.
    #[inline(always)]
    fn mast_playout<C: Cpu, R: Record>(
        &self,
        mut state: Self::State,
        epsilon: f64,
        means: &mut Means,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let mut scratch = Vec::new();
        for _ in 0..self.max_plies() {
            if let Some(outcome) = self.outcome(&state) {
                return outcome;
            }
            let mv = if is_random(epsilon, rng) {
                self.draw_move::<C>(&state, rng, &mut scratch)
            } else {
                self.best_move::<C>(&state, means, &mut scratch)
            };
            if R::WANTED {
                record.played(self.code(&state, mv));
            }
            self.play(&mut state, mv);
        }
        self.outcome(&state).unwrap_or_else(|| self.cut_off(&state))
    }

    /// What a move does: bit i stands for feature i of the game (the policy `featured`).
    fn features(&self, _state: &Self::State, _mv: Move) -> u32 {
        0
    }

    /// Forgets which move has led here, if a state remembers it besides the position.
    fn forget_last(&self, _state: &mut Self::State) {}

    /// Clears `out` and fills it with the moves that save a bridge of the side to move into which the
    /// last stone has intruded, in increasing order (Hex; elsewhere there are none).
    fn bridge_moves(&self, _state: &Self::State, out: &mut Vec<Move>) {
        out.clear();
    }

    /// Plays to the end: one draw among [`Game::bridge_moves`], or, if there is none, among all moves.
    #[inline(always)]
    fn bridge_playout<C: Cpu, R: Record>(
        &self,
        state: Self::State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        let mut saving = Vec::new();
        play_to_the_end(self, state, record, |state, moves| {
            self.bridge_moves(state, &mut saving);
            let among = if saving.is_empty() { moves } else { &saving };
            among[rng.below(among.len() as u32) as usize]
        })
    }

    /// The move of a policy that looks round the last one (Go; elsewhere any of the moves).
    fn guided_move(
        &self,
        _state: &Self::State,
        moves: &[Move],
        _guide: Guide,
        rng: &mut Rng,
    ) -> Move {
        moves[rng.below(moves.len() as u32) as usize]
    }

    /// Plays [`Game::guided_move`] to the end.
    #[inline(always)]
    fn guided_playout<C: Cpu, R: Record>(
        &self,
        state: Self::State,
        guide: Guide,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        play_to_the_end(self, state, record, |state, moves| {
            self.guided_move(state, moves, guide, rng)
        })
    }
}

/// Room for the means of a game's codes.
pub fn no_means<G: Game + ?Sized>(game: &G) -> Means {
    let places = (0..game.codes()).map(|code| game.code_place(code) as u32).collect();
    Means::new(places, game.ranked_moves())
}

/// [`Game::best_move`] among these.
pub fn best_by_code<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    means: &Means,
    moves: &[Move],
) -> Move {
    let means = means.of(game.turn(state).index());
    let (mut best, mut highest) = (moves[0], -1.0);
    for &mv in moves {
        let mean = means[game.code_place(game.code(state, mv))];
        if mean > highest {
            (best, highest) = (mv, mean);
        }
    }
    best
}

/// [`Game::decisive_move`] by trying every move, and every reply.
pub fn try_decisive<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    moves: &[Move],
    rng: &mut Rng,
) -> Move {
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
    // Most moves are safe: nearly always one of them is looked at.
    let is_safe = |mv: Move| !can_win(game, &after(mv), player);
    let drawn = moves[rng.below(moves.len() as u32) as usize];
    if is_safe(drawn) {
        return drawn;
    }
    let safe: Vec<Move> = moves.iter().copied().filter(|&mv| is_safe(mv)).collect();
    if safe.is_empty() { drawn } else { safe[rng.below(safe.len() as u32) as usize] }
}

/// Whether the opponent of `player`, to move, has a win in one.
fn can_win<G: Game + ?Sized>(game: &G, state: &G::State, player: Player) -> bool {
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

/// Plays the moves that `choose` takes of the playout's moves, to the end or the cut-off.
#[inline(always)]
pub fn play_to_the_end<G: Game + ?Sized, R: Record>(
    game: &G,
    mut state: G::State,
    record: &mut R,
    choose: impl FnMut(&G::State, &[Move]) -> Move,
) -> Outcome {
    let end = play_at_most(game, &mut state, record, usize::MAX, choose);
    end.expect("the game or its bound has ended it")
}

/// The same for so many moves at most; `None` if the game goes on then.
#[inline(always)]
pub fn play_at_most<G: Game + ?Sized, R: Record>(
    game: &G,
    state: &mut G::State,
    record: &mut R,
    plies: usize,
    mut choose: impl FnMut(&G::State, &[Move]) -> Move,
) -> Option<Outcome> {
    let mut moves = Vec::new();
    for _ in 0..plies.min(game.max_plies()) {
        if let Some(outcome) = game.outcome(state) {
            return Some(outcome);
        }
        game.playout_moves(state, &mut moves);
        let mv = choose(state, &moves);
        if R::WANTED {
            record.played(game.code(state, mv));
        }
        game.play(state, mv);
    }
    match game.outcome(state) {
        None if plies < game.max_plies() => None,
        None => Some(game.cut_off(state)),
        outcome => outcome,
    }
}
