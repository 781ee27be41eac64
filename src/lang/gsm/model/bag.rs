//! Bags: data that occurs any number of times, as one counter per kind of element that anything can tell apart.

use super::{ArtifactType, AttrIx, BagIx, Expr, ExprKind, Subject};
use crate::machine::CompareOp;
use crate::source::Span;

/// A bag of records or of simple values.
#[derive(Clone, Debug)]
pub struct Bag {
    /// Path with dots.
    pub path: String,
    /// Where it is declared.
    pub span: Span,
    /// The fields of an element: attributes that are sets. A bag of simple values has one, of its own path.
    pub fields: Vec<AttrIx>,
    /// The distinct comparisons that anything applies to its elements.
    pub tests: Vec<Test>,
    /// Every satisfiable combination of their truth values; empty while nothing asks for the bag.
    pub regions: Vec<Region>,
}

/// A comparison of a field of an element with a constant: `==`, or `<` between numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The field.
    pub field: AttrIx,
    /// Less than the constant, instead of equal to it.
    pub less: bool,
    /// The constant.
    pub than: Datum,
}

/// A value that an element can have in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number.
    Number(i64),
    /// A text; none stands for every text that nothing asks for.
    Text(Option<String>),
    /// A Boolean, or whether a date has been set.
    Truth(bool),
}

/// Elements that all tests agree about.
#[derive(Clone, Debug)]
pub struct Region {
    /// The truth of each test.
    pub holds: Vec<bool>,
    /// The attribute that counts them.
    pub counter: AttrIx,
}

impl Test {
    /// Does it hold of a value?
    pub fn holds(&self, value: &Datum) -> bool {
        match (value, &self.than) {
            (Datum::Number(a), Datum::Number(b)) if self.less => a < b,
            (a, b) => a == b,
        }
    }

    /// A comparison as a test, and whether it is the test's negation.
    pub fn of(e: &Expr) -> Option<(Test, bool)> {
        let (op, field, than) = match &e.kind {
            ExprKind::Attr { of: Subject::Element, attr, .. } => (CompareOp::Eq, *attr, Datum::Truth(true)),
            ExprKind::Compare(op, a, b) => match (element(a), constant(b), element(b), constant(a)) {
                (Some(field), Some(value), ..) => (*op, field, value),
                (.., Some(field), Some(value)) => (op.flipped(), field, value),
                _ => return None,
            },
            _ => return None,
        };
        let (less, than, denied) = match (op, than) {
            (CompareOp::Eq, than) => (false, than, false),
            (CompareOp::Ne, than) => (false, than, true),
            (CompareOp::Lt, than) => (true, than, false),
            (CompareOp::Ge, than) => (true, than, true),
            (CompareOp::Le, Datum::Number(n)) => (true, Datum::Number(n.saturating_add(1)), false),
            (CompareOp::Gt, Datum::Number(n)) => (true, Datum::Number(n.saturating_add(1)), true),
            _ => return None,
        };
        Some((Test { field, less, than }, denied))
    }
}

/// The field of the element that an expression is.
fn element(e: &Expr) -> Option<AttrIx> {
    match &e.kind {
        ExprKind::Attr { of: Subject::Element, attr, .. } => Some(*attr),
        _ => None,
    }
}

fn constant(e: &Expr) -> Option<Datum> {
    match &e.kind {
        ExprKind::Int(n) => Some(Datum::Number(*n)),
        ExprKind::Decimal(d) => Some(Datum::Number(d.whole())),
        ExprKind::Text(t) => Some(Datum::Text(Some(t.clone()))),
        ExprKind::Bool(b) => Some(Datum::Truth(*b)),
        ExprKind::Arith(op, a, b) => match (constant(a)?, constant(b)?) {
            (Datum::Number(a), Datum::Number(b)) => Some(Datum::Number(op.apply(a, b))),
            _ => None,
        },
        _ => None,
    }
}

/// Calls `f` on every test that a condition on elements is made of.
pub fn each_test(e: &Expr, f: &mut dyn FnMut(Test)) {
    match &e.kind {
        ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Implies(..) | ExprKind::Iff(..) => {
            e.parts().into_iter().for_each(|part| each_test(part, f));
        }
        _ => Test::of(e).into_iter().for_each(|(test, _)| f(test)),
    }
}

/// Is a condition on elements made of comparisons with constants? If not, the part that is not.
pub fn odd_part(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Bool(_) => None,
        ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Implies(..) | ExprKind::Iff(..) => {
            e.parts().into_iter().find_map(odd_part)
        }
        _ if Test::of(e).is_some() => None,
        _ => Some(e),
    }
}

impl Bag {
    /// The counters of the elements of which a condition holds; of all without one.
    pub fn counters(&self, condition: Option<&Expr>) -> Vec<AttrIx> {
        let counted = |r: &&Region| condition.is_none_or(|c| self.holds(c, r));
        self.regions.iter().filter(counted).map(|r| r.counter).collect()
    }

    fn holds(&self, e: &Expr, region: &Region) -> bool {
        match &e.kind {
            ExprKind::Bool(b) => *b,
            ExprKind::Not(a) => !self.holds(a, region),
            ExprKind::And(xs) => xs.iter().all(|x| self.holds(x, region)),
            ExprKind::Or(xs) => xs.iter().any(|x| self.holds(x, region)),
            ExprKind::Implies(a, b) => !self.holds(a, region) || self.holds(b, region),
            ExprKind::Iff(a, b) => self.holds(a, region) == self.holds(b, region),
            _ => Test::of(e).is_some_and(|(test, denied)| {
                let at = self.tests.iter().position(|t| *t == test);
                at.and_then(|at| region.holds.get(at)).is_some_and(|holds| *holds != denied)
            }),
        }
    }
}

impl ArtifactType {
    /// The bag of that path.
    pub fn bag(&self, path: &str) -> Option<BagIx> {
        self.bags.iter().position(|b| b.path == path).map(BagIx)
    }
}
