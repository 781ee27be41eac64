//! The engine against the definitions, executed literally on small ranges; and cases worked by hand.

mod cases;
mod diagrams;
mod draw;
mod naive;
mod random;

use super::{Asker, Checker, Graph, Predicates, System, Truth};
use crate::logic::Formula;
use crate::machine::ExprId;
use crate::smt::{Limits, Oracle, SolverKind, Which, find};

/// A solver to ask; `None`, and a note to whoever reads the log, if there is none.
fn asker() -> Option<Asker> {
    match find(SolverKind::Z3) {
        Ok(_) => Oracle::start(Which::Only(SolverKind::Z3), &Limits::default()).ok().map(Asker::new),
        Err(why) => {
            crate::testing::skipped(&format!("abstraction: {why}"));
            None
        }
    }
}

fn explore(system: &System, predicates: &Predicates, asker: &mut Asker) -> Graph {
    Graph::explore(system, predicates, asker, 100_000).unwrap()
}

fn decide(system: &System, predicates: &Predicates, graph: &Graph, f: &Formula<ExprId>, asker: &mut Asker) -> Truth {
    Checker::new(system, predicates, graph).decide(f, asker).unwrap()
}
