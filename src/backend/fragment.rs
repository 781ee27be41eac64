//! Which engine can express which property, decided before anything runs.

use crate::answer::Engine;
use crate::logic::{Fragment, Property};
use crate::machine::ExprId;

/// What an engine decides.
pub const fn fragment(engine: Engine) -> Fragment {
    match engine {
        Engine::Native => Fragment::NATIVE,
        Engine::Nusmv => Fragment::NUSMV,
        Engine::Spin => Fragment::SPIN,
        Engine::Mcmas => Fragment::MCMAS,
    }
}

/// Why an engine cannot decide a property; `None` when it can.
pub fn unsupported(engine: Engine, p: &Property<ExprId>) -> Option<String> {
    fragment(engine).refuses(p)
}

/// The logics an engine covers, for people.
pub const fn covers(engine: Engine) -> &'static str {
    fragment(engine).covers
}
