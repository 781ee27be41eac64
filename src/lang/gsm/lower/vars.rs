//! Slots, variables and agents' views.

use super::Lower;
use crate::lang::gsm::VarRole;
use crate::lang::gsm::{
    AUTO_AGENT, Application, AttrIx, BagIx, Buffer, Change, EventIx, Field, Instance, MilestoneIx, Observer, StageIx,
    TaskIx, TaskSource, TaskStep, TypeIx,
};
use crate::machine::Domain;
use crate::machine::{AgentIx, MachineAgent, Slot, SlotIx, Var, VarId, View};
use std::collections::HashSet;

/// What a task keeps from the opening of its stage until it is done.
pub(super) struct Held {
    /// The payload field's name.
    pub name: String,
    /// Where it comes from when the stage opens.
    pub source: TaskSource,
    /// Its values.
    pub domain: Domain,
    /// Of a message, its position among what that carries.
    pub at: Option<usize>,
}

impl<'a> Lower<'a> {
    /// Variables of all slots, then private variables, then `overflow`.
    pub(super) fn make_variables(&mut self) {
        for (ty, t) in TypeIx::each(&self.app.types) {
            let slots = (1..=t.bound).map(|number| self.make_slot(ty, number)).collect();
            self.slots_of.push(slots);
        }
        for (a, agent) in self.app.agents.iter().flatten().enumerate() {
            for (i, var) in agent.vars.iter().enumerate() {
                let name = format!("{}.{}", agent.name, var.name);
                self.add_var(name, var.domain.clone(), var.init, VarRole::Private(AgentIx(a), i), None);
            }
        }
        self.m.overflow = self.add_var("overflow".into(), Domain::Bool, 0, VarRole::Overflow, None);
    }

    /// Adds a variable; a name already taken (a stage and a milestone may share an id) is told apart by its kind.
    fn add_var(&mut self, name: String, domain: Domain, init: i64, role: VarRole, slot: Option<SlotIx>) -> VarId {
        let id = VarId(self.m.vars.len() as u32);
        self.m.vars.push(Var { name, domain, init, scratch: false, slot });
        self.map.roles.push(role);
        id
    }

    fn make_slot(&mut self, ty: TypeIx, number: u32) -> SlotIx {
        let t = &self.app.types[ty];
        let ix = SlotIx::next(&self.m.slots);
        let first = self.m.vars.len() as u32;
        let name = format!("{}[{number}]", t.id);
        let names = SlotNames::of(self.app, ty);
        let path = |local: &str| format!("{name}.{local}");
        let bool = Domain::Bool;
        let created = self.add_var(path("created"), bool.clone(), 0, VarRole::Created, Some(ix));
        let mut slot = Instance {
            ty,
            number,
            created,
            stages: Vec::new(),
            milestones: Vec::new(),
            attrs: Vec::new(),
            pending: Vec::new(),
            buffers: Vec::new(),
        };
        for s in StageIx::all(&t.stages) {
            slot.stages.push(self.add_var(path(&names.stages[s.0]), bool.clone(), 0, VarRole::Stage(s), Some(ix)));
        }
        for m in MilestoneIx::all(&t.milestones) {
            let role = VarRole::Milestone(m);
            slot.milestones.push(self.add_var(path(&names.milestones[m.0]), bool.clone(), 0, role, Some(ix)));
        }
        for (a, attr) in AttrIx::each(&t.attrs) {
            let make = |l: &mut Self| {
                l.add_var(path(&names.attrs[a.0]), attr.domain.clone(), attr.init, VarRole::Data(a), Some(ix))
            };
            slot.attrs.push(self.kept[ty.0][a.0].then(|| make(self)));
        }
        for k in TaskIx::all(&t.tasks) {
            let task = &names.tasks[k.0];
            slot.pending.push(self.add_var(
                path(&format!("{task}.pending")),
                bool.clone(),
                0,
                VarRole::Pending(k),
                Some(ix),
            ));
            let mut buffers = Vec::new();
            for (n, Held { name: field, domain, .. }) in self.held(ty, k).into_iter().enumerate() {
                let suffix = if n == 0 { String::new() } else { format!("~{}", n + 1) };
                let local = path(&format!("{task}.{field}{suffix}"));
                let role = VarRole::Buffer(k);
                let present = is_wide(&domain, self.app.parts > 0)
                    .then(|| self.add_var(format!("{local} (present)"), bool.clone(), 0, role, Some(ix)));
                let (domain, init) = match present {
                    Some(_) => (domain.clone(), 0i64.clamp(domain.bounds().0, domain.bounds().1)),
                    None => (buffer_domain(&domain), 0),
                };
                let var = self.add_var(local, domain, init, role, Some(ix));
                buffers.push(Buffer { field, var, present });
            }
            slot.buffers.push(buffers);
        }
        for (s, observer) in self.observed.of(ty) {
            let local = path(&format!("{}({})", observers_name(observer), t.stages[s].id));
            self.add_var(local, bool.clone(), 0, VarRole::Observer(s, observer), Some(ix));
        }
        let vars = (first..self.m.vars.len() as u32).map(VarId).collect();
        self.map.slots.push(slot);
        self.m.slots.push(Slot { name, family: ty.0, number, exists: Some(created), vars });
        ix
    }

