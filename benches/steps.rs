//! How many B-steps a second the interpreter takes: `cargo bench --bench steps [-- DIR …]`.
//!
//! Each folder is explored breadth first on one core until its end or a limit.

use gsmc::interp::{Graph, Interp, Limits, Work};
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use std::time::Instant;

fn main() {
    let mut folders: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if folders.is_empty() {
        folders.push(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/order-to-cash").into());
    }
    println!("{:<40} {:>10} {:>12} {:>9} {:>14}", "folder", "snapshots", "B-steps", "seconds", "B-steps/second");
    for folder in folders {
        let loaded = load(&Request { dir: Some(folder.clone().into()), ..Request::default() });
        let Some(app) = loaded.app else {
            println!("{folder}: not a clean application");
            continue;
        };
        match lower(&app, &loaded.properties, &loaded.sources) {
            Err(_) => println!("{folder}: cannot be lowered"),
            Ok(machine) => measure(&folder, &machine),
        }
    }
}

fn measure(folder: &str, machine: &gsmc::machine::Valid) {
    let limits = Limits { states: 2_000_000, ..Limits::default() };
    let started = Instant::now();
    let name = folder.rsplit('/').next().unwrap_or(folder);
    match Graph::reach(Interp::new(machine), limits) {
        Ok(graph) => {
            // Small graphs are gone through several times.
            let (mut steps, mut rounds) = (graph.steps(), 0);
            let mut work = Work::default();
            while started.elapsed().as_secs_f64() < 1.0 && rounds < 10_000 {
                for state in 0..graph.len() {
                    let codes = graph.codes(state);
                    graph.interp().each_step(&codes, &mut work, &mut |_| steps += 1);
                }
                rounds += 1;
            }
            let seconds = started.elapsed().as_secs_f64();
            let rate = steps as f64 / seconds;
            println!("{name:<40} {:>10} {steps:>12} {seconds:>9.3} {rate:>14.0}", graph.len());
        }
        Err(why) => println!("{name}: {why}"),
    }
}
