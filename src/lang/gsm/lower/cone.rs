//! Cone of influence: which data attributes can matter.

use super::CarriedFields;
use super::observers::Observed;
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::{
    Application, ArtifactType, AttrIx, Change, DataKind, EventIx, Events, Expr, ExprKind, Over, StageIx, TaskIx,
    TaskSource, TaskStep, TypeIx,
};
use crate::machine::Idle;

/// Per type and attribute: is it read by a sentry, window, protocol or property, seen by an agent whose knowledge is asked for,
/// a reference that some related-artifact operator follows, or copied into such an attribute?
/// And: which fields of messages are read where they arrive?
pub fn kept(app: &Application, properties: &[ModelProperty], observed: &Observed) -> (Vec<Vec<bool>>, CarriedFields) {
    let kept = app.types.iter().map(|t| vec![false; t.attrs.len()]).collect();
    let mut cone = Cone { app, kept, carried: CarriedFields::new() };
    if app.options.keep_all {
        cone.kept.iter_mut().flatten().for_each(|k| *k = true);
    } else {
        cone.sentries(observed);
        cone.agents();
        cone.properties(properties);
        cone.payload();
        cone.receivers();
    }
    cone.copies();
    for (t, kept) in app.types.iter().zip(&mut cone.kept) {
        t.attrs.iter().zip(kept).for_each(|(a, k)| *k &= !a.set);
    }
    (cone.kept, cone.carried)
}

struct Cone<'a> {
    app: &'a Application,
    kept: Vec<Vec<bool>>,
    carried: CarriedFields,
}

