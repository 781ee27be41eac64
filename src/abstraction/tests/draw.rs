//! Random systems with small ranges, and random formulas about them.

mod formulas;
mod terms;

use crate::abstraction::Pin;
use crate::interp::testkit::{body, empty, property, var};
use crate::logic::Formula;
use crate::machine::*;
use crate::source::Span;
use fastrand::Rng;
use std::collections::BTreeMap;

/// What abstracted data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Data {
    /// Whole numbers of a small range, with arithmetic.
    Whole,
    /// Numbers with fractions: what is compared are they or their differences, with whole numbers.
    Fractions,
    /// Texts: 0 is ⊥, some are named, and any others.
    Texts,
}

/// One of each kind.
pub const MIXED: [Data; 3] = [Data::Whole, Data::Fractions, Data::Texts];

pub struct Drawn {
    /// What is executed value by value: whole numbers of small ranges.
    pub machine: Valid,
    /// The machine that they stand for.
    pub open: Unbounded,
    pub wide: Vec<(VarId, Data)>,
    pub pins: Vec<Pin>,
    pub grid: Grid,
}

/// At which values numbers with fractions are looked at, in the smallest parts. Others are looked at value by value.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// How many parts make 1.
    pub parts: i64,
    /// How far apart they are in a snapshot.
    pub snapshot: i64,
    /// How far apart in payload.
    pub payload: i64,
    /// How far apart in a snapshot that is laid beside another one, and seen.
    pub beside: i64,
}

/// Texts that have names: these, and ⊥.
const NAMED: i64 = 2;

struct Draw<'r> {
    rng: &'r mut Rng,
    m: Machine,
    numbers: Vec<(VarId, Data)>,
    /// A finite number.
    finite: Option<VarId>,
    flags: Vec<VarId>,
    /// Flags of numbers that are at their initial values while it is false.
    set: BTreeMap<VarId, VarId>,
    /// Few comparisons and wide ranges: much stays unknown.
    sparse: bool,
    /// How many parts make 1.
    parts: i64,
}

impl Drawn {
    /// The variables to abstract: those that can only be, and most of the others.
    pub fn abstracted(&self, rng: &mut Rng) -> Vec<VarId> {
        let chosen = self.wide.iter().filter(|(_, data)| *data != Data::Whole || rng.u8(..4) > 0);
        chosen.map(|(v, _)| *v).collect()
    }

    pub fn all(&self) -> Vec<VarId> {
        self.wide.iter().map(|(v, _)| *v).collect()
    }

    pub fn fractions(&self) -> Vec<VarId> {
        self.wide.iter().filter(|(_, data)| *data == Data::Fractions).map(|(v, _)| *v).collect()
    }
}

/// A system: two or three abstracted numbers, a finite one, flags, two agents who see some of it, payload, rules, private updates.
pub fn system(rng: &mut Rng) -> Drawn {
    system_of(&[Data::Whole], rng)
}

