//! What an engine's run comes to, before its evidence is certified.

use super::drive::{Ended, Finished, RunFolder};
use crate::answer::{Coverage, RawRun, Verdict};
use std::sync::Arc;

/// One property's answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is none, or what is worth knowing.
    pub reason: Option<String>,
    /// Time spent.
    pub seconds: f64,
    /// Runs that may show the verdict, the most telling first.
    pub runs: Vec<RawRun>,
    /// The verdict stands only if one of the runs does: the search was partial.
    pub needs_run: bool,
    /// How far partial searches came that found nothing.
    pub coverage: Option<Box<Coverage>>,
    /// Can `overflow` become true, as far as this engine was asked?
    pub overflow: Option<bool>,
    /// The folder to keep when the evidence does not certify.
    pub evidence: Option<Arc<RunFolder>>,
}

impl Answer {
    /// A verdict.
    pub fn decided(holds: bool) -> Answer {
        Answer {
            verdict: Verdict::of(holds),
            reason: None,
            seconds: 0.0,
            runs: vec![],
            needs_run: false,
            coverage: None,
            overflow: None,
            evidence: None,
        }
    }

    /// No verdict, and why.
    pub fn because(verdict: Verdict, reason: impl Into<String>) -> Answer {
        Answer { verdict, reason: Some(reason.into()), ..Answer::decided(false) }
    }

    /// The answer for a property on which the tool said nothing before it ended.
    pub fn of_end(done: &Finished, folder: &RunFolder) -> Answer {
        let seconds = done.elapsed.as_secs_f64();
        let (verdict, why) = match done.ended {
            Ended::Time => (Verdict::Timeout, format!("no answer within {seconds:.1} s")),
            Ended::Memory => (Verdict::OutOfMemory, "the memory limit was reached".to_string()),
            Ended::Cancelled => (Verdict::Unknown, super::INTERRUPTED.to_string()),
            Ended::Disk => (Verdict::Error, format!("its folder grew too large; see {}", folder.keep().display())),
            Ended::Itself(code) => {
                let how = code.map_or("by a signal".to_string(), |c| format!("with exit code {c}"));
                let said = first_complaint(done).map(|c| format!(" and said: {c}")).unwrap_or_default();
                if ran_out_of_memory(&done.stderr) {
                    (Verdict::OutOfMemory, format!("it ended {how}{said}"))
                } else {
                    (Verdict::Error, format!("it ended {how}{said}; no verdict in {}", folder.keep().display()))
                }
            }
        };
        Answer { seconds, ..Answer::because(verdict, why) }
    }

    /// Remembers where the evidence comes from.
    pub fn keep_if_odd(&mut self, folder: &Arc<RunFolder>) {
        self.evidence = Some(folder.clone());
    }
}

/// Do the tools' words, or those of the libraries they use, say that there was not enough memory?
fn ran_out_of_memory(stderr: &str) -> bool {
    let words = ["out of memory", "cannot allocate memory", "std::bad_alloc"];
    stderr.lines().map(str::to_lowercase).any(|l| words.iter().any(|w| l.contains(w)))
}

/// The first line of standard error that is neither blank nor a warning, shortened.
fn first_complaint(done: &Finished) -> Option<String> {
    let line = done.stderr.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with("WARNING"))?;
    Some(line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn running_out_of_memory_is_recognised() {
        let folder = RunFolder::new(None, "test").unwrap();
        let end = |code, stderr: &str| {
            let elapsed = Duration::from_secs(1);
            let done = Finished { ended: Ended::Itself(code), stdout: String::new(), stderr: stderr.into(), elapsed };
            Answer::of_end(&done, &folder).verdict
        };
        for stderr in [
            include_str!("../../backends/nusmv/transcripts/memory.err"),
            include_str!("../../backends/mcmas/transcripts/memory.err"),
            "terminate called after throwing an instance of 'std::bad_alloc'",
        ] {
            assert_eq!(end(Some(1), stderr), Verdict::OutOfMemory, "{stderr}");
        }
        for stderr in ["", "Caught signal SIGTERM", include_str!("../../backends/nusmv/transcripts/overflow.err")] {
            assert_eq!(end(Some(1), stderr), Verdict::Error, "{stderr}");
            assert_eq!(end(None, stderr), Verdict::Error, "{stderr}");
        }
    }
}
