//! Types of data, and where the parts of a value lie.

use crate::machine::Domain;

/// Most cells of data in a model.
pub const MOST_CELLS: usize = 10_000;
/// Most elements of an array.
pub const MOST_ELEMENTS: i64 = 1000;

/// A type. Equality is of structure: two enumerations with the same values are the same type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// false, true.
    Bool,
    /// `lo..hi`
    Int {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
    },
    /// `{a, b}`; coded from 0.
    Enum(Vec<String>),
    /// Fields in order.
    Record(Vec<(String, Type)>),
    /// So many of a type.
    Array(Box<Type>, usize),
}

impl Type {
    /// Number of cells; stops counting where it is too much anyway.
    pub fn cells(&self) -> usize {
        match self {
            Type::Record(fields) => fields.iter().map(|(_, t)| t.cells()).fold(0, usize::saturating_add),
            Type::Array(of, n) => of.cells().saturating_mul(*n),
            _ => 1,
        }
    }

    /// One value, not several.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Record(_) | Type::Array(..))
    }

    /// The values of a scalar, as the machine has them.
    pub fn domain(&self) -> Domain {
        match self {
            Type::Int { lo, hi } => Domain::Int { lo: *lo, hi: *hi },
            Type::Enum(values) => Domain::Enum { values: values.clone(), bottom: false },
            _ => Domain::Bool,
        }
    }

    /// Smallest and largest code of a scalar.
    pub fn bounds(&self) -> (i64, i64) {
        self.domain().bounds()
    }

    /// What a variable holds if nothing is said: false, 0 or the number nearest to it, the first value.
    pub fn default_code(&self) -> i64 {
        match self {
            Type::Int { lo, hi } => 0.clamp(*lo, *hi),
            _ => 0,
        }
    }

    /// May a value of one be compared with or assigned to the other? Ranges of numbers fit each other.
    pub fn fits(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int { .. }, Type::Int { .. }) => true,
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((n, s), (m, t))| n == m && s.fits(t))
            }
            (Type::Array(a, n), Type::Array(b, m)) => n == m && a.fits(b),
            _ => self == other,
        }
    }

    /// As people call it.
    pub fn describe(&self) -> String {
        match self {
            Type::Bool => "a Boolean".into(),
            Type::Int { .. } => "a number".into(),
            Type::Enum(values) => format!("one of {{{}}}", values.join(", ")),
            Type::Record(_) => "a record".into(),
            Type::Array(..) => "an array".into(),
        }
    }

    /// The cells of a value: suffix of the name (`[0].status`), unit (`.status`), scalar type.
    pub fn leaves(&self) -> Vec<(String, String, Type)> {
        let mut out = Vec::new();
        self.collect("", "", &mut out);
        out
    }

    fn collect(&self, name: &str, unit: &str, out: &mut Vec<(String, String, Type)>) {
        match self {
            Type::Record(fields) => {
                fields.iter().for_each(|(f, t)| t.collect(&format!("{name}.{f}"), &format!("{unit}.{f}"), out));
            }
            Type::Array(of, n) => (0..*n).for_each(|i| of.collect(&format!("{name}[{i}]"), unit, out)),
            scalar => out.push((name.to_string(), unit.to_string(), scalar.clone())),
        }
    }
}
