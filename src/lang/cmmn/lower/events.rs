//! One body per outside event and instance.

use super::emit::{Choice, Emit};
use super::{Does, Happening, Lower};
use crate::lang::cmmn::model::{DataIx, Event, InstIx, Kind, NEVER, State};
use crate::machine::{Action, AgentIx, Assign, Body, BodyIx, CompareOp, ExprId, FALSE, Rule, TRUE, VarId};

impl Lower<'_> {
    pub(super) fn make_bodies(&mut self) {
        self.body(Happening::StartCase);
        let case = self.case;
        for i in 1..case.instances.len() {
            let (item, hand) = (case.item_of(i), case.item_of(i).by_hand);
            let stays = item.task().is_none_or(|t| t.waits != NEVER);
            if stays && item.task().is_some_and(|t| t.completable) {
                self.body(Happening::Complete(i));
            }
            if item.manual != NEVER {
                self.body(Happening::ManualStart(i));
            }
            if item.kind == (Kind::Listener { reactivate: false }) {
                self.body(Happening::Occur(i));
            }
            let hands = [(stays && hand.fault, Event::Fault), (stays && hand.terminate, Event::Terminate)];
            let aside = [(hand.disable, Event::Disable), (hand.disable, Event::Reenable)];
            for (_, event) in hands.into_iter().chain(aside).filter(|(may, _)| *may) {
                self.body(Happening::Hand(event, i));
            }
            let first = case.instances[i].place.is_some_and(|p| case.places[p].slots[0] == i);
            if item.planning.is_some() && first {
                self.body(Happening::Plan(i));
            }
        }
        for i in (0..case.instances.len()).filter(|i| case.item_of(*i).by_hand.complete) {
            self.body(Happening::Complete(i));
        }
        for (f, file) in case.files.iter().enumerate() {
            self.body(Happening::File(Event::Create, f));
            for &event in &file.waited {
                self.body(Happening::File(event, f));
            }
        }
        for v in (0..case.data.len()).filter(|_| case.data_any) {
            self.body(Happening::Set(v));
        }
    }

    fn body(&mut self, happening: Happening) {
        let most = self.most_rounds;
        let event = self.event_name(happening);
        let mut e = Emit::new(self);
        let applicable = e.applicable(happening);
        if applicable == FALSE {
            return;
        }
        e.assume_before(happening);
        e.happen(happening);
        e.end_event();
        let (rounds, cut) = e.rounds(most);
        e.witness();
        let Emit { effect, rules, inputs, marks, .. } = e;
        let finish = self.undo(&effect, &rules);
        let body = BodyIx::next(&self.m.bodies);
        self.marks.extend(marks.into_iter().map(|(does, rule)| (does, body, rule)));
        self.m.bodies.push(Body {
            event,
            target: None,
            inputs,
            effect,
            applicable,
            rules,
            finish,
            components: Vec::new(),
        });
        let agent = self.who(happening);
        self.m.actions.push(Action { agent, body, allowed: TRUE, updates: Vec::new() });
        self.map.happenings.push(happening);
        self.map.rounds = self.map.rounds.max(rounds);
        self.map.cut |= cut;
    }

    /// Who makes it happen: whom the item names, else everybody's agent.
    fn who(&self, happening: Happening) -> AgentIx {
        use Happening::*;
        let case = self.case;
        let item = match happening {
            Complete(i) | ManualStart(i) | Occur(i) | Hand(_, i) => Some(case.item_of(i)),
            _ => None,
        };
        let performer = item.and_then(|i| i.performer.as_ref());
        let own = performer.and_then(|name| case.roles.iter().position(|role| role == name));
        AgentIx(own.unwrap_or(case.roles.len()))
    }

    /// What an event is called.
    pub(super) fn event_name(&self, happening: Happening) -> String {
        let case = self.case;
        let name = |i: InstIx| case.instances[i].name.as_str();
        match happening {
            Happening::StartCase => "start case".into(),
            Happening::Complete(i) => format!("complete {}", name(i)),
            Happening::ManualStart(i) => format!("manual start {}", name(i)),
            Happening::Occur(i) => format!("occur {}", name(i)),
            Happening::Hand(event, i) => format!("{} {}", event.name(), name(i)),
            Happening::Plan(i) => format!("plan {}", name(i)),
            Happening::File(event, f) => format!("file {} {}", event.name(), case.files[f].name),
            Happening::Set(v) => format!("set {}", case.data[v].name),
        }
    }

    /// Steps that are refused or never end lead back to where they began.
    fn undo(&mut self, effect: &[Assign], rules: &[Rule]) -> Vec<Assign> {
        let writes = |v: VarId| rules.iter().any(|r| r.target == v);
        let flag = |l: &mut Self, name: &str| l.known(name).filter(|v| writes(*v)).map(|v| l.m.exprs.cur(v));
        let (refused, unsettled) = (flag(self, "refused"), flag(self, "unsettled"));
        let undone = self.m.exprs.or([refused, unsettled].into_iter().flatten());
        if undone == FALSE {
            return Vec::new();
        }
        let written: std::collections::BTreeSet<VarId> =
            effect.iter().map(|a| a.var).chain(rules.iter().map(|r| r.target)).collect();
        let mut finish = Vec::new();
        let kept: Vec<VarId> = written.into_iter().filter(|v| !self.m.var(*v).scratch).collect();
        for var in kept {
            let (prev, cur) = (self.m.exprs.prev(var), self.m.exprs.cur(var));
            finish.push(Assign { var, value: self.m.exprs.ite(undone, prev, cur) });
        }
        if let Some(unsettled) = unsettled {
            let not = refused.map_or(TRUE, |r| self.m.exprs.not(r));
            finish.push(Assign { var: self.map.endless, value: self.m.exprs.and([unsettled, not]) });
        }
        finish
    }
}

