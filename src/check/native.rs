//! The native engine's answers, with its evidence replayed.

use super::{Plan, facts, groups, question, soon, strategy};
use crate::answer::{MachineNumbers, PropertyResult};
use crate::interp::Interp;
use crate::logic::Property;
use crate::machine::{ExprId, Valid};
use crate::native::check::Checker;
use crate::native::verdict::{NativeAnswer, Options, Patience, Progress, check_and};
use crate::trace::certify;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Work on diagrams after which the answers of runs count: half a second or so.
const WORK: u64 = 1 << 22;
/// So few bits are decided on diagrams before anything else is found.
const FEW_BITS: u32 = 12;

/// Runs the native checker and certifies what it shows. Beside it runs are looked for on values: what they decide is an answer where
/// diagrams take long, and all there is where they come to no end. What is still open then is decided in groups.
pub fn run(machine: &Valid, plan: &Plan, numbers: &mut MachineNumbers) -> Vec<PropertyResult> {
    let interp = Interp::new(machine);
    let (asked, all) = soon::asked(machine, plan);
    if machine.state_bits() <= FEW_BITS {
        return symbolically(&interp, plan, numbers, None).0;
    }
    let begin = Instant::now();
    let decided = AtomicBool::new(false);
    let late = || plan.timeout.is_some_and(|t| begin.elapsed() > t);
    let stop = || decided.load(Ordering::Relaxed) || plan.stopped() || late();
    std::thread::scope(|scope| {
        let (interp, asked, stop) = (&interp, &asked, &stop);
        let (tell, hear) = channel();
        let looking = scope.spawn(move || {
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
            (found, groups)
        });
        let patience = Patience { work: WORK, go_on: heard(hear) };
        let mut counted = numbers.clone();
        let (mut answers, work) = symbolically(interp, plan, &mut counted, Some(patience));
        // What took long is told by runs if they tell everything, whoever was faster.
        let late = all && work > WORK;
        decided.store(!late && !answers.iter().any(is_open), Ordering::Relaxed);
        let (found, groups) = looking.join().unwrap_or_default();
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

/// The same on diagrams alone, with nothing beside them.
pub fn alone(machine: &Valid, plan: &Plan) -> Vec<PropertyResult> {
    symbolically(&Interp::new(machine), plan, &mut MachineNumbers::default(), None).0
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
/// a third of what the others will take.
fn by_groups(
    whole: &Interp,
    plan: &Plan,
    numbers: &mut MachineNumbers,
    groups: &[groups::Group],
    answers: &mut [PropertyResult],
) {
    for (n, group) in groups.iter().enumerate() {
        if !answers.iter().any(|a| is_open(a) && group.asks(&a.property)) {
            continue;
        }
        let machine = group.machine(whole.machine());
        let slice = Interp::new(&machine);
        let mut of_slice = MachineNumbers::default();
        let (found, work) = symbolically(&slice, plan, &mut of_slice, None);
        numbers.overflow_reachable = numbers.overflow_reachable.or(of_slice.overflow_reachable);
        let found: Vec<PropertyResult> = found.into_iter().map(|a| group.on_whole(whole, &slice, a)).collect();
        for one in found {
            // An answer, or why there is none.
            if let Some(open) = answers.iter_mut().find(|a| a.property == one.property && is_open(a)) {
                *open = one;
            }
        }
        let share = work.saturating_mul(groups.len() as u64 - 1) / 3;
        if n == 0 && share > WORK {
            let open: Vec<String> = answers.iter().filter(|a| is_open(a)).map(|a| a.property.clone()).collect();
            let rest = Plan { only: Some(open), ..plan.clone() };
            let patience = Patience { work: share, go_on: Arc::new(|| Some(false)) };
            let (found, _) = symbolically(whole, &rest, numbers, Some(patience));
            fill(answers, &found);
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

/// Decides on diagrams; says how much work that was.
fn symbolically(
    interp: &Interp,
    plan: &Plan,
    numbers: &mut MachineNumbers,
    patience: Option<Patience>,
) -> (Vec<PropertyResult>, u64) {
    let options = Options {
        timeout: plan.timeout,
        memory: plan.memory,
        interrupt: plan.interrupt.clone(),
        only: plan.only.clone(),
        builtin: plan.builtin,
        progress: plan.progress.clone(),
        patience,
    };
    let hand_over = |answer: &mut NativeAnswer, checker: &Checker| {
        certified(interp, answer);
        facts::find(answer, checker);
    };
    let report = check_and(interp.machine(), &options, &hand_over);
    if let Ok(found) = &report.exploration {
        numbers.reachable_states = Some(found.states.to_string());
        numbers.overflow_reachable = Some(found.overflow);
        numbers.order_dependent = Some(found.order_dependent.is_some());
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
