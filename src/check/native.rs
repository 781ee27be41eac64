//! The native engine's answers, with its evidence replayed.

use super::{Plan, strategy};
use crate::backend::explains;
use crate::gsm::Application;
use crate::interp::Interp;
use crate::logic::Property;
use crate::machine::{ExprId, Valid};
use crate::native::builtin::{Builtin, ORDER_INDEPENDENT};
use crate::native::verdict::{NativeAnswer, Options, check};
use crate::report::results::{MachineNumbers, PropertyResult};
use crate::trace::{Kind, NotCertified, Trace, certify, replay};

/// Runs the native checker and certifies what it shows.
pub fn run(app: &Application, machine: &Valid, plan: &Plan, numbers: &mut MachineNumbers) -> Vec<PropertyResult> {
    let options = Options {
        timeout: plan.timeout,
        memory: plan.memory,
        interrupt: plan.interrupt.clone(),
        only: plan.only.clone(),
        builtin: plan.builtin.then(|| Builtin::of(app, machine)),
        progress: plan.progress.clone(),
    };
    let report = check(machine, &options);
    if let Ok(found) = &report.exploration {
        numbers.reachable_states = Some(found.states.to_string());
        numbers.overflow_reachable = Some(found.overflow);
        numbers.order_dependent = Some(found.order_dependent.is_some());
        numbers.dead_ends = Some(found.dead_ends.to_string());
    }
    let interp = Interp::new(machine);
    report.answers.into_iter().map(|a| certified(&interp, machine, a)).collect()
}

/// The answer with its trace, if there is something to show.
fn certified(interp: &Interp, machine: &Valid, answer: NativeAnswer) -> PropertyResult {
    let mut result = answer.result;
    if let Some(found) = &answer.strategy {
        result.strategy = strategy::named(machine, found);
    }
    let (Some(holds), Some(evidence)) = (result.verdict.holds(), &answer.evidence) else { return result };
    let run = evidence.trail.raw();
    let property: Option<&Property<ExprId>> = machine.properties.iter().find(|p| p.name == result.property);
    let shown = match property {
        Some(p) if explains(&p.formula, holds) => Some(certify(interp, p, holds, &run)),
        Some(_) => None,
        None if result.property == ORDER_INDEPENDENT && !holds => Some(super::race(interp, &run)),
        // A standard question about steps: the run leads to where the answer can be seen.
        None => {
            let kind = if holds { Kind::Witness } else { Kind::Counterexample };
            Some(replay(interp, &run).map(|r| r.named(machine, kind)))
        }
    };
    match shown {
        None => {}
        Some(Ok(trace)) => result.trace = Some(trace),
        Some(Err(why)) => refuse(&mut result, &why),
    }
    result
}

/// A trace that does not replay is an alarm, never a footnote.
fn refuse(result: &mut PropertyResult, why: &NotCertified) {
    result.reason = Some(format!("the trace did not replay: {why}"));
    result.trace = Some(Trace::uncertified());
}
