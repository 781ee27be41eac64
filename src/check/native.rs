//! The native engine's answers, with its evidence replayed.

use super::groups::{self, Group};
use super::{Plan, facts, question, soon, strategy};
use crate::answer::{MachineNumbers, PropertyResult};
use crate::interp::{Graph, Interp, Limits};
use crate::logic::Property;
use crate::machine::{ExprId, Snapshot, Valid};
use crate::native::check::Checker;
use crate::native::verdict::{DEFAULT_MEMORY, NativeAnswer, Options, Patience, Progress, check_and};
use crate::trace::certify;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What diagrams decide sooner than this is not looked for on values, too: a second thread would only get in their way.
const HEAD_START: Duration = Duration::from_millis(30);
/// Work on diagrams after which the answers of runs count: half a second or so.
const WORK: u64 = 1 << 22;
/// So few bits are decided on diagrams before anything else is found.
const FEW_BITS: u32 = 12;
/// So few snapshots are told apart one by one, if they are found with so little work.
const FEW_SNAPSHOTS: usize = 10_000;
const LITTLE: u64 = 1 << 27;
/// Values of payload that one action may have in that.
const FEW_PAYLOADS: u64 = 1 << 12;

/// Runs the native checker and certifies what it shows. Beside it runs are looked for on values: what they decide is an answer where
/// diagrams take long, and all there is where they come to no end. What is still open then is decided in groups. Where diagrams take long
/// although there are few snapshots, they begin anew with those alone.
pub fn run(machine: &Valid, plan: &Plan, numbers: &mut MachineNumbers) -> Vec<PropertyResult> {
    let interp = Interp::new(machine);
    let (asked, all) = soon::asked(machine, plan);
    if machine.state_bits() <= FEW_BITS {
        return symbolically(&interp, plan, numbers, How::default()).0;
    }
    let begin = Instant::now();
    let decided = AtomicBool::new(false);
    let late = || plan.timeout.is_some_and(|t| begin.elapsed() > t);
    let stop = || decided.load(Ordering::Relaxed) || plan.stopped() || late();
    std::thread::scope(|scope| {
        let (interp, asked, stop) = (&interp, &asked, &stop);
        let (tell, hear) = channel();
        let looking = scope.spawn(move || {
            std::thread::park_timeout(HEAD_START);
            if stop() {
                return Looked::default();
            }
            if let Some(known) = few(interp, stop) {
                let _ = tell.send(Told::Enough);
                return Looked { known: Some(known), ..Looked::default() };
            }
            // What one machine decides for all need not wait. Nobody listens when the diagrams were faster.
            let alone = groups::of(machine, plan, &[]).is_empty();
            let _ = tell.send(match (alone, all) {
                (true, false) => Told::GoOn,
                (true, true) => Told::Meanwhile,
                (false, _) => Told::Wait,
            });
            let found = soon::look(interp, asked, plan.memory, stop);
            told(plan, &found);
            let groups = if alone { Vec::new() } else { groups::of(machine, plan, &found) };
            let open = !all || found.len() < asked.len();
            let _ = tell.send(if open && groups.is_empty() { Told::GoOn } else { Told::Enough });
            Looked { found, groups, known: None }
        });
        let patience = Patience { work: WORK, go_on: heard(hear) };
        let mut counted = numbers.clone();
        let (mut answers, work) =
            symbolically(interp, plan, &mut counted, How { patience: Some(patience), known: None });
        // What took long is told by runs if they tell everything, whoever was faster.
        let late = all && work > WORK;
        decided.store(!late && !answers.iter().any(is_open), Ordering::Relaxed);
        looking.thread().unpark();
        let Looked { found, groups, known } = looking.join().unwrap_or_default();
        if known.is_some() && answers.iter().any(is_open) && !plan.stopped() {
            return symbolically(interp, plan, numbers, How { patience: None, known }).0;
        }
        if late && found.len() == asked.len() {
            answers = found;
            return answers;
        }
        *numbers = counted;
        fill(&mut answers, &found);
        by_groups(interp, plan, numbers, &groups, &mut answers);
        answers
    })
}

