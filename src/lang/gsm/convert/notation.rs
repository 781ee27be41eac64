//! A project as one `.gsm` file.

use super::data::{self, Item};
use super::expr::{Printer, Spelling};
use super::names::{double_quoted, name};
use super::open::Whole;
use super::tasks;
use super::toml::as_notation;
use crate::lang::gsm::xml::Dialect;
use crate::lang::gsm::{Event, EventIx, ExprKind, Guard, MilestoneIx, StageIx, TypeIx};
use std::fmt::Write;

/// Longest line of plain events.
const LINE: usize = 100;

/// The text of a model. `all`: with agents, properties and settings.
pub fn write(whole: &Whole, all: bool) -> String {
    let app = &whole.draft.app;
    let egsm = if whole.raw.dialect == Dialect::EGsm { " egsm" } else { "" };
    let mut out = format!("application {}{egsm}\n", name(&app.name));
    let in_types = creations_in_types(whole);
    events(whole, &in_types, &mut out);
    for ty in TypeIx::all(&app.types) {
        out.push('\n');
        artifact_type(whole, ty, in_types.contains(&ty), &mut out);
    }
    if all {
        if let Some(agents) = &whole.agents {
            block("agents", agents, &mut out);
        }
        if !whole.properties.is_empty() {
            block("properties", &whole.properties.join("\n"), &mut out);
        }
        if !whole.blocks.is_empty() {
            out.push('\n');
            whole.blocks.iter().for_each(|b| out += &as_notation(b));
        }
    }
    out
}

fn block(word: &str, text: &str, out: &mut String) {
    let _ = writeln!(out, "\n{word} {{");
    for line in text.trim_matches('\n').lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
    out.push_str("}\n");
}

/// A name for people, where it is not the id.
pub(super) fn shown(id: &str, name: &str) -> String {
    if name == id { String::new() } else { format!(" {}", double_quoted(name)) }
}

