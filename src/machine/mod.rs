//! The machine: one state-machine IR that every engine reads.
//!
//! A [`Machine`] has finite-domain variables and actions. One **action** is one agent making one [`Body`] happen; the body is
//! shared by all agents that can. To run a body on a snapshot Σ with chosen payload inputs, every engine does the same small
//! thing, which [`walk`] spells out once:
//!
//! 1. `Cur := Prev` (the snapshot Σ); scratch variables start at their `init`;
//! 2. do `effect`, assignment by assignment in order (each sees the ones before it through `Cur`): this is Σ₁;
//! 3. the step exists iff the action's `allowed` (over `Prev` and inputs) holds and the body's `applicable` (over `Prev`, inputs and
//!    `Cur` = Σ₁) holds;
//! 4. run `rules` in order: where `prerequisite` and `antecedent` hold (over `Prev`, `Cur` and inputs as they are at that moment),
//!    the rule fires and `target := value`: this ends in Σₙ;
//! 5. do `finish` of the body, assignment by assignment in order;
//! 6. do `updates` of the action at once: each reads `Prev`, inputs and `Cur` as `finish` left it, none sees another. This is Σ′.
//!
//! What is assigned stays in the variable's domain: a number beyond it becomes the domain's nearest end. Scratch variables are no
//! part of a snapshot; what they hold ends with the step.
//!
//! Beside the actions there is idling: see [`Machine::idle`]. Expressions over a single snapshot (windows, atoms) read `Cur` only.
//!
//! [`validate`] proves a machine well-formed; engines take the proof ([`Valid`]), so an unvalidated machine cannot be run.

pub mod calendar;
pub mod code;
pub mod component;
mod domain;
mod expr;
mod index;
pub mod number;
mod ops;
mod points;
mod question;
mod range;
mod ranges;
pub mod show;
mod slice;
mod snapshot;
mod valid;
pub mod walk;

pub use component::Component;
pub use domain::{BOTTOM, Domain, Idle};
pub use expr::{ExprId, Exprs, FALSE, Leaf, Node, TRUE};
pub(crate) use index::points_into;
pub use index::{BodyIx, InputIx, SlotIx};

pub use ops::{ArithOp, CompareOp};
pub use points::{Cut, Point, Points};
pub use question::{Ask, Question, Steps};
pub use range::{Ends, arith, interval, intervals};
pub use ranges::Ranges;
pub use slice::{Influence, Kept};
pub use snapshot::Snapshot;
pub use valid::{Fault, Unbounded, Valid, validate, validate_unbounded};

pub use crate::logic::AgentIx;
use crate::logic::Property;
use crate::source::Span;

/// Handle of a variable: index into [`Machine::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// The whole machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Name of the application.
    pub name: String,
    /// State variables (slot by slot, then private variables, then `overflow`), and after them all scratch variables.
    pub vars: Vec<Var>,
    /// All expressions.
    pub exprs: Exprs,
    /// Slots, type by type.
    pub slots: Vec<Slot>,
    /// The agents of the agents file in order (or the nameless default agent), then the AutoAgent last.
    pub agents: Vec<MachineAgent>,
    /// What events do.
    pub bodies: Vec<Body>,
    /// Who may make them happen, in a fixed order.
    pub actions: Vec<Action>,
    /// When the system may also do nothing (a self-loop).
    pub idle: Idle,
    /// The sticky overflow flag.
    pub overflow: VarId,
    /// The properties, quantifiers expanded; atoms are Boolean expressions over `Cur`.
    pub properties: Vec<Property<ExprId>>,
    /// What no formula can ask; answered on request.
    pub questions: Vec<Question>,
    /// Types that the environment can create, with their bounds.
    pub bounds: Vec<(String, u32)>,
    /// Attributes left out by the cone of influence, as `Type.path`.
    pub left_out: Vec<String>,
    /// Is some event's rule graph cyclic?
    pub cyclic: bool,
}

/// A variable.
#[derive(Clone, Debug, Hash)]
pub struct Var {
    /// Unique name in the model's terms: `Type[1].Stage`, `Agent.var`, `overflow`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Initial value, coded. A scratch variable has it at the beginning of every step.
    pub init: i64,
    /// It lives within a step only and is no part of the snapshot.
    pub scratch: bool,
    /// The slot it belongs to.
    pub slot: Option<SlotIx>,
}

