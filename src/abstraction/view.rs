//! Snapshots that are reachable together with every value of the data an agent sees.
//!
//! That some concrete snapshot behind an abstract one is reachable is not enough to deny knowledge: it must be one that looks like the
//! snapshot at hand. So with V the abstracted data in view, an edge counts only if, whatever V is after it, V can have been something
//! before it from which every concrete snapshot gets there. Then each abstract snapshot that is reached holds, for each value of V
//! that occurs in it, a reachable concrete snapshot with that value.

use super::eliminate::{Condition, eliminate};
use super::env::Env;
use super::graph::{Graph, Move, Stopped};
use super::linear::{Atom, Leaf, Linear};
use super::paths::{Path, Post};
use super::question::Asker;
use super::system::Wide;
use super::way::in_range;
use super::{Predicates, Snapshot, System};
use crate::machine::{BodyIx, VarId};
use crate::smt::{Ratio, Sat, Sort, Symbol, Term};
use num_traits::One;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Marks a variable after the edge.
const LATER: u32 = 1 << 31;

/// The snapshots that are reachable with every value of some abstracted data.
pub fn reachable_with(
    system: &System,
    predicates: &Predicates,
    graph: &Graph,
    view: &BTreeSet<VarId>,
    asker: &mut Asker,
) -> Result<Vec<bool>, Stopped> {
    if view.is_empty() {
        return Ok(graph.must_reachable());
    }
    super::know::reachable(graph, |s| {
        let mut after = Vec::new();
        let (Some(snapshot), Some(moves)) = (graph.states.get(s), graph.moves.get(s)) else { return Ok(after) };
        let env = Env::new(system, predicates, snapshot);
        asker.oracle().go_on()?;
        for m in moves {
            let paths = super::graph::all_paths(&env, m.agent, m.body)?;
            for &t in &m.may {
                let Some(target) = graph.states.get(t) else { continue };
                if edge(&env, m, &paths, target, view, asker)? {
                    after.push(t);
                }
            }
        }
        Ok(after)
    })
}

fn edge(
    env: &Env,
    m: &Move,
    paths: &[Path],
    target: &Snapshot,
    view: &BTreeSet<VarId>,
    asker: &mut Asker,
) -> Result<bool, Stopped> {
    let after = Env::new(env.system, env.predicates, target);
    let ways: Vec<&Path> = paths.iter().filter(|p| leads_to(p, target)).collect();
    let question = Edge { before: env, after: &after, body: m.body, ways, view, names: RefCell::default() };
    let (symbols, asserted) = question.said();
    let key = asserted.iter().map(|t| t.text()).collect::<Vec<_>>().join("\n");
    let answer = match asker.edges.get(&key) {
        Some(known) => *known,
        None => {
            let oracle = asker.oracle();
            oracle.push();
            symbols.iter().for_each(|s| oracle.declare(s));
            asserted.into_iter().for_each(|t| oracle.assert(t));
            let answer = oracle.check();
            oracle.pop();
            let answer = answer?;
            asker.edges.insert(key, answer);
            answer
        }
    };
    asker.puzzled |= answer == Sat::Unknown;
    Ok(answer == Sat::No)
}

/// Can a path end in this snapshot, as far as it is decided?
fn leads_to(path: &Path, target: &Snapshot) -> bool {
    let fits = |(post, truth): (&Post, &bool)| !matches!(post, Post::Known(b) if b != truth);
    path.codes == target.codes && path.posts.iter().zip(&target.truths).all(fits)
}

/// One edge, and what is to be shown: no value of the view after it lacks a value before it.
struct Edge<'a> {
    before: &'a Env<'a>,
    after: &'a Env<'a>,
    body: BodyIx,
    ways: Vec<&'a Path>,
    view: &'a BTreeSet<VarId>,
    /// Numbers of variables in the order they appear: equal questions read the same.
    names: RefCell<BTreeMap<VarId, usize>>,
}

