//! The page.

use super::common::case::{MEMORY, Outcome};
use super::common::text::{Page, engine_cells, seconds, snapshots, time_of, times, title};
use super::table::{Family, MORE};
use super::{Line, Measured, host};
use gsmc::answer::Engine;

/// The whole page.
pub fn page(m: &Measured) -> String {
    let mut p = Page::default();
    p.line("# Benchmarks by family");
    p.line(&format!(
        "Written by `cargo bench --bench families` on {}; the whole run took {:.1} minutes. Do not edit by hand. \
         [Benchmarks](benchmarks.md) has the papers' case studies in more detail.",
        host::today(),
        m.minutes
    ));
    p.block(host::describe(m.load.as_deref()));
    p.rules(m);
    p.agreement(m);
    p.faster(m);
    for (family, lines) in &m.families {
        p.family(m, family, lines);
    }
    p.0.trim_end().to_string() + "\n"
}

impl Page {
    fn rules(&mut self, m: &Measured) {
        self.line("## What is measured");
        let rules = [
            "Every run is in a process of its own, one after the other; native runs under two seconds are made three times and the middle \
             one counts. Native time is wall-clock time from the start of the process to its end, of what `gsmc check` does, with the \
             runs that show the verdicts."
                .to_string(),
            "Times of NuSMV, SPIN and MCMAS are those of the tools alone, on the files that `gsmc export` writes, without reading the \
             model, writing these files or showing runs. NuSMV runs with `-dynamic -dcx`, and when that has not answered after a third \
             of the time once more with `-df`; the time is that of the try that answered. SPIN's time has the C compiler in it. MCMAS \
             runs as it comes. A ratio is such a time divided by the native one."
                .to_string(),
            "*decided* counts the properties with a verdict, of those that the engine can express: NuSMV and SPIN know no knowledge, SPIN \
             no `AG EF`. What an engine cannot express is not in its time."
                .to_string(),
            "*MB* is the peak of the largest process, compilers not counted. *growth* is the time divided by that of the line before."
                .to_string(),
            format!(
                "Runs are stopped after {} s and {} GiB; `>` marks them. An engine that was stopped, or that cannot read a model, is not \
                 asked about larger ones (`–`).",
                m.limit,
                MEMORY >> 30
            ),
            format!(
                "The models are written as text by the benchmark (`cargo bench --bench families -- --models FOLDER`), or are those of \
                 `examples/`. `{MORE}` may name a folder with more E-GSM models."
            ),
        ];
        self.block(rules.iter().map(|r| format!("- {r}")).collect());
    }

    fn agreement(&mut self, m: &Measured) {
        let lines = || m.families.iter().flat_map(|(f, lines)| lines.iter().map(move |l| (f, l)));
        let answers =
            lines().flat_map(|(_, l)| l.outcomes.values()).flat_map(|o| &o.answers).filter(|a| a.decided).count();
        let alarms: Vec<String> =
            lines().flat_map(|(f, l)| l.alarms().into_iter().map(|a| format!("- {}, {a}", f.title))).collect();
        match alarms.is_empty() {
            true => self.line(&format!("All {answers} verdicts agree, between engines and with what is expected.")),
            false => {
                self.line("**Verdicts that differ, or are not as expected:**");
                self.block(alarms);
            }
        }
        for engine in &m.absent {
            self.line(&format!("{} is absent on this machine.", title(*engine)));
        }
    }

    /// Where another checker is faster, or answers and native does not.
    fn faster(&mut self, m: &Measured) {
        self.line("## Where another checker is faster");
        let mut found = Vec::new();
        for (family, lines) in &m.families {
            for engine in host::external() {
                let ahead: Vec<String> = lines.iter().filter_map(|l| ahead(l, engine, m.limit)).collect();
                if !ahead.is_empty() {
                    let why = family.why.iter().find(|(name, _)| *name == engine.name());
                    let why = why.map_or("why is not known yet", |(_, why)| *why);
                    found.push(format!("- {}, {}: {}. {why}", family.title, title(engine), ahead.join(", ")));
                }
            }
        }
        match found.is_empty() {
            true => self.line("Nowhere: at every size that another checker finishes, native is ahead of it."),
            false => self.block(found),
        }
    }

