//! Verdicts as results, traces as code flows.

use super::Rules;
use super::place::Places;
use crate::answer::{PropertyResult, Results, Verdict};
use crate::interp::{Choice, Interp};
use crate::lang::standard;
use crate::machine::{Machine, Valid};
use crate::source::Span;
use crate::trace::{Trace, replay, text};
use serde_json::{Value, json};

/// A rule about properties.
struct Rule {
    id: &'static str,
    level: &'static str,
    title: &'static str,
    /// What it means.
    full: &'static str,
    /// What to do.
    help: &'static str,
}

const UNEXPECTED: Rule = Rule {
    id: "property-not-as-expected",
    level: "error",
    title: "a property does not have the expected verdict",
    full: "The verdict is the opposite of what its author expects: true, or false where '@expect false' stands above the property. The \
           message says why, and the code flow shows a run, where a single run can show it.",
    help: "Follow the run to the step after which the property is decided. Then correct the model, or the property; where the verdict is \
           right, write '@expect false' (or take it away).",
};
const OPEN: Rule = Rule {
    id: "property-open",
    level: "warning",
    title: "an engine could not decide a property",
    full: "The engine reached a limit, failed, or is not there. Nothing is known about the property from it.",
    help: "Allow more with --timeout and --memory, look at 'gsmc doctor', or let another engine decide with --backend.",
};
const VACUOUS: Rule = Rule {
    id: "property-vacuous",
    level: "note",
    title: "a verdict says less than it seems",
    full: "The verdict is right, but part of the formula has no say in it: what the formula speaks of never comes, for example.",
    help: "Ask for that part by itself, as EF of the left side of an implication.",
};
const DISAGREE: Rule = Rule {
    id: "engines-disagree",
    level: "error",
    title: "two engines decide a property differently",
    full: "One of them is wrong about this model, or gsmc's translation for it is.",
    help: "Trust neither verdict. Keep the folders of the runs with --keep, and report it.",
};
const NOT_REPLAYED: Rule = Rule {
    id: "trace-not-certified",
    level: "error",
    title: "a trace did not replay on the interpreter",
    full: "Every run that an engine shows is taken again, step by step, by an interpreter. This one is no run of the model.",
    help: "Do not trust the verdict. Keep the folders of the runs with --keep, and report it.",
};

/// What a property that is not as expected breaks: a standard question is a rule of its own.
fn unexpected_rule(property: &str) -> Rule {
    match standard::find(property) {
        Some(s) => Rule { id: s.name, level: "error", title: s.asks, full: s.asks, help: s.otherwise },
        None => UNEXPECTED,
    }
}

/// Adds a result for everything about the verdicts that needs a look.
pub fn verdicts(m: &Valid, checked: &Results, places: &mut Places, rules: &mut Rules, out: &mut Vec<Value>) {
    let interp = Interp::new(m);
    // For a standard question about no one thing the model file stands.
    let model = m.bodies.iter().flat_map(|b| &b.rules).next().map(|r| Span::new(r.origin.span.file, 0, 0));
    let asked = |name: &str| m.questions.iter().find(|q| q.name == name).and_then(|q| q.span);
    let place =
        |name: &str| m.properties.iter().find(|p| p.name == name).map(|p| p.span).or_else(|| asked(name)).or(model);
    for d in &checked.disagreements {
        let names = |list: &[crate::answer::Engine]| list.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
        let message =
            format!("on '{}' engines disagree: {} say true, {} say false", d.property, names(&d.yes), names(&d.no));
        out.push(result(&DISAGREE, message, place(&d.property), places, rules));
    }
    for r in &checked.results {
        let span = place(&r.property);
        let why = r.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        if r.trace.as_ref().is_some_and(|t| !t.certified) {
            let message = format!("the trace of {} for '{}' is not to be trusted{why}", r.engine, r.property);
            out.push(result(&NOT_REPLAYED, message, span, places, rules));
        }
        match r.verdict.holds() {
            Some(_) if r.is_unexpected() => {
                let mut found = result(&unexpected_rule(&r.property), unexpected(r), span, places, rules);
                if let Some(flow) = r.trace.as_ref().and_then(|t| code_flow(&interp, t, span, places)) {
                    found["codeFlows"] = json!([flow]);
                }
                out.push(found);
            }
            Some(_) => {}
            None if r.verdict == Verdict::Unsupported => {}
            None => {
                let message = format!("{} does not decide '{}': {}{why}", r.engine, r.property, r.verdict.name());
                out.push(result(&OPEN, message, span, places, rules));
            }
        }
        for remark in &r.vacuous {
            let message = format!("'{}' is {} by {}, but {remark}", r.property, r.verdict.name(), r.engine);
            out.push(result(&VACUOUS, message, span, places, rules));
        }
    }
}

