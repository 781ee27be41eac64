//! All answers of a run beside the machine's numbers: disagreements, the exit code, the `gsmc.results/1` schema.

use super::{Engine, PropertyResult, Share};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The machine in numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MachineNumbers {
    /// Bits of a snapshot.
    pub state_bits: u32,
    /// Number of actions.
    pub actions: usize,
    /// Number of ground rules.
    pub rules: usize,
    /// Reachable snapshots in decimal, when counted.
    pub reachable_states: Option<String>,
    /// Can `overflow` become true? `None` when nobody looked.
    pub overflow_reachable: Option<bool>,
    /// Which of several meanings the language's models can have was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What every verdict rests on beside the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Types the environment can create, with their bounds.
    pub bounds: BTreeMap<String, u32>,
    /// Does some reachable step depend on the chosen rule order? `None` when nobody looked.
    pub order_dependent: Option<bool>,
    /// Attributes left out by the cone of influence.
    pub left_out: Vec<String>,
    /// Slots that no run can use, left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
    /// Reachable snapshots in which nobody can act, in decimal, when counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_ends: Option<String>,
    /// What took the place of unbounded data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstraction: Option<AbstractionNumbers>,
}

/// An abstraction in numbers; those of snapshots are from before any refinement. Of properties that were decided one by one, they are those of the
/// property with the most of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AbstractionNumbers {
    /// The abstracted attributes.
    pub attributes: Vec<String>,
    /// The predicates.
    pub predicates: Vec<AbstractPredicate>,
    /// Abstract snapshots that may be reached, in decimal.
    pub may_states: String,
    /// Abstract snapshots that must be reachable, in decimal.
    pub must_states: String,
    /// Rounds of refinement.
    pub rounds: u32,
    /// Questions to the solver.
    pub smt_calls: u64,
    /// Time it took to answer them.
    pub smt_seconds: f64,
}

impl AbstractionNumbers {
    /// Both together, for properties that were decided one after the other.
    pub fn beside(mut self, other: Option<AbstractionNumbers>) -> AbstractionNumbers {
        let Some(other) = other else { return self };
        let size = |a: &AbstractionNumbers| (a.may_states.len(), a.may_states.clone());
        if size(&other) > size(&self) {
            (self.may_states, self.must_states) = (other.may_states, other.must_states);
        }
        let known = |p: &AbstractPredicate| self.predicates.iter().any(|own| own.name == p.name);
        let new: Vec<AbstractPredicate> = other.predicates.into_iter().filter(|p| !known(p)).collect();
        self.predicates.extend(new);
        self.rounds = self.rounds.max(other.rounds);
        self.smt_calls += other.smt_calls;
        self.smt_seconds += other.smt_seconds;
        self
    }
}

/// A predicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AbstractPredicate {
    /// In the model's words.
    pub name: String,
    /// As the list of predicates in gsmc.toml takes it, for all instances; null if it cannot be said there.
    #[serde(default)]
    pub written: Option<String>,
    /// Where it comes from.
    pub from: String,
    /// The round of refinement that added it; 0 at the beginning.
    pub round: u32,
    /// The same for programs, where it is a comparison of a sum.
    #[serde(skip)]
    pub says: Option<Compared>,
}

/// A sum of variables with their factors is less than a number, or equal to it. Numbers are exact, as texts; fractions count parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Variables with their factors.
    pub terms: Vec<(String, String)>,
    /// What the sum is compared with.
    pub bound: String,
    /// `<` if true, `==` otherwise.
    pub less: bool,
}

impl MachineNumbers {
    /// What can be said of a machine without running it.
    pub fn of(m: &crate::machine::Machine) -> MachineNumbers {
        MachineNumbers {
            state_bits: m.state_bits(),
            actions: m.actions.len(),
            rules: m.ground_rules(),
            bounds: m.bounds.iter().cloned().collect(),
            left_out: m.left_out.clone(),
            ..MachineNumbers::default()
        }
    }
}