impl Edge<'_> {
    fn number(&self, var: VarId) -> usize {
        let mut names = self.names.borrow_mut();
        let next = names.len();
        *names.entry(var).or_insert(next)
    }

    fn name(&self, leaf: &Leaf) -> Symbol {
        match leaf {
            Leaf::Input(i, sort) => Symbol::numbered("u", i.0, *sort),
            Leaf::Var(v, sort) if v.0 & LATER != 0 => Symbol::numbered("t", self.number(VarId(v.0 & !LATER)), *sort),
            Leaf::Var(v, sort) => Symbol::numbered("x", self.number(*v), *sort),
            other => Symbol::named("none", other.sort()),
        }
    }

    fn wide(&self, var: VarId) -> Wide {
        self.before.system.wide(var).unwrap_or(Wide { sort: Sort::Int, lo: None, hi: None })
    }

    /// Variables that the step touches or that are connected with such ones.
    fn relevant(&self) -> BTreeSet<VarId> {
        let mut found: BTreeSet<VarId> = BTreeSet::new();
        let mut note = |leaf: &Leaf| {
            if let Leaf::Var(v, _) = leaf {
                found.insert(*v);
            }
        };
        for way in &self.ways {
            way.conditions.iter().for_each(|(a, _)| a.leaves(&mut note));
            for post in &way.posts {
                if let Post::Ask(a, _) = post {
                    a.leaves(&mut note);
                }
            }
            for (var, sum) in &way.sums {
                note(&Leaf::Var(*var, Sort::Int));
                sum.leaves(&mut note);
            }
        }
        // Where something finite changes, a predicate may say something else of data that the step does not touch.
        let (before, after) = (&self.before.given, &self.after.given);
        for (atom, _) in
            before.iter().filter(|a| !after.contains(a)).chain(after.iter().filter(|a| !before.contains(a)))
        {
            atom.leaves(&mut note);
        }
        let unpinned = |v: &VarId| self.before.variable(*v) != self.after.variable(*v);
        found.extend(self.before.system.abstracted().filter(unpinned));
        loop {
            let before = found.len();
            for (atom, _) in self.before.given.iter().chain(&self.after.given) {
                let mut vars = BTreeSet::new();
                atom.leaves(&mut |l| {
                    if let Leaf::Var(v, _) = l {
                        vars.insert(*v);
                    }
                });
                if !vars.is_disjoint(&found) {
                    found.extend(vars);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// What holds of a snapshot: ranges, and the predicates that matter.
    fn given(&self, env: &Env, relevant: &BTreeSet<VarId>, later: bool) -> Vec<Term> {
        let moved = |leaf: &Leaf| match leaf {
            Leaf::Var(v, sort) if later => Leaf::Var(VarId(v.0 | LATER), *sort),
            other => other.clone(),
        };
        let name = |leaf: &Leaf| self.name(&moved(leaf));
        let mut terms = Vec::new();
        for var in relevant.iter().filter(|v| env.variable(**v).known().is_none()) {
            let wide = self.wide(*var);
            terms.extend(in_range(&name(&Leaf::Var(*var, wide.sort)), &wide));
        }
        let near = |atom: &Atom| {
            let mut found = false;
            atom.leaves(&mut |l| found |= matches!(l, Leaf::Var(v, _) if relevant.contains(v)));
            found
        };
        terms.extend(env.given.iter().filter(|(a, _)| near(a)).map(|(a, b)| a.term(*b, &name)));
        terms
    }

    /// The step can be made, and the view is then what it is after the edge.
    fn step(&self, relevant: &BTreeSet<VarId>) -> Term {
        Term::Or(self.ways.iter().map(|way| self.way(way, relevant)).collect())
    }

    fn way(&self, way: &Path, relevant: &BTreeSet<VarId>) -> Term {
        let mut literals: Vec<(Atom, bool)> = way.conditions.clone();
        for (post, truth) in way.posts.iter().zip(&self.after.snapshot.truths) {
            if let Post::Ask(atom, holds) = post {
                literals.push((atom.clone(), truth == holds));
            }
        }
        let mut equal = Vec::new();
        for var in self.view.intersection(relevant) {
            let now = way.sums.get(var).cloned().unwrap_or_else(|| self.before.variable(*var));
            let after = self.after.variable(*var).map(&mut |leaf| match leaf {
                Leaf::Var(v, sort) => Linear::leaf(Leaf::Var(VarId(v.0 | LATER), *sort)),
                other => Linear::leaf(other.clone()),
            });
            equal.push(now.plus(&after, &-Ratio::one()));
        }
        let mut inputs = BTreeMap::new();
        let mut note = |sum: &Linear| {
            sum.leaves(&mut |l| {
                if let Leaf::Input(i, _) = l
                    && let Some(wide) = self.before.system.wide_input(self.body, *i)
                {
                    inputs.insert(*i, wide);
                }
            });
        };
        literals.iter().for_each(|(a, _)| note(&a.sum));
        equal.iter().for_each(&mut note);
        let conditions = literals.iter().map(|(a, b)| Condition::of(a, *b));
        let all = conditions.chain(equal.iter().cloned().map(Condition::Equal)).collect();
        let name = |leaf: &Leaf| self.name(leaf);
        if let Some(alternatives) = eliminate(all, &inputs) {
            let each = alternatives.iter().map(|a| Term::And(a.iter().map(|c| c.term(&name)).collect()));
            return Term::Or(each.collect());
        }
        let mut terms: Vec<Term> = literals.iter().map(|(a, b)| a.term(*b, &name)).collect();
        terms.extend(equal.iter().map(|sum| Term::equal(sum.term(&name), Term::int(0))));
        let mut symbols = Vec::new();
        for (i, wide) in inputs {
            let symbol = name(&Leaf::Input(i, wide.sort));
            terms.extend(in_range(&symbol, &wide));
            symbols.push(symbol);
        }
        some(symbols, Term::And(terms))
    }

    fn said(&self) -> (Vec<Symbol>, Vec<Term>) {
        let relevant = self.relevant();
        let unknown = |env: &Env, v: &VarId| env.variable(*v).known().is_none();
        let symbol = |v: &VarId, later: u32| self.name(&Leaf::Var(VarId(v.0 | later), self.wide(*v).sort));
        let (open, hidden): (Vec<VarId>, Vec<VarId>) =
            relevant.iter().filter(|v| unknown(self.before, v)).partition(|v| self.view.contains(v));
        let seen: Vec<Symbol> = open.iter().map(|v| symbol(v, 0)).collect();
        let hidden: Vec<Symbol> = hidden.iter().map(|v| symbol(v, 0)).collect();
        let before = Term::And(self.given(self.before, &relevant, false));
        let step = self.step(&relevant);
        let enough = match hidden.is_empty() {
            true => Term::And(vec![before, step]),
            false => {
                let stuck = Term::And(vec![before.clone(), step.negated()]);
                Term::And(vec![some(hidden.clone(), before), some(hidden, stuck).negated()])
            }
        };
        let later: Vec<Symbol> = relevant.iter().filter(|v| unknown(self.after, v)).map(|v| symbol(v, LATER)).collect();
        let mut asserted = self.given(self.after, &relevant, true);
        asserted.push(some(seen, enough).negated());
        (later, asserted)
    }
}

fn some(symbols: Vec<Symbol>, body: Term) -> Term {
    if symbols.is_empty() { body } else { Term::Exists(symbols, Box::new(body)) }
}
