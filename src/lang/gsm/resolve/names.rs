//! Names to indices: by id first, then by name; unknown and ambiguous names with their neighbours.

use crate::lang::gsm::{Application, ArtifactType, AttrIx, BagIx, EventIx, MilestoneIx, StageIx, TaskIx, TypeIx};
use crate::lang::syntax::Name;
use crate::source::codes::model;
use crate::source::{Code, Diagnostic, Diagnostics, Span};

/// What looking up a name gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<Ix = usize> {
    /// Exactly this one.
    One(Ix),
    /// Several; their ids.
    Many(Vec<String>),
    /// None.
    Nothing,
}

impl Found {
    /// As an index of its own kind.
    pub fn of<Ix>(self, kind: impl FnOnce(usize) -> Ix) -> Found<Ix> {
        match self {
            Found::One(at) => Found::One(kind(at)),
            Found::Many(ids) => Found::Many(ids),
            Found::Nothing => Found::Nothing,
        }
    }
}

/// Looks `text` up among pairs of id and name.
pub fn find<'a>(items: impl Iterator<Item = (&'a str, &'a str)> + Clone, text: &str) -> Found {
    if let Some(at) = items.clone().position(|(id, _)| id == text) {
        return Found::One(at);
    }
    let named: Vec<(usize, &str)> =
        items.enumerate().filter(|(_, (_, name))| *name == text).map(|(at, (id, _))| (at, id)).collect();
    match named.as_slice() {
        [] => Found::Nothing,
        [(at, _)] => Found::One(*at),
        several => Found::Many(several.iter().map(|(_, id)| id.to_string()).collect()),
    }
}

/// Turns a lookup into an index, or reports why it cannot be one. `kind` is the word for people.
fn settle<'a, Ix>(
    found: Found<Ix>,
    (text, span): (&str, Span),
    (kind, code, whose): (&str, &'static Code, Option<&str>),
    known: impl Iterator<Item = (&'a str, &'a str)>,
    diags: &mut Diagnostics,
) -> Option<Ix> {
    let d = match found {
        Found::One(at) => return Some(at),
        Found::Many(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| format!("'{id}'")).collect();
            Diagnostic::new(&model::AMBIGUOUS, span, format!("several {kind}s are called '{text}'"))
                .help(format!("use an id: {}", ids.join(" or ")))
        }
        Found::Nothing => {
            let d = Diagnostic::new(code, span, format!("unknown {kind} '{text}'"));
            let known: Vec<(&str, &str)> = known.collect();
            let d = d.nearest(text, known.iter().flat_map(|(id, name)| [*id, *name]));
            let d = if d.help.is_none() { listed(d, kind, known.iter().map(|(id, _)| *id)) } else { d };
            match whose {
                Some(ty) => d.label(format!("'{ty}' has no {kind} of this name")),
                None => d,
            }
        }
    };
    diags.push(d);
    None
}

/// Where nothing is near, what there is; a long list helps nobody.
fn listed<'a>(d: Diagnostic, kind: &str, ids: impl Iterator<Item = &'a str>) -> Diagnostic {
    let ids: Vec<&str> = ids.collect();
    match ids.len() {
        0 => d,
        1 => d.help(format!("the only {kind} is {}", ids[0])),
        2..=12 => d.help(format!("the {kind}s are {}", ids.join(", "))),
        _ => d,
    }
}

fn types(app: &Application) -> impl Iterator<Item = (&str, &str)> + Clone {
    app.types.iter().map(|t| (t.id.as_str(), t.name.as_str()))
}

/// The ids and names of the stages of a type.
pub fn stages(ty: &ArtifactType) -> impl Iterator<Item = (&str, &str)> + Clone {
    ty.stages.iter().map(|s| (s.id.as_str(), s.name.as_str()))
}

/// The ids and names of the milestones of a type.
pub fn milestones(ty: &ArtifactType) -> impl Iterator<Item = (&str, &str)> + Clone {
    ty.milestones.iter().map(|m| (m.id.as_str(), m.name.as_str()))
}

fn tasks(ty: &ArtifactType) -> impl Iterator<Item = (&str, &str)> + Clone {
    ty.tasks.iter().map(|t| (t.id.as_str(), t.name.as_str()))
}

fn events(app: &Application) -> impl Iterator<Item = (&str, &str)> + Clone {
    app.events.iter().map(|e| (e.id.as_str(), e.name.as_str()))
}

/// The type of that id or name.
pub fn find_type(app: &Application, text: &str) -> Found<TypeIx> {
    find(types(app), text).of(TypeIx)
}

/// The stage of that id or name.
pub fn find_stage(ty: &ArtifactType, text: &str) -> Found<StageIx> {
    find(stages(ty), text).of(StageIx)
}

/// The milestone of that id or name.
pub fn find_milestone(ty: &ArtifactType, text: &str) -> Found<MilestoneIx> {
    find(milestones(ty), text).of(MilestoneIx)
}

/// The event of that id or name. A creation event may use the id or the name of its type.
pub fn find_event(app: &Application, text: &str) -> Found<EventIx> {
    match find(events(app), text).of(EventIx) {
        Found::Nothing => match text.strip_prefix("Create_").map(|ty| find_type(app, ty)) {
            Some(Found::One(ty)) => app.creation_event(ty).map_or(Found::Nothing, Found::One),
            _ => Found::Nothing,
        },
        found => found,
    }
}

