//! Domains: the values of a variable that its tests can tell apart.

use super::Literal;
use crate::machine::CompareOp;
use std::collections::BTreeSet;

/// How conditions use a variable.
#[derive(Clone, Debug)]
pub(super) struct Uses {
    pub name: String,
    /// Absence is asked for.
    pub null: bool,
    truth: bool,
    ordered: bool,
    texts: BTreeSet<String>,
    numbers: Vec<f64>,
}

impl Uses {
    pub fn new(name: String) -> Uses {
        Uses { name, null: false, truth: false, ordered: false, texts: BTreeSet::new(), numbers: Vec::new() }
    }

    pub fn truth(&mut self, default: Option<&Literal>) {
        self.truth = true;
        self.default(default);
    }

    pub fn compare(&mut self, default: Option<&Literal>, ordered: bool, with: &Literal) {
        self.ordered |= ordered;
        self.literal(with);
        self.default(default);
    }

    /// What absence counts as must be a value; nothing is asked of absence itself.
    fn default(&mut self, default: Option<&Literal>) {
        if let Some(default) = default.filter(|d| **d != Literal::Null) {
            self.literal(default);
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.null = true,
            Literal::Bool(_) => self.truth = true,
            Literal::Number(n) => self.numbers.push(*n),
            Literal::Text(t) => self.texts.extend([t.clone()]),
        }
    }
}

/// A value, or a class of values that no test tells apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Absent.
    Null,
    /// A Boolean.
    Bool(bool),
    /// Anything but the values named.
    Other,
    /// A number.
    Number(f64),
    /// A number between these (infinite at the ends).
    Between(f64, f64),
    /// A text.
    Text(String),
}

/// A variable with its domain.
#[derive(Clone, Debug)]
pub struct Data {
    /// The path that conditions read.
    pub name: String,
    /// Its values; the first is the initial one.
    pub values: Vec<Value>,
}

impl Data {
    /// The domain that the uses, or the user, ask for.
    pub(super) fn of(uses: &Uses, given: Option<&[String]>) -> Data {
        let values = match given {
            Some(given) if !given.is_empty() => given.iter().map(|t| Value::read(t)).collect(),
            _ => inferred(uses),
        };
        Data { name: uses.name.clone(), values }
    }

    /// Positions of the values that compare so with a literal.
    pub(crate) fn codes(&self, op: CompareOp, with: &Literal) -> Vec<usize> {
        (0..self.values.len()).filter(|c| self.values[*c].compares(None, op, with)).collect()
    }

    /// Can values be told apart by a comparison with a literal? Not if one stands for several, some of them here, some there.
    pub(crate) fn tells(&self, with: &Literal) -> bool {
        let number = if let Literal::Number(n) = with { Some(*n) } else { None };
        let regions = self.values.iter().any(|v| matches!(v, Value::Between(..)));
        self.values.contains(&Value::of(with))
            || !self.values.iter().any(|v| match v {
                Value::Between(lo, hi) => number.is_some_and(|n| *lo < n && n < *hi),
                Value::Other => *with != Literal::Null && !(regions && number.is_some()),
                _ => false,
            })
    }

    /// Position of a value.
    pub fn code_of(&self, value: &Value) -> Option<usize> {
        self.values.iter().position(|v| v == value)
    }
}

fn inferred(uses: &Uses) -> Vec<Value> {
    let mut numbers = uses.numbers.clone();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let texts = uses.texts.iter().cloned().map(Value::Text);
    let booleans = [Value::Bool(false), Value::Bool(true)];
    let mut values = Vec::new();
    if uses.null {
        values.push(Value::Null);
    }
    if uses.truth && numbers.is_empty() && uses.texts.is_empty() {
        values.extend(booleans);
        return values;
    }
    let only_numbers = uses.texts.is_empty() && !uses.truth;
    if !(uses.ordered && only_numbers) {
        values.push(Value::Other);
    }
    values.extend(booleans.into_iter().filter(|_| uses.truth));
    match uses.ordered {
        true => values.extend(regions(&numbers)),
        false => values.extend(numbers.into_iter().map(Value::Number)),
    }
    values.extend(texts);
    values
}

/// Below, the first number, between, …, above.
fn regions(numbers: &[f64]) -> Vec<Value> {
    let mut values = Vec::new();
    let mut below = f64::NEG_INFINITY;
    for &n in numbers {
        if !(below.fract() == 0.0 && n.fract() == 0.0 && n - below == 1.0) {
            values.push(Value::Between(below, n));
        }
        values.push(Value::Number(n));
        below = n;
    }
    values.push(Value::Between(below, f64::INFINITY));
    values
}

impl Value {
    /// A value as a user writes it.
    fn read(text: &str) -> Value {
        match text {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "(other)" => Value::Other,
            _ => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Number),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        *self == Value::Null
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_null() || *self == Value::Text(String::new())
    }

    /// Used as a Boolean.
    pub(super) fn truth(&self, default: Option<&Literal>) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Text(t) => t == "true",
            Value::Null => default == Some(&Literal::Bool(true)),
            _ => false,
        }
    }

    /// Compared with a literal; absence equals only `null` and is in no order.
    pub(super) fn compares(&self, default: Option<&Literal>, op: CompareOp, with: &Literal) -> bool {
        let own = match (self, default) {
            (Value::Null, Some(d)) => Value::of(d),
            _ => self.clone(),
        };
        match op {
            CompareOp::Eq => own == Value::of(with),
            CompareOp::Ne => own != Value::of(with),
            _ => match (own.middle(), with) {
                (Some(a), Literal::Number(b)) => match op {
                    CompareOp::Lt => a < *b,
                    CompareOp::Le => a <= *b,
                    CompareOp::Gt => a > *b,
                    _ => a >= *b,
                },
                _ => false,
            },
        }
    }

    pub(crate) fn of(literal: &Literal) -> Value {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(b) => Value::Bool(*b),
            Literal::Number(n) => Value::Number(*n),
            Literal::Text(t) => Value::Text(t.clone()),
        }
    }

    /// A number of the class.
    fn middle(&self) -> Option<f64> {
        match self {
            Value::Number(n) => Some(*n),
            Value::Between(lo, hi) if lo.is_infinite() && hi.is_infinite() => Some(0.0),
            Value::Between(lo, hi) if lo.is_infinite() => Some(hi - 1.0),
            Value::Between(lo, hi) if hi.is_infinite() => Some(lo + 1.0),
            Value::Between(lo, hi) => Some((lo + hi) / 2.0),
            _ => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => write!(f, "null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Other => write!(f, "(other)"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Between(lo, hi) if lo.is_infinite() => write!(f, "<{hi}"),
            Value::Between(lo, hi) if hi.is_infinite() => write!(f, ">{lo}"),
            Value::Between(lo, hi) => write!(f, "{lo}<x<{hi}"),
            Value::Text(t) => write!(f, "{t}"),
        }
    }
}
