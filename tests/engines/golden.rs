//! Exported files: as they were read and found right, the same every time, and no larger than they must be.
//!
//! `GSMC_BLESS=1 cargo test --test engines golden` writes `tests/engines/golden` anew; read what changed.

use super::*;
use gsmc::backend::export;
use gsmc::backend::languages;
use gsmc::lang::config::Overrides;
use std::collections::BTreeMap;

/// Everything that is exported, by file name; the version of gsmc left out.
fn exported(machine: &Valid) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    for target in languages() {
        export(target, machine, folder.path()).unwrap();
    }
    let text = |p: PathBuf| {
        let name = p.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(p).unwrap().replace(env!("CARGO_PKG_VERSION"), "VERSION"))
    };
    std::fs::read_dir(folder.path()).unwrap().flatten().map(|e| text(e.path())).collect()
}

#[test]
fn one_model_as_read() {
    let folder = root().join("tests/engines/golden");
    let machine = read(&root().join("examples/teaching/lasso"));
    for (name, text) in exported(&machine) {
        let file = folder.join(&name);
        if std::env::var_os("GSMC_BLESS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        let differs = text.lines().zip(expected.lines()).position(|(a, b)| a != b);
        assert!(text == expected, "{name} differs from {}, first in line {differs:?}", file.display());
    }
}

#[test]
fn every_export_is_the_same_twice() {
    for name in
        ["order-to-cash", "garage", "research-proposal", "fixed-price", "teaching/two-views", "teaching/related"]
    {
        let dir = root().join("examples").join(name);
        let (first, second) = (exported(&read(&dir)), exported(&read(&dir)));
        assert!(first.len() >= 6 && first == second, "{name}");
        for (file, text) in &first {
            assert!(text.ends_with('\n') && text.contains("VERSION") != file.ends_with(".json"), "{name}: {file}");
        }
    }
}

/// Sizes by target of the lasso model with so many slots and so many pairs of agents.
fn sizes(slots: usize, agents: usize) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let from = root().join("examples/teaching/lasso");
    for e in std::fs::read_dir(&from).unwrap().flatten() {
        std::fs::copy(e.path(), folder.path().join(e.file_name())).unwrap();
    }
    let text = std::fs::read_to_string(from.join("agents.gsma")).unwrap();
    let text = text.replace("agent wilma ", &format!("agent wilma[{agents}] "));
    let text = text.replace("agent edgar ", &format!("agent edgar[{agents}] "));
    std::fs::write(folder.path().join("agents.gsma"), text).unwrap();
    let property = "possible: EF exists x : Text (x.Accepted);\n";
    std::fs::write(folder.path().join("properties.gsmp"), property).unwrap();
    let overrides = Overrides { instances: vec![format!("Text={slots}")], ..Overrides::default() };
    let loaded = load(&Request { dir: Some(folder.path().to_path_buf()), overrides, ..Request::default() });
    let shown = render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.unwrap_or_else(|| panic!("{shown}"));
    let machine = lower(&app, &loaded.properties, &loaded.sources).unwrap_or_else(|d| panic!("{}", d.message));
    exported(&machine).into_iter().map(|(name, text)| (name, text.len())).collect()
}

/// Doubling adds twice what doubling before added (a quadratic size would add four times), and a little more for longer names and
/// because creating at a slot is guarded by all slots before it.
fn grows_linearly(what: &str, sizes: [BTreeMap<String, usize>; 3]) {
    let [small, middle, large] = sizes;
    assert!(small.len() >= 6, "{what}: {small:?}");
    for (name, first) in &small {
        let (before, after) = (middle[name] - first, large[name] - middle[name]);
        assert!(before > 0 && after * 10 <= before * 24, "{what}: {name} grows by {before}, then by {after}");
    }
}

#[test]
fn size_grows_linearly_with_slots_and_with_agents() {
    grows_linearly("slots", [8, 16, 32].map(|n| sizes(n, 1)));
    grows_linearly("agents", [8, 16, 32].map(|n| sizes(1, n)));
}
