//! Which snapshots can be reached, and how soon.

use std::cell::RefCell;
use std::collections::BTreeSet;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::bdd::{Bdd, Level, Stop, current};
use super::closure::Direction;
use super::encode::System;
use crate::machine::Idle;
use crate::machine::VarId;

type Res<T> = Result<T, Stop>;

/// The reachable snapshots.
pub struct Reach {
    /// All of them.
    pub set: Bdd,
    /// Nodes of its diagram.
    pub nodes: usize,
    /// How many.
    pub count: BigUint,
    /// Those in which nobody can act.
    pub dead: Bdd,
    /// Those with the overflow flag.
    pub overflow: Bdd,
    /// Breadth-first layers, as far as anybody asked (each holds the snapshots first reached then), and their union.
    layers: RefCell<(Vec<Bdd>, Bdd)>,
    /// The bits of each slot, and of everything outside the slots.
    blocks: Vec<BTreeSet<Level>>,
    /// What some bits of a block can be in a reachable snapshot.
    shadows: RefCell<FxHashMap<(usize, Vec<Level>), Bdd>>,
}

/// A layer with so many nodes makes it worth going backward from the target, too. Tests are small and always do.
const LARGE: usize = if cfg!(test) { 1 } else { 5_000 };

/// The shortest ways from the initial snapshot to a set.
pub struct Way {
    /// Snapshots first reached after 0, 1, … steps. The last meets the last ring.
    pub layers: Vec<Bdd>,
    /// Snapshots that are 0, 1, … steps away from the set.
    pub rings: Vec<Bdd>,
}

impl Reach {
    /// Explores a system from its initial snapshot; `tell` hears about rounds and nodes.
    pub fn new(sys: &System<'_>, tell: &dyn Fn(usize, usize)) -> Res<Reach> {
        let s = &sys.space;
        Reach::of(
            sys,
            match &sys.among {
                Some(known) => known.clone(),
                None => sys.after(&sys.init, &s.yes(), &|round| tell(round, s.nodes()))?,
            },
        )
    }

    /// Takes a set for the reachable snapshots.
    pub(super) fn of(sys: &System<'_>, set: Bdd) -> Res<Reach> {
        let s = &sys.space;
        let count = s.count(&set, &sys.layout.snapshot_bits())?;
        let acting = sys.step(&s.yes(), &sys.steps, Direction::Backward)?;
        let dead = s.diff(&set, &acting)?;
        let overflow = s.and(&set, &sys.value(sys.machine.overflow).truth(s)?)?;
        Ok(Reach {
            nodes: set.node_count(),
            set,
            count,
            dead,
            overflow,
            layers: RefCell::new((vec![sys.init.clone()], sys.init.clone())),
            blocks: blocks(sys),
            shadows: RefCell::default(),
        })
    }

    /// The snapshots that may idle; right on the reachable ones.
    pub fn idle(&self, sys: &System<'_>) -> Bdd {
        match sys.idle() {
            Idle::Always => sys.space.yes(),
            Idle::Terminal => self.dead.clone(),
            Idle::Never => sys.space.no(),
        }
    }

    /// Whether a set's diagram is not much larger than that of the reachable snapshots.
    pub fn is_small(&self, set: &Bdd) -> bool {
        set.fits(2 * self.nodes + 2000)
    }

    /// The set without snapshots in which some slot, looked at alone, is as it never can be. Bits that the set does not
    /// depend on stay out of it.
    pub fn plausible(&self, sys: &System<'_>, set: &Bdd) -> Res<Bdd> {
        let support = set.support();
        let mut result = set.clone();
        for block in 0..self.blocks.len() {
            let touched: Vec<Level> = self.blocks[block].intersection(&support).copied().collect();
            if !touched.is_empty() {
                result = sys.space.and(&result, &self.shadow(sys, block, touched)?)?;
            }
        }
        Ok(result)
    }

    /// A set that matters on the reachable snapshots only, made smaller if it can be.
    pub fn tidy(&self, sys: &System<'_>, set: Bdd) -> Res<Bdd> {
        if self.is_small(&set) { self.plausible(sys, &set) } else { sys.space.and(&set, &self.set) }
    }

    fn shadow(&self, sys: &System<'_>, block: usize, bits: Vec<Level>) -> Res<Bdd> {
        let s = &sys.space;
        if let Some(known) = self.shadows.borrow().get(&(block, bits.clone())) {
            return Ok(known.clone());
        }
        let all: Vec<Level> = self.blocks[block].iter().copied().collect();
        let from = if bits == all { self.set.clone() } else { self.shadow(sys, block, all)? };
        let others = from.support().into_iter().filter(|l| !bits.contains(l));
        let shadow = s.exists(&from, &s.variables(others)?)?;
        self.shadows.borrow_mut().insert((block, bits), shadow.clone());
        Ok(shadow)
    }

    /// The shortest ways to `target`; `None` when there is none. Layers come from the initial snapshot and, once they have become
    /// large, rings from the target: whichever is smaller goes on, until they meet.
    pub fn way_to(&self, sys: &System<'_>, target: &Bdd) -> Res<Option<Way>> {
        let s = &sys.space;
        let goal = s.and(&self.set, target)?;
        if goal.is_false() {
            return Ok(None);
        }
        let (mut depth, mut behind, mut rings) = (0, goal.clone(), vec![goal]);
        loop {
            self.extend(sys, depth)?;
            let layers = &self.layers.borrow().0;
            let (Some(layer), Some(ring)) = (layers.get(depth), rings.last()) else { return Ok(None) };
            if s.meets(layer, ring)? {
                return Ok(Some(Way { layers: layers.iter().take(depth + 1).cloned().collect(), rings }));
            }
            let size = layer.node_count();
            if depth + 1 < layers.len() || size <= LARGE || size <= ring.node_count() {
                depth += 1;
                continue;
            }
            let before = s.and(&sys.step(ring, &sys.steps, Direction::Backward)?, &self.set)?;
            let ring = s.diff(&before, &behind)?;
            behind = s.or(&behind, &ring)?;
            rings.push(ring);
        }
    }

    /// Makes sure that layer `depth` is there, unless everything has been reached before.
    fn extend(&self, sys: &System<'_>, depth: usize) -> Res<()> {
        let s = &sys.space;
        let (layers, seen) = &mut *self.layers.borrow_mut();
        while layers.len() <= depth {
            let Some(last) = layers.last() else { break };
            let next = s.diff(&sys.step(last, &sys.steps, Direction::Forward)?, seen)?;
            if next.is_false() {
                break;
            }
            *seen = s.or(seen, &next)?;
            layers.push(next);
        }
        Ok(())
    }
}

fn blocks(sys: &System<'_>) -> Vec<BTreeSet<Level>> {
    let levels = |vars: &mut dyn Iterator<Item = VarId>| {
        vars.flat_map(|v| sys.layout.field(v).pairs.iter().map(|&p| current(p))).collect::<BTreeSet<Level>>()
    };
    let slots = sys.machine.slots.iter().map(|slot| levels(&mut slot.vars.iter().copied()));
    let mut blocks: Vec<BTreeSet<Level>> = slots.collect();
    let inside: BTreeSet<Level> = blocks.iter().flatten().copied().collect();
    blocks.push(sys.layout.snapshot_bits().difference(&inside).copied().collect());
    blocks
}
