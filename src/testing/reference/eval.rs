//! Values of expressions, read off the model.

use super::{Reference, World, numbers};
use crate::lang::gsm::{
    AttrIx, DataKind, EventIx, Expr, ExprKind, MilestoneIs, Over, StageIs, StageIx, Status, Subject, TaskIx, TypeIx,
};
use crate::machine::number::Ratio;
use crate::machine::{CompareOp, Domain};
use num_traits::Zero;

/// What occurs in a step, for the slots that ask.
#[derive(Clone, Debug, Default)]
pub(super) struct Happening {
    /// Event and slot; several when a task creates instances.
    pub events: Vec<(EventIx, usize)>,
    /// The completed task and its slot.
    pub done: Option<(TaskIx, usize)>,
}

/// Where an expression is evaluated.
#[derive(Clone)]
pub(super) struct Context<'a> {
    pub(super) reference: &'a Reference<'a>,
    /// Σ
    pub(super) before: &'a World,
    /// Σᵢ
    pub(super) now: &'a World,
    /// The context slot.
    pub slot: Option<usize>,
    pub agent: Option<usize>,
    pub happening: Happening,
    /// Payload: field, code, its domain.
    pub payload: Vec<(String, i64, Domain)>,
    /// Attributes of the context slot that are read in Σ.
    pub own: Vec<Status>,
    pub(super) bound: Vec<(u32, usize)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Real(Ratio),
    /// `None` is ⊥.
    Text(Option<String>),
}

