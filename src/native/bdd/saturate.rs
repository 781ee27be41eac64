//! Saturation: everything that transitions reach, found from the bottom of the order upward.
//!
//! Each relation is fired at the topmost pair it reads or writes. A node is finished when nothing fired at its pair or below
//! brings anything new, and the results of firing are finished before they are used further up. Where transitions are local
//! (each concerns few neighbouring pairs) the work is done once per node instead of once per round over everything.

use oxidd_rules_bdd::complement_edge::BCDDOp;

use super::ops::{Apply, Own, Ref, Res};
use super::{Bdd, Relation, Space, Stop, current, next};

/// Relations arranged by the pair at which they are fired.
pub struct Saturation<'r> {
    by_pair: Vec<Vec<Fired<'r>>>,
    /// Per pair, the next pair from there on at which something is fired.
    next_pair: Vec<usize>,
    key: u32,
}

struct Fired<'r> {
    relation: &'r Relation,
    written: Vec<bool>,
    key: u32,
}

impl Space {
    /// Everything reachable from `start` by the relations, given up after this many steps of the recursion.
    pub fn saturate<'r>(
        &self,
        start: &Bdd,
        relations: impl IntoIterator<Item = &'r Relation>,
        effort: u64,
    ) -> Result<Option<Bdd>, Stop> {
        let plan = self.plan(relations);
        self.clock.set_fuel(Some(effort));
        let result = self.run(|apply| plan.close(apply, apply.edge(start), 0));
        let empty = self.clock.set_fuel(None) == Some(0);
        match result {
            Err(Stop::Timeout) if empty => Ok(None),
            other => other.map(Some),
        }
    }

    fn plan<'r>(&self, relations: impl IntoIterator<Item = &'r Relation>) -> Saturation<'r> {
        let pairs = self.pairs() as usize;
        let mut by_pair: Vec<Vec<Fired<'r>>> = (0..pairs).map(|_| Vec::new()).collect();
        // Results depend on the whole plan, so a plan never shares cache entries with another.
        let plan = self.fresh_number();
        for relation in relations {
            let read = relation.bdd.support().first().map(|l| l / 2);
            let top = read.into_iter().chain(relation.writes.first().copied()).min();
            let Some(list) = top.and_then(|t| by_pair.get_mut(t as usize)) else { continue };
            let mut written = vec![false; relation.writes.last().map_or(0, |&p| p as usize + 1)];
            for &p in &relation.writes {
                if let Some(flag) = written.get_mut(p as usize) {
                    *flag = true;
                }
            }
            // The topmost bit sets these keys apart from those of plain images.
            let key = 1 << 31 | self.write_set(&[&[u32::MAX, plan], relation.writes.as_slice()].concat());
            list.push(Fired { relation, written, key });
        }
        let mut next_pair = vec![pairs; pairs + 1];
        for p in (0..pairs).rev() {
            next_pair[p] = if by_pair[p].is_empty() { next_pair[p + 1] } else { p };
        }
        Saturation { by_pair, next_pair, key: plan }
    }
}

