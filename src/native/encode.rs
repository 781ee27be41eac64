//! The machine as diagrams, by functional symbolic execution.
//!
//! A body is run once on symbolic values: effect, applicability, rules in order (`cur[t] := ite(P ∧ A, value, cur[t])`),
//! finishing. That gives the next value of every variable as a function of the snapshot and the payload. Relations then
//! mention only what changes. A payload field that is simply stored in an attribute *is* the attribute's next value, so it
//! needs no variable of its own; the others share a few pairs and are quantified away.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bdd::{Bdd, Limits, Relation, Space, Stop, current, next};
use super::execute::{Asked, Conditions, Place, Run, Runner, payload_needs, stored_inputs};
use super::layout::{Field, Layout, Payload};
use super::number::Number;
use super::symbolic::{Env, Value};
use super::weave::Woven;
use crate::machine::{AgentIx, BodyIx, ExprId, SlotIx, Snapshot, Valid, VarId};
use crate::machine::{CompareOp, Idle};

type Res<T> = Result<T, Stop>;

/// A machine made symbolic.
pub struct System<'m> {
    /// The machine.
    pub machine: &'m Valid,
    /// Its diagrams.
    pub space: Space,
    /// Where its bits are.
    pub layout: Layout,
    /// The initial snapshot.
    pub init: Bdd,
    /// All transitions except idling, grouped.
    pub steps: Rc<Vec<Step>>,
    /// What every variable holds, as functions of the current bits.
    pub(super) values: Vec<Value>,
    /// The same as steps read it: nothing beyond the snapshots that are known, where they are.
    before: Vec<Value>,
    /// All reachable snapshots, where they are known beforehand.
    pub(super) among: Option<Bdd>,
    pub(super) bodies: Vec<Run>,
    /// Conditions that were looked at.
    asked: RefCell<FxHashMap<(BodyIx, Asked), Conditions>>,
    /// Pairs that nothing of the machine is in.
    pub(super) room: Vec<u32>,
    woven: Woven,
    by_agents: RefCell<FxHashMap<Vec<AgentIx>, Rc<Vec<Step>>>>,
    atoms: RefCell<FxHashMap<ExprId, Bdd>>,
}

/// Transitions of one body by agents whose updates write the same variables.
#[derive(Clone, Debug)]
pub struct Step {
    /// The transitions.
    pub relation: Relation,
    /// What happens.
    pub body: BodyIx,
    /// The slot it happens to.
    pub slot: Option<SlotIx>,
}

/// A transition's choice: the action and its payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Index into [`crate::machine::Machine::actions`].
    pub action: usize,
    /// Values of the body's inputs.
    pub inputs: Vec<i64>,
}

