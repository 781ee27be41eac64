//! A recorded case by the rules of E-GSM: every event is a move, and the observers judge it.

use super::ltlf::{Id, Progress, truth};
use super::mapping::{Known, Mapping, Means, Said};
use super::{Came, End, Judge, Kind as Deviates, NOT_A_TRACE_PROPERTY, Outcome};
use crate::answer::Choice;
use crate::lang::egsm::atoms::Fact;
use crate::lang::egsm::literal::{Compliance, Move, Snapshot, State, Turn, initial, step, turned};
use crate::lang::egsm::lower::{Role, Turn as Last};
use crate::lang::egsm::model::Kind;
use crate::lang::egsm::{Egsm, why};
use crate::log::Event;
use crate::logic::Formula;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Moves that are remembered; then everything is forgotten.
const MOST_KNOWN: usize = 50_000;

/// The snapshot after a move, and what turned.
type Made = Rc<(Rc<Snapshot>, Box<[Turn]>)>;

/// Judges cases of an E-GSM model.
pub struct EgsmJudge<'a> {
    egsm: &'a Egsm,
    mapping: &'a Mapping,
    progress: Progress<Fact>,
    /// Per property: its claim, if it is one about runs.
    claims: Vec<Option<Id>>,
    /// The claim that says when a case is completed.
    complete: Option<&'a Formula<Fact>>,
    first: Made,
    known: FxHashMap<(Rc<Snapshot>, Move), Made>,
    /// Texts of items, numbered.
    texts: FxHashMap<Box<str>, u32>,
    /// What is left of the claims of some case.
    shared: FxHashSet<Rc<[Id]>>,
    /// The move that was judged last, whatever the case.
    last: Option<(Rc<Snapshot>, Move)>,
    /// Tell what every move changes.
    telling: bool,
}

/// A case under way. A log may have very many at once, so what cases have in common is shared.
pub struct Course {
    /// The last move: the snapshot after it, and what turned.
    now: Made,
    /// The text of each item, by its number among all texts; those that no sentry names are told apart, too.
    texts: Box<[u32]>,
    left: Rc<[Id]>,
    unsettled: bool,
    /// The steps of the machine, where the run is asked for.
    choices: Option<Vec<Choice>>,
}

/// The names that an E-GSM model knows.
pub fn names(egsm: &Egsm) -> Known {
    // What a change of an item raises is no move of its own.
    let raised = |id: &str| {
        let item = id.strip_suffix("_l").or_else(|| id.strip_suffix("_e"));
        item.is_some_and(|item| egsm.model.items.iter().any(|i| i.id == item))
    };
    let events = egsm.model.events.iter().enumerate().filter(|(_, e)| !raised(&e.id));
    let events = events.map(|(ix, e)| (e.id.clone(), ix)).collect();
    let items = egsm.model.items.iter().map(|i| i.id.clone()).collect();
    Known { events, items, ..Known::default() }
}

