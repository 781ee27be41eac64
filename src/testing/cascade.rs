//! Machines with one long body: guarded assignments over scratch and state variables that read each other.
//!
//! Languages whose rules run in rounds (E-GSM, CMMN) lower a step to thousands of guarded assignments. Here a step goes through
//! groups of variables, one after the other: each group's rules read its own variables, its scratch variables and what the group
//! before left in its carry. A carry is forgotten every few groups, as a cascade dies out.

use crate::logic::{Formula, Path, Property, Temporal};
use crate::machine::{
    Action, AgentIx, ArithOp, Assign, Body, BodyIx, CompareOp, Domain, ExprId, Exprs, FALSE, Idle, Input, InputIx,
    Machine, MachineAgent, Origin, Rule, TRUE, Valid, Var, VarId, validate,
};
use crate::source::Span;
use fastrand::Rng;

/// Rules of a group.
const GROUP: usize = 20;
/// Groups that a carry goes through.
const FAR: usize = 6;

/// A machine whose one body has this many guarded assignments, with so many agents who can make it happen, each with a counter of
/// its own; the same for the same seed. `None`: no rule, or no agent.
pub fn cascade(rules: usize, agents: usize, seed: u64) -> Option<Valid> {
    if rules == 0 || agents == 0 {
        return None;
    }
    let groups = rules.div_ceil(GROUP);
    let mut g = Gen { rng: Rng::with_seed(seed), vars: Vec::new(), exprs: Exprs::default(), rules: Vec::new() };
    let overflow = g.var("overflow", Domain::Bool, false);
    let counters: Vec<VarId> =
        (0..agents).map(|a| g.var(&format!("agent{a}.count"), Domain::Int { lo: 0, hi: 1 }, false)).collect();
    let state: Vec<[VarId; 4]> = (0..groups).map(|i| g.state(i)).collect();
    let scratch: Vec<[VarId; 3]> = (0..groups).map(|i| g.scratch(i)).collect();
    let input = g.exprs.input(InputIx(0));
    for i in 0..groups {
        let carry = if i % FAR == 0 { input } else { g.exprs.cur(scratch[i - 1][0]) };
        let left = rules - g.rules.len();
        g.group(left.min(GROUP), &state[i], &scratch[i], carry);
    }
    let (last, first) = (g.exprs.cur(state[groups - 1][0]), g.exprs.cur(state[0][0]));
    let none = g.exprs.not(first);
    let inputs = vec![Input { name: "on".into(), domain: Domain::Bool, values: vec![0, 1].into() }];
    let body = Body {
        event: "go".into(),
        target: None,
        inputs,
        effect: vec![Assign { var: scratch[0][1], value: input }],
        applicable: TRUE,
        rules: g.rules,
        finish: Vec::new(),
        components: Vec::new(),
    };
    let agent = |a: usize| MachineAgent {
        name: Some(format!("agent{a}")),
        private: vec![counters[a]],
        sees_all: false,
        views: vec![],
    };
    let auto = MachineAgent { name: Some("AutoAgent".into()), private: vec![], sees_all: true, views: vec![] };
    let mut actions = Vec::new();
    for (a, var) in counters.iter().enumerate() {
        let (before, one) = (g.exprs.prev(*var), g.exprs.int(1));
        let value = g.exprs.arith(ArithOp::Add, before, one);
        actions.push(Action {
            agent: AgentIx(a),
            body: BodyIx(0),
            allowed: TRUE,
            updates: vec![Assign { var: *var, value }],
        });
    }
    let machine = Machine {
        name: format!("cascade of {rules}"),
        vars: g.vars,
        exprs: g.exprs,
        slots: Vec::new(),
        agents: (0..agents).map(agent).chain([auto]).collect(),
        bodies: vec![body],
        actions,
        idle: Idle::Terminal,
        overflow,
        properties: vec![
            asked("last", Formula::Quantified(Path::E, Temporal::finally(Formula::Atom(last)))),
            asked("first", Formula::Quantified(Path::A, Temporal::globally(Formula::Atom(none)))),
        ],
        questions: Vec::new(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        cyclic: false,
    };
    validate(machine).ok()
}

fn asked(name: &str, formula: Formula<ExprId>) -> Property<ExprId> {
    Property::new(name, formula, Span::NOWHERE)
}

struct Gen {
    rng: Rng,
    vars: Vec<Var>,
    exprs: Exprs,
    rules: Vec<Rule>,
}

impl Gen {
    fn var(&mut self, name: &str, domain: Domain, scratch: bool) -> VarId {
        let init = self.rng.i64(domain.bounds().0..=domain.bounds().1);
        let init = if scratch || name.starts_with('g') { init } else { 0 };
        self.vars.push(Var { name: name.into(), domain, init, scratch, slot: None });
        VarId(self.vars.len() as u32 - 1)
    }

    /// Two flags, a number that saturates and one of several words.
    fn state(&mut self, group: usize) -> [VarId; 4] {
        let words = Domain::Enum { values: ["new", "open", "done"].map(String::from).to_vec(), bottom: false };
        [
            self.var(&format!("g{group}.a"), Domain::Bool, false),
            self.var(&format!("g{group}.b"), Domain::Bool, false),
            self.var(&format!("g{group}.n"), Domain::Int { lo: -1, hi: 2 }, false),
            self.var(&format!("g{group}.w"), words, false),
        ]
    }

    /// The carry, a flag and a number.
    fn scratch(&mut self, group: usize) -> [VarId; 3] {
        [
            self.var(&format!("s{group}.carry"), Domain::Bool, true),
            self.var(&format!("s{group}.p"), Domain::Bool, true),
            self.var(&format!("s{group}.m"), Domain::Int { lo: 0, hi: 3 }, true),
        ]
    }

    /// The rules of a group: most write what is its own, the last one its carry.
    fn group(&mut self, rules: usize, state: &[VarId; 4], scratch: &[VarId; 3], carry: ExprId) {
        for k in 0..rules {
            let targets = [state[0], state[1], state[2], state[3], scratch[1], scratch[2]];
            let target = if k + 1 == rules { scratch[0] } else { targets[self.rng.usize(..targets.len())] };
            let antecedent = self.condition(state, scratch, carry);
            let value = match self.vars[target.0 as usize].domain.clone() {
                Domain::Bool if self.rng.bool() => self.condition(state, scratch, carry),
                Domain::Bool => [FALSE, TRUE][self.rng.usize(..2)],
                Domain::Int { .. }
                | Domain::Real { .. }
                | Domain::Points(_)
                | Domain::Date { .. }
                | Domain::Text { .. } => self.number(state, scratch),
                Domain::Enum { values, .. } => {
                    let code = self.rng.i64(0..values.len() as i64);
                    self.exprs.int(code)
                }
            };
            let prerequisite = if self.rng.u8(..3) == 0 { self.before(state) } else { TRUE };
            let key = self.rules.len() as u32;
            let origin = Origin { label: format!("R{key}"), span: Span::NOWHERE, slot: None, key };
            self.rules.push(Rule { origin, prerequisite, antecedent, target, value });
        }
    }

    fn before(&mut self, state: &[VarId; 4]) -> ExprId {
        let e = self.exprs.prev(state[self.rng.usize(..2)]);
        if self.rng.bool() { e } else { self.exprs.not(e) }
    }

    fn condition(&mut self, state: &[VarId; 4], scratch: &[VarId; 3], carry: ExprId) -> ExprId {
        let (word, code) = (self.exprs.cur(state[3]), self.rng.i64(0..3));
        let (n, m, code) = (self.exprs.cur(state[2]), self.exprs.cur(scratch[2]), self.exprs.int(code));
        let parts = [
            self.exprs.cur(state[0]),
            self.exprs.cur(state[1]),
            self.exprs.cur(scratch[1]),
            carry,
            self.exprs.compare(CompareOp::Eq, word, code),
            self.exprs.compare(CompareOp::Lt, n, m),
            self.exprs.prev(state[0]),
        ];
        let mut pick = || parts[self.rng.usize(..parts.len())];
        let (a, b) = (pick(), pick());
        match self.rng.u8(..4) {
            0 => self.exprs.and([a, b]),
            1 => self.exprs.or([a, b]),
            2 => self.exprs.not(a),
            _ => a,
        }
    }

    fn number(&mut self, state: &[VarId; 4], scratch: &[VarId; 3]) -> ExprId {
        let leaves = [self.exprs.cur(state[2]), self.exprs.cur(scratch[2]), self.exprs.prev(state[2])];
        let (a, b) = (leaves[self.rng.usize(..3)], leaves[self.rng.usize(..3)]);
        let one = self.exprs.int(1);
        match self.rng.u8(..4) {
            0 => self.exprs.arith(ArithOp::Add, a, one),
            1 => self.exprs.arith(ArithOp::Sub, a, b),
            2 => self.exprs.arith(ArithOp::Div, a, b),
            _ => a,
        }
    }
}
