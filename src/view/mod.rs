//! What pages show, as one serializable value: the model, its snapshots, steps and runs.
//!
//! `simulate`, `report` and `explore` tell the same things about a step. They all start from one
//! [`Explanation`](crate::explain::Explanation): `simulate` renders it as text, and [`StepView`] is the same explanation
//! cut into micro-steps with deltas instead of whole snapshots, so that a run of many steps stays small. Nothing here
//! decides anything: what fired, what an agent sees and where a run goes is asked of the interpreter.
//!
//! | value | says |
//! |---|---|
//! | [`ModelView`] | variables, slots, agents, events, and what the language adds: everything that never changes |
//! | [`Values`] | a snapshot by variable name; [`ModelView::variables`] says what each name stands for |
//! | [`StepView`] | one B-step: who sent what, micro-step by micro-step, with the cards of its rules |
//! | [`Sight`] | which slots an agent can see in a snapshot |
//! | [`PathView`] | a run: its first snapshot, its steps, its loop, the runs beside it |

mod order;
mod path;
mod step;
#[cfg(test)]
mod tests;

pub use crate::lang::page::{AgentView, ModelView, SlotView, VariableKind, VariableView};
pub use order::OtherOrder;
pub use path::{PathView, SideView, Sight};
pub use step::{Cards, Micro, MicroView, StepView};

use crate::explain::{Change, Explainer};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::machine::Snapshot;
use crate::source::{Sources, Span};
use crate::trace::{Values, name_snapshot};

/// Makes views of an application, its machine's snapshots and its runs.
pub struct Viewer<'a> {
    lens: &'a dyn Lens,
    interp: &'a Interp<'a>,
    sources: &'a Sources,
    explainer: Explainer<'a>,
}

impl<'a> Viewer<'a> {
    /// A viewer of an application and the machine it was lowered to.
    pub fn new(lens: &'a dyn Lens, interp: &'a Interp<'a>, sources: &'a Sources) -> Viewer<'a> {
        let explainer = Explainer::new(lens, interp, sources);
        Viewer { lens, interp, sources, explainer }
    }

    /// The interpreter it asks.
    pub fn interp(&self) -> &'a Interp<'a> {
        self.interp
    }

    /// The explainer it asks.
    pub fn explainer(&self) -> &Explainer<'a> {
        &self.explainer
    }

    /// The model.
    pub fn model(&self) -> ModelView {
        self.lens.page(self.sources)
    }

    /// `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        self.sources.place(span)
    }

    /// What differs between two snapshots: `old` in the first, `new` in the second.
    pub fn differences(&self, one: &Snapshot, other: &Snapshot) -> Vec<Change> {
        order::changes(self.interp.machine(), one, other)
    }

    /// A snapshot by variable name.
    pub fn snapshot(&self, codes: &Snapshot) -> Values {
        name_snapshot(self.interp.machine(), codes)
    }
}
