//! Machines and formulas for tests: a small builder, Kripke structures, random ones.
#![allow(missing_docs)]

use crate::logic::{Connected, Formula, Know as Kind, Path, PathFormula, Property, Temporal};
use crate::machine::*;
use crate::machine::{ArithOp, CompareOp, Domain, Idle};
use crate::source::{FileId, Span};
use fastrand::Rng;

pub const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

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
        watches: vec![],
    }
}

/// Adds a body and an action of agent 0 for it.
pub fn act(m: &mut Machine, body: Body, allowed: ExprId) {
    m.bodies.push(body);
    m.actions.push(Action { agent: 0, body: m.bodies.len() - 1, allowed, updates: vec![] });
}

pub fn rule(label: &str, prerequisite: ExprId, antecedent: ExprId, target: VarId, value: bool) -> Rule {
    let origin = Origin { label: label.into(), span: NOWHERE, slot: Some(0), key: 0 };
    Rule { origin, prerequisite, antecedent, target, value: if value { TRUE } else { FALSE } }
}

pub fn property(name: &str, formula: Formula<ExprId>) -> Property<ExprId> {
    Property { name: name.into(), text: name.into(), span: NOWHERE, expect: true, fair: vec![], formula }
}

/// A random machine: two slots, two agents with views, inputs, rules, watches.
pub fn random(seed: u64) -> Valid {
    let mut g = Gen { rng: Rng::with_seed(seed), m: empty() };
    g.agents();
    g.bodies();
    g.m.idle = [Idle::Always, Idle::Terminal][g.rng.usize(..2)];
    validate(g.m).unwrap()
}

#[derive(Clone, Copy)]
struct Scope {
    prev: bool,
    cur: bool,
    inputs: usize,
}

struct Gen {
    rng: Rng,
    m: Machine,
}

impl Gen {
    fn agents(&mut self) {
        for k in 0..2 {
            let slot_vars: Vec<VarId> = (0..2).map(|i| flag(&mut self.m, &format!("T[{}].f{i}", k + 1))).collect();
            let created = flag(&mut self.m, &format!("T[{}].created", k + 1));
            let mut all = slot_vars.clone();
            all.push(created);
            self.m.slots.push(Slot {
                name: format!("T[{}]", k + 1),
                family: 0,
                number: k + 1,
                exists: Some(created),
                vars: all,
            });
        }
        let count = Domain::Int { lo: -1, hi: 1 };
        var(&mut self.m, "T[1].n", count);
        self.m.agents.clear();
        for name in ["ann", "bob"] {
            let private = var(&mut self.m, &format!("{name}.p"), Domain::Bool);
            let views = (0..2).map(|k| self.view(k)).collect();
            self.m.agents.push(MachineAgent {
                name: Some(name.into()),
                private: vec![private],
                sees_all: false,
                views,
            });
        }
        self.m.agents.push(MachineAgent {
            name: Some("AutoAgent".into()),
            private: vec![],
            sees_all: true,
            views: vec![],
        });
    }

    fn view(&mut self, slot: usize) -> View {
        let window = self.boolean(1, SNAPSHOT);
        let cur = self.m.slots[slot].exists.map_or(TRUE, |v| self.m.exprs.cur(v));
        let visible = self.m.exprs.and([cur, window]);
        let seen = self.m.slots[slot].vars.clone().into_iter().filter(|_| self.rng.bool()).collect();
        View { name: self.m.slots[slot].name.clone(), visible, seen }
    }

    fn bodies(&mut self) {
        for i in 0..self.rng.usize(3..7) {
            let inputs: Vec<Input> = (0..self.rng.usize(..3)).map(|k| self.input(k)).collect();
            let step = Scope { prev: true, cur: true, inputs: inputs.len() };
            let mut b = body(&format!("E{i}"));
            b.inputs = inputs;
            b.target = Some(self.rng.usize(..2));
            b.effect = (0..self.rng.usize(1..3)).map(|_| self.assign(step)).collect();
            b.applicable = if self.rng.bool() { TRUE } else { self.boolean(2, step) };
            b.rules = (0..self.rng.usize(..5)).map(|k| self.rule(k, step)).collect();
            b.finish = (0..self.rng.usize(..2)).map(|_| self.assign(step)).collect();
            for _ in 0..b.rules.len() {
                let (r, s) = (self.rng.usize(..b.rules.len()), self.rng.usize(..b.rules.len()));
                b.watches.push(Watch { rule: r, sources: vec![s], vars: vec![b.rules[s].target] });
            }
            let before = Scope { cur: false, ..step };
            self.m.bodies.push(b);
            for agent in 0..self.rng.usize(1..4) {
                let allowed = if self.rng.bool() { TRUE } else { self.boolean(2, before) };
                let updates = (0..self.rng.usize(..2)).map(|_| self.assign(before)).collect();
                self.m.actions.push(Action { agent, body: i, allowed, updates });
            }
        }
    }

    fn input(&mut self, k: usize) -> Input {
        if k == 0 {
            Input { name: "x".into(), domain: Domain::Bool, values: vec![0, 1] }
        } else {
            Input { name: "y".into(), domain: Domain::Int { lo: 0, hi: 2 }, values: vec![0, 2] }
        }
    }

