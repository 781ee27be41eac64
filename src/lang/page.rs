//! The model as pages show it: everything a page needs once.

use super::terms::Terms;
use crate::answer::to_json;
use crate::machine::{AgentIx, Machine, MachineAgent, SlotIx, VarId};
use serde::Serialize;
use serde_json::Value;

/// A model. Indices are positions in the lists of this value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelView {
    /// Name of the model.
    pub name: String,
    /// What the language calls what pages show.
    pub terms: Terms,
    /// What the language calls types, in its own shape; GSM: artifact types with stages and milestones.
    pub types: Vec<Value>,
    /// Events in the language's own shape.
    pub events: Vec<Value>,
    /// Slots, type by type.
    pub slots: Vec<SlotView>,
    /// Variables in the order of snapshots.
    pub variables: Vec<VariableView>,
    /// Agents, as the machine has them.
    pub agents: Vec<AgentView>,
}

/// A slot: a part of the snapshot that stands for one thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotView {
    /// `Type[1]`.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: usize,
    /// Its number in the type, from 1.
    pub number: u32,
    /// Name of the variable that says whether it is in use; absent: it always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// In GSM, per stage of the type: name of its variable.
    pub stages: Vec<String>,
    /// In GSM, per milestone of the type: name of its variable.
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
    pub slot: Option<usize>,
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
    /// Where a part of the model stands.
    State,
    /// Data.
    Data,
    /// A task is pending, or a value kept for one.
    Task,
    /// Something that watches and influences nothing.
    Observer,
    /// A private variable of an agent.
    Private,
    /// A flag that warns: overflow.
    Overflow,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentView {
    /// Its name; `anyone` for the default agent.
    pub name: String,
    /// It sees the whole snapshot.
    pub sees_all: bool,
    /// Its role, with what that lets it see, in the language's own shape.
    pub role: Option<Value>,
    /// Names of its private variables.
    pub private: Vec<String>,
    /// Per view of the machine's agent: names of the variables it sees while the view is open. Empty when it sees everything.
    pub sees: Vec<Vec<String>>,
}

impl VariableKind {
    /// As far as the machine knows.
    pub fn plain(m: &Machine, var: VarId) -> VariableKind {
        match (m.is_existence(var), m.owner(var)) {
            (true, _) => VariableKind::Created,
            (_, Some(_)) => VariableKind::Private,
            _ if var == m.overflow => VariableKind::Overflow,
            _ => VariableKind::Data,
        }
    }
}

impl ModelView {
    /// What can be said without the language.
    pub fn plain(name: &str, terms: Terms, m: &Machine, kind: &dyn Fn(VarId) -> VariableKind) -> ModelView {
        ModelView {
            name: name.to_string(),
            terms,
            types: Vec::new(),
            events: Vec::new(),
            slots: SlotIx::all(&m.slots).map(|s| SlotView::plain(m, s)).collect(),
            variables: m.state_ids().map(|v| VariableView::of(m, v, kind(v))).collect(),
            agents: AgentIx::each(&m.agents).map(|(i, a)| AgentView::plain(m, i, a)).collect(),
        }
    }
}

impl SlotView {
    fn plain(m: &Machine, slot: SlotIx) -> SlotView {
        let s = &m.slots[slot];
        SlotView {
            name: s.name.clone(),
            ty: s.family,
            number: s.number,
            created: s.exists.map(|v| m.var(v).name.clone()),
            stages: Vec::new(),
            milestones: Vec::new(),
        }
    }
}

impl VariableView {
    fn of(m: &Machine, var: VarId, kind: VariableKind) -> VariableView {
        let (v, agent) = (m.var(var), m.owner(var));
        let owner = v.slot.map(|s| m.slots[s].name.as_str()).or(agent.map(|a| m.agent_name(a)));
        let short = owner.and_then(|o| v.name.strip_prefix(o)).and_then(|rest| rest.strip_prefix('.'));
        VariableView {
            name: v.name.clone(),
            label: short.unwrap_or(&v.name).to_string(),
            kind,
            slot: v.slot.map(|s| s.0),
            agent: agent.map(|a| a.0),
            initial: to_json(&v.domain, v.init),
        }
    }
}

impl AgentView {
    fn plain(m: &Machine, index: AgentIx, agent: &MachineAgent) -> AgentView {
        let names = |vars: &[VarId]| vars.iter().map(|v| m.var(*v).name.clone()).collect();
        AgentView {
            name: m.agent_name(index).to_string(),
            sees_all: agent.sees_all,
            role: None,
            private: names(&agent.private),
            sees: if agent.sees_all { Vec::new() } else { agent.views.iter().map(|v| names(&v.seen)).collect() },
        }
    }
}
