//! Properties as MCMAS formulas.

use crate::logic::{Formula, Know, Path, PathFormula};
use crate::machine::ExprId;

/// Names that formulas use.
pub trait Names {
    /// The proposition of an atom.
    fn atom(&mut self, e: ExprId) -> String;
    /// An agent.
    fn agent(&mut self, agent: usize) -> String;
    /// A group of agents.
    fn group(&mut self, group: &[usize]) -> String;
    /// A proposition that always has this value.
    fn constant(&mut self, value: bool) -> String;
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
    use Formula::*;
    let path = |p: &Path| if *p == Path::A { "A" } else { "E" };
    Some(match f {
        Atom(e) => names.atom(*e),
        Not(a) => format!("(!{})", branching(a, names)?),
        And(xs) => chain(xs, " and ", true, names)?,
        Or(xs) => chain(xs, " or ", false, names)?,
        Implies(a, b) => format!("({} -> {})", branching(a, names)?, branching(b, names)?),
        Iff(a, b) => {
            let (a, b) = (branching(a, names)?, branching(b, names)?);
            format!("(({a} and {b}) or ((!{a}) and (!{b})))")
        }
        Next(p, a) => format!("({}X {})", path(p), branching(a, names)?),
        Finally(p, a) => format!("({}F {})", path(p), branching(a, names)?),
        Globally(p, a) => format!("({}G {})", path(p), branching(a, names)?),
        Until(p, a, b) => format!("({}({} U {}))", path(p), branching(a, names)?, branching(b, names)?),
        Know(kind, group, a) => {
            let inner = branching(a, names)?;
            match (kind, group.as_slice()) {
                (self::Know::K, [agent]) => format!("K({}, {inner})", names.agent(*agent)),
                (_, []) => return None,
                (self::Know::K | self::Know::Everybody, g) => format!("GK({}, {inner})", names.group(g)),
                (self::Know::Common, g) => format!("GCK({}, {inner})", names.group(g)),
                (self::Know::Distributed, g) => format!("DK({}, {inner})", names.group(g)),
            }
        }
        CanNext(g, a) => format!("(<{}>X {})", names.group(g), branching(a, names)?),
        CanFinally(g, a) => format!("(<{}>F {})", names.group(g), branching(a, names)?),
        CanGlobally(g, a) => format!("(<{}>G {})", names.group(g), branching(a, names)?),
        CanUntil(g, a, b) => {
            format!("(<{}>({} U {}))", names.group(g), branching(a, names)?, branching(b, names)?)
        }
        Quant { .. } | Ltl(_) => return None,
    })
}

fn chain(xs: &[Formula<ExprId>], by: &str, empty: bool, names: &mut dyn Names) -> Option<String> {
    if xs.is_empty() {
        return Some(names.constant(empty));
    }
    let parts: Option<Vec<String>> = xs.iter().map(|x| branching(x, names)).collect();
    Some(format!("({})", parts?.join(by)))
}

/// A path formula; weak until and release through until.
fn linear(f: &PathFormula<ExprId>, names: &mut dyn Names) -> Option<String> {
    use PathFormula::*;
    Some(match f {
        State(s) => branching(s, names)?,
        Not(a) => format!("(!{})", linear(a, names)?),
        And(xs) | Or(xs) if xs.is_empty() => names.constant(matches!(f, And(_))),
        And(xs) | Or(xs) => {
            let parts: Option<Vec<String>> = xs.iter().map(|x| linear(x, names)).collect();
            format!("({})", parts?.join(if matches!(f, And(_)) { " and " } else { " or " }))
        }
        Implies(a, b) => format!("({} -> {})", linear(a, names)?, linear(b, names)?),
        Iff(a, b) => {
            let (a, b) = (linear(a, names)?, linear(b, names)?);
            format!("(({a} and {b}) or ((!{a}) and (!{b})))")
        }
        Next(a) => format!("(X {})", linear(a, names)?),
        Finally(a) => format!("(F {})", linear(a, names)?),
        Globally(a) => format!("(G {})", linear(a, names)?),
        Until(a, b) => format!("({} U {})", linear(a, names)?, linear(b, names)?),
        Release(a, b) => format!("(!((!{}) U (!{})))", linear(a, names)?, linear(b, names)?),
        WeakUntil(a, b) => {
            let (a, b) = (linear(a, names)?, linear(b, names)?);
            format!("(!((!{b}) U ((!{a}) and (!{b}))))")
        }
        Quant { .. } => return None,
    })
}
