//! Recorded events judged per second, and the memory that takes: `cargo bench --bench replay [EVENTS]`.

use gsmc::lang::egsm::Egsm;
use gsmc::log;
use gsmc::replay::egsm::{EgsmJudge, names};
use gsmc::replay::mapping::Mapping;
use gsmc::replay::stream::{Plan, run};
use gsmc::source::Diagnostics;
use gsmc::{Options, Project};
use std::io::Write;
use std::time::Instant;

fn main() {
    let wished = std::env::args().skip(1).find_map(|a| a.parse().ok());
    let events: usize = wished.unwrap_or(1_000_000);
    let project = Project::open("examples/shipment", &Options::default()).expect("the example");
    let egsm = (project.lens() as &dyn std::any::Any).downcast_ref::<Egsm>().expect("an E-GSM model");
    let folder = tempfile::tempdir().expect("a folder");
    for (format, path) in [("csv", folder.path().join("log.csv")), ("xes", folder.path().join("log.xes"))] {
        write(format, &path, events).expect("a log");
        let mapping = Mapping::new(&project.replay, names(egsm), &mut Diagnostics::new());
        let plan = Plan { logs: vec![path.into()], options: log::Options::default(), jobs: 1, ..Plan::default() };
        let begin = Instant::now();
        let judged = run(&plan, &|| EgsmJudge::new(egsm, &mapping, false), &mut |_| {});
        let seconds = begin.elapsed().as_secs_f64();
        let seen: usize = judged.cases.iter().map(|c| c.events).sum();
        println!(
            "{format}: {seen} events of {} cases in {seconds:.2} s: {:.0} events/s, at most {} MB in use so far",
            judged.cases.len(),
            seen as f64 / seconds,
            peak_mb()
        );
    }
}

/// Cases of eight events; tables mix a hundred cases at a time.
fn write(format: &str, path: &std::path::Path, events: usize) -> std::io::Result<()> {
    let activities = [
        ("order booked", ""),
        ("loading starts", ""),
        ("doors closed", ""),
        ("phone call", ""),
        ("truck position", "OnRoad"),
        ("truck position", "AtCustomer"),
        ("hand-over", ""),
        ("receipt signed", ""),
    ];
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let cases = events / activities.len();
    if format == "xes" {
        writeln!(out, "<log>")?;
        for case in 0..cases {
            writeln!(out, "<trace><string key=\"concept:name\" value=\"c{case}\"/>")?;
            for (n, (activity, position)) in activities.iter().enumerate() {
                let time = format!("2026-01-01T{:02}:{:02}:00Z", n, case % 60);
                writeln!(
                    out,
                    "<event><string key=\"concept:name\" value=\"{activity}\"/><date key=\"time:timestamp\" value=\"{time}\"/><string key=\"position\" value=\"{position}\"/></event>"
                )?;
            }
            writeln!(out, "</trace>")?;
        }
        return writeln!(out, "</log>");
    }
    writeln!(out, "case,activity,time,position")?;
    for block in 0..cases.div_ceil(100) {
        for (n, (activity, position)) in activities.iter().enumerate() {
            for case in block * 100..cases.min(block * 100 + 100) {
                writeln!(out, "c{case},{activity},{},{position}", n * 1000 + case)?;
            }
        }
    }
    Ok(())
}

/// Most memory in use so far, where the system says it.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
