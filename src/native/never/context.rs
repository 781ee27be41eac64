//! What never comes at the same time as something else: followed back through the snapshots in which that is so.

use super::shape::{assignment, formula, is_existence, reads_input, reads_scratch};
use super::{Known, LONGEST, Search};
use crate::answer::{Blocked, Never};
use crate::logic::{Bool, Connected, Formula, Path, Temporal};
use crate::machine::{BodyIx, Domain, ExprId};
use crate::native::bdd::Bdd;
use crate::native::check::{Answer, Fml};
use crate::native::execute::{Asked, Conditions, Literal};

/// So many conditions may narrow the snapshots that are looked at.
const MOST_CONTEXTS: usize = 2;
/// More parts than these are told as they are.
const MOST_PARTS: usize = 4;

impl Search<'_, '_, '_> {
    /// Parts that never hold at once, told as: where the others hold, this one never comes. `None` where no more is known of that.
    pub(super) fn in_context(&self, all: &[Fml], known: &Known) -> Answer<Option<Never>> {
        let m = self.c.sys.machine;
        if self.next || self.within >= MOST_CONTEXTS || known.len() >= LONGEST || all.len() > MOST_PARTS {
            return Ok(None);
        }
        // What comes about is easier to follow than what goes.
        let mut goals: Vec<(&Fml, crate::machine::VarId, i64)> = Vec::new();
        for part in all {
            match assignment(m, part) {
                Some((v, value)) if m.var(v).domain == Domain::Bool && !m.is_existence(v) && !m.var(v).scratch => {
                    goals.push((part, v, value));
                }
                _ => {}
            }
        }
        goals.sort_by_key(|(_, _, value)| *value == 0);
        if let Some(never) = self.not_after(all, known)? {
            return Ok(Some(never));
        }
        for (goal, var, value) in goals {
            let others: Vec<Fml> = all.iter().filter(|p| *p != goal).cloned().collect();
            let mut from = self.from.clone();
            for part in &others {
                from = self.c.sys.space.and(&from, &self.holds(part)?)?;
            }
            let within = Search { c: self.c, from, fair: self.fair, next: false, within: self.within + 1 };
            if within.from.is_false() || known.contains(&(var, value)) || !within.never_has(var, value)? {
                continue;
            }
            let mut deep = known.clone();
            let never = within.value(var, value, &mut deep)?;
            if tells(&never) {
                return Ok(Some(Never::Where(others, Box::new(never))));
            }
        }
        Ok(None)
    }

    /// Parts one of which says that something comes later: once the others hold, that never comes any more.
    fn not_after(&self, all: &[Fml], known: &Known) -> Answer<Option<Never>> {
        for part in all {
            let Some(goal) = later(part) else { continue };
            let others: Vec<Fml> = all.iter().filter(|p| *p != part).cloned().collect();
            let mut from = self.from.clone();
            for other in &others {
                from = self.c.sys.space.and(&from, &self.holds(other)?)?;
            }
            let from = self.c.sys.after(&from, &self.c.sys.space.yes(), &|_| {})?;
            let after = Search { c: self.c, from, fair: self.fair, next: false, within: self.within + 1 };
            if !after.from.is_false() && after.is_never(&goal)? {
                let never = after.goal(&goal, &mut known.clone())?;
                return Ok(tells(&never).then(|| Never::Once(others, Box::new(never))));
            }
        }
        Ok(None)
    }

    /// The snapshots in which a part holds.
    fn holds(&self, f: &Fml) -> Answer<Bdd> {
        let s = &self.c.sys.space;
        Ok(match f {
            Formula::Atom(e) => self.c.sys.atom_before(*e)?,
            Formula::Bool(Bool::Not(a)) => match a.as_ref() {
                Formula::Atom(e) => s.not(&self.c.sys.atom_before(*e)?),
                _ => self.c.sat(f, self.fair)?,
            },
            _ => self.c.sat(f, self.fair)?,
        })
    }

    /// A part that does not hold when a body happens: what the body needs and the part never hold at once.
    pub(super) fn not_then(&self, literal: Literal, body: BodyIx, known: &Known) -> Answer<Option<Never>> {
        let (m, sys) = (self.c.sys.machine, &self.c.sys);
        let plain = |e: ExprId| !reads_input(m, e) && !reads_scratch(m, e);
        if !plain(literal.0) {
            return Ok(None);
        }
        let mut parts: Conditions = vec![(literal, self.holds(&formula(literal))?)];
        for (part, then) in sys.conditions(body, Asked::Body)?.into_iter().filter(|((e, _), _)| plain(*e)) {
            // Only what the body asks of the snapshot before it.
            let said = assignment(m, &formula(part)).map(|(v, _)| v);
            let again = said.is_some() && said == assignment(m, &formula(literal)).map(|(v, _)| v);
            if self.holds(&formula(part))? == then && !is_existence(m, &formula(part)) && !again {
                parts.push((part, then));
            }
        }
        let few = self.fewest(&self.from, parts)?;
        if few.len() < 2 {
            return Ok(None);
        }
        let parts: Vec<Fml> = few.into_iter().map(formula).collect();
        self.in_context(&parts, known)
    }

    /// A rule that comes before another in its body and takes back what that one needs.
    pub(super) fn undone(
        &self,
        literal: Literal,
        body: BodyIx,
        rule: Option<usize>,
        steps: &Bdd,
    ) -> Answer<Option<(BodyIx, usize)>> {
        let (m, sys) = (self.c.sys.machine, &self.c.sys);
        let Some((var, value)) = assignment(m, &formula(literal)).filter(|(v, _)| !m.var(*v).scratch) else {
            return Ok(None);
        };
        let was = sys.space.and(steps, &sys.has(var, value)?)?;
        if was.is_false() {
            return Ok(None);
        }
        let before = m.bodies[body].rules.iter().enumerate().take(rule.unwrap_or(0));
        for (at, _) in before.filter(|(_, r)| r.target == var) {
            let parts = sys.conditions(body, Asked::Rule(at))?;
            let fires = parts.iter().try_fold(was.clone(), |all, (_, holds)| sys.space.and(&all, holds))?;
            if !fires.is_false() {
                return Ok(Some((body, at)));
            }
        }
        Ok(None)
    }
}

/// Is it known what is in the way?
fn tells(never: &Never) -> bool {
    match never {
        Never::Value { writers, .. } => {
            writers.is_empty()
                || writers.iter().any(|w| !matches!(w.blocked, Blocked::Otherwise | Blocked::NeverHappens(None)))
        }
        _ => false,
    }
}

/// What a part says will come: `EF p`, or that `AG q` does not hold.
fn later(f: &Fml) -> Option<Fml> {
    match f {
        Formula::Quantified(Path::E, Temporal::Finally(a)) => Some(a.as_ref().clone()),
        Formula::Bool(Bool::Not(a)) => match a.as_ref() {
            Formula::Quantified(Path::A, Temporal::Globally(a)) => Some(a.as_ref().clone().not()),
            _ => None,
        },
        _ => None,
    }
}
