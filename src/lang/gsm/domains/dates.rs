//! Points of time: a date that is compared has, beside "has been set", a whole number that says when. It is 0 once the date is not set.
//!
//! Everything after this sees two attributes and comparisons of numbers.

use super::flow::copies;
use super::gather::{Gatherer, Key, field_key};
use crate::lang::gsm::{
    Application, AttrIx, Attribute, DataKind, EventIx, Expr, ExprKind, Field, Given, ModelProperty, TaskSource,
    TaskStep, TypeIx, Wide,
};
use crate::logic::{Formula, Rewrite};
use crate::machine::CompareOp;
use crate::machine::calendar::{Moment, WHEN};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Diagnostics, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What is a date and takes part.
pub type Dates = BTreeSet<Key>;

/// The dates that are compared with a date or a constant.
pub fn compared(app: &Application, properties: &[ModelProperty], given: &[Given]) -> Dates {
    let mut found = Dates::new();
    let mut note = |e: &Expr, line: Option<(EventIx, TypeIx)>| {
        e.walk(&mut |part| {
            if let ExprKind::Compare(_, a, b) = &part.kind
                && is_point(app, a, b, line)
            {
                found.extend([a, b].into_iter().filter_map(|e| key(app, e, line)));
            }
        });
    };
    Gatherer::expressions(app, properties, &mut |e| note(e, None));
    given.iter().for_each(|g| note(&g.expr, None));
    for entry in app.agents.iter().flatten().flat_map(|a| a.protocol.iter().flatten()) {
        for target in &entry.targets {
            let line = Some((entry.event, target.ty));
            note(&target.condition, line);
            target.updates.iter().for_each(|(_, e)| note(e, line));
        }
    }
    found
}

/// Are two sides compared as points of time? A date beside a Boolean is only asked whether it is set.
fn is_point(app: &Application, a: &Expr, b: &Expr, line: Option<(EventIx, TypeIx)>) -> bool {
    let date = |e: &Expr| match &e.kind {
        // Outside of a line nothing says which event is meant; there no fields stand.
        ExprKind::Field(_) => key(app, e, line).is_some_and(|k| is_date(app, k)),
        ExprKind::Attr { ty, attr, .. } => is_date(app, Key::Attr(*ty, *attr)),
        _ => false,
    };
    let text = |e: &Expr| matches!(e.kind, ExprKind::Text(_));
    (date(a) || date(b)) && (date(a) || text(a)) && (date(b) || text(b))
}

fn key(app: &Application, e: &Expr, line: Option<(EventIx, TypeIx)>) -> Option<Key> {
    match &e.kind {
        ExprKind::Attr { ty, attr, .. } => Some(Key::Attr(*ty, *attr)),
        ExprKind::Field(name) => line.and_then(|(event, ty)| field_key(app, event, ty, name)),
        _ => None,
    }
}

/// Is it a date?
pub fn is_date(app: &Application, key: Key) -> bool {
    match key {
        Key::Attr(ty, attr) => {
            let attr = app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0));
            attr.filter(|a| !a.set).is_some_and(|a| matches!(a.kind, DataKind::Date { .. }))
        }
        Key::Field(event, at) => {
            let field = app.events.get(event.0).and_then(|e| e.payload.get(at));
            field.is_some_and(|f| matches!(f.kind, DataKind::Date { .. }))
        }
    }
}

/// Is a time of day part of it?
fn is_timed(app: &Application, key: Key) -> bool {
    let kind = match key {
        Key::Attr(ty, attr) => app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0)).map(|a| a.kind),
        Key::Field(event, at) => app.events.get(event.0).and_then(|e| e.payload.get(at)).map(|f| f.kind),
    };
    kind == Some(DataKind::Date { timed: true })
}

/// Dates that are copied into one another take part together, and so do fields and attributes of one name.
fn closed(app: &Application, mut dates: Dates) -> Dates {
    let copies = copies(app);
    let same: Vec<Vec<Key>> = EventIx::all(&app.events).flat_map(|e| super::texts::alike(app, e)).collect();
    loop {
        let before = dates.len();
        let mut more: Vec<Key> = Vec::new();
        for c in &copies {
            let (from, to) = (c.from, c.to);
            if dates.contains(&from) || dates.contains(&to) {
                more.extend([from, to]);
            }
        }
        more.extend(same.iter().filter(|keys| keys.iter().any(|k| dates.contains(k))).flatten());
        dates.extend(more.into_iter().filter(|k| is_date(app, *k)));
        if dates.len() == before {
            return dates;
        }
    }
}

