//! Why something never comes, link by link: `Closing never opens, because guard g of Closing needs that Paid is achieved; …`.

use super::phrase::{Speaker, joined, sentence};
use crate::answer::{Blocked, Fact, Never, Obstacle, Writer};
use crate::logic::{Bool, Formula};
use crate::machine::{Body, ExprId, Node, VarId};
use std::collections::VecDeque;

/// Ways that are told of what was asked; of its reasons, one each.
const WAYS: usize = 2;
/// Links of a chain that are told.
const LINKS: usize = 4;

/// The facts as one sentence.
pub fn sentences(s: &Speaker, facts: &[Fact]) -> String {
    let all: Vec<String> = facts.iter().map(|f| chain(s, &f.never, f.at > 0)).collect();
    sentence(&all.join("; "))
}

/// What never comes, and why; `later`: from some step of a run on.
pub fn chain(s: &Speaker, never: &Never, later: bool) -> String {
    let mut teller =
        Teller { s: *s, later, next: false, there: false, said: Vec::new(), queue: VecDeque::from([never]) };
    let mut links: Vec<String> = Vec::new();
    while let Some(never) = teller.queue.pop_front() {
        let link = teller.link(never);
        if !link.is_empty() && !links.contains(&link) {
            links.push(link);
        }
    }
    // Of a long chain its beginning and its end: the end is where to look.
    match links.pop() {
        Some(last) if links.len() >= LINKS => {
            links.truncate(LINKS - 1);
            format!("{}; and so on, back to this: {last}", links.join("; "))
        }
        Some(last) => links.into_iter().chain([last]).collect::<Vec<_>>().join("; "),
        None => String::new(),
    }
}

struct Teller<'s, 'n> {
    s: Speaker<'s>,
    later: bool,
    /// About the next step only.
    next: bool,
    /// About snapshots that were named before.
    there: bool,
    said: Vec<(VarId, i64)>,
    queue: VecDeque<&'n Never>,
}

