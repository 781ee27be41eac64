//! Decision diagrams over finite-domain variables.
//!
//! ISPL has neither definitions nor conditionals, so what a B-step does to a variable must be one closed condition on the snapshot
//! before it. Diagrams are canonical: everything that cannot matter is gone, and equal conditions of different actions are found
//! equal and written once. Variables are numbers; a variable tests which child to go to by its value's position.

use rustc_hash::FxHashMap;

/// A diagram: a condition on some variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dd(u32);

impl Dd {
    /// Never.
    pub const FALSE: Dd = Dd(0);
    /// Always.
    pub const TRUE: Dd = Dd(1);
}

/// Number of a diagram's variable.
pub type Level = u32;

/// All diagrams of an export.
#[derive(Debug, Default)]
pub struct Diagrams {
    nodes: Vec<(Level, Box<[Dd]>)>,
    unique: FxHashMap<(Level, Box<[Dd]>), Dd>,
    conjunctions: FxHashMap<(Dd, Dd), Dd>,
    negations: FxHashMap<Dd, Dd>,
}

const TERMINAL: Level = Level::MAX;

impl Diagrams {
    /// With the constants only.
    pub fn new() -> Diagrams {
        let constants = vec![(TERMINAL, [].into()), (TERMINAL, [].into())];
        Diagrams { nodes: constants, ..Diagrams::default() }
    }

    /// Number of nodes ever made: a measure of how hard a model is.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The variable a diagram tests first, with its children; nothing for constants.
    pub fn node(&self, d: Dd) -> Option<(Level, &[Dd])> {
        let (level, children) = &self.nodes[d.0 as usize];
        (*level != TERMINAL).then_some((*level, children))
    }

    fn level(&self, d: Dd) -> Level {
        self.nodes[d.0 as usize].0
    }

    fn make(&mut self, level: Level, children: Vec<Dd>) -> Dd {
        if let Some(first) = children.first()
            && children.iter().all(|c| c == first)
        {
            return *first;
        }
        let key = (level, children.into_boxed_slice());
        if let Some(&d) = self.unique.get(&key) {
            return d;
        }
        let d = Dd(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.unique.insert(key, d);
        d
    }

    /// The variable's value is the one at `position` of `size`.
    pub fn is(&mut self, level: Level, position: usize, size: usize) -> Dd {
        self.make(level, (0..size).map(|i| if i == position { Dd::TRUE } else { Dd::FALSE }).collect())
    }

    /// Negation.
    pub fn not(&mut self, a: Dd) -> Dd {
        match a {
            Dd::FALSE => return Dd::TRUE,
            Dd::TRUE => return Dd::FALSE,
            _ => {}
        }
        if let Some(&d) = self.negations.get(&a) {
            return d;
        }
        let (level, children) = self.nodes[a.0 as usize].clone();
        let children = children.iter().map(|c| self.not(*c)).collect();
        let d = self.make(level, children);
        self.negations.insert(a, d);
        self.negations.insert(d, a);
        d
    }

    /// Conjunction.
    pub fn and(&mut self, a: Dd, b: Dd) -> Dd {
        match (a, b) {
            (Dd::FALSE, _) | (_, Dd::FALSE) => return Dd::FALSE,
            (Dd::TRUE, x) | (x, Dd::TRUE) => return x,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&d) = self.conjunctions.get(&key) {
            return d;
        }
        let level = self.level(a).min(self.level(b));
        let width = [a, b].iter().filter(|x| self.level(**x) == level).map(|x| self.nodes[x.0 as usize].1.len()).max();
        let children = (0..width.unwrap_or(0))
            .map(|i| {
                let (x, y) = (self.child(a, level, i), self.child(b, level, i));
                self.and(x, y)
            })
            .collect();
        let d = self.make(level, children);
        self.conjunctions.insert(key, d);
        d
    }

    /// Disjunction.
    pub fn or(&mut self, a: Dd, b: Dd) -> Dd {
        let (na, nb) = (self.not(a), self.not(b));
        let both = self.and(na, nb);
        self.not(both)
    }

    /// If-then-else.
    pub fn ite(&mut self, c: Dd, t: Dd, e: Dd) -> Dd {
        let nc = self.not(c);
        let (x, y) = (self.and(c, t), self.and(nc, e));
        self.or(x, y)
    }

    fn child(&self, d: Dd, level: Level, i: usize) -> Dd {
        match &self.nodes[d.0 as usize] {
            (l, children) if *l == level => children.get(i).copied().unwrap_or(Dd::FALSE),
            _ => d,
        }
    }

    /// The condition left when a variable above all others of the diagram has the value at `position`. Levels are given out so that
    /// payload comes first.
    pub fn given(&self, d: Dd, level: Level, position: usize) -> Dd {
        self.child(d, level, position)
    }

    /// Length of the condition when written out as a tree, saturating.
    pub fn written(&self, d: Dd, memo: &mut FxHashMap<Dd, u64>) -> u64 {
        if let Some(&n) = memo.get(&d) {
            return n;
        }
        let Some((_, children)) = self.node(d) else { return 1 };
        let mut distinct: Vec<Dd> = children.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let n = distinct.into_iter().fold(1u64, |s, c| s.saturating_add(self.written(c, memo)));
        memo.insert(d, n);
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every assignment of three variables with 2, 3 and 2 values.
    fn each(mut f: impl FnMut([usize; 3])) {
        for a in 0..2 {
            for b in 0..3 {
                for c in 0..2 {
                    f([a, b, c]);
                }
            }
        }
    }

    fn value(dds: &Diagrams, mut d: Dd, at: [usize; 3]) -> bool {
        while let Some((level, children)) = dds.node(d) {
            d = children[at[level as usize]];
        }
        d == Dd::TRUE
    }

    #[test]
    fn operations_are_those_of_sets() {
        let mut dds = Diagrams::new();
        let (x, y, z) = (dds.is(0, 1, 2), dds.is(1, 2, 3), dds.is(2, 0, 2));
        let xy = dds.or(x, y);
        let f = dds.and(xy, z);
        let g = dds.ite(y, x, f);
        let not_g = dds.not(g);
        each(|at| {
            let (vx, vy, vz) = (at[0] == 1, at[1] == 2, at[2] == 0);
            assert_eq!(value(&dds, f, at), (vx || vy) && vz);
            let expected = if vy { vx } else { (vx || vy) && vz };
            assert_eq!(value(&dds, g, at), expected);
            assert_eq!(value(&dds, not_g, at), !expected);
        });
        assert_eq!(dds.or(g, not_g), Dd::TRUE);
        assert_eq!(dds.and(g, not_g), Dd::FALSE);
    }
}
