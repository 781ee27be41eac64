//! What the rest of gsmc asks: one solver, or two that must agree, and every model looked at before it is believed.

use super::{Limits, Sat, SmtError, Solver, SolverKind, Sort, Symbol, Term, Value, find};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which solvers are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// One.
    Only(SolverKind),
    /// All, and their answers are compared.
    Both,
}

impl Which {
    /// The solvers of this choice.
    pub fn kinds(self) -> Vec<SolverKind> {
        match self {
            Which::Only(kind) => vec![kind],
            Which::Both => SolverKind::ALL.to_vec(),
        }
    }
}

/// What was said since a [`Oracle::push`].
#[derive(Debug, Default)]
struct Level {
    symbols: Vec<Symbol>,
    terms: Vec<Term>,
    /// Some term has a quantifier.
    quantified: bool,
    /// Some term is not linear.
    crooked: bool,
}

impl Level {
    /// The commands that say it.
    fn commands(&self) -> impl Iterator<Item = String> + '_ {
        self.symbols.iter().map(declared).chain(self.terms.iter().map(asserted))
    }
}

/// Opens a level.
const PUSH: &str = "(push 1)";

fn declared(symbol: &Symbol) -> String {
    format!("(declare-const {} {})", symbol.name, symbol.sort.name())
}

fn asserted(term: &Term) -> String {
    format!("(assert {})", term.text())
}

/// Solvers with what has been said to them.
#[derive(Debug)]
pub struct Oracle {
    solvers: Vec<Solver>,
    levels: Vec<Level>,
    model: BTreeMap<Symbol, Value>,
    calls: u64,
    time: Duration,
}

/// Solvers and where they are.
#[derive(Clone, Debug)]
pub struct Recipe(Vec<(SolverKind, PathBuf)>);

impl Recipe {
    /// Starts them.
    ///
    /// # Errors
    /// When one does not start.
    pub fn start(&self, limits: &Limits) -> Result<Oracle, SmtError> {
        let solvers = self.0.iter().map(|(kind, path)| Solver::start(*kind, path, limits));
        Ok(Oracle::with(solvers.collect::<Result<Vec<_>, _>>()?))
    }
}

impl Oracle {
    /// The same solvers, from now on within these limits; their memory stays what it was.
    pub(super) fn within(mut self, limits: &Limits) -> Oracle {
        self.solvers.iter_mut().for_each(|s| s.limit(limits));
        self
    }

    /// Finds and starts the solvers.
    ///
    /// # Errors
    /// When one is missing or does not start.
    pub fn start(which: Which, limits: &Limits) -> Result<Oracle, SmtError> {
        let found = |kind| find(kind).map(|tool| (kind, tool.path)).map_err(|e| SmtError::Missing(e.to_string()));
        Recipe(which.kinds().into_iter().map(found).collect::<Result<_, _>>()?).start(limits)
    }

    /// An oracle of solvers that run already.
    pub fn with(solvers: Vec<Solver>) -> Oracle {
        let (levels, model) = (vec![Level::default()], BTreeMap::new());
        Oracle { solvers, levels, model, calls: 0, time: Duration::ZERO }
    }

    /// Whether there is still time, and nobody wants to stop: for work between questions.
    ///
    /// # Errors
    /// Otherwise what a solver says then.
    pub fn go_on(&self) -> Result<(), SmtError> {
        self.solvers.iter().try_for_each(|s| s.limits().go_on())
    }

    /// How much memory may be used, where that is said.
    pub fn memory(&self) -> Option<u64> {
        self.solvers.first().and_then(|s| s.limits().memory)
    }

    /// How to start the same solvers again.
    pub fn recipe(&self) -> Recipe {
        Recipe(self.solvers.iter().map(Solver::program).collect())
    }

    /// Counts what was asked elsewhere as asked here.
    pub fn add_effort(&mut self, calls: u64, time: Duration) {
        self.calls += calls;
        self.time += time;
    }

    /// How many questions were asked, and how long answering took.
    pub fn effort(&self) -> (u64, Duration) {
        (self.calls, self.time)
    }

    fn say(&mut self, command: &str) {
        self.solvers.iter_mut().for_each(|s| s.say(command));
    }

