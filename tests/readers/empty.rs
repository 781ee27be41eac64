//! Every list that may be empty or missing, in every language: what that means. `docs/formats.md` has the table.

use super::{compare, outcome, toml};

const STAGE: &str = "stage S { guard g on create; milestone M on E }";
const REACHED: &str = "EF exists x : T (x.M)";

/// A model of one type in the notation, with agents and properties if they are not empty.
fn gsm(body: &str, agents: &str, property: &str) -> String {
    let mut text = format!("application A\nevent E\ntype T {{\n  n: int 0..3\n  {body}\n}}\n");
    for (word, inside) in [("agents", agents), ("properties", property)] {
        if !inside.is_empty() {
            text += &format!("{word} {{\n{inside}\n}}\n");
        }
    }
    text
}

fn row(what: &str, text: &str, expected: &str) -> (String, String, String) {
    (what.to_string(), expected.to_string(), outcome(&[("m.gsm", text), ("gsmc.toml", &toml("m.gsm"))]))
}

#[test]
fn agents_files() {
    let agents = |role: &str, agent: &str| format!("role R {{ {role} }}; agent a {{ role: R; {agent} }};");
    let all = "instantiation: T;";
    let rows = [
        ("", "", "false"), // nobody may create
        (all, "", "true"),
        (all, "protocol: ;", "false"),
        (all, "protocol: ", "false"),
        (all, "protocol: Create_T: true -> ;", "false"),
        (all, "protocol: Create_T: true -> , E: true -> ;", "true"),
        ("instantiation: ;", "", "false"),
        ("instantiation: T; view: ; transformation: ;", "vars: ;", "true"),
        ("instantiation: T; window: true;", "", "true"),
        ("instantiation: T; window: false;", "", "false"),
        ("instantiation: T; window: ;", "", "E077"),
        ("instantiation: T; window: false; window T: ;", "", "E077"),
        ("instantiation: T; window: ", "", "E077"),
        ("instantiation: T; view: ,;", "", "E040"),
        ("instantiation: T; transformation: condense_stage();", "", "E040"),
        (all, "vars: {} x;", "E040"),
    ];
    compare(rows.map(|(role, agent, expected)| {
        row(&format!("{role} | {agent}"), &gsm(STAGE, &agents(role, agent), REACHED), expected)
    }));
    let whole = [
        (" ", "W061 false"),
        ("role R {}; agent a { };", "E065 W060"),
        ("role R {}; agent a { role: ; };", "E065 W060"),
        ("role R {}; agent a[0] { role: R; };", "E062"),
    ];
    compare(whole.map(|(agents, expected)| row(agents, &gsm(STAGE, agents, REACHED), expected)));
}

#[test]
fn an_agent_with_an_empty_protocol_does_nothing_in_every_language() {
    let egsm = "application A egsm\nevent E\ntype T { stage S { guard on E } }\n";
    for (protocol, expected) in [("", "true"), ("protocol: ;", "false"), ("protocol: E: true -> ;", "true")] {
        let text = format!(
            "{egsm}agents {{ role R {{}}; agent a {{ role: R; {protocol} }}; }}\nproperties {{ EF opened('S') }}\n"
        );
        compare([row(protocol, &text, expected)]);
    }
}

