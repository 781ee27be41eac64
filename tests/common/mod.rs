//! Loading random projects and walking through what they can reach.
#![allow(dead_code)] // each test file uses its part

use gsmc::interp::{Interp, Work};

use gsmc::lang::gsm::builtin;
use gsmc::lang::gsm::{Gsm, Instance};
use gsmc::lang::load::{Request, load as load_files};
use gsmc::machine::Domain;
use gsmc::machine::VarId;
use gsmc::source::render_all;
use gsmc::testing::Project;
use gsmc::testing::reference::{Slot, World};
use std::collections::{HashSet, VecDeque};

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Reads and lowers a project; fails with all findings if it does not load. `keep_all`: without the cone of influence.
pub fn load(project: &Project, keep_all: bool) -> Gsm {
    load_with(project, keep_all, false)
}

/// The same, with the standard properties added if wanted.
pub fn load_with(project: &Project, keep_all: bool, standard: bool) -> Gsm {
    let folder = tempfile::tempdir().expect("a folder");
    project.write_to(folder.path()).expect("files");
    let loaded = load_files(&Request { dir: Some(folder.path().to_path_buf()), ..Request::default() });
    let Some(mut app) = loaded.app else {
        panic!("{}\n{project}", render_all(&loaded.diagnostics, &loaded.sources, false));
    };
    app.options.keep_all |= keep_all;
    let mut properties = loaded.properties;
    if standard {
        properties.extend(builtin(&app));
    }
    match Gsm::new(app, properties, &loaded.sources) {
        Ok(gsm) => gsm,
        Err(d) => panic!("{}\n{project}", d.message),
    }
}

/// A step as the interpreter takes it.
pub struct Taken {
    pub action: Option<usize>,
    pub inputs: Vec<i64>,
    pub fired: Vec<usize>,
    pub order: Vec<usize>,
    pub after: Vec<i64>,
}

/// Visits up to `most` reachable snapshots with all their steps, breadth first.
pub fn search(interp: &Interp, most: usize, visit: &mut dyn FnMut(&[i64], &[Taken])) {
    let first = interp.initial().to_vec();
    let mut known: HashSet<Vec<i64>> = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut work = Work::default();
    while let Some(snapshot) = queue.pop_front() {
        let mut steps = Vec::new();
        interp.each_step(&snapshot, &mut work, &mut |seen| {
            steps.push(Taken {
                action: seen.action,
                inputs: seen.inputs.to_vec(),
                fired: seen.fired.to_vec(),
                order: seen.order.to_vec(),
                after: seen.after.to_vec(),
            });
        });
        visit(&snapshot, &steps);
        for step in steps {
            if known.len() < most && known.insert(step.after.clone()) {
                queue.push_back(step.after);
            }
        }
    }
}

/// A machine's snapshot in terms of the model. All data must be kept.
pub fn projected(gsm: &Gsm, snapshot: &[i64]) -> World {
    let machine = &gsm.machine;
    let code = |v: &VarId| snapshot[v.0 as usize];
    let is = |v: &VarId| code(v) != 0;
    let buffer = |v: &VarId| match (code(v), &machine.var(*v).domain) {
        (0, _) => None,
        (c, domain @ Domain::Enum { .. }) => Some(domain.show(c)),
        (c, _) => Some(c.to_string()),
    };
    let slot = |s: &Instance| Slot {
        created: is(&s.created),
        stages: s.stages.iter().map(is).collect(),
        milestones: s.milestones.iter().map(is).collect(),
        data: s.attrs.iter().zip(&gsm.app.types[s.ty].attrs).map(|(a, d)| a.map_or(d.init, |v| code(&v))).collect(),
        pending: s.pending.iter().map(is).collect(),
        buffers: s.buffers.iter().map(|fields| fields.iter().map(|b| buffer(&b.var)).collect()).collect(),
    };
    let named = machine.agents.iter().filter(|a| a.name.is_some() && !a.sees_all);
    World {
        slots: gsm.map.slots.iter().map(slot).collect(),
        private: named.map(|a| a.private.iter().map(code).collect()).collect(),
        overflow: is(&machine.overflow),
    }
}
