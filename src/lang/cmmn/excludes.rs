//! Why no run completes a case although each of its items can start: two exclude each other, or one ends the case.
//!
//! Only what is certain is said: of items of the plan that keep it open until they start or occur, and of events that come once.

use super::Cmmn;
use super::condition::Cond;
use super::model::{
    ALWAYS, Case, CondIx, CritIx, Criterion, Event, ExitEvent, Item, Kind, NEVER, ParentCompletion, Source,
};

impl Cmmn {
    /// What must not be missing and cannot come along with the rest.
    pub(super) fn what_excludes_completion(&self) -> Vec<String> {
        let (case, plan) = (&self.case, &self.case.items[0]);
        let exits_only = plan.exit.iter().all(|c| case.criteria[*c].exit_event == ExitEvent::Exit);
        if plan.auto_complete != NEVER || plan.by_hand.complete || !exits_only {
            return Vec::new();
        }
        let staying: Vec<&Item> = case.items.iter().filter(|i| stays(case, i)).collect();
        if let Some(told) = staying.iter().find_map(|i| self.only_ends(i)) {
            return vec![told];
        }
        let pairs = staying.iter().enumerate().flat_map(|(k, a)| staying[k + 1..].iter().map(move |b| (*a, *b)));
        pairs.into_iter().find_map(|(a, b)| self.exclude_each_other(a, b)).into_iter().collect()
    }

    /// A listener whose occurrence ends the case: until then it keeps it open.
    fn only_ends(&self, item: &Item) -> Option<String> {
        let case = &self.case;
        let ends = |c: &&CritIx| {
            let criterion = &case.criteria[**c];
            let heard =
                |s: &Source| matches!(s, Source::Items(l) if l.len() == 1 && case.items[l[0]].name == item.name);
            let [part] = criterion.on.as_slice() else { return false };
            criterion.condition.is_none() && part.event == Event::Occur && heard(&part.source)
        };
        let by = case.items[0].exit.iter().find(ends).filter(|_| item.is_listener())?;
        let name = &case.criteria[*by].name;
        Some(format!("{} listens until it occurs, and then criterion {name} ends the case", item.name))
    }

    /// Two items of which one never starts where the other does.
    fn exclude_each_other(&self, a: &Item, b: &Item) -> Option<String> {
        let criteria = |i: &Item| -> Vec<&Criterion> { i.entry.iter().map(|c| &self.case.criteria[*c]).collect() };
        let (of_a, of_b) = (criteria(a), criteria(b));
        let all = of_a.iter().all(|x| of_b.iter().all(|y| excludes(&self.case, x, y)));
        let (first, second) = (a.entry.first()?, b.entry.first()?);
        all.then(|| {
            let why = format!("{}, {}", self.needs(*first), self.needs(*second));
            format!("{} and {} exclude each other, and it waits for both ({why})", a.name, b.name)
        })
    }
}

/// An item of the plan that keeps it open while it is available, and leaves that state only by starting or occurring.
fn stays(case: &Case, item: &Item) -> bool {
    let ignored = case.flowable() && (item.parent_completion != ParentCompletion::Usual || item.neutral != NEVER);
    let waits = item.is_listener() || !item.entry.is_empty();
    let certain = item.planning.is_none() && item.repetition.is_none() && item.available_if.is_none();
    let listens = item.kind != Kind::Listener { reactivate: true };
    item.parent == Some(0) && item.exit.is_empty() && waits && certain && listens && !ignored
}

/// Can only one of two criteria ever fire? They wait for different ends of one item, or for the same end with conditions of which only
/// one holds, read at that moment.
fn excludes(case: &Case, a: &Criterion, b: &Criterion) -> bool {
    let ends = |e: Event| {
        matches!(e, Event::Complete | Event::Occur | Event::Exit | Event::Terminate)
            || (e == Event::Fault && case.flowable())
    };
    let once = |s: &Source| match s {
        Source::Items(items) => match items.as_slice() {
            [x] => case.items[*x].parent == Some(0) && case.items[*x].repetition.is_none(),
            _ => false,
        },
        _ => false,
    };
    let at_once = |a: &Criterion, b: &Criterion| a.on_event && b.on_event && still(case);
    let differ = at_once(a, b) && a.condition.zip(b.condition).is_some_and(|(x, y)| disjoint(case, x, y));
    a.on.iter().any(|x| {
        let same = b.on.iter().filter(|y| x.source == y.source && once(&x.source) && ends(x.event) && ends(y.event));
        same.into_iter().any(|y| x.event != y.event || differ)
    })
}

/// Nothing sets variables while a step goes on.
fn still(case: &Case) -> bool {
    case.items.iter().all(|i| match &i.kind {
        Kind::Task(task) => task.waits == ALWAYS || task.at_once.is_empty(),
        Kind::Milestone(variable) => variable.is_none(),
        _ => true,
    })
}

/// Do two conditions want different values of a variable?
fn disjoint(case: &Case, a: CondIx, b: CondIx) -> bool {
    let tests = |c: CondIx| match &case.conditions[c].cond {
        Cond::All(parts) => parts.clone(),
        one => vec![one.clone()],
    };
    let (a, b) = (tests(a), tests(b));
    let apart = |x: &Cond, y: &Cond| match (x, y) {
        (Cond::Data(v, x), Cond::Data(w, y)) => v == w && !x.iter().any(|code| y.contains(code)),
        _ => false,
    };
    a.iter().any(|x| b.iter().any(|y| apart(x, y)))
}
