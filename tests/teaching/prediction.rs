//! What a README predicts: its Markdown tables, recognised by their headers.

use super::shown::canonical;
use std::collections::BTreeSet;

/// Everything a README predicts.
#[derive(Debug, Default)]
pub struct Prediction {
    /// One line per B-step, as [`step_line`] writes it.
    pub steps: BTreeSet<String>,
    /// One line per agent and set of snapshots that look the same to it; empty when the README has no such table.
    pub classes: BTreeSet<String>,
    pub numbers: Numbers,
    pub verdicts: Vec<Verdict>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub snapshots: String,
    pub steps: String,
    pub dead_ends: String,
    pub idling: String,
    pub graph: String,
    pub races: String,
    pub overflow: String,
}

#[derive(Debug)]
pub struct Verdict {
    pub property: String,
    pub holds: bool,
    pub bounded: bool,
    pub vacuous: bool,
}

impl Verdict {
    /// `name: true (bounded)`
    pub fn line(&self) -> String {
        let marks = [(self.bounded, " (bounded)"), (self.vacuous, " (vacuous)")];
        let marks: String = marks.into_iter().filter(|(on, _)| *on).map(|(_, text)| text).collect();
        format!("{}: {}{marks}", self.property, self.holds)
    }

    fn read(property: &str, cell: &str) -> Result<Verdict, String> {
        let mut words = cell.split_whitespace();
        let holds = match words.next() {
            Some("true") => true,
            Some("false") => false,
            _ => return Err(format!("'{cell}' is not a verdict")),
        };
        let marks: Vec<&str> = words.collect();
        match marks.iter().find(|m| !["(bounded)", "(vacuous)"].contains(m)) {
            Some(other) => Err(format!("'{other}' says nothing about a verdict")),
            None => Ok(Verdict {
                property: property.to_string(),
                holds,
                bounded: marks.contains(&"(bounded)"),
                vacuous: marks.contains(&"(vacuous)"),
            }),
        }
    }
}

/// One B-step as a line.
pub fn step_line(from: &str, who: &str, event: &str, rules: &str, to: &str, race: bool) -> String {
    let race = if race { " (depends on the order)" } else { "" };
    format!("{from} -- {who}: {event} [{rules}]{race} --> {to}")
}

/// What looks the same to an agent, as a line.
pub fn class_line(agent: &str, snapshots: impl IntoIterator<Item = String>) -> String {
    let sorted: BTreeSet<String> = snapshots.into_iter().collect();
    format!("{agent}: {}", sorted.into_iter().collect::<Vec<_>>().join(" = "))
}

impl Prediction {
    /// Reads a README. Tables with other headers are for people only.
    pub fn of(text: &str) -> Result<Prediction, String> {
        let mut all = Prediction::default();
        let mut seen = [false; 3];
        for table in tables(text) {
            match table.header.first().map(String::as_str) {
                Some("from") => {
                    seen[0] = true;
                    for row in &table.rows {
                        if !all.steps.insert(step(&table, row)?) {
                            return Err(format!("the step {row:?} stands there twice"));
                        }
                    }
                }
                Some("snapshots") => {
                    seen[1] = true;
                    all.numbers = numbers(&table)?;
                }
                Some("property") => {
                    seen[2] = true;
                    for row in &table.rows {
                        all.verdicts.push(Verdict::read(table.cell(row, "property")?, table.cell(row, "verdict")?)?);
                    }
                }
                Some("agent") => {
                    for row in &table.rows {
                        let alike = table.cell(row, "snapshots that look the same")?.split('=').map(canonical);
                        all.classes.insert(class_line(table.cell(row, "agent")?, alike));
                    }
                }
                _ => {}
            }
        }
        match seen.iter().position(|s| !s) {
            Some(missing) => Err(format!("no table of {}", ["steps", "numbers", "verdicts"][missing])),
            None => Ok(all),
        }
    }
}

fn step(table: &Table, row: &[String]) -> Result<String, String> {
    let race = match table.cell(row, "depends on the order") {
        Ok("") | Err(_) => false,
        Ok("yes") => true,
        Ok(other) => return Err(format!("'{other}' is neither yes nor empty")),
    };
    let cell = |name| table.cell(row, name);
    let (from, to) = (canonical(cell("from")?), canonical(cell("to")?));
    Ok(step_line(&from, cell("who")?, cell("event")?, cell("rules, in order")?, &to, race))
}

fn numbers(table: &Table) -> Result<Numbers, String> {
    let [row] = table.rows.as_slice() else { return Err("the table of numbers has one row".into()) };
    let cell = |name| table.cell(row, name).map(str::to_string);
    Ok(Numbers {
        snapshots: cell("snapshots")?,
        steps: cell("B-steps")?,
        dead_ends: cell("dead ends")?,
        idling: cell("idling")?,
        graph: cell("rule graph")?,
        races: cell("steps that depend on the order")?,
        overflow: cell("overflow")?,
    })
}

/// A Markdown table.
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn cell<'r>(&self, row: &'r [String], column: &str) -> Result<&'r str, String> {
        let at = self.header.iter().position(|h| h == column).ok_or_else(|| format!("no column '{column}'"))?;
        row.get(at).map(String::as_str).ok_or_else(|| format!("the row {row:?} is too short"))
    }
}

/// The tables of a Markdown text: consecutive lines that begin with `|`, the second one being the ruler.
pub fn tables(text: &str) -> Vec<Table> {
    let mut all = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if !line.starts_with('|') {
            continue;
        }
        let header = cells(line);
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|l| l.starts_with('|')) {
            rows.push(cells(row));
        }
        if !rows.is_empty() {
            rows.remove(0);
        }
        all.push(Table { header, rows });
    }
    all
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let cell = |c: &str| match c.trim().strip_prefix('`').and_then(|c| c.strip_suffix('`')) {
        Some(code) => code.to_string(),
        None => c.trim().to_string(),
    };
    inner.split('|').map(cell).collect()
}
