//! The semantics of GSM executed literally on the model, without a machine: slow, plain, and written independently of lowering.
//!
//! [`Reference`] enumerates the steps of a [`World`]. The tests compare it with the interpreter on the lowered machine, snapshot
//! by snapshot: what both say is hardly wrong. It keeps all data, so compare with `keep_all`.

mod bags;
mod closed_form;
mod eval;
mod kept;
mod messages;
mod numbers;
mod step;

use crate::lang::gsm::{Application, Order, Rules, StageIx, Status, TaskIx, TypeIx, orders};
use eval::Context;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct World {
    /// Slots, type by type.
    pub slots: Vec<Slot>,
    /// Per agent of the agents file: its private variables.
    pub private: Vec<Vec<i64>>,
    /// The sticky flag.
    pub overflow: bool,
}

/// A slot in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// In use.
    pub created: bool,
    /// Active stages.
    pub stages: Vec<bool>,
    /// Achieved milestones.
    pub milestones: Vec<bool>,
    /// Data, coded.
    pub data: Vec<i64>,
    /// Pending tasks.
    pub pending: Vec<bool>,
    /// Per task: what it keeps of the payload, one for each field (and the events it may come from) that its mappings read, in
    /// order; the values as people read them, `None` if absent.
    pub buffers: Vec<Vec<Option<String>>>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The agent's index; the AutoAgent comes after the others. `None`: idling.
    pub agent: Option<usize>,
    /// The event's id, `done T` for a task's completion; empty for idling.
    pub event: String,
    /// The slot, by position; `None` for idling and for a creation that finds no slot.
    pub target: Option<usize>,
    /// The snapshot after it.
    pub after: World,
}

/// Runs an application.
pub struct Reference<'a> {
    app: &'a Application,
    rules: Rules,
    orders: Vec<Order>,
    /// Type and number (from 1) of every slot.
    slots: Vec<(TypeIx, u32)>,
    /// Compare every step with the closed form of the rules.
    closed_form: bool,
}

impl<'a> Reference<'a> {
    /// For an application.
    pub fn new(app: &'a Application) -> Reference<'a> {
        let rules = Rules::of(app);
        let orders = orders(app, &rules);
        let slots = TypeIx::each(&app.types).flat_map(|(ty, t)| (1..=t.bound).map(move |n| (ty, n))).collect();
        Reference { app, rules, orders, slots, closed_form: false }
    }

    /// For an application without cyclic rules, every step of which is compared with the closed form of the rules; panics where they differ.
    pub fn with_closed_form(app: &'a Application) -> Option<Reference<'a>> {
        let reference = Reference::new(app);
        let acyclic = reference.orders.iter().all(|o| o.cycles.is_empty() && o.edges.iter().all(|e| !e.reversed));
        acyclic.then_some(Reference { closed_form: true, ..reference })
    }

    /// The initial snapshot.
    pub fn initial(&self) -> World {
        let slot = |&(ty, _): &(TypeIx, u32)| {
            let t = &self.app.types[ty];
            Slot {
                created: false,
                stages: vec![false; t.stages.len()],
                milestones: vec![false; t.milestones.len()],
                data: t.attrs.iter().map(|a| a.init).collect(),
                pending: vec![false; t.tasks.len()],
                buffers: TaskIx::all(&t.tasks).map(|k| vec![None; self.keeps(ty, k)]).collect(),
            }
        };
        let agents = self.app.agents.iter().flatten();
        World {
            slots: self.slots.iter().map(slot).collect(),
            private: agents.map(|a| a.vars.iter().map(|v| v.init).collect()).collect(),
            overflow: false,
        }
    }

    /// How many values a task keeps.
    fn keeps(&self, ty: TypeIx, task: TaskIx) -> usize {
        match self.sends(ty, task) {
            Some(_) => self.remembered(ty, task).len(),
            None => kept::sources(&self.app.types[ty], task).len(),
        }
    }

    /// Does an agent see a slot?
    pub fn visible(&self, world: &World, agent: usize, slot: usize) -> bool {
        let Some(a) = self.app.agents.as_ref().and_then(|all| all.get(agent)) else { return true };
        let window = &self.app.roles[a.role].types[(self.slots[slot].0).0].window;
        let context = Context { agent: Some(agent), slot: Some(slot), ..Context::new(self, world, world) };
        world.slots[slot].created && context.holds(window)
    }

    /// Slots of a type, ascending.
    fn of_type(&self, ty: TypeIx) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots.len()).filter(move |&s| self.slots[s].0 == ty)
    }
}

impl World {
    /// A status attribute of a slot.
    pub fn status(&self, slot: usize, status: Status) -> bool {
        match status {
            Status::Stage(s) => self.slots[slot].stages[s.0],
            Status::Milestone(m) => self.slots[slot].milestones[m.0],
        }
    }

    fn set_status(&mut self, slot: usize, status: Status, value: bool) {
        match status {
            Status::Stage(s) => self.slots[slot].stages[s.0] = value,
            Status::Milestone(m) => self.slots[slot].milestones[m.0] = value,
        }
    }

    /// (I1) an active stage has no achieved milestone, (I2) a sub-stage of an inactive stage is inactive.
    pub fn is_sound(&self, app: &Application, types: &[TypeIx]) -> bool {
        self.slots.iter().zip(types).all(|(slot, &ty)| {
            let t = &app.types[ty];
            StageIx::all(&t.stages).filter(|s| slot.stages[s.0]).all(|s| {
                t.stages[s].milestones.iter().all(|m| !slot.milestones[m.0])
                    && t.stages[s].parent.is_none_or(|p| slot.stages[p.0])
            })
        })
    }
}
