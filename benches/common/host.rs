//! Where and when: machine, system, versions, date.

use gsmc::answer::Engine;
use gsmc::backend::find;
use std::fs::read_to_string;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Lines that say on what the numbers were measured.
pub fn describe(load: Option<&str>) -> Vec<String> {
    let mut lines = vec![format!("- machine: {}, {} cores, {}", cpu(), cores(), memory())];
    lines.push(format!("- system: {}", system()));
    if let Some(load) = load {
        lines.push(format!("- load average when it began: {load} (on a busy machine all times are longer, ours too)"));
    }
    let compiler = said_by("rustc", &["--version"]).unwrap_or_else(|| "rustc, version unknown".into());
    lines.push(format!("- gsmc {} ({compiler}, optimised build)", env!("CARGO_PKG_VERSION")));
    for engine in external() {
        lines.push(match find(engine, None) {
            Ok(tool) => format!("- {engine}: {}", tool.version),
            Err(_) => format!("- {engine}: absent"),
        });
    }
    if let Some(gcc) = said_by("gcc", &["--version"]) {
        lines.push(format!("- for SPIN's verifiers: {gcc}"));
    }
    lines
}

/// The engines that are not ours.
pub fn external() -> impl Iterator<Item = Engine> {
    gsmc::backend::engines().filter(|e| *e != Engine::NATIVE)
}

/// How busy the machine has been during the last minute.
pub fn load() -> Option<String> {
    read_to_string("/proc/loadavg").ok()?.split(' ').next().map(str::to_string)
}

fn cpu() -> String {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|l| l.strip_prefix("model name")?.split(':').nth(1));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |n| n.trim().to_string())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn memory() -> String {
    let info = read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|l| l.strip_prefix("MemTotal:")?.trim().split(' ').next()?.parse::<f64>().ok());
    total.map_or_else(|| "memory unknown".into(), |kb| format!("{:.0} GiB memory", kb / 1024.0 / 1024.0))
}

fn system() -> String {
    let release = read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|l| l.strip_prefix("PRETTY_NAME=")).map(|n| n.trim_matches('"').to_string());
    let kernel = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{}, kernel {}", name.unwrap_or_else(|| std::env::consts::OS.to_string()), kernel.trim())
}

fn said_by(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string)
}

/// Today, as `2026-01-31`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (mut day, mut year) = (seconds / 86_400, 1970);
    let leap = |y: u64| y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}
