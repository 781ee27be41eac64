//! From the propagation of E-GSM to straight-line bodies: one per event and per value of an item.
//!
//! All calls are inlined in order. First the settled snapshots are over-approximated: from the initial one, all moves, until nothing
//! grows. Then every move is written down once, without the calls that cannot change anything there.

mod abs;
mod cut;
mod inline;
mod machine;
mod point;
mod slice;
#[cfg(test)]
mod tests;
mod update;
pub(super) mod vars;

pub use machine::{Built, build, whole};
pub use point::{Cause, Op};
pub use vars::{Role, Turn, Vars};

use super::literal::{self, Compliance, Move, Snapshot, State};
use super::model::{Kind, Model, SentryIx, StageIx};
use crate::machine::{ExprId, Exprs, TRUE};
use abs::{Abs, Ctx, readers};
use inline::MOST_OPS;
use point::Point;

/// What a move does: the assignments in order.
#[derive(Clone, Debug)]
pub struct MoveBody {
    /// The move.
    pub what: Move,
    /// Possible when this holds (over the snapshot before).
    pub possible: ExprId,
    /// Sentries that are no part of the snapshot, as they were before the move.
    pub recall: Vec<(SentryIx, ExprId)>,
    /// The assignments.
    pub ops: Vec<Op>,
}

/// All moves of a model.
#[derive(Clone, Debug)]
pub struct Bodies {
    /// Handles of variables.
    pub vars: Vars,
    /// The expressions.
    pub exprs: Exprs,
    /// One per move.
    pub moves: Vec<MoveBody>,
    /// Most conditions in use at once.
    pub conditions: usize,
    /// Guards and flow guards that are up to date in every settled snapshot, so no part of it.
    pub derived: Vec<SentryIx>,
    /// Values of all variables but conditions at the start.
    pub initial: Vec<i64>,
    /// How often an element may stand on a way of nested calls.
    pub nesting: usize,
}

impl Bodies {
    /// Did this happen at the start already?
    pub fn at_start(&self, role: Role) -> bool {
        self.initial.get(self.vars.id(role).0 as usize).is_some_and(|value| *value != 0)
    }

    /// Is some call left out because it is nested too deep?
    pub fn cuts(&self) -> bool {
        let unstable = self.vars.id(Role::Unstable);
        self.moves.iter().any(|m| m.ops.iter().any(|op| op.target == unstable))
    }
}

/// A model that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The rules do not settle at the start.
    Unsettled,
    /// A body grows beyond all bounds where these stages set each other off.
    TooLong(Vec<StageIx>),
}

/// Writes down every move; an element stands at most `nesting` times on a way of nested calls.
pub fn bodies(model: &Model, nesting: usize) -> Result<Bodies, Refused> {
    let vars = Vars::of(model);
    let readers = readers(model, vars);
    let ctx = Ctx { model, vars, readers: &readers };
    let (start, turned) = literal::initial(model).map_err(|_| Refused::Unsettled)?;
    let mut initial = values(model, vars, &start);
    // What happens at the start is told like what happens in a move.
    turned.into_iter().for_each(|turn| initial[vars.id(turn.into()).0 as usize] = 1);
    let mut exprs = Exprs::default();
    let start = known(ctx, &mut exprs, &initial);
    let (settled, written) = settle(ctx, &mut exprs, start, nesting)?;
    let derives = |x: &SentryIx| matches!(model.sentries[*x].kind, Kind::Guard | Kind::Flow) && settled.is_fresh(*x);
    let derived: Vec<SentryIx> = (0..model.sentries.len()).filter(derives).collect();
    let conditions = written.iter().map(|(_, one)| one.conditions).max().unwrap_or(0);
    let recall = recall(ctx, &mut exprs, &settled, &derived);
    let body = |(what, Written { possible, ops, .. })| MoveBody { what, possible, recall: recall.clone(), ops };
    let all = written.into_iter().map(body).collect();
    Ok(Bodies { vars, exprs, moves: all, conditions, derived, initial, nesting })
}

/// Writes moves down until none of them leads beyond the settled snapshots that it was written for.
fn settle(
    ctx: Ctx,
    exprs: &mut Exprs,
    mut settled: Abs,
    nesting: usize,
) -> Result<(Abs, Vec<(Move, Written)>), Refused> {
    // With each move the number of times that the settled snapshots had grown before.
    let (mut grown, mut list) = (0, Vec::new());
    list.extend(moves(ctx.model).into_iter().map(|what| (what, None)));
    while list
        .iter()
        .any(|(_, done): &(Move, Option<(usize, Option<Written>)>)| done.as_ref().is_none_or(|d| d.0 < grown))
    {
        for (what, done) in &mut list {
            if done.as_ref().is_some_and(|(at, _)| *at == grown) {
                continue;
            }
            let (at, one) = (grown, write(ctx, exprs, settled.clone(), *what, nesting)?);
            if let Some(one) = &one {
                let joined = settled.clone().join(one.after.clone());
                grown += usize::from(joined != settled);
                settled = joined;
            }
            *done = Some((at, one));
        }
    }
    let written = list.into_iter().filter_map(|(what, done)| Some((what, done?.1?)));
    Ok((settled, written.collect()))
}

