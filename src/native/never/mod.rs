//! Why something never comes, followed back through the rules that could bring it.
//!
//! Each link is a fact about all snapshots that can follow: "in no step of this body from there does this part of the rule hold". What
//! is said of the initial snapshot is said of all reachable snapshots.

mod context;
mod refused;
mod shape;

use super::bdd::{Bdd, Stop};
use super::check::{Answer, Checker, Fairness, Fml};
use super::closure::Direction;
use super::execute::{Asked, Literal, literals};
use crate::answer::{Blocked, Never, Obstacle, Writer};
use crate::logic::{Formula, Temporal};
use crate::machine::{BodyIx, ExprId, Machine, Node, Snapshot, Steps, VarId};
use shape::{assignment, formula, is_existence, next_goal, parts, reads_input, same_slots};

/// Links of a chain that are followed in every way.
const BROAD: usize = 4;
/// Links of a chain; the later ones are followed in one way, back to where it starts.
const LONGEST: usize = 10;
/// Parts of one kind that are followed.
const WIDEST: usize = 3;
/// Bodies that are looked into for one rule.
const MOST_BODIES: usize = 40;

impl Checker<'_, '_> {
    /// Why a formula holds in no snapshot that can follow one (the initial one, if none is given); `None` when it does hold in some.
    pub fn why_never(&self, from: Option<&Snapshot>, goal: &Fml, fair: &Fairness) -> Answer<Option<Never>> {
        let search = Search { c: self, from: self.from(from)?, fair, next: false, within: 0 };
        if !search.is_never(goal)? {
            return Ok(None);
        }
        search.goal(goal, &mut Vec::new()).map(Some)
    }

    /// Why no step from a snapshot makes a formula hold; `None` when one does.
    pub fn why_not_next(&self, from: &Snapshot, goal: &Fml, fair: &Fairness) -> Answer<Option<Never>> {
        let search = Search { c: self, from: self.sys.single(from)?, fair, next: true, within: 0 };
        search.not_next(goal)
    }

    /// Why no reachable step is one of these.
    pub fn why_no_step(&self, steps: &[Steps], fair: &Fairness) -> Answer<Vec<Never>> {
        let search = Search { c: self, from: self.from(None)?, fair, next: false, within: 0 };
        let list: Vec<(BodyIx, Option<usize>)> = steps.iter().map(|s| (s.body, s.rule)).collect();
        let groups = search.groups(list);
        groups.into_iter().take(WIDEST).map(|g| Ok(Never::Step(search.writer(g, &mut Vec::new())?))).collect()
    }

    fn from(&self, snapshot: Option<&Snapshot>) -> Answer<Bdd> {
        Ok(match snapshot {
            Some(s) if *s != self.sys.machine.initial() => {
                self.sys.after(&self.sys.single(s)?, &self.sys.space.yes(), &|_| {})?
            }
            _ => self.reach.set.clone(),
        })
    }
}

/// Is it known what is in the way, and is that not where the chain began?
fn leads_on(w: &Writer) -> bool {
    match &w.blocked {
        Blocked::NeverHappens(Some(o)) | Blocked::Part(o) => o.why.iter().any(|n| !matches!(n, Never::Again(..))),
        _ => false,
    }
}

/// What is never so, while reasons are looked for.
type Known = Vec<(VarId, i64)>;
/// A rule, or a body itself, in all bodies where it waits.
type Group = Vec<(BodyIx, Option<usize>)>;

/// Something that is needed, and the variable and value that this is.
type Need = (Fml, (VarId, i64));

/// A body that can happen, with a rule of it, and its steps.
type Live = (BodyIx, Option<usize>, Bdd);

fn rule_of(live: &[Live], body: BodyIx) -> Option<usize> {
    live.iter().find(|(b, ..)| *b == body).and_then(|(_, rule, _)| *rule)
}

