//! What properties of an E-GSM model speak of: stages, milestones, items, and what the last move did.

use super::agents::Agent;
use super::lower::{Role, Turn};
use super::model::{Kind, Model};
use crate::lang::gsm::PrivateVar;
use crate::lang::gsm::agents::literal;
use crate::lang::properties::Atoms;
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::logic::TypeNo;
use crate::machine::{CompareOp, Domain};
use crate::source::codes::egsm as codes;
use crate::source::{Diagnostic, Diagnostics};

/// A statement about one snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Always or never.
    Const(bool),
    /// The variable has this value.
    Has(Role, i64),
    /// Negation.
    Not(Box<Fact>),
    /// All of them.
    And(Vec<Fact>),
    /// One of them.
    Or(Vec<Fact>),
    /// Both or none.
    Iff(Box<Fact>, Box<Fact>),
    /// A private variable of an agent has this value.
    Private(usize, usize, i64),
    /// The item that a move changes gets this value.
    Given(i64),
}

impl Fact {
    /// Calls `f` on every variable.
    pub fn roles(&self, f: &mut impl FnMut(Role)) {
        match self {
            Fact::Const(_) | Fact::Private(..) | Fact::Given(_) => {}
            Fact::Has(role, _) => f(*role),
            Fact::Not(a) => a.roles(f),
            Fact::And(parts) | Fact::Or(parts) => parts.iter().for_each(|p| p.roles(f)),
            Fact::Iff(a, b) => {
                a.roles(f);
                b.roles(f);
            }
        }
    }
}

/// Some stage turned out of order, skipped or faulty in the last move.
pub fn violation(model: &Model) -> Fact {
    let turned = |s: usize| [Turn::OutOfOrder, Turn::Skipped, Turn::Faulty].map(|t| Fact::Has(Role::Last(t, s), 1));
    Fact::Or((0..model.stages.len()).filter(|s| watched(model, *s)).flat_map(turned).collect())
}

/// Can anything be reported about the stage: has it flow guards or fault loggers, or do others' flow guards name it?
fn watched(model: &Model, s: usize) -> bool {
    let own = model.of(s, Kind::Flow).chain(model.of(s, Kind::Fault)).next().is_some();
    own || model.stages.iter().any(|t| t.named.contains(&s))
}

/// Reads atoms of a model.
pub(super) struct Resolve<'a> {
    /// The model.
    pub model: &'a Model,
    /// The agents whom formulas may name.
    pub agents: &'a [Agent],
    /// In a protocol: whose.
    pub scope: Option<Scope<'a>>,
}

/// What the conditions of a protocol speak of beside the model.
pub(super) struct Scope<'a> {
    /// Whose protocol it is.
    pub agent: usize,
    /// The agent's private variables.
    pub vars: &'a [PrivateVar],
    /// The item whose change is reported.
    pub item: Option<usize>,
}

const CALLS: &str = "isStageActive, isMilestoneAchieved, opened, closed, outOfOrder, skipped, faulty, opens, completes, \
                     turns_outOfOrder, turns_skipped, turns_faulty";

