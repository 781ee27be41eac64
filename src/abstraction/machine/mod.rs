//! A machine over predicates: what may happen, said so that every engine for machines can read it.
//!
//! Abstracted variables are gone, and predicates are Boolean variables in their place. A body gets a Boolean input for every atom that the
//! predicates before the step do not decide, and happens only with inputs that some concrete snapshot has ([`Table`]). So its
//! snapshots are the abstract ones, and its steps what may happen. The tables also tell which inputs *every* concrete snapshot has: that
//! is what must happen.

mod step;
mod table;
mod views;
mod worth;

pub use step::Unfit;
pub use table::{Row, Table};

use super::env::Snapshot;
use super::linear::Atom;
use super::{Asker, Predicate, Predicates, Stopped, System};
use crate::logic::{Formula, Property, Rewrite};
use crate::machine::walk;
use crate::machine::{
    Action, AgentIx, Body, BodyIx, Domain, ExprId, Exprs, FALSE, Input, Leaf, Machine, MachineAgent, Ranges, Slot,
    SlotIx, Valid, Var, VarId, validate,
};
use std::collections::{BTreeMap, BTreeSet};
use step::Turn;

/// A machine over predicates, and what its parts stand for.
pub struct Abstract {
    /// The machine. Its properties are those asked for, in that order; its agents see what they surely see.
    pub machine: Valid,
    /// Per variable of the system, the one that has its value; none for abstracted ones.
    pub finite: Vec<Option<VarId>>,
    /// State variables of the system.
    states: usize,
    /// Per predicate, its variable.
    pub truths: Vec<VarId>,
    /// Per body, which inputs go together.
    pub tables: Vec<Vec<Table>>,
    /// The agents with everything that what they see hangs together with: who sees the same with these eyes sees the same indeed.
    pub keen: Vec<MachineAgent>,
    /// Per agent, whether it can see abstracted data.
    pub seeing: Vec<bool>,
    /// The solver knew everything it was asked.
    pub sure: bool,
    /// A variable that nothing here reads or writes, where one was asked for.
    pub sink: Option<VarId>,
}

/// Why there is no such machine.
#[derive(Debug)]
pub enum Failed {
    /// Something cannot be said over predicates.
    Unfit(Unfit),
    /// Somebody stopped us.
    Stopped(Stopped),
}

impl From<Unfit> for Failed {
    fn from(why: Unfit) -> Failed {
        Failed::Unfit(why)
    }
}

impl From<Stopped> for Failed {
    fn from(why: Stopped) -> Failed {
        Failed::Stopped(why)
    }
}

/// The new machine while it is made.
pub(super) struct Frame<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    exprs: Exprs,
    vars: Vec<Option<VarId>>,
    truths: Vec<VarId>,
    sink: Option<VarId>,
    /// Predicates by what they say, with whether they are about abstracted data alone.
    known: BTreeMap<Atom, (VarId, bool)>,
    /// Variables for conditions within a step begin here.
    first_case: u32,
    cases: Vec<Var>,
}

