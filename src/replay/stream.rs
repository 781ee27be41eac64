//! Events to cases: one pass, memory per open case, cases spread over threads.
//!
//! A trace of XES is a case, put in order and judged when it ends. Tables and JSON lines may mix cases, so those stay open until the log
//! ends; of a case only its snapshot is kept. A case whose times go back is dropped, and read again by itself in a second pass.

use super::{Came, Case, Deviation, End, Judge, Judged, Line, Violation};
use crate::log::{self, Event, Fault, Label, Log};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What to read, and how.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The logs, which are one.
    pub logs: Vec<Log>,
    /// How they are written.
    pub options: log::Options,
    /// Keep the order of the file, whatever the times say.
    pub file_order: bool,
    /// A case out of time order is an input error.
    pub sorted: bool,
    /// Forget a case when it is completed.
    pub close: bool,
    /// Threads that judge.
    pub jobs: usize,
    /// Only these cases.
    pub only: Option<BTreeSet<String>>,
    /// The rest of a case is not judged after a deviation.
    pub stop: bool,
    /// Keep the runs.
    pub telling: bool,
}

/// Events in one parcel to a thread.
const PARCEL: usize = 256;

enum Message {
    /// The next event of an open case.
    Event(usize, Event),
    /// A whole case.
    Whole(usize, Vec<Event>, Option<Label>),
    /// A case that is not judged.
    Drop(usize),
    /// The log breaks off: cases that have not ended may have gone on.
    Cut,
}

/// Judges all cases. `heard` is called now and then with the number of events so far.
pub fn run<J: Judge>(plan: &Plan, judge: &(dyn Fn() -> J + Sync), heard: &mut dyn FnMut(u64)) -> Judged {
    let jobs = plan.jobs.max(1);
    std::thread::scope(|scope| {
        let (mut senders, mut workers, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..jobs {
            let (sender, receiver) = sync_channel::<Vec<Message>>(4);
            senders.push(Parcels { sender, waiting: Vec::new() });
            // Rules that set each other off are followed deep.
            let thread = std::thread::Builder::new().stack_size(32 << 20);
            match thread.spawn_scoped(scope, move || work(plan, judge(), &receiver)) {
                Ok(worker) => workers.push(worker),
                Err(why) => faults.push(no_thread(&why)),
            }
        }
        let mut reader = Reading {
            plan,
            senders,
            numbers: FxHashMap::default(),
            cases: Vec::new(),
            faults,
            read: FxHashSet::default(),
            events: 0,
        };
        reader.all(heard);
        let Reading { senders, faults, .. } = reader;
        senders.into_iter().for_each(Parcels::finish);
        let mut cases: Vec<Done> = workers.into_iter().filter_map(|w| w.join().ok()).flatten().collect();
        cases.sort_unstable_by_key(|(number, _)| *number);
        Judged { cases: cases.into_iter().map(|(_, case)| case).collect(), faults }
    })
}

/// Some cases are not judged then.
fn no_thread(why: &std::io::Error) -> Fault {
    let message = format!("a thread cannot be started: {why}");
    Fault { file: PathBuf::new(), line: None, message, help: Some("try --jobs 1".into()), case: None, cut: false }
}

fn goes_back(path: &Path, line: Option<u64>, case: String) -> Fault {
    let help = Some("leave --sorted out to put its events in order".into());
    Fault { file: path.into(), line, message: "the times go back".into(), help, case: Some(case), cut: false }
}

struct Parcels {
    sender: SyncSender<Vec<Message>>,
    waiting: Vec<Message>,
}

impl Parcels {
    fn send(&mut self, message: Message) {
        self.waiting.push(message);
        if self.waiting.len() >= PARCEL {
            // A thread that is gone has no use for it.
            let _ = self.sender.send(std::mem::take(&mut self.waiting));
        }
    }

    fn finish(self) {
        let _ = self.sender.send(self.waiting);
    }
}

/// What the reader knows of a case. There is one for every case of the log, so it is small.
struct Known {
    /// Its last time.
    last: i128,
    late: bool,
    broken: bool,
    whole: bool,
}

struct Reading<'p> {
    plan: &'p Plan,
    senders: Vec<Parcels>,
    numbers: FxHashMap<Box<str>, u32>,
    cases: Vec<Known>,
    faults: Vec<Fault>,
    /// Files of pairs that were read with their other half.
    read: FxHashSet<PathBuf>,
    events: u64,
}

