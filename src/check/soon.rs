//! Answers that one run gives, looked for on values beside the symbolic search: what a guard or a goal needs is often near, however many
//! snapshots there are. What is not found stays open here.

use super::{Plan, certified, question};
use crate::answer::{Choice, Engine, PropertyResult, RawRun, Trace};
use crate::interp::Interp;
use crate::interp::scout::{Budget, Found, Target, scout};
use crate::logic::{Bool, Connected, Formula, Path, PathFormula, Property, Temporal};
use crate::machine::{Ask, ExprId, Idle, Machine, Question};
use crate::native::bmc;
use crate::trace::certify;
use std::time::Instant;

/// Something that a run can decide.
pub enum Asked<'m> {
    /// A property, and the value that the run gives it.
    Property(&'m Property<ExprId>, bool),
    /// A question about steps.
    Question(&'m Question),
}

/// Everything asked for that a run to somewhere can decide, with what to look for, and whether that is everything.
pub fn asked<'m>(machine: &'m Machine, plan: &Plan) -> (Vec<(Asked<'m>, Target)>, bool) {
    // Where runs may not end, a dead end is an error, whatever else is found.
    if machine.idle == Idle::Never {
        return (Vec::new(), false);
    }
    let properties = machine.properties.iter().filter(|p| plan.asks(&p.name));
    let questions = machine.questions.iter().filter(|q| plan.builtin && plan.asks(&q.name));
    let (mut list, mut all) = (Vec::new(), true);
    for p in properties {
        match goal(&p.formula).filter(|_| p.fair.is_empty()) {
            Some((target, holds)) => list.push((Asked::Property(p, holds), target)),
            None => all = false,
        }
    }
    list.extend(questions.map(|q| (Asked::Question(q), sought(&q.ask))));
    (list, all)
}

/// What a run must reach to decide a formula, and what that says of it.
fn goal(f: &Formula<ExprId>) -> Option<(Target, bool)> {
    Some(match f {
        Formula::Quantified(Path::E, Temporal::Finally(a)) if a.is_state() => (Target::Holds((**a).clone()), true),
        Formula::Quantified(Path::E, Temporal::Until(a, b)) if a.is_state() && b.is_state() => {
            (Target::Through((**a).clone(), (**b).clone()), true)
        }
        Formula::Quantified(Path::A, Temporal::Globally(a)) if a.is_state() => {
            (Target::Holds((**a).clone().not()), false)
        }
        Formula::Ltl(path) => match &**path {
            PathFormula::Temporal(Temporal::Globally(a)) => match &**a {
                PathFormula::State(a) if a.is_state() => (Target::Holds(a.clone().not()), false),
                _ => return None,
            },
            _ => return None,
        },
        Formula::Bool(Bool::Not(a)) => {
            let (target, holds) = goal(a)?;
            (target, !holds)
        }
        _ => return None,
    })
}

fn sought(ask: &Ask) -> Target {
    match ask {
        Ask::Some(steps) | Ask::None(steps) => Target::Step(steps.clone()),
        Ask::Reach(there) | Ask::Never(there) => Target::Holds(Formula::Atom(*there)),
        Ask::OrderIndependent => Target::Order,
        Ask::NoDeadEnd(bad) => Target::DeadEnd(*bad),
    }
}

/// Looks for all of them; the answers that were found, each with its run replayed. First by walking, then by a solver for what is still
/// open, or perhaps not shown by a shortest run.
pub fn look(
    interp: &Interp,
    asked: &[(Asked, Target)],
    memory: Option<u64>,
    stop: &dyn Fn() -> bool,
) -> Vec<PropertyResult> {
    let begin = Instant::now();
    let targets: Vec<Target> = asked.iter().map(|(_, target)| target.clone()).collect();
    let mut found = scout(interp, &targets, Budget::default(), stop);
    solve(interp, &targets, &mut found, bmc::Effort::default().within(memory), stop);
    let seconds = begin.elapsed().as_secs_f64() / asked.len().max(1) as f64;
    let answers = asked.iter().zip(found).filter_map(|((what, _), found)| Some(answer(interp, what, &found?)));
    answers.map(|a| PropertyResult { seconds, ..a }).collect()
}

/// Lets a solver look for what was not found, and for shorter runs.
fn solve(
    interp: &Interp,
    targets: &[Target],
    found: &mut [Option<Found>],
    effort: bmc::Effort,
    stop: &dyn Fn() -> bool,
) {
    // The step that a run ends before is counted.
    let more = |t: &Target| usize::from(matches!(t, Target::Order));
    let mut places = Vec::new();
    for (at, (target, found)) in targets.iter().zip(found.iter()).enumerate() {
        let most = match found {
            None => usize::MAX,
            Some(f) if f.shortest => continue,
            Some(f) => (f.run.len() + more(target)).saturating_sub(1),
        };
        places.extend(goal_of(target).map(|goal| (at, (goal, most))));
    }
    if places.is_empty() || stop() {
        return;
    }
    let (places, goals): (Vec<usize>, Vec<_>) = places.into_iter().unzip();
    for (at, looked) in places.into_iter().zip(bmc::search(interp.machine(), &goals, effort, stop)) {
        let is_shortest = |run: &[Choice]| run.len() + more(&targets[at]) <= looked.none_below;
        let run = looked.run.or(found[at].take().map(|f| f.run));
        found[at] = run.map(|run| Found { shortest: is_shortest(&run), run });
    }
}

fn goal_of(target: &Target) -> Option<bmc::Goal> {
    Some(match target.clone() {
        Target::Holds(f) => bmc::Goal::Holds(f),
        Target::Through(f, g) => bmc::Goal::Through(f, g),
        Target::Step(steps) => bmc::Goal::Step(steps),
        Target::Order => bmc::Goal::Order,
        Target::DeadEnd(_) => return None,
    })
}

fn answer(interp: &Interp, what: &Asked, found: &Found) -> PropertyResult {
    let run = RawRun::of(found.run.iter().cloned());
    let (open, holds, shown) = match what {
        Asked::Property(p, holds) => {
            (PropertyResult::open(p, Engine::NATIVE), *holds, certify(interp, p, *holds, &run))
        }
        Asked::Question(q) => {
            let holds = matches!(q.ask, Ask::Some(_) | Ask::Reach(_));
            (PropertyResult::asked(q, Engine::NATIVE), holds, question::certify(interp, q, &run))
        }
    };
    let shortest = (!found.shortest).then_some(false);
    let mut result = open.decided(holds, true);
    certified(&mut result, shown.map(|trace| Trace { shortest, ..trace }).into());
    result.exact = result.trace.as_ref().is_some_and(|t| t.certified && !t.sets_overflow());
    if matches!(what, Asked::Property(..)) && found.run.is_empty() {
        result.vacuous.push(crate::native::verdict::ALONE.to_string());
    }
    result
}
