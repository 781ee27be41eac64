//! Domains: which values every attribute and payload field needs, once everything that reads or writes it is known.
//!
//! A range given by the user beats one of the schema, which beats one inferred from constants. Texts have the values they are
//! compared with, and ⊥ for every other text.

mod constants;
mod gather;
#[cfg(test)]
mod tests;

use crate::front::resolve::{Draft, Facets, names};
use crate::front::syntax::Name;
use crate::gsm::{Application, DataKind, Domain, Event, ExprKind, Field, TaskSource, TaskStep, TypeIx};
use crate::logic::ModelProperty;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics, Span};
use gather::{Gatherer, Key, Met, PrivateUse, field_key};
use std::collections::BTreeMap;

/// Most values a domain may have.
const MAX_VALUES: u64 = 1 << 40;

/// A range for a number: `Type.attr`, smallest and largest value.
pub type Range = (Name, (i64, i64));

/// Settles all domains and initial values. The draft's agents and roles must be in place.
pub fn infer(mut draft: Draft, properties: &[ModelProperty], ranges: &[Range], diags: &mut Diagnostics) -> Application {
    creation_payloads(&mut draft);
    let mut gathered = Gatherer::walk(&draft.app, properties);
    let (mut met, private) = (std::mem::take(&mut gathered.met), std::mem::take(&mut gathered.private));
    private_constants(&draft.app, &private, diags);
    let ranges = given(&draft.app, ranges, diags);
    constants::meet(&draft, &mut met, diags);
    let copies = copies(&draft.app);
    texts_flow(&draft.app, &copies, &mut met);
    attributes(&mut draft, &met, &ranges, diags);
    fields(&mut draft, &copies, &met, diags);
    constants::encode(&mut draft, diags);
    lossy(&draft.app, &copies, &met, &ranges, diags);
    draft.app
}

/// Without a declared message, the payload of a creation event is what protocol lines for it name.
fn creation_payloads(draft: &mut Draft) {
    let app = &draft.app;
    let without = |e: &Event| e.creates.is_some() && e.payload.is_empty();
    let mut added: Vec<(usize, Vec<Field>)> = Vec::new();
    for (event, e) in app.events.iter().enumerate().filter(|(_, e)| without(e)) {
        let Some(ty) = e.creates else { continue };
        let mut named = vec![false; app.types[ty].attrs.len()];
        let entries = app.agents.iter().flatten().filter_map(|a| a.protocol.as_ref()).flatten();
        for target in entries.filter(|p| p.event == event).flat_map(|p| &p.targets) {
            for e in target.updates.iter().map(|(_, e)| e).chain([&target.condition]) {
                e.walk(&mut |part| {
                    if let ExprKind::Field(name) = &part.kind
                        && let Some(attr) = app.types[ty].attr(name)
                    {
                        named[attr] = true;
                    }
                });
            }
        }
        let attrs = app.types[ty].attrs.iter().zip(named).filter(|(_, named)| *named).map(|(a, _)| a);
        let field = |a: &crate::gsm::Attribute| Field { name: a.path.clone(), kind: a.kind, domain: a.domain.clone() };
        added.push((event, attrs.map(field).collect()));
    }
    for (event, fields) in added {
        draft.field_facets[event] = vec![Facets::default(); fields.len()];
        draft.app.events[event].payload = fields;
    }
}

/// Numbers compared with private variables must be values of theirs.
fn private_constants(app: &Application, uses: &[PrivateUse], diags: &mut Diagnostics) {
    for u in uses {
        let var = app.agents.as_ref().and_then(|a| a.get(u.agent)).and_then(|a| a.vars.get(u.var));
        if let Some(var) = var
            && let Domain::Int { lo, hi } = var.domain
        {
            outside(u.number, (lo, hi), &var.name, u.span, diags);
        }
    }
}

/// Reports a constant outside a range.
fn outside(n: i64, (lo, hi): (i64, i64), name: &str, span: Span, diags: &mut Diagnostics) -> bool {
    let wrong = !(lo..=hi).contains(&n);
    if wrong {
        let message = format!("{n} is outside the range {lo}..{hi} of '{name}'");
        diags.push(Diagnostic::new(&typing::OUT_OF_RANGE, span, message));
    }
    wrong
}

/// Ranges given by the user, by attribute.
fn given(app: &Application, ranges: &[Range], diags: &mut Diagnostics) -> BTreeMap<Key, (i64, i64)> {
    let mut out = BTreeMap::new();
    for (name, range) in ranges {
        let Some((ty, attr)) = names::typed_attribute(app, name, diags) else { continue };
        if app.types[ty].attrs[attr].kind != DataKind::Integer {
            let message = format!("'{}' is not a number, so it has no range", name.text);
            diags.push(Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message));
            continue;
        }
        out.insert(Key::Attr(ty, attr), *range);
    }
    out
}

