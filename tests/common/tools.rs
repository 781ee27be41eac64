//! External checkers in tests: who is there, and a list of what had to be skipped.
#![allow(dead_code)] // each test file uses its part

use gsmc::answer::Engine;
use gsmc::backend::find;
pub use gsmc::testing::skipped;

/// Is the checker here? Those that are not are reported as skipped under the test's name.
pub fn there(engine: Engine, test: &str) -> bool {
    let found = engine == Engine::NATIVE || find(engine, None).is_ok();
    if !found {
        skipped(&format!("{test}: {engine} not found"));
    }
    found
}

/// Is there no solver? That is reported as skipped under the name of the test that asks.
pub fn without_solver() -> bool {
    let missing = gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err();
    if missing {
        skipped(&format!("{}: z3 not found", std::thread::current().name().unwrap_or("a test")));
    }
    missing
}
