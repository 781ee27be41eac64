//! A slip in one file hides none in the others.

use super::{findings, folder};

const AGENTS: &str = "rle R { };";
const PROPERTIES: &str = "EF )";

/// Which files have findings.
fn files(name: &str, model: &str, toml: &str) -> Vec<&'static str> {
    let toml = format!("model = \"{name}\"\nproperties = [\"p.gsmp\"]\nagents = \"a.gsma\"\n{toml}");
    let dir = folder(&[(name, model), ("gsmc.toml", &toml), ("a.gsma", AGENTS), ("p.gsmp", PROPERTIES)]);
    let request = gsmc::lang::load::Request { dir: Some(dir.path().to_path_buf()), ..Default::default() };
    let opened = gsmc::lang::load::open(&request);
    let places: Vec<String> = opened.diagnostics.iter().filter_map(|d| Some(opened.sources.place(d.span?))).collect();
    let known = ["gsmc.toml", "m.", "a.gsma", "p.gsmp"];
    known.into_iter().filter(|file| places.iter().any(|p| p.contains(&format!("/{file}")))).collect()
}

#[test]
fn a_slip_in_the_model_hides_none_in_the_other_files() {
    let egsm =
        "<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\"><ca:FaultLogger>";
    let cmmn = "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\"><case>";
    // What is no XML at all is read as GSM.
    assert_eq!(files("m.gsm", "type {", ""), ["m.", "a.gsma", "p.gsmp"]);
    assert_eq!(files("m.xml", "<a", ""), ["m.", "a.gsma", "p.gsmp"]);
    assert_eq!(files("m.xml", egsm, ""), ["m.", "a.gsma", "p.gsmp"]);
    assert_eq!(files("m.gsm", "application A egsm\ntype T { stage S { guard on } }", ""), ["m.", "a.gsma", "p.gsmp"]);
    // AMBER and CMMN take no agents file, and say so.
    assert_eq!(files("m.amber", "amber A\naction", ""), ["gsmc.toml", "m.", "p.gsmp"]);
    assert_eq!(files("m.cmmn", cmmn, ""), ["gsmc.toml", "m.", "p.gsmp"]);
}

#[test]
fn a_slip_in_the_settings_hides_none_in_the_files_they_name() {
    assert_eq!(files("m.gsm", "type {", "[instances\nT = 2\n"), ["gsmc.toml", "m.", "a.gsma", "p.gsmp"]);
    assert_eq!(files("m.gsm", "type {", "idel = 3\n"), ["gsmc.toml", "m.", "a.gsma", "p.gsmp"]);
}

/// Lines that are nearly right are told what is missing.
#[test]
fn what_a_line_lacks_is_said() {
    let of = |line: &str| {
        let model = format!("application A\nevent E\ntype T {{\n  x: int 0..3\n  stage S {{\n    {line}\n  }}\n}}\n");
        let dir = folder(&[("m.gsm", &model), ("gsmc.toml", "model = \"m.gsm\"\n")]);
        let request = gsmc::lang::load::Request { dir: Some(dir.path().to_path_buf()), ..Default::default() };
        let opened = gsmc::lang::load::open(&request);
        let told = opened.diagnostics.iter().find(|d| d.code.id == "E040");
        told.map_or(String::new(), |d| format!("{}; {}", d.message, d.instead().unwrap_or_default()))
    };
    let rows = [
        (
            "guard g when x == 1 on E",
            "expected the end of the line, found 'on'; 'on' stands before 'when': on EVENT when CONDITION",
        ),
        (
            "task assign x = 2",
            "expected ':', found 'x'; a task has a name and ':' before its steps: task NAME: assign x …",
        ),
        (
            "task t assign x = 2",
            "expected ':', found 'assign'; a task has a name and ':' before its steps: task t: assign …",
        ),
        (
            "task t: clear x = 2",
            "expected the end of the line, found '='; clear empties the bag; one element is taken out by remove",
        ),
    ];
    for (line, expected) in rows {
        assert_eq!(of(line), expected, "{line}");
    }
    assert!(findings(folder(&[("gsmc.toml", "model = \"none.gsm\"\n")]).path())[0].starts_with("E001"));
}
