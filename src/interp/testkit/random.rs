//! Random machines with everything that the machine offers.

use super::*;

/// A random machine: slots, numbers, texts, scratch variables, agents with views, several inputs, rules of all kinds, watches,
/// several updates in a step, every way of idling.
pub fn random(seed: u64) -> Valid {
    let mut g = Gen { rng: Rng::with_seed(seed), m: empty(), inputs: vec![] };
    g.variables();
    g.agents();
    g.bodies();
    validate(g.m).unwrap()
}

/// What an expression may read.
#[derive(Clone, Copy)]
struct Scope {
    prev: bool,
    cur: bool,
    inputs: bool,
    scratch: bool,
}

const SNAPSHOT: Scope = Scope { prev: false, cur: true, inputs: false, scratch: false };
const STEP: Scope = Scope { prev: true, cur: true, inputs: true, scratch: true };
const BEFORE: Scope = Scope { prev: true, cur: false, inputs: true, scratch: false };

struct Gen {
    rng: Rng,
    m: Machine,
    /// Those of the body under construction.
    inputs: Vec<Input>,
}

impl Gen {
    fn variables(&mut self) {
        for k in 0..2 {
            let first = self.m.vars.len() as u32;
            let created = flag(&mut self.m, &format!("T[{}].created", k + 1));
            for i in 0..self.rng.usize(1..3) {
                flag(&mut self.m, &format!("T[{}].f{i}", k + 1));
            }
            let all: Vec<VarId> = (first..self.m.vars.len() as u32).map(VarId).collect();
            all.iter().for_each(|v| self.m.vars[v.0 as usize].slot = Some(SlotIx(k)));
            let (number, name) = (1, format!("T[{}]", k + 1));
            self.m.slots.push(Slot { name, family: k, number, exists: Some(created), vars: all });
        }
        for i in 0..self.rng.usize(..3) {
            let domain = self.domain();
            let v = var(&mut self.m, &format!("n{i}"), domain.clone());
            let (lo, hi) = domain.bounds();
            self.m.vars[v.0 as usize].init = self.rng.i64(lo..=hi);
        }
        for (a, name) in ["ann", "bob"].into_iter().enumerate() {
            let mut private = vec![var(&mut self.m, &format!("{name}.p"), Domain::Bool)];
            if self.rng.bool() {
                let domain = self.domain();
                private.push(var(&mut self.m, &format!("{name}.q"), domain));
            }
            let agent = MachineAgent { name: Some(name.into()), private, sees_all: false, views: vec![] };
            self.m.agents.insert(a, agent);
        }
        for i in 0..self.rng.usize(..3) {
            let domain = if self.rng.bool() { Domain::Bool } else { self.domain() };
            scratch(&mut self.m, &format!("s{i}"), domain);
        }
    }

    /// A small domain of numbers.
    fn domain(&mut self) -> Domain {
        match self.rng.u8(..4) {
            0 => Domain::Int { lo: -1, hi: 1 },
            1 => Domain::Int { lo: 0, hi: 3 },
            n => Domain::Enum { values: vec!["red".into(), "blue".into()], bottom: n == 2 },
        }
    }

    fn agents(&mut self) {
        let state: Vec<VarId> = self.m.state_ids().collect();
        for agent in 0..2 {
            for i in 0..self.rng.usize(..3) {
                let visible = match self.rng.u8(..3) {
                    0 => TRUE,
                    1 => self.m.slots[i].exists.map_or(TRUE, |v| self.m.exprs.cur(v)),
                    _ => self.boolean(1, SNAPSHOT),
                };
                let seen = state.iter().copied().filter(|_| self.rng.u8(..3) == 0).collect();
                self.m.agents[agent].views.push(View { name: format!("v{i}"), visible, seen });
            }
        }
        self.m.agents[2].name = Some("AutoAgent".into());
    }

    fn bodies(&mut self) {
        for i in 0..self.rng.usize(3..7) {
            self.inputs = (0..self.rng.usize(..3)).map(|k| self.input(k)).collect();
            let mut b = body(&format!("E{i}"));
            b.target = Some(SlotIx(self.rng.usize(..2)));
            b.effect = (0..self.rng.usize(1..3)).map(|_| self.assign(STEP)).collect();
            b.applicable = if self.rng.bool() { TRUE } else { self.boolean(2, STEP) };
            b.rules = (0..self.rng.usize(..6)).map(|k| self.rule(k)).collect();
            b.finish = (0..self.rng.usize(..3)).map(|_| self.assign(STEP)).collect();
            b.components = self.components(&b.rules);
            b.inputs = std::mem::take(&mut self.inputs);
            self.inputs = b.inputs.clone();
            self.m.bodies.push(b);
            for agent in 0..self.rng.usize(1..4) {
                let allowed = if self.rng.bool() { TRUE } else { self.boolean(2, BEFORE) };
                let updates = self.updates(agent);
                self.m.actions.push(Action { agent: AgentIx(agent), body: BodyIx(i), allowed, updates });
            }
        }
        self.m.idle = [Idle::Always, Idle::Terminal, Idle::Never][self.rng.usize(..3)];
        if self.m.idle == Idle::Never {
            act(&mut self.m, body("tick"), TRUE);
        }
    }