impl Saturation<'_> {
    /// The set with everything that relations fired at `from` or below reach from it.
    fn close<'id>(&self, a: &Apply<'_, 'id>, set: Ref<'_, 'id>, from: usize) -> Res<Own<'id>> {
        if a.value(set) == Some(false) {
            return a.terminal(false);
        }
        let pair = self.next_at(from).min(a.level(set) as usize / 2);
        if pair >= self.by_pair.len() {
            return Ok(a.clone(set));
        }
        let numbers = [self.key, pair as u32];
        if let Some(hit) = a.cached(BCDDOp::Substitute, &[set], &numbers) {
            return Ok(hit);
        }
        a.tick()?;
        let (s1, s0) = a.split(set, current(pair as u32));
        let one = a.guard(self.close(a, s1, pair + 1)?);
        let zero = a.guard(self.close(a, s0, pair + 1)?);
        let node = a.node(current(pair as u32), one, zero)?;
        let result = self.fire_all(a, node, pair)?;
        a.remember(BCDDOp::Substitute, &[set], &numbers, &result);
        Ok(result)
    }

    fn next_at(&self, from: usize) -> usize {
        self.next_pair.get(from).copied().unwrap_or(usize::MAX)
    }

    /// Fires the relations of a pair until nothing new comes. The set is finished below the pair, and so is the result.
    fn fire_all<'id>(&self, a: &Apply<'_, 'id>, set: Own<'id>, pair: usize) -> Res<Own<'id>> {
        let mut set = a.guard(set);
        loop {
            let mut more = a.guard(a.clone(set.borrowed()));
            for fired in &self.by_pair[pair] {
                let relation = a.edge(&fired.relation.bdd);
                let found = a.guard(self.image(a, fired, more.borrowed(), relation, pair)?);
                more = a.guard(a.or(more.borrowed(), found.borrowed())?);
            }
            if *more == *set {
                return Ok(set.into_edge());
            }
            set = more;
        }
    }

    /// The image of a set below a pair, finished there. The set is finished below the pair.
    fn reached<'id>(
        &self,
        a: &Apply<'_, 'id>,
        fired: &Fired<'_>,
        set: Ref<'_, 'id>,
        rel: Ref<'_, 'id>,
        from: usize,
    ) -> Res<Own<'id>> {
        if a.value(set) == Some(false) || a.value(rel) == Some(false) {
            return a.terminal(false);
        }
        let pair = a.level(set).min(a.level(rel)) as usize / 2;
        if pair >= fired.written.len() {
            if a.value(rel) == Some(true) {
                return Ok(a.clone(set));
            }
            let left = a.guard(a.and(set, rel)?);
            return self.close(a, left.borrowed(), from);
        }
        // Between `from` and `pair` the set does not depend on anything, but relations may be fired there.
        let mut result = a.guard(self.reached_at(a, fired, set, rel, pair)?);
        let between = (from..pair).rev().filter(|&p| !self.by_pair[p].is_empty());
        for p in between {
            let finished = self.fire_all(a, a.clone(result.borrowed()), p)?;
            result = a.guard(finished);
        }
        Ok(result.into_edge())
    }

    fn reached_at<'id>(
        &self,
        a: &Apply<'_, 'id>,
        fired: &Fired<'_>,
        set: Ref<'_, 'id>,
        rel: Ref<'_, 'id>,
        pair: usize,
    ) -> Res<Own<'id>> {
        if let Some(hit) = a.cached(BCDDOp::Substitute, &[set, rel], &[fired.key]) {
            return Ok(hit);
        }
        let image = self.image(a, fired, set, rel, pair)?;
        let result = self.fire_all(a, image, pair)?;
        a.remember(BCDDOp::Substitute, &[set, rel], &[fired.key], &result);
        Ok(result)
    }

    /// One image whose parts below the pair are finished.
    fn image<'id>(
        &self,
        a: &Apply<'_, 'id>,
        fired: &Fired<'_>,
        set: Ref<'_, 'id>,
        rel: Ref<'_, 'id>,
        pair: usize,
    ) -> Res<Own<'id>> {
        a.tick()?;
        let (here, there) = (current(pair as u32), next(pair as u32));
        let ((s1, s0), (r1, r0)) = (a.split(set, here), a.split(rel, here));
        let below = pair + 1;
        let (one, zero) = if fired.written.get(pair).copied().unwrap_or(false) {
            let ((r11, r10), (r01, r00)) = (a.split(r1, there), a.split(r0, there));
            let union = |x: (Ref<'_, 'id>, Ref<'_, 'id>), y: (Ref<'_, 'id>, Ref<'_, 'id>)| {
                let x = a.guard(self.reached(a, fired, x.0, x.1, below)?);
                let y = a.guard(self.reached(a, fired, y.0, y.1, below)?);
                a.or(x.borrowed(), y.borrowed())
            };
            let one = a.guard(union((s0, r01), (s1, r11))?);
            (one, a.guard(union((s0, r00), (s1, r10))?))
        } else {
            let one = a.guard(self.reached(a, fired, s1, r1, below)?);
            (one, a.guard(self.reached(a, fired, s0, r0, below)?))
        };
        a.node(here, one, zero)
    }
}
