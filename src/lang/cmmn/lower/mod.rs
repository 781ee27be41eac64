//! From a case to the machine: the whole cascade of a step unrolled into one transition.
//!
//! One body per outside event and instance (`events`). Its rules are the event's own operations (`ops`) and then round after
//! round of what follows (`rounds`, `outside`), until no rule is left that could fire: how many rounds that takes is
//! found while they are emitted (`emit`). Steps that never end, or that the engine refuses, are undone in the end.

mod cond;
mod emit;
mod events;
mod exits;
mod map;
mod ops;
mod outside;
mod rounds;
mod sentry;
mod standard;
mod turns;
mod vars;

pub use map::{Does, Happening, Map};
pub(super) use vars::domain_of;

use super::model::{Case, CritIx, Event, InstIx, Kind, State};
use crate::logic::Property;
use crate::machine::{BodyIx, ExprId, Exprs, Fault, Idle, Machine, MachineAgent, Origin, Valid, VarId, validate};
use crate::source::Diagnostic;
use crate::source::codes::machine::BAD_MACHINE;
use std::collections::{BTreeMap, BTreeSet};

/// Steps are cut off after so many rounds, unless the user says otherwise.
pub const MOST_ROUNDS: usize = 40;

/// A machine, and what its parts stand for.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The machine.
    pub machine: Valid,
    /// The way back to the case.
    pub map: Map,
    /// Rules that questions may ask about, by body and position.
    pub marks: BTreeMap<(BodyIx, usize), Does>,
}

/// Makes properties once all variables are known.
pub type Speak<'a> = dyn FnMut(&Map, VarId, &mut Exprs) -> Vec<Property<ExprId>> + 'a;

/// Lowers a case with its properties; `standard`: also those that every case should have.
pub fn lower(case: &Case, most_rounds: usize, standard: bool, properties: &mut Speak) -> Result<Lowered, Diagnostic> {
    let mut lower = Lower::new(case, most_rounds);
    lower.make_variables();
    lower.make_bodies();
    let overflow = lower.m.overflow;
    lower.m.properties = properties(&lower.map, overflow, &mut lower.m.exprs);
    if standard {
        lower.make_standard();
    }
    let bad = |fault: Fault| Diagnostic::placeless(&BAD_MACHINE, fault.to_string());
    let machine = validate(lower.m).map_err(bad)?;
    let marks = lower.marks.into_iter().map(|(does, body, rule)| ((body, rule), does)).collect();
    Ok(Lowered { machine, map: lower.map, marks })
}

/// A machine under construction.
struct Lower<'c> {
    case: &'c Case,
    most_rounds: usize,
    m: Machine,
    map: Map,
    names: BTreeSet<String>,
    /// What some on-part listens to: one variable for events of even rounds, one for odd ones.
    heard: BTreeMap<(InstIx, Event, Option<CritIx>), [VarId; 2]>,
    /// Scratch variables by purpose.
    purposes: BTreeMap<String, VarId>,
    fresh: BTreeMap<InstIx, VarId>,
    stage_flags: BTreeMap<InstIx, VarId>,
    keys: BTreeMap<Does, u32>,
    /// Rules that questions may ask about.
    marks: Vec<(Does, BodyIx, usize)>,
}