    /// Introduces an unknown; it is forgotten with the level.
    pub fn declare(&mut self, symbol: &Symbol) {
        self.say(&declared(symbol));
        if let Some(level) = self.levels.last_mut() {
            level.symbols.push(symbol.clone());
        }
    }

    /// Demands something.
    pub fn assert(&mut self, term: Term) {
        self.say(&asserted(&term));
        if let Some(level) = self.levels.last_mut() {
            level.quantified |= term.is_quantified();
            level.crooked |= !term.is_linear();
            level.terms.push(term);
        }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.say(PUSH);
        self.levels.push(Level::default());
    }

    /// Forgets what was said since the last [`Oracle::push`].
    pub fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.say("(pop 1)");
            self.levels.pop();
        }
    }

    /// Is there a model? If so, [`Oracle::value`] reads it, and it has been evaluated.
    ///
    /// # Errors
    /// When a solver fails, a model is none, or two solvers contradict each other.
    pub fn check(&mut self) -> Result<Sat, SmtError> {
        let started = Instant::now();
        let quantified = self.levels.iter().any(|l| l.quantified);
        // Nobody knows a way that ends, and a solver's budget does not count all it does there: better not to ask.
        if quantified && self.levels.iter().any(|l| l.crooked) {
            return Ok(Sat::Unknown);
        }
        let answers: Result<Vec<Sat>, SmtError> = self.solvers.iter_mut().map(|s| s.check(quantified)).collect();
        self.calls += 1;
        self.time += started.elapsed();
        let answers = answers?;
        for (solver, _) in self.solvers.iter_mut().zip(&answers).filter(|(_, a)| **a == Sat::Unknown) {
            solver.restart()?;
            for (depth, level) in self.levels.iter().enumerate() {
                let opened = (depth > 0).then(|| PUSH.to_string());
                opened.into_iter().chain(level.commands()).for_each(|command| solver.say(&command));
            }
        }
        if answers.contains(&Sat::Yes) && answers.contains(&Sat::No) {
            let said: Vec<String> =
                self.solvers.iter().zip(&answers).map(|(s, a)| format!("{} {}", s.name(), a.word())).collect();
            return Err(SmtError::Wrong(format!("two solvers disagree ({}) on\n{}", said.join(", "), self.script())));
        }
        self.model.clear();
        for (solver, _) in answers.iter().enumerate().filter(|(_, a)| **a == Sat::Yes) {
            if self.read_model(solver)? {
                return Ok(Sat::Yes);
            }
        }
        Ok(if answers.contains(&Sat::No) { Sat::No } else { Sat::Unknown })
    }

    /// The value of a symbol in the model just found.
    pub fn value(&self, symbol: &Symbol) -> Option<&Value> {
        self.model.get(symbol)
    }

    /// Reads and evaluates a solver's model. False if truths or whole numbers in it have no values that can be read: then nobody can
    /// say what it is a model of.
    fn read_model(&mut self, solver: usize) -> Result<bool, SmtError> {
        let symbols: Vec<Symbol> = self.levels.iter().flat_map(|l| l.symbols.clone()).collect();
        let Some(from) = self.solvers.get_mut(solver) else { return Ok(false) };
        let name = from.name();
        let values = from.values(&symbols)?;
        if symbols.iter().zip(&values).any(|(s, v)| v.is_none() && s.sort != Sort::Real) {
            return Ok(false);
        }
        self.model = symbols.into_iter().zip(values).filter_map(|(s, v)| Some((s, v?))).collect();
        let model = |s: &Symbol| self.model.get(s).cloned();
        let broken = |t: &&Term| t.eval(&model) == Some(Value::Bool(false));
        if let Some(term) = self.levels.iter().flat_map(|l| &l.terms).find(broken) {
            let text = term.text();
            return Err(SmtError::Wrong(format!("the model of {name} does not satisfy {text} in\n{}", self.script())));
        }
        Ok(true)
    }

    /// Everything that holds now as a script of its own.
    pub fn script(&self) -> String {
        let said: Vec<String> = self.levels.iter().flat_map(Level::commands).collect();
        format!("(set-logic ALL)\n{}\n(check-sat)\n", said.join("\n"))
    }
}
