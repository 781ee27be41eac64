//! Random systems with small ranges, and random formulas about them.

use crate::abstraction::Pin;
use crate::interp::testkit::{body, empty, property, var};
use crate::logic::{Connected, Fixpoint, Formula, Know, PathFormula};
use crate::machine::*;
use crate::source::Span;
use fastrand::Rng;

pub struct Drawn {
    pub machine: Valid,
    pub wide: Vec<VarId>,
    pub pins: Vec<Pin>,
}

struct Draw<'r> {
    rng: &'r mut Rng,
    m: Machine,
    numbers: Vec<VarId>,
    flags: Vec<VarId>,
    /// Few comparisons and wide ranges: much stays unknown.
    sparse: bool,
}

/// A system: two or three abstracted numbers, a finite one, flags, two agents who see some of it, payload, rules, private updates.
pub fn system(rng: &mut Rng) -> Drawn {
    let sparse = rng.bool();
    let mut d = Draw { rng, m: empty(), numbers: vec![], flags: vec![], sparse };
    for i in 0..d.rng.usize(1..if sparse { 3 } else { 4 }) {
        let lo = d.rng.i64(-1..1);
        let hi = lo + if sparse { d.rng.i64(4..8) } else { d.rng.i64(1..4) };
        let n = var(&mut d.m, &format!("x{i}"), Domain::Int { lo, hi });
        d.numbers.push(n);
    }
    let wide = d.numbers.clone();
    if d.rng.bool() {
        let n = var(&mut d.m, "n", Domain::Int { lo: 0, hi: 2 });
        d.numbers.push(n);
    }
    for i in 0..d.rng.usize(1..3) {
        let f = var(&mut d.m, &format!("f{i}"), Domain::Bool);
        d.flags.push(f);
    }
    let created = (d.rng.u8(..3) == 0).then(|| var(&mut d.m, "created", Domain::Bool));
    let pins = match created {
        Some(when) => vec![Pin { when, code: 0, var: wide[0] }],
        None => vec![],
    };
    d.agents();
    for b in 0..d.rng.usize(2..5) {
        d.event(b, created);
    }
    for p in 0..4 {
        let formula = d.formula(3);
        d.m.properties.push(property(&format!("p{p}"), formula));
    }
    for p in 4..6 {
        let path = d.path(3);
        d.m.properties.push(property(&format!("p{p}"), Formula::ltl(path)));
    }
    d.m.idle = [Idle::Always, Idle::Terminal][d.rng.usize(..2)];
    Drawn { machine: validate(d.m).unwrap(), wide, pins }
}

