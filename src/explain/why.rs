//! `why NAME` and `whynot NAME`: questions about one status attribute, variable or event.

use super::{Card, Change, Explainer, Explanation};
use crate::interp::Choice;
use crate::machine::show;
use crate::machine::{Action, ExprId, Leaf, Machine, Node, Snapshot, VarId};
use crate::source::nearest;

/// An answer about one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<'e> {
    /// The variable.
    pub name: String,
    /// How it changed in the step; `None`: it did not.
    pub change: Option<&'e Change>,
    /// What the answer rests on.
    pub why: Why<'e>,
}

/// What changed a variable, or what might have.
#[derive(Clone, Debug, PartialEq)]
pub enum Why<'e> {
    /// Rules: those that fired (`why`), or those that could have and did not (`whynot`).
    Rules(Vec<&'e Card>),
    /// The event's immediate effect.
    Event,
    /// The end of the step: tasks and private variables.
    End,
    /// Its instance does not exist.
    NoInstance,
    /// No rule writes it that way.
    NoRule,
}

impl Explanation {
    /// What made a variable change in this step.
    pub fn why(&self, name: &str) -> Answer<'_> {
        let find = |list: &[Change]| list.iter().any(|c| c.name == name);
        let fired: Vec<&Card> = self.rules.iter().filter(|c| c.fired && c.target == name).collect();
        let why = if !fired.is_empty() {
            Why::Rules(fired)
        } else if find(&self.immediate) {
            Why::Event
        } else if find(&self.finish) {
            Why::End
        } else {
            Why::NoRule
        };
        Answer { name: name.into(), change: self.changes.iter().find(|c| c.name == name), why }
    }

    /// Why a status attribute did not get the opposite of the value it has: the rules that would have done it.
    pub fn why_not(&self, name: &str) -> Answer<'_> {
        let now = self.after.get(name).cloned().unwrap_or(false.into());
        let slot = name.split_once('.').map_or(name, |(slot, _)| slot);
        let candidates: Vec<&Card> = self.rules.iter().filter(|c| c.target == name && c.value != now).collect();
        let exists = self.after.get(&format!("{slot}.created")).and_then(|v| v.as_bool());
        let why = match exists {
            Some(false) => Why::NoInstance,
            _ if candidates.is_empty() => Why::NoRule,
            _ => Why::Rules(candidates),
        };
        Answer { name: name.into(), change: self.changes.iter().find(|c| c.name == name), why }
    }
}

/// The variables a query means: by full name (`T[1].S`), by the part after the slot (`S`), or with the type (`T.S`). Otherwise the
/// nearest names.
pub fn variables(m: &Machine, query: &str, hidden: impl Fn(VarId) -> bool) -> Result<Vec<VarId>, Vec<String>> {
    let short = |name: &str| name.split_once('.').map_or(name.to_string(), |(_, rest)| rest.to_string());
    let typed = |name: &str| match (name.find('['), name.find("].")) {
        (Some(a), Some(b)) if a < b => format!("{}{}", &name[..a], &name[b + 1..]),
        _ => name.to_string(),
    };
    let all: Vec<VarId> = m.state_ids().filter(|v| !hidden(*v)).collect();
    for form in [|n: &str| n.to_string(), short, typed] {
        let found: Vec<VarId> = all.iter().copied().filter(|v| form(&m.var(*v).name) == query).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let mut names: Vec<String> = all.iter().map(|v| short(&m.var(*v).name)).collect();
    names.extend(m.bodies.iter().map(|b| b.event.clone()));
    names.sort();
    names.dedup();
    Err(nearest(query, names.iter().map(String::as_str)))
}

/// An action that is not possible in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refused {
    /// Who would send it.
    pub agent: String,
    /// The event.
    pub event: String,
    /// The slot it would happen to.
    pub target: Option<String>,
    /// Why it cannot.
    pub why: String,
}

