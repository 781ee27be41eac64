//! Results as a table for people: one line a property, one column an engine, then what the traces show.

use crate::answer::{AbstractionNumbers, Engine, PropertyResult, Results, Verdict};
use crate::trace::look::{Ink, Look, columns};
use crate::trace::{plain, text};

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Colours, width, whole snapshots.
    pub look: Look,
    /// Leave traces out.
    pub brief: bool,
    /// Show every trace, also those of many properties that are as expected.
    pub all_traces: bool,
}

/// Up to so many traces of answers as expected are shown; more would bury the others.
const TRACES_AS_EXPECTED: usize = 12;

/// The whole report.
pub fn text(results: &Results, style: Style) -> String {
    let mut out = header(results);
    out += &table(results, &style.look);
    out += &super::scope::lines(results, &style.look);
    let quiet = |r: &PropertyResult| r.is_as_expected() && shows(r);
    let hidden = results.results.iter().filter(|r| quiet(r)).count();
    let hide = hidden > TRACES_AS_EXPECTED && !style.all_traces;
    for result in &results.results {
        let brief = style.brief || (hide && quiet(result));
        out += &details(result, Style { brief, ..style });
    }
    if hide && !style.brief {
        out += &format!(
            "\n{hidden} traces of answers as expected are not shown: --property NAME or --all-traces shows them\n"
        );
    }
    for d in &results.disagreements {
        let names = |list: &[Engine]| list.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
        let line = format!(
            "ALARM: on {} the engines disagree: {} say true, {} say false",
            d.property,
            names(&d.yes),
            names(&d.no)
        );
        out += &format!("\n{}\n", style.look.paint(Ink::Bad, &line));
    }
    out + &tally(results, &style.look)
}

/// Is there a trace or a strategy to show?
fn shows(r: &PropertyResult) -> bool {
    let traced = r.trace.as_ref().is_some_and(|t| t.certified && !(t.steps.is_empty() && t.sides.is_empty()));
    traced || !r.strategy.is_empty()
}

fn header(results: &Results) -> String {
    let m = &results.machine;
    let bounds: Vec<String> = m.bounds.iter().map(|(t, n)| format!("{t} {n}")).collect();
    let mut out = format!("{}: {} state bits, {} actions, {} rules", results.model, m.state_bits, m.actions, m.rules);
    if let Some(states) = &m.reachable_states {
        out += &format!(", {states} reachable snapshots");
    }
    if !bounds.is_empty() {
        out += &format!("\nat most this many instances: {}", bounds.join(", "));
    }
    if let Some(a) = &m.abstraction {
        out += &abstraction(a);
    }
    if m.overflow_reachable == Some(true) {
        out += "\noverflow is reachable: verdicts marked (bounded) may change with larger bounds";
    }
    if m.order_dependent == Some(true) {
        out += "\na reachable step depends on the order of the rules: 'gsmc check --builtin' shows it";
    }
    out + "\n\n"
}

/// What took the place of unbounded data, and what refinement added.
fn abstraction(a: &AbstractionNumbers) -> String {
    let (may, must) = (&a.may_states, &a.must_states);
    let mut out = format!("\nwithout bounds: {}", a.attributes.join(", "));
    let first = a.predicates.iter().filter(|p| p.round == 0).count();
    out += &format!("\n{first} predicates, {may} snapshots that may be reached, {must} that must");
    out += &format!("; {} questions to the solver in {:.1} s", a.smt_calls, a.smt_seconds);
    for p in a.predicates.iter().filter(|p| p.round > 0) {
        out += &format!("\nadded in round {}: {}", p.round, p.name);
    }
    out
}

