//! Many partial searches, each another one, for state spaces that do not fit into memory.
//!
//! A search marks states in a field of bits instead of storing them, so that some are taken for others; it tries choices in an order
//! of its own, hashes with a polynomial of its own and goes to a depth of its own. A run that it finds is a run like any other, and is
//! replayed. That it finds nothing means nothing: what is told then is how far the searches came.

use super::check::too_large;
use super::emit::Promela;
use super::output::{Marked, marked};
use super::verifier::Verifier;
use crate::answer::{Coverage, RawRun, Verdict};
use crate::backend::drive::{Ended, Limits, Tool};
use crate::backend::{Answer, DEAD_END, Options, in_parallel};
use crate::logic::linear::Claims;
use crate::machine::{ExprId, Valid};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Searches of a swarm, and which of them are made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swarm {
    /// All searches.
    pub searches: u32,
    /// Which part of them is made here, from 1.
    pub part: u32,
    /// Of how many parts.
    pub of: u32,
}

/// Depth limits, one search after the other; a B-step takes some five of pan's steps.
const DEPTHS: [u32; 5] = [1_000, 10_000, 250, 100_000, 1_000_000];
/// Bits of the field, as a power of two, without a memory limit: 64 MB.
const FIELD: u32 = 29;
/// How the verifier is compiled: a field of bits, choices in random order.
const FLAGS: [&str; 2] = ["-DBITSTATE", "-DT_RAND"];

/// What the searches for one claim came to.
struct Found {
    /// A claim that holds is never known.
    violated: bool,
    runs: Vec<RawRun>,
    coverage: Coverage,
    seconds: f64,
    /// A search that could not be understood.
    trouble: Option<Answer>,
}

impl Swarm {
    /// The numbers of the searches that are made here.
    fn numbers(&self) -> Vec<u32> {
        (1..=self.searches).filter(|n| (n - 1) % self.of.max(1) + 1 == self.part).collect()
    }

    /// Looks for runs that decide properties, given by their claims.
    pub(super) fn search(
        &self,
        m: &Valid,
        model: &Promela,
        properties: &[Claims<ExprId>],
        tool: &Tool,
        o: &Options,
    ) -> Result<Vec<Answer>, Answer> {
        let verifier = Verifier::build(model, tool, o, &FLAGS)?;
        if let Some(alive) = &model.alive {
            let found = self.claim(m, &verifier, alive, o);
            if let Some(why) = found.trouble {
                return Err(why);
            }
            if found.violated {
                return Err(Answer::because(Verdict::Error, DEAD_END));
            }
        }
        let share = verifier.seconds / properties.len().max(1) as f64;
        let mut texts = model.claims.iter();
        let mut answers = Vec::new();
        for claims in properties {
            let mut found = Vec::new();
            for text in texts.by_ref().take(claims.claims.len()) {
                found.push(match text {
                    Some(text) => self.claim(m, &verifier, &text.name, o),
                    None => Found::trouble(too_large()),
                });
            }
            let mut answer = combine(claims, found);
            answer.seconds += share;
            answer.keep_if_odd(&verifier.folder);
            answers.push(answer);
        }
        Ok(answers)
    }

    /// All searches for a violation of one claim; the first that finds one ends the others.
    fn claim(&self, m: &Valid, verifier: &Verifier, name: &str, o: &Options) -> Found {
        let numbers = self.numbers();
        let enough: Arc<AtomicBool> = Arc::default();
        let each = o.limits.time.map(|t| t.mul_f64(o.jobs.max(1) as f64 / numbers.len().max(1) as f64));
        let limits = Limits { time: each, cancel: enough.clone(), ..o.limits.clone() };
        let bits = field(o);
        let over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            // Whoever stops us stops the searches.
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    if o.limits.cancel.load(Ordering::Relaxed) {
                        enough.store(true, Ordering::Relaxed);
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
            let found = in_parallel(&numbers, o.jobs, |number| {
                if enough.load(Ordering::Relaxed) {
                    return Found::none();
                }
                let found = one(m, verifier, name, *number, bits, &limits);
                if found.violated {
                    enough.store(true, Ordering::Relaxed);
                }
                found
            });
            over.store(true, Ordering::Relaxed);
            found
        });
        found.into_iter().fold(Found::none(), Found::and)
    }
}

