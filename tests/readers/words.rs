//! Words that mean something by themselves, as names of the model: each works, or an error says what to write.

use super::{compare, outcome, toml};

fn gsm(top: &str, body: &str, agents: &str, property: &str) -> String {
    let mut text = format!("application A\nevent E, F\n{top}\ntype T {{\n  {body}\n}}\n");
    for (word, inside) in [("agents", agents), ("properties", property)] {
        if !inside.is_empty() {
            text += &format!("{word} {{\n{inside}\n}}\n");
        }
    }
    text
}

fn row(text: &str, expected: &str) -> (String, String, String) {
    (text.to_string(), expected.to_string(), outcome(&[("m.gsm", text), ("gsmc.toml", &toml("m.gsm"))]))
}

/// A stage of that name, open from creation until E.
fn stage(name: &str) -> String {
    format!("stage {name} {{ guard g on create; milestone M on E }}")
}

#[test]
fn words_about_instances() {
    let (created, id) = (stage("created"), stage("id"));
    let attribute = |name: &str| format!("{name}: bool\n  {}", stage("S"));
    let rows = [
        (stage("S"), "AG forall x : T (x.created)", "true"),
        (created.clone(), "EF exists x : T (x.created)", "E138"),
        (created.clone(), "EF created", "E138"),
        (created.clone(), "EF T.created", "E138"),
        // It exists for good, and the stage closes.
        (created.clone(), "AG forall x : T (AG created(x))", "true"),
        (created.clone(), "AG forall x : T (AG GSM.created(x))", "true"),
        (created.clone(), "AG forall x : T (AG x.'created')", "false"),
        (created.clone(), "AG forall x : T (AG x.isStageActive('created'))", "false"),
        (created, "AG forall x : T (created(y))", "E049"),
        ("stage S { guard on create; milestone created on E }".to_string(), "EF exists x : T (x.created)", "E138"),
        (attribute("created"), "EF exists x : T (x.created)", "E138"),
        (attribute("created"), "EF exists x : T (x.'created')", "false"),
        (attribute("created"), "EF exists x : T (x.self.created)", "false"),
        (id.clone(), "EF exists x : T (x.id == 1)", "E138"),
        (id.clone(), "EF exists x : T (x == 1)", "true"),
        (id, "AG forall x : T (AG x.'id')", "false"),
        // An attribute of that name is what is meant; the number is x alone.
        (attribute("id"), "EF exists x : T (x.id)", "false"),
        (attribute("id"), "EF exists x : T (x == 1)", "true"),
    ];
    compare(rows.map(|(body, property, expected)| row(&gsm("", &body, "", property), expected)));
}

#[test]
fn a_stage_and_a_milestone_of_one_name() {
    let both = "stage X { guard g on create; milestone X on E }";
    let rows = [
        (format!("{both}\nstage Q {{ guard when X }}"), "", "E019"),
        (format!("{both}\nstage Q {{ guard when +X }}"), "", "E019"),
        (
            format!("{both}\nstage Q {{ guard when stage X && !milestone X\n milestone N on F }}"),
            "EF exists x : T (x.Q)",
            "true",
        ),
        (both.to_string(), "EF exists x : T (x.X)", "E019"),
        (both.to_string(), "AG forall x : T (!(x.isStageActive('X') && x.isMilestoneAchieved('X')))", "true"),
    ];
    compare(rows.map(|(body, property, expected)| row(&gsm("", &body, "", property), expected)));
}

