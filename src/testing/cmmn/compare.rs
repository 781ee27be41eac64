//! The machine of a case against its literal semantics, step by step.

use super::search::outcomes;
use super::{Explored, Happening as Event, Snapshot, happenings};
use crate::interp::{Interp, Work};
use crate::lang::cmmn::lower::{Does, Happening, Lowered};
use crate::lang::cmmn::model::*;
use std::collections::{BTreeMap, BTreeSet};

/// A literal snapshot in the machine's codes.
pub fn encode(case: &Case, lowered: &Lowered, s: &Snapshot) -> Vec<i64> {
    let (m, map) = (&lowered.machine, &lowered.map);
    let mut codes = vec![0; m.state_vars().len()];
    let mut put = |var: crate::machine::VarId, code: i64| {
        if let Some(slot) = codes.get_mut(var.0 as usize) {
            *slot = code;
        }
    };
    for (i, state) in s.states.iter().enumerate() {
        put(map.states[i], map.code(i, *state).unwrap_or(-1));
    }
    s.data.iter().enumerate().for_each(|(v, code)| put(map.data[v], *code as i64));
    s.files.iter().enumerate().for_each(|(f, code)| put(map.files[f], i64::from(*code)));
    for p in 0..case.places.len() {
        if let Some(count) = map.count[p] {
            put(count, s.count[p]);
        }
        if let Some(done) = map.done[p] {
            put(done, i64::from(s.done.contains(&p)));
        }
    }
    for latch in &s.latches {
        map.latches.get(latch).into_iter().for_each(|v| put(*v, 1));
    }
    put(m.overflow, i64::from(s.overflow));
    put(map.endless, i64::from(s.endless));
    codes
}

/// How the machine calls a happening.
fn translated(event: &Event) -> Happening {
    match event {
        Event::StartCase => Happening::StartCase,
        Event::Complete(i) => Happening::Complete(*i),
        Event::ManualStart(i) => Happening::ManualStart(*i),
        Event::Occur(i) => Happening::Occur(*i),
        Event::Hand(e, i) => Happening::Hand(*e, *i),
        Event::Plan(i) => Happening::Plan(*i),
        Event::File(e, f) => Happening::File(*e, *f),
        Event::Set(v) => Happening::Set(*v),
    }
}

/// What steps lead to and do: the snapshot after, and the marked things that happen.
type Facts = BTreeMap<Happening, BTreeSet<(Vec<i64>, BTreeSet<String>)>>;

/// The first difference between the machine and the literal semantics in the snapshots explored.
pub fn difference(case: &Case, lowered: &Lowered, explored: &Explored) -> Option<String> {
    let interp = Interp::new(&lowered.machine);
    let mut work = Work::default();
    for s in &explored.snapshots {
        let here = encode(case, lowered, s);
        let mut literal: Facts = BTreeMap::new();
        for event in happenings(case, s) {
            for outcome in outcomes(case, s, &event) {
                let mut facts = BTreeSet::new();
                if outcome.happened {
                    facts.extend(outcome.started.iter().map(|i| format!("starts {}", case.items[*i].name)));
                    facts.extend(outcome.fired.iter().map(|c| format!("fires {}", case.criteria[*c].name)));
                    facts.extend(outcome.surprised.iter().map(|i| format!("surprises {}", case.items[*i].name)));
                }
                let after = encode(case, lowered, &outcome.after);
                literal.entry(translated(&event)).or_default().insert((after, facts));
            }
        }
        let mut machine: Facts = BTreeMap::new();
        interp.each_step(&here, &mut work, &mut |seen| {
            let Some(action) = seen.action else { return };
            let body = lowered.machine.actions[action].body;
            let facts = seen.fired.iter().filter_map(|r| fact(case, lowered, body, *r)).collect();
            machine.entry(lowered.map.happenings[body.0]).or_default().insert((seen.after.to_vec(), facts));
        });
        if literal != machine {
            return Some(told(case, lowered, &here, &literal, &machine));
        }
    }
    None
}

/// What a rule that fired says has happened, if a question may ask about it.
fn fact(case: &Case, lowered: &Lowered, body: crate::machine::BodyIx, rule: usize) -> Option<String> {
    let does = lowered.marks.get(&(body, rule))?;
    let item = |i: InstIx| &case.item_of(i).name;
    match does {
        Does::Becomes(i, ..) | Does::Occurs(i) => Some(format!("starts {}", item(*i))),
        Does::Fires(c, _) => Some(format!("fires {}", case.criteria[*c].name)),
        Does::Surprises(i) => Some(format!("surprises {}", case.items[*i].name)),
        _ => None,
    }
}

fn told(case: &Case, lowered: &Lowered, here: &[i64], literal: &Facts, machine: &Facts) -> String {
    let vars = lowered.machine.state_vars();
    let show = |s: &[i64]| {
        let shown = vars.iter().zip(s).filter(|(v, c)| v.init != **c);
        shown.map(|(v, c)| format!("{}={}", v.name, v.domain.show(*c))).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("{} ({}): in [{}]\n", case.name, case.profile.name(), show(here));
    for (title, a, b) in [("literal only", literal, machine), ("machine only", machine, literal)] {
        for (event, steps) in a {
            let other = b.get(event).cloned().unwrap_or_default();
            for (after, facts) in steps.difference(&other).take(3) {
                text += &format!("{title}: {event:?} -> [{}] {facts:?}\n", show(after));
            }
        }
    }
    text
}
