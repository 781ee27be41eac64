//! Promela for SPIN.
//!
//! One process, one `atomic` per B-step. The choice (action and payload) is non-deterministic and outside `d_step`; every option is
//! guarded by the whole condition, so a choice never gets stuck. What the event does is straight-line code in `d_step`, in place, with
//! copies of what must still be known about the snapshot before. Choice and copies are reset, so they add no states.

mod check;
mod claim;
mod code;
mod emit;
mod export;
mod output;
mod swarm;
#[cfg(test)]
mod transcripts;
mod verifier;
mod view;

pub use claim::ClaimText;
pub use emit::{Promela, Wanted, emit};
pub use swarm::Swarm;

use super::checker::{Checker, Language};
use super::drive::Known;
use super::text::Syntax;
use crate::answer::Engine;
use crate::logic::Fragment;
use check::{check, count_states, groups};

pub(crate) const SYNTAX: Syntax =
    Syntax { constants: ["1", "0"], not: "! ", and: " && ", or: " || ", iff: " == ", eq: " == ", then: " -> " };

/// Its name in results.
pub const ENGINE: Engine = Engine::named("spin");

/// The language it reads.
pub(crate) const LANGUAGE: Language =
    Language { name: "promela", readers: "SPIN", reserved: include_str!("../../../backends/spin/reserved.txt") };

/// All there is to know about it.
pub const CHECKER: Checker = Checker {
    engine: ENGINE,
    title: "SPIN",
    known: Known {
        programs: &["spin"],
        variable: "GSMC_SPIN",
        flag: Some("--spin"),
        ask: &["-V"],
        says: r"(?m)^(Spin) Version ((\d+)\.(\d+)[\w.]*)",
        supports: |_, major, minor| major == 6 && minor >= 4,
        get: "apt install spin gcc",
    },
    fragment: Fragment {
        covers: "LTL, and CTL that speaks of all runs or of one, with fairness",
        refuses: &[],
        claims: Some("SPIN"),
    },
    language: &LANGUAGE,
    export: export::files,
    // The searches of a swarm are spread over the jobs, not the properties.
    groups: |_, properties, o| groups(properties, if o.swarm.is_some() { 1 } else { o.jobs }),
    check,
    count: count_states,
};
