//! A verdict that a run shows: which event made the deciding part so, and through which rule.

use super::phrase::{Speaker, joined, sentence};
use super::{end, never};
use crate::answer::{PropertyResult, Reason, Trace, TraceStep, Verdict};
use crate::logic::Formula;
use crate::machine::{Body, BodyIx, CompareOp, ExprId, Machine, Node, Rule, VarId, show};
use crate::trace::from_json;

/// Parts beside the deciding one that are told.
const BESIDE: usize = 3;

/// The sentence about a run.
pub fn sentence_of(s: &Speaker, r: &PropertyResult, trace: &Trace) -> String {
    if let Some(told) = hangs(s, r, trace) {
        return told;
    }
    if let Some(question) = s.m.questions.iter().find(|q| q.name == r.property) {
        return end::sentence_of(s, &question.ask, trace);
    }
    let mut told = match trace.because.iter().find(|r| r.throughout) {
        Some(for_ever) => repeating(s, r, trace, for_ever),
        None => deciding(s, r, trace),
    };
    if let Some(side) = trace.sides.first() {
        let differs: Vec<String> = side.differs.iter().take(BESIDE).filter_map(|(k, v)| is(s, k, v)).collect();
        let who = joined(side.agents.clone(), "and");
        let where_ = crate::trace::text::after(side.at);
        told += &format!(" To {who} the snapshot {where_} looks the same as one in which {}.", joined(differs, "and"));
    }
    told
}

/// A run that ends where it hangs, as the language says it.
fn hangs(s: &Speaker, r: &PropertyResult, trace: &Trace) -> Option<String> {
    if !s.is_own() {
        return None;
    }
    let end = end::end(trace);
    let code = |v: VarId| {
        let var = s.m.var(v);
        end.get(&var.name).and_then(|j| from_json(&var.domain, j)).unwrap_or(var.init)
    };
    let snapshot: Vec<i64> = s.m.state_ids().map(code).collect();
    let why = s.lens.hangs(&r.property, &snapshot).filter(|_| r.verdict == Verdict::False)?;
    Some(sentence(&format!("{} {why}", after(s, trace, trace.steps.len()))))
}

/// What a variable of that name is.
fn is(s: &Speaker, name: &str, value: &serde_json::Value) -> Option<String> {
    let var = s.m.find(name)?;
    Some(s.is(var, from_json(&s.m.var(var).domain, value)?))
}

/// A reason with the variables it is about.
struct Part<'t> {
    reason: &'t Reason,
    /// The last step before it that changed one of them, from 1.
    step: usize,
    changed: Option<VarId>,
}

fn parts<'t>(s: &Speaker, trace: &'t Trace) -> Vec<Part<'t>> {
    let part = |reason: &'t Reason| {
        let names = std::iter::once(&reason.part).chain(reason.values.keys());
        let mut vars: Vec<VarId> = names.filter_map(|n| s.m.find(n)).collect();
        if vars.is_empty() {
            vars = s.m.state_ids().filter(|v| mentions(&reason.part, &s.m.var(*v).name)).collect();
        }
        // What is said of a slot is news when the slot is new.
        let exists: Vec<VarId> = vars.iter().filter_map(|v| s.m.slot_of(*v)?.exists).collect();
        let vars: Vec<VarId> = vars.into_iter().chain(exists).collect();
        let changes = |step: &TraceStep| vars.iter().copied().find(|v| step.changes.contains_key(&s.m.var(*v).name));
        let until = reason.at.min(trace.steps.len());
        let last = trace.steps.iter().take(until).enumerate().rev().find_map(|(i, st)| Some((i + 1, changes(st)?)));
        let (step, changed) = last.map_or((0, None), |(i, v)| (i, Some(v)));
        Part { reason, step, changed }
    };
    trace.because.iter().map(part).collect()
}

/// Is a name part of a text, not of a longer name?
fn mentions(text: &str, name: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name)
        .any(|(i, _)| !inside(text[..i].chars().next_back()) && !inside(text[i + name.len()..].chars().next()))
}

/// What a reason says; `now`: of the snapshot that the sentence is about.
fn phrase(s: &Speaker, reason: &Reason, now: bool) -> String {
    if let Some(var) = s.m.find(&reason.part) {
        let value = i64::from(reason.holds);
        return if now { s.is(var, value) } else { s.was(var, value) };
    }
    let values: Vec<String> =
        reason.values.iter().filter_map(|(k, v)| is(s, k, v)).filter(|v| !reason.part.contains(v.as_str())).collect();
    let values = if values.is_empty() { String::new() } else { format!(" ({})", joined(values, "and")) };
    match spelled(s, reason) {
        Some(text) => format!("{text}{values}"),
        None => format!("`{}` {}{values}", reason.part, if reason.holds { "holds" } else { "does not hold" }),
    }
}

