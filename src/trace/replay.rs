//! Replaying a run on the interpreter, and naming what happened.

use super::{Kind, RawRun, RawStep, Side, SideRun, Trace, TraceStep, Values, from_json, to_json};
use crate::interp::{Choice, Interp, Step};
use crate::machine::{AgentIx, Machine, Rule, Snapshot};

/// Why a run is not what it claims to be. A run that does not replay is a bug in lowering, in an engine, or in reading its
/// output; never the user's fault (unless the user wrote the trace).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCertified {
    /// A step cannot be taken, or leads elsewhere. Steps count from 1.
    Step(usize, String),
    /// The run does not close its loop, or a run beside it does not fit.
    Shape(String),
    /// It replays, but it does not show what is claimed.
    Claim(String),
}

impl std::fmt::Display for NotCertified {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotCertified::Step(n, why) => write!(f, "the trace does not replay: step {n}: {why}"),
            NotCertified::Shape(why) => write!(f, "the trace does not replay: {why}"),
            NotCertified::Claim(why) => write!(f, "the trace does not show the verdict: {why}"),
        }
    }
}

impl std::error::Error for NotCertified {}

/// A run as the interpreter took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Snapshots 0 to n.
    pub snapshots: Vec<Snapshot>,
    /// The n steps between them.
    pub steps: Vec<Step>,
    /// As in [`RawRun`].
    pub loop_start: Option<usize>,
    /// Runs to snapshots that look the same, each with its position and agents.
    pub sides: Vec<(usize, Vec<AgentIx>, Replayed)>,
}

/// Replays a run: every step must be possible and lead where it says, a loop must close, side runs must end in snapshots that look
/// the same.
pub fn replay(interp: &Interp, run: &RawRun) -> Result<Replayed, NotCertified> {
    let mut snapshots = vec![interp.initial()];
    let mut steps = Vec::new();
    for (i, raw) in run.steps.iter().enumerate() {
        let step = take(interp, &snapshots[i], raw).map_err(|why| NotCertified::Step(i + 1, why))?;
        snapshots.push(step.after.clone());
        steps.push(step);
    }
    if let Some(start) = run.loop_start {
        if start >= steps.len() {
            return Err(NotCertified::Shape(format!("its loop starts at {start}, after its end")));
        }
        if let Some(var) = interp.machine().state_ids().find(|v| snapshots[start][*v] != snapshots[steps.len()][*v]) {
            let name = &interp.machine().var(var).name;
            return Err(NotCertified::Shape(format!("its loop does not close: '{name}' differs")));
        }
    }
    let sides = run.sides.iter().map(|side| replay_side(interp, &snapshots, side)).collect::<Result<_, _>>()?;
    Ok(Replayed { snapshots, steps, loop_start: run.loop_start, sides })
}

fn replay_side(
    interp: &Interp,
    main: &[Snapshot],
    side: &SideRun,
) -> Result<(usize, Vec<AgentIx>, Replayed), NotCertified> {
    let other = replay(interp, &side.run)?;
    let here = main.get(side.at).ok_or_else(|| NotCertified::Shape("a run beside it hangs in the air".into()))?;
    let there = &other.snapshots[other.steps.len()];
    for agent in &side.agents {
        if interp.local_state(*agent, here) != interp.local_state(*agent, there) {
            let name = interp.machine().agent_name(*agent);
            return Err(NotCertified::Shape(format!("{name} can tell the two snapshots apart")));
        }
    }
    Ok((side.at, side.agents.clone(), other))
}

/// Takes one step as it is described.
fn take(interp: &Interp, from: &Snapshot, raw: &RawStep) -> Result<Step, String> {
    let agrees = |after: &Snapshot| match &raw.after {
        None => true,
        Some(claim) => claim.len() == after.len() && claim.iter().zip(after).all(|(c, a)| c.is_none_or(|c| c == *a)),
    };
    let Some(choice) = &raw.choice else {
        if raw.after.is_none() {
            return Err("nothing is known about it".into());
        }
        let steps = interp.choices(from).into_iter().filter_map(|c| interp.step(from, &c));
        return steps.into_iter().find(|s| agrees(&s.after)).ok_or_else(|| "no choice leads there".into());
    };
    let name = describe(interp.machine(), choice);
    let step = interp.step(from, choice).ok_or_else(|| format!("{name} is not possible here"))?;
    if agrees(&step.after) {
        return Ok(step);
    }
    let claim = raw.after.as_deref().unwrap_or_default();
    let wrong = interp.machine().state_ids().zip(claim.iter().zip(&step.after)).find_map(|(v, (c, a))| match c {
        Some(c) if c != a => {
            let var = interp.machine().var(v);
            Some(format!("'{}' is then {}, not {}", var.name, var.domain.show(*a), var.domain.show(*c)))
        }
        _ => None,
    });
    Err(format!("{name} leads elsewhere: {}", wrong.unwrap_or_else(|| "the snapshot has another shape".into())))
}