impl<'a> EgsmJudge<'a> {
    /// A judge; with `telling` it says what every move changes.
    pub fn new(egsm: &'a Egsm, mapping: &'a Mapping, telling: bool) -> EgsmJudge<'a> {
        let mut progress = Progress::default();
        let is_complete = |name: &str| name == super::mapping::COMPLETE;
        let claims = egsm.properties.iter().map(|p| match is_complete(&p.name) {
            true => None,
            false => progress.claim(p),
        });
        let claims = claims.collect();
        let complete = egsm.properties.iter().find(|p| is_complete(&p.name)).map(|p| &p.formula);
        let empty = Snapshot { stages: Vec::new(), sentries: Vec::new(), items: Vec::new() };
        let (now, turns) = initial(&egsm.model).unwrap_or((empty, Vec::new()));
        let first = Rc::new((Rc::new(now), turns.into()));
        let (known, shared) = (FxHashMap::default(), FxHashSet::default());
        let texts = FxHashMap::from_iter([("".into(), 0)]);
        EgsmJudge { egsm, mapping, progress, claims, complete, first, known, texts, shared, last: None, telling }
    }

    /// One copy of what is left, for all cases of which the same is left.
    fn share(&mut self, left: Vec<Id>) -> Rc<[Id]> {
        if let Some(known) = self.shared.get(left.as_slice()) {
            return known.clone();
        }
        let new: Rc<[Id]> = left.into();
        if self.shared.len() >= MOST_KNOWN {
            self.shared.clear();
        }
        self.shared.insert(new.clone());
        new
    }

    fn text_number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let number = self.texts.len() as u32;
        self.texts.insert(text.into(), number);
        number
    }

    /// The step of the machine that a move is.
    fn choice(&self, what: Move) -> Option<Choice> {
        let action = self.egsm.bodies.moves.iter().position(|m| m.what == what)?;
        let inputs = match what {
            Move::Item(_, code) => vec![code],
            Move::Event(_) => Vec::new(),
        };
        Some(Choice::Act { action, inputs })
    }

    fn moved(&mut self, now: &Rc<Snapshot>, what: Move) -> Option<Made> {
        if let Some(known) = self.known.get(&(now.clone(), what)) {
            return Some(known.clone());
        }
        let (after, turns) = step(&self.egsm.model, now, what).ok()?;
        let after = if after == **now { now.clone() } else { Rc::new(after) };
        let made = Rc::new((after, turns.into()));
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert((now.clone(), what), made.clone());
        Some(made)
    }

    fn claims(&self) -> Vec<Id> {
        self.claims.iter().flatten().copied().collect()
    }

    /// The move that an event stands for, its words, and whether the model makes it.
    fn meant(&mut self, course: &mut Course, event: &Event) -> Result<(String, Option<Move>), (String, Came)> {
        let model = &self.egsm.model;
        let mapping = self.mapping;
        match mapping.said(event) {
            Said::Nothing => Err((event.activity.clone(), Came::Ignored)),
            Said::Unknown => {
                let near = self.mapping.nearest(&event.activity);
                let reason = format!("'{}' is no event and no item of the model{near}", event.activity);
                Err((event.activity.clone(), Came::Deviates(Deviates::UnknownEvent, reason)))
            }
            Said::Means(Means::Item(i, attribute)) => {
                let (id, i) = (&model.items[*i].id, *i);
                let text = self.mapping.status(event, attribute.as_deref()).unwrap_or_default();
                let words = format!("{id} = {text}");
                let number = self.text_number(&text);
                if course.texts[i] == number {
                    let own = model.events.iter().position(|e| e.id == *id).map(Move::Event);
                    return Ok((words, own));
                }
                let code = model.items[i].values.iter().position(|v| *v == text).map_or(0, |at| at as i64 + 1);
                course.texts[i] = number;
                Ok((words, Some(Move::Item(i, code))))
            }
            Said::Means(Means::Event(e, _)) => Ok((model.events[*e].id.clone(), Some(Move::Event(*e)))),
        }
    }
}

impl Judge for EgsmJudge<'_> {
    type Course = Course;

    fn start(&mut self) -> Course {
        let now = self.first.clone();
        let left = self.progress.begin(&self.claims(), &|fact| holds(fact, &now.0, &now.1));
        let (left, texts) = (self.share(left), vec![0; self.egsm.model.items.len()].into());
        Course { now, texts, left, unsettled: false, choices: self.telling.then(Vec::new) }
    }

    fn step(&mut self, course: &mut Course, event: &Event) -> Outcome {
        let (event, what) = match self.meant(course, event) {
            Ok(meant) => meant,
            Err((event, what)) => return Outcome { event, what, then: Vec::new() },
        };
        let before = course.now.0.clone();
        self.last = what.map(|what| (before.clone(), what));
        let nothing = || Rc::new((before.clone(), Box::default()));
        course.now = match what.map(|what| self.moved(&before, what).ok_or(what)) {
            Some(Ok(made)) => made,
            None => nothing(),
            // The snapshot stays; what turned until then did turn.
            Some(Err(what)) => {
                course.unsettled = true;
                Rc::new((before.clone(), turned(&self.egsm.model, &before, what).into()))
            }
        };
        if let Some(choices) = &mut course.choices {
            choices.extend(what.and_then(|what| self.choice(what)));
        }
        let now = course.now.clone();
        let left = self.progress.next(&course.left, &|fact| holds(fact, &now.0, &now.1));
        if *left != *course.left {
            course.left = self.share(left);
        }
        let violations = now.1.iter().filter_map(|t| violation(*t)).collect();
        let then = match (self.telling, what) {
            (true, Some(what)) => told(self.egsm, &before, what),
            _ => Vec::new(),
        };
        Outcome { event, what: Came::Accepted(violations), then }
    }

    fn pass(&self, event: &Event) {
        self.mapping.said(event);
    }

    fn reason(&mut self, _: &Course, stage: usize, kind: &'static str) -> String {
        let Some((before, what)) = &self.last else { return String::new() };
        let all = why::turns(&self.egsm.model, before, *what);
        let found = all.into_iter().find(|(turn, _)| violation(*turn) == Some((stage, kind)));
        found.map(|(_, why)| why).unwrap_or_default()
    }

    fn stage(&self, stage: usize) -> String {
        self.egsm.model.stages[stage].id.clone()
    }

    /// The first top stage is closed by a milestone, unless a formula says otherwise.
    fn is_completed(&self, course: &Course) -> bool {
        if let Some(complete) = self.complete {
            return truth(complete, &|fact| holds(fact, &course.now.0, &course.now.1));
        }
        let now = &course.now.0;
        let closed = now.stages.first().is_some_and(|s| s.state == State::Closed);
        closed && self.egsm.model.of(0, Kind::Milestone).any(|m| now.sentries[m])
    }

    fn verdict(&self, turned: bool) -> Option<&'static str> {
        Some(if turned { "uncompliant" } else { "compliant" })
    }

    fn finish(&mut self, course: Course) -> End {
        let completed = self.is_completed(&course);
        let mut at_end = BTreeMap::new();
        for (stage, status) in self.egsm.model.stages.iter().zip(&course.now.0.stages) {
            let mut words = Vec::new();
            match status.compliance {
                Compliance::OnTime => {}
                Compliance::OutOfOrder => words.push("outOfOrder"),
                Compliance::Skipped => words.push("skipped"),
            }
            words.extend(status.faulty.then_some("faulty"));
            if !words.is_empty() {
                at_end.insert(stage.id.clone(), words);
            }
        }
        let mut left = course.left.iter();
        let mut properties = BTreeMap::new();
        for (p, claim) in self.egsm.properties.iter().zip(&self.claims) {
            let said = match claim.and_then(|_| left.next()) {
                Some(left) => self.progress.judge(*left).words(),
                None if p.name == super::mapping::COMPLETE => continue,
                None => NOT_A_TRACE_PROPERTY.into(),
            };
            properties.insert(p.name.clone(), said);
        }
        let choices = course.choices.unwrap_or_default();
        End { completed, approximate: course.unsettled, at_end, properties, choices, told: Vec::new() }
    }
}