impl Explainer<'_> {
    /// The variables a query means (see [`variables`]); otherwise the nearest names, those of the model first.
    pub fn variables(&self, query: &str) -> Result<Vec<VarId>, Vec<String>> {
        variables(self.machine(), query, |v| self.lens.is_internal(v)).map_err(|near| {
            let names = self.lens.names();
            let mut all = nearest(query, names.iter().map(String::as_str));
            all.extend(near.into_iter().filter(|n| !names.iter().any(|name| n.trim_matches('\'') == name)));
            all
        })
    }

    /// What last happened on a run to something that the model names, and why. `None`: the rules say it.
    pub fn account(&self, name: &str, run: &[Snapshot], choices: &[Choice]) -> Option<String> {
        let (last, before) = run.split_last()?;
        let happened = |(i, (before, choice)): (usize, (&Snapshot, &Choice))| {
            let Choice::Act { action, .. } = choice else { return None };
            let body = self.machine().actions.get(*action)?.body;
            let fired = self.interp.step(before, choice)?.fired;
            Some(format!("Step {}: {}", i + 1, self.lens.happened(name, before, body, &fired)?))
        };
        let steps: Vec<(&Snapshot, &Choice)> = before.iter().zip(choices).collect();
        let found = steps.into_iter().enumerate().rev().find_map(happened);
        found.or_else(|| self.lens.tells_happenings().then(|| self.stands(name, last)).flatten())
    }

    /// Where something that the model names stands, and what it waits for.
    pub fn stands(&self, name: &str, snapshot: &Snapshot) -> Option<String> {
        self.lens.stands(name, snapshot)
    }

    /// Every action that is not among the possible choices of a snapshot, with the reason.
    pub fn refused(&self, snapshot: &Snapshot, possible: &[Choice]) -> Vec<Refused> {
        let m = self.machine();
        let mut offered = vec![false; m.actions.len()];
        for choice in possible {
            if let Choice::Act { action, .. } = choice
                && let Some(entry) = offered.get_mut(*action)
            {
                *entry = true;
            }
        }
        let actions = m.actions.iter().zip(offered).filter(|(_, offered)| !offered).map(|(a, _)| a);
        let refused = |a: &Action| Refused {
            agent: m.agent_name(a.agent).to_string(),
            event: m.body(a).event.clone(),
            target: m.body(a).target.map(|t| m.slots[t].name.clone()),
            why: self.why_refused(a, snapshot),
        };
        actions.map(refused).collect()
    }

    /// Why an event cannot be sent in a snapshot, agent by agent and slot by slot; empty when no event has that name.
    pub fn event_refused(&self, snapshot: &Snapshot, event: &str) -> Vec<String> {
        let m = self.machine();
        let possible = self.interp.choices(snapshot);
        let offered =
            |index: usize| possible.iter().any(|c| matches!(c, Choice::Act { action, .. } if *action == index));
        let mut lines = Vec::new();
        for (index, action) in m.actions.iter().enumerate().filter(|(_, a)| m.body(a).event == event) {
            let body = m.body(action);
            let place = body.target.map(|t| format!(" at {}", m.slots[t].name)).unwrap_or_default();
            let who = m.agents[action.agent].name.as_deref().unwrap_or("anyone");
            let line = if offered(index) {
                format!("{who}: {event}{place} is possible")
            } else {
                format!("{who}: {event}{place} is not possible: {}", self.why_refused(action, snapshot))
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The first condition of an action that fails whatever the payload.
    pub fn why_refused(&self, action: &Action, snapshot: &Snapshot) -> String {
        let m = self.machine();
        let body = m.body(action);
        if let Some(why) = self.lens.why_not(action.body, snapshot) {
            return why;
        }
        if let Some(slot) = body.target.map(|t| &m.slots[t]) {
            let created = slot.exists.is_none_or(|v| snapshot[v] != 0);
            let creates = body.effect.iter().any(|a| Some(a.var) == slot.exists);
            if created == creates {
                return if creates {
                    format!("{} exists already", slot.name)
                } else {
                    format!("{} does not exist", slot.name)
                };
            }
        }
        let fails = |e: ExprId| !reads_payload(m, e) && !self.interp.holds(e, snapshot);
        let does_not_hold = |part: Option<ExprId>| match part {
            Some(e) => format!("{} does not hold", show::expression(m, e).replace("before(", "(")),
            None => "it is not possible now".into(),
        };
        if let Some(part) = conjuncts(m, action.allowed).into_iter().find(|e| fails(*e)) {
            return does_not_hold(Some(part));
        }
        let by_payload = !fails(body.applicable);
        self.lens.inapplicable(action.body, by_payload).unwrap_or_else(|| match by_payload {
            true => "no payload fits".into(),
            false => does_not_hold(conjuncts(m, body.applicable).into_iter().find(|e| fails(*e))),
        })
    }

    /// The conditions of the model that something with this payload does not meet, a few of them.
    pub fn unmet(&self, action: &Action, snapshot: &Snapshot, inputs: &[i64]) -> Option<String> {
        const MOST: usize = 3;
        let m = self.machine();
        let body = m.body(action);
        let leaf = |leaf: Leaf| match leaf {
            Leaf::Prev(v) | Leaf::Cur(v) => snapshot[v],
            Leaf::Input(i) => inputs.get(i.0).copied().unwrap_or_default(),
        };
        let holds = |e: ExprId| m.exprs.eval(e, &leaf) != 0;
        let mut found = Vec::new();
        let whole = if holds(action.allowed) { body.applicable } else { action.allowed };
        if !holds(whole) {
            failing(m, whole, &holds, &mut found);
        }
        let said = |e: &ExprId| show::condition(m, &body.inputs, *e);
        let said: Vec<String> = found.iter().take(MOST).map(said).collect();
        let more = if found.len() > MOST { " or more" } else { "" };
        (!said.is_empty()).then(|| format!("{}{more}", said.join(" or ")))
    }
}

/// The parts of a condition that keep it from holding: of a conjunction the first that fails, of a disjunction each.
fn failing(m: &Machine, e: ExprId, holds: &dyn Fn(ExprId) -> bool, found: &mut Vec<ExprId>) {
    match m.exprs.node(e) {
        Node::And(parts) => parts.iter().filter(|p| !holds(**p)).take(1).for_each(|p| failing(m, *p, holds, found)),
        Node::Or(parts) => parts.iter().for_each(|p| failing(m, *p, holds, found)),
        _ if found.contains(&e) => {}
        _ => found.push(e),
    }
}

fn reads_payload(m: &Machine, e: ExprId) -> bool {
    let mut found = false;
    m.exprs.leaves(e, &mut |leaf| found |= matches!(leaf, Node::Input(_)));
    found
}

fn conjuncts(m: &Machine, e: ExprId) -> Vec<ExprId> {
    match m.exprs.node(e) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![e],
    }
}
