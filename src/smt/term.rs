//! Terms: what can be said to a solver, and what a model makes of it.

use super::sexpr::Sexpr;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::fmt::Write;

/// An exact number.
pub type Ratio = num_rational::Ratio<BigInt>;

/// The sort of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// true, false.
    Bool,
    /// Whole numbers.
    Int,
    /// Exact numbers.
    Real,
}

/// An unknown of a question. Its name is a word of gsmc with a number: no text of a model gets to a solver.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    pub(super) name: String,
    /// Its sort.
    pub sort: Sort,
}

impl Symbol {
    /// The unknown of this name.
    pub fn named(name: &'static str, sort: Sort) -> Symbol {
        Symbol { name: name.into(), sort }
    }

    /// One of several unknowns that share a word.
    pub fn numbered(word: &'static str, number: usize, sort: Sort) -> Symbol {
        Symbol { name: format!("{word}{number}"), sort }
    }
}

/// A value of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int or Real.
    Number(Ratio),
}

/// A term. Numbers mix freely: an integer among reals is one of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Ratio),
    /// An unknown.
    Symbol(Symbol),
    /// Negation.
    Not(Box<Term>),
    /// Conjunction; the empty one is true.
    And(Vec<Term>),
    /// Disjunction; the empty one is false.
    Or(Vec<Term>),
    /// Equality of two Booleans or two numbers.
    Equal(Box<Term>, Box<Term>),
    /// Less than.
    Less(Box<Term>, Box<Term>),
    /// A sum.
    Sum(Vec<Term>),
    /// A product.
    Product(Box<Term>, Box<Term>),
    /// Division of integers, towards zero. By zero it is 0.
    Quotient(Box<Term>, Box<Term>),
    /// Division without a remainder, also of integers. By zero it is 0.
    Over(Box<Term>, Box<Term>),
    /// For some values of these symbols.
    Exists(Vec<Symbol>, Box<Term>),
}

impl Term {
    /// A whole number.
    pub fn int(value: i64) -> Term {
        Term::Number(Ratio::from_integer(value.into()))
    }

    /// Negation, without `not not`.
    pub fn negated(self) -> Term {
        match self {
            Term::Bool(b) => Term::Bool(!b),
            Term::Not(inner) => *inner,
            other => Term::Not(Box::new(other)),
        }
    }

    /// `a < b`.
    pub fn less(a: Term, b: Term) -> Term {
        Term::Less(Box::new(a), Box::new(b))
    }

    /// `a = b`.
    pub fn equal(a: Term, b: Term) -> Term {
        Term::Equal(Box::new(a), Box::new(b))
    }

    /// Calls `f` on this term and everything inside.
    fn each(&self, f: &mut impl FnMut(&Term)) {
        f(self);
        match self {
            Term::Bool(_) | Term::Number(_) | Term::Symbol(_) => {}
            Term::Not(a) | Term::Exists(_, a) => a.each(f),
            Term::And(parts) | Term::Or(parts) | Term::Sum(parts) => parts.iter().for_each(|p| p.each(f)),
            Term::Equal(a, b) | Term::Less(a, b) | Term::Product(a, b) | Term::Quotient(a, b) | Term::Over(a, b) => {
                a.each(f);
                b.each(f);
            }
        }
    }

    /// Is there a quantifier in it?
    pub fn is_quantified(&self) -> bool {
        let mut found = false;
        self.each(&mut |t| found |= matches!(t, Term::Exists(..)));
        found
    }

    /// Are all factors but one, and all divisors, numbers?
    pub fn is_linear(&self) -> bool {
        let number = |t: &Term| matches!(t, Term::Number(_));
        let mut linear = true;
        self.each(&mut |t| match t {
            Term::Product(a, b) => linear &= number(a) || number(b),
            Term::Quotient(_, b) | Term::Over(_, b) => linear &= number(b),
            _ => {}
        });
        linear
    }

