//! A machine and one property as a number: equal numbers mean equal questions.
//!
//! What is hashed is the machine that the property alone would have, so that neither another property nor an attribute that does not
//! matter for it changes the number, and nor do places in files.

use crate::logic::{Formula, Property, Rewrite};
use crate::machine::{ExprId, Machine, Node};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// FNV-1a with 128 bits: simple, the same in every run, and wide enough that two questions do not meet by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(u128);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut digest = Digest::default();
        digest.write(bytes);
        digest
    }

    /// Takes one part of several in; where it ends matters.
    pub fn part(&mut self, part: impl Hash) {
        part.hash(self);
        self.write(b"\0");
    }

    /// As hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:032x}", self.0)
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u128::from(*b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    fn finish(&self) -> u64 {
        self.0 as u64
    }
}

/// Digests of questions about one machine.
pub struct Questions<'a> {
    machine: &'a Machine,
    expressions: BTreeMap<ExprId, Digest>,
}

impl<'a> Questions<'a> {
    /// Questions about the machine that has all properties.
    pub fn new(machine: &'a Machine) -> Questions<'a> {
        Questions { machine, expressions: BTreeMap::new() }
    }

    /// The digest of a property of the machine, together with that of the machine that it would have alone.
    pub fn digest(&mut self, alone: Digest, property: &Property<ExprId>) -> Digest {
        let mut digest = alone;
        for formula in property.fair.iter().chain([&property.formula]) {
            let formula: Formula<Digest> = self.formula(formula);
            digest.part(formula);
        }
        for doubt in &property.doubts {
            let formula: Formula<Digest> = self.formula(&doubt.formula);
            digest.part((doubt.kind, &doubt.part, formula));
        }
        digest
    }

    /// The digest of an expression by what its handles stand for, not by their numbers, which depend on everything else that the
    /// machine has. Shared parts are looked at once.
    fn expression(&mut self, id: ExprId) -> Digest {
        if let Some(known) = self.expressions.get(&id) {
            return *known;
        }
        let mut digest = Digest::default();
        let node = self.machine.exprs.node(id);
        match node {
            Node::Prev(v) => digest.part(("before", &self.machine.var(*v).name)),
            Node::Cur(v) => digest.part(("now", &self.machine.var(*v).name)),
            Node::Bool(b) => digest.part(b),
            Node::Int(i) => digest.part(i),
            Node::Input(i) => digest.part(("input", i)),
            Node::Compare(op, ..) => digest.part(op),
            Node::Arith(op, ..) => digest.part(op),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Iff(..) | Node::Ite(..) => {}
        }
        digest.part(std::mem::discriminant(node));
        for part in self.machine.exprs.parts(id) {
            let part = self.expression(part);
            digest.part(part);
        }
        self.expressions.insert(id, digest);
        digest
    }
}

impl Rewrite<ExprId, Digest> for Questions<'_> {
    fn atom(&mut self, atom: &ExprId) -> Formula<Digest> {
        Formula::Atom(self.expression(*atom))
    }
}

/// The digest of a machine without its properties.
pub fn of_machine(m: &Machine) -> Digest {
    // Named one by one, so that whoever adds a field has to think of it here.
    let Machine {
        name,
        vars,
        exprs,
        slots,
        agents,
        bodies,
        actions,
        idle,
        overflow,
        properties: _,
        questions: _,
        bounds,
        left_out,
        cyclic,
    } = m;
    let mut digest = Digest::default();
    digest.part((name, vars, slots, agents));
    digest.part(exprs.nodes());
    digest.part(bodies);
    digest.part((actions, idle, overflow, bounds, left_out, cyclic));
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values() {
        assert_eq!(Digest::of(b"").hex(), "6c62272e07bb014262b821756295c58d");
        assert_eq!(Digest::of(b"a").hex(), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(Digest::of(b"foobar").hex(), "343e1662793c64bf6f0d3597ba446f18");
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let of = |parts: &[&str]| {
            let mut digest = Digest::default();
            parts.iter().for_each(|p| digest.part(p));
            digest
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
