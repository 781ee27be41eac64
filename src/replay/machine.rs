//! A recorded case as a run of a machine: the snapshots it can be in, with steps that no log shows in between.

use super::ltlf::{Id, Progress, truth};
use super::mapping::{COMPLETE, Known, Mapping, Means, Said};
use super::payload::{code, payloads};
use super::{Came, End, Judge, Kind, NOT_A_TRACE_PROPERTY, Outcome};
use crate::explain::Explainer;
use crate::interp::{Choice, Interp};
use crate::lang::Lens;
use crate::lang::syntax::Name;
use crate::log::Event;
use crate::machine::calendar::WHEN;
use crate::machine::{BodyIx, ExprId, Input, Machine, SlotIx, Snapshot};
use crate::source::{Diagnostic, Sources};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Position in the machine's actions.
type ActionIx = usize;

/// Steps that are remembered; then everything is forgotten.
const MOST_KNOWN: usize = 20_000;

/// What a case is, and who can do what to it.
pub struct Setting<'a> {
    lens: &'a dyn Lens,
    mapping: &'a Mapping,
    sources: &'a Sources,
    /// The instance that a case is.
    slot: Option<SlotIx>,
    /// Most snapshots that a case may be in.
    frontier: usize,
    telling: bool,
}

/// The names that a model knows: events, messages and completions of tasks, numbered by what happens.
pub fn known(lens: &dyn Lens) -> Known {
    let machine: &Machine = lens.machine();
    let mut known = Known::default();
    for body in &machine.bodies {
        let at = number(machine, &body.event);
        if known.events.iter().all(|(name, _)| *name != body.event) {
            known.events.push((body.event.clone(), at));
            let name = |i: &Input| i.name.strip_suffix(WHEN).unwrap_or(&i.name).to_string();
            known.fields.insert(at, body.inputs.iter().filter(|i| body.means(i, &name(i))).map(name).collect());
        }
    }
    known.events.extend(short(&known.events));
    let messages = BodyIx::all(&machine.bodies).filter_map(|b| Some((lens.cases()?.message(b)?, b)));
    let tasks = BodyIx::all(&machine.bodies).filter_map(|b| Some((lens.cases()?.task(b)?, b)));
    for (task, body) in messages.chain(tasks) {
        if known.events.iter().all(|(name, _)| *name != task) {
            known.events.push((task, number(machine, &machine.bodies[body].event)));
        }
    }
    let agents: Vec<String> = people(machine).collect();
    known.agents = (!agents.is_empty()).then_some(agents);
    known
}

/// `accident` for `GARAGE.accident`, where that is the only one.
fn short(events: &[(String, usize)]) -> Vec<(String, usize)> {
    let last = |name: &str| name.rsplit_once('.').map(|(_, last)| last.to_string());
    let all: Vec<(String, usize)> = events.iter().filter_map(|(name, at)| Some((last(name)?, *at))).collect();
    let once = |(name, _): &&(String, usize)| {
        all.iter().filter(|(other, _)| other == name).count() == 1 && events.iter().all(|(other, _)| other != name)
    };
    all.iter().filter(once).cloned().collect()
}

/// The agents that a log can name.
fn people(machine: &Machine) -> impl Iterator<Item = String> {
    machine.agents.iter().filter(|a| !a.sees_all).filter_map(|a| a.name.clone())
}

/// The first body of an event stands for it.
fn number(machine: &Machine, event: &str) -> usize {
    machine.bodies.iter().position(|b| b.event == event).unwrap_or(0)
}

impl<'a> Setting<'a> {
    /// Finds out what a case is.
    pub fn new(
        lens: &'a dyn Lens,
        mapping: &'a Mapping,
        sources: &'a Sources,
        of_type: Option<&Name>,
        frontier: usize,
        telling: bool,
    ) -> Result<Setting<'a>, Diagnostic> {
        let slot = lens.cases().map_or(Ok(None), |cases| cases.case(of_type))?;
        Ok(Setting { lens, mapping, sources, slot, frontier, telling })
    }

    /// May a log leave out what an action does?
    fn is_silent(&self, at: ActionIx) -> bool {
        let body = self.lens.machine().actions.get(at).map(|a| a.body);
        body.is_some_and(|body| self.lens.cases().is_some_and(|c| c.is_silent(body)))
    }
}

