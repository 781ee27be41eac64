//! State variables: the case and its instances, latches, data, counters.

use super::{Lower, Map};
use crate::lang::cmmn::condition::{Data, Value};
use crate::lang::cmmn::model::{Event, InstIx, Item, Kind, NEVER, Source, State};
use crate::machine::{Domain, Var, VarId};

impl Lower<'_> {
    pub(super) fn make_variables(&mut self) {
        let case = self.case;
        for (i, instance) in case.instances.iter().enumerate() {
            let codes = if i == 0 { case_states() } else { states(case.item_of(i)) };
            let domain = enumeration(codes.iter().map(|s| s.name().to_string()));
            let var = self.state(instance.name.clone(), domain);
            self.map.states.push(var);
            self.map.codes.push(codes);
        }
        for data in &case.data {
            let var = self.state(data.name.clone(), domain_of(data));
            self.map.data.push(var);
        }
        for file in &case.files {
            let values = ["absent", "present", "deleted"].map(String::from);
            let var = self.state(format!("file {}", file.name), enumeration(values));
            self.map.files.push(var);
        }
        for (p, place) in case.places.iter().enumerate() {
            let item = &case.items[place.item];
            let here = self.place_name(p);
            let most = item.repetition.as_ref().and_then(|r| r.count);
            let count = most.map(|hi| self.state(format!("{here}.count"), Domain::Int { lo: 0, hi }));
            let done = case.remembers_done(place.item).then(|| self.state(format!("{here}.done"), Domain::Bool));
            self.map.count.push(count);
            self.map.done.push(done);
        }
        self.make_latches();
        self.m.overflow = self.state("overflow".into(), Domain::Bool);
        self.map.endless = self.state("endless".into(), Domain::Bool);
        self.make_heard();
    }

    /// An item in an instance of its container, by name.
    fn place_name(&self, p: usize) -> String {
        let first = &self.case.instances[self.case.places[p].slots[0]].name;
        match self.case.places[p].slots.len() {
            1 => first.clone(),
            _ => first.trim_end_matches("[1]").to_string(),
        }
    }

    /// Memory of criteria with several parts. That of Flowable's trigger mode `onEvent` ends with the step.
    fn make_latches(&mut self) {
        let case = self.case;
        for kept in [true, false] {
            for (c, criterion) in case.criteria.iter().enumerate().filter(|(_, c)| c.remembers() && c.on_event != kept)
            {
                let places =
                    (0..case.places.len()).filter(|p| criterion.entry && case.places[*p].item == criterion.item);
                let at: Vec<(usize, String)> = match criterion.entry {
                    true => places.map(|p| (p, self.place_name(p))).collect(),
                    false => case.instances_of(criterion.item).map(|i| (i, case.instances[i].name.clone())).collect(),
                };
                let condition = criterion.condition.is_some() && case.flowable() && !criterion.on_event;
                for (at, here) in at {
                    for part in 0..criterion.on.len() + usize::from(condition) {
                        let name = format!("{here}.{} part {}", criterion.name, part + 1);
                        let var = if kept { self.state(name, Domain::Bool) } else { VarId(u32::MAX) };
                        self.map.latches.insert((c, at, part), var);
                    }
                }
            }
        }
    }

    /// Scratch: memory within a step, and what some on-part listens to, for this round and the next.
    fn make_heard(&mut self) {
        let case = self.case;
        let passing: Vec<_> = self.map.latches.iter().filter(|(_, v)| v.0 == u32::MAX).map(|(k, _)| *k).collect();
        for key in passing {
            let name = format!("step: {} {} part {}", case.criteria[key.0].name, key.1, key.2 + 1);
            let var = self.scratch(name);
            self.map.latches.insert(key, var);
        }
        for part in case.criteria.iter().flat_map(|c| &c.on) {
            let Source::Items(items) = &part.source else { continue };
            for i in items.iter().flat_map(|item| case.instances_of(*item)) {
                match &part.exit_by {
                    None => self.hear(i, part.event, None),
                    Some(by) => by.iter().for_each(|c| self.hear(i, part.event, Some(*c))),
                }
            }
        }
    }

    fn hear(&mut self, i: InstIx, event: Event, by: Option<usize>) {
        if event == Event::Other || self.heard.contains_key(&(i, event, by)) {
            return;
        }
        let criterion = by.map_or(String::new(), |c| format!(" by {}", self.case.criteria[c].name));
        let name = |bank: &str| format!("step: {} of {}{criterion}, {bank}", event.name(), self.case.instances[i].name);
        let banks = [name("even"), name("odd")].map(|n| self.scratch(n));
        self.heard.insert((i, event, by), banks);
    }

    fn state(&mut self, name: String, domain: Domain) -> VarId {
        self.variable(name, domain, false)
    }

    /// A Boolean that lives within a step.
    pub(super) fn scratch(&mut self, name: String) -> VarId {
        self.variable(name, Domain::Bool, true)
    }

    fn variable(&mut self, mut name: String, domain: Domain, scratch: bool) -> VarId {
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        let init = domain.bounds().0;
        self.m.vars.push(Var { name, domain, init, scratch, slot: None });
        VarId(self.m.vars.len() as u32 - 1)
    }
}

fn enumeration(values: impl IntoIterator<Item = String>) -> Domain {
    Domain::Enum { values: values.into_iter().collect(), bottom: false }
}

fn case_states() -> Vec<State> {
    vec![State::None, State::Active, State::Completed, State::Terminated]
}

/// The states an instance of the item can be in.
pub(super) fn states(item: &Item) -> Vec<State> {
    let works = matches!(item.kind, Kind::Stage | Kind::Task(_));
    let hides = item.available_if.is_some() || item.kind == Kind::Listener { reactivate: true };
    let can = |s: &State| match s {
        State::Unavailable => hides,
        State::Enabled => item.manual != NEVER,
        State::Disabled => item.by_hand.disable,
        State::Active => works,
        State::Failed => item.by_hand.fault,
        _ => true,
    };
    State::ALL.into_iter().filter(can).collect()
}

/// The domain of a variable; equal looks of different values are told apart by quotes.
pub fn domain_of(data: &Data) -> Domain {
    if data.values == [Value::Bool(false), Value::Bool(true)] {
        return Domain::Bool;
    }
    let mut names: Vec<String> = Vec::new();
    for value in &data.values {
        let mut name = value.to_string();
        while names.contains(&name) {
            name = format!("'{name}'");
        }
        names.push(name);
    }
    enumeration(names)
}

impl Map {
    /// The code of a state, if the instance can be in it.
    pub fn code(&self, i: InstIx, state: State) -> Option<i64> {
        self.codes[i].iter().position(|s| *s == state).map(|c| c as i64)
    }

    /// The state of an instance in a snapshot.
    pub fn state_in(&self, snapshot: &[i64], i: InstIx) -> State {
        let code = snapshot.get(self.states[i].0 as usize).copied().unwrap_or(0);
        self.codes[i].get(code as usize).copied().unwrap_or(State::None)
    }
}