/// A part of the snapshot that comes and goes as a whole or is one of several alike: in GSM, room for one instance of a type. A
/// language may have none.
#[derive(Clone, Debug, Hash)]
pub struct Slot {
    /// `Type[1]`.
    pub name: String,
    /// Slots with the same number are alike: they have the same variables in the same order.
    pub family: usize,
    /// Its number among those of its family, from 1.
    pub number: u32,
    /// The variable that says whether it is in use; `None`: always.
    pub exists: Option<VarId>,
    /// Its variables.
    pub vars: Vec<VarId>,
}

/// An agent as the machine knows it.
#[derive(Clone, Debug, Hash)]
pub struct MachineAgent {
    /// Its name; `None` for the default agent.
    pub name: Option<String>,
    /// Its private variables.
    pub private: Vec<VarId>,
    /// It sees the whole snapshot, private variables of others included (AutoAgent, default agent).
    pub sees_all: bool,
    /// What else it sees.
    pub views: Vec<View>,
}

/// What an agent sees of something: whether it is visible, and the values of `seen` while it is.
#[derive(Clone, Debug, Hash)]
pub struct View {
    /// What this is a view of: `Type[1]`.
    pub name: String,
    /// Visible now? Over `Cur`.
    pub visible: ExprId,
    /// Variables whose values it sees then.
    pub seen: Vec<VarId>,
}

/// What an event does at a slot.
#[derive(Clone, Debug, Hash)]
pub struct Body {
    /// Name of the event as it appears in traces (event id; a task's completion is `done <task id>`).
    pub event: String,
    /// The slot it happens to; `None` for a creation that finds no free slot.
    pub target: Option<SlotIx>,
    /// Payload (and answers of external services): chosen freely from `values`.
    pub inputs: Vec<Input>,
    /// Immediate effect.
    pub effect: Vec<Assign>,
    /// May it happen (section "applicable events")? Over `Prev`, inputs and `Cur` = Σ₁.
    pub applicable: ExprId,
    /// Rules that can matter, in their serialized order.
    pub rules: Vec<Rule>,
    /// Tasks become pending or are dropped, observers move.
    pub finish: Vec<Assign>,
    /// Rules that wait for each other (cyclic rule graphs only).
    pub components: Vec<Component>,
}

/// A payload input.
#[derive(Clone, Debug, Hash)]
pub struct Input {
    /// The field's name.
    pub name: String,
    /// Its domain, for showing values.
    pub domain: Domain,
    /// The codes that can be sent.
    pub values: Ranges,
}

impl Input {
    /// Can a code be sent? What has no bounds takes exact values, too.
    pub fn accepts(&self, code: i64) -> bool {
        if self.domain.is_unbounded() { self.domain.contains(code) } else { self.values.contains(code) }
    }

    /// Does a name mean it? That of a date means the point of time, too.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.name.strip_suffix(calendar::WHEN) == Some(name)
    }

    /// The code of a text that can be sent.
    pub fn read(&self, text: &str) -> Option<i64> {
        self.domain.read(text).filter(|c| self.accepts(*c))
    }
}

/// `var := value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Assign {
    /// The variable.
    pub var: VarId,
    /// Its new value.
    pub value: ExprId,
}

/// A guarded assignment, such as a ground PAC rule. It fires where both conditions hold at its turn.
#[derive(Clone, Debug, Hash)]
pub struct Rule {
    /// Where it comes from.
    pub origin: Origin,
    /// What must hold for the rule to be asked at all; over `Prev` and `Cur`. May be `true`.
    pub prerequisite: ExprId,
    /// Over `Prev` and `Cur`.
    pub antecedent: ExprId,
    /// The variable it sets.
    pub target: VarId,
    /// To this, over `Prev` and `Cur`.
    pub value: ExprId,
}

/// Where a ground rule comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What it is called: `PAC-1 Drafting/Guard1`.
    pub label: String,
    /// Its place in a file.
    pub span: Span,
    /// The slot it is a rule of, if any.
    pub slot: Option<SlotIx>,
    /// A number that means something to the language alone. Ground rules with the same key and slot are one rule.
    pub key: u32,
}

/// Where it stands in a file does not make another rule.
impl std::hash::Hash for Origin {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let Origin { label, span: _, slot, key } = self;
        (label, slot, key).hash(state);
    }
}

/// One agent may make one body happen.
#[derive(Clone, Debug, Hash)]
pub struct Action {
    /// The agent.
    pub agent: AgentIx,
    /// What happens.
    pub body: BodyIx,
    /// Role, window, protocol and free slot; over `Prev` and inputs.
    pub allowed: ExprId,
    /// Updates of the agent's private variables and of `overflow`, last in the step and all at once; at most one per variable.
    pub updates: Vec<Assign>,
}

/// More values of payload than this are not tried one by one where a person waits.
pub const MANY_PAYLOADS: u64 = 100_000;