impl<'m> System<'m> {
    /// Encodes a machine.
    pub fn new(machine: &'m Valid, limits: &Limits) -> Res<System<'m>> {
        System::build(machine, 0, None, limits)
    }

    /// Encodes a machine whose payload is chosen by others, too, and leaves some pairs free for their choices.
    pub fn with_room(machine: &'m Valid, room: u32, limits: &Limits) -> Res<System<'m>> {
        System::build(machine, room, None, limits)
    }

    /// Encodes the steps of a machine from these snapshots, which are all that it reaches. However involved a step is, its diagrams
    /// only tell a few snapshots apart.
    pub fn among(machine: &'m Valid, known: &[Snapshot], limits: &Limits) -> Res<System<'m>> {
        System::build(machine, 0, Some(known), limits)
    }

    fn build(machine: &'m Valid, room: u32, known: Option<&[Snapshot]>, limits: &Limits) -> Res<System<'m>> {
        let places: Vec<_> = BodyIx::all(&machine.bodies).map(|b| stored_inputs(machine, b)).collect();
        let woven = Woven::of(machine);
        let needs = payload_needs(machine, &places, &woven);
        let layout = Layout::new(machine, &woven, Payload { bits: needs.bits + room, ..needs });
        let (tied, room): (bool, Vec<u32>) = (room > 0, (needs.bits..needs.bits + room).collect());
        let space = Space::new(layout.pairs, limits)?;
        let of_field = |f| Value::of_field(&space, f, false);
        let values = layout.fields.iter().map(of_field).collect::<Res<Vec<_>>>()?;
        let single = |snapshot: &Snapshot| space.cube(layout.literals(snapshot));
        let init = single(&machine.state_vars().iter().map(|v| v.init).collect())?;
        let among = known.map(|list| space.union(list.iter().map(single).collect::<Res<_>>()?)).transpose()?;
        let before = match &among {
            Some(among) => layout.fields.iter().map(|f| Value::among(&space, f, among)).collect::<Res<_>>()?,
            None => values.clone(),
        };
        let runner = Runner { machine, space: &space, layout: &layout, values: &before, woven: &woven, tied };
        let bodies = BodyIx::all(&machine.bodies).zip(&places).map(|(b, p)| runner.run(b, p)).collect::<Res<_>>()?;
        let mut system = System {
            machine,
            space,
            layout,
            init,
            steps: Rc::default(),
            values,
            before,
            among,
            bodies,
            asked: RefCell::default(),
            room,
            woven,
            by_agents: RefCell::default(),
            atoms: RefCell::default(),
        };
        system.steps = system.steps_where(|_| true)?;
        Ok(system)
    }

    /// The transitions that one of these agents makes.
    pub fn steps_of(&self, agents: &[AgentIx]) -> Res<Rc<Vec<Step>>> {
        if let Some(known) = self.by_agents.borrow().get(agents) {
            return Ok(known.clone());
        }
        let steps = self.steps_where(|a| agents.contains(&a))?;
        self.by_agents.borrow_mut().insert(agents.to_vec(), steps.clone());
        Ok(steps)
    }

    fn steps_where(&self, chosen: impl Fn(AgentIx) -> bool) -> Res<Rc<Vec<Step>>> {
        let s = &self.space;
        let mut steps = Vec::new();
        for (body, run) in BodyIx::all(&self.machine.bodies).zip(&self.bodies) {
            let mut groups: BTreeMap<&[u32], Bdd> = BTreeMap::new();
            for doer in run.doers.iter().filter(|d| chosen(d.agent)) {
                let may = groups.entry(&doer.writes).or_insert_with(|| s.no());
                *may = s.or(may, &doer.may)?;
            }
            for (writes, may) in groups {
                let may = self.among.as_ref().map_or(Ok(may.clone()), |among| s.and(&may, among))?;
                let bdd = s.and_exists(&run.change, &may, &run.own)?;
                if !bdd.is_false() {
                    let writes = run.writes.iter().chain(writes).copied().collect();
                    let slot = self.machine.bodies[body].target;
                    steps.push(Step { relation: s.relation(bdd, writes), body, slot });
                }
            }
        }
        Ok(Rc::new(steps))
    }

    /// When the system may also do nothing.
    pub fn idle(&self) -> Idle {
        self.machine.idle
    }

    /// The snapshots in which a Boolean expression about one snapshot holds.
    pub fn atom(&self, e: ExprId) -> Res<Bdd> {
        if let Some(known) = self.atoms.borrow().get(&e) {
            return Ok(known.clone());
        }
        let truth = Env::new(&self.space, self.machine, &self.values, Vec::new()).truth(e)?;
        self.atoms.borrow_mut().insert(e, truth.clone());
        Ok(truth)
    }

    /// The snapshots before a step in which a Boolean expression about it holds that reads no payload.
    pub(super) fn atom_before(&self, e: ExprId) -> Res<Bdd> {
        Env::new(&self.space, self.machine, &self.values, Vec::new()).truth(e)
    }

    /// The snapshots in which a variable has a value.
    pub(super) fn has(&self, var: VarId, value: i64) -> Res<Bdd> {
        let s = &self.space;
        match self.value(var) {
            Value::Bool(b) => Ok(if value != 0 { b.clone() } else { s.not(b) }),
            Value::Number(n) => Number::compare(s, CompareOp::Eq, n, &Number::constant(s, value)),
        }
    }

    /// What a variable holds, as a function of the current bits.
    pub fn value(&self, var: VarId) -> &Value {
        &self.values[var.0 as usize]
    }

    /// The set of current bits of these variables, to quantify over.
    pub fn bits(&self, vars: impl IntoIterator<Item = VarId>) -> Res<Bdd> {
        let pairs = vars.into_iter().flat_map(|v| &self.layout.field(v).pairs);
        self.space.variables(pairs.map(|&p| current(p)))
    }

    /// The set with just this snapshot, given by the values of all variables.
    pub fn single(&self, snapshot: &Snapshot) -> Res<Bdd> {
        match self.layout.fits(snapshot) {
            true => self.space.cube(self.layout.literals(snapshot)),
            false => Ok(self.space.no()),
        }
    }

    /// One snapshot of a set, always the same; `None` when it is empty.
    pub fn pick(&self, set: &Bdd) -> Option<Snapshot> {
        let cube: FxHashMap<u32, bool> = set.pick_cube()?.into_iter().collect();
        let bit = |p: &u32| cube.get(&current(*p)).copied().unwrap_or(false);
        Some(self.layout.fields.iter().map(|f| f.decode(f.pairs.iter().map(bit))).collect())
    }

    /// The parts of what is asked about a body, each with the steps in which it holds. Reasons ask the same many times over, and running
    /// a body takes long.
    pub(super) fn conditions(&self, body: BodyIx, asked: Asked) -> Res<Conditions> {
        if let Some(parts) = self.asked.borrow().get(&(body, asked)) {
            return Ok(parts.clone());
        }
        let tied = !self.room.is_empty();
        let (machine, space, layout, values) = (self.machine, &self.space, &self.layout, &self.before);
        let runner = Runner { machine, space, layout, values, woven: &self.woven, tied };
        let parts = runner.conditions(body, &stored_inputs(self.machine, body), asked)?;
        self.asked.borrow_mut().insert((body, asked), parts.clone());
        Ok(parts)
    }

    /// A choice that leads from one snapshot to another: the first action that does, with its smallest payload.
    pub fn choice(&self, from: &Snapshot, to: &Snapshot, agents: Option<&[AgentIx]>) -> Res<Option<Choice>> {
        let s = &self.space;
        let mut best: Option<Choice> = None;
        for run in &self.bodies {
            for doer in &run.doers {
                if best.as_ref().is_some_and(|b| b.action < doer.action)
                    || agents.is_some_and(|a| !a.contains(&doer.agent))
                {
                    continue;
                }
                let written = |p: &u32| run.writes.contains(p) || doer.writes.contains(p);
                let Some(ends) = self.ends(from, to, written)? else { continue };
                let found = s.all([&run.change, &doer.may, &ends])?;
                if let Some(cube) = found.pick_cube() {
                    let inputs = self.payload(&run.inputs, to, &cube.into_iter().collect());
                    best = Some(Choice { action: doer.action, inputs });
                }
            }
        }
        Ok(best)
    }

    /// Both snapshots as a cube, `None` when they differ in a pair that is not written.
    fn ends(&self, from: &Snapshot, to: &Snapshot, written: impl Fn(&u32) -> bool) -> Res<Option<Bdd>> {
        let mut literals = Vec::new();
        for (field, (a, b)) in self.layout.fields.iter().zip(from.iter().zip(to)) {
            for ((&p, a), b) in field.pairs.iter().zip(field.encode(*a)).zip(field.encode(*b)) {
                literals.push((current(p), a));
                if written(&p) {
                    literals.push((next(p), b));
                } else if a != b {
                    return Ok(None);
                }
            }
        }
        self.space.cube(literals).map(Some)
    }

    fn payload(&self, places: &[Place], to: &Snapshot, cube: &FxHashMap<u32, bool>) -> Vec<i64> {
        let bit = |p: &u32| cube.get(&current(*p)).copied().unwrap_or(false);
        let value = |place: &Place| match place {
            Place::Stored(v) => to.get(v.0 as usize).copied().unwrap_or_default(),
            Place::Own(field) => field.decode(field.pairs.iter().map(bit)),
        };
        places.iter().map(value).collect()
    }

    /// The snapshots from which some step depends on the chosen order of rules.
    pub fn races(&self) -> Res<Bdd> {
        let s = &self.space;
        let (machine, layout, values) = (self.machine, &self.layout, &self.before);
        let runner = Runner { machine, space: s, layout, values, woven: &self.woven, tied: !self.room.is_empty() };
        BodyIx::all(&machine.bodies).zip(&self.bodies).try_fold(s.no(), |all, (body, run)| {
            let races = runner.races(body, &stored_inputs(machine, body))?;
            s.or(&all, &self.sources(run, &s.and(&races, &run.change)?)?)
        })
    }

    /// The snapshots from which somebody can make a body happen so that this rule of it fires, if one is given.
    pub fn beginnings(&self, body: BodyIx, rule: Option<usize>) -> Res<Bdd> {
        match self.bodies.get(body.0) {
            Some(run) => self.sources(run, &self.steps_with(run, rule)?),
            None => Ok(self.space.no()),
        }
    }

    /// Such a step from a snapshot: how it is made and where it leads.
    pub fn example(&self, from: &Snapshot, body: BodyIx, rule: Option<usize>) -> Res<Option<(Choice, Snapshot)>> {
        let Some(run) = self.bodies.get(body.0) else { return Ok(None) };
        let steps = self.space.and(&self.steps_with(run, rule)?, &self.single(from)?)?;
        for doer in &run.doers {
            let Some(cube) = self.space.and(&steps, &doer.may)?.pick_cube() else { continue };
            let cube: FxHashMap<u32, bool> = cube.into_iter().collect();
            let written = |f: &&Field| f.pairs.iter().any(|p| run.writes.contains(p) || doer.writes.contains(p));
            let bit = |p: &u32| cube.get(&next(*p)).copied().unwrap_or(false);
            let value = |(f, old): (&Field, &i64)| match Some(f).filter(written) {
                Some(f) => f.decode(f.pairs.iter().map(bit)),
                None => *old,
            };
            let after: Snapshot = self.layout.fields.iter().zip(from).map(value).collect();
            let inputs = self.payload(&run.inputs, &after, &cube);
            return Ok(Some((Choice { action: doer.action, inputs }, after)));
        }
        Ok(None)
    }

    /// The steps of a body in which a rule fires; all of them when none is given.
    fn steps_with(&self, run: &Run, rule: Option<usize>) -> Res<Bdd> {
        match rule.map(|r| run.fired.get(r)) {
            None => Ok(run.change.clone()),
            Some(None) => Ok(self.space.no()),
            Some(Some(fired)) => self.space.and(fired, &run.change),
        }
    }

    /// Where steps of a body begin, of those that somebody may make.
    fn sources(&self, run: &Run, steps: &Bdd) -> Res<Bdd> {
        let s = &self.space;
        let mut all = s.no();
        if steps.is_false() {
            return Ok(all);
        }
        for doer in &run.doers {
            let made = s.and(steps, &doer.may)?;
            let next_bits = made.support().into_iter().filter(|l| l % 2 == 1);
            let hidden = s.and(&s.variables(next_bits)?, &run.own)?;
            all = s.or(&all, &s.exists(&made, &hidden)?)?;
        }
        Ok(all)
    }
}
