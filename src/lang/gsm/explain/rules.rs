//! Rules of the model as sentences name them, and those that the machine does not have.

use super::words;
use crate::lang::gsm::{
    Event, EventIx, Expr, ExprKind, Gsm, MilestoneIs, RuleDef, RuleKind, StageIs, StageIx, VarRole,
};
use crate::lang::gsm::{Occurrence, Status};
use crate::machine::VarId;

/// Links of a chain of rules that wait for each other in vain.
const LONGEST: usize = 6;

impl Gsm {
    /// `guard g1 of Closing`, `condition c1 of Paid`, `the opening of Review`.
    pub(in crate::lang::gsm) fn rule_in_words(&self, rule: &RuleDef) -> String {
        let t = &self.app.types[rule.ty];
        let sentry = rule.sentry(&self.app).map_or("", |g| g.id.as_str());
        match rule.kind {
            RuleKind::Open(s, _) => named("guard", sentry, &t.stages[s].id, t.stages[s].guards.len()),
            RuleKind::Achieve(m, _) => named("condition", sentry, &t.milestones[m].id, t.milestones[m].achieving.len()),
            RuleKind::Invalidate(m, _) => {
                named("clearing condition", sentry, &t.milestones[m].id, t.milestones[m].invalidating.len())
            }
            RuleKind::Reset(_) => format!("the opening of {}", t.stages[rule.stage(&self.app)].id),
            RuleKind::Close(m) => format!("milestone {}", t.milestones[m].id),
            RuleKind::CloseWith { ancestor, .. } => format!("the closing of {} around it", t.stages[ancestor].id),
        }
    }

    /// The rules of the model that would give a status attribute a value, when the machine has none of them.
    pub(in crate::lang::gsm) fn not_in_machine(&self, var: VarId, value: i64) -> Option<String> {
        let slot = self.machine.var(var).slot?;
        let ty = self.map.slots.get(slot.0)?.ty;
        let status = match self.map.role(var) {
            VarRole::Stage(s) => Status::Stage(s),
            VarRole::Milestone(m) => Status::Milestone(m),
            // A task starts when its stage opens.
            VarRole::Pending(task) if value != 0 => {
                let mut stages = StageIx::each(&self.app.types[ty].stages);
                Status::Stage(stages.find(|(_, s)| s.task == Some(task))?.0)
            }
            VarRole::Data(attr) => return self.carried_in_vain(&self.app.types[ty].attrs[attr].path),
            _ => return None,
        };
        let mine = |(_, r): &(usize, &RuleDef)| r.ty == ty && r.effect(&self.app) == (status, value != 0);
        let all: Vec<(usize, &RuleDef)> = self.rules.list.iter().enumerate().filter(mine).collect();
        if all.is_empty() {
            let verb = if value != 0 { "" } else { "not " };
            let what = words::status(&self.app, ty, status, true, verb.trim());
            return Some(format!("the model has no rule for \"{what}\""));
        }
        let absent: Vec<String> =
            all.into_iter().filter(|(key, _)| !self.has_rule(*key)).map(|(_, r)| self.absent(r)).collect();
        (!absent.is_empty()).then(|| absent.join("; "))
    }

    /// Is a rule of the model part of the machine?
    fn has_rule(&self, key: usize) -> bool {
        self.machine.bodies.iter().flat_map(|b| &b.rules).any(|r| r.origin.key as usize == key)
    }

    /// Is there a step of the machine in which the event occurs, sent by somebody or by a task?
    fn happens(&self, event: EventIx) -> bool {
        let is = |o: &Occurrence| *o == Occurrence::Event(event) || o.includes(&self.app, event) && self.is_message(*o);
        self.map.occurrences.iter().any(is)
    }

    fn is_message(&self, occurrence: Occurrence) -> bool {
        matches!(occurrence, Occurrence::TaskDone(ty, task) if self.app.message(ty, task).is_some())
    }

    /// The events that carry a value for an attribute and that the machine does not have.
    fn carried_in_vain(&self, attribute: &str) -> Option<String> {
        let sent = |e: usize| self.happens(EventIx(e));
        let carries = |e: &Event| !e.outgoing && e.payload.iter().any(|f| f.name == attribute);
        let all = self.app.events.iter().enumerate().filter(|(i, e)| carries(e) && !sent(*i));
        let names: Vec<&str> = all.map(|(_, e)| e.id.as_str()).collect();
        (!names.is_empty()).then(|| format!("{} would bring it, but never comes", names.join(" or ")))
    }

