//! A check that asks only what it cannot remember.

use super::digest::{Digest, Questions, of_machine};
use super::store::{Cache, Entry};
use crate::answer::{Engine, MachineNumbers, PropertyResult, Results};
use crate::check::{Plan, external, native};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::machine::Valid;
use crate::trace::certify;
use crate::words;
use std::collections::BTreeMap;
use std::time::Instant;

/// What remembering needs beside the machine.
pub struct Memory<'a> {
    /// Where answers are kept.
    pub cache: &'a Cache,
}

/// As [`crate::check::run`], but answers that are remembered are not asked for again, and exact ones are kept for the next time.
pub fn run(model: &str, lens: &dyn Lens, plan: &Plan, memory: &Memory) -> Results {
    let machine = lens.machine();
    let asked: Vec<usize> = (0..machine.properties.len()).filter(|&p| plan.asks(&machine.properties[p].name)).collect();
    let slices = lens.slices(&asked);
    let alone: Vec<Digest> = slices.machines.iter().map(|m| of_machine(m)).collect();
    let mut asking = Questions::new(machine);
    let mut questions: BTreeMap<usize, Digest> = BTreeMap::new();
    for (&p, of) in asked.iter().zip(&slices.of) {
        if let Some(digest) = of.and_then(|at| alone.get(at)) {
            questions.insert(p, asking.digest(*digest, &machine.properties[p]));
        }
    }
    let shelf = Shelf { memory, machine, interp: Interp::new(machine), whole: of_machine(machine), questions };
    let mut answers: Vec<PropertyResult> = Vec::new();
    let mut open: Vec<(Engine, Vec<usize>)> = Vec::new();
    for engine in crate::backend::engines().filter(|e| plan.engines.contains(e)) {
        let mut list = Vec::new();
        for &p in &asked {
            match shelf.recall(engine, p) {
                Some(answer) => answers.push(answer),
                None => list.push(p),
            }
        }
        open.push((engine, list));
    }
    let mut numbers = shelf.numbers().unwrap_or_else(|| MachineNumbers::of(machine));
    if let Some((_, list)) = open.extract_if(.., |(engine, _)| *engine == Engine::NATIVE).next()
        && (!list.is_empty() || numbers.reachable_states.is_none() || plan.builtin)
    {
        let plan = plan.of(list.iter().map(|p| machine.properties[*p].name.clone()).collect(), machine, true);
        answers.extend(native::run(machine, &plan, &mut numbers));
        shelf.keep_numbers(&numbers);
    }
    let mut together: BTreeMap<Vec<usize>, Vec<Engine>> = BTreeMap::new();
    open.into_iter().for_each(|(engine, list)| together.entry(list).or_default().push(engine));
    for (list, engines) in together.into_iter().filter(|(list, _)| !list.is_empty()) {
        answers.extend(external(machine, plan, &engines, &list, numbers.overflow_reachable));
    }
    crate::check::sort_as(&mut answers, &machine.properties);
    let mut results = Results::new(model, numbers, answers);
    words::tell(lens, &mut results);
    shelf.keep(&results);
    results
}

struct Shelf<'a> {
    memory: &'a Memory<'a>,
    machine: &'a Valid,
    interp: Interp<'a>,
    whole: Digest,
    questions: BTreeMap<usize, Digest>,
}

impl Shelf<'_> {
    fn key(&self, engine: Engine, property: usize) -> Option<String> {
        self.questions.get(&property).map(|q| self.memory.cache.key(engine.name(), *q))
    }

    /// The answer that is kept, if it can be believed.
    fn recall(&self, engine: Engine, p: usize) -> Option<PropertyResult> {
        let begin = Instant::now();
        let property = self.machine.properties.get(p)?;
        let entry = self.memory.cache.get(&self.key(engine, p)?)?;
        let trace = match entry.trace {
            Some(trace) => {
                let run = trace.locate(&self.interp).ok()?;
                let certified = certify(&self.interp, property, entry.holds, &run).ok()?;
                // It must show as much as it did when it was kept.
                if certified.rests_on != trace.rests_on || certified.kind != trace.kind {
                    return None;
                }
                Some(certified)
            }
            None if engine == Engine::NATIVE && property.formula.shown_by_a_run(entry.holds) => return None,
            None => None,
        };
        // A strategy names snapshots: they must be of this very machine.
        if !entry.strategy.is_empty() && entry.machine != self.whole.hex() {
            return None;
        }
        let found = PropertyResult::open(property, engine).decided(entry.holds, true);
        // So do the facts behind its words.
        let summary = if entry.machine == self.whole.hex() { entry.summary } else { String::new() };
        let (reason, vacuous, strategy) = (entry.reason, entry.vacuous, entry.strategy);
        let seconds = begin.elapsed().as_secs_f64();
        Some(PropertyResult { reason, vacuous, strategy, trace, summary, seconds, cached: true, ..found })
    }

    /// Keeps the exact answers that are new and that nobody contradicts.
    fn keep(&self, results: &Results) {
        for (p, property) in self.machine.properties.iter().enumerate() {
            if results.disagreements.iter().any(|d| d.property == property.name) {
                continue;
            }
            let answers = results.results.iter().filter(|r| r.property == property.name && r.exact && !r.cached);
            for r in answers.filter(|r| r.trace.as_ref().is_none_or(|t| t.certified)) {
                let (Some(holds), Some(key)) = (r.verdict.holds(), self.key(r.engine, p)) else { continue };
                let (reason, vacuous, strategy) = (r.reason.clone(), r.vacuous.clone(), r.strategy.clone());
                let (trace, summary, machine) = (r.trace.clone(), r.summary.clone(), self.whole.hex());
                self.memory.cache.put(&key, &Entry { holds, reason, vacuous, strategy, trace, summary, machine });
            }
        }
    }

    /// The key of the machine's numbers.
    fn numbers_key(&self) -> String {
        self.memory.cache.key("numbers", self.whole)
    }

    fn numbers(&self) -> Option<MachineNumbers> {
        self.memory.cache.numbers(&self.numbers_key())
    }

    fn keep_numbers(&self, numbers: &MachineNumbers) {
        if numbers.reachable_states.is_some() {
            self.memory.cache.put_numbers(&self.numbers_key(), numbers);
        }
    }
}
