//! The model as pages show it.

use super::{
    AttrIx, Event, Expr, ExprKind, Field, Gsm, Guard, Map, Milestone, Role, Stage, TaskIx, TypeIx, VarRole, terms,
};
use crate::lang::page::{ModelView, VariableKind};
use crate::machine::VarId;
use crate::machine::show::values;
use crate::source::{Sources, Span};
use serde::Serialize;
use serde_json::Value;

/// An artifact type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeView {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// Number of slots.
    pub bound: u32,
    /// Data attributes.
    pub attributes: Vec<AttributeView>,
    /// Stages in pre-order.
    pub stages: Vec<StageView>,
    /// Milestones, in pre-order of their stages.
    pub milestones: Vec<MilestoneView>,
}

/// A data attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeView {
    /// Path with dots.
    pub path: String,
    /// `boolean`, `integer`, `enumeration`, `text`, `date`, `reference`.
    pub kind: &'static str,
    /// Its values in words, as `0 to 3`.
    pub values: String,
    /// Nothing reads it, so it is no part of the machine.
    pub left_out: bool,
    /// `file:line:column`.
    pub place: String,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageView {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// The stage it lies in.
    pub parent: Option<usize>,
    /// Direct sub-stages.
    pub children: Vec<usize>,
    /// Guards in document order.
    pub guards: Vec<SentryView>,
    /// Its milestones: positions in [`TypeView::milestones`].
    pub milestones: Vec<usize>,
    /// Id of the task of an atomic stage.
    pub task: Option<String>,
}

/// A milestone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MilestoneView {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// The stage it belongs to.
    pub stage: usize,
    /// Achieving conditions.
    pub achieving: Vec<SentryView>,
    /// Invalidating conditions.
    pub invalidating: Vec<SentryView>,
}

/// A guard or a condition of a milestone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentryView {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// Ids of the events it waits for; one is enough.
    pub events: Vec<String>,
    /// The condition as written; empty where there is none.
    pub condition: String,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventView {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// The type it creates an instance of.
    pub creates: Option<usize>,
    /// Sent to the environment: no effect on the snapshot.
    pub outgoing: bool,
    /// Payload.
    pub payload: Vec<FieldView>,
}

/// A payload field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldView {
    /// Its name.
    pub name: String,
    /// Its values in words.
    pub values: String,
}

/// A role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleView {
    /// Its name.
    pub name: String,
    /// `file:line:column`.
    pub place: String,
    /// Per type: its window as written, `$$` being the agent.
    pub windows: Vec<String>,
    /// Per type: paths of the attributes it sees.
    pub views: Vec<Vec<String>>,
}

/// Makes the view of an application.
struct Viewer<'a> {
    gsm: &'a Gsm,
    sources: &'a Sources,
}

/// The model as pages show it.
pub fn view(gsm: &Gsm, sources: &Sources) -> ModelView {
    let (app, m) = (&gsm.app, &gsm.machine);
    let viewer = Viewer { gsm, sources };
    let mut view = ModelView::plain(&app.name, terms::terms(app), m, &|v| kind(&gsm.map, v));
    view.types = TypeIx::all(&app.types).map(|ty| json(viewer.ty(ty))).collect();
    view.events = app.events.iter().map(|e| json(viewer.event(e))).collect();
    let names = |vars: &[VarId]| vars.iter().map(|v| m.var(*v).name.clone()).collect();
    for (shown, slot) in view.slots.iter_mut().zip(&gsm.map.slots) {
        shown.stages = names(&slot.stages);
        shown.milestones = names(&slot.milestones);
    }
    for (shown, agent) in view.agents.iter_mut().zip(app.agents.iter().flatten()) {
        shown.role = app.roles.get(agent.role).map(|r| json(viewer.role(r)));
    }
    view
}

/// What a variable stands for.
pub fn kind(map: &Map, var: VarId) -> VariableKind {
    match map.role(var) {
        VarRole::Created => VariableKind::Created,
        VarRole::Stage(_) => VariableKind::Stage,
        VarRole::Milestone(_) => VariableKind::Milestone,
        VarRole::Data(_) => VariableKind::Data,
        VarRole::Pending(_) | VarRole::Buffer(_) => VariableKind::Task,
        VarRole::Observer(..) => VariableKind::Observer,
        VarRole::Private(..) => VariableKind::Private,
        VarRole::Overflow => VariableKind::Overflow,
    }
}

