//! Which engine can express which property, decided before anything runs.

use super::linear::Claims;
use crate::answer::Engine;
use crate::logic::{Formula, Logic, Property};
use crate::machine::{ExprId, Machine};

/// Why an external engine cannot decide a property; `None` when it can.
pub fn unsupported(engine: Engine, m: &Machine, p: &Property<ExprId>) -> Option<String> {
    let logic = p.logic();
    let knows = matches!(logic, Logic::Ctlk | Logic::Ltlk | Logic::Atlk);
    let can = matches!(logic, Logic::Atl | Logic::Atlk);
    let states_only = || p.fair.iter().all(Formula::is_state);
    let why = match engine {
        Engine::Native => return None,
        Engine::Nusmv if knows => "NuSMV has no knowledge operators",
        Engine::Nusmv if can => "NuSMV has no strategy operators",
        Engine::Nusmv | Engine::Mcmas if !states_only() => "fairness must speak of single snapshots",
        Engine::Nusmv => return None,
        Engine::Spin => return Claims::of(m, p).err().map(|why| format!("SPIN checks claims about runs; {why}")),
        Engine::Mcmas if knows && can => "knowledge and strategies in one formula need two different ISPL models",
        Engine::Mcmas if knows && !p.fair.is_empty() => {
            "under fairness MCMAS lets knowledge range over fair states only, not over all reachable ones"
        }
        Engine::Mcmas if can && !p.fair.is_empty() => "strategies under fairness mean something else to MCMAS",
        Engine::Mcmas => return None,
    };
    Some(why.to_string())
}

/// The logics an engine covers, for people.
pub const fn covers(engine: Engine) -> &'static str {
    match engine {
        Engine::Native => "CTL, LTL, ATL and knowledge, with fairness",
        Engine::Nusmv => "CTL and LTL, with fairness",
        Engine::Spin => "LTL, and CTL that speaks of all runs or of one, with fairness",
        Engine::Mcmas => "CTL, LTL, knowledge and ATL; fairness with CTL and LTL",
    }
}