impl Draw<'_> {
    fn agents(&mut self) {
        self.m.agents.clear();
        for name in ["ann", "bob"] {
            let private = match self.rng.bool() {
                true => {
                    vec![var(&mut self.m, &format!("{name}.p"), Domain::Int { lo: 0, hi: 1 })]
                }
                false => vec![],
            };
            let mut views = Vec::new();
            for k in 0..self.rng.usize(1..3) {
                let visible = if self.rng.bool() { TRUE } else { self.condition(1, true, 0) };
                let all: Vec<VarId> = self.numbers.iter().chain(&self.flags).copied().collect();
                let seen = all.into_iter().filter(|_| self.rng.u8(..3) == 0).collect();
                views.push(View { name: format!("view {k}"), visible, seen });
            }
            self.m.agents.push(MachineAgent { name: Some(name.into()), private, sees_all: false, views });
        }
        let auto = MachineAgent { name: Some("AutoAgent".into()), private: vec![], sees_all: true, views: vec![] };
        self.m.agents.push(auto);
    }

    fn event(&mut self, number: usize, created: Option<VarId>) {
        let mut b = body(&format!("e{number}"));
        for i in 0..self.rng.usize(0..3) {
            let (lo, hi) = (self.rng.i64(-1..1), self.rng.i64(1..4));
            b.inputs.push(Input {
                name: format!("i{i}"),
                domain: Domain::Int { lo, hi },
                values: Ranges::range(lo, hi),
            });
        }
        let inputs = b.inputs.len();
        for _ in 0..self.rng.usize(1..3) {
            let var = self.numbers[self.rng.usize(..self.numbers.len())];
            let assign = self.assign(var, 2, inputs);
            b.effect.push(assign);
        }
        b.applicable = if self.rng.bool() && !self.sparse { self.condition(1, false, inputs) } else { TRUE };
        for _ in 0..self.rng.usize(0..3) {
            let (prerequisite, antecedent) = (self.condition(0, false, inputs), self.condition(1, false, inputs));
            let target = self.flags[self.rng.usize(..self.flags.len())];
            let origin = Origin { label: "rule".into(), span: Span::NOWHERE, slot: None, key: 0 };
            let value = if self.rng.u8(..4) == 0 {
                self.condition(0, false, inputs)
            } else {
                [TRUE, FALSE][self.rng.usize(..2)]
            };
            b.rules.push(Rule { origin, prerequisite, antecedent, target, value });
        }
        if let Some(created) = created {
            // The data of what is not there stays as it was.
            b.finish.push(Assign { var: created, value: TRUE });
            if self.rng.bool() {
                let there = self.m.exprs.prev(created);
                b.applicable = self.m.exprs.and([there, b.applicable]);
            }
        }
        self.m.bodies.push(b);
        for _ in 0..self.rng.usize(1..3) {
            let agent = AgentIx(self.rng.usize(..2));
            let allowed = if self.rng.bool() { self.before(1, inputs) } else { TRUE };
            let mut updates = Vec::new();
            if let Some(&p) = self.m.agents[agent].private.first()
                && self.rng.bool()
            {
                updates.push(self.assign(p, 1, inputs));
            }
            self.m.actions.push(Action { agent, body: BodyIx(self.m.bodies.len() - 1), allowed, updates });
        }
    }

    /// An assignment; a constant that the variable cannot have becomes one that it can.
    fn assign(&mut self, var: VarId, depth: usize, inputs: usize) -> Assign {
        let value = self.number(depth, false, inputs);
        let (lo, hi) = self.m.var(var).domain.bounds();
        let value = match self.m.exprs.node(value) {
            Node::Int(c) => {
                let c = (*c).clamp(lo, hi);
                self.m.exprs.int(c)
            }
            _ => value,
        };
        Assign { var, value }
    }

    /// A condition over what was before the step.
    fn before(&mut self, depth: usize, inputs: usize) -> ExprId {
        let e = self.condition(depth, false, inputs);
        self.m.exprs.before(e)
    }

    fn condition(&mut self, depth: usize, snapshot: bool, inputs: usize) -> ExprId {
        if self.sparse && !snapshot && self.rng.u8(..4) > 0 {
            return TRUE;
        }
        if self.sparse {
            // The same comparison again and again.
            let (n, bound) = (self.m.exprs.cur(self.numbers[0]), self.m.exprs.int(3));
            let op = [CompareOp::Eq, CompareOp::Lt][usize::from(self.rng.u8(..4) == 0)];
            return self.m.exprs.compare(op, n, bound);
        }
        if depth > 0 && self.rng.bool() {
            let (a, b) = (self.condition(depth - 1, snapshot, inputs), self.condition(depth - 1, snapshot, inputs));
            return match self.rng.u8(..4) {
                0 => self.m.exprs.and([a, b]),
                1 => self.m.exprs.or([a, b]),
                2 => self.m.exprs.iff(a, b),
                _ => self.m.exprs.not(a),
            };
        }
        if self.rng.u8(..3) == 0 {
            let f = self.flags[self.rng.usize(..self.flags.len())];
            return self.m.exprs.cur(f);
        }
        let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
        let op = ops[self.rng.usize(..6)];
        let deep = usize::from(self.rng.u8(..4) == 0);
        let (a, b) = (self.number(1, snapshot, inputs), self.number(deep, snapshot, inputs));
        let c = self.rng.i64(-1..4);
        let constant = self.m.exprs.int(c);
        let b = if self.rng.u8(..3) > 0 { constant } else { b };
        self.m.exprs.compare(op, a, b)
    }

    fn number(&mut self, depth: usize, snapshot: bool, inputs: usize) -> ExprId {
        if depth > 0 && self.rng.bool() {
            let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Add, ArithOp::Mul, ArithOp::Div][self.rng.usize(..5)];
            let a = self.number(depth - 1, snapshot, inputs);
            let b = match op {
                // Products of two unknowns are not linear; the solver may give up on them.
                ArithOp::Mul | ArithOp::Div => {
                    let c = self.rng.i64(-1..4);
                    self.m.exprs.int(c)
                }
                _ => self.number(depth - 1, snapshot, inputs),
            };
            return self.m.exprs.arith(op, a, b);
        }
        match self.rng.u8(..8) {
            0 => {
                let c = self.rng.i64(-1..4);
                self.m.exprs.int(c)
            }
            1 | 2 if inputs > 0 => {
                let i = self.rng.usize(..inputs);
                self.m.exprs.input(InputIx(i))
            }
            3 => {
                let c = self.m.exprs.cur(self.flags[0]);
                let (a, b) = (self.number(0, snapshot, 0), self.number(0, snapshot, 0));
                self.m.exprs.ite(c, a, b)
            }
            4 if !snapshot => {
                let n = self.numbers[self.rng.usize(..self.numbers.len())];
                self.m.exprs.prev(n)
            }
            _ => {
                let n = self.numbers[self.rng.usize(..self.numbers.len())];
                self.m.exprs.cur(n)
            }
        }
    }

    fn formula(&mut self, depth: usize) -> Formula<ExprId> {
        if depth == 0 || self.rng.u8(..6) == 0 {
            return Formula::Atom(self.condition(1, true, 0));
        }
        let a = self.formula(depth - 1);
        match self.rng.u8(..17) {
            15 | 16 => {
                // Alternating where the inner one has the other kind: Z stands under an even number of negations.
                let kinds = [Fixpoint::Least, Fixpoint::Greatest];
                let (outer, inner) = (kinds[self.rng.usize(..2)], kinds[self.rng.usize(..2)]);
                let step = |rng: &mut Rng, f| if rng.bool() { Formula::ax(f) } else { Formula::ex(f) };
                let name = format!("Z{depth}");
                let again = step(self.rng, Formula::Var(name.clone()));
                let join = |rng: &mut Rng, parts| if rng.bool() { Formula::all(parts) } else { Formula::any(parts) };
                let body = join(self.rng, vec![a, again]);
                if self.rng.bool() {
                    return Formula::fix(outer, &name, body);
                }
                let own = format!("Y{depth}");
                let mine = step(self.rng, Formula::Var(own.clone()));
                let body = join(self.rng, vec![body, mine]);
                Formula::fix(outer, &name, Formula::fix(inner, &own, body))
            }
            0 => a.not(),
            1 => Formula::all(vec![a, self.formula(depth - 1)]),
            2 => Formula::any(vec![a, self.formula(depth - 1)]),
            3 => a.iff(self.formula(depth - 1)),
            4 => Formula::ax(a),
            5 => Formula::ex(a),
            6 => Formula::af(a),
            7 => Formula::ef(a),
            8 => Formula::ag(a),
            9 => Formula::eg(a),
            10 => Formula::au(a, self.formula(depth - 1)),
            11 => Formula::eu(a, self.formula(depth - 1)),
            _ => {
                let kind = [Know::K, Know::Everybody, Know::Common, Know::Distributed][self.rng.usize(..4)];
                let group =
                    if kind == Know::K { vec![AgentIx(self.rng.usize(..3))] } else { [0, 1].map(AgentIx).to_vec() };
                Formula::know(kind, group, a)
            }
        }
    }

    fn path(&mut self, depth: usize) -> PathFormula<ExprId> {
        if depth == 0 || self.rng.u8(..6) == 0 {
            let atom = Formula::Atom(self.condition(1, true, 0));
            return PathFormula::State(match self.rng.u8(..4) {
                0 => Formula::know(Know::K, vec![AgentIx(self.rng.usize(..2))], atom),
                _ => atom,
            });
        }
        let a = self.path(depth - 1);
        match self.rng.u8(..8) {
            0 => a.not(),
            1 => PathFormula::all(vec![a, self.path(depth - 1)]),
            2 => PathFormula::any(vec![a, self.path(depth - 1)]),
            3 => PathFormula::next(a),
            4 => PathFormula::finally(a),
            5 => PathFormula::globally(a),
            _ => PathFormula::until(a, self.path(depth - 1)),
        }
    }
}
