//! Properties of a machine with unbounded data, by predicate abstraction.

use super::{Plan, cause, facts, native, sides};
use crate::abstraction::{self, Claim, Decision, Origin, Outcome, Pin, Run, RunStep, Sides, Stopped, System, Texts};
use crate::abstraction::{Atom, Leaf};
use crate::answer::{
    AbstractPredicate, Abstracted, AbstractionNumbers, Engine, MachineNumbers, PropertyResult, Results, Verdict,
};
use crate::answer::{Choice, Compared, Kind, Reason, Trace, TraceStep, Values, exact_json};
use crate::lang::unbounded::Open;
use crate::logic::{Formula, Path, Property, Temporal};
use crate::machine::{ExprId, InputIx, Valid, VarId, number, show};
use crate::native::bdd::Stop;
use crate::smt::{self, Ratio, Ready, SmtError};
use crate::trace::{Seen, name_choice, rule_labels};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How far to go.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Rounds of refinement; else as the model says, or a few.
    pub refine: Option<u32>,
    /// Look for actual runs.
    pub runs: bool,
    /// The solvers.
    pub smt: Ready,
}

/// Rounds of refinement where nobody says how many.
const ROUNDS: u32 = 8;

/// Time to look for reasons.
const REASONS: Duration = Duration::from_secs(10);

/// How often somebody's wish to stop is looked at.
const WATCH: Duration = Duration::from_millis(50);

/// So many questions are asked for several properties together. Comparisons of different properties that hang together in many ways are asked for
/// property by property.
const MOST_TOGETHER: u64 = 10_000;

/// More abstract snapshots than this are not explored one by one.
const MOST_STATES: usize = 500_000;

/// Decides the properties of the plan.
///
/// # Errors
/// When a solver contradicts itself or another one: that is an alarm, not an answer.
pub fn run(model: &str, question: &Open, plan: &Plan, effort: &Effort) -> Result<Results, SmtError> {
    let machine = &question.machine;
    let chosen: Vec<usize> =
        machine.properties.iter().enumerate().filter(|(_, p)| plan.asks(&p.name)).map(|(i, _)| i).collect();
    let system = system(question);
    let begin = Instant::now();
    let external = plan.engines.iter().any(|e| *e != Engine::NATIVE);
    let options = options(question, plan, effort, (chosen.len(), external));
    let mut numbers = MachineNumbers::of(machine);
    let decided = match abstraction::decide(&system, &chosen, &options) {
        Err(Stopped::Solver(wrong @ (SmtError::Wrong(_) | SmtError::Missing(_)))) => return Err(wrong),
        decided => decided,
    };
    let seconds = begin.elapsed().as_secs_f64() / chosen.len().max(1) as f64;
    let open = |p: &usize| {
        let property = machine.properties.get(*p)?;
        Some(PropertyResult { seconds, ..PropertyResult::open(property, Engine::NATIVE) })
    };
    let native = plan.engines.is_empty() || plan.engines.contains(&Engine::NATIVE);
    let too_much: Vec<usize> = match &decided {
        Ok(outcome) => {
            let much = |d: &&Decision| d.verdict.is_none() && d.stopped.as_ref().is_some_and(Stopped::is_too_much);
            outcome.decisions.iter().filter(much).map(|d| d.property).collect()
        }
        Err(stopped) => chosen.iter().filter(|_| stopped.is_too_much()).copied().collect(),
    };
    let mut answers: Vec<PropertyResult> = match decided {
        Ok(outcome) => {
            count(&mut numbers, &system, question, &outcome);
            let all = outcome.decisions.iter();
            let own = all.filter_map(|d| Some(answer(&system, open(&d.property)?, d, &outcome, plan)));
            let mut answers: Vec<PropertyResult> = own.filter(|_| native).collect();
            answers.extend(sides::external(machine, &outcome, &chosen, plan));
            super::sort_as(&mut answers, &machine.properties);
            answers
        }
        Err(stopped) => {
            let left = |r: PropertyResult| PropertyResult {
                abstracted: Some(Abstracted::open(None)),
                ..r.because(left_open(&stopped), told(&stopped, "the first predicates were looked at", plan))
            };
            chosen.iter().filter_map(open).map(left).collect()
        }
    };
    // What is too much for all of them together may be little for each.
    for property in too_much.into_iter().filter(|_| native && chosen.len() > 1) {
        if let Some((alone, outcome)) = alone(&system, property, &options, plan)? {
            let mut own = MachineNumbers::of(machine);
            count(&mut own, &system, question, &outcome);
            numbers.abstraction = own.abstraction.map(|a| a.beside(numbers.abstraction.take()));
            let same = |r: &&mut PropertyResult| r.engine == alone.engine && r.property == alone.property;
            answers.iter_mut().filter(same).for_each(|r| *r = alone.clone());
        }
    }
    Ok(Results::new(model, numbers, answers))
}

