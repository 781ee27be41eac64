//! What an event does at a slot: payload, immediate effect, applicability; its rules are in [`super::rules`].

use super::Lower;
use super::bags::Of;
use super::expr::Value;
use super::messages::Carried;
use crate::lang::gsm::{
    Application, AttrIx, Change, DataKind, EventIx, ExprKind, Occurrence, TaskIx, TaskSource, TaskStep, TypeIx,
};
use crate::machine::{Assign, Body, BodyIx, ExprId, Exprs, Input, InputIx, Leaf, Node, Ranges, SlotIx, TRUE, VarId};
use crate::machine::{BOTTOM, Domain};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of variables while a body runs, to simplify what reads them.
#[derive(Default)]
pub(super) struct Known {
    /// Written by the effect or by a rule so far; everything else is as before the step.
    pub written: FxHashSet<VarId>,
    /// Constants before the step (a free slot has its initial values).
    pub before: FxHashMap<VarId, ExprId>,
    /// Constants now.
    pub now: FxHashMap<VarId, ExprId>,
}

impl Known {
    pub(super) fn simplify(&self, exprs: &mut Exprs, e: ExprId) -> ExprId {
        self.simplify_but(exprs, e, &[])
    }

    /// The same, with some variables left as they are read.
    pub(super) fn simplify_but(&self, exprs: &mut Exprs, e: ExprId, but: &[VarId]) -> ExprId {
        let before = |exprs: &mut Exprs, v: VarId| self.before.get(&v).copied().unwrap_or_else(|| exprs.prev(v));
        exprs.map_leaves(e, &mut |exprs, leaf| match leaf {
            Leaf::Prev(v) => before(exprs, v),
            Leaf::Cur(v) if but.contains(&v) => exprs.cur(v),
            Leaf::Cur(v) => match self.now.get(&v) {
                Some(value) => *value,
                None if self.written.contains(&v) => exprs.cur(v),
                None => before(exprs, v),
            },
            Leaf::Input(_) => exprs.leaf(leaf),
        })
    }

    pub(super) fn effect(&mut self, effect: &[Assign], exprs: &Exprs) {
        for a in effect {
            self.written.insert(a.var);
            match exprs.node(a.value) {
                Node::Bool(_) | Node::Int(_) => self.now.insert(a.var, a.value),
                _ => self.now.remove(&a.var),
            };
        }
    }
}

/// What happens, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Trigger {
    pub occurrence: Occurrence,
    /// The slot where the event occurs or the task completes.
    pub target: Option<SlotIx>,
    /// The slot whose message is delivered.
    pub sender: Option<SlotIx>,
}

impl Trigger {
    /// An event, or a completion that is no delivery.
    pub(super) fn at(occurrence: Occurrence, target: Option<SlotIx>) -> Trigger {
        Trigger { occurrence, target, sender: None }
    }

    /// The slot where a task completes: of a message, the sender.
    pub(super) fn completes_at(self) -> Option<SlotIx> {
        self.sender.or(self.target)
    }

    /// Does it happen, in part, at the slot?
    pub(super) fn concerns(self, slot: SlotIx) -> bool {
        self.target == Some(slot) || self.sender == Some(slot)
    }
}

/// A body under construction, and what happens in it.
pub(super) struct Happening {
    pub trigger: Trigger,
    pub body: Body,
    /// What a delivered message carries.
    pub carried: Vec<Carried>,
}

impl Happening {
    /// Nothing of it done yet.
    pub(super) fn of(app: &Application, trigger: Trigger) -> Happening {
        let body = Body {
            event: trigger.occurrence.name(app),
            target: trigger.target,
            inputs: Vec::new(),
            effect: Vec::new(),
            applicable: TRUE,
            rules: Vec::new(),
            finish: Vec::new(),
            components: Vec::new(),
        };
        Happening { trigger, body, carried: Vec::new() }
    }
}

impl std::ops::Deref for Happening {
    type Target = Body;
    fn deref(&self) -> &Body {
        &self.body
    }
}

impl std::ops::DerefMut for Happening {
    fn deref_mut(&mut self) -> &mut Body {
        &mut self.body
    }
}