    /// What a task of a type keeps until it is done, in order: payload fields that its mappings read into kept attributes, each once, and
    /// what a message carries.
    pub(super) fn held(&self, ty: TypeIx, task: TaskIx) -> Vec<Held> {
        let app: &'a Application = self.app;
        if let Some(message) = self.app.message(ty, task) {
            return self.held_by_message(ty, task, &message);
        }
        let mut found: Vec<&TaskSource> = Vec::new();
        let mut add = |source: &'a TaskSource| {
            if matches!(source, TaskSource::Field { .. }) && !found.contains(&source) {
                found.push(source);
            }
        };
        for step in &app.types[ty].tasks[task].steps {
            match step {
                TaskStep::Set { target, source, .. } if self.kept[ty.0][target.0] => add(source),
                TaskStep::Element { bag, change, fields, .. }
                    if *change != Change::Replace && self.counts(ty, *bag) =>
                {
                    let bag = &self.app.types[ty].bags[*bag];
                    let asked = |f: &AttrIx| bag.tests.iter().any(|t| t.field == *f);
                    fields.iter().filter(|(f, _)| asked(f)).for_each(|(_, s)| add(s));
                }
                TaskStep::Create { ty: new, data, .. } => {
                    data.iter().filter(|(a, _)| self.kept[new.0][a.0]).for_each(|(_, s)| add(s));
                }
                _ => {}
            }
        }
        found.into_iter().filter_map(|source| self.held_field(ty, source)).collect()
    }

    /// A payload field, as a task keeps it.
    pub(super) fn held_field(&self, ty: TypeIx, source: &TaskSource) -> Option<Held> {
        let TaskSource::Field { name, events } = source else { return None };
        let domain = self.buffered_domain(ty, name, events);
        Some(Held { name: name.clone(), source: source.clone(), domain, at: None })
    }

    /// Are the elements of a bag counted?
    fn counts(&self, ty: TypeIx, bag: BagIx) -> bool {
        self.app.types[ty].bags[bag].regions.iter().any(|r| self.kept[ty.0][r.counter.0])
    }

    /// A field's domain as buffered: the attribute's of that name, else that of the events that carry it.
    fn buffered_domain(&self, ty: TypeIx, name: &str, events: &[EventIx]) -> Domain {
        if let Some(a) = self.app.types[ty].attr(name) {
            return self.app.types[ty].attrs[a].domain.clone();
        }
        let carriers = EventIx::each(&self.app.events).filter(|(e, _)| events.is_empty() || events.contains(e));
        let fields = carriers.flat_map(|(_, e)| &e.payload);
        let domains = fields.filter(|f: &&Field| f.name == name).map(|f| f.domain.clone());
        let both = |a: Domain, b: Domain| match (&a, &b) {
            (Domain::Int { lo, hi }, Domain::Int { lo: l, hi: h }) => Domain::Int { lo: *lo.min(l), hi: *hi.max(h) },
            (Domain::Points(p), Domain::Points(q)) => p.joined(q).map_or(a, Domain::Points),
            _ => a,
        };
        domains.reduce(both).unwrap_or(Domain::Bool)
    }

    /// Agents with what they see of every slot; the AutoAgent last.
    pub(super) fn make_agents(&mut self) {
        match &self.app.agents {
            None => self.m.agents.push(MachineAgent { name: None, private: vec![], sees_all: true, views: vec![] }),
            Some(agents) => {
                for a in 0..agents.len() {
                    let agent = self.make_agent(a);
                    self.m.agents.push(agent);
                }
            }
        }
        let name = Some(AUTO_AGENT.to_string());
        self.m.agents.push(MachineAgent { name, private: vec![], sees_all: true, views: vec![] });
    }

    fn make_agent(&mut self, ix: usize) -> MachineAgent {
        let app = self.app;
        let agent = &app.agents.as_ref().map_or(&[][..], |a| a)[ix];
        let mut views = Vec::new();
        for slot in SlotIx::all(&self.m.slots) {
            let role = &app.roles[agent.role].types[(self.map.slots[slot].ty).0];
            let window = self.window(ix, slot);
            let created = self.m.exprs.cur(self.map.slots[slot].created);
            let visible = self.m.exprs.and([created, window]);
            let s = &self.map.slots[slot];
            let stages = s.stages.iter().zip(&role.hidden_stages).filter(|(_, h)| !**h).map(|(v, _)| *v);
            let milestones = s.milestones.iter().zip(&role.hidden_milestones).filter(|(_, h)| !**h).map(|(v, _)| *v);
            let data = role.view.iter().filter_map(|a| s.attrs[a.0]);
            let mut seen: Vec<VarId> = stages.chain(milestones).chain(data).collect();
            seen.sort_unstable();
            seen.dedup();
            views.push(View { name: self.m.slots[slot].name.clone(), visible, seen });
        }
        let private = self
            .m
            .var_ids()
            .filter(|v| matches!(self.map.role(*v), VarRole::Private(AgentIx(a), _) if a == ix))
            .collect();
        MachineAgent { name: Some(agent.name.clone()), private, sees_all: false, views }
    }
}