/// A type, or an error.
pub fn artifact_type(app: &Application, name: &Name, diags: &mut Diagnostics) -> Option<TypeIx> {
    let what = ("artifact type", &model::UNKNOWN_TYPE, None);
    settle(find_type(app, &name.text), (&name.text, name.span), what, types(app), diags)
}

/// A stage of a type, or an error.
pub fn stage(app: &Application, ty: TypeIx, name: &Name, diags: &mut Diagnostics) -> Option<StageIx> {
    let t = app.types.get(ty.0)?;
    let what = ("stage", &model::UNKNOWN_STAGE, Some(t.id.as_str()));
    settle(find_stage(t, &name.text), (&name.text, name.span), what, stages(t), diags)
}

/// A milestone of a type, or an error.
pub fn milestone(app: &Application, ty: TypeIx, name: &Name, diags: &mut Diagnostics) -> Option<MilestoneIx> {
    let t = app.types.get(ty.0)?;
    let what = ("milestone", &model::UNKNOWN_MILESTONE, Some(t.id.as_str()));
    settle(find_milestone(t, &name.text), (&name.text, name.span), what, milestones(t), diags)
}

/// A task of a type, or an error.
pub fn task(app: &Application, ty: TypeIx, name: &Name, diags: &mut Diagnostics) -> Option<TaskIx> {
    let t = app.types.get(ty.0)?;
    let what = ("task", &model::UNKNOWN_TASK, Some(t.id.as_str()));
    settle(find(tasks(t), &name.text).of(TaskIx), (&name.text, name.span), what, tasks(t), diags)
}

/// An event, or an error.
pub fn event(app: &Application, name: &Name, diags: &mut Diagnostics) -> Option<EventIx> {
    let what = ("event", &model::UNKNOWN_EVENT, None);
    settle(find_event(app, &name.text), (&name.text, name.span), what, events(app), diags)
}

/// An attribute by the last steps of its path: the whole path first, then a unique ending.
pub fn find_attr(ty: &ArtifactType, path: &str) -> Found<AttrIx> {
    if let Some(at) = ty.attr(path) {
        return Found::One(at);
    }
    let ends = |full: &str| full.strip_suffix(path).is_some_and(|head| head.ends_with('.'));
    let ending: Vec<(AttrIx, &str)> =
        AttrIx::each(&ty.attrs).filter(|(_, a)| ends(&a.path)).map(|(at, a)| (at, a.path.as_str())).collect();
    match ending.as_slice() {
        [] => Found::Nothing,
        [(at, _)] => Found::One(*at),
        several => Found::Many(several.iter().map(|(_, path)| path.to_string()).collect()),
    }
}

/// An attribute by a path whose first steps may name things around it (`CustomerOrder/Parts`, `infoModel/Truck/status`).
pub fn find_attr_loosely(ty: &ArtifactType, steps: &[&str]) -> Found<AttrIx> {
    let hits = (0..steps.len()).map(|skip| find_attr(ty, &steps[skip..].join(".")));
    hits.into_iter().find(|found| *found != Found::Nothing).unwrap_or(Found::Nothing)
}

/// An attribute of a type by its dotted path, or an error. For views and options.
pub fn attribute(app: &Application, ty: TypeIx, name: &Name, diags: &mut Diagnostics) -> Option<AttrIx> {
    let t = app.types.get(ty.0)?;
    let known = t.attrs.iter().map(|a| (a.path.as_str(), last_step(&a.path)));
    let what = ("attribute", &crate::source::codes::typing::UNKNOWN_NAME, Some(t.id.as_str()));
    settle(find_attr(t, &name.text), (&name.text, name.span), what, known, diags)
}

/// The part of a path after its last dot.
pub fn last_step(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// `Type.path` of a bag.
pub fn typed_bag(app: &Application, text: &str) -> Option<(TypeIx, BagIx)> {
    let dots = text.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find_map(|at| match find_type(app, &text[..at]) {
        Found::One(ty) => app.types[ty].bag(&text[at + 1..]).map(|bag| (ty, bag)),
        _ => None,
    })
}

/// `Type.path` as options write it, or an error.
pub fn typed_attribute(app: &Application, name: &Name, diags: &mut Diagnostics) -> Option<(TypeIx, AttrIx)> {
    // The longest type name wins.
    let dots = name.text.rmatch_indices('.').map(|(at, _)| at);
    let mut split = dots.filter_map(|at| match find_type(app, &name.text[..at]) {
        Found::One(ty) => Some((ty, &name.text[at + 1..])),
        _ => None,
    });
    if let Some((ty, path)) = split.next() {
        let path = Name { text: path.to_string(), span: name.span, quoted: name.quoted };
        return attribute(app, ty, &path, diags).map(|attr| (ty, attr));
    }
    match name.text.split_once('.') {
        Some((ty, _)) => {
            let ty = Name { text: ty.to_string(), span: name.span, quoted: name.quoted };
            artifact_type(app, &ty, diags);
        }
        None => {
            let message = format!("'{}' does not name an attribute", name.text);
            let d = Diagnostic::new(&crate::source::codes::typing::UNKNOWN_NAME, name.span, message);
            diags.push(d.help("write Type.attribute"));
        }
    }
    None
}
