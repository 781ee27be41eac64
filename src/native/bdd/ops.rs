//! The recursive operations.
//!
//! The library has these too, but its versions cannot be interrupted, and its quantification
//! does not stop at the first branch that is already true. They are therefore written here
//! on the library's public traits and share its cache.

use std::cell::Cell;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use oxidd::bcdd::BCDDFunction;
use oxidd::{Function, InnerNode, Manager};
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{ApplyCache, HasApplyCache, HasLevel, LevelView, Node};
use oxidd_rules_bdd::complement_edge::{BCDDOp, BCDDTerminal, EdgeTag};

use super::{Bdd, Level, Limits, Patience, Stop};

pub(super) type Mgr<'id> = <BCDDFunction as Function>::Manager<'id>;
pub(super) type Edge<'id> = <Mgr<'id> as Manager>::Edge;
pub(super) type Inner<'id> = <Mgr<'id> as Manager>::InnerNode;
pub(super) type Own<'id> = oxidd_core::util::Own<Edge<'id>>;
pub(super) type Ref<'a, 'id> = oxidd_core::util::Ref<'a, Edge<'id>>;
pub(super) type Res<T> = Result<T, Stop>;

/// Deadline and interrupt, looked at now and then.
pub(super) struct Clock {
    deadline: Cell<Option<Instant>>,
    interrupt: Arc<AtomicBool>,
    ticks: Cell<u64>,
    patience: Option<Patience>,
    /// Whether to go on beyond the patience, once that is known.
    goes_on: Cell<Option<bool>>,
}

impl Clock {
    const EVERY: u64 = 1 << 12;

    pub(super) fn new(limits: &Limits) -> Clock {
        let Limits { deadline, interrupt, patience, .. } = limits.clone();
        Clock { deadline: Cell::new(deadline), interrupt, ticks: Cell::new(0), patience, goes_on: Cell::new(None) }
    }

    /// Has more been done than somebody is patient for, who wants no more?
    fn is_enough(&self) -> bool {
        let Some(patience) = &self.patience else { return false };
        if self.ticks.get() < patience.work {
            return false;
        }
        let goes_on = self.goes_on.get().or_else(|| (patience.go_on)());
        self.goes_on.set(goes_on);
        goes_on == Some(false)
    }

    pub(super) fn ticks(&self) -> u64 {
        self.ticks.get()
    }

    pub(super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    pub(super) fn check(&self) -> Res<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.is_enough() {
            return Err(Stop::Enough);
        }
        match self.deadline.get() {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    /// Called once per recursion step.
    #[inline]
    fn tick(&self) -> Res<()> {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(Self::EVERY) { self.check() } else { Ok(()) }
    }
}

#[inline]
pub(super) fn not<'a, 'id>(e: Ref<'a, 'id>) -> Ref<'a, 'id> {
    e.with_tag(!e.tag())
}

#[inline]
fn not_owned<'id>(e: Own<'id>) -> Own<'id> {
    let tag = !e.tag();
    e.with_tag(tag)
}

/// One operation under way: the manager, locked, and the clock.
pub(super) struct Apply<'a, 'id: 'a> {
    pub(super) manager: &'a Mgr<'id>,
    pub(super) clock: &'a Clock,
}

type Guard<'a, 'id> = EdgeDropGuard<'a, Mgr<'id>>;

