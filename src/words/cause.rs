//! What led to what in a run: the rule that gave a variable its value, the rules that set it off, those that made way for it.

use super::phrase::{Speaker, joined};
use crate::answer::{Trace, TraceStep};
use crate::machine::{Body, ExprId, Machine, Node, Rule, VarId};

/// Causes that are told beside the first one.
const MORE: usize = 2;

/// A rule that fired, and the step in which it did, from 1.
type Fired<'m> = (usize, &'m Rule);

/// The rule that gave a variable its value in a step, and the one that set that off.
pub fn through(s: &Speaker, trace: &Trace, step: usize, var: VarId) -> Option<String> {
    let rule = gave(s.m, trace, step, var)?;
    let mut told = s.lens.rule_words(rule);
    if let Some((_, first)) = causes(s.m, trace, (step, rule)).first().filter(|(then, _)| *then == step) {
        told += &format!(", set off by {}", s.lens.rule_words(first));
    }
    Some(told)
}

/// The same with what led to it: `, because of condition c of Paid (for which guard g of Paying made way in step 2, after …)`.
pub fn because(s: &Speaker, trace: &Trace, step: usize, var: VarId) -> String {
    match gave(s.m, trace, step, var) {
        Some(rule) => {
            let led = led(s, step, causes(s.m, trace, (step, rule)), trace, Some(rule));
            format!(", because of {}{led}", s.lens.rule_words(rule))
        }
        // The event itself did it: what made way for that?
        None => led(s, step, possible(s.m, trace, step), trace, None),
    }
}

/// What led to something, in parentheses.
fn led(s: &Speaker, step: usize, found: Vec<Fired>, trace: &Trace, what: Option<&Rule>) -> String {
    let mut found = found.into_iter();
    let Some((then, first)) = found.next() else { return String::new() };
    let name = s.lens.rule_words(first);
    let mut told =
        if then == step { format!("set off by {name}") } else { format!("for which {name} made way in step {then}") };
    let mut more: Vec<Fired> = Vec::new();
    for (at, rule) in found.chain(causes(s.m, trace, (then, first))) {
        let known = what.into_iter().chain([first]).chain(more.iter().map(|(_, r)| *r));
        if !known.into_iter().any(|r| std::ptr::eq(r, rule)) {
            more.push((at, rule));
        }
    }
    more.truncate(MORE);
    let more = more.into_iter().map(|(at, rule)| match at == then {
        true => s.lens.rule_words(rule),
        false => format!("{} in step {at}", s.lens.rule_words(rule)),
    });
    let more = joined(more.collect(), "and");
    if !more.is_empty() {
        told += &format!(", after {more}");
    }
    format!(" ({told})")
}

/// The rule that gave a variable its value in a step.
fn gave<'m>(m: &'m Machine, trace: &Trace, step: usize, var: VarId) -> Option<&'m Rule> {
    let st = trace.steps.get(step.checked_sub(1)?)?;
    fired(m, st).into_iter().rev().find(|r| r.target == var)
}

/// The rules that made true what a rule asks for: of its own step first, then of earlier ones, the latest first.
fn causes<'m>(m: &'m Machine, trace: &Trace, (step, rule): Fired<'m>) -> Vec<Fired<'m>> {
    let mut found = Vec::new();
    for e in [rule.antecedent, rule.prerequisite] {
        found.extend(made_true(m, trace, step, e, Some(rule)));
    }
    sorted(found)
}

/// The rules that made it possible that an event came in a step.
fn possible<'m>(m: &'m Machine, trace: &Trace, step: usize) -> Vec<Fired<'m>> {
    let st = step.checked_sub(1).and_then(|i| trace.steps.get(i));
    let body = st.and_then(|st| body(m, st));
    let found = body.map(|b| made_true(m, trace, step.saturating_sub(1), b.applicable, None)).unwrap_or_default();
    sorted(found)
}

fn sorted(mut found: Vec<Fired>) -> Vec<Fired> {
    found.sort_by_key(|(then, _)| std::cmp::Reverse(*then));
    found.dedup_by(|a, b| std::ptr::eq(a.1, b.1));
    found
}

