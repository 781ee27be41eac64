//! The lowered machine on the interpreter against the semantics executed literally on the model: the same steps everywhere.

use crate::common::{load, number, projected, search};
use gsmc::interp::Interp;
use gsmc::lang::gsm::Gsm;
use gsmc::testing::reference::{Move, Reference};
use gsmc::testing::{Limits, random_app_with};

/// Snapshots visited per application.
const MOST: usize = 120;

fn agree(seed: u64, limits: &Limits) {
    let project = random_app_with(seed, limits);
    agree_on(&load(&project, true), &format!("seed {seed}\n{project}"));
}

/// Compares step by step on a model all of whose data is kept.
pub fn agree_on(gsm: &Gsm, what: &str) {
    let (app, machine) = (&gsm.app, &gsm.machine);
    let (interp, reference) = (Interp::new(machine), Reference::new(app));
    assert_eq!(projected(gsm, &interp.initial()), reference.initial(), "{what}");
    search(&interp, MOST, &mut |snapshot, seen| {
        let world = projected(gsm, snapshot);
        let mut steps: Vec<Move> = Vec::new();
        for step in seen {
            let action = step.action.map(|a| &machine.actions[a]);
            let body = action.map(|a| &machine.bodies[a.body]);
            steps.push(Move {
                agent: action.map(|a| a.agent.0),
                event: body.map_or(String::new(), |b| b.event.clone()),
                target: body.and_then(|b| b.target).map(|s| s.0),
                after: projected(gsm, &step.after),
            });
        }
        steps.sort();
        steps.dedup();
        let expected = reference.moves(&world);
        if steps != expected {
            let only = |a: &[Move], b: &[Move]| a.iter().filter(|m| !b.contains(m)).cloned().collect::<Vec<_>>();
            panic!(
                "steps differ in\n{world:?}\nonly in the machine: {:?}\nonly in the reference: {:?}\n{what}",
                only(&steps, &expected),
                only(&expected, &steps)
            );
        }
    });
}

/// Every reachable step of acyclic models ends as the table of the rules says, read without any order, and there is no other end.
#[test]
fn acyclic_models_end_as_the_table_of_the_rules_says() {
    let (count, mut acyclic, mut steps) = (number("GSMC_RANDOM_TABLE", 300), 0, 0);
    for seed in 0..count {
        let project = random_app_with(seed, &Limits { properties: 1, ..Limits::default() });
        let gsm = load(&project, true);
        let Some(reference) = Reference::with_closed_form(&gsm.app) else { continue };
        acyclic += 1;
        search(&Interp::new(&gsm.machine), MOST, &mut |snapshot, seen| {
            steps += seen.len();
            reference.moves(&projected(&gsm, snapshot));
        });
    }
    println!("{acyclic} of {count} models are acyclic, {steps} steps");
    assert!(acyclic * 3 > count && steps > 1000, "{acyclic} acyclic models, {steps} steps");
}

#[test]
fn small_models_without_data() {
    let limits = Limits { data: false, properties: 1, ..Limits::default() };
    (0..150).for_each(|seed| agree(seed, &limits));
}

#[test]
fn models_with_data_tasks_and_agents() {
    let limits = Limits { properties: 1, ..Limits::default() };
    (1000..1200).for_each(|seed| agree(seed, &limits));
}
