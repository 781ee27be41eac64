//! What is known at a point of a body, so that calls that cannot change anything are left out.
//!
//! Four kinds of facts: the possible values of each variable; which sentries are up to date; for which stages *opened* means that no
//! milestone of it holds, and for which that the stage around it is opened. All are over-approximations: a fact that is not known is
//! never used.

use super::vars::{CLOSED, OPENED, Role, UNOPENED, Vars};
use crate::lang::egsm::model::{Condition, EventIx, Kind, Model, SentryIx, StageIx};

/// Items with more values than bits are not tracked.
const TRACKED: i64 = 63;
/// Of a stage's state or a sentry: the bits of possible values.
const VALUES: u8 = 0b111;
/// Of a sentry: its last value may differ from what its condition says.
const STALE: u8 = 1 << 7;
/// Of a stage's state: it may be opened although a milestone of it holds.
const DONE: u8 = 1 << 6;
/// Of a stage's state: it may be opened although the stage around it is not.
const OUTSIDE: u8 = 1 << 7;

/// Facts at a point. Every bit says that something may be so, so what is known after either of two is their union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abs {
    /// Per variable of a stage, then per sentry: possible values as bits by code, and what else may be.
    bits: Vec<u8>,
    /// Where the sentries begin. One that is not stale has the value that its condition says (milestones, fault loggers: or the stage is
    /// not opened, or the logger has tripped).
    sentries: usize,
    /// Possible values per item, as bits by code; all bits: unknown.
    items: Vec<u64>,
}

impl Abs {
    /// The facts of one settled snapshot, given by the values of all variables.
    pub fn exactly(model: &Model, values: &[i64]) -> Abs {
        let sentries = 3 * model.stages.len();
        let (small, rest) = values.split_at(sentries + model.sentries.len());
        let mut bits: Vec<u8> = small.iter().map(|v| 1 << v).collect();
        bits[sentries..].iter_mut().for_each(|b| *b |= STALE);
        (0..model.stages.len()).for_each(|s| bits[Vars::state(s)] |= DONE | OUTSIDE);
        let bit = |v: &i64| if (0..=TRACKED).contains(v) { 1 << v } else { u64::MAX };
        Abs { bits, sentries, items: rest.iter().take(model.items.len()).map(bit).collect() }
    }

    /// May the variable have this value?
    pub fn may(&self, vars: Vars, role: Role, code: i64) -> bool {
        let mask = self.mask(vars, role);
        mask == u64::MAX || (code <= TRACKED && mask & (1 << code) != 0)
    }

    /// Must it have this value?
    pub fn must(&self, vars: Vars, role: Role, code: i64) -> bool {
        (0..=TRACKED).contains(&code) && self.mask(vars, role) == 1 << code
    }

    /// Its only possible value.
    pub fn only(&self, vars: Vars, role: Role) -> Option<i64> {
        let mask = self.mask(vars, role);
        (mask.count_ones() == 1).then(|| i64::from(mask.trailing_zeros()))
    }

    fn mask(&self, vars: Vars, role: Role) -> u64 {
        match role {
            Role::Item(i) => self.items[i],
            _ => self.bits.get(vars.id(role).0 as usize).map_or(u64::MAX, |b| u64::from(b & VALUES)),
        }
    }

    fn put(&mut self, vars: Vars, role: Role, mask: u64) {
        match role {
            Role::Item(i) => self.items[i] = mask,
            _ => {
                if let Some(b) = self.bits.get_mut(vars.id(role).0 as usize) {
                    *b = (*b & !VALUES) | (mask as u8 & VALUES);
                }
            }
        }
    }

    fn note(&mut self, at: usize, bit: u8, may: bool) {
        self.bits[at] = if may { self.bits[at] | bit } else { self.bits[at] & !bit };
    }

    /// Is the sentry known to be up to date?
    pub fn is_fresh(&self, x: SentryIx) -> bool {
        self.bits[self.sentries + x] & STALE == 0
    }

    /// The sentry has just been compared with its condition.
    pub fn refresh(&mut self, x: SentryIx) {
        self.note(self.sentries + x, STALE, false);
    }

