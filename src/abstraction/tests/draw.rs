//! Random systems with small ranges, and random formulas about them.

use crate::abstraction::Pin;
use crate::interp::testkit::{body, empty, property, var};
use crate::logic::{Connected, Fixpoint, Formula, Know, PathFormula};
use crate::machine::*;
use crate::source::Span;
use fastrand::Rng;

/// What the abstracted data of a system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// Whole numbers of a small range, with arithmetic.
    Whole,
    /// Numbers with fractions: what is compared are they or their differences, with whole numbers.
    Fractions,
    /// Texts: 0 is ⊥, some are named, and any others.
    Texts,
}

pub struct Drawn {
    /// What is executed value by value: whole numbers of small ranges.
    pub machine: Valid,
    /// The machine that they stand for.
    pub open: Unbounded,
    pub wide: Vec<VarId>,
    pub pins: Vec<Pin>,
    /// How far apart values of the abstracted variables need be looked at.
    pub grid: i64,
}

/// Texts that have names: these, and ⊥.
const NAMED: i64 = 2;

struct Draw<'r> {
    rng: &'r mut Rng,
    m: Machine,
    numbers: Vec<VarId>,
    flags: Vec<VarId>,
    /// Few comparisons and wide ranges: much stays unknown.
    sparse: bool,
    data: Data,
    /// How many parts make 1.
    parts: i64,
}

/// A system: two or three abstracted numbers, a finite one, flags, two agents who see some of it, payload, rules, private updates.
pub fn system(rng: &mut Rng) -> Drawn {
    system_of(Data::Whole, rng)
}