struct Search<'s, 'a, 'm> {
    c: &'s Checker<'a, 'm>,
    /// The snapshots that can follow.
    from: Bdd,
    fair: &'s Fairness,
    /// Only the next step is looked at: `from` holds the snapshots before it.
    next: bool,
    /// So many conditions narrow `from` already.
    within: usize,
}

impl Search<'_, '_, '_> {
    fn machine(&self) -> &Machine {
        self.c.sys.machine
    }

    fn is_never(&self, f: &Fml) -> Answer<bool> {
        Ok(!self.c.sys.space.meets(&self.from, &self.c.sat(f, self.fair)?)?)
    }

    /// Why a formula that never holds never does.
    fn goal(&self, f: &Fml, known: &mut Known) -> Answer<Never> {
        let m = self.machine();
        if let Some((var, value)) = assignment(m, f) {
            return self.value(var, value, known);
        }
        if let Some(never) = self.nested(f, known)? {
            return Ok(never);
        }
        let parts = parts(m, f);
        if let Some(parts) = &parts.any {
            // Slots are alike: what is said of one goes for the others.
            return match parts.first() {
                Some(first) if parts.len() == 1 || same_slots(m, parts) => self.goal(first, known),
                _ if parts.len() <= WIDEST => {
                    Ok(Never::Each(parts.iter().map(|p| self.goal(p, known)).collect::<Answer<_>>()?))
                }
                _ => Ok(Never::Plain(f.clone())),
            };
        }
        let Some(all) = parts.all else { return Ok(Never::Plain(f.clone())) };
        let mut never = Vec::new();
        for part in &all {
            if self.is_never(part)? {
                never.push(part);
            }
        }
        // That something does not exist says less than what happens to it.
        never.sort_by_key(|p| assignment(m, p).is_none_or(|(v, _)| m.is_existence(v)));
        match never.first() {
            Some(part) => self.goal(part, known),
            None => self.together(all, known),
        }
    }

    /// Parts that never hold at once. Where one of them is about the next step, that is what the others do not let happen.
    fn together(&self, all: Vec<Fml>, known: &Known) -> Answer<Never> {
        let m = self.machine();
        let (after, now): (Vec<Fml>, Vec<Fml>) = all.iter().cloned().partition(|p| next_goal(p).is_some());
        let told = |list: &[Fml]| list.iter().filter(|p| !is_existence(m, p)).cloned().collect::<Vec<Fml>>();
        if let [goal] = after.as_slice()
            && let Some(goal) = next_goal(goal)
        {
            let mut from = self.from.clone();
            for part in &now {
                from = self.c.sys.space.and(&from, &self.c.sat(part, self.fair)?)?;
            }
            let search = Search { c: self.c, from, fair: self.fair, next: true, within: 0 };
            if let Some(why) = search.not_next(goal)? {
                return Ok(Never::Next(told(&now), Box::new(why)));
            }
        }
        Ok(self.in_context(&told(&all), known)?.unwrap_or_else(|| Never::Together(told(&all))))
    }

    /// A part with a temporal operator: if what it speaks of never holds, that is the reason.
    fn nested(&self, f: &Fml, known: &mut Known) -> Answer<Option<Never>> {
        let inner = match f {
            Formula::Quantified(_, Temporal::Next(a) | Temporal::Finally(a) | Temporal::Globally(a)) => a,
            _ => return Ok(None),
        };
        if self.is_never(inner)? {
            return self.goal(inner, known).map(Some);
        }
        let Some(goal) = next_goal(f) else { return Ok(None) };
        let search = Search { c: self.c, from: self.from.clone(), fair: self.fair, next: true, within: 0 };
        Ok(search.not_next(goal)?.map(|why| Never::Next(Vec::new(), Box::new(why))))
    }

    /// Why no next step makes a formula hold: of a conjunction, a part that would have to change and never does.
    fn not_next(&self, goal: &Fml) -> Answer<Option<Never>> {
        let (m, s) = (self.machine(), &self.c.sys.space);
        let all = parts(m, goal).all.unwrap_or_else(|| vec![goal.clone()]);
        for (part, (var, value)) in all.iter().filter_map(|p| Some((p, assignment(m, p)?))) {
            let before = self.c.sys.step(&self.c.sat(part, self.fair)?, &self.c.sys.steps, Direction::Backward)?;
            if self.never_has(var, value)? && !s.meets(&self.from, &before)? {
                return self.value(var, value, &mut Vec::new()).map(Some);
            }
        }
        Ok(None)
    }

    /// Why a variable never has a value.
    fn value(&self, var: VarId, value: i64, known: &mut Known) -> Answer<Never> {
        if known.contains(&(var, value)) {
            return Ok(Never::Again(var, value));
        }
        let mut writers = Vec::new();
        if known.len() < if self.next { 1 } else { LONGEST } {
            known.push((var, value));
            for group in self.groups(self.could_write(var, value)).into_iter().take(2 * WIDEST) {
                writers.push(self.writer(group, known)?);
                if known.len() > BROAD && writers.last().is_some_and(leads_on) {
                    break;
                }
            }
            known.pop();
        }
        Ok(Never::Value { var, value, writers })
    }

    /// Rules and bodies that might give a variable a value.
    fn could_write(&self, var: VarId, value: i64) -> Group {
        let m = self.machine();
        let might = |e: ExprId| match m.exprs.node(e) {
            Node::Bool(b) => i64::from(*b) == value,
            Node::Int(i) => *i == value,
            _ => true,
        };
        let mut found = Vec::new();
        for (b, body) in m.bodies.iter().enumerate().map(|(b, body)| (BodyIx(b), body)) {
            let rules = body.rules.iter().enumerate().filter(|(_, r)| r.target == var && might(r.value));
            found.extend(rules.map(|(r, _)| (b, Some(r))));
            let updates = m.actions.iter().filter(|a| a.body == b).flat_map(|a| &a.updates);
            if body.effect.iter().chain(&body.finish).chain(updates).any(|a| a.var == var && might(a.value)) {
                found.push((b, None));
            }
        }
        found
    }

    /// The same rule in several bodies is one; bodies are what they are.
    fn groups(&self, list: Group) -> Vec<Group> {
        let m = self.machine();
        let name = |(b, r): &(BodyIx, Option<usize>)| {
            let body = &m.bodies[*b];
            match r.and_then(|r| body.rules.get(r)) {
                Some(rule) => (rule.origin.label.clone(), rule.origin.slot, rule.origin.key),
                None => (body.event.clone(), None, u32::MAX),
            }
        };
        let mut groups: Vec<Group> = Vec::new();
        for entry in list {
            match groups.iter_mut().find(|g| g.first().is_some_and(|f| name(f) == name(&entry))) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        groups
    }

    /// What is in the way of a rule, wherever it waits.
    fn writer(&self, group: Group, known: &mut Known) -> Answer<Writer> {
        let mut live = Vec::new();
        for (body, rule) in group.iter().copied().take(MOST_BODIES) {
            let steps = self.steps(body)?;
            if !steps.is_false() {
                live.push((body, rule, steps));
            }
        }
        let (first, rule) = group.first().copied().unwrap_or((BodyIx(0), None));
        if live.is_empty() {
            let blocked = self.unhappening(first, known)?;
            return Ok(Writer { bodies: group.iter().map(|(b, _)| *b).collect(), rule, blocked });
        }
        let bodies = live.iter().map(|(b, ..)| *b).collect();
        let rule = live.first().and_then(|(_, r, _)| *r);
        let blocked = self.refused(&live, known)?;
        Ok(match blocked {
            (Some(body), blocked) => Writer { bodies: vec![body], rule: rule_of(&live, body), blocked },
            (None, blocked) => Writer { bodies, rule, blocked },
        })
    }

    /// The steps of a body that can follow.
    fn steps(&self, body: BodyIx) -> Result<Bdd, Stop> {
        let s = &self.c.sys.space;
        let Some(run) = self.c.sys.bodies.get(body.0) else { return Ok(s.no()) };
        let may = run.doers.iter().try_fold(s.no(), |any, d| s.or(&any, &d.may))?;
        s.all([&self.from, &may, &run.change])
    }

    /// Why a body never happens: a part of what somebody must be allowed, or of what it needs itself.
    fn unhappening(&self, body: BodyIx, known: &mut Known) -> Answer<Blocked> {
        let (m, s) = (self.machine(), &self.c.sys.space);
        let mut parts = self.c.sys.conditions(body, Asked::Body)?;
        let actions: Vec<_> = m.actions.iter().filter(|a| a.body == body).collect();
        if let [only] = actions.as_slice() {
            for (e, value) in literals(m, only.allowed, true) {
                if !reads_input(m, e) {
                    let holds = self.c.sys.atom_before(e)?;
                    parts.push(((e, value), if value { holds } else { s.not(&holds) }));
                }
            }
        }
        let mut never = Vec::new();
        for (literal, holds) in &parts {
            if !s.meets(&self.from, holds)? {
                never.push(*literal);
            }
        }
        if let Some(literal) = self.best(never)? {
            return Ok(Blocked::NeverHappens(Some(self.obstacle(literal, None, known)?)));
        }
        let together = parts.iter().try_fold(self.from.clone(), |all, (_, b)| s.and(&all, b))?;
        if !together.is_false() {
            return Ok(Blocked::NeverHappens(None));
        }
        let parts = self.fewest(&self.from, parts)?;
        Ok(Blocked::NeverTogether(parts.into_iter().map(formula).collect()))
    }

    fn never_has(&self, var: VarId, value: i64) -> Answer<bool> {
        let s = &self.c.sys.space;
        if self.machine().var(var).scratch {
            return Ok(false);
        }
        let has = self.c.sys.has(var, value)?;
        Ok(!s.meets(&self.from, &has)?)
    }

    /// A part of a conjunction that never holds.
    fn need(&self, all: &Fml) -> Answer<Option<Need>> {
        let m = self.machine();
        for part in parts(m, all).all.unwrap_or_else(|| vec![all.clone()]) {
            if let Some((var, value)) = assignment(m, &part)
                && self.never_has(var, value)?
            {
                return Ok(Some((part, (var, value))));
            }
        }
        Ok(None)
    }

    /// `then`: steps in which it does not hold, where it may hold at other times.
    fn obstacle(&self, literal: Literal, then: Option<&Live>, known: &mut Known) -> Answer<Obstacle> {
        let m = self.machine();
        let part = formula(literal);
        let mut why = Vec::new();
        let mut ever = true;
        let list = parts(m, &part).any.unwrap_or_else(|| vec![part.clone()]);
        let mut found: Vec<Option<Need>> = Vec::new();
        for one in list.iter().take(WIDEST) {
            found.push(self.need(one)?);
        }
        ever &= list.len() <= WIDEST;
        // What every way needs says it all.
        let common = match found.first() {
            Some(Some(first)) if ever && found.iter().all(|f| f.as_ref().is_some_and(|f| f.1 == first.1)) => {
                Some(first.0.clone())
            }
            _ => None,
        };
        if common.is_some() {
            found.truncate(1);
        }
        let part = common.unwrap_or(part);
        for need in found {
            match need {
                Some(_) if self.next => {}
                Some((_, (var, value))) => why.push(self.value(var, value, known)?),
                None => ever = false,
            }
        }
        let mut undone = None;
        if let Some((body, rule, steps)) = then.filter(|_| why.is_empty() && !self.next) {
            undone = self.undone(literal, *body, *rule, steps)?;
            if undone.is_none() {
                why.extend(self.not_then(literal, *body, known)?);
            }
        }
        Ok(Obstacle { part, ever, why, undone })
    }
}