/// The rules that made the variables of an expression true, each where it last changed, up to a step and before a rule of it.
fn made_true<'m>(m: &'m Machine, trace: &Trace, step: usize, e: ExprId, before: Option<&Rule>) -> Vec<Fired<'m>> {
    let mut vars: Vec<VarId> = Vec::new();
    m.exprs.leaves(e, &mut |leaf| match leaf {
        Node::Cur(v) | Node::Prev(v) if !vars.contains(v) && !m.is_existence(*v) => vars.push(*v),
        _ => {}
    });
    let one = |var: VarId| {
        let name = &m.var(var).name;
        let so_far = trace.steps.iter().take(step).enumerate().rev();
        let changed = so_far.filter(|(_, st)| st.changes.contains_key(name));
        for (i, st) in changed {
            let fired = fired(m, st);
            let until = before.filter(|_| i + 1 == step).and_then(|b| fired.iter().position(|r| std::ptr::eq(*r, b)));
            let by = fired[..until.unwrap_or(fired.len())].iter().rev().find(|r| r.target == var);
            match by {
                Some(rule) if st.changes.get(name) == Some(&true.into()) => return Some((i + 1, *rule)),
                // It changed after this rule's turn: what was so before counts.
                None if until.is_some() => {}
                // What the end of a step sees to comes from what changed in it.
                None => return finished(m, st, var).map(|rule| (i + 1, rule)),
                _ => return None,
            }
        }
        None
    };
    vars.into_iter().filter(|v| before.is_none_or(|b| b.target != *v)).filter_map(one).collect()
}

/// The rule of a step whose change made the step set a variable at its end.
fn finished<'m>(m: &'m Machine, st: &TraceStep, var: VarId) -> Option<&'m Rule> {
    let assign = body(m, st)?.finish.iter().find(|a| a.var == var)?;
    let mut read: Vec<VarId> = Vec::new();
    m.exprs.leaves(assign.value, &mut |leaf| {
        if let Node::Cur(v) = leaf {
            read.push(*v);
        }
    });
    let set = |r: &&Rule| read.contains(&r.target) && st.changes.get(&m.var(r.target).name) == Some(&true.into());
    fired(m, st).into_iter().rev().find(set)
}

/// The data that a step sets.
pub fn data_set(s: &Speaker, trace: &Trace, step: usize) -> Vec<String> {
    let st = step.checked_sub(1).and_then(|i| trace.steps.get(i));
    let Some(body) = st.and_then(|st| body(s.m, st)) else { return Vec::new() };
    let assigned = body.effect.iter().chain(&body.finish).map(|a| a.var).chain(body.rules.iter().map(|r| r.target));
    let mut names: Vec<String> = Vec::new();
    for var in assigned.filter(|v| s.is_data(*v)) {
        let name = s.name(var);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn body<'m>(m: &'m Machine, st: &TraceStep) -> Option<&'m Body> {
    m.bodies.iter().find(|b| Some(&b.event) == st.event.as_ref() && m.target_name(b) == st.target.as_deref())
}

/// The rules of the machine that fired in a step, in order.
pub fn fired<'m>(m: &'m Machine, st: &TraceStep) -> Vec<&'m Rule> {
    let label = |r: &Rule, b: &Body| match r.origin.slot == b.target || r.origin.slot.is_none() {
        true => r.origin.label.clone(),
        false => m.rule_name(r),
    };
    let Some(body) = body(m, st) else { return Vec::new() };
    body.rules.iter().filter(|r| st.rules.contains(&label(r, body)) || st.rules.contains(&m.rule_name(r))).collect()
}

/// What a step set off: its first rules that changed something.
pub fn set_off(s: &Speaker, trace: &Trace, step: usize) -> Option<String> {
    let st = trace.steps.get(step.checked_sub(1)?)?;
    let changed = |r: &&Rule| !s.m.var(r.target).scratch && st.changes.contains_key(&s.m.var(r.target).name);
    let mut names: Vec<String> = Vec::new();
    for rule in fired(s.m, st).into_iter().filter(changed) {
        let name = s.lens.rule_words(rule);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(MORE);
    (!names.is_empty()).then(|| joined(names, "and"))
}
