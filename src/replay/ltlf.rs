//! Properties of finite runs: formulas are carried along a run, snapshot by snapshot, and say what the rest of it must still do.
//!
//! After some snapshots a formula is a combination of obligations: *there is a rest and it satisfies* `f` (strong), and their
//! denials. At the end of a run strong ones fail. A formula that has become true or false stays so.

use crate::logic::linear::{Claims, Decision};
use crate::logic::{Bool, Formula, PathFormula, Property, Temporal};
use rustc_hash::FxHashMap;

/// A formula, by its place in the table.
pub type Id = u32;

const FALSE: Id = 0;
const TRUE: Id = 1;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Const(bool),
    /// An atom, by number; only before its snapshot is seen.
    Atom(usize),
    Not(Id),
    Or(Vec<Id>),
    Until(Id, Id),
    /// There is a rest, and it satisfies this.
    Rest(Id),
}

/// What the run so far says about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// It holds if the run ends here.
    pub holds: bool,
    /// Whatever comes, this stays.
    pub permanent: bool,
}

impl Judged {
    /// As results say it.
    pub fn words(self) -> String {
        format!("{} {}", self.holds, if self.permanent { "permanent" } else { "so far" })
    }
}

/// Formulas and what becomes of them.
#[derive(Clone, Debug)]
pub struct Progress<A> {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Id>,
    atoms: Vec<A>,
}

impl<A: Clone + PartialEq> Default for Progress<A> {
    fn default() -> Self {
        let mut new = Progress { nodes: Vec::new(), known: FxHashMap::default(), atoms: Vec::new() };
        new.node(Node::Const(false));
        new.node(Node::Const(true));
        new
    }
}

impl<A: Clone + PartialEq> Progress<A> {
    /// A property as a claim about one run; `None` when it is none.
    pub fn claim(&mut self, property: &Property<A>) -> Option<Id> {
        if !property.fair.is_empty() {
            return None;
        }
        let claims = Claims::of(property, &|_| false).ok()?;
        self.decision(&claims.decision, &claims.claims)
    }

    /// State formulas, and what holds if only some run does something, are no claims about one run.
    fn decision(&mut self, decision: &Decision, claims: &[PathFormula<A>]) -> Option<Id> {
        match decision {
            Decision::Holds(i) => self.path(claims.get(*i)?),
            Decision::Not(inner) => match inner.as_ref() {
                Decision::Fails(i) => self.path(claims.get(*i)?),
                _ => None,
            },
            Decision::And(parts) if !parts.is_empty() => {
                let parts: Option<Vec<Id>> = parts.iter().map(|p| self.decision(p, claims)).collect();
                parts.map(|parts| self.and(parts))
            }
            _ => None,
        }
    }

    fn path(&mut self, f: &PathFormula<A>) -> Option<Id> {
        Some(match f {
            PathFormula::State(f) => self.state(f)?,
            PathFormula::Bool(b) => self.connective(b, &mut Self::path)?,
            PathFormula::Temporal(t) => match t {
                Temporal::Next(a) => {
                    let a = self.path(a)?;
                    self.node(Node::Rest(a))
                }
                Temporal::Finally(a) => {
                    let a = self.path(a)?;
                    self.node(Node::Until(TRUE, a))
                }
                Temporal::Globally(a) => {
                    let a = self.path(a)?;
                    let never = self.not(a);
                    let finally = self.node(Node::Until(TRUE, never));
                    self.not(finally)
                }
                Temporal::Until(a, b) => {
                    let (a, b) = (self.path(a)?, self.path(b)?);
                    self.node(Node::Until(a, b))
                }
            },
        })
    }

    fn state(&mut self, f: &Formula<A>) -> Option<Id> {
        match f {
            Formula::Atom(a) => {
                let at = self.atoms.iter().position(|known| known == a).unwrap_or_else(|| {
                    self.atoms.push(a.clone());
                    self.atoms.len() - 1
                });
                Some(self.node(Node::Atom(at)))
            }
            Formula::Bool(b) => self.connective(b, &mut Self::state),
            _ => None,
        }
    }

    fn connective<F>(&mut self, b: &Bool<F>, part: &mut dyn FnMut(&mut Self, &F) -> Option<Id>) -> Option<Id> {
        Some(match b {
            Bool::Not(a) => {
                let a = part(self, a)?;
                self.not(a)
            }
            Bool::And(parts) => {
                let parts: Option<Vec<Id>> = parts.iter().map(|p| part(self, p)).collect();
                self.and(parts?)
            }
            Bool::Or(parts) => {
                let parts: Option<Vec<Id>> = parts.iter().map(|p| part(self, p)).collect();
                self.or(parts?)
            }
            Bool::Implies(a, b) => {
                let (a, b) = (part(self, a)?, part(self, b)?);
                let not = self.not(a);
                self.or(vec![not, b])
            }
            Bool::Iff(a, b) => {
                let (a, b) = (part(self, a)?, part(self, b)?);
                let (no_a, no_b) = (self.not(a), self.not(b));
                let (both, none) = (self.and(vec![a, b]), self.and(vec![no_a, no_b]));
                self.or(vec![both, none])
            }
            // The one instance of E-GSM is always there; elsewhere quantifiers are gone.
            Bool::Quant { body, .. } => part(self, body)?,
        })
    }

    fn node(&mut self, node: Node) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    fn at(&self, id: Id) -> Node {
        self.nodes.get(id as usize).cloned().unwrap_or(Node::Const(false))
    }

    fn not(&mut self, a: Id) -> Id {
        match self.at(a) {
            Node::Const(b) => Id::from(!b),
            Node::Not(a) => a,
            _ => self.node(Node::Not(a)),
        }
    }

