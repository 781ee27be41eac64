//! Cases in processes of their own, one after the other.

use super::case::{Case, MEMORY, Outcome};
use std::io::Write;
use std::time::{Duration, Instant};

/// A native run hit its limits.
pub fn over(outcome: &Outcome, limit: u64) -> bool {
    !outcome.complete() || outcome.total > limit as f64 || outcome.megabytes > (MEMORY >> 20) as f64
}

/// Short runs are made three or five times and the middle one counts.
pub fn steadily(case: &Case) -> Outcome {
    let first = spawn(case);
    if first.total > 2.0 {
        return first;
    }
    let again = if first.total > 0.5 { 2 } else { 4 };
    let mut runs: Vec<Outcome> = std::iter::once(first).chain((0..again).map(|_| spawn(case))).collect();
    runs.sort_by(|a, b| a.total.total_cmp(&b.total));
    runs.swap_remove(runs.len() / 2)
}

/// Measures a case in a process of its own.
pub fn spawn(case: &Case) -> Outcome {
    eprint!("{} … ", case.title());
    let _ = std::io::stderr().flush();
    let begin = Instant::now();
    let outcome = child(case).unwrap_or_else(Outcome::failed);
    let outcome = Outcome { total: begin.elapsed().as_secs_f64(), ..outcome };
    let (decided, asked) = outcome.decided();
    eprintln!("{decided} of {asked} decided, {:.2} s, {:.0} MB", outcome.total, outcome.megabytes);
    if let Some(why) = &outcome.trouble {
        eprintln!("  {why}");
    }
    outcome
}

fn child(case: &Case) -> Result<Outcome, String> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let child = duct::cmd(this, case.args()).stdin_null().stdout_capture().stderr_null().unchecked();
    let handle = child.start().map_err(|e| e.to_string())?;
    // The child stops by itself when its time is up; this is for one that does not.
    let patience = Duration::from_secs(case.limit + 60);
    let output = handle.wait_timeout(patience).map_err(|e| e.to_string())?.cloned();
    let Some(output) = output else {
        let _ = handle.kill();
        return Err("it did not stop in time".into());
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|_| format!("the process ended with {}", output.status))
}
