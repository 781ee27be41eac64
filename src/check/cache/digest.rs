//! A machine and one property as a number: equal numbers mean equal questions.
//!
//! What is hashed is the machine that the property alone would have, so that neither another property nor an attribute that does not
//! matter for it changes the number, and nor do places in files.

use crate::lang::gsm::{Application, ModelProperty, Relevant};
use crate::logic::Property;
use crate::machine::{Body, ExprId, Machine, Node};
use crate::source::{FileId, Span};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// FNV-1a with 128 bits: simple, the same on every machine, and wide enough that two questions do not meet by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        digest.add(bytes);
        digest
    }

    /// Takes more bytes in.
    pub fn add(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u128::from(*b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    /// Takes one part of several in; where it ends matters.
    pub fn part(&mut self, part: impl fmt::Debug) {
        let _ = write!(self, "{part:?}\0");
    }

    /// As hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:032x}", self.0)
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.add(s.as_bytes());
        Ok(())
    }
}

/// Digests of questions about one application. Most properties have the same things that matter, so their machine is made once.
pub struct Questions<'a> {
    app: &'a Application,
    machine: &'a Machine,
    known: BTreeMap<Relevant, Option<Digest>>,
    expressions: BTreeMap<u32, Digest>,
}

impl<'a> Questions<'a> {
    /// Questions about an application and the machine that has its properties.
    pub fn new(app: &'a Application, machine: &'a Machine) -> Questions<'a> {
        Questions { app, machine, known: BTreeMap::new(), expressions: BTreeMap::new() }
    }

    /// The digest of the machine as far as a property is concerned, with the property; `lowered` is the same property in the machine.
    pub fn digest(&mut self, property: &ModelProperty, lowered: &Property<ExprId>) -> Option<Digest> {
        let relevant = Relevant::of(self.app, std::slice::from_ref(property));
        let made = self.known.entry(relevant);
        let mut digest = (*made.or_insert_with_key(|r| r.machine(self.app).map(|m| of_machine(&m))))?;
        for formula in lowered.fair.iter().chain([&lowered.formula]) {
            self.structure(&mut digest, &format!("{formula:?}"));
            digest.part("end");
        }
        Some(digest)
    }

    /// Takes in what Rust prints of a formula or an expression, but with what its handles stand for instead of their numbers, which
    /// depend on everything else that the machine has.
    fn structure(&mut self, digest: &mut Digest, printed: &str) {
        let mut parts = printed.split("ExprId(");
        digest.add(parts.next().unwrap_or_default().as_bytes());
        for part in parts {
            let (number, rest) = part.split_once(')').unwrap_or((part, ""));
            let whole = number.parse().ok().and_then(|n| self.expression(n));
            digest.part(whole);
            digest.add(rest.as_bytes());
        }
    }

    /// The digest of an expression; shared parts are looked at once.
    fn expression(&mut self, id: u32) -> Option<Digest> {
        if let Some(known) = self.expressions.get(&id) {
            return Some(*known);
        }
        let mut digest = Digest::default();
        match self.machine.exprs.nodes().get(id as usize)? {
            Node::Prev(v) => digest.part(("before", &self.machine.var(*v).name)),
            Node::Cur(v) => digest.part(("now", &self.machine.var(*v).name)),
            node => self.structure(&mut digest, &format!("{node:?}")),
        }
        self.expressions.insert(id, digest);
        Some(digest)
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
    bodies.iter().for_each(|b| digest.part(placeless(b)));
    digest.part((actions, idle, overflow, bounds, left_out, cyclic));
    digest
}

/// The body without places in files.
fn placeless(body: &Body) -> Body {
    let mut body = body.clone();
    body.rules.iter_mut().for_each(|r| r.origin.span = Span::new(FileId(0), 0, 0));
    body
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
