//! Roles: views, windows, instantiation, and the transformations that hide parts of the lifecycle.

use super::raw::{RawRole, RawTransformation};
use crate::lang::gsm::resolve::names::{self, Found};
use crate::lang::gsm::resolve::window;
use crate::lang::gsm::{
    Application, ArtifactType, AttrIx, EventIx, Expr, ExprKind, Guard, MilestoneIx, Role, RoleType, SentryRef, StageIx,
    TypeIx,
};
use crate::lang::syntax::Name;
use crate::source::codes::{agents as codes, model};
use crate::source::{Code, Diagnostic, Diagnostics};
use std::collections::BTreeMap;

/// All roles of a file. `agents`: their ids, which windows may name without quotes.
pub fn resolve(raw: &[RawRole], app: &Application, agents: &[String], diags: &mut Diagnostics) -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::new();
    for role in raw {
        if roles.iter().any(|r| r.name == role.name.text) {
            let message = format!("role '{}' is declared twice", role.name.text);
            diags.push(Diagnostic::new(&codes::DUPLICATE, role.name.span, message));
            continue;
        }
        roles.push(one(role, app, agents, diags));
    }
    roles
}

fn one(raw: &RawRole, app: &Application, agents: &[String], diags: &mut Diagnostics) -> Role {
    let span = raw.name.span;
    let mut types: Vec<RoleType> = Vec::new();
    // Types with a window of their own.
    let windowed = raw.windows.iter().filter_map(|(of, _)| of.as_ref());
    let own: BTreeMap<String, TypeIx> =
        windowed.filter_map(|of| names::artifact_type(app, of, diags).map(|ty| (of.text.clone(), ty))).collect();
    for (ty, t) in TypeIx::each(&app.types) {
        let named = raw.windows.iter().find(|(of, _)| of.as_ref().is_some_and(|of| own.get(&of.text) == Some(&ty)));
        let window = match named.or_else(|| raw.windows.iter().find(|(of, _)| of.is_none())) {
            None => Expr::truth(span),
            Some((_, ast)) => {
                window(app, ty, ast, agents, diags).unwrap_or(Expr { kind: ExprKind::Bool(false), span: ast.span })
            }
        };
        types.push(RoleType {
            view: Vec::new(),
            window,
            instantiates: false,
            hidden_stages: vec![false; t.stages.len()],
            hidden_milestones: vec![false; t.milestones.len()],
            delegated: Vec::new(),
            events: Vec::new(),
        });
    }
    for name in &raw.view {
        view(name, app, &mut types, diags);
    }
    for name in &raw.instantiation {
        if let Some(ty) = names::artifact_type(app, name, diags) {
            types[ty.0].instantiates = true;
        }
    }
    for transformation in &raw.transformation {
        hide(transformation, app, &mut types, diags);
    }
    let receivers = app.receivers();
    for (ty, role) in types.iter_mut().enumerate() {
        role.view.sort_unstable();
        role.view.dedup();
        role.delegated.sort_unstable();
        role.delegated.dedup();
        role.events = events(app, &receivers, TypeIx(ty), &role.delegated);
    }
    Role { name: raw.name.text.clone(), span, types }
}

/// Adds an attribute to the view of every type that has it.
fn view(name: &Name, app: &Application, types: &mut [RoleType], diags: &mut Diagnostics) {
    let mut found = false;
    for (ty, t) in TypeIx::each(&app.types) {
        let own = [&t.id, &t.name].into_iter().find_map(|n| name.text.strip_prefix(n.as_str())?.strip_prefix('.'));
        let hits = [Some(name.text.as_str()), own].into_iter().flatten().map(|path| attributes(t, path));
        for attr in hits.into_iter().find(|h| !h.is_empty()).unwrap_or_default() {
            found = true;
            // Who sees a bag sees how many elements it has of each kind that something asks for.
            if t.attrs[attr].set && !t.bags.iter().any(|b| b.fields.contains(&attr)) {
                let message = format!("attribute '{}' may occur more than once: the view goes without it", name.text);
                diags.push(Diagnostic::new(&codes::SET_IN_VIEW, name.span, message));
            } else {
                types[ty.0].view.push(attr);
            }
        }
    }
    if found {
        return;
    }
    let d = Diagnostic::new(&codes::UNKNOWN_ATTRIBUTE, name.span, format!("no type has an attribute '{}'", name.text));
    let is_status = |t: &ArtifactType| {
        names::find_stage(t, &name.text) != Found::Nothing || names::find_milestone(t, &name.text) != Found::Nothing
    };
    diags.push(if app.types.iter().any(is_status) {
        d.help("the status of stages and milestones is visible unless a transformation hides it")
    } else {
        let known = app.types.iter().flat_map(|t| &t.attrs);
        d.nearest(&name.text, known.flat_map(|a| [a.path.as_str(), names::last_step(&a.path)]))
    });
}

