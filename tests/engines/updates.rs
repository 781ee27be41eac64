//! Several private updates in one step: simultaneous, and none of them forgets what another found.

use super::*;
use gsmc::answer::Verdict::{self, False, True};

/// The example `lasso` with private variables of wilma's, a protocol for `Submit`, and properties.
fn decide(vars: &str, submit: &str, properties: &[(&str, Verdict)]) {
    let folder = tempfile::tempdir().unwrap();
    let lasso = root().join("examples/teaching/lasso");
    for file in ["model.gsm", "agents.gsma", "gsmc.toml"] {
        let text = std::fs::read_to_string(lasso.join(file)).unwrap();
        let text = text.replace("role: Writer;", &format!("role: Writer;\n  vars: {vars};"));
        let text = text.replace("Submit: true -> ;", &format!("Submit: {submit};"));
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let text: Vec<String> = properties.iter().map(|(p, _)| (*p).to_string()).collect();
    std::fs::write(folder.path().join("properties.gsmp"), text.join("\n\n")).unwrap();
    let machine = read(folder.path());
    let results = by_all(&machine);
    agree(submit, &results);
    for (i, (text, expected)) in properties.iter().enumerate() {
        let name = format!("p{}", i + 1);
        for r in results.results.iter().filter(|r| r.property == name && r.verdict != Verdict::Unsupported) {
            assert_eq!(r.verdict, *expected, "{text} by {}", r.engine);
        }
    }
}

#[test]
fn an_overflow_is_not_forgotten() {
    let vars = "0..1 a = 0, 0..3 b = 0, 0..3 c = 0";
    let properties = [("AG !overflow", False), ("AG wilma.b <= 1", True), ("AF wilma.b == 1", True)];
    decide(vars, "true -> a = a + 1, b = c + 1", &properties);
    decide(vars, "true -> b = c + 1, a = a + 1", &properties);
}

#[test]
fn no_update_sees_another() {
    let vars = "0..3 a = 1, 0..3 b = 2, bool c = false";
    let swapped =
        [("AG (wilma.a == 1 && wilma.b == 2 || wilma.a == 2 && wilma.b == 1)", True), ("EF wilma.a == 2", True)];
    decide(vars, "true -> a = b, b = a", &swapped);
    let shifted = [("AG (wilma.c -> wilma.a == 3 && wilma.b == 2)", True), ("EF (wilma.a == 3 && wilma.b == 2)", True)];
    decide(vars, "!c -> a = a + 1, b = a, c = a == 2", &shifted);
    let low = [("AG !overflow", False), ("AG (wilma.a == 1 -> !overflow)", True), ("EF wilma.b == 0", True)];
    decide(vars, "true -> a = a - 1, b = b / a", &low);
}