/// A choice for people: `Diogenes: OnPay at CustomerOrder[1] (Amount = 3)`.
pub fn describe(m: &Machine, choice: &Choice) -> String {
    super::text::title(&name_choice(m, choice))
}

/// A value without quotes.
pub fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Agent, event, target and payload of a choice; rules and changes left empty.
pub fn name_choice(m: &Machine, choice: &Choice) -> TraceStep {
    let Choice::Act { action, inputs } = choice else { return TraceStep::default() };
    let Some(action) = m.actions.get(*action) else { return TraceStep::default() };
    let body = m.body(action);
    let payload = body.inputs.iter().zip(inputs).map(|(i, code)| (i.name.clone(), to_json(&i.domain, *code)));
    TraceStep {
        agent: m.agents.get(action.agent.0).and_then(|a| a.name.clone()),
        event: Some(body.event.clone()),
        target: body.target.and_then(|t| m.slots.get(t.0)).map(|s| s.name.clone()),
        payload: payload.collect(),
        rules: Vec::new(),
        changes: Values::new(),
    }
}

/// The labels of a choice's rules at these positions, with the slot in front where it is not the target. Rules without a label only
/// keep the books.
pub fn rule_labels(m: &Machine, choice: &Choice, fired: &[usize]) -> Vec<String> {
    let Choice::Act { action, .. } = choice else { return Vec::new() };
    let Some(action) = m.actions.get(*action) else { return Vec::new() };
    let body = m.body(action);
    let own = |r: &Rule| r.origin.slot == body.target;
    let label = |r: &Rule| if own(r) { r.origin.label.clone() } else { m.rule_name(r) };
    let told = |r: &&Rule| !r.origin.label.is_empty();
    fired.iter().filter_map(|f| body.rules.get(*f)).filter(told).map(label).collect()
}

/// The variables that differ, with their values in `after`.
pub fn differences(m: &Machine, before: &Snapshot, after: &Snapshot) -> Values {
    let all = m.vars.iter().zip(before.iter().zip(after));
    all.filter(|(_, (b, a))| b != a).map(|(v, (_, a))| (v.name.clone(), to_json(&v.domain, *a))).collect()
}

/// All values of a snapshot by name.
pub fn name_snapshot(m: &Machine, codes: &Snapshot) -> Values {
    m.vars.iter().zip(codes).map(|(v, c)| (v.name.clone(), to_json(&v.domain, *c))).collect()
}

impl Replayed {
    fn named_steps(&self, m: &Machine) -> Vec<TraceStep> {
        let name = |(i, step): (usize, &Step)| TraceStep {
            rules: rule_labels(m, &step.choice, &step.fired),
            changes: differences(m, &self.snapshots[i], &step.after),
            ..name_choice(m, &step.choice)
        };
        self.steps.iter().enumerate().map(name).collect()
    }

    /// The run in GSM names.
    pub fn named(&self, m: &Machine, kind: Kind) -> Trace {
        let side = |(at, agents, other): &(usize, Vec<AgentIx>, Replayed)| Side {
            at: *at,
            agents: agents.iter().map(|a| m.agent_name(*a).to_string()).collect(),
            differs: differences(m, &self.snapshots[*at], &other.snapshots[other.steps.len()]),
            steps: other.named_steps(m),
            sides: other.named(m, kind).sides,
        };
        Trace {
            kind,
            certified: true,
            shortest: None,
            loop_start: self.loop_start,
            rests_on: Vec::new(),
            because: Vec::new(),
            initial: name_snapshot(m, &self.snapshots[0]),
            steps: self.named_steps(m),
            sides: self.sides.iter().map(side).collect(),
        }
    }
}

