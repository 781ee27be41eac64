//! Bodies run on symbolic values: what [`super::encode`] builds its relations from.

use std::collections::BTreeSet;

use super::bdd::{Bdd, Space, Stop, current};
use super::gates::Gates;
use super::layout::{Field, Layout, Payload};
use super::number::Number;
use super::order::Kept;
use super::symbolic::{Env, Value};
use super::weave::Woven;
use crate::machine::walk::{self, Executor};
use crate::machine::{
    Action, AgentIx, Assign, Body, BodyIx, ExprId, Input, InputIx, Machine, Node, Rule, VarId, interval,
};
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
    let mut place = |i: InputIx, input: &Input| {
        let stores = |a: &&Assign| {
            *machine.exprs.node(a.value) == Node::Input(i)
                && !machine.var(a.var).scratch
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
    InputIx::each(&body.inputs).map(|(i, input)| place(i, input)).collect()
}

/// The most that a body needs for inputs that no variable stores.
pub(super) fn payload_needs(machine: &Machine, places: &[Vec<Option<VarId>>], woven: &Woven) -> Payload {
    let mut most = Payload::default();
    for ((ix, body), places) in BodyIx::each(&machine.bodies).zip(places) {
        let own = InputIx::each(&body.inputs).zip(places).filter(|(_, p)| p.is_none());
        let own = own.map(|((i, input), _)| (woven.takes(ix, i), input.domain.bits()));
        let (wide, few): (Vec<_>, Vec<_>) = own.partition(|(is_woven, _)| *is_woven);
        most.words = most.words.max(wide.len());
        most.bits = most.bits.max(few.iter().map(|(_, bits)| bits).sum());
        most.width = wide.iter().map(|(_, bits)| *bits).fold(most.width, u32::max);
    }
    most
}

/// Runs bodies on symbolic values.
pub(super) struct Runner<'a> {
    pub machine: &'a Machine,
    pub space: &'a Space,
    pub layout: &'a Layout,
    pub values: &'a [Value],
    pub woven: &'a Woven,
    /// Inputs are tied to one another: what goes together is put first, before what is done with them.
    pub tied: bool,
}

