//! Opens a project and says what is in it: `cargo run --example open -- examples/garage`.

use gsmc::{Options, Project};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/garage".into());
    let project = Project::open(&path, &Options::default())?;
    print!("{}", project.lens().summary().text);
    for action in &project.machine().actions {
        let body = project.machine().body(action);
        println!("{} can make '{}' happen", project.machine().agent_name(action.agent), body.event);
    }
    Ok(())
}
