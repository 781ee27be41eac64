//! The application itself: types, stages, milestones, events, sentries.

use super::data::{self, Declared, Facets};
use super::events::{event_ids, lists_some, warn_unused};
use super::names;
use super::schemas::Schemas;
use super::tasks::{self, Constant};
use super::{Place, Resolver, holds};
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::xml::{
    Dialect, RawComponent, RawEvent, RawEvents, RawExpression, RawMilestone, RawModel, RawSentry, Word,
};
use crate::lang::gsm::{
    Application, ArtifactType, DataKind, Event, Expr, ExprKind, Guard, Milestone, MilestoneIx, Options, Sentry, Stage,
    StageIx, Task, TaskIx,
};
use crate::lang::syntax::{self, Dialect as Language, Name};
use crate::source::codes::{files, model, typing};
use crate::source::{Diagnostic, Diagnostics, Severity, Sources, Span};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Findings after which reading stops: every one of them looks for near names, which takes time.
const MAX_FINDINGS: usize = 1_000;

/// What beside the XML shapes the model.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// The model's folder; files it refers to lie there or below.
    pub folder: PathBuf,
    /// Schema files named by the user.
    pub schemas: Vec<PathBuf>,
    /// Numbers of slots.
    pub bounds: Vec<(Name, u32)>,
    /// Reference attributes (`Type.attr`) and the types they refer to.
    pub relations: Vec<(Name, Name)>,
    /// Data is going to be taken without bounds.
    pub unbounded: bool,
}

/// An application whose domains are not settled yet.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The application; agents and roles are filled in by their reader.
    pub app: Application,
    /// Facets of every attribute, type by type.
    pub facets: Vec<Vec<Facets>>,
    /// Facets of every payload field, event by event.
    pub field_facets: Vec<Vec<Facets>>,
    /// Everything that events carry as their messages declare it, event by event.
    pub messages: Vec<Vec<Declared>>,
    /// Constants that tasks assign, still as text.
    pub constants: Vec<Constant>,
    /// Some data could not be read, so that names of attributes cannot be judged. An error says why.
    pub incomplete: bool,
}

/// Builds the application of a file. `None` when there is nothing to build on; mistakes are reported and built around.
pub fn build(raw: &RawModel, options: &ModelOptions, sources: &mut Sources, diags: &mut Diagnostics) -> Option<Draft> {
    if raw.components.is_empty() {
        let d = Diagnostic::new(&model::NO_TYPES, raw.span, "the model has no artifact type");
        let notation = sources.file(raw.span.file).is_some_and(|f| f.name.ends_with(".gsm"));
        diags.push(d.help(match notation {
            true => "write one: type Order { stage Paying { guard Ordered on create } }",
            false => "an artifact type is a 'Component' element",
        }));
        return None;
    }
    let file = sources.file(raw.span.file).map(|f| f.name.clone()).unwrap_or_default();
    duplicates(raw, sources, diags);
    let name = raw.name.as_ref().map(|n| n.text.clone()).filter(|n| !n.is_empty()).unwrap_or(file);
    let (types, events) = (Vec::new(), Vec::new());
    let (roles, texts) = (Vec::new(), Vec::new());
    let app = Application {
        name,
        types,
        events,
        roles,
        agents: None,
        options: Options { unbounded: options.unbounded, ..Options::default() },
        texts,
        parts: 0,
        unit: 10,
        seconds: false,
        guesses: Vec::new(),
        rounded: Vec::new(),
        constants: Vec::new(),
    };
    let mut draft = Draft {
        app,
        facets: Vec::new(),
        field_facets: Vec::new(),
        messages: Vec::new(),
        constants: Vec::new(),
        incomplete: false,
    };
    let unreadable = |diags: &Diagnostics| diags.iter().filter(|d| hides_data(d)).count();
    let before = unreadable(diags);
    let mut schemas = Schemas::new(&options.folder, &options.schemas, sources);
    let mut aliases = Vec::new();
    for component in &raw.components {
        let data = data::type_data(component, raw.dialect, &mut schemas, diags);
        let mut ty = skeleton(component);
        (ty.attrs, ty.bags) = (data.attrs, data.bags);
        draft.app.types.push(ty);
        draft.facets.push(data.facets);
        aliases.push(data.aliases);
    }
    draft.events(raw, &mut schemas, diags);
    draft.incomplete = unreadable(diags) > before;
    draft.settings(options, diags);
    let mut found = Diagnostics::new();
    draft.sentries(raw, &aliases, &mut found);
    tasks::read(&mut draft, raw, &aliases, &mut found);
    for d in found.iter().filter(|d| !(draft.incomplete && about_data(d))) {
        diags.push(d.clone());
    }
    if diags.len() > MAX_FINDINGS {
        let d = Diagnostic::new(&files::TOO_MANY, raw.span, "too many mistakes; the rest is not shown");
        diags.push(d);
    }
    if !diags.has_errors() {
        holds::warn_unreachable(&draft.app, diags);
        warn_unused(&draft.app, diags);
        holds::warn_never(&draft.app, diags);
    }
    Some(draft)
}

