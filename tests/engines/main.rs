//! All engines that are installed, on the same applications: same verdicts, same number of snapshots, certified traces.

mod cascade;
mod cmmn;
mod egsm;
mod examples;
mod golden;
mod hostile;
#[cfg(unix)]
mod killed;
mod motionless;
mod random;
#[path = "../common/tools.rs"]
mod tools;
mod updates;
mod wide;

use gsmc::answer::{Engine, Results, Verdict};
use gsmc::backend::find;
use gsmc::backend::{Options, count_states};
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Limits as SearchLimits};
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use gsmc::machine::Valid;
use gsmc::source::render_all;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The external engines on this machine.
fn external() -> Vec<Engine> {
    let there = |e: &Engine| *e != Engine::NATIVE && find(*e, None).is_ok();
    gsmc::backend::engines().filter(there).collect()
}

fn read(dir: &Path) -> Valid {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    let shown = render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.unwrap_or_else(|| panic!("{}:\n{shown}", dir.display()));
    match lower(&app, &loaded.properties, &loaded.sources) {
        Ok(machine) => machine,
        Err(d) => panic!("{}: {}", dir.display(), d.message),
    }
}

/// Lets every engine decide everything.
fn by_all(machine: &Valid) -> Results {
    by_all_within(machine, Options { jobs: 2, ..Options::default() })
}

/// The same within limits.
fn by_all_within(machine: &Valid, external_options: Options) -> Results {
    let engines: Vec<Engine> = std::iter::once(Engine::NATIVE).chain(external()).collect();
    let plan = Plan { engines, timeout: external_options.limits.time, external: external_options, ..Plan::default() };
    run("model.xml", machine, &plan)
}

/// Everything that an engine can express is decided by it, as by the native engine; every trace replays.
fn agree(what: &str, results: &Results) {
    assert!(results.disagreements.is_empty(), "{what}: {:?}", results.disagreements);
    for r in &results.results {
        let decided = r.verdict.holds().is_some() || r.verdict == Verdict::Unsupported;
        assert!(decided, "{what}: {} by {} is {:?}: {:?}", r.property, r.engine, r.verdict, r.reason);
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{what}: {} by {}", r.property, r.engine);
    }
}

/// Every engine finds as many snapshots as the native one.
fn count_alike(what: &str, machine: &Valid, native: &str) {
    for engine in external() {
        let counted = count_states(engine, machine, &Options::default());
        assert_eq!(counted.as_deref(), Ok(native), "{what} by {engine}");
    }
}

/// Larger machines take the external engines too long.
fn small_enough(machine: &Valid) -> bool {
    machine.ground_rules() as u64 <= from_environment("GSMC_MOST_RULES", 600)
}

/// A tool that has not answered by then is skipped, by name; it is not taken for one that agrees.
fn patience() -> Duration {
    Duration::from_secs(from_environment("GSMC_TOOL_SECONDS", 60))
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

/// What came of a comparison.
#[derive(Default)]
struct Tally {
    /// How many properties each engine decided.
    decided: BTreeMap<Engine, usize>,
    /// Who did not answer in time, and what.
    skipped: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        other.decided.into_iter().for_each(|(e, n)| *self.decided.entry(e).or_insert(0) += n);
        self.skipped.extend(other.skipped);
    }
}

/// Every engine against explicit search; nothing if there are more snapshots than that takes. With `counting`, they are counted, too.
/// The first line of `what` names the machine.
fn against_search(what: &str, machine: &Valid, states: usize, counting: bool) -> Option<Tally> {
    let oracle = Explicit::build(machine, SearchLimits { states, ..SearchLimits::default() }).ok()?;
    let mut tally = Tally::default();
    let name = what.lines().next().unwrap_or_default();
    // One job: SPIN then compiles one verifier for all claims of a machine.
    let mut limited = Options { jobs: 1, ..Options::default() };
    limited.limits.time = Some(patience());
    let mut results = by_all_within(machine, limited.clone());
    results.results.retain(|r| {
        let late = r.verdict == Verdict::Timeout;
        tally.skipped.extend(late.then(|| format!("{name}: {} by {}", r.property, r.engine)));
        !late
    });
    agree(what, &results);
    for r in &results.results {
        // Questions about steps are no properties of the machine.
        let Some(property) = machine.properties.iter().find(|p| p.name == r.property) else { continue };
        if let Some(holds) = r.verdict.holds() {
            assert_eq!(holds, oracle.check(property), "{} by {}, {what}", r.property, r.engine);
            *tally.decided.entry(r.engine).or_insert(0) += 1;
        }
    }
    // A checker that cannot be given the machine counts nothing either.
    for engine in external().into_iter().filter(|e| counting && tally.decided.contains_key(e)) {
        let begin = Instant::now();
        let counted = count_states(engine, machine, &limited);
        if counted.is_err() && begin.elapsed() >= patience() {
            tally.skipped.push(format!("{name}: snapshots by {engine}"));
            continue;
        }
        assert_eq!(counted, Ok(oracle.states().to_string()), "{what} by {engine}");
    }
    Some(tally)
}

/// Compares models seed by seed from `GSMC_RANDOM_START` on, until a number of them, given by a variable, could be compared.
fn compare_many(variable: &str, few: u64, compare: impl Fn(u64) -> Option<Tally>) {
    let (start, wanted) = (from_environment("GSMC_RANDOM_START", 0), from_environment(variable, few));
    let (mut compared, mut all) = (0, Tally::default());
    for seed in start.. {
        if compared >= wanted {
            break;
        }
        let Some(tally) = compare(seed) else { continue };
        compared += 1;
        tally.skipped.iter().for_each(|s| eprintln!("skipped, out of time: {s}"));
        all.add(tally);
    }
    let Tally { decided, skipped } = all;
    eprintln!("{compared} compared; properties decided: {decided:?}; skipped: {}", skipped.len());
    assert!(external().iter().all(|e| decided.get(e).is_some_and(|n| *n > 0)), "{decided:?}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
