//! Why something waits, in the words of the case: what keeps containers open, what criteria miss, why an event is not possible.

use super::Cmmn;
use super::condition::Cond;
use super::lower::Happening;
use super::model::{
    ALWAYS, CondIx, Criterion, DataIx, InstIx, Item, ItemIx, Kind, NEVER, ParentCompletion, Source, State,
};
use crate::machine::BodyIx;

impl Cmmn {
    /// What keeps each open container from completing: its children and the sentry parts that they miss.
    pub fn who_blocks(&self, snapshot: &[i64]) -> Vec<String> {
        let (case, map) = (&self.case, &self.lowered.map);
        let state = |i: InstIx| map.state_in(snapshot, i);
        let mut told = Vec::new();
        for (i, instance) in case.instances.iter().enumerate().filter(|(i, _)| state(*i) == State::Active) {
            let slots = instance.inside.iter().flat_map(|p| &case.places[*p].slots);
            let open = |s: State| matches!(s, State::Available | State::Enabled | State::Active | State::Unavailable);
            let live: Vec<InstIx> = slots.copied().filter(|j| open(state(*j))).collect();
            let mut who: Vec<InstIx> = live.iter().copied().filter(|j| !self.lets_go(i, *j, state(*j))).collect();
            if who.is_empty() {
                who = live;
            }
            let blockers: Vec<String> = who.into_iter().map(|j| self.blocker(j, state(j), snapshot)).collect();
            if !blockers.is_empty() {
                told.push(format!("{} waits for {}", case.instances[i].name, blockers.join("; ")));
            }
        }
        told
    }

    /// May a container complete, whatever becomes of this child of it? Only where that is certain.
    fn lets_go(&self, container: InstIx, j: InstIx, state: State) -> bool {
        use ParentCompletion as P;
        let (case, item) = (&self.case, self.case.item_of(j));
        if case.flowable() && (item.parent_completion == P::Ignore || state == State::Unavailable) {
            return true;
        }
        let skipped = case.flowable()
            && match item.parent_completion {
                P::IfAvailableOrEnabled => true,
                P::IfAvailable => state == State::Available,
                _ => state == State::Available && item.neutral == ALWAYS,
            };
        let by_itself = case.item_of(container).auto_complete == ALWAYS || skipped;
        state != State::Active && item.required == NEVER && by_itself
    }

    fn blocker(&self, j: InstIx, state: State, snapshot: &[i64]) -> String {
        let case = &self.case;
        let (item, name) = (case.item_of(j), &case.instances[j].name);
        let missing: Vec<String> = match (state, case.instances[j].place) {
            (State::Available, Some(p)) => item.entry.iter().map(|c| self.missing(*c, p, snapshot)).collect(),
            _ => Vec::new(),
        };
        match missing.is_empty() {
            true => format!("{name} ({})", state.name()),
            false => format!("{name} ({}: {})", state.name(), missing.join(", or ")),
        }
    }

    /// What a criterion still waits for.
    pub fn missing(&self, c: usize, at: usize, snapshot: &[i64]) -> String {
        let criterion = &self.case.criteria[c];
        let kept = |part: usize| {
            let latch = self.lowered.map.latches.get(&(c, at, part));
            latch.is_some_and(|v| snapshot.get(v.0 as usize).is_some_and(|x| *x != 0))
        };
        let parts =
            self.parts_now(c, &kept, &|items| self.past(items, snapshot), &|cond| self.values_in(cond, snapshot));
        match parts.is_empty() {
            true if !criterion.has_sentry => format!("{} has no sentry", criterion.name),
            _ => format!("{} still waits for {}{}", criterion.name, parts.join(" and "), self.rule_asked(criterion)),
        }
    }

    /// The rule that Flowable asks before an entry criterion of a repeating item fires, also the first time.
    fn rule_asked(&self, criterion: &Criterion) -> String {
        let (case, item) = (&self.case, &self.case.items[criterion.item]);
        let rule = item.repetition.as_ref().map(|r| r.rule).filter(|_| criterion.entry && case.flowable());
        match rule.filter(|r| *r != ALWAYS) {
            Some(rule) => format!(" while its repetition rule `{}` holds", case.conditions[rule].text),
            None => String::new(),
        }
    }

    /// The parts of a criterion, but for those that have occurred.
    pub(super) fn parts(&self, c: usize, kept: &dyn Fn(usize) -> bool) -> Vec<String> {
        self.parts_now(c, kept, &|_| String::new(), &|_| String::new())
    }

