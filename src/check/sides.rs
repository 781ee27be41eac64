//! The may side and the must side of an abstraction, decided by engines that know nothing of it.

use super::Plan;
use crate::abstraction::Outcome;
use crate::answer::{Abstracted, Engine, PropertyResult, Verdict};
use crate::machine::Machine;

/// What other engines say of the may side and the must side.
pub fn external(m: &Machine, outcome: &Outcome, chosen: &[usize], plan: &Plan) -> Vec<PropertyResult> {
    let engines: Vec<Engine> = plan.engines.iter().copied().filter(|e| *e != Engine::NATIVE).collect();
    let open = |e: Engine, p: usize| Some(PropertyResult::open(m.properties.get(p)?, e));
    // What is unknown here is so because of the abstraction, unlike what an engine leaves open for reasons of its own.
    let first = |p: usize| outcome.decisions.iter().find(|d| d.property == p).and_then(|d| d.first);
    let unknown = |r: PropertyResult, p: usize, why: &str| PropertyResult {
        abstracted: Some(Abstracted::open(first(p))),
        ..r.because(Verdict::Unknown, why)
    };
    let decided = |r: PropertyResult, p: usize, holds: bool| PropertyResult {
        abstracted: Some(Abstracted::decided(first(p))),
        ..r.decided(holds, !outcome.overflow)
    };
    let all = || engines.iter().flat_map(|e| chosen.iter().map(move |p| (*e, *p)));
    let sides = match &outcome.sides {
        Ok(sides) => sides,
        Err(why) => {
            return all().filter_map(|(e, p)| open(e, p).map(|r| unknown(r, p, why))).collect();
        }
    };
    let asked: Vec<usize> = (0..sides.asked.len()).collect();
    let [may, must] = [&sides.may, &sides.must].map(|m| super::external(m, plan, &engines, &asked, None));
    let found = |e: Engine, p: usize| {
        let open = open(e, p)?;
        let Some((_, universal)) = sides.asked.iter().find(|(q, _)| *q == p) else {
            return Some(
                open.because(Verdict::Unsupported, "it speaks neither of all runs alone nor of some runs alone"),
            );
        };
        let said =
            |side: &[PropertyResult]| side.iter().find(|r| r.engine == e && r.property == open.property).cloned();
        let (may, must) = (said(&may)?, said(&must)?);
        let (proof, refutation) = if *universal { (&may, &must) } else { (&must, &may) };
        let seconds = may.seconds + must.seconds;
        let open = PropertyResult { seconds, ..open };
        Some(match (proof.verdict.holds(), refutation.verdict.holds()) {
            (Some(true), _) => decided(open, p, true),
            (_, Some(false)) => decided(open, p, false),
            (Some(_), Some(_)) => unknown(open, p, "what may happen and what must differ"),
            (None, _) => open.because(proof.verdict, proof.reason.clone().unwrap_or_default()),
            (_, None) => open.because(refutation.verdict, refutation.reason.clone().unwrap_or_default()),
        })
    };
    all().filter_map(|(e, p)| found(e, p)).collect()
}
