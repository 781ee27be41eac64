//! From the XML of an E-GSM file to its [`Model`]: names looked up, listeners listed, slips told.

use super::model::{Condition, Event, Item, Kind, Model, Sentry, Stage, StageIx};
use super::sentry::{self, Mention, Names};
use crate::lang::gsm::resolve::Schemas;
use crate::lang::gsm::xml::{RawMilestone, RawModel, RawSentry, Word};
use crate::lang::gsm::xsd::XsdField;
use crate::source::codes::egsm as codes;
use crate::source::{Code, Diagnostic, Diagnostics, Span};
use std::collections::BTreeMap;

/// A sentry whose conditions are still to be read.
struct Pending<'a> {
    /// One of them must hold.
    parts: Vec<&'a RawSentry>,
    /// The milestone, if it is one.
    of: Option<&'a RawMilestone>,
}

/// Builds the model; `None` when nothing can be built.
pub fn build(raw: &RawModel, schemas: &mut Schemas, diags: &mut Diagnostics) -> Option<Model> {
    let [component] = raw.components.as_slice() else {
        let span = raw.components.get(1).map_or(raw.span, |c| c.head.span);
        let what = if raw.components.is_empty() { "no Component" } else { "a second Component" };
        refuse(diags, span, format!("the file has {what}"));
        return None;
    };
    let name = raw.name.as_ref().map_or_else(|| component.head.name.clone(), |n| n.text.clone());
    let component_id = component.head.id.text.clone();
    let mut model = Model { name, component: component_id, ..Model::default() };
    let mut pending = Vec::new();
    for (ix, s) in component.stages.iter().enumerate() {
        if let Some(task) = s.tasks.first() {
            refuse(diags, task.head.span, format!("stage '{}' has a task", s.head.id.text));
        }
        if let Some(parent) = s.parent.and_then(|p| model.stages.get_mut(p)) {
            parent.children.push(ix);
        }
        let first = model.sentries.len();
        let lists = [(Kind::Guard, &s.guards), (Kind::Flow, &s.flow_guards), (Kind::Fault, &s.fault_loggers)];
        for (kind, list) in lists {
            for g in list {
                declare(&mut model, kind, ix, g.id.text.clone(), g.span);
                pending.push(Pending { parts: vec![g], of: None });
            }
        }
        for m in &s.milestones {
            declare(&mut model, Kind::Milestone, ix, m.head.id.text.clone(), m.head.span);
            pending.push(Pending { parts: conditions(m, diags), of: Some(m) });
        }
        model.stages.push(Stage {
            id: s.head.id.text.clone(),
            name: s.head.name.clone(),
            span: s.head.span,
            parent: s.parent,
            children: Vec::new(),
            sentries: (first..model.sentries.len()).collect(),
            listeners: Vec::new(),
            named: Vec::new(),
        });
    }
    events(raw, &mut model, diags);
    carried(raw, diags);
    items(raw, &mut model, schemas, diags);
    twice(model.stages.iter().map(|s| (s.id.as_str(), s.span)), "stages", diags);
    twice(model.sentries.iter().map(|s| (s.id.as_str(), s.span)), "sentries", diags);
    resolve(&mut model, &pending, diags);
    Some(model)
}

fn refuse(diags: &mut Diagnostics, span: Span, message: String) {
    let d = Diagnostic::new(&codes::NOT_IN_EGSM, span, message);
    diags.push(d.help("an E-GSM model has one component and no tasks; for plain GSM say --profile gsm"));
}

fn declare(model: &mut Model, kind: Kind, stage: StageIx, id: String, span: Span) {
    let condition = Condition::Const(false);
    model.sentries.push(Sentry { id, kind, stage, condition, span, listeners: Vec::new() });
}

fn conditions<'a>(m: &'a RawMilestone, diags: &mut Diagnostics) -> Vec<&'a RawSentry> {
    if let Some(c) = m.invalidating.first() {
        refuse(diags, c.span, format!("milestone '{}' has an InvalidateCondition", m.head.id.text));
    }
    if m.achieving.is_empty() {
        let message = format!("milestone '{}' has no Condition, so it is never achieved", m.head.id.text);
        diags.push(Diagnostic::new(&codes::NEVER_ACHIEVED, m.head.span, message));
    }
    m.achieving.iter().collect()
}