/// A part of a property that reads like this one, in words.
fn spelled(s: &Speaker, reason: &Reason) -> Option<String> {
    if let Some(e) = expression(s.m, &reason.part) {
        return Some(s.expression(e, reason.holds));
    }
    let mut found = None;
    let mut look = |f: &Formula<ExprId>| {
        if found.is_none() && reason.holds && show::formula(s.m, f) == reason.part {
            found = Some(s.formula(f));
        }
    };
    s.m.properties.iter().for_each(|p| p.formula.walk(&mut look));
    found
}

/// The expression in a property that reads like this.
fn expression(m: &Machine, text: &str) -> Option<ExprId> {
    let mut found = None;
    let mut look = |f: &Formula<ExprId>| {
        if let (None, Formula::Atom(e)) = (&found, f) {
            found = part_of(m, *e, text);
        }
    };
    m.properties.iter().for_each(|p| p.formula.walk(&mut look));
    found
}

/// The part of an expression that reads like this.
fn part_of(m: &Machine, e: ExprId, text: &str) -> Option<ExprId> {
    if show::expression(m, e) == text {
        return Some(e);
    }
    match m.exprs.node(e) {
        Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Iff(..) => {
            m.exprs.parts(e).into_iter().find_map(|p| part_of(m, p, text))
        }
        _ => None,
    }
}

/// `After Edit (step 4) …`.
fn after(s: &Speaker, trace: &Trace, step: usize) -> String {
    match step.checked_sub(1).and_then(|i| trace.steps.get(i)) {
        None => "at the start".into(),
        Some(st) => {
            let what = st.event.clone().unwrap_or_else(|| "nothing happens".into());
            let who = st.agent.as_ref().map(|a| format!(" by {a}")).unwrap_or_default();
            format!("after {what}{who}{} (step {step})", s.at(st.target.as_deref()))
        }
    }
}

/// The part that changed last is what decides; the others stand beside it.
fn deciding(s: &Speaker, r: &PropertyResult, trace: &Trace) -> String {
    if let Some(fact) = r.facts.first() {
        let first = after(s, trace, fact.at);
        return sentence(&format!("{first} {}", never::chain(s, &fact.never, fact.at > 0)));
    }
    let parts = parts(s, trace);
    let Some(main) = parts.iter().max_by_key(|p| (p.step, p.reason.at)) else {
        let n = trace.steps.len();
        return if n == 0 { String::new() } else { sentence(&format!("{} it is so", after(s, trace, n))) };
    };
    let mut said = format!("{} {}", after(s, trace, main.step), phrase(s, main.reason, true));
    if let Some(rule) = main.changed.and_then(|v| through(s, trace, main.step, v)) {
        let ready = if rule.contains('(') { String::new() } else { ready(s, trace, main) };
        said += &format!(", because of {rule}{ready}");
    }
    let mut beside: Vec<String> = Vec::new();
    for p in parts.iter().filter(|p| !std::ptr::eq(*p, main)) {
        let now = p.reason.at >= main.reason.at.min(main.step);
        let mut text = phrase(s, p.reason, now);
        if let Some(rule) = p.changed.and_then(|v| through(s, trace, p.step, v)).filter(|_| p.step != main.step) {
            text += &format!(" (since step {}, because of {rule})", p.step);
        }
        if !beside.contains(&text) && text != phrase(s, main.reason, true) {
            beside.push(text);
        }
    }
    beside.truncate(BESIDE);
    if !beside.is_empty() {
        said += &format!(", while {}", joined(beside, "and"));
    }
    sentence(&said)
}

/// The run comes back to where it was, and something never changes.
fn repeating(s: &Speaker, r: &PropertyResult, trace: &Trace, reason: &Reason) -> String {
    let start = trace.loop_start.unwrap_or(trace.steps.len());
    let mut events: Vec<String> = Vec::new();
    for st in trace.steps.iter().skip(start) {
        let name = st.event.clone().unwrap_or_default();
        if !name.is_empty() && !events.contains(&name) {
            events.push(name);
        }
    }
    let shown = events.len() > 4;
    events.truncate(4);
    let again = match events.len() {
        0 => "nothing more need happen".to_string(),
        1 => format!("{} can go on for ever alone", joined(events.clone(), "and")),
        _ if shown => format!("{} and others can go on for ever", events.join(", ")),
        _ => format!("{} can go on for ever", joined(events.clone(), "and")),
    };
    let said = format!("{} {again}, and all the time {}", after(s, trace, start), phrase(s, reason, true));
    let mut told = sentence(&said);
    match r.facts.first() {
        Some(fact) => told += &format!(" {}", sentence(&never::chain(s, &fact.never, true))),
        None => {
            let mut bodies: Vec<BodyIx> = Vec::new();
            for (var, value) in changes_wanted(s, reason) {
                bodies.extend(could_change(s.m, var, value));
            }
            bodies.sort_unstable();
            if !bodies.is_empty() {
                told += &format!(" Only {} could change that.", s.events(&bodies));
            }
        }
    }
    told
}

