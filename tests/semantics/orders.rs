//! The serialized order on random applications: which freedom it leaves does not matter, and where it had to choose, steps that
//! depend on the choice are found.

use crate::common::{Taken, load, projected, search};
use gsmc::interp::Interp;
use gsmc::lang::gsm::{Edge, Gsm, Order, RuleIx, Rules, TypeIx, order};
use gsmc::machine::{Body, ExprId, Leaf, Machine, Rule, SlotIx, validate};
use gsmc::testing::{Limits, Project, random_app_with};
use proptest::prelude::*;
use std::collections::BTreeSet;

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
            body.components.clear();
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

/// One step of a body, rule by rule.
struct Run<'m> {
    machine: &'m Machine,
    body: &'m Body,
    prev: &'m [i64],
    inputs: &'m [i64],
}

impl Run<'_> {
    fn value(&self, expr: ExprId, cur: &[i64]) -> i64 {
        self.machine.exprs.eval(expr, &|leaf| match leaf {
            Leaf::Prev(v) => self.prev[v.0 as usize],
            Leaf::Cur(v) => cur[v.0 as usize],
            Leaf::Input(i) => self.inputs[i.0],
        })
    }

    fn holds(&self, rule: usize, cur: &[i64]) -> bool {
        let rule = &self.body.rules[rule];
        self.value(rule.prerequisite, cur) != 0 && self.value(rule.antecedent, cur) != 0
    }

    fn write(&self, rule: usize, cur: &mut [i64]) {
        let rule = &self.body.rules[rule];
        cur[rule.target.0 as usize] = i64::from(rule.value == gsmc::machine::TRUE);
    }

    /// Runs rules in a sequence; gives those that fire.
    fn run(&self, sequence: &[usize], cur: &mut [i64]) -> Vec<usize> {
        let mut fired = Vec::new();
        for &rule in sequence {
            if self.holds(rule, cur) {
                self.write(rule, cur);
                fired.push(rule);
            }
        }
        fired
    }

    fn after_effect(&self) -> Vec<i64> {
        let mut cur = self.prev.to_vec();
        for assign in &self.body.effect {
            cur[assign.var.0 as usize] = self.value(assign.value, &cur);
        }
        cur
    }

    /// Does some knot of rules not have exactly one result, or not the one that the order taken leaves?
    /// `None`: too many rules wait for each other to try all permutations.
    fn depends_on_order(&self, order: &Order) -> Option<bool> {
        let all: Vec<usize> = (0..self.body.rules.len()).collect();
        let fired = self.run(&all, &mut self.after_effect());
        let key = |r: &usize| RuleIx(self.body.rules[*r].origin.key as usize);
        for cycle in &order.cycles {
            let members: Vec<usize> = all.iter().copied().filter(|r| cycle.contains(&key(r))).collect();
            let base = self.before(order, &members);
            let demanded = |r: &&usize| self.value(self.body.rules[**r].prerequisite, &base) != 0;
            let members: Vec<usize> = members.iter().filter(demanded).copied().collect();
            if members.len() > 7 {
                return None;
            }
            let results = self.results(order, &members, &base);
            if results.len() != 1 || self.changes(&results) != [self.changes_of(&fired, &members)] {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The pre-snapshot in which everything that a knot depends on has been decided.
    fn before(&self, order: &Order, members: &[usize]) -> Vec<i64> {
        let rules = &self.body.rules;
        let mut needed: BTreeSet<usize> = members.iter().copied().collect();
        loop {
            let reads = |from: &usize| {
                let edges = || order.edges.iter().filter(|e| !e.dropped);
                needed.iter().any(|to| edges().any(|e| joins(e, &rules[*from], &rules[*to])))
            };
            let more: Vec<usize> = (0..rules.len()).filter(|r| !needed.contains(r)).filter(reads).collect();
            if more.is_empty() {
                break;
            }
            needed.extend(more);
        }
        let first: Vec<usize> = needed.into_iter().filter(|r| !members.contains(r)).collect();
        let mut cur = self.after_effect();
        self.run(&first, &mut cur);
        cur
    }

    /// What fires in some permutation that respects the reversed edges and in which every rule decides as it would at the end.
    fn results(&self, order: &Order, members: &[usize], base: &[i64]) -> BTreeSet<Vec<usize>> {
        let rules = &self.body.rules;
        let reversed = |reader: usize, writer: usize| {
            order.edges.iter().any(|e| e.reversed && joins(e, &rules[reader], &rules[writer]))
        };
        let mut results = BTreeSet::new();
        permutations(members, &mut |sequence| {
            let late = |at: usize| sequence[at + 1..].iter().any(|r| reversed(*r, sequence[at]));
            if (0..sequence.len()).any(late) {
                return;
            }
            let mut fired = self.run(sequence, &mut base.to_vec());
            let lasts = sequence.iter().all(|&r| {
                let mut end = base.to_vec();
                fired.iter().filter(|w| !reversed(r, **w)).for_each(|w| self.write(*w, &mut end));
                self.holds(r, &end) == fired.contains(&r)
            });
            if lasts {
                fired.sort_unstable();
                results.insert(fired);
            }
        });
        results
    }

    fn changes(&self, results: &BTreeSet<Vec<usize>>) -> Vec<BTreeSet<(u32, bool)>> {
        results.iter().map(|fired| self.changes_of(fired, fired)).collect()
    }

    fn changes_of(&self, fired: &[usize], members: &[usize]) -> BTreeSet<(u32, bool)> {
        let change = |r: &usize| (self.body.rules[*r].target.0, self.body.rules[*r].value == gsmc::machine::TRUE);
        fired.iter().filter(|r| members.contains(r)).map(change).collect()
    }
}

fn permutations(items: &[usize], visit: &mut dyn FnMut(&[usize])) {
    fn go(done: &mut Vec<usize>, left: &[usize], visit: &mut dyn FnMut(&[usize])) {
        if left.is_empty() {
            return visit(done);
        }
        for (i, item) in left.iter().enumerate() {
            done.push(*item);
            go(done, &[&left[..i], &left[i + 1..]].concat(), visit);
            done.pop();
        }
    }
    go(&mut Vec::new(), items, visit);
}

#[test]
fn order_dependent_steps_are_those_that_brute_force_finds() {
    let (mut cyclic, mut found, mut harmless, mut large) = (0, 0, 0, 0);
    // What depends on the order is status, not data.
    let limits = Limits { data: false, agents: 0, ..limits() };
    for seed in 0..600 {
        let project = random_app_with(seed, &limits);
        let gsm = load(&project, false);
        let (machine, orders) = (&gsm.machine, orders_of(&gsm));
        if orders.iter().all(|o| o.cycles.is_empty()) {
            assert!(!machine.cyclic && machine.bodies.iter().all(|b| b.components.is_empty()), "seed {seed}");
            continue;
        }
        cyclic += 1;
        search(&Interp::new(machine), MOST, &mut |snapshot, steps| {
            for Taken { action, inputs, order, .. } in steps {
                let Some(action) = action else { continue };
                let at = machine.actions[*action].body;
                let body = &machine.bodies[at];
                match (Run { machine, body, prev: snapshot, inputs }).depends_on_order(&orders[at.0]) {
                    Some(depends) => {
                        assert_eq!(
                            !order.is_empty(),
                            depends,
                            "seed {seed}, {} in {snapshot:?}\n{project}",
                            body.event
                        );
                        found += usize::from(depends);
                        harmless += usize::from(!depends && !body.components.is_empty());
                    }
                    None => large += 1,
                }
            }
        });
    }
    let counts =
        format!("{cyclic} cyclic applications, {found} dependent and {harmless} harmless steps, {large} too large");
    assert!(cyclic > 100 && found > 20 && harmless > 20 && large < found + harmless, "{counts}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shrinkable_orders_give_the_same_step(choices in prop::collection::vec(any::<u16>(), 0..500), seed in any::<u64>()) {
        let project = Project::from_choices(&choices, &limits());
        every_order_gives_the_same(&project, &mut fastrand::Rng::with_seed(seed));
    }
}
