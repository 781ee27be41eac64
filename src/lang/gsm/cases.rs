//! Recorded cases of a GSM model: each is an instance.

use super::{Gsm, Occurrence};
use crate::lang::cases::Cases;
use crate::lang::gsm::model::TypeIx;
use crate::lang::syntax::Name;
use crate::machine::{BodyIx, SlotIx, VarId};
use crate::source::Diagnostic;
use crate::source::codes::replay as codes;

impl Cases for Gsm {
    fn case(&self, of_type: Option<&Name>) -> Result<Option<SlotIx>, Diagnostic> {
        let types = &self.app.types;
        let created: Vec<&str> = self.machine.bounds.iter().map(|(name, _)| name.as_str()).collect();
        let ty = match (of_type, created.as_slice()) {
            (Some(name), _) => match types.iter().position(|t| t.id == name.text || t.name == name.text) {
                Some(ty) => Some(ty),
                None => {
                    let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, format!("unknown type '{}'", name.text));
                    return Err(d.nearest(&name.text, types.iter().map(|t| t.id.as_str())));
                }
            },
            (None, [one]) => types.iter().position(|t| t.id == *one),
            (None, _) if types.len() == 1 => Some(0),
            (None, _) => {
                let message = "it is not clear of which type a case is an instance";
                let d = Diagnostic::placeless(&codes::NO_CASE_TYPE, message);
                let first = created.first().copied().unwrap_or("Order");
                return Err(d.help(format!("say type = \"{first}\" under [replay] in gsmc.toml")));
            }
        };
        Ok(ty.and_then(|ty| self.map.slots_of(TypeIx(ty)).next()))
    }

    fn is_silent(&self, body: BodyIx) -> bool {
        matches!(self.map.occurrence(body), Some(Occurrence::TaskDone(..)))
    }

    fn task(&self, body: BodyIx) -> Option<String> {
        match self.map.occurrence(body)? {
            Occurrence::TaskDone(ty, task) => Some(self.app.types[ty].tasks[task].id.clone()),
            Occurrence::Event(_) => None,
        }
    }

    fn message(&self, body: BodyIx) -> Option<String> {
        match self.map.occurrence(body)? {
            Occurrence::TaskDone(ty, task) => Some(self.app.events[self.app.message(ty, task)?.event].id.clone()),
            Occurrence::Event(_) => None,
        }
    }

    /// A top-level stage closes, with a milestone of it achieved.
    fn ends(&self, case: Option<SlotIx>, before: &[i64], after: &[i64]) -> bool {
        let Some(instance) = case.and_then(|s| self.map.slots.get(s.0)) else { return false };
        let ty = &self.app.types[instance.ty];
        ty.top_stages().any(|s| {
            let open = |values| is_on(instance.stages[s.0], values);
            let done = ty.stages[s].milestones.iter().any(|m| is_on(instance.milestones[m.0], after));
            open(before) && !open(after) && done
        })
    }

    /// No top-level stage is open.
    fn rests(&self, case: Option<SlotIx>, now: &[i64]) -> bool {
        let Some(instance) = case.and_then(|s| self.map.slots.get(s.0)) else { return false };
        !self.app.types[instance.ty].top_stages().any(|s| is_on(instance.stages[s.0], now))
    }
}

fn is_on(v: VarId, values: &[i64]) -> bool {
    values.get(v.0 as usize).is_some_and(|x| *x != 0)
}