/// The values that variables would need for a part to change.
fn changes_wanted(s: &Speaker, reason: &Reason) -> Vec<(VarId, i64)> {
    if let Some(var) = s.m.find(&reason.part) {
        return vec![(var, i64::from(!reason.holds))];
    }
    let mut wanted = Vec::new();
    let mut todo: Vec<(ExprId, bool)> = expression(s.m, &reason.part).map(|e| (e, !reason.holds)).into_iter().collect();
    while let Some((e, value)) = todo.pop() {
        match s.m.exprs.node(e) {
            Node::And(list) | Node::Or(list) => todo.extend(list.iter().map(|p| (*p, value))),
            Node::Not(a) => todo.push((*a, !value)),
            Node::Cur(v) if !s.m.is_existence(*v) => wanted.push((*v, i64::from(value))),
            Node::Compare(CompareOp::Eq, a, b) if value => match (s.m.exprs.node(*a), s.m.exprs.node(*b)) {
                (Node::Cur(v), Node::Int(i)) | (Node::Int(i), Node::Cur(v)) => wanted.push((*v, *i)),
                _ => {}
            },
            _ => {}
        }
    }
    wanted
}

/// The bodies in which a rule or the event itself may give a variable a value.
fn could_change(m: &Machine, var: VarId, value: i64) -> Vec<BodyIx> {
    let might = |e| match m.exprs.node(e) {
        Node::Bool(b) => i64::from(*b) == value,
        Node::Int(i) => *i == value,
        _ => true,
    };
    let writes = |b: &Body| {
        b.rules.iter().any(|r| r.target == var && might(r.value))
            || b.effect.iter().chain(&b.finish).any(|a| a.var == var && might(a.value))
    };
    (0..m.bodies.len()).map(BodyIx).filter(|b| writes(&m.bodies[*b])).collect()
}

/// The rule that gave a variable its value in a step, and the one that set that off.
pub fn through(s: &Speaker, trace: &Trace, step: usize, var: VarId) -> Option<String> {
    let st = trace.steps.get(step.checked_sub(1)?)?;
    let fired = fired(s.m, st);
    let rule = fired.iter().rev().find(|r| r.target == var)?;
    let mut told = s.lens.rule_words(rule);
    let sets_off = |other: &&&Rule| {
        let mut reads = false;
        let name = &s.m.var(other.target).name;
        s.m.exprs.leaves(rule.antecedent, &mut |l| reads |= matches!(l, Node::Cur(v) if *v == other.target));
        reads && other.target != var && st.changes.contains_key(name)
    };
    if let Some(first) = fired.iter().find(sets_off) {
        told += &format!(" ({})", s.lens.rule_words(first));
    }
    Some(told)
}

/// Which rule of an earlier step made way for the deciding one.
fn ready(s: &Speaker, trace: &Trace, main: &Part) -> String {
    let found = main.changed.and_then(|v| {
        let st = trace.steps.get(main.step.checked_sub(1)?)?;
        let rule = fired(s.m, st).into_iter().rev().find(|r| r.target == v)?;
        made_ready(s, trace, main.step, rule)
    });
    found.map(|(then, opened)| format!(" (for which {opened} made way in step {then})")).unwrap_or_default()
}

/// The rule of an earlier step that made a rule's prerequisite true, and the step.
fn made_ready(s: &Speaker, trace: &Trace, step: usize, rule: &Rule) -> Option<(usize, String)> {
    let mut wanted = None;
    s.m.exprs.leaves(rule.prerequisite, &mut |l| {
        if let Node::Prev(v) = l {
            wanted = wanted.or(Some(*v));
        }
    });
    let var = wanted?;
    let name = &s.m.var(var).name;
    let before = trace.steps.iter().take(step - 1).enumerate().rev();
    let (then, st) = before.map(|(i, st)| (i + 1, st)).find(|(_, st)| st.changes.get(name) == Some(&true.into()))?;
    let opened = fired(s.m, st).into_iter().rev().find(|r| r.target == var)?;
    Some((then, s.lens.rule_words(opened)))
}

/// The rules of the machine that fired in a step, in order.
pub fn fired<'m>(m: &'m Machine, st: &TraceStep) -> Vec<&'m Rule> {
    let here = |b: &&Body| Some(&b.event) == st.event.as_ref() && m.target_name(b) == st.target.as_deref();
    let label = |r: &Rule, b: &Body| match r.origin.slot == b.target || r.origin.slot.is_none() {
        true => r.origin.label.clone(),
        false => m.rule_name(r),
    };
    let Some(body) = m.bodies.iter().find(here) else { return Vec::new() };
    body.rules.iter().filter(|r| st.rules.contains(&label(r, body)) || st.rules.contains(&m.rule_name(r))).collect()
}