    /// The same with what is known of sources and of variables.
    fn parts_now(
        &self,
        c: usize,
        kept: &dyn Fn(usize) -> bool,
        past: &dyn Fn(&[ItemIx]) -> String,
        values: &dyn Fn(CondIx) -> String,
    ) -> Vec<String> {
        let criterion = &self.case.criteria[c];
        let mut parts = Vec::new();
        for (k, part) in criterion.on.iter().enumerate().filter(|(k, _)| !kept(*k)) {
            parts.push(match &part.source {
                Source::Items(items) => {
                    let names: Vec<&str> = items.iter().map(|i| self.case.items[*i].name.as_str()).collect();
                    format!("'{}' of {}{}", part.event_name(), names.join(" or "), past(items))
                }
                Source::File(f) => format!("'{}' of {}", part.event_name(), self.case.files[*f].name),
                Source::Free(f) => self.case.free[*f].text.clone(),
                Source::Nothing => format!("part {} that never occurs", k + 1),
            });
        }
        if let Some(condition) = criterion.condition.filter(|_| !kept(criterion.on.len())) {
            parts.push(format!("`{}` to hold{}", self.case.conditions[condition].text, values(condition)));
        }
        parts
    }

    /// That a source has ended and does not come again: its events are past.
    fn past(&self, items: &[ItemIx], snapshot: &[i64]) -> String {
        let [item] = items else { return String::new() };
        let states: Vec<State> =
            self.case.instances_of(*item).map(|i| self.lowered.map.state_in(snapshot, i)).collect();
        match states.as_slice() {
            [state] if state.ended() && self.case.items[*item].repetition.is_none() => {
                format!(", which is {} already", state.name())
            }
            _ => String::new(),
        }
    }

    /// The values of the variables that a condition reads.
    fn values_in(&self, condition: CondIx, snapshot: &[i64]) -> String {
        let mut read: Vec<DataIx> = Vec::new();
        self.case.conditions[condition].cond.walk(&mut |part| match part {
            Cond::Data(v, _) if !read.contains(v) => read.push(*v),
            _ => {}
        });
        let value = |v: &DataIx| {
            let var = self.lowered.map.data[*v];
            let code = snapshot.get(var.0 as usize).copied().unwrap_or(0);
            format!("{} is {}", self.case.data[*v].name, self.lowered.machine.var(var).domain.show(code))
        };
        let values: Vec<String> = read.iter().map(value).collect();
        if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
    }

    /// What would have to come for a question whose answer is that it never does.
    pub(super) fn what_never_comes(&self, question: &str) -> Option<String> {
        let case = &self.case;
        match question {
            "can-complete" => return Some("no run completes the case".into()),
            "never-stuck" => return Some("no run ends the case, whatever is done".into()),
            _ => {}
        }
        let (word, name) = question.strip_suffix(')')?.split_once('(')?;
        if word == "criterion-can-fire" {
            let c = case.criteria.iter().position(|c| c.name == name)?;
            return Some(format!("in no step does that come: {}", self.needs(c)));
        }
        if !["can-start", "milestone-reachable", "can-occur"].contains(&word) {
            return None;
        }
        let item = case.items.iter().find(|i| i.name == name)?;
        Some(format!("in no step does that come: {}", self.waits_for(item)))
    }

    /// What a criterion waits for.
    pub(super) fn needs(&self, c: usize) -> String {
        let name = &self.case.criteria[c].name;
        match (self.case.criteria[c].has_sentry, self.parts(c, &|_| false)) {
            (false, _) => format!("criterion {name} has no sentry"),
            (_, parts) if parts.is_empty() => format!("criterion {name} waits for nothing"),
            (_, parts) => format!("criterion {name} waits for {}", parts.join(" and ")),
        }
    }

    /// What an item waits for before it starts.
    fn waits_for(&self, item: &Item) -> String {
        let around = item.parent.filter(|p| *p != 0).map_or("the case", |p| self.case.items[p].name.as_str());
        match item.entry.is_empty() || item.is_listener() {
            true => format!("it waits for {around} to be active"),
            false => item.entry.iter().map(|c| self.needs(*c)).collect::<Vec<_>>().join(", and "),
        }
    }

    /// What keeps the case open for ever: items that never start although it waits for them (`no` knows), and items that come again
    /// at once.
    pub(super) fn what_keeps_it_open(&self, question: &str, no: &dyn Fn(&str) -> bool) -> Option<String> {
        if !["can-complete", "never-stuck"].contains(&question) {
            return None;
        }
        let waited = |item: &Item| {
            let container = item.parent.map(|p| &self.case.items[p]);
            !item.is_listener() && container.is_some_and(|c| c.auto_complete == NEVER || item.required != NEVER)
        };
        let never = |item: &Item| {
            let name = &item.name;
            no(&format!("can-start({name})")) || no(&format!("milestone-reachable({name})"))
        };
        let items = self.case.items.iter().skip(1).filter(|i| waited(i));
        let (absent, present): (Vec<&Item>, Vec<&Item>) = items.partition(|i| never(i));
        // What lies in something that never starts, or waits for something that never comes, is no cause of its own.
        let follows = |item: &Item| {
            let sources = item.entry.iter().flat_map(|c| &self.case.criteria[*c].on).map(|part| &part.source);
            let mut of =
                sources.filter_map(|s| if let Source::Items(items) = s { Some(items) } else { None }).flatten();
            item.parent.is_some_and(|p| never(&self.case.items[p])) || of.any(|i| never(&self.case.items[*i]))
        };
        let (later, mut first): (Vec<&Item>, Vec<&Item>) = absent.into_iter().partition(|i| follows(i));
        first.extend(later);
        let mut told: Vec<String> =
            first.iter().take(2).map(|i| format!("{} {} ({})", i.name, never_comes(i), self.waits_for(i))).collect();
        if told.is_empty() {
            let again = present.iter().filter(|i| self.comes_at_once(&i.name)).take(2);
            told.extend(again.map(|i| format!("{} repeats, and comes again at once", i.name)));
        }
        if told.is_empty() && question == "can-complete" {
            told = self.what_excludes_completion();
        }
        (!told.is_empty()).then(|| told.join(", and "))
    }

