//! The model as pages show it.

use super::Viewer;
use crate::lang::gsm::{AttrIx, Expr, ExprKind, Guard, Instance, Milestone, Role, Stage, TaskIx, TypeIx, VarRole};
use crate::machine::Domain;
use crate::machine::{MachineAgent, Slot, SlotIx, VarId};
use crate::trace::to_json;
use serde::Serialize;
use serde_json::Value;

/// A model: everything a page needs once. Indices are positions in the lists of this value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelView {
    /// Name of the application.
    pub name: String,
    /// Artifact types in document order.
    pub types: Vec<TypeView>,
    /// Events in document order, creation events included.
    pub events: Vec<EventView>,
    /// Slots, type by type.
    pub slots: Vec<SlotView>,
    /// Variables in the order of snapshots.
    pub variables: Vec<VariableView>,
    /// Agents, the AutoAgent last.
    pub agents: Vec<AgentView>,
}

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
    pub creates: Option<TypeIx>,
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

/// A slot: room for one instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotView {
    /// `Type[1]`.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: TypeIx,
    /// Its number in the type, from 1.
    pub number: u32,
    /// Name of the variable that says whether it is in use.
    pub created: String,
    /// Per stage of the type: name of its variable.
    pub stages: Vec<String>,
    /// Per milestone of the type: name of its variable.
    pub milestones: Vec<String>,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariableView {
    /// Its name in snapshots.
    pub name: String,
    /// The part of the name after the slot or agent.
    pub label: String,
    /// What it stands for.
    pub kind: VariableKind,
    /// The slot it belongs to.
    pub slot: Option<SlotIx>,
    /// The agent it belongs to.
    pub agent: Option<usize>,
    /// Its initial value.
    pub initial: Value,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VariableKind {
    /// A slot is in use.
    Created,
    /// A stage is open.
    Stage,
    /// A milestone is achieved.
    Milestone,
    /// A data attribute.
    Data,
    /// A task is pending, or a value kept for one.
    Task,
    /// An E-GSM observer.
    Observer,
    /// A private variable of an agent.
    Private,
    /// The overflow flag.
    Overflow,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentView {
    /// Its name; `anyone` for the default agent.
    pub name: String,
    /// It sees the whole snapshot.
    pub sees_all: bool,
    /// Its role, with what that lets it see.
    pub role: Option<RoleView>,
    /// Names of its private variables.
    pub private: Vec<String>,
    /// Per slot: names of the variables it sees while it sees the slot. Empty when it sees everything.
    pub sees: Vec<Vec<String>>,
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

impl Viewer<'_> {
    /// The model.
    pub fn model(&self) -> ModelView {
        let m = self.interp.machine();
        let name = |v: &VarId| m.var(*v).name.clone();
        let slot = |(slot, s): (&Slot, &Instance)| SlotView {
            name: slot.name.clone(),
            ty: s.ty,
            number: s.number,
            created: name(&s.created),
            stages: s.stages.iter().map(name).collect(),
            milestones: s.milestones.iter().map(name).collect(),
        };
        ModelView {
            name: self.app.name.clone(),
            types: (0..self.app.types.len()).map(|ty| self.ty(ty)).collect(),
            events: self.app.events.iter().map(|e| self.event(e)).collect(),
            slots: m.slots.iter().zip(&self.map.slots).map(slot).collect(),
            variables: m.state_ids().map(|v| self.variable(v)).collect(),
            agents: m.agents.iter().enumerate().map(|(i, a)| self.agent(i, a)).collect(),
        }
    }

    fn ty(&self, ty: TypeIx) -> TypeView {
        let t = &self.app.types[ty];
        let task = |k: TaskIx| t.tasks[k].id.clone();
        TypeView {
            id: t.id.clone(),
            name: t.name.clone(),
            place: self.place(t.span),
            bound: t.bound,
            attributes: (0..t.attrs.len()).map(|a| self.attribute(ty, a)).collect(),
            stages: t.stages.iter().map(|s| self.stage(s, s.task.map(task))).collect(),
            milestones: t.milestones.iter().map(|m| self.milestone(m)).collect(),
        }
    }

    fn attribute(&self, ty: TypeIx, attr: AttrIx) -> AttributeView {
        let a = &self.app.types[ty].attrs[attr];
        let slot = self.map.slots.iter().find(|s| s.ty == ty);
        AttributeView {
            path: a.path.clone(),
            kind: a.kind.name(),
            values: if a.set { "a set".into() } else { values(&a.domain) },
            left_out: slot.is_none_or(|s| s.attrs.get(attr).copied().flatten().is_none()),
            place: self.place(a.span),
        }
    }

    fn stage(&self, s: &Stage, task: Option<String>) -> StageView {
        StageView {
            id: s.id.clone(),
            name: s.name.clone(),
            place: self.place(s.span),
            parent: s.parent,
            children: s.children.clone(),
            guards: s.guards.iter().map(|g| self.sentry(g)).collect(),
            milestones: s.milestones.clone(),
            task,
        }
    }

    fn milestone(&self, m: &Milestone) -> MilestoneView {
        MilestoneView {
            id: m.id.clone(),
            name: m.name.clone(),
            place: self.place(m.span),
            stage: m.stage,
            achieving: m.achieving.iter().map(|g| self.sentry(g)).collect(),
            invalidating: m.invalidating.iter().map(|g| self.sentry(g)).collect(),
        }
    }

    fn sentry(&self, g: &Guard) -> SentryView {
        SentryView {
            id: g.id.clone(),
            name: g.name.clone(),
            place: self.place(g.sentry.span),
            events: g.sentry.events.iter().map(|e| self.app.events[*e].id.clone()).collect(),
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

    fn event(&self, e: &crate::lang::gsm::Event) -> EventView {
        let field = |f: &crate::lang::gsm::Field| FieldView { name: f.name.clone(), values: values(&f.domain) };
        EventView {
            id: e.id.clone(),
            name: e.name.clone(),
            place: self.place(e.span),
            creates: e.creates,
            outgoing: e.outgoing,
            payload: e.payload.iter().map(field).collect(),
        }
    }

    fn variable(&self, var: VarId) -> VariableView {
        let m = self.interp.machine();
        let (v, role) = (m.var(var), self.map.role(var));
        let kind = match role {
            VarRole::Created => VariableKind::Created,
            VarRole::Stage(_) => VariableKind::Stage,
            VarRole::Milestone(_) => VariableKind::Milestone,
            VarRole::Data(_) => VariableKind::Data,
            VarRole::Pending(_) | VarRole::Buffer(_) => VariableKind::Task,
            VarRole::Observer(..) => VariableKind::Observer,
            VarRole::Private(..) => VariableKind::Private,
            VarRole::Overflow => VariableKind::Overflow,
        };
        let agent = if let VarRole::Private(agent, _) = role { Some(agent) } else { None };
        let owner = v.slot.map(|s| m.slots[s].name.as_str()).or(agent.map(|a| m.agent_name(a)));
        let short = owner.and_then(|o| v.name.strip_prefix(o)).and_then(|rest| rest.strip_prefix('.'));
        VariableView {
            name: v.name.clone(),
            label: short.unwrap_or(&v.name).to_string(),
            kind,
            slot: v.slot,
            agent,
            initial: to_json(&v.domain, v.init),
        }
    }

    fn agent(&self, index: usize, agent: &MachineAgent) -> AgentView {
        let m = self.interp.machine();
        let names = |vars: &[VarId]| vars.iter().map(|v| m.var(*v).name.clone()).collect();
        let declared = self.app.agents.as_ref().and_then(|all| all.get(index));
        AgentView {
            name: m.agent_name(index).to_string(),
            sees_all: agent.sees_all,
            role: declared.and_then(|a| self.app.roles.get(a.role)).map(|r| self.role(r)),
            private: names(&agent.private),
            sees: if agent.sees_all { Vec::new() } else { agent.views.iter().map(|v| names(&v.seen)).collect() },
        }
    }

    fn role(&self, r: &Role) -> RoleView {
        let paths = |(ty, view): (usize, &Vec<AttrIx>)| {
            view.iter().map(|a| self.app.types[ty].attrs[*a].path.clone()).collect::<Vec<_>>()
        };
        RoleView {
            name: r.name.clone(),
            place: self.place(r.span),
            windows: r.types.iter().map(|t| self.written(&t.window, "true")).collect(),
            views: r.types.iter().map(|t| &t.view).enumerate().map(paths).collect(),
        }
    }
}

/// The values of a domain in words.
fn values(domain: &Domain) -> String {
    match domain {
        Domain::Bool => "false or true".into(),
        Domain::Int { lo, hi } => format!("{lo} to {hi}"),
        Domain::Enum { .. } => {
            let (lo, hi) = domain.bounds();
            (lo..=hi).map(|code| domain.show(code)).collect::<Vec<_>>().join(", ")
        }
    }
}

fn without_entities(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    plain.replace("&amp;", "&")
}