/// Stage and kind, if the turn is one to be reported.
fn violation(turn: Turn) -> Option<(usize, &'static str)> {
    match turn {
        Turn::OutOfOrder(s) => Some((s, "outOfOrder")),
        Turn::Skipped(s) => Some((s, "skipped")),
        Turn::Faulty(s) => Some((s, "faulty")),
        _ => None,
    }
}

/// Does a statement hold in a snapshot, after what turned in the last move?
fn holds(fact: &Fact, now: &Snapshot, turns: &[Turn]) -> bool {
    match fact {
        Fact::Const(b) => *b,
        Fact::Not(a) => !holds(a, now, turns),
        Fact::And(parts) => parts.iter().all(|p| holds(p, now, turns)),
        Fact::Or(parts) => parts.iter().any(|p| holds(p, now, turns)),
        Fact::Iff(a, b) => holds(a, now, turns) == holds(b, now, turns),
        Fact::Has(role, code) => value(*role, now, turns) == *code,
        // Only protocols say these, and cases are judged without them.
        Fact::Private(..) | Fact::Given(_) => false,
    }
}

fn value(role: Role, now: &Snapshot, turns: &[Turn]) -> i64 {
    let turned = |t: Turn| i64::from(turns.contains(&t));
    match role {
        Role::State(s) => now.stages[s].state as i64,
        Role::Compliance(s) => now.stages[s].compliance as i64,
        Role::Faulty(s) => i64::from(now.stages[s].faulty),
        Role::Sentry(x) => i64::from(now.sentries[x]),
        Role::Item(i) => now.items[i],
        Role::Last(Last::Opens, s) => turned(Turn::Opens(s)),
        Role::Last(Last::Completes, s) => turned(Turn::Completes(s)),
        Role::Last(Last::OutOfOrder, s) => turned(Turn::OutOfOrder(s)),
        Role::Last(Last::Skipped, s) => turned(Turn::Skipped(s)),
        Role::Last(Last::Faulty, s) => turned(Turn::Faulty(s)),
        Role::LastGuard(x) => turned(Turn::Guard(x)),
        Role::Unstable | Role::Condition(_) => 0,
    }
}

/// What a move did, in words.
fn told(egsm: &Egsm, before: &Snapshot, what: Move) -> Vec<String> {
    let name = |s: usize| &egsm.model.stages[s].id;
    let line = |(turn, why): (Turn, String)| {
        Some(match turn {
            Turn::Opens(s) => format!("{} opens: {why}", name(s)),
            Turn::Completes(s) => format!("{} closes: {why}", name(s)),
            Turn::OutOfOrder(s) => format!("{} is out of order: {why}", name(s)),
            Turn::Skipped(s) => format!("{} is skipped: {why}", name(s)),
            Turn::Faulty(s) => format!("{} is faulty: {why}", name(s)),
            Turn::Guard(_) => return None,
        })
    };
    why::turns(&egsm.model, before, what).into_iter().filter_map(line).collect()
}
