//! Claims about runs as SPIN reads them: an `ltl` block, or an automaton of our own where the formula has a next or is long.
//!
//! Both speak of derived Booleans, one per state formula, that the model keeps up to date.

use crate::backend::comment::Comment;
use crate::backend::written::IMPOSSIBLE;
use crate::logic::automaton::Automaton;
use crate::logic::{Bool, Formula, PathFormula, Temporal};
use crate::machine::ExprId;

/// A claim in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimText {
    /// Its name.
    pub name: String,
    /// What it is, for the comment.
    pub comment: Comment,
    /// The `ltl` or `never` block.
    pub text: String,
}

/// The state formulas that claims speak of, each once.
#[derive(Debug, Default)]
pub struct Atoms {
    list: Vec<Formula<ExprId>>,
}

impl Atoms {
    /// The derived Boolean of a state formula.
    fn name(&mut self, f: &Formula<ExprId>) -> String {
        let at = self.list.iter().position(|g| g == f).unwrap_or_else(|| {
            self.list.push(f.clone());
            self.list.len() - 1
        });
        format!("q{}", at + 1)
    }

    /// All of them with their names.
    pub fn list(&self) -> impl Iterator<Item = (String, &Formula<ExprId>)> {
        self.list.iter().enumerate().map(|(i, f)| (format!("q{}", i + 1), f))
    }
}

/// The block for a claim; nothing when its automaton gets too large, or it does not speak of single snapshots.
pub fn block(name: &str, claim: &PathFormula<ExprId>, atoms: &mut Atoms) -> Option<String> {
    if !claim.states().into_iter().all(Formula::is_state) {
        return None;
    }
    match has_next(claim) || weight(claim) > LIGHT {
        false => Some(format!("ltl {name} {{ {} }}", ltl(claim, atoms))),
        true => never(name, claim, atoms),
    }
}

/// Temporal operators that SPIN's own translation is trusted with; it takes minutes for a few more.
const LIGHT: usize = 5;
/// Moves of an automaton of our own; compilers take minutes for more.
const MOST_MOVES: usize = 1500;

/// Temporal operators, those under an equivalence twice.
fn weight(f: &PathFormula<ExprId>) -> usize {
    let inside: usize = f.parts().into_iter().map(weight).sum();
    match f {
        PathFormula::State(_) => 0,
        PathFormula::Bool(Bool::Iff(..)) => 2 * inside,
        PathFormula::Bool(_) => inside,
        PathFormula::Temporal(_) => inside + 1,
    }
}

fn has_next(f: &PathFormula<ExprId>) -> bool {
    matches!(f, PathFormula::Temporal(Temporal::Next(_))) || f.parts().into_iter().any(has_next)
}

fn ltl(f: &PathFormula<ExprId>, atoms: &mut Atoms) -> String {
    match f {
        PathFormula::State(s) => atoms.name(s),
        PathFormula::Bool(b) => connective(b.map(|g| ltl(g, atoms))),
        PathFormula::Temporal(t) => match t.map(|g| ltl(g, atoms)) {
            Temporal::Next(a) => format!("(X {a})"),
            Temporal::Finally(a) => format!("(<> {a})"),
            Temporal::Globally(a) => format!("([] {a})"),
            Temporal::Until(a, b) => format!("({a} U {b})"),
        },
    }
}

fn connective(b: Bool<String>) -> String {
    let chain = |xs: Vec<String>, by: &str, empty: &str| match xs.is_empty() {
        true => empty.to_string(),
        false => format!("({})", xs.join(by)),
    };
    match b {
        Bool::Not(a) => format!("(!{a})"),
        Bool::And(xs) => chain(xs, " && ", "true"),
        Bool::Or(xs) => chain(xs, " || ", "false"),
        Bool::Implies(a, b) => format!("({a} -> {b})"),
        Bool::Iff(a, b) => format!("({a} <-> {b})"),
        Bool::Quant { body, .. } => *body,
    }
}

/// The automaton of the runs that violate the claim. A place of the claim stands after the letter it has just read; the accepting
/// sets are taken in turn.
fn never(name: &str, claim: &PathFormula<ExprId>, atoms: &mut Atoms) -> Option<String> {
    let automaton = Automaton::new(claim, false)?;
    let letters: Vec<String> = automaton
        .labels
        .iter()
        .map(|label| {
            let literal = |(atom, holds): &(usize, bool)| {
                let name = automaton.atoms.get(*atom).map_or_else(|| IMPOSSIBLE.to_string(), |f| atoms.name(f));
                if *holds { name } else { format!("!{name}") }
            };
            if label.is_empty() { "1".into() } else { label.iter().map(literal).collect::<Vec<_>>().join(" && ") }
        })
        .collect();
    let sets = automaton.accepting.len().max(1);
    if automaton.edges.iter().map(Vec::len).sum::<usize>().saturating_mul(sets) > MOST_MOVES {
        return None;
    }
    let in_set = |state: usize, set: usize| automaton.accepting.get(set).is_none_or(|s| s[state]);
    let place = |state: usize, turn: usize| {
        let accept = if turn == 0 && in_set(state, 0) { "accept_" } else { "" };
        format!("{accept}S{state}_{turn}")
    };
    let options = |from: &[usize], turn: usize| {
        let option = |t: &usize| format!("  :: ({}) -> goto {}", letters[*t], place(*t, turn));
        let all: Vec<String> = from.iter().map(option).collect();
        if all.is_empty() { "  :: (0) -> skip".to_string() } else { all.join("\n") }
    };
    let mut text = format!("never {name} {{\nT0_init:\n  do\n{}\n  od;\n", options(&automaton.initial, 0));
    for state in 0..letters.len() {
        for turn in 0..sets {
            let next = if in_set(state, turn) { (turn + 1) % sets } else { turn };
            let options = options(&automaton.edges[state], next);
            text += &format!("{}:\n  do\n{options}\n  od;\n", place(state, turn));
        }
    }
    Some(text + "}")
}
