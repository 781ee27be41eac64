//! Models whose language finds answers by itself: those are replayed, and the engines get the rest, each property alone.

use super::{Plan, certified, external, native, question, run, told};
use crate::answer::{Engine, MachineNumbers, PropertyResult, Results, Verdict};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::lens::Finding;
use crate::machine::{Valid, validate};
use crate::trace::certify;

/// Lets a language and every engine of the plan decide what is asked.
pub fn ask(model: &str, lens: &dyn Lens, plan: &Plan) -> Results {
    let begin = std::time::Instant::now();
    let stop = || plan.stopped() || plan.timeout.is_some_and(|t| begin.elapsed() > t);
    let native = plan.engines.contains(&Engine::NATIVE);
    let findings = if native { lens.findings(plan.builtin, &stop) } else { None };
    let Some(findings) = findings else { return told(run(model, lens.machine(), plan), lens) };
    let machine = lens.machine();
    let interp = Interp::new(machine);
    let mut answers: Vec<PropertyResult> =
        findings.answers.iter().filter(|f| plan.asks(&f.name)).filter_map(|f| shown(&interp, f)).collect();
    let mut numbers = MachineNumbers { overflow_reachable: findings.overflows, ..MachineNumbers::of(machine) };
    let answered = |name: &str| findings.answers.iter().any(|f| f.name == name);
    for (p, property) in machine.properties.iter().enumerate() {
        if plan.asks(&property.name) && !answered(&property.name) {
            let alone = lens.alone(p);
            let only = plan.of(vec![property.name.clone()], machine, false);
            let mut of_slice = numbers.clone();
            answers.extend(native::run(alone.as_ref().unwrap_or(machine), &only, &mut of_slice));
            numbers.overflow_reachable = numbers.overflow_reachable.max(of_slice.overflow_reachable);
        }
    }
    if plan.builtin {
        let open =
            machine.questions.iter().filter(|q| plan.asks(&q.name) && !answered(&q.name)).cloned().collect::<Vec<_>>();
        if let Some(rest) = Some(open).filter(|open| !open.is_empty()).and_then(|open| without(machine, open)) {
            answers.extend(native::run(&rest, plan, &mut numbers));
        }
    }
    numbers.reachable_states = findings.snapshots.map(|n| n.to_string()).or(numbers.reachable_states);
    let chosen: Vec<usize> =
        (0..machine.properties.len()).filter(|&p| plan.asks(&machine.properties[p].name)).collect();
    let engines: Vec<Engine> =
        crate::backend::engines().filter(|e| *e != Engine::NATIVE && plan.engines.contains(e)).collect();
    answers.extend(external(machine, plan, &engines, &chosen, numbers.overflow_reachable));
    let names = machine.properties.iter().map(|p| &p.name).chain(machine.questions.iter().map(|q| &q.name));
    let names: Vec<&String> = names.collect();
    let place = |a: &PropertyResult| names.iter().position(|n| **n == a.property);
    answers.sort_by_key(|a| (place(a), crate::backend::column(a.engine)));
    told(Results::new(model, numbers, answers), lens)
}

/// The machine with some of its questions and no property.
fn without(machine: &Valid, questions: Vec<crate::machine::Question>) -> Option<Valid> {
    let mut rest = (**machine).clone();
    rest.properties = Vec::new();
    rest.questions = questions;
    validate(rest).ok()
}

/// An answer that was found, with its run replayed.
fn shown(interp: &Interp, finding: &Finding) -> Option<PropertyResult> {
    let machine = interp.machine();
    let property = machine.properties.iter().find(|p| p.name == finding.name);
    let question = machine.questions.iter().find(|q| q.name == finding.name);
    let open = match (property, question) {
        (Some(p), _) => PropertyResult::open(p, Engine::NATIVE),
        (None, Some(q)) => PropertyResult::asked(q, Engine::NATIVE),
        (None, None) => return None,
    };
    let mut result = open.decided(finding.holds, true);
    let shown = finding.run.as_ref().map(|run| match (property, question) {
        (Some(p), _) => certify(interp, p, finding.holds, run),
        (None, Some(q)) => question::certify(interp, q, run),
        (None, None) => Err(crate::trace::NotCertified::Claim("nobody asked".into())),
    });
    certified(&mut result, shown);
    debug_assert!(result.verdict != Verdict::Unknown);
    Some(result)
}
