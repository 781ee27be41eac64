//! What expressions are worth over predicates: conditions of the new machine, or numbers case by case.

use super::step::{Cases, Turn, Unfit, Worth};
use crate::abstraction::linear::{Atom, Leaf, Linear, decide};
use crate::abstraction::paths::by_range;
use crate::abstraction::predicate::{arith, linear};
use crate::machine::{ArithOp, CompareOp, Domain, ExprId, FALSE, Node, TRUE, VarId, interval};
use crate::smt::{Ratio, Sort};
use num_traits::One;
use std::collections::{BTreeMap, BTreeSet};

/// More cases than this are not told apart.
const MOST_CASES: usize = 256;

impl Turn<'_, '_> {
    /// A sum over variables of the snapshot, as it is when the step is over, case by case.
    pub(super) fn spread(&mut self, sum: &Linear) -> Result<Cases, Unfit> {
        let mut leaves = BTreeSet::new();
        sum.leaves(&mut |l| {
            if let Leaf::Var(..) | Leaf::Choice(..) = l {
                leaves.insert(l.clone());
            }
        });
        let mut all: Vec<(ExprId, BTreeMap<Leaf, Linear>)> = vec![(TRUE, BTreeMap::new())];
        for leaf in leaves {
            let cases = match &leaf {
                Leaf::Var(v, _) if self.frame.system.wide(*v).is_some() => self.current(*v),
                Leaf::Var(v, _) => {
                    let new = self.frame.var(*v)?;
                    let e = self.frame.exprs.cur(new);
                    self.listed(e, self.frame.system.machine.var(*v).domain.bounds())?
                }
                Leaf::Choice(e, _) => {
                    let worth = self.eval(*e)?;
                    self.cases(worth)?
                }
                _ => continue,
            };
            let mut next = Vec::new();
            for (guard, known) in &all {
                for (more, value) in &cases {
                    let both = self.frame.exprs.and([*guard, *more]);
                    if both != FALSE {
                        let mut known = known.clone();
                        known.insert(leaf.clone(), value.clone());
                        next.push((both, known));
                    }
                }
            }
            all = next;
            if all.len() > MOST_CASES {
                return Err(Unfit("too many cases"));
            }
        }
        let put = |known: &BTreeMap<Leaf, Linear>| {
            sum.map(&mut |l| known.get(l).cloned().unwrap_or_else(|| Linear::leaf(l.clone())))
        };
        let cases = all.iter().map(|(guard, known)| (*guard, put(known))).collect();
        Ok(self.merged(cases))
    }

    /// An abstracted variable before the step: at its initial value while it is pinned.
    pub(super) fn before(&mut self, var: VarId) -> Cases {
        self.frame.unknown(var, true)
    }

    pub(super) fn current(&mut self, var: VarId) -> Cases {
        match self.now.get(&var) {
            Some(cases) => cases.clone(),
            None => self.before(var),
        }
    }

    /// Equal sums together.
    pub(super) fn merged(&mut self, cases: Cases) -> Cases {
        let mut found: Vec<(Vec<ExprId>, Linear)> = Vec::new();
        for (guard, sum) in cases.into_iter().filter(|(g, _)| *g != FALSE) {
            match found.iter_mut().find(|(_, s)| *s == sum) {
                Some((guards, _)) => guards.push(guard),
                None => found.push((vec![guard], sum)),
            }
        }
        if let [(guards, _)] = found.as_mut_slice() {
            *guards = vec![TRUE];
        }
        found.into_iter().map(|(guards, sum)| (self.frame.exprs.or(guards), sum)).collect()
    }

    /// Something finite, value by value.
    pub(super) fn listed(&mut self, e: ExprId, (lo, hi): (i64, i64)) -> Result<Cases, Unfit> {
        if hi.abs_diff(lo) as usize >= MOST_CASES {
            return Err(Unfit("a finite number with many values among unbounded ones"));
        }
        let exprs = &mut self.frame.exprs;
        let mut cases = Vec::new();
        for c in lo..=hi {
            let value = exprs.int(c);
            cases.push((exprs.compare(CompareOp::Eq, e, value), Linear::int(c)));
        }
        Ok(cases)
    }

