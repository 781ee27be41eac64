//! E-GSM observers: out of order, skipped, faulty. They watch the run and never change it, and exist only when a property asks.
//!
//! A stage is *out of order* when it opened while none of its ProcessFlowGuards held; the stages that those guards mention and that
//! were never open are then *skipped*, until they open. A stage is *faulty* when one of its FaultLoggers held while it was open:
//! it is read at the last moment of a step at which the stage is open, which is just before it closes, or else the end of the step.
//! Opening a stage starts it, and everything inside it, afresh. A ProcessFlowGuard is evaluated at the end of the step in which its
//! stage opens, with the stage's own status and milestones as they were before the step (opening itself clears those).

use super::Lower;
use super::body::{Happening, Known};
use super::expr::Scope;
use super::turn::Turns;
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::{Application, ArtifactType, ExprKind, Observer, StageIs, StageIx, Status, TypeIx, VarRole};
use crate::machine::{Assign, ExprId, FALSE, SlotIx, VarId};
use std::collections::BTreeSet;

/// The observers that properties need, per type and stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Observed {
    wanted: BTreeSet<(TypeIx, StageIx, u8)>,
}

const ALL: [Observer; 4] = [Observer::OutOfOrder, Observer::Skipped, Observer::Faulty, Observer::EverOpened];

/// Which observers do the properties read?
pub(super) fn observed(app: &Application, properties: &[ModelProperty]) -> Observed {
    let mut found = Observed::default();
    for formula in properties.iter().flat_map(|p| p.fair.iter().chain([&p.formula])) {
        formula.atoms(&mut |e| {
            e.walk(&mut |part| {
                if let ExprKind::Stage { ty, stage, is, .. } = part.kind {
                    found.want(app, ty, stage, is);
                }
            });
        });
    }
    found
}

impl Observed {
    fn want(&mut self, app: &Application, ty: TypeIx, stage: StageIx, is: StageIs) {
        let mut add = |s: StageIx, o: u8| self.wanted.insert((ty, s, o));
        match is {
            StageIs::OutOfOrder => _ = add(stage, 0),
            StageIs::Faulty => _ = add(stage, 2),
            StageIs::Skipped => {
                add(stage, 1);
                add(stage, 3);
            }
            _ => return,
        }
        debug_assert!(stage.0 < app.types[ty].stages.len());
    }

    /// Observers of a type, by stage.
    pub(super) fn of(&self, ty: TypeIx) -> Vec<(StageIx, Observer)> {
        self.wanted.iter().filter(|w| w.0 == ty).map(|w| (w.1, ALL[w.2 as usize])).collect()
    }

    /// Does some observer read the observers' conditions of this stage? Skipped stages look at all other stages' guards.
    pub(super) fn any(&self, ty: TypeIx, stage: StageIx) -> bool {
        self.wanted.iter().any(|w| w.0 == ty && (w.1 == stage || w.2 == 1))
    }
}

