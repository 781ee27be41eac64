//! Small structures as machines: one number says where we are, every edge is an action of some agent.

use crate::logic::{Connected, Formula, Know, PathFormula};
use crate::machine::*;
use crate::machine::{CompareOp, Domain, Idle};
use crate::native::bdd::Limits;
use crate::native::check::{Checker, Fml, Trouble};
use crate::native::encode::System;
use crate::native::reach::Reach;
use crate::native::witness::Evidence;

/// A structure: edges with the agent that takes them, labels by state, what agents see of the state's number.
#[derive(Clone, Debug)]
pub struct Kripke {
    pub states: i64,
    /// `(from, to, agent)`.
    pub edges: Vec<(i64, i64, usize)>,
    /// Per proposition the states where it holds.
    pub labels: Vec<Vec<i64>>,
    /// Per agent a private observation: a colour per state.
    pub colours: Vec<Vec<i64>>,
    pub idle: Idle,
}

/// The machine, and the atom of each proposition.
pub struct Built {
    pub machine: Valid,
    pub props: Vec<ExprId>,
}

impl Kripke {
    pub fn new(states: i64, edges: &[(i64, i64)], labels: &[&[i64]]) -> Kripke {
        Kripke {
            states,
            edges: edges.iter().map(|&(a, b)| (a, b, 0)).collect(),
            labels: labels.iter().map(|l| l.to_vec()).collect(),
            colours: vec![(0..states).collect()],
            idle: Idle::Never,
        }
    }

    /// State 0 is the initial one. An agent's colour of the state is its private variable.
    pub fn build(&self) -> Built {
        let mut exprs = Exprs::default();
        let var = |name: String, hi: i64, init: i64| Var {
            name,
            domain: Domain::Int { lo: 0, hi: hi.max(1) },
            init,
            scratch: false,
            slot: None,
        };
        let mut vars = vec![var("at".into(), self.states - 1, 0)];
        let at = VarId(0);
        let mut agents = Vec::new();
        for (a, colours) in self.colours.iter().enumerate() {
            let top = colours.iter().copied().max().unwrap_or(0);
            vars.push(var(format!("see{a}"), top, colours[0]));
            let private = vec![VarId(vars.len() as u32 - 1)];
            agents.push(MachineAgent { name: Some(format!("agent{a}")), private, sees_all: false, views: vec![] });
        }
        let overflow = VarId(vars.len() as u32);
        let domain = Domain::Bool;
        vars.push(Var { name: "overflow".into(), domain, init: 0, scratch: false, slot: None });

        let (mut bodies, mut actions) = (Vec::new(), Vec::new());
        for &(from, to, agent) in &self.edges {
            let (here, there) = (exprs.prev(at), exprs.int(from));
            let applicable = exprs.compare(CompareOp::Eq, here, there);
            let mut effect = vec![Assign { var: at, value: exprs.int(to) }];
            for (a, colours) in self.colours.iter().enumerate() {
                effect.push(Assign { var: VarId(a as u32 + 1), value: exprs.int(colours[to as usize]) });
            }
            actions.push(Action { agent: AgentIx(agent), body: BodyIx::next(&bodies), allowed: TRUE, updates: vec![] });
            bodies.push(Body {
                event: format!("e{from}_{to}"),
                target: None,
                inputs: vec![],
                effect,
                applicable,
                rules: vec![],
                finish: vec![],
                components: vec![],
            });
        }
        let props = self.labels.iter().map(|states| {
            let parts: Vec<ExprId> = states
                .iter()
                .map(|&i| {
                    let (here, i) = (exprs.cur(at), exprs.int(i));
                    exprs.compare(CompareOp::Eq, here, i)
                })
                .collect();
            exprs.or(parts)
        });
        let props = props.collect();
        let machine = Machine {
            name: "kripke".into(),
            vars,
            exprs,
            slots: vec![],
            agents,
            bodies,
            actions,
            idle: self.idle,
            overflow,
            questions: vec![],
            properties: vec![],
            bounds: vec![],
            left_out: vec![],
            cyclic: false,
        };
        Built { machine: validate(machine).unwrap(), props }
    }

    /// Whether a formula holds in the initial state, and the evidence.
    pub fn evidence(&self, built: &Built, f: &Fml, fair: &[Fml]) -> Result<(bool, Evidence), Trouble> {
        let sys = System::new(&built.machine, &Limits::default())?;
        let reach = Reach::new(&sys, &|_, _| ())?;
        let checker = Checker::new(&sys, &reach);
        let fairness = checker.fairness(fair)?;
        let holds = checker.holds(f, &fairness)?;
        assert_eq!(holds, sys.space.meets(&sys.init, &checker.sat(f, &fairness)?)?);
        Ok((holds, checker.evidence(f, &fairness, holds)?))
    }

    /// The states in which each formula holds; unreachable states hold nothing.
    pub fn answers(&self, built: &Built, formulas: &[Fml], fair: &[Fml]) -> Result<Vec<Vec<i64>>, Trouble> {
        let sys = System::new(&built.machine, &Limits::default())?;
        let reach = Reach::new(&sys, &|_, _| ())?;
        let checker = Checker::new(&sys, &reach);
        let fairness = checker.fairness(fair)?;
        let mut all = Vec::new();
        for f in formulas {
            let set = sys.space.and(&checker.sat(f, &fairness)?, &reach.set)?;
            let mut states = Vec::new();
            for i in 0..self.states {
                let mut snapshot = vec![i];
                snapshot.extend(self.colours.iter().map(|c| c[i as usize]));
                snapshot.push(0);
                if sys.space.meets(&sys.single(&snapshot.into())?, &set)? {
                    states.push(i);
                }
            }
            all.push(states);
        }
        Ok(all)
    }
}

pub fn not(a: Fml) -> Fml {
    a.not()
}
pub fn ex(a: Fml) -> Fml {
    Formula::ex(a)
}
pub fn ax(a: Fml) -> Fml {
    Formula::ax(a)
}
pub fn ef(a: Fml) -> Fml {
    Formula::ef(a)
}
pub fn af(a: Fml) -> Fml {
    Formula::af(a)
}
pub fn eg(a: Fml) -> Fml {
    Formula::eg(a)
}
pub fn ag(a: Fml) -> Fml {
    Formula::ag(a)
}
pub fn eu(a: Fml, b: Fml) -> Fml {
    Formula::eu(a, b)
}
pub fn au(a: Fml, b: Fml) -> Fml {
    Formula::au(a, b)
}
pub fn implies(a: Fml, b: Fml) -> Fml {
    a.implies(b)
}
pub fn knows(kind: Know, group: &[usize], a: Fml) -> Fml {
    Formula::know(kind, group.iter().copied().map(AgentIx).collect(), a)
}
pub fn ltl(path: PathFormula<ExprId>) -> Fml {
    Formula::ltl(path)
}