#[test]
fn models_in_the_notation() {
    let rows = [
        ("stage S { guard g on create; milestone M on E }", "true"),
        ("stage S { guard g on ; milestone M on E }", "E040"),
        ("stage S { guard g when\n milestone M on E }", "E040"),
        ("stage S { guard\n milestone M on E }", "W130 true"),
        ("stage S { milestone M on E }", "W039 false"),
        ("stage S { guard on create\n milestone M }", "W039 false"),
        ("stage S { guard on create\n task t\n milestone M when done(t) }", "true"),
        ("stage S { guard on create\n task t:\n milestone M when done(t) }", "E040 E046"),
        ("stage Q { }\n stage S { guard on create\n milestone M on E }", "W039 true"),
        ("created by C { }\n stage S { guard on create\n milestone M on E }", "true"),
        ("z: { }\n stage S { guard on create\n milestone M on E }", "E040"),
        ("z: { a, a }\n stage S { guard on create\n milestone M on E }", "E135"),
        ("z: record { }\n stage S { guard on create\n milestone M on E }", "E040"),
        ("z: bag { }\n stage S { guard on create\n milestone M on E }", "E040"),
        ("z: bag int 0..1\n stage S { guard on create\n task t: add z { }\n milestone M when z.size() > 0 }", "true"),
        (
            "z: bag { y: int 0..1 }\n stage S { guard on create\n task t: add z { }\n milestone M when z.size() > 0 }",
            "true",
        ),
        ("z: bag { y: int 0..1 }\n stage S { guard on create\n task t: clear z = 1\n milestone M on E }", "E040"),
        ("z: bag { y: int 0..1 }\n stage S { guard on create\n task t: clear z\n milestone M on E }", "true"),
    ];
    compare(rows.map(|(body, expected)| row(body, &gsm(body, "", REACHED), expected)));
    let top = [
        ("type U { }", "true"),
        ("event F { }", "true"),
        ("instances { }\noptions { }\nranges { }\nrelations { }", "true"),
        ("ranges { T.n = [] }", "E102"),
        ("relations { T.n = '' }", "E016"),
    ];
    compare(top.map(|(line, expected)| row(line, &(gsm(STAGE, "", REACHED) + line), expected)));
}

#[test]
fn properties() {
    let agents = "role R { instantiation: T; }; agent a { role: R; };";
    let rows = [
        (" ", "W080"),
        ("p:\n", "E084"),
        ("EK({}, true)", "E088"),
        ("CK({}, true)", "E088"),
        ("K(, true)", "E040"),
        ("<<>> F exists x : T (x.M)", "true"), // whatever the one agent does
        ("<<a>> F exists x : T (x.M)", "true"),
        ("forall x : (true)", "E040"),
        ("never()", "E040"),
        ("AG ()", "E040"),
    ];
    compare(rows.map(|(text, expected)| row(text, &gsm(STAGE, agents, text), expected)));
}