fn twice<'a>(all: impl Iterator<Item = (&'a str, Span)>, what: &str, diags: &mut Diagnostics) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (id, span) in all {
        if seen.insert(id, span).is_some() {
            let message = format!("two {what} are called '{id}'");
            diags.push(Diagnostic::new(&codes::SAME_ID, span, message).help("give each an id of its own"));
        }
    }
}

fn events(raw: &RawModel, model: &mut Model, diags: &mut Diagnostics) {
    for e in &raw.events {
        let id = &e.head.id;
        if model.events.iter().any(|known| known.id == id.text) {
            continue;
        }
        if e.head.name != id.text {
            let message = format!("event '{}' is named '{}'; its id counts", id.text, e.head.name);
            diags.push(Diagnostic::new(&codes::OTHER_NAME, e.head.span, message));
        }
        let twice = model.stages.iter().any(|s| s.id == id.text);
        let event = Event { id: id.text.clone(), span: e.head.span, listeners: Vec::new(), twice, of_item: false };
        model.events.push(event);
    }
}

/// Events carry nothing.
fn carried(raw: &RawModel, diags: &mut Diagnostics) {
    let said: Vec<_> = raw.events.iter().filter(|e| !e.inputs.is_empty() || !e.outputs.is_empty()).collect();
    if let Some(first) = said.first() {
        let names: Vec<&str> = said.iter().map(|e| e.head.id.text.as_str()).collect();
        let message = format!("what events carry is ignored: {}", names.join(", "));
        diags.push(Diagnostic::new(&codes::NOT_READ, first.head.span, message));
    }
}

/// Items are the elements of the schema that have a `status`.
fn items(raw: &RawModel, model: &mut Model, schemas: &mut Schemas, diags: &mut Diagnostics) {
    let uris: Vec<&Word> = raw.components.iter().flat_map(|c| &c.items).filter_map(|i| i.schema.as_ref()).collect();
    let mut elements: Vec<String> = Vec::new();
    let inline = raw.components.iter().flat_map(|c| &c.items).filter_map(|i| i.fields.as_ref()).flatten();
    let mut unread: Vec<XsdField> = Vec::new();
    inline.for_each(|field| add_item(field, &mut elements, model, &mut unread, diags));
    let found: Vec<_> = uris.iter().filter_map(|uri| schemas.get(uri, diags)).collect();
    for schema in found {
        elements.extend(schema.elements.iter().map(|e| e.name.clone()));
        schema.all_fields(diags).iter().for_each(|field| add_item(field, &mut elements, model, &mut unread, diags));
    }
    // Events may have elements of their own.
    unread.retain(|f| model.events.iter().all(|e| e.id != f.path));
    if let Some(first) = unread.first() {
        let names: Vec<&str> = unread.iter().map(|f| f.path.as_str()).collect();
        let message = format!("data that is no item's status is ignored: {}", names.join(", "));
        diags.push(Diagnostic::new(&codes::NOT_READ, first.span, message));
    }
    for item in &mut model.items {
        let find = |suffix: &str| model.events.iter().position(|e| e.id == format!("{}{suffix}", item.id));
        match (find("_l"), find("_e")) {
            (Some(leave), Some(enter)) => item.raises = Some((leave, enter)),
            _ => {
                let message = format!("changes of '{}' are not heard", item.id);
                let help = format!("declare both events '{0}_l' and '{0}_e'", item.id);
                diags.push(Diagnostic::new(&codes::UNHEARD_ITEM, item.span, message).help(help));
            }
        }
    }
    for event in &mut model.events {
        event.of_item =
            model.items.iter().any(|i| event.id == format!("{}_l", i.id) || event.id == format!("{}_e", i.id));
        if !uris.is_empty() && !event.of_item && !elements.contains(&event.id) {
            let message = format!("event '{}' has no element in the schema", event.id);
            diags.push(Diagnostic::new(&codes::NO_ELEMENT, event.span, message));
        }
    }
}