/// A system of some kind of data, with small ranges in which everything can be tried.
///
/// *Fractions.* Only differences are compared, with whole numbers, and only whole numbers are added. So two snapshots do the same if their
/// numbers have the same whole parts, and fractions that are zero, equal and ordered alike (the regions of timed automata). With n numbers all
/// regions are there if 1 has n + 1 parts; and one input more can be put anywhere between these if each has two. Hence 2(n + 1) parts for
/// inputs, and n + 1 for snapshots. Agents do not see such numbers, since for views two snapshots are laid beside each other.
///
/// *Texts.* They are only compared for equality, so that renaming those without names changes nothing. Two snapshots and one payload never
/// hold more than 2n + 1 of them: with as many, all that can happen happens.
pub fn system_of(data: Data, rng: &mut Rng) -> Drawn {
    let sparse = rng.bool();
    let mut d = Draw { rng, m: empty(), numbers: vec![], flags: vec![], sparse, data, parts: 1 };
    let many = d.rng.i64(1..if sparse || data != Data::Whole { 3 } else { 4 });
    let grid = if data == Data::Fractions { 2 } else { 1 };
    d.parts = if data == Data::Fractions { grid * (many + 1) } else { 1 };
    let others = 2 * many + 1;
    for i in 0..many {
        let lo = d.rng.i64(-1..1);
        let hi = lo + if sparse { d.rng.i64(4..8) } else { d.rng.i64(1..4) };
        let (lo, hi) = match data {
            Data::Whole => (lo, hi),
            Data::Fractions => (lo * d.parts, hi.min(lo + 2) * d.parts),
            Data::Texts => (0, NAMED + others),
        };
        let n = var(&mut d.m, &format!("x{i}"), Domain::Int { lo, hi });
        d.numbers.push(n);
    }
    let wide = d.numbers.clone();
    if d.rng.bool() && data != Data::Texts {
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
    let (parts, mut open) = (d.parts, d.m.clone());
    let inputs = open.bodies.iter_mut().flat_map(|b| &mut b.inputs).map(|i| &mut i.domain);
    let vars = open.vars.iter_mut().enumerate().filter(|(i, _)| wide.contains(&VarId(*i as u32)));
    for domain in vars.map(|(_, v)| &mut v.domain).chain(inputs) {
        let (lo, hi) = domain.bounds();
        *domain = match data {
            Data::Whole => domain.clone(),
            Data::Fractions => Domain::Real { parts, lo, hi },
            Data::Texts => Domain::Int { lo: 0, hi: i64::MAX },
        };
    }
    Drawn { machine: validate(d.m).unwrap(), open: validate_unbounded(open).unwrap(), wide, pins, grid }
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
                let hidden = |v: &VarId| self.data == Data::Fractions && self.numbers.contains(v);
                let seen = all.iter().copied().filter(|v| self.rng.u8(..3) == 0 && !hidden(v)).collect();
                views.push(View { name: format!("view {k}"), visible, seen });
            }
            self.m.agents.push(MachineAgent { name: Some(name.into()), private, sees_all: false, views });
        }
        let auto = MachineAgent { name: Some("AutoAgent".into()), private: vec![], sees_all: true, views: vec![] };
        self.m.agents.push(auto);
    }

    fn event(&mut self, number: usize, created: Option<VarId>) {
        let mut b = body(&format!("e{number}"));
        let most = if self.data == Data::Whole { 2 } else { 1 };
        for i in 0..self.rng.usize(..=most) {
            let (lo, hi) = (self.rng.i64(-1..1) * self.parts, self.rng.i64(1..4) * self.parts);
            let (lo, hi) =
                if self.data == Data::Texts { self.m.var(self.numbers[0]).domain.bounds() } else { (lo, hi) };
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
        let mut value = self.number(depth, false, inputs);
        let (lo, hi) = self.m.var(var).domain.bounds();
        // What has fractions, or is a text, stays among its own.
        let own = self.data == Data::Whole || (hi - lo) % self.parts == 0 && hi - lo > 2;
        if !own {
            let c = self.rng.i64(lo..=hi);
            value = self.m.exprs.int(c);
        }
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
            let named = match self.data {
                Data::Whole => 3,
                Data::Fractions => self.parts,
                Data::Texts => 1,
            };
            let (n, bound) = (self.m.exprs.cur(self.numbers[0]), self.m.exprs.int(named));
            let less = self.rng.u8(..4) == 0 && self.data != Data::Texts;
            let op = [CompareOp::Eq, CompareOp::Lt][usize::from(less)];
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
        let op = ops[self.rng.usize(..if self.data == Data::Texts { 2 } else { 6 })];
        if self.data != Data::Whole {
            return self.comparison(op, snapshot, inputs);
        }
        let deep = usize::from(self.rng.u8(..4) == 0);
        let (a, b) = (self.number(1, snapshot, inputs), self.number(deep, snapshot, inputs));
        let c = self.rng.i64(-1..4);
        let constant = self.m.exprs.int(c);
        let b = if self.rng.u8(..3) > 0 { constant } else { b };
        self.m.exprs.compare(op, a, b)
    }

    /// A comparison that only asks for a difference.
    fn comparison(&mut self, op: CompareOp, snapshot: bool, inputs: usize) -> ExprId {
        let a = self.unit(snapshot, inputs);
        let b = if self.rng.bool() { self.unit(snapshot, inputs) } else { self.named() };
        let b = self.shifted(b);
        self.m.exprs.compare(op, a, b)
    }

    /// A text with a name, or a whole number.
    fn named(&mut self) -> ExprId {
        let c = if self.data == Data::Texts { self.rng.i64(..=NAMED) } else { self.rng.i64(-1..4) * self.parts };
        self.m.exprs.int(c)
    }

    /// A number with a whole number added, now and then.
    fn shifted(&mut self, a: ExprId) -> ExprId {
        if self.data == Data::Texts || self.rng.u8(..3) > 0 {
            return a;
        }
        let c = self.rng.i64(-1..3) * self.parts;
        let finite = *self.numbers.last().unwrap();
        let by = match self.m.var(finite).name == "n" && self.rng.bool() {
            true => {
                let (n, parts) = (self.m.exprs.cur(finite), self.m.exprs.int(self.parts));
                self.m.exprs.arith(ArithOp::Mul, n, parts)
            }
            false => self.m.exprs.int(c),
        };
        self.m.exprs.arith(ArithOp::Add, a, by)
    }

    /// An abstracted variable or an input.
    fn unit(&mut self, snapshot: bool, inputs: usize) -> ExprId {
        let wide: Vec<VarId> = self.numbers.iter().copied().filter(|v| self.m.var(*v).name != "n").collect();
        let n = wide[self.rng.usize(..wide.len())];
        match self.rng.u8(..4) {
            0 | 1 if inputs > 0 => {
                let i = self.rng.usize(..inputs);
                self.m.exprs.input(InputIx(i))
            }
            2 if !snapshot => self.m.exprs.prev(n),
            _ => self.m.exprs.cur(n),
        }
    }

    fn number(&mut self, depth: usize, snapshot: bool, inputs: usize) -> ExprId {
        if self.data != Data::Whole {
            let a = if self.rng.u8(..4) == 0 { self.named() } else { self.unit(snapshot, inputs) };
            let a = self.shifted(a);
            if self.rng.u8(..4) > 0 {
                return a;
            }
            let (c, b) = (self.m.exprs.cur(self.flags[0]), self.unit(snapshot, inputs));
            return self.m.exprs.ite(c, a, b);
        }
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
