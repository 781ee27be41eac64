//! Walks the first trace that a check gives, step by step: `cargo run --example walk -- examples/teaching/lasso`.

use gsmc::explain::{Explainer, render};
use gsmc::interp::Interp;
use gsmc::trace::{describe, replay};
use gsmc::{Options, Plan, Project, check};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/teaching/lasso".into());
    let project = Project::open(&path, &Options::default())?;
    let results = check(&project, &Plan::default());
    let Some((name, trace)) = results.results.iter().find_map(|r| Some((&r.property, r.trace.as_ref()?))) else {
        println!("no verdict has a trace");
        return Ok(());
    };
    println!("{name}:");
    let interp = Interp::new(project.machine());
    let explainer = Explainer::new(project.lens(), &interp, &project.sources);
    let run = replay(&interp, &trace.locate(&interp).map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    for (step, before) in run.steps.iter().zip(&run.snapshots) {
        println!("{}", describe(project.machine(), &step.choice));
        if let Some(told) = explainer.explain(before, &step.choice) {
            print!("{}", render(&told, false));
        }
    }
    Ok(())
}
