//! What may and what must happen, on diagrams.
//!
//! The machine over predicates is made symbolic by the BDD checker; its steps are what may happen. For the other side every body has, besides, a
//! choice that is not ours: which concrete snapshot is behind the abstract one, as far as that matters. It is a number in the
//! *room* of the diagrams, and "every concrete snapshot has an outcome in X" is a pre-image followed by "for all choices".

mod ltl;
mod runs;
mod truth;
mod verdict;

pub use truth::Judge;

use super::env::Snapshot;
use super::machine::{Abstract, Table};
use crate::machine::{BodyIx, Idle, SlotIx};
use crate::native::bdd::{Bdd, Level, Limits, Relation, Stop, current};
use crate::native::closure::Direction;
use crate::native::encode::{Step, System};
use crate::native::graph::Graph;
use crate::native::reach::Reach;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeSet;

type Res<T> = Result<T, Stop>;

/// So many snapshots with one and the same step into a set are enough.
const FEW: usize = 2;

/// What one agent, or several to whom data is no matter, can make happen.
struct Group {
    slot: Option<SlotIx>,
    relations: Vec<Relation>,
    /// Somebody else's choice matters.
    open: bool,
}

/// The machine over predicates as diagrams.
pub struct Symbolic<'m> {
    /// The machine.
    pub made: &'m Abstract,
    /// Its diagrams.
    pub sys: System<'m>,
    /// The snapshots that may be reached; "nobody can act" there means: not surely somebody.
    pub reach: Reach,
    /// The steps that must be possible.
    pub must: Vec<Step>,
    reached: OnceCell<Bdd>,
    sharp: OnceCell<bool>,
    groups: Vec<Group>,
    choices: Bdd,
    /// Nobody can act, whatever is behind the snapshot.
    pub dead: Bdd,
    /// Somebody can act, but for no action it is sure.
    partial: Bdd,
}

/// Bits that number the sets of the largest family.
fn width(table: &Table) -> usize {
    let most = table.rows.iter().map(|r| r.family.len()).max().unwrap_or(1).max(1);
    (usize::BITS - (most - 1).leading_zeros()) as usize
}

impl<'m> Symbolic<'m> {
    /// Makes a machine symbolic and explores it.
    pub fn new(made: &'m Abstract, limits: &Limits) -> Res<Symbolic<'m>> {
        let room = made.tables.iter().map(|all| all.iter().map(width).sum::<usize>()).max().unwrap_or(0).max(1);
        let sys = System::with_room(&made.machine, room as u32, limits)?;
        let reach = Reach::new(&sys, &|_, _| ())?;
        let s = &sys.space;
        let choices = sys.choices()?;
        let (mut groups, mut must) = (Vec::new(), Vec::new());
        for (body, tables) in BodyIx::all(&made.machine.bodies).zip(&made.tables) {
            if tables.is_empty() {
                for step in sys.steps.iter().filter(|step| step.body == body) {
                    must.push(step.clone());
                    groups.push(Group { slot: step.slot, relations: vec![step.relation.clone()], open: false });
                }
                continue;
            }
            let slot = made.machine.bodies.get(body.0).and_then(|b| b.target);
            for relations in sys.narrowed(body, &family(&sys, body, tables)?)? {
                for relation in &relations {
                    let bdd = s.forall(&relation.bdd, &choices)?;
                    if !bdd.is_false() {
                        must.push(Step { relation: s.relation(bdd, relation.writes.clone()), body, slot });
                    }
                }
                groups.push(Group { slot, relations, open: true });
            }
        }
        groups.sort_by_key(|g| std::cmp::Reverse(g.slot));
        let dead = reach.dead.clone();
        let (partial, reached, sharp) = (s.no(), OnceCell::new(), OnceCell::new());
        let mut all = Symbolic { made, reach, must, reached, sharp, groups, choices, dead, partial, sys };
        if all.sys.idle() == Idle::Terminal {
            let (s, idle) = (&all.sys.space, all.perhaps_stuck()?);
            all.partial = s.diff(&idle, &all.dead)?;
            all.reach.dead = idle;
        }
        Ok(all)
    }

    /// Where a run may get and no action is sure.
    fn perhaps_stuck(&self) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut acting = s.no();
        for g in &self.groups {
            acting = s.or(&acting, &self.before(g, &s.yes())?)?;
        }
        s.diff(&self.reach.set, &acting)
    }