impl Lower<'_> {
    fn observer_var(&self, slot: SlotIx, stage: StageIx, observer: Observer) -> Option<VarId> {
        let role = VarRole::Observer(stage, observer);
        self.m.slots[slot].vars.iter().copied().find(|v| self.map.role(*v) == role)
    }

    /// An observer now, for properties.
    pub(super) fn observer_now(&mut self, slot: SlotIx, stage: StageIx, is: StageIs) -> ExprId {
        let observer = match is {
            StageIs::OutOfOrder => Observer::OutOfOrder,
            StageIs::Skipped => Observer::Skipped,
            _ => Observer::Faulty,
        };
        match self.observer_var(slot, stage, observer) {
            Some(var) => self.m.exprs.cur(var),
            None => FALSE,
        }
    }

    /// Moves the observers of a slot at the end of a step.
    pub(super) fn finish_observers(&mut self, body: &mut Happening, known: &Known, slot: SlotIx) {
        let ty = self.map.slots[slot].ty;
        for (stage, observer) in self.observed.of(ty) {
            let Some(var) = self.observer_var(slot, stage, observer) else { continue };
            let opened = self.opened(slot, stage);
            let afresh = self.afresh(slot, stage);
            let old = self.m.exprs.prev(var);
            let kept = self.m.exprs.ite(afresh, FALSE, old);
            let value = match observer {
                Observer::EverOpened => self.m.exprs.or([opened, kept]),
                Observer::OutOfOrder => {
                    let now = self.out_of_order(body, slot, stage);
                    self.m.exprs.or([now, kept])
                }
                Observer::Faulty => {
                    let fault = self.fault(body, slot, stage);
                    self.m.exprs.or([fault, kept])
                }
                Observer::Skipped => {
                    let passed = self.passed_over(body, slot, stage);
                    self.m.exprs.or([passed, kept])
                }
            };
            self.push_finish(body, known, Assign { var, value });
        }
    }

    fn opened(&mut self, slot: SlotIx, stage: StageIx) -> ExprId {
        let var = self.map.slots[slot].stages[stage.0];
        let (before, now) = (self.m.exprs.prev(var), self.m.exprs.cur(var));
        let closed = self.m.exprs.not(before);
        self.m.exprs.and([closed, now])
    }

    /// The stage, or one around it, opens in this step.
    fn afresh(&mut self, slot: SlotIx, stage: StageIx) -> ExprId {
        let ty = self.map.slots[slot].ty;
        let around: Vec<StageIx> = std::iter::once(stage).chain(self.app.types[ty].ancestors(stage)).collect();
        let parts: Vec<ExprId> = around.into_iter().map(|s| self.opened(slot, s)).collect();
        self.m.exprs.or(parts)
    }

    /// It opens in this step, has ProcessFlowGuards, and none holds.
    fn out_of_order(&mut self, body: &Happening, slot: SlotIx, stage: StageIx) -> ExprId {
        let app = self.app;
        let s = &app.types[self.map.slots[slot].ty].stages[stage];
        if s.flow_guards.is_empty() {
            return FALSE;
        }
        let own: Vec<Status> =
            std::iter::once(Status::Stage(stage)).chain(s.milestones.iter().map(|m| Status::Milestone(*m))).collect();
        let scope = Scope { this: Some(slot), own: &own, trigger: Some(body.trigger), ..Scope::default() };
        let held: Vec<ExprId> = s.flow_guards.iter().map(|g| self.sentry(&g.sentry, &scope)).collect();
        let some = self.m.exprs.or(held);
        let none = self.m.exprs.not(some);
        let opened = self.opened(slot, stage);
        self.m.exprs.and([opened, none])
    }

    /// A FaultLogger holds at the last moment of the step at which the stage is open.
    fn fault(&mut self, body: &Happening, slot: SlotIx, stage: StageIx) -> ExprId {
        let app = self.app;
        let s = &app.types[self.map.slots[slot].ty].stages[stage];
        let scope = Scope { this: Some(slot), trigger: Some(body.trigger), ..Scope::default() };
        let held: Vec<ExprId> = s.fault_loggers.iter().map(|g| self.sentry(&g.sentry, &scope)).collect();
        let some = self.m.exprs.or(held);
        if some == FALSE {
            return FALSE;
        }
        let var = self.map.slots[slot].stages[stage.0];
        let open = self.m.exprs.cur(var);
        let mut moments = vec![self.m.exprs.and([open, some])];
        let mut turns = Turns::new(&mut self.m.exprs, body);
        for turn in (0..body.rules.len()).filter(|r| body.rules[*r].target == var && body.rules[*r].value == FALSE) {
            let closes = turns.fires(&mut self.m.exprs, turn);
            let held = self.m.exprs.and([open, some]);
            let held = turns.at(&mut self.m.exprs, held, turn);
            moments.push(self.m.exprs.and([closes, held]));
        }
        self.m.exprs.or(moments)
    }

    /// Never open so far, and some stage whose ProcessFlowGuards mention it opens out of order.
    fn passed_over(&mut self, body: &Happening, slot: SlotIx, stage: StageIx) -> ExprId {
        let ty = self.map.slots[slot].ty;
        let t = &self.app.types[ty];
        let culprits: Vec<StageIx> =
            StageIx::all(&t.stages).filter(|&s| s != stage && mentions(t, s, ty, stage)).collect();
        let parts: Vec<ExprId> = culprits.into_iter().map(|s| self.out_of_order(body, slot, s)).collect();
        let some = self.m.exprs.or(parts);
        let ever = match self.observer_var(slot, stage, Observer::EverOpened) {
            Some(v) => self.m.exprs.prev(v),
            None => FALSE,
        };
        let opened = self.opened(slot, stage);
        let (never, closed) = (self.m.exprs.not(ever), self.m.exprs.not(opened));
        self.m.exprs.and([some, never, closed])
    }
}

