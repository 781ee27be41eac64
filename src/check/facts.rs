//! What never comes, and why: asked of the native checker for the parts of a formula that a verdict hangs on.

use crate::answer::{Fact, Never, Verdict};
use crate::logic::{Bool, Connected, Formula, Path, PathFormula, Temporal};
use crate::machine::{Ask, Domain, ExprId, Machine, Node, Question, Snapshot, VarId, show};
use crate::native::check::{Checker, Fairness};
use crate::native::verdict::NativeAnswer;
use std::time::{Duration, Instant};

type Fml = Formula<ExprId>;

/// So many parts of a formula are looked at.
const MOST_PARTS: usize = 12;

/// Looking for reasons ends after so long; an answer without them is still one.
const PATIENCE: Duration = Duration::from_secs(60);

/// Finds the facts that an answer's summary needs.
pub fn find(answer: &mut NativeAnswer, c: &Checker) {
    if answer.result.verdict.holds().is_none() {
        return;
    }
    // What holds needs no reason, unless it surprises.
    let r = &answer.result;
    if r.trace.is_none() && r.verdict == Verdict::True && r.vacuous.is_empty() && !r.is_unexpected() {
        return;
    }
    c.sys.space.set_deadline(Instant::now().checked_add(PATIENCE));
    if let Ok(facts) = look(answer, c) {
        answer.result.facts = facts;
    }
}

