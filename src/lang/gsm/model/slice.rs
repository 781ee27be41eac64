//! Which rules can matter while something occurs: three-valued evaluation of sentries.
//!
//! Constants are known, atoms about other events and tasks are false, everything else is unknown but for what is said to be known. The atom about what does occur is
//! unknown too: it is false at slots that are not the target.

use super::{Application, EventIx, Expr, ExprKind, MilestoneIs, Occurrence, RuleDef, Sentry, StageIs, Status, Subject};
use crate::machine::CompareOp;

/// Can the rule fire while `occurrence` happens? PAC-4 to PAC-6 always can.
pub fn can_fire(app: &Application, rule: &RuleDef, occurrence: Occurrence) -> bool {
    rule.sentry(app).is_none_or(|guard| can_hold(app, rule, &guard.sentry, Some(occurrence)))
}

/// Can the rule's sentry hold between steps, so that whatever happens sets it off? One of PAC-4 to PAC-6 has none.
pub fn can_hold_without_event(app: &Application, rule: &RuleDef) -> bool {
    rule.sentry(app).is_some_and(|guard| can_hold(app, rule, &guard.sentry, None))
}

fn can_hold(app: &Application, rule: &RuleDef, sentry: &Sentry, occurrence: Option<Occurrence>) -> bool {
    let eval = Eval { app, rule, occurrence, facts: &[] };
    let waits = !sentry.events.is_empty() && !sentry.events.iter().any(|&e| eval.occurs(e));
    !waits && eval.truth(&sentry.expr) != Some(false)
}

/// A constant.
#[derive(PartialEq)]
enum Known<'a> {
    Bool(bool),
    Int(i64),
    Text(&'a str),
}

pub(super) struct Eval<'a> {
    pub app: &'a Application,
    pub rule: &'a RuleDef,
    /// `None`: nothing occurs and nothing has changed.
    pub occurrence: Option<Occurrence>,
    /// What is known of the rule's own instance.
    pub facts: &'a [(Status, bool)],
}

impl Eval<'_> {
    fn occurs(&self, event: EventIx) -> bool {
        self.occurrence.is_some_and(|o| o.includes(self.app, event))
    }

    /// The value of a Boolean expression; `None`: unknown.
    pub fn truth(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Bool(b) => Some(*b),
            ExprKind::Occurring(event) if !self.occurs(*event) => Some(false),
            ExprKind::TaskCompleted(task) if self.occurrence != Some(Occurrence::TaskDone(self.rule.ty, *task)) => {
                Some(false)
            }
            ExprKind::Stage { is: StageIs::Opened | StageIs::Closed, .. }
            | ExprKind::Milestone { is: MilestoneIs::JustAchieved | MilestoneIs::JustInvalidated, .. }
                if self.occurrence.is_none() =>
            {
                Some(false)
            }
            ExprKind::Stage { of: Subject::This, stage, is: StageIs::Active, .. } => self.fact(Status::Stage(*stage)),
            ExprKind::Stage { of: Subject::This, ty, stage, is: StageIs::Completed } => {
                let milestones = self.app.types[*ty].stages[*stage].milestones.iter();
                self.all(milestones.map(|m| self.fact(Status::Milestone(*m)).map(|v| !v))).map(|v| !v)
            }
            ExprKind::Milestone { of: Subject::This, milestone, is: MilestoneIs::Achieved, .. } => {
                self.fact(Status::Milestone(*milestone))
            }
            ExprKind::Not(a) => self.truth(a).map(|v| !v),
            ExprKind::And(xs) => self.all(xs.iter().map(|x| self.truth(x))),
            ExprKind::Or(xs) => self.all(xs.iter().map(|x| self.truth(x).map(|v| !v))).map(|v| !v),
            ExprKind::Implies(a, b) => self.all([self.truth(a), self.truth(b).map(|v| !v)].into_iter()).map(|v| !v),
            ExprKind::Iff(a, b) => Some(self.truth(a)? == self.truth(b)?),
            ExprKind::Compare(op, a, b) => compare(*op, self.value(a)?, self.value(b)?),
            // Slots to range over may or may not exist.
            ExprKind::Quant { exists, body, .. } => self.truth(body).filter(|&v| v != *exists),
            _ => None,
        }
    }

    fn fact(&self, status: Status) -> Option<bool> {
        self.facts.iter().find(|(known, _)| *known == status).map(|(_, is)| *is)
    }

    /// Conjunction of three-valued truths.
    fn all(&self, mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
        let mut known = true;
        let refuted = parts.any(|p| {
            known &= p.is_some();
            p == Some(false)
        });
        if refuted { Some(false) } else { known.then_some(true) }
    }

    fn value<'e>(&self, e: &'e Expr) -> Option<Known<'e>> {
        match &e.kind {
            ExprKind::Int(i) => Some(Known::Int(*i)),
            ExprKind::Decimal(_) => None,
            ExprKind::Text(t) => Some(Known::Text(t)),
            ExprKind::Arith(op, a, b) => match (self.value(a)?, self.value(b)?) {
                (Known::Int(a), Known::Int(b)) => Some(Known::Int(op.apply(a, b))),
                _ => None,
            },
            _ => self.truth(e).map(Known::Bool),
        }
    }
}

fn compare(op: CompareOp, a: Known, b: Known) -> Option<bool> {
    match (op, &a, &b) {
        (_, Known::Int(a), Known::Int(b)) => Some(op.holds(*a, *b)),
        (CompareOp::Eq, ..) => Some(a == b),
        (CompareOp::Ne, ..) => Some(a != b),
        _ => None,
    }
}