impl Runner<'_> {
    pub(super) fn run(&self, ix: BodyIx, stored: &[Option<VarId>]) -> Res<Run> {
        let body = &self.machine.bodies[ix];
        let (mut turn, inputs, own) = self.turn(ix, body, stored)?;
        walk::body(body, &mut turn)?;
        let Turn { env, guard, fired, .. } = turn;

        // What updates of agents may write is left to them: they come last and may read what the body did.
        let actions = || self.machine.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
        let updated: BTreeSet<VarId> = actions().flat_map(|(_, a)| a.updates.iter().map(|u| u.var)).collect();
        let changed = |v: &VarId| env.changed(*v) && !updated.contains(v);
        let changed: Vec<VarId> = self.machine.state_ids().filter(changed).collect();
        let tied = self.tied && !body.inputs.is_empty();
        let change = self.stored(guard, tied, changed.iter().map(|&v| (v, env.now(v))))?;
        let doers = actions().map(|(i, a)| self.doer(i, a, env.clone(), &updated)).collect::<Res<Vec<_>>>()?;
        let doers = doers.into_iter().filter(|d| !d.may.is_false()).collect();
        Ok(Run { change, writes: self.pairs(changed), inputs, own, fired, doers })
    }

    /// A body about to run.
    fn turn<'r>(&'r self, ix: BodyIx, body: &'r Body, stored: &[Option<VarId>]) -> Res<(Turn<'r>, Vec<Place>, Bdd)> {
        let s = self.space;
        let (inputs, own) = self.inputs(ix, body, stored)?;
        let values = inputs.iter().map(|p| self.input_value(p)).collect::<Res<Vec<_>>>()?;
        let mut guard = s.yes();
        for (input, value) in body.inputs.iter().zip(&values) {
            guard = s.and(&guard, &sendable(s, input, value)?)?;
        }
        let env = Env::new(s, self.machine, self.values, values);
        let mut turn = Turn::new(self.machine, body, env);
        turn.guard = guard;
        Ok((turn, inputs, own))
    }

    /// The values before the step and of its payload with which the order of a body's rules matters, if it happens.
    pub(super) fn races(&self, ix: BodyIx, stored: &[Option<VarId>]) -> Res<Bdd> {
        let Some(body) = self.machine.bodies.get(ix.0).filter(|b| !b.components.is_empty()) else {
            return Ok(self.space.no());
        };
        let (turn, ..) = self.turn(ix, body, stored)?;
        let mut turn = turn.with_components(body);
        walk::body(body, &mut turn)?;
        Ok(turn.races)
    }

    /// Runs a body to look at conditions, part by part.
    pub(super) fn conditions(&self, ix: BodyIx, stored: &[Option<VarId>], asked: Asked) -> Res<Conditions> {
        let Some(body) = self.machine.bodies.get(ix.0) else { return Ok(Vec::new()) };
        let (mut turn, ..) = self.turn(ix, body, stored)?;
        turn.asked = Some(asked);
        walk::body(body, &mut turn)?;
        Ok(turn.parts)
    }

    /// Places of the inputs and the set of payload bits they use.
    fn inputs(&self, ix: BodyIx, body: &Body, stored: &[Option<VarId>]) -> Res<(Vec<Place>, Bdd)> {
        let (mut free, mut words) = (self.layout.payload.iter().copied(), self.layout.words.iter());
        let mut used = Vec::new();
        let mut place = |(i, input): (InputIx, &Input), stored: &Option<VarId>| match stored {
            Some(v) => Place::Stored(*v),
            None => {
                let bits = input.domain.bits();
                let pairs: Vec<u32> = match self.woven.takes(ix, i) {
                    true => words.next().map(|w| w[w.len() - bits as usize..].to_vec()).unwrap_or_default(),
                    false => free.by_ref().take(bits as usize).collect(),
                };
                used.extend(pairs.iter().map(|&p| current(p)));
                Place::Own(Field::at(&input.domain, pairs))
            }
        };
        let places = InputIx::each(&body.inputs).zip(stored).map(|(i, p)| place(i, p)).collect();
        Ok((places, self.space.variables(used)?))
    }

    fn input_value(&self, place: &Place) -> Res<Value> {
        match place {
            Place::Stored(v) => Value::of_field(self.space, self.layout.field(*v), true),
            Place::Own(field) => Value::of_field(self.space, field, false),
        }
    }

    /// `guard`, and every variable's next bits hold its value; built from the bottom of the order.
    fn stored<'v>(&self, guard: Bdd, tied: bool, values: impl Iterator<Item = (VarId, &'v Value)>) -> Res<Bdd> {
        let mut list: Vec<(VarId, &Value)> = values.collect();
        list.sort_by_key(|(v, _)| std::cmp::Reverse(self.layout.field(*v).pairs.first().copied()));
        let mut all = if tied { guard.clone() } else { self.space.yes() };
        for (v, value) in list {
            all = self.space.and(&value.stored_in(self.space, self.layout.field(v))?, &all)?;
        }
        self.space.and(&guard, &all)
    }

    fn pairs(&self, vars: Vec<VarId>) -> Vec<u32> {
        vars.into_iter().flat_map(|v| self.layout.field(v).pairs.iter().copied()).collect()
    }

    /// An agent's share: may it, and what becomes of the variables that updates may write.
    fn doer(&self, ix: usize, action: &Action, env: Env<'_>, updated: &BTreeSet<VarId>) -> Res<Doer> {
        let mut turn = Turn::new(self.machine, self.machine.body(action), env);
        turn.require(action.allowed)?;
        walk::updates(&self.machine.exprs, action, &mut turn)?;
        let Turn { env, guard: allowed, .. } = turn;
        let changed: Vec<VarId> = updated.iter().copied().filter(|v| env.changed(*v)).collect();
        let may = self.stored(allowed, false, changed.iter().map(|&v| (v, env.now(v))))?;
        Ok(Doer { action: ix, agent: action.agent, may, writes: self.pairs(changed) })
    }
}

/// An input has one of the values that can be sent.
pub(super) fn sendable<G: Gates>(s: &G, input: &Input, value: &Value<G::Bit>) -> Res<G::Bit> {
    let number = value.number(s);
    let compare = |op, c| Number::compare(s, op, &number, &Number::constant(s, c));
    let within = |(lo, hi): (i64, i64)| s.and(&compare(CompareOp::Ge, lo)?, &compare(CompareOp::Le, hi)?);
    input.values.list().iter().try_fold(s.no(), |any, &range| s.or(&any, &within(range)?))
}

/// A step under way on symbolic values.
pub(super) struct Turn<'a, G: Gates = Space> {
    machine: &'a Machine,
    inputs: &'a [Input],
    pub env: Env<'a, G>,
    /// Where it exists.
    pub guard: G::Bit,
    /// Where each rule fires.
    pub fired: Vec<G::Bit>,
    /// What is kept to see whether the order of the rules matters, per component.
    components: Vec<Kept<G::Bit>>,
    /// Where the step depends on the order of rules.
    pub races: G::Bit,
    /// Whose conditions somebody wants to see.
    asked: Option<Asked>,
    /// Those, part by part.
    parts: Vec<(Literal, G::Bit)>,
}