/// Two engines decided one property differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The property.
    pub property: String,
    /// The engines that say true.
    #[serde(rename = "true")]
    pub yes: Vec<Engine>,
    /// The engines that say false.
    #[serde(rename = "false")]
    pub no: Vec<Engine>,
}

/// All answers of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Name of this schema.
    pub schema: Cow<'static, str>,
    /// Version of gsmc.
    pub gsmc: Cow<'static, str>,
    /// The model file.
    pub model: String,
    /// The machine in numbers.
    pub machine: MachineNumbers,
    /// Property by property, engine by engine.
    pub results: Vec<PropertyResult>,
    /// Where engines differ.
    pub disagreements: Vec<Disagreement>,
    /// Engines that would have been asked if they were there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Absent>,
    /// The share of a larger run that this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// An engine that is not installed where all that are there were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent {
    /// The engine.
    #[serde(rename = "backend")]
    pub engine: Engine,
    /// What to do about it.
    pub reason: String,
}

/// Name of the schema of results.
pub const SCHEMA: &str = "gsmc.results/1";

impl Results {
    /// Puts a run's answers together.
    pub fn new(model: impl Into<String>, machine: MachineNumbers, results: Vec<PropertyResult>) -> Results {
        let disagreements = disagreements(&results);
        Results {
            schema: SCHEMA.into(),
            gsmc: env!("CARGO_PKG_VERSION").into(),
            model: model.into(),
            machine,
            results,
            disagreements,
            absent: Vec::new(),
            share: None,
        }
    }

    /// The engines that answered, in the order of columns, which is that of the answers.
    pub fn engines(&self) -> Vec<Engine> {
        let mut engines = Vec::new();
        for r in &self.results {
            if !engines.contains(&r.engine) {
                engines.push(r.engine);
            }
        }
        engines
    }

    /// Traces that did not replay.
    pub fn uncertified(&self) -> impl Iterator<Item = &PropertyResult> {
        self.results.iter().filter(|r| r.trace.as_ref().is_some_and(|t| !t.certified))
    }

    /// 4 for a disagreement or a trace that did not replay; else 1 when a verdict is not the expected one; else 3 when something
    /// stayed open; else 0. That an engine cannot express a property matters only when no other engine decided it.
    pub fn exit_code(&self) -> u8 {
        if !self.disagreements.is_empty() || self.uncertified().next().is_some() {
            return 4;
        }
        if self.results.iter().any(PropertyResult::is_unexpected) {
            return 1;
        }
        let open = |all: &Vec<&PropertyResult>| {
            let decided = all.iter().any(|r| r.verdict.holds().is_some());
            all.iter().any(|r| r.verdict.holds().is_none() && !(decided && r.leaves_it_to_others()))
        };
        if by_property(&self.results).iter().any(open) { 3 } else { 0 }
    }
}

/// The answers about each property, in the order in which properties were first answered.
pub fn by_property(results: &[PropertyResult]) -> Vec<Vec<&PropertyResult>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut all: Vec<Vec<&PropertyResult>> = Vec::new();
    for r in results {
        let place = *places.entry(&r.property).or_insert(all.len());
        match all.get_mut(place) {
            Some(known) => known.push(r),
            None => all.push(vec![r]),
        }
    }
    all
}

