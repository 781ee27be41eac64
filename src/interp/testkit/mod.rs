//! Machines and formulas for tests: a small builder, Kripke structures, random ones.
#![allow(missing_docs)]

use crate::logic::{Connected, Fixpoint, Formula, Know as Kind, Path, PathFormula, Property, Temporal};
use crate::machine::*;
use crate::source::Span;
use fastrand::Rng;

mod random;
pub use random::random;

/// A machine with nothing but the overflow flag and the AutoAgent.
pub fn empty() -> Machine {
    let mut m = Machine {
        name: "test".into(),
        vars: Vec::new(),
        exprs: Exprs::default(),
        slots: Vec::new(),
        agents: vec![MachineAgent { name: None, private: vec![], sees_all: true, views: vec![] }],
        bodies: Vec::new(),
        actions: Vec::new(),
        idle: Idle::Terminal,
        overflow: VarId(0),
        properties: Vec::new(),
        questions: Vec::new(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        cyclic: false,
    };
    m.overflow = var(&mut m, "overflow", Domain::Bool);
    m
}

pub fn var(m: &mut Machine, name: &str, domain: Domain) -> VarId {
    let init = domain.bounds().0.max(0).min(domain.bounds().1);
    m.vars.push(Var { name: name.into(), domain, init, scratch: false, slot: None });
    VarId(m.vars.len() as u32 - 1)
}

/// A variable that lives within a step only.
pub fn scratch(m: &mut Machine, name: &str, domain: Domain) -> VarId {
    let v = var(m, name, domain);
    m.vars[v.0 as usize].scratch = true;
    v
}

pub fn flag(m: &mut Machine, name: &str) -> VarId {
    var(m, name, Domain::Bool)
}

pub fn body(event: &str) -> Body {
    Body {
        event: event.into(),
        target: None,
        inputs: vec![],
        effect: vec![],
        applicable: TRUE,
        rules: vec![],
        finish: vec![],
        components: vec![],
    }
}

/// Adds a body and an action of agent 0 for it.
pub fn act(m: &mut Machine, body: Body, allowed: ExprId) {
    m.bodies.push(body);
    m.actions.push(Action { agent: AgentIx(0), body: BodyIx(m.bodies.len() - 1), allowed, updates: vec![] });
}

pub fn rule(label: &str, prerequisite: ExprId, antecedent: ExprId, target: VarId, value: bool) -> Rule {
    let origin = Origin { label: label.into(), span: Span::NOWHERE, slot: None, key: 0 };
    Rule { origin, prerequisite, antecedent, target, value: if value { TRUE } else { FALSE } }
}

pub fn property(name: &str, formula: Formula<ExprId>) -> Property<ExprId> {
    Property::new(name, formula, Span::NOWHERE)
}

/// A random state formula over some atoms, all operators but LTL; agents are 0, 1, 2.
pub fn formula(rng: &mut Rng, atoms: &[ExprId], depth: u32) -> Formula<ExprId> {
    if depth == 0 {
        return Formula::Atom(atoms[rng.usize(..atoms.len())]);
    }
    let sub = |rng: &mut Rng| formula(rng, atoms, depth - 1);
    let path = if rng.bool() { Path::A } else { Path::E };
    let group = [[0].as_slice(), &[1], &[0, 1], &[2], &[0, 2]][rng.usize(..5)];
    let group: Vec<AgentIx> = group.iter().copied().map(AgentIx).collect();
    match rng.u8(..15) {
        k @ 0..5 => connective(rng, k, sub),
        k @ 5..9 => Formula::Quantified(path, operator(rng, k - 5, sub)),
        9 => Formula::know(Kind::K, vec![group[0]], sub(rng)),
        10 => Formula::know([Kind::Everybody, Kind::Common, Kind::Distributed][rng.usize(..3)], group, sub(rng)),
        k => Formula::Can(group, operator(rng, k - 11, sub)),
    }
}

/// A random fixpoint over some atoms, others inside; `around` are the variables in scope.
pub fn fixpoint(rng: &mut Rng, atoms: &[ExprId], depth: u32, around: &[&'static str]) -> Formula<ExprId> {
    const NAMES: [&str; 4] = ["Z", "Y", "X", "W"];
    let kind = if rng.bool() { Fixpoint::Least } else { Fixpoint::Greatest };
    let name = NAMES[around.len()];
    let scope: Vec<&'static str> = around.iter().copied().chain([name]).collect();
    Formula::fix(kind, name, monotone(rng, atoms, depth, &scope))
}

/// Something that can only grow with the variables in scope.
fn monotone(rng: &mut Rng, atoms: &[ExprId], depth: u32, scope: &[&'static str]) -> Formula<ExprId> {
    if depth == 0 {
        let var = Formula::Var(scope[rng.usize(..scope.len())].to_string());
        return if rng.u8(..10) < 7 { var } else { formula(rng, atoms, 0) };
    }
    let sub = |rng: &mut Rng| monotone(rng, atoms, depth - 1, scope);
    let path = if rng.bool() { Path::A } else { Path::E };
    match rng.u8(..12) {
        0..4 => Formula::Quantified(path, Temporal::next(sub(rng))),
        4 => Formula::all(vec![sub(rng), sub(rng)]),
        5 | 6 => Formula::any(vec![sub(rng), sub(rng)]),
        7 => formula(rng, atoms, 1).implies(sub(rng)),
        8 if scope.len() < 4 => fixpoint(rng, atoms, depth - 1, scope),
        9 => Formula::know(Kind::K, vec![AgentIx(rng.usize(..3))], sub(rng)),
        10 => Formula::Quantified(path, Temporal::until(sub(rng).not(), sub(rng).not())).not(),
        _ => Formula::Can(vec![AgentIx(rng.usize(..3))], Temporal::next(sub(rng))),
    }
}

fn connective<F: Connected>(rng: &mut Rng, k: u8, sub: impl Fn(&mut Rng) -> F) -> F {
    match k {
        0 => sub(rng).not(),
        1 => F::all(vec![sub(rng), sub(rng)]),
        2 => F::any(vec![sub(rng), sub(rng)]),
        3 => sub(rng).implies(sub(rng)),
        _ => sub(rng).iff(sub(rng)),
    }
}

fn operator<F>(rng: &mut Rng, k: u8, sub: impl Fn(&mut Rng) -> F) -> Temporal<F> {
    match k {
        0 => Temporal::next(sub(rng)),
        1 => Temporal::finally(sub(rng)),
        2 => Temporal::globally(sub(rng)),
        _ => Temporal::until(sub(rng), sub(rng)),
    }
}

/// A random path formula over some atoms.
pub fn path_formula(rng: &mut Rng, atoms: &[ExprId], depth: u32) -> PathFormula<ExprId> {
    if depth == 0 {
        return PathFormula::State(Formula::Atom(atoms[rng.usize(..atoms.len())]));
    }
    let sub = |rng: &mut Rng| path_formula(rng, atoms, depth - 1);
    match rng.u8(..11) {
        k @ 0..5 => connective(rng, k, sub),
        k @ 5..9 => PathFormula::Temporal(operator(rng, k - 5, sub)),
        9 => PathFormula::weak_until(sub(rng), sub(rng)),
        _ => PathFormula::release(sub(rng), sub(rng)),
    }
}

/// A Kripke structure as a machine: one variable `s` in `0..n`, an action per edge `(agent, from, to)`. Three agents: 0 sees `s`
/// only while it is even, 1 sees nothing, 2 sees all.
pub struct Kripke {
    pub machine: Machine,
    at: VarId,
    n: usize,
}

impl Kripke {
    pub fn new(n: usize, edges: &[(usize, usize, usize)]) -> Kripke {
        let mut m = empty();
        let at = var(&mut m, "s", Domain::Int { lo: 0, hi: n as i64 });
        let slot = Slot { name: "T[1]".into(), family: 0, number: 1, exists: Some(m.overflow), vars: vec![at] };
        m.slots.push(slot);
        let mut k = Kripke { machine: m, at, n };
        let even: Vec<usize> = (0..n).filter(|s| s % 2 == 0).collect();
        let even = k.one_of(&even);
        let agent = |name: &str, views: Vec<View>| MachineAgent {
            name: Some(name.into()),
            private: vec![],
            sees_all: views.is_empty(),
            views,
        };
        k.machine.agents = vec![
            agent("a", vec![View { name: "s".into(), visible: even, seen: vec![at] }]),
            agent("b", vec![View { name: "s".into(), visible: TRUE, seen: vec![] }]),
            agent("c", vec![]),
        ];
        for (agent, from, to) in edges {
            let (p, f, t) = (k.machine.exprs.prev(at), k.number(*from), k.number(*to));
            let allowed = k.machine.exprs.compare(CompareOp::Eq, p, f);
            let mut b = body(&format!("{from}-{to}"));
            b.effect.push(Assign { var: at, value: t });
            act(&mut k.machine, b, allowed);
            k.machine.actions.last_mut().unwrap().agent = AgentIx(*agent);
        }
        k
    }

    fn number(&mut self, i: usize) -> ExprId {
        self.machine.exprs.int(i as i64)
    }

    /// The expression "`s` is one of these".
    pub fn one_of(&mut self, states: &[usize]) -> ExprId {
        let parts: Vec<ExprId> = states
            .iter()
            .map(|s| {
                let (c, i) = (self.machine.exprs.cur(self.at), self.number(*s));
                self.machine.exprs.compare(CompareOp::Eq, c, i)
            })
            .collect();
        self.machine.exprs.or(parts)
    }

    /// A random structure with every state's label in `p` or `q` or both or none: the machine and the atoms.
    pub fn random(rng: &mut Rng, n: usize, edges: usize) -> (Valid, [ExprId; 2]) {
        let list: Vec<_> = (0..edges).map(|_| (rng.usize(..3), rng.usize(..n), rng.usize(..n))).collect();
        let mut k = Kripke::new(n, &list);
        let mut pick = |k: &mut Kripke| {
            let states: Vec<usize> = (0..k.n).filter(|_| rng.bool()).collect();
            k.one_of(&states)
        };
        let atoms = [pick(&mut k), pick(&mut k)];
        k.machine.idle = if rng.bool() { Idle::Always } else { Idle::Terminal };
        (validate(k.machine).unwrap(), atoms)
    }
}
