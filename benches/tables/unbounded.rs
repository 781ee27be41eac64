//! Unbounded data beside the paper's Tables 1 and 3: Order-to-Cash and the research-funding application, with bounds and without.

use super::common::case::{Abstracted, Asked, Case, Outcome};
use super::common::host;
use super::common::spawn::steadily;
use super::common::text::{Page, seconds, snapshots, times};
use super::{AGENTS, at, orders, papers};
use gsmc::answer::Engine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The heading of this part of the page.
const HEADING: &str = "## Unbounded data";
/// Seconds for each run.
const LIMIT: u64 = 120;

/// One system: with bounds; without, as the paper has it; and with refinement and runs.
type Three = [Outcome; 3];

/// What was measured.
pub struct Unbounded {
    /// By agents file (position in [`AGENTS`]) and number of orders.
    orders: BTreeMap<(usize, u32), Three>,
    boards: Three,
    load: Option<String>,
}

impl Unbounded {
    /// Measures everything, one case at a time.
    pub fn measure(quick: bool) -> Unbounded {
        let load = host::load();
        let sizes: &[u32] = if quick { &[1, 2] } else { &[1, 2, 3, 4, 5, 6, 12] };
        let open = without_ranges("order-to-cash");
        let mut all = BTreeMap::new();
        for agents in 0..AGENTS.len() {
            for &n in sizes {
                let bounded = Case { asked: Asked::Check, ..orders(Engine::NATIVE, agents, &n.to_string(), LIMIT) };
                let model = open.as_ref().map_or_else(|| bounded.model.clone(), |(_, path)| path.clone());
                all.insert((agents, n), three(bounded, model));
            }
        }
        let board = at("research-funding");
        let bounded = Case { asked: Asked::Check, ..Case::of(Engine::NATIVE, board.clone(), LIMIT) };
        Unbounded { orders: all, boards: three(bounded, board), load }
    }

    /// This part of the page.
    pub fn section(&self) -> String {
        let mut p = Page::default();
        p.line(HEADING);
        p.line(&format!(
            "Measured on {} (`cargo bench --bench tables -- --unbounded` measures this part alone); load average when it began: {}. *bounded* is `gsmc check` with the range \
             0..3 for the counter of parts, *plain* is `gsmc check --abstract --refine 0 --no-runs` without any range, which is what the paper measures, *refined* is `gsmc check --abstract`. Memory is that of \
             gsmc or the solver, whichever has more. *calls* are questions to the solver (z3).",
            host::today(),
            self.load.as_deref().unwrap_or("unknown")
        ));
        p.block(self.bars());
        for (agents, name) in ["3 agents", "15 agents"].iter().enumerate() {
            p.line(&format!("### Order-to-Cash, {name}"));
            self.table(&mut p, agents);
        }
        p.line(
            "The paper leaves the first property open and has no refinement; here *refined* decides all four. Its numbers of snapshots are those of its own model.",
        );
        p.line("### Research funding: ReviewBoard, one instance");
        self.board(&mut p);
        p.0.trim_end().to_string() + "\n"
    }

    fn bars(&self) -> Vec<String> {
        let word = |met: bool| if met { "met" } else { "**missed**" };
        let mut lines = Vec::new();
        if let Some([bounded, _, refined]) = self.orders.get(&(1, 6)) {
            let ratio = refined.total / bounded.total;
            lines.push(format!(
                "- 15 agents, 6 orders, refined, in at most 3 times the time of the bounded check: {} ({} times)",
                word(refined.complete() && ratio <= 3.0),
                times(ratio)
            ));
        }
        let total = self.boards[2].total;
        lines.push(format!(
            "- ReviewBoard, all properties, in under 5 s (paper: {} s): {} ({} s)",
            papers::REVIEW_BOARD.0,
            word(self.boards[2].complete() && total < 5.0),
            seconds(total)
        ));
        let calls: Vec<u64> = self.orders.values().filter_map(|[_, _, o]| Some(o.abstracted.as_ref()?.calls)).collect();
        if let (Some(least), Some(most)) = (calls.iter().min(), calls.iter().max()) {
            lines.push(format!("- questions to the solver do not grow with orders or agents: {least} to {most}"));
        }
        lines
    }