/// How so many properties are decided, with or without the two sides for others.
fn options(question: &Open, plan: &Plan, effort: &Effort, (properties, sides): (usize, bool)) -> abstraction::Options {
    let limits = smt::Limits {
        memory: plan.memory,
        deadline: plan.timeout.map(|t| Instant::now() + t),
        cancel: plan.interrupt.clone(),
        ..smt::Limits::default()
    };
    let elements = question.elements.iter().map(|e| (*e, Origin::Sentry));
    abstraction::Options {
        refine: effort.refine.or(question.refine).unwrap_or(ROUNDS),
        runs: effort.runs,
        smt: effort.smt.clone(),
        limits,
        // Other engines need the machines of all properties together.
        questions: if properties > 1 && !sides { MOST_TOGETHER } else { u64::MAX },
        states: MOST_STATES,
        listed: false,
        sides,
        given: elements.chain(question.given.iter().map(|e| (*e, Origin::Given))).collect(),
    }
}

/// What may and what must happen, as two machines that other checkers can read, over the predicates that decide the properties of the plan.
///
/// # Errors
/// When there is no solver, or it is wrong. The inner error says why there are no such machines.
pub fn both_sides(question: &Open, plan: &Plan, effort: &Effort) -> Result<Result<Sides, String>, SmtError> {
    let asked = question.machine.properties.iter().enumerate().filter(|(_, p)| plan.asks(&p.name));
    let chosen: Vec<usize> = asked.map(|(i, _)| i).collect();
    let options = options(question, plan, effort, (1, true));
    match abstraction::decide(&system(question), &chosen, &options) {
        Ok(outcome) => Ok(outcome.sides.map(|sides| *sides)),
        Err(Stopped::Solver(wrong @ (SmtError::Wrong(_) | SmtError::Missing(_)))) => Err(wrong),
        Err(stopped) => Ok(Err(stopped.to_string())),
    }
}

/// The machine with what is abstracted in it.
fn system(question: &Open) -> System<'_> {
    let machine = &question.machine;
    let slots = System::with_slots(machine, &question.abstracted).pins;
    let flags = question.flagged.iter().map(|(when, var)| Pin { when: *when, code: 0, var: *var });
    let mut system = System::new(machine, &question.abstracted, slots.into_iter().chain(flags).collect());
    let (vars, inputs) = (question.texts.vars.clone(), question.texts.inputs.clone());
    system.buffers = question.buffers.clone();
    system.texts = Texts { vars, inputs, words: question.texts.words.clone() };
    system
}

