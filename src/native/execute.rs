//! Bodies run on symbolic values: what [`super::encode`] builds its relations from.

use std::collections::{BTreeMap, BTreeSet};

use super::bdd::{Bdd, Space, Stop, current};
use super::layout::{Field, Layout};
use super::number::Number;
use super::symbolic::{Env, Value};
use crate::machine::{Action, AgentIx, Assign, Body, BodyIx, Input, Machine, Node, VarId};
use crate::machine::{CompareOp, Domain};

type Res<T> = Result<T, Stop>;

/// A body run on symbolic values.
pub(super) struct Run {
    /// Payload allowed and the event applicable, together with the new values in next bits.
    pub change: Bdd,
    /// The pairs that change.
    pub writes: Vec<u32>,
    /// Where each input is.
    pub inputs: Vec<Place>,
    /// The current bits of the payload pairs it uses, as a set to quantify over.
    pub own: Bdd,
    /// Where each rule fires, before the event's own condition is asked.
    pub fired: Vec<Bdd>,
    /// Steps that depend on the chosen order.
    pub races: Bdd,
    /// Per agent who can do it.
    pub doers: Vec<Doer>,
}

/// An agent's share in a body.
pub(super) struct Doer {
    pub action: usize,
    pub agent: AgentIx,
    /// Allowed, with the updates in next bits.
    pub may: Bdd,
    pub writes: Vec<u32>,
}

/// Where the value of an input is.
pub(super) enum Place {
    /// In the next bits of this variable.
    Stored(VarId),
    /// In payload pairs of its own.
    Own(Field),
}

/// Per input the variable that simply stores it, if there is one.
pub(super) fn stored_inputs(machine: &Machine, ix: BodyIx) -> Vec<Option<VarId>> {
    let writes = |list: &[Assign], v: VarId| list.iter().filter(|a| a.var == v).count();
    let body = &machine.bodies[ix];
    let updated = |v| machine.actions.iter().any(|a| a.body == ix && writes(&a.updates, v) > 0);
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
pub(super) fn payload_bits(machine: &Machine, places: &[Vec<Option<VarId>>]) -> u32 {
    let needs = |(body, places): (&Body, &Vec<Option<VarId>>)| {
        let own = body.inputs.iter().zip(places).filter(|(_, p)| p.is_none());
        own.map(|(i, _)| i.domain.bits()).sum::<u32>()
    };
    machine.bodies.iter().zip(places).map(needs).max().unwrap_or(0)
}

/// Runs bodies on symbolic values.
pub(super) struct Runner<'a> {
    pub machine: &'a Machine,
    pub space: &'a Space,
    pub layout: &'a Layout,
    pub values: &'a [Value],
}

impl Runner<'_> {
    pub(super) fn run(&self, ix: BodyIx, stored: &[Option<VarId>]) -> Res<Run> {
        let (s, body) = (self.space, &self.machine.bodies[ix]);
        let (inputs, own) = self.inputs(body, stored)?;
        let values = inputs.iter().map(|p| self.input_value(p)).collect::<Res<Vec<_>>>()?;
        let mut guard = s.yes();
        for (input, value) in body.inputs.iter().zip(&values) {
            guard = s.and(&guard, &self.sendable(input, value)?)?;
        }
        let mut env = Env::new(s, &self.machine.exprs, self.values, values);
        assign_all(&mut env, &body.effect)?;
        guard = s.and(&guard, &env.truth(body.applicable)?)?;
        let (fired, races) = self.rules(body, &mut env)?;
        assign_all(&mut env, &body.finish)?;

        // What updates of agents may write is left to them: they come last and may read what the body did.
        let actions = || self.machine.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
        let updated: BTreeSet<VarId> = actions().flat_map(|(_, a)| a.updates.iter().map(|u| u.var)).collect();
        let changed = |v: &VarId| env.changed(*v) && !updated.contains(v);
        let changed: Vec<VarId> = self.machine.var_ids().filter(changed).collect();
        let change = self.stored(guard, changed.iter().map(|&v| (v, env.now(v))))?;
        let races = s.and(&races, &change)?;
        let doers = actions().map(|(i, a)| self.doer(i, a, env.clone(), &updated)).collect::<Res<Vec<_>>>()?;
        let doers = doers.into_iter().filter(|d| !d.may.is_false()).collect();
        Ok(Run { change, writes: self.pairs(changed), inputs, own, fired, races, doers })
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

    /// Runs the rules in order; the result says where each fires, and where a step depends on the order.
    fn rules(&self, body: &Body, env: &mut Env<'_>) -> Res<(Vec<Bdd>, Bdd)> {
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
        Ok((fired, races))
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

    /// An agent's share: may it, and what becomes of the variables that updates may write.
    fn doer(&self, ix: usize, action: &Action, mut env: Env<'_>, updated: &BTreeSet<VarId>) -> Res<Doer> {
        let allowed = env.truth(action.allowed)?;
        assign_all(&mut env, &action.updates)?;
        let changed: Vec<VarId> = updated.iter().copied().filter(|v| env.changed(*v)).collect();
        let may = self.stored(allowed, changed.iter().map(|&v| (v, env.now(v))))?;
        Ok(Doer { action: ix, agent: action.agent, may, writes: self.pairs(changed) })
    }
}

fn assign_all(env: &mut Env<'_>, list: &[Assign]) -> Res<()> {
    for a in list {
        let value = env.value(a.value)?;
        env.assign(a.var, value);
    }
    Ok(())
}