#[test]
fn flags_values_and_agents() {
    let overflow = stage("overflow");
    let film = |kind: &str, rest: &str| format!("k: {{ film, book }}\n  film: {kind}\n  {rest}");
    let when = |condition: &str| format!("stage S {{ guard on create; milestone M when {condition} }}");
    let rows = [
        (stage("S"), "EF overflow", "false"),
        (overflow.clone(), "EF overflow", "E138"),
        (overflow.clone(), "EF overflow()", "false"),
        (overflow, "EF exists x : T (x.overflow)", "true"),
        (film("bool", &when("k == film")), "", "E138"),
        (film("bool", &when("k == 'film' && !self.film")), "EF exists x : T (x.M)", "false"),
        (film("bool", &when("self.k != 'film' && !film")), "EF exists x : T (x.M)", "true"),
        (film("{ film, book }", &stage("S")), "EF exists x : T (x.k == film)", "E138"),
        (film("{ film, book }", &stage("S")), "EF exists x : T (x.k == x.film)", "true"),
        (film("{ film, book }", &stage("S")), "EF exists x : T (x.k == 'film')", "false"),
        (
            film("{ film, book }", "stage S { guard on create; task t: assign k = film\n milestone M when done(t) }"),
            "",
            "E138",
        ),
        (
            film("{ film, book }", "stage S { guard on create; task t: assign k = 'film'\n milestone M when done(t) }"),
            "EF exists x : T (x.k == 'film')",
            "true",
        ),
        (
            film(
                "{ film, book }",
                "stage S { guard on create; task t: assign k = self.film\n milestone M when done(t) }",
            ),
            "EF exists x : T (x.k == 'film')",
            "false",
        ),
        ("true: bool\n".to_string() + &stage("S"), "", "E138"),
        (stage("false"), "", "E138"),
        ("stage 'true' { guard on create; milestone M on E when 'true' }".into(), "EF exists x : T (x.M)", "true"),
    ];
    compare(rows.map(|(body, property, expected)| row(&gsm("", &body, "", property), expected)));
    let ann = "role R { instantiation: T; window: c == ann; };\nagent ann { role: R; };";
    let named = |vars: &str| {
        format!(
            "role R {{ instantiation: T; }};\nagent T {{ role: R; vars: bool {vars} = false; protocol: Create_T: true -> , E: true -> {vars} = true; }};"
        )
    };
    let rows = [
        (format!("c: string\n{}", stage("S")), ann.to_string(), "true", "true"),
        (format!("c: string\nann: string\n{}", stage("S")), ann.to_string(), "true", "E138"),
        (format!("c: string\nann: string\n{}", stage("S")), ann.replace("== ann", "== 'ann'"), "true", "true"),
        (stage("done"), named("done"), "EF T.done", "E138"),
        (stage("done"), named("done"), "EF exists x : T (x.done)", "true"),
        (stage("S"), named("done"), "EF T.done", "true"),
        (stage("S"), named("done"), "EF T.M", "true"),
        (stage("S"), "role R {}; agent AutoAgent { role: R; };".into(), "", "E064"),
    ];
    compare(rows.map(|(body, agents, property, expected)| row(&gsm("", &body, &agents, property), expected)));
}

#[test]
fn words_of_tasks_and_events() {
    let q = "type U { r: ref T\n n: int 0..3\n stage Q { guard on create; milestone N on F } }";
    let rows = [
        ("event create", "stage S { guard on create; milestone M on E }".to_string(), "E138"),
        ("event create", "stage S { guard on Create_T; milestone M on 'create' }".into(), "true"),
        (q, "self: int 0..3\nstage S { guard on create; task t: create U { r = self }\n milestone M when done(t) }".into(), "E138"),
        (q, "self: int 0..3\nstage S { guard on create; task t: create U { n = self.self }\n milestone M when done(t) }".into(), "true"),
        ("event G { f: int 0..3 }", "payload: record { f: int 0..3 }\n k: int 0..3\n stage S { guard on G; task t: assign k = payload.f\n milestone M when done(t) }".into(), "E138"),
        ("event G { f: int 0..3 }", "payload: record { f: int 0..3 }\n k: int 0..3\n stage S { guard on G; task t: assign k = payload(G).f\n milestone M when done(t) }".into(), "true"),
        ("event G { f: int 0..3 }", "payload: record { f: int 0..3 }\n k: int 0..3\n stage S { guard on G; task t: assign k = self.payload.f\n milestone M when done(t) }".into(), "true"),
    ];
    compare(rows.map(|(top, body, expected)| row(&gsm(top, &body, "", "EF exists x : T (x.M)"), expected)));
}

