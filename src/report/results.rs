//! What engines say about properties, in one shape for all of them.
//!
//! Every engine fills [`PropertyResult`]s; [`Results`] puts them beside the machine's numbers, finds disagreements and knows
//! the exit code. Its serialised form is the `gsmc.results/1` schema.

use crate::logic::{Logic, Property};
use crate::trace::{Trace, TraceStep, Values};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// An engine that decides properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The built-in BDD checker.
    Native,
    /// NuSMV or nuXmv on exported SMV.
    Nusmv,
    /// SPIN on exported Promela.
    Spin,
    /// MCMAS on exported ISPL.
    Mcmas,
}

impl Engine {
    /// All engines, in the order of columns.
    pub const ALL: [Engine; 4] = [Engine::Native, Engine::Nusmv, Engine::Spin, Engine::Mcmas];

    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Native => "native",
            Engine::Nusmv => "nusmv",
            Engine::Spin => "spin",
            Engine::Mcmas => "mcmas",
        }
    }

    /// The engine of a name.
    pub fn of(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|e| e.name() == name)
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What an engine found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The property holds in the initial snapshot.
    True,
    /// It does not.
    False,
    /// The search was not complete.
    Unknown,
    /// The engine cannot express the property.
    Unsupported,
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    OutOfMemory,
    /// The engine is missing, failed, or said something that was not understood.
    Error,
}

impl Verdict {
    /// The verdict of a decided property.
    pub const fn of(holds: bool) -> Verdict {
        if holds { Verdict::True } else { Verdict::False }
    }

    /// `Some(holds)` when decided.
    pub const fn holds(self) -> Option<bool> {
        match self {
            Verdict::True => Some(true),
            Verdict::False => Some(false),
            _ => None,
        }
    }

    /// Its word in results.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
            Verdict::Unsupported => "unsupported",
            Verdict::Timeout => "timeout",
            Verdict::OutOfMemory => "out_of_memory",
            Verdict::Error => "error",
        }
    }
}

/// One engine's answer for one property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyResult {
    /// The property's name.
    pub property: String,
    /// Its formula as written.
    pub formula: String,
    /// What the author expects.
    pub expect: bool,
    /// Who answers.
    #[serde(rename = "backend")]
    pub engine: Engine,
    /// The logic the property belongs to.
    #[serde(serialize_with = "logic_name")]
    pub logic: Logic,
    /// The answer.
    pub verdict: Verdict,
    /// It does not depend on the bounds: `overflow` is unreachable, or the trace never sets it.
    pub exact: bool,
    /// Why there is no verdict, or what is worth knowing about it.
    pub reason: Option<String>,
    /// Time spent on it.
    pub seconds: f64,
    /// A run that shows the verdict.
    pub trace: Option<Trace>,
    /// In which way the verdict says less than it seems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vacuous: Vec<String>,
    /// For a coalition that can: what its members do, snapshot by snapshot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<StrategyMove>,
    /// It was remembered, not asked for again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
}

/// One line of a strategy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StrategyMove {
    /// The snapshot: what differs from the initial one.
    pub snapshot: Values,
    /// Whose turn it is.
    pub agent: String,
    /// What it sends.
    pub sends: TraceStep,
}

fn logic_name<S: Serializer>(logic: &Logic, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(logic.name())
}

impl PropertyResult {
    /// An answer that is still open: verdict `unknown`, not exact, no trace.
    pub fn open<A>(property: &Property<A>, engine: Engine) -> PropertyResult {
        PropertyResult {
            property: property.name.clone(),
            formula: property.text.clone(),
            expect: property.expect,
            engine,
            logic: property.logic(),
            verdict: Verdict::Unknown,
            exact: false,
            reason: None,
            seconds: 0.0,
            trace: None,
            vacuous: Vec::new(),
            strategy: Vec::new(),
            cached: false,
        }
    }

    /// The word that stands for the answer in a table.
    pub fn word(&self) -> String {
        match self.verdict {
            Verdict::True | Verdict::False if !self.exact => format!("{} (bounded)", self.verdict.name()),
            Verdict::Unsupported => "n/a".into(),
            Verdict::OutOfMemory => "out of memory".into(),
            v => v.name().into(),
        }
    }

    /// The same answer with a verdict and its reason.
    pub fn because(mut self, verdict: Verdict, reason: impl Into<String>) -> PropertyResult {
        self.verdict = verdict;
        self.reason = Some(reason.into());
        self
    }

