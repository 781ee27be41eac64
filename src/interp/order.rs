//! Does the order of the rules matter in a step? All sets of rules that can fire together are tried.

use super::compile::Op;
use super::{Choice, Env, Interp};
use crate::machine::component::{Component, Decider};
use crate::machine::{BodyIx, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// More sets of rules than this are not tried in one step.
const MOST_TRIED: usize = 1 << 12;

/// A step after its rules had their turns.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    pub prev: &'a [i64],
    pub inputs: &'a [i64],
    pub fired: &'a [usize],
}

/// What the rules of a component can come to in a step; rules are positions in the body's rules, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// Those that fired.
    pub chosen: Vec<usize>,
    /// Those that would decide otherwise at the end.
    pub wavering: Vec<usize>,
    /// The sets of rules that are a result.
    pub results: Vec<Vec<usize>>,
}

impl Interp<'_> {
    /// The components whose order matters in a step. One that can fire in too many sets of rules is left out.
    pub(super) fn components(&self, body: BodyIx, ran: Ran, found: &mut Vec<usize>) {
        let rules = &self.machine.bodies[body].rules;
        for (position, component) in self.machine.bodies[body].components.iter().enumerate() {
            let mut concrete = Concrete::new(self, body, component, ran);
            let Some(results) = concrete.results(component, &self.bodies[body.0].reads[position]) else { continue };
            let writes = |fired: &[usize]| -> BTreeSet<_> {
                fired.iter().filter_map(|r| rules.get(*r)).map(|r| (r.target, r.value)).collect()
            };
            let chosen = writes(&concrete.chosen(component));
            if !matches!(results.as_slice(), [only] if writes(only) == chosen) {
                found.push(position);
            }
        }
    }

    /// What a component comes to in a step, in whatever order; `None` if the step does not exist.
    pub fn results(&self, before: &Snapshot, choice: &Choice, component: usize) -> Option<Results> {
        let Choice::Act { action, inputs } = choice else { return None };
        let step = self.step(before, choice)?;
        let body = self.machine.actions.get(*action)?.body;
        let reads = self.bodies[body.0].reads.get(component)?;
        let component = self.machine.bodies[body].components.get(component)?;
        let ran = Ran { prev: before, inputs, fired: &step.fired };
        let mut concrete = Concrete::new(self, body, component, ran);
        let (chosen, wavering) = (concrete.chosen(component), concrete.wavering(component));
        Some(Results { chosen, wavering, results: concrete.results(component, reads).unwrap_or_default() })
    }

    /// The rules of a component whose prerequisite holds at their turn, with the snapshot then as it would be without the component.
    fn turns(&self, body: BodyIx, component: &Component, ran: Ran) -> BTreeMap<usize, Vec<i64>> {
        let mut cur = [ran.prev, &self.scratch].concat();
        let mut turns = BTreeMap::new();
        for op in &self.bodies[body.0].ops {
            let env = Env { prev: ran.prev, cur: &cur, inputs: ran.inputs };
            match *op {
                Op::Set(var, code) => cur[var as usize] = self.program.value(code, env),
                Op::Rule(position, rule) if component.rules.contains(&(position as usize)) => {
                    let demanded = self.program.holds(rule.prerequisite, env);
                    turns.extend(demanded.then(|| (position as usize, cur.clone())));
                }
                Op::Rule(position, rule) if ran.fired.contains(&(position as usize)) => {
                    cur[rule.target as usize] = self.program.value(rule.value, env);
                }
                Op::Components => break,
                _ => {}
            }
        }
        turns
    }
}

/// Decides the rules of a component in one step.
struct Concrete<'a> {
    interp: &'a Interp<'a>,
    body: BodyIx,
    ran: Ran<'a>,
    /// Per rule that can fire at all: the snapshot at its turn without the component's changes.
    turns: BTreeMap<usize, Vec<i64>>,
}

impl<'a> Concrete<'a> {
    fn new(interp: &'a Interp<'a>, body: BodyIx, component: &Component, ran: Ran<'a>) -> Concrete<'a> {
        Concrete { interp, body, ran, turns: interp.turns(body, component, ran) }
    }

    /// The rules that fired.
    fn chosen(&self, component: &Component) -> Vec<usize> {
        component.rules.iter().copied().filter(|r| self.fired(*r)).collect()
    }

    /// The rules that would decide otherwise at the end.
    fn wavering(&mut self, component: &Component) -> Vec<usize> {
        let chosen = self.chosen(component);
        let mut otherwise = |rule: &usize| {
            let Ok(holds) = self.holds(*rule, &component.seen(*rule, &chosen));
            holds != chosen.contains(rule)
        };
        component.rules.iter().copied().filter(|r| otherwise(r)).collect()
    }

    /// The sets of rules that are a result, ascending; `None` if there is too much to try.
    fn results(&mut self, component: &Component, reads: &BTreeMap<usize, Vec<usize>>) -> Option<Vec<Vec<usize>>> {
        let candidates: Vec<usize> = self.turns.keys().copied().collect();
        let (core, rest) = component.split(&candidates, reads);
        let Ok(found) = core.results(MOST_TRIED, self);
        let mut results: Vec<Vec<usize>> = found?.into_iter().filter(|(_, is)| *is).map(|(rules, _)| rules).collect();
        for result in &mut results {
            for &rule in &rest {
                let Ok(holds) = self.holds(rule, &component.seen(rule, result));
                result.extend(holds.then_some(rule));
            }
            result.sort_unstable();
        }
        Some(results)
    }
}

impl Decider for Concrete<'_> {
    type Truth = bool;
    type Stop = Infallible;

    fn holds(&mut self, rule: usize, fired: &[usize]) -> Result<bool, Infallible> {
        let Some(turn) = self.turns.get(&rule) else { return Ok(false) };
        let rules = &self.interp.bodies[self.body.0].rules;
        let program = &self.interp.program;
        let mut cur = turn.clone();
        for &writer in fired {
            let env = Env { prev: self.ran.prev, cur: &cur, inputs: self.ran.inputs };
            cur[rules[writer].target as usize] = program.value(rules[writer].value, env);
        }
        Ok(program.holds(rules[rule].antecedent, Env { prev: self.ran.prev, cur: &cur, inputs: self.ran.inputs }))
    }

    fn fired(&self, rule: usize) -> bool {
        self.ran.fired.contains(&rule)
    }

    fn constant(&self, value: bool) -> bool {
        value
    }

    fn is_false(&self, a: &bool) -> bool {
        !a
    }

    fn not(&self, a: &bool) -> bool {
        !a
    }

    fn and(&self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(*a && *b)
    }
}
