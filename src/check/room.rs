//! Room that no run needs: slots of types whose instances only steps of the model create.
//!
//! A bound of such a type is a guess, and slots that stay empty cost time. So fewer are tried first. If no run finds its room used up
//! there (the overflow flag stays false), no run of the model with more slots uses them, and every answer is the same.

use super::{Plan, ask};
use crate::answer::{Engine, Results};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::counted::CountedType;
use crate::machine::Valid;
use crate::source::Sources;

/// The same as [`ask`], with as few slots as suffice. Gives the model that was asked, too, if it is a smaller one.
pub fn ask_with_enough(
    model: &str,
    lens: &dyn Lens,
    sources: &Sources,
    plan: &Plan,
) -> (Results, Option<Box<dyn Lens>>) {
    for bounds in smaller(lens, plan) {
        let resized = lens.counted().and_then(|c| c.resized(&bounds, sources).ok());
        let Some(few) = resized else { break };
        if plan.stopped() || runs_out(few.machine()) {
            continue;
        }
        let mut results = ask(model, &*few, plan);
        if results.machine.overflow_reachable == Some(false) {
            results.machine.unused = unused(lens, &bounds);
            return (results, Some(few));
        }
        break;
    }
    (ask(model, lens, plan), None)
}

/// Bounds to try, the smallest first.
fn smaller(lens: &dyn Lens, plan: &Plan) -> Vec<Vec<u32>> {
    let native = plan.engines.contains(&Engine::NATIVE);
    let Some(counted) = lens.counted().filter(|c| native && !c.overflows()) else { return Vec::new() };
    let types = counted.types();
    // Where agents create as well, a run without room is blocked, not marked.
    let agents = |t: &CountedType| lens.machine().bounds.iter().any(|(name, _)| *name == t.name);
    let ours = |t: &&CountedType| t.made_by_steps && !agents(t);
    let most = types.iter().filter(ours).map(|t| t.bound).max().unwrap_or(0);
    let at = |k: u32| types.iter().map(|t| if ours(&t) { t.bound.min(k) } else { t.bound }).collect();
    SIZES.into_iter().take_while(|k| *k < most).map(at).collect()
}

/// Numbers of slots that are tried.
const SIZES: [u32; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 32];

/// Random runs that look for one that needs more room, and the steps of each.
const RUNS: u64 = 40;
const STEPS: usize = 200;

/// Do a few random runs find no room left? They are the same every time.
fn runs_out(machine: &Valid) -> bool {
    let interp = Interp::new(machine);
    (0..RUNS).any(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut now = interp.initial();
        for _ in 0..STEPS {
            let choices = interp.choices(&now);
            let step = rng.choice(&choices).and_then(|c| interp.step(&now, c));
            let Some(step) = step else { return false };
            if step.overflow {
                return true;
            }
            now = step.after;
        }
        false
    })
}

/// The slots that are left out, as `Type[3]`.
fn unused(lens: &dyn Lens, bounds: &[u32]) -> Vec<String> {
    let types = lens.counted().map(|c| c.types()).unwrap_or_default();
    let beyond = types.iter().zip(bounds).flat_map(|(t, n)| (n + 1..=t.bound).map(|i| format!("{}[{i}]", t.name)));
    beyond.collect()
}