impl<'n> Teller<'_, 'n> {
    fn link(&mut self, never: &'n Never) -> String {
        let (s, later) = (self.s, self.later);
        match never {
            Never::Value { var, value, writers } => {
                if self.said.contains(&(*var, *value)) {
                    return String::new();
                }
                self.said.push((*var, *value));
                let what = if self.next { s.is(*var, *value) } else { s.never(*var, *value, later) };
                let absent = s.lens.never_written(*var, *value).filter(|_| s.is_own());
                // What only needs itself says nothing where something else is known.
                let circular = |w: &Writer| match &w.blocked {
                    Blocked::NeverHappens(Some(o)) | Blocked::Part(o) => {
                        !o.why.is_empty() && o.why.iter().all(|n| matches!(n, Never::Again(..)))
                    }
                    _ => false,
                };
                let told = match &absent {
                    Some(_) if writers.iter().all(circular) => None,
                    _ => self.ways(writers),
                };
                let ways: Vec<String> = absent.into_iter().chain(told).collect();
                let ways = (!ways.is_empty()).then(|| ways.join(", and "));
                let what = if self.there { format!("there {what}") } else { what };
                match (ways, self.next) {
                    (Some(ways), true) => format!("no next step makes it so that {what}, because {ways}"),
                    (Some(ways), false) => format!("{what}, because {ways}"),
                    (None, _) => what,
                }
            }
            Never::Next(given, why) => {
                self.next = true;
                let told = self.link(why);
                match given.is_empty() {
                    true => told,
                    false => format!("while {} {told}", joined(given.iter().map(|p| s.formula(p)).collect(), "and")),
                }
            }
            Never::Where(given, why) => {
                let told = self.link(why);
                if told.is_empty() {
                    return told;
                }
                self.there = true;
                format!("where {}, {told}", joined(given.iter().map(|p| s.formula(p)).collect(), "and"))
            }
            Never::Once(given, why) => {
                self.later = true;
                format!("once {}, {}", joined(given.iter().map(|p| s.formula(p)).collect(), "and"), self.link(why))
            }
            Never::Each(list) => {
                let told: Vec<String> = list.iter().map(|n| self.link(n)).filter(|l| !l.is_empty()).collect();
                told.join(", and ")
            }
            Never::Step(writer) => self.way(writer),
            Never::Together(parts) => {
                let several = parts.len() > 1;
                let parts = joined(parts.iter().map(|p| s.formula(p)).collect(), "and");
                let once = if several { " at once" } else { "" };
                format!("it is never so{once} that {parts}")
            }
            Never::Plain(f) => {
                format!("in no snapshot that can {} {}", if later { "follow" } else { "come" }, s.formula(f))
            }
            Never::Again(..) => String::new(),
        }
    }

    fn ways(&mut self, writers: &'n [Writer]) -> Option<String> {
        // Ways that end in a known obstacle say more than those that only never happen.
        let mut list: Vec<&Writer> = writers.iter().collect();
        list.sort_by_key(|w| match &w.blocked {
            Blocked::NeverHappens(Some(o)) | Blocked::Part(o) => {
                o.why.iter().all(|n| matches!(n, Never::Again(..))).into()
            }
            Blocked::NeverTogether(_) | Blocked::Parts(_) => 1,
            Blocked::NeverHappens(None) => 2,
            Blocked::Otherwise => 3,
        });
        let most = if self.said.len() == 1 { WAYS } else { 1 };
        let mut told: Vec<String> = Vec::new();
        for w in list.iter().take(most) {
            told.push(self.way(w));
        }
        match list.len().saturating_sub(most) {
            0 => {}
            1 => told.push("one other way is closed, too".into()),
            n => told.push(format!("{n} other ways are closed, too")),
        }
        (!told.is_empty()).then(|| joined(told, "and"))
    }

    /// One way in which it could have come, and what is in the way.
    fn way(&mut self, w: &'n Writer) -> String {
        let body = w.bodies.first().and_then(|b| self.s.m.bodies.get(b.0));
        let before = self.s;
        self.s = Speaker { inputs: body.map_or(&[], |b| &b.inputs), ..before };
        let told = self.way_of(w, body);
        self.s = before;
        told
    }

    fn way_of(&mut self, w: &'n Writer, body: Option<&Body>) -> String {
        let s = self.s;
        let rule = body.zip(w.rule).and_then(|(b, r)| b.rules.get(r));
        let events = s.events(&w.bodies);
        let comes = if self.next { "can come next" } else { "comes" };
        let never = if self.next { "not" } else { "never" };
        let name = rule.map(|r| s.lens.rule_words(r));
        let waits = name.as_ref().map_or_else(|| events.clone(), |n| format!("{n} waits for {events}, which"));
        let needs = name.unwrap_or_else(|| events.clone());
        match &w.blocked {
            Blocked::NeverHappens(Some(o)) if !is_false(&s, &o.part) => match s.several(&w.bodies) {
                // What is known is about the first of them.
                Some(first) if rule.is_some() => {
                    let none = if self.next { "can come next" } else { "ever comes" };
                    let none = if self.later && !self.next { "can come any more" } else { none };
                    format!(
                        "{needs} waits for {events}, and none of them {none}: {first} needs that {}",
                        self.obstacle(o)
                    )
                }
                _ => format!("{waits} needs that {}", self.obstacle(o)),
            },
            Blocked::NeverHappens(_) => {
                let why = body.and_then(|b| s.lens.never_possible(&format!("event-consumed({})", b.event)));
                match (why.filter(|_| !self.next), rule) {
                    (Some(why), None) => why,
                    (Some(why), Some(_)) => format!("{waits} {never} {comes} ({why})"),
                    (None, _) => format!("{waits} {never} {comes}").replace("not can come next", "cannot come next"),
                }
            }
            Blocked::NeverTogether(parts) => format!("{waits} needs {}", self.at_once(parts)),
            Blocked::Part(o) if o.ever => format!("{needs} needs that {}", self.obstacle(o)),
            Blocked::Part(o) => {
                let part = self.obstacle(o);
                let undone =
                    o.undone.and_then(|(b, r)| s.m.bodies.get(b.0)?.rules.get(r)).map(|r| s.lens.rule_words(r));
                let undone = undone.map(|r| format!(" ({r} takes it back first)")).unwrap_or_default();
                format!("{needs} needs that {part}, which is {never} so when {events} comes{undone}")
            }
            Blocked::Parts(parts) => {
                format!("{needs} needs {}, which is {never} so when {events} comes", self.at_once(parts))
            }
            Blocked::Otherwise => format!("{needs} {} makes it so", if self.next { "never" } else { never }),
        }
    }

    /// The part; why it never holds is told afterwards.
    fn obstacle(&mut self, o: &'n Obstacle) -> String {
        let part = self.s.formula(&o.part);
        let again = |n: &Never| matches!(n, Never::Again(..));
        let circle = o.why.iter().any(again);
        self.queue.extend(o.why.iter().filter(|n| !again(n)));
        if circle { format!("{part}, which is where it began") } else { part }
    }

    /// Parts that do not hold together; what must have changed in the step is said so.
    fn at_once(&self, parts: &[Formula<ExprId>]) -> String {
        let s = self.s;
        let read = |f: &Formula<ExprId>| match f {
            Formula::Atom(e) => leaf(&s, *e).map(|(v, before)| (v, before, true)),
            Formula::Bool(Bool::Not(a)) => match a.as_ref() {
                Formula::Atom(e) => leaf(&s, *e).map(|(v, before)| (v, before, false)),
                _ => None,
            },
            _ => None,
        };
        let both = |v: VarId, before: bool| parts.iter().filter_map(read).any(|(w, b, _)| w == v && b != before);
        let mut said = Vec::new();
        for part in parts {
            match read(part) {
                Some((v, true, _)) if both(v, true) => {}
                Some((v, false, value)) if both(v, false) => {
                    said.push(format!("it has just come about that {}", s.is(v, i64::from(value))));
                }
                _ => said.push(s.formula(part)),
            }
        }
        let once = if said.len() > 1 { "at once that" } else { "that" };
        format!("{once} {}", joined(said, "and"))
    }
}

/// A variable, and whether it is read before the step.
fn leaf(s: &Speaker, e: ExprId) -> Option<(VarId, bool)> {
    match s.m.exprs.node(e) {
        Node::Prev(v) => Some((*v, true)),
        Node::Cur(v) => Some((*v, false)),
        _ => None,
    }
}

/// Nothing at all could make it hold.
fn is_false(s: &Speaker, f: &Formula<ExprId>) -> bool {
    matches!(f, Formula::Atom(e) if *s.m.exprs.node(*e) == Node::Bool(false))
}