/// What was found beside the diagrams.
#[derive(Default)]
struct Looked {
    found: Vec<PropertyResult>,
    groups: Vec<Group>,
    /// All reachable snapshots, if they are few.
    known: Option<Vec<Snapshot>>,
}

/// All reachable snapshots, if they are few and found before somebody stops.
fn few(interp: &Interp, stop: &dyn Fn() -> bool) -> Option<Vec<Snapshot>> {
    let limits = Limits { states: FEW_SNAPSHOTS, payloads: FEW_PAYLOADS, work: LITTLE, ..Limits::default() };
    let graph = Graph::find(interp.clone(), limits, &mut |_| stop()).ok()?;
    graph.found().is_none().then(|| (0..graph.len()).map(|s| graph.codes(s)).collect())
}

/// The same on diagrams alone, with nothing beside them.
pub fn alone(machine: &Valid, plan: &Plan) -> Vec<PropertyResult> {
    symbolically(&Interp::new(machine), plan, &mut MachineNumbers::default(), How::default()).0
}

/// Puts answers where there are none.
fn fill(answers: &mut [PropertyResult], found: &[PropertyResult]) {
    for open in answers.iter_mut().filter(|a| is_open(a)) {
        if let Some(answer) = found.iter().find(|f| f.property == open.property && !is_open(f)) {
            *open = answer.clone();
        }
    }
}

fn is_open(answer: &PropertyResult) -> bool {
    answer.verdict.holds().is_none()
}

/// Decides what is open group by group. Whether one machine for all of them is faster is not known: when the first group is done, it gets
/// a third of what the others will take. What is left then is decided by two threads.
fn by_groups(
    whole: &Interp,
    plan: &Plan,
    numbers: &mut MachineNumbers,
    groups: &[Group],
    answers: &mut [PropertyResult],
) {
    let left = |answers: &[PropertyResult]| -> Vec<&Group> {
        groups.iter().filter(|g| answers.iter().any(|a| is_open(a) && g.asks(&a.property))).collect()
    };
    let open = left(answers);
    let Some((first, rest)) = open.split_first() else { return };
    let found = decided(whole, plan, first);
    let share = found.work.saturating_mul(rest.len() as u64) / 3;
    take(found, numbers, answers);
    if share > WORK {
        let open: Vec<String> = answers.iter().filter(|a| is_open(a)).map(|a| a.property.clone()).collect();
        let rest = Plan { only: Some(open), ..plan.clone() };
        let patience = Patience { work: share, go_on: Arc::new(|| Some(false)) };
        let (found, _) = symbolically(whole, &rest, numbers, How { patience: Some(patience), known: None });
        fill(answers, &found);
    }
    let rest: Vec<&Group> = left(answers).into_iter().filter(|g| !std::ptr::eq(*g, *first)).collect();
    two_at_a_time(whole, plan, &rest).into_iter().for_each(|found| take(found, numbers, answers));
}

