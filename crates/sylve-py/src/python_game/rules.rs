//! A game object of Python as a [`Game`].

use super::answers::{read_outcome, refused};
use super::failure::Failure;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use sylve_core::cpu::Cpu;
use sylve_core::evaluate::{Evaluate, Terms};
use sylve_core::rng::hash_words;
use sylve_core::{Game, Move, Outcome, Player, Record, Rng, play_to_the_end};

/// A state of a Python game. Equal if it is the same object: the engine asks for no more.
#[derive(Clone)]
pub struct State(Arc<Object>);

struct Object {
    object: Py<PyAny>,
    /// Whose turn it is, once that was asked.
    turn: OnceLock<Player>,
}

impl State {
    fn new(object: Py<PyAny>) -> State {
        State(Arc::new(Object { object, turn: OnceLock::new() }))
    }

    fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for State {}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a state of a Python game")
    }
}

/// The moves of the state that was asked for last: the tree asks several times in a row.
type LastMoves = Option<(State, Vec<Move>)>;

/// A game of Python. Its optional methods were looked up by `sylve.game.FullGame`, which also checks
/// the answers of these.
pub struct PythonGame {
    /// The `FullGame`.
    full: Py<PyAny>,
    /// The user's own object.
    game: Py<PyAny>,
    /// What the engine raises.
    pub failure: Failure,
    last: Mutex<LastMoves>,
    codes: usize,
    plies: usize,
    kinds: usize,
    playout_method: String,
    own_playout: bool,
    remembers: bool,
}

impl PythonGame {
    /// Takes over a `sylve.game.FullGame`.
    pub fn new(full: &Bound<'_, PyAny>) -> PyResult<PythonGame> {
        Ok(PythonGame {
            codes: full.getattr("codes")?.extract()?,
            plies: full.getattr("max_plies")?.extract()?,
            kinds: full.getattr("kinds")?.extract()?,
            playout_method: full.getattr("playout_method")?.extract()?,
            own_playout: !full.getattr("own_playout")?.is_none(),
            remembers: full.getattr("remembers")?.extract()?,
            failure: Failure::default(),
            last: Mutex::new(None),
            game: full.getattr("game")?.unbind(),
            full: full.clone().unbind(),
        })
    }

    /// A state for the engine to hold.
    pub fn state(state: Bound<'_, PyAny>) -> State {
        State::new(state.unbind())
    }

    /// Calls Python; the first failure is kept, and `otherwise` stands in for the answer.
    fn ask<T>(&self, otherwise: T, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if self.failure.flag().load(Ordering::Relaxed) {
            return otherwise;
        }
        Python::attach(|py| match call(self.full.bind(py)) {
            Ok(answer) => answer,
            Err(error) => {
                self.failure.set(error);
                otherwise
            }
        })
    }

    fn list(&self, method: &str, state: &State) -> Vec<Move> {
        self.ask(vec![Move(0)], |full| {
            let answer = self.game.bind(full.py()).call_method1(method, (state.object(),))?;
            let moves: Vec<u16> = answer.extract().map_err(|_| {
                let rule = format!("{method}() must be a list of integers from 0 to 65535");
                refused(&rule, &answer)
            })?;
            if moves.is_empty() {
                let problem = format!("outcome() is None but {method}() is []");
                return Err(PyValueError::new_err(problem));
            }
            Ok(moves.into_iter().map(Move).collect())
        })
    }

    fn with_moves<T>(&self, state: &State, use_them: impl FnOnce(&[Move]) -> T) -> T {
        let mut last = self.last.lock().expect("no panic while it is held");
        if last.as_ref().is_none_or(|(known, _)| known != state) {
            *last = Some((state.clone(), self.list("moves", state)));
        }
        use_them(&last.as_ref().expect("just filled").1)
    }
}

impl Game for PythonGame {
    type State = State;

    fn start(&self) -> State {
        let none = Python::attach(|py| State::new(py.None()));
        self.ask(none, |game| Ok(PythonGame::state(game.call_method0("start")?)))
    }

