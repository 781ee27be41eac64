//! Answers that are remembered: which are, which are not, and that they are the same.

use super::{copy_xml, folder, teaching};
use gsmc::answer::{Engine, Results};
use gsmc::check::cache::{Cache, Memory, run};
use gsmc::check::{self, Plan};
use gsmc::lang::gsm::Gsm;
use gsmc::lang::load::{Request, load};
use gsmc::testing::random_app;
use std::path::Path;

/// A check with a cache; without one, a fresh one.
fn check(dir: &Path, cache: Option<&Cache>) -> Results {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    let app = loaded.app.expect("an application");
    let gsm = Gsm::new(app, loaded.properties, &loaded.sources).expect("a machine");
    let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
    match cache {
        Some(cache) => run("model.xml", &gsm, &plan, &Memory { cache }),
        None => {
            let mut results = check::ask("model.xml", &gsm, &plan);
            gsmc::words::tell(&gsm, &mut results);
            results
        }
    }
}

/// Names of the answers that were not remembered.
fn asked(results: &Results) -> Vec<&str> {
    results.results.iter().filter(|r| !r.cached).map(|r| r.property.as_str()).collect()
}

/// Everything but times, and which of several runs is shown.
fn said(results: &Results) -> Vec<String> {
    let one = |r: &gsmc::answer::PropertyResult| {
        let trace = r.trace.as_ref().map(|t| (t.kind, t.certified));
        format!("{} {} {:?} {} {:?} {:?} {trace:?}", r.property, r.formula, r.verdict, r.exact, r.reason, r.vacuous)
    };
    let mut said: Vec<String> = results.results.iter().map(one).collect();
    said.push(format!("{:?}", results.machine));
    said
}

/// A copy of the example "reopen", whose files a test may change.
struct Copy {
    dir: tempfile::TempDir,
    cache: Cache,
}

impl Copy {
    fn new() -> Copy {
        let dir = tempfile::tempdir().expect("a folder");
        for file in ["gsmc.toml", "model.xml", "properties.gsmp"] {
            copy_xml("examples/teaching/reopen", file, &dir.path().join(file));
        }
        let cache = Cache::open(&dir.path().join("cache")).expect("a cache");
        Copy { dir, cache }
    }

    fn check(&self) -> Results {
        let results = check(self.dir.path(), Some(&self.cache));
        assert_eq!(said(&results), said(&check(self.dir.path(), None)), "a remembered answer is another one");
        results
    }

    fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.dir.path().join(file);
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(text.contains(old), "{file} has no '{old}'");
        std::fs::write(path, text.replace(old, new)).expect("written");
    }
}

#[test]
fn only_what_changed_is_asked() {
    let copy = Copy::new();
    assert_eq!(asked(&copy.check()).len(), 5);
    assert_eq!(asked(&copy.check()), [""; 0]);
    // A property changes: only that one.
    copy.replace("properties.gsmp", "x.Approved && EX x.Review", "x.Review && EX x.Approved");
    assert_eq!(asked(&copy.check()), ["lost-by-reopening"]);
    assert_eq!(asked(&copy.check()), [""; 0]);
    // Names, expectations, comments and places do not matter, and neither does another order.
    copy.replace("properties.gsmp", "one-outcome:", "\n// anew\n@expect false\nanother-name:");
    let results = copy.check();
    assert_eq!(asked(&results), [""; 0]);
    assert!(results.results.iter().any(|r| r.property == "another-name" && !r.expect));
    copy.replace("model.xml", "<ca:Component", "<!-- a comment -->\n\n<ca:Component");
    assert_eq!(asked(&copy.check()), [""; 0]);
    // A new property: only that one.
    copy.replace(
        "properties.gsmp",
        "\nanother-name:",
        "\nnew: EF exists x : Report (x.Approved);\n@expect false\nanother-name:",
    );
    assert_eq!(asked(&copy.check()), ["new"]);
    // The model changes: all of them.
    copy.replace(
        "model.xml",
        "id=\"AuthorWithdraws\" eventIds=\"Withdraw\"",
        "id=\"AuthorWithdraws\" eventIds=\"Submit\"",
    );
    assert_eq!(asked(&copy.check()).len(), 6);
    assert_eq!(asked(&copy.check()), [""; 0]);
    // And so do bounds and options.
    copy.replace("gsmc.toml", "model ", "[instances]\nReport = 2\n[options]\nidle = \"always\"\n# ");
    let toml = "model = \"model.xml\"\nproperties = [\"properties.gsmp\"]\n[instances]\nReport = 2\n";
    std::fs::write(copy.dir.path().join("gsmc.toml"), toml).expect("options");
    assert_eq!(asked(&copy.check()).len(), 6);
}

