//! ISPL for MCMAS.
//!
//! The whole snapshot lives in the Environment, and one joint step is one B-step. In the plain export the Environment also makes the
//! choice (agent, event, slot, payload), and agents only observe: what an agent sees is an Environment variable, the snapshot's own
//! where it sees that always, otherwise a copy masked by the agent's window. In the export for strategies agents own their events:
//! the Environment, as scheduler, picks who moves while every agent proposes a move; only the picked agent's proposal counts, so a
//! proposal made without knowing who is picked is as good as one made after.

mod agents;
mod build;
mod check;
mod condition;
mod diagram;
mod emit;
mod export;
mod formula;
mod output;
mod symbolic;
#[cfg(test)]
mod transcripts;
mod view;

pub use emit::{Ispl, Mode, emit, mode_of};

use super::checker::{Checker, Language};
use super::drive::Known;
use crate::answer::Engine;
use crate::logic::{Fairness, Fragment, ODD_FAIRNESS, Refusal};
use check::{check, count_states, groups};

/// Its name in results.
pub const ENGINE: Engine = Engine::named("mcmas");

/// The language it reads.
pub(crate) const LANGUAGE: Language =
    Language { name: "ispl", readers: "MCMAS", reserved: include_str!("../../../backends/mcmas/reserved.txt") };

/// All there is to know about it.
pub const CHECKER: Checker = Checker {
    engine: ENGINE,
    title: "MCMAS",
    known: Known {
        programs: &["mcmas"],
        variable: "GSMC_MCMAS",
        flag: Some("--mcmas"),
        ask: &[],
        says: r"(?m)^\s*(MCMAS) v((\d+)\.(\d+)[\w.]*)",
        supports: |_, major, minor| major == 1 && minor >= 2,
        get: "build MCMAS 1.3.0 (vas.doc.ic.ac.uk/software/mcmas) and put it on PATH",
    },
    fragment: Fragment {
        covers: "CTL, LTL, knowledge and ATL; fairness with CTL and LTL",
        refuses: &[
            Refusal { when: |u, _| u.fixpoints, why: "MCMAS has no fixpoint operators" },
            ODD_FAIRNESS,
            Refusal {
                when: |u, _| u.knowledge && u.strategies,
                why: "knowledge and strategies in one formula need two different ISPL models",
            },
            Refusal {
                when: |u, fair| u.knowledge && fair != Fairness::None,
                why: "under fairness MCMAS lets knowledge range over fair states only, not over all reachable ones",
            },
            Refusal {
                when: |u, fair| u.strategies && fair != Fairness::None,
                why: "strategies under fairness mean something else to MCMAS",
            },
        ],
        claims: None,
    },
    language: &LANGUAGE,
    export: export::files,
    groups: |m, properties, _| groups(m, properties),
    check,
    count: count_states,
};
