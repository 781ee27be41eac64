//! The examples: `GSMC_ALL_EXAMPLES=1` adds those that take minutes.

use super::*;

fn compare(dir: &Path) {
    let what = dir.display().to_string();
    let machine = read(dir);
    let results = by_all(&machine);
    agree(&what, &results);
    assert_eq!(results.exit_code(), 0, "{what}");
    count_alike(&what, &machine, results.machine.reachable_states.as_deref().unwrap_or("nothing"));
}

#[test]
fn teaching_models() {
    let folder = root().join("examples/teaching");
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    models.retain(|m| m.join("gsmc.toml").exists());
    models.sort();
    assert!(models.len() > 10);
    models.iter().for_each(|m| compare(m));
}

#[test]
fn applications() {
    for name in ["order-to-cash", "garage", "research-proposal"] {
        compare(&root().join("examples").join(name));
    }
}

#[test]
fn long_ones() {
    if std::env::var_os("GSMC_ALL_EXAMPLES").is_some() {
        for name in ["fixed-price", "fixed-price-repaired"] {
            compare(&root().join("examples").join(name));
        }
    }
}