    fn input(&mut self, k: usize) -> Input {
        let (domain, values) = match self.rng.u8(..4) {
            0 => (Domain::Bool, vec![0, 1]),
            1 => (Domain::Bool, vec![1]),
            2 => (Domain::Int { lo: -1, hi: 2 }, vec![-1, 0, 2]),
            _ => (Domain::Enum { values: vec!["red".into(), "blue".into()], bottom: true }, vec![1, 2]),
        };
        Input { name: format!("x{k}"), domain, values: values.into() }
    }

    fn rule(&mut self, k: usize) -> Rule {
        let Assign { var: target, value } = self.assign(STEP);
        let prerequisite = if self.rng.u8(..3) == 0 { TRUE } else { self.boolean(1, STEP) };
        let antecedent = self.boolean(2, STEP);
        let mut new = rule(&format!("R{k}"), prerequisite, antecedent, target, self.rng.bool());
        if self.m.var(target).domain != Domain::Bool || self.rng.u8(..3) == 0 {
            new.value = value;
        }
        new.origin.slot = Some(SlotIx(self.rng.usize(..2))).filter(|_| self.rng.bool());
        new
    }

    /// Components of rules whose targets get one constant only.
    fn components(&mut self, rules: &[Rule]) -> Vec<Component> {
        let constant = |r: &Rule| matches!(self.m.exprs.node(r.value), Node::Bool(_) | Node::Int(_));
        let plain = |r: &usize| {
            let mut same = rules.iter().filter(|o| o.target == rules[*r].target);
            same.all(|o| constant(o) && o.value == rules[*r].value)
        };
        let plain: Vec<usize> = (0..rules.len()).filter(plain).take(4).collect();
        if plain.is_empty() || self.rng.bool() {
            return Vec::new();
        }
        let pick = |rng: &mut fastrand::Rng| plain[rng.usize(..plain.len())];
        // A reader stands before a writer that it does not see, and never in a circle: the earlier one reads.
        let pairs: Vec<(usize, usize)> =
            (0..self.rng.usize(..3)).map(|_| (pick(&mut self.rng), pick(&mut self.rng))).collect();
        let unseen = pairs.into_iter().filter(|(reader, writer)| reader < writer).collect();
        vec![Component { rules: plain, unseen }]
    }

    /// Updates of some of an agent's variables and of `overflow`.
    fn updates(&mut self, agent: usize) -> Vec<Assign> {
        let mut vars = self.m.agents[agent].private.clone();
        vars.push(self.m.overflow);
        self.rng.shuffle(&mut vars);
        vars.truncate(self.rng.usize(..4));
        vars.into_iter().map(|var| self.assign_to(var, STEP)).collect()
    }

    fn assign(&mut self, scope: Scope) -> Assign {
        let var = VarId(self.rng.u32(1..self.m.vars.len() as u32));
        self.assign_to(var, scope)
    }

    fn assign_to(&mut self, var: VarId, scope: Scope) -> Assign {
        let (lo, hi) = self.m.var(var).domain.bounds();
        let boolean = self.m.var(var).domain == Domain::Bool;
        let value = if boolean { self.boolean(1, scope) } else { self.number(2, scope) };
        let value = match *self.m.exprs.node(value) {
            Node::Int(c) => self.m.exprs.int(c.clamp(lo, hi)),
            _ => value,
        };
        Assign { var, value }
    }

    fn leaf(&mut self, boolean: bool, scope: Scope) -> Option<ExprId> {
        let sort = |d: &Domain| (*d == Domain::Bool) == boolean;
        let vars: Vec<VarId> = self.m.var_ids().filter(|v| sort(&self.m.var(*v).domain)).collect();
        let inputs: Vec<InputIx> = InputIx::all(&self.inputs).filter(|i| sort(&self.inputs[*i].domain)).collect();
        if scope.inputs && !inputs.is_empty() && self.rng.u8(..3) == 0 {
            return Some(self.m.exprs.input(inputs[self.rng.usize(..inputs.len())]));
        }
        let v = *vars.get(self.rng.usize(..vars.len().max(1)))?;
        match (self.m.var(v).scratch, scope.prev && (!scope.cur || self.rng.bool())) {
            (true, _) => scope.scratch.then(|| self.m.exprs.cur(v)),
            (false, true) => Some(self.m.exprs.prev(v)),
            (false, false) => Some(self.m.exprs.cur(v)),
        }
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
        match self.rng.u8(..6) {
            0 | 1 if depth > 0 => {
                let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div][self.rng.usize(..4)];
                let (a, b) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                self.m.exprs.arith(op, a, b)
            }
            2 if depth > 0 => {
                let c = self.boolean(depth - 1, scope);
                let (t, e) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                self.m.exprs.ite(c, t, e)
            }
            3 => {
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
