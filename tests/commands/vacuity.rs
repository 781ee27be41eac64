//! Verdicts that say less than they seem to are told so, however the formula is written.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gsmc::answer::Engine;
use gsmc::check::{Plan, run};
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use gsmc::source::render_all;

/// The remarks on each property of a text, in a project.
fn remarks(dir: &Path, properties: &str) -> Vec<(String, bool, Vec<String>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("asked.gsmp");
    std::fs::write(&file, properties).expect("a file");
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), properties: vec![file], ..Request::default() });
    let Some(app) = loaded.app else { panic!("{}", render_all(&loaded.diagnostics, &loaded.sources, false)) };
    let machine = lower(&app, &loaded.properties, &loaded.sources).unwrap_or_else(|d| panic!("{}", d.message));
    let plan = Plan { engines: vec![Engine::NATIVE], timeout: Some(Duration::from_secs(300)), ..Plan::default() };
    let results = run("model.xml", &machine, &plan).results;
    assert_eq!(results.len(), machine.properties.len());
    results.into_iter().map(|r| (r.property, r.verdict.holds().expect("a verdict"), r.vacuous)).collect()
}

fn vacuous() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching/vacuous")
}

const NEVER: &str = "the left side of every implication is never true in a reachable snapshot";

#[test]
fn left_sides_that_never_hold() {
    let asked = "plain: AG forall x : Claim (x.Appealing -> x.Heard);
        temporal: AG forall x : Claim (x.Appealing -> AF x.Heard);
        linear: LTL G forall x : Claim (x.Appealing -> F x.Heard);
        linear-plain: LTL G forall x : Claim (x.Appealing -> x.Heard);
        pattern: always(forall x : Claim (x.Appealing -> x.Heard));
        known: LTL G exists x : Claim (K(AutoAgent, x.Appealing) -> F x.Heard);
        nested: AG forall x : Claim (x.Handling -> (x.Appealing -> x.Heard));
        fine: AG forall x : Claim (x.Handling -> !x.Settled);";
    for (name, holds, found) in remarks(&vacuous(), asked) {
        match name.as_str() {
            "fine" => assert!(holds && found.is_empty(), "{found:?}"),
            "nested" => assert_eq!(found, ["the left side of an implication is never true in a reachable snapshot"]),
            "known" => assert!(found.contains(&NEVER.to_string()), "{found:?}"),
            _ => assert_eq!((holds, found), (true, vec![NEVER.to_string()]), "{name}"),
        }
    }
}

#[test]
fn parts_that_do_not_matter() {
    let asked = "either: AG forall x : Claim (!x.Appealing || x.Heard);
        both: AG !exists x : Claim (x.Handling && x.Settled && x.Appealing);
        linear: LTL G forall x : Claim (!x.Appealing || F x.Heard);
        needed: AG !exists x : Claim (x.Handling && x.Settled);
        some: EF exists x : Claim (x.Settled || x.Appealing);
        @expect false
        fails: AG forall x : Claim (x.Handling || x.Appealing);";
    let found = remarks(&vacuous(), asked);
    let of = |name: &str| &found.iter().find(|(n, ..)| n == name).expect("a result").2;
    assert_eq!(*of("either"), ["it holds whatever x.Heard is"]);
    assert_eq!(*of("both"), ["it holds whatever x.Handling or x.Settled or x.Appealing is"]);
    assert_eq!(*of("linear"), ["it holds whatever x.Heard is"]);
    for name in ["needed", "some", "fails"] {
        assert!(of(name).is_empty(), "{name}: {:?}", of(name));
    }
}

#[test]
fn values_that_nothing_ever_has() {
    // The clerk counts to 3 and may count to 5.
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching/related");
    let folder = tempfile::tempdir().expect("a folder");
    for file in std::fs::read_dir(from).expect("the example").map(|f| f.expect("a file").path()) {
        let text = std::fs::read_to_string(&file).expect("a text").replace("0..3 n = 0", "0..5 n = 0");
        std::fs::write(folder.path().join(file.file_name().expect("a name")), text).expect("a copy");
    }
    let asked = "typo: AG (clerk.n == 5 || clerk.n <= 3);
        wanted: AG (clerk.n != 5 && clerk.n <= 3);
        @expect false
        never: EF (clerk.n == 5 && !overflow);
        fine: EF (clerk.n == 2 && !overflow);
        linear: LTL F G !(clerk.n != 5 && clerk.n < 3);";
    let found = remarks(folder.path(), asked);
    let of = |name: &str| &found.iter().find(|(n, ..)| n == name).expect("a result").2;
    for name in ["typo", "never"] {
        assert_eq!(*of(name), ["clerk.n == 5 compares with a value that no reachable snapshot has"]);
    }
    assert_eq!(*of("linear"), ["clerk.n != 5 compares with a value that no reachable snapshot has"]);
    assert!(of("wanted").is_empty() && of("fine").is_empty(), "{found:?}");
}