    fn table(&self, p: &mut Page, agents: usize) {
        let head = [
            "orders",
            "bounded snapshots",
            "s",
            "MB",
            "plain may",
            "must",
            "s",
            "MB",
            "calls",
            "refined s",
            "MB",
            "calls",
            "rounds",
            "times bounded",
            "paper may",
            "must",
            "s",
            "MB",
        ];
        let own = self.orders.iter().filter(|((a, _), _)| *a == agents);
        let row = |((_, n), [bounded, plain, refined]): (&(usize, u32), &Three)| {
            let published = papers::ABSTRACTED.get((*n as usize).wrapping_sub(1)).and_then(|row| row.get(agents));
            let counts = papers::ABSTRACTED_COUNTS.get((*n as usize).wrapping_sub(1)).and_then(|row| row.get(agents));
            let mut cells = vec![n.to_string(), snapshots(bounded), seconds(bounded.total), megabytes(bounded)];
            let (found, end) = (numbers(plain), numbers(refined));
            cells.extend([
                short(&found.may),
                short(&found.must),
                time(plain),
                megabytes(plain),
                found.calls.to_string(),
            ]);
            cells.extend([time(refined), megabytes(refined), end.calls.to_string(), end.rounds.to_string()]);
            cells.push(times(refined.total / bounded.total));
            let (may, must) = counts.map_or(("–", "–"), |(may, must)| (*may, *must));
            cells.extend([may.to_string(), must.to_string()]);
            cells.extend(match published {
                Some((s, mb)) => [s.to_string(), mb.to_string()],
                None => ["–".to_string(), "–".to_string()],
            });
            cells
        };
        p.table(&head, own.map(row).collect());
    }

    fn board(&self, p: &mut Page) {
        let names = ["bounded", "plain", "refined"];
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (name, o) in names.into_iter().zip(&self.boards) {
            let (decided, asked) = o.decided();
            let found = o.abstracted.clone().unwrap_or_default();
            let counts = if o.abstracted.is_some() {
                [short(&found.may), short(&found.must)]
            } else {
                [snapshots(o), "–".into()]
            };
            let mut cells = vec![name.to_string()];
            cells.extend(counts);
            cells.extend([time(o), megabytes(o), found.calls.to_string(), format!("{decided} of {asked}")]);
            rows.push(cells);
        }
        let (s, mb, may, must) = papers::REVIEW_BOARD;
        rows.push(vec![
            "paper".into(),
            may.into(),
            must.into(),
            s.to_string(),
            mb.to_string(),
            "–".into(),
            "6 of 6".into(),
        ]);
        p.table(&["", "may (bounded: all)", "must", "s", "MB", "calls", "decided"], rows);
        let unlike: Vec<String> = self.boards.iter().flat_map(Outcome::surprises).map(|g| g.property.clone()).collect();
        if !unlike.is_empty() {
            p.line(&format!("Not as expected: {}.", unlike.join(", ")));
        }
    }
}

/// A page with this part in the place of the one it had, or at its end.
pub fn replaced(page: &str, section: &str) -> String {
    let Some(start) = page.find(&format!("{HEADING}\n")) else { return format!("{}\n\n{section}", page.trim_end()) };
    let rest = page.get(start + HEADING.len()..).unwrap_or_default();
    let after = rest.find("\n## ").and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    let before = page.get(..start).unwrap_or_default();
    if after.is_empty() { format!("{before}{section}") } else { format!("{before}{section}\n{after}") }
}

fn three(bounded: Case, open: PathBuf) -> Three {
    let without = |asked| Case { asked, model: open.clone(), ..bounded.clone() };
    [bounded.clone(), without(Asked::Plain), without(Asked::Refined)].map(|case| steadily(&case))
}

/// A copy of an example without the ranges that its project gives.
fn without_ranges(example: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join(example);
    std::fs::create_dir(&path).ok()?;
    for entry in std::fs::read_dir(at(example)).ok()?.flatten() {
        std::fs::copy(entry.path(), path.join(entry.file_name())).ok()?;
    }
    let project = path.join("gsmc.toml");
    let text = std::fs::read_to_string(&project).ok()?;
    let kept = text.split("[ranges]").next().unwrap_or_default();
    std::fs::write(&project, kept).ok()?;
    Some((folder, path))
}

/// Writes this part into the page of a file.
pub fn write(path: &Path, section: &str) -> std::io::Result<()> {
    let page = std::fs::read_to_string(path)?;
    std::fs::write(path, replaced(&page, section))
}

fn numbers(o: &Outcome) -> Abstracted {
    o.abstracted.clone().unwrap_or_default()
}

/// A number of snapshots, its size if it is large.
fn short(digits: &str) -> String {
    match digits.len() {
        0 => "–".into(),
        1..=7 => digits.to_string(),
        n => format!("{}.{}e{}", &digits[..1], &digits[1..3], n - 1),
    }
}

fn megabytes(o: &Outcome) -> String {
    format!("{:.0}", o.megabytes)
}

fn time(o: &Outcome) -> String {
    match &o.trouble {
        Some(_) if o.stopped => format!("> {LIMIT}"),
        Some(_) => "failed".into(),
        None => seconds(o.total),
    }
}