    /// Why a guard or an event is not in the machine, for the standard question about it.
    pub(in crate::lang::gsm) fn not_asked(&self, question: &str) -> Option<String> {
        let about = |r: &RuleDef| {
            let label = r.label(&self.app);
            let name = format!("{}.{}", self.app.types[r.ty].id, label.trim_start_matches("PAC-1 "));
            r.pac() == 1 && question == format!("guard-fires({name})")
        };
        // What is in the machine has its reasons there.
        if let Some((key, rule)) = self.rules.list.iter().enumerate().find(|(_, r)| about(r)) {
            return (!self.has_rule(key)).then(|| self.absent(rule));
        }
        let event = question.strip_prefix("event-consumed(")?.strip_suffix(')')?;
        let e = EventIx(self.app.events.iter().position(|e| e.id == event)?);
        let heard = |r: &RuleDef| r.sentry(&self.app).is_some_and(|g| g.sentry.events.contains(&e));
        if self.rules.list.iter().enumerate().any(|(key, r)| heard(r) && self.has_rule(key)) {
            return None;
        }
        Some(match self.rules.list.iter().find(|r| heard(r)) {
            Some(rule) => format!("event {event} has no effect: {}", self.absent(rule)),
            None => format!("no sentry waits for {event}"),
        })
    }

    /// Why a rule of the model is not in the machine.
    fn absent(&self, rule: &RuleDef) -> String {
        self.absent_after(rule, &mut Vec::new())
    }

    /// The same, followed back to where it starts; `told`: rules of the chain so far.
    fn absent_after(&self, rule: &RuleDef, told: &mut Vec<RuleDef>) -> String {
        told.push(*rule);
        let name = self.rule_in_words(rule);
        let Some(guard) = rule.sentry(&self.app) else { return format!("{name} never happens") };
        let sent = |e: &EventIx| self.happens(*e);
        let mut events = guard.sentry.events.clone();
        if let (true, ExprKind::Occurring(e)) = (events.is_empty(), &guard.sentry.expr.kind) {
            events.push(*e);
        }
        if !events.is_empty() && !events.iter().any(sent) {
            let events: Vec<&str> = events.iter().map(|e| self.app.events[*e].id.as_str()).collect();
            return format!("{name} waits for {}, which nobody can send", events.join(" or "));
        }
        match self.asked_in_vain(&guard.sentry.expr).filter(|(_, cause)| !told.contains(cause)) {
            Some((what, cause)) if told.len() < LONGEST => {
                format!("{name} asks for {what}, which never comes: {}", self.absent_after(&cause, told))
            }
            Some((what, _)) => format!("{name} asks for {what}, which never comes"),
            None => format!("{name} has a condition that no step can meet"),
        }
    }

    /// A stage or milestone that a condition asks for and that no rule of the machine brings about, with a rule that should.
    fn asked_in_vain(&self, condition: &Expr) -> Option<(String, RuleDef)> {
        let mut found = None;
        condition.walk(&mut |e| {
            let (ty, status, name) = match e.kind {
                ExprKind::Stage { ty, stage, is: StageIs::Active | StageIs::Opened, .. } => {
                    (ty, Status::Stage(stage), &self.app.types[ty].stages[stage].id)
                }
                ExprKind::Milestone {
                    ty, milestone, is: MilestoneIs::Achieved | MilestoneIs::JustAchieved, ..
                } => (ty, Status::Milestone(milestone), &self.app.types[ty].milestones[milestone].id),
                _ => return,
            };
            let all = self.rules.list.iter().enumerate();
            let mut brings = all.filter(|(_, r)| r.ty == ty && r.effect(&self.app) == (status, true)).peekable();
            let first = brings.peek().map(|(_, r)| **r);
            if found.is_none() && !brings.any(|(key, _)| self.has_rule(key)) {
                found = first.map(|rule| (name.clone(), rule));
            }
        });
        found
    }
}

/// `guard g1 of Closing`; where the author gave no name, `the guard of Closing`, or by its number.
fn named(kind: &str, sentry: &str, owner: &str, of: usize) -> String {
    let rest = sentry.strip_prefix(owner).and_then(|rest| rest.strip_prefix('_')).unwrap_or_default();
    let number = ["guard", "condition", "invalidation"].iter().find_map(|made_up| rest.strip_prefix(made_up));
    match number.filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit())) {
        Some(_) if of == 1 => format!("the {kind} of {owner}"),
        Some(number) => format!("{kind} {number} of {owner}"),
        None => format!("{kind} {sentry} of {owner}"),
    }
}