impl Body {
    /// Everything that it writes, with the value that it writes.
    pub fn writes(&self) -> impl Iterator<Item = (VarId, ExprId)> + '_ {
        let assigned = self.effect.iter().chain(&self.finish).map(|a| (a.var, a.value));
        assigned.chain(self.rules.iter().map(|r| (r.target, r.value)))
    }

    /// Does a name of the payload mean this input? A date that is sent is set, so that its name means when it is.
    pub fn means(&self, input: &Input, name: &str) -> bool {
        let timed = |i: &Input| i.name.strip_suffix(calendar::WHEN) == Some(name);
        input.is_called(name) && (timed(input) || !self.inputs.iter().any(timed))
    }

    /// Number of different payloads.
    pub fn payloads(&self) -> u64 {
        self.inputs.iter().fold(1u64, |n, i| n.saturating_mul(i.values.len()))
    }
}

impl Machine {
    /// The variable of a handle.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// All handles in order, those of scratch variables last.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len() as u32).map(VarId)
    }

    /// The variables that a snapshot has values of.
    pub fn state_vars(&self) -> &[Var] {
        &self.vars[..self.vars.partition_point(|v| !v.scratch)]
    }

    /// Their handles.
    pub fn state_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.state_vars().len() as u32).map(VarId)
    }

    /// The scratch variables, which follow the others.
    pub fn scratch_vars(&self) -> &[Var] {
        &self.vars[self.vars.partition_point(|v| !v.scratch)..]
    }

    /// The initial snapshot, one code per state variable.
    pub fn initial(&self) -> Snapshot {
        self.state_vars().iter().map(|v| v.init).collect()
    }

    /// The variable of a name.
    pub fn find(&self, name: &str) -> Option<VarId> {
        self.vars.iter().position(|v| v.name == name).map(|i| VarId(i as u32))
    }

    /// The body of an action.
    pub fn body(&self, action: &Action) -> &Body {
        &self.bodies[action.body]
    }

    /// Everything that some step writes, with the value that it writes.
    pub fn writes(&self) -> impl Iterator<Item = (VarId, ExprId)> + '_ {
        let sent = self.actions.iter().flat_map(|a| a.updates.iter().map(|u| (u.var, u.value)));
        self.bodies.iter().flat_map(Body::writes).chain(sent)
    }

    /// Has all data bounds?
    pub fn is_bounded(&self) -> bool {
        let inputs = self.bodies.iter().flat_map(|b| &b.inputs).map(|i| &i.domain);
        !self.vars.iter().map(|v| &v.domain).chain(inputs).any(Domain::is_unbounded)
    }

    /// Bits of a snapshot.
    pub fn state_bits(&self) -> u32 {
        self.state_vars().iter().map(|v| v.domain.bits()).sum()
    }

    /// Number of ground rules: distinct (rule, slot) pairs over all bodies.
    pub fn ground_rules(&self) -> usize {
        let all = self.bodies.iter().flat_map(|b| &b.rules).map(|r| (r.origin.key, r.origin.slot));
        all.collect::<rustc_hash::FxHashSet<_>>().len()
    }

    /// Is it the variable that says whether its slot is in use?
    pub fn is_existence(&self, var: VarId) -> bool {
        self.slot_of(var).is_some_and(|s| s.exists == Some(var))
    }

    /// The slot of a variable.
    pub fn slot_of(&self, var: VarId) -> Option<&Slot> {
        self.vars.get(var.0 as usize).and_then(|v| v.slot).and_then(|s| self.slots.get(s.0))
    }

    /// The agent whose private variable it is.
    pub fn owner(&self, var: VarId) -> Option<AgentIx> {
        self.agents.iter().position(|a| a.private.contains(&var)).map(AgentIx)
    }

    /// The slot that a body happens to, by name.
    pub fn target_name(&self, body: &Body) -> Option<&str> {
        body.target.and_then(|t| self.slots.get(t.0)).map(|s| s.name.as_str())
    }

    /// A rule as it is called among those of all slots: `Type[1].PAC-1 …`.
    pub fn rule_name(&self, rule: &Rule) -> String {
        match rule.origin.slot.and_then(|s| self.slots.get(s.0)) {
            Some(slot) => format!("{}.{}", slot.name, rule.origin.label),
            None => rule.origin.label.clone(),
        }
    }

    /// An agent as people call it.
    pub fn agent_name(&self, agent: AgentIx) -> &str {
        self.agents.get(agent.0).and_then(|a| a.name.as_deref()).unwrap_or("anyone")
    }
}