fn describe(description: Option<&String>, indent: &str, out: &mut String) {
    if let Some(text) = description {
        let _ = writeln!(out, "{indent}/// {}", text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

/// The types whose creation event can be declared in them: such events come last, in the order of the types.
fn creations_in_types(whole: &Whole) -> Vec<TypeIx> {
    let app = &whole.draft.app;
    let declared: Vec<&Event> = app.events.iter().filter(|e| e.declared).collect();
    let first = declared.iter().position(|e| e.creates.is_some()).unwrap_or(declared.len());
    let usual = |e: &Event, ty: TypeIx| {
        let create = format!("Create_{}", app.types[ty].id);
        e.name == create && e.description.is_none() && !e.outgoing
    };
    let mut types = Vec::new();
    for e in &declared[first..] {
        match e.creates {
            Some(ty) if types.last().is_none_or(|last| *last < ty) && usual(e, ty) => types.push(ty),
            _ => return Vec::new(),
        }
    }
    types
}

fn events(whole: &Whole, in_types: &[TypeIx], out: &mut String) {
    let app = &whole.draft.app;
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
            line.clear();
        }
    };
    if app.events.iter().any(|e| e.declared) {
        out.push('\n');
    }
    for (at, e) in EventIx::each(&app.events) {
        if !e.declared || e.creates.is_some_and(|ty| in_types.contains(&ty)) {
            continue;
        }
        let word = if e.outgoing { "sends" } else { "event" };
        let text = format!("{}{}{}", name(&e.id), shown(&e.id, &e.name), payload(whole, at, None));
        let alone = e.description.is_some() || text.contains('{');
        let goes_on = !alone && line.starts_with(word) && line.len() + text.len() < LINE;
        if goes_on {
            let _ = write!(line, ", {text}");
            continue;
        }
        flush(&mut line, out);
        describe(e.description.as_ref(), "", out);
        line = format!("{word} {text}");
        if alone {
            flush(&mut line, out);
        }
    }
    flush(&mut line, out);
}

/// ` { a: int, b: Loan.b }`; for a creation event in its type, fields declared like attributes are only named.
fn payload(whole: &Whole, event: EventIx, of: Option<TypeIx>) -> String {
    let (app, e) = (&whole.draft.app, &whole.draft.app.events[event]);
    // Events of E-GSM items have the data of their items without saying so.
    let said = whole.raw.events.iter().any(|r| r.head.id.text == e.id && !r.inputs.is_empty());
    let message = &whole.draft.messages[event.0];
    if message.is_empty() || !said {
        return String::new();
    }
    let items = data::grouped(data::fields(message));
    let declared = |ty: TypeIx, field: &str, wanted: &str| {
        let attrs = data::attributes(app, ty.0, &whole.draft.facets[ty.0]);
        attrs.into_iter().any(|mut d| {
            d.facets.initial = None;
            d.steps.join(".") == field && !d.set && data::data_type(app, &d) == wanted
        })
    };
    let text = |item: &Item| {
        let Item::Value(field, datum) = item else { return data::declaration(app, item) };
        let wanted = data::data_type(app, datum);
        if of.is_some_and(|ty| declared(ty, field, &wanted)) {
            return name(field);
        }
        let borrowed = TypeIx::all(&app.types).find(|&ty| wanted.starts_with('{') && declared(ty, field, &wanted));
        match borrowed {
            Some(ty) => format!("{}: {}.{}", name(field), name(&app.types[ty].id), name(field)),
            None => data::declaration(app, item),
        }
    };
    format!(" {{ {} }}", items.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn artifact_type(whole: &Whole, ty: TypeIx, says_creation: bool, out: &mut String) {
    let t = &whole.draft.app.types[ty];
    describe(t.description.as_ref(), "", out);
    let _ = writeln!(out, "type {}{} {{", name(&t.id), shown(&t.id, &t.name));
    let before = out.len();
    for item in data::grouped(data::attributes(&whole.draft.app, ty.0, &whole.draft.facets[ty.0])) {
        let _ = writeln!(out, "  {}", data::declaration(&whole.draft.app, &item));
    }
    let creation = whole.draft.app.creation_event(ty).filter(|_| says_creation);
    if let Some(at) = creation {
        let event = &whole.draft.app.events[at];
        let _ = writeln!(out, "  created by {}{}", name(&event.id), payload(whole, at, Some(ty)));
    }
    let mut first = out.len() == before;
    for stage in t.top_stages() {
        if !std::mem::take(&mut first) {
            out.push('\n');
        }
        Stages { whole, ty }.stage(stage, "  ", out);
    }
    out.push_str("}\n");
}

/// Writes the stages of a type.
struct Stages<'a> {
    whole: &'a Whole,
    ty: TypeIx,
}

impl Stages<'_> {
    fn stage(&self, at: StageIx, indent: &str, out: &mut String) {
        let t = &self.whole.draft.app.types[self.ty];
        let stage = &t.stages[at];
        describe(stage.description.as_ref(), indent, out);
        let _ = writeln!(out, "{indent}stage {}{} {{", name(&stage.id), shown(&stage.id, &stage.name));
        let inner = format!("{indent}  ");
        let mut list = |word: &str, kind: &str, guards: &[Guard]| {
            for (i, g) in guards.iter().enumerate() {
                let _ = writeln!(out, "{inner}{word}{}", self.sentry(g, &format!("{}_{kind}{}", stage.id, i + 1)));
            }
        };
        list("guard", "guard", &stage.guards);
        list("flow guard", "flow_guard", &stage.flow_guards);
        list("fault", "fault_logger", &stage.fault_loggers);
        for &m in &stage.milestones {
            self.milestone(m, &inner, out);
        }
        if let Some(task) = stage.task {
            describe(t.tasks[task].description.as_ref(), &inner, out);
            let _ = writeln!(out, "{inner}{}", tasks::task(self.whole, self.ty, task));
        }
        for &child in &stage.children {
            self.stage(child, &inner, out);
        }
        let _ = writeln!(out, "{indent}}}");
    }

    fn milestone(&self, at: MilestoneIx, indent: &str, out: &mut String) {
        let m = &self.whole.draft.app.types[self.ty].milestones[at];
        describe(m.description.as_ref(), indent, out);
        let _ = write!(out, "{indent}milestone {}{}", name(&m.id), shown(&m.id, &m.name));
        let first = format!("{}_condition1", m.id);
        let inline = m.achieving.first().is_some_and(|g| g.id == first && g.name == first);
        // A single condition stands on the milestone's line, with its name if it has one.
        let single = m.achieving.len() == 1;
        if inline || single {
            let word = if inline { "" } else { " achieved" };
            let _ = write!(out, "{word}{}", self.sentry(&m.achieving[0], &first));
        }
        out.push('\n');
        for (i, g) in m.achieving.iter().enumerate().skip(usize::from(inline || single)) {
            let _ = writeln!(out, "{indent}  achieved{}", self.sentry(g, &format!("{}_condition{}", m.id, i + 1)));
        }
        for (i, g) in m.invalidating.iter().enumerate() {
            let _ = writeln!(out, "{indent}  cleared{}", self.sentry(g, &format!("{}_invalidation{}", m.id, i + 1)));
        }
    }

    /// ` [name] [on E] [when φ]`; `made_up` is what it would be called without a name.
    fn sentry(&self, guard: &Guard, made_up: &str) -> String {
        let app = &self.whole.draft.app;
        let mut out = String::new();
        if guard.id != made_up || guard.name != guard.id {
            let _ = write!(out, " {}{}", name(&guard.id), shown(&guard.id, &guard.name));
        }
        let own = app.creation_event(self.ty);
        let event = |&e: &EventIx| if own == Some(e) { "create".to_string() } else { name(&app.events[e].id) };
        let events: Vec<String> = guard.sentry.events.iter().map(event).collect();
        if !events.is_empty() {
            let _ = write!(out, " on {}", events.join(", "));
        }
        let always = matches!(guard.sentry.expr.kind, ExprKind::Bool(true));
        if !always || events.is_empty() {
            let printer = Printer { app, ty: self.ty, spelling: Spelling::Notation };
            let _ = write!(out, " when {}", printer.condition(&guard.sentry.expr));
        }
        out
    }
}
