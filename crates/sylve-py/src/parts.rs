//! A user's rule, schedule or policy that `sylve.native` has compiled: its function, and what it did
//! wrong.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sylve_core::native::State;
use sylve_core::search::own::{Method, Own, Source, Watch};

/// The parts of a search that are a user's own, and who can say in words what they did wrong.
#[derive(Default)]
pub struct Parts(Vec<(Watch, Py<PyAny>)>);

impl Parts {
    /// The part of a `sylve.search.running.native_part.NativePart`, watched from now on.
    pub fn read(&mut self, part: &Bound<'_, PyAny>) -> PyResult<Own> {
        let get = |name: &str| part.getattr(name);
        let names: Vec<String> = get("operations")?.extract()?;
        if names != Method::ALL.map(|(name, _)| name) {
            return Err(PyValueError::new_err("the halves of sylve are of different versions"));
        }
        let name: String = get("method")?.extract()?;
        let method = Method::ALL.iter().find(|(known, _)| *known == name);
        let (_, method) = method.ok_or_else(|| {
            PyValueError::new_err(format!("the engine has no part with a method {name:?}"))
        })?;
        let arguments: Vec<u8> = get("arguments")?.extract()?;
        let source = Source {
            address: get("address")?.extract()?,
            method: *method,
            arguments: State::of(&arguments).words().into(),
            coded: get("coded")?.extract()?,
            learns: get("learns")?.extract()?,
            keeper: Box::new(get("library")?.unbind()),
        };
        let own =
            Own::new(source).ok_or_else(|| PyValueError::new_err("the part has no function"))?;
        self.0.push((Watch::new(own), part.clone().unbind()));
        Ok(own)
    }

    /// Raises the error of a part that has failed.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        for (watch, part) in &self.0 {
            if let Some(fault) = watch.fault() {
                let told = (fault.answer, fault.total, fault.own, fault.other, fault.word);
                return Err(PyErr::from_value(part.bind(py).call_method1("explain", told)?));
            }
        }
        Ok(())
    }
}
