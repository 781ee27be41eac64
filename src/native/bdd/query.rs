//! Questions about one diagram: its variables, a member, the number of members.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use oxidd::{Function, Manager};
use oxidd_core::{HasLevel, Node};
use oxidd_rules_bdd::complement_edge::EdgeTag;
use rustc_hash::FxHashMap;

use super::marks::{self, Marks};
use super::ops::{Mgr, Ref, children};
use super::{Bdd, Level, Space, Stop};

impl Bdd {
    /// Whether this is the function that is always true.
    pub fn is_true(&self) -> bool {
        self.constant() == Some(true)
    }

    /// Whether this is the function that is always false.
    pub fn is_false(&self) -> bool {
        self.constant() == Some(false)
    }

    fn constant(&self) -> Option<bool> {
        self.0.with_manager_shared(|m, e| value(m, e))
    }

    /// How many nodes the diagram has, terminal included.
    pub fn node_count(&self) -> usize {
        let mut count = 1;
        self.each_node(|_| {
            count += 1;
            true
        });
        count
    }

    /// Whether the diagram has at most so many nodes, terminal included.
    pub fn fits(&self, nodes: usize) -> bool {
        let mut count = 1;
        self.each_node(|_| {
            count += 1;
            count <= nodes
        });
        count <= nodes
    }

    /// The variables the function depends on.
    pub fn support(&self) -> BTreeSet<Level> {
        let mut occurs = Vec::new();
        self.each_node(|level| {
            let level = level as usize;
            if level >= occurs.len() {
                occurs.resize(level + 1, false);
            }
            occurs[level] = true;
            true
        });
        (0..).zip(occurs).filter_map(|(level, occurs)| occurs.then_some(level)).collect()
    }

    /// Calls `visit` with the level of every inner node, once each, until it says no.
    fn each_node(&self, mut visit: impl FnMut(Level) -> bool) {
        self.0.with_manager_shared(|m, e| {
            marks::with(|marks| each_node(m, e, marks, &mut visit));
        });
    }

    /// The value under an assignment.
    pub fn eval(&self, assignment: impl Fn(Level) -> bool) -> bool {
        self.0.with_manager_shared(|m, e| {
            let mut e = e;
            while let Some((level, t, f)) = parts(m, e) {
                e = if assignment(level) { t } else { f };
            }
            value(m, e) == Some(true)
        })
    }

    /// The literals on one path to true, always the same one: 0 is preferred. `None` when the
    /// function is false. Variables that do not occur are free.
    pub fn pick_cube(&self) -> Option<Vec<(Level, bool)>> {
        if self.is_false() {
            return None;
        }
        let mut literals = Vec::new();
        self.0.with_manager_shared(|m, e| {
            let mut e = e;
            while let Some((level, t, f)) = parts(m, e) {
                let one = value(m, f) == Some(false);
                literals.push((level, one));
                e = if one { t } else { f };
            }
        });
        Some(literals)
    }

    /// One satisfying assignment of these variables in their order, free ones being 0.
    pub fn pick(&self, levels: &[Level]) -> Option<Vec<bool>> {
        let literals: FxHashMap<Level, bool> = self.pick_cube()?.into_iter().collect();
        let bit = |l| literals.get(l).copied().unwrap_or(false);
        Some(levels.iter().map(bit).collect())
    }
}

impl Space {
    /// How many assignments of these variables can be completed to satisfy `f`.
    pub fn count(&self, f: &Bdd, levels: &BTreeSet<Level>) -> Result<BigUint, Stop> {
        let others: Vec<Level> = f.support().difference(levels).copied().collect();
        let f = self.exists(f, &self.variables(others)?)?;
        let sorted: Vec<Level> = levels.iter().copied().collect();
        let mut counter = Counter { levels: &sorted, known: FxHashMap::default() };
        Ok(f.0.with_manager_shared(|m, e| counter.count(m, e, 0)))
    }
}

/// Counts members node by node; negated edges count the rest.
struct Counter<'a> {
    levels: &'a [Level],
    known: FxHashMap<usize, BigUint>,
}

impl Counter<'_> {
    /// Members of `e` over the variables from position `from` on.
    fn count<'id>(&mut self, m: &Mgr<'id>, e: Ref<'_, 'id>, from: usize) -> BigUint {
        let power = |n: usize| BigUint::from(1u8) << n;
        let Node::Inner(node) = m.get_node(e) else {
            return match e.tag() {
                EdgeTag::None => power(self.levels.len() - from),
                EdgeTag::Complemented => BigUint::ZERO,
            };
        };
        let at = self.levels.partition_point(|&l| l < node.level());
        let plain = match self.known.get(&e.node_id()) {
            Some(known) => known.clone(),
            None => {
                let (t, f) = children(EdgeTag::None, node);
                let sum = self.count(m, t, at + 1) + self.count(m, f, at + 1);
                self.known.insert(e.node_id(), sum.clone());
                sum
            }
        };
        let members = match e.tag() {
            EdgeTag::None => plain,
            EdgeTag::Complemented => power(self.levels.len() - at) - plain,
        };
        members << (at - from)
    }
}

fn value<'id>(m: &Mgr<'id>, e: Ref<'_, 'id>) -> Option<bool> {
    match m.get_node(e) {
        Node::Inner(_) => None,
        Node::Terminal(_) => Some(e.tag() == EdgeTag::None),
    }
}

/// Level, then-branch and else-branch of an inner edge.
fn parts<'b, 'id>(m: &'b Mgr<'id>, e: Ref<'b, 'id>) -> Option<(Level, Ref<'b, 'id>, Ref<'b, 'id>)> {
    match m.get_node(e) {
        Node::Inner(node) => {
            let (t, f) = children(e.tag(), node);
            Some((node.level(), t, f))
        }
        Node::Terminal(_) => None,
    }
}

fn each_node<'id>(m: &Mgr<'id>, e: Ref<'_, 'id>, marks: &mut Marks, visit: &mut impl FnMut(Level) -> bool) -> bool {
    let Node::Inner(node) = m.get_node(e) else { return true };
    if !marks.mark(e.node_id()) {
        return true;
    }
    let (t, f) = children(EdgeTag::None, node);
    visit(node.level()) && each_node(m, t, marks, visit) && each_node(m, f, marks, visit)
}
