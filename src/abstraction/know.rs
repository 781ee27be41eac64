//! Who can tell abstract snapshots apart, and which snapshots are reachable with everything an agent sees.

use super::env::Env;
use super::{Graph, Predicates, Snapshot, System};
use crate::machine::{AgentIx, VarId};
use std::collections::BTreeSet;

/// What a group of agents has in front of it in an abstract snapshot; members are told apart by nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Local {
    /// Equal for snapshots of which some concrete ones may look the same.
    pub may: Vec<i64>,
    /// Equal for snapshots of which every concrete one has one that looks the same in the other.
    pub must: Vec<i64>,
}

/// Looks at a snapshot with the eyes of a group; `None` where a window is not decided.
pub fn local(system: &System, predicates: &Predicates, snapshot: &Snapshot, group: &[AgentIx]) -> Option<Local> {
    let env = Env::new(system, predicates, snapshot);
    let agents = group.iter().filter_map(|a| system.machine.agents.get(a.0));
    let (mut key, mut seen) = (Vec::new(), BTreeSet::new());
    for agent in agents {
        seen.extend(agent.private.iter().copied());
        for view in &agent.views {
            let visible = env.truth(view.visible)?;
            key.push(i64::from(visible));
            if visible {
                seen.extend(view.seen.iter().copied());
            }
        }
    }
    key.extend(seen.iter().filter(|v| system.wide(**v).is_none()).map(|v| env.code(*v)));
    let truths = |list: &[usize]| -> Vec<i64> {
        list.iter().map(|p| i64::from(snapshot.truths.get(*p) == Some(&true))).collect()
    };
    let inside: Vec<usize> = (0..predicates.list.len())
        .filter(|p| predicates.list.get(*p).is_some_and(|p| p.vars.iter().all(|v| seen.contains(v))))
        .collect();
    let near = connected(system, predicates, &seen);
    let mentioned: BTreeSet<VarId> =
        near.iter().filter_map(|p| predicates.list.get(*p)).flat_map(|p| p.vars.iter().copied()).collect();
    let pins = system.pins.iter().filter(|p| mentioned.contains(&p.var)).map(|p| p.when);
    let finite = mentioned.iter().copied().filter(|v| system.wide(*v).is_none()).chain(pins);
    let finite: BTreeSet<VarId> = finite.collect();
    let may: Vec<i64> = key.iter().copied().chain(truths(&inside)).collect();
    let must = key.into_iter().chain(truths(&near)).chain(finite.into_iter().map(|v| env.code(v))).collect();
    Some(Local { may, must })
}

/// Predicates that mention abstracted data among these variables, and those that share abstracted data with them, and so on.
pub fn connected(system: &System, predicates: &Predicates, from: &BTreeSet<VarId>) -> Vec<usize> {
    let mut reached: BTreeSet<VarId> = from.iter().copied().filter(|v| system.wide(*v).is_some()).collect();
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (p, predicate) in predicates.list.iter().enumerate() {
            if predicate.vars.iter().any(|v| reached.contains(v)) {
                found.insert(p);
                reached.extend(predicate.vars.iter().copied().filter(|v| system.wide(*v).is_some()));
            }
        }
        if found.len() == before {
            return found.into_iter().collect();
        }
    }
}

/// The abstracted data that a group can see, in any slot.
pub fn seen(system: &System, group: &[AgentIx]) -> BTreeSet<VarId> {
    let agents = group.iter().filter_map(|a| system.machine.agents.get(a.0));
    let all = agents.flat_map(|a| a.views.iter().flat_map(|v| v.seen.iter().copied()));
    all.filter(|v| system.wide(*v).is_some()).collect()
}

/// Reachable by edges that `follow` says there are.
pub fn reachable<E>(graph: &Graph, mut follow: impl FnMut(usize) -> Result<Vec<usize>, E>) -> Result<Vec<bool>, E> {
    let mut reached = vec![false; graph.states.len()];
    let mut todo: Vec<usize> = if reached.is_empty() { vec![] } else { vec![0] };
    while let Some(s) = todo.pop() {
        if let Some(r) = reached.get_mut(s)
            && !std::mem::replace(r, true)
        {
            todo.extend(follow(s)?);
        }
    }
    Ok(reached)
}
