//! Payload fields: which a creation event has, and the values of all of them.

use super::flow::Copy;
use super::gather::{Key, Met};
use super::{outside, points, range};
use crate::lang::gsm::resolve::{Draft, Facets};
use crate::lang::gsm::{Attribute, DataKind, Event, EventIx, ExprKind, Field, TypeIx};
use crate::machine::Domain;
use crate::source::Diagnostics;
use std::collections::BTreeMap;

/// Without a declared message, the payload of a creation event is what protocol lines for it name.
pub fn of_creations(draft: &mut Draft) {
    let app = &draft.app;
    let without = |e: &Event| e.creates.is_some() && e.payload.is_empty();
    let mut added: Vec<(EventIx, Vec<Field>)> = Vec::new();
    for (event, e) in EventIx::each(&app.events).filter(|(_, e)| without(e)) {
        let Some(ty) = e.creates else { continue };
        let mut named = vec![false; app.types[ty].attrs.len()];
        let entries = app.agents.iter().flatten().filter_map(|a| a.protocol.as_ref()).flatten();
        for target in entries.filter(|p| p.event == event).flat_map(|p| &p.targets) {
            for e in target.updates.iter().map(|(_, e)| e).chain([&target.condition]) {
                e.walk(&mut |part| {
                    if let ExprKind::Field(name) = &part.kind
                        && let Some(attr) = app.types[ty].attr(name)
                    {
                        named[attr.0] = true;
                    }
                });
            }
        }
        let attrs = app.types[ty].attrs.iter().zip(named).filter(|(_, named)| *named).map(|(a, _)| a);
        let field =
            |a: &Attribute| Field { name: a.path.clone(), kind: a.kind, domain: a.domain.clone(), wide: a.wide };
        added.push((event, attrs.map(field).collect()));
    }
    for (event, fields) in added {
        draft.field_facets[event.0] = vec![Facets::default(); fields.len()];
        draft.app.events[event].payload = fields;
    }
}

/// Settles the domains of fields: those named like an attribute of every target have its domain.
pub fn settle(draft: &mut Draft, copies: &[Copy], met: &BTreeMap<Key, Met>, diags: &mut Diagnostics) {
    for event in EventIx::all(&draft.app.events) {
        let targets = draft.app.targets_of(event);
        for at in 0..draft.app.events[event].payload.len() {
            let name = &draft.app.events[event].payload[at].name;
            let attr = |ty: &TypeIx| draft.app.types[*ty].attrs.iter().find(|a| a.path == *name && !a.set);
            let attrs: Option<Vec<&Attribute>> = targets.iter().map(attr).collect();
            let (kind, domain, wide) = match attrs.as_deref() {
                Some([first, ..]) => (first.kind, first.domain.clone(), first.wide),
                _ => {
                    let (kind, domain) = own(draft, (event, at), copies, met.get(&Key::Field(event, at)), diags);
                    let facets = draft.field_facets[event.0].get(at).cloned().unwrap_or_default();
                    let endless = draft.app.events[event].payload[at].wide.is_some() && kind == DataKind::Integer;
                    (kind, domain, endless.then(|| facets.wide(None)))
                }
            };
            let field = &mut draft.app.events[event].payload[at];
            (field.kind, field.domain, field.wide) = (kind, domain, wide);
        }
    }
}

/// The domain of a field by itself: what it is compared with, and what the attributes that it is copied into distinguish.
fn own(
    draft: &Draft,
    (event, at): (EventIx, usize),
    copies: &[Copy],
    met: Option<&Met>,
    diags: &mut Diagnostics,
) -> (DataKind, Domain) {
    let field = &draft.app.events[event].payload[at];
    let copied = copies.iter().filter(|c| c.from == Key::Field(event, at));
    let into: Vec<&Attribute> = copied.filter_map(|c| c.to.attribute(&draft.app)).collect();
    // An id that is copied into a reference is one, whatever the message declares.
    if let Some(reference) = into.iter().find(|a| matches!(a.kind, DataKind::Reference(_))) {
        return (reference.kind, reference.domain.clone());
    }
    let domain = match field.kind {
        DataKind::Integer if points::is_real(&draft.app, Key::Field(event, at)) => {
            let facets = draft.field_facets[event.0].get(at).cloned().unwrap_or_default();
            let span = draft.app.events[event].span;
            let number = points::Number { name: &field.name, span, facets: &facets, range: None };
            number.points(met.unwrap_or(&Met::default()), draft.app.unit, diags).0
        }
        DataKind::Integer | DataKind::Reference(_) => {
            let mut points = met.map(|m| m.points.clone()).unwrap_or_default();
            let ends = |a: &&Attribute| match &a.domain {
                Domain::Points(points) => points.whole_ends(),
                domain => domain.bounds(),
            };
            points.extend(into.iter().map(ends).flat_map(<[i64; 2]>::from));
            let facets = draft.field_facets[event.0].get(at).cloned().unwrap_or_default();
            range(None, &facets, &points, &field.name, draft.app.events[event].span, diags)
        }
        DataKind::Text => Domain::Enum { values: met.map(|m| m.texts.clone()).unwrap_or_default(), bottom: true },
        DataKind::Boolean | DataKind::Date { .. } => Domain::Bool,
        DataKind::Enumeration => field.domain.clone(),
    };
    if let Domain::Int { lo, hi } = domain {
        for (n, span) in met.iter().flat_map(|m| &m.constants) {
            outside(*n, (lo, hi), &field.name, *span, diags);
        }
    }
    (field.kind, domain)
}