/// Decides groups by two threads; what is found comes in the order of the groups.
fn two_at_a_time(whole: &Interp, plan: &Plan, groups: &[&Group]) -> Vec<Found> {
    // Two at a time share the memory, on every machine alike.
    let memory = plan.memory.unwrap_or(DEFAULT_MEMORY) / groups.len().clamp(1, 2) as u64;
    let plan = Plan { memory: Some(memory), ..plan.clone() };
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let work = || loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(group) = groups.get(at) else { break };
        let answers = decided(whole, &plan, group);
        if let Ok(mut found) = found.lock() {
            found.insert(at, answers);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    found.into_inner().unwrap_or_default().into_values().collect()
}

/// What was found about a group.
struct Found {
    answers: Vec<PropertyResult>,
    overflow: Option<bool>,
    work: u64,
}

/// Decides a group on what it needs.
fn decided(whole: &Interp, plan: &Plan, group: &Group) -> Found {
    let machine = group.machine(whole.machine());
    let slice = Interp::new(&machine);
    let mut numbers = MachineNumbers::default();
    let (found, work) = symbolically(&slice, plan, &mut numbers, How::default());
    let answers = found.into_iter().map(|a| group.on_whole(whole, &slice, a)).collect();
    Found { answers, overflow: numbers.overflow_reachable, work }
}

/// Takes over what was found: answers, or why there is none.
fn take(found: Found, numbers: &mut MachineNumbers, answers: &mut [PropertyResult]) {
    numbers.overflow_reachable = numbers.overflow_reachable.or(found.overflow);
    for one in found.answers {
        if let Some(open) = answers.iter_mut().find(|a| a.property == one.property && is_open(a)) {
            *open = one;
        }
    }
}

/// Tells what is decided.
fn told(plan: &Plan, found: &[PropertyResult]) {
    for (listener, answer) in plan.progress.iter().flat_map(|l| found.iter().map(move |a| (l, a))) {
        if let Some(holds) = answer.verdict.holds() {
            listener(&Progress::Decided { name: answer.property.clone(), holds });
        }
    }
}

/// What diagrams are told that have taken long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// To stop until more is told.
    Wait,
    /// To go on until more is told.
    Meanwhile,
    GoOn,
    Enough,
}

/// Says whether diagrams should go on: at once where they must, otherwise when it is known what is open.
fn heard(hear: Receiver<Told>) -> Arc<dyn Fn() -> Option<bool> + Send + Sync> {
    let state = Mutex::new((hear, Told::Wait));
    Arc::new(move || {
        let Ok(mut state) = state.lock() else { return Some(true) };
        let (hear, last) = &mut *state;
        loop {
            let next = match last {
                Told::GoOn => return Some(true),
                Told::Enough => return Some(false),
                Told::Wait => hear.recv().map_err(|_| TryRecvError::Disconnected),
                Told::Meanwhile => hear.try_recv(),
            };
            *last = match next {
                Ok(told) => told,
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => Told::GoOn,
            };
        }
    })
}

/// How to decide on diagrams.
#[derive(Default)]
struct How {
    patience: Option<Patience>,
    /// All reachable snapshots.
    known: Option<Vec<Snapshot>>,
}

/// Decides on diagrams; says how much work that was.
fn symbolically(interp: &Interp, plan: &Plan, numbers: &mut MachineNumbers, how: How) -> (Vec<PropertyResult>, u64) {
    let options = Options {
        timeout: plan.timeout,
        memory: plan.memory,
        interrupt: plan.interrupt.clone(),
        only: plan.only.clone(),
        builtin: plan.builtin,
        progress: plan.progress.clone(),
        patience: how.patience,
        known: how.known,
    };
    let hand_over = |answer: &mut NativeAnswer, checker: &Checker| {
        certified(interp, answer);
        facts::find(answer, checker);
    };
    let report = check_and(interp.machine(), &options, &hand_over);
    if let Ok(found) = &report.exploration {
        numbers.reachable_states = Some(found.states.to_string());
        numbers.overflow_reachable = Some(found.overflow);
        numbers.order_dependent = found.order_dependent.is_possible();
        numbers.dead_ends = Some(found.dead_ends.to_string());
    }
    (report.answers.into_iter().map(|a| a.result).collect(), report.work)
}

/// Gives an answer its trace, if there is something to show.
fn certified(interp: &Interp, answer: &mut NativeAnswer) {
    let machine = interp.machine();
    let result = &mut answer.result;
    if let Some(found) = &answer.strategy {
        result.strategy = strategy::named(machine, found);
    }
    let (Some(holds), Some(evidence)) = (result.verdict.holds(), &answer.evidence) else { return };
    let run = evidence.trail.raw();
    let property: Option<&Property<ExprId>> = machine.properties.iter().find(|p| p.name == result.property);
    let shown = match property {
        Some(p) if p.formula.shown_by_a_run(holds) && evidence.shows_something() => {
            Some(certify(interp, p, holds, &run))
        }
        Some(_) => None,
        None => answer.question.as_ref().map(|q| question::certify(interp, q, &run)),
    };
    super::certified(result, shown);
}