    pub(super) fn cases(&mut self, worth: Worth) -> Result<Cases, Unfit> {
        let (new, old) = match worth {
            Worth::Wide(cases) => return Ok(cases),
            Worth::Finite(new, old) => (new, old),
        };
        if let Node::Int(i) = self.frame.exprs.node(new) {
            return Ok(vec![(TRUE, Linear::int(*i))]);
        }
        let m = self.frame.system.machine;
        let inputs = m.bodies.get(self.body.0).map(|b| b.inputs.as_slice()).unwrap_or_default();
        let ends = interval(&m.vars, &m.exprs, inputs, old);
        self.listed(new, ends)
    }

    /// Is abstracted data read in it?
    pub(super) fn is_wide(&mut self, e: ExprId) -> bool {
        if let Some(known) = self.wide.get(&e) {
            return *known;
        }
        let system = self.frame.system;
        let wide = match system.machine.exprs.node(e) {
            Node::Prev(v) | Node::Cur(v) => system.wide(*v).is_some(),
            Node::Input(i) => system.wide_input(self.body, *i).is_some(),
            // What is finite has no fractions.
            Node::Arith(ArithOp::Over, ..) => true,
            _ => system.machine.exprs.parts(e).any(|p| self.is_wide(p)),
        };
        self.wide.insert(e, wide);
        wide
    }

    /// An old expression without abstracted data in the new machine.
    pub(super) fn plain(&mut self, e: ExprId) -> Result<ExprId, Unfit> {
        if let Some(known) = self.plain.get(&e) {
            return Ok(*known);
        }
        let old = &self.frame.system.machine.exprs;
        let parts = old.parts(e).map(|part| self.plain(part)).collect::<Result<Vec<_>, _>>()?;
        let leaf = match old.node(e) {
            Node::Prev(v) | Node::Cur(v) => Some(self.frame.var(*v)?),
            _ => None,
        };
        let exprs = &mut self.frame.exprs;
        let new = match (old.node(e), leaf, parts.as_slice()) {
            (Node::Bool(b), ..) => exprs.bool(*b),
            (Node::Int(i), ..) => exprs.int(*i),
            (Node::Prev(_), Some(v), _) if !self.over => exprs.prev(v),
            (_, Some(v), _) => exprs.cur(v),
            (Node::Input(i), ..) => {
                let kept = self.inputs.get(i).copied().ok_or(Unfit("an input that is not kept"))?;
                exprs.input(kept)
            }
            (Node::Not(_), _, [a]) => exprs.not(*a),
            (Node::And(_), _, parts) => exprs.and(parts.iter().copied()),
            (Node::Or(_), _, parts) => exprs.or(parts.iter().copied()),
            (Node::Iff(..), _, [a, b]) => exprs.iff(*a, *b),
            (Node::Ite(..), _, [c, t, f]) => exprs.ite(*c, *t, *f),
            (Node::Compare(op, ..), _, [a, b]) => exprs.compare(*op, *a, *b),
            (Node::Arith(op, ..), _, [a, b]) => exprs.arith(*op, *a, *b),
            _ => return Err(Unfit("an expression without its parts")),
        };
        self.plain.insert(e, new);
        Ok(new)
    }

    /// A condition in the new machine.
    pub(super) fn truth(&mut self, e: ExprId) -> Result<ExprId, Unfit> {
        match self.eval(e)? {
            Worth::Finite(new, _) => Ok(new),
            Worth::Wide(_) => Err(Unfit("a number where a condition is expected")),
        }
    }

