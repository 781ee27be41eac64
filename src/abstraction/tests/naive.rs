//! The definitions, executed literally: every concrete snapshot of small ranges, one by one. Shares nothing with the engine but the
//! machine and the list of predicates.

mod know;

use super::draw::{Data, Drawn, Grid, kind_of};
use crate::abstraction::linear::{Atom, Leaf, Linear};
use crate::abstraction::{Pin, Predicates};
use crate::logic::{Bool, Fixpoint, Formula, Know, Path, Temporal};
use crate::machine::{Action, AgentIx, Assign, BodyIx, ExprId, Idle, Machine, VarId};
use num_traits::ToPrimitive;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub type Concrete = Vec<i64>;
pub type Abstract = (Vec<i64>, Vec<bool>);
pub type Three = BTreeMap<Abstract, Option<bool>>;

pub struct Naive<'m> {
    m: &'m Machine,
    wide: BTreeSet<VarId>,
    atoms: Vec<Atom>,
    pins: Vec<Pin>,
    gamma: BTreeMap<Abstract, Vec<Concrete>>,
    steps: Steps,
    /// The same with numbers with fractions closer together, for those who see them.
    closer: OnceCell<(BTreeMap<Abstract, Vec<Concrete>>, Steps)>,
    pub may: BTreeSet<Abstract>,
    /// The abstracted variables that have fractions, and where they are looked at.
    fractions: BTreeSet<VarId>,
    grid: Grid,
    /// Snapshots are told apart by their regions instead of by predicates.
    regions: bool,
    bound: RefCell<Vec<(String, Three)>>,
    /// What [`Naive::families`] found.
    known: RefCell<BTreeMap<Abstract, Families>>,
}

/// Per concrete snapshot and action (agent, body): where it leads.
type Steps = BTreeMap<Concrete, BTreeMap<(AgentIx, BodyIx), BTreeSet<Concrete>>>;

/// Per action, per concrete snapshot: the abstract outcomes.
type Families = Rc<Vec<Vec<BTreeSet<Abstract>>>>;

