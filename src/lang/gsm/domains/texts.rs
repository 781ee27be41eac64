//! Texts without bounds: numbers that are only asked whether they are equal. 0 is ⊥, then come the texts that somebody names, and there is always
//! another one.

use super::flow::{copies, declared};
use super::gather::{Gatherer, Key, field_key};
use crate::lang::gsm::{
    Application, AttrIx, DataKind, EventIx, Expr, ExprKind, ModelProperty, TaskSource, TaskStep, TypeIx,
};
use crate::machine::{BOTTOM, Domain};
use std::collections::BTreeSet;

/// What is a text and takes part: attributes, and fields that no attribute of the target is named like.
pub type Texts = BTreeSet<Key>;

/// The texts that are compared with something that is not a constant.
pub fn compared(app: &Application, properties: &[ModelProperty]) -> Texts {
    let mut found = Texts::new();
    Gatherer::expressions(app, properties, &mut |e| note(app, e, None, &mut found));
    for entry in app.agents.iter().flatten().flat_map(|a| a.protocol.iter().flatten()) {
        for target in &entry.targets {
            let line = Some((entry.event, target.ty));
            note(app, &target.condition, line, &mut found);
            target.updates.iter().for_each(|(_, e)| note(app, e, line, &mut found));
        }
    }
    found
}

fn note(app: &Application, e: &Expr, line: Option<(EventIx, TypeIx)>, found: &mut Texts) {
    e.walk(&mut |part| {
        let ExprKind::Compare(_, a, b) = &part.kind else { return };
        let constant = |e: &Expr| matches!(e.kind, ExprKind::Text(_) | ExprKind::SelfId);
        if !constant(a) && !constant(b) {
            let keys = [a, b].into_iter().filter_map(|e| match &e.kind {
                ExprKind::Attr { ty, attr, .. } => Some(Key::Attr(*ty, *attr)),
                ExprKind::Field(name) => line.and_then(|(event, ty)| field_key(app, event, ty, name)),
                _ => None,
            });
            found.extend(keys.filter(|k| is_text(app, *k)));
        }
    });
}

/// Is it a text?
pub fn is_text(app: &Application, key: Key) -> bool {
    match key {
        Key::Attr(ty, attr) => {
            let attr = app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0));
            attr.is_some_and(|a| a.kind == DataKind::Text && !a.set)
        }
        Key::Field(event, field) => {
            let field = app.events.get(event.0).and_then(|e| e.payload.get(field));
            field.is_some_and(|f| f.kind == DataKind::Text)
        }
    }
}

/// What is copied into a text without bounds has none, and fields are what attributes of their name are.
pub fn closed(app: &Application, mut texts: Texts) -> Texts {
    let copies = copies(app);
    let same: Vec<Vec<Key>> = EventIx::all(&app.events).flat_map(|e| alike(app, e)).collect();
    loop {
        let before = texts.len();
        let into = copies.iter().filter(|c| texts.contains(&c.to)).map(|c| c.from);
        let mut more: Vec<Key> = into.collect();
        more.extend(same.iter().filter(|keys| keys.iter().any(|k| texts.contains(k))).flatten());
        texts.extend(more.into_iter().filter(|k| is_text(app, *k)));
        if texts.len() == before {
            return texts;
        }
    }
}

/// Per field of an event, the field and the attributes of its targets that have its name.
pub(super) fn alike(app: &Application, event: EventIx) -> Vec<Vec<Key>> {
    let targets = app.targets_of(event);
    let fields = app.events[event].payload.iter().enumerate();
    let keys = |(at, field): (usize, &crate::lang::gsm::Field)| {
        let attrs = targets.iter().filter_map(|&ty| Some(Key::Attr(ty, app.types[ty].attr(&field.name)?)));
        attrs.chain([Key::Field(event, at)]).collect()
    };
    fields.map(keys).collect()
}

