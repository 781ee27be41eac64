//! `gsmc doctor`: which external checkers and solvers are there, and do they work?

use super::args::{Format, ToolArgs};
use super::output::{json, print};
use super::{INCONCLUSIVE, OK};
use crate::backend::drive::{Tool, ToolError};
use crate::check::doctor::{Health, doctor};
use crate::smt;
use serde_json::json;

/// Where to look, and how to show what was found.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    tools: ToolArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// Exits with 0 when every checker that is installed works; a missing one is no failure.
pub fn run(args: &Args) -> u8 {
    let all = doctor(&args.tools.options());
    let solvers = smt::doctor();
    let native = "native  built in
  decides  CTL, knowledge, ATL, LTL, with fairness
";
    let text = match args.format {
        Format::Human => {
            let checkers: String = all.iter().map(text).collect();
            Ok(format!("{native}{checkers}{}", solvers.iter().map(solver_text).collect::<String>()))
        }
        Format::Json => {
            let list: Vec<serde_json::Value> = all.iter().map(value).collect();
            let solvers: Vec<serde_json::Value> = solvers.iter().map(solver_value).collect();
            json(&json!({ "schema": "gsmc.doctor/1", "checkers": list, "solvers": solvers }))
        }
    };
    if let Err(code) = text.and_then(|text| print(&text)) {
        return code;
    }
    let well = all.iter().all(|h| h.tool.is_err() || h.is_well());
    let sound = solvers.iter().all(|h| h.tool.is_err() || h.self_test == Some(Ok(())));
    if well && sound { OK } else { INCONCLUSIVE }
}

fn text(h: &Health) -> String {
    described(h.engine.name(), &h.tool, (h.get, &h.named_by), &h.self_test) + &format!("  decides  {}\n", h.covers)
}

fn solver_text(h: &smt::Health) -> String {
    described(h.kind.name(), &h.tool, (h.get, &h.named_by), &h.self_test)
        + "  decides  questions about unbounded data (--abstract)\n"
}

fn described(
    name: &str,
    tool: &Result<Tool, ToolError>,
    (get, named_by): (&str, &str),
    test: &Option<Result<(), String>>,
) -> String {
    let mut out = format!("{name:<8}");
    out += &match tool {
        Ok(tool) => format!("{} at {}\n", tool.version, tool.path.display()),
        Err(ToolError::Missing(_)) => format!("not found\n  to get it  {get}\n  or name it  {named_by}\n"),
        Err(ToolError::Strange(why)) => format!("{why}\n  to get it  {get}\n"),
    };
    match test {
        Some(Ok(())) => out += "  self-test  passed\n",
        Some(Err(why)) => out += &format!("  self-test  FAILED: {why}\n"),
        None => {}
    }
    out
}

fn value(h: &Health) -> serde_json::Value {
    let mut value = json!({ "engine": h.engine.name() });
    found(&mut value, &h.tool, &h.self_test);
    value["covers"] = json!(h.covers);
    value["get"] = json!(h.get);
    value
}

fn solver_value(h: &smt::Health) -> serde_json::Value {
    let mut value = json!({ "solver": h.kind.name() });
    found(&mut value, &h.tool, &h.self_test);
    value["get"] = json!(h.get);
    value
}

fn found(value: &mut serde_json::Value, tool: &Result<Tool, ToolError>, test: &Option<Result<(), String>>) {
    value["found"] = json!(tool.is_ok());
    value["version"] = json!(tool.as_ref().ok().map(|t| t.version.to_string()));
    value["path"] = json!(tool.as_ref().ok().map(|t| t.path.display().to_string()));
    value["self_test"] = match test {
        Some(Ok(())) => json!("passed"),
        Some(Err(why)) => json!(why),
        None => json!(null),
    };
}
