//! The may side and the must side of an abstraction, decided by engines that know nothing of it.

use super::Plan;
use crate::abstraction::Outcome;
use crate::answer::{Engine, PropertyResult, Verdict};
use crate::machine::Machine;

/// What other engines say of the may side and the must side.
pub fn external(m: &Machine, outcome: &Outcome, chosen: &[usize], plan: &Plan) -> Vec<PropertyResult> {
    let engines: Vec<Engine> = plan.engines.iter().copied().filter(|e| *e != Engine::NATIVE).collect();
    let open = |e: Engine, p: usize| Some(PropertyResult::open(m.properties.get(p)?, e));
    let all = || engines.iter().flat_map(|e| chosen.iter().map(move |p| (*e, *p)));
    let sides = match &outcome.sides {
        Ok(sides) => sides,
        Err(why) => {
            let unknown = |r: PropertyResult| r.because(Verdict::Unknown, why.clone());
            return all().filter_map(|(e, p)| open(e, p).map(unknown)).collect();
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
            (Some(true), _) => open.decided(true, !outcome.overflow),
            (_, Some(false)) => open.decided(false, !outcome.overflow),
            (Some(_), Some(_)) => open.because(Verdict::Unknown, "what may happen and what must differ"),
            (None, _) => open.because(proof.verdict, proof.reason.clone().unwrap_or_default()),
            (_, None) => open.because(refutation.verdict, refutation.reason.clone().unwrap_or_default()),
        })
    };
    all().filter_map(|(e, p)| found(e, p)).collect()
}
