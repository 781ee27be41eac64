//! Tasks: what their completion does.

use super::elements::Open;
use super::expr::Ty;
use super::model::Draft;
use super::names::{self, Found};
use crate::lang::gsm::xml::{RawEnd, RawMapping, RawModel, RawStage, RawStep, Word};
use crate::lang::gsm::{Application, AttrIx, DataKind, EventIx, StageIx, TaskIx, TaskSource, TaskStep, TypeIx};
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics, Span};

/// A constant that a task assigns; its code is known once the target's domain is.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The task's type.
    pub ty: TypeIx,
    /// The task.
    pub task: TaskIx,
    /// Position in [`crate::lang::gsm::Task::steps`].
    pub step: usize,
    /// Position in the data of a creation.
    pub datum: Option<usize>,
    /// The attribute that gets it.
    pub target: (TypeIx, AttrIx),
    /// As written.
    pub text: Word,
}

/// Reads the tasks of all types into the draft.
pub fn read(draft: &mut Draft, raw: &RawModel, aliases: &[Vec<String>], diags: &mut Diagnostics) {
    for (ty, component) in raw.components.iter().enumerate() {
        for (at, stage) in component.stages.iter().enumerate() {
            let at = StageIx(at);
            check_place(&draft.app, TypeIx(ty), at, stage, diags);
            let (Some(raw_task), Some(task)) = (stage.tasks.first(), draft.app.types[ty].stages[at].task) else {
                continue;
            };
            let mut reader = TaskReader::new(&draft.app, raw, TypeIx(ty), aliases, diags);
            raw_task.steps.iter().for_each(|step| reader.step(step));
            let (steps, constants) = (reader.steps, reader.constants);
            draft.app.types[ty].tasks[task].steps = steps;
            draft.constants.extend(constants.into_iter().map(|c| Constant { task, ..c }));
        }
    }
}

/// Only an atomic stage has a task, and one.
fn check_place(app: &Application, ty: TypeIx, at: StageIx, stage: &RawStage, diags: &mut Diagnostics) {
    if let (Some(task), false) = (stage.tasks.first(), app.types[ty].stages[at].children.is_empty()) {
        let message = format!("stage '{}' has sub-stages, so it cannot have a task", stage.head.id.text);
        diags.push(Diagnostic::new(&model::TASK_NOT_ATOMIC, task.head.span, message));
    }
    for task in stage.tasks.iter().skip(1) {
        let message = format!("stage '{}' has a second task", stage.head.id.text);
        diags.push(Diagnostic::new(&model::TASK_NOT_ATOMIC, task.head.span, message));
    }
}

pub(super) struct TaskReader<'a> {
    pub app: &'a Application,
    raw: &'a RawModel,
    pub ty: TypeIx,
    aliases: &'a [Vec<String>],
    pub diags: &'a mut Diagnostics,
    pub steps: Vec<TaskStep>,
    constants: Vec<Constant>,
    /// Elements of bags that may get more fields.
    pub open: Vec<Open>,
}

/// Where a mapping's source leads.
pub(super) enum Source {
    Is(TaskSource, Ty, String),
    Constant(Word),
}

