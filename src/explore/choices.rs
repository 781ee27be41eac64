//! What can happen next, and what cannot, and why.

use super::Explorer;
use crate::explain::Refused;
use crate::interp::{Choice, Work};
use crate::machine::show::values;
use crate::machine::{MANY_PAYLOADS, Machine, Snapshot};
use crate::trace::{Values, name_choice, path};
use serde::Serialize;

/// Payloads listed of one action; the page then also takes typed ones.
const LISTED: usize = 200;

/// What can happen in a snapshot, and what cannot.
#[derive(Debug, Serialize)]
pub struct Next {
    /// Number of choices.
    pub count: usize,
    /// Actions with their payloads, in the order of the choices.
    pub actions: Vec<Offered>,
    /// Actions that are not possible.
    pub refused: Vec<Refused>,
}

/// An action that is possible.
#[derive(Debug, Serialize)]
pub struct Offered {
    /// Who; null for idling.
    pub agent: Option<String>,
    /// The event; null for idling.
    pub event: Option<String>,
    /// The slot it happens to.
    pub target: Option<String>,
    /// Names of the payload's fields.
    pub fields: Vec<String>,
    /// Fields without bounds, which take any value.
    pub open: Vec<Free>,
    /// The possible payloads.
    pub options: Vec<Payload>,
    /// How many more there are.
    pub more: usize,
}

/// A field that takes any value of its kind.
#[derive(Debug, Serialize)]
pub struct Free {
    /// Its name.
    pub field: String,
    /// Its values in words.
    pub values: String,
}

/// A choice: an action with a payload.
#[derive(Debug, Serialize)]
pub struct Payload {
    /// Its step in a path.
    pub path: String,
    /// The values.
    pub payload: Values,
    /// It leads back to the same snapshot.
    pub nothing: bool,
}

impl Offered {
    fn continues(&self, before: &Offered) -> bool {
        let key = |o: &Offered| (o.agent.clone(), o.event.clone(), o.target.clone(), o.fields.clone());
        !self.fields.is_empty() && key(self) == key(before)
    }
}

/// What an action carries that has no bounds.
fn free(m: &Machine, action: usize) -> Vec<Free> {
    let inputs = m.actions.get(action).map(|a| m.body(a).inputs.as_slice()).unwrap_or_default();
    let open = inputs.iter().filter(|i| i.domain.is_unbounded());
    open.map(|i| Free { field: i.name.clone(), values: values(&i.domain) }).collect()
}

impl Explorer<'_> {
    /// What can happen in a snapshot.
    pub(super) fn next(&self, snapshot: &Snapshot) -> Next {
        let interp = self.viewer.interp();
        let m = interp.machine();
        let (mut count, mut possible, mut actions) = (0, Vec::<Choice>::new(), Vec::<Offered>::new());
        let mut last = None;
        interp.some_steps(snapshot, &mut Work::default(), MANY_PAYLOADS, &mut |seen| {
            count += 1;
            if last != Some(seen.action) {
                last = Some(seen.action);
                let choice = seen.choice();
                let named = name_choice(m, &choice);
                possible.push(choice);
                let agent = seen.action.and_then(|a| m.actions.get(a)).map(|a| m.agent_name(a.agent).to_string());
                let fields = named.payload.keys().cloned().collect();
                let (event, target) = (named.event, named.target);
                let open = seen.action.map(|a| free(m, a)).unwrap_or_default();
                let offered = Offered { agent, event, target, fields, open, options: Vec::new(), more: 0 };
                // A language may have several actions for one event, each with a payload of its own: to people it is one.
                if !actions.last().is_some_and(|before| offered.continues(before)) {
                    actions.push(offered);
                }
            }
            let Some(action) = actions.last_mut() else { return };
            if action.options.len() >= LISTED {
                action.more += 1;
                return;
            }
            let choice = seen.choice();
            let payload = name_choice(m, &choice).payload;
            action.options.push(Payload {
                path: path::write_step(m, &choice),
                payload,
                nothing: seen.after == &**snapshot,
            });
        });
        let refused = self.viewer.explainer().refused(snapshot, &possible);
        Next { count, actions, refused }
    }
}
