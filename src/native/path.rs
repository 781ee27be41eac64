//! Paths through a graph, snapshot by snapshot: shortest ones, and lassos that are fair for ever.

use super::bdd::Stop;
use super::graph::{Graph, Sets, both};
use crate::machine::Snapshot;

type Res<T> = Result<T, Stop>;

/// A node of a graph: automaton state and snapshot.
pub type GraphNode = (usize, Snapshot);

impl Graph<'_, '_> {
    fn only(&self, node: &GraphNode) -> Res<Sets> {
        let mut sets = vec![self.sys.space.no(); self.labels.len()];
        sets[node.0] = self.sys.single(&node.1)?;
        Ok(sets)
    }

    fn pick(&self, sets: &Sets) -> Option<GraphNode> {
        sets.iter().enumerate().find_map(|(q, set)| Some((q, self.sys.pick(set)?)))
    }

    fn contains(&self, sets: &Sets, node: &GraphNode) -> Res<bool> {
        self.sys.space.meets(&sets[node.0], &self.sys.single(&node.1)?)
    }

    /// A shortest path of one step or more from a node to one of `goal`, inside the labels; without the first node.
    pub fn path(&self, from: &GraphNode, goal: &Sets) -> Res<Option<Vec<GraphNode>>> {
        let s = &self.sys.space;
        let mut layers = vec![self.only(from)?];
        let mut seen = vec![s.no(); self.labels.len()];
        let mut node = loop {
            let last = &layers[layers.len() - 1];
            let mut next = self.post(last)?;
            for (new, seen) in next.iter_mut().zip(&mut seen) {
                *new = s.diff(new, seen)?;
                *seen = s.or(seen, new)?;
            }
            if next.iter().all(|set| set.is_false()) {
                return Ok(None);
            }
            let found = self.pick(&both(self.sys, &next, goal)?);
            layers.push(next);
            if let Some(node) = found {
                break node;
            }
        };
        let mut path = vec![node.clone()];
        for layer in layers[1..layers.len() - 1].iter().rev() {
            let before = both(self.sys, &self.ex(&self.only(&node)?)?, layer)?;
            let Some(previous) = self.pick(&before) else { return Ok(None) };
            node = previous;
            path.push(node.clone());
        }
        path.reverse();
        Ok(Some(path))
    }

    /// A run from a node that stays in the labels and visits every fair set again and again, as a path (with the first node)
    /// and the position its end leads back to: the last node equals the one there. The labels must be such that every node
    /// starts a fair run, as [`Graph::fair`] makes them.
    pub fn lasso(&self, from: GraphNode, fair: &[Sets]) -> Res<Option<(Vec<GraphNode>, usize)>> {
        let anything = self.labels.clone();
        let mut path = vec![from.clone()];
        let mut here = from;
        loop {
            let anchor = path.len() - 1;
            for sets in fair {
                if !self.contains(sets, &here)? {
                    let Some(more) = self.path(&here, &both(self.sys, sets, &self.labels)?)? else { return Ok(None) };
                    path.extend(more);
                    here = path[path.len() - 1].clone();
                }
            }
            let home = self.only(&path[anchor])?;
            if let Some(back) = self.path(&here, &home)? {
                path.extend(back);
                return Ok(Some((path, anchor)));
            }
            // The anchor lies above the component we are in now: begin again further down.
            if path.len() - 1 == anchor {
                let Some(step) = self.path(&here, &anything)? else { return Ok(None) };
                path.extend(step);
                here = path[path.len() - 1].clone();
            }
        }
    }
}
