//! Where the order of the rules matters, for all steps of a body at once: the sets of rules that can fire together, each with the steps
//! in which it does.

use super::bdd::Stop;
use super::gates::Gates;
use super::symbolic::{Env, Value};
use crate::machine::component::{Component, Decider};
use crate::machine::{Body, Machine, Rule, VarId};
use std::collections::{BTreeMap, BTreeSet};

type Res<T> = Result<T, Stop>;

/// Per rule at its turn: its prerequisite, and the snapshot without the component.
type Turns<B> = BTreeMap<usize, (B, Vec<Value<B>>)>;

/// What is kept of a component while a body runs.
pub(super) struct Kept<B> {
    component: Component,
    targets: BTreeSet<VarId>,
    /// The values of its targets as they would be without it, once something was written to them.
    without: BTreeMap<VarId, Value<B>>,
    /// Per rule at its turn: its prerequisite, and the snapshot without the component.
    turns: Turns<B>,
}

impl<B: Clone + PartialEq + std::fmt::Debug> Kept<B> {
    pub(super) fn new(component: &Component, rules: &[Rule]) -> Kept<B> {
        let targets = component.targets(rules);
        Kept { component: component.clone(), targets, without: BTreeMap::new(), turns: BTreeMap::new() }
    }

    /// The turn of a rule.
    pub(super) fn turn<G: Gates<Bit = B>>(&mut self, rule: usize, prerequisite: &B, env: &Env<'_, G>) {
        if self.component.rules.contains(&rule) {
            let mut snapshot = env.snapshot();
            for (var, value) in &self.without {
                snapshot[var.0 as usize] = value.clone();
            }
            self.turns.insert(rule, (prerequisite.clone(), snapshot));
        }
    }

    /// A rule is about to write its target where it fires.
    pub(super) fn fires<G: Gates<Bit = B>>(
        &mut self,
        rule: usize,
        target: VarId,
        fires: &B,
        value: &Value<B>,
        env: &Env<'_, G>,
    ) -> Res<()> {
        if self.targets.contains(&target) {
            let old = self.without.remove(&target).unwrap_or_else(|| env.now(target).clone());
            let is_own = self.component.rules.contains(&rule);
            let new = if is_own { old } else { Value::ite(env.space(), fires, value, &old)? };
            self.without.insert(target, new);
        }
        Ok(())
    }

    /// The steps in which the order matters.
    pub(super) fn depends<G: Gates<Bit = B>>(
        self,
        machine: &Machine,
        body: &Body,
        fired: &[B],
        env: &mut Env<'_, G>,
    ) -> Res<B> {
        let Kept { component, turns, .. } = self;
        let read = component.read(machine, &body.rules);
        let mut decider = Symbolic { body, fired, env, turns, read, known: BTreeMap::new() };
        match component.results(G::MOST_SETS, &mut decider)? {
            Some(results) => component.depends(&body.rules, &results, &decider),
            None => G::too_many_sets().map_or_else(|| Ok(decider.constant(false)), Err),
        }
    }
}

/// Decides the rules of a component in all steps of a body.
struct Symbolic<'a, 'e, G: Gates> {
    body: &'a Body,
    fired: &'a [G::Bit],
    env: &'a mut Env<'e, G>,
    turns: Turns<G::Bit>,
    /// Per rule, those whose change it may read.
    read: BTreeMap<usize, Vec<usize>>,
    /// Decisions, by what a rule reads of what has fired.
    known: BTreeMap<(usize, Vec<usize>), G::Bit>,
}

impl<G: Gates> Decider for Symbolic<'_, '_, G> {
    type Truth = G::Bit;
    type Stop = Stop;

    fn holds(&mut self, rule: usize, fired: &[usize]) -> Res<G::Bit> {
        let reads = self.read.get(&rule).map_or(&[][..], Vec::as_slice);
        let fired: Vec<usize> = fired.iter().copied().filter(|w| reads.contains(w)).collect();
        let key = (rule, fired);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let holds = match self.turns.get(&rule) {
            None => self.env.space().no(),
            Some((prerequisite, turn)) => {
                self.env.restore(turn.clone());
                for &writer in &key.1 {
                    let value = self.env.value(self.body.rules[writer].value)?;
                    self.env.assign(self.body.rules[writer].target, value);
                }
                let antecedent = self.env.truth(self.body.rules[rule].antecedent)?;
                self.env.space().and(prerequisite, &antecedent)?
            }
        };
        self.known.insert(key, holds.clone());
        Ok(holds)
    }

    fn fired(&self, rule: usize) -> G::Bit {
        self.fired.get(rule).cloned().unwrap_or_else(|| self.env.space().no())
    }

    fn constant(&self, value: bool) -> G::Bit {
        self.env.space().constant(value)
    }

    fn is_false(&self, a: &G::Bit) -> bool {
        *a == self.env.space().no()
    }

    fn not(&self, a: &G::Bit) -> G::Bit {
        self.env.space().not(a)
    }

    fn and(&self, a: &G::Bit, b: &G::Bit) -> Res<G::Bit> {
        self.env.space().and(a, b)
    }
}