fn json(part: impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

impl Viewer<'_> {
    fn place(&self, span: Span) -> String {
        self.sources.place(span)
    }

    fn ty(&self, ty: TypeIx) -> TypeView {
        let t = &self.gsm.app.types[ty];
        let task = |k: TaskIx| t.tasks[k].id.clone();
        TypeView {
            id: t.id.clone(),
            name: t.name.clone(),
            place: self.place(t.span),
            bound: t.bound,
            attributes: AttrIx::all(&t.attrs).map(|a| self.attribute(ty, a)).collect(),
            stages: t.stages.iter().map(|s| self.stage(s, s.task.map(task))).collect(),
            milestones: t.milestones.iter().map(|m| self.milestone(m)).collect(),
        }
    }

    fn attribute(&self, ty: TypeIx, attr: AttrIx) -> AttributeView {
        let a = &self.gsm.app.types[ty].attrs[attr];
        let slot = self.gsm.map.slots.iter().find(|s| s.ty == ty);
        AttributeView {
            path: a.path.clone(),
            kind: a.kind.name(),
            values: if a.set { "a set".into() } else { values(&a.domain) },
            left_out: slot.is_none_or(|s| s.attrs.get(attr.0).copied().flatten().is_none()),
            place: self.place(a.span),
        }
    }

    fn stage(&self, s: &Stage, task: Option<String>) -> StageView {
        StageView {
            id: s.id.clone(),
            name: s.name.clone(),
            place: self.place(s.span),
            parent: s.parent.map(|p| p.0),
            children: s.children.iter().map(|c| c.0).collect(),
            guards: s.guards.iter().map(|g| self.sentry(g)).collect(),
            milestones: s.milestones.iter().map(|m| m.0).collect(),
            task,
        }
    }

    fn milestone(&self, m: &Milestone) -> MilestoneView {
        MilestoneView {
            id: m.id.clone(),
            name: m.name.clone(),
            place: self.place(m.span),
            stage: m.stage.0,
            achieving: m.achieving.iter().map(|g| self.sentry(g)).collect(),
            invalidating: m.invalidating.iter().map(|g| self.sentry(g)).collect(),
        }
    }

    fn sentry(&self, g: &Guard) -> SentryView {
        SentryView {
            id: g.id.clone(),
            name: g.name.clone(),
            place: self.place(g.sentry.span),
            events: g.sentry.events.iter().map(|e| self.gsm.app.events[*e].id.clone()).collect(),
            condition: self.written(&g.sentry.expr, ""),
        }
    }

    /// An expression as its file has it, entities of the XML resolved; `always` for the constant true.
    fn written(&self, expr: &Expr, always: &str) -> String {
        match expr.kind {
            ExprKind::Bool(true) => always.into(),
            ExprKind::Bool(false) => "false".into(),
            _ => without_entities(&self.sources.text(expr.span).split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    fn event(&self, e: &Event) -> EventView {
        let field = |f: &Field| FieldView { name: f.name.clone(), values: values(&f.domain) };
        EventView {
            id: e.id.clone(),
            name: e.name.clone(),
            place: self.place(e.span),
            creates: e.creates.map(|ty| ty.0),
            outgoing: e.outgoing,
            payload: e.payload.iter().map(field).collect(),
        }
    }

    fn role(&self, r: &Role) -> RoleView {
        let paths = |(ty, view): (usize, &Vec<AttrIx>)| {
            view.iter().map(|a| self.gsm.app.types[ty].attrs[*a].path.clone()).collect::<Vec<_>>()
        };
        RoleView {
            name: r.name.clone(),
            place: self.place(r.span),
            windows: r.types.iter().map(|t| self.written(&t.window, "true")).collect(),
            views: r.types.iter().map(|t| &t.view).enumerate().map(paths).collect(),
        }
    }
}

fn without_entities(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    plain.replace("&amp;", "&")
}