/// Copies made by tasks: source and target.
fn copies(app: &Application) -> Vec<(Key, Key, Span)> {
    let mut out = Vec::new();
    for (ty, t) in app.types.iter().enumerate() {
        for step in t.tasks.iter().flat_map(|t| &t.steps) {
            match step {
                TaskStep::Set { target, source, span } => {
                    sources(app, ty, source).into_iter().for_each(|s| out.push((s, Key::Attr(ty, *target), *span)));
                }
                TaskStep::Create { ty: created, data, span, .. } => {
                    for (target, source) in data {
                        let target = Key::Attr(*created, *target);
                        sources(app, ty, source).into_iter().for_each(|s| out.push((s, target, *span)));
                    }
                }
                _ => {}
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
            let all: Vec<usize> = (0..app.events.len()).collect();
            let from = if events.is_empty() { &all } else { events };
            let carries = |e: &&usize| app.events[**e].payload.iter().any(|f| f.name == *name);
            from.iter().filter(carries).filter_map(|&e| field_key(app, e, ty, name)).collect()
        }
    }
}

/// A text that is copied into another one meets what that one meets.
fn texts_flow(app: &Application, copies: &[(Key, Key, Span)], met: &mut BTreeMap<Key, Met>) {
    loop {
        let mut changed = false;
        for (source, target, _) in copies {
            if kind_of(app, *source) != Some(DataKind::Text) {
                continue;
            }
            let mut texts = met.get(target).map(|m| m.texts.clone()).unwrap_or_default();
            if let Key::Attr(ty, attr) = target
                && let Domain::Enum { values, .. } = &app.types[*ty].attrs[*attr].domain
            {
                texts.extend(values.iter().cloned());
            }
            let into = met.entry(*source).or_default();
            let before = into.texts.len();
            texts.iter().for_each(|t| into.text(t));
            changed |= into.texts.len() > before;
        }
        if !changed {
            return;
        }
    }
}

fn kind_of(app: &Application, key: Key) -> Option<DataKind> {
    match key {
        Key::Attr(ty, attr) => Some(app.types.get(ty)?.attrs.get(attr)?.kind),
        Key::Field(event, field) => Some(app.events.get(event)?.payload.get(field)?.kind),
    }
}

fn attributes(
    draft: &mut Draft,
    met: &BTreeMap<Key, Met>,
    ranges: &BTreeMap<Key, (i64, i64)>,
    diags: &mut Diagnostics,
) {
    let bounds: Vec<i64> = draft.app.types.iter().map(|t| i64::from(t.bound)).collect();
    let none = Met::default();
    for (ty, t) in draft.app.types.iter_mut().enumerate() {
        for (at, attr) in t.attrs.iter_mut().enumerate().filter(|(_, a)| !a.set) {
            let key = Key::Attr(ty, at);
            let (met, facets) = (met.get(&key).unwrap_or(&none), &draft.facets[ty][at]);
            match attr.kind {
                DataKind::Reference(to) => attr.domain = Domain::Int { lo: 0, hi: bounds[to] },
                DataKind::Integer => {
                    let fixed = ranges.get(&key).copied();
                    attr.domain = range(fixed, facets, &met.points, &attr.path, attr.span, diags);
                }
                DataKind::Text => attr.domain = Domain::Enum { values: met.texts.clone(), bottom: true },
                DataKind::Boolean | DataKind::Date => attr.domain = Domain::Bool,
                DataKind::Enumeration => {}
            }
            if let Domain::Int { lo, hi } = attr.domain {
                let name = format!("{}.{}", t.id, attr.path);
                met.constants.iter().for_each(|(n, span)| {
                    outside(*n, (lo, hi), &name, *span, diags);
                });
                attr.init = 0i64.clamp(lo, hi);
            }
            if let Some(initial) = &facets.initial {
                attr.init = constants::code(attr.kind, &attr.domain, initial, diags).unwrap_or(attr.init);
            }
        }
    }
}

/// The range of a number: given, or of the schema, or inferred.
fn range(
    fixed: Option<(i64, i64)>,
    facets: &Facets,
    points: &[i64],
    name: &str,
    span: Span,
    diags: &mut Diagnostics,
) -> Domain {
    let inferred_lo = points.iter().copied().min().unwrap_or(0).min(0);
    let inferred_hi = points.iter().copied().max().unwrap_or(0).max(0);
    let (mut lo, mut hi) = (facets.min.unwrap_or(inferred_lo), facets.max.unwrap_or(inferred_hi));
    // One end from the schema, the other inferred: they may cross, and a single value is widened upwards.
    match (facets.min, facets.max) {
        (Some(_), Some(_)) => {}
        (_, Some(max)) => lo = lo.min(max.saturating_sub(i64::from(lo >= max))),
        _ => hi = hi.max(lo.saturating_add(1)),
    }
    if let Some(range) = fixed {
        (lo, hi) = range;
    }
    let domain = Domain::Int { lo, hi: hi.max(lo) };
    if lo > hi {
        let message = format!("the bounds {lo}..{hi} of '{name}' leave no value");
        diags.push(Diagnostic::new(&model::BAD_FACET, span, message));
    } else if domain.size() > MAX_VALUES {
        let message = format!("'{name}' has too many values: {lo}..{hi}");
        let d = Diagnostic::new(&typing::EMPTY_RANGE, span, message);
        diags.push(d.help("give it a smaller range in gsmc.toml or with --range"));
        return Domain::Int { lo: 0, hi: 1 };
    }
    domain
}

/// Payload fields: those named like an attribute have its domain, the others what they are compared with or copied into.
fn fields(draft: &mut Draft, copies: &[(Key, Key, Span)], met: &BTreeMap<Key, Met>, diags: &mut Diagnostics) {
    let none = Met::default();
    for event in 0..draft.app.events.len() {
        for at in 0..draft.app.events[event].payload.len() {
            let field = &draft.app.events[event].payload[at];
            let created = draft.app.events[event].creates;
            let named = |t: &crate::gsm::ArtifactType| t.attrs.iter().find(|a| a.path == field.name && !a.set).cloned();
            let attr = match created {
                Some(ty) => named(&draft.app.types[ty]),
                None => draft.app.types.iter().find_map(named),
            };
            let domain = match attr {
                Some(attr) => attr.domain,
                None => {
                    let key = Key::Field(event, at);
                    let met = met.get(&key).unwrap_or(&none);
                    let mut points = met.points.clone();
                    for (_, target, _) in copies.iter().filter(|(source, ..)| *source == key) {
                        if let Key::Attr(ty, attr) = target
                            && let Domain::Int { lo, hi } = draft.app.types[*ty].attrs[*attr].domain
                        {
                            points.extend([lo, hi]);
                        }
                    }
                    let facets = draft.field_facets[event].get(at).cloned().unwrap_or_default();
                    let (name, span) = (field.name.clone(), draft.app.events[event].span);
                    match field.kind {
                        DataKind::Integer | DataKind::Reference(_) => range(None, &facets, &points, &name, span, diags),
                        DataKind::Text => Domain::Enum { values: met.texts.clone(), bottom: true },
                        DataKind::Boolean | DataKind::Date => Domain::Bool,
                        DataKind::Enumeration => field.domain.clone(),
                    }
                }
            };
            if let Domain::Int { lo, hi } = domain {
                let name = draft.app.events[event].payload[at].name.clone();
                for (n, span) in met.get(&Key::Field(event, at)).iter().flat_map(|m| &m.constants) {
                    outside(*n, (lo, hi), &name, *span, diags);
                }
            }
            draft.app.events[event].payload[at].domain = domain;
        }
    }
}

/// Warns where a number that nothing tells about is copied into one with more values.
fn lossy(
    app: &Application,
    copies: &[(Key, Key, Span)],
    met: &BTreeMap<Key, Met>,
    ranges: &BTreeMap<Key, (i64, i64)>,
    diags: &mut Diagnostics,
) {
    for (source, target, span) in copies {
        let (Key::Attr(st, sa), Key::Attr(tt, ta)) = (source, target) else { continue };
        let (from, to) = (&app.types[*st].attrs[*sa], &app.types[*tt].attrs[*ta]);
        let told = ranges.contains_key(source) || met.get(source).is_some_and(|m| !m.points.is_empty());
        if from.kind == DataKind::Integer && !told && to.domain.size() > from.domain.size() {
            let (lo, hi) = from.domain.bounds();
            let message = format!("'{}' can only hold {lo}..{hi}, but '{}' distinguishes more", from.path, to.path);
            let d = Diagnostic::new(&model::LOSSY_COPY, *span, message);
            diags.push(d.help(format!("give '{}.{}' a range in gsmc.toml", app.types[*st].id, from.path)));
        }
    }
}
