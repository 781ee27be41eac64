//! One-way messages: what they carry, and their delivery.

use super::Lower;
use super::assign::Goal;
use super::body::Happening;
use super::body::Trigger;
use super::expr::Value;
use super::vars::Held;
use crate::lang::gsm::{EventIx, Message, Occurrence, TaskIx, TaskSource, TypeIx};
use crate::machine::{Assign, Domain, ExprId, FALSE, InputIx, SlotIx, TRUE};

/// A field that the event of a step carries.
pub(super) struct Carried {
    pub name: String,
    /// It has a value.
    pub there: ExprId,
    pub value: ExprId,
    pub domain: Domain,
}

impl Lower<'_> {
    /// Where a task that is pending at a slot can be completed: a message can go to each receiver.
    pub(super) fn completions(&self, ty: TypeIx, task: TaskIx, slot: SlotIx) -> Vec<Trigger> {
        let occurrence = Occurrence::TaskDone(ty, task);
        let Some(message) = self.app.message(ty, task) else { return vec![Trigger::at(occurrence, Some(slot))] };
        let receivers = match message.to_itself {
            true => vec![slot],
            false => self.slots(message.receiver).into_iter().filter(|s| *s != slot).collect(),
        };
        let delivery = |to| Trigger { occurrence, target: Some(to), sender: Some(slot) };
        receivers.into_iter().map(delivery).collect()
    }

    /// The message is pending, and the slot is a receiver: the sender itself, or a created instance that is related to it.
    pub(super) fn deliverable(&mut self, task: TaskIx, sender: SlotIx, receiver: SlotIx) -> ExprId {
        let pending = self.m.exprs.prev(self.map.slots[sender].pending[task.0]);
        if sender == receiver {
            return pending;
        }
        let created = self.m.exprs.prev(self.map.slots[receiver].created);
        let related = self.related(sender, receiver);
        let related = self.before(related);
        self.m.exprs.and([pending, created, related])
    }

    /// Delivery: what the message carries is written at the receiver like payload.
    pub(super) fn deliver(&mut self, body: &mut Happening, ty: TypeIx, task: TaskIx, sender: SlotIx, receiver: SlotIx) {
        let app = self.app;
        let Some(message) = app.message(ty, task) else { return };
        body.body.event = self.delivery_name(message.event, ty, task, sender);
        for (at, (field, source)) in message.fields.iter().enumerate() {
            let Some(field) = app.events[message.event].payload.get(*field) else { continue };
            if !self.carried.contains(&(ty, task, at)) {
                continue;
            }
            let domain = app.field_domain(field, message.receiver);
            let (there, value) = match source {
                TaskSource::Const(code) => (TRUE, self.constant(*code, domain)),
                _ => {
                    let at = self.held(ty, task).iter().position(|held| held.at == Some(at));
                    self.held_value(ty, task, sender, at)
                }
            };
            let attr = app.own_attr(field, message.receiver);
            let var = attr.and_then(|a| self.map.slots[receiver].attrs[a.0]);
            let old = match var {
                Some(var) => self.m.exprs.cur(var),
                None => self.least(domain),
            };
            let (value, outside) = self.fit(value, &Goal { domain, old, name: &field.name }, &[]);
            let outside = self.m.exprs.and([there, outside]);
            self.set_overflow(&mut body.body.effect, outside);
            if let Some(var) = var.filter(|_| self.writes_directly(message.event, message.receiver, &field.name)) {
                let value = self.m.exprs.ite(there, value, old);
                body.effect.push(Assign { var, value });
            }
            let (there, value) = (self.before(there), self.before(value));
            body.carried.push(Carried { name: field.name.clone(), there, value, domain: domain.clone() });
        }
    }

    /// A message as it appears in traces: `E from T[1].t`.
    fn delivery_name(&self, event: EventIx, ty: TypeIx, task: TaskIx, sender: SlotIx) -> String {
        let (event, task) = (&self.app.events[event].id, &self.app.types[ty].tasks[task].id);
        format!("{event} from {}.{task}", self.m.slots[sender].name)
    }

    fn least(&mut self, domain: &Domain) -> ExprId {
        match domain {
            Domain::Bool => FALSE,
            _ => self.m.exprs.int(0i64.clamp(domain.bounds().0, domain.bounds().1)),
        }
    }

    /// What a message keeps from the opening of its stage until it is delivered.
    pub(super) fn held_by_message(&self, ty: TypeIx, task: TaskIx, message: &Message) -> Vec<Held> {
        let one = |(at, (field, source)): (usize, &(usize, TaskSource))| {
            let name = &self.app.events[message.event].payload.get(*field)?.name;
            let held = match source {
                _ if !self.carried.contains(&(ty, task, at)) => None,
                TaskSource::Const(_) => None,
                TaskSource::Field { .. } => self.held_field(ty, source),
                TaskSource::Attr(a) => {
                    let domain = self.app.types[ty].attrs[*a].domain.clone();
                    Some(Held { name: String::new(), source: source.clone(), domain, at: None })
                }
            };
            held.map(|held| Held { name: name.clone(), at: Some(at), ..held })
        };
        message.fields.iter().enumerate().filter_map(one).collect()
    }

    /// What a task keeps at a position, and whether it is there.
    pub(super) fn held_value(&mut self, ty: TypeIx, task: TaskIx, slot: SlotIx, at: Option<usize>) -> (ExprId, Value) {
        let held = at.and_then(|i| self.held(ty, task).into_iter().nth(i));
        match (at.and_then(|i| self.map.slots[slot].buffers[task.0].get(i)).cloned(), held) {
            (Some(buffer), Some(held)) => self.unbuffer(&buffer, &held.domain),
            _ => {
                self.misfit(None, "nothing keeps a field until the task is done");
                (FALSE, Value::Bool(FALSE))
            }
        }
    }

    /// What a stage that opens finds: whether there is a value to keep, and the value.
    pub(super) fn found(&mut self, body: &Happening, slot: SlotIx, held: &Held) -> Option<(ExprId, ExprId)> {
        let (there, value, domain) = match &held.source {
            TaskSource::Const(_) => return None,
            TaskSource::Attr(a) => {
                let attr = &self.app.types[self.map.slots[slot].ty].attrs[*a];
                let (attr_domain, init) = (attr.domain.clone(), attr.init);
                let value = match self.map.slots[slot].attrs[a.0] {
                    Some(var) => self.m.exprs.cur(var),
                    None if attr_domain == Domain::Bool => self.m.exprs.bool(init != 0),
                    None => self.m.exprs.int(init),
                };
                (TRUE, value, attr_domain)
            }
            TaskSource::Field { name, events } => {
                let of = |e: &EventIx| events.is_empty() || events.contains(e);
                match body.trigger.occurrence {
                    _ if body.target != Some(slot) => return None,
                    Occurrence::Event(e) if of(&e) => {
                        let (i, input) = InputIx::each(&body.inputs).find(|(_, i)| i.name == *name)?;
                        (TRUE, self.m.exprs.input(i), input.domain.clone())
                    }
                    Occurrence::TaskDone(ty, task) if self.app.message(ty, task).is_some_and(|m| of(&m.event)) => {
                        let field = body.carried.iter().find(|c| c.name == *name)?;
                        (field.there, field.value, field.domain.clone())
                    }
                    _ => return None,
                }
            }
        };
        if domain == held.domain {
            return Some((there, value));
        }
        let old = self.least(&held.domain);
        let goal = Goal { domain: &held.domain, old, name: &held.name };
        Some((there, self.fit(Value::of(value, &domain), &goal, &body.inputs).0))
    }
}
