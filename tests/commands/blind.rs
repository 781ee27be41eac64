//! Plain words, measured blindly: mistakes made by rule, not by hand. In every sentry of the examples the condition is negated, dropped
//! or made false, and the event exchanged or dropped. Of every mistake that changes a verdict, the sentence of the first property whose
//! verdict changed must name the sentry, the stage or milestone it belongs to, or the event that was changed.
//!
//! The sentences were improved after a look at the first thirty of a fixed shuffle; `GSMC_BLIND=1000` tries all, most of which nobody has read.

use gsmc::answer::{PropertyResult, Results};
use gsmc::lang::gsm::convert::{open, to_notation};
use gsmc::lang::load::Request;
use gsmc::{Options, Plan, Project, check};
use std::path::Path;

const EXAMPLES: &[&str] = &[
    "garage",
    "order-to-cash",
    "research-proposal",
    "teaching/event-vs-state",
    "teaching/harmless-cycle",
    "teaching/lasso",
    "teaching/nested",
    "teaching/no-instant-milestone",
    "teaching/real-race",
    "teaching/related",
    "teaching/reopen",
    "teaching/task",
    "teaching/toggle-once",
    "teaching/two-views",
    "teaching/vacuous",
];

/// A mistake: a line of a model, what it becomes, and whom it is about.
struct Mistake {
    example: usize,
    line: usize,
    becomes: String,
    names: Vec<String>,
}

/// The text of an example as one file.
fn whole(example: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
    let project = open(&Request { dir: Some(dir), ..Request::default() }).expect("a model");
    to_notation(&project, true)
}

/// A sentry's line: what stands before `on` and `when`, the events, the condition.
fn parts(line: &str) -> (&str, Option<&str>, Option<&str>) {
    let (head, when) = match line.split_once(" when ") {
        Some((head, when)) => (head, Some(when)),
        None => (line, None),
    };
    match head.split_once(" on ") {
        Some((head, on)) => (head, Some(on), when),
        None => (head, None, when),
    }
}

/// All mistakes of a text.
fn mistakes(example: usize, text: &str) -> Vec<Mistake> {
    let mut events: Vec<String> = Vec::new();
    let (mut stage, mut milestone, mut all) = (String::new(), String::new(), Vec::new());
    for line in text.lines().filter_map(|l| l.trim().strip_prefix("event ")) {
        events.extend(line.split(['{', ',']).next().map(|name| name.trim().to_string()));
    }
    for (line, full) in text.lines().enumerate() {
        let words: Vec<&str> = full.split_whitespace().collect();
        let word = |n: usize| words.get(n).map(|w| w.trim_matches('\'').to_string()).unwrap_or_default();
        match word(0).as_str() {
            "stage" => stage = word(1),
            "milestone" => milestone = word(1),
            "guard" | "achieved" | "cleared" => {}
            "}" | "agents" => continue,
            _ => continue,
        }
        let (head, on, when) = parts(full);
        if word(0) == "stage" || (on.is_none() && when.is_none()) {
            continue;
        }
        let owner = if word(0) == "guard" { &stage } else { &milestone };
        let sentry = words.iter().position(|w| *w == "achieved").map_or_else(|| word(1), |at| word(at + 1));
        let about = |more: &[&str]| {
            let more = more.iter().flat_map(|m| m.split(',')).map(|m| m.trim().to_string());
            [owner.clone(), sentry.clone()].into_iter().chain(more).collect::<Vec<String>>()
        };
        let mut add = |becomes: String, names: Vec<String>| all.push(Mistake { example, line, becomes, names });
        let sends = on.map(|e| format!(" on {e}")).unwrap_or_default();
        add(format!("{head}{sends} when false"), about(&[]));
        if let Some(when) = when {
            add(format!("{head}{sends} when !({when})"), about(&[]));
        }
        if let (Some(on), Some(when)) = (on, when) {
            add(format!("{head}{sends}"), about(&[]));
            add(format!("{head} when {when}"), about(&[on]));
        }
        if let Some(on) = on
            && let Some(at) = events.iter().position(|e| e == on)
        {
            let other = &events[(at + 1) % events.len()];
            let when = when.map(|w| format!(" when {w}")).unwrap_or_default();
            if other != on {
                add(format!("{head} on {other}{when}"), about(&[on, other]));
            }
        }
    }
    all
}

/// What is asked of a text; `None` if it is no model any more.
fn asked(text: &str) -> Option<Results> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("model.gsm");
    std::fs::write(&file, text).expect("a model");
    let project = Project::open(&file, &Options { standard: true, ..Options::default() }).ok()?;
    Some(check(&project, &Plan { builtin: true, ..Plan::default() }))
}

/// The first answer that is another one than before.
fn changed<'r>(before: &Results, after: &'r Results) -> Option<&'r PropertyResult> {
    let old = |r: &PropertyResult| before.results.iter().find(|b| b.property == r.property).map(|b| b.verdict);
    after.results.iter().find(|r| r.verdict.holds().is_some() && old(r).is_some_and(|v| v != r.verdict))
}

/// Is a name in a text, as a word of its own?
fn names(text: &str, name: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let alone = |at: usize| !inside(text[..at].chars().next_back()) && !inside(text[at + name.len()..].chars().next());
    !name.is_empty() && text.match_indices(name).any(|(at, _)| alone(at))
}

#[test]
fn mistakes_made_by_rule_are_named() {
    let wanted: usize = std::env::var("GSMC_BLIND").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    let texts: Vec<String> = EXAMPLES.iter().map(|e| whole(e)).collect();
    let mut all: Vec<Mistake> = texts.iter().enumerate().flat_map(|(i, t)| mistakes(i, t)).collect();
    // A shuffle that is the same every time, and that nobody chose: by a hash of what is changed.
    let key = |m: &Mistake| {
        let bytes = m.becomes.bytes().chain(EXAMPLES[m.example].bytes());
        bytes.fold(m.line as u64 + 7, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
    };
    all.sort_by_key(key);
    let mut originals: Vec<Option<Results>> = texts.iter().map(|_| None).collect();
    let (mut seen, mut named, mut told) = (0, 0, String::new());
    for mistake in &all {
        if seen >= wanted {
            break;
        }
        let text = &texts[mistake.example];
        let lines = text.lines().enumerate();
        let with: Vec<&str> = lines.map(|(i, l)| if i == mistake.line { &mistake.becomes } else { l }).collect();
        let before = originals[mistake.example].get_or_insert_with(|| asked(text).expect("the example"));
        let Some(after) = asked(&with.join("\n")) else { continue };
        let Some(answer) = changed(before, &after) else { continue };
        seen += 1;
        let good = mistake.names.iter().any(|n| names(&answer.summary, n));
        named += usize::from(good);
        let (example, line) = (EXAMPLES[mistake.example], mistake.becomes.trim());
        let mark = if good { "named " } else { "MISSED" };
        told += &format!("{mark} {example}: {line}\n       {}: {}\n", answer.property, answer.summary);
    }
    println!("{told}{named} of {seen}");
    // Of the first thirty at least 25; of all 232 it was 171. Many of the others are answers that became true, where nothing went wrong that
    // could be told.
    let enough = if seen <= 30 { named >= 25 } else { named * 10 >= seen * 7 };
    assert!(seen >= 30 && enough, "{told}{named} of {seen}");
}