/// What became of an application.
pub struct Told {
    pub app: Application,
    pub properties: Vec<ModelProperty>,
    pub given: Vec<Given>,
}

/// Gives dates their points of time.
pub fn tell(
    app: &Application,
    dates: Dates,
    properties: &[ModelProperty],
    given: &[Given],
    diags: &mut Diagnostics,
) -> Told {
    let dates = closed(app, dates);
    let mut told = Told { app: app.clone(), properties: properties.to_vec(), given: given.to_vec() };
    if dates.is_empty() {
        return told;
    }
    unreadable(app, &dates, diags);
    told.app.seconds = dates.iter().any(|k| is_timed(app, *k)) || names_a_time(app, properties, given);
    let whens = attributes(&mut told.app, &dates);
    fields(&mut told.app, &dates);
    tasks(&mut told.app, &whens);
    for role in &mut told.app.roles {
        for (ty, seen) in role.types.iter_mut().enumerate().map(|(ty, seen)| (TypeIx(ty), seen)) {
            let more: Vec<AttrIx> = seen.view.iter().filter_map(|a| whens.get(&(ty, *a)).copied()).collect();
            seen.view.extend(more);
        }
    }
    let mut points = Points { app: &told.app.clone(), whens: &whens, line: None };
    expressions(&mut told.app, &mut points);
    told.properties = properties.iter().map(|p| p.rewritten(&mut points)).collect();
    for g in &mut told.given {
        g.expr = points.expr(&g.expr);
    }
    told
}

/// Constants that set a date, but do not say when.
fn unreadable(app: &Application, dates: &Dates, diags: &mut Diagnostics) {
    let takes = |ty: TypeIx, attr: AttrIx| dates.contains(&Key::Attr(ty, attr));
    let assigned = app.constants.iter().filter(|c| dates.contains(&c.target));
    let mut texts: Vec<(&str, Span)> = assigned.map(|c| (c.text.text.as_str(), c.text.span)).collect();
    for (ty, t) in TypeIx::each(&app.types) {
        let own = AttrIx::each(&t.attrs).filter(|(a, _)| takes(ty, *a));
        texts.extend(own.filter_map(|(_, a)| Some((a.initial.as_deref()?, a.span))));
    }
    for (text, span) in texts {
        let text = super::constants::unquoted(text);
        if !matches!(text, "" | "false") && Moment::read(text).is_none() {
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, format!("'{text}' does not say when"));
            diags.push(d.help("write '2026-11-16' or '2026-11-16T08:30:00'"));
        }
    }
}

/// The attributes that say when.
type Whens = BTreeMap<(TypeIx, AttrIx), AttrIx>;

fn names_a_time(app: &Application, properties: &[ModelProperty], given: &[Given]) -> bool {
    let mut found = false;
    let mut note = |text: &str| found |= Moment::read(text).is_some_and(|m| m.second.is_some());
    let mut all = |e: &Expr| {
        e.walk(&mut |part| {
            if let ExprKind::Compare(_, a, b) = &part.kind {
                for (side, other) in [(a, b), (b, a)] {
                    if let (ExprKind::Text(text), true) = (&side.kind, !matches!(other.kind, ExprKind::Text(_))) {
                        note(text);
                    }
                }
            }
        });
    };
    Gatherer::expressions(app, properties, &mut |e| all(e));
    given.iter().for_each(|g| all(&g.expr));
    let dates = app.constants.iter().filter(|c| is_date(app, c.target));
    dates.for_each(|c| note(super::constants::unquoted(&c.text.text)));
    found
}

fn attributes(app: &mut Application, dates: &Dates) -> Whens {
    let (mut whens, seconds) = (Whens::new(), app.seconds);
    for key in dates {
        let Key::Attr(ty, attr) = key else { continue };
        let attrs = &mut app.types[*ty].attrs;
        let date = &attrs[*attr];
        let initial = date.initial.as_deref().map(super::constants::unquoted).and_then(Moment::read);
        let when = Attribute {
            path: format!("{}{WHEN}", date.path),
            kind: DataKind::Integer,
            init: if date.init == 0 { 0 } else { initial.map_or(0, |m| m.number(seconds)) },
            wide: Some(Wide::Date),
            initial: None,
            ..date.clone()
        };
        whens.insert((*ty, *attr), AttrIx(attrs.len()));
        attrs.push(when);
    }
    whens
}

