//! The table of verdicts: a row a property, a column an engine.

use super::data::Data;
use crate::answer::{Engine, PropertyResult, Results, Verdict};

/// A property.
pub struct Row {
    pub name: String,
    pub formula: String,
    pub logic: &'static str,
    /// What the author says about it.
    pub comment: String,
    /// What the verdict means, and why.
    pub summary: String,
    pub expect: &'static str,
    /// `ok`, `bad` or `open`.
    pub class: &'static str,
    pub cells: Vec<Cell>,
    pub agreement: String,
    /// What is worth knowing: reasons, vacuity.
    pub remarks: Vec<String>,
    /// Runs that show a verdict: number, and what it is called.
    pub runs: Vec<(usize, String)>,
}

/// What one engine says.
pub struct Cell {
    pub engine: &'static str,
    pub class: &'static str,
    pub word: String,
    pub seconds: String,
}

/// The rows: what is not as expected first, what has no verdict then, otherwise in the order of the results.
pub fn rows(results: &Results, data: &Data) -> Vec<Row> {
    let mut names: Vec<&str> = Vec::new();
    for r in &results.results {
        if !names.contains(&r.property.as_str()) {
            names.push(&r.property);
        }
    }
    let mut rows: Vec<Row> = names.into_iter().filter_map(|name| row(results, data, name)).collect();
    rows.sort_by_key(|r| ["bad", "open", "ok"].iter().position(|c| *c == r.class));
    rows
}

fn row(results: &Results, data: &Data, name: &str) -> Option<Row> {
    let mine: Vec<&PropertyResult> = results.results.iter().filter(|r| r.property == name).collect();
    let first = *mine.first()?;
    let decided: Vec<bool> = mine.iter().filter_map(|r| r.verdict.holds()).collect();
    let differ = decided.windows(2).any(|w| w[0] != w[1]);
    let unreplayed = mine.iter().any(|r| r.trace.as_ref().is_some_and(|t| !t.certified));
    let class = match decided.first() {
        _ if differ || unreplayed => "bad",
        None => "open",
        Some(_) if mine.iter().any(|r| r.is_unexpected()) => "bad",
        Some(_) => "ok",
    };
    let agreement = match decided.len() {
        0 => "no verdict".to_string(),
        _ if differ => "DISAGREE".into(),
        1 => "one engine".into(),
        n => format!("{n} agree"),
    };
    let cell = |e: Engine| mine.iter().find(|r| r.engine == e).map_or_else(|| Cell::empty(e), |r| Cell::of(r));
    let mut remarks = Vec::new();
    for r in &mine {
        let new = |why: &&String| !r.summary.contains(why.as_str());
        remarks.extend(r.reason.iter().filter(new).map(|why| format!("{}: {}: {why}", r.engine, r.word())));
        if r.trace.as_ref().is_some_and(|t| t.shortest == Some(false)) {
            remarks.push(format!("{}: perhaps not the shortest run", r.engine));
        }
        remarks.extend(r.vacuous.iter().filter(new).map(|why| format!("{}: {}, but {why}", r.engine, r.word())));
    }
    remarks.extend(mine.iter().find_map(|r| Some(r.scope.as_ref()?.sentence(r.verdict))));
    let mut runs: Vec<(usize, String)> = Vec::new();
    for (r, run) in results.results.iter().zip(&data.run_of).filter(|(r, _)| r.property == name) {
        if let Some(run) = run.filter(|run| !runs.iter().any(|(known, _)| known == run)) {
            let kind = if r.verdict == Verdict::True { "witness" } else { "counterexample" };
            runs.push((run, format!("{kind} by {}", data.engines(run).join(", "))));
        }
    }
    // Which engines found it goes without saying where they all found the same.
    if let [(_, label)] = runs.as_mut_slice() {
        label.truncate(label.find(" by ").unwrap_or(label.len()));
    }
    Some(Row {
        name: first.property.clone(),
        formula: first.formula.clone(),
        logic: first.logic.name(),
        comment: first.comment.clone(),
        summary: mine.iter().map(|r| &r.summary).find(|s| !s.is_empty()).cloned().unwrap_or_default(),
        expect: first.expected(),
        class,
        cells: results.engines().into_iter().map(cell).collect(),
        agreement,
        remarks,
        runs,
    })
}

impl Cell {
    fn of(r: &PropertyResult) -> Cell {
        let class = match r.verdict.holds() {
            Some(_) if r.is_as_expected() => "ok",
            Some(_) => "bad",
            None if r.verdict == Verdict::Unsupported => "none",
            None => "open",
        };
        Cell { engine: r.engine.name(), class, word: r.word(), seconds: format!("{:.2} s", r.seconds) }
    }

    fn empty(engine: Engine) -> Cell {
        Cell { engine: engine.name(), class: "none", word: "–".into(), seconds: String::new() }
    }
}
