//! Cases from their events, one message after the other; each thread has some of them.

use super::stream::{Message, Plan};
use super::{Came, Case, Deviation, End, Judge, Line, Violation};
use crate::log::Event;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// A case under way, with what it did so far.
struct Open<C> {
    course: C,
    case: Box<Case>,
    stopped: bool,
}

/// A judged case with its number.
pub(super) type Done = (usize, Arc<Case>);

/// Judges the cases that come.
pub(super) fn work<J: Judge>(plan: &Plan, mut judge: J, parcels: &Receiver<Vec<Message>>) -> Vec<Done> {
    // Boxed: a map that grows moves its entries.
    let mut open: FxHashMap<usize, Box<Open<J::Course>>> = FxHashMap::default();
    let mut done = Vec::new();
    // What was done of a case before it was dropped does not count.
    let mut dropped: FxHashMap<usize, usize> = FxHashMap::default();
    let mut said = Said::default();
    let mut closed = FxHashSet::default();
    let mut cut = false;
    for message in parcels.iter().flatten() {
        match message {
            Message::Drop(number) => {
                open.remove(&number);
                dropped.insert(number, done.len());
            }
            Message::Cut => cut = true,
            Message::Whole(number, events, label) => {
                let mut one = begin(&mut judge, events.first().map_or("", |e| e.case.as_str()));
                one.case.label = label.map(|l| l.name().to_string());
                events.iter().for_each(|event| step(plan, &mut judge, &mut one, event));
                // A trace has ended, whatever became of the rest of the log.
                let cut = cut && events.first().is_some_and(|e| e.group == 0);
                done.push((number, end(&mut judge, one, cut, &mut said)));
            }
            Message::Event(number, _) if closed.contains(&number) => {}
            Message::Event(number, event) => {
                let one = open.entry(number).or_insert_with(|| Box::new(begin(&mut judge, &event.case)));
                step(plan, &mut judge, one, &event);
                if plan.close && judge.is_completed(&one.course) {
                    closed.insert(number);
                    done.extend(open.remove(&number).map(|one| (number, end(&mut judge, *one, false, &mut said))));
                }
            }
        }
    }
    done.extend(open.into_iter().map(|(number, one)| (number, end(&mut judge, *one, cut, &mut said))));
    let counts = |(at, done): (usize, Done)| dropped.get(&done.0).is_none_or(|from| at >= *from).then_some(done);
    done.into_iter().enumerate().filter_map(counts).collect()
}

fn begin<J: Judge>(judge: &mut J, name: &str) -> Open<J::Course> {
    let case = Case { case: name.to_string(), fit: true, ..Case::default() };
    Open { course: judge.start(), case: Box::new(case), stopped: false }
}

fn step<J: Judge>(plan: &Plan, judge: &mut J, one: &mut Open<J::Course>, event: &Event) {
    let index = one.case.events;
    one.case.events += 1;
    if one.case.label.is_none() {
        one.case.label = ["label", "case:label"].iter().find_map(|key| event.attributes.get(*key)).cloned();
    }
    if one.stopped {
        one.case.unjudged += 1;
        judge.pass(event);
        return;
    }
    let outcome = judge.step(&mut one.course, event);
    let time = || event.time.as_ref().map(|t| t.text.clone());
    match outcome.what {
        Came::Ignored => one.case.ignored.push(index),
        Came::Deviates(kind, reason) => {
            one.case.fit = false;
            one.stopped = plan.stop;
            let event = outcome.event.clone();
            one.case.deviations.push(Deviation { index, time: time(), event, kind, reason });
        }
        Came::Accepted(violations) => {
            for (stage, kind) in violations {
                let turned = (judge.stage(stage), kind);
                if one.case.first.is_none() {
                    let reason = judge.reason(&one.course, stage, kind);
                    let (event, stage) = (outcome.event.clone(), Some(turned.0.clone()));
                    one.case.first = Some(Box::new(Violation { index, time: time(), event, stage, kind, reason }));
                }
                if !one.case.turned.contains(&turned) {
                    one.case.turned.push(turned);
                }
            }
        }
    }
    if plan.telling {
        let line = Line { index, time: time(), event: outcome.event, then: outcome.then };
        one.case.run.get_or_insert_default().lines.push(line);
    }
}

/// What was said about properties of some case: of most cases the same is said.
type Said = BTreeSet<Arc<BTreeMap<String, String>>>;

/// `cut`: the log broke off before it was known that the case had ended.
fn end<J: Judge>(judge: &mut J, one: Open<J::Course>, cut: bool, said: &mut Said) -> Arc<Case> {
    let Open { course, mut case, .. } = one;
    let End { completed, approximate, at_end, properties, choices, told } = judge.finish(course);
    let properties = said.get(&properties).cloned().unwrap_or_else(|| {
        let new = Arc::new(properties);
        said.insert(new.clone());
        new
    });
    case.verdict = judge.verdict(!case.turned.is_empty());
    if case.first.is_none() {
        case.first = case.deviations.first().map(|d| Box::new(d.into()));
    }
    (case.completed, case.approximate, case.at_end, case.properties) = (completed, approximate, at_end, properties);
    case.incomplete = cut && !completed;
    if let Some(mut run) = case.run.take() {
        run.choices = choices;
        let accepted =
            |l: &&mut Line| !case.ignored.contains(&l.index) && case.deviations.iter().all(|d| d.index != l.index);
        run.lines.iter_mut().filter(accepted).zip(told).for_each(|(line, told)| line.then = told);
        case.run = Some(run);
    }
    case.into()
}