fn unexpected(r: &PropertyResult) -> String {
    let head = format!("'{}' is {} by {}, expected {}", r.property, r.verdict.name(), r.engine, r.expect);
    let assumed: String = r.assumptions.iter().map(|a| format!("\nAssumed: {a}.")).collect();
    let Some(trace) = r.trace.as_ref().filter(|t| t.certified) else {
        let summary = if r.summary.is_empty() { String::new() } else { format!("\n{}", r.summary) };
        return head + &summary + &assumed;
    };
    let events: Vec<String> = trace.steps.iter().map(text::title).collect();
    let run = if events.is_empty() { "at the start".into() } else { events.join("; ") };
    let mut because: Vec<String> = Vec::new();
    for reason in &trace.because {
        let from = if reason.throughout { "from then on " } else { "" };
        because.push(format!("\n{}: {from}{}", text::after(reason.at), text::reason(reason)));
    }
    format!("{head}\nRun: {run}.{}{assumed}", because.concat())
}

fn result(rule: &Rule, message: String, span: Option<Span>, places: &mut Places, rules: &mut Rules) -> Value {
    let Rule { id, level, title, full, help } = *rule;
    let index = rules.of(id, || {
        json!({
            "shortDescription": { "text": title },
            "fullDescription": { "text": full },
            "help": { "text": help },
            "defaultConfiguration": { "level": level },
        })
    });
    let mut result = json!({ "ruleId": id, "ruleIndex": index, "level": level, "message": { "text": message } });
    if let Some(place) = span.and_then(|s| places.physical(s)) {
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    result
}

/// The steps of a run: each at its first sentry, with all that fired one level below.
fn code_flow(interp: &Interp, trace: &Trace, property: Option<Span>, places: &mut Places) -> Option<Value> {
    if !trace.certified || trace.steps.is_empty() {
        return None;
    }
    let replayed = replay(interp, &trace.locate(interp).ok()?).ok()?;
    let mut flow = Vec::new();
    let mut now = trace.initial.clone();
    for (i, (named, step)) in trace.steps.iter().zip(&replayed.steps).enumerate() {
        let changed = text::changes(&now, &named.changes);
        now.extend(named.changes.clone());
        let because: Vec<String> = trace.because.iter().filter(|r| r.at == i + 1).map(text::reason).collect();
        let mut message = format!(
            "{}: {}",
            text::title(named),
            if changed.is_empty() { "nothing changes".into() } else { changed.join("  ") }
        );
        if trace.loop_start == Some(i) {
            message = format!("from here on again and again: {message}");
        }
        if !because.is_empty() {
            message += &format!("\nHere {}.", because.join(", "));
        }
        let sentries = sentries(interp.machine(), &step.choice, &step.fired);
        let first = sentries.first().map(|(span, _)| *span).or(property);
        flow.push(stop(first, &message, 0, if because.is_empty() { "important" } else { "essential" }, places));
        for ((span, _), label) in sentries.iter().zip(&named.rules) {
            flow.push(stop(Some(*span), label, 1, "unimportant", places));
        }
    }
    Some(json!({ "threadFlows": [{ "locations": flow }] }))
}

/// Places and labels of the rules that fired.
fn sentries<'m>(m: &'m Machine, choice: &Choice, fired: &[usize]) -> Vec<(Span, &'m str)> {
    let Choice::Act { action, .. } = choice else { return Vec::new() };
    let Some(action) = m.actions.get(*action) else { return Vec::new() };
    let rules = fired.iter().filter_map(|f| m.body(action).rules.get(*f));
    rules.map(|r| (r.origin.span, r.origin.label.as_str())).collect()
}

fn stop(span: Option<Span>, message: &str, level: u32, importance: &str, places: &mut Places) -> Value {
    let mut location = json!({ "message": { "text": message } });
    if let Some(place) = span.and_then(|s| places.physical(s)) {
        location["physicalLocation"] = place;
    }
    json!({ "location": location, "nestingLevel": level, "importance": importance })
}
