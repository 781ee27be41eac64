//! Answers in plain words: for every result a sentence or two that say what happened and why.
//!
//! A sentence says only what was checked: steps of the certified run and the rules that fired in them (`run`), facts about all
//! snapshots that can follow (`never`), numbers of the search (`rests`). It is made once and shown everywhere.

mod cause;
mod end;
mod never;
mod phrase;
mod rests;
mod run;
#[cfg(test)]
mod tests;

use crate::answer::{Extent, Fact, PropertyResult, Results, Verdict};
use crate::lang::{Lens, standard};
use crate::machine::Machine;
use phrase::Speaker;
use std::collections::{HashMap, HashSet};

/// Gives every result its summary; standard questions get their wording, too.
pub fn tell(lens: &dyn Lens, results: &mut Results) {
    tell_of(lens, lens.machine(), results);
}

/// The same for results about a machine that differs from the model's in the ranges of data.
pub fn tell_of(lens: &dyn Lens, machine: &Machine, results: &mut Results) {
    share_facts(results);
    let refuted =
        results.results.iter().filter(|r| r.verdict == Verdict::False && standard::find(&r.property).is_some());
    let no = refuted.map(|r| r.property.clone()).collect();
    let places: HashMap<&str, usize> =
        machine.properties.iter().enumerate().map(|(i, p)| (p.name.as_str(), i)).collect();
    let guesses = lens.guesses(machine);
    results.results.iter_mut().filter(|r| r.rests_on_all()).for_each(|r| r.assumptions.extend_from_slice(&guesses));
    if results.results.iter().any(PropertyResult::rests_on_all) {
        results.machine.assumptions.extend_from_slice(&guesses);
    }
    let (mut rounded, mut replaced): (Vec<String>, HashSet<String>) = (Vec::new(), HashSet::new());
    for r in results.results.iter_mut().filter(|r| r.verdict.holds().is_some()) {
        let own = lens.rounded(machine, &r.property);
        r.exact &= own.is_empty();
        if !own.is_empty() {
            replaced.insert(r.property.clone());
        }
        rounded.extend(own.iter().filter(|s| !rounded.contains(s)).cloned().collect::<Vec<_>>());
        r.assumptions.extend(own);
    }
    results.machine.assumptions.extend(rounded);
    let numbers = results.machine.clone();
    for r in &mut results.results {
        if let Some(known) = standard::find(&r.property).filter(|_| r.comment.is_empty()) {
            r.comment = known.asks.to_string();
        }
        if r.summary.is_empty() {
            let place = places.get(r.property.as_str());
            let properties = place.map_or(&machine.properties[..], |at| &machine.properties[*at..=*at]);
            r.summary = summary(&Speaker { lens, m: machine, properties, no: &no, inputs: &[] }, r, &numbers);
            if !r.summary.is_empty() && r.rests_on_all() && !guesses.is_empty() {
                r.summary += " With other than the guessed values of data this may be otherwise.";
            }
            if !r.summary.is_empty() && replaced.contains(&r.property) {
                r.summary += " With all numbers between the constants this may be otherwise.";
            }
        }
    }
}

/// What one engine found out about all snapshots goes for the others that say the same without a run of their own.
fn share_facts(results: &mut Results) {
    let mut known: HashMap<(String, Verdict), Vec<Fact>> = HashMap::new();
    for r in results.results.iter().filter(|r| !r.facts.is_empty() && r.trace.is_none()) {
        known.entry((r.property.clone(), r.verdict)).or_insert_with(|| r.facts.clone());
    }
    for r in results.results.iter_mut().filter(|r| r.facts.is_empty() && r.trace.is_none()) {
        if let Some(facts) = known.get(&(r.property.clone(), r.verdict)) {
            r.facts.clone_from(facts);
        }
    }
}

/// Is there more to tell than the language itself does?
fn tells_facts(speaker: &Speaker, r: &PropertyResult) -> bool {
    !r.facts.is_empty() && speaker.is_own() && speaker.lens.never_possible(&r.property).is_none()
}

fn summary(speaker: &Speaker, r: &PropertyResult, numbers: &crate::answer::MachineNumbers) -> String {
    let mut told = match (r.verdict, r.trace.as_ref().filter(|t| t.certified)) {
        (Verdict::True | Verdict::False, Some(trace)) => run::sentence_of(speaker, r, trace),
        (Verdict::False, None) if tells_facts(speaker, r) => never::sentences(speaker, &r.facts),
        (Verdict::True | Verdict::False, None) => rests::sentence_of(speaker, r, numbers),
        _ => return r.reason.as_ref().map_or(String::new(), |why| format!("Not decided: {why}.")),
    };
    // Reasons come from the model's own ranges; that they are the same without is not known.
    if !r.facts.is_empty() && !speaker.is_own() {
        let own = Speaker { lens: speaker.lens, m: speaker.lens.machine(), properties: &[], ..*speaker };
        told += &format!(" Within the ranges of the model the reason is: {}", never::sentences(&own, &r.facts));
    }
    let for_any = r.scope.as_ref().is_some_and(|s| s.extent == Extent::Any);
    if !told.is_empty() && !r.exact && !for_any && numbers.overflow_reachable != Some(false) {
        told += " With larger bounds this may be otherwise.";
    }
    told
}