    fn family(&mut self, m: &Measured, family: &Family, lines: &[Line]) {
        self.line(&format!("## {}", family.title));
        self.line(family.about);
        let mut before: Option<&Outcome> = None;
        let mut rows = Vec::new();
        for line in lines {
            let mut row = vec![line.label.clone()];
            match line.outcomes.get(&Engine::NATIVE) {
                None => row.extend(["–"; 6].map(String::from)),
                Some(o) => {
                    let more = if o.complete() { "" } else { "> " };
                    let growth = before.filter(|_| line.grows).map_or("–".into(), |b| times(o.total / b.total));
                    row.extend([o.bits.to_string(), snapshots(o), format!("{more}{}", seconds(o.total)), growth]);
                    row.extend([format!("{:.0}", o.megabytes), decided(o)]);
                    before = Some(o);
                }
            }
            rows.push(row);
        }
        self.table(&[family.grows, "bits", "snapshots", "native s", "growth", "MB", "decided"], rows);
        let engines: Vec<Engine> = host::external().filter(|e| !m.absent.contains(e)).collect();
        let mut head = vec![family.grows.to_string()];
        head.extend(engines.iter().flat_map(|e| {
            let name = title(*e);
            [format!("{name} s"), "ratio".into(), "MB".into(), "decided".into()]
        }));
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let row = |line: &Line| {
            let cells = engines.iter().flat_map(|e| cells(line, *e, m.limit));
            std::iter::once(line.label.clone()).chain(cells).collect()
        };
        self.table(&head, lines.iter().map(row).collect());
        for (engine, why) in refused(lines) {
            self.line(&format!("{} does not read larger ones: {why}.", title(engine)));
        }
    }
}

/// Seconds, ratio, memory and decided properties of an external engine.
fn cells(line: &Line, engine: Engine, limit: u64) -> Vec<String> {
    let native = line.outcomes.get(&Engine::NATIVE).cloned();
    match line.outcomes.get(&engine) {
        None => vec!["–".to_string(); 4],
        Some(o) if o.decided().1 == 0 => vec!["n/a".into(), "–".into(), "–".into(), "–".into()],
        Some(o) => {
            let mut cells = engine_cells(o, native.as_ref().unwrap_or(o), limit);
            if native.is_none() {
                cells[1] = "–".into();
            }
            cells.push(decided(o));
            cells
        }
    }
}

fn decided(o: &Outcome) -> String {
    let (decided, asked) = o.decided();
    format!("{decided} of {asked}")
}

/// An external engine finishes a model that native takes longer for.
fn ahead(line: &Line, engine: Engine, limit: u64) -> Option<String> {
    let theirs = line.outcomes.get(&engine).filter(|o| o.complete())?;
    let time = time_of(theirs, limit);
    match line.outcomes.get(&Engine::NATIVE) {
        Some(o) if o.complete() && o.total <= time => None,
        Some(o) if o.complete() => Some(format!("{} ({} s, native {} s)", line.label, seconds(time), seconds(o.total))),
        _ => Some(format!("{} ({} s, native not within {limit} s)", line.label, seconds(time))),
    }
}

/// What engines say about models that they cannot read, once for each.
fn refused(lines: &[Line]) -> Vec<(Engine, String)> {
    let mut all: Vec<(Engine, String)> = Vec::new();
    for line in lines {
        for (engine, o) in &line.outcomes {
            let why = o.answers.iter().find_map(|a| a.reason.clone()).filter(|_| o.decided().1 == 0);
            if let Some(why) = why.filter(|_| all.iter().all(|(e, _)| e != engine)) {
                all.push((*engine, why));
            }
        }
    }
    all
}