/// Bits of the field: an eighth of the memory that a search may use, so that stack and program have room.
fn field(o: &Options) -> u32 {
    let jobs = o.jobs.max(1) as u64;
    o.limits.memory.map_or(FIELD, |bytes| (bytes / jobs).max(1).ilog2().clamp(20, 36))
}

/// One search.
fn one(m: &Valid, verifier: &Verifier, name: &str, number: u32, bits: u32, limits: &Limits) -> Found {
    let depth = DEPTHS[(number as usize - 1) % DEPTHS.len()];
    let trail = format!("s{number}");
    let per_state = 2 + number / DEPTHS.len() as u32 % 3;
    let options = [
        "-a".to_string(),
        "-n".into(),
        format!("-m{depth}"),
        format!("-w{bits}"),
        format!("-k{per_state}"),
        format!("-RS{number}"),
        "-hash".into(),
        format!("-t{trail}"),
    ];
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let stage = format!("pan-{name}-{number}");
    let done = match verifier.pan(&stage, name, &options, limits) {
        Ok(done) => done,
        Err(why) => return Found::trouble(why),
    };
    let seconds = done.elapsed.as_secs_f64();
    let said = match done.ended {
        Ended::Itself(_) => marked(&done.stdout, &done.stderr),
        Ended::Disk => return Found::trouble(Answer::of_end(&done, &verifier.folder)),
        Ended::Time | Ended::Memory | Ended::Cancelled => return Found { seconds, ..Found::stopped() },
    };
    match said {
        Err(why) => Found::trouble(verifier.not_understood(&why)),
        Ok(said) if said.violated => {
            let runs = verifier.replay(m, &format!("{name}-{number}"), &format!("model.pml.{trail}"));
            Found { violated: true, runs, seconds, ..Found::none() }
        }
        Ok(said) if said.out_of_memory => Found { seconds, ..Found::stopped() },
        Ok(said) => Found { coverage: coverage(&said), seconds, ..Found::none() },
    }
}

fn coverage(said: &Marked) -> Coverage {
    Coverage {
        searches: 1,
        cut: u32::from(said.cut),
        stopped: 0,
        fewest: said.states,
        most: said.states,
        deepest: said.depth,
        hash_factor: said.hash_factor,
    }
}

impl Found {
    fn none() -> Found {
        Found { violated: false, runs: vec![], coverage: Coverage::default(), seconds: 0.0, trouble: None }
    }

    fn stopped() -> Found {
        Found { coverage: Coverage { stopped: 1, ..Coverage::default() }, ..Found::none() }
    }

    fn trouble(why: Answer) -> Found {
        Found { trouble: Some(why), ..Found::none() }
    }

    fn and(mut self, other: Found) -> Found {
        self.violated |= other.violated;
        self.runs.extend(other.runs);
        self.coverage = self.coverage.and(&other.coverage);
        self.seconds += other.seconds;
        self.trouble = self.trouble.or(other.trouble);
        self
    }
}

/// The answer for a property: a verdict where violated claims make one, else how far the searches came.
fn combine(claims: &Claims<ExprId>, found: Vec<Found>) -> Answer {
    let violated: Vec<Option<bool>> = found.iter().map(|f| f.violated.then_some(false)).collect();
    let all = found.into_iter().fold(Found::none(), Found::and);
    let answer = match (claims.verdict_so_far(&violated), all.trouble) {
        (Some(holds), _) => Answer { runs: all.runs, needs_run: !violated.is_empty(), ..Answer::decided(holds) },
        (None, Some(why)) => why,
        (None, None) => {
            let words = match all.coverage.words() {
                nothing if nothing.is_empty() => "none of the searches is made in this part".to_string(),
                words => words,
            };
            Answer { coverage: Some(Box::new(all.coverage)), ..Answer::because(Verdict::Unknown, words) }
        }
    };
    Answer { seconds: all.seconds, ..answer }
}

#[cfg(test)]
mod tests {
    use super::Swarm;

    #[test]
    fn parts_share_the_searches() {
        let numbers = |part, of| Swarm { searches: 7, part, of }.numbers();
        assert_eq!(numbers(1, 1), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!((numbers(1, 3), numbers(2, 3), numbers(3, 3)), (vec![1, 4, 7], vec![2, 5], vec![3, 6]));
        assert!(numbers(9, 9).is_empty());
    }
}
