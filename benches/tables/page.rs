//! The page.

use super::common::case::{MEMORY, Outcome};
use super::common::text::{Page, engine_cells, seconds, snapshots, time_of, title};
use super::{AGENTS, FIXED_PRICE, Measured, host, over, papers};
use gsmc::answer::Engine;

/// The whole page.
pub fn page(m: &Measured) -> String {
    let mut p = Page::default();
    p.line("# Benchmarks");
    p.line(&format!(
        "Written by `cargo bench --bench tables` on {}; the whole run took {:.1} minutes. Do not edit by hand.",
        host::today(),
        m.minutes
    ));
    p.block(host::describe(m.load.as_deref()));
    p.what_is_measured(m);
    p.bars(m);
    p.surprises(m);
    for agents in 0..AGENTS.len() {
        p.order_to_cash(m, agents);
    }
    p.ceiling(m);
    p.many(m);
    for agents in 0..AGENTS.len() {
        p.engines(m, agents);
    }
    p.fixed_price(m);
    p.0 + &m.unbounded.section()
}

impl Page {
    fn what_is_measured(&mut self, m: &Measured) {
        self.line("## What is measured");
        self.block(
            [
                "- Every line is a run in a process of its own, one after the other; native runs under two seconds are made three \
                 times and the middle one counts.",
                "- *total* is wall-clock time from the start of the process to its end: reading and lowering the model, encoding \
                 (*build*), finding all reachable snapshots (*reach*) and deciding the properties with a run that shows each \
                 verdict (*check*).",
                "- Times of NuSMV, SPIN and MCMAS are those of the tools alone, on the files that `gsmc export` writes; reading \
                 the model, writing these files and reading the answers is not counted, nor are runs to show (they are not \
                 asked for any). *Ratios* divide them by the native total.",
                "- NuSMV runs with `-dynamic -dcx`, and when that has not answered after a third of the time once more with `-df`; \
                 the time is that of the try that answered. SPIN's time has the C compiler in it. MCMAS runs as it comes.",
                "- NuSMV and SPIN know no knowledge: of the four Order-to-Cash properties they decide one, native and MCMAS all \
                 four.",
                "- Memory is the peak of the largest process, compilers not counted.",
            ]
            .map(String::from)
            .to_vec(),
        );
        self.line(&format!(
            "External runs are stopped after {} s and {} GiB, native ones after {} s and the same memory. `>` marks runs that were \
             stopped, `–` runs that were not made because a smaller one was stopped already.",
            m.sizes.limit,
            MEMORY >> 30,
            m.sizes.native_limit
        ));
    }

    fn bars(&mut self, m: &Measured) {
        self.line("## In short");
        let mut lines = Vec::new();
        if let Some(o) = m.orders.get(&(1, Engine::NATIVE, 12)) {
            let word = if over(o, 60) { "**missed**" } else { "met" };
            let (total, mb) = (seconds(o.total), o.megabytes);
            lines.push(format!("- 15 agents, 12 orders in under 60 s and 4 GiB: {word} ({total} s, {mb:.0} MB)"));
        }
        for (engine, wanted) in [(gsmc::backend::nusmv::ENGINE, 20.0), (gsmc::backend::mcmas::ENGINE, 200.0)] {
            let (native, other) = (m.orders.get(&(1, Engine::NATIVE, 3)), m.orders.get(&(1, engine, 3)));
            if let (Some(native), Some(other)) = (native, other) {
                let ratio = time_of(other, m.sizes.limit) / native.total;
                let word = if ratio >= wanted { "met" } else { "**missed**" };
                let more = if other.complete() { "" } else { "more than " };
                let name = title(engine);
                lines.push(format!(
                    "- 15 agents, 3 orders, at least {wanted} times faster than {name}: {word} ({more}{ratio:.0} times)"
                ));
            }
        }
        if let Some(o) = m.fixed_price.get(&(0, Engine::NATIVE)) {
            let word = if over(o, 2) { "**missed**" } else { "met" };
            let total = seconds(o.total);
            lines.push(format!("- Fixed Price, all properties, in under 2 s: {word} ({total} s)"));
        }
        for engine in &m.absent {
            lines.push(format!("- {} is absent on this machine", title(*engine)));
        }
        self.block(lines);
    }

