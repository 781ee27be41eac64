//! What is open, in groups: properties that need the same of the machine are decided together, on that alone.

use super::{Plan, question};
use crate::answer::{Choice, PropertyResult, RawRun, SideRun, Trace};
use crate::interp::Interp;
use crate::logic::Property;
use crate::machine::{Ask, ExprId, Influence, Kept, Machine, Question, Valid};
use crate::trace::{NotCertified, certify, replay};

/// Some properties, or the questions about steps, and what they need.
pub struct Group {
    kept: Kept,
    properties: Vec<Property<ExprId>>,
    questions: Vec<Question>,
}

/// What is open, in groups, the smallest first; none where a single one would need everything.
pub fn of(machine: &Machine, plan: &Plan, answered: &[PropertyResult]) -> Vec<Group> {
    let is_open = |name: &str| plan.asks(name) && !answered.iter().any(|a| a.property == name);
    let influence = Influence::of(machine);
    let mut groups: Vec<Group> = Vec::new();
    for p in machine.properties.iter().filter(|p| is_open(&p.name)) {
        let kept = influence.on_property(p);
        match groups.iter_mut().find(|g| g.kept == kept) {
            Some(group) => group.properties.push(p.clone()),
            None => groups.push(Group { kept, properties: vec![p.clone()], questions: Vec::new() }),
        }
    }
    let questions: Vec<Question> =
        machine.questions.iter().filter(|q| plan.builtin && is_open(&q.name)).cloned().collect();
    if !questions.is_empty() {
        let kept = influence.on_questions(questions.iter());
        match groups.iter_mut().find(|g| g.kept == kept) {
            Some(group) => group.questions = questions,
            None => groups.push(Group { kept, properties: Vec::new(), questions }),
        }
    }
    groups.sort_by_key(|g| g.kept.bits(machine));
    let is_less = groups.iter().any(|g| g.kept.bits(machine) < machine.state_bits());
    if is_less { groups } else { Vec::new() }
}

impl Group {
    /// Is this asked in the group?
    pub fn asks(&self, name: &str) -> bool {
        self.properties.iter().any(|p| p.name == name) || self.questions.iter().any(|q| q.name == name)
    }

    /// What the group needs of a machine.
    pub fn machine(&self, whole: &Valid) -> Valid {
        self.kept.of(whole, &self.properties, &self.questions).unwrap_or_else(|| whole.clone())
    }

    /// An answer that was found there, with its run as one of the whole machine.
    pub fn on_whole(&self, whole: &Interp, slice: &Interp, mut answer: PropertyResult) -> PropertyResult {
        let Some(trace) = answer.trace.take_if(|t| t.certified) else { return answer };
        let shown = self.shown(whole, slice, &answer, &trace);
        super::certified(&mut answer, Some(shown.map(|found| Trace { shortest: trace.shortest, ..found })));
        answer
    }

    fn shown(
        &self,
        whole: &Interp,
        slice: &Interp,
        answer: &PropertyResult,
        trace: &Trace,
    ) -> Result<Trace, NotCertified> {
        let mut run = carried(whole, trace.locate(slice)?)?;
        let property = self.properties.iter().find(|p| p.name == answer.property);
        let question = self.questions.iter().find(|q| q.name == answer.property);
        if question.is_some_and(|q| q.ask == Ask::OrderIndependent) {
            // The step itself is found again.
            run.steps.pop();
        }
        match (property, question) {
            (Some(p), _) => certify(whole, p, answer.verdict.holds() == Some(true), &run),
            (None, Some(q)) => question::certify(whole, q, &run),
            (None, None) => Err(NotCertified::Claim("nobody asked".into())),
        }
    }
}

/// A loop of a slice closes on the whole machine after so many rounds at the latest: what else there is hardly changes in more than a few.
const MOST_ROUNDS: usize = 1_000;

/// A run of a slice as one of the whole machine: the same choices, its loop taken until it closes.
pub fn carried(whole: &Interp, run: RawRun) -> Result<RawRun, NotCertified> {
    let choices = |run: &RawRun| run.steps.iter().map(|s| s.choice.clone()).collect::<Option<Vec<Choice>>>();
    let unknown = || NotCertified::Shape("a step of the slice has no choice".into());
    let mut steps = choices(&run).ok_or_else(unknown)?;
    let side = |s: SideRun| Ok(SideRun { run: carried(whole, s.run)?, ..s });
    let sides = run.sides.into_iter().map(side).collect::<Result<_, NotCertified>>()?;
    let of = |steps: &[Choice]| RawRun::of(steps.iter().cloned());
    let Some(start) = run.loop_start else { return Ok(RawRun { sides, ..of(&steps) }) };
    let round = steps.get(start..).unwrap_or_default().to_vec();
    for rounds in 1..MOST_ROUNDS {
        let snapshots = replay(whole, &of(&steps))?.snapshots;
        let begins = (0..rounds).map(|n| start + n * round.len());
        if let Some(back) = begins.into_iter().find(|n| snapshots[*n] == snapshots[steps.len()]) {
            return Ok(RawRun { sides, loop_start: Some(back), ..of(&steps) });
        }
        steps.extend_from_slice(&round);
    }
    Err(NotCertified::Shape("its loop does not close on the whole machine".into()))
}