impl Resolve<'_> {
    pub(super) fn fact(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<Fact> {
        if let Some(own) = self.own(ast) {
            return Some(own);
        }
        Some(match &ast.kind {
            AstKind::Bool(b) => Fact::Const(*b),
            AstKind::Not(a) => Fact::Not(Box::new(self.fact(a, diags)?)),
            AstKind::And(parts) => Fact::And(self.facts(parts, diags)?),
            AstKind::Or(parts) => Fact::Or(self.facts(parts, diags)?),
            AstKind::Implies(a, b) => {
                let (a, b) = (self.fact(a, diags), self.fact(b, diags));
                Fact::Or(vec![Fact::Not(Box::new(a?)), b?])
            }
            AstKind::Iff(a, b) => {
                let (a, b) = (self.fact(a, diags), self.fact(b, diags));
                Fact::Iff(Box::new(a?), Box::new(b?))
            }
            AstKind::Xor(a, b) => {
                let (a, b) = (self.fact(a, diags), self.fact(b, diags));
                Fact::Not(Box::new(Fact::Iff(Box::new(a?), Box::new(b?))))
            }
            AstKind::Call { path, args } => self.call(ast, path, args, diags)?,
            AstKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) => {
                let is = self.comparison(ast, a, b, diags)?;
                if *op == CompareOp::Eq { is } else { Fact::Not(Box::new(is)) }
            }
            AstKind::Path(steps) if last(steps, "violation") => violation(self.model),
            AstKind::Path(steps) if last(steps, "unstable") || last(steps, "overflow") => Fact::Has(Role::Unstable, 1),
            _ => return self.foreign(ast, diags),
        })
    }

    /// What only a protocol can speak of: the agent's private variables, and `status`, the value that an item gets.
    fn own(&self, ast: &Ast) -> Option<Fact> {
        let scope = self.scope.as_ref()?;
        let private = |ast: &Ast| match &ast.kind {
            AstKind::Path(steps) if steps.len() == 1 => scope.vars.iter().position(|v| v.name == steps[0].text),
            _ => None,
        };
        let AstKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) = &ast.kind else {
            let v = private(ast).filter(|v| scope.vars[*v].domain == Domain::Bool)?;
            return Some(Fact::Private(scope.agent, v, 1));
        };
        let is = [(a, b), (b, a)].into_iter().find_map(|(name, value)| {
            if let Some(v) = private(name) {
                return Some(Fact::Private(scope.agent, v, literal(&scope.vars[v].domain, value)?));
            }
            let (AstKind::Path(steps), AstKind::Text(text)) = (&name.kind, &value.kind) else { return None };
            let item = scope.item.filter(|_| steps.len() == 1 && steps[0].text == "status")?;
            let at = self.model.items[item].values.iter().position(|v| v == text)?;
            Some(Fact::Given(at as i64 + 1))
        })?;
        Some(if *op == CompareOp::Eq { is } else { Fact::Not(Box::new(is)) })
    }

    fn facts(&mut self, parts: &[Ast], diags: &mut Diagnostics) -> Option<Vec<Fact>> {
        let all: Vec<Option<Fact>> = parts.iter().map(|p| self.fact(p, diags)).collect();
        all.into_iter().collect()
    }

    fn call(&self, ast: &Ast, path: &[Name], args: &[Name], diags: &mut Diagnostics) -> Option<Fact> {
        // A first argument that names the component may be given, as in GSM.
        let (Some(operator), Some(id)) = (path.last(), args.last()) else { return self.foreign(ast, diags) };
        let has = |role: fn(usize) -> Role, code: i64, diags: &mut Diagnostics| {
            Some(Fact::Has(role(self.stage(id, diags)?), code))
        };
        match operator.text.as_str() {
            "isStageActive" | "stageActive" | "opened" => has(Role::State, 1, diags),
            "closed" => has(Role::State, 2, diags),
            "outOfOrder" => has(Role::Compliance, 1, diags),
            "skipped" => has(Role::Compliance, 2, diags),
            "faulty" => has(Role::Faulty, 1, diags),
            "opens" => has(|s| Role::Last(Turn::Opens, s), 1, diags),
            "completes" => has(|s| Role::Last(Turn::Completes, s), 1, diags),
            "turns_outOfOrder" => has(|s| Role::Last(Turn::OutOfOrder, s), 1, diags),
            "turns_skipped" => has(|s| Role::Last(Turn::Skipped, s), 1, diags),
            "turns_faulty" => has(|s| Role::Last(Turn::Faulty, s), 1, diags),
            "isMilestoneAchieved" | "milestoneAchieved" => {
                let milestones = || self.model.sentries.iter().enumerate().filter(|(_, s)| s.kind == Kind::Milestone);
                match milestones().find(|(_, s)| s.id == id.text) {
                    Some((m, _)) => Some(Fact::Has(Role::Sentry(m), 1)),
                    None => unknown("milestone", id, milestones().map(|(_, s)| s.id.as_str()), diags),
                }
            }
            _ => self.foreign(ast, diags),
        }
    }

    fn stage(&self, id: &Name, diags: &mut Diagnostics) -> Option<usize> {
        let found = self.model.stages.iter().position(|s| s.id == id.text);
        found.or_else(|| unknown("stage", id, self.model.stages.iter().map(|s| s.id.as_str()), diags))
    }

    /// `x.Truck.status == 'AmsStill'`, either way round.
    fn comparison(&self, ast: &Ast, a: &Ast, b: &Ast, diags: &mut Diagnostics) -> Option<Fact> {
        let (path, text) = match (&a.kind, &b.kind) {
            (AstKind::Path(path), AstKind::Text(text)) | (AstKind::Text(text), AstKind::Path(path)) => (path, text),
            _ => return self.foreign(ast, diags),
        };
        let name = match path.as_slice() {
            [.., item, field] if field.text == "status" => item,
            [.., item] => item,
            [] => return self.foreign(ast, diags),
        };
        let Some(item) = self.model.items.iter().position(|i| i.id == name.text) else {
            return unknown("item", name, self.model.items.iter().map(|i| i.id.as_str()), diags);
        };
        let values = &self.model.items[item].values;
        match values.iter().position(|v| v == text) {
            Some(at) => Some(Fact::Has(Role::Item(item), at as i64 + 1)),
            None => {
                let d = Diagnostic::new(
                    &codes::UNKNOWN_NAME,
                    ast.span,
                    format!("no sentry compares '{}' with '{text}'", name.text),
                );
                diags.push(d.nearest(text, values.iter().map(String::as_str)));
                None
            }
        }
    }

    fn foreign<T>(&self, ast: &Ast, diags: &mut Diagnostics) -> Option<T> {
        let d = Diagnostic::new(&codes::NOT_IN_EGSM, ast.span, "this says nothing about an E-GSM model");
        diags.push(d.help(format!("atoms are {CALLS} of a stage or milestone, violation, and Item.status == 'text'")));
        None
    }
}

/// `word`, or `x.word` with the instance, which may be left out.
fn last(steps: &[Name], word: &str) -> bool {
    matches!(steps, [one] | [_, one] if one.text == word)
}

fn unknown<'a, T>(what: &str, name: &Name, known: impl Iterator<Item = &'a str>, diags: &mut Diagnostics) -> Option<T> {
    let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, format!("unknown {what} '{}'", name.text));
    diags.push(d.nearest(&name.text, known));
    None
}

impl Atoms for Resolve<'_> {
    type Atom = Fact;

    fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<Fact> {
        self.fact(ast, diags)
    }

    fn agents(&self) -> Vec<Option<String>> {
        let mut all: Vec<Option<String>> = self.agents.iter().map(|a| Some(a.name.clone())).collect();
        if all.is_empty() {
            all.push(None);
        }
        all.push(Some(super::AUTO_AGENT.into()));
        all
    }

    fn about_agents(&self) -> Option<&'static str> {
        self.agents.is_empty().then_some("there is no agents file, so only AutoAgent can be named")
    }

    /// There is one instance, from the start: a quantifier over it says nothing, but may be written.
    fn bind(&mut self, _var: &Name, ty: &Name, diags: &mut Diagnostics) -> Option<(u32, TypeNo)> {
        if ty.text == self.model.component || ty.text == self.model.name {
            return Some((0, TypeNo(0)));
        }
        unknown("type", ty, [self.model.component.as_str()].into_iter(), diags)
    }
}
