//! Which Boolean variable stands where: the order of the diagrams, chosen from the model.
//!
//! Measured: the order decides over orders of magnitude. Slots are blocks (an instance mostly depends on itself), current and
//! next bits of a variable are neighbours, `created` opens its block, statuses stand near what their sentries read, and wide
//! data such as ids closes the block. Slots of one type have the same inner order, the first slot stands lowest (slots are
//! created in turn, so the later ones depend on the earlier), and what belongs to no slot stands below them all. Payload
//! that cannot be identified with the attribute it is written to gets a few pairs on top. Some numbers, payload included, are woven into
//! each other at the bottom, bit by bit (see `weave`). What no step writes has no bits.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::bdd::{Level, current};
use super::weave::Woven;
use crate::machine::Domain;
use crate::machine::{Body, ExprId, Machine, Node, Snapshot, Var, VarId};

/// Data with at least this many bits goes to the end of its block.
const WIDE: u32 = 3;
/// What depends on more variables than this says nothing about where they should stand.
const MANY: usize = 12;
/// Rounds of the static optimisation.
const ROUNDS: usize = 60;
/// Blocks with so many variables are long: hubs are taken out of them.
const LONG: usize = 64;
/// Most hubs of a block.
const HUBS: usize = 4;

/// Where the bits of a variable are.
#[derive(Clone, Debug)]
pub struct Field {
    /// Pairs, most significant bit first.
    pub pairs: Vec<u32>,
    /// The value that is coded as zero.
    pub lo: i64,
    /// The domain has this many values.
    pub size: u64,
    /// Boolean, not a number.
    pub boolean: bool,
}

/// Places of all bits.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Per variable of the machine.
    pub fields: Vec<Field>,
    /// Pairs set aside for payload, on top.
    pub payload: Vec<u32>,
    /// Pairs set aside for very wide payload: as many words, each most significant bit first.
    pub words: Vec<Vec<u32>>,
    /// Number of pairs.
    pub pairs: u32,
}

/// What a body needs for inputs of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payload {
    /// Bits, without those of very wide inputs.
    pub bits: u32,
    /// Number of very wide inputs.
    pub words: usize,
    /// Bits of the widest of them.
    pub width: u32,
}

impl Layout {
    /// The layout of a machine whose bodies need at most this much for inputs of their own.
    pub fn new(machine: &Machine, woven: &Woven, payload: Payload) -> Layout {
        // What nobody writes keeps its initial value, be it that nobody uses it or that it is left out of a slice.
        let written: BTreeSet<VarId> = machine.writes().map(|(v, _)| v).collect();
        let field = |(v, var): (VarId, &Var)| match written.contains(&v) {
            true => Field::at(&var.domain, Vec::new()),
            false => Field::fixed(&var.domain, var.init),
        };
        let mut fields: Vec<Field> = machine.state_ids().zip(machine.state_vars()).map(field).collect();
        let mut next = payload.bits;
        let mut numbers = Vec::new();
        for var in order(machine) {
            let Some(field) = fields.get_mut(var.0 as usize) else { continue };
            let bits = field.bits();
            if woven.has(var) {
                numbers.push(var);
                continue;
            }
            field.pairs = (next..next + bits).collect();
            next += bits;
        }
        let mut words = vec![Vec::new(); payload.words];
        let widest = numbers.iter().map(|v| fields[v.0 as usize].bits()).chain([payload.width]).max().unwrap_or(0);
        let mut pair = || {
            next += 1;
            next - 1
        };
        for bit in (0..widest).rev() {
            words.iter_mut().filter(|_| bit < payload.width).for_each(|w| w.push(pair()));
            for var in &numbers {
                let field = &mut fields[var.0 as usize];
                if bit < field.bits() {
                    field.pairs.push(pair());
                }
            }
        }
        Layout { fields, payload: (0..payload.bits).collect(), words, pairs: next }
    }

    /// Where a variable is.
    pub fn field(&self, var: VarId) -> &Field {
        &self.fields[var.0 as usize]
    }

