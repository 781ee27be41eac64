//! What is known at a point of a body, so that calls that cannot change anything are left out.
//!
//! Four kinds of facts: the possible values of each variable; which sentries are up to date; for which stages *opened* means that no
//! milestone of it holds, and for which that the stage around it is opened. All are over-approximations: a fact that is not known is
//! never used.

use super::vars::{CLOSED, OPENED, Role, UNOPENED, Vars};
use crate::lang::egsm::model::{Condition, EventIx, Kind, Model, SentryIx, StageIx};

/// Items with more values than bits are not tracked.
const TRACKED: i64 = 63;

/// Facts at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abs {
    /// Possible values per variable, as bits by code; all bits: unknown.
    values: Vec<u64>,
    /// The sentry's last value is what its condition says (milestones, fault loggers: or the stage is not opened, or the logger has
    /// tripped).
    fresh: Vec<bool>,
    /// Opened, then no milestone of it holds.
    undone: Vec<bool>,
    /// Opened, then the stage around it is opened.
    inside: Vec<bool>,
}

impl Abs {
    /// The facts of one settled snapshot, given by the values of all variables.
    pub fn exactly(model: &Model, values: &[i64]) -> Abs {
        let bit = |v: &i64| if (0..=TRACKED).contains(v) { 1 << v } else { u64::MAX };
        Abs {
            values: values.iter().map(bit).collect(),
            fresh: vec![false; model.sentries.len()],
            undone: vec![false; model.stages.len()],
            inside: vec![false; model.stages.len()],
        }
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
        self.values.get(vars.id(role).0 as usize).copied().unwrap_or(u64::MAX)
    }

    /// Is the sentry known to be up to date?
    pub fn is_fresh(&self, x: SentryIx) -> bool {
        self.fresh[x]
    }

    /// The sentry has just been compared with its condition.
    pub fn refresh(&mut self, x: SentryIx) {
        self.fresh[x] = true;
    }

    /// Opened means: no milestone of it holds.
    pub fn settle(&mut self, s: StageIx) {
        self.undone[s] = true;
    }

    /// Opened means: the stage around it is opened.
    pub fn enclose(&mut self, s: StageIx) {
        self.inside[s] = true;
    }

    /// Leaves only this value; `false` when it was not possible.
    pub fn assume(&mut self, ctx: Ctx, role: Role, code: i64, is: bool) -> bool {
        let id = ctx.vars.id(role).0 as usize;
        let Some(mask) = self.values.get_mut(id) else { return true };
        if code > TRACKED || *mask == u64::MAX {
            if is && code <= TRACKED {
                *mask = 1 << code;
            }
            return true;
        }
        *mask &= if is { 1 << code } else { !(1 << code) };
        if *mask == 0 {
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
            let done = self.undone[s] && ctx.model.of(s, Kind::Milestone).any(holds);
            return !done || self.drop_value(ctx.vars, Role::State(s), OPENED);
        }
        if self.undone[s] {
            for m in ctx.model.of(s, Kind::Milestone) {
                if !self.drop_value(ctx.vars, Role::Sentry(m), 1) {
                    return false;
                }
            }
        }
        match ctx.model.stages[s].parent {
            Some(p) if self.inside[s] => self.assume(ctx, Role::State(p), OPENED, true),
            _ => true,
        }
    }

    fn drop_value(&mut self, vars: Vars, role: Role, code: i64) -> bool {
        let mask = &mut self.values[vars.id(role).0 as usize];
        *mask &= !(1 << code);
        *mask != 0
    }

    /// The variable gets one of these values (bits), whatever it had; what depended on it is forgotten.
    pub fn write(&mut self, ctx: Ctx, role: Role, values: u64) {
        self.values[ctx.vars.id(role).0 as usize] = values;
        for &x in ctx.readers(role) {
            self.fresh[x] = false;
        }
        match role {
            Role::State(s) => self.wrote_state(ctx, s, values),
            Role::Sentry(x) if ctx.model.sentries[x].kind == Kind::Milestone && values & 2 != 0 => {
                let s = ctx.model.sentries[x].stage;
                self.undone[s] &= !self.may(ctx.vars, Role::State(s), OPENED);
            }
            _ => {}
        }
    }

    fn wrote_state(&mut self, ctx: Ctx, s: StageIx, values: u64) {
        let opened = values & (1 << OPENED) != 0;
        for x in ctx.model.of(s, Kind::Milestone).chain(ctx.model.of(s, Kind::Fault)) {
            self.fresh[x] = !opened;
        }
        self.undone[s] = !opened || ctx.model.of(s, Kind::Milestone).all(|m| self.must(ctx.vars, Role::Sentry(m), 0));
        self.inside[s] =
            !opened || ctx.model.stages[s].parent.is_none_or(|p| self.must(ctx.vars, Role::State(p), OPENED));
        if values & (1 << UNOPENED | 1 << CLOSED) != 0 {
            for &c in &ctx.model.stages[s].children {
                self.inside[c] &= !self.may(ctx.vars, Role::State(c), OPENED);
            }
        }
    }

    /// An event begins or ends: sentries that ask for it are to be looked at again.
    pub fn occurs(&mut self, listeners: impl Iterator<Item = SentryIx>) {
        listeners.for_each(|x| self.fresh[x] = false);
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
        let and = |a: &mut [bool], b: &[bool]| a.iter_mut().zip(b).for_each(|(x, y)| *x &= y);
        self.values.iter_mut().zip(&other.values).for_each(|(a, b)| *a |= b);
        and(&mut self.fresh, &other.fresh);
        and(&mut self.undone, &other.undone);
        and(&mut self.inside, &other.inside);
        self
    }
}

impl Abs {
    /// Both relations hold for a stage that cannot be opened.
    fn normalise(&mut self) {
        for s in 0..self.undone.len() {
            let shut = self.values[Vars::state(s)] & (1 << OPENED) == 0;
            self.undone[s] |= shut;
            self.inside[s] |= shut;
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