fn table(results: &Results, look: &Look) -> String {
    let engines = results.engines();
    let mut names: Vec<&PropertyResult> = Vec::new();
    for r in &results.results {
        if !names.iter().any(|n| n.property == r.property) {
            names.push(r);
        }
    }
    let column = |e: Engine| {
        let words = results.results.iter().filter(|r| r.engine == e).map(|r| columns(&r.word()));
        words.chain([e.name().len()]).max().unwrap_or(0)
    };
    let others: usize = engines.iter().map(|e| column(*e) + 2).sum::<usize>() + "  expected".len();
    let room = look.width.map_or(usize::MAX, |w| w.saturating_sub(others).max(16));
    let fitting = names.iter().map(|r| columns(&r.property)).filter(|w| *w <= room);
    let first = fitting.chain(["property".len()]).max().unwrap_or(0);
    let mut heading = format!("{:<first$}", "property");
    engines.iter().for_each(|e| heading += &format!("  {:<w$}", e.name(), w = column(*e)));
    let mut out = format!("{}\n", look.paint(Ink::Strong, &(heading + "  expected")));
    for row in names {
        // A name that is too long has a line of its own.
        if columns(&row.property) > first {
            out += &format!("{}\n{:<first$}", row.property, "");
        } else {
            out += &format!("{:<first$}", row.property);
        }
        let (mut unexpected, mut cached) = (false, false);
        for &e in &engines {
            let cell = results.results.iter().find(|r| r.property == row.property && r.engine == e);
            let text = format!("{:<w$}", cell.map(PropertyResult::word).unwrap_or_default(), w = column(e));
            let wrong = cell.filter(|r| r.verdict.holds().is_some()).map(|r| r.is_unexpected());
            unexpected |= wrong == Some(true);
            cached |= cell.is_some_and(|r| r.cached);
            let ink = match wrong {
                Some(true) => Ink::Bad,
                Some(false) => Ink::Good,
                None => Ink::Open,
            };
            out += &format!("  {}", look.paint(ink, &text));
        }
        let mut remarks = Vec::new();
        remarks.extend(unexpected.then(|| look.paint(Ink::Bad, "<< not as expected")));
        remarks.extend(cached.then(|| look.paint(Ink::Faint, "(cached)")));
        out += format!("  {:<5}  {}", row.expected(), remarks.join("  ")).trim_end();
        out += "\n";
    }
    out
}

/// Reasons, remarks and the trace of one answer.
fn details(r: &PropertyResult, style: Style) -> String {
    let look = &style.look;
    let mut out = String::new();
    let who = format!("{} by {}", r.property, r.engine);
    let mut remark = |text: String| out += &format!("\n{}\n", look.wrapped(0, &text).join("\n"));
    if let Some(reason) = &r.reason {
        remark(format!("{who}: {}: {reason}", r.word()));
    }
    for vacuous in &r.vacuous {
        remark(format!("{who}: {}, but {vacuous}", r.word()));
    }
    if style.brief || !shows(r) {
        return out;
    }
    let what = format!("{} is {} by {}", r.property, r.verdict.name(), r.engine);
    if let Some(trace) = r.trace.as_ref().filter(|t| t.certified) {
        out += &format!("\n{}: {}\n", look.paint(ink(r), &what), text::heading(trace));
        for line in look.wrapped(2, &r.formula) {
            out += &format!("{}\n", look.paint(Ink::Faint, &line));
        }
        out += &text::steps(trace, look);
    }
    if !r.strategy.is_empty() {
        out += &format!("\n{}: what the coalition does\n", look.paint(ink(r), &what));
        for line in &r.strategy {
            let snapshot = match line.snapshot.is_empty() {
                true => "at the start".to_string(),
                false => {
                    line.snapshot.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect::<Vec<_>>().join(", ")
                }
            };
            out += &format!("  {}  when {snapshot}\n", text::title(&line.sends));
        }
    }
    out
}

/// The colour of an answer.
fn ink(r: &PropertyResult) -> Ink {
    match r.verdict.holds() {
        Some(_) if r.is_as_expected() => Ink::Good,
        Some(_) => Ink::Bad,
        None => Ink::Open,
    }
}

fn tally(results: &Results, look: &Look) -> String {
    let count = |f: &dyn Fn(&PropertyResult) -> bool| results.results.iter().filter(|r| f(r)).count();
    let expected = count(&PropertyResult::is_as_expected);
    let wrong = count(&PropertyResult::is_unexpected);
    let open = count(&|r| r.verdict.holds().is_none() && r.verdict != Verdict::Unsupported);
    let mut out = format!("\n{expected} as expected, ");
    out += &look.paint(if wrong > 0 { Ink::Bad } else { Ink::Faint }, &format!("{wrong} not as expected"));
    if open > 0 {
        out += &look.paint(Ink::Open, &format!(", {open} open"));
    }
    let cached = count(&|r| r.cached);
    if cached > 0 {
        out += &look.paint(Ink::Faint, &format!("; {cached} from the cache"));
    }
    out + "\n"
}