/// The attribute of that path or unique ending, or everything inside a complex attribute of that path.
fn attributes(t: &ArtifactType, path: &str) -> Vec<AttrIx> {
    match names::find_attr(t, path) {
        Found::One(attr) => vec![attr],
        _ => {
            let inside = |full: &str| full.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
            AttrIx::all(&t.attrs).filter(|&a| inside(&t.attrs[a].path)).collect()
        }
    }
}

const TRANSFORMATIONS: [&str; 5] =
    ["hide_stage_status", "hide_milestone", "delegate_sentry", "condense_stage", "eliminate_stage"];

fn hide(raw: &RawTransformation, app: &Application, types: &mut [RoleType], diags: &mut Diagnostics) {
    let op = raw.op.text.as_str();
    if !TRANSFORMATIONS.contains(&op) {
        let d = Diagnostic::new(&codes::UNKNOWN_TRANSFORMATION, raw.op.span, format!("unknown transformation '{op}'"));
        let d = d.note(format!("transformations are {}", TRANSFORMATIONS.join(", ")));
        diags.push(d.nearest(op, TRANSFORMATIONS));
        return;
    }
    let Some((ty, at)) = subject(raw, app, diags) else { return };
    let (t, role) = (&app.types[ty], &mut types[ty.0]);
    match op {
        "hide_stage_status" => role.hidden_stages[at] = true,
        "hide_milestone" => role.hidden_milestones[at] = true,
        "delegate_sentry" => role.delegated.extend(sentries(t).get(at).map(|(s, _)| *s)),
        _ => {
            let at = StageIx(at);
            for stage in StageIx::all(&t.stages) {
                if t.inside(stage, at) || (op == "eliminate_stage" && stage == at) {
                    eliminate(t, stage, role);
                }
            }
        }
    }
}

/// Hides a stage with its guards and milestones.
fn eliminate(t: &ArtifactType, stage: StageIx, role: &mut RoleType) {
    role.hidden_stages[stage.0] = true;
    for &m in &t.stages[stage].milestones {
        role.hidden_milestones[m.0] = true;
    }
    let inside = |s: SentryRef| match s {
        SentryRef::Guard(of, _) => of == stage,
        SentryRef::Achieving(m, _) | SentryRef::Invalidating(m, _) => t.milestones[m].stage == stage,
    };
    role.delegated.extend(sentries(t).into_iter().map(|(s, _)| s).filter(|s| inside(*s)));
}

/// What a transformation is about: a type, and the position of a stage, milestone or sentry in it.
fn subject(raw: &RawTransformation, app: &Application, diags: &mut Diagnostics) -> Option<(TypeIx, usize)> {
    let (kind, code) = match raw.op.text.as_str() {
        "hide_milestone" => ("milestone", &model::UNKNOWN_MILESTONE),
        "delegate_sentry" => ("sentry", &codes::UNKNOWN_SENTRY),
        _ => ("stage", &model::UNKNOWN_STAGE),
    };
    match raw.args.as_slice() {
        [ty, name] => {
            let ty = names::artifact_type(app, ty, diags)?;
            settle(
                find(&app.types[ty], kind, &name.text),
                name,
                (kind, code),
                std::slice::from_ref(&app.types[ty]),
                diags,
            )
            .map(|at| (ty, at))
        }
        [name] => {
            let hits: Vec<(TypeIx, Found)> = TypeIx::all(&app.types)
                .map(|ty| (ty, find(&app.types[ty], kind, &name.text)))
                .filter(|(_, found)| *found != Found::Nothing)
                .collect();
            match hits.as_slice() {
                [] => settle(Found::Nothing, name, (kind, code), &app.types, diags).map(|at| (TypeIx(0), at)),
                [(ty, found)] => {
                    settle(found.clone(), name, (kind, code), std::slice::from_ref(&app.types[*ty]), diags)
                        .map(|at| (*ty, at))
                }
                several => {
                    let types: Vec<String> = several.iter().map(|(ty, _)| format!("'{}'", app.types[*ty].id)).collect();
                    let message = format!("several types have a {kind} '{}'", name.text);
                    let d = Diagnostic::new(&codes::NOT_UNIQUE, name.span, message);
                    diags.push(d.help(format!("name the type first: {}", types.join(" or "))));
                    None
                }
            }
        }
        args => {
            let message = format!("'{}' takes a type and a {kind}, but has {} arguments", raw.op.text, args.len());
            diags.push(Diagnostic::new(&codes::TRANSFORMATION_ARGUMENTS, raw.span, message));
            None
        }
    }
}