/// Properties that one engine calls true and another false, in the order of the answers.
pub fn disagreements(results: &[PropertyResult]) -> Vec<Disagreement> {
    let sayers = |all: &[&PropertyResult], holds: bool| -> Vec<Engine> {
        all.iter().filter(|r| r.verdict.holds() == Some(holds)).map(|r| r.engine).collect()
    };
    let one = |all: Vec<&PropertyResult>| Disagreement {
        property: all.first().map(|r| r.property.clone()).unwrap_or_default(),
        yes: sayers(&all, true),
        no: sayers(&all, false),
    };
    let differ = |d: &Disagreement| !d.yes.is_empty() && !d.no.is_empty();
    by_property(results).into_iter().map(one).filter(differ).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::answer::{Abstracted, Verdict};
    use crate::logic::{Connected, Formula, Property};
    use crate::source::Span;

    const NATIVE: Engine = Engine::NATIVE;
    const NUSMV: Engine = Engine::named("nusmv");
    const SPIN: Engine = Engine::named("spin");

    fn answer(name: &str, engine: Engine, verdict: Verdict) -> PropertyResult {
        let p = Property::new(name, Formula::<()>::constant(true), Span::NOWHERE);
        PropertyResult { verdict, ..PropertyResult::open(&p, engine) }
    }

    fn code(answers: &[(&str, Engine, Verdict)]) -> u8 {
        let list = answers.iter().map(|(n, e, v)| answer(n, *e, *v)).collect();
        Results::new("m", MachineNumbers::default(), list).exit_code()
    }

    #[test]
    fn exit_codes_follow_the_worst_answer() {
        use Verdict::*;
        assert_eq!(code(&[("p", NATIVE, True)]), 0);
        assert_eq!(code(&[("p", NATIVE, True), ("p", SPIN, Unsupported)]), 0);
        assert_eq!(code(&[("p", SPIN, Unsupported)]), 3);
        assert_eq!(code(&[("p", NATIVE, True), ("p", SPIN, Timeout)]), 3);
        assert_eq!(code(&[("p", NATIVE, False), ("q", SPIN, Timeout)]), 1);
        assert_eq!(code(&[("p", NATIVE, True), ("p", NUSMV, False)]), 4);
        assert_eq!(code(&[("p", NATIVE, True), ("p", SPIN, Unknown)]), 3);
    }

    /// Predicates that both have count once, questions of both count, and snapshots are those of the larger one.
    #[test]
    fn numbers_of_properties_that_were_decided_one_by_one() {
        let of = |names: &[&str], may: &str, calls| {
            let one = |name: &&str| AbstractPredicate {
                name: name.to_string(),
                written: None,
                from: "property".into(),
                round: 0,
                says: None,
            };
            let predicates = names.iter().map(one).collect();
            AbstractionNumbers { predicates, may_states: may.into(), smt_calls: calls, ..Default::default() }
        };
        let both = of(&["x < 3", "y == 0"], "9", 2).beside(Some(of(&["x < 3", "z == 1"], "10", 5)));
        let names: Vec<&str> = both.predicates.iter().map(|p| p.name.as_str()).collect();
        assert_eq!((names, both.may_states.as_str(), both.smt_calls), (vec!["x < 3", "y == 0", "z == 1"], "10", 7));
    }

    /// What the abstraction leaves open for one engine agrees with what another one decides.
    #[test]
    fn unknown_for_the_abstraction_agrees_with_everything() {
        let vague = |name| {
            let abstracted = Some(Abstracted::open(None));
            PropertyResult { abstracted, ..answer(name, SPIN, Verdict::Unknown) }
        };
        let code = |list| Results::new("m", MachineNumbers::default(), list).exit_code();
        assert_eq!(code(vec![answer("p", NATIVE, Verdict::True), vague("p")]), 0);
        assert_eq!(code(vec![answer("p", NATIVE, Verdict::False), vague("p")]), 1);
        assert_eq!(code(vec![answer("p", NATIVE, Verdict::True), vague("p"), vague("q")]), 3);
    }

    #[test]
    fn json_has_the_promised_shape() {
        let results =
            Results::new("model.xml", MachineNumbers::default(), vec![answer("p1", NUSMV, Verdict::OutOfMemory)]);
        let json = serde_json::to_value(&results).unwrap();
        assert_eq!(json["schema"], "gsmc.results/1");
        assert_eq!(json["results"][0]["backend"], "nusmv");
        assert_eq!(json["results"][0]["logic"], "ctl");
        assert_eq!(json["results"][0]["verdict"], "out_of_memory");
    }
}
