//! A native game as a [`Game`].

use super::failure::{Failure, Fault};
use super::functions::{Functions, Operation};
use super::state::{INLINE, State};
use crate::cpu::Cpu;
use crate::evaluate::{Evaluate, LARGEST, Terms};
use crate::game::{Game, Move, Outcome, Player, Record};
use crate::rng::{Rng, hash_block};
use crate::solve::plain::Plain;
use crate::solve::{Solvable, Solver};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plies that are played before the codes are handed on.
const PLIES: usize = 512;

/// Which of the methods a native game has that it need not have.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "named as the methods of a game")]
pub struct Own {
    pub code: bool,
    pub key: bool,
    pub kind: bool,
    pub evaluate: bool,
    pub adjudicate: bool,
}

/// What a native game says of itself once.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Words of a state.
    pub words: usize,
    /// The number of AMAF codes.
    pub codes: usize,
    /// Whether anybody wants codes: if not, the game need not have them.
    pub coded: bool,
    /// The number of kinds of moves.
    pub kinds: usize,
    /// A playout is cut off after so many plies.
    pub max_plies: usize,
    /// Whether the history decides what is legal.
    pub remembers: bool,
    /// Whether the game has a `code` of its own, and so on.
    pub own: Own,
}

/// A game whose rules are functions.
pub struct NativeGame {
    functions: Functions,
    pub(super) numbers: Numbers,
    failure: Arc<Failure>,
    /// No other game of this process has it.
    id: u64,
}

/// What was found when a state was looked at.
struct Seen {
    /// The game's `id`; 0: nothing was looked at.
    game: u64,
    state: State,
    /// As the functions number it.
    outcome: i64,
    /// 0 where the game is over.
    turn: i64,
    moves: Vec<i32>,
    /// A hash of the moves.
    check: u32,
}

/// What the functions write their lists to.
struct Room {
    moves: Vec<i32>,
    codes: Vec<i32>,
}

thread_local! {
    static ROOM: RefCell<Room> = const { RefCell::new(Room { moves: Vec::new(), codes: Vec::new() }) };
    /// The last state that was looked at: a search asks several things of one state in turn.
    static SEEN: RefCell<Seen> = const {
        let state = State::Small([0; INLINE]);
        RefCell::new(Seen { game: 0, state, outcome: 0, turn: 0, moves: Vec::new(), check: 0 })
    };
}

impl NativeGame {
    /// A game of these functions; what is broken is told to `failure`.
    pub fn new(functions: Functions, numbers: Numbers, failure: Arc<Failure>) -> NativeGame {
        static GAMES: AtomicU64 = AtomicU64::new(0);
        let id = 1 + GAMES.fetch_add(1, Ordering::Relaxed);
        NativeGame { functions, numbers, failure, id }
    }

    /// The first answer that broke a rule.
    fn fail(&self, method: &'static str, answer: i64, state: &State, given: u64) {
        let state = || state.bytes(self.numbers.words);
        self.failure.set(|| Fault { method, answer, state: state(), given });
    }