    /// Verdicts that are not those that the authors of the models expect; there should be none.
    fn surprises(&mut self, m: &Measured) {
        let orders = m.orders.iter().map(|((a, e, n), o)| (format!("{e}, {}, {n} orders", AGENTS[*a]), o));
        let fixed = m.fixed_price.iter().map(|((i, e), o)| (format!("{e}, {}", FIXED_PRICE[*i]), o));
        let any = m.any_number.iter().enumerate().map(|(a, o)| (format!("any number of orders, {}", AGENTS[a]), o));
        let mut lines: Vec<String> = Vec::new();
        let many = m.many.iter().map(|(n, o)| (format!("{n} orders with as few as suffice"), o));
        for (name, outcome) in orders.chain(any).chain(many).chain(fixed) {
            lines.extend(outcome.surprises().map(|g| format!("- {name}: {} is {}", g.property, g.verdict)));
            let failures = outcome.answers.iter().filter_map(|g| g.failure.as_ref()).filter(|_| !outcome.stopped);
            lines.extend(
                failures
                    .chain(outcome.trouble.iter().filter(|_| !outcome.stopped))
                    .map(|why| format!("- {name}: {why}")),
            );
        }
        lines.dedup();
        if lines.is_empty() {
            self.line("Every verdict that was given is the expected one, by every engine.");
        } else {
            self.line("Not as expected:");
            self.block(lines);
        }
    }

    fn order_to_cash(&mut self, m: &Measured, agents: usize) {
        let (name, published) = match agents {
            0 => ("3 agents", &papers::THREE_AGENTS[..]),
            _ => ("15 agents", &papers::FIFTEEN_AGENTS[..]),
        };
        self.line(&format!("## Order-to-Cash, {name}: native beside the papers"));
        let mut rows = Vec::new();
        let mut before: Option<f64> = None;
        for &n in &m.sizes.native {
            let Some(o) = m.orders.get(&(agents, Engine::NATIVE, n)) else { continue };
            let index = n as usize - 1;
            let old = published.get(index);
            let abstracted = papers::ABSTRACTED.get(index).map(|a| a[agents]);
            let mut row = native_row(n, o, before);
            row.push(old.map_or("–".into(), |p| p.0.to_string()));
            row.push(old.map_or("–".into(), |p| p.2.to_string()));
            row.push(old.map_or("–".into(), |p| p.1.to_string()));
            row.push(abstracted.map_or("–".into(), |a| a.0.to_string()));
            row.push(abstracted.map_or("–".into(), |a| a.1.to_string()));
            rows.push(row);
            before = Some(o.total);
        }
        if let Some(o) = m.any_number.get(agents) {
            let mut row = vec!["any number".to_string()];
            row.resize(NATIVE.len() + 5, "–".into());
            (row[NATIVE.len() - 3], row[NATIVE.len() - 2]) = (seconds(o.total), format!("{:.0}", o.megabytes));
            rows.push(row);
        }
        let mut head = NATIVE.to_vec();
        head.extend(["GSMC states", "GSMC s", "GSMC MB", "abstracted s", "abstracted MB"]);
        self.table(&head, rows);
        self.line(
            "*growth* is the total time divided by that of one order less. The GSMC columns are the published ones for its own model, \
             which is not public; ours follows its description, so the numbers of states differ. *abstracted* is GSMC with \
             predicate abstraction, which leaves the first property open. *any number* is `--instances CustomerOrder=any`: all \
             properties, for however many orders, each decided with as many as suffice.",
        );
    }

    fn ceiling(&mut self, m: &Measured) {
        self.line("## Order-to-Cash, 15 agents: how far it goes");
        let found = |n: &u32| m.orders.get(&(1, Engine::NATIVE, *n)).map(|o| native_row(*n, o, None));
        self.table(&NATIVE, m.sizes.ceiling.iter().filter_map(found).collect());
        let limit = m.sizes.native_limit;
        let within = |n: &&u32| m.orders.get(&(1, Engine::NATIVE, **n)).is_some_and(|o| !over(o, limit));
        let all = m.sizes.native.iter().chain(&m.sizes.ceiling);
        if let Some(most) = all.filter(within).max() {
            self.line(&format!(
                "The most orders of these sizes within {limit} s and {} GiB: **{most}**. The papers' tool gave up at 6.",
                MEMORY >> 30
            ));
        }
    }

    fn many(&mut self, m: &Measured) {
        self.line("## Order-to-Cash, 15 agents: many orders");
        let row = |(n, o): (&u32, &Outcome)| {
            let more = if o.complete() { "" } else { "> " };
            vec![n.to_string(), format!("{more}{}", seconds(o.total)), format!("{:.0}", o.megabytes)]
        };
        self.table(&["orders", "total s", "MB"], m.many.iter().map(row).collect());
        self.line(
            "As `gsmc check` does it from 13 orders on: whether orders touch each other is looked at first, and as they do not, each \
             property is decided with the one to three orders that suffice. The answers are those for all of them; snapshots are not \
             counted. Most of the time is reading the model for so many orders.",
        );
    }

