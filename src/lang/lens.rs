//! A model as everything after lowering sees it, whatever its language.

use super::cards::{self, Card, Taken};
use super::cases::Cases;
use super::counted::Counted;
use super::page::{ModelView, VariableKind};
use super::summary::Summary;
use super::terms::Terms;
use super::unbounded::Open;
use crate::answer::RawRun;
use crate::machine::{BodyIx, Machine, Rule, Valid, VarId};
use crate::picture::Drawing;
use crate::source::{Code, Diagnostic, Diagnostics, Sources};
use std::collections::BTreeMap;

/// What a language says about a model and its machine. Only the first three are needed: with them every command runs, and the rest
/// makes it speak the language's own words and draw its own pictures.
pub trait Lens: std::any::Any + Send + Sync {
    /// The language: `gsm`.
    fn language(&self) -> &'static str;

    /// The machine of the model with its properties.
    fn machine(&self) -> &Valid;

    /// The machine with one more property, written as in a property file, as its last. What is wrong with it is told for people.
    fn with_property(&self, text: &str, sources: &mut Sources) -> Result<Valid, String>;

    /// Which of several meanings the language's models can have was chosen.
    fn profile(&self) -> Option<&str> {
        None
    }

    /// Are the standard questions about steps asked without being asked for?
    fn asks_standard(&self) -> bool {
        false
    }

    /// What the model is called.
    fn name(&self) -> &str {
        &self.machine().name
    }

    /// What one can ask about, beside events: `stage`, `milestone`.
    fn things(&self) -> &'static [&'static str] {
        &["variable"]
    }

    /// What it calls steps, pictures and their parts.
    fn terms(&self) -> Terms {
        Terms::plain()
    }

    /// What a variable stands for.
    fn kind(&self, var: VarId) -> VariableKind {
        VariableKind::plain(self.machine(), var)
    }

    /// Is a variable a matter of the machine alone, nothing to ask about?
    fn is_internal(&self, _var: VarId) -> bool {
        false
    }

    /// What became of the rules of a step, and why. `now`, scratch variables included, is after the immediate effect and runs along.
    fn cards(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        cards::plain(step, now)
    }

    /// Why something that is allowed cannot happen now; `by_payload`: with some payload it might. `None`: the condition says it.
    fn inapplicable(&self, _body: BodyIx, _by_payload: bool) -> Option<String> {
        None
    }

    /// Why an event cannot happen in a snapshot, in the words of the model. `None`: the conditions say it.
    fn why_not(&self, _body: BodyIx, _snapshot: &[i64]) -> Option<String> {
        None
    }

    /// Where what a variable stands for is in a snapshot, and what it waits for, in the words of the model.
    fn why_so(&self, _var: VarId, _snapshot: &[i64]) -> Option<String> {
        None
    }

    /// What the model names and one can ask about, beside variables and events.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Does it say what happened to what the model names?
    fn tells_happenings(&self) -> bool {
        false
    }

    /// What happened in a step, in which these rules of the body fired, to something that the model names, and why. `None`: nothing, or
    /// the rules say it.
    fn happened(&self, _name: &str, _before: &[i64], _body: BodyIx, _fired: &[usize]) -> Option<String> {
        None
    }

    /// Where something that the model names stands in a snapshot, and what it waits for. `None`: the rules say it.
    fn stands(&self, _name: &str, _snapshot: &[i64]) -> Option<String> {
        None
    }

    /// What is in the way at the end of a run that shows a question's answer.
    fn hangs(&self, _question: &str, _snapshot: &[i64]) -> Option<String> {
        None
    }

    /// Steps of the machine that may have been cut off before they came to their end.
    fn cut_off(&self) -> Option<CutOff> {
        None
    }

    /// What every verdict rests on beside the file.
    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Those of them that are conditions which were not understood and hold or not, freely. Every verdict names them.
    fn free_conditions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Guessed values of data in a machine of the model, on which everything rests that no run shows.
    fn guesses(&self, _machine: &Machine) -> Vec<String> {
        Vec::new()
    }

    /// Data in a machine of the model on which a property rests, and whose results are replaced by others that stand for them: no verdict is
    /// exact then, with a run or without.
    fn rounded(&self, _machine: &Machine, _property: &str) -> Vec<String> {
        Vec::new()
    }

    /// What it says about recorded cases.
    fn cases(&self) -> Option<&dyn Cases> {
        None
    }

    /// What an answer to a standard question means, where it should be said.
    fn in_words(&self, _question: &str, _holds: bool) -> Option<String> {
        None
    }

    /// What the language finds out about its model by itself, before an engine is asked; `stop` ends that early. Answers to the standard
    /// questions that somebody `wants` are among it.
    fn findings(&self, _wants: &dyn Fn(&str) -> bool, _stop: &dyn Fn() -> bool) -> Option<Findings> {
        None
    }

    /// The model for one property alone: a machine with only what that needs. It takes the same choices, action by action, as the whole.
    fn alone(&self, _property: usize) -> Option<Box<dyn Lens>> {
        None
    }

    /// That a variable has a value, in the language's own words; `None`: its name and the value say it.
    fn says(&self, _var: VarId, _value: i64) -> Option<Said> {
        None
    }

    /// What an event is called after "after": `task Print is done`. `None`: its name says it.
    fn happening(&self, _event: &str) -> Option<String> {
        None
    }

    /// A rule as a sentence names it: `guard g1 of Closing`.
    fn rule_words(&self, rule: &Rule) -> String {
        format!("the rule {}", rule.origin.label)
    }

    /// Why nothing in the machine gives a variable a value: what the model has for it, and why that is not in the machine.
    fn never_written(&self, _var: VarId, _value: i64) -> Option<String> {
        None
    }

    /// Why a standard question finds no step in the machine to look for.
    fn never_possible(&self, _question: &str) -> Option<String> {
        None
    }

    /// What is in the way of what never comes; `no` says which standard questions have that answer.
    fn in_the_way(&self, _question: &str, _no: &dyn Fn(&str) -> bool) -> Option<String> {
        None
    }

    /// What the model consists of, each part with all that is said about it: two versions are compared by that. `None`: by what their
    /// machines do.
    fn parts(&self) -> Option<BTreeMap<String, String>> {
        None
    }

    /// The model with data that has no bounds; what is doubtful about that is pushed. `None`: the language has none.
    fn without_bounds(&self, _sources: &Sources, _found: &mut Diagnostics) -> Option<Result<Open, Diagnostic>> {
        None
    }

    /// The same model with exact values where data has no bounds, for whoever only takes steps; what is doubtful about that is pushed. `None`: the
    /// language has no such data.
    fn exactly(&self, _sources: &Sources, _found: &mut Diagnostics) -> Option<Result<Box<dyn Lens>, Diagnostic>> {
        None
    }

    /// What makes a model refused where it can be reached.
    fn forbidden(&self) -> Option<Forbidden> {
        None
    }

    /// The model in numbers.
    fn summary(&self) -> Summary {
        Summary::plain(self.language(), self.machine())
    }

    /// The model as pages show it.
    fn page(&self, _sources: &Sources) -> ModelView {
        ModelView::plain(self.name(), self.terms(), self.machine(), &|v| self.kind(v))
    }

    /// The model drawn for a width.
    fn drawing(&self, _sources: &Sources, width: i32) -> Drawing {
        super::plain::drawing(self.machine(), width)
    }

    /// The model as Graphviz text, where the language has that.
    fn dot(&self) -> Option<String> {
        None
    }

    /// Events that have a graph of their rules.
    fn rule_graphs(&self) -> Vec<String> {
        Vec::new()
    }

    /// The rule graphs of some of these events (by position), one after the other: as SVG or as Graphviz text.
    fn draw_rule_graphs(&self, _events: &[usize], _as_svg: bool) -> String {
        String::new()
    }

    /// What it says about numbers of instances; `None` if it has none.
    fn counted(&self) -> Option<&dyn Counted> {
        None
    }

    /// The machines that some properties would have alone: answers stay good while these stay the same.
    fn slices(&self, properties: &[usize]) -> Slices {
        Slices { machines: vec![self.machine().clone()], of: properties.iter().map(|_| Some(0)).collect() }
    }
}