/// Judges cases of a machine.
pub struct MachineJudge<'a> {
    setting: &'a Setting<'a>,
    interp: &'a Interp<'a>,
    progress: Progress<ExprId>,
    claims: Vec<Option<Id>>,
    /// Actions that no log shows.
    silent: Vec<ActionIx>,
    known: FxHashMap<(Rc<Snapshot>, Rc<Wanted>), Steps>,
}

/// The steps of a snapshot, each with what was chosen, and whether all were tried.
type Steps = Rc<(Vec<(Rc<Snapshot>, Choice)>, bool)>;

/// A move that some action may make.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Wanted {
    actions: Vec<ActionIx>,
    /// Payload by field; what is missing is free.
    payload: Vec<(String, i64)>,
}

/// A snapshot that a case may be in.
#[derive(Clone, Debug)]
struct Member {
    now: Rc<Snapshot>,
    left: Rc<[Id]>,
    /// Something of the case has come to its end.
    closed: bool,
    silent: usize,
    /// Per event that was accepted, the steps in words, where the run is asked for.
    told: Vec<Vec<String>>,
    /// All its steps, where the run is asked for.
    made: Vec<Choice>,
}

/// A case under way.
pub struct Course {
    members: Vec<Member>,
    approximate: bool,
}

impl<'a> MachineJudge<'a> {
    /// A judge of cases.
    pub fn new(setting: &'a Setting<'a>, interp: &'a Interp<'a>) -> MachineJudge<'a> {
        let machine = interp.machine();
        let mut progress = Progress::default();
        let claim = |p: &crate::logic::Property<ExprId>, progress: &mut Progress<ExprId>| {
            if p.name == COMPLETE { None } else { progress.claim(p) }
        };
        let claims = machine.properties.iter().map(|p| claim(p, &mut progress)).collect();
        let shown = |at: &ActionIx| setting.mapping.shows(number(machine, &machine.body(&machine.actions[*at]).event));
        let hidden = |at: &ActionIx| setting.is_silent(*at) && !shown(at);
        let silent = (0..machine.actions.len()).filter(hidden).collect();
        MachineJudge { setting, interp, progress, claims, silent, known: FxHashMap::default() }
    }

    /// Every way to make a move.
    fn steps(&mut self, now: &Rc<Snapshot>, wanted: &Rc<Wanted>) -> Steps {
        let key = (now.clone(), wanted.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let machine = self.interp.machine();
        let mut found: Vec<(Rc<Snapshot>, Choice)> = Vec::new();
        let mut all = true;
        for &action in &wanted.actions {
            let (payloads, complete) = payloads(self.interp, machine.actions[action].body, now, &wanted.payload);
            all &= complete;
            for inputs in payloads {
                let choice = Choice::Act { action, inputs };
                if let Some(step) = self.interp.step(now, &choice) {
                    found.push((Rc::new(step.after), choice));
                }
            }
        }
        let steps = Rc::new((found, all));
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, steps.clone());
        steps
    }

    fn follow(&mut self, member: &Member, after: &Rc<Snapshot>, choice: &Choice, is_silent: bool) -> Member {
        let interp = self.interp;
        let left = self.progress.next(&member.left, &|e| interp.holds(*e, after));
        let (mut told, mut made) = (Vec::new(), Vec::new());
        if self.setting.telling {
            told.clone_from(&member.told);
            if let Some(last) = told.last_mut() {
                last.push(crate::trace::describe(interp.machine(), choice));
            }
            made.clone_from(&member.made);
            made.push(choice.clone());
        }
        Member {
            closed: member.closed || self.ends(&member.now, after),
            now: after.clone(),
            left: left.into(),
            silent: member.silent + usize::from(is_silent),
            told,
            made,
        }
    }

    /// Does a step bring something of the case to its end?
    fn ends(&self, before: &[i64], after: &[i64]) -> bool {
        self.setting.lens.cases().is_none_or(|c| c.ends(self.setting.slot, before, after))
    }

    /// Is nothing of the case under way, or else can nothing happen any more?
    fn rests(&self, now: &Snapshot) -> bool {
        match self.setting.lens.cases() {
            Some(cases) => cases.rests(self.setting.slot, now),
            None => {
                self.interp.some_choices(now).0.iter().all(|c| self.interp.step(now, c).is_none_or(|s| s.after == *now))
            }
        }
    }

    /// The members and what they can become by steps that no log shows, nearest first.
    fn closure(&mut self, course: &mut Course) -> Vec<Member> {
        let mut all = course.members.clone();
        for member in &mut all {
            member.silent = 0;
            member.told.extend(self.setting.telling.then(Vec::new));
        }
        let wanted = Rc::new(Wanted { actions: self.silent.clone(), payload: Vec::new() });
        let mut from = 0;
        for _ in 0..self.setting.mapping.silent {
            let until = all.len();
            for at in from..until {
                let member = all[at].clone();
                let steps = self.steps(&member.now, &wanted);
                course.approximate |= !steps.1;
                for (after, choice) in &steps.0 {
                    let next = self.follow(&member, after, choice, true);
                    self.add(next, &mut all, course);
                }
            }
            from = until;
        }
        all
    }

    /// Adds a member that is not there yet; the nearest are kept.
    fn add(&self, member: Member, to: &mut Vec<Member>, course: &mut Course) {
        let same = |m: &Member| m.now == member.now && m.left == member.left && m.closed == member.closed;
        if to.iter().any(same) {
            return;
        }
        if to.len() >= self.setting.frontier {
            course.approximate = true;
            return;
        }
        to.push(member);
    }

    /// The actions and payload that a log event stands for, or why there are none.
    fn wanted(&self, event: &Event, at: usize, fields: &[(String, String)]) -> Result<Wanted, (Kind, String)> {
        let machine = self.interp.machine();
        let name = &machine.bodies[at].event;
        let mut payload = Vec::new();
        for input in &machine.bodies[at].inputs {
            let field = input.name.strip_suffix(WHEN).unwrap_or(&input.name);
            let attribute = fields.iter().find(|(f, _)| *f == field).map_or(field, |(_, a)| a);
            let carried = self.setting.mapping.value(event, attribute);
            let Some(text) = carried.filter(|_| machine.bodies[at].means(input, field)) else { continue };
            match code(input, &text) {
                Some(code) => payload.push((input.name.clone(), code)),
                None => {
                    let domain = crate::lang::summary::domain_text(&input.domain);
                    return Err((Kind::WrongValue, format!("'{text}' is no value of {}: {domain}", input.name)));
                }
            }
        }
        let targets = |a: &ActionIx| machine.bodies[machine.actions[*a].body].target;
        let named = (0..machine.actions.len()).filter(|a| machine.body(&machine.actions[*a]).event == *name);
        let mut actions: Vec<ActionIx> = named.collect();
        if actions.iter().any(|a| targets(a) == self.setting.slot) {
            actions.retain(|a| targets(a) == self.setting.slot);
        }
        if let Some(agent) = self.setting.mapping.agent(event).filter(|_| people(machine).next().is_some()) {
            let by = |a: &ActionIx| machine.agent_name(machine.actions[*a].agent) == agent;
            actions.retain(|a| by(a) || self.setting.is_silent(*a));
            if actions.is_empty() {
                return Err((Kind::AgentNotAllowed, format!("{agent} may not send {name}")));
            }
        }
        Ok(Wanted { actions, payload })
    }

    /// Why no member allows the move: an agent who may not now, or the model.
    fn refusal(&self, course: &Course, wanted: &Wanted) -> (Kind, String) {
        let machine = self.interp.machine();
        let Some(member) = course.members.first() else { return (Kind::NotApplicable, String::new()) };
        let explainer = Explainer::new(self.setting.lens, self.interp, self.setting.sources);
        let mut reasons: Vec<String> = Vec::new();
        for action in wanted.actions.iter().filter_map(|a| machine.actions.get(*a)) {
            let mut why = explainer.why_refused(action, &member.now);
            let inputs = payloads(self.interp, action.body, &member.now, &wanted.payload).0.into_iter().next();
            if let Some(unmet) = inputs.and_then(|inputs| explainer.unmet(action, &member.now, &inputs)) {
                why += &format!(": {unmet} does not hold");
            }
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        let allowed = |a: &ActionIx| {
            let action = &machine.actions[*a];
            course.members.iter().any(|m| {
                payloads(self.interp, action.body, &m.now, &wanted.payload).0.iter().any(|p| {
                    let leaf = |leaf: crate::machine::Leaf| match leaf {
                        crate::machine::Leaf::Prev(v) | crate::machine::Leaf::Cur(v) => m.now[v],
                        crate::machine::Leaf::Input(i) => p.get(i.0).copied().unwrap_or(0),
                    };
                    machine.exprs.eval(action.allowed, &leaf) != 0
                })
            })
        };
        // Where agents have protocols of their own, it may be them who forbid it.
        let by_model = self.setting.lens.cases().is_none() || wanted.actions.iter().any(allowed);
        let kind = if by_model { Kind::NotApplicable } else { Kind::AgentNotAllowed };
        (kind, reasons.join("; "))
    }
}