fn fields(app: &mut Application, dates: &Dates) {
    for event in 0..app.events.len() {
        let targets = app.targets_of(EventIx(event));
        let payload = &app.events[event].payload;
        let named = |f: &Field| targets.iter().any(|t| app.types[*t].attr(&format!("{}{WHEN}", f.name)).is_some());
        let kept = payload.iter().enumerate().filter(|(at, f)| {
            matches!(f.kind, DataKind::Date { .. }) && (named(f) || dates.contains(&Key::Field(EventIx(event), *at)))
        });
        let more: Vec<Field> = kept
            .map(|(_, f)| Field {
                name: format!("{}{WHEN}", f.name),
                kind: DataKind::Integer,
                wide: Some(Wide::Date),
                ..f.clone()
            })
            .collect();
        app.events[event].payload.extend(more);
    }
}

/// Whatever gives a date its value says when.
fn tasks(app: &mut Application, whens: &Whens) {
    let (constants, seconds) = (app.constants.clone(), app.seconds);
    let mut moved: BTreeMap<(TypeIx, usize, usize), usize> = BTreeMap::new();
    for (ty, t) in app.types.iter_mut().enumerate().map(|(ty, t)| (TypeIx(ty), t)) {
        for (task, steps) in t.tasks.iter_mut().map(|t| &mut t.steps).enumerate() {
            let mut all = Vec::new();
            for (at, mut step) in std::mem::take(steps).into_iter().enumerate() {
                let written = |datum: Option<usize>| {
                    let same = |c: &&crate::lang::gsm::resolve::Constant| {
                        (c.ty, c.task.0, c.step, c.datum) == (ty, task, at, datum)
                    };
                    let text = constants.iter().find(same).map(|c| super::constants::unquoted(&c.text.text));
                    text.and_then(Moment::read).map_or(0, |m| m.number(seconds))
                };
                let when = |source: &TaskSource, datum: Option<usize>| match source {
                    TaskSource::Const(0) => TaskSource::Const(0),
                    TaskSource::Const(_) => TaskSource::Const(written(datum)),
                    TaskSource::Field { name, events } => {
                        TaskSource::Field { name: format!("{name}{WHEN}"), events: events.clone() }
                    }
                    TaskSource::Attr(a) => whens.get(&(ty, *a)).map_or(TaskSource::Const(0), |w| TaskSource::Attr(*w)),
                };
                let mut more = None;
                match &mut step {
                    TaskStep::Set { target, source, span } => {
                        if let Some(w) = whens.get(&(ty, *target)) {
                            more = Some(TaskStep::Set { target: *w, source: when(source, None), span: *span });
                        }
                    }
                    TaskStep::Create { ty: new, data, .. } => {
                        let told = data.iter().enumerate().filter_map(|(i, (target, source))| {
                            Some((*whens.get(&(*new, *target))?, when(source, Some(i))))
                        });
                        let told: Vec<_> = told.collect();
                        data.extend(told);
                    }
                    TaskStep::Call { fills, .. } => {
                        let told: Vec<AttrIx> = fills.iter().filter_map(|a| whens.get(&(ty, *a)).copied()).collect();
                        fills.extend(told);
                    }
                    TaskStep::Send { event, fields, .. } => {
                        // A field that says when is there where the field is one of these dates.
                        let payload = &app.events[*event].payload;
                        let told = fields.iter().enumerate().filter_map(|(i, (field, source))| {
                            let name = format!("{}{WHEN}", payload.get(*field)?.name);
                            Some((payload.iter().position(|f| f.name == name)?, when(source, Some(i))))
                        });
                        let told: Vec<_> = told.collect();
                        fields.extend(told);
                    }
                    TaskStep::Add { .. } | TaskStep::Element { .. } => {}
                }
                // The number first: what is copied from itself is still there.
                all.extend(more);
                moved.insert((ty, task, at), all.len());
                all.push(step);
            }
            *steps = all;
        }
    }
    for c in &mut app.constants {
        c.step = moved.get(&(c.ty, c.task.0, c.step)).copied().unwrap_or(c.step);
    }
}

