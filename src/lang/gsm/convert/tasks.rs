//! Tasks in the notation.

use super::names;
use super::open::Whole;
use crate::lang::gsm::domains::constants::unquoted;
use crate::lang::gsm::{AttrIx, BagIx, Change, Task, TaskIx, TaskSource, TaskStep, TypeIx};

/// What a task step assigns a constant to, as written.
pub fn constant(whole: &Whole, ty: TypeIx, task: TaskIx, step: usize, datum: Option<usize>) -> String {
    let found = whole.draft.constants.iter().find(|c| (c.ty, c.task, c.step, c.datum) == (ty, task, step, datum));
    found.map_or(String::new(), |c| unquoted(&c.text.text).to_string())
}

/// `task t: assign a = x, add c`
pub fn task(whole: &Whole, ty: TypeIx, at: TaskIx) -> String {
    let app = &whole.draft.app;
    let t: &Task = &app.types[ty].tasks[at];
    let mut parts: Vec<String> = Vec::new();
    let mut assigning = false;
    for (step, s) in t.steps.iter().enumerate() {
        let was = std::mem::replace(&mut assigning, matches!(s, TaskStep::Set { .. }));
        parts.push(match s {
            TaskStep::Set { target, source, .. } => {
                let value = source_text(whole, ty, source, || constant(whole, ty, at, step, None));
                let word = if was { "" } else { "assign " };
                format!("{word}{} = {value}", attribute(whole, ty, *target))
            }
            TaskStep::Add { target, .. } => format!("add {}", attribute(whole, ty, *target)),
            TaskStep::Element { bag, change, fields, .. } => element(whole, ty, at, step, (*bag, *change), fields),
            TaskStep::Create { ty: created, references, data, .. } => {
                let mut all: Vec<String> =
                    references.iter().map(|&a| format!("{} = self", attribute(whole, *created, a))).collect();
                for (datum, (target, source)) in data.iter().enumerate() {
                    let value = source_text(whole, ty, source, || constant(whole, ty, at, step, Some(datum)));
                    all.push(format!("{} = {value}", attribute(whole, *created, *target)));
                }
                let created = names::name(&app.types[*created].id);
                if all.is_empty() {
                    format!("create {created}")
                } else {
                    format!("create {created} {{ {} }}", all.join(", "))
                }
            }
            TaskStep::Call { service, fills, bags, .. } => {
                let bags = bags.iter().map(|b| dotted(&app.types[ty].bags[*b].path));
                let fills: Vec<String> = fills.iter().map(|&a| attribute(whole, ty, a)).chain(bags).collect();
                let answer = if fills.is_empty() { String::new() } else { format!(" -> {}", fills.join(", ")) };
                format!("call {}{answer}", names::name(service))
            }
            TaskStep::Send { event, to, fields, .. } => {
                let e = &app.events[*event];
                let mut all: Vec<String> = Vec::new();
                for (datum, (field, source)) in fields.iter().enumerate() {
                    let value = source_text(whole, ty, source, || constant(whole, ty, at, step, Some(datum)));
                    let name = e.payload.get(*field).map_or("", |f| f.name.as_str());
                    all.push(format!("{} = {value}", dotted(name)));
                }
                let to = to.map_or(String::new(), |to| format!(" to {}", names::name(&app.types[to].id)));
                let data = if all.is_empty() { String::new() } else { format!(" {{ {} }}", all.join(", ")) };
                format!("send {}{to}{data}", names::name(&e.id))
            }
        });
    }
    let steps = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("task {}{}{steps}", names::name(&t.id), super::notation::shown(&t.id, &t.name))
}

/// `add B { f = x }`, `remove B = x`, `clear B`
fn element(
    whole: &Whole,
    ty: TypeIx,
    task: TaskIx,
    step: usize,
    (bag, change): (BagIx, Change),
    fields: &[(AttrIx, TaskSource)],
) -> String {
    let t = &whole.draft.app.types[ty];
    let bag = &t.bags[bag].path;
    let path = dotted(bag);
    let mut given = Vec::new();
    for (datum, (field, source)) in fields.iter().enumerate() {
        let value = source_text(whole, ty, source, || constant(whole, ty, task, step, Some(datum)));
        match t.attrs[*field].path.strip_prefix(bag.as_str()).and_then(|f| f.strip_prefix('.')) {
            _ if change == Change::Replace => return format!("assign {path} = {value}"),
            Some(name) => given.push(format!("{} = {value}", names::name(name))),
            None => return format!("{} {path} = {value}", change.name()),
        }
    }
    match (given.is_empty(), change) {
        (true, Change::Add) => format!("add {path} {{ }}"),
        (true, _) => format!("{} {path}", change.name()),
        (false, _) => format!("{} {path} {{ {} }}", change.name(), given.join(", ")),
    }
}

fn dotted(path: &str) -> String {
    path.split('.').map(names::name).collect::<Vec<_>>().join(".")
}

/// The path of an attribute. Words that start a step are quoted.
fn attribute(whole: &Whole, ty: TypeIx, attr: AttrIx) -> String {
    let path = &whole.draft.app.types[ty].attrs[attr].path;
    let step = |s: &str| match s {
        "assign" | "add" | "remove" | "clear" | "call" | "send" => names::quoted(s),
        _ => names::name(s),
    };
    path.split('.').map(step).collect::<Vec<_>>().join(".")
}

fn source_text(whole: &Whole, ty: TypeIx, source: &TaskSource, constant: impl Fn() -> String) -> String {
    let app = &whole.draft.app;
    match source {
        TaskSource::Attr(attr) => {
            let path = &app.types[ty].attrs[*attr].path;
            let joined = path.split('.').map(names::name).collect::<Vec<_>>().join(".");
            if path.split('.').next().is_some_and(names::plain) { joined } else { format!("self.{joined}") }
        }
        TaskSource::Field { name, events } => {
            let field = name.split('.').map(names::name).collect::<Vec<_>>().join(".");
            let events: Vec<String> = events.iter().map(|&e| names::name(&app.events[e].id)).collect();
            if events.is_empty() {
                format!("payload.{field}")
            } else {
                format!("payload({}).{field}", events.join(", "))
            }
        }
        TaskSource::Const(_) => {
            let text = constant();
            let taken = app.types[ty].attrs.iter().any(|a| a.path == text || a.path.ends_with(&format!(".{text}")));
            if taken { names::quoted(&text) } else { names::value(&text) }
        }
    }
}