    fn sort(&self) -> Sort {
        match self {
            Term::Symbol(s) => s.sort,
            Term::Number(n) => {
                if n.is_integer() {
                    Sort::Int
                } else {
                    Sort::Real
                }
            }
            Term::Sum(parts) => widest(parts.iter()),
            Term::Product(a, b) => widest([a.as_ref(), b.as_ref()].into_iter()),
            Term::Quotient(..) => Sort::Int,
            Term::Over(..) => Sort::Real,
            _ => Sort::Bool,
        }
    }

    /// The term in SMT-LIB.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, self.sort());
        out
    }

    /// Writes the term as one of the given sort: integers become reals where reals are asked for.
    fn write(&self, out: &mut String, sort: Sort) {
        let pair = |out: &mut String, op: &str, a: &Term, b: &Term| {
            let inner = widest([a, b].into_iter());
            let _ = write!(out, "({op} ");
            a.write(out, inner);
            out.push(' ');
            b.write(out, inner);
            out.push(')');
        };
        let list = |out: &mut String, op: &str, parts: &[Term], sort: Sort, empty: &str| match parts {
            [] => out.push_str(empty),
            [one] => one.write(out, sort),
            _ => {
                let _ = write!(out, "({op}");
                for part in parts {
                    out.push(' ');
                    part.write(out, sort);
                }
                out.push(')');
            }
        };
        match self {
            Term::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Term::Number(n) => number(out, n, sort),
            Term::Symbol(s) if sort == Sort::Real && s.sort == Sort::Int => {
                let _ = write!(out, "(to_real {})", s.name);
            }
            Term::Symbol(s) => out.push_str(&s.name),
            Term::Not(a) => {
                out.push_str("(not ");
                a.write(out, Sort::Bool);
                out.push(')');
            }
            Term::And(parts) => list(out, "and", parts, Sort::Bool, "true"),
            Term::Or(parts) => list(out, "or", parts, Sort::Bool, "false"),
            Term::Equal(a, b) => pair(out, "=", a, b),
            Term::Less(a, b) => pair(out, "<", a, b),
            Term::Sum(parts) => list(out, "+", parts, sort, if sort == Sort::Real { "0.0" } else { "0" }),
            Term::Product(a, b) => {
                out.push_str("(* ");
                a.write(out, sort);
                out.push(' ');
                b.write(out, sort);
                out.push(')');
            }
            Term::Quotient(a, b) => quotient(out, a, b, sort),
            Term::Over(a, b) => over(out, a, b),
            Term::Exists(symbols, body) => {
                out.push_str("(exists (");
                for s in symbols {
                    let _ = write!(out, "({} {})", s.name, s.sort.name());
                }
                out.push_str(") ");
                body.write(out, Sort::Bool);
                out.push(')');
            }
        }
    }

    /// Its value in a model; `None` where it says `exists` (and that matters) or the model has no value.
    pub fn eval(&self, model: &impl Fn(&Symbol) -> Option<Value>) -> Option<Value> {
        let truth = |t: &Term| match t.eval(model)? {
            Value::Bool(b) => Some(b),
            Value::Number(_) => None,
        };
        let amount = |t: &Term| match t.eval(model)? {
            Value::Number(n) => Some(n),
            Value::Bool(_) => None,
        };
        Some(match self {
            Term::Bool(b) => Value::Bool(*b),
            Term::Number(n) => Value::Number(n.clone()),
            Term::Symbol(s) => model(s)?,
            Term::Not(a) => Value::Bool(!truth(a)?),
            Term::And(parts) | Term::Or(parts) => {
                let unit = matches!(self, Term::And(_));
                let mut open = false;
                for part in parts {
                    match truth(part) {
                        Some(b) if b != unit => return Some(Value::Bool(!unit)),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                if open {
                    return None;
                }
                Value::Bool(unit)
            }
            Term::Equal(a, b) => Value::Bool(a.eval(model)? == b.eval(model)?),
            Term::Less(a, b) => Value::Bool(amount(a)? < amount(b)?),
            Term::Sum(parts) => {
                let numbers: Option<Vec<Ratio>> = parts.iter().map(amount).collect();
                Value::Number(numbers?.into_iter().fold(Ratio::zero(), |a, b| a + b))
            }
            Term::Product(a, b) => Value::Number(amount(a)? * amount(b)?),
            Term::Quotient(a, b) | Term::Over(a, b) => {
                let (a, b) = (amount(a)?, amount(b)?);
                Value::Number(match self {
                    _ if b.is_zero() => Ratio::zero(),
                    Term::Over(..) => a / b,
                    _ => (a / b).trunc(),
                })
            }
            Term::Exists(..) => return None,
        })
    }
}

fn widest<'t>(parts: impl Iterator<Item = &'t Term>) -> Sort {
    parts.map(Term::sort).max().unwrap_or(Sort::Int)
}

