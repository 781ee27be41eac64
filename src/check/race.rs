//! A step that depends on the order of the rules, shown to its end.

use crate::interp::Interp;
use crate::trace::{Kind, NotCertified, OrderDependence, RawRun, RawStep, Trace, replay};

/// The run to a snapshot from which a step depends on the order, with that step, and the rules that would decide otherwise.
pub fn race(interp: &Interp, before: &RawRun) -> Result<Trace, NotCertified> {
    let machine = interp.machine();
    let replayed = replay(interp, before)?;
    let here = replayed.snapshots.last().cloned().unwrap_or_else(|| interp.initial());
    let mut run = before.clone();
    let mut notes = Vec::new();
    for choice in interp.choices(&here) {
        let Some(step) = interp.step(&here, &choice).filter(|s| !s.order.is_empty()) else { continue };
        notes.extend(
            step.order.iter().filter_map(|c| OrderDependence::of(interp, &here, &step, *c)).map(|d| d.to_string()),
        );
        run.steps.push(RawStep::of(choice));
        break;
    }
    let mut trace = replay(interp, &run)?.named(machine, Kind::Counterexample);
    trace.rests_on = notes;
    Ok(trace)
}
