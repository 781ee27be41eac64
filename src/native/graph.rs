//! The reachable snapshots as a graph, possibly multiplied with an automaton, and the search for fair cycles in it.
//!
//! A graph has one set of snapshots per automaton state (one state only, when there is no automaton). All temporal
//! operators come down to three questions: who has a successor in a set, who can reach a set, who starts a fair run.

use super::bdd::{Bdd, Stop};
use super::closure::Direction;
use super::encode::System;
use super::reach::Reach;

type Res<T> = Result<T, Stop>;

/// One set of snapshots per automaton state.
pub type Sets = Vec<Bdd>;

/// A graph over the snapshots of a system.
pub struct Graph<'a, 'm> {
    /// The system.
    pub sys: &'a System<'m>,
    /// Its reachable snapshots.
    pub reach: &'a Reach,
    /// The snapshots allowed in each automaton state.
    pub labels: Sets,
    /// Successors of each automaton state.
    pub edges: Vec<Vec<usize>>,
    /// Whether the labels hold reachable snapshots only.
    pub inside: bool,
}

impl<'a, 'm> Graph<'a, 'm> {
    /// The snapshots of a set, without automaton.
    pub fn plain(sys: &'a System<'m>, reach: &'a Reach, set: Bdd) -> Graph<'a, 'm> {
        Graph { sys, reach, labels: vec![set], edges: vec![vec![0]], inside: false }
    }

    /// Snapshots with a successor in `set`, idling included; right on the reachable ones.
    pub fn before(sys: &System<'_>, reach: &Reach, set: &Bdd) -> Res<Bdd> {
        reach.tidy(sys, Graph::leading_to(sys, reach, set)?)
    }

    fn leading_to(sys: &System<'_>, reach: &Reach, set: &Bdd) -> Res<Bdd> {
        let s = &sys.space;
        let acting = sys.step(set, &sys.steps, Direction::Backward)?;
        s.or(&acting, &s.and(set, &reach.idle(sys))?)
    }

    /// Snapshots of automaton state `q` with a successor in `set`.
    fn into(&self, q: usize, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        let label = &self.labels[q];
        let found = if self.inside {
            Graph::leading_to(self.sys, self.reach, set)?
        } else {
            Graph::before(self.sys, self.reach, set)?
        };
        s.and(&found, label)
    }

    /// Successors of a set, idling included.
    pub fn after(sys: &System<'_>, reach: &Reach, set: &Bdd) -> Res<Bdd> {
        let s = &sys.space;
        let acting = sys.step(set, &sys.steps, Direction::Forward)?;
        s.or(&acting, &s.and(set, &reach.idle(sys))?)
    }

    fn successors(&self, q: usize, sets: &Sets) -> Res<Bdd> {
        self.sys.space.any(self.edges[q].iter().map(|&t| &sets[t]))
    }

    /// Nodes with an edge into `sets`.
    pub fn ex(&self, sets: &Sets) -> Res<Sets> {
        (0..self.labels.len()).map(|q| self.into(q, &self.successors(q, sets)?)).collect()
    }

    /// Nodes that one edge reaches from `sets`.
    pub fn post(&self, sets: &Sets) -> Res<Sets> {
        let s = &self.sys.space;
        let mut result = vec![s.no(); sets.len()];
        for (q, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_false()) {
            let after = Graph::after(self.sys, self.reach, set)?;
            for &t in &self.edges[q] {
                result[t] = s.or(&result[t], &s.and(&after, &self.labels[t])?)?;
            }
        }
        Ok(result)
    }

    /// Nodes from which a path reaches `sets`; the path stays in the labels.
    pub fn until(&self, sets: &Sets) -> Res<Sets> {
        self.close(sets, Direction::Backward)
    }

    /// Nodes that a path reaches from `sets`.
    pub fn reachable(&self, sets: &Sets) -> Res<Sets> {
        self.close(sets, Direction::Forward)
    }

    fn close(&self, sets: &Sets, direction: Direction) -> Res<Sets> {
        let s = &self.sys.space;
        let sources = self.sources(direction);
        let mut result = sets.clone();
        loop {
            let before = result.clone();
            for (q, label) in self.labels.iter().enumerate() {
                let others = s.any(sources[q].iter().filter(|&&t| t != q).map(|&t| &result[t]))?;
                if !others.is_false() {
                    let found = match direction {
                        Direction::Forward => s.and(&Graph::after(self.sys, self.reach, &others)?, label)?,
                        Direction::Backward => self.into(q, &others)?,
                    };
                    result[q] = s.or(&result[q], &found)?;
                }
                if sources[q].contains(&q) {
                    let more = match direction {
                        Direction::Forward => self.sys.after(&result[q], label, &|_| ())?,
                        Direction::Backward if self.inside => self.sys.before_inside(&result[q], label, self.reach)?,
                        Direction::Backward => self.sys.before(&result[q], label, self.reach)?,
                    };
                    result[q] = s.or(&result[q], &more)?;
                }
            }
            if result == before {
                return Ok(result);
            }
        }
    }

    /// Per automaton state, where a closure in this direction takes its news from.
    fn sources(&self, direction: Direction) -> Vec<Vec<usize>> {
        match direction {
            Direction::Backward => self.edges.clone(),
            Direction::Forward => {
                let into = |q: usize| (0..self.edges.len()).filter(|&p| self.edges[p].contains(&q)).collect();
                (0..self.edges.len()).map(into).collect()
            }
        }
    }

    /// The same graph with smaller labels.
    fn within(&self, labels: Sets) -> Graph<'a, 'm> {
        Graph { sys: self.sys, reach: self.reach, labels, edges: self.edges.clone(), inside: self.inside }
    }

    /// Nodes from which an infinite path visits each of the fair sets again and again (Emerson and Lei).
    pub fn fair(&self, fair: &[Sets]) -> Res<Sets> {
        let s = &self.sys.space;
        let mut hull = self.labels.clone();
        loop {
            let before = hull.clone();
            let mut shrunk = if fair.is_empty() { self.within(hull.clone()).ex(&hull)? } else { hull };
            for sets in fair {
                let goal = both(self.sys, &shrunk, sets)?;
                let back = self.within(shrunk);
                shrunk = back.ex(&back.until(&goal)?)?;
                s.check()?;
            }
            if shrunk == before {
                return Ok(shrunk);
            }
            hull = shrunk;
        }
    }
}

/// Intersection, automaton state by automaton state.
pub fn both(sys: &System<'_>, a: &Sets, b: &Sets) -> Res<Sets> {
    a.iter().zip(b).map(|(a, b)| sys.space.and(a, b)).collect()
}
