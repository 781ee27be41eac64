//! Models that have no finite meaning: a flag of their language can be reached, and the shortest run shows how.

use crate::answer::{Choice, RawRun};
use crate::interp::{Graph, Interp, Limits};
use crate::lang::Lens;
use crate::lang::lens::Forbidden;
use crate::logic::{Formula, Property};
use crate::machine::{Valid, VarId, validate};
use crate::native::verdict::{self, Options};
use crate::source::{Diagnostic, Span};
use crate::trace::{describe, replay};
use std::time::Duration;

/// Snapshots that are looked at one by one before the symbolic engine is asked.
const MOST_STATES: usize = 50_000;

/// Why a model is refused; `None` when it is not.
pub fn refusal(lens: &dyn Lens) -> Option<Diagnostic> {
    let forbidden = lens.forbidden()?;
    let run = shortest_run(lens.machine(), forbidden.var)?;
    Some(told(lens.machine(), &forbidden, &run))
}

/// A shortest run to where a flag is set; nothing when there is none.
fn shortest_run(machine: &Valid, flag: VarId) -> Option<RawRun> {
    let set = |codes: &[i64]| codes.get(flag.0 as usize).is_some_and(|c| *c != 0);
    let limits = Limits { states: MOST_STATES, time: Some(Duration::from_secs(20)), ..Limits::default() };
    match Graph::find(Interp::new(machine), limits, &mut |codes| set(codes)) {
        Ok(graph) => graph.found().map(|state| graph.path(state)),
        Err(_) => symbolically(machine, flag),
    }
}

fn symbolically(machine: &Valid, flag: VarId) -> Option<RawRun> {
    let mut m = (**machine).clone();
    let atom = m.exprs.cur(flag);
    let formula = Formula::ef(Formula::Atom(atom));
    m.properties = vec![Property { expect: false, ..Property::new("forbidden", formula, Span::NOWHERE) }];
    m.questions = Vec::new();
    let report = verdict::check(&validate(m).ok()?, &Options::default());
    let answer = report.answers.into_iter().next()?;
    let reached = answer.result.verdict.holds() == Some(true);
    answer.evidence.filter(|_| reached).map(|e| e.trail.raw())
}

/// The refusal with the run, and the place of the rule that set the flag.
fn told(machine: &Valid, forbidden: &Forbidden, run: &RawRun) -> Diagnostic {
    let interp = Interp::new(machine);
    let mut d = Diagnostic::placeless(forbidden.code, forbidden.message.clone()).help(forbidden.help.clone());
    let Ok(replayed) = replay(&interp, run) else { return d };
    let shown: Vec<String> = replayed.steps.iter().map(|s| describe(machine, &s.choice)).collect();
    d = d.note(format!("the shortest run there: {}", shown.join(", then ")));
    if let Some(last) = replayed.steps.last()
        && let Choice::Act { action, .. } = &last.choice
        && let Some(body) = machine.actions.get(*action).map(|a| machine.body(a))
    {
        let rule = last.fired.iter().filter_map(|r| body.rules.get(*r)).find(|r| r.target == forbidden.var);
        if let Some(rule) = rule {
            d.span = Some(rule.origin.span);
            d = d.label(rule.origin.label.clone());
        }
    }
    d
}
