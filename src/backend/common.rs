//! What all generators do alike: names for actions and payload, variables slot by slot.

use super::comment::Comment;
use super::names::Namer;
use crate::machine::{Action, Body, ExprId, Input, Leaf, Machine, VarId};

/// How an input of a body is exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// It can only have this value.
    Fixed(i64),
    /// It is a variable of this name.
    Variable(String),
}

/// A declaration in an exported file, with its type and a remark.
pub struct Decl {
    pub name: String,
    pub ty: String,
    pub remark: Comment,
}

/// The variables of a slot, or those that belong to none.
pub struct Section {
    pub title: Comment,
    pub vars: Vec<Decl>,
}

/// Which expressions about snapshots hold in the initial one.
pub fn initially(m: &Machine) -> impl Fn(&ExprId) -> bool {
    |e| {
        m.exprs.eval(*e, &|leaf| match leaf {
            Leaf::Prev(v) | Leaf::Cur(v) => m.var(v).init,
            // No snapshot has a payload.
            Leaf::Input(_) => 0,
        }) != 0
    }
}

/// What a model was made from, for the header of a file: `TwoViews (Test 1; agents doctor, patient)`.
pub fn made_from(m: &Machine) -> Comment {
    let mut slots: Vec<(&str, usize)> = Vec::new();
    for slot in &m.slots {
        let of = slot.name.split('[').next().unwrap_or(&slot.name);
        match slots.iter_mut().find(|(name, _)| *name == of) {
            Some((_, n)) => *n += 1,
            None => slots.push((of, 1)),
        }
    }
    let slots: Vec<String> = slots.into_iter().map(|(name, n)| format!("{name} {n}")).collect();
    let agents: Vec<&str> = m.agents.iter().filter_map(|a| a.name.as_deref()).collect();
    let mut parts = Vec::new();
    if !slots.is_empty() {
        parts.push(format!("instances {}", slots.join(", ")));
    }
    if !agents.is_empty() {
        parts.push(format!("agents {}", agents.join(", ")));
    }
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) };
    Comment::of(&format!("{}{parts}", m.name))
}

/// An action in words: `Buyer1: OnCancel at CustomerOrder[1]`, and `Clerk: evaluate` where there are no slots.
pub fn in_words(m: &Machine, a: &Action) -> String {
    format!("{}: {}", m.agent_name(a.agent), event_in_words(m, m.body(a)))
}

/// What happens, and at which slot.
pub fn event_in_words(m: &Machine, body: &Body) -> String {
    match body.target.and_then(|s| m.slots.get(s.0)) {
        Some(slot) => format!("{} at {}", body.event, slot.name),
        None if m.slots.is_empty() => body.event.clone(),
        None => format!("{} at no free slot", body.event),
    }
}

/// The same for a comment.
pub fn remark(m: &Machine, a: &Action) -> Comment {
    Comment::of(&in_words(m, a))
}

/// A name for every action.
pub fn action_names(m: &Machine, namer: &mut Namer) -> Vec<String> {
    m.actions.iter().map(|a| namer.give('a', "action", &in_words(m, a))).collect()
}

/// Inputs of equal name and values share one variable, since only one event happens in a step.
pub fn share_inputs<'m>(m: &'m Machine, namer: &mut Namer) -> (Vec<Vec<Payload>>, Vec<(String, &'m Input)>) {
    let mut shared: Vec<(String, &Input)> = Vec::new();
    let mut all = Vec::new();
    for body in &m.bodies {
        let mut mine = Vec::new();
        for input in &body.inputs {
            if let Some(only) = input.values.only() {
                mine.push(Payload::Fixed(only));
                continue;
            }
            let same = |i: &Input| i.name == input.name && i.domain == input.domain && i.values == input.values;
            let name = match shared.iter().find(|(n, i)| same(i) && !mine.contains(&Payload::Variable(n.clone()))) {
                Some((name, _)) => name.clone(),
                None => {
                    let name = namer.give('p', "payload", &input.name);
                    shared.push((name.clone(), input));
                    name
                }
            };
            mine.push(Payload::Variable(name));
        }
        all.push(mine);
    }
    (all, shared)
}

/// Variables grouped for reading: slot by slot, then agent by agent, then the rest. Their order stays that of the machine.
pub fn sections(m: &Machine) -> Vec<(Comment, Vec<VarId>)> {
    let title = |v: VarId| match (m.slot_of(v), m.owner(v)) {
        (Some(slot), _) => Comment::of(&slot.name),
        (None, Some(agent)) => Comment::of(&format!("Private variables of {}", m.agent_name(agent))),
        (None, None) => Comment::of("The whole system"),
    };
    let mut all: Vec<(Comment, Vec<VarId>)> = Vec::new();
    for v in m.state_ids() {
        let t = title(v);
        match all.last_mut() {
            Some((last, vars)) if *last == t => vars.push(v),
            _ => all.push((t, vec![v])),
        }
    }
    all
}
