//! Commands on case models, with everything that can be chosen for them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// What a command prints, and its exit code.
fn run(dir: &Path, args: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_gsmc")).current_dir(dir).args(args).output().expect("gsmc");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap_or(-1))
}

/// A command on an example.
fn example(args: &[&str]) -> String {
    run(&file("examples/cmmn"), args).0
}

/// The answer to a property in the table.
fn answer<'t>(told: &'t str, property: &str) -> &'t str {
    let line = told.lines().find(|l| l.starts_with(&format!("{property} "))).unwrap_or_else(|| panic!("{told}"));
    line[property.len()..].split_whitespace().next().unwrap_or("")
}

fn says(told: &str, what: &str) {
    assert!(told.contains(what), "no '{what}' in\n{told}");
}

const HIRE: &str = r#"<definitions xmlns="http://www.omg.org/spec/CMMN/20151109/MODEL" xmlns:flowable="http://flowable.org/cmmn">
  <case id="hire">
    <caseRoles><role id="boss" name="Boss"/><role id="clerk" name="Clerk"/></caseRoles>
    <casePlanModel id="plan">
      <planItem id="a" definitionRef="ta"/>
      <planItem id="b" definitionRef="tb"><entryCriterion id="cb" sentryRef="sb"/></planItem>
      <planItem id="c" definitionRef="tc"><itemControl><manualActivationRule/></itemControl></planItem>
      <sentry id="sb"><planItemOnPart sourceRef="a"><standardEvent>complete</standardEvent></planItemOnPart></sentry>
      <humanTask id="ta" name="Interview" performerRef="clerk"/>
      <humanTask id="tb" name="Sign" flowable:assignee="anna"/>
      <humanTask id="tc" name="Advertise" performerRef="boss"/>
    </casePlanModel>
  </case>
</definitions>
"#;

#[test]
fn roles_are_agents() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hire.cmmn"), HIRE).expect("written");
    let (told, code) = run(folder.path(), &["check", "hire.cmmn", "--agents", "roles", "--all-traces"]);
    assert_eq!(code, 0, "{told}");
    says(&told, "only the one named does what names somebody: ");
    for step in
        ["AutoAgent: start case", "Clerk: complete Interview", "anna: complete Sign", "Boss: manual start Advertise"]
    {
        says(&told, step);
    }
    let (told, _) = run(folder.path(), &["check", "hire.cmmn", "--all-traces"]);
    assert!(!told.contains("Clerk"), "{told}");
}

#[test]
fn what_is_done_by_hand() {
    let told = example(&["check", "loan.cmmn"]);
    assert_eq!(answer(&told, "never-stuck"), "false");
    let told = example(&["check", "loan.cmmn", "--manual", "complete"]);
    assert_eq!(answer(&told, "never-stuck"), "true");
    says(&told, "assumed: stages and the case may be completed by hand");
    let told = example(&["check", "loan.cmmn", "--manual", "terminate=Grant", "--all-traces"]);
    says(&told, "these may fail, be terminated or disabled by hand: Grant");
    says(&example(&["check", "loan.cmmn", "--manual", "terminate=Gramt"]), "did you mean 'Grant'?");
}

#[test]
fn when_data_changes() {
    let told = example(&["check", "loan.cmmn", "--data", "any"]);
    says(&told, "assumed: anybody at any time may set outcome to any value");
    // Somebody can always still set what a letter waits for.
    assert_eq!(answer(&told, "never-stuck"), "true");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(file("examples/cmmn/loan.cmmn"), folder.path().join("loan.cmmn")).expect("a copy");
    let settings = "model = \"loan.cmmn\"\n[data]\noutcome = [\"granted\", \"refused\"]\n[writes]\n\"case\" = []\n\
                    \"Collect documents\" = []\n\"Grant\" = []\n\"Refuse\" = []\n";
    std::fs::write(folder.path().join("gsmc.toml"), settings).expect("written");
    let (told, _) = run(folder.path(), &["validate"]);
    says(&told, "outcome           granted, refused");
    says(&told, "whoever does what [writes] names may set outcome to any value");
    // The first value holds from the start, and nothing else is set until the decision: Flowable remembers it.
    let (told, _) = run(folder.path(), &["check", "--all-traces"]);
    says(&told, "complete Decide (outcome = refused)");
    says(&told, "complete Collect documents\n");
    std::fs::write(folder.path().join("gsmc.toml"), settings.replace("\"Refuse\"", "\"Refuze\"")).expect("written");
    says(&run(folder.path(), &["validate"]).0, "did you mean 'Refuse'?");
}