/// An item, if the field is a `status`.
fn add_item(
    field: &XsdField,
    elements: &mut Vec<String>,
    model: &mut Model,
    unread: &mut Vec<XsdField>,
    diags: &mut Diagnostics,
) {
    let Some(path) = field.path.strip_suffix(".status") else {
        if unread.iter().all(|f| f.path != field.path) {
            unread.push(field.clone());
        }
        return;
    };
    if let Some(value) = &field.initial {
        let message = format!("the initial value of '{}' is ignored: at the start it is not set", field.path);
        diags.push(Diagnostic::new(&codes::NOT_READ, value.span, message));
    }
    let id = path.rsplit('.').next().unwrap_or(path);
    elements.push(id.to_string());
    if model.items.iter().all(|i| i.id != id) {
        let item = Item { id: id.into(), span: field.span, values: vec![], raises: None, listeners: vec![] };
        model.items.push(item);
    }
}

/// `eventIds` of a milestone plays no part either.
fn check_event_ids(milestone: &RawMilestone, mentions: &[Mention], diags: &mut Diagnostics) {
    let mut unasked = sentry::listed(milestone.events.as_ref());
    unasked.retain(|event| mentions.iter().all(|m| m.id != *event));
    if let (Some(first), false) = (unasked.first(), milestone.achieving.is_empty()) {
        let (id, names) = (&milestone.head.id.text, unasked.join("', '"));
        let message = format!("eventIds of '{id}' lists '{names}', which no condition of it asks for");
        let d = Diagnostic::new(&codes::EVENT_IDS, milestone.head.span, message);
        diags.push(d.help(format!("it is ignored: write GSM.isEventOccurring({first}) into the condition")));
    }
}

/// Reads every condition, then lists who listens to what and whom a violation passes over.
fn resolve(model: &mut Model, pending: &[Pending], diags: &mut Diagnostics) {
    for (x, Pending { parts, of }) in pending.iter().enumerate() {
        let mut alternatives = Vec::new();
        let mut mentions = Vec::new();
        for part in parts {
            let mut names = Names { model, mentions: &mut mentions, diags };
            alternatives.push(sentry::condition(part, &mut names));
        }
        if let Some(milestone) = of {
            check_event_ids(milestone, &mentions, diags);
        }
        let condition = match alternatives.len() {
            0 => Condition::Const(false),
            1 => alternatives.remove(0),
            _ => Condition::Or(alternatives),
        };
        model.sentries[x].condition = condition;
        listen(model, x, &mentions);
    }
}

fn listen(model: &mut Model, x: usize, mentions: &[Mention]) {
    let (kind, stage) = (model.sentries[x].kind, model.sentries[x].stage);
    for Mention { id, .. } in mentions {
        let milestone = model.sentries.iter().position(|s| s.kind == Kind::Milestone && s.id == *id);
        let of_id = model.stages.iter().position(|s| s.id == *id);
        if let Some(m) = milestone {
            model.sentries[m].listeners.push(x);
        } else if let Some(e) = model.events.iter().position(|e| e.id == *id) {
            model.events[e].listeners.push(x);
        } else if let Some(s) = of_id {
            model.stages[s].listeners.push(x);
        } else if let Some(i) = model.items.iter().position(|i| i.id == *id).filter(|_| kind == Kind::Flow) {
            model.items[i].listeners.push(x);
        }
        if kind == Kind::Flow {
            let named = of_id.into_iter().chain(milestone.map(|m| model.sentries[m].stage));
            let new: Vec<StageIx> = named.filter(|s| *s != stage && !model.stages[stage].named.contains(s)).collect();
            model.stages[stage].named.extend(new);
        }
    }
}

/// A finding about a place.
pub(super) fn tell(diags: &mut Diagnostics, code: &'static Code, span: Span, message: String) {
    diags.push(Diagnostic::new(code, span, message));
}
