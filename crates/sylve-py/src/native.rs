//! A user's game that `sylve.native` has compiled: its functions, and what they did wrong.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;
use sylve_core::AnyPosition;
use sylve_core::any::at;
use sylve_core::native::{Failure, Functions, NativeGame, Numbers, Operation, Own, State};

/// The first answer of a game that broke a rule, and who can say it in words. Empty for the games of
/// the engine.
#[derive(Default)]
pub struct Faults(Option<(Arc<Failure>, Py<PyAny>)>);

impl Faults {
    /// Another hand on the same.
    pub fn share(&self, py: Python<'_>) -> Faults {
        Faults(self.0.as_ref().map(|(failure, rules)| (Arc::clone(failure), rules.clone_ref(py))))
    }

    /// Raises the error of the first broken rule, if there is one.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        let Some((failure, rules)) = &self.0 else { return Ok(()) };
        let Some(fault) = failure.first() else { return Ok(()) };
        let told = (fault.method, fault.answer, fault.state.as_slice(), fault.given);
        Err(PyErr::from_value(rules.bind(py).call_method1("explain", told)?))
    }
}

/// The position of these bytes in a game of `sylve.native.NativeRules`.
pub fn position(
    rules: &Bound<'_, PyAny>,
    state: &[u8],
    coded: bool,
) -> PyResult<(Box<dyn AnyPosition>, Faults)> {
    let own = |name: &str| rules.getattr(name);
    let methods: HashSet<String> = own("methods")?.extract()?;
    if own("operations")?.extract::<Vec<String>>()? != Operation::NAMES {
        return Err(PyValueError::new_err("the halves of sylve are of different versions"));
    }
    let optional = Own {
        code: methods.contains("code"),
        key: methods.contains("key"),
        kind: methods.contains("kind"),
        evaluate: methods.contains("evaluate"),
        adjudicate: methods.contains("adjudicate"),
    };
    let words = state.len() / 8;
    if words * 8 != state.len() || own("size")?.extract::<usize>()? != state.len() {
        return Err(PyValueError::new_err("a state of another size than the game's"));
    }
    let arguments: Vec<u8> = own("arguments")?.extract()?;
    let numbers = Numbers {
        words,
        codes: own("codes")?.extract()?,
        coded,
        kinds: own("kinds")?.extract()?,
        max_plies: own("max_plies")?.extract()?,
        remembers: own("remembers")?.extract()?,
        own: optional,
    };
    let keeper: Box<Py<PyAny>> = Box::new(rules.clone().unbind());
    let arguments: Box<[u64]> = State::of(&arguments).words().into();
    let functions =
        Functions::new(own("address")?.extract()?, arguments, own("max_moves")?.extract()?, keeper)
            .ok_or_else(|| PyValueError::new_err("the game has no function"))?;
    let failure = Arc::new(Failure::default());
    let game = NativeGame::new(functions, numbers, Arc::clone(&failure));
    let faults = Faults(Some((failure, rules.clone().unbind())));
    Ok((at(game, State::of(state)), faults))
}
