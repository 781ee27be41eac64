//! What can happen from outside.

use super::Snapshot;
use super::literal::Run;
use crate::lang::cmmn::model::*;

/// An outside event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// The case starts.
    StartCase,
    /// Somebody completes a task, stage or the case.
    Complete(InstIx),
    /// Somebody starts what is enabled.
    ManualStart(InstIx),
    /// A listener occurs.
    Occur(InstIx),
    /// Something fails, ends, is put aside or taken up again by hand.
    Hand(Event, InstIx),
    /// A discretionary item is planned.
    Plan(InstIx),
    /// An event of a case file item.
    File(Event, FileIx),
    /// A variable changes.
    Set(DataIx),
}

/// What may happen in a snapshot, whatever free conditions say (see [`super::step`] for what they allow).
pub fn happenings(case: &Case, s: &Snapshot) -> Vec<Happening> {
    if s.endless {
        return Vec::new();
    }
    if s.states[0] == State::None {
        return vec![Happening::StartCase];
    }
    let mut all = Vec::new();
    if s.states[0] != State::Active {
        return all;
    }
    for i in 1..case.instances.len() {
        let item = case.item_of(i);
        let hand = item.by_hand;
        match s.states[i] {
            State::Active => {
                if item.task().is_some_and(|t| t.completable) {
                    all.push(Happening::Complete(i));
                }
                all.extend(hand.fault.then_some(Happening::Hand(Event::Fault, i)));
                all.extend(hand.terminate.then_some(Happening::Hand(Event::Terminate, i)));
            }
            State::Enabled => {
                all.push(Happening::ManualStart(i));
                all.extend(hand.disable.then_some(Happening::Hand(Event::Disable, i)));
            }
            State::Disabled => all.extend(hand.disable.then_some(Happening::Hand(Event::Reenable, i))),
            State::Available if item.kind == (Kind::Listener { reactivate: false }) => all.push(Happening::Occur(i)),
            _ => {}
        }
    }
    for (f, file) in case.files.iter().enumerate() {
        if s.files[f] == 0 || file.many {
            all.push(Happening::File(Event::Create, f));
        }
        all.extend(file.waited.iter().filter(|_| s.files[f] == 1).map(|e| Happening::File(*e, f)));
    }
    if case.data_any {
        all.extend((0..case.data.len()).map(Happening::Set));
    }
    let conditional = (0..case.instances.len()).filter(|i| conditional(case, s, *i));
    all.extend(
        conditional
            .map(|i| if case.item_of(i).planning.is_some() { Happening::Plan(i) } else { Happening::Complete(i) }),
    );
    all
}

/// Planning, and completion of containers by hand; their conditions are asked later.
fn conditional(case: &Case, s: &Snapshot, i: InstIx) -> bool {
    let container = case.instances[i].container;
    let plan = case.item_of(i).planning.is_some();
    let here = if plan {
        s.states[i] == State::None && container.is_some_and(|c| s.states[c] == State::Active)
    } else {
        case.item_of(i).by_hand.complete && s.states[i] == State::Active
    };
    let lowest = case.instances[i].place.is_none_or(|p| case.places[p].slots[0] == i);
    here && (lowest || !plan)
}

impl Run<'_> {
    /// Do conditions allow it?
    pub(super) fn allows(&mut self, happening: &Happening) -> bool {
        match happening {
            Happening::Plan(i) => self.plannable(*i),
            Happening::Complete(i) if self.item(*i).is_container() => self.completion(*i, None).0,
            _ => true,
        }
    }

    /// The outside event's own operations.
    pub(super) fn happen(&mut self, happening: &Happening) {
        let case = self.case;
        match happening {
            Happening::StartCase => {
                self.write(0, &case.start_writes);
                self.s.states[0] = State::Active;
                self.open(0);
            }
            Happening::Complete(0) => {
                self.end_inside(0);
                self.s.states[0] = State::Completed;
            }
            Happening::Complete(i) => {
                if let Some(task) = self.item(*i).task() {
                    self.write(0, &task.writes);
                }
                self.complete(*i);
            }
            Happening::ManualStart(i) => {
                self.start(*i, if case.flowable() { Event::Start } else { Event::ManualStart })
            }
            Happening::Occur(i) => {
                let again = self.item(*i).repetition.as_ref().is_some_and(|r| self.holds(r.rule, *i));
                self.out.0.insert(case.instances[*i].item);
                if again {
                    self.next.insert((*i, Event::Occur, None));
                    self.note_done(*i);
                    self.count_up(case.instances[*i].place.unwrap_or(0));
                } else {
                    self.set(*i, State::Completed, Event::Occur, None);
                }
            }
            Happening::Hand(Event::Terminate, i) => self.terminate(*i),
            Happening::Hand(event, i) => {
                let state = match event {
                    Event::Fault => State::Failed,
                    Event::Disable => State::Disabled,
                    _ => State::Enabled,
                };
                self.set(*i, state, *event, None);
            }
            Happening::Plan(i) => self.create(*i),
            Happening::File(event, f) => {
                let name = &case.files[*f].name;
                let below = |v: &DataIx| {
                    let rest = case.data[*v].name.strip_prefix(name.as_str());
                    rest.is_some_and(|r| r.is_empty() || r.starts_with(['.', '[']))
                };
                let written: Vec<DataIx> = (0..case.data.len()).filter(below).collect();
                self.write(0, &written);
                self.s.files[*f] = if *event == Event::Delete { 2 } else { 1 };
                self.files.insert((*f, *event));
            }
            Happening::Set(v) => self.write(0, &[*v]),
        }
    }
}
