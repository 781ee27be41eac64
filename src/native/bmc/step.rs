//! One step of a machine as a circuit: from the bits before it, the choice and the payload to the bits after it.

use std::collections::BTreeSet;

use super::Goal;
use super::circuit::{Circuit, Wire};
use crate::logic::{Bool, Formula};
use crate::machine::walk::{self, Executor};
use crate::machine::{Action, BodyIx, ExprId, Machine, VarId};
use crate::native::bdd::Stop;
use crate::native::execute::{Turn, sendable};
use crate::native::gates::Gates;
use crate::native::layout::Field;
use crate::native::symbolic::{Env, Value};

type Res<T> = Result<T, Stop>;

/// A step.
pub struct Step {
    pub circuit: Circuit,
    /// All bits of a snapshot before the step: the first inputs of the circuit.
    pub before: Vec<Wire>,
    /// The same after it.
    pub after: Vec<Wire>,
    /// Bits of the payload; every body takes the first ones.
    pub payload: Vec<Wire>,
    /// Per action: it is chosen, and it may be.
    pub actions: Vec<(Wire, Wire)>,
    /// Per goal.
    pub aims: Vec<Aim>,
}

/// When a goal is reached.
#[derive(Clone, Copy, Debug)]
pub enum Aim {
    /// In a snapshot, if in all before it something held.
    There { here: Wire, way: Wire },
    /// By a step.
    By(Wire),
    /// In the snapshot before a step.
    Before(Wire),
}

impl Step {
    /// Builds the circuit; it may have so many gates.
    pub fn new(m: &Machine, goals: &[Goal], most: usize) -> Res<Step> {
        let c = Circuit::new(most);
        let fields: Vec<Field> = m.state_vars().iter().map(|v| Field::at(&v.domain, Vec::new())).collect();
        let bits: Vec<Vec<Wire>> = fields.iter().map(|f| c.inputs(f.bits())).collect();
        let wide = |b: &crate::machine::Body| b.inputs.iter().map(|i| i.domain.bits()).sum();
        let payload = c.inputs(m.bodies.iter().map(wide).max().unwrap_or(0));
        let chosen = c.inputs(m.actions.len() as u32);
        let values =
            fields.iter().zip(&bits).map(|(f, b)| Value::of_bits(&c, f, b.clone())).collect::<Res<Vec<_>>>()?;
        let mut build = Build { m, c: &c, fields: &fields, payload: &payload, chosen: &chosen, values: &values };
        let mut after = bits.clone();
        let mut may = vec![Wire::NO; m.actions.len()];
        let mut ran = Vec::new();
        for ix in BodyIx::all(&m.bodies) {
            ran.push(build.body(ix, &mut after, &mut may)?);
        }
        let aims = goals.iter().map(|g| build.aim(g, &ran)).collect::<Res<_>>()?;
        let actions = chosen.iter().copied().zip(may).collect();
        let flat = |bits: Vec<Vec<Wire>>| bits.into_iter().flatten().collect();
        Ok(Step { before: flat(bits), after: flat(after), payload, actions, aims, circuit: c })
    }
}

/// A body that was run: where it is chosen, where its rules fire, where their order matters.
struct Ran {
    chosen: Wire,
    fired: Vec<Wire>,
    races: Wire,
}

struct Build<'b> {
    m: &'b Machine,
    c: &'b Circuit,
    fields: &'b [Field],
    payload: &'b [Wire],
    chosen: &'b [Wire],
    values: &'b [Value<Wire>],
}