/// A property by itself, in its own time; `None` if that is no use either.
fn alone(
    system: &System,
    property: usize,
    options: &abstraction::Options,
    plan: &Plan,
) -> Result<Option<(PropertyResult, Outcome)>, SmtError> {
    let begin = Instant::now();
    let limits = smt::Limits { deadline: plan.timeout.map(|t| begin + t), ..options.limits.clone() };
    let options = abstraction::Options { limits, questions: u64::MAX, sides: false, ..options.clone() };
    let outcome = match abstraction::decide(system, &[property], &options) {
        Ok(outcome) => outcome,
        Err(Stopped::Solver(wrong @ SmtError::Wrong(_))) => return Err(wrong),
        Err(_) => return Ok(None),
    };
    let (decision, p) = (outcome.decisions.first(), system.machine.properties.get(property));
    let result = decision.zip(p).map(|(decision, p)| {
        let seconds = begin.elapsed().as_secs_f64();
        answer(system, PropertyResult { seconds, ..PropertyResult::open(p, Engine::NATIVE) }, decision, &outcome, plan)
    });
    Ok(result.map(|r| (r, outcome)))
}

/// What is left of a question when somebody stops.
fn left_open(stopped: &Stopped) -> Verdict {
    match stopped {
        Stopped::Solver(SmtError::Late(_)) | Stopped::Diagrams(Stop::Timeout) => Verdict::Timeout,
        Stopped::Solver(SmtError::Cancelled | SmtError::TooMuch(_)) => Verdict::Unknown,
        Stopped::TooLarge(_) | Stopped::Diagrams(_) | Stopped::Stuck { surely: false } => Verdict::Unknown,
        Stopped::Solver(_) | Stopped::Stuck { surely: true } => Verdict::Error,
    }
}

/// Why somebody stopped, in which work, and what gives more time.
fn told(stopped: &Stopped, work: &str, plan: &Plan) -> String {
    let late = match stopped {
        Stopped::Solver(SmtError::Late(why)) => why.clone(),
        Stopped::Diagrams(Stop::Timeout) => "the time was over".into(),
        _ => return stopped.to_string(),
    };
    let more = if plan.timeout.is_some() { "; a larger --timeout gives it more time" } else { "" };
    format!("{late} while {work}{more}")
}

/// Decides, and beside that looks for the reasons of what never comes on the machine with its own ranges, where they can be found soon.
///
/// # Errors
/// As deciding has them.
pub fn with_reasons(
    bounded: &Valid,
    plan: &Plan,
    decide: impl FnOnce() -> Result<Results, SmtError>,
) -> Result<Results, SmtError> {
    let asked = bounded.properties.iter().filter(|p| plan.asks(&p.name) && facts::tells_by_itself(&p.formula));
    let only: Vec<String> = asked.map(|p| p.name.clone()).collect();
    if only.is_empty() {
        return decide();
    }
    let (timeout, over) = (Some(plan.timeout.unwrap_or(REASONS).min(REASONS)), Arc::<AtomicBool>::default());
    let search = Plan { timeout, interrupt: over.clone(), progress: None, ..plan.of(only, bounded, false) };
    std::thread::scope(|scope| {
        let (tell, hear) = channel();
        scope.spawn(move || tell.send(native::alone(bounded, &search)));
        let lacks = |r: &PropertyResult| r.verdict == Verdict::False && r.trace.is_none();
        let mut decided = decide();
        let found = match &decided {
            Ok(results) if results.results.iter().any(lacks) => heard(&hear, plan),
            _ => Vec::new(),
        };
        over.store(true, Ordering::Relaxed);
        for r in decided.iter_mut().flat_map(|d| &mut d.results).filter(|r| lacks(r)) {
            let same = found.iter().find(|f| f.property == r.property && lacks(f));
            r.facts = same.map(|f| f.facts.clone()).unwrap_or_default();
        }
        decided
    })
}

/// What is said, unless somebody stops us first.
fn heard<T: Default>(hear: &Receiver<T>, plan: &Plan) -> T {
    loop {
        match hear.recv_timeout(WATCH) {
            Ok(said) => return said,
            Err(RecvTimeoutError::Timeout) if !plan.stopped() => {}
            Err(_) => return T::default(),
        }
    }
}