    fn rule(&mut self, k: usize, scope: Scope) -> Rule {
        let flags: Vec<VarId> = self.m.var_ids().filter(|v| self.m.var(*v).domain == Domain::Bool).collect();
        let target = flags[1 + self.rng.usize(..flags.len() - 1)];
        let prerequisite = self.boolean(1, Scope { cur: false, ..scope });
        let antecedent = self.boolean(2, scope);
        let mut new = rule(&format!("R{k}"), prerequisite, antecedent, target, self.rng.bool());
        new.origin.slot = Some(self.rng.usize(..2));
        new
    }

    fn assign(&mut self, scope: Scope) -> Assign {
        let var = VarId(self.rng.u32(1..self.m.vars.len() as u32));
        let value = match self.m.var(var).domain.clone() {
            Domain::Bool => self.boolean(1, scope),
            domain => {
                let (lo, hi) = domain.bounds();
                let raw = self.number(2, scope);
                let (l, h) = (self.m.exprs.int(lo), self.m.exprs.int(hi));
                let below = self.m.exprs.compare(CompareOp::Lt, raw, l);
                let above = self.m.exprs.compare(CompareOp::Gt, raw, h);
                let top = self.m.exprs.ite(above, h, raw);
                self.m.exprs.ite(below, l, top)
            }
        };
        Assign { var, value }
    }

    fn leaf(&mut self, boolean: bool, scope: Scope) -> Option<ExprId> {
        let vars: Vec<VarId> =
            self.m.var_ids().filter(|v| (self.m.var(*v).domain == Domain::Bool) == boolean).collect();
        let v = *vars.get(self.rng.usize(..vars.len().max(1)))?;
        Some(match self.rng.u8(..3) {
            0 if scope.prev => self.m.exprs.prev(v),
            1 if scope.inputs > usize::from(!boolean) => self.m.exprs.input(usize::from(!boolean)),
            _ if scope.cur => self.m.exprs.cur(v),
            _ => self.m.exprs.prev(v),
        })
    }

    fn boolean(&mut self, depth: u32, scope: Scope) -> ExprId {
        if depth == 0 {
            return self.leaf(true, scope).unwrap_or(TRUE);
        }
        let d = depth - 1;
        match self.rng.u8(..8) {
            0 => {
                let a = self.boolean(d, scope);
                self.m.exprs.not(a)
            }
            1 => {
                let parts = [self.boolean(d, scope), self.boolean(d, scope), self.boolean(d, scope)];
                self.m.exprs.and(parts)
            }
            2 | 3 => {
                let parts = [self.boolean(d, scope), self.boolean(d, scope)];
                self.m.exprs.or(parts)
            }
            4 => {
                let (a, b) = (self.boolean(d, scope), self.boolean(d, scope));
                self.m.exprs.iff(a, b)
            }
            5 => {
                let (c, t, e) = (self.boolean(d, scope), self.boolean(d, scope), self.boolean(d, scope));
                self.m.exprs.ite(c, t, e)
            }
            6 => {
                let op = [CompareOp::Eq, CompareOp::Lt, CompareOp::Ge][self.rng.usize(..3)];
                let (a, b) = (self.number(d, scope), self.number(d, scope));
                self.m.exprs.compare(op, a, b)
            }
            _ => self.leaf(true, scope).unwrap_or(TRUE),
        }
    }

    fn number(&mut self, depth: u32, scope: Scope) -> ExprId {
        match self.rng.u8(..4) {
            0 if depth > 0 => {
                let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div][self.rng.usize(..4)];
                let (a, b) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                self.m.exprs.arith(op, a, b)
            }
            1 => {
                let c = self.rng.i64(-1..3);
                self.m.exprs.int(c)
            }
            _ => match self.leaf(false, scope) {
                Some(leaf) => leaf,
                None => self.m.exprs.int(1),
            },
        }
    }
}

const SNAPSHOT: Scope = Scope { prev: false, cur: true, inputs: 0 };

/// A random state formula over some atoms, all operators but LTL; agents are 0, 1, 2.
pub fn formula(rng: &mut Rng, atoms: &[ExprId], depth: u32) -> Formula<ExprId> {
    if depth == 0 {
        return Formula::Atom(atoms[rng.usize(..atoms.len())]);
    }
    let sub = |rng: &mut Rng| formula(rng, atoms, depth - 1);
    let path = if rng.bool() { Path::A } else { Path::E };
    let group = [vec![0], vec![1], vec![0, 1], vec![2], vec![0, 2]][rng.usize(..5)].clone();
    match rng.u8(..15) {
        k @ 0..5 => connective(rng, k, sub),
        k @ 5..9 => Formula::Quantified(path, operator(rng, k - 5, sub)),
        9 => Formula::know(Kind::K, vec![group[0]], sub(rng)),
        10 => Formula::know([Kind::Everybody, Kind::Common, Kind::Distributed][rng.usize(..3)], group, sub(rng)),
        k => Formula::Can(group, operator(rng, k - 11, sub)),
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
            k.machine.actions.last_mut().unwrap().agent = *agent;
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