fn find(t: &ArtifactType, kind: &str, text: &str) -> Found {
    match kind {
        "milestone" => names::find(names::milestones(t), text),
        "stage" => names::find(names::stages(t), text),
        _ => names::find(sentries(t).iter().map(|(_, g)| (g.id.as_str(), g.name.as_str())), text),
    }
}

fn settle(
    found: Found,
    name: &Name,
    (kind, code): (&str, &'static Code),
    types: &[ArtifactType],
    diags: &mut Diagnostics,
) -> Option<usize> {
    let d = match found {
        Found::One(at) => return Some(at),
        Found::Many(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| format!("'{id}'")).collect();
            Diagnostic::new(
                &model::AMBIGUOUS,
                name.span,
                format!("several {}s are called '{}'", kind.replace("sentry", "sentrie"), name.text),
            )
            .help(format!("use an id: {}", ids.join(" or ")))
        }
        Found::Nothing => {
            let known = types.iter().flat_map(|t| known_names(t, kind));
            let known: Vec<&str> = known.collect();
            Diagnostic::new(code, name.span, format!("unknown {kind} '{}'", name.text)).nearest(&name.text, known)
        }
    };
    diags.push(d);
    None
}

fn known_names<'a>(t: &'a ArtifactType, kind: &str) -> Vec<&'a str> {
    match kind {
        "stage" => t.stages.iter().flat_map(|s| [s.id.as_str(), s.name.as_str()]).collect(),
        "milestone" => t.milestones.iter().flat_map(|m| [m.id.as_str(), m.name.as_str()]).collect(),
        _ => sentries(t).into_iter().flat_map(|(_, g)| [g.id.as_str(), g.name.as_str()]).collect(),
    }
}

/// All sentries of a type: guards, then conditions and invalidating conditions of milestones.
pub(super) fn sentries(t: &ArtifactType) -> Vec<(SentryRef, &Guard)> {
    let mut all: Vec<(SentryRef, &Guard)> = Vec::new();
    for (s, stage) in StageIx::each(&t.stages) {
        all.extend(stage.guards.iter().enumerate().map(|(i, g)| (SentryRef::Guard(s, i), g)));
    }
    for (m, milestone) in MilestoneIx::each(&t.milestones) {
        all.extend(milestone.achieving.iter().enumerate().map(|(i, g)| (SentryRef::Achieving(m, i), g)));
        all.extend(milestone.invalidating.iter().enumerate().map(|(i, g)| (SentryRef::Invalidating(m, i), g)));
    }
    all
}

/// Events that a role may send to an instance of a type: those that the type receives, but for those that delegated sentries alone
/// name there. Creation events aside.
fn events(app: &Application, receivers: &[Vec<TypeIx>], ty: TypeIx, delegated: &[SentryRef]) -> Vec<EventIx> {
    let (mut named, mut kept) = (vec![false; app.events.len()], vec![false; app.events.len()]);
    for (sentry, guard) in sentries(&app.types[ty]) {
        for event in guard.named_events() {
            named[event.0] = true;
            kept[event.0] |= !delegated.contains(&sentry);
        }
    }
    let received = EventIx::each(&app.events).filter(|(ix, e)| e.creates.is_none() && receivers[ix.0].contains(&ty));
    received.filter(|(ix, _)| kept[ix.0] || !named[ix.0]).map(|(ix, _)| ix).collect()
}
