//! Evidence: a run that shows why a property holds or fails, as far as one run can show it.
//!
//! A formula is followed along the run: `EF`, `EX`, `EU` that hold and `AG`, `AX`, `AU` that fail extend it, `EG` that holds
//! and `AF` that fails close it to a lasso, knowledge that fails adds a run to a snapshot that looks the same. What no single
//! run can show (an `AG` that holds, say) is listed as what the evidence rests on.

use super::bdd::Bdd;
use super::check::{Answer, Checker, Fairness, Fml};
use super::closure::Direction;
use super::encode::Choice;
use super::graph::Graph;
use super::path::GraphNode;
use super::reach::Way;
use crate::answer::{self, RawRun, RawStep, SideRun};
use crate::logic::{Bool, Formula, Know, Path, Temporal};
use crate::machine::{AgentIx, MANY_PAYLOADS, Machine, Snapshot};
use std::collections::BTreeMap;

/// A run from the initial snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Its snapshots, the initial one first.
    pub snapshots: Vec<Snapshot>,
    /// A lasso: the last snapshot is this one again.
    pub loop_start: Option<usize>,
    /// Runs to snapshots that look the same as one of this run.
    pub sides: Vec<SideTrail>,
    /// How the steps to these positions are made, where the snapshots alone do not show it.
    pub made: BTreeMap<usize, Choice>,
}

impl Trail {
    /// The run as the replay wants it.
    pub fn raw(&self) -> RawRun {
        let side = |s: &SideTrail| SideRun { at: s.at, agents: s.agents.clone(), run: s.trail.raw() };
        let mut steps: Vec<RawStep> = self.snapshots.iter().skip(1).map(|s| RawStep::to(s)).collect();
        for (at, Choice { action, inputs }) in &self.made {
            if let Some(step) = at.checked_sub(1).and_then(|i| steps.get_mut(i)) {
                step.choice = Some(answer::Choice::Act { action: *action, inputs: inputs.clone() });
            }
        }
        RawRun { steps, loop_start: self.loop_start, sides: self.sides.iter().map(side).collect() }
    }

    /// The run never sets the overflow flag, so it exists whatever the bounds are.
    pub fn never_overflows(&self, machine: &Machine) -> bool {
        let flag = machine.overflow.0 as usize;
        self.snapshots.iter().all(|s| s.get(flag) == Some(&0))
            && self.sides.iter().all(|side| side.trail.never_overflows(machine))
    }
}

/// A run to a snapshot that looks the same as one of the main run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideTrail {
    /// Position in the main run.
    pub at: usize,
    /// Who cannot tell the two apart: together, for distributed knowledge; otherwise one agent.
    pub agents: Vec<AgentIx>,
    /// The run; its last snapshot is the other one.
    pub trail: Trail,
}

/// Something the evidence does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Position in the run.
    pub at: usize,
    /// The snapshot meant is the one that looks the same, at the end of the last side run.
    pub aside: bool,
    /// The formula.
    pub formula: Fml,
    /// Whether it holds there.
    pub holds: bool,
}

/// A run and what it leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The run.
    pub trail: Trail,
    /// What it does not show.
    pub rests_on: Vec<Rest>,
}

impl Evidence {
    /// Whether there is anything to see: a step, a run beside it, or a verdict that the initial snapshot itself shows.
    pub fn shows_something(&self) -> bool {
        self.trail.snapshots.len() > 1 || !self.trail.sides.is_empty() || self.rests_on.is_empty()
    }
}

impl Checker<'_, '_> {
    /// Evidence for the value of a property's formula in the initial snapshot.
    pub fn evidence(&self, f: &Fml, fair: &Fairness, holds: bool) -> Answer<Evidence> {
        let initial = self.sys.machine.initial();
        let trail = Trail { snapshots: vec![initial], ..Trail::default() };
        let mut story = Story { c: self, fair, told: Evidence { trail, rests_on: Vec::new() } };
        story.show(f, holds)?;
        story.continue_fairly()?;
        let mut told = story.told;
        self.name_steps(&mut told.trail)?;
        Ok(told)
    }

    /// Where some payload is too wide to be found by trying, says how each step is made.
    fn name_steps(&self, trail: &mut Trail) -> Answer<()> {
        if self.sys.machine.bodies.iter().all(|b| b.payloads() <= MANY_PAYLOADS) {
            return Ok(());
        }
        for at in 1..trail.snapshots.len() {
            if let Some(choice) = self.sys.choice(&trail.snapshots[at - 1], &trail.snapshots[at], None)? {
                trail.made.entry(at).or_insert(choice);
            }
        }
        trail.sides.iter_mut().try_for_each(|side| self.name_steps(&mut side.trail))
    }

