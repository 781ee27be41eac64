//! `gsmc graph`: the lifecycle, rule graphs or a trace, as SVG, PNG or DOT.

use super::args::ModelArgs;
use super::output::{Inputs, done, ready, say};
use super::project::{self, Project};
use super::{BAD_INPUT, DISAGREE};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::picture;
use crate::trace::file::{self, Unloaded};
use crate::trace::{self, Kind, Trace, replay};
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
    /// Draw the runs of a trace file (gsmc or ITF) instead: steps as boxes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["view", "event"])]
    trace: Option<PathBuf>,
    /// The runs have data without bounds, as `check --abstract` writes them
    #[arg(long = "abstract", requires = "trace")]
    unbounded: bool,
    /// SVG, PNG, or DOT for Graphviz; found from the ending of -o where there is one, else DOT
    #[arg(long, value_enum)]
    format: Option<PictureFormat>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// The model as its language draws it; GSM: stages as nested boxes, guards as diamonds, milestones as circles
    Lifecycle,
    /// Which rule must decide before which
    Rules,
}

/// Formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PictureFormat {
    /// Graphviz text
    Dot,
    /// A picture
    Svg,
    /// A picture in pixels
    Png,
}

impl PictureFormat {
    /// What is asked for, or what the file's name says; `None` where nothing is said. A file of an unknown ending is no picture.
    fn of(args: &Args) -> Result<Option<PictureFormat>, String> {
        let ending = args.output.as_deref().and_then(Path::extension).map(|e| e.to_string_lossy().to_lowercase());
        match (args.format, ending.as_deref()) {
            (Some(format), _) => Ok(Some(format)),
            (None, None) => Ok(None),
            (None, Some("dot" | "gv")) => Ok(Some(PictureFormat::Dot)),
            (None, Some("svg")) => Ok(Some(PictureFormat::Svg)),
            (None, Some("png")) => Ok(Some(PictureFormat::Png)),
            (None, Some(other)) => Err(format!(
                "there are no pictures that end in '.{other}'; there are .svg, .png, and .dot or .gv for Graphviz (or say --format)"
            )),
        }
    }
}

pub fn run(args: &Args) -> u8 {
    if let Err(code) = ready(args.output.as_deref()) {
        return code;
    }
    let format = match PictureFormat::of(args) {
        Ok(format) => format,
        Err(message) => {
            say(&format!("error: {message}"));
            return BAD_INPUT;
        }
    };
    let model = ModelArgs { unbounded: args.unbounded, ..args.model.clone() };
    let project = match project::open_as_written(&model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let lens = match project::walked(&project, args.unbounded) {
        Ok(lens) => lens,
        Err(failure) => return failure.tell(),
    };
    // Graphviz text where there is some: a trace, rule graphs, a lifecycle of a language that has it.
    let no_text = args.trace.is_none() && args.view == View::Lifecycle && project.lens().dot().is_none();
    let usual = if no_text { PictureFormat::Svg } else { PictureFormat::Dot };
    match draw(args, format.unwrap_or(usual), &project, &*lens) {
        Ok(picture) => {
            let inputs = Inputs::of(&project.sources).and(&args.trace);
            done(inputs.deliver(&picture, args.output.as_deref()))
        }
        Err((message, code)) => {
            say(&format!("error: {message}"));
            code
        }
    }
}

/// The picture as a file; why not, and how to exit.
fn draw(args: &Args, format: PictureFormat, project: &Project, lens: &dyn Lens) -> Result<Vec<u8>, (String, u8)> {
    let text = text(args, format != PictureFormat::Dot, project, lens)?;
    match format {
        PictureFormat::Png => picture::png::file(&text).map_err(|why| (why, BAD_INPUT)),
        PictureFormat::Dot | PictureFormat::Svg => Ok(text.into_bytes()),
    }
}

/// The picture as text; `lens` is the model as runs go through it.
fn text(args: &Args, as_svg: bool, project: &Project, lens: &dyn Lens) -> Result<String, (String, u8)> {
    if let Some(file) = &args.trace {
        let runs = runs(lens, file)?;
        let dots = || runs.iter().map(|(_, run)| trace::dot::render(run)).collect::<Vec<_>>().join("\n");
        return Ok(if as_svg { trace::svg::file(&runs) } else { dots() });
    }
    match args.view {
        View::Lifecycle if as_svg => Ok(project.lens().drawing(&project.sources, picture::SCREEN).file()),
        View::Lifecycle => project.lens().dot().ok_or_else(|| {
            let message =
                format!("{} models are drawn as SVG or PNG, not as DOT: --format svg", project.lens().language());
            (message, BAD_INPUT)
        }),
        View::Rules => rule_graphs(project, args.event.as_deref(), as_svg).map_err(|message| (message, BAD_INPUT)),
    }
}

fn rule_graphs(project: &Project, event: Option<&str>, as_svg: bool) -> Result<String, String> {
    let names = project.lens().rule_graphs();
    let wanted = |at: &usize| event.is_none_or(|e| e == names[*at]);
    let chosen: Vec<usize> = (0..names.len()).filter(wanted).collect();
    if let (true, Some(e)) = (chosen.is_empty(), event) {
        let near = crate::source::nearest(e, names.iter().map(String::as_str));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        return Err(format!("there is no event '{e}'{hint}"));
    }
    if names.is_empty() {
        return Err(format!("{} models have no rule graph", project.lens().language()));
    }
    Ok(project.lens().draw_rule_graphs(&chosen, as_svg))
}

/// The runs of a trace file, replayed, with what they are called.
fn runs(lens: &dyn Lens, path: &Path) -> Result<Vec<(String, Trace)>, (String, u8)> {
    let fault = |why: &dyn std::fmt::Display, code: u8| (format!("'{}': {why}", path.display()), code);
    let text = crate::source::read_text(path).map_err(|e| fault(&e, BAD_INPUT))?;
    let interp = Interp::new(lens.machine());
    let found = file::read(&interp, &text).map_err(|unloaded| match &unloaded {
        Unloaded::Unreadable(why) => fault(why, BAD_INPUT),
        Unloaded::DoesNotReplay(why) => fault(why, DISAGREE),
    })?;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let one = |f: file::Found| {
        let run = replay(&interp, &f.run).map_err(|e| fault(&e, DISAGREE))?;
        let title = if f.title.is_empty() { name.clone() } else { f.title };
        Ok((title, run.named(lens.machine(), Kind::Run)))
    };
    found.into_iter().map(one).collect()
}
