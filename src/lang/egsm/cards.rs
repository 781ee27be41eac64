//! A step explained as propagation: what turned, and what it was that made it turn.

use super::Egsm;
use super::literal::{Compliance, Move, Snapshot, State, Status, Turn};
use super::lower::{Cause, Role};
use super::model::Kind;
use super::why;
use crate::lang::cards::{self, Card, Taken};
use crate::machine::VarId;

impl Egsm {
    /// What the rules of a step did to stages, milestones and items; conditions of calls are no news.
    pub(super) fn told(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        let turns = match self.bodies.moves.get(step.body.0) {
            Some(body) => self.turns(step.before, body.what),
            None => Vec::new(),
        };
        let because = |turn: Turn| turns.iter().find(|(t, _)| *t == turn).map(|(_, why)| why.as_str());
        let mut cards = cards::plain(step, now);
        cards.retain(|card| !card.label.is_empty());
        cards.retain(|card| {
            card.fired || self.cause(step, card).is_some_and(|c| matches!(c, Cause::Open(_) | Cause::Close(_)))
        });
        for card in cards.iter_mut().filter(|c| c.fired) {
            let why = match self.cause(step, card) {
                Some(Cause::Open(s) | Cause::Reopen(s)) => because(Turn::Opens(s)),
                Some(Cause::Close(s)) => because(Turn::Completes(s)).or(Some("the stage around it closed")),
                Some(Cause::Fault(s)) => because(Turn::Faulty(s)),
                Some(Cause::Violate(s)) => because(Turn::OutOfOrder(s)),
                Some(Cause::Skip(a, b)) => because(Turn::Skipped(a)).or(because(Turn::Skipped(b))),
                _ => None,
            };
            if let Some(why) = why {
                card.label = format!("{}: {why}", card.label);
            }
        }
        cards
    }

    fn cause(&self, step: &Taken, card: &Card) -> Option<Cause> {
        let rule = step.body().rules.get(card.turn?)?;
        self.causes.get(rule.origin.key as usize).map(|(cause, _)| *cause)
    }

    fn turns(&self, before: &[i64], what: Move) -> Vec<(Turn, String)> {
        why::turns(&self.model, &self.literally(before), what)
    }

    /// A snapshot of the machine as the literal execution has it; guards that are no part of it have the values of their conditions.
    pub fn literally(&self, values: &[i64]) -> Snapshot {
        let mut now = Snapshot {
            stages: vec![Status::default(); self.model.stages.len()],
            sentries: vec![false; self.model.sentries.len()],
            items: vec![0; self.model.items.len()],
        };
        for (at, value) in values.iter().enumerate() {
            match self.roles.get(&VarId(at as u32)) {
                Some(Role::State(s)) => {
                    now.stages[*s].state = match value {
                        1 => State::Opened,
                        2 => State::Closed,
                        _ => State::Unopened,
                    }
                }
                Some(Role::Compliance(s)) => {
                    now.stages[*s].compliance = match value {
                        1 => Compliance::OutOfOrder,
                        2 => Compliance::Skipped,
                        _ => Compliance::OnTime,
                    }
                }
                Some(Role::Faulty(s)) => now.stages[*s].faulty = *value != 0,
                Some(Role::Sentry(x)) => now.sentries[*x] = *value != 0,
                Some(Role::Item(i)) => now.items[*i] = *value,
                _ => {}
            }
        }
        for &x in &self.bodies.derived {
            debug_assert!(matches!(self.model.sentries[x].kind, Kind::Guard | Kind::Flow));
            now.sentries[x] = now.value(&self.model.sentries[x].condition, None).unwrap_or(false);
        }
        now
    }
}
