//! Models whose language finds answers by itself: those are replayed, and the engines get the rest, each property alone.

use super::groups::carried;
use super::{Plan, certified, external, native, question, run, told};
use crate::answer::{Engine, MachineNumbers, PropertyResult, Results, Trace, Verdict};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::lens::Finding;
use crate::logic::Property;
use crate::machine::{ExprId, Valid, validate};
use crate::trace::{NotCertified, certify};
use crate::words;

/// Lets a language and every engine of the plan decide what is asked.
pub fn ask(model: &str, lens: &dyn Lens, plan: &Plan) -> Results {
    let begin = std::time::Instant::now();
    let stop = || plan.stopped() || plan.timeout.is_some_and(|t| begin.elapsed() > t);
    let native = plan.engines.contains(&Engine::NATIVE);
    let wants = |name: &str| plan.builtin && plan.asks(name);
    let findings = if native { lens.findings(&wants, &stop) } else { None };
    let Some(findings) = findings else { return told(run(model, lens.machine(), plan), lens) };
    let machine = lens.machine();
    let interp = Interp::new(machine);
    // One search answers all of them; each gets its share of the time, and what it takes to replay its run.
    let seconds = begin.elapsed().as_secs_f64() / findings.answers.len().max(1) as f64;
    let mut answers: Vec<PropertyResult> =
        findings.answers.iter().filter(|f| plan.asks(&f.name)).filter_map(|f| shown(&interp, f, seconds)).collect();
    let mut numbers = MachineNumbers { overflow_reachable: findings.overflows, ..MachineNumbers::of(machine) };
    let answered = |name: &str| findings.answers.iter().any(|f| f.name == name);
    for (p, property) in machine.properties.iter().enumerate() {
        if plan.asks(&property.name) && !answered(&property.name) {
            let only = plan.of(vec![property.name.clone()], machine, false);
            let mut of_slice = numbers.clone();
            answers.extend(match lens.alone(p) {
                Some(alone) => on_slice(&interp, property, alone.as_ref(), &only, &mut of_slice),
                None => native::run(machine, &only, &mut of_slice),
            });
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

/// Lets the native engine decide a property on what it needs of the model. What is told about the answer is told of that slice, whose
/// variables only it knows; the run that shows it becomes one of the whole machine.
fn on_slice(
    whole: &Interp,
    property: &Property<ExprId>,
    slice: &dyn Lens,
    plan: &Plan,
    numbers: &mut MachineNumbers,
) -> Vec<PropertyResult> {
    let known = numbers.clone();
    let mut found = Results::new("", known, native::run(slice.machine(), plan, numbers));
    words::tell(slice, &mut found);
    let of_slice = Interp::new(slice.machine());
    for r in &mut found.results {
        r.facts.clear();
        let (Some(holds), Some(trace)) = (r.verdict.holds(), r.trace.take()) else { continue };
        if !trace.certified {
            r.trace = Some(trace);
            continue;
        }
        let shown = trace.locate(&of_slice).and_then(|run| carried(whole, run));
        let shown = shown.and_then(|run| certify(whole, property, holds, &run));
        // Going round more often, the run is not the one that was told of.
        if shown.as_ref().is_ok_and(|t| t.steps.len() != trace.steps.len()) {
            r.summary.clear();
        }
        certified(r, Some(shown.map(|found| Trace { shortest: trace.shortest, ..found })));
    }
    found.results
}

/// The machine with some of its questions and no property.
fn without(machine: &Valid, questions: Vec<crate::machine::Question>) -> Option<Valid> {
    let mut rest = (**machine).clone();
    rest.properties = Vec::new();
    rest.questions = questions;
    validate(rest).ok()
}

/// An answer that was found in so many seconds, with its run replayed.
fn shown(interp: &Interp, finding: &Finding, seconds: f64) -> Option<PropertyResult> {
    let begin = std::time::Instant::now();
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
        (None, None) => Err(NotCertified::Claim("nobody asked".into())),
    });
    certified(&mut result, shown);
    result.seconds = seconds + begin.elapsed().as_secs_f64();
    debug_assert!(result.verdict != Verdict::Unknown);
    Some(result)
}