impl<'a> Frame<'a> {
    fn new(system: &'a System<'a>, predicates: &'a Predicates, sink: bool) -> Frame<'a> {
        let m = system.machine;
        let (mut vars, mut next) = (Vec::new(), 0);
        let mut number = || {
            next += 1;
            VarId(next - 1)
        };
        let states = m.state_vars().len();
        let finite = |v: &VarId| system.wide(*v).is_none();
        vars.extend(m.var_ids().take(states).map(|v| finite(&v).then(&mut number)));
        let truths: Vec<VarId> = predicates.list.iter().map(|_| number()).collect();
        let sink = sink.then(&mut number);
        vars.extend(m.var_ids().skip(states).map(|v| finite(&v).then(&mut number)));
        let of = |(p, var): (&Predicate, &VarId)| (p.atom.clone(), (*var, !p.vars.iter().any(finite)));
        let known = predicates.list.iter().zip(&truths).map(of).collect();
        let (exprs, cases) = (Exprs::default(), Vec::new());
        Frame { system, predicates, exprs, vars, truths, sink, known, first_case: next, cases }
    }

    /// The new variable that has the value of an old one.
    fn var(&self, old: VarId) -> Result<VarId, Unfit> {
        self.vars.get(old.0 as usize).copied().flatten().ok_or(Unfit("an abstracted variable among finite ones"))
    }

    /// The predicate that an atom is; one about something finite only if that is `settled`.
    fn predicate(&self, atom: &Atom, settled: bool) -> Option<VarId> {
        self.known.get(atom).filter(|(_, alone)| *alone || settled).map(|(var, _)| *var)
    }

    fn body(&mut self, at: BodyIx, asker: &mut Asker) -> Result<(Body, Vec<Action>, Vec<Table>, bool), Failed> {
        let m = self.system.machine;
        let Some(old) = m.bodies.get(at.0) else { return Err(Unfit("an action without a body").into()) };
        let mut turn = Turn::new(self, at);
        walk::body(old, &mut turn)?;
        let mut actions = Vec::new();
        for action in m.actions.iter().filter(|a| a.body == at) {
            let allowed = turn.truth(action.allowed)?;
            let updates = action.updates.iter().map(|u| turn.update(u)).collect::<Result<_, _>>()?;
            actions.push(Action { agent: action.agent, body: at, allowed, updates });
        }
        turn.predicates()?;
        let (mut made, atoms, first) = (turn.made.clone(), std::mem::take(&mut turn.atoms), turn.position(0));
        for k in 0..atoms.len() {
            let name = format!("outcome {}", k + 1);
            made.inputs.push(Input { name, domain: Domain::Bool, values: Ranges::range(0, 1) });
        }
        let (tables, sure) = self.tables(at, &atoms, first, asker)?;
        let mut all: Vec<ExprId> = tables.iter().map(|t| t.possible).collect();
        all.push(made.applicable);
        made.applicable = self.exprs.and(all);
        Ok((made, actions, tables, sure))
    }

    /// A condition on one snapshot.
    fn condition(&mut self, e: ExprId) -> Result<ExprId, Unfit> {
        // A body of its own, before anything has happened; what it reads "before the step" is then said of now.
        let mut turn = Turn::new(self, step::SNAPSHOT);
        let truth = turn.truth(e)?;
        if !turn.atoms.is_empty() {
            return Err(Unfit("a condition that the predicates do not decide"));
        }
        Ok(self.now(truth))
    }

    /// The same with everything read now instead of before the step.
    fn now(&mut self, e: ExprId) -> ExprId {
        self.exprs.map_leaves(e, &mut |exprs, leaf| match leaf {
            Leaf::Prev(v) | Leaf::Cur(v) => exprs.cur(v),
            Leaf::Input(_) => exprs.leaf(leaf),
        })
    }

    /// The variables of the new machine; predicates of one slot belong to it where all slots of its family have them.
    fn variables(&self) -> (Vec<Var>, Vec<Slot>) {
        let m = self.system.machine;
        let mut slots: Vec<Slot> = m.slots.clone();
        let local = self.local();
        for (s, slot) in slots.iter_mut().enumerate() {
            slot.exists = slot.exists.and_then(|v| self.var(v).ok());
            slot.vars = slot.vars.iter().filter_map(|v| self.var(*v).ok()).collect();
            let own = local.get(&s).into_iter().flatten();
            slot.vars.extend(own.filter_map(|p| self.truths.get(*p)));
        }
        let kept = |scratch: bool| {
            let all = m.vars.iter().zip(&self.vars).filter(move |(v, _)| v.scratch == scratch);
            all.filter(|(_, new)| new.is_some()).map(|(v, _)| v.clone())
        };
        let mut vars: Vec<Var> = kept(false).collect();
        let start = super::concrete::initial(self.system, self.predicates);
        for (p, predicate) in self.predicates.list.iter().enumerate() {
            let init = i64::from(start.truths.get(p) == Some(&true));
            let slot = local.iter().find(|(_, own)| own.contains(&p)).map(|(s, _)| SlotIx(*s));
            // Predicates with numbers that depend on conditions can look alike.
            let (said, taken) =
                (super::name(self.system, predicate), |name: &String| vars.iter().any(|v| v.name == *name));
            let mut names = std::iter::once(said.clone()).chain((2..).map(|n| format!("{said} ({n})")));
            let name = names.find(|name| !taken(name)).unwrap_or(said);
            vars.push(Var { name, domain: Domain::Bool, init, scratch: false, slot });
        }
        let domain = Domain::Bool;
        vars.extend(self.sink.map(|_| Var { name: "sink".into(), domain, init: 0, scratch: false, slot: None }));
        vars.extend(kept(true));
        vars.extend(self.cases.iter().cloned());
        (vars, slots)
    }

    /// Per slot the predicates about it alone, in the same order for slots that are alike.
    fn local(&self) -> BTreeMap<usize, Vec<usize>> {
        let m = self.system.machine;
        let mut by_slot: BTreeMap<usize, BTreeMap<Atom, usize>> = BTreeMap::new();
        for (s, slot) in m.slots.iter().enumerate() {
            let own = by_slot.entry(s).or_default();
            for (p, predicate) in self.predicates.list.iter().enumerate() {
                if predicate.vars.iter().all(|v| slot.vars.contains(v)) {
                    let place = |v: &VarId| slot.vars.iter().position(|x| x == v).map(|i| VarId(i as u32));
                    own.insert(predicate.atom.renamed(&|v| place(&v).unwrap_or(v)), p);
                }
            }
        }
        let mut shared: BTreeMap<usize, BTreeSet<Atom>> = BTreeMap::new();
        for (s, slot) in m.slots.iter().enumerate() {
            let mine: BTreeSet<Atom> = by_slot.get(&s).into_iter().flatten().map(|(a, _)| a.clone()).collect();
            let all = shared.entry(slot.family).or_insert_with(|| mine.clone());
            all.retain(|a| mine.contains(a));
        }
        for (s, own) in &mut by_slot {
            let all = m.slots.get(*s).and_then(|slot| shared.get(&slot.family));
            own.retain(|a, _| all.is_some_and(|all| all.contains(a)));
        }
        by_slot.into_iter().map(|(s, own)| (s, own.into_values().collect())).collect()
    }
}

/// A body that cannot happen.
fn never(old: &Body) -> Body {
    let (event, target) = (old.event.clone(), old.target);
    let (inputs, effect, rules, finish, components) = (vec![], vec![], vec![], vec![], vec![]);
    Body { event, target, inputs, effect, applicable: FALSE, rules, finish, components }
}

/// Properties over the new machine.
struct Translated<'f, 'a> {
    frame: &'f mut Frame<'a>,
    failed: Option<Unfit>,
}

impl Rewrite<ExprId, ExprId> for Translated<'_, '_> {
    fn atom(&mut self, atom: &ExprId) -> Formula<ExprId> {
        Formula::Atom(self.frame.condition(*atom).unwrap_or_else(|why| {
            self.failed = Some(why);
            FALSE
        }))
    }
}

impl Abstract {
    /// The machine over these predicates, with these properties.
    ///
    /// # Errors
    /// When it cannot be said, or the solver fails.
    pub fn new(
        system: &System,
        predicates: &Predicates,
        properties: &[usize],
        asker: &mut Asker,
    ) -> Result<Abstract, Failed> {
        Abstract::make(Frame::new(system, predicates, false), properties, &|_| true, asker)
    }

