//! Why an event is possible or not, in the words of the model.

use super::draw::Shown;
use super::lower::Meaning;
use super::model::{ArrowIx, Condition, EventIx, Model, NodeIx, NodeKind};
use crate::lang::lens::Said;

/// Why an event cannot happen now, a sentence for each thing that is missing; nothing when it can.
pub fn why_not(model: &Model, now: &Shown, event: EventIx) -> Vec<String> {
    let Some(event) = model.events.get(event) else { return Vec::new() };
    let look = Look { model, now };
    let waits = |p: NodeIx| now.triggered.get(p).is_some_and(|t| *t > 0);
    let missing: Vec<NodeIx> = event.parties.iter().copied().filter(|&p| !waits(p)).collect();
    let ready: Vec<String> = event.parties.iter().filter(|&&p| waits(p)).map(|&p| look.name(p)).collect();
    let mut out = Vec::new();
    for &p in &missing {
        if !ready.is_empty() {
            let verb = if ready.len() == 1 { "waits for its partner" } else { "wait for their partner" };
            out.push(format!("{} {verb} {}", ready.join(" and "), look.name(p)));
        }
        out.push(format!("{} {}", look.name(p), look.reason(p)));
    }
    out
}

/// Who waits in vain where the process stops: partners that do not come, joins that miss something, choices without a way.
pub fn who_waits(model: &Model, now: &Shown) -> Vec<String> {
    let look = Look { model, now };
    let waits = |p: &NodeIx| now.triggered.get(*p).is_some_and(|t| *t > 0);
    let mut told: Vec<String> = Vec::new();
    for (e, _) in model.events.iter().enumerate().filter(|(_, e)| e.parties.iter().any(waits)) {
        told.extend(why_not(model, now, e));
    }
    let marked = |a: ArrowIx| now.marks.get(a).is_some_and(|m| *m > 0);
    for n in 0..model.nodes.len() {
        let half = model.nodes[n].kind == NodeKind::AndJoin && model.incoming(n).any(marked);
        if half || now.blocked.get(n) == Some(&true) {
            told.extend(model.outgoing(n).next().map(|a| look.not_passed(a, 0)));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    told.retain(|t| seen.insert(t.clone()));
    told
}

/// That a part of the control state has a value, as parts of a sentence.
pub fn said(model: &Model, meaning: Meaning, value: i64) -> Option<Said> {
    let (n, word) = match meaning {
        Meaning::Executed(n) => (n, "happened"),
        Meaning::Triggered(n) => (n, "triggered"),
        Meaning::Disabled(n) => (n, "disabled"),
        Meaning::Blocked(n) => (n, "blocked"),
        _ => return None,
    };
    let name = &model.nodes.get(n)?.path;
    let not = if value == 0 { " not" } else { "" };
    let times = if value > 1 { format!(" {value} times") } else { String::new() };
    let (is, was) = if word == "happened" { ("has", "had") } else { ("is", "was") };
    let (never, no_more) = match word {
        "happened" => (format!("{name} never happens"), format!("{name} can never happen any more")),
        _ => (format!("{name} is never {word}{times}"), format!("{name} can never be {word}{times} any more")),
    };
    Some(Said {
        is: format!("{name} {is}{not} {word}{times}"),
        was: format!("{name} {was}{not} {word}{times}"),
        never: Some(never).filter(|_| value != 0),
        no_more: Some(no_more).filter(|_| value != 0),
    })
}

struct Look<'a> {
    model: &'a Model,
    now: &'a Shown,
}

impl Look<'_> {
    fn name(&self, n: NodeIx) -> String {
        self.model.nodes[n].name.clone()
    }

    fn executed(&self, n: NodeIx) -> bool {
        self.now.executed.get(n) == Some(&true)
    }

    /// Why an action or interaction does not wait.
    fn reason(&self, n: NodeIx) -> String {
        if self.now.disabled.get(n) == Some(&true) {
            let by = self.model.disables.iter().filter(|d| d.to == n && self.executed(d.from));
            let mut by: Vec<String> = by.map(|d| self.name(d.from)).collect();
            by.dedup();
            return format!("is disabled by {}", by.join(" and "));
        }
        if self.executed(n) && !self.model.nodes[n].repeated {
            return "has happened, and happens once".into();
        }
        let ways: Vec<String> = self.model.incoming(n).map(|a| self.not_passed(a, 0)).collect();
        match ways.as_slice() {
            [] => "does not wait any more".into(),
            _ => format!("does not wait: {}", ways.join("; or ")),
        }
    }

    /// Why no token came along an arrow.
    fn not_passed(&self, arrow: ArrowIx, depth: usize) -> String {
        let a = &self.model.arrows[arrow];
        let (n, node) = (a.from, &self.model.nodes[a.from]);
        if node.kind.happens() {
            return match (&a.condition, self.executed(n)) {
                (Some(Condition::Holds(_, text)), true) => format!("{text} did not hold after {}", node.name),
                (_, true) if node.repeated => format!("it waits for {} to happen again", node.name),
                (_, true) => format!("{} has happened, and what it led to is over", node.name),
                (_, false) => format!("it waits for {}", node.name),
            };
        }
        let before: Vec<ArrowIx> = self.model.incoming(n).collect();
        if depth > self.model.nodes.len() {
            return format!("it waits for {}", node.name);
        }
        match node.kind {
            NodeKind::OrSplit if self.now.blocked.get(n) == Some(&true) => {
                format!("blocked: no condition of {} held", node.name)
            }
            NodeKind::OrSplit if self.executed(n) => format!("{} went another way", node.name),
            NodeKind::AndJoin => {
                let open = before.iter().filter(|&&a| self.now.marks.get(a).is_none_or(|m| *m == 0));
                let open: Vec<String> = open.map(|&a| self.not_passed(a, depth + 1)).collect();
                format!("{} needs all: {}", node.name, open.join(", and "))
            }
            _ if self.executed(n) && !node.repeated => format!("{} has passed on what came, once", node.name),
            _ => before.iter().map(|&a| self.not_passed(a, depth + 1)).collect::<Vec<_>>().join(", or "),
        }
    }
}
