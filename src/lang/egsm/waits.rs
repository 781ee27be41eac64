//! Where something stands in a settled snapshot, and what it waits for, in the words of the model.

use super::literal::{Compliance, Snapshot, State};
use super::model::{Condition, EventIx, ItemIx, Kind, Model, SentryIx, StageIx};
use super::why::{Named, status};

/// Where something stands, and what it waits for.
pub fn stands(model: &Model, now: &Snapshot, about: Named) -> String {
    let of = Standing { model, now };
    match about {
        Named::Stage(s) => of.stage(s),
        Named::Sentry(x) => of.sentry(x),
        Named::Item(i) => format!("{} is {}.", model.items[i].id, status(model, i, now.items[i])),
    }
}

struct Standing<'a> {
    model: &'a Model,
    now: &'a Snapshot,
}

impl Standing<'_> {
    fn stage(&self, s: StageIx) -> String {
        let stage = &self.model.stages[s];
        let (name, status) = (&stage.id, self.now.stages[s]);
        let around = stage.parent.map(|p| (&self.model.stages[p].id, self.now.stages[p].state));
        let mut told = match status.state {
            State::Opened => format!("{name} is open: it closes when {}", self.ends(s)),
            State::Unopened => format!("{name} has not opened: {}", self.begins(s)),
            State::Closed => format!("{name} is closed, and has not opened again: {}", self.begins(s)),
        };
        match around {
            Some((outer, _)) if status.state == State::Opened => told += &format!(", or when {outer} closes"),
            Some((outer, state)) if state != State::Opened => {
                let word = if state == State::Closed { "closed" } else { "not open" };
                told += &format!("; and {outer}, around it, is {word}");
            }
            _ => {}
        }
        match status.compliance {
            Compliance::OnTime if status.state != State::Opened => told += &self.foreseen(s),
            Compliance::OnTime => {}
            Compliance::OutOfOrder => told += "; it is outOfOrder",
            Compliance::Skipped => told += "; it was skipped, and will be outOfOrder if it opens",
        }
        if status.faulty {
            told += "; it is faulty";
        }
        told + "."
    }

    /// What would be reported if a stage that is on time opened now.
    fn foreseen(&self, s: StageIx) -> String {
        let flows: Vec<SentryIx> = self.model.of(s, Kind::Flow).collect();
        if flows.is_empty() || flows.iter().any(|p| self.now.sentries[*p]) {
            return String::new();
        }
        let waiting: Vec<String> = flows.iter().map(|p| self.waiting(*p)).collect();
        format!("; opened now it would be outOfOrder: {}", waiting.join(", and "))
    }

    fn begins(&self, s: StageIx) -> String {
        let guards: Vec<String> =
            self.model.of(s, Kind::Guard).map(|g| format!("its guard {}", self.waiting(g))).collect();
        match guards.is_empty() {
            true => "it has no guard".into(),
            false => guards.join(", "),
        }
    }

    fn ends(&self, s: StageIx) -> String {
        let milestones = self.model.of(s, Kind::Milestone).map(|m| format!("its milestone {}", self.achieved_when(m)));
        let milestones: Vec<String> = milestones.collect();
        match milestones.is_empty() {
            true => "never by itself: it has no milestone".into(),
            false => milestones.join(", or "),
        }
    }

    fn achieved_when(&self, m: SentryIx) -> String {
        let sentry = &self.model.sentries[m];
        format!("{} is achieved, which waits for {}", sentry.id, self.missing_of(m))
    }

    /// `Load_g1 waits for event go`.
    fn waiting(&self, x: SentryIx) -> String {
        let sentry = &self.model.sentries[x];
        match self.now.sentries[x] {
            true => format!("{} holds, and must become true anew", sentry.id),
            false => format!("{} waits for {}", sentry.id, self.missing_of(x)),
        }
    }

    fn sentry(&self, x: SentryIx) -> String {
        let sentry = &self.model.sentries[x];
        let (kind, [is, is_not]) = match sentry.kind {
            Kind::Guard => ("guard", ["holds", "does not hold"]),
            Kind::Flow => ("ProcessFlowGuard", ["holds", "does not hold"]),
            Kind::Fault => ("fault logger", ["has tripped", "has not tripped"]),
            Kind::Milestone => ("milestone", ["is achieved", "is not achieved"]),
        };
        let stage = &self.model.stages[sentry.stage].id;
        if self.now.sentries[x] {
            return format!("The {kind} {} of {stage} {is}.", sentry.id);
        }
        let looks = matches!(sentry.kind, Kind::Fault | Kind::Milestone);
        let shut = looks && self.now.stages[sentry.stage].state != State::Opened;
        let opening = if shut { format!(", while {stage} is open") } else { String::new() };
        format!("The {kind} {} of {stage} {is_not}: it waits for {}{opening}.", sentry.id, self.missing_of(x))
    }

    fn missing_of(&self, x: SentryIx) -> String {
        let missing = self.missing(&self.model.sentries[x].condition, true);
        if missing.is_empty() { "the next time that it is looked at".into() } else { missing }
    }

    /// What has to come for a condition to have a value; empty when it has it, with no event occurring.
    fn missing(&self, condition: &Condition, wanted: bool) -> String {
        if self.now.value(condition, None) == Some(wanted) {
            return String::new();
        }
        let not = if wanted { "" } else { "not " };
        match condition {
            Condition::Const(_) => "what never is so".into(),
            Condition::Undeclared => "an event that is not declared".into(),
            Condition::Not(a) => self.missing(a, !wanted),
            Condition::And(parts) if wanted => self.all(parts),
            Condition::And(parts) | Condition::Or(parts) => {
                let each: Vec<String> =
                    parts.iter().map(|p| self.missing(p, wanted)).filter(|m| !m.is_empty()).collect();
                each.join(if wanted { " or " } else { " and " })
            }
            Condition::Occurs(e) => match self.item_of(*e) {
                Some(i) => format!("a change of {}", self.model.items[i].id),
                None => format!("event {}", self.model.events[*e].id),
            },
            Condition::Opened(s) => format!("{} {not}to be open", self.model.stages[*s].id),
            Condition::Achieved(m) => format!("{} {not}to be achieved", self.model.sentries[*m].id),
            Condition::Is(i, code, is) => {
                let not = if *is == wanted { "" } else { "not " };
                format!("{} {not}to be {}", self.model.items[*i].id, status(self.model, *i, *code))
            }
        }
    }

    /// All of several parts. A change of an item, and a status that it must have, are one thing to wait for.
    fn all(&self, parts: &[Condition]) -> String {
        let changing =
            |i: ItemIx| parts.iter().any(|p| matches!(p, Condition::Occurs(e) if self.item_of(*e) == Some(i)));
        let fixed = |i: ItemIx| parts.iter().any(|p| matches!(p, Condition::Is(of, _, true) if *of == i));
        let mut all = Vec::new();
        for part in parts {
            match part {
                Condition::Occurs(e) if self.item_of(*e).is_some_and(fixed) => {}
                Condition::Is(i, code, true) if changing(*i) => {
                    let anew = if self.now.items[*i] == *code { " anew" } else { "" };
                    all.push(format!("{} to become {}{anew}", self.model.items[*i].id, status(self.model, *i, *code)));
                }
                _ => all.push(self.missing(part, true)),
            }
        }
        all.retain(|m| !m.is_empty());
        all.join(" and ")
    }

    /// The item whose changes raise an event.
    fn item_of(&self, e: EventIx) -> Option<ItemIx> {
        self.model.items.iter().position(|i| i.raises.is_some_and(|(leave, enter)| leave == e || enter == e))
    }
}