impl Judge for MachineJudge<'_> {
    type Course = Course;

    fn start(&mut self) -> Course {
        let (interp, now) = (self.interp, self.interp.initial());
        let claims: Vec<Id> = self.claims.iter().flatten().copied().collect();
        let left = self.progress.begin(&claims, &|e| interp.holds(*e, &now));
        let first = Member {
            now: Rc::new(now),
            left: left.into(),
            closed: false,
            silent: 0,
            told: Vec::new(),
            made: Vec::new(),
        };
        Course { members: vec![first], approximate: false }
    }

    fn step(&mut self, course: &mut Course, event: &Event) -> Outcome {
        let refuse = |event: &str, kind, reason| Outcome {
            event: event.to_string(),
            what: Came::Deviates(kind, reason),
            then: Vec::new(),
        };
        let (at, fields) = match self.setting.mapping.said(event) {
            Said::Nothing => return Outcome { event: event.activity.clone(), ..Outcome::default() },
            Said::Means(Means::Event(at, fields)) => (*at, fields.clone()),
            Said::Means(Means::Item(..)) | Said::Unknown => {
                let near = self.setting.mapping.nearest(&event.activity);
                let reason = format!("'{}' is no event of the model{near}", event.activity);
                return refuse(&event.activity, Kind::UnknownEvent, reason);
            }
        };
        let name = self.interp.machine().bodies[at].event.clone();
        let wanted = match self.wanted(event, at, &fields) {
            Ok(wanted) => Rc::new(wanted),
            Err((kind, reason)) => return refuse(&name, kind, reason),
        };
        let reached = self.closure(course);
        let mut after = Vec::new();
        for member in &reached {
            let steps = self.steps(&member.now, &wanted);
            course.approximate |= !steps.1;
            for (now, choice) in &steps.0 {
                let next = self.follow(member, now, choice, false);
                self.add(next, &mut after, course);
            }
        }
        if after.is_empty() {
            let (kind, reason) = self.refusal(course, &wanted);
            return refuse(&name, kind, reason);
        }
        course.members = after;
        // What came of it is told at the end: later events may show that it was something else.
        Outcome { event: name, what: Came::Accepted(Vec::new()), then: Vec::new() }
    }

    fn pass(&self, event: &Event) {
        self.setting.mapping.said(event);
    }

    fn reason(&mut self, _: &Course, _: usize, _: &'static str) -> String {
        String::new()
    }

    fn stage(&self, _: usize) -> String {
        String::new()
    }

    fn verdict(&self, _: bool) -> Option<&'static str> {
        None
    }

    fn is_completed(&self, course: &Course) -> bool {
        let machine = self.interp.machine();
        let formula = machine.properties.iter().find(|p| p.name == COMPLETE).map(|p| &p.formula);
        course.members.iter().any(|m| match formula {
            Some(f) => truth(f, &|e| self.interp.holds(*e, &m.now)),
            None => m.closed && self.rests(&m.now),
        })
    }

    fn finish(&mut self, mut course: Course) -> End {
        // A case may come to its end by steps that no log shows.
        let ends = Course { members: self.closure(&mut course), approximate: false };
        let completed = self.is_completed(&ends);
        let mut properties = BTreeMap::new();
        let mut position = 0;
        for (p, claim) in self.interp.machine().properties.iter().zip(&self.claims) {
            if p.name == COMPLETE {
                continue;
            }
            let said = match claim {
                None => NOT_A_TRACE_PROPERTY.to_string(),
                Some(_) => {
                    let judged: Vec<_> = course.members.iter().filter_map(|m| m.left.get(position)).copied().collect();
                    position += 1;
                    let judged: Vec<_> = judged.into_iter().map(|left| self.progress.judge(left)).collect();
                    let best = judged.iter().find(|j| j.holds).or(judged.first());
                    best.map(|j| j.words()).unwrap_or_default()
                }
            };
            properties.insert(p.name.clone(), said);
        }
        let (choices, told) = course.members.into_iter().next().map(|m| (m.made, m.told)).unwrap_or_default();
        End { completed, approximate: course.approximate, at_end: BTreeMap::new(), properties, choices, told }
    }
}
