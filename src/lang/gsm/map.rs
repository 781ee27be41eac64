//! What the parts of a lowered machine stand for in the model.

use super::{AttrIx, MilestoneIx, Occurrence, StageIx, Status, TaskIx, TypeIx};
use crate::machine::{AgentIx, BodyIx, SlotIx, VarId};

/// The way back from the machine to the model.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Per variable.
    pub roles: Vec<VarRole>,
    /// Per slot.
    pub slots: Vec<Instance>,
    /// Per body: what happens.
    pub occurrences: Vec<Occurrence>,
    /// Per body: the slot whose message is delivered.
    pub senders: Vec<Option<SlotIx>>,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarRole {
    /// The slot is in use.
    Created,
    /// A stage is open.
    Stage(StageIx),
    /// A milestone is achieved.
    Milestone(MilestoneIx),
    /// A data attribute.
    Data(AttrIx),
    /// A task is pending.
    Pending(TaskIx),
    /// A payload field kept for a pending task; code 0 is "absent".
    Buffer(TaskIx),
    /// An E-GSM observer of a stage.
    Observer(StageIx, Observer),
    /// A private variable of an agent (index into its variables).
    Private(AgentIx, usize),
    /// The overflow flag.
    Overflow,
}

/// E-GSM observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observer {
    /// Opened while no ProcessFlowGuard held.
    OutOfOrder,
    /// Passed over by a stage that opened out of order.
    Skipped,
    /// A FaultLogger held while it was open.
    Faulty,
    /// Has been open before (helps `Skipped`).
    EverOpened,
}

/// A slot as room for one instance of a type.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The type.
    pub ty: TypeIx,
    /// Its number in the type, from 1.
    pub number: u32,
    /// In use?
    pub created: VarId,
    /// Per stage of the type.
    pub stages: Vec<VarId>,
    /// Per milestone of the type.
    pub milestones: Vec<VarId>,
    /// Per attribute of the type; `None` if left out.
    pub attrs: Vec<Option<VarId>>,
    /// Per task of the type.
    pub pending: Vec<VarId>,
    /// Per task: the buffered fields with their variables.
    pub buffers: Vec<Vec<Buffer>>,
}

/// A payload field that is kept for a pending task.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The field.
    pub field: String,
    /// Its value; where there is no `present`, code 0 is "absent" and the others are shifted by one.
    pub var: VarId,
    /// Whether there is a value, for a number without bounds. Without one, the variable is 0.
    pub present: Option<VarId>,
}

impl std::ops::Index<SlotIx> for Vec<Instance> {
    type Output = Instance;

    fn index(&self, slot: SlotIx) -> &Instance {
        &self[slot.0]
    }
}

impl Instance {
    /// The variable of a status attribute.
    pub fn status(&self, status: Status) -> VarId {
        match status {
            Status::Stage(s) => self.stages[s.0],
            Status::Milestone(m) => self.milestones[m.0],
        }
    }
}

impl Map {
    /// What a variable stands for.
    pub fn role(&self, var: VarId) -> VarRole {
        self.roles.get(var.0 as usize).copied().unwrap_or(VarRole::Overflow)
    }

    /// The variable of no slot that stands for something.
    pub fn private(&self, agent: AgentIx, var: usize) -> Option<VarId> {
        self.roles.iter().position(|r| *r == VarRole::Private(agent, var)).map(|i| VarId(i as u32))
    }

    /// What happens in a body.
    pub fn occurrence(&self, body: BodyIx) -> Option<Occurrence> {
        self.occurrences.get(body.0).copied()
    }

    /// Slots of a type, ascending.
    pub fn slots_of(&self, ty: TypeIx) -> impl Iterator<Item = SlotIx> + '_ {
        (0..self.slots.len()).map(SlotIx).filter(move |s| self.slots[*s].ty == ty)
    }
}
