//! Predicates: the comparisons that take the place of abstracted data.

use super::System;
use super::linear::{Atom, Leaf, Linear, asked};
use super::system::comparisons;
use crate::machine::{AgentIx, ArithOp, CompareOp, Domain, ExprId, Node, VarId};
use crate::smt::{Ratio, Sort};
use num_traits::One;
use std::collections::BTreeSet;

/// Where a predicate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A condition of a rule.
    Sentry,
    /// What an agent can see.
    Window,
    /// What an agent may do.
    Protocol,
    /// A private variable's new value.
    Update,
    /// A property.
    Property,
    /// Data in the view of an agent whose knowledge is asked for.
    View,
    /// The user.
    Given,
    /// A round of refinement.
    Refined,
}

impl Origin {
    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Sentry => "sentry",
            Origin::Window => "window",
            Origin::Protocol => "protocol",
            Origin::Update => "update",
            Origin::Property => "property",
            Origin::View => "view",
            Origin::Given => "given",
            Origin::Refined => "refined",
        }
    }
}

/// A predicate over the variables of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The comparison; its unknowns may be finite variables too.
    pub atom: Atom,
    /// Every variable it mentions, ascending.
    pub vars: Vec<VarId>,
    /// Where it comes from.
    pub origin: Origin,
    /// The round of refinement that added it; 0 at the beginning.
    pub round: u32,
}

/// All predicates of a system, each once, in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// The list.
    pub list: Vec<Predicate>,
}

impl Predicates {
    /// Collects the comparisons of sentries, windows, protocols, updates and the given properties.
    pub fn collect(system: &System, properties: &[usize]) -> Predicates {
        let m = system.machine;
        let mut found = Predicates::default();
        for body in &m.bodies {
            for rule in &body.rules {
                found.add_all(system, rule.prerequisite, Origin::Sentry);
                found.add_all(system, rule.antecedent, Origin::Sentry);
            }
            // What applicability says about the snapshot before the step is only what sentries say about it after the effect.
            found.add_where(system, body.applicable, Origin::Sentry, &|leaf| matches!(leaf, Node::Cur(_)));
        }
        for view in m.agents.iter().flat_map(|a| &a.views) {
            found.add_all(system, view.visible, Origin::Window);
        }
        for action in &m.actions {
            found.add_all(system, action.allowed, Origin::Protocol);
            action.updates.iter().for_each(|u| found.add_all(system, u.value, Origin::Update));
        }
        for property in properties.iter().filter_map(|p| m.properties.get(*p)) {
            property.formula.atoms(&mut |e| found.add_all(system, *e, Origin::Property));
            for agent in property.formula.knowers() {
                found.view(system, agent);
            }
        }
        found
    }

    /// Adds every comparison in an expression that reads abstracted data and no payload.
    pub fn add_all(&mut self, system: &System, e: ExprId, origin: Origin) {
        self.add_where(system, e, origin, &|_| true);
    }

    /// The same for comparisons that read something special.
    fn add_where(&mut self, system: &System, e: ExprId, origin: Origin, special: &dyn Fn(&Node) -> bool) {
        let exprs = &system.machine.exprs;
        let mut all = BTreeSet::new();
        comparisons(exprs, e, &mut |c| {
            all.insert(c);
        });
        for compare in all {
            let Node::Compare(op, a, b) = exprs.node(compare) else { continue };
            let (Some(a), Some(b)) = (linear(system, *a), linear(system, *b)) else { continue };
            let mut wanted = false;
            exprs.leaves(compare, &mut |leaf| wanted |= special(leaf));
            if !wanted || !system.reads_wide(compare) {
                continue;
            }
            let difference = a.plus(&b, &-Ratio::one());
            for atom in asked(*op, &difference) {
                self.add(system, atom, origin, 0);
            }
        }
    }