    pub(super) fn eval(&mut self, e: ExprId) -> Result<Worth, Unfit> {
        if !self.is_wide(e) {
            return Ok(Worth::Finite(self.plain(e)?, e));
        }
        let node = self.frame.system.machine.exprs.node(e).clone();
        Ok(match node {
            Node::Prev(v) if !self.over => Worth::Wide(self.before(v)),
            Node::Prev(v) | Node::Cur(v) => Worth::Wide(self.current(v)),
            Node::Input(i) => {
                let sort = self.frame.system.wide_input(self.body, i).map_or(Sort::Int, |w| w.sort);
                Worth::Wide(vec![(TRUE, Linear::leaf(Leaf::Input(i, sort)))])
            }
            Node::Not(a) => {
                let a = self.truth(a)?;
                Worth::Finite(self.frame.exprs.not(a), e)
            }
            Node::And(xs) | Node::Or(xs) => {
                let conjunction = matches!(self.frame.system.machine.exprs.node(e), Node::And(_));
                let parts = xs.iter().map(|x| self.truth(*x)).collect::<Result<Vec<_>, _>>()?;
                let exprs = &mut self.frame.exprs;
                Worth::Finite(if conjunction { exprs.and(parts) } else { exprs.or(parts) }, e)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                Worth::Finite(self.frame.exprs.iff(a, b), e)
            }
            Node::Ite(c, t, f) => {
                let c = self.truth(c)?;
                match (self.eval(t)?, self.eval(f)?) {
                    (Worth::Finite(t, old), Worth::Finite(f, _)) if self.is_truth(old) => {
                        Worth::Finite(self.frame.exprs.ite(c, t, f), e)
                    }
                    (t, f) => {
                        let (t, f) = (self.cases(t)?, self.cases(f)?);
                        Worth::Wide(self.either(c, t, f))
                    }
                }
            }
            Node::Arith(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let pairs = self.pairs(a, b)?;
                let sums = pairs.into_iter().map(|(g, a, b)| (g, arith(op, &a, &b))).collect();
                Worth::Wide(self.merged(sums))
            }
            Node::Compare(op, a, b) if self.is_snapshot() => {
                // A comparison about one snapshot is made of predicates as it stands.
                let (a, b) = (linear(self.frame.system, a), linear(self.frame.system, b));
                let (Some(a), Some(b)) = (a, b) else { return Err(Unfit("payload in a condition on a snapshot")) };
                Worth::Finite(self.compare(op, &a.plus(&b, &-Ratio::one()), &mut Vec::new())?, e)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let mut parts = Vec::new();
                for (guard, a, b) in self.pairs(a, b)? {
                    let holds = self.compare(op, &a.plus(&b, &-Ratio::one()), &mut Vec::new())?;
                    parts.push(self.frame.exprs.and([guard, holds]));
                }
                Worth::Finite(self.frame.exprs.or(parts), e)
            }
            Node::Bool(_) | Node::Int(_) => Worth::Finite(self.plain(e)?, e),
        })
    }

    /// Is an old expression Boolean?
    pub(super) fn is_truth(&self, e: ExprId) -> bool {
        let m = self.frame.system.machine;
        match m.exprs.node(e) {
            Node::Int(_) | Node::Arith(..) => false,
            Node::Prev(v) | Node::Cur(v) => m.var(*v).domain == Domain::Bool,
            Node::Input(i) => {
                m.bodies.get(self.body.0).and_then(|b| b.inputs.get(i.0)).is_some_and(|i| i.domain == Domain::Bool)
            }
            Node::Ite(_, t, _) => self.is_truth(*t),
            _ => true,
        }
    }

    pub(super) fn pairs(&mut self, a: Worth, b: Worth) -> Result<Vec<(ExprId, Linear, Linear)>, Unfit> {
        let (a, b) = (self.cases(a)?, self.cases(b)?);
        let mut all = Vec::new();
        for (g, x) in &a {
            for (h, y) in &b {
                let both = self.frame.exprs.and([*g, *h]);
                if both != FALSE {
                    all.push((both, x.clone(), y.clone()));
                }
            }
        }
        if all.len() > MOST_CASES { Err(Unfit("too many cases")) } else { Ok(all) }
    }

    pub(super) fn either(&mut self, c: ExprId, then: Cases, other: Cases) -> Cases {
        let not = self.frame.exprs.not(c);
        let then = then.into_iter().map(|(g, s)| (c, g, s));
        let all: Vec<(ExprId, ExprId, Linear)> = then.chain(other.into_iter().map(|(g, s)| (not, g, s))).collect();
        let all = all.into_iter().map(|(c, g, s)| (self.frame.exprs.and([c, g]), s)).collect();
        self.merged(all)
    }