    /// The same where only some bodies can happen: cheaper, and good for a look around, not for a verdict.
    ///
    /// # Errors
    /// As before.
    pub fn part(
        system: &System,
        predicates: &Predicates,
        properties: &[usize],
        wanted: &dyn Fn(&Body) -> bool,
        asker: &mut Asker,
    ) -> Result<Abstract, Failed> {
        Abstract::make(Frame::new(system, predicates, false), properties, wanted, asker)
    }

    /// The same with a variable to spare.
    ///
    /// # Errors
    /// As before.
    pub fn with_sink(
        system: &System,
        predicates: &Predicates,
        properties: &[usize],
        asker: &mut Asker,
    ) -> Result<Abstract, Failed> {
        Abstract::make(Frame::new(system, predicates, true), properties, &|_| true, asker)
    }

    fn make(
        mut frame: Frame,
        properties: &[usize],
        wanted: &dyn Fn(&Body) -> bool,
        asker: &mut Asker,
    ) -> Result<Abstract, Failed> {
        let system = frame.system;
        let m = system.machine;
        let (mut bodies, mut actions, mut tables, mut sure) = (Vec::new(), Vec::new(), Vec::new(), true);
        for (at, old) in BodyIx::each(&m.bodies) {
            if !wanted(old) {
                bodies.push(never(old));
                tables.push(Vec::new());
                continue;
            }
            let (body, own, table, certain) = frame.body(at, asker)?;
            bodies.push(body);
            actions.extend(own);
            tables.push(table);
            sure &= certain;
        }
        let (agents, keen) = frame.agents()?;
        let mut chosen = Vec::new();
        for p in properties.iter().filter_map(|p| m.properties.get(*p)) {
            let mut translated = Translated { frame: &mut frame, failed: None };
            let formula = translated.formula(&p.formula);
            if let Some(why) = translated.failed {
                return Err(why.into());
            }
            chosen.push(Property { formula, fair: Vec::new(), doubts: Vec::new(), ..p.clone() });
        }
        let (vars, slots) = frame.variables();
        let overflow = frame.var(m.overflow)?;
        let Frame { exprs, vars: finite, truths, sink, .. } = frame;
        let machine = Machine {
            name: m.name.clone(),
            vars,
            exprs,
            slots,
            agents,
            bodies,
            actions,
            idle: m.idle,
            overflow,
            properties: chosen,
            questions: Vec::new(),
            bounds: m.bounds.clone(),
            left_out: m.left_out.clone(),
            cyclic: false,
        };
        let machine = validate(machine).map_err(|fault| {
            Failed::Stopped(Stopped::TooLarge(format!("the machine over predicates cannot be used: {fault}")))
        })?;
        let seeing = (0..m.agents.len()).map(|a| !super::know::seen(system, &[AgentIx(a)]).is_empty()).collect();
        Ok(Abstract { machine, finite, states: m.state_vars().len(), truths, tables, keen, seeing, sure, sink })
    }

    /// A snapshot of the machine as an abstract snapshot.
    pub fn snapshot(&self, codes: &[i64]) -> Snapshot {
        let at = |v: &VarId| codes.get(v.0 as usize).copied().unwrap_or_default();
        Snapshot {
            codes: self.finite.iter().take(self.states).map(|v| v.as_ref().map_or(0, at)).collect(),
            truths: self.truths.iter().map(|v| at(v) != 0).collect(),
        }
    }

    /// An abstract snapshot as one of the machine.
    pub fn codes(&self, snapshot: &Snapshot) -> Vec<i64> {
        let mut codes = self.machine.initial().to_vec();
        let finite = self.finite.iter().zip(&snapshot.codes).filter_map(|(v, c)| Some(((*v)?, *c)));
        let truths = self.truths.iter().zip(&snapshot.truths).map(|(v, t)| (*v, i64::from(*t)));
        for (v, code) in finite.chain(truths) {
            if let Some(place) = codes.get_mut(v.0 as usize) {
                *place = code;
            }
        }
        codes
    }
}