impl Lower<'_> {
    /// The body of what happens somewhere, made once.
    pub(super) fn body(&mut self, trigger: Trigger) -> BodyIx {
        if let Some(&ix) = self.bodies.get(&trigger) {
            return ix;
        }
        let body = self.make_body(trigger);
        let ix = BodyIx::next(&self.m.bodies);
        self.m.bodies.push(body);
        self.map.occurrences.push(trigger.occurrence);
        self.map.senders.push(trigger.sender);
        self.bodies.insert(trigger, ix);
        ix
    }

    fn make_body(&mut self, trigger: Trigger) -> Body {
        let mut body = Happening::of(self.app, trigger);
        let Some(slot) = trigger.target else {
            self.no_free_slot(&mut body);
            return body.body;
        };
        let mut known = Known::default();
        match trigger.occurrence {
            Occurrence::Event(e) => {
                body.inputs = self.payload(e, self.map.slots[slot].ty);
                if self.app.events[e].creates.is_some() {
                    self.create(&mut body, slot, &mut known);
                }
                self.write_payload(&mut body, e, slot);
            }
            Occurrence::TaskDone(ty, task) => match trigger.sender {
                Some(sender) => self.deliver(&mut body, ty, task, sender, slot),
                None => self.complete(&mut body, ty, task, slot),
            },
        }
        known.effect(&body.effect, &self.m.exprs);
        body.applicable = self.applicable(&body, slot, &known);
        self.rules(&mut body, &mut known);
        self.finish(&mut body, &known);
        body.body
    }

    /// A creation that finds no free slot: nothing changes but the overflow flag.
    fn no_free_slot(&mut self, body: &mut Happening) {
        if let Occurrence::Event(e) = body.trigger.occurrence
            && let Some(ty) = self.app.events[e].creates
        {
            body.inputs = self.payload(e, ty);
            let created: Vec<VarId> = self.slots(ty).into_iter().map(|s| self.map.slots[s].created).collect();
            body.applicable = self.all_prev(created);
            body.effect = vec![Assign { var: self.m.overflow, value: TRUE }];
        }
    }

    /// Creation in a slot: it is the lowest free one; before, it has its initial values.
    fn create(&mut self, body: &mut Happening, slot: SlotIx, known: &mut Known) {
        body.effect.push(Assign { var: self.map.slots[slot].created, value: TRUE });
        for v in self.m.slots[slot].vars.clone() {
            let var = self.m.var(v);
            let (init, is_bool) = (var.init, var.domain == Domain::Bool);
            let value = if is_bool { self.m.exprs.bool(init != 0) } else { self.m.exprs.int(init) };
            known.before.insert(v, value);
        }
    }

    /// Payload inputs of an event sent to a type: the fields that something reads.
    fn payload(&mut self, e: EventIx, ty: TypeIx) -> Vec<Input> {
        let mut inputs = Vec::new();
        for field in &self.app.events[e].payload {
            let attr = self.app.types[ty].attr(&field.name);
            let used = self.writes_directly(e, ty, &field.name) || self.is_buffered(e, ty, &field.name);
            if !(used || self.in_protocol(e, ty, &field.name)) {
                continue;
            }
            let (kind, domain) = match attr.map(|a| &self.app.types[ty].attrs[a]) {
                Some(a) => (a.kind, a.domain.clone()),
                None => (field.kind, field.domain.clone()),
            };
            inputs.push(Input { name: field.name.clone(), values: sendable(kind, &domain), domain });
        }
        inputs
    }

    /// Is the field written to the attribute of its name at once? Not if a task mapping reads the field.
    pub(super) fn writes_directly(&self, e: EventIx, ty: TypeIx, field: &str) -> bool {
        let reads = |s: &TaskSource| s.is_of(e, field);
        let mapped = |step: &TaskStep| match step {
            TaskStep::Set { source, .. } => reads(source),
            TaskStep::Create { data, .. } => data.iter().any(|(_, s)| reads(s)),
            TaskStep::Element { fields, .. } => fields.iter().any(|(_, s)| reads(s)),
            TaskStep::Send { fields, .. } => fields.iter().any(|(_, s)| reads(s)),
            _ => false,
        };
        let t = &self.app.types[ty];
        t.attr(field).is_some_and(|a| self.kept[ty.0][a.0]) && !t.tasks.iter().flat_map(|t| &t.steps).any(mapped)
    }

    fn is_buffered(&self, e: EventIx, ty: TypeIx, field: &str) -> bool {
        TaskIx::all(&self.app.types[ty].tasks).flat_map(|k| self.held(ty, k)).any(|held| held.source.is_of(e, field))
    }

    fn in_protocol(&self, e: EventIx, ty: TypeIx, field: &str) -> bool {
        let entries = self.app.agents.iter().flatten().flat_map(|a| a.protocol.iter().flatten());
        let targets = entries.filter(|p| p.event == e).flat_map(|p| &p.targets).filter(|t| t.ty == ty);
        targets.flat_map(|t| t.updates.iter().map(|(_, u)| u).chain([&t.condition])).any(|expr| {
            let mut found = false;
            expr.walk(&mut |part| found |= matches!(&part.kind, ExprKind::Field(n) if n == field));
            found
        })
    }

    fn write_payload(&mut self, body: &mut Body, e: EventIx, slot: SlotIx) {
        let ty = self.map.slots[slot].ty;
        for (i, input) in InputIx::each(&body.inputs) {
            if self.writes_directly(e, ty, &input.name)
                && let Some(var) = self.app.types[ty].attr(&input.name).and_then(|a| self.map.slots[slot].attrs[a.0])
            {
                body.effect.push(Assign { var, value: self.m.exprs.input(i) });
            }
        }
    }

    /// Completion of a task: its steps in order.
    fn complete(&mut self, body: &mut Happening, ty: TypeIx, task: TaskIx, slot: SlotIx) {
        let app = self.app;
        let mut effect = Vec::new();
        for step in &app.types[ty].tasks[task].steps {
            match step {
                TaskStep::Set { target, source, .. } => {
                    if let Some(var) = self.map.slots[slot].attrs[target.0] {
                        let (there, value) = self.source(ty, task, slot, source, &app.types[ty].attrs[*target].domain);
                        self.assign(&mut effect, there, var, value, &body.inputs);
                    }
                }
                TaskStep::Add { target, .. } => {
                    if let Some(var) = self.map.slots[slot].attrs[target.0] {
                        let one = Value::Num(self.m.exprs.int(1));
                        let old = self.variable(var);
                        let sum = self.arith(crate::machine::ArithOp::Add, old, one);
                        self.assign(&mut effect, Self::ALWAYS, var, sum, &body.inputs);
                    }
                }
                TaskStep::Call { fills, bags, .. } => {
                    for &bag in bags {
                        self.element(body, &mut effect, Of { ty, task, slot, bag }, Change::Replace, &[]);
                    }
                    for &attr in fills {
                        if let Some(var) = self.map.slots[slot].attrs[attr.0] {
                            let a = &app.types[ty].attrs[attr];
                            let values = sendable(a.kind, &a.domain);
                            let value = self.m.exprs.input(InputIx::next(&body.inputs));
                            body.inputs.push(Input { name: a.path.clone(), domain: a.domain.clone(), values });
                            effect.push(Assign { var, value });
                        }
                    }
                }
                TaskStep::Element { bag, change, fields, .. } => {
                    self.element(body, &mut effect, Of { ty, task, slot, bag: *bag }, *change, fields);
                }
                TaskStep::Create { ty: new, references, data, .. } => {
                    self.create_by_task(&mut effect, (ty, task, slot), *new, references, data);
                }
                TaskStep::Send { span, .. } => self.misfit(Some(*span), "a message is sent, but has no sender"),
            }
        }
        body.effect = effect;
    }

    /// A mapping's value, and when there is one.
    pub(super) fn source(
        &mut self,
        ty: TypeIx,
        task: TaskIx,
        slot: SlotIx,
        source: &TaskSource,
        target: &Domain,
    ) -> (ExprId, Value) {
        match source {
            TaskSource::Const(code) => (TRUE, self.constant(*code, target)),
            TaskSource::Attr(a) => match self.map.slots[slot].attrs[a.0] {
                Some(v) => (TRUE, self.variable(v)),
                None => {
                    let a = &self.app.types[ty].attrs[*a];
                    (TRUE, self.constant(a.init, &a.domain))
                }
            },
            TaskSource::Field { .. } => {
                let at = self.held(ty, task).iter().position(|held| held.source == *source);
                self.held_value(ty, task, slot, at)
            }
        }
    }

    /// The lowest free slot of a type is created; with none free, `overflow` is set. Slots are visited from the highest down, so that
    /// each still sees whether the lower ones were free.
    fn create_by_task(
        &mut self,
        effect: &mut Vec<Assign>,
        (ty, task, caller): (TypeIx, TaskIx, SlotIx),
        new: TypeIx,
        references: &[AttrIx],
        data: &[(AttrIx, TaskSource)],
    ) {
        let slots = self.slots(new);
        let created: Vec<ExprId> = slots.iter().map(|s| self.m.exprs.cur(self.map.slots[*s].created)).collect();
        let full = self.m.exprs.and(created.iter().copied());
        self.set_overflow(effect, full);
        for k in (0..slots.len()).rev() {
            let taken = self.m.exprs.not(created[k]);
            let free = self.m.exprs.and(created[..k].iter().copied().chain([taken]));
            for (attr, source) in data {
                if let Some(var) = self.map.slots[slots[k]].attrs[attr.0] {
                    let (there, value) =
                        self.source(ty, task, caller, source, &self.app.types[new].attrs[*attr].domain);
                    let when = self.m.exprs.and([free, there]);
                    self.assign(effect, when, var, value, &[]);
                }
            }
            for &attr in references {
                if let Some(var) = self.map.slots[slots[k]].attrs[attr.0] {
                    let id = self.m.exprs.int(i64::from(self.map.slots[caller].number));
                    self.assign(effect, free, var, Value::Num(id), &[]);
                }
            }
            let value = self.m.exprs.or([created[k], free]);
            effect.push(Assign { var: self.map.slots[slots[k]].created, value });
        }
    }
}

/// The codes that can be sent: of an enumeration the declared values only, of a date only "set", of everything else all.
pub(super) fn sendable(kind: DataKind, domain: &Domain) -> Ranges {
    let (lo, hi) = domain.bounds();
    match kind {
        DataKind::Enumeration => Ranges::range(lo + i64::from(domain.show(lo) == BOTTOM), hi),
        DataKind::Date { .. } => Ranges::range(1, 1),
        _ => Ranges::range(lo, hi),
    }
}
