//! The native engine's answers, with its evidence replayed.

use super::{Plan, facts, question, strategy};
use crate::answer::{MachineNumbers, PropertyResult};
use crate::interp::Interp;
use crate::logic::Property;
use crate::machine::{ExprId, Valid};
use crate::native::check::Checker;
use crate::native::verdict::{NativeAnswer, Options, check_and};
use crate::trace::certify;

/// Runs the native checker and certifies what it shows.
pub fn run(machine: &Valid, plan: &Plan, numbers: &mut MachineNumbers) -> Vec<PropertyResult> {
    let options = Options {
        timeout: plan.timeout,
        memory: plan.memory,
        interrupt: plan.interrupt.clone(),
        only: plan.only.clone(),
        builtin: plan.builtin,
        progress: plan.progress.clone(),
    };
    let interp = Interp::new(machine);
    let told = |answer: &mut NativeAnswer, checker: &Checker| {
        certified(&interp, answer);
        facts::find(answer, checker);
    };
    let report = check_and(machine, &options, &told);
    if let Ok(found) = &report.exploration {
        numbers.reachable_states = Some(found.states.to_string());
        numbers.overflow_reachable = Some(found.overflow);
        numbers.order_dependent = Some(found.order_dependent.is_some());
        numbers.dead_ends = Some(found.dead_ends.to_string());
    }
    report.answers.into_iter().map(|a| a.result).collect()
}

/// Gives an answer its trace, if there is something to show.
fn certified(interp: &Interp, answer: &mut NativeAnswer) {
    let machine = interp.machine();
    let result = &mut answer.result;
    if let Some(found) = &answer.strategy {
        result.strategy = strategy::named(machine, found);
    }
    let (Some(holds), Some(evidence)) = (result.verdict.holds(), &answer.evidence) else { return };
    let run = evidence.trail.raw();
    let property: Option<&Property<ExprId>> = machine.properties.iter().find(|p| p.name == result.property);
    let shown = match property {
        Some(p) if p.formula.shown_by_a_run(holds) && evidence.shows_something() => {
            Some(certify(interp, p, holds, &run))
        }
        Some(_) => None,
        None => answer.question.as_ref().map(|q| question::certify(interp, q, &run)),
    };
    super::certified(result, shown);
}
