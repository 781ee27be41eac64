//! A GSM application with everything that follows from it.

use super::{Application, Lowered, Map, lowered};
use crate::lang::gsm::ModelProperty;
use crate::machine::Valid;
use crate::source::{Diagnostic, Sources};

/// An application, its properties, its machine and the way back.
#[derive(Clone, Debug)]
pub struct Gsm {
    /// The model.
    pub app: Application,
    /// The properties, as the machine has them.
    pub properties: Vec<ModelProperty>,
    /// The machine.
    pub machine: Valid,
    /// What its parts stand for.
    pub map: Map,
}

impl Gsm {
    /// Lowers an application with its properties.
    pub fn new(app: Application, properties: Vec<ModelProperty>, sources: &Sources) -> Result<Gsm, Diagnostic> {
        let Lowered { machine, map } = lowered(&app, &properties, sources)?;
        Ok(Gsm { app, properties, machine, map })
    }
}
