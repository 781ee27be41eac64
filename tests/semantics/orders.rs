//! The serialized order on random applications: which freedom it leaves does not matter, and where it had to choose, steps that
//! depend on the choice are found.

use crate::common::{Taken, load, projected, search};
use gsmc::interp::Interp;
use gsmc::lang::gsm::{Edge, Gsm, Order, Rules, TypeIx, order};
use gsmc::machine::{Body, ExprId, Leaf, Machine, Rule, SlotIx, validate};
use gsmc::testing::{Limits, Project, random_app_with};
use proptest::prelude::*;

/// Snapshots visited per application.
const MOST: usize = 80;
/// Other orders tried per application.
const OTHERS: usize = 5;

fn limits() -> Limits {
    Limits { properties: 1, ..Limits::default() }
}

/// Two ground rules between which an edge of the rule graph lies.
fn joins(edge: &Edge, from: &Rule, to: &Rule) -> bool {
    let other_slot = from.origin.slot != to.origin.slot;
    (edge.from.0, edge.to.0) == (from.origin.key as usize, to.origin.key as usize) && edge.related == other_slot
}

/// Must ground rule `a` run before `b`?
fn precedes(order: &Order, a: &Rule, b: &Rule) -> bool {
    order.edges.iter().any(|e| match (e.dropped, e.from == e.to) {
        (false, _) => joins(e, a, b),
        (true, false) => joins(e, b, a),
        // Rules that read their like in other slots run slot by slot.
        (true, true) => joins(e, a, b) && a.origin.slot < b.origin.slot,
    })
}

/// A random sequence of a body's rules that respects what must come before what.
fn shuffled(body: &Body, order: &Order, random: &mut fastrand::Rng) -> Vec<Rule> {
    let mut left: Vec<&Rule> = body.rules.iter().collect();
    let mut sequence = Vec::new();
    while !left.is_empty() {
        let ready: Vec<usize> = (0..left.len())
            .filter(|&i| !left.iter().enumerate().any(|(j, other)| i != j && precedes(order, other, left[i])))
            .collect();
        assert!(!ready.is_empty(), "what must come before what is cyclic");
        sequence.push(left.remove(ready[random.usize(..ready.len())]).clone());
    }
    sequence
}

/// Per body, the order of its event.
fn orders_of(gsm: &Gsm) -> Vec<Order> {
    let rules = Rules::of(&gsm.app);
    gsm.map.occurrences.iter().map(|o| order(&gsm.app, &rules, *o)).collect()
}

fn every_order_gives_the_same(project: &Project, random: &mut fastrand::Rng) {
    let gsm = load(project, false);
    let (machine, orders) = (&gsm.machine, orders_of(&gsm));
    let interp = Interp::new(machine);
    for _ in 0..OTHERS {
        let mut other = Machine::clone(machine);
        for (body, order) in other.bodies.iter_mut().zip(&orders) {
            body.rules = shuffled(body, order, random);
            body.watches.clear();
        }
        let other = validate(other).expect("still well-formed");
        let other = Interp::new(&other);
        search(&interp, MOST, &mut |snapshot, steps| {
            let after: Vec<&[i64]> = steps.iter().map(|s| s.after.as_slice()).collect();
            let mut others = Vec::new();
            other.each_step(snapshot, &mut Default::default(), &mut |seen| others.push(seen.after.to_vec()));
            assert_eq!(after, others, "another order ends elsewhere\n{project}");
        });
    }
}

#[test]
fn random_topological_orders_give_the_same_step() {
    let mut random = fastrand::Rng::with_seed(1);
    (0..120).for_each(|seed| every_order_gives_the_same(&random_app_with(seed, &limits()), &mut random));
}

/// Rules of the machine run in the order of the model: rule by rule, slots ascending.
#[test]
fn ground_rules_follow_the_order_slot_by_slot() {
    for seed in 0..200 {
        let gsm = load(&random_app_with(seed, &limits()), false);
        for (body, order) in gsm.machine.bodies.iter().zip(orders_of(&gsm)) {
            let place = |r: &Rule| {
                let rule = order.sequence.iter().position(|x| x.0 == r.origin.key as usize);
                (rule.expect("only rules that can fire"), r.origin.slot.expect("a slot"))
            };
            let places: Vec<(usize, SlotIx)> = body.rules.iter().map(place).collect();
            assert!(places.is_sorted(), "seed {seed}, {}", body.event);
        }
    }
}

#[test]
fn status_changes_once_and_the_first_two_invariants_hold() {
    for seed in 0..250 {
        let project = random_app_with(seed, &limits());
        let gsm = load(&project, true);
        let (app, machine) = (&gsm.app, &gsm.machine);
        let types: Vec<TypeIx> = gsm.map.slots.iter().map(|s| s.ty).collect();
        search(&Interp::new(machine), MOST, &mut |snapshot, steps| {
            assert!(projected(&gsm, snapshot).is_sound(app, &types), "I1 or I2 fails\n{project}");
            for step in steps {
                let Some(action) = step.action else { continue };
                let rules = &machine.bodies[machine.actions[action].body].rules;
                let fired = || step.fired.iter().map(|&f| &rules[f]);
                let twice = fired().any(|a| fired().any(|b| a.target == b.target && a.value != b.value));
                assert!(!twice, "a status changes twice\n{project}");
            }
        });
    }
}

