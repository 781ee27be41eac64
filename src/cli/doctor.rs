//! `gsmc doctor`: which external checkers are there, and do they work?

use super::args::{Format, ToolArgs};
use super::output::{json, print};
use super::{INCONCLUSIVE, OK};
use crate::backend::doctor::{Health, doctor};
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
    let native = "native  built in\n  decides  CTL, knowledge, ATL, LTL, with fairness\n";
    let text = match args.format {
        Format::Human => Ok(format!("{native}{}", all.iter().map(text).collect::<String>())),
        Format::Json => {
            let list: Vec<serde_json::Value> = all.iter().map(value).collect();
            json(&json!({ "schema": "gsmc.doctor/1", "checkers": list }))
        }
    };
    if let Err(code) = text.and_then(|text| print(&text)) {
        return code;
    }
    if all.iter().all(|h| h.tool.is_err() || h.is_well()) { OK } else { INCONCLUSIVE }
}

fn text(h: &Health) -> String {
    let mut out = format!("{:<8}", h.engine.name());
    out += &match &h.tool {
        Ok(tool) => format!("{} at {}\n", tool.version, tool.path.display()),
        Err(why) => format!("{why}\n  to get it  {}\n", h.get),
    };
    match &h.self_test {
        Some(Ok(())) => out += "  self-test  passed\n",
        Some(Err(why)) => out += &format!("  self-test  FAILED: {why}\n"),
        None => {}
    }
    out + &format!("  decides  {}\n", h.covers)
}

fn value(h: &Health) -> serde_json::Value {
    let (version, path) = match &h.tool {
        Ok(tool) => (Some(tool.version.to_string()), Some(tool.path.display().to_string())),
        Err(_) => (None, None),
    };
    json!({
        "engine": h.engine.name(),
        "found": h.tool.is_ok(),
        "version": version,
        "path": path,
        "self_test": match &h.self_test {
            Some(Ok(())) => json!("passed"),
            Some(Err(why)) => json!(why),
            None => json!(null),
        },
        "covers": h.covers,
        "get": h.get,
    })
}