impl Trace {
    /// The run in the machine's terms: finds for every step the action that has its names and does what it says.
    pub fn locate(&self, interp: &Interp) -> Result<RawRun, NotCertified> {
        let sides =
            |list: &[Side]| -> Result<Vec<SideRun>, NotCertified> { list.iter().map(|s| s.locate(interp)).collect() };
        let steps = locate_steps(interp, &self.steps)?;
        Ok(RawRun { steps, loop_start: self.loop_start, sides: sides(&self.sides)? })
    }

    /// Does some step set the overflow flag? If not, the trace is conclusive whatever the bounds.
    pub fn sets_overflow(&self) -> bool {
        self.sets("overflow")
    }

    /// Does some step change a variable?
    pub fn sets(&self, variable: &str) -> bool {
        self.steps.iter().any(|s| s.changes.contains_key(variable))
    }
}

impl Side {
    fn locate(&self, interp: &Interp) -> Result<SideRun, NotCertified> {
        let agent =
            |name: &String| interp.machine().agents.iter().position(|a| a.name.as_ref() == Some(name)).map(AgentIx);
        let agents = self.agents.iter().filter_map(agent).collect();
        let sides = self.sides.iter().map(|s| s.locate(interp)).collect::<Result<_, _>>()?;
        let steps = locate_steps(interp, &self.steps)?;
        Ok(SideRun { at: self.at, agents, run: RawRun { steps, loop_start: None, sides } })
    }
}

fn locate_steps(interp: &Interp, steps: &[TraceStep]) -> Result<Vec<RawStep>, NotCertified> {
    let m = interp.machine();
    let mut here = interp.initial();
    let mut raw = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let fault = |why: String| NotCertified::Step(i + 1, why);
        let claimed = apply(m, &here, &step.changes).map_err(fault)?;
        let candidates = choices_named(m, step).map_err(fault)?;
        let taken: Vec<Step> = candidates.iter().filter_map(|c| interp.step(&here, c)).collect();
        let best = taken.iter().find(|s| s.after == claimed).or(taken.first());
        let Some(best) = best else {
            let name = candidates.first().map_or("the step".into(), |c| describe(m, c));
            return Err(fault(format!("{name} is not possible here")));
        };
        raw.push(RawStep {
            choice: Some(best.choice.clone()),
            after: Some(claimed.iter().copied().map(Some).collect()),
        });
        here.clone_from(&best.after);
    }
    Ok(raw)
}

/// The snapshot with some values changed.
fn apply(m: &Machine, snapshot: &Snapshot, changes: &Values) -> Result<Snapshot, String> {
    let mut after = snapshot.clone();
    for (name, json) in changes {
        let var = m.find(name).ok_or_else(|| format!("the machine has no '{name}'"))?;
        let code = from_json(&m.var(var).domain, json);
        after[var] = code.ok_or_else(|| format!("'{name}' cannot be {}", plain(json)))?;
    }
    Ok(after)
}

/// The choices that have a step's agent, event, target and payload.
pub(super) fn choices_named(m: &Machine, step: &TraceStep) -> Result<Vec<Choice>, String> {
    let Some(event) = &step.event else { return Ok(vec![Choice::Idle]) };
    let mut found = Vec::new();
    for (index, action) in m.actions.iter().enumerate() {
        let choice = Choice::Act { action: index, inputs: Vec::new() };
        let named = name_choice(m, &choice);
        if named.event.as_ref() != Some(event) || named.agent != step.agent || named.target != step.target {
            continue;
        }
        let inputs: Option<Vec<i64>> = m
            .body(action)
            .inputs
            .iter()
            .map(|i| step.payload.get(&i.name).and_then(|v| from_json(&i.domain, v)))
            .collect();
        found.extend(inputs.map(|inputs| Choice::Act { action: index, inputs }));
    }
    if found.is_empty() {
        let who = step.agent.as_deref().unwrap_or("the default agent");
        let whom = step.target.as_ref().map(|t| format!(" to {t}")).unwrap_or_default();
        return Err(format!("{who} never sends {event}{whom} with this payload"));
    }
    Ok(found)
}
