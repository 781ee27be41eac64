//! Why what a process owner hopes for never comes, followed back through the sentries. That something never comes was seen in all
//! snapshots.

use super::literal::Turn;
use super::model::{Condition, Kind, Model, SentryIx, StageIx};
use super::questions;
use super::search::ever;
use super::why::status;
use std::collections::BTreeSet;

/// Links of a chain.
const LONGEST: usize = 9;

/// What turns in some run.
#[derive(Clone, Debug)]
pub struct Turns {
    /// On any run.
    any: BTreeSet<Turn>,
    /// While nothing is reported.
    clean: BTreeSet<Turn>,
}

impl Turns {
    /// `None`: there are too many snapshots to look at all of them.
    pub fn of(model: &Model, nesting: Option<usize>) -> Option<Turns> {
        Some(Turns { any: ever(model, nesting, false)?, clean: ever(model, nesting, true)? })
    }
}

/// Why a standard question has the answer that nobody hopes for.
pub fn why(model: &Model, turns: &Turns, question: &str) -> Option<String> {
    let (kind, of) = question.strip_suffix(')')?.split_once('(')?;
    let words = questions::words(model, question, kind == "dead-guard")?;
    let mut chain = Chain { model, turns, clean: false, told: Vec::new() };
    if kind == "dead-guard" {
        let g = model.sentries.iter().position(|s| s.id == of && s.kind == Kind::Guard)?;
        let never = !turns.any.contains(&Turn::Guard(g));
        return never.then(|| format!("{words}: it {}", chain.waits(g)));
    }
    let s = model.stages.iter().position(|s| s.id == of)?;
    let reason = match kind {
        "can-open" => chain.never(Turn::Opens(s)),
        "can-complete-compliantly" => {
            chain.clean = turns.any.contains(&Turn::Completes(s));
            chain.never(Turn::Completes(s))
        }
        _ if !turns.any.contains(&Turn::Opens(s)) => chain.never(Turn::Opens(s)),
        "can-be-faulty" => Some(chain.each(s, Kind::Fault, "fault logger")).filter(|r| !r.is_empty()),
        "can-be-outOfOrder" => {
            let flows: Vec<&str> = model.of(s, Kind::Flow).map(|f| model.sentries[f].id.as_str()).collect();
            (!flows.is_empty()).then(|| format!("whenever it opens, flow guard {} of it holds", flows.join(" or ")))
        }
        "can-be-skipped" => chain.who_notices(s),
        _ => None,
    }?;
    Some(format!("{words}: {reason}"))
}

struct Chain<'a> {
    model: &'a Model,
    turns: &'a Turns,
    /// Only runs on which nothing is reported count.
    clean: bool,
    told: Vec<Turn>,
}

