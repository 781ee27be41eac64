//! What external checkers show, certified: their runs are replayed on the interpreter.

use crate::answer::{Choice, Engine, Kind, PropertyResult, RawRun, RawStep, Trace, TraceStep, Verdict, to_json};
use crate::backend::{Answer, Given, INTERRUPTED, NO_FAIR_RUN, Options, ask, may_overflow};
use crate::interp::Interp;
use crate::machine::{Machine, Valid};
use crate::trace::{NotCertified, certify};
use std::sync::atomic::Ordering;

/// Lets external engines decide properties, given by their positions in the machine; engine after engine in the results.
pub fn by_checkers(engines: &[Engine], m: &Valid, properties: &[usize], o: &Options) -> Vec<PropertyResult> {
    ask(engines, m, properties, o).into_iter().map(|given| certified(m, given, o)).collect()
}

/// Certifies the evidence. A run that the interpreter cannot take is shown as it came, uncertified: an alarm. A run that can be
/// taken but does not show the verdict is left out.
fn certified(m: &Valid, given: Given, o: &Options) -> PropertyResult {
    let Given { engine, property: p, answer: a } = given;
    let open = PropertyResult::open(&m.properties[p], engine);
    let overflow = o.overflow.or(if may_overflow(m) { a.overflow } else { Some(false) });
    let Some(holds) = a.verdict.holds() else {
        let (verdict, reason, coverage) = (a.verdict, a.reason, a.coverage.map(|c| *c));
        return PropertyResult { verdict, reason, coverage, seconds: a.seconds, ..open };
    };
    let (trace, remark) = evidence(engine, m, p, holds, &a);
    // Whoever was stopped may not have said everything: neither what shows a verdict nor whether it rests on the bounds.
    let stopped = o.limits.cancel.load(Ordering::Relaxed);
    if stopped && trace.is_none() && (overflow.is_none() || o.traces && m.properties[p].formula.shown_by_a_run(holds)) {
        return PropertyResult { seconds: a.seconds, ..open.because(Verdict::Unknown, INTERRUPTED) };
    }
    if a.needs_run && trace.is_none() {
        let why = remark.unwrap_or_else(|| format!("{engine} found something, but its run could not be read"));
        return PropertyResult { seconds: a.seconds, ..open.because(Verdict::Unknown, why) };
    }
    let mut reason = a.reason.or(remark);
    let unfair = reason.as_deref() == Some(NO_FAIR_RUN);
    if o.traces && trace.is_none() && !unfair && m.properties[p].formula.shown_by_a_run(holds) {
        let why = reason.unwrap_or_else(|| format!("{engine} shows no run"));
        reason = Some(format!("{why}; for the native one: {}", native_command(&m.properties[p].name)));
    }
    let conclusive = trace.as_ref().is_some_and(|t| t.certified && t.rests_on.is_empty() && !t.sets_overflow());
    PropertyResult {
        verdict: a.verdict,
        reason,
        seconds: a.seconds,
        exact: overflow == Some(false) || conclusive,
        trace,
        ..open
    }
}

/// What to type for the native engine's run.
fn native_command(property: &str) -> String {
    format!("gsmc check … --backend native --property {}", crate::source::shell_word(property))
}

fn evidence(engine: Engine, m: &Valid, p: usize, holds: bool, a: &Answer) -> (Option<Trace>, Option<String>) {
    if a.runs.is_empty() {
        return (None, None);
    }
    let interp = Interp::new(m);
    let mut alarm = None;
    let mut remark = None;
    for run in &a.runs {
        match certify(&interp, &m.properties[p], holds, run) {
            Ok(trace) => return (Some(trace), None),
            Err(why @ NotCertified::Claim(_)) => remark = Some(format!("{engine} shows a run, but {why}")),
            Err(why) => alarm = Some((run, why)),
        }
    }
    match alarm {
        Some((run, why)) if remark.is_none() => {
            let kept = a.evidence.as_ref().map(|f| format!("; see {}", f.keep().display())).unwrap_or_default();
            (Some(uncertified(m, holds, run)), Some(format!("{why}{kept}")))
        }
        _ => (None, remark),
    }
}

/// A run that could not be replayed, as it came.
fn uncertified(m: &Machine, holds: bool, run: &RawRun) -> Trace {
    let step = |s: &RawStep| match &s.choice {
        Some(Choice::Act { action, inputs }) => {
            let Some(a) = m.actions.get(*action) else { return TraceStep::default() };
            let body = m.body(a);
            let payload = body.inputs.iter().zip(inputs).map(|(i, v)| (i.name.clone(), to_json(&i.domain, *v)));
            TraceStep {
                agent: m.agents.get(a.agent.0).and_then(|a| a.name.clone()),
                event: Some(body.event.clone()),
                target: body.target.and_then(|s| m.slots.get(s.0)).map(|s| s.name.clone()),
                payload: payload.collect(),
                ..TraceStep::default()
            }
        }
        _ => TraceStep::default(),
    };
    Trace {
        kind: if holds { Kind::Witness } else { Kind::Counterexample },
        certified: false,
        shortest: None,
        loop_start: run.loop_start,
        rests_on: vec![],
        because: vec![],
        initial: Default::default(),
        steps: run.steps.iter().map(step).collect(),
        sides: vec![],
    }
}
