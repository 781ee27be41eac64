//! CMMN executed literally, without the machine: the oracle of lowering.

mod compare;
mod criteria;
mod dialect;
mod events;
mod literal;
mod outside;
mod rounds;
mod search;
mod text;

pub use compare::{difference, encode};
pub use events::{Happening, happenings};
pub use literal::{Chooser, Outcome, Snapshot, step};
pub use search::{Explored, explore};
pub use text::{random_case, random_choices};