impl<'c> Lower<'c> {
    fn new(case: &'c Case, most_rounds: usize) -> Lower<'c> {
        let all = |name: Option<&str>| MachineAgent {
            name: name.map(str::to_string),
            private: Vec::new(),
            sees_all: true,
            views: Vec::new(),
        };
        let mut agents: Vec<MachineAgent> = case.roles.iter().map(|role| all(Some(role))).collect();
        if agents.is_empty() {
            agents.push(all(None));
        }
        agents.push(all(Some("AutoAgent")));
        let several = case.places.iter().filter(|p| p.slots.len() > 1);
        let bounds: BTreeMap<String, u32> =
            several.map(|p| (case.items[p.item].name.clone(), p.slots.len() as u32)).collect();
        let m = Machine {
            name: case.name.clone(),
            vars: Vec::new(),
            exprs: Exprs::default(),
            slots: Vec::new(),
            agents,
            bodies: Vec::new(),
            actions: Vec::new(),
            idle: Idle::Terminal,
            overflow: VarId(0),
            properties: Vec::new(),
            questions: Vec::new(),
            bounds: bounds.into_iter().collect(),
            left_out: Vec::new(),
            cyclic: false,
        };
        Lower {
            case,
            most_rounds,
            m,
            map: Map::new(),
            names: BTreeSet::new(),
            heard: BTreeMap::new(),
            purposes: BTreeMap::new(),
            fresh: BTreeMap::new(),
            stage_flags: BTreeMap::new(),
            keys: BTreeMap::new(),
            marks: Vec::new(),
        }
    }

    /// The scratch variable for a purpose.
    fn named(&mut self, purpose: &str) -> VarId {
        if let Some(found) = self.known(purpose) {
            return found;
        }
        let var = self.scratch(format!("step: {purpose}"));
        self.purposes.insert(purpose.to_string(), var);
        var
    }

    fn known(&self, purpose: &str) -> Option<VarId> {
        self.purposes.get(purpose).copied()
    }

    /// Says that the guard of a block holds.
    fn go(&mut self, depth: usize) -> VarId {
        self.named(&format!("go {depth}"))
    }

    /// Remembers which of two branches is taken.
    fn flag(&mut self, depth: usize) -> VarId {
        self.named(&format!("either {depth}"))
    }

    fn marked(&mut self) -> VarId {
        self.named("mark")
    }

    /// Says that an instance was created in this round.
    fn fresh(&mut self, i: InstIx) -> VarId {
        if let Some(found) = self.known_fresh(i) {
            return found;
        }
        let var = self.scratch(format!("step: {} is new", self.case.instances[i].name));
        self.fresh.insert(i, var);
        var
    }

    fn known_fresh(&self, i: InstIx) -> Option<VarId> {
        self.fresh.get(&i).copied()
    }

    fn all_fresh(&self) -> Vec<VarId> {
        self.fresh.values().copied().collect()
    }

    /// Says that a stage has completed by itself, or exited, in this round.
    fn stage_flag(&mut self, i: InstIx) -> VarId {
        if let Some(found) = self.stage_flags.get(&i) {
            return *found;
        }
        let var = self.scratch(format!("step: {} has completed", self.case.instances[i].name));
        self.stage_flags.insert(i, var);
        var
    }

    fn stage_flags(&self) -> Vec<VarId> {
        self.stage_flags.values().copied().collect()
    }

    fn stage_flags_around(&self, i: InstIx) -> Vec<VarId> {
        self.case.around(i).filter_map(|a| self.stage_flags.get(&a).copied()).collect()
    }

    /// May something in a stage fail, and exit after that?
    fn holds_failing(&self, stage: InstIx) -> bool {
        let fails = |j: &InstIx| self.case.item_of(*j).by_hand.fault && !self.case.item_of(*j).exit.is_empty();
        let inside = (1..self.case.instances.len()).filter(|j| self.case.around(*j).any(|a| a == stage));
        !self.case.flowable() && inside.into_iter().any(|j| fails(&j))
    }

    fn stage_flags_below(&self, i: InstIx) -> Vec<VarId> {
        let below = self.stage_flags.iter().filter(|(j, _)| self.case.around(**j).any(|a| a == i));
        below.map(|(_, v)| *v).collect()
    }

    /// Stages in a container, innermost first, otherwise in document order.
    fn stages_inside_out(&self, container: InstIx) -> Vec<InstIx> {
        let mut all = Vec::new();
        let slots = self.case.instances[container].inside.iter().flat_map(|p| &self.case.places[*p].slots);
        for &i in slots.filter(|i| self.case.item_of(**i).kind == Kind::Stage) {
            all.extend(self.stages_inside_out(i));
            all.push(i);
        }
        all
    }

    /// The same expression about the snapshot before the step.
    fn earlier(&mut self, e: ExprId) -> ExprId {
        self.m.exprs.before(e)
    }

    /// Where a rule comes from.
    fn origin(&mut self, does: Does) -> Origin {
        let next = self.map.does.len() as u32;
        let key = *self.keys.entry(does).or_insert(next);
        if key == next {
            self.map.does.push(does);
        }
        let case = self.case;
        let span = match does {
            Does::Fires(c, _) | Does::Remembers(c, ..) | Does::Refuses(c) => case.criteria[c].span,
            Does::Becomes(i, ..) | Does::Occurs(i) => case.item_of(i).span,
            Does::Surprises(item) => case.items[item].span,
            _ => case.span,
        };
        Origin { label: label(case, does), span, slot: None, key }
    }
}

/// What a rule does, in words.
fn label(case: &Case, does: Does) -> String {
    let name = |i: InstIx| case.instances[i].name.as_str();
    match does {
        Does::Nothing => String::new(),
        Does::Becomes(i, _, Event::Occur) if case.item_of(i).is_listener() => format!("{} listens no more", name(i)),
        Does::Becomes(i, state, event) => format!("{} {}", name(i), verb(state, event)),
        Does::Fires(c, _) => format!("{} fires", case.criteria[c].name),
        Does::Remembers(c, _, part) => format!("{} remembers part {}", case.criteria[c].name, part + 1),
        Does::Writes(v) => format!("{} is set", case.data[v].name),
        Does::Surprises(item) => format!("{} completes while a child is enabled", case.items[item].name),
        Does::Occurs(i) => format!("{} occurs", name(i)),
        Does::Overflows(p) => format!("no slot for another {}", case.items[case.places[p].item].name),
        Does::Refuses(c) => format!("{} refuses the step", case.criteria[c].name),
        Does::GoesOn => "the step does not end".into(),
    }
}

/// What an instance does when it gets into a state.
pub(super) fn verb(state: State, event: Event) -> &'static str {
    match (state, event) {
        (_, Event::Occur) => "occurs",
        (_, Event::Start | Event::ManualStart) => "starts",
        (State::None, _) => "is gone",
        (State::Available, _) => "is available",
        (State::Unavailable, _) => "is unavailable",
        (State::Enabled, _) => "is enabled",
        (State::Disabled, _) => "is disabled",
        (State::Active, _) => "is active",
        (State::Completed, _) => "completes",
        (State::Terminated, Event::Exit) => "exits",
        (State::Terminated, _) => "is terminated",
        (State::Failed, _) => "fails",
    }
}
