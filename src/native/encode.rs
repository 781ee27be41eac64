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
use super::layout::{Field, Layout};
use super::number::Number;
use super::symbolic::{Env, Value};
use crate::gsm::{CompareOp, Domain, Idle};
use crate::machine::{AgentIx, Assign, Body, BodyIx, ExprId, Input, Machine, Node, SlotIx, Valid, VarId};

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
    values: Vec<Value>,
    bodies: Vec<Run>,
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

/// A body run on symbolic values.
struct Run {
    /// Payload allowed and the event applicable, together with the new values in next bits.
    change: Bdd,
    /// The pairs that change.
    writes: Vec<u32>,
    /// Where each input is.
    inputs: Vec<Place>,
    /// The current bits of the payload pairs it uses, as a set to quantify over.
    own: Bdd,
    /// Steps that depend on the chosen order.
    races: Bdd,
    /// Per agent who can do it.
    doers: Vec<Doer>,
}

/// An agent's share in a body.
struct Doer {
    action: usize,
    agent: AgentIx,
    /// Allowed, with the updates in next bits.
    may: Bdd,
    writes: Vec<u32>,
}

/// Where the value of an input is.
enum Place {
    /// In the next bits of this variable.
    Stored(VarId),
    /// In payload pairs of its own.
    Own(Field),
}

/// A transition's choice: the action and its payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Index into [`Machine::actions`].
    pub action: usize,
    /// Values of the body's inputs.
    pub inputs: Vec<i64>,
}