/// Everything the environment can do.
pub fn moves(model: &Model) -> Vec<Move> {
    let events = (0..model.events.len()).filter(|e| !model.events[*e].of_item).map(Move::Event);
    let of = |i: usize| (0..=model.items[i].values.len() as i64).map(move |v| Move::Item(i, v));
    events.chain((0..model.items.len()).flat_map(of)).collect()
}

/// A snapshot of the literal execution as values of all variables but conditions.
pub fn values(model: &Model, vars: Vars, s: &Snapshot) -> Vec<i64> {
    let mut all = vec![0; vars.named()];
    let mut set = |role, value| all[vars.id(role).0 as usize] = value;
    for (ix, status) in s.stages.iter().enumerate() {
        let state = match status.state {
            State::Unopened => vars::UNOPENED,
            State::Opened => vars::OPENED,
            State::Closed => vars::CLOSED,
        };
        let compliance = match status.compliance {
            Compliance::OnTime => vars::ON_TIME,
            Compliance::OutOfOrder => vars::OUT_OF_ORDER,
            Compliance::Skipped => vars::SKIPPED,
        };
        set(Role::State(ix), state);
        set(Role::Compliance(ix), compliance);
        set(Role::Faulty(ix), i64::from(status.faulty));
    }
    (0..model.sentries.len()).for_each(|x| set(Role::Sentry(x), i64::from(s.sentries[x])));
    (0..model.items.len()).for_each(|i| set(Role::Item(i), s.items[i]));
    all
}

/// What is known of one snapshot.
fn known(ctx: Ctx, exprs: &mut Exprs, values: &[i64]) -> Abs {
    let abs = Abs::exactly(ctx.model, values);
    let mut point = point(ctx, exprs, abs, 1);
    for (x, sentry) in ctx.model.sentries.iter().enumerate() {
        let (value, holds) = (point.is(Role::Sentry(x)), point.sentry(x));
        let opened = point.abs.may(ctx.vars, Role::State(sentry.stage), vars::OPENED);
        let asleep = match sentry.kind {
            Kind::Guard | Kind::Flow => false,
            Kind::Milestone => !opened,
            Kind::Fault => !opened || value == TRUE,
        };
        if asleep || value == holds {
            point.abs.refresh(x);
        }
    }
    for (s, stage) in ctx.model.stages.iter().enumerate() {
        let opened = point.abs.may(ctx.vars, Role::State(s), vars::OPENED);
        if !opened || point.some(s, Kind::Milestone) != TRUE {
            point.abs.settle(s);
        }
        if !opened || stage.parent.is_none_or(|p| point.abs.may(ctx.vars, Role::State(p), vars::OPENED)) {
            point.abs.enclose(s);
        }
    }
    point.abs
}

fn point<'a>(ctx: Ctx<'a>, exprs: &'a mut Exprs, abs: Abs, nesting: usize) -> Point<'a> {
    Point {
        ctx,
        exprs,
        abs,
        ops: Vec::new(),
        occurring: None,
        path: Vec::new(),
        nesting,
        conditions: 0,
        most: 0,
        circle: Vec::new(),
        written: vec![0; ctx.model.stages.len()],
    }
}

/// The values of sentries that are no part of the snapshot, before a move.
fn recall(ctx: Ctx, exprs: &mut Exprs, settled: &Abs, derived: &[SentryIx]) -> Vec<(SentryIx, ExprId)> {
    let mut point = point(ctx, exprs, settled.clone(), 1);
    derived.iter().map(|x| (*x, point.sentry(*x))).collect()
}

struct Written {
    possible: ExprId,
    ops: Vec<Op>,
    after: Abs,
    conditions: usize,
}

/// One move from what is known; `None` when it can never be made.
fn write(ctx: Ctx, exprs: &mut Exprs, settled: Abs, what: Move, nesting: usize) -> Result<Option<Written>, Refused> {
    let mut point = point(ctx, exprs, settled, nesting);
    let mut possible = TRUE;
    match what {
        Move::Event(e) => point.raise(e),
        Move::Item(i, code) => {
            if code != 0 {
                let same = point.has(Role::Item(i), code);
                possible = point.exprs.not(same);
                if !point.abs.assume(ctx, Role::Item(i), code, false) {
                    return Ok(None);
                }
            }
            point.abs.write(ctx, Role::Item(i), if code < 63 { 1 << code } else { u64::MAX });
            if let Some((leave, enter)) = ctx.model.items[i].raises {
                point.raise(leave);
                point.raise(enter);
                ctx.model.items[i].listeners.iter().for_each(|p| point.update(TRUE, *p, false));
            }
        }
    }
    if point.ops.len() > MOST_OPS {
        return Err(Refused::TooLong(point.circle));
    }
    Ok(Some(Written { possible, ops: point.ops, after: point.abs, conditions: point.most }))
}
