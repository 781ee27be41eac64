//! AMBER for tests: its semantics executed word for word, random models as text, and the comparison with the machine.

pub mod compare;
mod data;
mod flows;
mod formulas;
pub mod literal;
mod random;

pub use random::{Limits, random_amber};

use super::{Choices, Project};

/// A random project; the same for the same seed.
pub fn seeded(seed: u64, limits: &Limits) -> Project {
    random_amber(&mut Choices::seeded(seed), limits)
}

/// The project that a list of choices describes; shorter lists and smaller numbers describe simpler ones.
pub fn from_choices(choices: &[u16], limits: &Limits) -> Project {
    random_amber(&mut Choices::listed(choices), limits)
}
