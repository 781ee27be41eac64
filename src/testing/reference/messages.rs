//! One-way messages.

use super::eval::{Context, Happening};
use super::step::Payload;
use super::{Move, Reference, World, numbers};
use crate::lang::gsm::{AttrIx, BagIx, Change, EventIx, Occurrence, TaskIx, TaskSource, TaskStep, TypeIx};
use crate::machine::{Domain, number};

/// The parts of a message: its event, the type of the receiver if that is another instance, and what it carries.
type Sent<'a> = (EventIx, Option<TypeIx>, &'a [(usize, TaskSource)]);

impl<'a> Reference<'a> {
    /// The message that a task sends.
    pub(super) fn sends(&self, ty: TypeIx, task: TaskIx) -> Option<Sent<'a>> {
        match self.app.types[ty].tasks[task].steps.as_slice() {
            [TaskStep::Send { event, to, fields, .. }] => Some((*event, *to, fields)),
            _ => None,
        }
    }

    /// Is the event sent by some task?
    pub(super) fn is_sent(&self, event: EventIx) -> bool {
        TypeIx::each(&self.app.types).any(|(ty, t)| {
            TaskIx::all(&t.tasks).any(|task| self.sends(ty, task).is_some_and(|(sent, ..)| sent == event))
        })
    }

    /// What a message has to remember: the fields that somebody at the receiver reads, constants aside.
    pub(super) fn remembered(&self, ty: TypeIx, task: TaskIx) -> Vec<(usize, &'a TaskSource)> {
        let Some((event, to, fields)) = self.sends(ty, task) else { return Vec::new() };
        let read = |at: usize| self.is_read(event, at, to.unwrap_or(ty), &mut Vec::new());
        let all = fields.iter().filter(|(at, source)| !matches!(source, TaskSource::Const(_)) && read(*at));
        all.map(|(at, source)| (*at, source)).collect()
    }

    /// Does a field of an event change anything where the event occurs?
    fn is_read(&self, event: EventIx, at: usize, ty: TypeIx, seen: &mut Vec<(EventIx, usize, TypeIx)>) -> bool {
        if seen.contains(&(event, at, ty)) {
            return false;
        }
        seen.push((event, at, ty));
        let name = &self.app.events[event].payload[at].name;
        let t = &self.app.types[ty];
        let own = t.attrs.iter().any(|a| a.path == *name && !a.set);
        if own && !self.mapped(ty, event, name) {
            return true;
        }
        let from = |s: &TaskSource| matches!(s, TaskSource::Field { name: n, events } if n == name && (events.is_empty() || events.contains(&event)));
        let asked = |bag: BagIx, f: AttrIx| t.bags[bag].tests.iter().any(|t| t.field == f);
        t.tasks.iter().flat_map(|k| &k.steps).any(|step| match step {
            TaskStep::Set { source, .. } => from(source),
            TaskStep::Create { data, .. } => data.iter().any(|(_, s)| from(s)),
            TaskStep::Element { bag, change, fields, .. } => {
                *change != Change::Replace && fields.iter().any(|(f, s)| from(s) && asked(*bag, *f))
            }
            TaskStep::Send { event, to, fields, .. } => {
                fields.iter().any(|(at, s)| from(s) && self.is_read(*event, *at, to.unwrap_or(ty), seen))
            }
            TaskStep::Add { .. } | TaskStep::Call { .. } => false,
        })
    }

    /// What a message keeps when its stage opens.
    pub(super) fn kept_by_message(
        &self,
        now: &World,
        slot: usize,
        task: TaskIx,
        opened_by: Option<(usize, EventIx, &Payload)>,
    ) -> Vec<Option<String>> {
        let ty = self.slots[slot].0;
        let kept = |(_, source): (usize, &TaskSource)| match source {
            TaskSource::Attr(a) => Some(self.app.types[ty].attrs[*a].domain.show(now.slots[slot].data[a.0])),
            TaskSource::Field { name, events } => {
                let (_, event, payload) = opened_by.filter(|(target, ..)| *target == slot)?;
                let carried =
                    payload.iter().find(|(n, ..)| n == name && (events.is_empty() || events.contains(&event)));
                carried.map(|(_, code, domain)| domain.show(*code))
            }
            TaskSource::Const(_) => None,
        };
        self.remembered(ty, task).into_iter().map(kept).collect()
    }

    /// The AutoAgent delivers a message that is under way, to one receiver or another.
    pub(super) fn delivered(&self, world: &World, slot: usize, task: TaskIx, out: &mut Vec<Move>) {
        let ty = self.slots[slot].0;
        let Some((event, to, fields)) = self.sends(ty, task) else { return };
        let context = Context { slot: Some(slot), ..Context::new(self, world, world) };
        let receivers: Vec<usize> = match to {
            None => vec![slot],
            Some(to) => {
                let others = self.of_type(to).filter(|s| *s != slot && world.slots[*s].created);
                others.filter(|s| context.related(slot, *s)).collect()
            }
        };
        for receiver in receivers {
            let (mut first, mut payload) = (world.clone(), Payload::new());
            let to = self.slots[receiver].0;
            let mut kept = world.slots[slot].buffers[task.0].iter();
            for (at, source) in fields.iter().filter(|(at, _)| self.is_read(event, *at, to, &mut Vec::new())) {
                let field = &self.app.events[event].payload[*at];
                let own = self.app.types[to].attrs.iter().find(|a| a.path == field.name && !a.set);
                let domain = own.map_or(&field.domain, |a| &a.domain);
                let code = match source {
                    TaskSource::Const(code) => *code,
                    _ => {
                        let Some(text) = kept.next().expect("a value kept for each field") else { continue };
                        match domain {
                            Domain::Int { .. } | Domain::Points(_) => {
                                let (code, fits) = numbers::code(&number::read(text).expect("a number"), domain);
                                first.overflow |= !fits;
                                code
                            }
                            _ => domain.read(text).unwrap_or(0),
                        }
                    }
                };
                payload.push((field.name.clone(), code, domain.clone()));
            }
            for (name, code, _) in payload.iter().filter(|(n, ..)| !self.mapped(to, event, n)) {
                if let Some(attr) = self.app.types[to].attr(name) {
                    first.slots[receiver].data[attr.0] = *code;
                }
            }
            let happening = Happening { events: vec![(event, receiver)], done: Some((task, slot)) };
            let opened_by = Some((receiver, event, &payload));
            let after = self.react(world, first, Occurrence::TaskDone(ty, task), &happening, opened_by);
            let (t, number) = (&self.app.types[ty], self.slots[slot].1);
            let name = format!("{} from {}[{number}].{}", self.app.events[event].id, t.id, t.tasks[task].id);
            out.push(Move { agent: Some(self.app.auto_agent()), event: name, target: Some(receiver), after });
        }
    }
}