    fn engines(&mut self, m: &Measured, agents: usize) {
        let name = if agents == 0 { "3 agents" } else { "15 agents" };
        self.line(&format!("## Order-to-Cash, {name}: engines side by side"));
        let mut head = vec!["orders".to_string(), "native s".into(), "MB".into()];
        for engine in host::external() {
            head.extend([format!("{} s", title(engine)), "ratio".into(), "MB".into()]);
        }
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let mut rows = Vec::new();
        for &n in &m.sizes.external[agents] {
            let Some(native) = m.orders.get(&(agents, Engine::NATIVE, n)) else { continue };
            let mut row = vec![n.to_string(), seconds(native.total), format!("{:.0}", native.megabytes)];
            for engine in host::external() {
                row.extend(external_cells(m, engine, m.orders.get(&(agents, engine, n)), native));
            }
            rows.push(row);
        }
        self.table(&head, rows);
    }

    fn fixed_price(&mut self, m: &Measured) {
        self.line("## Fixed Price");
        let Some(native) = m.fixed_price.get(&(0, Engine::NATIVE)) else { return };
        let mut rows = vec![vec![
            "transition relation; reachable snapshots".to_string(),
            "".into(),
            format!("{} + {}", seconds(native.build), seconds(native.reach)),
            papers::FIXED_PRICE_RELATION.1.to_string(),
            papers::FIXED_PRICE_RELATION.0.to_string(),
        ]];
        for (what, prefix, verdict, mb, s) in papers::FIXED_PRICE {
            let ours = native.answers.iter().filter(|a| a.property.starts_with(prefix));
            let ours: Vec<_> = ours.collect();
            let time = match ours.iter().all(|a| a.decided) {
                true => seconds(ours.iter().map(|a| a.seconds).sum()),
                false => "–".into(),
            };
            rows.push(vec![what.into(), verdict.into(), time, s.to_string(), mb.to_string()]);
        }
        self.table(&["operation", "verdict", "native s", "GSMC s", "GSMC MB"], rows);
        self.line(
            "All our properties are checked in one process, whose memory is in the next table. Of the 37 milestones one, implicit \
             rejection, cannot be achieved with a single supplier, as in the papers.",
        );
        let mut rows = Vec::new();
        for (i, example) in FIXED_PRICE.iter().enumerate() {
            if let Some(o) = m.fixed_price.get(&(i, Engine::NATIVE)) {
                let mut row = vec![example.to_string(), o.bits.to_string(), snapshots(o)];
                row.extend([o.answers.len().to_string(), seconds(o.build), seconds(o.reach)]);
                row.extend([seconds(o.engine), seconds(o.total), format!("{:.0}", o.megabytes)]);
                rows.push(row);
            }
        }
        let head = ["application", "bits", "snapshots", "properties", "build s", "reach s", "check s", "total s", "MB"];
        self.table(&head, rows);
        self.line("The same properties of `fixed-price` by all engines:");
        let mut rows = Vec::new();
        for engine in gsmc::backend::engines() {
            let found = m.fixed_price.get(&(0, engine));
            let decided = found.map_or("–".into(), |o| {
                let (decided, asked) = o.decided();
                format!("{decided} of {asked}")
            });
            let cells = match engine {
                Engine::NATIVE => vec![seconds(native.total), "1".into(), format!("{:.0}", native.megabytes)],
                _ => external_cells(m, engine, found, native),
            };
            rows.push([vec![title(engine).to_string(), decided], cells].concat());
        }
        self.table(&["engine", "decided", "s", "ratio", "MB"], rows);
    }
}

const NATIVE: [&str; 9] = ["orders", "bits", "snapshots", "build s", "reach s", "check s", "total s", "MB", "growth"];

fn native_row(n: u32, o: &Outcome, before: Option<f64>) -> Vec<String> {
    let mut row = vec![n.to_string(), o.bits.to_string(), snapshots(o)];
    let known = |s: f64| if o.snapshots.is_some() { seconds(s) } else { "–".into() };
    row.extend([known(o.build), known(o.reach), known(o.engine)]);
    row.push(format!("{}{}", if o.complete() { "" } else { "> " }, seconds(o.total)));
    row.push(format!("{:.0}", o.megabytes));
    row.push(before.map_or("–".into(), |b| format!("{:.2}", o.total / b)));
    row
}

/// Seconds, ratio and memory of an external engine.
fn external_cells(m: &Measured, engine: Engine, found: Option<&Outcome>, native: &Outcome) -> Vec<String> {
    match found {
        Some(o) => engine_cells(o, native, m.sizes.limit),
        None => vec![if m.absent.contains(&engine) { "absent" } else { "–" }.to_string(); 3],
    }
}