/// Every text that somebody names.
fn named(app: &Application, properties: &[ModelProperty]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |text: &str| all.extend((!all.iter().any(|t| t == text)).then(|| text.to_string()));
    let attrs = app.types.iter().flat_map(|t| &t.attrs).map(|a| &a.domain);
    let fields = app.events.iter().flat_map(|e| &e.payload).map(|f| &f.domain);
    let private = app.agents.iter().flatten().flat_map(|a| &a.vars).map(|v| &v.domain);
    for domain in attrs.chain(fields).chain(private) {
        if let Domain::Enum { values, .. } = domain {
            values.iter().for_each(|v| add(v));
        }
    }
    app.agents.iter().flatten().for_each(|a| add(&a.name));
    Gatherer::expressions(app, properties, &mut |e| {
        e.walk(&mut |part| {
            if let ExprKind::Text(text) = &part.kind {
                add(text);
            }
        });
    });
    all
}

/// Turns texts into numbers.
pub fn widen(app: &mut Application, texts: &Texts, properties: &[ModelProperty]) {
    if texts.is_empty() {
        return;
    }
    app.texts = named(app, properties);
    let table = Domain::Enum { values: app.texts.clone(), bottom: true };
    let recoded = |from: &Domain, code: i64| table.read(&from.show(code)).unwrap_or_default();
    let old: Vec<Vec<Domain>> = app.types.iter().map(|t| t.attrs.iter().map(|a| a.domain.clone()).collect()).collect();
    let new = |source: &mut TaskSource, ty: TypeIx, attr: AttrIx| {
        if let TaskSource::Const(code) = source
            && texts.contains(&Key::Attr(ty, attr))
        {
            *code = recoded(&old[ty.0][attr.0], *code);
        }
    };
    let sent: Vec<(usize, usize, usize, usize, Domain)> = sent_texts(app, texts);
    for (ty, task, step, datum, domain) in sent {
        let step = app.types.get_mut(ty).and_then(|t| t.tasks.get_mut(task)).and_then(|t| t.steps.get_mut(step));
        if let Some(TaskStep::Send { fields, .. }) = step
            && let Some((_, TaskSource::Const(code))) = fields.get_mut(datum)
        {
            *code = recoded(&domain, *code);
        }
    }
    let wide = Domain::Int { lo: 0, hi: i64::MAX };
    for (ty, t) in app.types.iter_mut().enumerate() {
        for (at, attr) in
            t.attrs.iter_mut().enumerate().filter(|(at, _)| texts.contains(&Key::Attr(TypeIx(ty), AttrIx(*at))))
        {
            attr.init = recoded(&old[ty][at], attr.init);
            attr.domain = wide.clone();
        }
        for step in t.tasks.iter_mut().flat_map(|t| &mut t.steps) {
            match step {
                TaskStep::Set { target, source, .. } => new(source, TypeIx(ty), *target),
                TaskStep::Create { ty: created, data, .. } => {
                    data.iter_mut().for_each(|(target, source)| new(source, *created, *target));
                }
                _ => {}
            }
        }
    }
    for (event, e) in app.events.iter_mut().enumerate() {
        let fields =
            e.payload.iter_mut().enumerate().filter(|(at, _)| texts.contains(&Key::Field(EventIx(event), *at)));
        fields.for_each(|(_, field)| field.domain = wide.clone());
    }
}

/// Constants that messages carry into texts: type, task, step and position, with the domain that they are coded in.
fn sent_texts(app: &Application, texts: &Texts) -> Vec<(usize, usize, usize, usize, Domain)> {
    let mut found = Vec::new();
    for c in &app.constants {
        let step = app.types[c.ty].tasks.get(c.task.0).and_then(|t| t.steps.get(c.step));
        if let (Some(TaskStep::Send { .. }), Some(datum), true) = (step, c.datum, texts.contains(&c.target))
            && let Some(domain) = declared(app, c.target)
        {
            found.push((c.ty.0, c.task.0, c.step, datum, domain.clone()));
        }
    }
    found
}

/// A text's number.
pub fn number(app: &Application, text: &str) -> Option<i64> {
    match text {
        BOTTOM => Some(0),
        _ => app.texts.iter().position(|t| t == text).map(|at| at as i64 + 1),
    }
}