    /// Why an outside event is not possible in a snapshot.
    pub(super) fn why_impossible(&self, body: BodyIx, snapshot: &[i64]) -> Option<String> {
        let map = &self.lowered.map;
        let happening = *map.happenings.get(body.0)?;
        if snapshot.get(map.endless.0 as usize).is_some_and(|x| *x != 0) {
            return Some("the last step did not come to an end".into());
        }
        let case = map.state_in(snapshot, 0);
        match (happening, case) {
            (Happening::StartCase, _) => return Some(format!("the case is {}", case.name())),
            (_, State::None) => return Some("the case has not started".into()),
            (_, State::Active) => {}
            (_, over) => return Some(format!("the case is {}", over.name())),
        }
        match happening {
            Happening::Complete(i) if self.case.item_of(i).is_container() => match map.state_in(snapshot, i) {
                State::Active => self.who_blocks(snapshot).into_iter().next(),
                _ => Some(self.why_not_in(i, snapshot)),
            },
            Happening::Plan(i) => {
                let around = self.case.instances[i].container.unwrap_or(0);
                let open = map.state_in(snapshot, around) == State::Active;
                Some(match (open, map.state_in(snapshot, i)) {
                    (false, _) => self.why_not_in(around, snapshot),
                    (true, State::None) => "it is not offered now".into(),
                    (true, state) => format!("{} is {} already", self.case.instances[i].name, state.name()),
                })
            }
            Happening::Complete(i) | Happening::ManualStart(i) | Happening::Occur(i) | Happening::Hand(_, i) => {
                Some(self.why_not_in(i, snapshot))
            }
            _ => None,
        }
    }

    /// Where an instance is, and what it waits for.
    pub(super) fn why_not_in(&self, i: InstIx, snapshot: &[i64]) -> String {
        let (case, map) = (&self.case, &self.lowered.map);
        let (item, name) = (case.item_of(i), case.instances[i].name.as_str());
        let state = map.state_in(snapshot, i);
        match (state, case.instances[i].place) {
            (State::None, _) => {
                let closed = case.around(i).find(|a| map.state_in(snapshot, *a) != State::Active);
                match closed {
                    Some(0) if map.state_in(snapshot, 0) == State::None => "the case has not started".into(),
                    Some(0) => format!("the case is {}", map.state_in(snapshot, 0).name()),
                    Some(stage) => format!("{name} does not exist: {}", self.why_not_in(stage, snapshot)),
                    None => format!("{name} does not exist yet"),
                }
            }
            (State::Available, Some(p)) if !item.entry.is_empty() && !item.is_listener() => {
                let missing: Vec<String> = item.entry.iter().map(|c| self.missing(*c, p, snapshot)).collect();
                format!("{name} has not started: its criterion {}", missing.join(", or its criterion "))
            }
            (State::Unavailable, _) => match item.available_if {
                Some(c) => format!("{name} does not listen: `{}` does not hold", case.conditions[c].text),
                None => format!("{name} listens only when the case is over"),
            },
            (State::Enabled, _) => format!("{name} is enabled: it waits for manual start"),
            _ => format!("{name} is {}", state.name()),
        }
    }

    /// What to say of a run that ends where the case, or a required item, cannot end any more.
    pub(super) fn where_it_hangs(&self, question: &str, snapshot: &[i64]) -> Option<String> {
        let stuck = ["never-stuck", "no-dead-end"].contains(&question);
        let required = question.strip_prefix("required-can-complete(").and_then(|q| q.strip_suffix(')'));
        let what = match (stuck, required) {
            (true, _) => "the case cannot end any more".to_string(),
            (_, Some(item)) if self.comes_at_once(item) => {
                return Some(format!("{item} is never found completed: it repeats, and comes again at once"));
            }
            (_, Some(item)) => format!("{item} cannot be completed any more"),
            _ => return None,
        };
        let blocked = self.who_blocks(snapshot);
        (!blocked.is_empty()).then(|| format!("{what}: {}", blocked.join("; ")))
    }

    /// Does an item repeat without waiting for anything?
    fn comes_at_once(&self, name: &str) -> bool {
        self.case.items.iter().any(|i| i.name == name && i.repetition.is_some() && i.entry.is_empty())
    }
}

/// That an item never comes, by its kind.
fn never_comes(item: &Item) -> &'static str {
    if matches!(item.kind, Kind::Milestone(_)) { "is never reached" } else { "never starts" }
}
