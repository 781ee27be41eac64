//! Events to cases: one pass, memory per open case, cases spread over threads.
//!
//! A trace of XES is a case, put in order and judged when it ends. Tables and JSON lines may mix cases, so those stay open until the log
//! ends; of a case only its snapshot is kept. A case whose times go back, or whose trace goes on in another file, is dropped, and read
//! again by itself in a second pass.

use super::worker::{Done, work};
use super::{Judge, Judged};
use crate::log::{self, Event, Fault, Label, Log, Pair};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

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

/// What a thread is told.
pub(super) enum Message {
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
        let mut reader =
            Reading { plan, senders, numbers: FxHashMap::default(), cases: Vec::new(), faults, file: 0, events: 0 };
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
    /// A trace of it has been read, from this file.
    whole: Option<u32>,
    /// Events of it have been read that were mixed with others.
    open: bool,
}

struct Reading<'p> {
    plan: &'p Plan,
    senders: Vec<Parcels>,
    numbers: FxHashMap<Box<str>, u32>,
    cases: Vec<Known>,
    faults: Vec<Fault>,
    /// The file that is being read.
    file: u32,
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
        let files = self.files();
        for (at, (log, pair)) in files.iter().enumerate() {
            self.file = at as u32;
            self.read(log, pair.as_ref(), heard);
        }
        if self.events == 0 && self.faults.is_empty() {
            let seen = files.iter().map(|(log, _)| log::no_event(log, &self.plan.options));
            self.faults.extend(seen);
        }
        if self.cases.iter().any(|c| c.late) {
            self.again(&files);
        }
    }

    /// The logs; of the emulator's pairs one file, with which the other is read.
    fn files(&self) -> Vec<(Log, Option<Pair>)> {
        let mut known = FxHashSet::default();
        let with_pair = |log: &Log| (log.clone(), log::pair(log, &self.plan.options));
        let files = self.plan.logs.iter().map(with_pair);
        files.filter(|(_, pair)| pair.as_ref().is_none_or(|p| known.insert(p.file.clone()))).collect()
    }

    fn read(&mut self, log: &Log, pair: Option<&Pair>, heard: &mut dyn FnMut(u64)) {
        let events = match log::open(log, &self.plan.options) {
            Ok(events) => events,
            Err(fault) => return self.faults.push(fault),
        };
        let path = log.path();
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
                        self.whole(trace.take(), pair, path);
                    }
                    let begin = || Trace { group: event.group, case: event.case.clone(), events: Vec::new() };
                    trace.get_or_insert_with(begin).events.push(event);
                }
            }
        }
        self.whole(trace.take(), pair, path);
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
        self.cases.push(Known { last: i128::MIN, late: false, broken: false, whole: None, open: false });
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
        (known.last, known.open) = (time, true);
        if known.whole.is_some() {
            return self.later(number);
        }
        if !back {
            return self.send(number, Message::Event(number, event));
        }
        if self.plan.sorted {
            return self.fault(goes_back(path, Some(event.line), event.case));
        }
        self.later(number);
    }

    /// A case is read again by itself.
    fn later(&mut self, number: usize) {
        if let Some(known) = self.cases.get_mut(number) {
            known.late = true;
        }
        self.send(number, Message::Drop(number));
    }

    /// A trace that has ended.
    fn whole(&mut self, trace: Option<Trace>, pair: Option<&Pair>, path: &Path) {
        let Some(mut trace) = trace.filter(|t| self.wanted(&t.case)) else { return };
        let mut number = self.number(&trace.case);
        let (file, known) = (self.file, self.cases.get(number));
        if known.is_some_and(|k| k.late) {
            return;
        }
        // Several files are one log; one file has every trace once.
        let other_file = known.is_some_and(|k| k.open || k.whole.is_some_and(|f| f != file));
        if other_file && pair.is_none() {
            return self.later(number);
        }
        if known.is_some_and(|k| k.whole.is_some()) {
            let name = self.another_name(&trace, pair, path);
            number = self.number(&name);
            trace.events.iter_mut().for_each(|e| e.case.clone_from(&name));
        }
        let Some(known) = self.cases.get_mut(number).filter(|k| !k.broken) else { return };
        known.whole = Some(file);
        let sorted = self.in_order(&mut trace.events);
        if !sorted && self.plan.sorted {
            let line = trace.events.first().map(|e| e.line);
            return self.fault(goes_back(path, line, trace.case));
        }
        self.send(number, Message::Whole(number, trace.events, pair.and_then(|p| p.label)));
    }

    /// A name for a trace whose own another has: pairs have longer ones, else that is a mistake in the log.
    fn another_name(&mut self, trace: &Trace, pair: Option<&Pair>, path: &Path) -> String {
        let is_free = |name: &String| !self.numbers.contains_key(name.as_str());
        if let Some(name) = pair.map(|p| p.case.clone()).filter(is_free) {
            return name;
        }
        let numbered = (2..=usize::MAX).map(|n| format!("{} ({n})", trace.case));
        let name = numbered.into_iter().find(is_free).unwrap_or_default();
        let line = trace.events.first().map(|e| e.line);
        let message = format!("another trace is called '{}' already", trace.case);
        let help = Some(format!("it is judged as '{name}'"));
        self.faults.push(Fault { file: path.into(), line, message, help, case: None, cut: false });
        name
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

    /// Reads the cases that were left for later, and nothing else.
    fn again(&mut self, files: &[(Log, Option<Pair>)]) {
        let mut late: FxHashMap<usize, Vec<Event>> = FxHashMap::default();
        for (log, _) in files {
            let Ok(events) = log::open(log, &self.plan.options) else { continue };
            for event in events.flatten() {
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
