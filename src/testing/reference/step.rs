//! The steps of a snapshot.

use super::eval::{Context, Happening};
use super::kept::{buffered, read_by, sources};
use super::{Move, Reference, World, numbers};
use crate::lang::gsm::{
    AttrIx, Change, Creation, DataKind, Event, EventIx, Events, Expr, ExprKind, Occurrence, RuleDef, RuleKind,
    SentryRef, Status, TaskIx, TaskSource, TaskStep, TypeIx, own_attributes,
};
use crate::machine::{Domain, Idle, number};

/// Payload: field, code, its domain.
pub(super) type Payload = Vec<(String, i64, Domain)>;

/// Who wants to send something: agent, and the protocol line if it has a protocol.
struct Sender<'a> {
    agent: usize,
    line: Option<(&'a Expr, &'a [(usize, Expr)])>,
}

impl<'a> Reference<'a> {
    /// Every step from a snapshot, sorted, each once.
    pub fn moves(&self, world: &World) -> Vec<Move> {
        let mut out = Vec::new();
        for event in EventIx::all(&self.app.events) {
            if !self.app.events[event].outgoing {
                self.sent(world, event, &mut out);
            }
        }
        for slot in 0..self.slots.len() {
            for task in (0..world.slots[slot].pending.len()).filter(|&t| world.slots[slot].pending[t]) {
                match self.sends(self.slots[slot].0, TaskIx(task)) {
                    Some(_) => self.delivered(world, slot, TaskIx(task), &mut out),
                    None => self.completed(world, slot, TaskIx(task), &mut out),
                }
            }
        }
        let idles = match self.app.idle() {
            Idle::Always => true,
            Idle::Terminal => out.is_empty(),
            Idle::Never => false,
        };
        if idles {
            out.push(Move { agent: None, event: String::new(), target: None, after: world.clone() });
        }
        out.sort();
        out.dedup();
        out
    }

    fn sent(&self, world: &World, event: EventIx, out: &mut Vec<Move>) {
        let e = &self.app.events[event];
        let targets: Vec<(TypeIx, Option<usize>)> = match e.creates {
            Some(ty) => match self.of_type(ty).find(|&s| !world.slots[s].created) {
                Some(free) => vec![(ty, Some(free))],
                None if self.app.options.creation == Creation::Overflow => vec![(ty, None)],
                None => Vec::new(),
            },
            None => (0..self.slots.len())
                .filter(|&s| world.slots[s].created && self.receives(event, self.slots[s].0))
                .map(|s| (self.slots[s].0, Some(s)))
                .collect(),
        };
        for (ty, target) in targets {
            for sender in self.senders(event, ty) {
                for payload in payloads(&self.fields(e, ty)) {
                    if self.may_send(world, &sender, event, target, &payload) {
                        out.extend(self.send(world, &sender, event, ty, target, &payload));
                    }
                }
            }
        }
    }

