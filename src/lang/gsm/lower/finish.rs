//! The end of a step: tasks become pending or are dropped.

use super::Lower;
use super::body::{Happening, Known};
use crate::lang::gsm::{Occurrence, TaskIx};
use crate::machine::{Assign, ExprId, FALSE, SlotIx};

impl Lower<'_> {
    pub(super) fn finish(&mut self, body: &mut Happening, known: &Known) {
        let mut unsent = Vec::new();
        for slot in SlotIx::all(&self.m.slots) {
            for task in TaskIx::all(&self.app.types[self.map.slots[slot].ty].tasks) {
                unsent.extend(self.finish_task(body, known, slot, task));
            }
            self.finish_observers(body, known, slot);
        }
        let mut overflow = Vec::new();
        let some = self.m.exprs.or(unsent);
        self.set_overflow(&mut overflow, some);
        overflow.into_iter().for_each(|a| self.push_finish(body, known, a));
    }

    /// What becomes of a task, and when its stage opens although its message is still under way.
    fn finish_task(&mut self, body: &mut Happening, known: &Known, slot: SlotIx, task: TaskIx) -> Option<ExprId> {
        let ty = self.map.slots[slot].ty;
        let stage = self.map.slots[slot].stages[self.app.types[ty].tasks[task].stage.0];
        let pending = self.map.slots[slot].pending[task.0];
        let trigger = body.trigger;
        let consumed = trigger.completes_at() == Some(slot) && trigger.occurrence == Occurrence::TaskDone(ty, task);
        if !known.written.contains(&stage) && !consumed {
            return None;
        }
        let (was, is, waiting) = (self.m.exprs.prev(stage), self.m.exprs.cur(stage), self.m.exprs.prev(pending));
        let closed_before = self.m.exprs.not(was);
        let opened = self.m.exprs.and([closed_before, is]);
        // A message is not taken back when its stage closes, and none is sent while another is under way.
        let sends = self.app.message(ty, task).is_some();
        let still = match (consumed, sends) {
            (true, _) => FALSE,
            (false, true) => waiting,
            (false, false) => self.m.exprs.and([waiting, is]),
        };
        let free = self.m.exprs.not(still);
        let begins = if sends { self.m.exprs.and([opened, free]) } else { opened };
        for (n, held) in self.held(ty, task).into_iter().enumerate() {
            let Some(buffer) = self.map.slots[slot].buffers[task.0].get(n).cloned() else { continue };
            let nothing = self.m.var(buffer.var).init;
            let (old, absent) = (self.m.exprs.prev(buffer.var), self.m.exprs.int(nothing));
            let (there, new) = match (self.found(body, slot, &held), buffer.present) {
                (None, _) => (FALSE, absent),
                (Some(found), Some(_)) => found,
                (Some((there, value)), None) => (there, self.buffer_code(value, &held.domain)),
            };
            if let Some(present) = buffer.present {
                let old = self.m.exprs.prev(present);
                let kept = self.m.exprs.and([still, old]);
                let value = self.m.exprs.ite(begins, there, kept);
                self.push_finish(body, known, Assign { var: present, value });
            }
            let new = self.m.exprs.ite(there, new, absent);
            let kept = self.m.exprs.ite(still, old, absent);
            let value = self.m.exprs.ite(begins, new, kept);
            self.push_finish(body, known, Assign { var: buffer.var, value });
        }
        let value = self.m.exprs.or([begins, still]);
        self.push_finish(body, known, Assign { var: pending, value });
        let unsent = self.m.exprs.and([opened, still]);
        sends.then_some(unsent)
    }

    /// Adds an assignment, simplified; one that changes nothing is left out.
    pub(super) fn push_finish(&mut self, body: &mut Happening, known: &Known, a: Assign) {
        let value = known.simplify(&mut self.m.exprs, a.value);
        let unchanged = self.m.exprs.prev(a.var);
        if value != unchanged && known.before.get(&a.var) != Some(&value) {
            body.finish.push(Assign { var: a.var, value });
        }
    }
}