impl<'a> TaskReader<'a> {
    fn new(
        app: &'a Application,
        raw: &'a RawModel,
        ty: TypeIx,
        aliases: &'a [Vec<String>],
        diags: &'a mut Diagnostics,
    ) -> TaskReader<'a> {
        TaskReader { app, raw, ty, aliases, diags, steps: Vec::new(), constants: Vec::new(), open: Vec::new() }
    }

    fn step(&mut self, step: &RawStep) {
        match step {
            RawStep::Mapping(mapping) => {
                if let Some((bag, field)) = self.bag_target(mapping, self.ty) {
                    self.element(mapping, bag, field);
                } else if let Some(step) = self.mapping(mapping) {
                    self.steps.push(step);
                }
            }
            RawStep::Invoke { service, mappings, span } => {
                let created = service.text.strip_prefix("Create_").map(|name| names::find_type(self.app, name));
                let step = match created {
                    Some(Found::One(created)) => self.create(created, mappings, *span),
                    _ => self.call(service, mappings, *span),
                };
                self.steps.push(step);
            }
        }
    }

    fn mapping(&mut self, raw: &RawMapping) -> Option<TaskStep> {
        let target = self.target(raw, self.ty)?;
        let attr = &self.app.types[self.ty].attrs[target];
        let kind = raw.kind.as_ref().map_or("set", |k| k.text.as_str());
        match kind {
            "add" if Ty::of(attr.kind) != Ty::Int => {
                let message = format!("'add' counts, but '{}' is {}", attr.path, Ty::of(attr.kind).noun());
                self.diags.push(Diagnostic::new(&model::BAD_MAPPING, raw.span, message));
                None
            }
            "add" => Some(TaskStep::Add { target, span: raw.span }),
            "set" | "" => {
                let source = self.source(raw, (self.ty, target))?;
                if attr.set {
                    return None; // Bags inside of bags are not part of any machine.
                }
                let source = self.settled(source, (self.ty, target), None);
                Some(TaskStep::Set { target, source, span: raw.span })
            }
            other => {
                let span = raw.kind.as_ref().map_or(raw.span, |k| k.span);
                let message = match other {
                    "remove" | "clear" => format!("'{other}' needs a bag, and '{}' is none", attr.path),
                    _ => format!("unknown mapping type '{other}'"),
                };
                self.diags.push(Diagnostic::new(&model::BAD_MAPPING, span, message).help("use 'set' or 'add'"));
                None
            }
        }
    }

    /// A constant waits for the target's domain; its code is 0 until then.
    fn settled(&mut self, source: Source, target: (TypeIx, AttrIx), datum: Option<usize>) -> TaskSource {
        self.settled_at(source, target, self.steps.len(), datum)
    }

    /// The same for a step that is there already.
    pub(super) fn settled_at(
        &mut self,
        source: Source,
        target: (TypeIx, AttrIx),
        step: usize,
        datum: Option<usize>,
    ) -> TaskSource {
        match source {
            Source::Is(source, ..) => source,
            Source::Constant(text) => {
                let ty = self.ty;
                self.constants.push(Constant { ty, task: TaskIx(0), step, datum, target, text });
                TaskSource::Const(0)
            }
        }
    }

    /// The attribute of `ty` that a mapping writes.
    fn target(&mut self, raw: &RawMapping, ty: TypeIx) -> Option<AttrIx> {
        let Some(end) = &raw.target else {
            self.diags.push(Diagnostic::new(&model::BAD_MAPPING, raw.span, "this mapping has no Target"));
            return None;
        };
        self.attribute(end, ty)
    }

    fn attribute(&mut self, end: &RawEnd, ty: TypeIx) -> Option<AttrIx> {
        let Some(path) = end.path.as_ref().or(end.expression.as_ref()).filter(|p| !p.text.is_empty()) else {
            self.diags.push(Diagnostic::new(&model::BAD_MAPPING, end.span, "an XPath to an attribute is missing"));
            return None;
        };
        let t = &self.app.types[ty];
        match names::find_attr_loosely(t, &steps_of(&path.text)) {
            Found::One(attr) => Some(attr),
            Found::Many(paths) => {
                let d = Diagnostic::new(&model::AMBIGUOUS, path.span, format!("'{}' is ambiguous", path.text));
                self.diags.push(d.help(format!("use one of {}", paths.join(", "))));
                None
            }
            Found::Nothing => {
                let last = steps_of(&path.text).last().copied().unwrap_or("");
                let message = format!("'{}' has no attribute '{last}'", t.id);
                let known = t.attrs.iter().flat_map(|a| [a.path.as_str(), names::last_step(&a.path)]);
                self.diags.push(Diagnostic::new(&typing::UNKNOWN_NAME, path.span, message).nearest(last, known));
                None
            }
        }
    }

    /// Where the value comes from, checked against the target's type.
    pub(super) fn source(&mut self, raw: &RawMapping, target: (TypeIx, AttrIx)) -> Option<Source> {
        let Some(end) = &raw.source else {
            self.diags.push(Diagnostic::new(&model::BAD_MAPPING, raw.span, "this mapping has no Source"));
            return None;
        };
        let source = match self.ref_type(end)? {
            "constant" => {
                let Some(text) = end.expression.as_ref().or(end.path.as_ref()) else {
                    let d = Diagnostic::new(&model::BAD_MAPPING, end.span, "this constant has no expression");
                    self.diags.push(d);
                    return None;
                };
                return Some(Source::Constant(text.clone()));
            }
            "artifact" => {
                let attr = self.attribute(end, self.ty)?;
                let a = &self.app.types[self.ty].attrs[attr];
                if a.set {
                    let message = format!("'{}' may occur many times, so that no single value can be copied", a.path);
                    self.diags.push(Diagnostic::new(&model::BAD_MAPPING, end.span, message));
                    return None;
                }
                Source::Is(TaskSource::Attr(attr), Ty::of(a.kind), a.path.clone())
            }
            _ => self.field(end, target)?,
        };
        let wanted = Ty::of(self.app.types[target.0].attrs[target.1].kind);
        match &source {
            Source::Is(_, found, what) if *found != wanted => {
                let path = &self.app.types[target.0].attrs[target.1].path;
                let message = format!("'{what}' is {}, but '{path}' is {}", found.noun(), wanted.noun());
                self.diags.push(Diagnostic::new(&typing::TYPE_MISMATCH, end.span, message));
                None
            }
            _ => Some(source),
        }
    }

    /// `constant`, `artifact` or `serviceRequest`; guessed where the file does not say.
    pub(super) fn ref_type(&mut self, end: &RawEnd) -> Option<&'static str> {
        const KNOWN: [&str; 3] = ["constant", "artifact", "serviceRequest"];
        match &end.ref_type {
            Some(word) if !word.text.is_empty() => {
                let known = KNOWN.iter().find(|k| k.eq_ignore_ascii_case(&word.text)).copied();
                if known.is_none() {
                    let d = Diagnostic::new(&model::BAD_MAPPING, word.span, format!("unknown refType '{}'", word.text));
                    self.diags.push(d.nearest(&word.text, KNOWN));
                }
                known
            }
            _ if end.path.is_none() && end.expression.is_some() => Some("constant"),
            _ if end.ids.iter().any(|id| self.names_own(id, self.ty)) => Some("artifact"),
            _ => Some("serviceRequest"),
        }
    }

    /// Does an id name a type or its data?
    fn names_own(&self, id: &Word, ty: TypeIx) -> bool {
        let t = &self.app.types[ty];
        id.text == t.id || id.text == t.name || self.aliases.get(ty.0).is_some_and(|a| a.contains(&id.text))
    }

    /// A field of the message of an event.
    fn field(&mut self, end: &RawEnd, target: (TypeIx, AttrIx)) -> Option<Source> {
        let Some(path) = end.path.as_ref().or(end.expression.as_ref()).filter(|p| !p.text.is_empty()) else {
            self.diags.push(Diagnostic::new(&model::BAD_MAPPING, end.span, "an XPath to a field is missing"));
            return None;
        };
        let mut events = Vec::new();
        for id in &end.ids {
            events.extend(self.senders(id)?);
        }
        let all: Vec<EventIx> = EventIx::all(&self.app.events).collect();
        let searched = if events.is_empty() { &all } else { &events };
        let steps = steps_of(&path.text);
        let suffixes: Vec<String> = (0..steps.len()).map(|skip| steps[skip..].join(".")).collect();
        let fields = || searched.iter().flat_map(|&e| &self.app.events[e].payload);
        let Some(field) = suffixes.iter().find_map(|s| fields().find(|f| f.name == *s)) else {
            let last = steps.last().copied().unwrap_or("");
            let d = Diagnostic::new(&model::UNKNOWN_FIELD, path.span, format!("no message has a field '{last}'"));
            let d = d.nearest(last, fields().map(|f| f.name.as_str()));
            self.diags.push(d);
            return None;
        };
        // A field named like an attribute has its kind.
        let attr = self.app.types[self.ty].attrs.iter().find(|a| a.path == field.name);
        let mut kind = attr.map_or(field.kind, |a| a.kind);
        if let (DataKind::Reference(_), _) = (self.app.types[target.0].attrs[target.1].kind, kind) {
            // References are sent as ids, whatever the message declares.
            kind = DataKind::Integer;
        }
        let name = field.name.clone();
        Some(Source::Is(TaskSource::Field { name: name.clone(), events }, Ty::of(kind), name))
    }

    /// The events that an id names: an event, or a message of events.
    fn senders(&mut self, id: &Word) -> Option<Vec<EventIx>> {
        if let Found::One(event) = names::find_event(self.app, &id.text) {
            return Some(vec![event]);
        }
        let has = |e: &crate::lang::gsm::xml::RawEvent| {
            e.inputs.iter().any(|m| m.id.as_ref().is_some_and(|w| w.text == id.text))
        };
        let events: Vec<EventIx> =
            self.raw.events.iter().enumerate().filter(|(_, e)| has(e)).map(|(at, _)| EventIx(at)).collect();
        if !events.is_empty() {
            return Some(events);
        }
        let messages = self.raw.events.iter().flat_map(|e| &e.inputs).filter_map(|m| m.id.as_ref());
        let known = self.app.events.iter().flat_map(|e| [e.id.as_str(), e.name.as_str()]);
        let d = Diagnostic::new(&model::UNKNOWN_EVENT, id.span, format!("unknown event '{}'", id.text));
        let d = d.nearest(&id.text, known.chain(messages.map(|w| w.text.as_str())));
        self.diags.push(d.note("sourceId names an event or its message"));
        None
    }

    /// Creation of a slot: reference attributes get the caller's id, mappings give data.
    fn create(&mut self, created: TypeIx, mappings: &[RawMapping], span: Span) -> TaskStep {
        let refers = |kind: DataKind| kind == DataKind::Reference(self.ty);
        let attrs = &self.app.types[created].attrs;
        let references = AttrIx::all(attrs).filter(|&a| refers(attrs[a].kind) && !attrs[a].set).collect();
        let mut data = Vec::new();
        for mapping in mappings {
            if let Some((bag, _)) = self.bag_target(mapping, created) {
                let path = &self.app.types[created].bags[bag].path;
                let message = format!("the bag '{path}' of a new instance is empty and cannot be given elements here");
                self.diags.push(Diagnostic::new(&model::BAD_MAPPING, mapping.span, message));
                continue;
            }
            let Some(target) = self.target(mapping, created) else { continue };
            let Some(source) = self.source(mapping, (created, target)) else { continue };
            if !self.app.types[created].attrs[target].set {
                data.push((target, self.settled(source, (created, target), Some(data.len()))));
            }
        }
        TaskStep::Create { ty: created, references, data, span }
    }

    /// A call of a service: its answer fills the caller's attributes among the targets.
    fn call(&mut self, service: &Word, mappings: &[RawMapping], span: Span) -> TaskStep {
        let (mut fills, mut bags) = (Vec::new(), Vec::new());
        for mapping in mappings {
            let Some(end) = mapping.target.as_ref() else { continue };
            let elsewhere = end.ref_type.as_ref().is_some_and(|r| !r.text.eq_ignore_ascii_case("artifact"));
            let foreign = end.ref_type.is_none() && end.ids.iter().any(|id| !self.names_own(id, self.ty));
            if elsewhere || foreign {
                continue;
            }
            if let Some((bag, _)) = self.bag_target(mapping, self.ty) {
                bags.extend((!bags.contains(&bag)).then_some(bag));
            } else if let Some(attr) = self.attribute(end, self.ty)
                && !self.app.types[self.ty].attrs[attr].set
                && !fills.contains(&attr)
            {
                fills.push(attr);
            }
        }
        TaskStep::Call { service: service.text.clone(), fills, bags, span }
    }
}

/// The names in an XPath: `/CustomerOrder/@Parts` has the steps `CustomerOrder`, `Parts`.
pub(super) fn steps_of(path: &str) -> Vec<&str> {
    fn name(step: &str) -> &str {
        let step = step.trim().trim_start_matches('@');
        let step = step.rsplit(':').next().unwrap_or(step);
        step.split('[').next().unwrap_or(step).trim()
    }
    path.split(['/', '.']).map(name).filter(|s| !s.is_empty() && *s != "text()").collect()
}
