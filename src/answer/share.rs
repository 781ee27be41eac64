//! A run spread over several machines: which share of it was taken, and the shares put together again.

use super::result::{logic_name, named_logic};
use super::{Engine, MachineNumbers, PropertyResult, Results, Verdict};
use crate::logic::{Logic, Property};
use crate::machine::Question;
use serde::{Deserialize, Serialize};

/// The share of a check's properties that one run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Which one, from 1.
    pub part: u32,
    /// How many there are.
    pub of: u32,
    /// What was asked, as a number: of other models, properties and options it differs.
    pub question: String,
    /// The engines that decide, in the order of columns.
    pub engines: Vec<Engine>,
    /// Every property and standard question of the whole, in order, with the share that takes it.
    pub takes: Vec<Taken>,
}

/// Who takes a property, with what has to be known of it where that share is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Its name.
    pub property: String,
    /// The share; [`EVERY`] where each share takes the property with searches of its own.
    pub part: u32,
    /// Its formula as written.
    pub formula: String,
    /// What the author says about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The logic it belongs to.
    #[serde(serialize_with = "logic_name", deserialize_with = "named_logic")]
    pub logic: Logic,
    /// What the author expects.
    pub expect: bool,
    /// Either answer is fine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub either: bool,
    /// It is a standard question; those are asked together, and of the native engine alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standard: bool,
}

impl Taken {
    /// A property.
    pub fn property<A>(p: &Property<A>, part: u32) -> Taken {
        Taken::of(PropertyResult::open(p, Engine::NATIVE), part)
    }

    /// A standard question, with what it asks.
    pub fn question(q: &Question, asks: &str, part: u32) -> Taken {
        let open = PropertyResult { comment: asks.into(), ..PropertyResult::asked(q, Engine::NATIVE) };
        Taken { standard: true, ..Taken::of(open, part) }
    }

    fn of(open: PropertyResult, part: u32) -> Taken {
        let PropertyResult { property, formula, comment, logic, expect, either, .. } = open;
        Taken { property, part, formula, comment, logic, expect, either, standard: false }
    }

    /// What an engine would have answered whose share is missing.
    fn missing(&self, engine: Engine, of: u32) -> PropertyResult {
        let why = format!("part {} of {of} is missing", self.part);
        let open = PropertyResult {
            formula: self.formula.clone(),
            comment: self.comment.clone(),
            summary: format!("Not decided: {why}."),
            logic: self.logic,
            expect: self.expect,
            either: self.either,
            ..PropertyResult::blank(&self.property, engine)
        };
        open.because(Verdict::Unknown, why)
    }
}

/// Every share.
pub const EVERY: u32 = 0;

impl Share {
    /// Does this share take what has this name?
    fn has(&self, name: &str) -> bool {
        self.own().any(|t| t.property == name)
    }

    /// What this share takes.
    fn own(&self) -> impl Iterator<Item = &Taken> {
        self.takes.iter().filter(|t| t.part == self.part || t.part == EVERY)
    }
}

/// Shares that do not belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(pub String);

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