/// An error that leaves attributes or fields unknown.
fn hides_data(d: &Diagnostic) -> bool {
    d.severity() == Severity::Error && d.code != &model::BAD_FACET
}

/// A finding that may only follow from data that could not be read.
fn about_data(d: &Diagnostic) -> bool {
    [&typing::UNKNOWN_NAME, &model::UNKNOWN_FIELD, &model::BAD_MAPPING].contains(&d.code)
}

/// Reports ids that are used twice within their kind.
fn duplicates(raw: &RawModel, sources: &Sources, diags: &mut Diagnostics) {
    let mut check = |kind: &str, ids: &mut dyn Iterator<Item = &Word>| {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for id in ids {
            let Some(first) = seen.insert(&id.text, id.span) else { continue };
            let d = match kind {
                "sentry" => {
                    let message = format!("another guard or condition is called '{}' too", id.text);
                    Diagnostic::new(&model::SAME_SENTRY_ID, id.span, message)
                }
                _ => Diagnostic::new(&model::DUPLICATE_ID, id.span, format!("{kind} id '{}' is used twice", id.text)),
            };
            diags.push(d.note(format!("first used at {}", sources.place(first))));
        }
    };
    check("artifact type", &mut raw.components.iter().map(|c| &c.head.id));
    check("event", &mut raw.events.iter().map(|e| &e.head.id));
    for component in &raw.components {
        let stages = || component.stages.iter();
        check("stage", &mut stages().map(|s| &s.head.id));
        check("milestone", &mut stages().flat_map(|s| &s.milestones).map(|m| &m.head.id));
        check("task", &mut stages().flat_map(|s| &s.tasks).map(|t| &t.head.id));
        check("sentry", &mut stages().flat_map(|s| s.sentries()).map(|s| &s.id));
    }
}

/// A type with everything that has a name, and no sentries yet.
fn skeleton(raw: &RawComponent) -> ArtifactType {
    let mut ty = ArtifactType {
        id: raw.head.id.text.clone(),
        name: raw.head.name.clone(),
        description: raw.head.description.clone(),
        span: raw.head.span,
        bound: 1,
        attrs: Vec::new(),
        bags: Vec::new(),
        stages: Vec::new(),
        milestones: Vec::new(),
        tasks: Vec::new(),
    };
    for stage in &raw.stages {
        let at = StageIx::next(&ty.stages);
        let milestones = stage.milestones.iter().map(|m| {
            ty.milestones.push(Milestone {
                id: m.head.id.text.clone(),
                name: m.head.name.clone(),
                description: m.head.description.clone(),
                span: m.head.span,
                stage: at,
                achieving: Vec::new(),
                invalidating: Vec::new(),
            });
            MilestoneIx(ty.milestones.len() - 1)
        });
        let milestones = milestones.collect();
        let task = stage.tasks.first().map(|task| {
            let (id, name) = (task.head.id.text.clone(), task.head.name.clone());
            let description = task.head.description.clone();
            ty.tasks.push(Task { id, name, description, span: task.head.span, stage: at, steps: Vec::new() });
            TaskIx(ty.tasks.len() - 1)
        });
        ty.stages.push(Stage {
            id: stage.head.id.text.clone(),
            name: stage.head.name.clone(),
            description: stage.head.description.clone(),
            span: stage.head.span,
            parent: stage.parent.map(StageIx),
            children: Vec::new(),
            guards: Vec::new(),
            milestones,
            task,
            flow_guards: Vec::new(),
            fault_loggers: Vec::new(),
        });
        if let Some(parent) = stage.parent.and_then(|p| ty.stages.get_mut(p)) {
            parent.children.push(at);
        }
    }
    ty
}

