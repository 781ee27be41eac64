//! Reader of data types: elements, complex and simple types of an XML schema, flattened to fields.
//!
//! Only what gives an artifact its attributes is read. Everything else gets one warning per kind.

mod flatten;
mod read;

pub use flatten::{Occurs, XsdField};
pub use read::{read, whole};

use crate::lang::gsm::resolve::Ends;
use crate::lang::gsm::xml::Word;
use crate::source::Span;
use std::collections::BTreeMap;

/// A schema file: what its global names stand for.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Global elements in document order.
    pub elements: Vec<Decl>,
    /// Named types.
    types: BTreeMap<String, Type>,
    /// Named groups of elements and of attributes.
    groups: BTreeMap<String, Complex>,
    /// Other schema files whose declarations belong to this one.
    pub includes: Vec<Word>,
}

impl Schema {
    /// Takes over what another file declares; what this one declares itself stays.
    pub fn include(&mut self, other: &Schema) {
        let new = other.elements.iter().filter(|e| self.elements.iter().all(|own| own.name != e.name));
        let new: Vec<Decl> = new.cloned().collect();
        self.elements.extend(new);
        for (name, ty) in &other.types {
            self.types.entry(name.clone()).or_insert_with(|| ty.clone());
        }
        for (name, group) in &other.groups {
            self.groups.entry(name.clone()).or_insert_with(|| group.clone());
        }
    }
}

/// An element or attribute declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    ty: Type,
    /// `default` or `fixed`.
    initial: Option<Word>,
    /// `maxOccurs` above 1, here or on a group around it.
    many: bool,
}

#[derive(Clone, Debug)]
enum Type {
    Simple(Simple),
    Complex(Complex),
    /// A type named in this schema.
    Named(Word),
    /// The type of a global element (`ref`).
    Element(Word),
}

/// A simple type: a built-in kind, narrowed.
#[derive(Clone, Debug, Default)]
struct Simple {
    base: Option<Base>,
    values: Vec<String>,
    min: Option<i64>,
    max: Option<i64>,
    ends: Ends,
}

#[derive(Clone, Debug)]
enum Base {
    Kind(Kind),
    Named(Word),
}

/// What a simple value is. Anything that is not listed is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `xs:boolean`
    Boolean,
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction, read as whole ones.
    Decimal,
    /// Days.
    Date,
    /// Points within days.
    Time,
    /// Texts.
    Text,
}

/// A complex type: the fields of another one, a text value of its own, and its own fields.
#[derive(Clone, Debug, Default)]
struct Complex {
    base: Option<Box<Type>>,
    fields: Vec<Decl>,
    /// Named groups whose fields it has too, and whether they repeat.
    groups: Vec<(Word, bool)>,
}
