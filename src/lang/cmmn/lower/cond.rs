//! Conditions, and completion of containers, as expressions.

use super::emit::{Choice, Emit};
use crate::lang::cmmn::condition::{Cond, Query};
use crate::lang::cmmn::model::{CondIx, InstIx, ParentCompletion, PlaceIx, State};
use crate::machine::{ArithOp, CompareOp, Domain, ExprId, FALSE, TRUE};

impl Emit<'_, '_> {
    /// A condition that an instance asks.
    pub fn condition(&mut self, condition: CondIx, asker: InstIx) -> ExprId {
        let case = self.l.case;
        self.cond(&case.conditions[condition].cond, asker)
    }

    fn cond(&mut self, cond: &Cond, asker: InstIx) -> ExprId {
        let case = self.l.case;
        match cond {
            Cond::Const(b) => self.l.m.exprs.bool(*b),
            Cond::Not(a) => {
                let a = self.cond(a, asker);
                self.not(a)
            }
            Cond::All(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|p| self.cond(p, asker)).collect();
                self.and(parts)
            }
            Cond::Any(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|p| self.cond(p, asker)).collect();
                self.or(parts)
            }
            Cond::Data(v, codes) => {
                let mask = codes.iter().fold(0, |m, c| m | 1 << c);
                self.among(self.l.map.data[*v], mask)
            }
            Cond::Count(op, value) => {
                let place = case.instances[asker].place;
                match place.and_then(|p| self.l.map.count[p]) {
                    Some(count) => {
                        let mask = (0..63).filter(|c| op.holds(*c, *value)).fold(0, |m, c| m | 1 << c);
                        self.among(count, mask)
                    }
                    None => self.l.m.exprs.bool(op.holds(0, *value)),
                }
            }
            Cond::Done(items) => {
                let places = (0..case.places.len()).filter(|p| items.contains(&case.places[*p].item));
                let done: Vec<ExprId> = places.map(|p| self.is_done(p)).collect();
                self.or(done)
            }
            Cond::Query(query) => self.query(query, asker),
            Cond::Completable => {
                let container = case.instances[asker].container.unwrap_or(0);
                match self.asking.contains(&container) {
                    // A question within itself gets a no.
                    true => FALSE,
                    false => self.completion(container, case.instances[asker].place).0,
                }
            }
            Cond::Free(f) => self.free(*f),
        }
    }

    /// A free condition.
    pub fn free(&mut self, f: usize) -> ExprId {
        let case = self.l.case;
        self.choice(Choice::Free(f), || case.free[f].text.clone(), Domain::Bool)
    }

    pub fn is_done(&mut self, p: PlaceIx) -> ExprId {
        match self.l.map.done[p] {
            Some(done) => self.holds(done),
            None => FALSE,
        }
    }

    fn query(&mut self, query: &Query, asker: InstIx) -> ExprId {
        let case = self.l.case;
        let container = case.instances[asker].container.unwrap_or(0);
        let mut found = Vec::new();
        for (p, place) in case.places.iter().enumerate() {
            if !query.items.contains(&place.item) || (query.same_container && place.container != container) {
                continue;
            }
            let other = |s: State| s != State::Completed && query.states.contains(&s);
            found.extend(place.slots.iter().map(|s| self.in_states(*s, &other)).collect::<Vec<_>>());
            if query.states.contains(&State::Completed) {
                found.push(self.is_done(p));
            }
        }
        match (query.op, query.value) {
            (CompareOp::Gt, 0) | (CompareOp::Ge, 1) | (CompareOp::Ne, 0) => self.or(found),
            (CompareOp::Eq | CompareOp::Le, 0) | (CompareOp::Lt, 1) => {
                let any = self.or(found);
                self.not(any)
            }
            (op, value) => {
                let exprs = &mut self.l.m.exprs;
                let (zero, one) = (exprs.int(0), exprs.int(1));
                let mut sum = zero;
                for part in found {
                    let number = exprs.ite(part, one, zero);
                    sum = if sum == zero { number } else { exprs.arith(ArithOp::Add, sum, number) };
                }
                let value = exprs.int(value);
                exprs.compare(op, sum, value)
            }
        }
    }

    /// (completable, completes by itself); one place may be left out.
    pub fn completion(&mut self, container: InstIx, without: Option<PlaceIx>) -> (ExprId, ExprId) {
        let case = self.l.case;
        self.asking.push(container);
        let auto = self.condition(case.item_of(container).auto_complete, container);
        let (mut able, mut alone) = (Vec::new(), Vec::new());
        for &p in case.instances[container].inside.iter().filter(|p| Some(**p) != without) {
            for &j in &case.places[p].slots {
                let (a, b) = if case.flowable() { self.child_flowable(p, j, auto) } else { self.child_spec(j, auto) };
                able.push(a);
                alone.push(b);
            }
        }
        self.asking.pop();
        let able = self.and(able);
        alone.push(able);
        (able, self.and(alone))
    }

    fn child_spec(&mut self, j: InstIx, auto: ExprId) -> (ExprId, ExprId) {
        let item = self.l.case.item_of(j);
        let idle = self.in_states(j, &|s| s != State::Active);
        let waits = self.in_states(j, &|s| matches!(s, State::Available | State::Enabled | State::Unavailable));
        let required = self.condition(item.required, j);
        let needed = self.and([waits, required]);
        let not_needed = self.not(needed);
        let able = self.and([idle, not_needed]);
        // Only the first slot can be planned.
        let plannable = if self.l.case.is_first(j) { self.plannable(j) } else { FALSE };
        let open = self.or([waits, plannable]);
        let closed = self.not(open);
        (able, self.or([auto, closed]))
    }

    /// A discretionary instance does not exist and may be planned, its container being active.
    pub fn plannable(&mut self, j: InstIx) -> ExprId {
        let case = self.l.case;
        let Some(planning) = &case.item_of(j).planning else { return FALSE };
        let absent = self.is(j, State::None);
        let container = case.instances[j].container;
        let offered = match planning.at {
            None => TRUE,
            Some(task) => {
                let here = case.instances_of(task).filter(|t| case.instances[*t].container == container);
                let active: Vec<ExprId> = here.map(|t| self.is(t, State::Active)).collect();
                self.or(active)
            }
        };
        let rules: Vec<ExprId> = planning.rules.iter().map(|r| self.condition(*r, j)).collect();
        let rule = if rules.is_empty() { TRUE } else { self.or(rules) };
        self.and([absent, offered, rule])
    }

    fn child_flowable(&mut self, p: PlaceIx, j: InstIx, auto: ExprId) -> (ExprId, ExprId) {
        use ParentCompletion as P;
        let item = self.l.case.item_of(j);
        let rule = item.parent_completion;
        if rule == P::Ignore {
            return (TRUE, TRUE);
        }
        let active = self.is(j, State::Active);
        let waits = self.in_states(j, &|s| matches!(s, State::Available | State::Enabled));
        let available = self.is(j, State::Available);
        let done = self.is_done(p);
        let again = match &item.repetition {
            Some(r) => {
                let rule = self.condition(r.rule, j);
                self.and([done, rule])
            }
            None => FALSE,
        };
        // Active: neither, unless passed over.
        let passed = if rule == P::AfterFirst { done } else { FALSE };
        let blocks = self.not(passed);
        let blocked = self.and([active, blocks]);
        // Required: not at all, or done once and allowed again.
        let required = self.condition(item.required, j);
        let not_again = self.not(again);
        let missing = self.and([waits, required, not_again]);
        let bad = self.or([blocked, missing]);
        let able = self.not(bad);
        // Whatever else waits needs autoComplete, unless it is to be skipped.
        let neutral = self.condition(item.neutral, j);
        let gentle = if rule == P::IfAvailable { TRUE } else { neutral };
        let gentle = self.and([available, gentle]);
        let past = if matches!(rule, P::AfterFirst | P::AfterFirstIfAvailableOrEnabled) { again } else { FALSE };
        let always = self.l.m.exprs.bool(rule == P::IfAvailableOrEnabled);
        let skip = self.or([always, gentle, past]);
        let not_required = self.not(required);
        let skip = self.and([not_required, skip]);
        let gone = self.not(waits);
        (able, self.or([gone, skip, auto]))
    }
}
