//! A machine and one property as a number: equal numbers mean equal questions.
//!
//! What is hashed is the machine lowered for that property alone, so that neither another property nor an attribute that does not
//! matter for it changes the number, and nor do places in files.

use crate::gsm::Application;
use crate::logic::ModelProperty;
use crate::machine::{Body, Machine, lower};
use crate::source::{FileId, Sources, Span};
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

/// The digest of an application as far as one property is concerned; `None` if it cannot be lowered.
pub fn question(app: &Application, property: &ModelProperty, sources: &Sources) -> Option<Digest> {
    let machine = lower(app, std::slice::from_ref(property), sources).ok()?;
    let mut digest = of_machine(&machine);
    for p in &machine.properties {
        digest.part(&p.fair);
        digest.part(&p.formula);
    }
    Some(digest)
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