#[test]
fn settings_and_commands() {
    let model = gsm(STAGE, "", REACHED);
    let rows = [
        ("properties = []\n[instances]\n[ranges]\n[relations]\n[options]\n", "true"),
        ("properties = [\"\"]\n", "E002"),
        ("agents = \"\"\n", "E002"),
        ("schemas = []\n", "true"),
        ("[ranges]\n\"T.n\" = []\n", "E102"),
        ("[options]\nidle = \"\"\n", "E102"),
    ];
    compare(rows.map(|(text, expected)| {
        let found = outcome(&[("m.gsm", &model), ("gsmc.toml", &(toml("m.gsm") + text))]);
        (text.to_string(), expected.to_string(), found)
    }));
    let dir = super::folder(&[("m.gsm", &model)]);
    for option in ["--property", "--agents", "--properties", "--instances", "--range", "--idle", "--model", "--backend"]
    {
        let mut gsmc = std::process::Command::new(env!("CARGO_BIN_EXE_gsmc"));
        let output = gsmc.current_dir(dir.path()).args(["check", "m.gsm", option, ""]).output().expect("gsmc runs");
        assert_eq!(output.status.code(), Some(2), "{option}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty(), "{option}");
    }
}

#[test]
fn barcelona_xml() {
    let model = |guard: &str, milestone: &str, more: &str| {
        format!(
            r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication"><ca:Component id="T"><ca:GuardedStageModel>
<ca:Stage id="S">{guard}{milestone}</ca:Stage>{more}</ca:GuardedStageModel></ca:Component><ca:EventModel><ca:Event id="E"/></ca:EventModel></ca:CompositeApplication>"#
        )
    };
    let m = r#"<ca:Milestone id="M"><ca:Condition eventIds="E"/></ca:Milestone>"#;
    let rows = [
        (r#"<ca:StageGuard/>"#, m, "true"),
        (r#"<ca:StageGuard eventIds="" expression=""/>"#, m, "true"),
        (r#"<ca:StageGuard eventIds=" , "/>"#, m, "true"),
        (r#"<ca:StageGuard eventIds="Nope"/>"#, m, "W033 W057 false"),
        ("", m, "W039 false"),
        (r#"<ca:StageGuard/>"#, r#"<ca:Milestone id="M"/>"#, "W039 false"),
        (r#"<ca:StageGuard/>"#, r#"<ca:Milestone id="M" eventIds="E"/>"#, "W039 false"),
        (r#"<ca:StageGuard/>"#, r#"<ca:Milestone id=""/>"#, "E017 E046"),
        (r#"<ca:StageGuard language=""/>"#, m, "true"),
        (r#"<ca:StageGuard/><ca:Task id="t"><ca:Invoke serviceDefinitionId=""/></ca:Task>"#, m, "E017"),
        (r#"<ca:StageGuard/><ca:Task id="t"><ca:Assign/></ca:Task>"#, m, "true"),
    ];
    compare(rows.map(|(guard, milestone, expected)| {
        let files = [("m.xml", model(guard, milestone, "")), ("p.gsmp", REACHED.to_string())];
        let found = outcome(&[
            (files[0].0, &files[0].1),
            (files[1].0, &files[1].1),
            ("gsmc.toml", "model = \"m.xml\"\nproperties = [\"p.gsmp\"]\n"),
        ]);
        (format!("{guard} {milestone}"), expected.to_string(), found)
    }));
}

#[test]
fn egsm() {
    let rows = [
        ("guard\n", "W130 true"), // holds always, as the engine has it
        ("guard on E", "true"),
        ("guard when", "E040"),
        ("milestone m\n guard on E", "W188 true"),
        ("milestone m on E\n guard on E", "false"), // opens and closes in one move
        ("milestone m on E\n guard when true", "true"),
    ];
    compare(rows.map(|(body, expected)| {
        let text = format!(
            "application A egsm\nevent E\ntype T {{ stage S {{\n{body}\n}} }}\nproperties {{ EF opened('S') }}\n"
        );
        row(body, &text, expected)
    }));
}

#[test]
fn amber() {
    let rows = [
        ("action a\nblock X { }", "true"),
        ("action a { }", "true"),
        ("actor C sees\naction a", "E040"),
        ("type T = { }\naction a", "E040"),
        ("type T = record { }\naction a", "E040"),
        ("interaction i\nrelation r:", "E040 E211"),
        ("action a\na -> ()", "E040"),
        ("action", "E040"),
        ("", "E232"),
    ];
    compare(rows.map(|(lines, expected)| {
        let files = [("m.amber", format!("amber A\n{lines}\n"))];
        let all = [
            (files[0].0, files[0].1.as_str()),
            ("p.gsmp", "EF executed(a)"),
            ("gsmc.toml", "model = \"m.amber\"\nproperties = [\"p.gsmp\"]\n"),
        ];
        (lines.to_string(), expected.to_string(), outcome(&all))
    }));
}

#[test]
fn cmmn() {
    let task = r#"<humanTask id="t"/>"#;
    let item = r#"<planItem id="i" definitionRef="t"/>"#;
    let rows = [
        (item, "", "true"),
        (r#"<planItem id="i" definitionRef=""/>"#, "", "E256 W251"),
        (r#"<planItem id="i" definitionRef="t"><entryCriterion/></planItem>"#, "", "W252 false"),
        (
            r#"<planItem id="i" definitionRef="t"><entryCriterion sentryRef="s"/></planItem>"#,
            r#"<sentry id="s"/>"#,
            "W255 true",
        ),
        (
            r#"<planItem id="i" definitionRef="t"><entryCriterion sentryRef="s"/></planItem>"#,
            r#"<sentry id="s"><planItemOnPart/></sentry>"#,
            "W253 false",
        ),
        (
            r#"<planItem id="i" definitionRef="t"><entryCriterion sentryRef="s"/></planItem>"#,
            r#"<sentry id="s"><ifPart/></sentry>"#,
            "true",
        ),
        (r#"<planItem id="i" definitionRef="t"><itemControl><requiredRule/></itemControl></planItem>"#, "", "true"),
    ];
    compare(rows.map(|(item, more, expected)| {
        let text = format!(
            "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\"><case id=\"c\"><casePlanModel id=\"p\">{item}{more}{task}</casePlanModel></case></definitions>"
        );
        let toml = "model = \"m.cmmn\"\nproperties = [\"p.gsmp\"]\n";
        let found = outcome(&[("m.cmmn", &text), ("p.gsmp", "EF i.active"), ("gsmc.toml", toml)]);
        let found = found.split(' ').filter(|w| w.len() == 4 || *w == "true" || *w == "false").take(expected.split(' ').count());
        (format!("{item} {more}"), expected.to_string(), found.collect::<Vec<_>>().join(" "))
    }));
}
