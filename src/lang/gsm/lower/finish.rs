//! The end of a step: tasks become pending or are dropped.

use super::Lower;
use super::body::{Happening, Known};
use crate::lang::gsm::{EventIx, Occurrence, TaskIx};
use crate::machine::{Assign, InputIx, SlotIx};

impl Lower<'_> {
    pub(super) fn finish(&mut self, body: &mut Happening, known: &Known) {
        for slot in SlotIx::all(&self.m.slots) {
            for task in TaskIx::all(&self.app.types[self.map.slots[slot].ty].tasks) {
                self.finish_task(body, known, slot, task);
            }
            self.finish_observers(body, known, slot);
        }
    }

    fn finish_task(&mut self, body: &mut Happening, known: &Known, slot: SlotIx, task: TaskIx) {
        let ty = self.map.slots[slot].ty;
        let stage = self.map.slots[slot].stages[self.app.types[ty].tasks[task].stage.0];
        let pending = self.map.slots[slot].pending[task.0];
        let consumed = body.target == Some(slot) && body.occurrence == Occurrence::TaskDone(ty, task);
        if !known.written.contains(&stage) && !consumed {
            return;
        }
        let (was, is, waiting) = (self.m.exprs.prev(stage), self.m.exprs.cur(stage), self.m.exprs.prev(pending));
        let closed_before = self.m.exprs.not(was);
        let opened = self.m.exprs.and([closed_before, is]);
        let still = if consumed { self.m.exprs.bool(false) } else { self.m.exprs.and([waiting, is]) };
        for (n, (field, events)) in self.field_sources(ty, task).into_iter().enumerate() {
            let Some(buffer) = self.map.slots[slot].buffers[task.0].get(n).cloned() else { continue };
            let carried = carried(body, slot, &field, &events);
            if let Some(present) = buffer.present {
                let old = self.m.exprs.prev(present);
                let kept = self.m.exprs.and([still, old]);
                let new = self.m.exprs.bool(carried.is_some());
                let value = self.m.exprs.ite(opened, new, kept);
                self.push_finish(body, known, Assign { var: present, value });
            }
            let nothing = self.m.var(buffer.var).init;
            let (old, absent) = (self.m.exprs.prev(buffer.var), self.m.exprs.int(nothing));
            let new = match carried {
                Some(i) if buffer.present.is_some() => self.kept(i, &body.inputs[i].domain, buffer.var),
                Some(i) => self.buffer_code(i, &body.inputs[i].domain),
                None => absent,
            };
            let kept = self.m.exprs.ite(still, old, absent);
            let value = self.m.exprs.ite(opened, new, kept);
            self.push_finish(body, known, Assign { var: buffer.var, value });
        }
        let value = self.m.exprs.or([opened, still]);
        self.push_finish(body, known, Assign { var: pending, value });
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

/// The input of this step that the buffer of a stage that opens takes; `None`: it stays without a value.
fn carried(body: &Happening, slot: SlotIx, field: &str, events: &[EventIx]) -> Option<InputIx> {
    match body.occurrence {
        Occurrence::Event(e) if body.target == Some(slot) && (events.is_empty() || events.contains(&e)) => {
            body.inputs.iter().position(|i| i.name == field).map(InputIx)
        }
        _ => None,
    }
}
