//! A recorded case by the rules of GSM: the snapshots it can be in, with steps that no log shows in between.

use super::ltlf::{Id, Progress, truth};
use super::mapping::{COMPLETE, Known, Mapping, Means, Said};
use super::payload::{code, payloads};
use super::{Came, End, Judge, Kind, NOT_A_TRACE_PROPERTY, Outcome};
use crate::explain::Explainer;
use crate::interp::{Choice, Interp};
use crate::lang::gsm::{Gsm, Occurrence};
use crate::log::Event;
use crate::machine::{ExprId, SlotIx, Snapshot, VarId};
use crate::source::codes::replay as codes;
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
    gsm: &'a Gsm,
    mapping: &'a Mapping,
    sources: &'a Sources,
    /// The instance that a case is.
    slot: Option<SlotIx>,
    /// Most snapshots that a case may be in.
    frontier: usize,
    telling: bool,
}

/// The names that a model knows: events and completions of tasks, numbered by what happens.
pub fn known(gsm: &Gsm) -> Known {
    let mut known = Known::default();
    for body in &gsm.machine.bodies {
        let at = number(gsm, &body.event);
        if known.events.iter().all(|(name, _)| *name != body.event) {
            known.events.push((body.event.clone(), at));
            known.fields.insert(at, body.inputs.iter().map(|i| i.name.clone()).collect());
        }
    }
    let agents = gsm.machine.agents.iter().filter(|a| !a.sees_all);
    known.agents = gsm.app.agents.as_ref().map(|_| agents.filter_map(|a| a.name.clone()).collect());
    known
}

/// The first body of an event stands for it.
fn number(gsm: &Gsm, event: &str) -> usize {
    gsm.machine.bodies.iter().position(|b| b.event == event).unwrap_or(0)
}

impl<'a> Setting<'a> {
    /// Finds out what a case is: slot 1 of the given type, or of the only one that the environment creates.
    pub fn new(
        gsm: &'a Gsm,
        mapping: &'a Mapping,
        sources: &'a Sources,
        of_type: Option<&crate::lang::syntax::Name>,
        frontier: usize,
        telling: bool,
    ) -> Result<Setting<'a>, Diagnostic> {
        let created: Vec<&str> = gsm.machine.bounds.iter().map(|(name, _)| name.as_str()).collect();
        let ty = match (of_type, created.as_slice()) {
            (Some(name), _) => match gsm.app.types.iter().position(|t| t.id == name.text || t.name == name.text) {
                Some(ty) => Some(ty),
                None => {
                    let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, format!("unknown type '{}'", name.text));
                    return Err(d.nearest(&name.text, gsm.app.types.iter().map(|t| t.id.as_str())));
                }
            },
            (None, [one]) => gsm.app.types.iter().position(|t| t.id == *one),
            (None, _) if gsm.app.types.len() == 1 => Some(0),
            (None, _) => {
                let message = "it is not clear of which type a case is an instance";
                let d = Diagnostic::placeless(&codes::NO_CASE_TYPE, message);
                let first = created.first().copied().unwrap_or("Order");
                return Err(d.help(format!("say type = \"{first}\" under [replay] in gsmc.toml")));
            }
        };
        let slot = ty.and_then(|ty| gsm.map.slots_of(ty).next());
        Ok(Setting { gsm, mapping, sources, slot, frontier, telling })
    }
}

/// Judges cases of a GSM model.
pub struct GsmJudge<'a> {
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
    /// A top-level stage was closed by a milestone.
    closed: bool,
    silent: usize,
    told: Vec<String>,
}

/// A case under way.
pub struct Course {
    members: Vec<Member>,
    approximate: bool,
}