    fn outdate(&mut self, x: SentryIx) {
        self.note(self.sentries + x, STALE, true);
    }

    /// Opened means: no milestone of it holds.
    pub fn settle(&mut self, s: StageIx) {
        self.note(Vars::state(s), DONE, false);
    }

    /// Opened means: the stage around it is opened.
    pub fn enclose(&mut self, s: StageIx) {
        self.note(Vars::state(s), OUTSIDE, false);
    }

    fn may_be(&self, s: StageIx, bit: u8) -> bool {
        self.bits[Vars::state(s)] & bit != 0
    }

    /// Leaves only this value; `false` when it was not possible.
    pub fn assume(&mut self, ctx: Ctx, role: Role, code: i64, is: bool) -> bool {
        let mask = self.mask(ctx.vars, role);
        if code > TRACKED || mask == u64::MAX {
            if is && code <= TRACKED {
                self.put(ctx.vars, role, 1 << code);
            }
            return true;
        }
        let left = mask & if is { 1 << code } else { !(1 << code) };
        self.put(ctx.vars, role, left);
        if left == 0 {
            return false;
        }
        match role {
            Role::State(s) => self.related(ctx, s),
            Role::Sentry(x) if ctx.model.sentries[x].kind == Kind::Milestone => {
                self.related(ctx, ctx.model.sentries[x].stage)
            }
            _ => true,
        }
    }

    /// Draws the conclusions of the two relations.
    fn related(&mut self, ctx: Ctx, s: StageIx) -> bool {
        if !self.must(ctx.vars, Role::State(s), OPENED) {
            let holds = |m: SentryIx| self.must(ctx.vars, Role::Sentry(m), 1);
            let done = !self.may_be(s, DONE) && ctx.model.of(s, Kind::Milestone).any(holds);
            return !done || self.drop_value(ctx.vars, Role::State(s), OPENED);
        }
        if !self.may_be(s, DONE) {
            for m in ctx.model.of(s, Kind::Milestone) {
                if !self.drop_value(ctx.vars, Role::Sentry(m), 1) {
                    return false;
                }
            }
        }
        match ctx.model.stages[s].parent {
            Some(p) if !self.may_be(s, OUTSIDE) => self.assume(ctx, Role::State(p), OPENED, true),
            _ => true,
        }
    }

    fn drop_value(&mut self, vars: Vars, role: Role, code: i64) -> bool {
        let left = self.mask(vars, role) & !(1 << code);
        self.put(vars, role, left);
        left != 0
    }

    /// The variable gets one of these values (bits), whatever it had; what depended on it is forgotten.
    pub fn write(&mut self, ctx: Ctx, role: Role, values: u64) {
        self.put(ctx.vars, role, values);
        ctx.readers(role).iter().for_each(|x| self.outdate(*x));
        match role {
            Role::State(s) => self.wrote_state(ctx, s, values),
            Role::Sentry(x) if ctx.model.sentries[x].kind == Kind::Milestone && values & 2 != 0 => {
                let s = ctx.model.sentries[x].stage;
                if self.may(ctx.vars, Role::State(s), OPENED) {
                    self.note(Vars::state(s), DONE, true);
                }
            }
            _ => {}
        }
    }

    fn wrote_state(&mut self, ctx: Ctx, s: StageIx, values: u64) {
        let opened = values & (1 << OPENED) != 0;
        for x in ctx.model.of(s, Kind::Milestone).chain(ctx.model.of(s, Kind::Fault)) {
            self.note(self.sentries + x, STALE, opened);
        }
        let holds = |m: SentryIx| !self.must(ctx.vars, Role::Sentry(m), 0);
        let done = opened && ctx.model.of(s, Kind::Milestone).any(holds);
        let left = |p: StageIx| !self.must(ctx.vars, Role::State(p), OPENED);
        let outside = opened && ctx.model.stages[s].parent.is_some_and(left);
        self.note(Vars::state(s), DONE, done);
        self.note(Vars::state(s), OUTSIDE, outside);
        if values & (1 << UNOPENED | 1 << CLOSED) != 0 {
            for &c in &ctx.model.stages[s].children {
                if self.may(ctx.vars, Role::State(c), OPENED) {
                    self.note(Vars::state(c), OUTSIDE, true);
                }
            }
        }
    }

