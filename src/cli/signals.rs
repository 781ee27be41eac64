//! Ctrl-C, SIGTERM and SIGHUP: all three ask gsmc to stop.
//!
//! The first one sets a flag that all computing looks at, so that what was found is still told. A second one ends gsmc at once, and so
//! does the first one while files are read: there is nothing to tell yet. Either way no folder of an external checker stays behind.

use super::INCONCLUSIVE;
use super::output::say;
use crate::backend::drive::RunFolder;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// How long gsmc may take to stop once it was asked to.
const GRACE: Duration = Duration::from_secs(10);

/// Somebody asked gsmc to stop.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Does somebody look at the flag? Otherwise the first signal ends gsmc.
static HEEDED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub fn listen() {
    let hangup = Some(SIGHUP).filter(|_| !ignores_hangup());
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup)) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let again = ASKED.swap(true, Ordering::Relaxed);
            if again || !HEEDED.load(Ordering::Relaxed) {
                end(signal);
            }
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                end(signal);
            });
        }
    });
}

/// The flag that a signal sets. Who takes it promises to look at it.
pub fn flag() -> Arc<AtomicBool> {
    HEEDED.store(true, Ordering::Relaxed);
    ASKED.clone()
}

/// Reads files, which nobody can stop in the middle: a signal ends gsmc, and so does the end of the time.
pub fn while_reading<T>(timeout: Option<Duration>, read: impl FnOnce() -> T) -> T {
    let heeded = HEEDED.swap(false, Ordering::Relaxed);
    let (done, over) = channel::<()>();
    if let Some(timeout) = timeout {
        std::thread::spawn(move || {
            if over.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                say(&format!("error: reading the files took longer than {} s (--timeout)", timeout.as_secs_f64()));
                leave(INCONCLUSIVE.into());
            }
        });
    }
    let result = read();
    drop(done);
    HEEDED.store(heeded, Ordering::Relaxed);
    result
}

fn end(signal: i32) -> ! {
    leave(128 + signal)
}

fn leave(code: i32) -> ! {
    RunFolder::remove_all();
    std::process::exit(code)
}

/// Was gsmc started by nohup? Then the end of a terminal is none of its business.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (SIGHUP - 1) != 0
}