    /// A shortest run from the initial snapshot into a set.
    pub fn run_to(&self, goal: &Bdd) -> Answer<Option<Trail>> {
        let (sys, s) = (self.sys, &self.sys.space);
        let Some(Way { layers, mut rings }) = self.reach.way_to(sys, goal)? else { return Ok(None) };
        let mut snapshots: Vec<Snapshot> = Vec::new();
        let Some(mut target) = rings.pop() else { return Ok(None) };
        for layer in layers.iter().rev() {
            let Some(snapshot) = sys.pick(&s.and(layer, &target)?) else { return Ok(None) };
            target = sys.step(&sys.single(&snapshot)?, &sys.steps, Direction::Backward)?;
            snapshots.push(snapshot);
        }
        snapshots.reverse();
        for ring in rings.iter().rev() {
            let Some(last) = snapshots.last() else { return Ok(None) };
            let next = sys.step(&sys.single(last)?, &sys.steps, Direction::Forward)?;
            let Some(snapshot) = sys.pick(&s.and(&next, ring)?) else { return Ok(None) };
            snapshots.push(snapshot);
        }
        let mut trail = Trail { snapshots, ..Trail::default() };
        self.name_steps(&mut trail)?;
        Ok(Some(trail))
    }
}

/// A run being told.
struct Story<'c, 'a, 'm> {
    c: &'c Checker<'a, 'm>,
    fair: &'c Fairness,
    told: Evidence,
}