    fn turn(&self, state: &State) -> Player {
        *state.0.turn.get_or_init(|| {
            self.ask(Player::First, |game| {
                let answer = game.call_method1("turn", (state.object(),))?;
                match answer.extract::<u8>() {
                    Ok(0) => Ok(Player::First),
                    Ok(1) => Ok(Player::Second),
                    _ => Err(refused("turn() must be a Player, 0 or 1", &answer)),
                }
            })
        })
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.ask(Some(Outcome::Draw), |game| {
            read_outcome(&game.call_method1("outcome", (state.object(),))?)
        })
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        self.with_moves(state, |moves| out.extend_from_slice(moves));
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        self.with_moves(state, |moves| moves.contains(&mv))
    }

    fn play(&self, state: &mut State, mv: Move) {
        let before = state.clone();
        *state = self.ask(state.clone(), |game| {
            Ok(PythonGame::state(game.call_method1("play", (before.object(), mv.0))?))
        });
    }

    fn hash(&self, state: &State) -> u64 {
        self.ask(0, |game| game.call_method1("hash", (state.object(),))?.extract())
    }

    fn codes(&self) -> usize {
        self.codes
    }

    fn code(&self, state: &State, mv: Move) -> usize {
        self.ask(0, |game| game.call_method1("code", (state.object(), mv.0))?.extract())
    }

    fn remembers(&self) -> bool {
        self.remembers
    }

    fn max_plies(&self) -> usize {
        self.plies
    }

    fn count_moves(&self, state: &State) -> usize {
        self.with_moves(state, <[Move]>::len)
    }

    fn playout_moves(&self, state: &State, out: &mut Vec<Move>) {
        *out = self.list(&self.playout_method, state);
    }

    fn nth_move<C: Cpu>(&self, state: &State, index: usize, _: &mut Vec<Move>) -> Move {
        self.with_moves(state, |moves| moves.get(index).copied().unwrap_or(Move(0)))
    }

    fn moves_check(&self, state: &State) -> u32 {
        self.with_moves(state, |moves| hash_words(moves.iter().map(|mv| u64::from(mv.0))) as u32)
    }

    fn adjudicate(&self, state: &State) -> Outcome {
        self.ask(Outcome::Draw, |game| {
            let answer = read_outcome(&game.call_method1("adjudicate", (state.object(),))?)?;
            Ok(answer.unwrap_or(Outcome::Draw))
        })
    }

    fn cut_off(&self, state: &State) -> Outcome {
        self.ask(Outcome::Draw, |game| {
            let answer = read_outcome(&game.call_method1("cut_off", (state.object(),))?)?;
            Ok(answer.expect("cut_off raises if there is none"))
        })
    }

    fn kinds(&self) -> usize {
        self.kinds
    }

    fn kind(&self, code: usize) -> usize {
        self.ask(0, |game| game.call_method1("kind", (code,))?.extract())
    }

    fn playout<C: Cpu, R: Record>(&self, state: State, rng: &mut Rng, record: &mut R) -> Outcome {
        if self.own_playout {
            return self.ask(Outcome::Draw, |game| own_playout(game, &state, rng, record));
        }
        play_to_the_end(self, state, record, |_, moves| {
            moves[rng.below(moves.len() as u32) as usize]
        })
    }
}

/// The game's own playout, with the stream of the simulation as a `sylve.Rng`.
fn own_playout<R: Record>(
    game: &Bound<'_, PyAny>,
    state: &State,
    rng: &mut Rng,
    record: &mut R,
) -> PyResult<Outcome> {
    let py = game.py();
    let stream = py.import("sylve.rng")?.getattr("Rng")?.call1((rng.state(),))?;
    let played = pyo3::types::PyList::empty(py);
    let answer = game.call_method1("playout", (state.object(), &stream, &played))?;
    rng.set_state(stream.getattr("state")?.extract()?);
    if R::WANTED {
        for code in played.iter() {
            record.played(code.extract()?);
        }
    }
    Ok(read_outcome(&answer)?.expect("playout raises if there is none"))
}

/// The names of the evaluations are the affair of Python.
impl Evaluate for PythonGame {
    const EVALUATIONS: &'static [&'static str] = &["own"];

    fn evaluate(&self, state: &State, _evaluation: usize) -> i32 {
        self.ask(0, |full| full.call_method1("evaluate", (state.object(),))?.extract())
    }

    fn terms(&self, state: &State, evaluation: usize) -> Terms {
        vec![("own", self.evaluate(state, evaluation))]
    }
}