    /// Has what has no bits its only value in a snapshot?
    pub fn fits(&self, snapshot: &Snapshot) -> bool {
        self.fields.iter().zip(snapshot).all(|(f, v)| !f.pairs.is_empty() || *v == f.lo)
    }

    /// A snapshot, bit by bit.
    pub fn literals(&self, snapshot: &Snapshot) -> impl Iterator<Item = (Level, bool)> {
        let fields = self.fields.iter().zip(snapshot);
        fields.flat_map(|(f, v)| f.pairs.iter().map(|&p| current(p)).zip(f.encode(*v)))
    }

    /// The current bits of all variables: the bits of a snapshot.
    pub fn snapshot_bits(&self) -> BTreeSet<Level> {
        self.fields.iter().flat_map(|f| f.pairs.iter().map(|&p| current(p))).collect()
    }
}

impl Field {
    /// A field of this domain in these pairs.
    pub fn at(domain: &Domain, pairs: Vec<u32>) -> Field {
        let (lo, _) = domain.bounds();
        Field { pairs, lo, size: domain.size(), boolean: *domain == Domain::Bool }
    }

    /// A field that always has this value: no bits at all.
    fn fixed(domain: &Domain, value: i64) -> Field {
        Field { lo: value, size: 1, ..Field::at(domain, Vec::new()) }
    }

    /// How many bits a value has.
    pub fn bits(&self) -> u32 {
        64 - (self.size - 1).leading_zeros()
    }

    /// The bits of a value, for [`Field::pairs`].
    pub fn encode(&self, value: i64) -> Vec<bool> {
        let code = value.wrapping_sub(self.lo) as u64;
        (0..self.pairs.len()).rev().map(|i| code >> i & 1 == 1).collect()
    }

    /// The value of some bits.
    pub fn decode(&self, bits: impl IntoIterator<Item = bool>) -> i64 {
        let code = bits.into_iter().fold(0u64, |c, b| c << 1 | u64::from(b));
        self.lo.wrapping_add(code as i64)
    }
}

/// All variables, top to bottom.
fn order(machine: &Machine) -> Vec<VarId> {
    let in_slots: BTreeSet<VarId> = machine.slots.iter().flat_map(|s| s.vars.iter().copied()).collect();
    let mut order = Vec::new();
    let families = machine.slots.iter().map(|s| s.family).max().map_or(0, |f| f + 1);
    let inner: Vec<Vec<usize>> = (0..families).map(|family| inner_order(machine, family)).collect();
    for slot in machine.slots.iter().rev() {
        let positions = inner.get(slot.family).map(Vec::as_slice).unwrap_or_default();
        order.extend(positions.iter().filter_map(|&i| slot.vars.get(i)));
    }
    let outside: Vec<VarId> = machine.state_ids().filter(|v| !in_slots.contains(v)).collect();
    if order.is_empty() {
        let all = [outside];
        order.extend(arranged(machine, &all).into_iter().filter_map(|i| all[0].get(i)));
    } else {
        order.extend(outside);
    }
    order
}

/// The order of the variables of a slot of this family, as positions in `Slot::vars`.
fn inner_order(machine: &Machine, family: usize) -> Vec<usize> {
    let blocks: Vec<&[VarId]> =
        machine.slots.iter().filter(|s| s.family == family).map(|s| s.vars.as_slice()).collect();
    arranged(machine, &blocks)
}