impl<'a> GsmJudge<'a> {
    /// A judge of cases.
    pub fn new(setting: &'a Setting<'a>, interp: &'a Interp<'a>) -> GsmJudge<'a> {
        let machine = interp.machine();
        let mut progress = Progress::default();
        let claim = |p: &crate::logic::Property<ExprId>, progress: &mut Progress<ExprId>| {
            if p.name == COMPLETE { None } else { progress.claim(p) }
        };
        let claims = machine.properties.iter().map(|p| claim(p, &mut progress)).collect();
        let hidden = |at: &ActionIx| {
            let action = &machine.actions[*at];
            let task = matches!(setting.gsm.map.occurrence(action.body), Some(Occurrence::TaskDone(..)));
            task && !setting.mapping.shows(number(setting.gsm, &machine.bodies[action.body].event))
        };
        let silent = (0..machine.actions.len()).filter(hidden).collect();
        GsmJudge { setting, interp, progress, claims, silent, known: FxHashMap::default() }
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
            let inputs = &machine.body(&machine.actions[action]).inputs;
            let (payloads, complete) = payloads(inputs, &wanted.payload);
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
        let mut told = Vec::new();
        if self.setting.telling {
            told.clone_from(&member.told);
            told.push(crate::trace::describe(interp.machine(), choice));
        }
        Member {
            closed: member.closed || self.closes(&member.now, after),
            now: after.clone(),
            left: left.into(),
            silent: member.silent + usize::from(is_silent),
            told,
        }
    }

    /// Does a top-level stage of the case close, with a milestone of it achieved?
    fn closes(&self, before: &[i64], after: &[i64]) -> bool {
        let gsm = self.setting.gsm;
        let Some(instance) = self.setting.slot.and_then(|s| gsm.map.slots.get(s.0)) else { return false };
        let at = |v: &VarId, values: &[i64]| values.get(v.0 as usize).is_some_and(|x| *x != 0);
        let ty = &gsm.app.types[instance.ty];
        ty.stages.iter().enumerate().filter(|(_, s)| s.parent.is_none()).any(|(s, stage)| {
            let open = |values| at(&instance.stages[s], values);
            let done = stage.milestones.iter().any(|m| at(&instance.milestones[*m], after));
            open(before) && !open(after) && done
        })
    }

    /// No top-level stage of the case is open.
    fn none_open(&self, now: &[i64]) -> bool {
        let gsm = self.setting.gsm;
        let Some(instance) = self.setting.slot.and_then(|s| gsm.map.slots.get(s.0)) else { return false };
        let top = gsm.app.types[instance.ty].stages.iter().zip(&instance.stages).filter(|(s, _)| s.parent.is_none());
        let mut top = top.map(|(_, v)| now.get(v.0 as usize).is_some_and(|x| *x != 0));
        !top.any(|open| open)
    }

    /// The members and what they can become by steps that no log shows, nearest first.
    fn closure(&mut self, course: &mut Course) -> Vec<Member> {
        let mut all = course.members.clone();
        all.iter_mut().for_each(|m| m.silent = 0);
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
            let attribute = fields.iter().find(|(f, _)| *f == input.name).map_or(&input.name, |(_, a)| a);
            let Some(text) = self.setting.mapping.value(event, attribute) else { continue };
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
        if let Some(agent) = self.setting.mapping.agent(event).filter(|_| self.setting.gsm.app.agents.is_some()) {
            let by = |a: &ActionIx| machine.agent_name(machine.actions[*a].agent) == agent;
            let task = |a: &ActionIx| {
                matches!(self.setting.gsm.map.occurrence(machine.actions[*a].body), Some(Occurrence::TaskDone(..)))
            };
            actions.retain(|a| by(a) || task(a));
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
        let explainer = Explainer::new(self.setting.gsm, self.interp, self.setting.sources);
        let mut reasons: Vec<String> = Vec::new();
        for action in wanted.actions.iter().filter_map(|a| machine.actions.get(*a)) {
            let why = explainer.why_refused(action, &member.now);
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        let allowed = |a: &ActionIx| {
            let action = &machine.actions[*a];
            course.members.iter().any(|m| {
                payloads(&machine.body(action).inputs, &wanted.payload).0.iter().any(|p| {
                    let leaf = |leaf: crate::machine::Leaf| match leaf {
                        crate::machine::Leaf::Prev(v) | crate::machine::Leaf::Cur(v) => m.now[v],
                        crate::machine::Leaf::Input(i) => p.get(i.0).copied().unwrap_or(0),
                    };
                    machine.exprs.eval(action.allowed, &leaf) != 0
                })
            })
        };
        let kind = if wanted.actions.iter().any(allowed) { Kind::NotApplicable } else { Kind::AgentNotAllowed };
        (kind, reasons.join("; "))
    }
}

impl Judge for GsmJudge<'_> {
    type Course = Course;

    fn start(&mut self) -> Course {
        let (interp, now) = (self.interp, self.interp.initial());
        let claims: Vec<Id> = self.claims.iter().flatten().copied().collect();
        let left = self.progress.begin(&claims, &|e| interp.holds(*e, &now));
        let first = Member { now: Rc::new(now), left: left.into(), closed: false, silent: 0, told: Vec::new() };
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
        let then = course.members.first_mut().map(|m| std::mem::take(&mut m.told)).unwrap_or_default();
        course.members.iter_mut().for_each(|m| m.told.clear());
        Outcome { event: name, what: Came::Accepted(Vec::new()), then }
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
            None => m.closed && self.none_open(&m.now),
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
        End { completed, approximate: course.approximate, at_end: BTreeMap::new(), properties }
    }
}