    /// `sum op 0`, under the answers given so far.
    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        sum: &Linear,
        answers: &mut Vec<(Atom, bool)>,
    ) -> Result<ExprId, Unfit> {
        let mut open = None;
        let result = decide(op, sum, &mut |atom| match answers.iter().find(|(a, _)| *a == atom) {
            Some((_, b)) => Ok(*b),
            None => {
                open = Some(atom);
                Err(())
            }
        });
        let atom = match (result, open) {
            (Ok(b), _) => return Ok(self.frame.exprs.bool(b)),
            (Err(()), Some(atom)) => atom,
            (Err(()), None) => return Err(Unfit("a comparison without an atom")),
        };
        let asked = self.atom(atom.clone())?;
        let mut branches = [FALSE, FALSE];
        for (branch, truth) in branches.iter_mut().zip([true, false]) {
            answers.push((atom.clone(), truth));
            *branch = self.compare(op, sum, answers)?;
            answers.pop();
        }
        Ok(self.frame.exprs.ite(asked, branches[0], branches[1]))
    }

    /// The truth of an atom over the unknowns before the step.
    pub(super) fn atom(&mut self, atom: Atom) -> Result<ExprId, Unfit> {
        let (system, body) = (self.frame.system, self.body);
        let range = |leaf: &Leaf| match leaf {
            Leaf::Var(v, _) => system.wide(*v),
            Leaf::Input(i, _) => system.wide_input(body, *i),
            _ => None,
        };
        if let Some(known) = by_range(&atom, &range) {
            return Ok(self.frame.exprs.bool(known));
        }
        if let Some(var) = self.frame.predicate(&atom, self.is_snapshot()) {
            return Ok(self.frame.exprs.prev(var));
        }
        let at = self.atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        let input = self.position(at);
        Ok(self.frame.exprs.input(input))
    }

    /// A value made to fit a variable: numbers beyond its domain become the nearest end.
    pub(super) fn fitted(&mut self, e: ExprId, var: VarId) -> Result<Worth, Unfit> {
        let worth = self.eval(e)?;
        let system = self.frame.system;
        let (lo, hi) = match (system.wide(var), &worth) {
            (None, Worth::Finite(..)) => return Ok(worth),
            (Some(wide), _) => (wide.lo, wide.hi),
            (None, _) => {
                let (lo, hi) = system.machine.var(var).domain.bounds();
                (Some(lo), Some(hi))
            }
        };
        let mut cut = Vec::new();
        for (guard, sum) in self.cases(worth)? {
            let mut rest = guard;
            for (end, op) in [(lo, CompareOp::Lt), (hi, CompareOp::Gt)] {
                let Some(end) = end else { continue };
                let beyond = self.compare(op, &sum.plus(&Linear::int(-end), &Ratio::one()), &mut Vec::new())?;
                let exprs = &mut self.frame.exprs;
                cut.push((exprs.and([rest, beyond]), Linear::int(end)));
                let within = exprs.not(beyond);
                rest = exprs.and([rest, within]);
            }
            cut.push((rest, sum));
        }
        let cut = self.merged(cut);
        match (system.wide(var), lo, hi) {
            (None, Some(lo), Some(hi)) => Ok(Worth::Finite(self.settled(&cut, lo, hi)?, e)),
            _ => Ok(Worth::Wide(cut)),
        }
    }

    /// A number that goes into something finite: which value is it?
    pub(super) fn settled(&mut self, cases: &Cases, lo: i64, hi: i64) -> Result<ExprId, Unfit> {
        if hi.abs_diff(lo) as usize >= MOST_CASES {
            return Err(Unfit("an unbounded number that goes into a finite one with many values"));
        }
        let mut value = self.frame.exprs.int(hi);
        for c in (lo..hi).rev() {
            let mut parts = Vec::new();
            for (guard, sum) in cases {
                let is = sum.plus(&Linear::int(-c), &Ratio::one());
                let is = self.compare(CompareOp::Eq, &is, &mut Vec::new())?;
                parts.push(self.frame.exprs.and([*guard, is]));
            }
            let exprs = &mut self.frame.exprs;
            let (is, code) = (exprs.or(parts), exprs.int(c));
            value = exprs.ite(is, code, value);
        }
        Ok(value)
    }
}