#[test]
fn what_is_broken_or_forged_is_asked_again() {
    let copy = Copy::new();
    let first = copy.check();
    let files: Vec<_> = std::fs::read_dir(copy.dir.path().join("cache")).expect("entries").flatten().collect();
    assert_eq!(files.len(), 6, "five answers and the machine's numbers");
    for file in &files {
        let whole = std::fs::read(file.path()).expect("an entry");
        for text in [&b""[..], b"{}", b"\xff\xfe", &whole[..whole.len() / 2]] {
            std::fs::write(file.path(), text).expect("broken");
            let again = copy.check();
            assert_eq!(said(&again), said(&first));
            assert!(asked(&again).len() <= 1);
            assert!(std::fs::read(file.path()).expect("an entry").len() > 10, "it is mended");
        }
    }
    assert_eq!(asked(&copy.check()), [""; 0]);
    // An entry that is whole, but whose run shows something else.
    let forge = |from: &str| {
        let mut forged = 0;
        for file in &files {
            let text = std::fs::read_to_string(file.path()).expect("an entry");
            let sealed: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let entry = sealed["entry"].as_str().expect("an entry");
            if entry.contains(from) {
                let key = file.file_name().to_string_lossy().split('.').next().unwrap_or_default().to_string();
                let mut entry: gsmc::check::cache::Entry = serde_json::from_str(entry).expect("an entry");
                let trace = entry.trace.as_mut().expect("a trace");
                trace.steps.pop();
                copy.cache.put(&key, &entry);
                forged += 1;
            }
        }
        forged
    };
    assert!(forge("\"event\":\"Withdraw\"") >= 1);
    let again = copy.check();
    assert!(!asked(&again).is_empty());
    assert_eq!(said(&again), said(&first));
}

#[test]
fn bounded_answers_are_not_kept() {
    let cache = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(cache.path()).expect("a cache");
    let dir = folder("examples/teaching/overflow");
    let first = check(&dir, Some(&cache));
    assert!(first.results.iter().any(|r| !r.exact), "the example has bounded answers");
    for r in &check(&dir, Some(&cache)).results {
        assert_eq!(r.cached, r.exact, "{}", r.property);
    }
}

#[test]
fn remembered_answers_are_the_same() {
    let cache = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(cache.path()).expect("a cache");
    let random = tempfile::tempdir().expect("a folder");
    let mut dirs = teaching();
    for seed in 0..30 {
        dirs.push(random.path().join(seed.to_string()));
        random_app(seed).write_to(dirs.last().expect("a folder")).expect("files");
    }
    // All of them twice through one cache: nobody gets somebody else's answer.
    let mut remembered = 0;
    let fresh: Vec<Results> = dirs.iter().map(|dir| check(dir, Some(&cache))).collect();
    for (dir, fresh) in dirs.iter().zip(&fresh) {
        let again = check(dir, Some(&cache));
        assert_eq!(said(&again), said(fresh), "{}", dir.display());
        assert_eq!(said(&again), said(&check(dir, None)), "{}", dir.display());
        remembered += again.results.iter().filter(|r| r.cached).count();
    }
    assert!(remembered > 100, "{remembered}");
}