    /// Adds one; false if it is there already, or about nothing abstracted.
    pub fn add(&mut self, system: &System, atom: Atom, origin: Origin, round: u32) -> bool {
        let mut vars = BTreeSet::new();
        atom.leaves(&mut |leaf| match leaf {
            Leaf::Var(v, _) => drop(vars.insert(*v)),
            Leaf::Choice(e, _) => system.machine.exprs.leaves(*e, &mut |n| {
                if let Node::Cur(v) | Node::Prev(v) = n {
                    vars.insert(*v);
                }
            }),
            _ => {}
        });
        let new = vars.iter().any(|v| system.wide(*v).is_some()) && self.list.iter().all(|p| p.atom != atom);
        if new {
            self.list.push(Predicate { atom, vars: vars.into_iter().collect(), origin, round });
        }
        new
    }

    /// For data in an agent's view: equal to its initial value, and to every constant assigned to it.
    fn view(&mut self, system: &System, agent: AgentIx) {
        let m = system.machine;
        let Some(agent) = m.agents.get(agent.0) else { return };
        let seen: BTreeSet<VarId> = agent.views.iter().flat_map(|v| v.seen.iter().copied()).collect();
        for var in seen.into_iter().filter(|v| system.wide(*v).is_some()) {
            // Of a date that is not set nothing is asked: that it is not is seen.
            let date = matches!(m.var(var).domain, Domain::Date { .. });
            let mut constants: BTreeSet<i64> = (!date).then_some(m.var(var).init).into_iter().collect();
            for body in &m.bodies {
                let assigned = body.effect.iter().chain(&body.finish).map(|a| (a.var, a.value));
                let all = assigned.chain(body.rules.iter().map(|r| (r.target, r.value)));
                all.filter(|(v, _)| *v == var).for_each(|(_, value)| ends(system, value, &mut constants));
            }
            for c in constants {
                let difference = variable(system, var).plus(&Linear::int(-c), &Ratio::one());
                for atom in asked(CompareOp::Eq, &difference) {
                    self.add(system, atom, Origin::View, 0);
                }
            }
        }
    }
}

/// The constants that an expression can come to.
fn ends(system: &System, e: ExprId, found: &mut BTreeSet<i64>) {
    match system.machine.exprs.node(e) {
        Node::Int(i) => drop(found.insert(*i)),
        Node::Ite(_, a, b) => {
            ends(system, *a, found);
            ends(system, *b, found);
        }
        _ => {}
    }
}

/// A variable as an unknown.
pub fn variable(system: &System, var: VarId) -> Linear {
    Linear::leaf(Leaf::Var(var, system.wide(var).map_or(Sort::Int, |w| w.sort)))
}

/// A number over the variables of a snapshot; `None` if payload is in it.
pub fn linear(system: &System, e: ExprId) -> Option<Linear> {
    Some(match system.machine.exprs.node(e) {
        Node::Int(i) => Linear::int(*i),
        Node::Prev(v) | Node::Cur(v) => variable(system, *v),
        Node::Arith(op, a, b) => {
            let (a, b) = (linear(system, *a)?, linear(system, *b)?);
            arith(*op, &a, &b)
        }
        Node::Ite(..) => {
            let (mut payload, mut sort) = (false, Sort::Int);
            system.machine.exprs.leaves(e, &mut |leaf| match leaf {
                Node::Input(_) => payload = true,
                Node::Prev(v) | Node::Cur(v) => sort = sort.max(system.wide(*v).map_or(Sort::Int, |w| w.sort)),
                _ => {}
            });
            if payload {
                return None;
            }
            Linear::leaf(Leaf::Choice(e, sort))
        }
        _ => return None,
    })
}

/// Arithmetic on sums.
pub fn arith(op: ArithOp, a: &Linear, b: &Linear) -> Linear {
    let one = Ratio::one();
    match op {
        ArithOp::Add => a.plus(b, &one),
        ArithOp::Sub => a.plus(b, &-one),
        ArithOp::Mul => a.product(b),
        ArithOp::Div => a.quotient(b),
        ArithOp::Over => a.over(b),
    }
}
