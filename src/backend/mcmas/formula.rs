//! Properties as MCMAS formulas.

use crate::logic::{Bool, Formula, Know, Path, PathFormula, Temporal};
use crate::machine::{AgentIx, ExprId};

/// Names that formulas use.
pub trait Names {
    /// The proposition of an atom.
    fn atom(&mut self, e: ExprId) -> String;
    /// An agent.
    fn agent(&mut self, agent: AgentIx) -> String;
    /// A group of agents.
    fn group(&mut self, group: &[AgentIx]) -> String;
    /// A proposition that always has this value.
    fn constant(&mut self, value: bool) -> String;
    /// Are there fairness constraints?
    fn fair(&self) -> bool;
}

/// A formula of its own line. A bare literal is doubled, since MCMAS cannot show a run for one.
pub fn line(f: &Formula<ExprId>, names: &mut dyn Names) -> Option<String> {
    match f {
        Formula::Ltl(path) => Some(format!("LTL {}", linear(path, names)?)),
        _ if f.is_state() => {
            let text = branching(f, names)?;
            Some(format!("({text} and {text})"))
        }
        _ => branching(f, names),
    }
}

/// A formula of CTL, ATL and knowledge; nothing for LTL inside.
pub fn branching(f: &Formula<ExprId>, names: &mut dyn Names) -> Option<String> {
    Some(match f {
        Formula::Atom(e) => names.atom(*e),
        Formula::Bool(b) => {
            let parts = b.try_map(|g| branching(g, names).ok_or(())).ok()?;
            connective(parts, names)?
        }
        // MCMAS's own takes a step into a state where no fair path starts for a counterexample.
        Formula::Quantified(Path::A, Temporal::Until(a, b)) if names.fair() => {
            let (a, b) = (branching(a, names)?, branching(b, names)?);
            format!("(!((E((!{b}) U ((!{a}) and (!{b})))) or (EG (!{b}))))")
        }
        Formula::Quantified(path, t) => {
            let parts = t.try_map(|g| branching(g, names).ok_or(())).ok()?;
            format!("({}{})", path.letter(), operator(parts, true))
        }
        Formula::Can(group, t) => {
            let parts = t.try_map(|g| branching(g, names).ok_or(())).ok()?;
            format!("(<{}>{})", names.group(group), operator(parts, true))
        }
        Formula::Know(kind, group, a) => {
            let inner = branching(a, names)?;
            match (kind, group.as_slice()) {
                (Know::K, [agent]) => format!("K({}, {inner})", names.agent(*agent)),
                (_, []) => return None,
                (Know::K | Know::Everybody, g) => format!("GK({}, {inner})", names.group(g)),
                (Know::Common, g) => format!("GCK({}, {inner})", names.group(g)),
                (Know::Distributed, g) => format!("DK({}, {inner})", names.group(g)),
            }
        }
        Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => return None,
    })
}

fn linear(f: &PathFormula<ExprId>, names: &mut dyn Names) -> Option<String> {
    match f {
        PathFormula::State(s) => branching(s, names),
        PathFormula::Bool(b) => {
            let parts = b.try_map(|g| linear(g, names).ok_or(())).ok()?;
            connective(parts, names)
        }
        PathFormula::Temporal(t) => {
            let parts = t.try_map(|g| linear(g, names).ok_or(())).ok()?;
            Some(format!("({})", operator(parts, false)))
        }
    }
}

fn connective(b: Bool<String>, names: &mut dyn Names) -> Option<String> {
    Some(match b {
        Bool::Not(a) => format!("(!{a})"),
        Bool::And(xs) if xs.is_empty() => names.constant(true),
        Bool::Or(xs) if xs.is_empty() => names.constant(false),
        Bool::And(xs) => format!("({})", xs.join(" and ")),
        Bool::Or(xs) => format!("({})", xs.join(" or ")),
        Bool::Implies(a, b) => format!("({a} -> {b})"),
        Bool::Iff(a, b) => format!("(({a} and {b}) or ((!{a}) and (!{b})))"),
        Bool::Quant { .. } => return None,
    })
}

/// A temporal operator; after a quantifier or a group an until stands in brackets of its own.
fn operator(t: Temporal<String>, quantified: bool) -> String {
    match t {
        Temporal::Next(a) => format!("X {a}"),
        Temporal::Finally(a) => format!("F {a}"),
        Temporal::Globally(a) => format!("G {a}"),
        Temporal::Until(a, b) if quantified => format!("({a} U {b})"),
        Temporal::Until(a, b) => format!("{a} U {b}"),
    }
}
