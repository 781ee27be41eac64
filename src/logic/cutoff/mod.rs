//! For how many instances a verdict holds, judged from the formula before quantifiers are expanded.
//!
//! Two arguments, both about one type whose bound grows while everything else stays. *Growth* ([`grows`]): a run with N slots is a
//! run with more slots that stay free, so what such a run shows stays shown. *Price* ([`cutoff`]): of instances that do not touch
//! each other, the number that must be kept so that what is true stays true when the others are taken away. A verdict whose formula
//! (or whose negation) has a price is the same from that number of instances on. Why each line is sound stands in
//! `docs/engines/any-number.md`.

mod endless;
mod growth;
mod kinds;
mod price;
mod universal;

pub use endless::endless;
pub use growth::grows;
pub use kinds::inherited;
pub use price::{cutoff, sandwich};
pub use universal::universal;

use super::TypeNo;

/// What matters of an atom here. Its connectives and quantifiers are opened, so it is a comparison or a single fact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Quantified variables it reads.
    pub vars: Vec<u32>,
    /// Private variables of agents that it reads, by number.
    pub memory: Vec<usize>,
    /// It reads the overflow flag.
    pub overflow: bool,
    /// It says something that depends on more than the instances it names: on their number, their order, their references.
    pub odd: Option<&'static str>,
}

/// How steps of instances write a private variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The growing type does not touch it.
    Apart,
    /// It holds what the last writer wrote, and nothing else is read for that.
    Blind,
    /// Blind, and all write the same constant.
    Latch,
    /// What is written depends on what was there: it can count instances.
    Counting,
}

impl Memory {
    fn is_recorded(self) -> bool {
        self != Memory::Apart
    }
}

/// When the system may do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idling {
    /// At any time.
    Always,
    /// Where nobody can act.
    Terminal,
    /// Never: runs may end.
    Never,
}

/// What a verdict is to hold for, and in which surroundings.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The type whose number of instances grows.
    pub ty: TypeNo,
    /// Bounds of all types; `None`: any number.
    pub bounds: Vec<Option<u32>>,
    /// When the system may do nothing.
    pub idling: Idling,
    /// No instance of the type can act for ever.
    pub acyclic: bool,
    /// How the private variables are written.
    pub memory: Vec<Memory>,
    /// How people call the private variables.
    pub memory_names: Vec<String>,
    /// The overflow flag is set by what reads memory.
    pub counting_overflow: bool,
    /// Per agent: the private variables that are part of what it sees.
    pub remembers: Vec<Vec<usize>>,
    /// Per agent: what it sees of an instance depends on that instance alone.
    pub sees_apart: Vec<bool>,
}

/// A number of instances that suffice, and what each is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cutoff {
    /// How many; at least 1.
    pub instances: u32,
    /// What they are for.
    pub why: Vec<String>,
}
