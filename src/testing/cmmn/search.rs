//! All reachable snapshots, by brute force.

use super::{Chooser, Happening, Outcome, Snapshot, happenings, step};
use crate::lang::cmmn::model::*;
use std::collections::{BTreeMap, BTreeSet};

/// The reachable snapshots and what steps between them do.
#[derive(Debug, Default)]
pub struct Explored {
    /// Snapshots in the order found.
    pub snapshots: Vec<Snapshot>,
    /// Per snapshot: where its steps lead.
    pub after: Vec<BTreeSet<usize>>,
    /// What starts or occurs in some step.
    pub started: BTreeSet<ItemIx>,
    /// What fires in some step.
    pub fired: BTreeSet<CritIx>,
    /// What completes by itself while a child is enabled.
    pub surprised: BTreeSet<ItemIx>,
    /// The most rounds that a step took.
    pub rounds: usize,
    /// There were more snapshots than allowed.
    pub cut: bool,
}

/// Every outcome of a happening.
pub fn outcomes(case: &Case, before: &Snapshot, happening: &Happening) -> Vec<Outcome> {
    let mut all = Vec::new();
    let mut chooser = Some(Chooser::default());
    while let Some(mut path) = chooser {
        all.extend(step(case, before, happening, &mut path));
        chooser = path.next();
    }
    all
}

/// Explores at most `most` snapshots.
pub fn explore(case: &Case, most: usize) -> Explored {
    let first = Snapshot::initial(case);
    let mut found = Explored { snapshots: vec![first.clone()], ..Explored::default() };
    let mut known = BTreeMap::from([(first, 0)]);
    let mut at = 0;
    while at < found.snapshots.len() {
        let here = found.snapshots[at].clone();
        let mut after = BTreeSet::new();
        for happening in happenings(case, &here) {
            for outcome in outcomes(case, &here, &happening) {
                if outcome.happened {
                    found.started.extend(outcome.started);
                    found.fired.extend(outcome.fired);
                    found.surprised.extend(outcome.surprised);
                    found.rounds = found.rounds.max(outcome.rounds);
                }
                let next = known.len();
                let ix = *known.entry(outcome.after.clone()).or_insert(next);
                if ix == next {
                    found.snapshots.push(outcome.after);
                }
                after.insert(ix);
            }
        }
        found.after.push(after);
        if found.snapshots.len() > most {
            found.cut = true;
            return found;
        }
        at += 1;
    }
    found
}

impl Explored {
    /// The snapshots from which one of the wanted can be reached.
    pub fn can_reach(&self, wanted: &dyn Fn(&Snapshot) -> bool) -> Vec<bool> {
        let mut can: Vec<bool> = self.snapshots.iter().map(wanted).collect();
        loop {
            let more: Vec<usize> =
                (0..can.len()).filter(|i| !can[*i] && self.after[*i].iter().any(|j| can[*j])).collect();
            if more.is_empty() {
                return can;
            }
            more.into_iter().for_each(|i| can[i] = true);
        }
    }
}
