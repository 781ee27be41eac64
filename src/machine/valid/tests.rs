//! Every way to spoil a machine that comes to mind is refused; what is not refused does no harm.

use super::*;
use crate::interp::testkit::{property, random};
use crate::interp::{Interp, Work};
use crate::logic::{Connected, Path, Temporal, TypeNo};
use crate::machine::{
    AgentIx, BodyIx, CompareOp, Component, FALSE, Idle, InputIx, Ranges, SlotIx, Snapshot, TRUE, View,
};
use fastrand::Rng;

type Spoil = fn(&mut Machine, &mut Rng) -> bool;

/// Beyond every variable, expression, slot, body, agent and input.
const BEYOND: usize = 100_000;

fn any<'a, T>(list: &'a mut [T], rng: &mut Rng) -> Option<&'a mut T> {
    let len = list.len();
    if len == 0 { None } else { list.get_mut(rng.usize(..len)) }
}

/// Some rule, some body.
fn a_rule<'m>(m: &'m mut Machine, rng: &mut Rng) -> Option<&'m mut Rule> {
    let mut all: Vec<&mut Rule> = m.bodies.iter_mut().flat_map(|b| &mut b.rules).collect();
    let len = all.len();
    if len == 0 { None } else { Some(all.swap_remove(rng.usize(..len))) }
}

fn number(m: &mut Machine) -> ExprId {
    m.exprs.int(1)
}

/// A variable of the other sort.
fn other_sort(m: &Machine, boolean: bool) -> Option<VarId> {
    m.state_ids().find(|v| (m.var(*v).domain == Domain::Bool) != boolean)
}

