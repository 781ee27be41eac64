//! Rules that are never ready between steps because no instance ever is in a snapshot in which they are: an instance that depends on no
//! other is explored alone.
//!
//! Otherwise whatever happens anywhere could set them off, and a step at one instance would have to look at all others. An instance
//! left to itself does what each of several does as long as no rule is ready between steps: where none ever is, none ever is in any.

use super::body::{Happening, Trigger};
use super::{Lower, Relevant};
use crate::interp::{Graph, Interp, Limits};
use crate::lang::gsm::{Application, Expr, ExprKind, Occurrence, Subject, TaskStep, TypeIx, can_hold_without_event};
use crate::machine::{ExprId, FALSE, Idle, Machine, SlotIx, validate};

/// An instance with more snapshots is not explored.
const MOST_SNAPSHOTS: usize = 20_000;

/// Nor one whose steps take more work than this.
const MOST_WORK: u64 = 5_000_000;

impl Lower<'_> {
    /// Finds out which rules of types with several instances are settled although their sentry does not show it.
    pub(super) fn explore_instances(&mut self) {
        for ty in TypeIx::all(&self.app.types) {
            let open: Vec<usize> = (0..self.rules.list.len()).filter(|r| self.may_be_ready(ty, *r)).collect();
            if self.app.types[ty].bound > 1 && !open.is_empty() && stands_alone(self.app, ty) {
                let ready = self.ready_in_one(ty, &open);
                for (rule, ready) in open.into_iter().zip(ready.into_iter().flatten()) {
                    self.settled[rule] = !ready;
                }
            }
        }
    }

    fn may_be_ready(&self, ty: TypeIx, rule: usize) -> bool {
        let def = &self.rules.list[rule];
        def.ty == ty && !self.settled[rule] && can_hold_without_event(self.app, def)
    }

    /// Per rule: is it ready in some snapshot of a single instance? Nothing if that cannot be told.
    fn ready_in_one(&self, ty: TypeIx, rules: &[usize]) -> Option<Vec<bool>> {
        let mut app: Application = self.app.clone();
        (app.agents, app.options.idle) = (None, Some(Idle::Terminal));
        app.types.iter_mut().for_each(|t| t.bound = 1);
        let relevant =
            Relevant { kept: self.kept.clone(), carried: self.carried.clone(), observed: Default::default() };
        let mut one = Lower::new(&app, self.rules.clone(), relevant);
        one.make_variables();
        one.make_agents();
        one.make_actions();
        let slot = one.slots(ty).first().copied()?;
        let conditions: Vec<ExprId> = rules.iter().map(|r| one.condition_at_rest(*r, slot)).collect();
        let bodies = std::mem::take(&mut one.m.bodies);
        let is_its = |body: usize| bodies.get(body).is_some_and(|b| b.target == Some(slot));
        one.m.actions.retain(|a| is_its(a.body.0));
        let machine = validate(Machine { bodies, ..one.m }).ok().filter(|m| m.is_bounded())?;
        let interp = Interp::new(&machine);
        let limits = Limits { states: MOST_SNAPSHOTS, payloads: 10_000, work: MOST_WORK, ..Limits::default() };
        let mut ready = vec![false; rules.len()];
        let look = Interp::new(&machine);
        Graph::find(interp, limits, &mut |snapshot| {
            for (is, condition) in ready.iter_mut().zip(&conditions) {
                *is |= *condition != FALSE && look.value(*condition, snapshot) != 0;
            }
            false
        })
        .ok()?;
        Some(ready)
    }

    /// The condition of a rule at a slot where nothing happens.
    fn condition_at_rest(&mut self, rule: usize, slot: SlotIx) -> ExprId {
        let rule = self.rules.list[rule];
        let Some(any) = Occurrence::all(self.app).first().copied() else { return FALSE };
        let elsewhere = Happening::of(self.app, Trigger::at(any, None));
        let both = [self.prerequisite(&rule, slot), self.antecedent(&rule, slot, &elsewhere)];
        let both = self.m.exprs.and(both);
        self.before(both)
    }
}

/// Does nothing that happens to an instance, nor any of its sentries, depend on other instances?
fn stands_alone(app: &Application, ty: TypeIx) -> bool {
    let makes_others = |s: &TaskStep| matches!(s, TaskStep::Create { .. } | TaskStep::Send { .. });
    let own = |e: &Expr| {
        let mut own = true;
        e.walk(&mut |part| {
            own &= match &part.kind {
                ExprKind::Quant { .. } | ExprKind::Count { .. } => false,
                ExprKind::Stage { of, .. }
                | ExprKind::Milestone { of, .. }
                | ExprKind::Attr { of, .. }
                | ExprKind::Created { of, .. }
                | ExprKind::Id { of }
                | ExprKind::Tally { of, .. } => *of == Subject::This,
                _ => true,
            };
        });
        own
    };
    let alone = app.types[ty].sentries().all(|g| own(&g.sentry.expr));
    alone && !app.types.iter().flat_map(|t| &t.tasks).flat_map(|t| &t.steps).any(makes_others)
}