/// Results of shares, each with the name of its file, put together, and the numbers of the shares that are missing. What those should
/// have answered is open, with the reason.
///
/// # Errors
/// When they are not shares, or not of one run, or one is there twice.
pub fn merge(parts: Vec<(String, Results)>) -> Result<(Results, Vec<u32>), Mismatch> {
    let mut found: Vec<(String, Share, Results)> = Vec::new();
    for (file, mut results) in parts {
        let Some(share) = results.share.take() else {
            let why = "it is a whole run; shares are written by 'gsmc check --partition K/N --format json'";
            return Err(Mismatch(format!("{file}: {why}")));
        };
        if let Some((first, other, _)) = found.first() {
            fits((first, other), (&file, &share))?;
        }
        if let Some((twin, ..)) = found.iter().find(|(_, other, _)| other.part == share.part) {
            return Err(Mismatch(format!("{twin} and {file}: both are part {} of {}", share.part, share.of)));
        }
        found.push((file, share, results));
    }
    let Some((_, share, first)) = found.first().cloned() else {
        return Err(Mismatch("there is nothing to put together".into()));
    };
    let mut answers: Vec<PropertyResult> = Vec::new();
    let mut numbers = MachineNumbers::default();
    for (file, own, results) in &found {
        // Of other numbers of instances other standard questions may have been asked than those that are listed.
        let standard = own.own().any(|t| t.standard);
        let listed = |name: &str| own.takes.iter().any(|t| t.property == name);
        for r in &results.results {
            if !own.has(&r.property) && (listed(&r.property) || !standard) {
                return Err(Mismatch(format!("{file}: {} is not in part {} of {}", r.property, own.part, own.of)));
            }
        }
        answers.extend(results.results.iter().cloned());
        numbers = numbers.or(&results.machine);
    }
    let missing: Vec<u32> = (1..=share.of).filter(|part| found.iter().all(|(_, s, _)| s.part != *part)).collect();
    for t in share.takes.iter().filter(|t| missing.contains(&t.part)) {
        let engines = share.engines.iter().filter(|e| !t.standard || **e == Engine::NATIVE);
        answers.extend(engines.map(|e| t.missing(*e, share.of)));
    }
    let every = |name: &str| share.takes.iter().any(|t| t.part == EVERY && t.property == name);
    let (shared, own): (Vec<_>, Vec<_>) = answers.into_iter().partition(|a| every(&a.property));
    let mut answers = [own, joined(shared, &missing, share.of)].concat();
    let place = |name: &str| share.takes.iter().position(|t| t.property == name).unwrap_or(usize::MAX);
    answers.sort_by_key(|a| place(&a.property));
    Ok((Results::new(first.model, numbers, answers), missing))
}

/// What every share looked for with searches of its own: whoever found something says it; else it is open, as far as all came together.
fn joined(answers: Vec<PropertyResult>, missing: &[u32], of: u32) -> Vec<PropertyResult> {
    let mut all: Vec<PropertyResult> = Vec::new();
    for answer in answers {
        let same = |a: &&mut PropertyResult| a.property == answer.property && a.engine == answer.engine;
        let Some(known) = all.iter_mut().find(same) else {
            all.push(answer);
            continue;
        };
        let seconds = known.seconds + answer.seconds;
        match (known.verdict.holds(), answer.verdict.holds()) {
            // Found twice, and not the same: both are kept, so that it is noticed.
            (Some(one), Some(two)) if one != two => all.push(answer),
            (Some(_), _) => known.seconds = seconds,
            (None, Some(_)) => *known = PropertyResult { seconds, ..answer },
            (None, None) => match (known.coverage.take(), &answer.coverage) {
                (Some(one), Some(two)) => {
                    let both = one.and(two);
                    *known = PropertyResult { reason: Some(both.words()), coverage: Some(both), seconds, ..answer };
                }
                // One of them did not get as far as searching.
                (Some(_), None) => *known = PropertyResult { seconds, ..answer },
                (None, _) => known.seconds = seconds,
            },
        }
    }
    for open in all.iter_mut().filter(|a| a.verdict.holds().is_none() && !missing.is_empty()) {
        let list: Vec<String> = missing.iter().map(u32::to_string).collect();
        let why = open.reason.take().unwrap_or_default();
        open.reason = Some(format!("{why}; of {of} parts some are missing: {}", list.join(", ")));
    }
    all
}

fn fits((first, one): (&str, &Share), (file, other): (&str, &Share)) -> Result<(), Mismatch> {
    if one.question != other.question || one.takes != other.takes && one.of == other.of {
        let text = "the models, properties or options are not the same";
        return Err(Mismatch(format!("{first} and {file}: {text}")));
    }
    if one.of != other.of {
        let text = format!("one is of {} parts, the other of {}", one.of, other.of);
        return Err(Mismatch(format!("{first} and {file}: {text}")));
    }
    Ok(())
}

impl MachineNumbers {
    /// What one run knows of the machine, and where it does not, what the other knows.
    fn or(self, other: &MachineNumbers) -> MachineNumbers {
        if self.actions == 0 {
            return other.clone();
        }
        MachineNumbers {
            reachable_states: self.reachable_states.or_else(|| other.reachable_states.clone()),
            overflow_reachable: self.overflow_reachable.or(other.overflow_reachable),
            order_dependent: self.order_dependent.or(other.order_dependent),
            dead_ends: self.dead_ends.or_else(|| other.dead_ends.clone()),
            abstraction: self.abstraction.or_else(|| other.abstraction.clone()),
            ..self
        }
    }
}
