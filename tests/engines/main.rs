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
    let engines: Vec<Engine> = std::iter::once(Engine::NATIVE).chain(external()).collect();
    let plan = Plan { engines, external: Options { jobs: 2, ..Options::default() }, ..Plan::default() };
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
const MOST_RULES: usize = 600;

/// How many properties each engine decided.
type Decided = BTreeMap<Engine, usize>;

/// Every engine against explicit search; nothing if there are more snapshots than that takes. With `counting`, they are counted, too.
fn against_search(what: &str, machine: &Valid, states: usize, counting: bool) -> Option<Decided> {
    let oracle = Explicit::build(machine, SearchLimits { states, ..SearchLimits::default() }).ok()?;
    let results = by_all(machine);
    agree(what, &results);
    let mut decided = Decided::new();
    for r in &results.results {
        // Questions about steps are no properties of the machine.
        let Some(property) = machine.properties.iter().find(|p| p.name == r.property) else { continue };
        if let Some(holds) = r.verdict.holds() {
            assert_eq!(holds, oracle.check(property), "{} by {}, {what}", r.property, r.engine);
            *decided.entry(r.engine).or_insert(0) += 1;
        }
    }
    if counting {
        count_alike(what, machine, &oracle.states().to_string());
    }
    Some(decided)
}

/// Compares models seed by seed from `GSMC_RANDOM_START` on, until a number of them, given by a variable, could be compared.
fn compare_many(variable: &str, few: u64, compare: impl Fn(u64) -> Option<Decided>) {
    let number = |name: &str, otherwise| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise);
    let (start, wanted) = (number("GSMC_RANDOM_START", 0), number(variable, few));
    let (mut compared, mut decided) = (0, Decided::new());
    for seed in start.. {
        if compared >= wanted {
            break;
        }
        let Some(counts) = compare(seed) else { continue };
        compared += 1;
        counts.into_iter().for_each(|(e, n)| *decided.entry(e).or_insert(0) += n);
    }
    eprintln!("{compared} compared; properties decided: {decided:?}");
    assert!(external().iter().all(|e| decided.get(e).is_some_and(|n| *n > 0)), "{decided:?}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
