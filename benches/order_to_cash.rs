//! Order-to-Cash with growing numbers of instances: time to build, explore and check, and memory.
//!
//! `cargo bench --bench order_to_cash -- [agents file] [most instances] [seconds]`

use gsmc::front::load::{Request, load};
use gsmc::machine::lower;
use gsmc::native::verdict::{Options, check};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let agents = args.first().cloned().unwrap_or_else(|| "agents-15.gsma".into());
    let most: u32 = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(6);
    let seconds: u64 = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(60);
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/order-to-cash");
    println!("{agents}");
    println!("  N  bits  snapshots                   build s  reach s  check s  total s  reach nodes  peak nodes   MB");
    for n in 1..=most {
        let mut request = Request { dir: Some(dir.clone()), agents: Some(dir.join(&agents)), ..Request::default() };
        request.overrides.instances.push(format!("CustomerOrder={n}"));
        let loaded = load(&request);
        let Some(app) = loaded.app else {
            println!("{n:3}  the example does not load");
            return;
        };
        let machine = match lower(&app, &loaded.properties, &loaded.sources) {
            Ok(machine) => machine,
            Err(why) => return println!("{n:3}  {why:?}"),
        };
        let begin = Instant::now();
        let options = Options { timeout: Some(Duration::from_secs(seconds)), ..Options::default() };
        let report = check(&machine, &options);
        let total = begin.elapsed().as_secs_f64();
        let checking: f64 = report.answers.iter().map(|a| a.result.seconds).sum();
        match &report.exploration {
            Ok(e) => println!(
                "{n:3} {:5}  {:<26} {:8.3} {:8.3} {:8.3} {total:8.3} {:12} {:11} {:4}",
                machine.state_bits(),
                e.states,
                e.build_seconds,
                e.reach_seconds,
                checking,
                e.reach_nodes,
                e.peak_nodes,
                peak_megabytes()
            ),
            Err(trouble) => println!("{n:3}  {trouble}"),
        }
        for a in &report.answers {
            println!(
                "       {:24} {:10} {:8.3} s  {}",
                a.result.property,
                a.result.verdict.name(),
                a.result.seconds,
                a.result.reason.clone().unwrap_or_default()
            );
        }
        if total > seconds as f64 {
            break;
        }
    }
}

/// The most memory this process has used, where the system says so.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
