//! SMV for NuSMV and nuXmv.
//!
//! The choice of a step (action and payload) is input, so it is no part of the state. What an event does at a slot is a chain of
//! definitions, one per assignment or rule; `next` of a variable picks the end of the chain of the body that happens. Actions
//! that are not possible are excluded by `TRANS`; idling keeps the relation total.

mod chain;
mod check;
mod emit;
mod export;
mod formula;
mod output;
#[cfg(test)]
mod transcripts;
mod view;

pub use emit::{Smv, emit};
pub use formula::{Spec, SpecKind};

use super::checker::{Checker, Language};
use super::drive::Known;
use super::text::Syntax;
use super::width::Width;
use crate::answer::Engine;
use crate::logic::{Fragment, ODD_FAIRNESS, Refusal};
use check::{check, count_states, groups};

pub(crate) const SYNTAX: Syntax =
    Syntax { constants: ["TRUE", "FALSE"], not: "!", and: " & ", or: " | ", iff: " <-> ", eq: " = ", then: " ? " };

/// Its numbers are diagrams with a leaf per value, and an operation meets every pair of leaves.
const WIDTH: Width = Width {
    checker: "NuSMV",
    values: 1 << 16,
    payload: 1 << 16,
    pairs: 1 << 22,
    ends: (i32::MIN as i64, i32::MAX as i64),
};

/// A property to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Position in the machine's properties.
    pub property: usize,
    /// Ask for the negation, to get a witness.
    pub negated: bool,
}

/// Its name in results.
pub const ENGINE: Engine = Engine::named("nusmv");

/// The language it reads.
pub(crate) const LANGUAGE: Language = Language {
    name: "smv",
    readers: "NuSMV and nuXmv",
    reserved: include_str!("../../../backends/nusmv/reserved.txt"),
};

/// All there is to know about it.
pub const CHECKER: Checker = Checker {
    engine: ENGINE,
    title: "NuSMV",
    known: Known {
        programs: &["NuSMV", "nusmv", "nuXmv"],
        variable: "GSMC_NUSMV",
        flag: Some("--nusmv"),
        ask: &["-h"],
        says: r"(?m)^\*\*\* This is (NuSMV|nuXmv) ((\d+)\.(\d+)[\w.]*)",
        supports: |name, major, minor| {
            if name == "NuSMV" { major == 2 && minor >= 5 } else { major == 1 || major == 2 }
        },
        get: "build NuSMV 2.5.4 or newer, or get nuXmv (nusmv.fbk.eu), and put it on PATH",
    },
    fragment: Fragment {
        covers: "CTL and LTL, with fairness",
        refuses: &[
            Refusal { when: |u, _| u.fixpoints, why: "NuSMV has no fixpoint operators" },
            Refusal { when: |u, _| u.knowledge, why: "NuSMV has no knowledge operators" },
            Refusal { when: |u, _| u.strategies, why: "NuSMV has no strategy operators" },
            ODD_FAIRNESS,
        ],
        claims: None,
    },
    language: &LANGUAGE,
    export: export::files,
    groups: |m, properties, _| groups(m, properties),
    check,
    count: count_states,
};
