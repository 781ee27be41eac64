//! Rules that are never ready between steps: whatever makes their sentry hold sets them off in that very step.
//!
//! Every step gives every rule of every instance its turn. So a rule whose prerequisite holds after a step, and did before, has been
//! asked in it; if it sees all that changes, it was asked what would be asked after the step, except that events and changes are over
//! then. Where these can only help its sentry to hold, a sentry that holds after the step held in it, and the rule fired. What is left
//! is a prerequisite that the step itself brought about: a stage that closed (PAC-1) or opened (PAC-2), a milestone that was achieved
//! (PAC-3). Its consequences often refute the sentry. Relies on I1 and I2, which the rules keep.
//!
//! An edge that was reversed does no harm: where its writer fires, the reader's prerequisite is gone.

use super::slice::Eval;
use super::{
    Application, Expr, ExprKind, MilestoneIs, MilestoneIx, Order, RuleDef, RuleIx, RuleKind, Rules, StageIs, Status,
};

/// Per rule: is it never ready between steps?
pub fn settled(app: &Application, rules: &Rules, orders: &[Order]) -> Vec<bool> {
    let mut blind = vec![false; rules.list.len()];
    for edge in orders.iter().flat_map(Order::dropped) {
        blind[edge.to.0] = true;
    }
    RuleIx::all(&rules.list).map(|r| !blind[r.0] && is_settled(app, &rules.list[r])).collect()
}

fn is_settled(app: &Application, rule: &RuleDef) -> bool {
    let Some(guard) = rule.sentry(app) else { return false };
    if !guard.sentry.events.is_empty() {
        return true;
    }
    let refuted = |facts: &[(Status, bool)]| {
        let eval = Eval { app, rule, occurrence: None, facts };
        eval.truth(&guard.sentry.expr) == Some(false)
    };
    let all = |milestones: &[MilestoneIx], is: bool| milestones.iter().map(|m| (Status::Milestone(*m), is)).collect();
    let t = &app.types[rule.ty];
    let stage = rule.stage(app);
    let milestones = &t.stages[stage].milestones;
    let refuted_where_it_begins = match rule.kind {
        // One of its milestones was achieved; or its parent was closed, too, and it cannot open.
        RuleKind::Open(..) => {
            let closed = |m: &MilestoneIx| refuted(&[(Status::Milestone(*m), true), (Status::Stage(stage), false)]);
            milestones.iter().all(closed)
        }
        // It opened, which cleared its milestones.
        RuleKind::Achieve(..) => {
            let mut facts: Vec<(Status, bool)> = all(milestones, false);
            facts.extend(t.ancestors(stage).chain([stage]).map(|s| (Status::Stage(s), true)));
            refuted(&facts)
        }
        // It was achieved, which closed its stage.
        RuleKind::Invalidate(m, _) => refuted(&[(Status::Milestone(m), true), (Status::Stage(stage), false)]),
        _ => return false,
    };
    refuted(&[]) || refuted_where_it_begins && only_helped(&guard.sentry.expr, true)
}

/// Can events and changes only help an expression to be true (or false)?
fn only_helped(e: &Expr, to: bool) -> bool {
    match &e.kind {
        ExprKind::Occurring(_)
        | ExprKind::TaskCompleted(_)
        | ExprKind::Stage { is: StageIs::Opened | StageIs::Closed, .. }
        | ExprKind::Milestone { is: MilestoneIs::JustAchieved | MilestoneIs::JustInvalidated, .. } => to,
        ExprKind::Not(a) => only_helped(a, !to),
        ExprKind::And(xs) | ExprKind::Or(xs) => xs.iter().all(|x| only_helped(x, to)),
        ExprKind::Implies(a, b) => only_helped(a, !to) && only_helped(b, to),
        ExprKind::Quant { body, .. } => only_helped(body, to),
        // Both ways at once.
        _ => e.parts().iter().all(|part| only_helped(part, true) && only_helped(part, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{Rules, orders};
    use super::*;

    fn settled_rules(m: &Model) -> Vec<String> {
        let rules = Rules::of(&m.app);
        let settled = settled(&m.app, &rules, &orders(&m.app, &rules));
        let named = rules.list.iter().zip(settled).filter(|(r, is)| *is && r.sentry(&m.app).is_some());
        named.map(|(r, _)| r.label(&m.app)).collect()
    }

    #[test]
    fn a_guard_that_its_own_milestone_denies_is_settled() {
        use F::*;
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &["m"]).stage("D", &["d"]).stage("V", &[]);
        // S closes when m is achieved; then the first is false and the second is not.
        m.guard("S", &[], not(Completed("S"))).guard("S", &[], not(Achieved("d")));
        // V never closes.
        m.guard("V", &[], Achieved("d"));
        m.achieve("m", &["E1"], TRUE);
        assert_eq!(settled_rules(&m), ["PAC-1 S/S.1", "PAC-2 m/m.1", "PAC-1 V/V.1"]);
    }

    #[test]
    fn a_milestone_that_may_hold_when_its_stage_opens_is_not_settled() {
        use F::*;
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &["m", "n"]).stage("D", &["d"]);
        m.achieve("m", &[], Achieved("d")).achieve("m", &[], And(vec![Achieved("n"), Achieved("d")]));
        m.achieve("n", &[], JustAchieved("d")).achieve("d", &["E1"], TRUE);
        assert_eq!(settled_rules(&m), ["PAC-2 m/m.2", "PAC-2 n/n.1", "PAC-2 d/d.1"]);
    }

    #[test]
    fn what_an_event_keeps_from_holding_is_not_settled() {
        use F::*;
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &["m"]).stage("D", &["d"]);
        m.achieve("d", &["E1"], TRUE).achieve("m", &["E1"], TRUE);
        let completed = || not(Completed("S"));
        m.guard("S", &[], And(vec![completed(), not(Occurring("E1"))]));
        m.guard("S", &[], And(vec![completed(), not(Closed("D"))]));
        m.guard("S", &[], And(vec![completed(), Or(vec![Occurring("E1"), Active("D")])]));
        assert_eq!(settled_rules(&m), ["PAC-1 S/S.3", "PAC-2 m/m.1", "PAC-2 d/d.1"]);
    }
}