/// Whose conditions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// What the body needs to happen.
    Body,
    /// A rule's.
    Rule(usize),
    /// The last value given to a Boolean variable outside the rules.
    Set(VarId),
}

/// A part of a condition: an expression and the value it must have.
pub(super) type Literal = (ExprId, bool);

/// Parts of a condition, each with the steps in which it holds.
pub(super) type Conditions = Vec<(Literal, Bdd)>;

/// The parts that must all hold for an expression to have a value.
pub(super) fn literals(machine: &Machine, e: ExprId, value: bool) -> Vec<Literal> {
    let all = |parts: &[ExprId]| parts.iter().flat_map(|p| literals(machine, *p, value)).collect();
    match (machine.exprs.node(e), value) {
        (Node::And(parts), true) | (Node::Or(parts), false) => all(parts),
        (Node::Not(a), _) => literals(machine, *a, !value),
        (Node::Bool(b), _) if *b == value => Vec::new(),
        _ => vec![(e, value)],
    }
}

impl<'a, G: Gates> Turn<'a, G> {
    /// Notes the parts of a condition as they are now.
    fn look(&mut self, condition: ExprId) -> Res<()> {
        for (e, value) in literals(self.machine, condition, true) {
            let holds = self.env.truth(e)?;
            let holds = if value { holds } else { self.env.space().not(&holds) };
            self.parts.push(((e, value), holds));
        }
        Ok(())
    }

    /// A body about to happen.
    pub(super) fn new(machine: &'a Machine, body: &'a Body, env: Env<'a, G>) -> Turn<'a, G> {
        let (guard, races) = (env.space().yes(), env.space().no());
        let (components, parts) = (Vec::new(), Vec::new());
        Turn { machine, inputs: &body.inputs, env, guard, fired: vec![], components, races, asked: None, parts }
    }

    /// The same, to see where the order of its rules matters.
    pub(super) fn with_components(self, body: &Body) -> Turn<'a, G> {
        Turn { components: body.components.iter().map(|c| Kept::new(c, &body.rules)).collect(), ..self }
    }
}

impl<G: Gates> Executor for Turn<'_, G> {
    type Value = Value<G::Bit>;
    type Stop = Stop;

    fn value(&mut self, e: ExprId, var: VarId) -> Res<Value<G::Bit>> {
        if self.asked == Some(Asked::Set(var)) {
            self.parts.clear();
            self.look(e)?;
        }
        let value = self.env.value(e)?;
        let domain = &self.machine.var(var).domain;
        let ((lo, hi), (least, most)) =
            (domain.bounds(), interval(&self.machine.vars, &self.machine.exprs, self.inputs, e));
        if least >= lo && most <= hi { Ok(value) } else { value.within(self.env.space(), domain) }
    }

    fn set(&mut self, var: VarId, value: Value<G::Bit>) -> Res<()> {
        self.env.assign(var, value);
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Res<bool> {
        if self.asked == Some(Asked::Body) {
            self.look(condition)?;
        }
        let holds = self.env.truth(condition)?;
        self.guard = self.env.space().and(&self.guard, &holds)?;
        Ok(true)
    }

    fn rule(&mut self, position: usize, rule: &Rule) -> Res<()> {
        if self.asked == Some(Asked::Rule(position)) {
            self.look(rule.prerequisite)?;
            self.look(rule.antecedent)?;
        }
        let s = self.env.space();
        let (pre, ante) = (self.env.truth(rule.prerequisite)?, self.env.truth(rule.antecedent)?);
        let fires = s.and(&pre, &ante)?;
        for kept in &mut self.components {
            kept.turn(position, &pre, &self.env);
        }
        let value = self.value(rule.value, rule.target)?;
        for kept in &mut self.components {
            kept.fires(position, rule.target, &fires, &value, &self.env)?;
        }
        let new = Value::ite(s, &fires, &value, self.env.now(rule.target))?;
        self.env.assign(rule.target, new);
        self.fired.push(fires);
        Ok(())
    }

    /// Where the order of the rules of a component matters.
    fn ruled(&mut self, body: &Body) -> Res<()> {
        let end = self.env.snapshot();
        for kept in std::mem::take(&mut self.components) {
            let depends = kept.depends(self.machine, body, &self.fired, &mut self.env)?;
            self.env.restore(end.clone());
            self.races = self.env.space().or(&self.races, &depends)?;
        }
        Ok(())
    }
}