/// Ways that must be refused. Each says whether there was something to spoil.
const WRONG: &[(&str, Spoil)] = &[
    ("init", |m, rng| {
        let v = any(&mut m.vars, rng).unwrap();
        v.init = v.domain.bounds().1 + 1;
        true
    }),
    ("empty domain", |m, rng| {
        any(&mut m.vars, rng).unwrap().domain = Domain::Int { lo: 1, hi: 0 };
        true
    }),
    ("no texts", |m, rng| {
        any(&mut m.vars, rng).unwrap().domain = Domain::Enum { values: vec![], bottom: false };
        true
    }),
    ("name twice", |m, _| {
        m.vars[1].name = m.vars[0].name.clone();
        true
    }),
    ("scratch first", |m, _| {
        m.vars[0].scratch = true;
        true
    }),
    ("overflow missing", |m, _| {
        m.overflow = VarId(BEYOND as u32);
        true
    }),
    ("overflow a number", |m, _| {
        let Some(v) = other_sort(m, true) else { return false };
        m.overflow = v;
        true
    }),
    ("slot's variable", |m, rng| {
        any(&mut m.slots, rng).unwrap().vars.push(VarId(BEYOND as u32));
        true
    }),
    ("slot's flag", |m, rng| {
        any(&mut m.slots, rng).unwrap().exists = Some(VarId(BEYOND as u32));
        true
    }),
    ("slot's variable twice", |m, rng| {
        let s = any(&mut m.slots, rng).unwrap();
        s.vars.push(s.vars[0]);
        true
    }),
    ("variable of two slots", |m, _| {
        let v = m.slots[0].vars[0];
        m.slots[1].vars.push(v);
        true
    }),
    ("family", |m, _| {
        let family = m.slots[0].family;
        m.slots[1].family = family;
        m.slots[1].vars.pop();
        m.slots[1].vars.len() != m.slots[0].vars.len()
    }),
    ("slot name twice", |m, _| {
        m.slots[1].name = m.slots[0].name.clone();
        true
    }),
    ("variable's slot", |m, rng| {
        any(&mut m.vars, rng).unwrap().slot = Some(SlotIx(BEYOND));
        true
    }),
    ("private variable", |m, rng| {
        any(&mut m.agents, rng).unwrap().private.push(VarId(BEYOND as u32));
        true
    }),
    ("private variable of two", |m, _| {
        let v = m.agents[0].private[0];
        m.agents[1].private.push(v);
        true
    }),
    ("scratch seen", |m, _| {
        let Some(v) = m.var_ids().find(|v| m.var(*v).scratch) else { return false };
        m.agents[0].views.push(View { name: "x".into(), visible: TRUE, seen: vec![v] });
        true
    }),
    ("scratch private", |m, _| {
        let Some(v) = m.var_ids().find(|v| m.var(*v).scratch) else { return false };
        m.agents[0].private.push(v);
        true
    }),
    ("window of a number", |m, _| {
        let visible = number(m);
        m.agents[0].views.push(View { name: "x".into(), visible, seen: vec![] });
        true
    }),
    ("window reads before", |m, _| {
        let visible = m.exprs.prev(m.overflow);
        m.agents[0].views.push(View { name: "x".into(), visible, seen: vec![] });
        true
    }),
    ("window beyond", |m, _| {
        m.agents[0].views.push(View { name: "x".into(), visible: ExprId(BEYOND as u32), seen: vec![] });
        true
    }),
    ("target", |m, rng| {
        any(&mut m.bodies, rng).unwrap().target = Some(SlotIx(BEYOND));
        true
    }),
    ("input without values", |m, rng| {
        let all = m.bodies.iter_mut().flat_map(|b| &mut b.inputs);
        all.map(|i| i.values = Ranges::range(1, 0)).count() > 0 && rng.bool()
    }),
    ("input outside", |m, _| {
        let all = m.bodies.iter_mut().flat_map(|b| &mut b.inputs);
        all.map(|i| i.values = Ranges::range(0, i.domain.bounds().1 + 1)).count() > 0
    }),
    ("input of another sort", |m, _| {
        let b = &mut m.bodies[0];
        b.inputs = vec![Input { name: "x".into(), domain: Domain::Bool, values: Ranges::range(0, 1) }];
        let (x, one) = (m.exprs.input(InputIx(0)), m.exprs.int(1));
        m.bodies[0].applicable = m.exprs.compare(CompareOp::Eq, x, one);
        true
    }),
    ("input as a condition", |m, _| {
        let domain = Domain::Int { lo: 0, hi: 1 };
        m.bodies[0].inputs = vec![Input { name: "x".into(), domain, values: Ranges::range(0, 1) }];
        m.bodies[0].applicable = m.exprs.input(InputIx(0));
        true
    }),
    ("no such input", |m, rng| {
        let e = m.exprs.input(InputIx(BEYOND));
        any(&mut m.bodies, rng).unwrap().applicable = e;
        true
    }),
    ("applicable a number", |m, rng| {
        let e = number(m);
        any(&mut m.bodies, rng).unwrap().applicable = e;
        true
    }),
    ("assign beyond", |m, rng| {
        any(&mut m.bodies, rng).unwrap().effect.push(Assign { var: VarId(BEYOND as u32), value: TRUE });
        true
    }),
    ("assign another sort", |m, rng| {
        let (var, value) = (m.overflow, number(m));
        any(&mut m.bodies, rng).unwrap().finish.push(Assign { var, value });
        true
    }),
    ("assign a flag to a number", |m, rng| {
        let Some(var) = other_sort(m, true) else { return false };
        any(&mut m.bodies, rng).unwrap().effect.push(Assign { var, value: TRUE });
        true
    }),
    ("constant outside", |m, rng| {
        let Some(var) = other_sort(m, true) else { return false };
        let value = m.exprs.int(m.var(var).domain.bounds().1 + 1);
        any(&mut m.bodies, rng).unwrap().effect.push(Assign { var, value });
        true
    }),
    ("scratch before the step", |m, rng| {
        let Some(v) = m.var_ids().find(|v| m.var(*v).scratch && m.var(*v).domain == Domain::Bool) else {
            return false;
        };
        let e = m.exprs.prev(v);
        any(&mut m.bodies, rng).unwrap().applicable = e;
        true
    }),
    ("rule's target", |m, rng| a_rule(m, rng).map(|r| r.target = VarId(BEYOND as u32)).is_some()),
    ("rule's value", |m, rng| a_rule(m, rng).map(|r| r.value = ExprId(BEYOND as u32)).is_some()),
    ("rule's slot", |m, rng| a_rule(m, rng).map(|r| r.origin.slot = Some(SlotIx(BEYOND))).is_some()),
    ("rule's prerequisite", |m, rng| {
        let e = number(m);
        a_rule(m, rng).map(|r| r.prerequisite = e).is_some()
    }),
    ("rule's antecedent", |m, rng| {
        let e = number(m);
        a_rule(m, rng).map(|r| r.antecedent = e).is_some()
    }),
    ("component", |m, rng| {
        let component = Component { rules: vec![BEYOND], unseen: vec![] };
        any(&mut m.bodies, rng).unwrap().components.push(component);
        true
    }),
    ("component's pair", |m, _| {
        let Some(b) = m.bodies.iter_mut().find(|b| !b.components.is_empty()) else { return false };
        b.components[0].unseen.push((BEYOND, BEYOND));
        true
    }),
    ("component's value", |m, _| {
        let flag = m.exprs.cur(m.overflow);
        let Some(b) = m.bodies.iter_mut().find(|b| !b.components.is_empty()) else { return false };
        let rule = b.components[0].rules[0];
        b.rules[rule].value = flag;
        true
    }),
    ("action's body", |m, rng| any(&mut m.actions, rng).map(|a| a.body = BodyIx(BEYOND)).is_some()),
    ("action's agent", |m, rng| any(&mut m.actions, rng).map(|a| a.agent = AgentIx(BEYOND)).is_some()),
    ("allowed reads now", |m, rng| {
        let e = m.exprs.cur(m.overflow);
        any(&mut m.actions, rng).map(|a| a.allowed = e).is_some()
    }),
    ("allowed a number", |m, rng| {
        let e = number(m);
        any(&mut m.actions, rng).map(|a| a.allowed = e).is_some()
    }),
    ("two updates", |m, rng| {
        let var = m.overflow;
        any(&mut m.actions, rng).map(|a| a.updates = vec![Assign { var, value: TRUE }; 2]).is_some()
    }),
    ("update of another's", |m, _| {
        let var = m.agents[1].private[0];
        let Some(a) = m.actions.iter_mut().find(|a| a.agent == AgentIx(0)) else { return false };
        a.updates = vec![Assign { var, value: TRUE }];
        true
    }),
    ("update of a slot", |m, rng| {
        let var = m.slots[0].vars[0];
        any(&mut m.actions, rng).map(|a| a.updates = vec![Assign { var, value: TRUE }]).is_some()
    }),
    ("atom", |m, _| ask(m, |m| Formula::Atom(number(m)))),
    ("atom beyond", |m, _| ask(m, |_| Formula::Atom(ExprId(BEYOND as u32)))),
    ("atom before", |m, _| ask(m, |m| Formula::Atom(m.exprs.prev(m.overflow)))),
    ("atom of payload", |m, _| ask(m, |m| Formula::Atom(m.exprs.input(InputIx(0))))),
    ("quantifier", |m, _| ask(m, |_| Formula::quant(true, 0, TypeNo(0), Formula::Atom(TRUE)))),
    ("quantifier in LTL", |m, _| {
        ask(m, |_| {
            let state = PathFormula::State(Formula::Atom(TRUE));
            Formula::Ltl(Box::new(PathFormula::quant(true, 0, TypeNo(0), state)))
        })
    }),
    ("LTL inside", |m, _| ask(m, |_| Formula::Ltl(Box::new(PathFormula::State(Formula::Atom(TRUE)))).not())),
    ("time inside LTL", |m, _| {
        ask(m, |_| {
            let next = Formula::Quantified(Path::A, Temporal::next(Formula::Atom(TRUE)));
            Formula::Ltl(Box::new(PathFormula::State(next)))
        })
    }),
    ("agent of a formula", |m, _| ask(m, |_| Formula::know(Know::K, vec![AgentIx(BEYOND)], Formula::Atom(TRUE)))),
    ("group of a formula", |m, _| {
        ask(m, |_| Formula::Can(vec![AgentIx(0), AgentIx(BEYOND)], Temporal::next(Formula::Atom(TRUE))))
    }),
    ("knowledge of two", |m, _| ask(m, |_| Formula::know(Know::K, vec![AgentIx(0), AgentIx(1)], Formula::Atom(TRUE)))),
    ("common knowledge of nobody", |m, _| ask(m, |_| Formula::know(Know::Common, vec![], Formula::Atom(TRUE)))),
    ("fair run", |m, _| {
        ask(m, |_| Formula::Atom(TRUE));
        let runs = Formula::Ltl(Box::new(PathFormula::State(Formula::Atom(TRUE))));
        m.properties[0].fair.push(runs);
        true
    }),
    ("fair atom", |m, _| {
        ask(m, |_| Formula::Atom(TRUE));
        m.properties[0].fair.push(Formula::Atom(ExprId(BEYOND as u32)));
        true
    }),
    ("question's body", |m, _| {
        let ask = Ask::Some(vec![Steps { body: BodyIx(BEYOND), rule: None }]);
        m.questions.push(Question { name: "q".into(), expect: true, either: false, span: None, ask });
        true
    }),
    ("question's rule", |m, _| {
        let ask = Ask::None(vec![Steps { body: BodyIx(0), rule: Some(BEYOND) }]);
        m.questions.push(Question { name: "q".into(), expect: true, either: false, span: None, ask });
        true
    }),
    ("question's condition", |m, _| {
        let ask = Ask::NoDeadEnd(number(m));
        m.questions.push(Question { name: "q".into(), expect: true, either: false, span: None, ask });
        true
    }),
    ("too deep", |m, _| {
        let mut deep = m.exprs.cur(m.overflow);
        for v in (0..4000).map(|i| VarId(i % 3)) {
            let flag = m.exprs.prev(VarId(v.0 % 2));
            deep = m.exprs.iff(deep, flag);
            deep = m.exprs.not(deep);
        }
        m.bodies[0].applicable = deep;
        true
    }),
];

