//! Texts that only a property knows.

use super::constants::unquoted;
use super::flow::Copy;
use super::gather::{Gatherer, Key};
use crate::lang::gsm::resolve::Draft;
use crate::lang::gsm::{BagIx, Change, DataKind, TaskStep};
use crate::machine::Domain;
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Diagnostics};

/// Warns of texts that only a property knows, where one that the model knows looks like it.
pub fn warn(draft: &Draft, gathered: &Gatherer, copies: &[Copy], diags: &mut Diagnostics) {
    for asked in gathered.asked.iter().filter(|a| !comes_from_outside(draft, copies, a.key)) {
        let mut known = gathered.in_model.get(&asked.key).cloned().unwrap_or_default();
        known.extend(given(draft, asked.key));
        if !known.contains(&asked.text) {
            let message = format!("'{}' is a text that only this property knows", asked.text);
            let d = Diagnostic::new(&codes::STRANGE_TEXT, asked.span, message);
            let d = d.nearest(&asked.text, known.iter().map(String::as_str));
            if d.help.is_some() {
                diags.push(d);
            }
        }
    }
}

/// The values that an attribute is declared with, and what schema and tasks give it.
fn given(draft: &Draft, key: Key) -> Vec<String> {
    let Key::Attr(ty, attr) = key else { return Vec::new() };
    let a = &draft.app.types[ty].attrs[attr];
    let declared = match &a.domain {
        Domain::Enum { values, .. } if a.kind == DataKind::Enumeration => values.clone(),
        _ => Vec::new(),
    };
    let assigned = draft.constants.iter().filter(|c| c.target == Key::Attr(ty, attr)).map(|c| &c.text);
    let initial = draft.facets[ty.0][attr.0].initial.iter();
    let constants = assigned.chain(initial).map(|word| unquoted(&word.text).to_string());
    declared.into_iter().chain(constants).collect()
}

/// Is it a field of a bag that something else than constants fills? Then its texts are whatever comes.
fn comes_from_outside(draft: &Draft, copies: &[Copy], key: Key) -> bool {
    let Key::Attr(ty, attr) = key else { return false };
    let t = &draft.app.types[ty];
    let Some((ix, bag)) = BagIx::each(&t.bags).find(|(_, b)| b.fields.contains(&attr)) else { return false };
    let sent = draft.app.events.iter().any(|e| e.bags.contains(&bag.path));
    let arbitrary = |step: &TaskStep| match step {
        TaskStep::Call { bags, .. } => bags.contains(&ix),
        TaskStep::Element { bag, change: Change::Add, fields, .. } => {
            *bag == ix && fields.iter().all(|(field, _)| *field != attr)
        }
        _ => false,
    };
    let copied = copies.iter().any(|c| c.to == Key::Attr(ty, attr));
    sent || copied || t.tasks.iter().flat_map(|task| &task.steps).any(arbitrary)
}
