//! A GSM application with data that has no bounds, lowered.

use super::domains::abstracted;
use super::{Application, Map, ModelProperty, given, lowered_unbounded};
use crate::lang::config::GivenAbstraction;
use crate::machine::{ExprId, Node, Unbounded, VarId};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Sources};

/// The machine of an application some of whose data is abstracted.
#[derive(Clone, Debug)]
pub struct Open {
    /// The model, with whole domains.
    pub app: Application,
    /// The machine.
    pub machine: Unbounded,
    /// What its parts stand for.
    pub map: Map,
    /// The abstracted variables.
    pub abstracted: Vec<VarId>,
    /// Buffered values with the flags that say whether there is one; without one, they are at their initial values.
    pub flagged: Vec<(VarId, VarId)>,
    /// The abstracted attributes as `Type.path`.
    pub attributes: Vec<String>,
    /// Conditions that the user wants to be told apart.
    pub given: Vec<ExprId>,
}

impl Open {
    /// Lowers an application with what is abstracted.
    pub fn new(
        app: &Application,
        wanted: &GivenAbstraction,
        properties: &[ModelProperty],
        sources: &Sources,
        diags: &mut Diagnostics,
    ) -> Result<Open, Diagnostic> {
        let which = wanted.attributes.clone().unwrap_or_default();
        let (app, chosen) = abstracted(app, &which, diags);
        let conditions = given::read(&app, &wanted.predicates, diags);
        let (machine, map, told) = lowered_unbounded(&app, properties, &conditions, sources)?;
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
        Ok(Open { app, machine, map, abstracted: vars, flagged, attributes, given })
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
