//! What a language says about recorded cases of its models.

use super::syntax::Name;
use crate::machine::{BodyIx, SlotIx};
use crate::source::Diagnostic;

/// Recorded cases. A language without it has one case a run, all of whose steps are in the log, and which is complete when nothing more
/// can happen.
pub trait Cases {
    /// The instance that a case is: of the type that the user names, or of the only one that can be meant.
    fn case(&self, of_type: Option<&Name>) -> Result<Option<SlotIx>, Diagnostic>;

    /// Is it a step that logs may leave out, whoever takes it?
    fn is_silent(&self, body: BodyIx) -> bool;

    /// The name of the task whose completion it is.
    fn task(&self, _body: BodyIx) -> Option<String> {
        None
    }

    /// The name of the event whose message it delivers.
    fn message(&self, _body: BodyIx) -> Option<String> {
        None
    }

    /// Does a step bring something of the case to its end?
    fn ends(&self, case: Option<SlotIx>, before: &[i64], after: &[i64]) -> bool;

    /// Is nothing of the case under way?
    fn rests(&self, case: Option<SlotIx>, now: &[i64]) -> bool;
}
