//! Asking engines: who decides what, within which limits; traces replayed, verdicts compared.

pub mod abstracted;
pub mod cache;
mod cause;
pub mod doctor;
mod evidence;
mod facts;
mod found;
mod groups;
mod native;
pub mod partition;
mod question;
mod race;
mod refuse;
mod room;
mod sides;
mod soon;
mod strategy;

pub use evidence::by_checkers;
pub use found::ask;
pub use race::race;
pub use refuse::refusal;
pub use room::ask_with_enough;

use crate::answer::{Engine, MachineNumbers, PropertyResult, Results, Verdict};
use crate::backend;
use crate::lang::Lens;
use crate::lang::lens::CutOff;
use crate::machine::{Machine, Valid};
use crate::native::verdict::Listener;
use crate::trace::{NotCertified, Trace};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What to ask, whom, and within which limits.
#[derive(Clone, Default)]
pub struct Plan {
    /// The engines, in the order of [`backend::engines`] in the results.
    pub engines: Vec<Engine>,
    /// Names of the properties and standard questions to ask; all where there is no list.
    pub only: Option<Vec<String>>,
    /// Also answer the standard questions about steps (native).
    pub builtin: bool,
    /// Time for each engine and property.
    pub timeout: Option<Duration>,
    /// Bytes for each engine.
    pub memory: Option<u64>,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
    /// Called as the native work goes on.
    pub progress: Option<Listener>,
    /// How external checkers are run; limits are taken from here.
    pub external: backend::Options,
}

impl Plan {
    /// May a property be asked for?
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|n| n == name))
    }

    /// The same for these properties alone, and, if wanted, for the standard questions that this plan asks.
    pub(crate) fn of(&self, properties: Vec<String>, machine: &Machine, standard: bool) -> Plan {
        let questions = machine.questions.iter().map(|q| &q.name).filter(|name| standard && self.asks(name));
        let only = properties.into_iter().chain(questions.cloned()).collect();
        Plan { only: Some(only), builtin: self.builtin && standard, ..self.clone() }
    }

    fn stopped(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Lets every engine of the plan decide the machine's properties.
pub fn run(model: &str, machine: &Valid, plan: &Plan) -> Results {
    let mut numbers = MachineNumbers::of(machine);
    let mut answers: Vec<PropertyResult> = Vec::new();
    if plan.engines.contains(&Engine::NATIVE) {
        answers.extend(native::run(machine, plan, &mut numbers));
    }
    let chosen: Vec<usize> =
        (0..machine.properties.len()).filter(|&p| plan.asks(&machine.properties[p].name)).collect();
    let engines = crate::backend::engines().filter(|e| *e != Engine::NATIVE && plan.engines.contains(e));
    let engines: Vec<Engine> = engines.collect();
    answers.extend(external(machine, plan, &engines, &chosen, numbers.overflow_reachable));
    sort_by_property(&mut answers);
    Results::new(model, numbers, answers)
}

/// Adds what the language says about the answers, and which meaning the model was given.
pub fn told(mut results: Results, lens: &dyn Lens) -> Results {
    results.machine.profile = lens.profile().map(str::to_string);
    results.machine.assumptions = lens.assumptions();
    let free = lens.free_conditions();
    results.results.iter_mut().filter(|r| r.verdict.holds().is_some()).for_each(|r| r.assumptions.clone_from(&free));
    if let Some(cut) = lens.cut_off() {
        not_exact(&mut results, &cut);
    }
    for r in results.results.iter_mut().filter(|r| r.reason.is_none()) {
        r.reason = r.verdict.holds().and_then(|holds| lens.in_words(&r.property, holds));
    }
    results
}

/// Steps may have been cut off, which `cut.flag` tells: then only a run that comes without is certain.
fn not_exact(results: &mut Results, cut: &CutOff) {
    if results.results.iter().any(|r| r.property == cut.never && r.verdict == Verdict::True) {
        return;
    }
    for r in &mut results.results {
        let run = r.trace.as_ref().filter(|t| t.certified && t.rests_on.is_empty());
        r.exact &= run.is_some_and(|t| !t.sets(&cut.flag));
    }
}

/// The trace that goes with an answer; one that does not replay is an alarm, never a footnote.
fn certified(result: &mut PropertyResult, shown: Option<Result<Trace, NotCertified>>) {
    match shown {
        None => {}
        Some(Ok(trace)) => result.trace = Some(trace),
        Some(Err(why)) => {
            result.reason = Some(format!("the trace did not replay: {why}"));
            result.trace = Some(Trace::uncertified());
        }
    }
}

/// Lets external engines decide some properties.
fn external(
    machine: &Valid,
    plan: &Plan,
    engines: &[Engine],
    chosen: &[usize],
    overflow: Option<bool>,
) -> Vec<PropertyResult> {
    if plan.stopped() {
        let all = engines.iter().flat_map(|e| chosen.iter().map(|p| PropertyResult::open(&machine.properties[*p], *e)));
        return all.map(|open| open.because(Verdict::Unknown, backend::INTERRUPTED)).collect();
    }
    let mut options = plan.external.clone();
    options.limits.time = plan.timeout.or(options.limits.time);
    options.limits.memory = plan.memory.or(options.limits.memory);
    options.limits.cancel = plan.interrupt.clone();
    options.overflow = overflow;
    by_checkers(engines, machine, chosen, &options)
}

/// Property by property, in the order of the properties; what is none of them comes last.
pub(crate) fn sort_as<A>(answers: &mut [PropertyResult], properties: &[crate::logic::Property<A>]) {
    let places: HashMap<&str, usize> = properties.iter().enumerate().rev().map(|(i, p)| (p.name.as_str(), i)).collect();
    let place = |name: &str| places.get(name).copied().unwrap_or(usize::MAX);
    answers.sort_by_key(|a| (place(&a.property), backend::column(a.engine)));
}

/// Property by property, in the order in which they were first answered; engines in their fixed order.
fn sort_by_property(answers: &mut [PropertyResult]) {
    let mut places: HashMap<String, usize> = HashMap::new();
    for a in answers.iter() {
        let next = places.len();
        places.entry(a.property.clone()).or_insert(next);
    }
    answers.sort_by_key(|a| (places.get(&a.property).copied(), backend::column(a.engine)));
}