    /// What a function says, if that is allowed; else, and after a failure, `otherwise`.
    #[inline(always)]
    fn checked(
        &self,
        (method, state, given): (&'static str, &State, u64),
        (least, most): (i64, i64),
        otherwise: i64,
        ask: impl FnOnce() -> i64,
    ) -> i64 {
        if self.failure.is_set() {
            return otherwise;
        }
        let answer = ask();
        if (least..=most).contains(&answer) {
            return answer;
        }
        self.fail(method, answer, state, given);
        otherwise
    }

    /// Looks at a state, unless it was the last one. After a failure every game is over.
    #[inline(always)]
    fn look<T>(&self, state: &State, then: impl FnOnce(&Seen) -> T) -> T {
        SEEN.with_borrow_mut(|seen| {
            if seen.game != self.id || seen.state != *state || self.failure.is_set() {
                self.look_again(state, seen);
            }
            then(seen)
        })
    }

    #[inline(never)]
    fn look_again(&self, state: &State, seen: &mut Seen) {
        if !self.failure.is_set() {
            let answer = self.functions.look(state, &mut seen.state, &mut seen.moves);
            if let (Ok(answer), true) = (usize::try_from(answer), answer != 0) {
                let (outcome, turn, count) = (answer & 3, answer >> 2 & 1, answer >> 3);
                // One of them is 0: a game that goes on has moves.
                if (outcome > 0) != (count > 0) && seen.moves.get(..count).is_some_and(increasing) {
                    seen.moves.truncate(count);
                    (seen.outcome, seen.turn) = (outcome as i64, turn as i64);
                    seen.check = check_of(&seen.moves);
                    seen.game = self.id;
                    return;
                }
            }
            self.fail("look", answer, state, 0);
        }
        (seen.game, seen.outcome, seen.turn) = (0, DRAW, 0);
        seen.moves.clear();
        seen.moves.push(0);
    }

    /// Reads off the moves of a state.
    #[inline(always)]
    fn with_moves<T>(&self, state: &State, use_them: impl FnOnce(&[i32]) -> T) -> T {
        self.look(state, |seen| use_them(&seen.moves))
    }
}

/// Whether these are moves, in their order.
fn increasing(list: &[i32]) -> bool {
    let mut last = -1;
    let mut right = true;
    for &mv in list {
        right &= mv > last;
        last = mv;
    }
    right && last <= i32::from(u16::MAX)
}

/// A hash of a list of moves (FNV-1a by words, its high half).
fn check_of(list: &[i32]) -> u32 {
    let next = |hash: u64, &mv: &i32| (hash ^ mv as u64).wrapping_mul(0x0000_0100_0000_01B3);
    (list.iter().fold(0xCBF2_9CE4_8422_2325, next) >> 32) as u32
}

/// As the functions number it; 0, the game goes on, is none.
fn outcome_of(answer: i64) -> Option<Outcome> {
    match answer {
        1 => Some(Outcome::Win(Player::First)),
        2 => Some(Outcome::Win(Player::Second)),
        3 => Some(Outcome::Draw),
        _ => None,
    }
}

const DRAW: i64 = 3;

impl Game for NativeGame {
    type State = State;

    fn start(&self) -> State {
        let mut state = State::zero(self.numbers.words);
        let zero = state.clone();
        self.checked(("start", &zero, 0), (0, 0), 0, || {
            self.functions.change(Operation::Start, &mut state, 0)
        });
        state
    }

    fn turn(&self, state: &State) -> Player {
        let over = || self.functions.ask(Operation::Turn, state, 0);
        let turn = match self.look(state, |seen| (seen.outcome, seen.turn)) {
            (0, turn) => turn,
            _ => self.checked(("turn", state, 0), (0, 1), 0, over),
        };
        if turn == 0 { Player::First } else { Player::Second }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        outcome_of(self.look(state, |seen| seen.outcome))
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        self.with_moves(state, |list| out.extend(list.iter().map(|&mv| Move(mv as u16))));
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        self.with_moves(state, |list| list.contains(&i32::from(mv.0)))
    }

    fn play(&self, state: &mut State, mv: Move) {
        let before = state.clone();
        let given = ("play", &before, u64::from(mv.0));
        self.checked(given, (0, 0), 0, || {
            self.functions.change(Operation::Play, state, i64::from(mv.0))
        });
    }

    fn hash(&self, state: &State) -> u64 {
        if self.failure.is_set() {
            return 0;
        }
        if !self.numbers.own.key {
            return hash_block(&state.words()[..self.numbers.words]);
        }
        let (answer, hash) = self.functions.key(state);
        if answer != 0 {
            self.fail("key", answer, state, 0);
        }
        hash
    }

    fn codes(&self) -> usize {
        self.numbers.codes
    }

    fn code(&self, state: &State, mv: Move) -> usize {
        if !self.numbers.coded {
            return 0;
        }
        let (most, given) = (self.numbers.codes as i64 - 1, i64::from(mv.0));
        let ask = || match self.numbers.own.code {
            true => self.functions.ask(Operation::Code, state, given),
            false => 2 * given + self.turn(state).index() as i64,
        };
        self.checked(("code", state, u64::from(mv.0)), (0, most), 0, ask) as usize
    }

