//! Images and pre-images under partial relations, with renaming in the same pass.
//!
//! A relation names the pairs it *writes*; it may read any current bit, and says nothing
//! about the pairs it leaves alone. Set and relation are walked together: on a pair that is
//! not written the current bit is kept; on a written pair the four combinations of current
//! and next bit are followed, those that end in the same result bit are united, and the node
//! is built on the current level, so no renaming is needed afterwards.

use oxidd_rules_bdd::complement_edge::BCDDOp;

use super::ops::{Apply, Own, Ref, Res};
use super::{Bdd, Space, Stop, current, next};

/// A set of transitions, silent about everything it does not write.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Over current bits and the next bits of the written pairs.
    pub bdd: Bdd,
    /// The pairs whose next bit it fixes, ascending.
    pub writes: Vec<u32>,
    write_set: u32,
}

impl Space {
    /// A relation that writes these pairs and keeps all others.
    pub fn relation(&self, bdd: Bdd, mut writes: Vec<u32>) -> Relation {
        writes.sort_unstable();
        writes.dedup();
        let write_set = self.write_set(&writes);
        Relation { bdd, writes, write_set }
    }

    /// The snapshots reached from `set` by one transition.
    pub fn image(&self, set: &Bdd, relation: &Relation) -> Result<Bdd, Stop> {
        self.step(set, relation, Direction::Forward)
    }

    /// The snapshots with a transition into `set`.
    pub fn preimage(&self, set: &Bdd, relation: &Relation) -> Result<Bdd, Stop> {
        self.step(set, relation, Direction::Backward)
    }

    fn step(&self, set: &Bdd, relation: &Relation, direction: Direction) -> Result<Bdd, Stop> {
        let pairs = relation.writes.last().map_or(0, |&p| p as usize + 1);
        let mut written = vec![false; pairs];
        for &p in &relation.writes {
            if let Some(flag) = written.get_mut(p as usize) {
                *flag = true;
            }
        }
        let walk = Walk { key: 2 * relation.write_set + direction as u32, direction, written };
        self.run(|apply| walk.walk(apply, apply.edge(set), apply.edge(&relation.bdd)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// One image computation. The result depends on the written pairs, not on the relation they
/// belong to, so relations with the same written pairs share cache entries.
struct Walk {
    key: u32,
    direction: Direction,
    written: Vec<bool>,
}

impl Walk {
    fn walk<'id>(&self, a: &Apply<'_, 'id>, set: Ref<'_, 'id>, rel: Ref<'_, 'id>) -> Res<Own<'id>> {
        match (a.value(set), a.value(rel)) {
            (Some(false), _) | (_, Some(false)) => return a.terminal(false),
            (Some(true), Some(true)) => return a.terminal(true),
            _ => {}
        }
        let pair = a.level(set).min(a.level(rel)) / 2;
        if pair as usize >= self.written.len() {
            return a.and(set, rel);
        }
        // Two edges and a number: a shape the library itself never uses with this operator.
        if let Some(hit) = a.cached(BCDDOp::Substitute, &[set, rel], &[self.key]) {
            return Ok(hit);
        }
        a.tick()?;
        let (s1, s0) = a.split(set, current(pair));
        let (r1, r0) = a.split(rel, current(pair));
        let is_written = self.written.get(pair as usize).copied().unwrap_or(false);
        let (one, zero) = if is_written {
            let (r11, r10) = a.split(r1, next(pair));
            let (r01, r00) = a.split(r0, next(pair));
            let [one, zero] = match self.direction {
                Direction::Forward => [[r01, r11], [r00, r10]],
                Direction::Backward => [[r10, r11], [r00, r01]],
            };
            let one = a.guard(self.either(a, (s0, one[0]), (s1, one[1]))?);
            (one, a.guard(self.either(a, (s0, zero[0]), (s1, zero[1]))?))
        } else {
            let one = a.guard(self.walk(a, s1, r1)?);
            (one, a.guard(self.walk(a, s0, r0)?))
        };
        let result = a.node(current(pair), one, zero)?;
        a.remember(BCDDOp::Substitute, &[set, rel], &[self.key], &result);
        Ok(result)
    }

    /// The union of two walks, the second left out when the first is everything.
    fn either<'id>(
        &self,
        a: &Apply<'_, 'id>,
        (s, r): (Ref<'_, 'id>, Ref<'_, 'id>),
        (s2, r2): (Ref<'_, 'id>, Ref<'_, 'id>),
    ) -> Res<Own<'id>> {
        let first = a.guard(self.walk(a, s, r)?);
        if a.value(first.borrowed()) == Some(true) || (s, r) == (s2, r2) {
            return Ok(first.into_edge());
        }
        let second = a.guard(self.walk(a, s2, r2)?);
        a.or(first.borrowed(), second.borrowed())
    }
}