fn number(out: &mut String, n: &Ratio, sort: Sort) {
    let real = sort == Sort::Real || !n.is_integer();
    let part = |out: &mut String, i: &BigInt| {
        let _ = write!(out, "{}{}", i.abs(), if real { ".0" } else { "" });
    };
    if n.is_negative() {
        out.push_str("(- ");
    }
    if n.denom().is_one() {
        part(out, n.numer());
    } else {
        out.push_str("(/ ");
        part(out, n.numer());
        out.push(' ');
        part(out, n.denom());
        out.push(')');
    }
    if n.is_negative() {
        out.push(')');
    }
}

/// SMT-LIB's `div` rounds down and division by zero is anything there, so both are spelt out.
fn quotient(out: &mut String, a: &Term, b: &Term, sort: Sort) {
    let (mut x, mut y) = (String::new(), String::new());
    a.write(&mut x, Sort::Int);
    b.write(&mut y, Sort::Int);
    let result = format!("(ite (>= {x} 0) (div {x} {y}) (div (- {x}) (- {y})))");
    let whole = match b {
        Term::Number(n) if !n.is_zero() => result,
        _ => format!("(ite (= {y} 0) 0 {result})"),
    };
    if sort == Sort::Real {
        let _ = write!(out, "(to_real {whole})");
    } else {
        out.push_str(&whole);
    }
}

fn over(out: &mut String, a: &Term, b: &Term) {
    let (mut x, mut y) = (String::new(), String::new());
    a.write(&mut x, Sort::Real);
    b.write(&mut y, Sort::Real);
    let _ = match b {
        Term::Number(n) if !n.is_zero() => write!(out, "(/ {x} {y})"),
        _ => write!(out, "(ite (= {y} 0.0) 0.0 (/ {x} {y}))"),
    };
}

impl Sort {
    /// Its name in SMT-LIB.
    pub const fn name(self) -> &'static str {
        match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
        }
    }
}

impl Value {
    /// Reads a value as solvers write it: `true`, `3`, `(- 3)`, `2.5`, `(/ 5 2)`, `(/ (- 5.0) 2.0)`.
    pub(super) fn read(text: &Sexpr) -> Option<Value> {
        match text.word() {
            Some("true") => Some(Value::Bool(true)),
            Some("false") => Some(Value::Bool(false)),
            _ => exact(text).map(Value::Number),
        }
    }
}

fn exact(text: &Sexpr) -> Option<Ratio> {
    if let Some(word) = text.word() {
        let (whole, part) = word.split_once('.').unwrap_or((word, ""));
        if !word.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        let digits: BigInt = format!("{whole}{part}").parse().ok()?;
        return Some(Ratio::new(digits, num_traits::pow(BigInt::from(10), part.len())));
    }
    match text.list()? {
        [op, a] if op.word() == Some("-") => Some(-exact(a)?),
        [op, a, b] if op.word() == Some("/") => {
            let (a, b) = (exact(a)?, exact(b)?);
            (!b.is_zero()).then(|| a / b)
        }
        [op, a] if op.word() == Some("to_real") => exact(a),
        _ => None,
    }
}
