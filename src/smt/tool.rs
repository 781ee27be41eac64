//! Which solvers there are, where they are, and how they are started.

use super::process::Limits;
use super::{Oracle, Sat, SmtError, Sort, Symbol, Term, Which};
use crate::backend::drive::{Known, Tool, ToolError, find_known};
use std::ffi::OsString;

/// A solver that gsmc can talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SolverKind {
    /// Z3 of Microsoft Research.
    Z3,
    /// cvc5 of Stanford and Iowa.
    Cvc5,
}

impl SolverKind {
    /// All of them; the first is asked by default.
    pub const ALL: [SolverKind; 2] = [SolverKind::Z3, SolverKind::Cvc5];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            SolverKind::Z3 => "z3",
            SolverKind::Cvc5 => "cvc5",
        }
    }

    /// Arguments that make it read SMT-LIB from a pipe, question after question.
    pub(super) fn arguments(self, limits: &Limits) -> Vec<OsString> {
        let (time, effort) = (limits.question.as_millis(), limits.effort);
        match self {
            SolverKind::Z3 => {
                let mut all: Vec<OsString> = vec!["-in".into(), "-smt2".into()];
                all.extend([format!("-t:{time}").into(), format!("rlimit={effort}").into()]);
                all.extend(limits.memory.map(|bytes| format!("-memory:{}", (bytes >> 20).max(64)).into()));
                all
            }
            SolverKind::Cvc5 => {
                let limits = [format!("--tlimit-per={time}"), format!("--rlimit-per={effort}")];
                let always = ["--lang=smt2", "--incremental", "--produce-models"];
                always.into_iter().map(Into::into).chain(limits.into_iter().map(Into::into)).collect()
            }
        }
    }

    /// How it is asked. Z3 tries instances for quantified variables once it has been told to push and pop, and rarely comes to an end
    /// that way; eliminating them, which decides linear arithmetic, is what it must be told to do.
    pub(super) const fn question(self, quantified: bool) -> &'static str {
        match self {
            SolverKind::Z3 if quantified => "(check-sat-using (or-else qsat smt))",
            _ => "(check-sat)",
        }
    }

    const fn known(self) -> Known {
        match self {
            SolverKind::Z3 => Known {
                programs: &["z3"],
                variable: "GSMC_Z3",
                flag: None,
                ask: &["--version"],
                says: r"(?m)^(Z3) version ((\d+)\.(\d+)[\w.]*)",
                supports: |_, major, _| major >= 4,
                get: "apt install z3",
            },
            SolverKind::Cvc5 => Known {
                programs: &["cvc5"],
                variable: "GSMC_CVC5",
                flag: None,
                ask: &["--version"],
                says: r"(?m)^This is (cvc5) version ((\d+)\.(\d+)[\w.]*)",
                supports: |_, major, _| major >= 1,
                get: "apt install cvc5",
            },
        }
    }
}

/// What to type to get a solver.
pub fn how_to_get(kind: SolverKind) -> &'static str {
    kind.known().get
}

/// Finds a solver and asks for its version.
pub fn find(kind: SolverKind) -> Result<Tool, ToolError> {
    find_known(&kind.known(), None)
}

/// The state of one solver.
#[derive(Clone, Debug)]
pub struct Health {
    /// The solver.
    pub kind: SolverKind,
    /// Where it is and what it says it is, or why there is none.
    pub tool: Result<Tool, ToolError>,
    /// Did it answer a few questions as it should? Nothing when there is no solver.
    pub self_test: Option<Result<(), String>>,
    /// What to do to get it.
    pub get: &'static str,
    /// How to name its program.
    pub named_by: String,
}

/// Looks at every solver.
pub fn doctor() -> Vec<Health> {
    let health = |kind| {
        let tool = find(kind);
        let self_test = tool.is_ok().then(|| self_test(kind).map_err(|e| e.to_string()));
        Health { kind, tool, self_test, get: how_to_get(kind), named_by: kind.known().named_by() }
    };
    SolverKind::ALL.into_iter().map(health).collect()
}

/// `x < 3 and 2 < 2x` has a model; with `x ≠ 2` it has none; and every `x` has a larger one.
fn self_test(kind: SolverKind) -> Result<(), SmtError> {
    let mut oracle = Oracle::start(Which::Only(kind), &Limits::default())?;
    let symbol = |name: &'static str| Symbol::named(name, Sort::Int);
    let (x, y) = (symbol("x"), symbol("y"));
    let read = |s: &Symbol| Term::Symbol(s.clone());
    let twice = Term::Product(Box::new(Term::int(2)), Box::new(read(&x)));
    oracle.declare(&x);
    oracle.assert(Term::less(read(&x), Term::int(3)));
    oracle.assert(Term::less(Term::int(2), twice));
    let first = oracle.check()?;
    oracle.push();
    oracle.assert(Term::equal(read(&x), Term::int(2)).negated());
    let second = oracle.check()?;
    oracle.pop();
    oracle.assert(Term::Exists(vec![y.clone()], Box::new(Term::less(read(&x), read(&y)))).negated());
    match (first, second, oracle.check()?) {
        (Sat::Yes, Sat::No, Sat::No) => Ok(()),
        other => Err(SmtError::Wrong(format!("{} answered three questions with {other:?}", kind.name()))),
    }
}
