//! Bags: data that occurs any number of times, as one counter per kind of element that anything can tell apart.

use super::{ArtifactType, AttrIx, BagIx, Constant, Decimal, Expr, ExprKind, Subject, Wholly, wholly};
use crate::machine::{ArithOp, CompareOp};
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
    /// Those of them that are numbers with fractions.
    pub exact: Vec<AttrIx>,
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
    /// A whole number.
    Number(i64),
    /// A number with fractions.
    Exact(Decimal),
    /// A text; none stands for every text that nothing asks for.
    Text(Option<String>),
    /// A Boolean, or whether a date has been set.
    Truth(bool),
}

impl Datum {
    /// A number with fractions.
    pub fn fraction(&self) -> Option<Decimal> {
        match self {
            Datum::Exact(d) => Some(*d),
            _ => None,
        }
    }
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
            (Datum::Exact(a), Datum::Exact(b)) if self.less => a < b,
            (a, b) => a == b,
        }
    }
}

/// A comparison of a field of an element with a constant, as tests.
pub struct Comparison {
    /// It holds if one of these does.
    any: Vec<Test>,
    /// It holds if none does, instead.
    denied: bool,
}

impl Comparison {
    /// An expression as one, where these fields are numbers with fractions.
    fn of(e: &Expr, exact: &[AttrIx]) -> Option<Comparison> {
        let (op, field, than) = match &e.kind {
            ExprKind::Attr { of: Subject::Element, attr, .. } => (CompareOp::Eq, *attr, Datum::Truth(true)),
            ExprKind::Compare(op, a, b) => {
                let (op, field, than) = match (element(a), element(b)) {
                    (Some(field), None) => (*op, field, b),
                    (None, Some(field)) => (op.flipped(), field, a),
                    _ => return None,
                };
                match Constant::of(than) {
                    Some(_) if exact.contains(&field) && leaves_a_rest(than) => return None,
                    Some(c) if exact.contains(&field) => (op, field, Datum::Exact(c.value)),
                    Some(c) => match wholly(op, c.value) {
                        Wholly::Than(op, than) => (op, field, Datum::Number(than)),
                        Wholly::Always(holds) => return Some(Comparison { any: Vec::new(), denied: holds }),
                    },
                    None => (op, field, word(than).filter(|_| !exact.contains(&field))?),
                }
            }
            _ => return None,
        };
        let next = match than {
            Datum::Number(n) => Some(Datum::Number(n.saturating_add(1))),
            _ => None,
        };
        let test = |less: bool, than: Datum| Test { field, less, than };
        let (any, denied) = match op {
            CompareOp::Eq => (vec![test(false, than)], false),
            CompareOp::Ne => (vec![test(false, than)], true),
            CompareOp::Lt => (vec![test(true, than)], false),
            CompareOp::Ge => (vec![test(true, than)], true),
            CompareOp::Le | CompareOp::Gt => {
                let any = match (next, &than) {
                    (Some(next), _) => vec![test(true, next)],
                    // Between fractions there is no next one.
                    (None, Datum::Exact(_)) => vec![test(true, than.clone()), test(false, than)],
                    _ => return None,
                };
                (any, op == CompareOp::Gt)
            }
        };
        Some(Comparison { any, denied })
    }
}

/// The field of the element that an expression is.
fn element(e: &Expr) -> Option<AttrIx> {
    match &e.kind {
        ExprKind::Attr { of: Subject::Element, attr, .. } => Some(*attr),
        _ => None,
    }
}

/// Are whole numbers divided whose quotient is none? Beside fractions that is hardly meant.
fn leaves_a_rest(e: &Expr) -> bool {
    let rest = |a: &Expr, b: &Expr| match (Constant::of(a), Constant::of(b)) {
        (Some(a), Some(b)) if a.whole && b.whole => {
            a.value.whole().checked_rem(b.value.whole()).is_some_and(|r| r != 0)
        }
        _ => false,
    };
    let mut found = false;
    e.walk(&mut |part| found |= matches!(&part.kind, ExprKind::Arith(ArithOp::Div, a, b) if rest(a, b)));
    found
}

/// A constant that is no number.
fn word(e: &Expr) -> Option<Datum> {
    match &e.kind {
        ExprKind::Text(t) => Some(Datum::Text(Some(t.clone()))),
        ExprKind::Bool(b) => Some(Datum::Truth(*b)),
        _ => None,
    }
}

/// Calls `f` on every test that a condition on elements is made of, where these fields are numbers with fractions.
pub fn each_test(e: &Expr, exact: &[AttrIx], f: &mut dyn FnMut(Test)) {
    match &e.kind {
        ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Implies(..) | ExprKind::Iff(..) => {
            e.parts().into_iter().for_each(|part| each_test(part, exact, f));
        }
        _ => Comparison::of(e, exact).into_iter().flat_map(|c| c.any).for_each(f),
    }
}

/// Is a condition on elements made of comparisons with constants, where these fields are numbers with fractions? If not, the part that is not.
pub fn odd_part<'e>(e: &'e Expr, exact: &[AttrIx]) -> Option<&'e Expr> {
    match &e.kind {
        ExprKind::Bool(_) => None,
        ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Implies(..) | ExprKind::Iff(..) => {
            e.parts().into_iter().find_map(|part| odd_part(part, exact))
        }
        _ if Comparison::of(e, exact).is_some() => None,
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
            _ => Comparison::of(e, &self.exact).is_some_and(|c| {
                let known = self.tests.iter().zip(&region.holds);
                let holds = |test: &Test| known.clone().any(|(t, holds)| t == test && *holds);
                c.any.iter().any(holds) != c.denied
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