impl<'a> Context<'a> {
    pub fn new(reference: &'a Reference<'a>, before: &'a World, now: &'a World) -> Context<'a> {
        Context {
            reference,
            before,
            now,
            slot: None,
            agent: None,
            happening: Happening::default(),
            payload: Vec::new(),
            own: Vec::new(),
            bound: Vec::new(),
        }
    }

    pub fn holds(&self, e: &Expr) -> bool {
        self.value(e) == Value::Bool(true)
    }

    /// The value as a code of a domain, and whether it fits; a number that does not is brought to the nearest end.
    pub fn code(&self, e: &Expr, domain: &Domain) -> (i64, bool) {
        match self.value(e) {
            Value::Bool(b) => (i64::from(b), true),
            n @ (Value::Int(_) | Value::Real(_)) => numbers::code(&numbers::number(&n).expect("a number"), domain),
            Value::Text(text) => (text.and_then(|t| domain.code_of(&t)).unwrap_or(0), true),
        }
    }

    /// Does an assigned expression divide by zero?
    pub fn divides_by_zero(&self, e: &Expr) -> bool {
        let here = match &e.kind {
            ExprKind::Arith(crate::machine::ArithOp::Div, _, by) => {
                numbers::number(&self.value(by)).is_some_and(|n| n.is_zero())
            }
            _ => false,
        };
        here || e.parts().iter().any(|p| self.divides_by_zero(p))
    }

    fn subject(&self, of: Subject) -> usize {
        match of {
            Subject::This => self.slot.expect("a context slot"),
            Subject::Element => panic!("elements of bags are asked for by region"),
            Subject::Bound(v) => self.bound.iter().rev().find(|(var, _)| *var == v).expect("a bound variable").1,
        }
    }

    fn value(&self, e: &Expr) -> Value {
        let truth = |b: bool| Value::Bool(b);
        match &e.kind {
            ExprKind::Bool(b) => truth(*b),
            ExprKind::Int(i) => Value::Int(*i),
            ExprKind::Decimal(d) => Value::Real(d.number()),
            ExprKind::Text(t) => Value::Text(Some(t.clone())),
            ExprKind::SelfId => {
                let agents = self.reference.app.agents.as_ref();
                Value::Text(self.agent.and_then(|a| agents?.get(a)).map(|a| a.name.clone()))
            }
            ExprKind::Attr { of, ty, attr } => {
                let a = &self.reference.app.types[*ty].attrs[*attr];
                decode(self.now.slots[self.subject(*of)].data[attr.0], &a.domain, a.kind)
            }
            ExprKind::Field(name) => {
                let (_, code, domain) = self.payload.iter().find(|(n, ..)| n == name).expect("a field");
                read(*code, domain)
            }
            ExprKind::Private { agent, var } => {
                let domain = &self.reference.app.agents.as_ref().expect("agents")[*agent].vars[*var].domain;
                read(self.before.private[*agent][*var], domain)
            }
            ExprKind::Overflow => truth(self.now.overflow),
            ExprKind::Id { of } => Value::Int(i64::from(self.reference.slots[self.subject(*of)].1)),
            ExprKind::Created { of, .. } => truth(self.now.slots[self.subject(*of)].created),
            ExprKind::Stage { of, ty, stage, is } => truth(self.stage(*of, *ty, *stage, *is)),
            ExprKind::Milestone { of, milestone, is, .. } => {
                let m = Status::Milestone(*milestone);
                truth(match is {
                    MilestoneIs::Achieved => self.state(*of, m),
                    MilestoneIs::JustAchieved => self.changed(*of, m, true),
                    MilestoneIs::JustInvalidated => self.changed(*of, m, false),
                })
            }
            ExprKind::Occurring(event) => {
                truth(self.happening.events.iter().any(|(e, at)| e == event && Some(*at) == self.slot))
            }
            ExprKind::TaskCompleted(task) => {
                truth(self.happening.done.is_some_and(|(t, at)| t == *task && Some(at) == self.slot))
            }
            ExprKind::Not(a) => truth(!self.holds(a)),
            ExprKind::And(xs) => truth(xs.iter().all(|x| self.holds(x))),
            ExprKind::Or(xs) => truth(xs.iter().any(|x| self.holds(x))),
            ExprKind::Implies(a, b) => truth(!self.holds(a) || self.holds(b)),
            ExprKind::Iff(a, b) => truth(self.holds(a) == self.holds(b)),
            ExprKind::Compare(op, a, b) => truth(self.compare(*op, a, b)),
            ExprKind::Arith(op, a, b) => match (self.value(a), self.value(b)) {
                (Value::Int(a), Value::Int(b)) => Value::Int(op.apply(a, b)),
                (a, b) => match (numbers::number(&a), numbers::number(&b)) {
                    (Some(a), Some(b)) => numbers::computed(*op, &a, &b, self.reference.app.unit),
                    _ => panic!("arithmetic on {a:?} and {b:?}"),
                },
            },
            ExprKind::Quant { exists, var, ty, over, body } => {
                let mut slots = self.range(*ty, *over).into_iter();
                let at = |slot: usize| {
                    let mut inner = self.clone();
                    inner.bound.push((*var, slot));
                    inner.holds(body)
                };
                truth(if *exists { slots.any(at) } else { slots.all(at) })
            }
            ExprKind::Tally { of, ty, bag, which } => {
                let counters = self.reference.app.types[*ty].bags[*bag].counters(which.as_deref());
                Value::Int(counters.into_iter().map(|c| self.now.slots[self.subject(*of)].data[c.0]).sum())
            }
            ExprKind::Count { ty, over, which } => {
                let chosen = self.range(*ty, *over).into_iter().filter(|&slot| match which {
                    None => true,
                    Some((var, body)) => {
                        let mut inner = self.clone();
                        inner.bound.push((*var, slot));
                        inner.holds(body)
                    }
                });
                Value::Int(chosen.count() as i64)
            }
        }
    }

    fn compare(&self, op: CompareOp, a: &Expr, b: &Expr) -> bool {
        let (a, b) = (self.value(a), self.value(b));
        if let (Some(a), Some(b)) = (numbers::number(&a), numbers::number(&b)) {
            return op.holds(a, b);
        }
        match (a, b) {
            (a, b) if op == CompareOp::Eq => a == b,
            (a, b) if op == CompareOp::Ne => a != b,
            other => panic!("{op:?} on {other:?}"),
        }
    }

    fn is_own(&self, of: Subject, status: Status) -> bool {
        of == Subject::This && self.own.contains(&status)
    }

    fn state(&self, of: Subject, status: Status) -> bool {
        let world = if self.is_own(of, status) { self.before } else { self.now };
        world.status(self.subject(of), status)
    }

    fn changed(&self, of: Subject, status: Status, to: bool) -> bool {
        let slot = self.subject(of);
        !self.is_own(of, status) && self.before.status(slot, status) != to && self.now.status(slot, status) == to
    }

    fn stage(&self, of: Subject, ty: TypeIx, stage: StageIx, is: StageIs) -> bool {
        let s = Status::Stage(stage);
        let mut milestones = self.reference.app.types[ty].stages[stage].milestones.iter();
        match is {
            StageIs::Active => self.state(of, s),
            StageIs::Completed => milestones.any(|&m| self.state(of, Status::Milestone(m))),
            StageIs::Opened => self.changed(of, s, true),
            StageIs::Closed => self.changed(of, s, false),
            StageIs::OutOfOrder | StageIs::Skipped | StageIs::Faulty => panic!("observers are not modelled here"),
        }
    }

    /// Created slots of a type, all or those related to the context slot.
    fn range(&self, ty: TypeIx, over: Over) -> Vec<usize> {
        let created = self.reference.of_type(ty).filter(|&s| self.now.slots[s].created);
        match over {
            Over::Created => created.collect(),
            Over::Related => created.filter(|&s| self.related(self.slot.expect("a context slot"), s)).collect(),
            Over::RelatedTo { var, .. } => {
                created.filter(|&s| self.related(self.subject(Subject::Bound(var)), s)).collect()
            }
        }
    }

    pub(super) fn related(&self, this: usize, other: usize) -> bool {
        let ((own, number), (ty, other_number)) = (self.reference.slots[this], self.reference.slots[other]);
        let refers = |from: TypeIx, to: TypeIx| {
            let attrs = AttrIx::each(&self.reference.app.types[from].attrs);
            attrs.filter(move |(_, a)| a.kind == DataKind::Reference(to)).map(|(i, _)| i).collect::<Vec<_>>()
        };
        let (mine, theirs) = (refers(own, ty), refers(ty, own));
        if this == other {
            return false;
        }
        if mine.is_empty() && theirs.is_empty() {
            return true;
        }
        let data = |slot: usize, attr: &AttrIx| self.now.slots[slot].data[attr.0];
        mine.iter().any(|a| data(this, a) == i64::from(other_number))
            || theirs.iter().any(|a| data(other, a) == i64::from(number))
    }
}

fn decode(code: i64, domain: &Domain, kind: DataKind) -> Value {
    match (domain, kind) {
        (Domain::Bool, DataKind::Integer | DataKind::Reference(_)) => Value::Int(code),
        _ => read(code, domain),
    }
}

fn read(code: i64, domain: &Domain) -> Value {
    match domain {
        Domain::Bool => Value::Bool(code != 0),
        Domain::Int { .. } | Domain::Real { .. } | Domain::Date { .. } => Value::Int(code),
        Domain::Points(_) => numbers::of_point(code, domain),
        Domain::Enum { bottom: true, .. } if code == 0 => Value::Text(None),
        Domain::Enum { .. } | Domain::Text { .. } => Value::Text(Some(domain.show(code))),
    }
}
