//! Verdicts for any number of instances.
//!
//! A check decides for as many instances as there are slots. Here is what makes it hold for every number: [`couple`] reads off the
//! machine whether instances touch each other, [`settled`] asks what needs the reachable snapshots, `logic::cutoff` prices the
//! formula, and then the engines decide with as many instances as suffice. Where that fails a verdict may still hold from its
//! number on; else it holds for at most so many, and the reason is told.

pub mod couple;
mod model;
pub mod settled;
mod study;

pub use model::{Data, Failed};

use crate::answer::{By, Extent, MachineNumbers, PropertyResult, Results, Scope};
use crate::check::{self, Plan};
use crate::lang::Lens;
use crate::lang::counted::{Counted, CountedType};
use crate::lang::unbounded::Open;
use crate::logic::cutoff::{Idling, grows};
use crate::machine::{Idle, Valid};
use crate::source::Sources;
use model::Model;
use std::collections::{BTreeMap, HashMap};
use study::{Planned, Study};

/// A model to be decided for any number of instances of some types.
pub struct Question<'a> {
    /// The model.
    pub lens: &'a dyn Lens,
    /// Its files.
    pub sources: &'a Sources,
    /// Its name in results.
    pub model: &'a str,
    /// What its data is taken to be.
    pub data: Data,
    /// The model without bounds, where somebody has it already.
    pub open: Option<&'a Open>,
}

/// Does somebody ask for any number of something?
pub fn is_asked(lens: &dyn Lens) -> bool {
    lens.counted().is_some_and(|c| c.types().iter().any(|t| t.any))
}

/// Are there so many instances of something that it is worth asking whether fewer would do? The answers are the same then, but
/// snapshots are not counted.
pub fn are_many(lens: &dyn Lens) -> bool {
    lens.counted().is_some_and(|c| c.types().iter().any(|t| is_many(lens, t)))
}

/// With so many instances a search of all snapshots still takes seconds.
const MANY: u32 = 12;

fn is_many(lens: &dyn Lens, t: &CountedType) -> bool {
    t.bound > MANY && !t.any && lens.machine().bounds.iter().any(|(name, _)| *name == t.name)
}

/// Lets the engines of a plan decide with as many instances as it takes.
pub fn run(question: &Question, plan: &Plan) -> Result<Results, Failed> {
    let worth = is_asked(question.lens) || are_many(question.lens);
    let Some(counted) = question.lens.counted().filter(|_| worth) else {
        let model = Model::of(question)?;
        let mut results = model.results(question.model, plan)?;
        note_growth(question.lens, &mut results);
        model.tell(&mut results);
        return Ok(results);
    };
    let study = Study::new(counted, question, plan)?;
    let mut groups: BTreeMap<Vec<u32>, Vec<(usize, Planned)>> = BTreeMap::new();
    for (p, property) in question.lens.machine().properties.iter().enumerate() {
        if plan.asks(&property.name) {
            let planned = study.planned(p, plan)?;
            groups.entry(planned.bounds.clone()).or_default().push((p, planned));
        }
    }
    let fallback = study.fallback.clone();
    if plan.builtin {
        groups.entry(fallback.clone()).or_default();
    }
    let mut all = Vec::new();
    let mut numbers = MachineNumbers::of(question.lens.machine());
    for (bounds, members) in &groups {
        let lens = counted.resized(bounds, question.sources)?;
        let names: Vec<String> =
            members.iter().map(|(p, _)| question.lens.machine().properties[*p].name.clone()).collect();
        let own = plan.of(names.clone(), lens.machine(), *bounds == fallback);
        let model = Model::new(&*lens, &question.data, question.sources)?;
        let mut results = model.results(question.model, &own)?;
        for result in &mut results.results {
            let planned = names.iter().position(|n| *n == result.property).and_then(|i| members.get(i));
            result.scope = match planned {
                Some((_, Planned { outcome: Err(_), .. })) | None if study.given => None,
                Some((p, planned)) => Some(study.scope(*p, planned, result, plan)),
                None => Some(study.at_most(bounds, Vec::new())),
            };
        }
        if study.given {
            note_growth(&*lens, &mut results);
        }
        model.tell(&mut results);
        all.extend(results.results);
        let overflow = numbers.overflow_reachable.max(results.machine.overflow_reachable);
        if !study.given || *bounds == fallback {
            numbers = results.machine;
        }
        numbers.overflow_reachable = overflow;
    }
    if !study.given {
        numbers.bounds.retain(|name, _| !study.types.iter().any(|t| t.any && t.name == *name));
    }
    check::sort_as(&mut all, &question.lens.machine().properties);
    Ok(Results::new(question.model, numbers, all))
}

/// Says of answers with fixed bounds which hold for larger ones, too.
pub fn note_growth(lens: &dyn Lens, results: &mut Results) {
    let Some(counted) = lens.counted() else { return };
    let types = counted.types();
    let growing = |t: &&CountedType| lens.machine().bounds.iter().any(|(name, _)| *name == t.name) || t.made_by_steps;
    let cutoff: BTreeMap<String, u32> = types.iter().filter(growing).map(|t| (t.name.clone(), t.bound)).collect();
    if cutoff.is_empty() {
        return;
    }
    let exact_only = counted.overflows() || types.iter().any(|t| t.made_by_steps);
    let all = lens.machine().properties.iter().enumerate();
    let places: HashMap<&str, usize> = all.map(|(i, p)| (p.name.as_str(), i)).collect();
    for r in &mut results.results {
        if let Some(&p) = places.get(r.property.as_str())
            && r.scope.is_none()
            && lasts(counted, lens.machine(), p, r)
            && (r.exact || !exact_only)
        {
            r.scope = Some(Scope { extent: Extent::From, cutoff: cutoff.clone(), by: Some(By::Growth), why: vec![] });
        }
    }
}

/// Is a verdict shown by a run that larger systems have, too?
fn lasts(counted: &dyn Counted, machine: &Valid, property: usize, result: &PropertyResult) -> bool {
    let Some(holds) = result.verdict.holds() else { return false };
    counted.quantified(property).is_some_and(|f| grows(&f, holds, idling(machine)))
}

fn idling(machine: &Valid) -> Idling {
    match machine.idle {
        Idle::Always => Idling::Always,
        Idle::Terminal => Idling::Terminal,
        Idle::Never => Idling::Never,
    }
}
