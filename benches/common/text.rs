//! Pages of results.

use super::case::{MEMORY, Outcome};
use gsmc::answer::{Engine, Verdict};

/// A page in Markdown.
#[derive(Default)]
pub struct Page(pub String);

impl Page {
    /// A paragraph or heading.
    pub fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push_str("\n\n");
    }

    /// A list or table.
    pub fn block(&mut self, lines: Vec<String>) {
        self.line(&lines.join("\n"));
    }

    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let head: Vec<String> = head.iter().map(|h| h.to_string()).collect();
        let mut lines = vec![row(&head), format!("|{}", "---|".repeat(head.len()))];
        lines.extend(rows.iter().map(|r| row(r)));
        self.block(lines);
    }
}

/// Seconds, ratio and memory of an external engine.
pub fn engine_cells(o: &Outcome, native: &Outcome, limit: u64) -> Vec<String> {
    if !o.stopped && (o.answers.iter().any(|a| a.failure.is_some()) || o.trouble.is_some()) {
        return vec!["failed".to_string(); 3];
    }
    let more = if o.complete() { "" } else { "> " };
    let time = time_of(o, limit);
    let ratio = time / native.total;
    let full = o.answers.iter().any(|a| a.verdict == Verdict::OutOfMemory.name());
    let memory = if full { format!("> {}", MEMORY >> 20) } else { format!("{:.0}", o.megabytes) };
    vec![format!("{more}{}", seconds(time)), format!("{more}{}", times(ratio)), memory]
}

/// The tool's seconds, or the limit if it did not finish.
pub fn time_of(o: &Outcome, limit: u64) -> f64 {
    if o.complete() { o.engine } else { o.total.min(limit as f64) }
}

pub fn title(engine: Engine) -> &'static str {
    gsmc::backend::checker(engine).map_or("native", |c| c.title)
}

pub fn times(ratio: f64) -> String {
    if ratio < 9.95 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
}

pub fn seconds(s: f64) -> String {
    if s < 9.995 { format!("{s:.2}") } else { format!("{s:.0}") }
}

/// The exact number, or its size when nobody would read all digits.
pub fn snapshots(o: &Outcome) -> String {
    let Some(digits) = &o.snapshots else { return "–".into() };
    match digits.len() {
        0..=27 => digits.clone(),
        n => format!("{}.{}e{}", &digits[..1], &digits[1..4], n - 1),
    }
}
