//! In E-GSM `on E` asks whether E occurs, as `when occurs(E)` does.

use super::{findings, folder, outcome, toml};
use gsmc::{Options, Project};

/// Guards, milestones, flow guards and faults of five stages, with these conditions instead of the numbers.
fn model(conditions: [&str; 6]) -> String {
    let [one, two, three, four, five, six] = conditions;
    format!(
        "application A egsm\nevent E, F, G, H\ntype T {{\n  Truck: record {{ status: string }}\n  stage S1 {{ guard g1 {one}; milestone m1 {two} }}\n  \
         stage S2 {{ guard g2 {two}; flow guard p2 {three}; milestone m2 {three} }}\n  stage S3 {{ guard g3 {four}; fault f3 {five}; milestone m3 {one} }}\n  \
         stage S4 {{ guard g4 {five}; flow guard p4 when m1; milestone m4 {six} }}\n  stage S5 {{ guard g5 {three}; milestone m5 {four}; fault f5 {six} }}\n}}\n"
    )
}

/// The machine of a model, places left out.
fn machine(text: &str) -> String {
    let dir = folder(&[("m.gsm", text), ("gsmc.toml", &toml("m.gsm"))]);
    let project = Project::open(dir.path(), &Options::default()).expect("a model");
    let all = format!("{:#?}", project.machine());
    let mut skip = 0;
    let kept = all.lines().filter(|line| {
        if line.contains("Span {") {
            skip = 7;
        }
        skip = usize::saturating_sub(skip, 1);
        skip == 0
    });
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_event_of_a_sentry_is_part_of_its_condition() {
    let on = model(["on E", "on F", "on G, E", "on H when m1", "on E, F when !S2", "on G when Truck.status == 'x'"]);
    let when = model([
        "when occurs(E)",
        "when occurs(F)",
        "when occurs(G) || occurs(E)",
        "when occurs(H) && m1",
        "when (occurs(E) || occurs(F)) && !S2",
        "when occurs(G) && Truck.status == 'x'",
    ]);
    let plain = model(["when true", "when true", "when true", "when m1", "when !S2", "when Truck.status == 'x'"]);
    assert_eq!(machine(&on), machine(&when));
    assert_ne!(machine(&on), machine(&plain), "the events count");
}

#[test]
fn what_waits_for_an_event_waits() {
    let model = |guard: &str, property: &str| {
        let text = format!(
            "application A egsm\nevent E, F\ntype T {{ stage S {{ {guard}; milestone M on F }} }}\nproperties {{ {property} }}\n"
        );
        outcome(&[("m.gsm", &text), ("gsmc.toml", &toml("m.gsm"))])
    };
    // Before anything occurred S is not open, unless its guard holds at once.
    assert_eq!(model("guard on E", "opened('S')"), "false");
    assert_eq!(model("guard when true", "opened('S')"), "true");
    assert_eq!(model("guard on E", "EF completes('S')"), "true");
    assert_eq!(model("guard on E; fault on F", "EF faulty('S')"), "true");
    assert_eq!(model("guard when true; fault on E", "faulty('S')"), "false");
    assert_eq!(model("guard on Ghost", "EF opened('S')"), "W183 false");
    assert_eq!(model("guard on create", "EF opened('S')"), "E180");
}

#[test]
fn event_ids_of_xml_play_no_part_and_that_is_told() {
    let xml = |guard: &str, milestone: &str, condition: &str| {
        format!(
            r#"<ca:CompositeApplicationType xmlns:ca="http://siena.ibm.com/model/CompositeApplication"><ca:EventModel><ca:Event id="E"/></ca:EventModel>
<ca:Component id="T"><ca:GuardedStageModel><ca:Stage id="S"><ca:DataFlowGuard id="g" {guard}/><ca:FaultLogger id="f" expression="isEventOccurring(E)"/>
<ca:Milestone id="M" {milestone}><ca:Condition id="c" {condition}/></ca:Milestone></ca:Stage></ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>"#
        )
    };
    let told = |text: String| findings(folder(&[("m.xml", &text), ("gsmc.toml", &toml("m.xml"))]).path());
    let asks = r#"expression="isEventOccurring(E)""#;
    assert_eq!(told(xml(asks, "", asks)), [""; 0]);
    assert_eq!(told(xml(&format!("eventIds=\"E\" {asks}"), "eventIds=\"E\"", asks)), [""; 0]);
    assert_eq!(
        told(xml("eventIds=\"E\"", "", asks)),
        ["W184 eventIds of 'g' is ignored, and without an expression it always holds"]
    );
    assert_eq!(
        told(xml(asks, "", "eventIds=\"E\"")),
        ["W184 eventIds of 'c' is ignored, and without an expression it always holds"]
    );
    assert_eq!(
        told(xml(asks, "eventIds=\"E\"", "")),
        ["W184 eventIds of 'M' lists 'E', which no condition of it asks for"]
    );
}

#[test]
fn converted_models_keep_what_the_engine_reads() {
    use gsmc::lang::gsm::convert::{open, to_barcelona, to_notation};
    use gsmc::lang::load::Request;
    let on = model(["on E", "on F", "on G, E", "on H when m1", "on E, F when !S2", "on G when Truck.status == 'x'"]);
    let dir = folder(&[("m.gsm", &on)]);
    let request = |path: std::path::PathBuf| Request { dir: Some(path), ..Request::default() };
    let files = to_barcelona(&open(&request(dir.path().join("m.gsm"))).expect("a model"));
    let back = folder(&files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>());
    let whole = open(&request(back.path().to_path_buf())).expect("a model");
    assert_eq!(machine(&to_notation(&whole, true)), machine(&on));
    assert!(whole.lost.is_empty(), "{:?}", whole.lost);
}