impl Build<'_> {
    /// Runs a body and adds what it changes where one of its actions is chosen.
    fn body(&mut self, ix: BodyIx, after: &mut [Vec<Wire>], may: &mut [Wire]) -> Res<Ran> {
        let (m, c) = (self.m, self.c);
        let body = &m.bodies[ix];
        let (mut free, mut inputs, mut guard) = (self.payload.iter().copied(), Vec::new(), Wire::YES);
        for input in &body.inputs {
            let field = Field::at(&input.domain, Vec::new());
            let value = Value::of_bits(c, &field, free.by_ref().take(field.bits() as usize).collect())?;
            guard = c.and(&guard, &sendable(c, input, &value)?)?;
            inputs.push(value);
        }
        let mut turn = Turn::new(m, body, Env::new(c, m, self.values, inputs)).with_components(body);
        turn.guard = guard;
        walk::body(body, &mut turn)?;
        let Turn { env, guard, fired, races, .. } = turn;
        let actions = || m.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
        let updated: BTreeSet<VarId> = actions().flat_map(|(_, a)| a.updates.iter().map(|u| u.var)).collect();
        let chosen = c.any(actions().map(|(i, _)| &self.chosen[i]))?;
        for var in m.state_ids().filter(|v| env.changed(*v) && !updated.contains(v)) {
            self.write(var, env.now(var), chosen, after)?;
        }
        for (i, action) in actions() {
            let (env, allowed) = self.action(action, env.clone())?;
            may[i] = c.and(&guard, &allowed)?;
            for &var in updated.iter().filter(|v| env.changed(**v)) {
                self.write(var, env.now(var), self.chosen[i], after)?;
            }
        }
        Ok(Ran { chosen, fired, races })
    }

    /// An agent's share in a body.
    fn action<'e>(&self, action: &Action, env: Env<'e, Circuit>) -> Res<(Env<'e, Circuit>, Wire)>
    where
        Self: 'e,
    {
        let mut turn = Turn::new(self.m, self.m.body(action), env);
        turn.require(action.allowed)?;
        walk::updates(&self.m.exprs, action, &mut turn)?;
        Ok((turn.env, turn.guard))
    }

    fn write(&self, var: VarId, value: &Value<Wire>, chosen: Wire, after: &mut [Vec<Wire>]) -> Res<()> {
        let at = var.0 as usize;
        let bits = value.code_bits(self.c, &self.fields[at])?;
        for (old, new) in after[at].iter_mut().zip(bits.iter().rev()) {
            *old = self.c.ite(&chosen, new, old)?;
        }
        Ok(())
    }

    fn aim(&self, goal: &Goal, ran: &[Ran]) -> Res<Aim> {
        let c = self.c;
        Ok(match goal {
            Goal::Holds(f) => Aim::There { here: self.formula(f)?, way: Wire::YES },
            Goal::Through(f, g) => Aim::There { here: self.formula(g)?, way: self.formula(f)? },
            Goal::Step(steps) => {
                let mut any = Wire::NO;
                for step in steps {
                    let Some(ran) = ran.get(step.body.0) else { continue };
                    let fires = step.rule.map_or(Some(Wire::YES), |r| ran.fired.get(r).copied());
                    any = c.or(&any, &c.and(&ran.chosen, &fires.unwrap_or(Wire::NO))?)?;
                }
                Aim::By(any)
            }
            Goal::Order => {
                let races = ran.iter().map(|r| c.and(&r.chosen, &r.races)).collect::<Res<Vec<_>>>()?;
                Aim::Before(c.any(&races)?)
            }
        })
    }

    /// A formula about the snapshot before the step.
    fn formula(&self, f: &Formula<ExprId>) -> Res<Wire> {
        let c = self.c;
        match f {
            Formula::Atom(e) => Env::new(c, self.m, self.values, Vec::new()).truth(*e),
            Formula::Bool(b) => {
                let parts = b.parts().into_iter().map(|p| self.formula(p)).collect::<Res<Vec<_>>>()?;
                match (b, parts.as_slice()) {
                    (Bool::Not(_), [a]) => Ok(c.not(a)),
                    (Bool::And(_), _) => c.all(&parts),
                    (Bool::Or(_), _) => c.any(&parts),
                    (Bool::Implies(..), [a, b]) => c.or(&c.not(a), b),
                    (Bool::Iff(..), [a, b]) => c.iff(a, b),
                    (_, [body]) => Ok(*body),
                    _ => Ok(Wire::NO),
                }
            }
            // Not about one snapshot: nobody asks for it.
            _ => Ok(Wire::NO),
        }
    }
}