/// Rewrites all expressions of an application.
fn expressions(app: &mut Application, points: &mut Points) {
    for t in &mut app.types {
        for stage in &mut t.stages {
            let all = [&mut stage.guards, &mut stage.flow_guards, &mut stage.fault_loggers];
            all.into_iter().flatten().for_each(|g| g.sentry.expr = points.expr(&g.sentry.expr));
        }
        for m in &mut t.milestones {
            let all = [&mut m.achieving, &mut m.invalidating];
            all.into_iter().flatten().for_each(|g| g.sentry.expr = points.expr(&g.sentry.expr));
        }
    }
    for seen in app.roles.iter_mut().flat_map(|r| &mut r.types) {
        seen.window = points.expr(&seen.window);
    }
    for entry in app.agents.iter_mut().flatten().flat_map(|a| a.protocol.iter_mut().flatten()) {
        for target in &mut entry.targets {
            points.line = Some((entry.event, target.ty));
            target.condition = points.expr(&target.condition);
            target.updates.iter_mut().for_each(|(_, e)| *e = points.expr(e));
        }
    }
    points.line = None;
}

/// Comparisons of dates as comparisons of points.
struct Points<'a> {
    app: &'a Application,
    whens: &'a Whens,
    line: Option<(EventIx, TypeIx)>,
}

/// A date: whether it is set, and when; a constant is always set.
type Point = (Expr, Expr);

impl Points<'_> {
    fn expr(&self, e: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        let all = |xs: &[Expr]| xs.iter().map(|x| self.expr(x)).collect();
        let kind = match &e.kind {
            ExprKind::Compare(op, a, b) if is_point(self.app, a, b, self.line) => {
                match (self.point(a), self.point(b)) {
                    (Some(a), Some(b)) => return compare(*op, a, b, e),
                    _ => ExprKind::Compare(*op, boxed(a), boxed(b)),
                }
            }
            ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, boxed(a), boxed(b)),
            ExprKind::Arith(op, a, b) => ExprKind::Arith(*op, boxed(a), boxed(b)),
            ExprKind::Not(a) => ExprKind::Not(boxed(a)),
            ExprKind::And(xs) => ExprKind::And(all(xs)),
            ExprKind::Or(xs) => ExprKind::Or(all(xs)),
            ExprKind::Implies(a, b) => ExprKind::Implies(boxed(a), boxed(b)),
            ExprKind::Iff(a, b) => ExprKind::Iff(boxed(a), boxed(b)),
            ExprKind::Quant { exists, var, ty, over, body } => {
                ExprKind::Quant { exists: *exists, var: *var, ty: *ty, over: *over, body: boxed(body) }
            }
            ExprKind::Count { ty, over, which: Some((var, body)) } => {
                ExprKind::Count { ty: *ty, over: *over, which: Some((*var, boxed(body))) }
            }
            same => same.clone(),
        };
        Expr { kind, span: e.span }
    }

    fn point(&self, e: &Expr) -> Option<Point> {
        let at = |kind| Expr { kind, span: e.span };
        match &e.kind {
            ExprKind::Text(text) => {
                let number = Moment::read(text)?.number(self.app.seconds);
                Some((at(ExprKind::Bool(true)), at(ExprKind::Int(number))))
            }
            ExprKind::Attr { of, ty, attr } => {
                let when = ExprKind::Attr { of: *of, ty: *ty, attr: *self.whens.get(&(*ty, *attr))? };
                Some((e.clone(), at(when)))
            }
            ExprKind::Field(name) => Some((e.clone(), at(ExprKind::Field(format!("{name}{WHEN}"))))),
            _ => None,
        }
    }
}

/// An ordering holds of dates that are set. Dates are equal if both are set to the same point, or none is set.
fn compare(op: CompareOp, a: Point, b: Point, e: &Expr) -> Expr {
    let at = |kind| Expr { kind, span: e.span };
    let points = |op| at(ExprKind::Compare(op, Box::new(a.1.clone()), Box::new(b.1.clone())));
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return at(ExprKind::And(vec![a.0, b.0, points(op)]));
    }
    let unset = at(ExprKind::Not(Box::new(a.0.clone())));
    let same = at(ExprKind::Or(vec![unset, points(CompareOp::Eq)]));
    let both = at(ExprKind::Iff(Box::new(a.0.clone()), Box::new(b.0.clone())));
    let equal = at(ExprKind::And(vec![both, same]));
    if op == CompareOp::Ne { at(ExprKind::Not(Box::new(equal))) } else { equal }
}

impl Rewrite<Expr, Expr> for Points<'_> {
    fn atom(&mut self, e: &Expr) -> Formula<Expr> {
        Formula::Atom(self.expr(e))
    }
}