impl Draft {
    fn events(&mut self, raw: &RawModel, schemas: &mut Schemas, diags: &mut Diagnostics) {
        for event in &raw.events {
            let data::Payload { fields: mut payload, mut facets, bags, declared } =
                data::payload(&event.inputs, schemas, diags);
            if raw.dialect == Dialect::EGsm && event.inputs.is_empty() && event.outputs.is_empty() {
                (payload, facets) = self.item_payload(&event.head.id.text);
            }
            self.field_facets.push(facets);
            self.messages.push(declared);
            self.app.events.push(Event {
                id: event.head.id.text.clone(),
                name: event.head.name.clone(),
                description: event.head.description.clone(),
                span: event.head.span,
                creates: self.creates(event),
                declared: true,
                outgoing: event.inputs.is_empty() && !event.outputs.is_empty(),
                payload,
                bags,
            });
        }
        for (ty, t) in TypeIx::each(&self.app.types) {
            if !self.app.events.iter().any(|e| e.creates == Some(ty)) {
                let id = format!("Create_{}", t.id);
                let event = Event {
                    name: id.clone(),
                    id,
                    description: None,
                    span: t.span,
                    creates: Some(ty),
                    declared: false,
                    outgoing: false,
                    payload: Vec::new(),
                    bags: Vec::new(),
                };
                self.app.events.push(event);
                self.field_facets.push(Vec::new());
                self.messages.push(Vec::new());
            }
        }
    }

    /// The type that an event creates, by its id or name `Create_<Type>`.
    fn creates(&self, event: &RawEvent) -> Option<TypeIx> {
        let created = |text: &str| match names::find_type(&self.app, text.strip_prefix("Create_")?) {
            names::Found::One(ty) => Some(ty),
            _ => None,
        };
        created(&event.head.id.text).or_else(|| created(&event.head.name))
    }

    /// The E-GSM events `Truck_l` and `Truck_e` carry the attributes of the data item `Truck`.
    fn item_payload(&self, event: &str) -> (Vec<crate::lang::gsm::Field>, Vec<Facets>) {
        let mut out = (Vec::new(), Vec::new());
        let Some(item) = event.strip_suffix("_l").or_else(|| event.strip_suffix("_e")) else { return out };
        for (t, facets) in self.app.types.iter().zip(&self.facets) {
            for (attr, facets) in t.attrs.iter().zip(facets) {
                let of_item = attr.path == item || attr.path.strip_prefix(item).is_some_and(|r| r.starts_with('.'));
                if of_item && !attr.set && !out.0.iter().any(|f: &crate::lang::gsm::Field| f.name == attr.path) {
                    let (name, kind, domain) = (attr.path.clone(), attr.kind, attr.domain.clone());
                    out.0.push(crate::lang::gsm::Field { name, kind, domain, wide: attr.wide });
                    out.1.push(facets.clone());
                }
            }
        }
        out
    }

    /// Bounds and reference attributes.
    fn settings(&mut self, options: &ModelOptions, diags: &mut Diagnostics) {
        for (name, bound) in &options.bounds {
            if let Some(ty) = names::artifact_type(&self.app, name, diags) {
                self.app.types[ty].bound = (*bound).max(1);
            }
        }
        let parents: Vec<(String, usize)> = self
            .app
            .types
            .iter()
            .enumerate()
            .flat_map(|(ty, t)| [(format!("Parent{}", t.id), ty), (format!("Parent{}", t.name), ty)])
            .collect();
        for attr in self.app.types.iter_mut().flat_map(|t| &mut t.attrs) {
            let last = names::last_step(&attr.path);
            if let Some((_, ty)) = parents.iter().find(|(name, _)| name == last) {
                attr.kind = DataKind::Reference(TypeIx(*ty));
            }
        }
        let mut found = Diagnostics::new();
        for (attr, ty) in &options.relations {
            let referred = names::artifact_type(&self.app, ty, &mut found);
            let at = names::typed_attribute(&self.app, attr, &mut found);
            if let (Some((ty, attr)), Some(referred)) = (at, referred) {
                self.app.types[ty].attrs[attr].kind = DataKind::Reference(referred);
            }
        }
        for d in found.iter().filter(|d| !(self.incomplete && about_data(d))) {
            diags.push(d.clone());
        }
    }

