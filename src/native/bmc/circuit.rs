//! Circuits of and-gates and negations, equal ones built once.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use crate::native::bdd::Stop;
use crate::native::gates::Gates;

/// A gate's output, or its negation: twice the gate's number, and one for the negation. Gate 0 is `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wire(u32);

impl Wire {
    pub const NO: Wire = Wire(0);
    pub const YES: Wire = Wire(1);

    /// The gate.
    pub fn gate(self) -> usize {
        (self.0 / 2) as usize
    }

    /// Is it the negation of the gate?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn negated(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// A circuit.
pub struct Circuit {
    /// Per gate: what it is the conjunction of; `None`: an input.
    gates: RefCell<Vec<Option<(Wire, Wire)>>>,
    known: RefCell<FxHashMap<(Wire, Wire), Wire>>,
    most: Cell<usize>,
}

impl Circuit {
    /// An empty one that may have so many gates.
    pub fn new(most: usize) -> Circuit {
        Circuit { gates: RefCell::new(vec![None]), known: RefCell::default(), most: Cell::new(most) }
    }

    /// So many inputs.
    pub fn inputs(&self, count: u32) -> Vec<Wire> {
        let mut gates = self.gates.borrow_mut();
        let first = gates.len() as u32;
        gates.extend((0..count).map(|_| None));
        (first..first + count).map(|gate| Wire(2 * gate)).collect()
    }

    /// What a gate is the conjunction of.
    pub fn parts(&self, gate: usize) -> Option<(Wire, Wire)> {
        self.gates.borrow().get(gate).copied().flatten()
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.borrow().len()
    }
}

impl Gates for Circuit {
    const MOST_SETS: usize = 64;
    type Bit = Wire;

    fn too_many_sets() -> Option<Stop> {
        None
    }

    fn constant(&self, value: bool) -> Wire {
        if value { Wire::YES } else { Wire::NO }
    }

    fn not(&self, a: &Wire) -> Wire {
        a.negated()
    }

    fn and(&self, a: &Wire, b: &Wire) -> Result<Wire, Stop> {
        let (a, b) = (*a.min(b), *a.max(b));
        if a == Wire::NO || a == b.negated() {
            return Ok(Wire::NO);
        }
        if a == Wire::YES || a == b {
            return Ok(b);
        }
        if let Some(wire) = self.known.borrow().get(&(a, b)) {
            return Ok(*wire);
        }
        let mut gates = self.gates.borrow_mut();
        if gates.len() >= self.most.get() {
            return Err(Stop::OutOfMemory);
        }
        let wire = Wire(2 * gates.len() as u32);
        gates.push(Some((a, b)));
        self.known.borrow_mut().insert((a, b), wire);
        Ok(wire)
    }

    fn xor(&self, a: &Wire, b: &Wire) -> Result<Wire, Stop> {
        self.ite(a, &b.negated(), b)
    }

    fn ite(&self, c: &Wire, a: &Wire, b: &Wire) -> Result<Wire, Stop> {
        if a == b {
            return Ok(*a);
        }
        let (then, otherwise) = (self.and(c, a)?, self.and(&c.negated(), b)?);
        self.or(&then, &otherwise)
    }
}