impl Chain<'_> {
    fn comes(&self, turn: Turn) -> bool {
        if self.clean { self.turns.clean.contains(&turn) } else { self.turns.any.contains(&turn) }
    }

    fn id(&self, s: StageIx) -> &str {
        &self.model.stages[s].id
    }

    /// What is in the way of a stage's opening or completion that never comes. `None`: it does come, or was told already.
    fn never(&mut self, turn: Turn) -> Option<String> {
        if self.comes(turn) || self.told.contains(&turn) || self.told.len() >= LONGEST {
            return None;
        }
        self.told.push(turn);
        match turn {
            Turn::Opens(s) => {
                let around = self.model.stages[s].parent;
                if let Some(link) = around.and_then(|p| self.link(Turn::Opens(p))) {
                    return Some(format!("it lies in a stage that never opens; {link}"));
                }
                // What does open, but only with a report, fails its flow guards.
                let reported = self.clean && self.turns.any.contains(&turn);
                let told = match reported {
                    true => self.each(s, Kind::Flow, "flow guard"),
                    false => self.each(s, Kind::Guard, "guard"),
                };
                Some(match (told.is_empty(), reported) {
                    (false, _) => told,
                    (true, false) => format!("{} has no guard", self.id(s)),
                    (true, true) => self.another().unwrap_or_else(|| "something else is reported with it".into()),
                })
            }
            Turn::Completes(s) => {
                if let Some(link) = self.link(Turn::Opens(s)) {
                    return Some(link);
                }
                let told = self.each(s, Kind::Milestone, "milestone");
                let told = if told.is_empty() { format!("{} has no milestone", self.id(s)) } else { told };
                match self.clean {
                    true => Some(self.another().map_or(told.clone(), |link| format!("{told}; {link}"))),
                    false => Some(told),
                }
            }
            _ => None,
        }
    }

    /// A stage that does open, but never without a report.
    fn another(&mut self) -> Option<String> {
        let reported = |x: &StageIx| self.turns.any.contains(&Turn::Opens(*x));
        let stages: Vec<StageIx> = (0..self.model.stages.len()).filter(reported).collect();
        stages.into_iter().find_map(|x| self.link(Turn::Opens(x)))
    }

    /// `B never opens without a report: …`
    fn link(&mut self, turn: Turn) -> Option<String> {
        // What never opens need not be said to complete never.
        if let Turn::Completes(s) = turn
            && !self.comes(turn)
            && let Some(opening) = self.link(Turn::Opens(s))
        {
            return Some(opening);
        }
        let (s, does) = match turn {
            Turn::Opens(s) => (s, "opens"),
            Turn::Completes(s) => (s, "completes"),
            _ => return None,
        };
        let only = self.clean && self.turns.any.contains(&turn);
        let reason = self.never(turn)?;
        let report = if only { " without a report" } else { "" };
        Some(format!("{} never {does}{report}: {reason}", self.id(s)))
    }

    /// The sentries of a stage, each with what it waits for.
    fn each(&mut self, s: StageIx, kind: Kind, word: &str) -> String {
        let all: Vec<SentryIx> = self.model.of(s, kind).collect();
        let told = all.iter().map(|x| {
            let id = self.model.sentries[*x].id.clone();
            let waits = self.waits(*x);
            format!("{word} {id} of {} {waits}", self.id(s))
        });
        told.collect::<Vec<_>>().join(", and ")
    }

    /// What a sentry waits for, and why that never comes.
    fn waits(&mut self, x: SentryIx) -> String {
        let condition = self.model.sentries[x].condition.clone();
        let mut told = format!("waits for {}", self.wanted(&condition, true));
        let mut turns = Vec::new();
        self.asked(&condition, true, &mut turns);
        if let Some(link) = turns.into_iter().find_map(|t| self.link(t)) {
            told += &format!("; {link}");
        }
        told
    }

    /// Openings and completions that a condition asks for.
    fn asked(&self, condition: &Condition, wanted: bool, out: &mut Vec<Turn>) {
        match condition {
            Condition::Opened(s) if wanted => out.push(Turn::Opens(*s)),
            Condition::Achieved(m) if wanted => out.push(Turn::Completes(self.model.sentries[*m].stage)),
            Condition::Not(a) => self.asked(a, !wanted, out),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|p| self.asked(p, wanted, out)),
            _ => {}
        }
    }

    /// What has to be so for a condition to have a value.
    fn wanted(&self, condition: &Condition, value: bool) -> String {
        let not = if value { "" } else { "not " };
        match condition {
            Condition::Const(b) if *b == value => "nothing".into(),
            Condition::Const(_) => "what is never so".into(),
            Condition::Undeclared => "an event that is not declared".into(),
            Condition::Occurs(e) if value => format!("event {}", self.model.events[*e].id),
            Condition::Occurs(e) => format!("another event than {}", self.model.events[*e].id),
            Condition::Opened(s) => format!("{} {not}to be open", self.id(*s)),
            Condition::Achieved(m) => format!("{} {not}to be achieved", self.model.sentries[*m].id),
            Condition::Is(i, code, is) => {
                let not = if *is == value { "" } else { "not " };
                format!("{} {not}to be {}", self.model.items[*i].id, status(self.model, *i, *code))
            }
            Condition::Not(a) => self.wanted(a, !value),
            Condition::And(parts) => self.joined(parts, value, if value { " and " } else { " or " }),
            Condition::Or(parts) => self.joined(parts, value, if value { " or " } else { " and " }),
        }
    }

    fn joined(&self, parts: &[Condition], value: bool, word: &str) -> String {
        parts.iter().map(|p| self.wanted(p, value)).collect::<Vec<_>>().join(word)
    }

    /// The flow guards that would notice that a stage was left out.
    fn who_notices(&self, s: StageIx) -> Option<String> {
        let others = self.model.stages.iter().enumerate().filter(|(t, other)| *t != s && other.named.contains(&s));
        let guards = others.flat_map(|(t, _)| self.model.of(t, Kind::Flow).map(move |f| (t, f)));
        let told = guards.map(|(t, f)| {
            let sentry = &self.model.sentries[f];
            format!("flow guard {} of {} waits for {}", sentry.id, self.id(t), self.wanted(&sentry.condition, true))
        });
        let told: Vec<String> = told.take(2).collect();
        (!told.is_empty()).then(|| told.join(", and "))
    }
}