/// A comparison in terms of variables.
fn says(system: &System, atom: &Atom) -> Option<Compared> {
    let term = |(leaf, factor): (&Leaf, &Ratio)| match leaf {
        Leaf::Var(v, _) => Some((system.machine.var(*v).name.clone(), number::write(factor))),
        _ => None,
    };
    let terms = atom.sum.terms.iter().map(term).collect::<Option<Vec<_>>>()?;
    Some(Compared { terms, bound: number::write(&atom.bound), less: atom.less })
}

fn count(numbers: &mut MachineNumbers, system: &System, question: &Open, outcome: &Outcome) {
    let predicates = outcome.predicates.list.iter().map(|p| AbstractPredicate {
        name: abstraction::name(system, p),
        written: abstraction::written(system, p),
        from: p.origin.name().into(),
        round: p.round,
        says: says(system, &p.atom),
    });
    let finite = system.machine.state_vars().iter().zip(system.machine.state_ids());
    let bits: u32 = finite.filter(|(_, id)| system.wide(*id).is_none()).map(|(v, _)| v.domain.bits()).sum();
    numbers.state_bits = bits + outcome.predicates.list.iter().filter(|p| p.round == 0).count() as u32;
    numbers.overflow_reachable = if outcome.overflow { None } else { Some(false) };
    numbers.abstraction = Some(AbstractionNumbers {
        attributes: question.attributes.clone(),
        predicates: predicates.collect(),
        may_states: outcome.may.to_string(),
        must_states: outcome.must.to_string(),
        rounds: outcome.rounds,
        smt_calls: outcome.calls,
        smt_seconds: outcome.time.as_secs_f64(),
    });
}

fn answer(
    system: &System,
    open: PropertyResult,
    decision: &Decision,
    outcome: &Outcome,
    plan: &Plan,
) -> PropertyResult {
    let mut result = match (decision.verdict, &decision.refused, &decision.stopped) {
        (Some(holds), ..) => open.decided(holds, !outcome.overflow),
        (None, Some(why), _) => open.because(Verdict::Unsupported, why.clone()),
        (None, None, Some(stopped)) => {
            let work = format!("refinement was at work (rounds before: {})", outcome.rounds);
            open.because(left_open(stopped), told(stopped, &work, plan))
        }
        (None, None, None) => {
            let why = match outcome.sure {
                true => format!("the predicates do not decide it after {} rounds of refinement", outcome.rounds),
                false => "the solver left questions open".into(),
            };
            let start = abstraction::initial(system, &outcome.predicates);
            let doubt = decision.doubt.as_ref();
            let cause = doubt.map(|d| cause::named(system, &outcome.predicates, &start, d));
            let why = cause.as_ref().map_or(why.clone(), |c| format!("{why}; {}", cause::told(c)));
            PropertyResult { cause, ..open.because(Verdict::Unknown, why) }
        }
    };
    let decided_by = decision.verdict.map(|_| if decision.by_run { "run" } else { "abstraction" }.into());
    if let (Some(run), Some(holds)) = (&decision.run, decision.verdict) {
        let trace = named(system, run, holds, system.machine.properties.get(decision.property));
        result.exact |= trace.rests_on.is_empty() && !trace.sets_overflow();
        result.trace = Some(trace);
    }
    let open = Abstracted::open(decision.first);
    result.abstracted = decision.refused.is_none().then_some(Abstracted { decided_by, ..open });
    result
}

