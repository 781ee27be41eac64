//! A model with fixed numbers of instances, as it is decided: with bounded data, or with data that has no bounds.

use super::{Question, settled};
use crate::answer::{Engine, Results};
use crate::check::abstracted::{self, Effort};
use crate::check::{self, Plan};
use crate::lang::Lens;
use crate::lang::unbounded::Open;
use crate::machine::{Machine, validate, validate_unbounded};
use crate::native::verdict::{self, Options};
use crate::smt::SmtError;
use crate::source::{Diagnostic, Diagnostics, Sources};
use crate::words;
use std::borrow::Cow;

/// Why there are no results at all.
#[derive(Debug)]
pub enum Failed {
    /// The model with another number of instances is no model.
    Model(Diagnostic),
    /// The language, by its name, has no data without bounds.
    Language(&'static str),
    /// The solver is missing or contradicts itself.
    Solver(SmtError),
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failed::Model(d) => d.message.fmt(f),
            Failed::Language(name) => write!(f, "--abstract is for GSM models, and this is one of {name}"),
            Failed::Solver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failed {}

impl From<Diagnostic> for Failed {
    fn from(d: Diagnostic) -> Failed {
        Failed::Model(d)
    }
}

/// What data is taken to be.
#[derive(Clone, Debug)]
pub enum Data {
    /// As the engines have it.
    Bounded,
    /// Without bounds, decided by predicates with so much effort.
    Unbounded(Effort),
}

/// A model with a number of instances for each type.
pub(super) enum Model<'l> {
    Bounded(&'l dyn Lens),
    Open(&'l dyn Lens, Box<Cow<'l, Open>>, &'l Effort),
}

impl<'l> Model<'l> {
    pub(super) fn new(lens: &'l dyn Lens, data: &'l Data, sources: &Sources) -> Result<Model<'l>, Failed> {
        let Data::Unbounded(effort) = data else { return Ok(Model::Bounded(lens)) };
        let open = lens.without_bounds(sources, &mut Diagnostics::new()).ok_or(Failed::Language(lens.language()))?;
        Ok(Model::Open(lens, Box::new(Cow::Owned(open?)), effort))
    }

    /// The model of a question, as it stands.
    pub(super) fn of(question: &'l Question) -> Result<Model<'l>, Failed> {
        match (question.open, &question.data) {
            (Some(open), Data::Unbounded(effort)) => {
                Ok(Model::Open(question.lens, Box::new(Cow::Borrowed(open)), effort))
            }
            _ => Model::new(question.lens, &question.data, question.sources),
        }
    }

    pub(super) fn machine(&self) -> &Machine {
        match self {
            Model::Bounded(lens) => lens.machine(),
            Model::Open(_, open, _) => &open.machine,
        }
    }

    /// What the engines of a plan say.
    pub(super) fn results(&self, name: &str, plan: &Plan) -> Result<Results, Failed> {
        match self {
            Model::Bounded(lens) => Ok(check::run(name, lens.machine(), plan)),
            Model::Open(lens, open, effort) => {
                let decide = || abstracted::run(name, open, plan, effort);
                let results = match effort.runs && !open.apart {
                    true => abstracted::with_reasons(lens.machine(), plan, decide),
                    false => decide(),
                };
                results.map_err(Failed::Solver)
            }
        }
    }

    /// Says results in plain words.
    pub(super) fn tell(&self, results: &mut Results) {
        match self {
            Model::Bounded(lens) => words::tell(*lens, results),
            Model::Open(lens, open, _) => words::tell_of(*lens, &open.machine, results),
        }
    }

    /// The verdict on one of its properties, without a run.
    pub(super) fn verdict(&self, property: usize, plan: &Plan) -> Option<bool> {
        let mut machine = self.machine().clone();
        machine.properties = machine.properties.get(property).cloned().into_iter().collect();
        self.verdicts_on(machine, plan).first().copied().flatten()
    }

    /// The verdicts on a machine that was made of the model's; none if they cannot be had.
    pub(super) fn verdicts_on(&self, machine: Machine, plan: &Plan) -> Vec<Option<bool>> {
        match self {
            Model::Bounded(_) => {
                let (timeout, memory, interrupt) = (plan.timeout, plan.memory, plan.interrupt.clone());
                let options = Options { timeout, memory, interrupt, ..Options::default() };
                let Ok(machine) = validate(machine) else { return Vec::new() };
                verdict::check(&machine, &options).answers.iter().map(|a| a.result.verdict.holds()).collect()
            }
            Model::Open(_, open, effort) => {
                let Ok(machine) = validate_unbounded(machine) else { return Vec::new() };
                let open = Open { machine, given: Vec::new(), elements: Vec::new(), ..open.clone().into_owned() };
                let plan = Plan { engines: vec![Engine::NATIVE], only: None, builtin: false, ..plan.clone() };
                let answers = abstracted::run("", &open, &plan, &Effort { runs: false, ..(*effort).clone() });
                answers.map(|a| a.results.iter().map(|r| r.verdict.holds()).collect()).unwrap_or_default()
            }
        }
    }

    /// Can no instance of a family act for ever, others left aside? Without bounds nobody looks.
    pub(super) fn is_acyclic(&self, family: usize) -> bool {
        match self {
            Model::Bounded(lens) => settled::is_acyclic(lens.machine(), family),
            Model::Open(..) => false,
        }
    }
}