fn look(answer: &NativeAnswer, c: &Checker) -> Result<Vec<Fact>, crate::native::check::Trouble> {
    let m = c.sys.machine;
    let none = c.fairness(&[])?;
    if let Some(Question { ask, .. }) = &answer.question {
        return match ask {
            _ if answer.result.verdict == Verdict::True => Ok(Vec::new()),
            Ask::Some(steps) => {
                let never = c.why_no_step(steps, &none)?;
                Ok(never.into_iter().map(|never| Fact { at: 0, beside: false, never }).collect())
            }
            Ask::Reach(e) => one(c, &none, 0, None, &Formula::Atom(*e)),
            _ => Ok(Vec::new()),
        };
    }
    let Some(p) = m.properties.iter().find(|p| p.name == answer.result.property) else { return Ok(Vec::new()) };
    let fair = c.fairness(&p.fair)?;
    if answer.result.trace.is_none() && answer.result.verdict == Verdict::True {
        let found = idle(c, &fair, &p.formula)?;
        return match refutation(&p.formula).filter(|_| found.is_empty() && answer.result.is_unexpected()) {
            Some(never) => one(c, &fair, 0, None, &never),
            None => Ok(found),
        };
    }
    let Some(trace) = &answer.result.trace else {
        for goal in missing(&p.formula) {
            let found = one(c, &fair, 0, None, goal)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        return Ok(Vec::new());
    };
    let snapshots = answer.evidence.as_ref().map(|e| e.trail.snapshots.as_slice()).unwrap_or_default();
    for reason in &trace.because {
        let (at, goal) = if reason.throughout {
            let goal = m.find(&reason.part).and_then(|v| atom(m, v, !reason.holds));
            let goal = goal.or_else(|| atom_called(m, &p.formula, &reason.part, !reason.holds));
            (trace.loop_start.unwrap_or(reason.at), goal.map(|g| (g, false)))
        } else if reason.holds {
            continue;
        } else {
            (reason.at, part_called(m, &p.formula, &reason.part))
        };
        let (Some((goal, next)), Some(from)) = (goal, snapshots.get(at)) else { continue };
        let found = if next {
            let never = c.why_not_next(from, &goal, &fair)?;
            never.map(|n| Fact { at, beside: false, never: Never::Next(Vec::new(), Box::new(n)) }).into_iter().collect()
        } else {
            one(c, &fair, at, Some(from), &goal)?
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // What somebody does not know, because it is otherwise in a snapshot that looks the same.
    let side = answer.evidence.as_ref().and_then(|e| e.trail.sides.first());
    for reason in trace.because.iter().filter(|r| !r.holds) {
        let goal = part_called(m, &p.formula, &reason.part).filter(|(_, next)| !next);
        if let (Some((goal, _)), Some(from)) = (goal, side.and_then(|s| s.trail.snapshots.last())) {
            let found = one(c, &fair, reason.at, Some(from), &goal)?;
            return Ok(found.into_iter().map(|f| Fact { beside: true, ..f }).collect());
        }
    }
    // What the run lacks, and every other run, too.
    for reason in trace.because.iter().filter(|r| side.is_none() && !r.holds && !r.throughout) {
        let goal = m.find(&reason.part).and_then(|v| atom(m, v, true));
        let goal = goal.or_else(|| atom_called(m, &p.formula, &reason.part, true));
        let found = goal.map_or(Ok(Vec::new()), |goal| one(c, &fair, 0, None, &goal))?;
        if !found.is_empty() {
            return Ok(found.into_iter().map(|f| Fact { beside: true, ..f }).collect());
        }
    }
    Ok(Vec::new())
}

/// What would refute a formula about all snapshots: that never comes.
fn refutation(f: &Fml) -> Option<Fml> {
    match f {
        Formula::Quantified(Path::A, Temporal::Globally(a)) => Some(negated(a)),
        Formula::Ltl(path) => match path.as_ref() {
            PathFormula::Temporal(Temporal::Globally(a)) => match a.as_weak_until() {
                // Always "p until q or for ever" is always "p or q".
                Some((p, q)) => Some(Formula::Bool(Bool::And(vec![negated(&state(p)?), negated(&state(q)?)]))),
                None => state(a).map(|f| negated(&f)),
            },
            _ => None,
        },
        _ => None,
    }
}

/// A formula of linear time that is about one snapshot.
fn state(f: &PathFormula<ExprId>) -> Option<Fml> {
    let all = |list: &[PathFormula<ExprId>]| list.iter().map(state).collect::<Option<Vec<Fml>>>();
    let b = match f {
        PathFormula::State(f) => return Some(f.clone()),
        PathFormula::Temporal(_) => return None,
        PathFormula::Bool(b) => b,
    };
    Some(Formula::Bool(match b {
        Bool::Not(a) => Bool::Not(Box::new(state(a)?)),
        Bool::And(list) => Bool::And(all(list)?),
        Bool::Or(list) => Bool::Or(all(list)?),
        Bool::Implies(a, b) => Bool::Implies(Box::new(state(a)?), Box::new(state(b)?)),
        Bool::Iff(..) | Bool::Quant { .. } => return None,
    }))
}

/// The opposite, with negations at the atoms.
fn negated(f: &Fml) -> Fml {
    match f {
        Formula::Bool(Bool::Not(a)) => a.as_ref().clone(),
        Formula::Bool(Bool::And(list)) => Formula::Bool(Bool::Or(list.iter().map(negated).collect())),
        Formula::Bool(Bool::Or(list)) => Formula::Bool(Bool::And(list.iter().map(negated).collect())),
        Formula::Bool(Bool::Implies(a, b)) => Formula::Bool(Bool::And(vec![a.as_ref().clone(), negated(b)])),
        _ => f.clone().not(),
    }
}

/// What a formula speaks of and what never comes: the first such part that can be told.
fn idle(c: &Checker, fair: &Fairness, f: &Fml) -> Result<Vec<Fact>, crate::native::check::Trouble> {
    let m = c.sys.machine;
    let mut vars: Vec<VarId> = Vec::new();
    f.atoms(&mut |e| {
        m.exprs.leaves(*e, &mut |leaf| match leaf {
            Node::Cur(v) if m.var(*v).domain == Domain::Bool && !m.is_existence(*v) && !vars.contains(v) => {
                vars.push(*v)
            }
            _ => {}
        });
    });
    // After single variables, comparisons: one that never holds, or never fails.
    let mut atoms = Vec::new();
    f.atoms(&mut |e| {
        if !matches!(m.exprs.node(*e), Node::Cur(_) | Node::Bool(_)) {
            atoms.extend([Formula::Atom(*e), Formula::Atom(*e).not()]);
        }
    });
    let of_vars = vars.into_iter().take(MOST_PARTS).filter_map(|v| atom(m, v, true));
    for goal in of_vars.chain(atoms.into_iter().take(MOST_PARTS)) {
        let found = one(c, fair, 0, None, &goal)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// The atom of a formula that reads like this, with a value.
fn atom_called(m: &Machine, f: &Fml, text: &str, value: bool) -> Option<Fml> {
    let mut found = None;
    f.atoms(&mut |e| {
        if found.is_none() && show::expression(m, *e) == text {
            found = Some(*e);
        }
    });
    found.map(|e| if value { Formula::Atom(e) } else { Formula::Atom(e).not() })
}

fn one(
    c: &Checker,
    fair: &Fairness,
    at: usize,
    from: Option<&Snapshot>,
    goal: &Fml,
) -> Result<Vec<Fact>, crate::native::check::Trouble> {
    let found: Option<Never> = c.why_never(from, goal, fair)?;
    Ok(found.map(|never| Fact { at, beside: false, never }).into_iter().collect())
}

/// Has a formula that fails without a run a reason that can be looked for?
pub fn tells_by_itself(f: &Fml) -> bool {
    !missing(f).is_empty()
}

/// What an unreachable formula wanted to reach: the goals of its `EF`s and `E … U`s, one of which is to blame.
fn missing(f: &Fml) -> Vec<&Fml> {
    match f {
        Formula::Quantified(Path::E, Temporal::Finally(a)) => vec![a],
        Formula::Quantified(Path::E, Temporal::Until(_, b)) => vec![b],
        Formula::Quantified(Path::A, Temporal::Globally(a)) => missing(a),
        Formula::Bool(Bool::And(list) | Bool::Or(list)) => list.iter().flat_map(missing).collect(),
        _ => Vec::new(),
    }
}

/// The goal of the part of a formula that reads like this, if it speaks of reaching one; whether in the next step.
fn part_called(m: &Machine, f: &Fml, text: &str) -> Option<(Fml, bool)> {
    let mut found = None;
    f.walk(&mut |part| {
        // What nobody can know or bring about, because it never comes.
        let inner = match part {
            Formula::Know(_, _, inner) => inner.as_ref(),
            _ => part,
        };
        let goal = match inner {
            Formula::Quantified(Path::E, Temporal::Finally(a)) => (a, false),
            Formula::Quantified(Path::E, Temporal::Until(_, b)) => (b, false),
            Formula::Quantified(Path::E, Temporal::Next(a)) => (a, true),
            Formula::Can(_, Temporal::Finally(a)) => (a, false),
            _ => return,
        };
        if found.is_none() && show::formula(m, part) == text {
            found = Some((goal.0.as_ref().clone(), goal.1));
        }
    });
    found
}

/// That a Boolean variable has a value, if the machine speaks of it anywhere.
fn atom(m: &Machine, var: VarId, value: bool) -> Option<Fml> {
    let nodes = m.exprs.nodes().iter();
    let at = nodes.enumerate().find(|(_, n)| **n == Node::Cur(var)).map(|(i, _)| ExprId(i as u32))?;
    Some(if value { Formula::Atom(at) } else { Formula::Atom(at).not() })
}