/// A trace being read.
struct Trace {
    group: u64,
    case: String,
    events: Vec<Event>,
}

impl Reading<'_> {
    fn all(&mut self, heard: &mut dyn FnMut(u64)) {
        for log in &self.plan.logs {
            if let Some(pair) = log::pair_of(log.path())
                && !self.read.insert(pair)
            {
                continue;
            }
            self.file(log, heard);
        }
        if self.cases.iter().any(|c| c.late) {
            self.again();
        }
    }

    fn file(&mut self, log: &Log, heard: &mut dyn FnMut(u64)) {
        let events = match log::open(log, &self.plan.options) {
            Ok(events) => events,
            Err(fault) => return self.faults.push(fault),
        };
        let path = log.path();
        let label = log::label_of(path);
        let mut trace: Option<Trace> = None;
        for next in events {
            self.events += 1;
            if self.events.is_multiple_of(4096) {
                heard(self.events);
            }
            match next {
                Err(fault) => {
                    if trace.as_ref().is_some_and(|t| Some(&t.case) == fault.case.as_ref()) {
                        trace = None;
                    }
                    self.fault(fault);
                }
                Ok(event) if event.group == 0 => self.open_event(event, path),
                Ok(event) => {
                    if trace.as_ref().is_none_or(|t| t.group != event.group) {
                        self.whole(trace.take(), label, path);
                    }
                    let begin = || Trace { group: event.group, case: event.case.clone(), events: Vec::new() };
                    trace.get_or_insert_with(begin).events.push(event);
                }
            }
        }
        self.whole(trace.take(), label, path);
    }

    fn fault(&mut self, fault: Fault) {
        let case = fault.case.clone();
        if fault.cut {
            self.senders.iter_mut().for_each(|parcels| parcels.send(Message::Cut));
        }
        self.faults.push(fault);
        let Some(case) = case else { return };
        let number = self.number(&case);
        if let Some(known) = self.cases.get_mut(number) {
            known.broken = true;
        }
        self.send(number, Message::Drop(number));
    }

    fn number(&mut self, case: &str) -> usize {
        if let Some(number) = self.numbers.get(case) {
            return *number as usize;
        }
        let number = self.cases.len();
        self.numbers.insert(case.into(), number as u32);
        self.cases.push(Known { last: i128::MIN, late: false, broken: false, whole: false });
        number
    }

    fn send(&mut self, number: usize, message: Message) {
        let at = number % self.senders.len().max(1);
        if let Some(parcels) = self.senders.get_mut(at) {
            parcels.send(message);
        }
    }

    fn wanted(&self, case: &str) -> bool {
        self.plan.only.as_ref().is_none_or(|only| only.contains(case))
    }

    /// An event of a log that may mix cases.
    fn open_event(&mut self, event: Event, path: &Path) {
        if !self.wanted(&event.case) {
            return;
        }
        let number = self.number(&event.case);
        let Some(known) = self.cases.get_mut(number).filter(|k| !k.broken && !k.late) else { return };
        let time = event.time.as_ref().map_or(known.last, |t| t.at);
        let back = time < known.last && !self.plan.file_order;
        known.last = time;
        if !back {
            return self.send(number, Message::Event(number, event));
        }
        if self.plan.sorted {
            return self.fault(goes_back(path, Some(event.line), event.case));
        }
        known.late = true;
        self.send(number, Message::Drop(number));
    }

    /// A trace that has ended.
    fn whole(&mut self, trace: Option<Trace>, label: Option<Label>, path: &Path) {
        let Some(mut trace) = trace.filter(|t| self.wanted(&t.case)) else { return };
        let mut number = self.number(&trace.case);
        let known = self.cases.get_mut(number);
        if known.as_ref().is_some_and(|k| k.whole) {
            let mut name = String::new();
            for n in 2..=usize::MAX {
                name = format!("{} ({n})", trace.case);
                if !self.numbers.contains_key(name.as_str()) {
                    break;
                }
            }
            let line = trace.events.first().map(|e| e.line);
            let message = format!("another trace is called '{}' already", trace.case);
            let help = Some(format!("it is judged as '{name}'"));
            self.faults.push(Fault { file: path.into(), line, message, help, case: None, cut: false });
            number = self.number(&name);
            trace.events.iter_mut().for_each(|e| e.case.clone_from(&name));
        }
        let Some(known) = self.cases.get_mut(number).filter(|k| !k.broken) else { return };
        known.whole = true;
        let sorted = self.in_order(&mut trace.events);
        if !sorted && self.plan.sorted {
            let line = trace.events.first().map(|e| e.line);
            return self.fault(goes_back(path, line, trace.case));
        }
        self.send(number, Message::Whole(number, trace.events, label));
    }

    /// Puts events in the order of their times; says whether they were.
    fn in_order(&self, events: &mut [Event]) -> bool {
        if self.plan.file_order {
            return true;
        }
        let mut last = None;
        let mut keys: Vec<Option<i128>> = Vec::new();
        for event in events.iter() {
            last = event.time.as_ref().map(|t| t.at).or(last);
            keys.push(last);
        }
        if keys.is_sorted() {
            return true;
        }
        let mut order: Vec<usize> = (0..events.len()).collect();
        order.sort_by_key(|at| keys[*at]);
        let mut sorted: Vec<Event> = order.iter().map(|at| events[*at].clone()).collect();
        events.swap_with_slice(&mut sorted);
        false
    }

    /// Reads the cases whose times went back once more, and nothing else.
    fn again(&mut self) {
        let mut late: FxHashMap<usize, Vec<Event>> = FxHashMap::default();
        for log in &self.plan.logs {
            let Ok(events) = log::open(log, &self.plan.options) else { continue };
            for event in events.flatten().filter(|e| e.group == 0) {
                let number = self.numbers.get(event.case.as_str()).map(|n| *n as usize);
                let wanted = number.and_then(|n| self.cases.get(n)).is_some_and(|k| k.late && !k.broken);
                if let Some(number) = number.filter(|_| wanted) {
                    late.entry(number).or_default().push(event);
                }
            }
        }
        let mut late: Vec<(usize, Vec<Event>)> = late.into_iter().collect();
        late.sort_by_key(|(number, _)| *number);
        for (number, mut events) in late {
            self.in_order(&mut events);
            self.send(number, Message::Whole(number, events, None));
        }
    }
}

