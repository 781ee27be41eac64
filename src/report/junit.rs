//! Results as JUnit XML, for build servers: a suite per engine, a case per property.

use crate::answer::{PropertyResult, Results, Verdict};
use crate::picture::xml::escape;
use crate::trace::text;
use std::fmt::Write;

/// The report.
pub fn text(results: &Results) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gsmc\">\n");
    for engine in results.engines() {
        let cases: Vec<&PropertyResult> = results.results.iter().filter(|r| r.engine == engine).collect();
        let count = |f: fn(&PropertyResult) -> bool| cases.iter().filter(|r| f(r)).count();
        let _ = writeln!(
            out,
            "  <testsuite name=\"{} on {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            engine,
            escape(&results.model),
            cases.len(),
            count(failed),
            count(errored),
            count(|r| r.verdict == Verdict::Unsupported)
        );
        cases.iter().for_each(|r| case(&mut out, r));
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn failed(r: &PropertyResult) -> bool {
    r.is_unexpected()
}

fn errored(r: &PropertyResult) -> bool {
    r.verdict.holds().is_none() && r.verdict != Verdict::Unsupported
}

fn case(out: &mut String, r: &PropertyResult) {
    let (name, time) = (escape(&r.property), r.seconds);
    let _ = write!(out, "    <testcase classname=\"gsmc.{}\" name=\"{name}\" time=\"{time:.3}\"", r.engine);
    let reason = escape(r.reason.as_deref().unwrap_or(""));
    let body = if failed(r) {
        let message = format!("{} is {}, expected {}", r.property, r.verdict.name(), r.expect);
        format!("<failure message=\"{}\">{}</failure>", escape(&message), escape(&story(r)))
    } else if r.verdict == Verdict::Unsupported {
        format!("<skipped message=\"{reason}\"/>")
    } else if errored(r) {
        format!("<error message=\"{}: {reason}\"/>", r.verdict.name())
    } else {
        *out += "/>\n";
        return;
    };
    let _ = writeln!(out, ">\n      {body}\n    </testcase>");
}

/// What was asked, what the verdict means, and the run that shows it.
fn story(r: &PropertyResult) -> String {
    let assumed = r.assumptions.iter().map(|a| format!("Assumed: {a}."));
    let run = r.trace.iter().map(|trace| text::render(trace, false));
    let parts = [r.formula.clone(), r.summary.clone()].into_iter().chain(assumed).chain(run);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
