//! Every engine on families of models, from small to large, and the page `docs/families.md` with the results.
//!
//! `cargo bench --bench families` measures everything and writes the page. After `--`: names of families, to measure those alone and
//! print what the page would say of them; `--limit SECONDS` for each run (60); `--models FOLDER` only writes the models there.
//! `GSMC_EGSM_MODELS` names a folder with more E-GSM models. Engines that disagree, or verdicts that are not as expected, end it with 1.

#[path = "../common/mod.rs"]
mod common;
mod models;
mod page;
mod table;

use common::case::{Case, Outcome, measure};
use common::host;
use common::spawn::{over, spawn, steadily};
use gsmc::answer::Engine;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use table::{FAMILIES, Family, Member};

/// Everything that was measured.
pub struct Measured {
    pub limit: u64,
    pub families: Vec<(&'static Family, Vec<Line>)>,
    /// Engines that are not there.
    pub absent: Vec<Engine>,
    pub minutes: f64,
    /// Load of the machine at the beginning.
    pub load: Option<String>,
}

/// What the engines said of one model.
pub struct Line {
    pub label: String,
    pub grows: bool,
    pub outcomes: BTreeMap<Engine, Outcome>,
}

impl Line {
    /// Verdicts that differ, or that are not what the author of the model expects.
    pub fn alarms(&self) -> Vec<String> {
        let mut said: BTreeMap<&str, Vec<(Engine, &str, bool)>> = BTreeMap::new();
        for (engine, outcome) in &self.outcomes {
            for a in outcome.answers.iter().filter(|a| a.decided) {
                said.entry(&a.property).or_default().push((*engine, &a.verdict, a.as_expected));
            }
        }
        let wrong = |(_, all): &(&str, Vec<(Engine, &str, bool)>)| {
            all.iter().any(|(_, verdict, expected)| *verdict != all[0].1 || !expected)
        };
        let words = |(name, all): (&str, Vec<(Engine, &str, bool)>)| {
            let each: Vec<String> = all.iter().map(|(engine, verdict, _)| format!("{verdict} by {engine}")).collect();
            format!("{}: {name} is {}", self.label, each.join(", "))
        };
        said.into_iter().filter(wrong).map(words).collect()
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let Some(at) = args.iter().position(|a| a == "--case") {
        println!("{}", serde_json::to_string(&measure(&args[at + 1..])).unwrap_or_default());
        return ExitCode::SUCCESS;
    }
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Measures and writes; says whether all verdicts are as they should be.
fn run(args: &[String]) -> io::Result<bool> {
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|at| args.get(at + 1));
    if let Some(folder) = value("--models") {
        let folder = Path::new(folder);
        std::fs::create_dir_all(folder)?;
        return FAMILIES.iter().try_for_each(|f| f.members(folder, 0).map(drop)).map(|()| true);
    }
    let limit = match value("--limit").map(|text| text.parse()) {
        None => 60,
        Some(Ok(seconds)) => seconds,
        Some(Err(_)) => return Err(io::Error::other("--limit needs a number of seconds")),
    };
    let given = |a: &&String| !a.starts_with("--") && Some(*a) != value("--limit");
    let names: Vec<&String> = args.iter().filter(given).collect();
    if let Some(unknown) = names.iter().find(|n| FAMILIES.iter().all(|f| f.name != n.as_str())) {
        let known = FAMILIES.map(|f| f.name).join(", ");
        return Err(io::Error::other(format!("there is no family '{unknown}'; there are {known}")));
    }
    let chosen = FAMILIES.iter().filter(|f| names.is_empty() || names.iter().any(|n| n.as_str() == f.name));
    let measured = all(chosen, limit)?;
    let text = page::page(&measured);
    if names.is_empty() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/families.md");
        std::fs::write(&path, &text)?;
        println!("{} is written", path.display());
    } else {
        println!("{text}");
    }
    let alarms: Vec<String> =
        measured.families.iter().flat_map(|(_, lines)| lines.iter().flat_map(Line::alarms)).collect();
    alarms.iter().for_each(|alarm| eprintln!("ALARM: {alarm}"));
    Ok(alarms.is_empty())
}

/// Measures families, one run at a time.
fn all(families: impl Iterator<Item = &'static Family>, limit: u64) -> io::Result<Measured> {
    let (begin, load) = (Instant::now(), host::load());
    let absent: Vec<Engine> = host::external().filter(|e| gsmc::backend::find(*e, None).is_err()).collect();
    let folder = tempfile::tempdir()?;
    let mut measured = Vec::new();
    for family in families {
        let members = family.members(folder.path(), limit)?;
        measured.push((family, lines(members, &absent)));
    }
    let minutes = begin.elapsed().as_secs_f64() / 60.0;
    Ok(Measured { limit, families: measured, absent, minutes, load })
}

/// An engine that did not finish a size is not asked about larger ones.
fn lines(members: Vec<Member>, absent: &[Engine]) -> Vec<Line> {
    let mut beaten: Vec<Engine> = absent.to_vec();
    let mut lines = Vec::new();
    for Member { label, case, grows } in members {
        let mut outcomes = BTreeMap::new();
        for engine in gsmc::backend::engines().filter(|e| !absent.contains(e)) {
            if grows && beaten.contains(&engine) {
                continue;
            }
            let case = Case { engine, ..case.clone() };
            let outcome = if engine == Engine::NATIVE { steadily(&case) } else { spawn(&case) };
            if grows && (!outcome.complete() || engine == Engine::NATIVE && over(&outcome, case.limit)) {
                beaten.push(engine);
            }
            outcomes.insert(engine, outcome);
        }
        lines.push(Line { label, grows, outcomes });
    }
    lines
}
