//! The report: one HTML file with the model's picture, the verdicts of all engines and every trace to step through.
//!
//! Everything is in the file: style, script, pictures, data. Without script, and on paper, it shows tables, pictures and traces as
//! text; the script adds the stepper. Names of the model get into the page as escaped text, or as data that the script puts into
//! text nodes.

pub mod cases;
mod data;
mod table;

use crate::answer::{Results, by_property};
use crate::compare::Comparison;
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::terms::Terms;
use crate::picture::{self, palette};
use crate::replay::totals::Replayed;
use crate::source::{Diagnostics, Sources};
use crate::trace::text;
use crate::view::Viewer;
use askama::Template;
use table::{Row, rows};

/// What a report is made of.
pub struct Input<'a> {
    /// The model and its machine.
    pub lens: &'a dyn Lens,
    /// The files it was read from.
    pub sources: &'a Sources,
    /// What there was to warn about.
    pub diagnostics: &'a Diagnostics,
    /// What the engines say.
    pub results: &'a Results,
    /// Another version, and what is different since.
    pub against: Option<(&'a str, &'a Comparison)>,
    /// Recorded cases.
    pub replayed: Option<&'a Replayed>,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    name: &'a str,
    terms: Terms,
    /// Has the picture parts whose conditions a click shows?
    conditions: bool,
    results: &'a Results,
    engines: Vec<&'static str>,
    rows: Vec<Row>,
    verdict: Verdict,
    numbers: Vec<(&'static str, String)>,
    remarks: Vec<String>,
    warnings: Vec<Warning>,
    stories: Vec<Story>,
    strategies: Vec<StrategyTable>,
    against: Option<(&'a str, &'a Comparison)>,
    recorded: Option<cases::Section>,
    wide: String,
    narrow: String,
    style: String,
    script: String,
    data: String,
}

/// The whole in one line.
struct Verdict {
    class: &'static str,
    text: String,
}

struct Warning {
    code: &'static str,
    message: String,
    place: String,
    help: Option<String>,
}

/// A trace as text.
struct Story {
    run: usize,
    title: String,
    text: String,
}

/// A strategy.
struct StrategyTable {
    title: String,
    moves: Vec<Move>,
}

struct Move {
    snapshot: String,
    agent: String,
    sends: String,
}

/// Style sheets and scripts of the page, in order.
const STYLES: [&str; 4] = [
    include_str!("../../../templates/page/base.css"),
    include_str!("../../../templates/page/legend.css"),
    picture::STYLE,
    include_str!("../../../templates/page/report.css"),
];
const SCRIPTS: [&str; 5] = [
    include_str!("../../../templates/page/cards.js"),
    include_str!("../../../templates/page/diagram.js"),
    include_str!("../../../templates/page/inspect.js"),
    include_str!("../../../templates/page/player.js"),
    include_str!("../../../templates/page/report.js"),
];

impl Page<'_> {
    /// Properties of a class.
    fn count(&self, class: &str) -> usize {
        self.rows.iter().filter(|r| r.class == class).count()
    }

    /// Properties with a trace.
    fn traced(&self) -> usize {
        self.rows.iter().filter(|r| !r.runs.is_empty()).count()
    }
}

/// What a number counts, where its name does not say it.
fn meaning(what: &str) -> Option<&'static str> {
    Some(match what {
        "ground rules" => "rules of the model, once for each instance they can be about",
        "moves" => "who may make what happen, and where: agent, event and instance",
        "state bits" => "bits that one snapshot needs: the size of the problem, not of the model",
        "reachable snapshots" => "different situations that can really come about",
        "dead ends" => "reachable snapshots in which nobody can do anything any more",
        "predicates" => {
            "conditions on data without bounds that take its place: snapshots in which the same ones hold are looked at as one"
        }
        "snapshots that may be reached" => "abstract snapshots to which some values may lead, before refinement",
        "snapshots that must be" => "abstract snapshots to which steps lead whatever the values are, before refinement",
        "rounds of refinement" => "how often predicates were added because something was left undecided",
        _ => return None,
    })
}

/// The page.
pub fn render(input: &Input) -> Result<String, askama::Error> {
    let interp = Interp::new(input.lens.machine());
    let viewer = Viewer::new(input.lens, &interp, input.sources);
    let mut data = data::Data::of(&viewer, input.results).map_err(askama::Error::custom)?;
    let recorded = input.replayed.map(|replayed| cases::section(replayed, &viewer, &mut data));
    let picture = |width, class| input.lens.drawing(input.sources, width).embedded(class);
    let page = Page {
        name: input.lens.name(),
        terms: input.lens.terms(),
        conditions: !viewer.model().types.is_empty(),
        results: input.results,
        engines: input.results.engines().into_iter().map(|e| e.name()).collect(),
        rows: rows(input.results, &data),
        verdict: verdict(input.results),
        numbers: numbers(input),
        remarks: remarks(input.results),
        warnings: warnings(input),
        stories: stories(input.results, &data),
        strategies: strategies(input.results),
        against: input.against,
        recorded,
        wide: picture(picture::SCREEN, "wide"),
        narrow: picture(picture::PHONE, "narrow"),
        style: format!("{}{}", palette::page(), STYLES.concat()),
        script: SCRIPTS.concat(),
        data: data.script(),
    };
    page.render()
}