/// Names of operators, patterns and keywords work as names after a dot; bare ones work or are told.
#[test]
fn operators_patterns_and_keywords() {
    let words = [
        "never",
        "response",
        "always",
        "A",
        "E",
        "U",
        "K",
        "EX",
        "AG",
        "LTL",
        "X",
        "W",
        "N",
        "G",
        "some",
        "all",
        "forall",
        "exists",
        "mu",
        "nu",
        "not",
        "self",
        "payload",
        "Time",
        "AutoAgent",
        "stage",
        "milestone",
        "completed",
        "done",
        "occurs",
        "when",
        "on",
        "guard",
        "task",
        "create",
        "type",
        "event",
        "count",
        "size",
        "GSM",
        "this",
        "Model",
        "timer",
        "final",
    ];
    for word in words {
        let body = format!("stage {word} {{ guard on create; milestone M on E when {word} }}");
        compare([row(&gsm("", &body, "", &format!("EF exists x : T (x.{word})")), "true")]);
        let bare = if matches!(word, "EX" | "AG") { "E040" } else { "true" };
        compare([row(&gsm("", &stage(word), "", &format!("EF {word}")), bare)]);
    }
    for word in ["and", "or", "iff", "xor", "eq"] {
        compare([row(&gsm("", &format!("{}\nstage Q {{ guard when {word} }}", stage(word)), "", ""), "E040")]);
        let quoted = format!("{}\nstage Q {{ guard when '{word}'\n milestone N on F }}", stage(word));
        compare([row(&gsm("", &quoted, "", "EF exists x : T (x.Q)"), "true")]);
    }
}

#[test]
fn egsm() {
    let model = |body: &str, property: &str| {
        format!("application A egsm\nevent E, F\ntype T {{\n{body}\n}}\nproperties {{ {property} }}\n")
    };
    let both = "stage X { guard on E; milestone X on F }\n";
    let rows = [
        (model(&format!("{both}stage Q {{ guard when X }}"), "EF opened('Q')"), "E138"),
        (model(&format!("{both}stage Q {{ guard when stage X }}"), "EF opened('Q')"), "true"),
        (model("stage violation { guard on E }", "EF opened('violation')"), "true"),
        (model("stage S { guard on E }", "EF x.y.violation"), "E180"),
        (model("stage S { guard on E }", "EF x.violation"), "false"),
    ];
    compare(rows.map(|(text, expected)| row(&text, expected)));
    let agents = "agents { role R {}; agent a { role: R; vars: bool status; protocol: E: true -> ; }; }\n";
    compare([row(&(model("stage S { guard on E }", "EF opened('S')") + agents), "E138")]);
}

#[test]
fn amber() {
    let rows = [
        ("action stuck", "EF stuck", "E138"),
        ("action stuck", "EF executed(stuck)", "true"),
        ("action stuck", "AG !stuck()", "true"),
        ("var ended: bool\naction a { ended := true }", "EF ended", "E138"),
        ("var ended: bool\naction a { ended := true }", "EF (ended() && 'ended')", "true"),
        ("type C = { red, blue }\nvar c: C\nvar red: C\naction a { c := blue }", "EF c == red", "E138"),
        ("type C = { red, blue }\nvar c: C\naction a { c := blue }", "EF c == blue", "true"),
        ("action true", "true", "E200"),
    ];
    compare(rows.map(|(lines, property, expected)| {
        let toml = "model = \"m.amber\"\nproperties = [\"p.gsmp\"]\n";
        let found = outcome(&[("m.amber", &format!("amber A\n{lines}\n")), ("p.gsmp", property), ("gsmc.toml", toml)]);
        (format!("{lines} | {property}"), expected.to_string(), found)
    }));
}

#[test]
fn cmmn() {
    let case = |name: &str, condition: &str| {
        format!(
            "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\"><case id=\"c\"><casePlanModel id=\"p\">\
             <planItem id=\"i\" name=\"{name}\" definitionRef=\"t\"><entryCriterion sentryRef=\"s\"/></planItem>\
             <sentry id=\"s\"><ifPart><condition>${{{condition}}}</condition></ifPart></sentry><humanTask id=\"t\"/></casePlanModel></case></definitions>"
        )
    };
    let rows = [
        ("i", "overflow", "overflow", "E138"),
        ("i", "overflow", "AG !overflow()", "true"),
        ("i", "overflow", "EF overflow == true", "true"),
        ("i", "paid", "AG !overflow", "true"),
        ("order", "order.active", "EF order.active", "E138"),
        ("order", "order.active", "EF 'order'.active", "true"),
        ("order", "order.active", "EF order.active == true", "true"),
        ("case", "paid", "EF case.active", "true"),
    ];
    compare(rows.map(|(name, condition, property, expected)| {
        let toml = "model = \"m.cmmn\"\nproperties = [\"p.gsmp\"]\n";
        let found =
            outcome(&[("m.cmmn", &case(name, condition)), ("p.gsmp", &format!("p: {property};")), ("gsmc.toml", toml)]);
        let first: Vec<&str> = found.split(' ').take(1).collect();
        (format!("{name} {condition} {property}"), expected.to_string(), first.join(" "))
    }));
}