/// The order of the variables of blocks that are alike, as positions in a block.
fn arranged<B: AsRef<[VarId]>>(machine: &Machine, blocks: &[B]) -> Vec<usize> {
    let Some(first) = blocks.first().map(AsRef::as_ref) else { return Vec::new() };
    let mut sets = neighbourhoods(machine, blocks);
    // `created` meets everything and stands on top anyway; left in, it would pull everything into one heap.
    sets = sets.into_iter().map(|set| without_created(machine, first, set)).filter(|set| set.len() > 1).collect();
    let hubs = hubs(first.len(), &sets);
    if !hubs.is_empty() {
        let less = |set: Vec<usize>| set.into_iter().filter(|i| !hubs.contains(i)).collect::<Vec<usize>>();
        sets = sets.into_iter().map(less).filter(|set| set.len() > 1).collect();
    }
    let mut starts = vec![(0..first.len()).collect(), walk(first.len(), &sets)];
    if first.len() >= LONG {
        starts.push(band(first.len(), &sets));
    }
    let arranged = starts.into_iter().map(|start| force(start, &sets));
    let mut order = arranged.min_by_key(|order| span(order, &sets)).unwrap_or_default();
    let rank = |i: usize| match first.get(i).copied() {
        Some(v) if machine.is_existence(v) => 0,
        Some(v) if machine.var(v).domain.bits() >= WIDE => 3,
        _ if hubs.contains(&i) => 1,
        _ => 2,
    };
    order.sort_by_key(|&i| rank(i));
    order
}

/// Sets of variables (positions in their block) that meet in a rule or an assignment at one of the blocks.
fn neighbourhoods<B: AsRef<[VarId]>>(machine: &Machine, blocks: &[B]) -> BTreeSet<Vec<usize>> {
    let mut position = vec![None; machine.vars.len()];
    for (s, block) in blocks.iter().enumerate() {
        for (i, v) in block.as_ref().iter().enumerate() {
            if let Some(p) = position.get_mut(v.0 as usize) {
                *p = Some((s, i));
            }
        }
    }
    let mut found = BTreeSet::new();
    for body in &machine.bodies {
        // What is kept in passing stands for what decided it.
        let mut passing: FxHashMap<VarId, Met> = FxHashMap::default();
        for (target, exprs) in meetings(body) {
            let mut met = Met::new();
            for &e in &exprs {
                machine.exprs.leaves(e, &mut |leaf| {
                    if let Node::Prev(v) | Node::Cur(v) = leaf {
                        met.extend(position.get(v.0 as usize).copied().flatten());
                        met.extend(passing.get(v).into_iter().flatten());
                    }
                });
            }
            match position.get(target.0 as usize) {
                Some(&Some((block, at))) => {
                    let near = met.into_iter().filter(|(b, _)| *b == block).map(|(_, i)| i);
                    found.insert(near.chain([at]).collect::<BTreeSet<usize>>().into_iter().collect());
                }
                _ if met.len() <= MANY => passing.entry(target).or_default().extend(met),
                _ => {}
            }
        }
    }
    found.retain(|set: &Vec<usize>| set.len() > 1);
    found
}

/// Blocks and positions of variables that meet.
type Met = BTreeSet<(usize, usize)>;

/// What a body writes, with the expressions that decide it.
fn meetings(body: &Body) -> Vec<(VarId, Vec<ExprId>)> {
    let assigns = body.effect.iter().chain(&body.finish).map(|a| (a.var, vec![a.value]));
    let rules = body.rules.iter().map(|r| (r.target, vec![r.prerequisite, r.antecedent, r.value]));
    assigns.chain(rules).collect()
}

fn without_created(machine: &Machine, block: &[VarId], set: Vec<usize>) -> Vec<usize> {
    let created = |i: usize| block.get(i).is_some_and(|&v| machine.is_existence(v));
    set.into_iter().filter(|&i| !created(i)).collect()
}

/// In a long block: the few variables that meet a good part of all others. They stand on top, like `created`.
fn hubs(count: usize, sets: &BTreeSet<Vec<usize>>) -> Vec<usize> {
    let mut meets = vec![0; count];
    sets.iter().flatten().for_each(|&i| meets[i] += 1);
    let mut hubs: Vec<usize> = (0..count).filter(|&i| count >= LONG && meets[i] * 10 > sets.len()).collect();
    hubs.sort_by_key(|&i| (std::cmp::Reverse(meets[i]), i));
    hubs.truncate(HUBS);
    hubs
}

/// Whom each variable meets.
fn neighbours(count: usize, sets: &BTreeSet<Vec<usize>>) -> Vec<BTreeSet<usize>> {
    let mut near = vec![BTreeSet::new(); count];
    for set in sets {
        for &i in set {
            near[i].extend(set.iter().copied().filter(|&j| j != i));
        }
    }
    near
}

