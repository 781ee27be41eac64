//! The machine of a model against the model executed word for word: the same states, the same steps.

use super::literal::{Happened, Literal, State};
use crate::interp::{Choice, Graph, Limits};
use crate::lang::amber::Model;
use crate::lang::amber::lower::{Lowered, REFRAIN};
use crate::machine::{Snapshot, VarId};
use std::collections::BTreeSet;

/// The snapshot that a state is in the machine.
pub fn snapshot(model: &Model, lowered: &Lowered, s: &State) -> Snapshot {
    let map = &lowered.map;
    let mut codes = lowered.machine.initial();
    let mut set = |var: Option<VarId>, value: i64| {
        if let Some(var) = var {
            codes[var] = value;
        }
    };
    for n in 0..model.nodes.len() {
        set(map.triggered[n], s.triggered[n]);
        set(Some(map.executed[n]), i64::from(s.executed[n]));
        set(map.disabled[n], i64::from(s.disabled[n]));
        set(map.blocked[n], i64::from(s.blocked[n]));
    }
    (0..model.arrows.len()).for_each(|a| set(map.marks[a], s.marks[a]));
    (0..model.cells.len()).for_each(|c| set(map.cells[c], map.code(c, s.data[c])));
    set(map.last, s.last.map_or(0, |e| e as i64 + 1));
    set(map.overflow, i64::from(s.overflow));
    set(map.crowded, i64::from(s.crowded));
    codes
}

/// Compares a machine that keeps all data with the literal execution; the number of states, `None` when there are more than
/// `most`, or where they part.
pub fn compare(model: &Model, lowered: &Lowered, most: usize) -> Result<Option<usize>, String> {
    let machine = &lowered.machine;
    let literal = Literal::new(model, lowered.map.last.is_some());
    let Some(expected) = literal.graph(most) else { return Ok(None) };
    let graph = match Graph::all(machine, Limits { states: most + 1, ..Limits::default() }) {
        Ok(graph) => graph,
        Err(e) => return Err(format!("{} states word for word, but {e}", expected.states.len())),
    };
    let show = |codes: &[i64]| {
        let parts = machine.state_vars().iter().zip(codes).filter(|(v, c)| v.init != **c);
        parts.map(|(v, c)| format!("{}={}", v.name, v.domain.show(*c))).collect::<Vec<_>>().join(" ")
    };
    let codes: Vec<Snapshot> = expected.states.iter().map(|s| snapshot(model, lowered, s)).collect();
    for (i, state) in codes.iter().enumerate() {
        let Some(number) = graph.number(state) else {
            return Err(format!("the machine does not reach [{}]", show(state)));
        };
        let wanted: BTreeSet<(String, &[i64])> = expected.steps[i]
            .iter()
            .map(|(what, to)| {
                let name = match what {
                    Happened::Event(e) => model.events[*e].name.clone(),
                    Happened::Refrained(actor) => {
                        format!("{REFRAIN} {}", actor.map_or("anyone", |a| model.actors[a].name.as_str()))
                    }
                    Happened::Nothing => "nothing".to_string(),
                };
                (name, &*codes[*to])
            })
            .collect();
        let found: Vec<(String, Snapshot)> = graph
            .edges(number)
            .iter()
            .map(|edge| {
                let name = match graph.choice(edge.label) {
                    Choice::Idle => "nothing".to_string(),
                    Choice::Act { action, .. } => {
                        let action = &machine.actions[*action];
                        let event = &machine.body(action).event;
                        let who = machine.agent_name(action.agent);
                        if event == REFRAIN { format!("{REFRAIN} {who}") } else { event.clone() }
                    }
                };
                (name, graph.codes(edge.to as usize))
            })
            .collect();
        let found: BTreeSet<(String, &[i64])> = found.iter().map(|(n, c)| (n.clone(), &**c)).collect();
        if let Some((name, to)) = wanted.symmetric_difference(&found).next() {
            let who = if found.contains(&(name.clone(), to)) { "only the machine" } else { "only the text" };
            return Err(format!("from [{}] {who} has {name} to [{}]", show(state), show(to)));
        }
    }
    if graph.len() != codes.len() {
        return Err(format!("{} states word for word, {} in the machine", codes.len(), graph.len()));
    }
    Ok(Some(codes.len()))
}