    fn max_plies(&self) -> usize {
        self.numbers.max_plies
    }

    fn remembers(&self) -> bool {
        self.numbers.remembers
    }

    fn count_moves(&self, state: &State) -> usize {
        self.with_moves(state, <[i32]>::len)
    }

    fn nth_move<C: Cpu>(&self, state: &State, index: usize, _: &mut Vec<Move>) -> Move {
        self.with_moves(state, |list| Move(list.get(index).map_or(0, |&mv| mv as u16)))
    }

    fn moves_check(&self, state: &State) -> u32 {
        self.look(state, |seen| seen.check)
    }

    fn adjudicate(&self, state: &State) -> Outcome {
        if !self.numbers.own.adjudicate {
            return Outcome::Draw;
        }
        let ask = || self.functions.ask(Operation::Adjudicate, state, 0);
        let answer = self.checked(("adjudicate", state, 0), (1, DRAW), DRAW, ask);
        outcome_of(answer).expect("1 to 3")
    }

    fn cut_off(&self, state: &State) -> Outcome {
        if !self.numbers.own.adjudicate {
            self.fail("endless", 0, state, 0);
        }
        self.adjudicate(state)
    }

    fn kinds(&self) -> usize {
        self.numbers.kinds
    }

    fn kind(&self, code: usize) -> usize {
        let (most, zero) = (self.numbers.kinds as i64 - 1, State::zero(self.numbers.words));
        if !self.numbers.own.kind {
            return 0;
        }
        let ask = || self.functions.ask(Operation::Kind, &zero, code as i64);
        self.checked(("kind", &zero, code as u64), (0, most), 0, ask) as usize
    }

    #[inline(never)]
    fn playout<C: Cpu, R: Record>(
        &self,
        mut state: State,
        rng: &mut Rng,
        record: &mut R,
    ) -> Outcome {
        if self.failure.is_set() {
            return Outcome::Draw;
        }
        let (before, begun) = (state.clone(), rng.state());
        // A move of a game without `code` may be too large for a code that nobody wants.
        let coded = if R::WANTED && self.numbers.coded { self.numbers.codes } else { 0 };
        let mut left = self.numbers.max_plies;
        let answer = ROOM.with_borrow_mut(|room| {
            room.codes.resize(PLIES, -1);
            loop {
                let plies = left.min(PLIES);
                let mut numbers = rng.state();
                let codes = &mut room.codes[..plies];
                if coded > 0 {
                    codes.fill(-1);
                }
                let answer =
                    self.functions.playout(&mut state, &mut numbers, &mut room.moves, codes, coded);
                rng.set_state(numbers);
                if coded > 0 {
                    codes.iter().take_while(|&&code| code >= 0).for_each(|&code| {
                        record.played(code as usize);
                    });
                }
                left -= plies;
                if answer != 0 || left == 0 {
                    return answer;
                }
            }
        });
        match outcome_of(answer) {
            Some(outcome) => outcome,
            None if answer == 0 && self.numbers.own.adjudicate => self.adjudicate(&state),
            None => {
                self.fail("playout", answer, &before, begun);
                Outcome::Draw
            }
        }
    }
}

impl Evaluate for NativeGame {
    const EVALUATIONS: &'static [&'static str] = &["own"];

    fn evaluate(&self, state: &State, _: usize) -> i32 {
        let (least, most) = (-i64::from(LARGEST), i64::from(LARGEST));
        if !self.numbers.own.evaluate {
            return 0;
        }
        let ask = || self.functions.ask(Operation::Evaluate, state, 0);
        self.checked(("evaluate", state, 0), (least, most), 0, ask) as i32
    }

    fn terms(&self, state: &State, evaluation: usize) -> Terms {
        vec![("own", self.evaluate(state, evaluation))]
    }
}

impl Solvable for NativeGame {
    fn solver(&self, bytes: usize) -> Box<dyn Solver<NativeGame>> {
        Box::new(Plain::within(bytes))
    }
}