/// One run of a body, remembering what every rule saw.
struct Run<'m> {
    machine: &'m Machine,
    body: &'m Body,
    prev: &'m [i64],
    inputs: &'m [i64],
    /// Per rule: the snapshot at its turn, and whether it fired.
    turns: Vec<(Vec<i64>, bool)>,
    end: Vec<i64>,
}

impl<'m> Run<'m> {
    fn new(machine: &'m Machine, body: &'m Body, prev: &'m [i64], inputs: &'m [i64]) -> Run<'m> {
        let mut run = Run { machine, body, prev, inputs, turns: Vec::new(), end: prev.to_vec() };
        for assign in &body.effect {
            run.end[assign.var.0 as usize] = run.value(assign.value, &run.end);
        }
        for rule in &body.rules {
            let seen = run.end.clone();
            let fires = run.demanded(rule, &seen) && run.value(rule.antecedent, &seen) != 0;
            if fires {
                run.end[rule.target.0 as usize] = i64::from(rule.value == gsmc::machine::TRUE);
            }
            run.turns.push((seen, fires));
        }
        run
    }

    fn value(&self, expr: ExprId, cur: &[i64]) -> i64 {
        self.machine.exprs.eval(expr, &|leaf| match leaf {
            Leaf::Prev(v) => self.prev[v.0 as usize],
            Leaf::Cur(v) => cur[v.0 as usize],
            Leaf::Input(i) => self.inputs[i.0],
        })
    }

    fn demanded(&self, rule: &Rule, cur: &[i64]) -> bool {
        self.value(rule.prerequisite, cur) != 0
    }

    /// Would some rule into which edges were dropped decide differently, with a different end?
    fn depends_on_order(&self, order: &Order) -> bool {
        let rules = &self.body.rules;
        (0..rules.len()).any(|r| {
            let dropped = |s: &usize| order.dropped().any(|e| joins(e, &rules[*s], &rules[r]));
            let sources: Vec<usize> = (0..rules.len()).filter(dropped).collect();
            let (seen, fired) = &self.turns[r];
            let mut late = seen.clone();
            for &s in &sources {
                let var = rules[s].target.0 as usize;
                late[var] = self.end[var];
            }
            let would = self.value(rules[r].antecedent, &late) != 0;
            let same = |o: usize| o != r && rules[o].target == rules[r].target && rules[o].value == rules[r].value;
            let another_wrote = (0..rules.len()).any(|o| self.turns[o].1 && same(o));
            let differs = match (fired, would) {
                (false, true) => {
                    self.end[rules[r].target.0 as usize] != i64::from(rules[r].value == gsmc::machine::TRUE)
                }
                (true, false) => !another_wrote,
                _ => false,
            };
            sources.iter().any(|&s| self.turns[s].1) && self.demanded(&rules[r], seen) && differs
        })
    }
}

#[test]
fn order_dependent_steps_are_those_that_brute_force_finds() {
    let (mut cyclic, mut found) = (0, 0);
    // What depends on the order is status, not data.
    let limits = Limits { data: false, agents: 0, ..limits() };
    for seed in 0..600 {
        let project = random_app_with(seed, &limits);
        let gsm = load(&project, false);
        let (machine, orders) = (&gsm.machine, orders_of(&gsm));
        if orders.iter().all(|o| o.cycles.is_empty()) {
            assert!(!machine.cyclic && machine.bodies.iter().all(|b| b.watches.is_empty()), "seed {seed}");
            continue;
        }
        cyclic += 1;
        search(&Interp::new(machine), MOST, &mut |snapshot, steps| {
            for Taken { action, inputs, order, .. } in steps {
                let Some(action) = action else { continue };
                let at = machine.actions[*action].body;
                let body = &machine.bodies[at];
                let depends = Run::new(machine, body, snapshot, inputs).depends_on_order(&orders[at.0]);
                assert_eq!(!order.is_empty(), depends, "seed {seed}, {} in {snapshot:?}\n{project}", body.event);
                found += usize::from(depends);
            }
        });
    }
    assert!(cyclic > 100 && found > 20, "{cyclic} cyclic applications, {found} steps that depend on the order");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shrinkable_orders_give_the_same_step(choices in prop::collection::vec(any::<u16>(), 0..500), seed in any::<u64>()) {
        let project = Project::from_choices(&choices, &limits());
        every_order_gives_the_same(&project, &mut fastrand::Rng::with_seed(seed));
    }
}