/// Numbers that are many, or may be abstracted, are buffered as they are, with a flag that says whether there is one; of few, "absent" is one more.
fn is_wide(field: &Domain, abstracted: bool) -> bool {
    const FEW: u64 = 256;
    field.is_unbounded() || (matches!(field, Domain::Int { .. }) && (abstracted || field.size() > FEW))
}

/// A buffered field: "absent", then the field's values.
fn buffer_domain(field: &Domain) -> Domain {
    let (lo, hi) = field.bounds();
    let shown = (lo..=hi).map(|code| field.show(code));
    Domain::Enum { values: std::iter::once("(absent)".to_string()).chain(shown).collect(), bottom: false }
}

fn observers_name(observer: Observer) -> &'static str {
    use Observer::*;
    match observer {
        OutOfOrder => "outOfOrder",
        Skipped => "skipped",
        Faulty => "faulty",
        EverOpened => "everOpened",
    }
}

/// Names within a slot. Ids are unique per kind only, so what clashes with something else is written `kind(id)`.
struct SlotNames {
    stages: Vec<String>,
    milestones: Vec<String>,
    attrs: Vec<String>,
    tasks: Vec<String>,
}

impl SlotNames {
    fn of(app: &crate::lang::gsm::Application, ty: TypeIx) -> SlotNames {
        let t = &app.types[ty];
        let mut taken: HashSet<String> = HashSet::from(["created".into()]);
        let mut name = |kind: &str, id: &str| {
            let mut own = id.to_string();
            while taken.contains(&own) {
                own = format!("{kind}({own})");
            }
            taken.insert(own.clone());
            own
        };
        SlotNames {
            stages: t.stages.iter().map(|s| name("stage", &s.id)).collect(),
            milestones: t.milestones.iter().map(|m| name("milestone", &m.id)).collect(),
            attrs: t.attrs.iter().map(|a| name("attribute", &a.path)).collect(),
            tasks: t.tasks.iter().map(|k| name("task", &k.id)).collect(),
        }
    }
}