#[test]
fn rounds_and_profiles() {
    let cases = file("tests/cmmn/cases");
    let (told, _) = run(&cases, &["check", "11-exit-before-completion/case.cmmn", "--rounds", "4"]);
    says(&told, "assumed: a step that goes on for more than 4 rounds does not end");
    assert_eq!(answer(&told, "settles"), "false");
    let (told, code) = run(&cases, &["check", "09-and-join/case.cmmn", "--profile", "both"]);
    assert_eq!(code, 1, "{told}");
    says(&told, "under both profiles");
    let line = told.lines().find(|l| l.starts_with("never-stuck")).unwrap_or_else(|| panic!("{told}"));
    assert_eq!(line.split_whitespace().collect::<Vec<_>>()[1..3], ["false", "true"], "{told}");
}

#[test]
fn only_ones_own_questions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.gsmp");
    std::fs::write(&path, "both: EF ('Grant'.active and 'Refuse'.active);\n").expect("written");
    let told = example(&["check", "loan.cmmn", "--no-builtin", "-s", &path.display().to_string()]);
    assert_eq!(answer(&told, "both"), "true");
    assert!(!told.contains("never-stuck"), "{told}");
}

#[test]
fn why_something_never_comes() {
    let told = example(&["check", "admission.cmmn"]);
    says(&told, "In no step does that come: criterion treated waits for 'occur' of Treat.");
    let told = example(&["check", "claim.cmmn", "--all-traces"]);
    says(&told, "Pay starts with complete Inspect damage in step 2.");
    for text in [&told, &example(&["check", "loan.cmmn", "--all-traces"])] {
        assert!(!text.contains("step: "), "bookkeeping is told:\n{text}");
    }
}