    /// Is there a snapshot in which nobody can act, surely (`Some(true)`) or perhaps, though somebody always has to?
    pub fn stuck(&self) -> Res<Option<bool>> {
        if self.sys.idle() != Idle::Never || self.perhaps_stuck()?.is_false() {
            return Ok(None);
        }
        Ok(Some(self.sys.space.meets(self.reached()?, &self.dead)?))
    }

    /// The snapshots that must be reachable.
    pub fn reached(&self) -> Res<&Bdd> {
        if let Some(known) = self.reached.get() {
            return Ok(known);
        }
        let found = match self.is_sharp()? {
            true => self.reach.set.clone(),
            false => self.sys.after_by(&self.must, &self.sys.init, &self.sys.space.yes(), &|_| ())?,
        };
        Ok(self.reached.get_or_init(|| found))
    }

    /// Must everything happen that may happen, wherever a run may get? Then truth has two values there, and is found as such.
    pub fn is_sharp(&self) -> Res<bool> {
        if let Some(known) = self.sharp.get() {
            return Ok(*known);
        }
        let sharp = self.partial.is_false() && !self.is_some_step_open()?;
        Ok(*self.sharp.get_or_init(|| sharp))
    }

    /// Is there a may-step that is no must-step, from a snapshot that may be reached?
    fn is_some_step_open(&self) -> Res<bool> {
        let s = &self.sys.space;
        let open = |b: BodyIx| self.made.tables.get(b.0).is_some_and(|t| !t.is_empty());
        for step in self.sys.steps.iter().filter(|step| open(step.body)) {
            let alike = |m: &&Step| m.body == step.body && m.relation.writes == step.relation.writes;
            let same = self.must.iter().filter(alike);
            let must = same.into_iter().try_fold(s.no(), |all, m| s.or(&all, &m.relation.bdd))?;
            let rest = s.diff(&step.relation.bdd, &must)?;
            if !rest.is_false() && s.meets(&self.reach.plausible(&self.sys, &rest)?, &self.reach.set)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many snapshots of a set there are.
    pub fn count(&self, set: &Bdd) -> Res<BigUint> {
        self.sys.space.count(set, &self.sys.layout.snapshot_bits())
    }

    /// Is an abstract snapshot in a set?
    pub fn contains(&self, set: &Bdd, snapshot: &Snapshot) -> bool {
        let codes = self.made.codes(snapshot);
        let fields = self.sys.layout.fields.iter().zip(&codes);
        let bits = fields.flat_map(|(f, code)| f.pairs.iter().map(|&p| current(p)).zip(f.encode(*code)));
        let bits: FxHashMap<Level, bool> = bits.collect();
        set.eval(|level| bits.get(&level).copied().unwrap_or(false))
    }

    /// Some snapshots of a set, always the same.
    pub fn sample(&self, set: &Bdd, most: usize) -> Res<Vec<Snapshot>> {
        let (mut found, mut rest) = (Vec::new(), set.clone());
        while found.len() < most
            && let Some(codes) = self.sys.pick(&rest)
        {
            rest = self.sys.space.diff(&rest, &self.sys.single(&codes)?)?;
            found.push(self.made.snapshot(&codes));
        }
        Ok(found)
    }

    /// Some snapshots of a set from which a may-step leads into another one; step by step, since all of them together are a large diagram.
    pub fn edge(&self, from: &Bdd, into: &Bdd, most: usize) -> Res<Vec<Snapshot>> {
        let (s, support, mut found) = (&self.sys.space, into.support(), Vec::new());
        // A step that writes nothing the set depends on leads into it only from it.
        let concerns = |step: &&Step| step.relation.writes.iter().any(|&p| support.contains(&current(p)));
        for step in self.sys.steps.iter().filter(concerns) {
            let near = s.and(from, &s.preimage(into, &step.relation)?)?;
            found.extend(self.sample(&near, most.saturating_sub(found.len()).min(FEW))?);
        }
        Ok(found)
    }

    /// Who can make a step into a set, whatever is behind the snapshot.
    fn before(&self, group: &Group, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut all = s.no();
        for relation in &group.relations {
            all = s.or(&all, &s.preimage(set, relation)?)?;
        }
        if group.open { s.forall(&all, &self.choices) } else { Ok(all) }
    }

    /// Doing nothing, where that is sure to be possible, within a set.
    fn idling(&self, set: &Bdd) -> Res<Bdd> {
        match self.sys.idle() {
            Idle::Always => Ok(set.clone()),
            Idle::Terminal => self.sys.space.and(set, &self.dead),
            Idle::Never => Ok(self.sys.space.no()),
        }
    }

    /// Where all may-successors are in the set.
    pub fn all_may(&self, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        Ok(s.not(&Graph::before(&self.sys, &self.reach, &s.not(set))?))
    }

    /// Somebody can always act, or everybody idles: where all that may follow is in the set.
    fn somehow(&self, set: &Bdd) -> Res<Bdd> {
        match self.partial.is_false() {
            true => Ok(self.sys.space.no()),
            false => self.sys.space.and(&self.partial, &self.all_may(set)?),
        }
    }

    /// Where every concrete snapshot has a successor in the set.
    pub fn each_can(&self, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut all = s.or(&self.idling(set)?, &self.somehow(set)?)?;
        for group in &self.groups {
            all = s.or(&all, &self.before(group, set)?)?;
        }
        self.reach.tidy(&self.sys, all)
    }

    /// The smallest Z with Z = goal, or within and every concrete snapshot has a successor in Z.
    pub fn each_gets_to(&self, goal: &Bdd, within: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut set = self.reach.tidy(&self.sys, goal.clone())?;
        loop {
            let before = set.clone();
            // The steps of one slot again and again before those of the next, as the BDD checker does.
            for slot in self.groups.chunk_by(|a, b| a.slot == b.slot) {
                loop {
                    let start = set.clone();
                    let support = start.support();
                    // What the set depends on from here on is written by steps that have their turn in the next pass.
                    for group in slot.iter().filter(|g| g.concerns(&support)) {
                        let found = s.and(&self.before(group, &set)?, within)?;
                        set = s.or(&set, &self.reach.tidy(&self.sys, found)?)?;
                    }
                    if set == start {
                        break;
                    }
                }
            }
            set = s.or(&set, &s.and(&self.somehow(&set)?, within)?)?;
            if set == before {
                return Ok(set);
            }
        }
    }

    /// Snapshots with a may-step into a set, idling included.
    pub fn may_before(&self, set: &Bdd) -> Res<Bdd> {
        Graph::before(&self.sys, &self.reach, set)
    }

    /// Snapshots reached by one must-step from a set.
    pub fn must_after(&self, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        s.or(&self.sys.step(set, &self.must, Direction::Forward)?, &self.idling(set)?)
    }

    /// Snapshots with a must-step into a set.
    pub fn must_before(&self, set: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        s.or(&self.sys.step(set, &self.must, Direction::Backward)?, &self.idling(set)?)
    }
}

impl Group {
    /// A step that writes nothing the set depends on leads into it only from it.
    fn concerns(&self, support: &BTreeSet<Level>) -> bool {
        let writes = |r: &Relation| r.writes.iter().any(|&p| support.contains(&current(p)));
        self.relations.iter().any(writes)
    }
}

/// The inputs that go with each choice of somebody else.
fn family(sys: &System<'_>, body: BodyIx, tables: &[Table]) -> Res<Bdd> {
    let s = &sys.space;
    let (mut all, mut first) = (s.yes(), 0);
    for table in tables {
        let bits = width(table);
        let mut either = s.no();
        for row in &table.rows {
            let cube = |outcome: &Vec<bool>| {
                table.inputs.iter().zip(outcome).try_fold(s.yes(), |all, (i, truth)| {
                    let input = sys.input(body, *i)?;
                    s.and(&all, &if *truth { input } else { s.not(&input) })
                })
            };
            let mut inputs = s.no();
            for number in 0..1usize << bits {
                // Numbers beyond the last set stand for it, too.
                let Some(set) = row.family.get(number.min(row.family.len().saturating_sub(1))) else { continue };
                let mut some = s.no();
                for outcome in set.iter().filter_map(|o| row.outcomes.get(*o)) {
                    some = s.or(&some, &cube(outcome)?)?;
                }
                inputs = s.or(&inputs, &s.and(&sys.chosen(first, bits, number)?, &some)?)?;
            }
            either = s.or(&either, &s.and(&sys.earlier(row.when)?, &inputs)?)?;
        }
        all = s.and(&all, &either)?;
        first += bits;
    }
    Ok(all)
}
