//! Properties through SPIN: their claims in one verifier, their verdicts from what it says about each.

use super::emit::{Wanted, emit};
use super::verifier::{Outcome, Verifier};
use crate::answer::Verdict;
use crate::backend::common::initially;
use crate::backend::drive::Tool;
use crate::backend::{Answer, Options};
use crate::logic::linear::Claims;
use crate::logic::{Connected, Formula, PathFormula};
use crate::machine::{ExprId, Machine, Valid};

/// Properties that share a verifier. Each claim adds a byte to every state, but compiling takes far longer than searching.
const TOGETHER: usize = 64;

/// Properties in groups that are compiled together, at least one group per job where there are enough.
pub fn groups(properties: &[usize], jobs: usize) -> Vec<Vec<usize>> {
    let size = properties.len().div_ceil(jobs.max(1)).clamp(1, TOGETHER);
    properties.chunks(size).map(<[usize]>::to_vec).collect()
}

/// Checks a group of properties with one verifier.
pub fn check(m: &Valid, group: &[usize], tool: &Tool, o: &Options) -> Vec<Answer> {
    let all = |a: Answer| vec![a; group.len()];
    let mut claims: Vec<Claims<ExprId>> = Vec::new();
    for p in group {
        match Claims::of(&m.properties[*p], &initially(m)) {
            Ok(c) => claims.push(c),
            Err(why) => return all(Answer::because(Verdict::Unsupported, why)),
        }
    }
    let bounded = (o.swarm.is_none() && o.ask_overflow(m)).then(|| stays_false(m)).flatten();
    let mut wanted = wanted(m, group, &claims);
    wanted.extend(bounded.iter().map(|claim| Wanted { name: "bounded", text: "the bounds are never exceeded", claim }));
    let model = match emit(m, &wanted) {
        Ok(model) => model,
        Err(why) => return all(why.answer()),
    };
    if let Some(swarm) = &o.swarm {
        return swarm.search(m, &model, &claims, tool, o).unwrap_or_else(all);
    }
    let verifier = match Verifier::build(&model, tool, o, &[]) {
        Ok(v) => v,
        Err(why) => return all(why),
    };
    if let Some(alive) = &model.alive {
        match verifier.claim(m, alive).holds {
            Ok(true) => {}
            Ok(false) => return all(Answer::because(Verdict::Error, crate::backend::DEAD_END)),
            Err(why) => return all(why),
        }
    }
    let outcome = |c: &Option<super::ClaimText>| match c {
        Some(c) => verifier.claim(m, &c.name),
        None => Outcome { holds: Err(too_large()), runs: vec![], seconds: 0.0 },
    };
    let outcomes: Vec<Outcome> = model.claims.iter().map(outcome).collect();
    let overflow = bounded.and_then(|_| outcomes.last()).and_then(|o| o.holds.clone().ok()).map(|holds| !holds);
    let share = verifier.seconds / group.len().max(1) as f64;
    let mut rest = outcomes.as_slice();
    let mut answers = Vec::new();
    for c in &claims {
        let (mine, others) = rest.split_at(c.claims.len().min(rest.len()));
        rest = others;
        let mut answer = combine(c, mine);
        answer.seconds += share;
        answer.overflow = overflow;
        answer.keep_if_odd(&verifier.folder);
        answers.push(answer);
    }
    answers
}

fn wanted<'a>(m: &'a Valid, group: &[usize], claims: &'a [Claims<ExprId>]) -> Vec<Wanted<'a>> {
    let mut all = Vec::new();
    for (p, c) in group.iter().zip(claims) {
        let p = &m.properties[*p];
        all.extend(c.claims.iter().map(|claim| Wanted { name: &p.name, text: &p.text, claim }));
    }
    all
}

/// The claim that `overflow` stays false, if an expression reads it at all.
fn stays_false(m: &Machine) -> Option<PathFormula<ExprId>> {
    let reads = |n: &crate::machine::Node| *n == crate::machine::Node::Cur(m.overflow);
    let at = m.exprs.nodes().iter().position(reads)?;
    let overflow = Formula::Atom(ExprId(at as u32)).not();
    Some(PathFormula::globally(PathFormula::State(overflow)))
}

/// Why a claim was not asked.
pub(super) fn too_large() -> Answer {
    Answer::because(Verdict::Unsupported, "the automaton of the formula gets too large")
}

/// The verdict of a property from its claims; runs are those of violated claims.
fn combine(claims: &Claims<ExprId>, outcomes: &[Outcome]) -> Answer {
    let mut holds = Vec::new();
    for o in outcomes {
        match &o.holds {
            Ok(h) => holds.push(*h),
            Err(why) => return why.clone(),
        }
    }
    let mut answer = Answer::decided(claims.verdict(&holds));
    answer.runs = outcomes.iter().flat_map(|o| o.runs.iter().cloned()).collect();
    answer.seconds = outcomes.iter().map(|o| o.seconds).sum();
    answer
}

/// The number of reachable snapshots as SPIN counts them: the states stored by a whole search without any claim.
pub fn count_states(m: &Valid, tool: &Tool, o: &Options) -> Result<String, String> {
    let model = emit(m, &[]).map_err(|e| e.to_string())?;
    let why = |a: Answer| a.reason.unwrap_or_default();
    Verifier::build(&model, tool, o, &[]).map_err(why)?.count().map_err(why)
}
