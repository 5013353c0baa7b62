//! Module `sylve._core`: text in, numbers out. No logic of its own, but for `python_game`
//! and `native`, users' games.

mod alpha_beta;
mod config;
mod leaving;
mod native;
mod parts;
mod patterns;
mod position;
mod python_game;
mod searcher;
mod solver;
mod stop;
mod table;

use pyo3::prelude::*;

/// The compiled half of sylve. Private: use the package `sylve`.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::leaving::leave;
    #[pymodule_export]
    use super::patterns::{Patterns, othello_boards, othello_game};
    #[pymodule_export]
    use super::position::{IllegalMove, InvalidMove, InvalidPosition, Position};
    #[pymodule_export]
    use super::searcher::Searcher;
    #[pymodule_export]
    use super::solver::Solver;
    #[pymodule_export]
    use super::table::breakthrough_table;

    use pyo3::prelude::*;

    /// The processor level that the engine runs at: "v3" or "portable".
    #[pyfunction]
    fn cpu() -> &'static str {
        match sylve_core::cpu::level() {
            sylve_core::cpu::Level::Portable => "portable",
            sylve_core::cpu::Level::V3 => "v3",
        }
    }

    /// The version of the engine.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
