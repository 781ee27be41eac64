//! A GSM application with data that has no bounds, lowered.

use super::domains::{Abstracted, abstracted};
use super::{Application, Map, ModelProperty, lowered_unbounded};
use crate::machine::{Unbounded, VarId};
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
}

impl Open {
    /// Lowers an application with what is abstracted.
    pub fn new(
        app: &Application,
        which: &Abstracted,
        properties: &[ModelProperty],
        sources: &Sources,
        diags: &mut Diagnostics,
    ) -> Result<Open, Diagnostic> {
        let (app, chosen) = abstracted(app, which, diags);
        let (machine, map) = lowered_unbounded(&app, properties, sources)?;
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
        Ok(Open { app, machine, map, abstracted: vars, flagged, attributes })
    }
}