    /// Role and protocol.
    fn senders(&self, event: EventIx, ty: TypeIx) -> Vec<Sender<'a>> {
        let creates = self.app.events[event].creates.is_some();
        let Some(agents) = &self.app.agents else {
            let offered = !self.is_sent(event) && (!creates || !self.app.created_by_task(ty));
            return if offered { vec![Sender { agent: 0, line: None }] } else { Vec::new() };
        };
        let mut all = Vec::new();
        for (agent, a) in agents.iter().enumerate() {
            let role = &self.app.roles[a.role].types[ty.0];
            let allowed = if creates { role.instantiates } else { !self.delegated(&role.delegated, event, ty) };
            match &a.protocol {
                _ if !allowed => {}
                None if self.is_sent(event) => {}
                None => all.push(Sender { agent, line: None }),
                Some(entries) => {
                    let lines = entries.iter().filter(|e| e.event == event).flat_map(|e| &e.targets);
                    let lines = lines.filter(|t| t.ty == ty);
                    all.extend(lines.map(|t| Sender { agent, line: Some((&t.condition, t.updates.as_slice())) }));
                }
            }
        }
        all
    }

    /// An event goes to the types whose sentries name it; if none does, to those with one of its fields; if none has, to all.
    fn receives(&self, event: EventIx, ty: TypeIx) -> bool {
        let named = |ty: TypeIx| self.rules.list.iter().any(|r| r.ty == ty && names(self, r, event));
        let e = &self.app.events[event];
        let has = |ty: TypeIx, name: &String| {
            let t = &self.app.types[ty];
            t.attrs.iter().any(|a| a.path == *name) || t.bags.iter().any(|b| b.path == *name)
        };
        let fits = |ty: TypeIx| e.payload.iter().map(|f| &f.name).chain(&e.bags).any(|name| has(ty, name));
        let some = |of: &dyn Fn(TypeIx) -> bool| TypeIx::all(&self.app.types).any(of);
        if some(&named) { named(ty) } else { !some(&fits) || fits(ty) }
    }

    /// Has a role lost every sentry of a type that names the event?
    fn delegated(&self, delegated: &[SentryRef], event: EventIx, ty: TypeIx) -> bool {
        let mut naming = self.rules.list.iter().filter(|r| r.ty == ty && names(self, r, event)).peekable();
        naming.peek().is_some() && naming.all(|r| r.sentry_ref().is_some_and(|s| delegated.contains(&s)))
    }

    fn fields(&self, e: &Event, ty: TypeIx) -> Vec<(String, DataKind, Domain)> {
        let field = |f: &crate::lang::gsm::Field| {
            let attr = self.app.types[ty].attrs.iter().find(|a| a.path == f.name && !a.set);
            let (kind, domain) = attr.map_or((f.kind, &f.domain), |a| (a.kind, &a.domain));
            (f.name.clone(), kind, domain.clone())
        };
        e.payload.iter().map(field).collect()
    }

    /// Window and protocol condition.
    fn may_send(&self, world: &World, by: &Sender, event: EventIx, target: Option<usize>, payload: &Payload) -> bool {
        let creates = self.app.events[event].creates.is_some();
        let context = Context {
            agent: Some(by.agent),
            slot: target,
            payload: payload.clone(),
            ..Context::new(self, world, world)
        };
        let seen = self.app.agents.is_none() || creates || target.is_some_and(|t| self.visible(world, by.agent, t));
        seen && by.line.is_none_or(|(condition, _)| context.holds(condition))
    }

    fn send(
        &self,
        world: &World,
        by: &Sender,
        event: EventIx,
        ty: TypeIx,
        target: Option<usize>,
        payload: &Payload,
    ) -> Option<Move> {
        let e = &self.app.events[event];
        let mut first = world.clone();
        let Some(slot) = target else {
            // No slot is free: nothing changes but the flag.
            first.overflow = true;
            return Some(Move { agent: Some(by.agent), event: e.id.clone(), target, after: first });
        };
        first.slots[slot].created = true;
        for (name, code, _) in payload.iter().filter(|(n, ..)| !self.mapped(ty, event, n)) {
            if let Some(attr) = self.app.types[ty].attr(name) {
                first.slots[slot].data[attr.0] = *code;
            }
        }
        let happening = Happening { events: vec![(event, slot)], done: None };
        let consumed = self.app.options.events == Events::Consumed;
        if e.creates.is_none() && consumed && !self.applicable(world, &first, &happening) {
            return None;
        }
        let mut after = self.react(world, first, Occurrence::Event(event), &happening, Some((slot, event, payload)));
        self.update(world, by, target, payload, &mut after);
        if e.creates.is_none() && !consumed && after == *world {
            return None;
        }
        Some(Move { agent: Some(by.agent), event: e.id.clone(), target, after })
    }

    /// Does a task mapping of the type read this field of the event?
    pub(super) fn mapped(&self, ty: TypeIx, event: EventIx, field: &str) -> bool {
        self.app.types[ty]
            .tasks
            .iter()
            .flat_map(|t| read_by(&t.steps, &|_, _| true))
            .any(|(name, events)| name == field && (events.is_empty() || events.contains(&event)))
    }

    /// Some stage opens or some milestone changes, in whatever instance.
    fn applicable(&self, world: &World, first: &World, happening: &Happening) -> bool {
        let sentries = || self.rules.list.iter().filter(|r| r.sentry(self.app).is_some());
        sentries().any(|r| self.of_type(r.ty).any(|slot| self.fires(world, first, r, slot, happening)))
    }

    /// Prerequisite on Σ and antecedent on Σ, Σᵢ.
    fn fires(&self, before: &World, now: &World, rule: &RuleDef, slot: usize, happening: &Happening) -> bool {
        let demanded = rule.prerequisite(self.app).into_iter().all(|(s, value)| before.status(slot, s) == value);
        if !now.slots[slot].created || !demanded {
            return false;
        }
        let t = &self.app.types[rule.ty];
        let changed = |s: Status| !before.status(slot, s) && now.status(slot, s);
        match rule.kind {
            RuleKind::Reset(_) => changed(Status::Stage(rule.stage(self.app))),
            RuleKind::Close(m) => changed(Status::Milestone(m)),
            RuleKind::CloseWith { ancestor, .. } => {
                t.stages[ancestor].milestones.iter().any(|&m| changed(Status::Milestone(m)))
            }
            RuleKind::Open(s, _) => {
                t.stages[s].parent.is_none_or(|p| now.slots[slot].stages[p.0])
                    && self.sentry(before, now, rule, slot, happening)
            }
            RuleKind::Achieve(..) | RuleKind::Invalidate(..) => self.sentry(before, now, rule, slot, happening),
        }
    }

    fn sentry(&self, before: &World, now: &World, rule: &RuleDef, slot: usize, happening: &Happening) -> bool {
        let Some(guard) = rule.sentry(self.app) else { return false };
        let events = &guard.sentry.events;
        let occurs = events.is_empty() || happening.events.iter().any(|(e, at)| *at == slot && events.contains(e));
        let context = Context {
            slot: Some(slot),
            own: own_attributes(self.app, rule),
            happening: happening.clone(),
            ..Context::new(self, before, now)
        };
        occurs && context.holds(&guard.sentry.expr)
    }

    /// The rules in order, then what becomes of the tasks.
    pub(super) fn react(
        &self,
        before: &World,
        first: World,
        occurrence: Occurrence,
        happening: &Happening,
        opened_by: Option<(usize, EventIx, &Payload)>,
    ) -> World {
        let mut now = first.clone();
        let sequence = self.orders.iter().find(|o| o.occurrence == occurrence).map(|o| o.sequence.as_slice());
        for rule in sequence.unwrap_or_default().iter().map(|&r| &self.rules.list[r]) {
            for slot in self.of_type(rule.ty) {
                if self.fires(before, &now, rule, slot, happening) {
                    let (status, value) = rule.effect(self.app);
                    now.set_status(slot, status, value);
                }
            }
        }
        if self.closed_form {
            self.check_closed_form(before, &first, &now, happening);
        }
        for slot in 0..self.slots.len() {
            for (task, t) in TaskIx::each(&self.app.types[self.slots[slot].0].tasks) {
                let (was, is) = (before.slots[slot].stages[t.stage.0], now.slots[slot].stages[t.stage.0]);
                let consumed = happening.done == Some((task, slot));
                if self.sends(self.slots[slot].0, task).is_some() {
                    // One message at a time, and none is taken back.
                    let under_way = before.slots[slot].pending[task.0] && !consumed;
                    let sent = is && !was && !under_way;
                    now.overflow |= is && !was && under_way;
                    now.slots[slot].pending[task.0] = under_way || sent;
                    if !under_way {
                        let kept = self.kept_by_message(&now, slot, task, opened_by);
                        let kept = if sent { kept } else { vec![None; kept.len()] };
                        now.slots[slot].buffers[task.0] = kept;
                    }
                    continue;
                }
                let pending = (is && !was) || (is && before.slots[slot].pending[task.0] && !consumed);
                now.slots[slot].pending[task.0] = pending;
                if !pending || !was {
                    let event = opened_by.filter(|(target, ..)| pending && *target == slot);
                    now.slots[slot].buffers[task.0] = buffered(&self.app.types[self.slots[slot].0], task, event);
                }
            }
        }
        now
    }

    /// Private variables of the sender.
    fn update(&self, world: &World, by: &Sender, target: Option<usize>, payload: &Payload, after: &mut World) {
        let (Some((_, updates)), Some(agents)) = (by.line, &self.app.agents) else { return };
        let context = Context {
            agent: Some(by.agent),
            slot: target,
            payload: payload.clone(),
            ..Context::new(self, world, world)
        };
        for (var, value) in updates {
            let (code, fits) = context.code(value, &agents[by.agent].vars[*var].domain);
            after.private[by.agent][*var] = code;
            after.overflow |= !fits || context.divides_by_zero(value);
        }
    }

    /// The AutoAgent completes a task.
    fn completed(&self, world: &World, slot: usize, task: TaskIx, out: &mut Vec<Move>) {
        let ty = self.slots[slot].0;
        let t = &self.app.types[ty].tasks[task];
        let answers: Vec<(String, DataKind, Domain)> = t
            .steps
            .iter()
            .flat_map(|s| match s {
                TaskStep::Call { fills, bags, .. } => {
                    let attrs = fills.iter().map(|a| &self.app.types[ty].attrs[*a]);
                    let replaced = bags.iter().flat_map(|b| self.free(ty, *b, Change::Replace, &[]));
                    replaced.chain(attrs.map(|a| (a.path.clone(), a.kind, a.domain.clone()))).collect()
                }
                TaskStep::Element { bag, change, fields, .. } => self.free(ty, *bag, *change, fields),
                _ => Vec::new(),
            })
            .collect();
        for answer in payloads(&answers) {
            let mut first = world.clone();
            let mut happening = Happening { events: Vec::new(), done: Some((task, slot)) };
            let mut answers = answer.iter();
            let mut step = |s| self.map(s, (slot, task), &mut first, &mut happening, &mut answers);
            if !t.steps.iter().all(&mut step) {
                continue;
            }
            let after = self.react(world, first, Occurrence::TaskDone(ty, task), &happening, None);
            let event = format!("done {}", t.id);
            out.push(Move { agent: Some(self.app.auto_agent()), event, target: Some(slot), after });
        }
    }

    fn map<'p>(
        &self,
        step: &TaskStep,
        (slot, task): (usize, TaskIx),
        now: &mut World,
        happening: &mut Happening,
        answers: &mut impl Iterator<Item = &'p (String, i64, Domain)>,
    ) -> bool {
        let ty = self.slots[slot].0;
        match step {
            TaskStep::Set { target, source, .. } => {
                if let Some(value) = self.mapped_value(source, slot, task, (ty, *target), now) {
                    now.slots[slot].data[target.0] = value;
                }
            }
            TaskStep::Send { .. } => panic!("a message is delivered, not done"),
            TaskStep::Add { target, .. } => {
                let domain = &self.app.types[ty].attrs[*target].domain;
                let old = number::read(&domain.show(now.slots[slot].data[target.0])).expect("a number");
                let (value, fits) = numbers::code(&(old + number::Ratio::from_integer(1.into())), domain);
                now.overflow |= !fits;
                now.slots[slot].data[target.0] = value;
            }
            TaskStep::Element { bag, change, fields, .. } => {
                return self.bag_changes((*bag, *change, fields), (slot, task), now, answers);
            }
            TaskStep::Call { fills, bags, .. } => {
                for bag in bags {
                    self.bag_changes((*bag, Change::Replace, &[]), (slot, task), now, answers);
                }
                for (attr, (_, code, _)) in fills.iter().zip(answers) {
                    now.slots[slot].data[attr.0] = *code;
                }
            }
            TaskStep::Create { ty: created, references, data, .. } => {
                let Some(free) = self.of_type(*created).find(|&s| !now.slots[s].created) else {
                    now.overflow = true;
                    return true;
                };
                for reference in references {
                    now.slots[free].data[reference.0] = i64::from(self.slots[slot].1);
                }
                for (attr, source) in data {
                    if let Some(value) = self.mapped_value(source, slot, task, (*created, *attr), now) {
                        now.slots[free].data[attr.0] = value;
                    }
                }
                now.slots[free].created = true;
                happening.events.extend(self.app.creation_event(*created).map(|e| (e, free)));
            }
        }
        true
    }

    /// What a mapping writes; `None` if its field is absent.
    fn mapped_value(
        &self,
        source: &TaskSource,
        slot: usize,
        task: TaskIx,
        (to_type, to): (TypeIx, AttrIx),
        now: &mut World,
    ) -> Option<i64> {
        let own = &self.app.types[self.slots[slot].0];
        let target = &self.app.types[to_type].attrs[to].domain;
        let text = match source {
            TaskSource::Const(code) => return Some(*code),
            TaskSource::Attr(from) => own.attrs[*from].domain.show(now.slots[slot].data[from.0]),
            TaskSource::Field { name, events } => {
                let at = sources(own, task).iter().position(|s| *s == (name, events))?;
                now.slots[slot].buffers[task.0][at].clone()?
            }
        };
        match target {
            Domain::Int { .. } | Domain::Points(_) => {
                let (code, fits) = numbers::code(&number::read(&text).expect("a number"), target);
                now.overflow |= !fits;
                Some(code)
            }
            _ => Some(target.read(&text).unwrap_or(0)),
        }
    }
}

/// Does the rule's sentry name the event?
fn names(reference: &Reference, rule: &RuleDef, event: EventIx) -> bool {
    let Some(guard) = rule.sentry(reference.app) else { return false };
    let mut named = guard.sentry.events.contains(&event);
    guard.sentry.expr.walk(&mut |e| named |= matches!(e.kind, ExprKind::Occurring(o) if o == event));
    named
}

/// Every combination of payload values.
fn payloads(fields: &[(String, DataKind, Domain)]) -> Vec<Payload> {
    let mut all = vec![Vec::new()];
    for (name, kind, domain) in fields {
        let (lo, hi) = domain.bounds();
        let lo = if matches!(kind, DataKind::Enumeration | DataKind::Date { .. }) { lo.max(1) } else { lo };
        let more = |p: &Payload| {
            let with = |code| [p.as_slice(), &[(name.clone(), code, domain.clone())]].concat();
            (lo..=hi).map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}