impl Emit<'_, '_> {
    fn before(&mut self, i: InstIx, wanted: State) -> ExprId {
        let Some(code) = self.l.map.code(i, wanted) else { return FALSE };
        let (prev, code) = (self.l.m.exprs.prev(self.l.map.states[i]), self.l.m.exprs.int(code));
        self.l.m.exprs.compare(CompareOp::Eq, prev, code)
    }

    /// May it happen? Conditions that are asked read what is now, which is what was before: nothing has been done yet.
    fn applicable(&mut self, happening: Happening) -> ExprId {
        let case = self.l.case;
        let endless = self.l.m.exprs.prev(self.l.map.endless);
        let fine = self.not(endless);
        let here = match happening {
            Happening::StartCase => self.before(0, State::None),
            Happening::Complete(i) if case.item_of(i).is_container() => {
                let active = self.before(i, State::Active);
                let able = self.completion(i, None).0;
                let able = self.l.earlier(able);
                self.and([active, able])
            }
            Happening::Complete(i) => self.before(i, State::Active),
            Happening::ManualStart(i) => self.before(i, State::Enabled),
            Happening::Occur(i) => self.before(i, State::Available),
            Happening::Hand(Event::Fault | Event::Terminate, i) => self.before(i, State::Active),
            Happening::Hand(Event::Disable, i) => self.before(i, State::Enabled),
            Happening::Hand(_, i) => self.before(i, State::Disabled),
            Happening::Plan(i) => {
                let container = case.instances[i].container.unwrap_or(0);
                let (active, plannable) = (self.before(container, State::Active), self.plannable(i));
                let plannable = self.l.earlier(plannable);
                self.and([active, plannable])
            }
            Happening::File(event, f) => {
                let active = self.before(0, State::Active);
                let (prev, code) = (self.l.m.exprs.prev(self.l.map.files[f]), |e: &mut Self, c| e.l.m.exprs.int(c));
                let (absent, present) = (code(self, 0), code(self, 1));
                let absent = self.l.m.exprs.compare(CompareOp::Eq, prev, absent);
                let present = self.l.m.exprs.compare(CompareOp::Eq, prev, present);
                let state = match event {
                    Event::Create if case.files[f].many => return self.and([fine, active]),
                    Event::Create => absent,
                    _ => present,
                };
                self.and([active, state])
            }
            Happening::Set(_) => self.before(0, State::Active),
        };
        self.and([fine, here])
    }

    /// What is known when it happens.
    fn assume_before(&mut self, happening: Happening) {
        let (at, state) = match happening {
            Happening::StartCase => (0, State::None),
            Happening::Complete(i) => (i, State::Active),
            Happening::ManualStart(i) | Happening::Hand(Event::Disable, i) => (i, State::Enabled),
            Happening::Occur(i) => (i, State::Available),
            Happening::Hand(Event::Reenable, i) => (i, State::Disabled),
            Happening::Hand(_, i) => (i, State::Active),
            Happening::Plan(i) => (i, State::None),
            Happening::File(..) | Happening::Set(_) => (0, State::Active),
        };
        let mut knows = |i: InstIx, s: State| {
            let code = self.l.map.code(i, s).unwrap_or(0);
            self.may[self.l.map.states[i].0 as usize] = 1 << code;
        };
        knows(at, state);
        self.l.case.around(at).collect::<Vec<_>>().into_iter().for_each(|a| knows(a, State::Active));
        self.may[self.l.map.endless.0 as usize] = 1;
        if happening == Happening::StartCase {
            for var in self.l.m.state_ids() {
                self.may[var.0 as usize] = 1;
            }
        }
    }

