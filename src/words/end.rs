//! Standard questions that a run answers: what its last step shows.

use super::cause::{fired, through};
use super::phrase::{Speaker, joined, sentence};
use crate::answer::{Trace, Values};
use crate::lang::standard;
use crate::machine::{Ask, BodyIx, ExprId, Leaf, Node, Question, Rule, Steps, VarId};
use crate::trace::from_json;

/// What the end of the run says to a question.
pub fn sentence_of(s: &Speaker, Question { name, ask, .. }: &Question, trace: &Trace) -> String {
    let n = trace.steps.len();
    let event = trace.steps.last().and_then(|st| st.event.clone());
    let happened = event.as_deref().and_then(|e| s.lens.happening(e));
    let what = event.unwrap_or_else(|| "the start".into());
    let after = happened.clone().unwrap_or_else(|| what.clone());
    let with = happened.map_or_else(|| format!("with {what} in step {n}"), |h| format!("when {h} in step {n}"));
    match ask {
        Ask::Some(steps) => match standard::statement(name) {
            Some(comes) => sentence(&format!("{comes} {with}")),
            None => sentence(&format!("it happens {with}{}", rule(s, steps, trace))),
        },
        Ask::None(steps) => sentence(&format!("it does happen, {with}{}", rule(s, steps, trace))),
        Ask::Reach(_) | Ask::Never(_) if n == 0 => sentence("it is so from the start"),
        Ask::Reach(_) | Ask::Never(_) => sentence(&format!("it is so after {after} (step {n})")),
        Ask::OrderIndependent => {
            sentence(&format!("the step of {what} (step {n}) comes out differently if its rules run in another order"))
        }
        Ask::NoDeadEnd(bad) => {
            let true_parts = parts(s, *bad, &end(trace));
            let open =
                if true_parts.is_empty() { String::new() } else { format!(", although {}", joined(true_parts, "and")) };
            sentence(&format!("after {after} (step {n}) nobody can do anything any more{open}"))
        }
    }
}

/// The rule of the last step that was asked for; if none was, the last one that changed something.
fn rule(s: &Speaker, steps: &[Steps], trace: &Trace) -> String {
    let last = trace.steps.last().into_iter();
    let here = |b: BodyIx| s.m.bodies.get(b.0).filter(|b| last.clone().any(|st| st.event.as_ref() == Some(&b.event)));
    let asked: Vec<&Rule> = steps.iter().filter_map(|st| here(st.body)?.rules.get(st.rule?)).collect();
    let said = match asked.iter().any(|r| s.m.var(r.target).scratch) {
        // It keeps the books within the step: what it stands for is all there is to say.
        true => {
            let fired: Vec<&Rule> = last.flat_map(|st| fired(s.m, st)).collect();
            let told = asked.into_iter().filter(|a| !a.origin.label.is_empty());
            told.into_iter().find(|a| fired.iter().any(|f| std::ptr::eq(*f, *a))).map(|r| s.lens.rule_words(r))
        }
        false => {
            let changed = last.flat_map(|st| st.changes.keys()).filter_map(|n| s.m.find(n));
            let of_asked = |v: &VarId| asked.is_empty() || asked.iter().any(|r| r.target == *v);
            changed.filter(of_asked).find_map(|v| through(s, trace, trace.steps.len(), v))
        }
    };
    said.map(|r| format!(", through {r}")).unwrap_or_default()
}

/// The last snapshot.
pub fn end(trace: &Trace) -> Values {
    let mut values = trace.initial.clone();
    trace.steps.iter().for_each(|st| values.extend(st.changes.clone()));
    values
}

/// The parts of an expression that are true in a snapshot and make it so.
fn parts(s: &Speaker, e: ExprId, now: &Values) -> Vec<String> {
    let value = |v: VarId| {
        let var = s.m.var(v);
        now.get(&var.name).and_then(|j| from_json(&var.domain, j)).unwrap_or(var.init)
    };
    let holds = |e: ExprId| {
        s.m.exprs.eval(e, &|leaf| match leaf {
            Leaf::Cur(v) | Leaf::Prev(v) => value(v),
            Leaf::Input(_) => 0,
        }) != 0
    };
    let mut found = Vec::new();
    let mut todo = vec![e];
    while let Some(next) = todo.pop() {
        match s.m.exprs.node(next) {
            Node::Or(list) | Node::And(list) => todo.extend(list.iter().rev().filter(|p| holds(**p))),
            Node::Cur(v) if s.m.is_existence(*v) => {}
            _ => found.push(s.expression(next, true)),
        }
        if found.len() == 2 {
            break;
        }
    }
    found
}
