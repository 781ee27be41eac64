//! `gsmc graph`: lifecycle, rule graphs and traces as DOT or SVG.

use super::args::ModelArgs;
use super::output::{deliver, say};
use super::project::Project;
use super::{BAD_INPUT, DISAGREE, INCONCLUSIVE};
use crate::gsm::{Rules, orders};
use crate::interp::Interp;
use crate::picture;
use crate::report::dot;
use crate::trace::file::{self, Unloaded};
use crate::trace::{self, Kind, replay};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// What to draw.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// The picture
    #[arg(long, value_enum, default_value = "lifecycle")]
    view: View,
    /// For the rule graph: the event (default: one picture per event, one after the other)
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// Draw the runs of a trace file (gsmc or ITF) instead: snapshots as boxes, steps as arrows
    #[arg(long, value_name = "FILE", conflicts_with_all = ["view", "event"])]
    trace: Option<PathBuf>,
    /// DOT text, or SVG (only the lifecycle needs no Graphviz); found from the file's ending where possible
    #[arg(long, value_enum)]
    format: Option<PictureFormat>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Pictures.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// Stages as nested boxes, guards as diamonds, milestones as circles
    Lifecycle,
    /// Which rule must decide before which
    Rules,
}

/// Formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PictureFormat {
    /// Graphviz text
    Dot,
    /// A picture; rule graphs and traces are drawn by Graphviz
    Svg,
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let by_name = args.output.as_deref().and_then(Path::extension).is_some_and(|e| e.eq_ignore_ascii_case("svg"));
    let format = args.format.unwrap_or(if by_name { PictureFormat::Svg } else { PictureFormat::Dot });
    if let (PictureFormat::Svg, View::Lifecycle, None) = (format, args.view, &args.trace) {
        let picture = picture::lifecycle(&project.app, picture::SCREEN);
        return deliver(&picture::svg::file(&project.app, &project.sources, &picture), args.output.as_deref());
    }
    let picture = match (&args.trace, args.view) {
        (Some(file), _) => traces(&project, file),
        (None, View::Lifecycle) => Ok(dot::lifecycle(&project.app)),
        (None, View::Rules) => rule_graphs(&project, args.event.as_deref()).map_err(|message| (message, BAD_INPUT)),
    };
    let picture = match picture {
        Ok(text) => text,
        Err((message, code)) => {
            say(&format!("error: {message}"));
            return code;
        }
    };
    match format {
        PictureFormat::Dot => deliver(&picture, args.output.as_deref()),
        PictureFormat::Svg => match draw(&picture) {
            Ok(svg) => deliver(&svg, args.output.as_deref()),
            Err(message) => {
                say(&format!("error: {message}"));
                INCONCLUSIVE
            }
        },
    }
}

fn rule_graphs(project: &Project, event: Option<&str>) -> Result<String, String> {
    let rules = Rules::of(&project.app);
    let all = orders(&project.app, &rules);
    let names: Vec<String> = all.iter().map(|o| o.occurrence.name(&project.app)).collect();
    let wanted = |name: &str| event.is_none_or(|e| e == name);
    let texts: Vec<String> = all
        .iter()
        .zip(&names)
        .filter(|(_, name)| wanted(name))
        .map(|(order, _)| dot::rule_graph(&project.app, &rules, order))
        .collect();
    match (texts.is_empty(), event) {
        (true, Some(e)) => {
            let near = crate::source::nearest(e, names.iter().map(String::as_str));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            Err(format!("there is no event '{e}'{hint}"))
        }
        _ => Ok(texts.join("\n")),
    }
}

/// The runs of a trace file, replayed; why not, and how to exit.
fn traces(project: &Project, path: &Path) -> Result<String, (String, u8)> {
    let fault = |why: &dyn std::fmt::Display, code: u8| (format!("'{}': {why}", path.display()), code);
    let text = std::fs::read_to_string(path).map_err(|e| fault(&e, BAD_INPUT))?;
    let interp = Interp::new(&project.machine);
    let found = file::read(&interp, &text).map_err(|unloaded| match &unloaded {
        Unloaded::Unreadable(why) => fault(why, BAD_INPUT),
        Unloaded::DoesNotReplay(why) => fault(why, DISAGREE),
    })?;
    let named = |run| replay(&interp, run).map(|replayed| replayed.named(&project.machine, Kind::Run));
    let drawn =
        found.iter().map(|f| named(&f.run).map(|run| trace::dot::render(&run)).map_err(|e| fault(&e, DISAGREE)));
    Ok(drawn.collect::<Result<Vec<String>, _>>()?.join("\n"))
}

/// SVG by Graphviz.
fn draw(dot: &str) -> Result<String, String> {
    let run = duct::cmd("dot", ["-Tsvg"]).stdin_bytes(dot).stdout_capture().stderr_capture().unchecked().run();
    match run {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Err("Graphviz is not installed (its program is called 'dot'); use --format dot, or install it".into())
        }
        Err(e) => Err(format!("Graphviz could not be run: {e}")),
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => Err(format!("Graphviz failed: {}", String::from_utf8_lossy(&out.stderr).trim())),
    }
}