/// A run on exact numbers in the model's words.
fn named(system: &System, run: &Run, holds: bool, property: Option<&Property<ExprId>>) -> Trace {
    let mut before = &run.initial;
    let mut steps = Vec::new();
    for step in &run.steps {
        steps.push(TraceStep { changes: values(system, &step.after, Some(before)), ..choice(system, step) });
        before = &step.after;
    }
    // A plain condition is shown by the snapshots themselves; anything else rests on the abstraction.
    let rests_on = match (run.plain, run.again) {
        (true, _) => vec![],
        (false, None) => vec![format!("what the abstraction says of snapshot {}", steps.len())],
        (false, Some(_)) => vec!["what the abstraction says of its snapshots".into()],
    };
    let because = match (property, run.again) {
        (Some(p), None) => because(system, &p.formula, holds, steps.len(), before),
        (Some(p), Some(start)) => lasting(system, &p.formula, holds, start),
        (None, _) => Vec::new(),
    };
    Trace {
        kind: if holds { Kind::Witness } else { Kind::Counterexample },
        certified: true,
        shortest: None,
        loop_start: run.again,
        rests_on,
        because,
        initial: values(system, &run.initial, None),
        steps,
        sides: Vec::new(),
    }
}

/// What decides in the last snapshot, where a run leads to what the formula asks about.
fn because(system: &System, f: &Formula<ExprId>, holds: bool, at: usize, last: &[Ratio]) -> Vec<Reason> {
    let (m, last) = (system.machine, last.to_vec());
    let read = |v: VarId| last.get(v.0 as usize).map_or(serde_json::Value::Null, |n| shown(system, v, n));
    let seen = Seen { m, at, holds: &|e| abstraction::holds_exactly(m, &last, e), read: &read };
    // Where the run goes on inside the operand, its last snapshot is not the one that decides the operand.
    let last = |a: &Formula<ExprId>| Claim::of(a, holds).is_none();
    match f {
        Formula::Quantified(Path::A, Temporal::Globally(a) | Temporal::Next(a)) if !holds && last(a) => {
            seen.reasons(a, false)
        }
        Formula::Quantified(Path::E, Temporal::Finally(a) | Temporal::Until(_, a) | Temporal::Next(a))
            if holds && last(a) =>
        {
            seen.reasons(a, true)
        }
        _ => Vec::new(),
    }
}

/// What never changes along a run without end.
fn lasting(system: &System, f: &Formula<ExprId>, holds: bool, at: usize) -> Vec<Reason> {
    let part = match f {
        Formula::Quantified(Path::A, Temporal::Finally(a)) if !holds => a,
        Formula::Quantified(Path::E, Temporal::Globally(a)) if holds => a,
        _ => return Vec::new(),
    };
    vec![Reason { at, part: show::formula(system.machine, part), holds, throughout: true, values: Values::new() }]
}

fn choice(system: &System, step: &RunStep) -> TraceStep {
    let (m, texts) = (system.machine, &system.texts);
    let Some(action) = step.action else { return name_choice(m, &Choice::Idle) };
    let chosen = Choice::Act { action, inputs: Vec::new() };
    let body = m.actions.get(action).map(|a| a.body);
    let inputs = body.and_then(|b| m.bodies.get(b.0)).map(|b| b.inputs.as_slice()).unwrap_or_default();
    let payload = InputIx::each(inputs).zip(&step.inputs).map(|((ix, i), n)| {
        let text = body.is_some_and(|b| texts.inputs.contains(&(b, ix)));
        (i.name.clone(), if text { texts.show(n).into() } else { exact_json(&i.domain, n) })
    });
    TraceStep { payload: payload.collect(), rules: rule_labels(m, &chosen, &step.fired), ..name_choice(m, &chosen) }
}

/// Values by name; all of them, or those that differ.
fn values(system: &System, now: &[Ratio], before: Option<&Vec<Ratio>>) -> Values {
    let pairs = system.machine.state_vars().iter().zip(now).enumerate();
    let changed = pairs.filter(|(i, (_, n))| before.is_none_or(|b| b.get(*i) != Some(*n)));
    changed.map(|(at, (var, n))| (var.name.clone(), shown(system, VarId(at as u32), n))).collect()
}

/// The value of a variable.
fn shown(system: &System, var: VarId, n: &Ratio) -> serde_json::Value {
    match system.texts.vars.contains(&var) {
        true => system.texts.show(n).into(),
        false => exact_json(&system.machine.var(var).domain, n),
    }
}
