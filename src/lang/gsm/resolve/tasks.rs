//! Tasks: what their completion does.

use super::elements::Open;
use super::expr::Ty;
use super::model::Draft;
use super::names::{self, Found};
use crate::lang::gsm::domains::Key;
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
    /// Position in the data of a creation or message.
    pub datum: Option<usize>,
    /// What gets it.
    pub target: Key,
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
            reader.only_step(raw_task.steps.len());
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
    pub(super) raw: &'a RawModel,
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

/// What a mapping writes: an attribute, or a field of a message.
pub(super) struct Target {
    pub key: Key,
    kind: DataKind,
    path: String,
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
            RawStep::Invoke { service, what, to, mappings, span } => {
                let created = service.text.strip_prefix("Create_").map(|name| names::find_type(self.app, name));
                let step = match (created, self.sent_event(service, *what)) {
                    (_, Err(())) => return,
                    (_, Ok(Some(event))) => self.send(event, to.as_ref(), mappings, *span),
                    (Some(Found::One(created)), _) => Some(self.create(created, mappings, *span)),
                    _ => Some(self.call(service, mappings, *span)),
                };
                self.steps.extend(step);
            }
        }
    }

    fn mapping(&mut self, raw: &RawMapping) -> Option<TaskStep> {
        self.ignored_parts(raw, self.ty);
        let target = self.target(raw, self.ty)?;
        let attr = &self.app.types[self.ty].attrs[target];
        let kind = raw.kind.as_ref().map_or("set", |k| k.text.as_str());
        match kind {
            "add" if Ty::of(attr.kind) != Ty::Int => {
                let message = format!("'add' counts, but '{}' is {}", attr.path, Ty::of(attr.kind).noun());
                self.diags.push(Diagnostic::new(&model::BAD_MAPPING, raw.span, message));
                None
            }
            "add" if raw.source.as_ref().is_some_and(|s| !is_one(s)) => {
                let message = format!("'add' counts '{}' up by one: its Source is ignored", attr.path);
                self.diags.push(Diagnostic::new(&model::MAPPING_PART, raw.span, message));
                Some(TaskStep::Add { target, span: raw.span })
            }
            "add" => Some(TaskStep::Add { target, span: raw.span }),
            "set" | "" => {
                let source = self.source(raw, &self.attribute_of(self.ty, target))?;
                if attr.set {
                    return None; // Bags inside of bags are not part of any machine.
                }
                let source = self.settled(source, Key::Attr(self.ty, target), None);
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

    /// Warns of what a mapping says and nobody reads. It writes attributes of `ty`.
    pub(super) fn ignored_parts(&mut self, raw: &RawMapping, ty: TypeIx) {
        let mut found: Vec<(Span, String)> = Vec::new();
        let mut tell = |span: Span, message: String| found.push((span, message));
        let own = |ids: &[Word], ty: TypeIx| ids.iter().find(|id| !self.names_own(id, ty)).cloned();
        let artifact = |end: &RawEnd| end.ref_type.as_ref().is_none_or(|r| r.text.eq_ignore_ascii_case("artifact"));
        if let Some(target) = &raw.target {
            let id = &self.app.types[ty].id;
            if let Some(other) = own(&target.ids, ty) {
                tell(other.span, format!("targetId '{}' is ignored: an attribute of '{id}' is written", other.text));
            }
            if let Some(word) = target.ref_type.as_ref().filter(|_| !artifact(target)) {
                tell(word.span, format!("refType '{}' is ignored: an attribute of '{id}' is written", word.text));
            }
        }
        if let Some(source) = raw.source.as_ref().filter(|s| s.ref_type.is_some() && artifact(s))
            && let Some(other) = own(&source.ids, self.ty)
        {
            let id = &self.app.types[self.ty].id;
            tell(other.span, format!("sourceId '{}' is ignored: an attribute of '{id}' is read", other.text));
        }
        for end in raw.source.iter().chain(&raw.target) {
            let constant = end.ref_type.as_ref().is_some_and(|r| r.text.eq_ignore_ascii_case("constant"));
            if let (Some(path), Some(expression)) = (&end.path, &end.expression) {
                let (ignored, span) = if constant { ("XPath", path.span) } else { ("expression", expression.span) };
                tell(span, format!("'{ignored}' is ignored beside the other"));
            }
        }
        let told = |(span, message)| Diagnostic::new(&model::MAPPING_PART, span, message);
        found.into_iter().map(told).for_each(|d| self.diags.push(d));
    }

    /// A constant waits for the target's domain; its code is 0 until then.
    pub(super) fn settled(&mut self, source: Source, target: Key, datum: Option<usize>) -> TaskSource {
        self.settled_at(source, target, self.steps.len(), datum)
    }

    /// The same for a step that is there already.
    pub(super) fn settled_at(&mut self, source: Source, target: Key, step: usize, datum: Option<usize>) -> TaskSource {
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

    /// An attribute that a mapping writes.
    pub(super) fn attribute_of(&self, ty: TypeIx, attr: AttrIx) -> Target {
        let a = &self.app.types[ty].attrs[attr];
        Target { key: Key::Attr(ty, attr), kind: a.kind, path: a.path.clone() }
    }

    /// A field of a message that a mapping writes: where the receiver has an attribute of its name, that.
    pub(super) fn field_of(&self, event: EventIx, at: usize, receiver: TypeIx) -> Option<Target> {
        let field = self.app.events[event].payload.get(at)?;
        Some(match self.app.own_attr(field, receiver) {
            Some(attr) => self.attribute_of(receiver, attr),
            None => Target { key: Key::Field(event, at), kind: field.kind, path: field.name.clone() },
        })
    }

    /// Where the value comes from, checked against the target's type.
    pub(super) fn source(&mut self, raw: &RawMapping, target: &Target) -> Option<Source> {
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
        let wanted = Ty::of(target.kind);
        match &source {
            Source::Is(_, found, what) if *found != wanted => {
                let path = &target.path;
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
    fn field(&mut self, end: &RawEnd, target: &Target) -> Option<Source> {
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
        if let (DataKind::Reference(_), _) = (target.kind, kind) {
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
            self.ignored_parts(mapping, created);
            self.ignored_type(mapping);
            let Some(target) = self.target(mapping, created) else { continue };
            let Some(source) = self.source(mapping, &self.attribute_of(created, target)) else { continue };
            if !self.app.types[created].attrs[target].set {
                data.push((target, self.settled(source, Key::Attr(created, target), Some(data.len()))));
            }
        }
        TaskStep::Create { ty: created, references, data, span }
    }

    /// A mapping of an `Invoke` sets.
    pub(super) fn ignored_type(&mut self, mapping: &RawMapping) {
        if let Some(kind) = mapping.kind.as_ref().filter(|k| !matches!(k.text.as_str(), "" | "set")) {
            let message = format!("type '{}' is ignored in an Invoke: the attribute is set", kind.text);
            self.diags.push(Diagnostic::new(&model::MAPPING_PART, kind.span, message));
        }
    }

    /// A call of a service: its answer fills the caller's attributes among the targets.
    fn call(&mut self, service: &Word, mappings: &[RawMapping], span: Span) -> TaskStep {
        let (mut fills, mut bags) = (Vec::new(), Vec::new());
        for mapping in mappings {
            self.ignored_type(mapping);
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

/// Is it the constant by which 'add' counts?
fn is_one(end: &RawEnd) -> bool {
    end.path.is_none() && end.expression.as_ref().is_some_and(|e| e.text == "1")
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