/// A system of some kinds of data, one of each if there are several, with small ranges in which everything can be tried.
///
/// *Fractions.* Only differences are compared, with whole numbers, and only whole numbers are added. So two snapshots do the same if their
/// numbers have the same whole parts, and fractions that are zero, equal and ordered alike (the regions of timed automata). With n numbers all
/// regions are there if 1 has n + 1 parts; and one input more can be put anywhere between these if each has two. Hence 2(n + 1) parts for
/// inputs, and n + 1 for snapshots. For views another snapshot is laid beside the first, so that its numbers must fit between those, and the
/// input between all of them: with one number, twice as many parts each. Of several, agents see none.
///
/// *Texts.* They are only compared for equality, so that renaming those without names changes nothing. Two snapshots and one payload never
/// hold more than 2n + 1 of them: with as many, all that can happen happens.
pub fn system_of(kinds: &[Data], rng: &mut Rng) -> Drawn {
    let sparse = rng.bool();
    let (m, numbers, flags, set) = (empty(), vec![], vec![], BTreeMap::new());
    let mut d = Draw { rng, m, numbers, finite: None, flags, set, sparse, parts: 1 };
    let many = match kinds {
        [Data::Whole] if !sparse => d.rng.i64(1..4),
        [_] => d.rng.i64(1..3),
        _ => 1,
    };
    let snapshot = if many == 1 { 4 } else { 2 };
    if kinds.contains(&Data::Fractions) {
        d.parts = snapshot * (many + 1);
    }
    kinds.iter().for_each(|data| d.variables(*data, many));
    let pins = d.more_variables(kinds);
    d.agents();
    let created = pins.iter().find(|p| !d.set.contains_key(&p.var)).map(|p| p.when);
    for b in 0..d.rng.usize(2..5) {
        d.event(b, created, kinds);
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
    let open = d.opened();
    let grid = Grid { parts: d.parts, snapshot, payload: snapshot / 2, beside: 2 };
    Drawn { machine: validate(d.m).unwrap(), open: validate_unbounded(open).unwrap(), wide: d.numbers, pins, grid }
}

/// The kind of an input, which its name tells.
pub fn kind_of(name: &str) -> Data {
    match name.chars().next() {
        Some('f') => Data::Fractions,
        Some('t') => Data::Texts,
        _ => Data::Whole,
    }
}

impl Draw<'_> {
    fn variables(&mut self, data: Data, many: i64) {
        for i in 0..many {
            let lo = self.rng.i64(-1..1);
            let hi = lo + if self.sparse { self.rng.i64(4..8) } else { self.rng.i64(1..4) };
            let (lo, hi) = match data {
                Data::Whole => (lo, hi),
                Data::Fractions => (lo * self.parts, hi.min(lo + 2) * self.parts),
                Data::Texts => (0, NAMED + 2 * many + 1),
            };
            let name = match data {
                Data::Whole => "x",
                Data::Fractions => "f",
                Data::Texts => "t",
            };
            let n = var(&mut self.m, &format!("{name}{i}"), Domain::Int { lo, hi });
            self.numbers.push((n, data));
        }
    }

    /// What is finite; and what has its initial value while something finite says so.
    fn more_variables(&mut self, kinds: &[Data]) -> Vec<Pin> {
        if self.rng.bool() && kinds != [Data::Texts] {
            self.finite = Some(var(&mut self.m, "n", Domain::Int { lo: 0, hi: 2 }));
        }
        for i in 0..self.rng.usize(1..3) {
            let f = var(&mut self.m, &format!("b{i}"), Domain::Bool);
            self.flags.push(f);
        }
        let mut pins = Vec::new();
        for (at, (n, _)) in self.numbers.clone().into_iter().enumerate() {
            match self.rng.u8(..6) {
                0 | 1 if at == 0 => {
                    let when = var(&mut self.m, "created", Domain::Bool);
                    pins.push(Pin { when, code: 0, var: n });
                }
                2 => {
                    let when = var(&mut self.m, &format!("set{at}"), Domain::Bool);
                    self.set.insert(n, when);
                    pins.push(Pin { when, code: 0, var: n });
                }
                _ => {}
            }
        }
        pins
    }

    /// The machine without the bounds that are there for trying everything.
    fn opened(&self) -> Machine {
        let mut open = self.m.clone();
        let parts = self.parts;
        let whole = |domain: &Domain, data: Data| {
            let (lo, hi) = domain.bounds();
            match data {
                Data::Whole => domain.clone(),
                Data::Fractions => Domain::Real { parts, lo, hi },
                Data::Texts => Domain::Int { lo: 0, hi: i64::MAX },
            }
        };
        for (v, data) in &self.numbers {
            let domain = &mut open.vars[v.0 as usize].domain;
            *domain = whole(domain, *data);
        }
        for input in open.bodies.iter_mut().flat_map(|b| &mut b.inputs) {
            input.domain = whole(&input.domain, kind_of(&input.name));
        }
        open
    }

    /// The abstracted variables of a kind.
    fn of(&self, data: Data) -> Vec<VarId> {
        self.numbers.iter().filter(|(_, d)| *d == data).map(|(v, _)| *v).collect()
    }

    fn kind(&mut self) -> Data {
        self.numbers[self.rng.usize(..self.numbers.len())].1
    }

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
                let visible = if self.rng.bool() { TRUE } else { self.condition(1, true, &[]) };
                let hidden = if self.of(Data::Fractions).len() > 1 { Some(Data::Fractions) } else { None };
                let all = self.numbers.iter().filter(|(_, data)| Some(*data) != hidden).map(|(v, _)| *v);
                let all: Vec<VarId> = all.chain(self.finite).chain(self.flags.iter().copied()).collect();
                let seen = all.into_iter().filter(|_| self.rng.u8(..3) == 0).collect();
                views.push(View { name: format!("view {k}"), visible, seen });
            }
            self.m.agents.push(MachineAgent { name: Some(name.into()), private, sees_all: false, views });
        }
        let auto = MachineAgent { name: Some("AutoAgent".into()), private: vec![], sees_all: true, views: vec![] };
        self.m.agents.push(auto);
    }

    /// Payload: of whole numbers up to two fields, else up to one of each kind.
    fn payload(&mut self, kinds: &[Data]) -> Vec<Input> {
        let mut inputs = Vec::new();
        for data in kinds {
            for i in 0..self.rng.usize(..=if kinds == [Data::Whole] { 2 } else { 1 }) {
                let parts = if *data == Data::Fractions { self.parts } else { 1 };
                let (lo, hi) = (self.rng.i64(-1..1) * parts, self.rng.i64(1..4) * parts);
                let (lo, hi) =
                    if *data == Data::Texts { self.m.var(self.of(*data)[0]).domain.bounds() } else { (lo, hi) };
                let name = match data {
                    Data::Whole => format!("i{i}"),
                    Data::Fractions => format!("f{i}"),
                    Data::Texts => format!("t{i}"),
                };
                inputs.push(Input { name, domain: Domain::Int { lo, hi }, values: Ranges::range(lo, hi) });
            }
        }
        inputs
    }

    fn event(&mut self, number: usize, created: Option<VarId>, kinds: &[Data]) {
        let mut b = Body { inputs: self.payload(kinds), ..body(&format!("e{number}")) };
        let inputs: Vec<Data> = b.inputs.iter().map(|i| kind_of(&i.name)).collect();
        for _ in 0..self.rng.usize(1..3) {
            self.effect(&inputs, &mut b.effect);
        }
        b.applicable = if self.rng.bool() && !self.sparse { self.condition(1, false, &inputs) } else { TRUE };
        for _ in 0..self.rng.usize(0..3) {
            let (prerequisite, antecedent) = (self.condition(0, false, &inputs), self.condition(1, false, &inputs));
            let target = self.flags[self.rng.usize(..self.flags.len())];
            let origin = Origin { label: "rule".into(), span: Span::NOWHERE, slot: None, key: 0 };
            let value = if self.rng.u8(..4) == 0 {
                self.condition(0, false, &inputs)
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
            let allowed = if self.rng.bool() { self.before(1, &inputs) } else { TRUE };
            let mut updates = Vec::new();
            if let Some(&p) = self.m.agents[agent].private.first()
                && self.rng.bool()
            {
                let value = self.value(p, None, 1, &inputs);
                updates.push(Assign { var: p, value });
            }
            self.m.actions.push(Action { agent, body: BodyIx(self.m.bodies.len() - 1), allowed, updates });
        }
    }

    /// A number gets a value; one that can be not set gets its flag, too, or loses it and its value.
    fn effect(&mut self, inputs: &[Data], effect: &mut Vec<Assign>) {
        let all: Vec<(VarId, Option<Data>)> = self.numbers.iter().map(|(v, data)| (*v, Some(*data))).collect();
        let all: Vec<(VarId, Option<Data>)> = all.into_iter().chain(self.finite.map(|n| (n, None))).collect();
        let (var, data) = all[self.rng.usize(..all.len())];
        let set = self.set.get(&var).copied();
        let lost = set.is_some() && self.rng.u8(..4) == 0;
        let value = match lost {
            true => self.m.exprs.int(self.m.var(var).init),
            false => self.value(var, data, 2, inputs),
        };
        effect.push(Assign { var, value });
        effect.extend(set.map(|set| Assign { var: set, value: if lost { FALSE } else { TRUE } }));
    }

    /// A value for a variable; a constant that it cannot have becomes one that it can.
    fn value(&mut self, var: VarId, data: Option<Data>, depth: usize, inputs: &[Data]) -> ExprId {
        let (lo, hi) = self.m.var(var).domain.bounds();
        let whole = !self.of(Data::Whole).is_empty();
        let value = match data {
            Some(data) => self.number(data, depth, false, inputs),
            // What has fractions, or is a text, stays among its own.
            None if whole => self.number(Data::Whole, depth, false, inputs),
            None => {
                let c = self.rng.i64(lo..=hi);
                self.m.exprs.int(c)
            }
        };
        match self.m.exprs.node(value) {
            Node::Int(c) => {
                let c = (*c).clamp(lo, hi);
                self.m.exprs.int(c)
            }
            _ => value,
        }
    }
}