impl Story<'_, '_, '_> {
    fn here(&self) -> &Snapshot {
        &self.told.trail.snapshots[self.at()]
    }

    fn at(&self) -> usize {
        self.told.trail.snapshots.len() - 1
    }

    fn holds(&self, f: &Fml) -> Answer<bool> {
        self.inside(&self.c.sat(f, self.fair)?)
    }

    fn inside(&self, set: &Bdd) -> Answer<bool> {
        Ok(self.c.sys.space.meets(set, &self.c.sys.single(self.here())?)?)
    }

    /// Where a formula has the given value.
    fn where_it(&self, f: &Fml, holds: bool) -> Answer<Bdd> {
        let set = self.c.sat(f, self.fair)?;
        Ok(if holds { set } else { self.c.sys.space.not(&set) })
    }

    fn rest(&mut self, f: &Fml, holds: bool) {
        if !f.is_state() {
            let rest = Rest { at: self.at(), aside: false, formula: f.clone(), holds };
            self.told.rests_on.push(rest);
        }
    }

    /// Shows that `f` has this value in the last snapshot of the run.
    fn show(&mut self, f: &Fml, holds: bool) -> Answer<()> {
        if f.is_state() || self.told.trail.loop_start.is_some() {
            self.rest(f, holds);
            return Ok(());
        }
        match f {
            Formula::Bool(b) => self.connective(b, holds),
            Formula::Quantified(path, t) if (*path == Path::E) == holds => self.operator(t, holds),
            Formula::Know(_, _, a) if !holds && !self.holds(a)? => self.show(a, false),
            Formula::Know(kind, group, a) if !holds => self.look_alike(*kind, group, a),
            Formula::Ltl(path) if !holds => {
                let product = self.c.product(path, self.fair)?;
                let graph = Graph { labels: product.bad.clone(), ..product.graph };
                let here = self.c.sys.single(self.here())?;
                for &q in &product.initial {
                    if self.c.sys.space.meets(&product.bad[q], &here)? {
                        let start = (q, self.here().clone());
                        return self.append(graph.lasso(start, &product.fair)?);
                    }
                }
                Ok(())
            }
            Formula::Atom(_)
            | Formula::Quantified(..)
            | Formula::Can(..)
            | Formula::Know(..)
            | Formula::Fix(..)
            | Formula::Var(_)
            | Formula::Ltl(_) => {
                self.rest(f, holds);
                Ok(())
            }
        }
    }

    fn connective(&mut self, b: &Bool<Fml>, holds: bool) -> Answer<()> {
        match (b, holds) {
            (Bool::Not(a), _) => self.show(a, !holds),
            (Bool::And(parts), true) | (Bool::Or(parts), false) => self.show_all(parts.iter(), holds),
            (Bool::And(parts), false) | (Bool::Or(parts), true) => self.show_one(parts.iter(), holds),
            (Bool::Implies(a, b), true) => match self.holds(a)? {
                true => self.show(b, true),
                false => self.show(a, false),
            },
            (Bool::Implies(a, b), false) => {
                self.rest(a, true);
                self.show(b, false)
            }
            (Bool::Iff(a, b), _) => {
                let (va, vb) = (self.holds(a)?, self.holds(b)?);
                let (first, v, other, w) = if a.is_state() { (b, vb, a, va) } else { (a, va, b, vb) };
                self.rest(other, w);
                self.show(first, v)
            }
            (Bool::Quant { body, .. }, _) => self.show(body, holds),
        }
    }

    /// Shows on one run that a temporal operator holds, or that it fails.
    fn operator(&mut self, t: &Temporal<Fml>, holds: bool) -> Answer<()> {
        match (t, holds) {
            (Temporal::Next(a), _) => {
                let goal = self.where_it(a, holds)?;
                let goal = self.c.sys.space.and(&goal, &self.fair.states)?;
                self.walk(&goal, &goal)?;
                self.show(a, holds)
            }
            (Temporal::Finally(a), true) | (Temporal::Globally(a), false) => {
                let goal = self.where_it(a, holds)?;
                self.reach(&self.c.sys.space.yes(), &goal)?;
                self.show(a, holds)
            }
            (Temporal::Until(a, b), true) => {
                self.reach(&self.c.sat(a, self.fair)?, &self.c.sat(b, self.fair)?)?;
                self.rest(a, true);
                self.show(b, true)
            }
            (Temporal::Globally(a), true) | (Temporal::Finally(a), false) => {
                let stay = self.where_it(a, holds)?;
                self.circle(&stay)?;
                self.rest(a, holds);
                Ok(())
            }
            (Temporal::Until(a, b), false) => self.break_until(a, b),
        }
    }

    /// All parts have this value: state parts show themselves, one of the others is followed.
    fn show_all<'f>(&mut self, parts: impl Iterator<Item = &'f Fml>, holds: bool) -> Answer<()> {
        let deep: Vec<&Fml> = parts.filter(|p| !p.is_state()).collect();
        let best = deep.iter().position(|p| p.shown_by_a_run(holds)).unwrap_or(0);
        for (i, part) in deep.iter().enumerate() {
            if i != best {
                self.rest(part, holds);
            }
        }
        match deep.get(best) {
            Some(part) => self.show(part, holds),
            None => Ok(()),
        }
    }

    /// Some part has this value: the simplest that has is followed.
    fn show_one<'f>(&mut self, parts: impl Iterator<Item = &'f Fml>, holds: bool) -> Answer<()> {
        let mut candidates = Vec::new();
        for part in parts {
            if self.holds(part)? == holds {
                candidates.push(part);
            }
        }
        candidates.sort_by_key(|p| (!p.is_state(), !p.shown_by_a_run(holds)));
        match candidates.first() {
            Some(part) => self.show(part, holds),
            None => Ok(()),
        }
    }

    /// Goes to a fair snapshot of `goal` through `hold`, by a shortest way; stays where it is if it is there already.
    fn reach(&mut self, hold: &Bdd, goal: &Bdd) -> Answer<()> {
        let s = &self.c.sys.space;
        let goal = s.and(goal, &self.fair.states)?;
        if self.inside(&goal)? {
            return Ok(());
        }
        if self.at() == 0 && hold.is_true() {
            if let Some(trail) = self.c.run_to(&goal)? {
                self.told.trail.snapshots = trail.snapshots;
            }
            return Ok(());
        }
        let within = s.or(hold, &goal)?;
        self.walk(&within, &goal)
    }

    /// Appends a shortest path of at least one step through `within` into `goal`.
    fn walk(&mut self, within: &Bdd, goal: &Bdd) -> Answer<()> {
        let graph = Graph::plain(self.c.sys, self.c.reach, within.clone());
        let path = graph.path(&(0, self.here().clone()), &vec![goal.clone()])?;
        let steps = path.into_iter().flatten().map(|(_, snapshot)| snapshot);
        self.told.trail.snapshots.extend(steps);
        Ok(())
    }

    /// Closes the run to a fair lasso inside `stay`.
    fn circle(&mut self, stay: &Bdd) -> Answer<()> {
        let graph = Graph::plain(self.c.sys, self.c.reach, stay.clone());
        let fair: Vec<Vec<Bdd>> = self.fair.sets.iter().map(|set| vec![set.clone()]).collect();
        let hull = graph.fair(&fair)?;
        let graph = Graph { labels: hull, ..graph };
        self.append(graph.lasso((0, self.here().clone()), &fair)?)
    }

    fn append(&mut self, lasso: Option<(Vec<GraphNode>, usize)>) -> Answer<()> {
        if let Some((path, back)) = lasso {
            self.told.trail.loop_start = Some(self.at() + back);
            self.told.trail.snapshots.extend(path.into_iter().skip(1).map(|(_, snapshot)| snapshot));
        }
        Ok(())
    }

    /// With fairness constraints a run only counts when it goes on for ever, fairly.
    fn continue_fairly(&mut self) -> Answer<()> {
        let moved = self.at() > 0;
        if self.fair.sets.is_empty() || self.told.trail.loop_start.is_some() || !moved {
            return Ok(());
        }
        self.circle(&self.fair.states.clone())
    }

    /// `A(a U b)` fails: `b` never comes, or `a` breaks before it does.
    fn break_until(&mut self, a: &Fml, b: &Fml) -> Answer<()> {
        let s = &self.c.sys.space;
        let (not_a, not_b) = (self.where_it(a, false)?, self.where_it(b, false)?);
        let broken = s.and(&s.and(&not_a, &not_b)?, &self.fair.states)?;
        let can_break = self.c.sys.before(&broken, &not_b, self.c.reach)?;
        if !self.inside(&can_break)? {
            self.circle(&not_b)?;
            self.rest(b, false);
            return Ok(());
        }
        self.reach(&not_b, &broken)?;
        self.rest(b, false);
        self.show(a, false)
    }

    /// Knowledge fails: a run to a snapshot that looks the same and in which the formula fails.
    fn look_alike(&mut self, kind: Know, group: &[AgentIx], a: &Fml) -> Answer<()> {
        let doubt = self.where_it(a, false)?;
        let chain = match kind {
            Know::Distributed => self.confused(&[group.to_vec()], &doubt)?,
            _ => self.confused(&group.iter().map(|&i| vec![i]).collect::<Vec<_>>(), &doubt)?,
        };
        let at = self.at();
        let mut sides: Vec<SideTrail> = Vec::new();
        for (agents, snapshot) in chain.into_iter().rev() {
            let Some(mut trail) = self.c.run_to(&self.c.sys.single(&snapshot)?)? else { return Ok(()) };
            let end = trail.snapshots.len() - 1;
            sides.iter_mut().for_each(|s| s.at = end);
            trail.sides = sides;
            sides = vec![SideTrail { at, agents, trail }];
        }
        if !a.is_state() {
            self.told.rests_on.push(Rest { at, aside: true, formula: a.clone(), holds: false });
        }
        self.told.trail.sides.extend(sides);
        Ok(())
    }

    /// A shortest chain of snapshots from here into `doubt`, each looking to one of the groups like the one before.
    fn confused(&self, groups: &[Vec<AgentIx>], doubt: &Bdd) -> Answer<Vec<(Vec<AgentIx>, Snapshot)>> {
        let (sys, s) = (self.c.sys, &self.c.sys.space);
        let mut layers = vec![sys.single(self.here())?];
        let mut seen = layers[0].clone();
        while !s.meets(&layers[layers.len() - 1], doubt)? {
            let last = &layers[layers.len() - 1];
            let mut next = s.no();
            for group in groups {
                next = s.or(&next, &self.c.look_alikes(group, last)?)?;
            }
            next = s.diff(&next, &seen)?;
            if next.is_false() {
                return Ok(Vec::new());
            }
            seen = s.or(&seen, &next)?;
            layers.push(next);
        }
        let mut chain: Vec<(Vec<AgentIx>, Snapshot)> = Vec::new();
        let mut target = doubt.clone();
        for depth in (1..layers.len()).rev() {
            let Some(snapshot) = sys.pick(&s.and(&layers[depth], &target)?) else { return Ok(Vec::new()) };
            let single = sys.single(&snapshot)?;
            let mut link = None;
            for group in groups {
                let like = s.and(&self.c.look_alikes(group, &single)?, &layers[depth - 1])?;
                if !like.is_false() {
                    link = Some((group.clone(), like));
                    break;
                }
            }
            let Some((group, like)) = link else { return Ok(Vec::new()) };
            chain.push((group, snapshot));
            target = like;
        }
        chain.reverse();
        Ok(chain)
    }
}