impl<'a, 'id> Apply<'a, 'id> {
    pub(super) fn edge<'b>(&self, f: &'b Bdd) -> Ref<'b, 'id> {
        f.0.as_edge(self.manager)
    }

    pub(super) fn guard(&self, e: Own<'id>) -> Guard<'a, 'id> {
        EdgeDropGuard::new(self.manager, e)
    }

    pub(super) fn clone(&self, e: Ref<'_, 'id>) -> Own<'id> {
        self.manager.clone_edge(e)
    }

    pub(super) fn terminal(&self, value: bool) -> Res<Own<'id>> {
        let top = self.manager.get_terminal(BCDDTerminal)?;
        Ok(if value { top } else { not_owned(top) })
    }

    /// The truth value of a terminal edge.
    pub(super) fn value(&self, e: Ref<'_, 'id>) -> Option<bool> {
        match self.manager.get_node(e) {
            Node::Inner(_) => None,
            Node::Terminal(_) => Some(e.tag() == EdgeTag::None),
        }
    }

    pub(super) fn level(&self, e: Ref<'_, 'id>) -> Level {
        self.manager.get_node(e).level()
    }

    /// The cofactors `(then, else)` of `e` for the variable at `level`, which is not below it.
    #[inline]
    pub(super) fn split<'b>(&self, e: Ref<'b, 'id>, level: Level) -> (Ref<'b, 'id>, Ref<'b, 'id>)
    where
        'a: 'b,
    {
        match self.manager.get_node(e) {
            Node::Inner(node) if node.level() == level => children(e.tag(), node),
            _ => (e, e),
        }
    }

    /// The reduced node with these children.
    #[inline]
    pub(super) fn node(&self, level: Level, then: Guard<'_, 'id>, otherwise: Guard<'_, 'id>) -> Res<Own<'id>> {
        if *then == *otherwise {
            return Ok(then.into_edge());
        }
        let (t, e) = (then.into_edge(), otherwise.into_edge());
        let tag = t.tag();
        let (t, e) = match tag {
            EdgeTag::None => (t, e),
            EdgeTag::Complemented => (not_owned(t), not_owned(e)),
        };
        let node = Inner::new(level, [t, e]);
        let edge = self.manager.level(level).get_or_insert(node)?;
        Ok(edge.with_tag(tag))
    }

    pub(super) fn cached(&self, op: BCDDOp, edges: &[Ref<'_, 'id>], numbers: &[u32]) -> Option<Own<'id>> {
        let cache = self.manager.apply_cache();
        let ([e], []) = cache.get_extended::<1, 0>(self.manager, op, (edges, numbers))?;
        Some(e)
    }

    pub(super) fn remember(&self, op: BCDDOp, edges: &[Ref<'_, 'id>], numbers: &[u32], result: &Own<'id>) {
        let cache = self.manager.apply_cache();
        let values = [result.borrowed()];
        cache.add_extended(self.manager, op, (edges, numbers), (&values, &[]));
    }

    pub(super) fn tick(&self) -> Res<()> {
        self.clock.tick()
    }

    /// The conjunction of literals sorted by level.
    pub(super) fn cube(&self, literals: &[(Level, bool)]) -> Res<Own<'id>> {
        let mut result = self.guard(self.terminal(true)?);
        for &(level, value) in literals.iter().rev() {
            let no = self.guard(self.terminal(false)?);
            let edge = if value { self.node(level, result, no)? } else { self.node(level, no, result)? };
            result = self.guard(edge);
        }
        Ok(result.into_edge())
    }

    pub(super) fn and(&self, f: Ref<'_, 'id>, g: Ref<'_, 'id>) -> Res<Own<'id>> {
        let (f, g) = match f.cmp(&g) {
            Equal => return Ok(self.clone(f)),
            Less => (f, g),
            Greater => (g, f),
        };
        if f == not(g) {
            return self.terminal(false);
        }
        match (self.value(f), self.value(g)) {
            (Some(false), _) | (_, Some(false)) => return self.terminal(false),
            (Some(true), _) => return Ok(self.clone(g)),
            (_, Some(true)) => return Ok(self.clone(f)),
            (None, None) => {}
        }
        if let Some(hit) = self.cached(BCDDOp::And, &[f, g], &[]) {
            return Ok(hit);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let ((ft, fe), (gt, ge)) = (self.split(f, level), self.split(g, level));
        let t = self.guard(self.and(ft, gt)?);
        let e = self.guard(self.and(fe, ge)?);
        let result = self.node(level, t, e)?;
        self.remember(BCDDOp::And, &[f, g], &[], &result);
        Ok(result)
    }

    pub(super) fn or(&self, f: Ref<'_, 'id>, g: Ref<'_, 'id>) -> Res<Own<'id>> {
        Ok(not_owned(self.and(not(f), not(g))?))
    }

    pub(super) fn xor(&self, f: Ref<'_, 'id>, g: Ref<'_, 'id>) -> Res<Own<'id>> {
        // Negations move to the result, so that one cache entry serves all four.
        let negate = f.tag() != g.tag();
        let (f, g) = (f.with_tag(EdgeTag::None), g.with_tag(EdgeTag::None));
        let result = self.xor_plain(f, g)?;
        Ok(if negate { not_owned(result) } else { result })
    }

    fn xor_plain(&self, f: Ref<'_, 'id>, g: Ref<'_, 'id>) -> Res<Own<'id>> {
        let (f, g) = match f.cmp(&g) {
            Equal => return self.terminal(false),
            Less => (f, g),
            Greater => (g, f),
        };
        match (self.value(f), self.value(g)) {
            (Some(_), _) => return Ok(self.clone(not(g))),
            (_, Some(_)) => return Ok(self.clone(not(f))),
            (None, None) => {}
        }
        if let Some(hit) = self.cached(BCDDOp::Xor, &[f, g], &[]) {
            return Ok(hit);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let ((ft, fe), (gt, ge)) = (self.split(f, level), self.split(g, level));
        let t = self.guard(self.xor(ft, gt)?);
        let e = self.guard(self.xor(fe, ge)?);
        let result = self.node(level, t, e)?;
        self.remember(BCDDOp::Xor, &[f, g], &[], &result);
        Ok(result)
    }

    pub(super) fn ite(&self, c: Ref<'_, 'id>, f: Ref<'_, 'id>, g: Ref<'_, 'id>) -> Res<Own<'id>> {
        match (self.value(c), self.value(f), self.value(g)) {
            (Some(value), _, _) => return Ok(self.clone(if value { f } else { g })),
            (_, Some(true), _) => return self.or(c, g),
            (_, Some(false), _) => return self.and(not(c), g),
            (_, _, Some(true)) => return self.or(not(c), f),
            (_, _, Some(false)) => return self.and(c, f),
            (None, None, None) => {}
        }
        if f == g {
            return Ok(self.clone(f));
        }
        if f == not(g) {
            return self.xor(c, g);
        }
        if let Some(hit) = self.cached(BCDDOp::Ite, &[c, f, g], &[]) {
            return Ok(hit);
        }
        self.tick()?;
        let level = self.level(c).min(self.level(f)).min(self.level(g));
        let (ct, ce) = self.split(c, level);
        let ((ft, fe), (gt, ge)) = (self.split(f, level), self.split(g, level));
        let t = self.guard(self.ite(ct, ft, gt)?);
        let e = self.guard(self.ite(ce, fe, ge)?);
        let result = self.node(level, t, e)?;
        self.remember(BCDDOp::Ite, &[c, f, g], &[], &result);
        Ok(result)
    }

    pub(super) fn exists(&self, f: Ref<'_, 'id>, vars: Ref<'_, 'id>) -> Res<Own<'id>> {
        if self.value(f).is_some() {
            return Ok(self.clone(f));
        }
        let level = self.level(f);
        let vars = self.drop_above(vars, level);
        if self.value(vars).is_some() {
            return Ok(self.clone(f));
        }
        if let Some(hit) = self.cached(BCDDOp::Exists, &[f, vars], &[]) {
            return Ok(hit);
        }
        self.tick()?;
        let (ft, fe) = self.split(f, level);
        let (rest, _) = self.split(vars, level);
        let t = self.guard(self.exists(ft, rest)?);
        let result = if self.level(vars) != level {
            let e = self.guard(self.exists(fe, rest)?);
            self.node(level, t, e)?
        } else if self.value(t.borrowed()) == Some(true) {
            t.into_edge()
        } else {
            let e = self.guard(self.exists(fe, rest)?);
            self.or(t.borrowed(), e.borrowed())?
        };
        self.remember(BCDDOp::Exists, &[f, vars], &[], &result);
        Ok(result)
    }

    pub(super) fn and_exists(&self, f: Ref<'_, 'id>, g: Ref<'_, 'id>, vars: Ref<'_, 'id>) -> Res<Own<'id>> {
        if f == not(g) {
            return self.terminal(false);
        }
        match (self.value(f), self.value(g)) {
            (Some(false), _) | (_, Some(false)) => return self.terminal(false),
            (Some(true), _) => return self.exists(g, vars),
            (_, Some(true)) => return self.exists(f, vars),
            (None, None) => {}
        }
        let (f, g) = match f.cmp(&g) {
            Equal => return self.exists(f, vars),
            Less => (f, g),
            Greater => (g, f),
        };
        let level = self.level(f).min(self.level(g));
        let vars = self.drop_above(vars, level);
        if self.value(vars).is_some() {
            return self.and(f, g);
        }
        if let Some(hit) = self.cached(BCDDOp::ExistAnd, &[f, g, vars], &[]) {
            return Ok(hit);
        }
        self.tick()?;
        let ((ft, fe), (gt, ge)) = (self.split(f, level), self.split(g, level));
        let (rest, _) = self.split(vars, level);
        let t = self.guard(self.and_exists(ft, gt, rest)?);
        let result = if self.level(vars) != level {
            let e = self.guard(self.and_exists(fe, ge, rest)?);
            self.node(level, t, e)?
        } else if self.value(t.borrowed()) == Some(true) {
            t.into_edge()
        } else {
            let e = self.guard(self.and_exists(fe, ge, rest)?);
            self.or(t.borrowed(), e.borrowed())?
        };
        self.remember(BCDDOp::ExistAnd, &[f, g, vars], &[], &result);
        Ok(result)
    }

    /// The set of variables without those above `level`.
    fn drop_above<'b>(&self, mut vars: Ref<'b, 'id>, level: Level) -> Ref<'b, 'id>
    where
        'a: 'b,
    {
        while self.level(vars) < level {
            let above = self.level(vars);
            vars = self.split(vars, above).0;
        }
        vars
    }
}

/// The cofactors `(then, else)` of a node reached by an edge with this tag.
pub(super) fn children<'b, 'id>(tag: EdgeTag, node: &'b Inner<'id>) -> (Ref<'b, 'id>, Ref<'b, 'id>) {
    let (t, e) = (node.child(0), node.child(1));
    match tag {
        EdgeTag::None => (t, e),
        EdgeTag::Complemented => (not(t), not(e)),
    }
}