fn ask(m: &mut Machine, f: impl FnOnce(&mut Machine) -> Formula<ExprId>) -> bool {
    let f = f(m);
    m.properties = vec![property("p", f)];
    true
}

#[test]
fn ill_formed_machines_are_refused() {
    let mut tried = vec![0; WRONG.len()];
    for seed in 0..60 {
        let good = random(seed);
        for (i, (what, spoil)) in WRONG.iter().enumerate() {
            let (mut bad, mut rng) = (Machine::clone(&good), Rng::with_seed(seed));
            if spoil(&mut bad, &mut rng) {
                assert!(validate(bad).is_err(), "seed {seed}: {what} is accepted");
                tried[i] += 1;
            }
        }
    }
    for (n, (what, _)) in tried.iter().zip(WRONG) {
        assert!(*n > 0, "{what} was never tried");
    }
}

/// Expressions and variables swapped at random: what is accepted still runs.
#[test]
fn what_is_accepted_runs() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let mut m = Machine::clone(&random(seed));
        let (exprs, vars) = (m.exprs.len() as u32, m.vars.len() as u32);
        let e = |rng: &mut Rng| ExprId(rng.u32(..exprs));
        let v = |rng: &mut Rng| VarId(rng.u32(..vars));
        for _ in 0..rng.usize(1..3) {
            match rng.u8(..8) {
                0 => any(&mut m.bodies, &mut rng).unwrap().applicable = e(&mut rng),
                1 => any(&mut m.actions, &mut rng).unwrap().allowed = e(&mut rng),
                2 => drop(a_rule(&mut m, &mut rng).map(|r| r.value = e(&mut Rng::with_seed(seed)))),
                3 => drop(a_rule(&mut m, &mut rng).map(|r| r.target = v(&mut Rng::with_seed(seed)))),
                4 => drop(a_rule(&mut m, &mut rng).map(|r| r.antecedent = e(&mut Rng::with_seed(seed)))),
                5 => m.bodies[0].effect.push(Assign { var: v(&mut rng), value: e(&mut rng) }),
                6 => m.agents[0].views.push(View { name: "x".into(), visible: e(&mut rng), seen: vec![v(&mut rng)] }),
                _ => m.idle = Idle::Terminal,
            }
        }
        m.properties = vec![property("p", Formula::Atom(e(&mut rng)))];
        let Ok(valid) = validate(m) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let interp = Interp::new(&valid);
        let mut here = interp.initial();
        for _ in 0..6 {
            let mut all = Vec::new();
            interp.each_step(&here, &mut Work::default(), &mut |seen| all.push(Snapshot::from(seen.after)));
            if !all.is_empty() {
                here = all.swap_remove(rng.usize(..all.len()));
            }
        }
        let system = crate::native::encode::System::new(&valid, &Default::default()).unwrap();
        assert!(!system.init.is_false() && FALSE != TRUE);
    }
    assert!(accepted > 20 && refused > 100, "{accepted} {refused}");
}
