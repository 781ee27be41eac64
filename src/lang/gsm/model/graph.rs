//! The rule graph, at type level: who writes a change that another rule's antecedent reads.

use super::reads::{Read, reads};
use super::{Application, Edge, RuleDef, RuleIx, RuleKind, Rules, StageIx, Status, TypeIx};
use std::collections::{BTreeMap, BTreeSet};

/// The edges among the given rules, from who writes to who reads; sorted.
pub fn edges(app: &Application, rules: &Rules, taken: &[RuleIx]) -> Vec<Edge> {
    let mut writers: BTreeMap<(TypeIx, Status, bool), Vec<RuleIx>> = BTreeMap::new();
    for &r in taken {
        let (status, value) = rules.list[r].effect(app);
        writers.entry((rules.list[r].ty, status, value)).or_default().push(r);
    }
    // A pair of rules has one edge about the own slot and one about others, at most.
    let mut found: BTreeSet<(RuleIx, RuleIx, bool)> = BTreeSet::new();
    for &reader in taken {
        for Read { ty, status, to, related } in reads(app, &rules.list[reader]) {
            for &writer in writers.get(&(ty, status, to)).into_iter().flatten() {
                if related || !exclude_each_other(app, &rules.list[writer], &rules.list[reader]) {
                    found.insert((writer, reader, related));
                }
            }
        }
    }
    let edge = |(from, to, related)| Edge { from, to, reversed: false, related, dropped: false };
    found.into_iter().map(edge).collect()
}

/// Can the prerequisites of two rules of one slot never hold together where an active stage has no achieved milestone (I1) and all
/// its ancestors are active (I2)?
fn exclude_each_other(app: &Application, a: &RuleDef, b: &RuleDef) -> bool {
    let t = &app.types[a.ty];
    let demands = [a.prerequisite(app), b.prerequisite(app)].concat();
    let inactive: Vec<StageIx> = demands
        .iter()
        .filter_map(|demand| match *demand {
            (Status::Stage(s), false) => Some(s),
            (Status::Milestone(m), true) => Some(t.milestones[m].stage),
            _ => None,
        })
        .collect();
    demands.iter().any(|demand| match *demand {
        (Status::Stage(s), true) => inactive.iter().any(|&i| i == s || t.inside(s, i)),
        _ => false,
    })
}

/// Is `first`'s decision by definition taken before what `then` writes in the same slot? So it is with the consequences of opening
/// (PAC-1 of S before PAC-4 of S and before PAC-1 and PAC-4 inside S) and of closing (PAC-2 of S before PAC-6 caused by S or an
/// ancestor of S).
pub fn decides_before(app: &Application, first: &RuleDef, then: &RuleDef) -> bool {
    let t = &app.types[first.ty];
    match (first.kind, then.kind) {
        (RuleKind::Open(s, _), RuleKind::Open(inner, _)) => t.inside(inner, s),
        (RuleKind::Open(s, _), RuleKind::Reset(_)) => then.stage(app) == s || t.inside(then.stage(app), s),
        (RuleKind::Achieve(..), RuleKind::CloseWith { ancestor, .. }) => {
            let s = first.stage(app);
            ancestor == s || t.inside(s, ancestor)
        }
        _ => false,
    }
}