    /// The event writes variables: inputs that are simply stored.
    fn store(&mut self, variables: &[DataIx]) {
        let case = self.l.case;
        for &v in variables {
            let var = self.l.map.data[v];
            let domain = self.l.m.var(var).domain.clone();
            self.may[var.0 as usize] = super::emit::full(&domain);
            let value = self.choice(Choice::Data(0, v), || case.data[v].name.clone(), domain);
            self.effect.push(Assign { var, value });
            self.note_written(var);
        }
    }

    /// The event's own operations.
    fn happen(&mut self, happening: Happening) {
        let case = self.l.case;
        match happening {
            Happening::StartCase => {
                self.store(&case.start_writes);
                self.assign(Does::Becomes(0, State::Active, Event::Start), self.l.map.states[0], 1);
                self.open(0);
            }
            Happening::Complete(0) => self.end_case(State::Completed),
            Happening::Complete(i) => {
                if let Some(task) = case.item_of(i).task() {
                    self.store(&task.writes);
                }
                self.complete(i);
            }
            Happening::ManualStart(i) => {
                self.start(i, if case.flowable() { Event::Start } else { Event::ManualStart });
            }
            Happening::Occur(i) => {
                let rule = case.item_of(i).repetition.as_ref().map(|r| r.rule);
                let again = rule.map_or(FALSE, |r| self.condition(r, i));
                self.mark(Does::Occurs(i), TRUE);
                self.branch(
                    again,
                    |e| {
                        e.record(i, Event::Occur, None, TRUE);
                        e.note_done(i);
                        e.count(case.instances[i].place.unwrap_or(0));
                    },
                    |e| e.becomes(i, State::Completed, Event::Occur, None),
                );
            }
            Happening::Hand(Event::Terminate, i) => self.terminate(i),
            Happening::Hand(event, i) => {
                let state = match event {
                    Event::Fault => State::Failed,
                    Event::Disable => State::Disabled,
                    _ => State::Enabled,
                };
                self.becomes(i, state, event, None);
            }
            Happening::Plan(i) => self.create(i),
            Happening::File(event, f) => {
                let name = &case.files[f].name;
                let below = |v: &DataIx| {
                    let rest = case.data[*v].name.strip_prefix(name.as_str());
                    rest.is_some_and(|r| r.is_empty() || r.starts_with(['.', '[']))
                };
                let written: Vec<DataIx> = (0..case.data.len()).filter(below).collect();
                self.store(&written);
                self.assign(Does::Nothing, self.l.map.files[f], if event == Event::Delete { 2 } else { 1 });
                self.file = Some((f, event));
            }
            Happening::Set(v) => self.store(&[v]),
        }
    }

    /// In a body whose step may be undone, what happened is told by rules at its end.
    fn witness(&mut self) {
        let flags: Vec<VarId> = ["refused", "unsettled"].iter().filter_map(|n| self.l.known(n)).collect();
        let flags: Vec<VarId> = flags.into_iter().filter(|v| self.rules.iter().any(|r| r.target == *v)).collect();
        if flags.is_empty() {
            return;
        }
        let marks = std::mem::take(&mut self.marks);
        let mut witnesses: std::collections::BTreeMap<Does, VarId> = std::collections::BTreeMap::new();
        let mut rules = Vec::new();
        for (ix, rule) in std::mem::take(&mut self.rules).into_iter().enumerate() {
            for (does, _) in marks.iter().filter(|(_, at)| *at == ix) {
                let next = witnesses.len();
                let witness = *witnesses.entry(*does).or_insert_with(|| self.l.named(&format!("witness {next}")));
                let origin = self.l.origin(Does::Nothing);
                rules.push(Rule { origin, target: witness, value: TRUE, ..rule.clone() });
            }
            rules.push(rule);
        }
        let mut fine = Vec::new();
        for flag in flags {
            let flag = self.l.m.exprs.cur(flag);
            fine.push(self.not(flag));
        }
        let fine = self.and(fine);
        for (does, witness) in witnesses {
            let seen = self.l.m.exprs.cur(witness);
            let antecedent = self.and([seen, fine]);
            self.marks.push((does, rules.len()));
            let origin = self.l.origin(Does::Nothing);
            rules.push(Rule { origin, prerequisite: TRUE, antecedent, target: witness, value: TRUE });
        }
        self.rules = rules;
    }
}