/// A case under way, with what it did so far.
struct Open<C> {
    course: C,
    case: Box<Case>,
    stopped: bool,
}

/// A judged case with its number.
type Done = (usize, Arc<Case>);

fn work<J: Judge>(plan: &Plan, mut judge: J, parcels: &Receiver<Vec<Message>>) -> Vec<Done> {
    // Boxed: a map that grows moves its entries.
    let mut open: FxHashMap<usize, Box<Open<J::Course>>> = FxHashMap::default();
    let mut done = Vec::new();
    let mut said = Said::default();
    let mut closed = FxHashSet::default();
    let mut cut = false;
    for message in parcels.iter().flatten() {
        match message {
            Message::Drop(number) => _ = open.remove(&number),
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
    done
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
                    let event = outcome.event.clone();
                    one.case.first =
                        Some(Box::new(Violation { index, time: time(), event, stage: turned.0.clone(), kind, reason }));
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
    let End { completed, approximate, at_end, properties, choices } = judge.finish(course);
    let properties = said.get(&properties).cloned().unwrap_or_else(|| {
        let new = Arc::new(properties);
        said.insert(new.clone());
        new
    });
    case.verdict = judge.verdict(case.first.is_some());
    (case.completed, case.approximate, case.at_end, case.properties) = (completed, approximate, at_end, properties);
    case.incomplete = cut && !completed;
    if let Some(run) = &mut case.run {
        run.choices = choices;
    }
    case.into()
}
