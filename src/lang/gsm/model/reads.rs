//! What the antecedent of a rule reads in the current pre-snapshot, and which change of it matters.

use super::{Application, Expr, ExprKind, MilestoneIs, RuleDef, RuleKind, StageIs, Status, Subject, TypeIx};

/// A status attribute that an antecedent reads while the B-step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Read {
    /// The type it belongs to.
    pub ty: TypeIx,
    /// Which attribute.
    pub status: Status,
    /// The change that matters: to true, to false. A state atom is read once for each.
    pub to: bool,
    /// Read in other slots than the rule's own.
    pub related: bool,
}

/// The reads of a rule, sorted, each once. Own attributes are read before the step and so are not among them.
pub fn reads(app: &Application, rule: &RuleDef) -> Vec<Read> {
    let mut found = Vec::new();
    let mut own = |status, to| found.push(Read { ty: rule.ty, status, to, related: false });
    match rule.kind {
        RuleKind::Open(s, _) => {
            if let Some(parent) = app.types[rule.ty].stages[s].parent {
                own(Status::Stage(parent), true);
                own(Status::Stage(parent), false);
            }
        }
        RuleKind::Reset(_) => own(Status::Stage(rule.stage(app)), true),
        RuleKind::Close(m) => own(Status::Milestone(m), true),
        RuleKind::CloseWith { ancestor, .. } => {
            app.types[rule.ty].stages[ancestor].milestones.iter().for_each(|&m| own(Status::Milestone(m), true));
        }
        RuleKind::Achieve(..) | RuleKind::Invalidate(..) => {}
    }
    if let Some(guard) = rule.sentry(app) {
        let mine = own_attributes(app, rule);
        guard.sentry.expr.walk(&mut |e| found.extend(atom(app, e)));
        found.retain(|r| r.related || !mine.contains(&r.status));
    }
    found.sort();
    found.dedup();
    found
}

/// The rule's target and the attributes of its prerequisite: its sentry reads them in the snapshot before the step.
pub fn own_attributes(app: &Application, rule: &RuleDef) -> Vec<Status> {
    let prerequisite = rule.prerequisite(app).into_iter().map(|(status, _)| status);
    std::iter::once(rule.effect(app).0).chain(prerequisite).collect()
}

/// The reads of one atom; none for an expression that is not a status atom.
fn atom(app: &Application, e: &Expr) -> Vec<Read> {
    let (of, ty, statuses, changes): (Subject, TypeIx, Vec<Status>, &[bool]) = match e.kind {
        ExprKind::Stage { of, ty, stage, is } => {
            let milestones = || app.types[ty].stages[stage].milestones.iter().map(|&m| Status::Milestone(m)).collect();
            match is {
                StageIs::Active => (of, ty, vec![Status::Stage(stage)], &[true, false]),
                StageIs::Completed => (of, ty, milestones(), &[true, false]),
                StageIs::Opened => (of, ty, vec![Status::Stage(stage)], &[true]),
                StageIs::Closed => (of, ty, vec![Status::Stage(stage)], &[false]),
                StageIs::OutOfOrder | StageIs::Skipped | StageIs::Faulty => return Vec::new(),
            }
        }
        ExprKind::Milestone { of, ty, milestone, is } => {
            let changes: &[bool] = match is {
                MilestoneIs::Achieved => &[true, false],
                MilestoneIs::JustAchieved => &[true],
                MilestoneIs::JustInvalidated => &[false],
            };
            (of, ty, vec![Status::Milestone(milestone)], changes)
        }
        _ => return Vec::new(),
    };
    let related = matches!(of, Subject::Bound(_));
    let each = statuses.into_iter().flat_map(|status| changes.iter().map(move |&to| Read { ty, status, to, related }));
    each.collect()
}