fn verdict(results: &Results) -> Verdict {
    let all = &results.results;
    let wrong = all.iter().filter(|r| r.is_unexpected()).count();
    let total = by_property(all).len();
    let properties = text::count(total, "property").replace("propertys", "properties");
    let (class, text) = match results.exit_code() {
        _ if total == 0 => ("none", "no properties: nothing was checked".to_string()),
        0 => ("ok", format!("{properties}: all verdicts as expected")),
        1 => ("bad", format!("{properties}: {} not as expected", text::count(wrong, "answer"))),
        4 if !results.disagreements.is_empty() => ("bad", format!("{properties}: engines disagree")),
        4 => ("bad", format!("{properties}: a trace did not replay")),
        _ => ("open", format!("{properties}: some have no verdict")),
    };
    Verdict { class, text }
}

fn numbers(input: &Input) -> Vec<(&'static str, String)> {
    let machine = &input.results.machine;
    let counts = input.lens.summary().counts;
    let mut out: Vec<(&'static str, String)> = counts.into_iter().map(|(what, n)| (what, n.to_string())).collect();
    out.extend([
        ("ground rules", machine.rules.to_string()),
        ("moves", machine.actions.to_string()),
        ("state bits", machine.state_bits.to_string()),
    ]);
    out.extend(machine.reachable_states.iter().map(|n| ("reachable snapshots", n.clone())));
    out.extend(machine.dead_ends.iter().map(|n| ("dead ends", n.clone())));
    if let Some(a) = &machine.abstraction {
        out.extend([
            ("predicates", a.predicates.len().to_string()),
            ("snapshots that may be reached", a.may_states.clone()),
            ("snapshots that must be", a.must_states.clone()),
            ("rounds of refinement", a.rounds.to_string()),
            ("questions to the solver", a.smt_calls.to_string()),
        ]);
    }
    out
}

/// What one should know before one trusts the numbers.
fn remarks(results: &Results) -> Vec<String> {
    let m = &results.machine;
    let mut out = Vec::new();
    if !m.bounds.is_empty() {
        let bounds: Vec<String> = m.bounds.iter().map(|(t, n)| format!("{t} {n}")).collect();
        out.push(format!("At most this many instances: {}.", bounds.join(", ")));
    }
    out.extend(results.absent.iter().map(|a| format!("{} is not there: {}.", a.engine, a.reason)));
    if let Some(a) = &m.abstraction {
        out.push(format!("Without bounds: {}. Predicates take their place.", a.attributes.join(", ")));
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for p in &a.predicates {
            let from = match (p.round, p.from.as_str()) {
                (0, "given") => "Given in gsmc.toml".to_string(),
                (0, "update") => "From an update".to_string(),
                (0, from) => format!("From a {from}"),
                (round, _) => format!("Added in round {round} of refinement"),
            };
            match groups.iter_mut().find(|(known, _)| *known == from) {
                Some((_, names)) => names.push(&p.name),
                None => groups.push((from, vec![&p.name])),
            }
        }
        out.extend(groups.into_iter().map(|(from, names)| format!("{from}: {}.", names.join("; "))));
    }
    out.extend(m.assumptions.iter().map(|a| format!("Assumed: {a}.")));
    if m.overflow_reachable == Some(true) {
        out.push("Overflow is reachable: verdicts marked (bounded) may change with larger bounds.".into());
    }
    if m.order_dependent == Some(true) {
        out.push("A reachable step depends on the order of the rules.".into());
    }
    if !m.left_out.is_empty() {
        out.push(format!("Left out, because nothing reads them: {}.", m.left_out.join(", ")));
    }
    out
}

fn warnings(input: &Input) -> Vec<Warning> {
    let one = |d: &crate::source::Diagnostic| Warning {
        code: d.code.id,
        message: d.message.clone(),
        place: d.span.map(|s| input.sources.place(s)).unwrap_or_default(),
        help: d.instead().map(str::to_string),
    };
    input.diagnostics.sorted().into_iter().map(one).collect()
}

fn stories(results: &Results, data: &data::Data) -> Vec<Story> {
    let mut out: Vec<Story> = Vec::new();
    for (result, run) in results.results.iter().zip(&data.run_of) {
        let (Some(run), Some(trace)) = (*run, &result.trace) else { continue };
        if out.iter().any(|s| s.run == run) {
            continue;
        }
        let title = format!("{} is {} by {}", result.property, result.verdict.name(), data.engines(run).join(", "));
        out.push(Story { run, title, text: text::render(trace, false) });
    }
    out
}

fn strategies(results: &Results) -> Vec<StrategyTable> {
    let with = results.results.iter().filter(|r| !r.strategy.is_empty());
    let one = |r: &crate::answer::PropertyResult| StrategyTable {
        title: format!("{} is {} by {}", r.property, r.verdict.name(), r.engine),
        moves: r.strategy.iter().map(line).collect(),
    };
    with.map(one).collect()
}

fn line(m: &crate::answer::StrategyMove) -> Move {
    let values: Vec<String> = m.snapshot.iter().map(|(k, v)| format!("{k} = {}", crate::trace::plain(v))).collect();
    let snapshot = if values.is_empty() { "at the start".into() } else { values.join(", ") };
    let sends = crate::trace::TraceStep { agent: None, ..m.sends.clone() };
    Move { snapshot, agent: m.agent.clone(), sends: text::title(&sends) }
}