impl<'m> System<'m> {
    /// Encodes a machine.
    pub fn new(machine: &'m Valid, limits: &Limits) -> Res<System<'m>> {
        let places: Vec<Vec<Option<VarId>>> = machine.bodies.iter().map(|b| stored_inputs(machine, b)).collect();
        let layout = Layout::new(machine, payload_bits(machine, &places));
        let space = Space::new(layout.pairs, limits);
        let of_field = |f| Value::of_field(&space, f, false);
        let values = layout.fields.iter().map(of_field).collect::<Res<Vec<_>>>()?;
        let init = {
            let bits = machine.var_ids().flat_map(|v| {
                let field = layout.field(v);
                field.pairs.iter().map(|&p| current(p)).zip(field.encode(machine.var(v).init))
            });
            space.cube(bits)?
        };
        let runner = Runner { machine, space: &space, layout: &layout, values: &values };
        let bodies = (0..machine.bodies.len()).zip(&places).map(|(b, p)| runner.run(b, p)).collect::<Res<_>>()?;
        let mut system = System {
            machine,
            space,
            layout,
            init,
            steps: Rc::default(),
            values,
            bodies,
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
        for (body, run) in self.bodies.iter().enumerate() {
            let mut groups: BTreeMap<&[u32], Bdd> = BTreeMap::new();
            for doer in run.doers.iter().filter(|d| chosen(d.agent)) {
                let may = groups.entry(&doer.writes).or_insert_with(|| s.no());
                *may = s.or(may, &doer.may)?;
            }
            for (writes, may) in groups {
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
        let truth = Env::new(&self.space, &self.machine.exprs, &self.values, Vec::new()).truth(e)?;
        self.atoms.borrow_mut().insert(e, truth.clone());
        Ok(truth)
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
    pub fn single(&self, snapshot: &[i64]) -> Res<Bdd> {
        let bits = self.layout.fields.iter().zip(snapshot);
        self.space.cube(bits.flat_map(|(f, v)| f.pairs.iter().map(|&p| current(p)).zip(f.encode(*v))))
    }

    /// One snapshot of a set, always the same; `None` when it is empty.
    pub fn pick(&self, set: &Bdd) -> Option<Vec<i64>> {
        let cube: FxHashMap<u32, bool> = set.pick_cube()?.into_iter().collect();
        let bit = |p: &u32| cube.get(&current(*p)).copied().unwrap_or(false);
        Some(self.layout.fields.iter().map(|f| f.decode(f.pairs.iter().map(bit))).collect())
    }

    /// A choice that leads from one snapshot to another: the first action that does, with its smallest payload.
    pub fn choice(&self, from: &[i64], to: &[i64], agents: Option<&[AgentIx]>) -> Res<Option<Choice>> {
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
    fn ends(&self, from: &[i64], to: &[i64], written: impl Fn(&u32) -> bool) -> Res<Option<Bdd>> {
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

    fn payload(&self, places: &[Place], to: &[i64], cube: &FxHashMap<u32, bool>) -> Vec<i64> {
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
        let mut all = s.no();
        for run in self.bodies.iter().filter(|r| !r.races.is_false()) {
            for doer in &run.doers {
                let steps = s.and(&run.races, &doer.may)?;
                let others = steps.support().into_iter().filter(|l| l % 2 == 1);
                let hidden = s.and(&s.variables(others)?, &run.own)?;
                all = s.or(&all, &s.exists(&steps, &hidden)?)?;
            }
        }
        Ok(all)
    }
}

/// Per input the variable that simply stores it, if there is one.
fn stored_inputs(machine: &Machine, body: &Body) -> Vec<Option<VarId>> {
    let writes = |list: &[Assign], v: VarId| list.iter().filter(|a| a.var == v).count();
    let ix = machine.bodies.iter().position(|b| std::ptr::eq(b, body));
    let updated = |v| machine.actions.iter().any(|a| Some(a.body) == ix && writes(&a.updates, v) > 0);
    let mut taken: Vec<VarId> = Vec::new();
    let mut place = |i: usize, input: &Input| {
        let stores = |a: &&Assign| {
            *machine.exprs.node(a.value) == Node::Input(i)
                && machine.var(a.var).domain.bounds() == input.domain.bounds()
                && (machine.var(a.var).domain == Domain::Bool) == (input.domain == Domain::Bool)
                && writes(&body.effect, a.var) == 1
                && writes(&body.finish, a.var) == 0
                && body.rules.iter().all(|r| r.target != a.var)
                && !updated(a.var)
        };
        let found = body.effect.iter().filter(stores).map(|a| a.var).find(|v| !taken.contains(v))?;
        taken.push(found);
        Some(found)
    };
    body.inputs.iter().enumerate().map(|(i, input)| place(i, input)).collect()
}

/// The most bits a body needs for inputs that no variable stores.
fn payload_bits(machine: &Machine, places: &[Vec<Option<VarId>>]) -> u32 {
    let needs = |(body, places): (&Body, &Vec<Option<VarId>>)| {
        let own = body.inputs.iter().zip(places).filter(|(_, p)| p.is_none());
        own.map(|(i, _)| i.domain.bits()).sum::<u32>()
    };
    machine.bodies.iter().zip(places).map(needs).max().unwrap_or(0)
}

/// Runs bodies on symbolic values.
struct Runner<'a> {
    machine: &'a Machine,
    space: &'a Space,
    layout: &'a Layout,
    values: &'a [Value],
}

impl Runner<'_> {
    fn run(&self, ix: BodyIx, stored: &[Option<VarId>]) -> Res<Run> {
        let (s, body) = (self.space, &self.machine.bodies[ix]);
        let (inputs, own) = self.inputs(body, stored)?;
        let values = inputs.iter().map(|p| self.input_value(p)).collect::<Res<Vec<_>>>()?;
        let mut guard = s.yes();
        for (input, value) in body.inputs.iter().zip(&values) {
            guard = s.and(&guard, &self.sendable(input, value)?)?;
        }
        let mut env = Env::new(s, &self.machine.exprs, self.values, values.clone());
        assign_all(&mut env, &body.effect)?;
        guard = s.and(&guard, &env.truth(body.applicable)?)?;
        let races = self.rules(body, &mut env)?;
        assign_all(&mut env, &body.finish)?;

        let changed: Vec<VarId> = self.machine.var_ids().filter(|v| env.changed(*v)).collect();
        let change = self.stored(guard, changed.iter().map(|&v| (v, env.now(v))))?;
        let races = s.and(&races, &change)?;
        let doers = self.doers(ix, &values)?;
        Ok(Run { change, writes: self.pairs(changed), inputs, own, races, doers })
    }

    /// Places of the inputs and the set of payload bits they use.
    fn inputs(&self, body: &Body, stored: &[Option<VarId>]) -> Res<(Vec<Place>, Bdd)> {
        let mut free = self.layout.payload.iter().copied();
        let mut used = Vec::new();
        let mut place = |input: &Input, stored: &Option<VarId>| match stored {
            Some(v) => Place::Stored(*v),
            None => {
                let pairs: Vec<u32> = free.by_ref().take(input.domain.bits() as usize).collect();
                used.extend(pairs.iter().map(|&p| current(p)));
                Place::Own(Field::at(&input.domain, pairs))
            }
        };
        let places = body.inputs.iter().zip(stored).map(|(i, p)| place(i, p)).collect();
        Ok((places, self.space.variables(used)?))
    }

    fn input_value(&self, place: &Place) -> Res<Value> {
        match place {
            Place::Stored(v) => Value::of_field(self.space, self.layout.field(*v), true),
            Place::Own(field) => Value::of_field(self.space, field, false),
        }
    }

    /// The input has one of the values that can be sent.
    fn sendable(&self, input: &Input, value: &Value) -> Res<Bdd> {
        let s = self.space;
        let number = value.number(s);
        let compare = |op, c| Number::compare(s, op, &number, &Number::constant(s, c));
        let (first, last) = (input.values.first().copied(), input.values.last().copied());
        let (Some(lo), Some(hi)) = (first, last) else { return Ok(s.no()) };
        if hi.abs_diff(lo) == input.values.len() as u64 - 1 {
            return s.and(&compare(CompareOp::Ge, lo)?, &compare(CompareOp::Le, hi)?);
        }
        input.values.iter().try_fold(s.no(), |any, &c| s.or(&any, &compare(CompareOp::Eq, c)?))
    }

    /// Runs the rules in order; the result says where a step depends on that order.
    fn rules(&self, body: &Body, env: &mut Env<'_>) -> Res<Bdd> {
        let s = self.space;
        let mut fired = Vec::with_capacity(body.rules.len());
        let mut turns: BTreeMap<usize, (Bdd, Bdd, Vec<Value>)> = BTreeMap::new();
        for (i, rule) in body.rules.iter().enumerate() {
            let (pre, ante) = (env.truth(rule.prerequisite)?, env.truth(rule.antecedent)?);
            let fires = s.and(&pre, &ante)?;
            if body.watches.iter().any(|w| w.rule == i) {
                turns.insert(i, (pre, ante, env.snapshot()));
            }
            let value = Value::Bool(s.constant(rule.value));
            let new = Value::ite(s, &fires, &value, env.now(rule.target))?;
            env.assign(rule.target, new);
            fired.push(fires);
        }
        let end = env.snapshot();
        let mut races = s.no();
        for watch in &body.watches {
            let (Some(rule), Some((pre, then, turn))) = (body.rules.get(watch.rule), turns.get(&watch.rule)) else {
                continue;
            };
            env.restore(turn.clone());
            for &v in &watch.vars {
                env.assign(v, end[v.0 as usize].clone());
            }
            let late = env.truth(rule.antecedent)?;
            env.restore(end.clone());
            let caused = s.any(watch.sources.iter().filter_map(|&i| fired.get(i)))?;
            let same = |i: usize| body.rules[i].target == rule.target && body.rules[i].value == rule.value;
            let others = s.any((0..fired.len()).filter(|&i| i != watch.rule && same(i)).map(|i| &fired[i]))?;
            let at_end = env.now(rule.target).truth(s)?;
            let differs = if rule.value { s.not(&at_end) } else { at_end };
            let would = s.all([&s.not(then), &late, &differs])?;
            let would_not = s.all([then, &s.not(&late), &s.not(&others)])?;
            let decides = s.all([pre, &caused, &s.or(&would, &would_not)?])?;
            races = s.or(&races, &decides)?;
        }
        Ok(races)
    }

    /// `guard`, and every variable's next bits hold its value; built from the bottom of the order.
    fn stored<'v>(&self, guard: Bdd, values: impl Iterator<Item = (VarId, &'v Value)>) -> Res<Bdd> {
        let mut list: Vec<(VarId, &Value)> = values.collect();
        list.sort_by_key(|(v, _)| std::cmp::Reverse(self.layout.field(*v).pairs.first().copied()));
        let mut all = self.space.yes();
        for (v, value) in list {
            all = self.space.and(&value.stored_in(self.space, self.layout.field(v))?, &all)?;
        }
        self.space.and(&guard, &all)
    }

    fn pairs(&self, vars: Vec<VarId>) -> Vec<u32> {
        vars.into_iter().flat_map(|v| self.layout.field(v).pairs.iter().copied()).collect()
    }

    fn doers(&self, body: BodyIx, inputs: &[Value]) -> Res<Vec<Doer>> {
        let mut doers = Vec::new();
        for (action, a) in self.machine.actions.iter().enumerate().filter(|(_, a)| a.body == body) {
            let mut env = Env::new(self.space, &self.machine.exprs, self.values, inputs.to_vec());
            let allowed = env.truth(a.allowed)?;
            assign_all(&mut env, &a.updates)?;
            let changed: Vec<VarId> = self.machine.var_ids().filter(|v| env.changed(*v)).collect();
            let may = self.stored(allowed, changed.iter().map(|&v| (v, env.now(v))))?;
            if !may.is_false() {
                doers.push(Doer { action, agent: a.agent, may, writes: self.pairs(changed) });
            }
        }
        Ok(doers)
    }
}

fn assign_all(env: &mut Env<'_>, list: &[Assign]) -> Res<()> {
    for a in list {
        let value = env.value(a.value)?;
        env.assign(a.var, value);
    }
    Ok(())
}