#[test]
fn findings_lie_where_they_belong() {
    let told = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .current_dir(file("examples/cmmn"))
        .args(["check", "admission.cmmn", "--format", "sarif"])
        .output()
        .expect("gsmc");
    let log: Value = serde_json::from_slice(&told.stdout).expect("json");
    let text = std::fs::read_to_string(file("examples/cmmn/admission.cmmn")).expect("a text");
    let line = |what: &str| text.lines().position(|l| l.contains(what)).map(|n| n as u64 + 1);
    let at = |message: &str| {
        let results = log["runs"][0]["results"].as_array().expect("results");
        let one = results.iter().find(|r| r["message"]["text"].as_str().is_some_and(|t| t.contains(message)));
        one.and_then(|r| r["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64())
    };
    assert_eq!(at("task 'Treat' never has 'occur'"), line("<sentry id=\"afterTreat\""));
    assert_eq!(at("'criterion-can-fire(treated)' is false"), line("<entryCriterion id=\"treated\""));
    assert_eq!(at("'milestone-reachable(Cured)' is false"), line("<planItem id=\"cured\""));
}

#[test]
fn versions_are_compared_in_the_words_of_the_case() {
    let (told, code) = run(&file("examples/cmmn"), &["diff", "loan.cmmn", "loan-repaired.cmmn"]);
    assert_eq!(code, 1, "{told}");
    says(&told, "~ case\n      was  the plan\n      is   the plan, autoComplete\n");
    says(&told, "entry criterion granted of Grant");
    says(&told, "never-stuck was false and is true");
    assert!(!told.contains("step: ") && !told.contains("order of the rules"), "{told}");
    let (told, code) = run(&file("examples/cmmn"), &["diff", "loan.cmmn", "loan.cmmn"]);
    assert_eq!((told.lines().next(), code), (Some("The models do the same."), 0), "{told}");
}

#[test]
fn pages_pictures_and_exports() {
    let folder = tempfile::tempdir().expect("a folder");
    let example = file("examples/cmmn/claim-repaired.cmmn").display().to_string();
    for (args, made) in [
        (vec!["report", &example, "-o", "claim.html"], "claim.html"),
        (vec!["graph", &example, "-o", "claim.svg"], "claim.svg"),
        (vec!["export", &example, "-o", "."], "model.smv"),
    ] {
        let (told, code) = run(folder.path(), &args);
        assert_eq!(code, 0, "{told}");
        let text = std::fs::read_to_string(folder.path().join(made)).expect("a file");
        assert!(text.contains("Inspect") && text.len() > 1000, "{made}");
    }
    assert!(["model.pml", "model.ispl"].iter().all(|f| folder.path().join(f).exists()));
}

#[test]
fn what_happened_to_an_item() {
    let lines = "start case, outcome = granted\nwhy Collect documents\ncomplete Collect documents, outcome = (other)\nwhy Decide\nwhy Collect documents\nwhy Refuse\nquit\n";
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["simulate", &file("examples/cmmn/loan.cmmn").display().to_string()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("gsmc runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("its input"), lines.as_bytes()).expect("written");
    let told = String::from_utf8(child.wait_with_output().expect("its output").stdout).expect("text");
    says(&told, "Step 1: Collect documents came into being because case is active; Collect documents started");
    says(
        &told,
        "Step 2: Decide started because its criterion collected fired, which waits for 'complete' of Collect documents",
    );
    says(&told, "Step 2: Collect documents completed because somebody completed it");
    says(&told, "Step 1: Refuse came into being because case is active");
}

/// A case around a plan's content, with its number of snapshots and the answers to some questions.
fn small(plan: &str, profile: &str, questions: &[&str]) -> (String, Vec<(String, bool)>) {
    let text = format!(
        "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" xmlns:flowable=\"http://flowable.org/cmmn\"><case id=\"k\"><casePlanModel id=\"plan\" name=\"k\">{plan}</casePlanModel></case></definitions>"
    );
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cmmn"), text).expect("written");
    let args = ["check", "k.cmmn", "--profile", profile, "--format", "json"];
    let output = Command::new(env!("CARGO_BIN_EXE_gsmc")).current_dir(&folder).args(args).output().expect("gsmc");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = json["results"].as_array().expect("results");
    let result = |q: &&str| results.iter().find(|r| r["property"] == **q).unwrap_or_else(|| panic!("{q}: {json}"));
    let said = |q: &&str| (result(q)["verdict"].as_str().unwrap_or("-").to_string(), result(q)["exact"] == true);
    (json["machine"]["reachable_states"].as_str().unwrap_or("-").to_string(), questions.iter().map(said).collect())
}

fn answers(all: &[(&str, bool)]) -> Vec<(String, bool)> {
    all.iter().map(|(verdict, exact)| (verdict.to_string(), *exact)).collect()
}

#[test]
fn what_is_cut_off_is_not_exact() {
    // Fifty instances one after the other within one step: the step would end, but not within 40 rounds.
    let plan = "<planItem id=\"a\" definitionRef=\"ta\"><itemControl><repetitionRule><condition>${repetitionCounter lt 50}</condition></repetitionRule></itemControl></planItem>
        <planItem id=\"b\" definitionRef=\"tb\"/><humanTask id=\"tb\" name=\"B\"/><task id=\"ta\" name=\"A\" isBlocking=\"false\"/>";
    assert_eq!(small(plan, "flowable", &["can-complete", "settles"]).1, answers(&[("false", false), ("false", false)]));
    let few = plan.replace("50", "5");
    assert_eq!(small(&few, "flowable", &["can-complete", "settles"]).1, answers(&[("true", true), ("true", true)]));
}

#[test]
fn one_slot_can_be_planned() {
    // Start, plan D, complete A and D: nothing waits and nothing can be planned, so the case completes.
    let plan = "<planItem id=\"a\" definitionRef=\"ta\"/>
        <sentry id=\"s\"><planItemOnPart sourceRef=\"a\"><standardEvent>complete</standardEvent></planItemOnPart></sentry>
        <humanTask id=\"ta\" name=\"A\"/><humanTask id=\"td\" name=\"D\"/>
        <planningTable id=\"pt\"><discretionaryItem id=\"d\" definitionRef=\"td\"><itemControl><repetitionRule/></itemControl><entryCriterion id=\"c\" sentryRef=\"s\"/></discretionaryItem></planningTable>";
    assert_eq!(small(plan, "spec", &["can-complete"]), ("7".into(), answers(&[("true", true)])));
}

#[test]
fn what_is_disabled_still_waits_to_exit() {
    // X exits when A is complete and X has been disabled, in this order: the standard lets disabled items exit.
    let plan = "<planItem id=\"a\" definitionRef=\"ta\"/>
        <planItem id=\"x\" definitionRef=\"tx\"><itemControl><manualActivationRule/></itemControl><exitCriterion id=\"cx\" sentryRef=\"s\"/></planItem>
        <planItem id=\"m\" definitionRef=\"mm\"><entryCriterion id=\"cm\" sentryRef=\"sm\"/></planItem>
        <sentry id=\"s\"><planItemOnPart sourceRef=\"a\"><standardEvent>complete</standardEvent></planItemOnPart><planItemOnPart sourceRef=\"x\"><standardEvent>disable</standardEvent></planItemOnPart></sentry>
        <sentry id=\"sm\"><planItemOnPart sourceRef=\"x\" exitCriterionRef=\"cx\"><standardEvent>exit</standardEvent></planItemOnPart></sentry>
        <humanTask id=\"ta\" name=\"A\"/><humanTask id=\"tx\" name=\"X\"/><milestone id=\"mm\" name=\"M\"/>";
    assert_eq!(small(plan, "spec", &["milestone-reachable(M)"]).1, answers(&[("true", true)]));
    assert_eq!(small(plan, "flowable", &["milestone-reachable(M)"]).1, answers(&[("false", true)]));
}

#[test]
fn nothing_reaches_into_a_stage_from_deep_inside() {
    // The exit of X, two stages down, is no event from outside S: S does not start again.
    let plan = "<planItem id=\"k\" definitionRef=\"tk\"/><planItem id=\"a\" definitionRef=\"ta\"/>
        <planItem id=\"ps\" definitionRef=\"ss\"><exitCriterion id=\"xs\" sentryRef=\"s0\"/></planItem>
        <sentry id=\"s0\"><planItemOnPart sourceRef=\"a\"><standardEvent>complete</standardEvent></planItemOnPart></sentry>
        <humanTask id=\"ta\" name=\"A\"/><humanTask id=\"tk\" name=\"K\"/>
        <stage id=\"ss\" name=\"S\"><planItem id=\"pu\" definitionRef=\"su\"/><planItem id=\"pt\" definitionRef=\"tt\"><itemControl><repetitionRule/></itemControl><entryCriterion id=\"ct\" sentryRef=\"s1\"/></planItem>
        <sentry id=\"s1\"><planItemOnPart sourceRef=\"px\"><standardEvent>exit</standardEvent></planItemOnPart></sentry>
        <stage id=\"su\" name=\"U\"><planItem id=\"px\" definitionRef=\"tx\"/><humanTask id=\"tx\" name=\"X\"/></stage><humanTask id=\"tt\" name=\"T\"/></stage>";
    assert_eq!(small(plan, "flowable", &["can-start(T)"]), ("9".into(), answers(&[("false", true)])));
}

#[test]
fn only_those_who_block_are_named() {
    // Under autoComplete only what is required keeps the plan open; what is to be ignored never does.
    let text = "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" xmlns:flowable=\"http://flowable.org/cmmn\"><case id=\"k\"><casePlanModel id=\"plan\" name=\"k\" autoComplete=\"true\">
        <planItem id=\"a\" definitionRef=\"ta\"/>
        <planItem id=\"b\" definitionRef=\"tb\"><entryCriterion id=\"cb\" sentryRef=\"s\"/></planItem>
        <planItem id=\"r\" definitionRef=\"tr\"><itemControl><requiredRule/></itemControl><entryCriterion id=\"cr\" sentryRef=\"s\"/></planItem>
        <planItem id=\"i\" definitionRef=\"ti\"><itemControl><extensionElements><flowable:parentCompletionRule type=\"ignore\"/></extensionElements></itemControl><entryCriterion id=\"ci\" sentryRef=\"s\"/></planItem>
        <sentry id=\"s\"><planItemOnPart sourceRef=\"a\"><standardEvent>exit</standardEvent></planItemOnPart></sentry>
        <humanTask id=\"ta\" name=\"Alpha\"/><humanTask id=\"tb\" name=\"Beta\"/><humanTask id=\"tr\" name=\"Rho\"/><humanTask id=\"ti\" name=\"Iota\"/></casePlanModel></case></definitions>";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cmmn"), text).expect("written");
    for profile in ["flowable", "spec"] {
        let (told, _) = run(folder.path(), &["check", "k.cmmn", "--profile", profile, "--property", "no-dead-end"]);
        says(&told, "case waits for Rho");
        assert!(!told.contains("Beta (") && !told.contains("Iota ("), "{told}");
    }
}
