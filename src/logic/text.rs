//! Formulas in the spelling of property files.

use super::{AgentIx, Bool, Formula, Know, PathFormula, Temporal};

/// Names that formulas use.
pub trait Words<A> {
    /// An atom.
    fn atom(&self, atom: &A) -> String;
    /// An agent.
    fn agent(&self, agent: AgentIx) -> String;
}

impl<A: PartialEq> Formula<A> {
    /// The formula as a property file would have it. Quantifiers show what they say of each.
    pub fn text(&self, words: &dyn Words<A>) -> String {
        let group = |agents: &[AgentIx]| agents.iter().map(|a| words.agent(*a)).collect::<Vec<_>>().join(", ");
        match self {
            Formula::Atom(a) => words.atom(a),
            Formula::Bool(b) => connective(&b.map(|f| f.text(words))),
            Formula::Quantified(path, t) => match t.map(|f| f.text(words)) {
                Temporal::Until(a, b) => format!("{}({a} U {b})", path.letter()),
                t => format!("{}{}", path.letter(), operator(&t)),
            },
            Formula::Can(g, t) => format!("<<{}>> {}", group(g), operator(&t.map(|f| f.text(words)))),
            Formula::Know(Know::K, g, a) => format!("K({}, {})", group(g), a.text(words)),
            Formula::Know(kind, g, a) => format!("{}({{{}}}, {})", kind.symbol(), group(g), a.text(words)),
            Formula::Fix(kind, name, a) => format!("{} {name}. {}", kind.symbol(), a.text(words)),
            Formula::Var(name) => name.clone(),
            Formula::Ltl(path) => format!("LTL {}", path.text(words)),
        }
    }
}

impl<A: PartialEq> PathFormula<A> {
    /// The path formula as a property file would have it.
    pub fn text(&self, words: &dyn Words<A>) -> String {
        if let Some((a, b)) = self.as_weak_until() {
            return format!("({} W {})", a.text(words), b.text(words));
        }
        if let Some((a, b)) = self.as_release() {
            return format!("({} R {})", a.text(words), b.text(words));
        }
        match self {
            PathFormula::State(f) => f.text(words),
            PathFormula::Bool(b) => connective(&b.map(|f| f.text(words))),
            PathFormula::Temporal(t) => operator(&t.map(|f| f.text(words))),
        }
    }
}

fn connective(b: &Bool<String>) -> String {
    let chain = |parts: &[String], op: &str, empty: &str| match parts {
        [] => empty.to_string(),
        [one] => one.clone(),
        many => format!("({})", many.join(op)),
    };
    match b {
        Bool::Not(a) => format!("!{a}"),
        Bool::And(xs) => chain(xs, " && ", "true"),
        Bool::Or(xs) => chain(xs, " || ", "false"),
        Bool::Implies(a, b) => format!("({a} -> {b})"),
        Bool::Iff(a, b) => format!("({a} <-> {b})"),
        Bool::Quant { body, .. } => body.to_string(),
    }
}

fn operator(t: &Temporal<String>) -> String {
    match t {
        Temporal::Next(a) => format!("X {a}"),
        Temporal::Finally(a) => format!("F {a}"),
        Temporal::Globally(a) => format!("G {a}"),
        Temporal::Until(a, b) => format!("({a} U {b})"),
    }
}
