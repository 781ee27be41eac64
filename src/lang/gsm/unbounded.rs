//! A GSM application with data that has no bounds, lowered.

use super::domains::abstracted;
use super::{Gsm, given, lowered_unbounded};
use crate::lang::unbounded::Open;
use crate::machine::{ExprId, Node, Unbounded, VarId};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Sources};

impl Gsm {
    /// Lowers the application with whole domains.
    pub(super) fn opened(&self, sources: &Sources, diags: &mut Diagnostics) -> Result<Open, Diagnostic> {
        let wanted = &self.abstraction;
        let which = wanted.attributes.clone().unwrap_or_default();
        let (app, chosen) = abstracted(&self.app, &which, diags);
        let conditions = given::read(&app, &wanted.predicates, diags);
        let (machine, map, told) = lowered_unbounded(&app, &self.properties, &conditions, sources)?;
        let (mut vars, mut flagged) = (Vec::new(), Vec::new());
        let mut attributes: Vec<String> = Vec::new();
        for slot in &map.slots {
            let chosen = chosen.get(slot.ty).map(Vec::as_slice).unwrap_or_default();
            for ((at, var), _) in slot.attrs.iter().enumerate().zip(chosen).filter(|(_, c)| **c) {
                let Some(var) = var else { continue };
                vars.push(*var);
                let t = app.types.get(slot.ty);
                let name = t.and_then(|t| Some(format!("{}.{}", t.id, t.attrs.get(at)?.path)));
                attributes.extend(name.filter(|n| !attributes.contains(n)));
            }
            for buffer in slot.buffers.iter().flatten() {
                if let Some(present) = buffer.present
                    && machine.var(buffer.var).domain.is_unbounded()
                {
                    vars.push(buffer.var);
                    flagged.push((present, buffer.var));
                }
            }
        }
        for (condition, _) in conditions.iter().zip(&told).filter(|(_, all)| !reads(&machine, &vars, all)) {
            let message = "this predicate is about nothing that is abstracted";
            diags.push(Diagnostic::new(&codes::IDLE_PREDICATE, condition.span, message));
        }
        let given = told.into_iter().flatten().collect();
        Ok(Open { machine, abstracted: vars, flagged, attributes, given, refine: wanted.refine })
    }
}

/// Does one of the conditions read an abstracted variable?
fn reads(machine: &Unbounded, vars: &[VarId], conditions: &[ExprId]) -> bool {
    let mut found = false;
    for condition in conditions {
        machine.exprs.leaves(*condition, &mut |leaf| found |= matches!(leaf, Node::Cur(v) if vars.contains(v)));
    }
    found
}
