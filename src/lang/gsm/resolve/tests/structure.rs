//! Mistakes in the structure of a model file.

use super::{DATA, application, component, read, read_with, schema};
use crate::lang::gsm::resolve::ModelOptions;

fn findings(events: &str, components: &str) -> String {
    read(&[("model.xml", &application(events, components)), ("data.xsd", &schema(DATA))]).report()
}

#[test]
fn files_that_are_not_models() {
    let reports = [
        "",
        "<a",
        "<a>&unknown;</a>",
        "<a b=\"1\" b=\"2\"/>",
        "<a>\n<b></a>",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
        "<CompositeApplication/>",
        "<x:CompositeApplication xmlns:x=\"urn:other\"/>",
        "<ca:Component xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\"/>",
        "<ca:CompositeApplication xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\"/>",
    ]
    .map(|text| format!("### {text}\n{}\n", read(&[("model.xml", text)]).report()));
    insta::assert_snapshot!(reports.join("\n"));
}

#[test]
fn ids_missing_or_used_twice() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard id="g"/><ca:StageGuard id="g"/>
<ca:Milestone id="m"><ca:Condition/></ca:Milestone><ca:Milestone id="m"><ca:Condition/></ca:Milestone>
<ca:SubStage id="A"><ca:StageGuard/></ca:SubStage><ca:SubStage name="No id"><ca:StageGuard/></ca:SubStage></ca:Stage>"#;
    let types = format!("{}\n{}\n<ca:Component name=\"X\"/>", component("T", stages), component("T", ""));
    insta::assert_snapshot!(findings("<ca:Event id=\"E\"/>\n<ca:Event id=\"E\"/>\n<ca:Event/>", &types));
}

#[test]
fn unknown_elements_and_attributes_once_per_kind() {
    let stages = r#"<ca:Stage id="A" colour="red"><ca:StageGuard id="g" eventId="E"/><ca:StageGuard id="h" eventId="E"/><ca:Gaurd/><ca:Gaurd/>
<x/><y:Milestone xmlns:y="urn:y"/></ca:Stage>
<ca:SubStage id="B"/>"#;
    insta::assert_snapshot!(findings("<ca:Event id=\"E\"/>", &component("T", stages)));
}

#[test]
fn tasks_where_none_can_be() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard/><ca:Task id="t1"/><ca:SubStage id="B"><ca:StageGuard/><ca:Task id="t2"/><ca:Task id="t3"/></ca:SubStage></ca:Stage>"#;
    insta::assert_snapshot!(findings("", &component("T", stages)));
}

#[test]
fn mappings_that_make_no_sense() {
    let mapping =
        |kind: &str, source: &str, target: &str| format!("<ca:Mapping type=\"{kind}\">{source}{target}</ca:Mapping>");
    let count = r#"<ca:Target refType="artifact" XPath="T/Count"/>"#;
    let one = r#"<ca:Source refType="constant" expression="1"/>"#;
    let mappings = [
        mapping("set", one, ""),
        mapping("set", "", count),
        mapping("set", one, r#"<ca:Target XPath="T/Cuont"/>"#),
        mapping("set", one, "<ca:Target/>"),
        mapping("set", one, r#"<ca:Target XPath="City"/>"#),
        mapping("sum", one, count),
        mapping("add", one, r#"<ca:Target XPath="T/Note"/>"#),
        mapping("set", r#"<ca:Source refType="constant"/>"#, count),
        mapping("set", r#"<ca:Source refType="konstant" expression="1"/>"#, count),
        mapping("set", r#"<ca:Source refType="artifact" XPath="T/Note"/>"#, count),
        mapping("set", r#"<ca:Source refType="serviceRequest" sourceId="EE" XPath="q"/>"#, count),
        mapping("set", r#"<ca:Source refType="serviceRequest" sourceId="E" XPath="Prise"/>"#, count),
        mapping("set", &format!("{one}{one}"), count),
    ]
    .join("\n");
    let stages = format!(
        r#"<ca:Stage id="A"><ca:StageGuard eventIds="E"/><ca:Task id="t"><ca:Assign>
{mappings}
</ca:Assign><ca:Invoke/></ca:Task></ca:Stage>"#
    );
    let event = r#"<ca:Event id="E"><ca:InputMsg id="Msg" schemaUri="data.xsd" rootElement="U"/></ca:Event>"#;
    insta::assert_snapshot!(findings(event, &component("T", &stages)));
}

#[test]
fn events_that_do_not_exist_or_are_not_used() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard id="g" eventIds="Ordre,Pay Create_T"/><ca:StageGuard id="h" eventIds="Nope"/>
<ca:Milestone id="m" eventIds="Order"><ca:Condition id="c" eventIds="Shp"/></ca:Milestone></ca:Stage>"#;
    let events = r#"<ca:Event id="Order"/>
<ca:Event id="Pay"/>
<ca:Event id="Ship" name="Shipping"/>
<ca:Event id="Told"><ca:OutMsg/></ca:Event>"#;
    insta::assert_snapshot!(findings(events, &component("T", stages)));
}

#[test]
fn stages_and_milestones_out_of_reach() {
    let stages = r#"<ca:Stage id="A"><ca:Milestone id="m" eventIds="E"/></ca:Stage>"#;
    insta::assert_snapshot!(findings("<ca:Event id=\"E\"/>", &component("T", stages)));
}

#[test]
fn unknown_languages() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard id="g" language="XPath" expression="true"/><ca:StageGuard id="h" language="ocl" expression="Count &lt;&gt; 3 implies not Flag"/></ca:Stage>"#;
    insta::assert_snapshot!(findings("", &component("T", stages)));
}

#[test]
fn options_that_name_nothing() {
    let n = |text: &str| super::name(text);
    let options = ModelOptions {
        bounds: vec![(n("T"), 2), (n("X"), 2)],
        relations: vec![(n("T.Cuont"), n("U")), (n("T.Count"), n("W")), (n("X.y"), n("T")), (n("Count"), n("T"))],
        ..ModelOptions::default()
    };
    let types = component("T", r#"<ca:Stage id="A"><ca:StageGuard/></ca:Stage>"#);
    let files = [("model.xml", &*application("", &types)), ("data.xsd", &*schema(DATA))];
    insta::assert_snapshot!(read_with(&files, options).report());
}
