//! What comes after what: which milestones the guards wait for, and the reading order of sibling stages that follows.

use crate::lang::gsm::{Application, Expr, ExprKind, MilestoneIs, MilestoneIx, Sentry, StageIs, StageIx, TypeIx};
use std::collections::BTreeSet;

/// A milestone whose achievement a guard waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// Type of the milestone.
    pub from_type: TypeIx,
    /// The milestone.
    pub milestone: MilestoneIx,
    /// Type of the guard.
    pub to_type: TypeIx,
    /// The guard's stage.
    pub stage: StageIx,
    /// The guard, by position.
    pub guard: usize,
}

/// All of them, sorted. What stands under a negation is no flow.
pub fn flows(app: &Application) -> Vec<Flow> {
    let mut found = BTreeSet::new();
    for (to_type, t) in TypeIx::each(&app.types) {
        for (stage, s) in StageIx::each(&t.stages) {
            for (guard, g) in s.guards.iter().enumerate() {
                for (from_type, milestone) in awaited(app, &g.sentry) {
                    found.insert(Flow { from_type, milestone, to_type, stage, guard });
                }
            }
        }
    }
    found.into_iter().collect()
}

/// The milestones that a sentry wants achieved. A closed or completed stage stands for its milestones.
fn awaited(app: &Application, sentry: &Sentry) -> Vec<(TypeIx, MilestoneIx)> {
    let mut found = Vec::new();
    collect(app, &sentry.expr, &mut found);
    found
}

fn collect(app: &Application, e: &Expr, found: &mut Vec<(TypeIx, MilestoneIx)>) {
    match &e.kind {
        ExprKind::Not(_) => {}
        ExprKind::Milestone { ty, milestone, is: MilestoneIs::Achieved | MilestoneIs::JustAchieved, .. } => {
            found.push((*ty, *milestone));
        }
        ExprKind::Stage { ty, stage, is: StageIs::Completed | StageIs::Closed, .. } => {
            found.extend(app.types[*ty].stages[*stage].milestones.iter().map(|m| (*ty, *m)));
        }
        _ => e.parts().into_iter().for_each(|part| collect(app, part, found)),
    }
}

/// Pairs of stages of one type: the second waits for a milestone of the first.
pub fn dependencies(app: &Application, ty: TypeIx) -> Vec<(StageIx, StageIx)> {
    let t = &app.types[ty];
    let mut found = BTreeSet::new();
    for (to, stage) in StageIx::each(&t.stages) {
        let conditions = stage.milestones.iter().flat_map(|m| &t.milestones[*m].achieving);
        for guard in stage.guards.iter().chain(conditions) {
            let own = awaited(app, &guard.sentry).into_iter().filter(|(of, _)| *of == ty);
            found.extend(own.map(|(_, m)| (t.milestones[m].stage, to)));
        }
    }
    found.into_iter().collect()
}

/// Sibling stages in reading order: after those they wait for, in the order of the document otherwise and where they wait for each
/// other.
pub fn reading_order(
    app: &Application,
    ty: TypeIx,
    siblings: &[StageIx],
    dependencies: &[(StageIx, StageIx)],
) -> Vec<StageIx> {
    let t = &app.types[ty];
    let member = |s: StageIx| {
        let line = std::iter::once(s).chain(t.ancestors(s));
        line.into_iter().find(|a| siblings.contains(a))
    };
    let lifted = dependencies.iter().filter_map(|(a, b)| Some((member(*a)?, member(*b)?)));
    let waits: BTreeSet<(StageIx, StageIx)> = lifted.filter(|(a, b)| a != b).collect();
    let mut left = siblings.to_vec();
    let mut order: Vec<StageIx> = Vec::new();
    while !left.is_empty() {
        let free = |s: &StageIx| !left.iter().any(|other| waits.contains(&(*other, *s)));
        // A free stage that follows the last one placed comes first, so that chains stay together.
        let follows = |s: &&StageIx| order.last().is_some_and(|last| waits.contains(&(*last, **s)));
        let ready: Vec<&StageIx> = left.iter().filter(|s| free(s)).collect();
        let next = ready.iter().copied().find(follows).or(ready.first().copied()).or(left.first()).copied();
        let Some(next) = next else { break };
        order.push(next);
        left.retain(|s| *s != next);
    }
    order
}