    fn sentries(&mut self, raw: &RawModel, aliases: &[Vec<String>], diags: &mut Diagnostics) {
        let egsm = raw.dialect == Dialect::EGsm;
        for (ty, component) in raw.components.iter().enumerate() {
            let mut reader = SentryReader { app: &self.app, ty, egsm, aliases: &aliases[ty], diags };
            let mut stages = Vec::new();
            let mut milestones = Vec::new();
            for stage in &component.stages {
                let guards = reader.all(&stage.guards, "guard", None);
                let flow_guards = reader.all(&stage.flow_guards, "process flow guard", None);
                let fault_loggers = reader.all(&stage.fault_loggers, "fault logger", None);
                stages.push((guards, flow_guards, fault_loggers));
                milestones.extend(stage.milestones.iter().map(|m| reader.milestone(m)));
            }
            let t = &mut self.app.types[ty];
            for (stage, (guards, flow_guards, fault_loggers)) in t.stages.iter_mut().zip(stages) {
                (stage.guards, stage.flow_guards, stage.fault_loggers) = (guards, flow_guards, fault_loggers);
            }
            for (milestone, (achieving, invalidating)) in t.milestones.iter_mut().zip(milestones) {
                (milestone.achieving, milestone.invalidating) = (achieving, invalidating);
            }
        }
    }
}

/// Resolves the sentries of one type.
struct SentryReader<'a> {
    app: &'a Application,
    ty: usize,
    egsm: bool,
    aliases: &'a [String],
    diags: &'a mut Diagnostics,
}

impl SentryReader<'_> {
    fn milestone(&mut self, raw: &RawMilestone) -> (Vec<Guard>, Vec<Guard>) {
        let achieving = self.all(&raw.achieving, "condition", raw.events.as_ref());
        (achieving, self.all(&raw.invalidating, "invalidating condition", None))
    }

    fn all(&mut self, raw: &[RawSentry], kind: &str, events: Option<&RawEvents>) -> Vec<Guard> {
        raw.iter().map(|sentry| self.one(sentry, kind, events)).collect()
    }

    /// A sentry; `inherited` are the milestone's events, for a condition that has none of its own.
    fn one(&mut self, raw: &RawSentry, kind: &str, inherited: Option<&RawEvents>) -> Guard {
        if self.diags.len() > MAX_FINDINGS {
            let sentry = Sentry { span: raw.span, events: Vec::new(), expr: Expr::truth(raw.span) };
            return Guard { id: raw.id.text.clone(), name: raw.name.clone(), sentry };
        }
        let own = raw.events.as_ref().and_then(|t| event_ids(self.app, t, self.diags));
        let listed = own.or_else(|| inherited.and_then(|t| event_ids(self.app, t, self.diags)));
        let mut expr = self.expression(raw, kind).unwrap_or_else(|| Expr::truth(raw.span));
        let events = listed.unwrap_or_default();
        if events.is_empty() && self.waits_in_vain(raw, inherited) {
            expr.kind = ExprKind::Bool(false);
        }
        let sentry = Sentry { span: raw.span, events, expr };
        Guard { id: raw.id.text.clone(), name: raw.name.clone(), sentry }
    }

    /// Events are listed, but none of them exists.
    fn waits_in_vain(&self, raw: &RawSentry, inherited: Option<&RawEvents>) -> bool {
        raw.events.as_ref().is_some_and(lists_some) || inherited.is_some_and(lists_some)
    }

    fn expression(&mut self, raw: &RawSentry, kind: &str) -> Option<Expr> {
        if let Some(language) = &raw.language {
            let known = ["", "JEXL", "OCL"].iter().any(|l| l.eq_ignore_ascii_case(&language.text));
            if !known {
                let message = format!("unknown expression language '{}'", language.text);
                let d = Diagnostic::new(&model::UNKNOWN_LANGUAGE, language.span, message);
                self.diags.push(d.help("use JEXL or OCL"));
                return None;
            }
        }
        let (read, notation) = match raw.expression.as_ref()? {
            RawExpression::Text(text) if text.is_blank() => return None,
            RawExpression::Text(text) => (syntax::expression(text, Language::Sentry), false),
            RawExpression::Read(ast) => (Ok(ast.clone()), true),
        };
        match read {
            Ok(ast) => {
                let place = Place::Sentry { ty: TypeIx(self.ty), egsm: self.egsm, notation, aliases: self.aliases };
                Resolver::new(self.app, place, self.diags).boolean(&ast)
            }
            Err(d) => {
                self.diags.push(d.note(format!("in the expression of {kind} '{}'", raw.id.text)));
                None
            }
        }
    }
}