    /// An event begins or ends: sentries that ask for it are to be looked at again.
    pub fn occurs(&mut self, listeners: impl Iterator<Item = SentryIx>) {
        listeners.for_each(|x| self.outdate(x));
    }

    /// Leaves only what makes a sentry's condition true (or false); `false` when nothing does.
    pub fn refine(&mut self, ctx: Ctx, condition: &Condition, occurring: Option<EventIx>, holds: bool) -> bool {
        // A condition that reached an undeclared event is false whatever its parts say.
        if !holds && condition.asks_undeclared() { true } else { self.narrow(ctx, condition, occurring, holds) }
    }

    fn narrow(&mut self, ctx: Ctx, condition: &Condition, occurring: Option<EventIx>, holds: bool) -> bool {
        match condition {
            Condition::Const(b) => *b == holds,
            Condition::Occurs(e) => (occurring == Some(*e)) == holds,
            Condition::Undeclared => true,
            Condition::Opened(s) => self.assume(ctx, Role::State(*s), OPENED, holds),
            Condition::Achieved(m) => self.assume(ctx, Role::Sentry(*m), 1, holds),
            Condition::Is(item, code, is) => self.assume(ctx, Role::Item(*item), *code, *is == holds),
            Condition::Not(a) => self.narrow(ctx, a, occurring, !holds),
            Condition::And(parts) if holds => parts.iter().all(|p| self.narrow(ctx, p, occurring, true)),
            Condition::Or(parts) if !holds => parts.iter().all(|p| self.narrow(ctx, p, occurring, false)),
            Condition::And(parts) | Condition::Or(parts) => {
                let one = |p: &Condition| {
                    let mut branch = self.clone();
                    branch.narrow(ctx, p, occurring, holds).then_some(branch)
                };
                let joined = parts.iter().filter_map(one).reduce(Abs::join);
                joined.is_some_and(|j| {
                    *self = j;
                    true
                })
            }
        }
    }

    /// What is known after either.
    pub fn join(mut self, mut other: Abs) -> Abs {
        self.normalise();
        other.normalise();
        self.bits.iter_mut().zip(&other.bits).for_each(|(a, b)| *a |= b);
        self.items.iter_mut().zip(&other.items).for_each(|(a, b)| *a |= b);
        self
    }
}

impl Abs {
    /// Both relations hold for a stage that cannot be opened.
    fn normalise(&mut self) {
        for state in self.bits[..self.sentries].iter_mut().step_by(3) {
            if *state & (1 << OPENED) == 0 {
                *state &= !(DONE | OUTSIDE);
            }
        }
    }
}

/// What facts are about.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its variables.
    pub vars: Vars,
    /// Per variable, the sentries whose conditions read it.
    pub readers: &'a [Vec<SentryIx>],
}

impl<'a> Ctx<'a> {
    fn readers(&self, role: Role) -> &'a [SentryIx] {
        self.readers.get(self.vars.id(role).0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Does the condition of a sentry ask for its own last value?
    pub fn reads_itself(&self, x: SentryIx) -> bool {
        self.readers(Role::Sentry(x)).contains(&x)
    }
}

/// Per variable, the sentries whose conditions read it.
pub fn readers(model: &Model, vars: Vars) -> Vec<Vec<SentryIx>> {
    let mut all = vec![Vec::new(); vars.named()];
    for (x, sentry) in model.sentries.iter().enumerate() {
        sentry.condition.walk(&mut |part| {
            let role = match part {
                Condition::Opened(s) => Role::State(*s),
                Condition::Achieved(m) => Role::Sentry(*m),
                Condition::Is(i, ..) => Role::Item(*i),
                _ => return,
            };
            all[vars.id(role).0 as usize].push(x);
        });
    }
    all
}
