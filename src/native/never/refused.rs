//! What keeps a rule from firing where its body happens.

use super::shape::{assignment, formula, reads_scratch, spelled};
use super::{Known, Live, Search};
use crate::answer::Blocked;
use crate::machine::{BodyIx, Domain, Node};
use crate::native::bdd::Bdd;
use crate::native::check::Answer;
use crate::native::execute::{Asked, Conditions, Literal};

impl Search<'_, '_, '_> {
    /// The part of a rule's conditions that holds in none of the steps in which the rule waits; if there is no such part, those of one
    /// body that never hold at once.
    pub(super) fn refused(&self, live: &[Live], known: &mut Known) -> Answer<(Option<BodyIx>, Blocked)> {
        let (m, s) = (self.machine(), &self.c.sys.space);
        let mut common: Option<Vec<Literal>> = None;
        let mut seen: Vec<(&Live, usize, Vec<Literal>)> = Vec::new();
        let set = known.last().filter(|(v, value)| *value == 1 && m.var(*v).domain == Domain::Bool).map(|(v, _)| *v);
        for here @ (body, rule, steps) in live {
            let asked = match (rule, set) {
                (Some(rule), _) => Asked::Rule(*rule),
                (None, Some(var)) => Asked::Set(var),
                (None, None) => return Ok((None, Blocked::Otherwise)),
            };
            let mut parts = self.c.sys.conditions(*body, asked)?;
            // How far a step has got within itself is nothing that people see.
            parts.retain(|(literal, _)| !reads_scratch(m, literal.0));
            let mut never = Vec::new();
            for (literal, holds) in &parts {
                if !s.meets(steps, holds)? {
                    never.push(*literal);
                }
            }
            let few = self.fewest(steps, parts)?;
            seen.push((here, never.len(), few));
            let same = |a: &Literal| never.iter().any(|b| spelled(m, *a) == spelled(m, *b));
            common = Some(match common {
                None => never,
                Some(old) => old.into_iter().filter(same).collect(),
            });
        }
        if let Some(literal) = self.best(common.unwrap_or_default())? {
            // Where least is missing besides, the reason is nearest.
            let then = seen.iter().min_by_key(|(_, never, _)| *never).map(|(here, ..)| *here);
            return Ok((None, Blocked::Part(self.obstacle(literal, then, known)?)));
        }
        // Data says more about a body than how far its process has got.
        let data = |few: &[Literal]| match few {
            [one] => assignment(m, &formula(*one)).is_none_or(|(v, _)| m.var(v).domain != Domain::Bool),
            _ => false,
        };
        seen.retain(|(_, _, few)| !few.is_empty());
        let brings = |here: &Live| self.brings(here);
        seen.sort_by_key(|(here, never, few)| (!data(few), !brings(here), *never, std::cmp::Reverse(few.len())));
        match seen.into_iter().next() {
            Some((here, _, few)) if few.len() == 1 => {
                Ok((Some(here.0), Blocked::Part(self.obstacle(few[0], Some(here), known)?)))
            }
            Some((here, _, few)) => Ok((Some(here.0), Blocked::Parts(few.into_iter().map(formula).collect()))),
            None => Ok((None, Blocked::Otherwise)),
        }
    }

    /// Does the body itself bring about something that its rule asks for?
    fn brings(&self, (body, rule, _): &Live) -> bool {
        let m = self.c.sys.machine;
        let rules = &m.bodies[*body].rules;
        let Some(rule) = rule.and_then(|r| rules.get(r)) else { return false };
        let mut found = false;
        m.exprs.leaves(rule.antecedent, &mut |leaf| {
            found |= matches!(leaf, Node::Cur(v) if rules.iter().any(|r| r.target == *v && r.target != rule.target));
        });
        found
    }

    /// Few parts that never hold at once in these steps: the rest is left out one by one.
    pub(super) fn fewest(&self, steps: &Bdd, mut parts: Conditions) -> Answer<Vec<Literal>> {
        let s = &self.c.sys.space;
        if !parts.iter().try_fold(steps.clone(), |all, (_, b)| s.and(&all, b))?.is_false() {
            return Ok(Vec::new());
        }
        let mut at = 0;
        while at < parts.len() {
            let others = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, (_, b))| b);
            let rest = others.clone().try_fold(steps.clone(), |all, b| s.and(&all, b))?;
            if rest.is_false() {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(parts.into_iter().map(|(l, _)| l).collect())
    }

    /// Of parts that never hold, the one that says most: about a variable that never has that value at all.
    pub(super) fn best(&self, never: Vec<Literal>) -> Answer<Option<Literal>> {
        let m = self.machine();
        let mut ranked = Vec::new();
        for literal in never {
            let rank = match assignment(m, &formula(literal)) {
                Some((v, _)) if m.is_existence(v) => 3,
                Some((v, value)) if self.never_has(v, value)? => 0,
                Some(_) => 1,
                None => 2,
            };
            ranked.push((rank, literal));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.first().map(|(_, l)| *l))
    }
}
