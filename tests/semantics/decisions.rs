//! The edges that `docs/decisions.md` speaks about, each on the smallest model that shows it.

use gsmc::answer::{Engine, Results};
use gsmc::check::{Plan, run};
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Loaded, Request, load};
use gsmc::source::render_all;

/// A project of one file each; empty texts are left out.
fn project(model: &str, data: &str, agents: &str, properties: &str, options: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let named = |key: &str, text: &str, name: &str| match text.is_empty() {
        true => String::new(),
        false => format!("{key} = {name}\n"),
    };
    let (agents_key, properties_key) =
        (named("agents", agents, "\"a.gsma\""), named("properties", properties, "[\"p.gsmp\"]"));
    write("gsmc.toml", &format!("model = \"m.xml\"\n{agents_key}{properties_key}{options}"));
    let root = "xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"edge\"";
    write("m.xml", &format!("<ca:CompositeApplication {root}>{model}</ca:CompositeApplication>"));
    write("d.xsd", &format!("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">{data}</xs:schema>"));
    write("a.gsma", agents);
    write("p.gsmp", properties);
    load(&Request { dir: Some(folder.path().to_path_buf()), ..Request::default() })
}

/// Everything the properties expect is so.
fn as_written(loaded: &Loaded) -> Results {
    let shown = render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.as_ref().unwrap_or_else(|| panic!("{shown}"));
    let machine = lower(app, &loaded.properties, &loaded.sources).expect("it lowers");
    let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
    let results = run("m.xml", &machine, &plan);
    for r in &results.results {
        assert_eq!(r.verdict.holds(), Some(r.expect), "{}", r.formula);
    }
    results
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.iter().map(|d| d.code.id).collect()
}

const GO: &str = "<ca:EventModel id='e'><ca:Event id='Go'/></ca:EventModel>";

fn type_of(id: &str, data: bool, stages: &str) -> String {
    let item = format!(
        "<ca:InformationModel rootDataItemId='d'><ca:DataItem id='d' schemaUri='d.xsd' rootElement='{id}'/></ca:InformationModel>"
    );
    let item = if data { item } else { String::new() };
    format!("<ca:Component id='{id}'>{item}<ca:GuardedStageModel id='l'>{stages}</ca:GuardedStageModel></ca:Component>")
}

#[test]
fn two_milestones_of_a_stage_can_be_achieved_in_one_step() {
    let stage = "<ca:Stage id='S'><ca:StageGuard id='g' eventIds='Create_T'/>\
        <ca:Milestone id='m' eventIds='Go'><ca:Condition id='c'/></ca:Milestone>\
        <ca:Milestone id='n' eventIds='Go'><ca:Condition id='d'/></ca:Milestone></ca:Stage>";
    let properties = "EF exists x : T (x.m && x.n); AG forall x : T (!(x.S && (x.m || x.n)));";
    as_written(&project(&(GO.to_string() + &type_of("T", false, stage)), "", "", properties, ""));
}

#[test]
fn a_race_is_reported_also_when_its_other_side_never_fires() {
    let stages = "<ca:Stage id='A'><ca:StageGuard id='a' eventIds='Go' expression=\"!GSM.isStageActive('B')\"/></ca:Stage>\
        <ca:Stage id='B'><ca:StageGuard id='b' eventIds='Go' expression=\"!GSM.isStageActive('A')\"/></ca:Stage>";
    let properties = "EF A; @expect false\nEF B;";
    let results = as_written(&project(&(GO.to_string() + &type_of("T", false, stages)), "", "", properties, ""));
    assert_eq!(results.machine.order_dependent, Some(true));
}

/// Guards on A and B with Go; does the step depend on the order?
fn go_depends(on_a: &str, on_b: &str) -> Option<bool> {
    let guard = |s: &str, e: &str| {
        format!("<ca:Stage id='{s}'><ca:StageGuard id='g{s}' eventIds='Go' expression=\"{e}\"/></ca:Stage>")
    };
    let stages = guard("A", on_a) + &guard("B", on_b);
    let results = as_written(&project(&(GO.to_string() + &type_of("T", false, &stages)), "", "", "AG true;", ""));
    results.machine.order_dependent
}

/// The examples of the definition: two results, no result, one.
#[test]
fn a_step_depends_on_the_order_where_there_is_not_exactly_one_result() {
    let is = |s: &str| format!("GSM.isStageActive('{s}')");
    let not = |s: &str| format!("!{}", is(s));
    assert_eq!(go_depends(&not("B"), &not("A")), Some(true));
    assert_eq!(go_depends(&not("B"), &is("A")), Some(true));
    assert_eq!(go_depends(&is("B"), &is("A")), Some(false));
}

#[test]
fn a_sentry_with_only_unknown_events_is_false() {
    let stages = "<ca:Stage id='A'><ca:StageGuard id='a' eventIds='Gone'/></ca:Stage>\
        <ca:Stage id='B'><ca:StageGuard id='b' eventIds='Gone Go'/></ca:Stage>";
    let model = GO.to_string() + &type_of("T", false, stages);
    let loaded = project(&model, "", "", "EF B; @expect false\nEF A;", "");
    as_written(&loaded);
    // That the guard can never open follows from the unknown event, and is not told again.
    assert!(codes(&loaded).contains(&"W033") && !codes(&loaded).contains(&"W057"), "{:?}", codes(&loaded));
}

#[test]
fn a_creation_without_room_leaves_the_sender_as_it_is() {
    let model = type_of("T", false, "<ca:Stage id='S'><ca:StageGuard id='g' eventIds='Create_T'/></ca:Stage>");
    let agents = "role R { instantiation: T; }; agent ann { role: R; vars: 0..3 made = 0; protocol: Create_T: true -> made = made + 1; };";
    let properties = "EF (overflow && ann.made == 1); AG ann.made <= 1;";
    as_written(&project(&model, "", agents, properties, "[options]\ncreation = \"overflow\"\n"));
}

#[test]
fn payload_is_taken_only_where_the_event_was_sent() {
    let message = "<xs:element name='In'><xs:complexType><xs:attribute name='sent' type='xs:boolean'/></xs:complexType></xs:element>";
    let data = |id| {
        format!(
            "<xs:element name='{id}'><xs:complexType><xs:attribute name='got' type='xs:boolean'/></xs:complexType></xs:element>"
        )
    };
    let events = "<ca:EventModel id='e'><ca:Event id='Go'><ca:InputMsg id='i' schemaUri='d.xsd' rootElement='In'/></ca:Event></ca:EventModel>";
    let work = |guard: &str| {
        format!(
            "<ca:Stage id='Work'><ca:StageGuard id='w' {guard}/><ca:Milestone id='Done'><ca:Condition id='d' \
             expression=\"GSM.hasTaskCompleted('Note')\"/></ca:Milestone><ca:Task id='Note'><ca:Assign><ca:Mapping type='set'>\
             <ca:Source refType='serviceRequest' XPath='In/sent'/><ca:Target refType='artifact' XPath='got'/></ca:Mapping></ca:Assign>\
             </ca:Task></ca:Stage>"
        )
    };
    let here = type_of("Here", true, &work("eventIds='Go'"));
    let there = type_of("There", true, &work("expression=\"GSM.isRelatedArtifactStageActive('Here','Work')\""));
    let schema = message.to_string() + &data("Here") + &data("There");
    let properties = "EF exists x : Here (x.got); EF exists x : There (x.Done); AG forall x : There (!x.got);";
    as_written(&project(&(events.to_string() + &here + &there), &schema, "", properties, ""));
}

#[test]
fn constants_outside_a_given_range_are_errors_after_any_comparison() {
    let data =
        "<xs:element name='T'><xs:complexType><xs:attribute name='n' type='xs:int'/></xs:complexType></xs:element>";
    let model = type_of("T", true, "<ca:Stage id='S'><ca:StageGuard id='g' expression='n &lt; 7'/></ca:Stage>");
    let loaded = project(&model, data, "", "", "[ranges]\n\"T.n\" = [0, 3]\n");
    assert!(loaded.app.is_none());
    assert_eq!(codes(&loaded), ["E052"]);
}

#[test]
fn a_window_over_what_a_type_lacks_is_false_for_it() {
    let data =
        "<xs:element name='T'><xs:complexType><xs:attribute name='n' type='xs:boolean'/></xs:complexType></xs:element>";
    let stage = "<ca:Stage id='S'><ca:StageGuard id='g' eventIds='Go'/></ca:Stage>";
    let model = GO.to_string() + &type_of("T", true, stage) + &type_of("U", false, stage);
    let agents = "role R { window: n || !n; instantiation: T, U; }; agent ann { role: R; };";
    let properties = "EF exists x : T (x.S); @expect false\nEF exists x : U (x.S);";
    let loaded = project(&model, data, agents, properties, "");
    as_written(&loaded);
    assert!(codes(&loaded).contains(&"W058"), "{:?}", codes(&loaded));
}

/// `kind` is ⊥, green or one of those that the agent knows; the agent's own variable has no place for the first two.
#[test]
fn a_text_that_a_private_enumeration_lacks_leaves_it_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.gsm");
    let text = "application Memory\n\
        event Name { kind: string }\n\
        type Box {\n  kind: string\n  stage S {\n    guard g on Name\n    milestone m achieved a on Name when kind == \"green\"\n  }\n}\n\
        agents {\n  role R { instantiation: Box; };\n  agent anna {\n    role: R;\n    vars: {blue, red} last = red;\n\
        \x20   protocol: Create_Box: true -> , Name: true -> last = kind;\n  }\n}\n\
        properties {\n  AG anna.last == red;\n  EF overflow;\n}\n";
    std::fs::write(&file, text).expect("a file");
    as_written(&load(&Request { dir: Some(file), ..Request::default() }));
}