impl<'m> Naive<'m> {
    pub fn new(drawn: &'m Drawn, wide: &[VarId], predicates: &Predicates, pins: &[Pin]) -> Naive<'m> {
        Naive::told_apart(drawn, wide, predicates, pins, false)
    }

    /// The concrete system of numbers with fractions: all snapshots of a region do the same.
    pub fn concrete(drawn: &'m Drawn, wide: &[VarId], pins: &[Pin]) -> Naive<'m> {
        Naive::told_apart(drawn, wide, &Predicates::default(), pins, true)
    }

    fn told_apart(drawn: &'m Drawn, wide: &[VarId], predicates: &Predicates, pins: &[Pin], regions: bool) -> Naive<'m> {
        let mut n = Naive {
            grid: drawn.grid,
            fractions: drawn.fractions().into_iter().collect(),
            regions,
            m: &drawn.machine,
            wide: wide.iter().copied().collect(),
            atoms: predicates.list.iter().map(|p| p.atom.clone()).collect(),
            pins: pins.to_vec(),
            gamma: BTreeMap::new(),
            steps: BTreeMap::new(),
            closer: OnceCell::new(),
            may: BTreeSet::new(),
            bound: RefCell::default(),
            known: RefCell::default(),
        };
        (n.gamma, n.steps) = n.looked(n.grid.snapshot, n.grid.payload);
        let mut todo = vec![n.initial()];
        while let Some(s) = todo.pop() {
            if n.may.insert(s.clone()) {
                todo.extend(n.may_after(&s));
            }
        }
        n
    }

    /// All snapshots and steps, with fractions this far apart in snapshots and in payload.
    fn looked(&self, apart: i64, sent: i64) -> (BTreeMap<Abstract, Vec<Concrete>>, Steps) {
        let (mut gamma, mut steps): (BTreeMap<Abstract, Vec<Concrete>>, Steps) = Default::default();
        for s in self.snapshots(apart) {
            gamma.entry(self.alpha(&s)).or_default().push(s.clone());
            let all = self.actions().map(|a| (a, self.outcomes(&s, a, sent))).collect();
            steps.insert(s, all);
        }
        (gamma, steps)
    }

    pub fn initial(&self) -> Abstract {
        self.alpha(&self.m.initial().to_vec())
    }

    fn snapshots(&self, apart: i64) -> Vec<Concrete> {
        let mut all: Vec<Concrete> = vec![vec![]];
        for (id, var) in self.m.state_ids().zip(self.m.state_vars()) {
            let (lo, hi) = var.domain.bounds();
            let apart = if self.fractions.contains(&id) { apart as usize } else { 1 };
            let values = move || (lo..=hi).step_by(apart);
            all = all.into_iter().flat_map(|s| values().map(move |c| [s.clone(), vec![c]].concat())).collect();
        }
        let initial = self.m.initial();
        let pinned = |s: &Concrete, p: &Pin| s[p.when.0 as usize] != p.code || s[p.var.0 as usize] == initial[p.var];
        all.retain(|s| self.pins.iter().all(|p| pinned(s, p)));
        all
    }

    fn alpha(&self, s: &Concrete) -> Abstract {
        if self.regions {
            return (self.region(s), vec![]);
        }
        let finite = (0..s.len()).map(|i| if self.wide.contains(&VarId(i as u32)) { 0 } else { s[i] });
        (finite.collect(), self.atoms.iter().map(|a| self.holds(a, s)).collect())
    }

    /// The snapshot on the grid with the same whole parts, and fractions ordered alike.
    fn region(&self, s: &Concrete) -> Concrete {
        let Grid { parts, snapshot: apart, .. } = self.grid;
        let fraction = |v: &VarId| s[v.0 as usize].rem_euclid(parts);
        let order: BTreeSet<i64> = self.fractions.iter().map(fraction).filter(|f| *f > 0).collect();
        let mut on_grid = s.clone();
        for v in &self.fractions {
            let rank = order.iter().take_while(|f| **f <= fraction(v)).count() as i64;
            let rank = if fraction(v) == 0 { 0 } else { rank };
            on_grid[v.0 as usize] = s[v.0 as usize] - fraction(v) + rank * apart;
        }
        on_grid
    }

    fn holds(&self, a: &Atom, s: &Concrete) -> bool {
        let (sum, bound) = (self.number(&a.sum, s), a.bound.to_integer().to_i64().unwrap());
        assert!(a.bound.is_integer());
        if a.less { sum < bound } else { sum == bound }
    }

    fn number(&self, l: &Linear, s: &Concrete) -> i64 {
        let whole = |r: &crate::smt::Ratio| r.to_integer().to_i64().unwrap();
        let leaf = |leaf: &Leaf| match leaf {
            Leaf::Var(v, _) => s[v.0 as usize],
            Leaf::Quotient(a, b) => match self.number(b, s) {
                0 => 0,
                by => self.number(a, s) / by,
            },
            Leaf::Product(a, b) => self.number(a, s) * self.number(b, s),
            Leaf::Over(..) => unreachable!("not drawn"),
            Leaf::Choice(e, _) => self.eval(*e, s, s, &[]),
            Leaf::Input(..) => unreachable!("a predicate speaks of snapshots"),
        };
        l.terms.iter().map(|(l, c)| whole(c) * leaf(l)).sum::<i64>() + whole(&l.constant)
    }

    fn eval(&self, e: ExprId, prev: &[i64], cur: &[i64], inputs: &[i64]) -> i64 {
        self.m.exprs.eval(e, &|leaf| match leaf {
            crate::machine::Leaf::Prev(v) => prev[v.0 as usize],
            crate::machine::Leaf::Cur(v) => cur[v.0 as usize],
            crate::machine::Leaf::Input(i) => inputs[i.0],
        })
    }

    fn actions(&self) -> impl Iterator<Item = (AgentIx, BodyIx)> + use<> {
        let all: BTreeSet<(AgentIx, BodyIx)> = self.m.actions.iter().map(|a| (a.agent, a.body)).collect();
        all.into_iter()
    }

    fn outcomes(&self, s: &Concrete, action: (AgentIx, BodyIx), sent: i64) -> BTreeSet<Concrete> {
        let mut found = BTreeSet::new();
        for a in self.m.actions.iter().filter(|a| (a.agent, a.body) == action) {
            let mut payloads: Vec<Vec<i64>> = vec![vec![]];
            for input in &self.m.bodies[a.body].inputs {
                let apart = if kind_of(&input.name) == Data::Fractions { sent as usize } else { 1 };
                let values = || input.values.iter().step_by(apart);
                payloads = payloads.iter().flat_map(|p| values().map(|v| [p.as_slice(), &[v]].concat())).collect();
            }
            found.extend(payloads.iter().filter_map(|p| self.step(s, a, p)));
        }
        found
    }

    fn step(&self, s: &Concrete, a: &Action, inputs: &[i64]) -> Option<Concrete> {
        let body = &self.m.bodies[a.body];
        let mut cur: Vec<i64> = s.iter().copied().chain(self.m.scratch_vars().iter().map(|v| v.init)).collect();
        let fit = |var: VarId, value: i64| {
            let (lo, hi) = self.m.vars[var.0 as usize].domain.bounds();
            value.clamp(lo, hi)
        };
        let assign = |cur: &mut Vec<i64>, list: &[Assign]| {
            for x in list {
                cur[x.var.0 as usize] = fit(x.var, self.eval(x.value, s, cur, inputs));
            }
        };
        if self.eval(a.allowed, s, &cur, inputs) == 0 {
            return None;
        }
        assign(&mut cur, &body.effect);
        if self.eval(body.applicable, s, &cur, inputs) == 0 {
            return None;
        }
        for r in &body.rules {
            if self.eval(r.prerequisite, s, &cur, inputs) != 0 && self.eval(r.antecedent, s, &cur, inputs) != 0 {
                cur[r.target.0 as usize] = fit(r.target, self.eval(r.value, s, &cur, inputs));
            }
        }
        assign(&mut cur, &body.finish);
        let before = cur.clone();
        for u in &a.updates {
            cur[u.var.0 as usize] = fit(u.var, self.eval(u.value, s, &before, inputs));
        }
        cur.truncate(s.len());
        Some(cur)
    }

    /// The interpreter over exact numbers makes the same steps.
    pub fn compare_exact(&self) {
        let exact = |s: &Concrete| s.iter().map(|c| crate::smt::Ratio::from_integer((*c).into())).collect::<Vec<_>>();
        for s in self.steps.keys().step_by(7) {
            for (a, action) in self.m.actions.iter().enumerate() {
                let inputs = &self.m.bodies[action.body].inputs;
                for pick in [0, usize::MAX] {
                    let payload: Vec<i64> = inputs
                        .iter()
                        .filter_map(|i| i.values.ends())
                        .map(|e| if pick == 0 { e.0 } else { e.1 })
                        .collect();
                    let ours = crate::abstraction::exact::step(self.m, &exact(s), a, &exact(&payload));
                    assert_eq!(ours.map(|o| o.after), self.step(s, action, &payload).as_ref().map(exact));
                }
            }
        }
    }

    fn stuck(&self, s: &Concrete) -> bool {
        self.steps[s].values().all(BTreeSet::is_empty)
    }

    fn idles(&self, a: &Abstract) -> (bool, bool) {
        let stuck: Vec<bool> = self.gamma[a].iter().map(|s| self.stuck(s)).collect();
        match self.m.idle {
            Idle::Always => (true, true),
            Idle::Never => (false, false),
            Idle::Terminal => (stuck.contains(&true), !stuck.contains(&false)),
        }
    }

    pub fn may_after(&self, a: &Abstract) -> BTreeSet<Abstract> {
        let all = self.families(a);
        all.iter().flatten().flatten().cloned().chain(self.idles(a).0.then(|| a.clone())).collect()
    }

    fn families(&self, a: &Abstract) -> Families {
        if let Some(known) = self.known.borrow().get(a) {
            return known.clone();
        }
        let outcomes = |s: &Concrete, x| self.steps[s][&x].iter().map(|t| self.alpha(t)).collect();
        let all: Families =
            Rc::new(self.actions().map(|x| self.gamma[a].iter().map(|s| outcomes(s, x)).collect()).collect());
        self.known.borrow_mut().insert(a.clone(), all.clone());
        all
    }

    pub fn must_after(&self, a: &Abstract) -> BTreeSet<Abstract> {
        let mut found: BTreeSet<Abstract> = self.idles(a).1.then(|| a.clone()).into_iter().collect();
        for family in self.families(a).iter() {
            let candidates = family.iter().flatten();
            found.extend(candidates.filter(|t| family.iter().all(|o| o.contains(t))).cloned());
        }
        found
    }

    /// Reachable by must-steps for the abstracted data in a view.
    pub fn reached(&self, view: &BTreeSet<VarId>) -> BTreeSet<Abstract> {
        let (mut found, mut todo) = (BTreeSet::new(), vec![self.initial()]);
        while let Some(a) = todo.pop() {
            if found.insert(a.clone()) {
                for t in self.may_after(&a) {
                    if self.actions().any(|x| self.must_with(&a, x, &t, view)) {
                        todo.push(t);
                    }
                }
            }
        }
        found
    }

    fn must_with(&self, a: &Abstract, action: (AgentIx, BodyIx), b: &Abstract, view: &BTreeSet<VarId>) -> bool {
        let look = |s: &Concrete| view.iter().map(|v| s[v.0 as usize]).collect::<Vec<i64>>();
        let (gamma, steps) = match view.is_disjoint(&self.fractions) {
            true => (&self.gamma, &self.steps),
            false => {
                let (gamma, steps) = self.closer.get_or_init(|| self.looked(self.grid.beside, 1));
                (gamma, steps)
            }
        };
        let occurring: BTreeSet<Vec<i64>> = gamma[a].iter().map(look).collect();
        self.gamma[b].iter().all(|t| {
            occurring.iter().any(|v| {
                let mut alike = gamma[a].iter().filter(|s| look(s) == *v);
                alike.all(|s| steps[s][&action].iter().any(|u| self.alpha(u) == *b && look(u) == look(t)))
            })
        })
    }

    fn next(&self, all: bool, f: &Three) -> Three {
        let dual = |v: Option<bool>| if all { v.map(|b| !b) } else { v };
        let is = |t: &Abstract, b: bool| dual(f[t]) == Some(b);
        let value = |a: &Abstract| {
            let may = self.may_after(a);
            let (_, must_idle) = self.idles(a);
            let meets = |family: &Vec<BTreeSet<Abstract>>| family.iter().all(|o| o.iter().any(|t| is(t, true)));
            let total = self.m.idle != Idle::Never && may.iter().all(|t| is(t, true));
            if self.families(a).iter().any(meets) || (must_idle && is(a, true)) || total {
                Some(true)
            } else if may.iter().all(|t| is(t, false)) {
                Some(false)
            } else {
                None
            }
        };
        self.each(|a| dual(value(a)))
    }

    fn each(&self, f: impl Fn(&Abstract) -> Option<bool>) -> Three {
        self.may.iter().map(|a| (a.clone(), f(a))).collect()
    }

    /// Three-valued truth in every snapshot of R_may.
    pub fn truth(&self, f: &Formula<ExprId>) -> Three {
        let fix = |start: bool, step: &dyn Fn(&Three) -> Three| {
            let mut now = self.each(|_| Some(start));
            loop {
                let next = step(&now);
                if next == now {
                    return now;
                }
                now = next;
            }
        };
        match f {
            Formula::Atom(e) => self.each(|a| {
                let values: BTreeSet<bool> = self.gamma[a].iter().map(|s| self.eval(*e, s, s, &[]) != 0).collect();
                (values.len() == 1).then(|| values.contains(&true))
            }),
            Formula::Bool(Bool::Not(a)) => {
                let a = self.truth(a);
                self.each(|s| a[s].map(|b| !b))
            }
            Formula::Bool(Bool::And(xs)) => {
                xs.iter().fold(self.each(|_| Some(true)), |all, x| self.and(&all, &self.truth(x)))
            }
            Formula::Bool(Bool::Or(xs)) => {
                xs.iter().fold(self.each(|_| Some(false)), |all, x| self.or(&all, &self.truth(x)))
            }
            Formula::Bool(Bool::Iff(a, b)) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.each(|s| Some(a[s]? == b[s]?))
            }
            Formula::Quantified(p, t) => {
                let next = |z: &Three| self.next(*p == Path::A, z);
                match t {
                    Temporal::Next(a) => next(&self.truth(a)),
                    Temporal::Finally(a) => {
                        let a = self.truth(a);
                        fix(false, &|z| self.or(&a, &next(z)))
                    }
                    Temporal::Globally(a) => {
                        let a = self.truth(a);
                        fix(true, &|z| self.and(&a, &next(z)))
                    }
                    Temporal::Until(a, b) => {
                        let (a, b) = (self.truth(a), self.truth(b));
                        fix(false, &|z| self.or(&b, &self.and(&a, &next(z))))
                    }
                }
            }
            Formula::Fix(kind, name, body) => fix(*kind == Fixpoint::Greatest, &|z| {
                self.bound.borrow_mut().push((name.clone(), z.clone()));
                let next = self.truth(body);
                self.bound.borrow_mut().pop();
                next
            }),
            Formula::Var(name) => {
                let bound = self.bound.borrow();
                bound.iter().rev().find(|(n, _)| n == name).map(|(_, z)| z.clone()).unwrap()
            }
            Formula::Know(Know::Distributed, group, a) => self.knows(group, &self.truth(a)),
            Formula::Know(Know::Common, group, a) => {
                let a = self.truth(a);
                fix(true, &|z| self.everybody(group, &self.and(&a, z)))
            }
            Formula::Know(_, group, a) => self.everybody(group, &self.truth(a)),
            _ => unreachable!("not drawn"),
        }
    }

    fn and(&self, a: &Three, b: &Three) -> Three {
        self.each(|s| match (a[s], b[s]) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        })
    }

    fn or(&self, a: &Three, b: &Three) -> Three {
        self.each(|s| match (a[s], b[s]) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        })
    }
}