/// Do the ProcessFlowGuards of `of` mention `stage` or one of its milestones?
fn mentions(t: &ArtifactType, of: StageIx, ty: TypeIx, stage: StageIx) -> bool {
    let mut found = false;
    for guard in &t.stages[of].flow_guards {
        guard.sentry.expr.walk(&mut |part| match part.kind {
            ExprKind::Stage { ty: t2, stage: s, .. } => found |= t2 == ty && s == stage,
            ExprKind::Milestone { ty: t2, milestone, .. } => {
                found |= t2 == ty && t.milestones[milestone].stage == stage
            }
            _ => {}
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::interp::{Explicit, Limits};
    use crate::lang::gsm::lower;
    use crate::lang::testing::project;

    /// A stage with a guard, a milestone that closes it, and a FaultLogger.
    fn stage(id: &str, opens: &str, closes: &str, fault: &str) -> String {
        format!(
            r#"<ca:Stage id="{id}"><ca:StageGuard id="{id}_g" expression="{opens}"/>
            <ca:FaultLogger id="{id}_f" expression="{fault}"/>
            <ca:Milestone id="{id}_m"><ca:Condition id="{id}_c" expression="{closes}"/></ca:Milestone></ca:Stage>"#
        )
    }

    /// Worked by hand. Every stage but the last two opens with the instance and closes when `stop` comes; `Late` opens because `Watched`
    /// closed, in that same step.
    #[test]
    fn a_fault_is_read_while_the_stage_is_open() {
        let (new, stop) = ("GSM.isEventOccurring('Create_P')", "GSM.isEventOccurring('stop')");
        let stages = [
            // The event that closes it is the fault: it came while the stage was open.
            stage("Event", new, stop, stop),
            // What closes it is the fault: achieved, and only then closed.
            stage("Own", new, stop, "GSM.isMilestoneAchieved('Own_m')"),
            // Nothing of the kind ever happens while it is open: Late opens when it is closed.
            stage("Watched", new, stop, "GSM.isStageActive('Late')"),
            // An event that does not close it; Ticks listens to it.
            stage("Other", new, stop, "GSM.isEventOccurring('other')"),
            stage("Ticks", "GSM.isEventOccurring('other')", stop, "GSM.isEventOccurring('Create_P')"),
            // It opens in the step and is open at its end.
            stage("Late", "GSM.stageClosedOnEvent('Watched')", "GSM.isEventOccurring('other')", stop),
        ];
        let model = format!(
            r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="Faults">
            <ca:EventModel id="e"><ca:Event id="stop"/><ca:Event id="other"/></ca:EventModel>
            <ca:Component id="P"><ca:GuardedStageModel id="l">{}</ca:GuardedStageModel></ca:Component></ca:CompositeApplication>"#,
            stages.concat()
        );
        let faulty = |s: &str| format!("EF exists x : P (x.faulty('{s}'));\n");
        // The first `stop` makes Event and Own faulty for good, and leaves Other as it is unless `other` came before.
        let stopped = "AG forall x : P (x.Event_m <-> x.faulty('Event') && x.faulty('Own'));\n";
        let calm = "EF exists x : P (x.Other_m && !x.faulty('Other'));\n";
        let asked = ["Event", "Own", "Watched", "Other", "Ticks", "Late"].map(faulty).concat() + stopped + calm;
        let toml = "model = \"model.xml\"\nproperties = [\"p.gsmp\"]\n";
        let (loaded, said) = project(&[("gsmc.toml", toml), ("model.xml", &model), ("p.gsmp", &asked)]);
        let app = loaded.app.unwrap_or_else(|| panic!("{said}"));
        let machine = lower(&app, &loaded.properties, &loaded.sources).expect("a machine");
        let graph = Explicit::build(&machine, Limits::default()).expect("a small graph");
        let held: Vec<bool> = machine.properties.iter().map(|p| graph.check(p)).collect();
        assert_eq!(held, [true, true, false, true, false, true, true, true], "{said}");
    }
}