    /// The same answer, decided.
    pub fn decided(mut self, holds: bool, exact: bool) -> PropertyResult {
        self.verdict = Verdict::of(holds);
        self.exact = exact;
        self
    }
}

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
    /// Types the environment can create, with their bounds.
    pub bounds: BTreeMap<String, u32>,
    /// Does some reachable step depend on the chosen rule order? `None` when nobody looked.
    pub order_dependent: Option<bool>,
    /// Attributes left out by the cone of influence.
    pub left_out: Vec<String>,
    /// Reachable snapshots in which nobody can act, in decimal, when counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_ends: Option<String>,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Name of this schema.
    pub schema: &'static str,
    /// Version of gsmc.
    pub gsmc: &'static str,
    /// The model file.
    pub model: String,
    /// The machine in numbers.
    pub machine: MachineNumbers,
    /// Property by property, engine by engine.
    pub results: Vec<PropertyResult>,
    /// Where engines differ.
    pub disagreements: Vec<Disagreement>,
}

impl Results {
    /// Puts a run's answers together.
    pub fn new(model: impl Into<String>, machine: MachineNumbers, results: Vec<PropertyResult>) -> Results {
        let disagreements = disagreements(&results);
        Results {
            schema: "gsmc.results/1",
            gsmc: env!("CARGO_PKG_VERSION"),
            model: model.into(),
            machine,
            results,
            disagreements,
        }
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
        if self.results.iter().any(|r| r.verdict.holds().is_some_and(|v| v != r.expect)) {
            return 1;
        }
        let decided = |name: &str| self.results.iter().any(|r| r.property == name && r.verdict.holds().is_some());
        let open = |r: &PropertyResult| match r.verdict {
            Verdict::True | Verdict::False => false,
            Verdict::Unsupported => !decided(&r.property),
            _ => true,
        };
        if self.results.iter().any(open) { 3 } else { 0 }
    }
}

/// Properties that one engine calls true and another false, in the order of the answers.
pub fn disagreements(results: &[PropertyResult]) -> Vec<Disagreement> {
    let mut names: Vec<&str> = Vec::new();
    for r in results {
        if !names.contains(&r.property.as_str()) {
            names.push(&r.property);
        }
    }
    let sayers = |name: &str, holds: bool| -> Vec<Engine> {
        let mine = results.iter().filter(|r| r.property == name && r.verdict.holds() == Some(holds));
        mine.map(|r| r.engine).collect()
    };
    names
        .into_iter()
        .map(|n| Disagreement { property: n.to_string(), yes: sayers(n, true), no: sayers(n, false) })
        .filter(|d| !d.yes.is_empty() && !d.no.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Formula;
    use crate::source::{FileId, Span};

    fn answer(name: &str, engine: Engine, verdict: Verdict) -> PropertyResult {
        let p = Property {
            name: name.into(),
            text: "true".into(),
            span: Span::new(FileId(0), 0, 0),
            expect: true,
            fair: vec![],
            formula: Formula::<()>::And(vec![]),
        };
        PropertyResult { verdict, ..PropertyResult::open(&p, engine) }
    }

    fn code(answers: &[(&str, Engine, Verdict)]) -> u8 {
        let list = answers.iter().map(|(n, e, v)| answer(n, *e, *v)).collect();
        Results::new("m", MachineNumbers::default(), list).exit_code()
    }

    #[test]
    fn exit_codes_follow_the_worst_answer() {
        use Engine::*;
        use Verdict::*;
        assert_eq!(code(&[("p", Native, True)]), 0);
        assert_eq!(code(&[("p", Native, True), ("p", Spin, Unsupported)]), 0);
        assert_eq!(code(&[("p", Spin, Unsupported)]), 3);
        assert_eq!(code(&[("p", Native, True), ("p", Spin, Timeout)]), 3);
        assert_eq!(code(&[("p", Native, False), ("q", Spin, Timeout)]), 1);
        assert_eq!(code(&[("p", Native, True), ("p", Nusmv, False)]), 4);
    }

    #[test]
    fn json_has_the_promised_shape() {
        let results = Results::new(
            "model.xml",
            MachineNumbers::default(),
            vec![answer("p1", Engine::Nusmv, Verdict::OutOfMemory)],
        );
        let json = serde_json::to_value(&results).unwrap();
        assert_eq!(json["schema"], "gsmc.results/1");
        assert_eq!(json["results"][0]["backend"], "nusmv");
        assert_eq!(json["results"][0]["logic"], "ctl");
        assert_eq!(json["results"][0]["verdict"], "out_of_memory");
    }
}
