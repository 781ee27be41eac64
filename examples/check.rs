//! Checks the properties of a project: `cargo run --example check -- examples/garage`.

use gsmc::{Options, Plan, Project, check};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/garage".into());
    let project = Project::open(&path, &Options { standard: true, ..Options::default() })?;
    let results = check(&project, &Plan { builtin: true, ..Plan::default() });
    for r in &results.results {
        let surprise = if r.verdict.holds() == Some(r.expect) { "" } else { "  <-- not as expected" };
        println!("{:<40} {}{surprise}", r.property, r.verdict.name());
    }
    Ok(())
}
