//! What properties ask about the control state.

use super::Lower;
use crate::lang::amber::model::{Control, Expr, NodeIx, NodeKind};
use crate::logic::{Formula, Property, Rewrite};
use crate::machine::{ArithOp, CompareOp, ExprId, FALSE};

impl Rewrite<Expr, ExprId> for Lower<'_> {
    fn atom(&mut self, e: &Expr) -> Formula<ExprId> {
        Formula::Atom(self.expr(e))
    }
}

impl Lower<'_> {
    pub(super) fn make_properties(&mut self, properties: &[Property<Expr>]) {
        for p in properties {
            let ground = p.rewritten(self);
            self.m.properties.push(ground);
        }
    }

    pub(super) fn control(&mut self, c: Control) -> ExprId {
        match c {
            Control::Executed(n) => self.m.exprs.cur(self.map.executed[n]),
            Control::Triggered(n) => self.waiting(n),
            Control::Disabled(n) => self.flag(self.map.disabled[n]),
            Control::Blocked(n) => self.flag(self.map.blocked[n]),
            Control::Overflow => self.m.exprs.cur(self.m.overflow),
            Control::Enabled(n) => self.some_event(|e| e.parties.contains(&n)),
            Control::EnabledRelation(r) => self.some_event(|e| e.relation == Some(r)),
            Control::Just(n) => self.just(|e| e.parties.contains(&n)),
            Control::JustRelation(r) => self.just(|e| e.relation == Some(r)),
            Control::InCounter(n) => {
                let mut count = self.m.exprs.int(0);
                for mark in self.marked(n) {
                    let (one, zero) = (self.m.exprs.int(1), self.m.exprs.int(0));
                    let is = self.m.exprs.ite(mark, one, zero);
                    count = self.m.exprs.arith(ArithOp::Add, count, is);
                }
                count
            }
            Control::Ended => {
                let some = self.some_event(|_| true);
                self.m.exprs.not(some)
            }
            Control::Stuck => {
                let (ended, left) = (self.control(Control::Ended), self.left_undone());
                self.m.exprs.and([ended, left])
            }
            Control::Finished => {
                let (ended, left) = (self.control(Control::Ended), self.left_undone());
                let done = self.m.exprs.not(left);
                self.m.exprs.and([ended, done])
            }
        }
    }

    fn flag(&mut self, var: Option<crate::machine::VarId>) -> ExprId {
        var.map_or(FALSE, |v| self.m.exprs.cur(v))
    }

    /// An occurrence of an (inter)action waits.
    fn waiting(&mut self, n: NodeIx) -> ExprId {
        let Some(var) = self.map.triggered[n] else { return FALSE };
        let read = self.m.exprs.cur(var);
        self.positive(var, read)
    }

    fn some_event(&mut self, which: impl Fn(&crate::lang::amber::Event) -> bool) -> ExprId {
        let model = self.model;
        let all: Vec<ExprId> = model.events.iter().filter(|e| which(e)).map(|e| self.possible(e, false)).collect();
        self.m.exprs.or(all)
    }

    fn just(&mut self, which: impl Fn(&crate::lang::amber::Event) -> bool) -> ExprId {
        let Some(last) = self.map.last else { return FALSE };
        let mut any = Vec::new();
        for (i, _) in self.model.events.iter().enumerate().filter(|(_, e)| which(e)) {
            let (read, code) = (self.m.exprs.cur(last), self.m.exprs.int(i as i64 + 1));
            any.push(self.m.exprs.compare(CompareOp::Eq, read, code));
        }
        self.m.exprs.or(any)
    }

    /// Per arrow into an AndJoin: is it marked?
    fn marked(&mut self, join: NodeIx) -> Vec<ExprId> {
        let model = self.model;
        let marks: Vec<_> = model.incoming(join).filter_map(|a| self.map.marks[a]).collect();
        let mut out = Vec::new();
        for mark in marks {
            let read = self.m.exprs.cur(mark);
            out.push(self.positive(mark, read));
        }
        out
    }

    /// Something that need not have been left out waits, a join is half marked, a split is blocked, or nothing ever happened.
    fn left_undone(&mut self) -> ExprId {
        let mut any = Vec::new();
        for (n, node) in self.model.nodes.iter().enumerate() {
            match node.kind {
                NodeKind::Action | NodeKind::Interaction if !node.optional => any.push(self.waiting(n)),
                NodeKind::OrSplit => any.push(self.flag(self.map.blocked[n])),
                NodeKind::AndJoin => {
                    let marks = self.marked(n);
                    let (some, all) = (self.m.exprs.or(marks.clone()), self.m.exprs.and(marks));
                    let not_all = self.m.exprs.not(all);
                    any.push(self.m.exprs.and([some, not_all]));
                }
                _ => {}
            }
        }
        let happened: Vec<ExprId> = self.map.executed.clone().into_iter().map(|v| self.m.exprs.cur(v)).collect();
        let happened = self.m.exprs.or(happened);
        any.push(self.m.exprs.not(happened));
        self.m.exprs.or(any)
    }
}