impl Cone<'_> {
    fn sentries(&mut self, observed: &Observed) {
        for (ty, t) in TypeIx::each(&self.app.types) {
            for (s, stage) in StageIx::each(&t.stages) {
                stage.guards.iter().for_each(|g| self.reads(ty, &g.sentry.expr));
                if observed.any(ty, s) {
                    let observers = stage.flow_guards.iter().chain(&stage.fault_loggers);
                    observers.for_each(|g| self.reads(ty, &g.sentry.expr));
                }
            }
            for m in &t.milestones {
                m.achieving.iter().chain(&m.invalidating).for_each(|g| self.reads(ty, &g.sentry.expr));
            }
        }
    }

    /// Where every event can happen and idling is no step of its own, writing an attribute is one.
    fn payload(&mut self) {
        if self.app.options.events == Events::Consumed || self.app.idle() == Idle::Always {
            return;
        }
        for (event, receivers) in self.app.events.iter().zip(self.app.receivers()) {
            for ty in receivers {
                for attr in event.payload.iter().filter_map(|f| self.app.types[ty].attr(&f.name)) {
                    self.kept[ty.0][attr.0] = true;
                }
            }
        }
    }

    fn agents(&mut self) {
        for agent in self.app.agents.iter().flatten() {
            for (ty, role) in self.app.roles[agent.role].types.iter().enumerate() {
                self.reads(TypeIx(ty), &role.window);
            }
            for target in agent.protocol.iter().flatten().flat_map(|e| &e.targets) {
                self.reads(target.ty, &target.condition);
                target.updates.iter().for_each(|(_, e)| self.reads(target.ty, e));
            }
        }
    }

    fn properties(&mut self, properties: &[ModelProperty]) {
        for formula in properties.iter().flat_map(|p| p.fair.iter().chain([&p.formula])) {
            formula.atoms(&mut |e| self.reads(TypeIx(0), e));
            for knower in formula.knowers() {
                let Some(agent) = self.app.agents.as_ref().and_then(|a| a.get(knower.0)) else { continue };
                for (ty, role) in self.app.roles[agent.role].types.iter().enumerate() {
                    role.view.iter().for_each(|&a| self.kept[ty][a.0] = true);
                }
            }
        }
    }

    /// Everything an expression in the context of a type reads. A payload field with the name of an attribute of that type counts
    /// as the attribute: the step writes it there.
    fn reads(&mut self, context: TypeIx, e: &Expr) {
        e.walk(&mut |part| match &part.kind {
            ExprKind::Attr { ty, attr, .. } => self.kept[ty.0][attr.0] = true,
            // All counters of a bag or none: an element that goes may be of any region.
            ExprKind::Tally { ty, bag, .. } => {
                self.app.types[*ty].bags[*bag].regions.iter().for_each(|r| self.kept[ty.0][r.counter.0] = true);
            }
            ExprKind::Field(name) => {
                if let Some(attr) = self.app.types[context].attr(name) {
                    self.kept[context.0][attr.0] = true;
                }
            }
            ExprKind::Quant { ty, over: Over::Related, .. } | ExprKind::Count { ty, over: Over::Related, .. } => {
                self.references(context, *ty);
            }
            ExprKind::Quant { ty, over: Over::RelatedTo { ty: to, .. }, .. }
            | ExprKind::Count { ty, over: Over::RelatedTo { ty: to, .. }, .. } => self.references(*to, *ty),
            _ => {}
        });
    }

    /// The reference attributes between two types, either way.
    fn references(&mut self, a: TypeIx, b: TypeIx) {
        let refers = |t: &ArtifactType, to: TypeIx| -> Vec<AttrIx> {
            AttrIx::all(&t.attrs).filter(|&a| t.attrs[a].kind == DataKind::Reference(to)).collect()
        };
        refers(&self.app.types[a], b).into_iter().for_each(|attr| self.kept[a.0][attr.0] = true);
        refers(&self.app.types[b], a).into_iter().for_each(|attr| self.kept[b.0][attr.0] = true);
    }

    /// The references that say to whom messages can go.
    fn receivers(&mut self) {
        for (ty, t) in TypeIx::each(&self.app.types) {
            for step in t.tasks.iter().flat_map(|t| &t.steps) {
                if let TaskStep::Send { to: Some(to), .. } = step {
                    self.references(ty, *to);
                }
            }
        }
    }

    /// Is a payload field read at a receiver: written to a kept attribute, or kept by a task there?
    fn is_read(&self, event: EventIx, field: &str, receiver: TypeIx) -> bool {
        let t = &self.app.types[receiver];
        let of = |source: &TaskSource| source.is_of(event, field);
        let mut mapped = false;
        for (task, step) in TaskIx::each(&t.tasks).flat_map(|(k, task)| task.steps.iter().map(move |s| (k, s))) {
            let is_kept = match step {
                TaskStep::Set { target, source, .. } if of(source) => self.kept[receiver.0][target.0],
                TaskStep::Create { ty, data, .. } if data.iter().any(|(_, s)| of(s)) => {
                    data.iter().any(|(a, s)| of(s) && self.kept[ty.0][a.0])
                }
                TaskStep::Element { bag, change, fields, .. } if fields.iter().any(|(_, s)| of(s)) => {
                    let bag = &t.bags[*bag];
                    let asked = |f: &AttrIx| bag.tests.iter().any(|test| test.field == *f);
                    *change != Change::Replace
                        && bag.regions.iter().any(|r| self.kept[receiver.0][r.counter.0])
                        && fields.iter().any(|(f, s)| of(s) && asked(f))
                }
                TaskStep::Send { fields, .. } if fields.iter().any(|(_, s)| of(s)) => {
                    let mut all = fields.iter().enumerate();
                    all.any(|(at, (_, s))| of(s) && self.carried.contains(&(receiver, task, at)))
                }
                _ => continue,
            };
            if is_kept {
                return true;
            }
            mapped = true;
        }
        !mapped && t.attr(field).is_some_and(|a| self.kept[receiver.0][a.0] && !t.attrs[a].set)
    }

    /// The fields that a message carries and somebody reads.
    fn message(&mut self, ty: TypeIx, task: TaskIx) -> bool {
        let Some(message) = self.app.message(ty, task) else { return false };
        let mut grown = false;
        for (at, (field, source)) in message.fields.iter().enumerate() {
            let Some(field) = self.app.events[message.event].payload.get(*field) else { continue };
            if self.is_read(message.event, &field.name, message.receiver) && self.carried.insert((ty, task, at)) {
                grown = true;
                if let TaskSource::Attr(a) = source {
                    self.kept[ty.0][a.0] = true;
                }
            }
        }
        grown
    }

    /// Sources of copies into kept attributes, to a fixpoint.
    fn copies(&mut self) {
        loop {
            let mut grown = false;
            for (ty, t) in TypeIx::each(&self.app.types) {
                grown |= TaskIx::all(&t.tasks).filter(|task| self.message(ty, *task)).count() > 0;
                for step in t.tasks.iter().flat_map(|t| &t.steps) {
                    let mut keep = |kept: &mut Vec<Vec<bool>>, source: &TaskSource| {
                        if let TaskSource::Attr(a) = source {
                            grown |= !std::mem::replace(&mut kept[ty.0][a.0], true);
                        }
                    };
                    match step {
                        TaskStep::Set { target, source, .. } if self.kept[ty.0][target.0] => {
                            keep(&mut self.kept, source)
                        }
                        TaskStep::Element { bag, fields, .. } => {
                            let bag = &t.bags[*bag];
                            if bag.regions.iter().any(|r| self.kept[ty.0][r.counter.0]) {
                                fields.iter().for_each(|(_, source)| keep(&mut self.kept, source));
                            }
                        }
                        TaskStep::Create { ty: new, data, .. } => {
                            for (attr, source) in data {
                                if self.kept[new.0][attr.0] {
                                    keep(&mut self.kept, source);
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            if !grown {
                return;
            }
        }
    }
}