/// That something is so, as parts of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// `pay has happened`.
    pub is: String,
    /// `pay had happened`.
    pub was: String,
    /// `pay never happens`; `None`: it is never so that it is.
    pub never: Option<String>,
    /// `pay can never happen any more`; `None`: it can never be any more that it is.
    pub no_more: Option<String>,
}

/// How it is known that steps were cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The variable that a step sets which does not come to its end in time.
    pub flag: String,
    /// The standard question whose yes says that there is no such step.
    pub never: String,
}

/// What a language finds out by itself.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Answers to standard questions and properties.
    pub answers: Vec<Finding>,
    /// How many snapshots are reachable, if they were counted.
    pub snapshots: Option<usize>,
    /// Can a value leave its bounds, if that was found out?
    pub overflows: Option<bool>,
}

/// An answer with the run that shows it; it is replayed before it is believed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The question.
    pub name: String,
    /// The answer.
    pub holds: bool,
    /// The run, where one run shows it.
    pub run: Option<RawRun>,
}

/// A flag that must not be reachable: the model has no finite meaning then.
#[derive(Clone, Debug)]
pub struct Forbidden {
    /// The flag.
    pub var: VarId,
    /// The code of the refusal.
    pub code: &'static Code,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Machines that properties would have alone.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    /// Each once; properties are none of their business.
    pub machines: Vec<Valid>,
    /// Per property that was asked for: which machine; `None` where it has none.
    pub of: Vec<Option<usize>>,
}
