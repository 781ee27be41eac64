//! Peak resident memory, as Linux tells it; 0 elsewhere.

use std::collections::BTreeMap;
use std::fs::{read_dir, read_to_string};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Compilers are not what is measured.
const COMPILERS: [&str; 6] = ["gcc", "cc", "cc1", "as", "ld", "collect2"];

/// Peak megabytes of this process.
pub fn own_peak() -> f64 {
    megabytes(peak_of("self").map_or(0, |(_, kilobytes)| kilobytes))
}

fn megabytes(kilobytes: u64) -> f64 {
    kilobytes as f64 / 1024.0
}

/// Name and peak kilobytes of a process.
fn peak_of(pid: &str) -> Option<(String, u64)> {
    let status = read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| status.lines().find_map(|l| l.strip_prefix(name)).map(str::trim);
    let peak = field("VmHWM:")?.split(' ').next()?.parse().ok()?;
    Some((field("Name:")?.to_string(), peak))
}

/// Watches the processes below this one.
pub struct Sampler {
    peak: Arc<AtomicU64>,
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Sampler {
    pub fn start() -> Sampler {
        let (peak, done): (Arc<AtomicU64>, Arc<AtomicBool>) = Default::default();
        let (noted, stop) = (peak.clone(), done.clone());
        let thread = std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                noted.fetch_max(largest_descendant(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        Sampler { peak, done, thread }
    }

    /// Peak megabytes of the largest of them, compilers not counted.
    pub fn peak(self) -> f64 {
        self.done.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        megabytes(self.peak.load(Ordering::Relaxed))
    }
}

/// The system keeps each process's peak, so the last look at it before it ends is nearly the truth.
fn largest_descendant() -> u64 {
    let Ok(entries) = read_dir("/proc") else { return 0 };
    let pids = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let parents: BTreeMap<u32, u32> = pids.filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let own = std::process::id();
    let below = |mut pid: u32| {
        while let Some(&parent) = parents.get(&pid) {
            if parent == own {
                return true;
            }
            pid = parent;
        }
        false
    };
    let peaks = parents.keys().filter(|pid| below(**pid)).filter_map(|pid| peak_of(&pid.to_string()));
    peaks.filter(|(name, _)| !COMPILERS.contains(&name.as_str())).map(|(_, peak)| peak).max().unwrap_or(0)
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.get(stat.rfind(')')? + 1..)?.split_whitespace().nth(1)?.parse().ok()
}
