//! Schema files: where they are looked for, and mistakes in them.

use super::{Case, application, component, read, read_with, schema};
use crate::lang::gsm::resolve::ModelOptions;

/// A model with one data item that this DataItem declares.
fn with_item(item: &str, others: &[(&str, &str)]) -> Case {
    let component = format!(
        r#"<ca:Component id="T"><ca:InformationModel rootDataItemId="d">{item}</ca:InformationModel><ca:GuardedStageModel><ca:Stage id="A"><ca:StageGuard expression="n == 1"/></ca:Stage></ca:GuardedStageModel></ca:Component>"#
    );
    let model = application("", &component);
    let mut files = vec![("model.xml", model.as_str())];
    files.extend(others);
    read(&files)
}

fn item(uri: &str) -> String {
    format!(r#"<ca:DataItem id="d" schemaUri="{uri}" rootElement="T"/>"#)
}

const NUMBER: &str =
    r#"<xs:element name="T"><xs:complexType><xs:attribute name="n" type="xs:int"/></xs:complexType></xs:element>"#;

#[test]
fn schemas_that_cannot_be_read() {
    let xml = |text: &str| vec![("data.xsd", text.to_string())];
    let cases: Vec<(String, Vec<(&str, String)>)> = vec![
        (item("data/other.xsd"), vec![]),
        (item("other.xsd"), vec![]),
        (item("../data.xsd"), xml(&schema(NUMBER))),
        (item("/etc/data.xsd"), xml(&schema(NUMBER))),
        (item("sub\\..\\..\\data.xsd"), xml(&schema(NUMBER))),
        (item("C:\\data.xsd"), xml(&schema(NUMBER))),
        (item("data.xsd"), xml("<a/>")),
        (item("data.xsd"), xml("<xs:schema")),
        (item("data.xsd"), xml(&schema("<xs:element name=\"Tt\"/>"))),
        (r#"<ca:DataItem id="d"/>"#.to_string(), vec![]),
        (r#"<ca:DataItem id="e" schemaUri="data.xsd"/>"#.to_string(), xml(&schema(NUMBER))),
    ];
    let report = |(item, files): &(String, Vec<(&str, String)>)| {
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
        format!("### {item}\n{}\n", with_item(item, &files).report())
    };
    insta::assert_snapshot!(cases.iter().map(report).collect::<Vec<_>>().join("\n"));
}

#[test]
fn schemas_are_found_as_written_then_beside_the_model_then_as_named_by_the_user() {
    assert!(with_item(&item("data.xsd"), &[("data.xsd", &schema(NUMBER))]).report().is_empty());
    assert!(with_item(&item("deep/down/data.xsd"), &[("data.xsd", &schema(NUMBER))]).report().is_empty());
    assert!(with_item(&item("http://example.org/data.xsd"), &[("data.xsd", &schema(NUMBER))]).report().is_empty());
    let elsewhere = tempfile::tempdir().expect("a folder can be made");
    let given = elsewhere.path().join("info_truck.xsd");
    std::fs::write(&given, schema(NUMBER)).expect("a file can be written");
    let model = application("", &component("T", r#"<ca:Stage id="A"><ca:StageGuard expression="n == 1"/></ca:Stage>"#));
    let options = ModelOptions { schemas: vec![given], ..ModelOptions::default() };
    assert!(read_with(&[("model.xml", &model)], options).report().is_empty());
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let elsewhere = tempfile::tempdir().expect("a folder can be made");
    let target = elsewhere.path().join("secret.xsd");
    std::fs::write(&target, schema(NUMBER)).expect("a file can be written");
    let case = with_item(&item("data.xsd"), &[]);
    std::os::unix::fs::symlink(&target, case.folder.path().join("data.xsd")).expect("a link can be made");
    let (mut diags, mut sources) = (crate::source::Diagnostics::new(), crate::source::Sources::new());
    let path = case.folder.path().join("model.xml");
    super::read_file(&path, ModelOptions::default(), &mut diags, &mut sources);
    let codes: Vec<&str> = diags.iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["E004"]);
}

#[test]
fn mistakes_in_schemas() {
    let inner = r#"<xs:include schemaLocation="x.xsd"/>
<xs:element name="T"><xs:complexType>
<xs:attribute name="n" type="xs:int" default="many"/>
<xs:attribute name="b" type="xs:boolean" fixed="maybe"/>
<xs:attribute name="u" type="Unknwon"/>
<xs:attribute name="s" type="Small"/>
<xs:attribute name="e" type="Colour" default="grey"/>
<xs:attribute type="xs:int"/>
<xs:anyAttribute/>
</xs:complexType></xs:element>
<xs:simpleType name="Small"><xs:restriction base="xs:decimal"><xs:minInclusive value="1.5"/><xs:maxInclusive value="x"/><xs:pattern value="."/></xs:restriction></xs:simpleType>
<xs:simpleType name="Colour"><xs:restriction base="xs:string"><xs:enumeration value="red"/><xs:enumeration value="green"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Unknown"><xs:restriction base="xs:string"/></xs:simpleType>"#;
    insta::assert_snapshot!(with_item(&item("data.xsd"), &[("data.xsd", &schema(inner))]).settled(&[]));
}

#[test]
fn elements_that_contain_themselves() {
    let inner = r#"<xs:element name="T" type="Part"/>
<xs:complexType name="Part"><xs:sequence><xs:element name="left" type="Part"/><xs:element name="right" type="Part"/></xs:sequence></xs:complexType>"#;
    insta::assert_snapshot!(with_item(&item("data.xsd"), &[("data.xsd", &schema(inner))]).report());
}