/// A start for [`force`]: breadth first from one end to the other, those that meet few first, so that what meets stays within a
/// narrow band (Cuthill and McKee).
fn band(count: usize, sets: &BTreeSet<Vec<usize>>) -> Vec<usize> {
    let near = neighbours(count, sets);
    let breadth_first = |from: usize, seen: &mut Vec<bool>| {
        let mut found = vec![from];
        seen[from] = true;
        let mut at = 0;
        while let Some(&i) = found.get(at) {
            let mut next: Vec<usize> = near[i].iter().copied().filter(|&j| !seen[j]).collect();
            next.sort_by_key(|&j| (near[j].len(), j));
            next.iter().for_each(|&j| seen[j] = true);
            found.extend(next);
            at += 1;
        }
        found
    };
    let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
    for first in 0..count {
        if !seen[first] {
            // What is found last from anywhere is an end.
            let end = breadth_first(first, &mut seen.clone()).last().copied().unwrap_or(first);
            order.extend(breadth_first(end, &mut seen));
        }
    }
    order
}

/// A start for [`force`]: depth first from each variable to those it meets, so that parts of the model which have nothing
/// to do with each other do not mix.
fn walk(count: usize, sets: &BTreeSet<Vec<usize>>) -> Vec<usize> {
    let near = neighbours(count, sets);
    let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
    for first in 0..count {
        let mut todo = vec![first];
        while let Some(i) = todo.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                order.push(i);
                todo.extend(near[i].iter().rev());
            }
        }
    }
    order
}

/// FORCE: every set pulls its members to its centre of gravity; the arrangement with the smallest total span wins.
fn force(mut order: Vec<usize>, sets: &BTreeSet<Vec<usize>>) -> Vec<usize> {
    let count = order.len();
    let (mut best, mut best_span) = (order.clone(), span(&order, sets));
    for _ in 0..ROUNDS {
        let place = places(&order);
        let mut pull = vec![(0.0f64, 0usize); count];
        for set in sets {
            let centre = set.iter().map(|&i| place[i] as f64).sum::<f64>() / set.len() as f64;
            for &i in set {
                pull[i].0 += centre;
                pull[i].1 += 1;
            }
        }
        let wish = |i: usize| match pull[i] {
            (_, 0) => place[i] as f64,
            (sum, n) => sum / n as f64,
        };
        let mut new = order.clone();
        new.sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
        if new == order {
            break;
        }
        order = new;
        let now = span(&order, sets);
        if now < best_span {
            (best, best_span) = (order.clone(), now);
        }
    }
    best
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (p, &i) in order.iter().enumerate() {
        place[i] = p;
    }
    place
}

fn span(order: &[usize], sets: &BTreeSet<Vec<usize>>) -> usize {
    let place = places(order);
    let width = |set: &Vec<usize>| {
        let at = set.iter().map(|&i| place[i]);
        at.clone().max().unwrap_or(0) - at.min().unwrap_or(0)
    };
    sets.iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_never_meet_do_not_mix() {
        let sets = BTreeSet::from([vec![0, 3], vec![1, 4], vec![2, 5]]);
        assert_eq!(walk(6, &sets), [0, 3, 1, 4, 2, 5]);
        assert_eq!(span(&force(walk(6, &sets), &sets), &sets), 3);
        assert_eq!(span(&[0, 1, 2, 3, 4, 5], &sets), 9);
    }

    #[test]
    fn a_chain_is_found_again() {
        // Neighbours of a chain of 80, which are far apart by number, and one that meets them all.
        let place = |n: usize| n * 37 % 80;
        let mut sets: BTreeSet<Vec<usize>> = (1..80).map(|n| vec![place(n - 1), place(n)]).collect();
        assert_eq!(span(&band(80, &sets), &sets), 79);
        sets.extend((0..40).map(|n| vec![place(n), 80]));
        assert_eq!(hubs(81, &sets), [80]);
        assert_eq!(hubs(63, &BTreeSet::from([vec![0, 1]])), [0usize; 0]);
    }
}
