//! What a language that has instances says about their number.

use super::lens::Lens;
use crate::logic::Formula;
use crate::logic::cutoff::Leaf;
use crate::source::{Diagnostic, Sources, Span};

/// A type of which there are instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedType {
    /// Its name in the model.
    pub name: String,
    /// How many there may be.
    pub bound: u32,
    /// The user asked for any number.
    pub any: bool,
    /// Steps of the model itself create instances of it.
    pub made_by_steps: bool,
    /// Why verdicts for any number are out of reach, whatever the machine says.
    pub refused: Option<(String, Span)>,
}

/// A model whose numbers of instances can be changed.
pub trait Counted {
    /// The types; the slots of a type are the machine's family of that number.
    fn types(&self) -> Vec<CountedType>;

    /// With no room left, creation is a step that only sets the overflow flag.
    fn overflows(&self) -> bool;

    /// A property of the machine with its quantifiers as written; `None` if the language cannot tell.
    fn quantified(&self, property: usize) -> Option<Formula<Leaf>>;

    /// The same model with other numbers of instances, type by type.
    fn resized(&self, bounds: &[u32], sources: &Sources) -> Result<Box<dyn Lens>, Diagnostic>;

    /// The same with one of its properties alone, in which agents are taken to know that the instances they think about are there.
    fn relaxed(&self, property: usize, bounds: &[u32], sources: &Sources) -> Result<Box<dyn Lens>, Diagnostic>;
}
