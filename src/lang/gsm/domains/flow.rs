//! Copies made by tasks: what they carry from one domain to another.

use super::gather::{Key, Met, field_key};
use super::reals;
use crate::lang::gsm::{Application, DataKind, EventIx, TaskSource, TaskStep, TypeIx};
use crate::machine::Domain;
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics, Span};
use std::collections::BTreeMap;

/// A copy of a value.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// What is read.
    pub from: Key,
    /// The attribute, or field of a message, that is written.
    pub to: Key,
    /// The mapping.
    pub span: Span,
}

/// Copies made by tasks: source and target.
pub fn copies(app: &Application) -> Vec<Copy> {
    let mut out = Vec::new();
    for (ty, t) in TypeIx::each(&app.types) {
        for step in t.tasks.iter().flat_map(|t| &t.steps) {
            match step {
                TaskStep::Set { target, source, span } => {
                    let copy = |from| Copy { from, to: Key::Attr(ty, *target), span: *span };
                    out.extend(sources(app, ty, source).into_iter().map(copy));
                }
                TaskStep::Element { fields, span, .. } => {
                    for (target, source) in fields {
                        let copy = |from| Copy { from, to: Key::Attr(ty, *target), span: *span };
                        out.extend(sources(app, ty, source).into_iter().map(copy));
                    }
                }
                TaskStep::Create { ty: created, data, span, .. } => {
                    for (target, source) in data {
                        let copy = |from| Copy { from, to: Key::Attr(*created, *target), span: *span };
                        out.extend(sources(app, ty, source).into_iter().map(copy));
                    }
                }
                TaskStep::Send { event, to, fields, span } => {
                    for (at, source) in fields {
                        let Some(field) = app.events[*event].payload.get(*at) else { continue };
                        let receiver = to.unwrap_or(ty);
                        let own = app.own_attr(field, receiver).map(|attr| Key::Attr(receiver, attr));
                        let copy = |from| Copy { from, to: own.unwrap_or(Key::Field(*event, *at)), span: *span };
                        out.extend(sources(app, ty, source).into_iter().map(copy));
                    }
                }
                TaskStep::Add { .. } | TaskStep::Call { .. } => {}
            }
        }
    }
    out
}

/// What a mapping of a task of `ty` reads.
fn sources(app: &Application, ty: TypeIx, source: &TaskSource) -> Vec<Key> {
    match source {
        TaskSource::Attr(attr) => vec![Key::Attr(ty, *attr)],
        TaskSource::Const(_) => Vec::new(),
        TaskSource::Field { name, events } => {
            let all: Vec<EventIx> = EventIx::all(&app.events).collect();
            let from = if events.is_empty() { &all } else { events };
            let carries = |e: &&EventIx| app.events[**e].payload.iter().any(|f| f.name == *name);
            from.iter().filter(carries).filter_map(|&e| field_key(app, e, ty, name)).collect()
        }
    }
}

/// A text that is copied into another one meets what that one meets.
pub fn texts(app: &Application, copies: &[Copy], met: &mut BTreeMap<Key, Met>) {
    loop {
        let mut changed = false;
        for Copy { from, to, .. } in copies {
            if kind_of(app, *from) != Some(DataKind::Text) {
                continue;
            }
            let mut texts = met.get(to).map(|m| m.texts.clone()).unwrap_or_default();
            if let Some(Domain::Enum { values, .. }) = declared(app, *to) {
                texts.extend(values.iter().cloned());
            }
            let into = met.entry(*from).or_default();
            let before = into.texts.len();
            texts.iter().for_each(|t| into.text(t));
            changed |= into.texts.len() > before;
        }
        if !changed {
            return;
        }
    }
}

/// The domain of something as it is so far.
pub fn declared(app: &Application, key: Key) -> Option<&Domain> {
    match key {
        Key::Attr(ty, attr) => Some(&app.types.get(ty.0)?.attrs.get(attr.0)?.domain),
        Key::Field(event, field) => Some(&app.events.get(event.0)?.payload.get(field)?.domain),
    }
}

/// Its name.
pub fn name(app: &Application, key: Key) -> &str {
    match key {
        Key::Attr(ty, attr) => &app.types[ty].attrs[attr].path,
        Key::Field(event, field) => app.events[event].payload.get(field).map_or("", |f| &f.name),
    }
}

/// What something was declared as.
pub fn kind_of(app: &Application, key: Key) -> Option<DataKind> {
    match key {
        Key::Attr(ty, attr) => Some(app.types.get(ty.0)?.attrs.get(attr.0)?.kind),
        Key::Field(event, field) => Some(app.events.get(event.0)?.payload.get(field)?.kind),
    }
}

/// Warns where a number that nothing tells about is copied into one with more values.
pub fn warn_lossy(
    app: &Application,
    copies: &[Copy],
    met: &BTreeMap<Key, Met>,
    ranges: &BTreeMap<Key, (i64, i64)>,
    diags: &mut Diagnostics,
) {
    for Copy { from: key, to, span } in copies {
        let Key::Attr(ty, attr) = key else { continue };
        let (from, name, Some(domain)) = (&app.types[*ty].attrs[*attr], name(app, *to), declared(app, *to)) else {
            continue;
        };
        if reals::is_real(from) || matches!(domain, Domain::Points(_)) {
            continue;
        }
        let told = ranges.contains_key(key) || met.get(key).is_some_and(|m| !m.points.is_empty());
        if from.kind == DataKind::Integer && !told && domain.size() > from.domain.size() {
            let (lo, hi) = from.domain.bounds();
            let message = format!("'{}' can only hold {lo}..{hi}, but '{name}' distinguishes more", from.path);
            let d = Diagnostic::new(&model::LOSSY_COPY, *span, message);
            diags.push(d.help(format!("give '{}.{}' a range in gsmc.toml", app.types[*ty].id, from.path)));
        }
    }
}
