//! Conditions: the expression language that case models share, and the finite domains of the variables they read.
//!
//! A condition is parsed into tests on variables; when all are known, every variable gets a domain that tells exactly
//! what the tests can tell apart, and each test becomes a set of values. A text that is not understood becomes a *free
//! condition*: it holds or not, step by step.

mod domain;
mod lex;
mod parse;
mod query;
mod tree;

pub use domain::{Data, Value};
pub(crate) use query::Select;
pub(crate) use tree::Literal;

use super::model::{ALWAYS, CondIx, DataIx, Free, FreeIx, ItemIx, NEVER, State};
use crate::machine::CompareOp;
use crate::source::codes::cmmn as codes;
use crate::source::{Diagnostic, Diagnostics, Span};
use domain::Uses;
use parse::Scope;
use tree::Tree;

/// A variable has at most so many values, and counters are followed so far.
pub(crate) const MOST_VALUES: usize = 60;

/// A condition of a case.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As written, blanks normalised and without `${}`.
    pub text: String,
    /// What it means.
    pub cond: Cond,
}

impl Condition {
    /// Is it the constant false?
    pub fn is_never(&self) -> bool {
        self.cond == Cond::Const(false)
    }
}

/// What a condition means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// Negation.
    Not(Box<Cond>),
    /// Conjunction.
    All(Vec<Cond>),
    /// Disjunction.
    Any(Vec<Cond>),
    /// A variable has one of these values, given by position in its domain.
    Data(DataIx, Vec<usize>),
    /// The counter of the asking item.
    Count(CompareOp, i64),
    /// Some of these items has been completed.
    Done(Vec<ItemIx>),
    /// How many instances are there?
    Query(Query),
    /// The container of the asking item could be completed, the asking item left out.
    Completable,
    /// Not understood.
    Free(FreeIx),
}

/// A count of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Of these items.
    pub items: Vec<ItemIx>,
    /// Only in the container of the asking item.
    pub same_container: bool,
    /// In one of these states.
    pub states: Vec<State>,
    /// Compared so.
    pub op: CompareOp,
    /// With this.
    pub value: i64,
}

impl Cond {
    /// Visits every part.
    pub fn walk(&self, visit: &mut dyn FnMut(&Cond)) {
        visit(self);
        match self {
            Cond::Not(a) => a.walk(visit),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|p| p.walk(visit)),
            _ => {}
        }
    }
}

/// Conditions while a file is read.
#[derive(Debug)]
pub(crate) struct Conditions {
    drafts: Vec<(String, Tree)>,
    uses: Vec<Uses>,
    free: Vec<Free>,
}

impl Conditions {
    /// The two constants.
    pub fn new() -> Conditions {
        let constants = [false, true].map(|b| (b.to_string(), Tree::Const(b)));
        Conditions { drafts: constants.to_vec(), uses: Vec::new(), free: Vec::new() }
    }

    /// Takes in a condition. `counter` is how the asking item's counter is called.
    pub fn add(&mut self, text: &str, span: Span, counter: Option<&str>, diags: &mut Diagnostics) -> CondIx {
        let text = normal(text);
        if text.is_empty() {
            return ALWAYS;
        }
        let before = self.uses.clone();
        let tree = match parse::parse(&text, &mut Scope { counter, uses: &mut self.uses }) {
            Ok(Tree::Const(b)) => return if b { ALWAYS } else { NEVER },
            Ok(tree) => tree,
            Err(why) => {
                self.uses = before;
                let message = format!("condition '{text}' is not understood: {why}");
                let d = Diagnostic::new(&codes::CONDITION, span, message);
                diags.push(d.help("gsmc lets it hold or not in every step, and says so with every verdict"));
                Tree::Free(self.free_ix(&text, span))
            }
        };
        self.drafts.push((text, tree));
        self.drafts.len() - 1
    }

    /// A condition about something gsmc does not see.
    pub fn add_free(&mut self, text: &str, span: Span) -> CondIx {
        let tree = Tree::Free(self.free_ix(text, span));
        self.drafts.push((text.to_string(), tree));
        self.drafts.len() - 1
    }

    /// The free condition of a text.
    pub fn free_ix(&mut self, text: &str, span: Span) -> FreeIx {
        if let Some(found) = self.free.iter().position(|f| f.text == text) {
            return found;
        }
        self.free.push(Free { text: text.to_string(), span });
        self.free.len() - 1
    }

    /// The largest number a condition compares its counter with.
    pub fn largest_count(&self, condition: CondIx) -> Option<i64> {
        self.drafts.get(condition).and_then(|(_, tree)| tree.largest_count())
    }

    /// Number of variables so far.
    pub fn variables(&self) -> usize {
        self.uses.len()
    }

    /// The variable of a name, if some condition reads it.
    pub fn variable(&self, name: &str) -> Option<DataIx> {
        self.uses.iter().position(|u| u.name == name)
    }

    /// The variables' names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.uses.iter().map(|u| u.name.as_str())
    }

    /// All conditions with their meaning; `select` finds the items that a query names.
    pub fn finish(
        self,
        values: &[(String, Vec<String>)],
        select: &dyn Fn(&Select) -> Vec<ItemIx>,
    ) -> (Vec<Condition>, Vec<Data>, Vec<Free>) {
        let data: Vec<Data> = self
            .uses
            .iter()
            .map(|u| Data::of(u, values.iter().rev().find(|(name, _)| *name == u.name).map(|(_, v)| v.as_slice())))
            .collect();
        let conditions =
            self.drafts.into_iter().map(|(text, tree)| Condition { text, cond: tree.meaning(&data, select) }).collect();
        (conditions, data, self.free)
    }
}

/// One blank for every gap, none around, and without the marks of an expression.
fn normal(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = text.strip_prefix("${").or_else(|| text.strip_prefix("#{")).and_then(|t| t.strip_suffix('}'));
    match inner {
        Some(inner) if !inner.contains(['{', '}']) => inner.trim().to_string(),
        _ => text,
    }
}
