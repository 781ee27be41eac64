//! Guards and conditions that can never hold.

use crate::lang::gsm::{Application, ExprKind, Occurrence, RuleDef, Rules, can_fire};
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics};

/// Warns of every sentry that is false whatever happens.
pub fn warn_never(app: &Application, diags: &mut Diagnostics) {
    let all = Occurrence::all(app);
    for rule in &Rules::of(app).list {
        let Some(guard) = rule.sentry(app) else { continue };
        if !occurrences(app, rule, &all).iter().any(|o| can_fire(app, rule, *o)) {
            let kind = if rule.pac() == 1 { "guard" } else { "condition" };
            let message = format!("{kind} '{}' can never hold", guard.id);
            diags.push(Diagnostic::new(&typing::NEVER_HOLDS, guard.sentry.span, message));
        }
    }
}

/// Warns of stages without guards and milestones without conditions.
pub fn warn_unreachable(app: &Application, diags: &mut Diagnostics) {
    for t in &app.types {
        for stage in t.stages.iter().filter(|s| s.guards.is_empty()) {
            let message = format!("stage '{}' has no guard, so it never opens", stage.id);
            diags.push(Diagnostic::new(&model::NEVER_CHANGES, stage.span, message));
        }
        for milestone in t.milestones.iter().filter(|m| m.achieving.is_empty()) {
            let message = format!("milestone '{}' has no Condition, so it is never achieved", milestone.id);
            diags.push(Diagnostic::new(&model::NEVER_CHANGES, milestone.span, message));
        }
    }
}

/// What must be tried: everything the sentry mentions, and one thing that it does not.
fn occurrences(app: &Application, rule: &RuleDef, all: &[Occurrence]) -> Vec<Occurrence> {
    let Some(guard) = rule.sentry(app) else { return Vec::new() };
    let mut mentioned: Vec<Occurrence> = guard.sentry.events.iter().map(|&e| Occurrence::Event(e)).collect();
    guard.sentry.expr.walk(&mut |e| match e.kind {
        ExprKind::Occurring(event) => mentioned.push(Occurrence::Event(event)),
        ExprKind::TaskCompleted(task) => mentioned.push(Occurrence::TaskDone(rule.ty, task)),
        _ => {}
    });
    let other = all.iter().find(|o| !mentioned.contains(o)).copied();
    mentioned.extend(other);
    mentioned
}