    fn and(&mut self, parts: Vec<Id>) -> Id {
        let not: Vec<Id> = parts.into_iter().map(|p| self.not(p)).collect();
        let or = self.or(not);
        self.not(or)
    }

    fn or(&mut self, parts: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match self.at(part) {
                Node::Const(true) => return TRUE,
                Node::Const(false) => {}
                Node::Or(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let denied = |p: &Id| matches!(self.at(*p), Node::Not(a) if flat.binary_search(&a).is_ok());
        match flat.as_slice() {
            [] => FALSE,
            [one] => *one,
            _ if flat.iter().any(denied) => TRUE,
            _ => self.node(Node::Or(flat)),
        }
    }

    /// What is left of claims after the first snapshot.
    pub fn begin(&mut self, claims: &[Id], holds: &dyn Fn(&A) -> bool) -> Vec<Id> {
        claims.iter().map(|c| self.seen(*c, holds)).collect()
    }

    /// What is left of obligations after the next snapshot.
    pub fn next(&mut self, left: &[Id], holds: &dyn Fn(&A) -> bool) -> Vec<Id> {
        left.iter().map(|c| self.over(*c, &mut |this, f| this.seen(f, holds))).collect()
    }

    /// What a formula asks of the rest when its first snapshot is this one.
    fn seen(&mut self, f: Id, holds: &dyn Fn(&A) -> bool) -> Id {
        match self.at(f) {
            Node::Const(_) | Node::Rest(_) => f,
            Node::Atom(a) => Id::from(self.atoms.get(a).is_some_and(holds)),
            Node::Not(a) => {
                let a = self.seen(a, holds);
                self.not(a)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|p| self.seen(p, holds)).collect();
                self.or(parts)
            }
            Node::Until(a, b) => {
                let (now, still) = (self.seen(b, holds), self.seen(a, holds));
                let later = self.node(Node::Rest(f));
                let later = self.and(vec![still, later]);
                self.or(vec![now, later])
            }
        }
    }

    /// Replaces the obligations of a formula about the rest.
    fn over(&mut self, f: Id, rest: &mut dyn FnMut(&mut Self, Id) -> Id) -> Id {
        match self.at(f) {
            Node::Rest(f) => rest(self, f),
            Node::Not(a) => {
                let a = self.over(a, rest);
                self.not(a)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|p| self.over(p, rest)).collect();
                self.or(parts)
            }
            _ => f,
        }
    }

    /// What obligations mean if the run ends here.
    pub fn judge(&mut self, left: Id) -> Judged {
        let end = self.over(left, &mut |_, _| FALSE);
        Judged { holds: end == TRUE, permanent: matches!(self.at(left), Node::Const(_)) }
    }
}

/// Value of a statement about one snapshot; others are false.
pub fn truth<A>(f: &Formula<A>, holds: &dyn Fn(&A) -> bool) -> bool {
    match f {
        Formula::Atom(a) => holds(a),
        Formula::Bool(b) => match b {
            Bool::Not(a) => !truth(a, holds),
            Bool::And(parts) => parts.iter().all(|p| truth(p, holds)),
            Bool::Or(parts) => parts.iter().any(|p| truth(p, holds)),
            Bool::Implies(a, b) => !truth(a, holds) || truth(b, holds),
            Bool::Iff(a, b) => truth(a, holds) == truth(b, holds),
            Bool::Quant { body, .. } => truth(body, holds),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Connected;
    use crate::source::Span;

    type P = PathFormula<char>;

    fn judged(path: P, run: &str) -> String {
        let p = Property::new("p", Formula::ltl(path), Span::NOWHERE);
        let mut progress = Progress::default();
        let claim = progress.claim(&p).expect("a claim about a run");
        let mut left: Option<Vec<Id>> = None;
        for snapshot in run.split(' ') {
            let holds = |a: &char| snapshot.contains(*a);
            left = Some(match left {
                None => progress.begin(&[claim], &holds),
                Some(left) => progress.next(&left, &holds),
            });
        }
        progress.judge(left.expect("a snapshot")[0]).words()
    }

    fn a(c: char) -> P {
        PathFormula::State(Formula::Atom(c))
    }

    #[test]
    fn finite_runs() {
        assert_eq!(judged(P::globally(a('a')), "a a a"), "true so far");
        assert_eq!(judged(P::globally(a('a')), "a - a"), "false permanent");
        assert_eq!(judged(P::finally(a('a')), "- -"), "false so far");
        assert_eq!(judged(P::finally(a('a')), "- a -"), "true permanent");
        assert_eq!(judged(P::until(a('a'), a('b')), "a a"), "false so far");
        assert_eq!(judged(P::until(a('a'), a('b')), "a - b"), "false permanent");
        assert_eq!(judged(P::until(a('a'), a('b')), "a a b -"), "true permanent");
        let response = P::globally(a('a').implies(P::finally(a('b'))));
        assert_eq!(judged(response.clone(), "a - b"), "true so far");
        assert_eq!(judged(response, "a b a"), "false so far");
    }

    #[test]
    fn next_is_strong_and_its_dual_weak() {
        assert_eq!(judged(P::next(a('a')), "-"), "false so far");
        assert_eq!(judged(P::next(a('a')), "- a"), "true permanent");
        assert_eq!(judged(P::next(a('a').not()).not(), "-"), "true so far");
        assert_eq!(judged(P::next(a('a').not()).not(), "- -"), "false permanent");
        assert_eq!(judged(P::globally(P::next(a('a'))), "a a a"), "false so far");
    }
}
