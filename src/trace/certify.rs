//! Certification: replay, then ask whether the run shows the verdict.

use super::claim::{Claimed, Rest, Shown};
use super::reason::reasons;
use super::{Kind, NotCertified, RawRun, Replayed, Trace, replay};
use crate::interp::Interp;
use crate::logic::Property;
use crate::machine::show;
use crate::machine::{ExprId, Machine};

/// Replays a run and checks that it shows that the property holds (a witness) or fails (a counterexample). What no single run can show
/// is listed in [`Trace::rests_on`]; a run that shows nothing at all is refused.
pub fn certify(interp: &Interp, property: &Property<ExprId>, holds: bool, run: &RawRun) -> Result<Trace, NotCertified> {
    let replayed = replay(interp, run)?;
    let claimed = Claimed { interp, run: &replayed, fair: !property.fair.is_empty() };
    let verdict = if holds { "holds" } else { "fails" };
    let mut rests = match claimed.formula(&property.formula, holds).swap_remove(0) {
        Shown::Yes => Vec::new(),
        Shown::If(rests) => rests,
        Shown::No | Shown::End => {
            return Err(NotCertified::Claim(format!("on this run nothing says that {} {verdict}", property.name)));
        }
    };
    if rests.iter().any(|r| r.at == 0 && !r.aside && r.value == holds && r.formula == property.formula) {
        return Err(NotCertified::Claim(format!("this run alone does not show that {} {verdict}", property.name)));
    }
    let unfair = fairness(&claimed, property, &mut rests)?;
    let kind = if holds { Kind::Witness } else { Kind::Counterexample };
    let mut trace = replayed.named(interp.machine(), kind);
    trace.rests_on = describe_rests(interp.machine(), &rests, &replayed);
    trace.rests_on.extend(unfair);
    trace.because = reasons(&claimed, &property.formula, holds);
    Ok(trace)
}

/// With fairness constraints the loop must meet each of them; a run without a loop has to go on fairly.
fn fairness(
    claimed: &Claimed,
    property: &Property<ExprId>,
    rests: &mut Vec<Rest>,
) -> Result<Option<String>, NotCertified> {
    if property.fair.is_empty() || property.formula.is_state() {
        return Ok(None);
    }
    let Some(start) = claimed.run.loop_start else {
        return Ok(Some(format!("a fair run goes on from snapshot {}", claimed.len() - 1)));
    };
    for constraint in &property.fair {
        let met = claimed.formula(constraint, true);
        let best = met[start..].iter().find(|s| **s == Shown::Yes).or(met[start..].iter().find(|s| **s != Shown::No));
        match best {
            Some(Shown::Yes) => {}
            Some(Shown::If(more)) => rests.extend(more.iter().cloned()),
            _ => {
                let text = show::formula(claimed.interp.machine(), constraint);
                return Err(NotCertified::Claim(format!("its loop is not fair: {text} never holds in it")));
            }
        }
    }
    Ok(None)
}

/// One line per formula and value, with the snapshots it is about.
fn describe_rests(m: &Machine, rests: &[Rest], run: &Replayed) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for rest in rests {
        let value = if rest.value { "holds" } else { "fails" };
        let text = format!("{} {value}", show::formula(m, &rest.formula));
        let place = match rest.aside {
            true => "a snapshot that looks the same".to_string(),
            false if rest.at == run.steps.len() => format!("snapshot {}, the last", rest.at),
            false => format!("snapshot {}", rest.at),
        };
        match lines.iter_mut().find(|(t, _)| *t == text) {
            Some((_, places)) => places.push(place),
            None => lines.push((text, vec![place])),
        }
    }
    lines.into_iter().map(|(text, places)| format!("{text} in {}", places.join(", "))).collect()
}
