//! A verdict that a run shows: which event made the deciding part so, and through which rule.

use super::cause::{because, data_set, set_off, through};
use super::phrase::{Speaker, joined, sentence};
use super::{end, never};
use crate::answer::{PropertyResult, Reason, Trace, TraceStep, Verdict};
use crate::logic::{Formula, Temporal};
use crate::machine::{Body, BodyIx, CompareOp, ExprId, Machine, Node, VarId, show};
use crate::trace::from_json;

/// Parts beside the deciding one that are told.
const BESIDE: usize = 3;

/// The sentence about a run.
pub fn sentence_of(s: &Speaker, r: &PropertyResult, trace: &Trace) -> String {
    if let Some(told) = hangs(s, r, trace) {
        return told;
    }
    if let Some(question) = s.m.questions.iter().find(|q| q.name == r.property) {
        return end::sentence_of(s, question, trace);
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
        if let Some(fact) = r.facts.iter().find(|f| f.beside) {
            told += &format!(" There {}.", never::chain(s, &fact.never, true));
        }
    } else if let Some(fact) = r.facts.iter().find(|f| f.beside) {
        told += &format!(" {}", sentence(&never::chain(s, &fact.never, false)));
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
    let unspelled = || format!("`{}` {}", reason.part, if reason.holds { "holds" } else { "does not hold" });
    let text = spelled(s, reason).unwrap_or_else(unspelled);
    let news = |v: &String| !reason.part.contains(v.as_str()) && *v != text;
    let values: Vec<String> = reason.values.iter().filter_map(|(k, v)| is(s, k, v)).filter(news).collect();
    if values.is_empty() { text } else { format!("{text} ({})", joined(values, "and")) }
}

/// A part of a property that reads like this one, in words.
fn spelled(s: &Speaker, reason: &Reason) -> Option<String> {
    if let Some(e) = expression(s, &reason.part) {
        return Some(s.expression(e, reason.holds));
    }
    let mut found = None;
    let mut look = |f: &Formula<ExprId>| {
        let told = reason.holds || matches!(f, Formula::Know(..) | Formula::Can(..));
        if found.is_none() && told && show::formula(s.m, f) == reason.part {
            found = Some(s.formula_is(f, reason.holds));
        }
    };
    s.properties.iter().for_each(|p| p.formula.walk(&mut look));
    found
}

/// The expression in a property that reads like this.
fn expression(s: &Speaker, text: &str) -> Option<ExprId> {
    let mut found = None;
    let mut look = |f: &Formula<ExprId>| {
        if let (None, Formula::Atom(e)) = (&found, f) {
            found = part_of(s.m, *e, text);
        }
    };
    s.properties.iter().for_each(|p| p.formula.walk(&mut look));
    found
}

/// The part of an expression that reads like this.
fn part_of(m: &Machine, e: ExprId, text: &str) -> Option<ExprId> {
    if show::expression(m, e) == text {
        return Some(e);
    }
    match m.exprs.node(e) {
        Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Iff(..) => m.exprs.parts(e).find_map(|p| part_of(m, p, text)),
        _ => None,
    }
}

/// `After Edit (step 4) …`.
fn after(s: &Speaker, trace: &Trace, step: usize) -> String {
    match step.checked_sub(1).and_then(|i| trace.steps.get(i)) {
        None => "at the start".into(),
        Some(st) => {
            let at = s.at(st.target.as_deref());
            if let Some(happened) = st.event.as_deref().and_then(|e| s.lens.happening(e)) {
                return format!("after {happened}{at} (step {step})");
            }
            let what = st.event.clone().unwrap_or_else(|| "nothing happens".into());
            let who = st.agent.as_ref().map(|a| format!(" by {a}")).unwrap_or_default();
            format!("after {what}{who}{at} (step {step})")
        }
    }
}

/// The part that changed last is what decides; the others stand beside it.
fn deciding(s: &Speaker, r: &PropertyResult, trace: &Trace) -> String {
    if let Some(fact) = r.facts.first().filter(|f| !f.beside) {
        let first = after(s, trace, fact.at);
        let set_off = set_off(s, trace, fact.at).map(|rules| format!(", which set off {rules},")).unwrap_or_default();
        return sentence(&format!("{first}{set_off} {}", never::chain(s, &fact.never, fact.at > 0)));
    }
    let parts = parts(s, trace);
    let Some(main) = parts.iter().max_by_key(|p| (p.step, p.reason.at)) else {
        return match (trace.loop_start, trace.steps.len()) {
            (Some(0), _) => sentence("it can go on like this from the start, for ever"),
            (Some(start), _) => sentence(&format!("{} it can go on like this for ever", after(s, trace, start))),
            (None, 0) => String::new(),
            (None, n) => sentence(&format!("{} it is so", after(s, trace, n))),
        };
    };
    let mut said = format!("{} {}", after(s, trace, main.step), phrase(s, main.reason, true));
    // What somebody knows or can do has no rule of its own.
    let plain = s.m.find(&main.reason.part).is_some() || expression(s, &main.reason.part).is_some();
    if let Some(var) = main.changed.filter(|_| plain) {
        said += &because(s, trace, main.step, var);
    }
    if main.changed == Some(s.m.overflow) {
        let set = data_set(s, trace, main.step);
        if (1..=BESIDE).contains(&set.len()) {
            said += &format!(" (the step sets {})", joined(set, "and"));
        }
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
    let powers: Vec<String> = parts.iter().filter_map(|p| who_brings(s, p.reason)).collect();
    powers.into_iter().take(1).fold(sentence(&said), |told, more| format!("{told} {more}"))
}

/// What a group cannot bring about: which rules could, with which events, and who sends those.
fn who_brings(s: &Speaker, reason: &Reason) -> Option<String> {
    let mut goal = None;
    let mut look = |f: &Formula<ExprId>| match f {
        Formula::Can(_, Temporal::Finally(a)) if !reason.holds && show::formula(s.m, f) == reason.part => {
            if let Formula::Atom(e) = a.as_ref() {
                goal = goal.or(Some(*e));
            }
        }
        _ => {}
    };
    s.properties.iter().for_each(|p| p.formula.walk(&mut look));
    let Node::Cur(var) = s.m.exprs.node(goal?) else { return None };
    let bodies = could_change(s.m, *var, 1);
    let mut rules: Vec<String> = Vec::new();
    for rule in bodies.iter().flat_map(|b| &s.m.bodies[*b].rules).filter(|r| r.target == *var) {
        let name = s.lens.rule_words(rule);
        if *s.m.exprs.node(rule.value) == Node::Bool(true) && !rules.contains(&name) {
            rules.push(name);
        }
    }
    let senders = s.m.actions.iter().filter(|a| bodies.contains(&a.body)).map(|a| a.agent);
    let mut who: Vec<String> = senders.filter_map(|a| s.m.agents.get(a.0)?.name.clone()).collect();
    who.sort();
    who.dedup();
    let by = if who.is_empty() || who.len() > BESIDE { String::new() } else { format!(" by {}", joined(who, "or")) };
    let few = !rules.is_empty() && rules.len() <= BESIDE;
    few.then(|| sentence(&format!("only {} makes it so, with {}{by}", joined(rules, "or"), s.events(&bodies))))
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
    let set_off = set_off(s, trace, start).map(|rules| format!(", which set off {rules},")).unwrap_or_default();
    let said = format!("{}{set_off} {again}, and all the time {}", after(s, trace, start), phrase(s, reason, true));
    let mut told = sentence(&said);
    match r.facts.first().filter(|f| !f.beside) {
        Some(fact) => told += &format!(" {}", sentence(&never::chain(s, &fact.never, true))),
        None => {
            let mut bodies: Vec<BodyIx> = Vec::new();
            for (var, value) in changes_wanted(s, reason) {
                bodies.extend(could_change(s.m, var, value));
            }
            bodies.sort_unstable();
            let few = s.few_events(&bodies).or_else(|| rules_for(s, &bodies, &changes_wanted(s, reason)));
            if let Some(few) = few.filter(|_| !bodies.is_empty()) {
                told += &format!(" Only {few} could change that.");
            }
        }
    }
    told
}

/// The rules of some bodies that give one of these variables its value, if they are few.
fn rules_for(s: &Speaker, bodies: &[BodyIx], wanted: &[(VarId, i64)]) -> Option<String> {
    let mut rules: Vec<String> = Vec::new();
    for rule in bodies.iter().flat_map(|b| &s.m.bodies[*b].rules) {
        let name = s.lens.rule_words(rule);
        if wanted.iter().any(|(var, _)| *var == rule.target) && gives(s.m, rule.value, wanted) && !rules.contains(&name)
        {
            rules.push(name);
        }
    }
    (!rules.is_empty() && rules.len() <= BESIDE).then(|| joined(rules, "or"))
}

/// May an expression have one of these values?
fn gives(m: &Machine, e: ExprId, wanted: &[(VarId, i64)]) -> bool {
    match m.exprs.node(e) {
        Node::Bool(b) => wanted.iter().any(|(_, v)| *v == i64::from(*b)),
        Node::Int(i) => wanted.iter().any(|(_, v)| v == i),
        _ => true,
    }
}

/// The values that variables would need for a part to change.
fn changes_wanted(s: &Speaker, reason: &Reason) -> Vec<(VarId, i64)> {
    if let Some(var) = s.m.find(&reason.part) {
        return vec![(var, i64::from(!reason.holds))];
    }
    let mut wanted = Vec::new();
    let mut todo: Vec<(ExprId, bool)> = expression(s, &reason.part).map(|e| (e, !reason.holds)).into_iter().collect();
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
