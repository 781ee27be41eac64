//! Schemas in several files, with groups, and with elements that contain themselves.

use gsmc::{Options, Plan, Project, check};

const MODEL: &str = r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="a">
<ca:Component id="T" name="T">
  <ca:InformationModel id="I" rootDataItemId="T"><ca:DataItem id="T" schemaUri="T.xsd" rootElement="T"/></ca:InformationModel>
  <ca:GuardedStageModel id="G" name="G">
    <ca:Stage id="S" name="S">
      <ca:StageGuard id="g" eventIds="E" expression="CONDITION" language="OCL"/>
      <ca:Milestone id="m" name="m" eventIds="F"><ca:Condition/></ca:Milestone>
    </ca:Stage>
  </ca:GuardedStageModel>
</ca:Component>
<ca:EventModel id="M" name="M">
  <ca:Event id="E" name="E"><ca:InputMsg id="in" schemaUri="T.xsd" rootElement="T"/></ca:Event><ca:Event id="F" name="F"/>
</ca:EventModel>
</ca:CompositeApplication>"#;

/// The first file includes the second, and the second the first.
const FIRST: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:include schemaLocation="parts.xsd"/>
<xs:element name="T"><xs:complexType>
  <xs:sequence><xs:element name="address" type="Address"/><xs:element name="top" type="Tree"/><xs:group ref="marks"/></xs:sequence>
  <xs:attributeGroup ref="counted"/>
</xs:complexType></xs:element>
</xs:schema>"#;

const PARTS: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:include schemaLocation="T.xsd"/>
<xs:attributeGroup name="counted"><xs:attribute name="n" type="Small"/></xs:attributeGroup>
<xs:group name="marks"><xs:sequence><xs:element name="mark" type="xs:boolean"/></xs:sequence></xs:group>
<xs:simpleType name="Small"><xs:restriction base="xs:int"><xs:minInclusive value="0"/><xs:maxInclusive value="3"/></xs:restriction></xs:simpleType>
<xs:complexType name="Address"><xs:attribute name="zip" type="Small"/></xs:complexType>
<xs:complexType name="Tree">
  <xs:sequence><xs:element name="left" type="Tree"/></xs:sequence><xs:attribute name="colour" type="Small"/>
</xs:complexType>
</xs:schema>"#;

fn project(condition: &str, first: &str) -> Result<Project, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("model.xml", &MODEL.replace("CONDITION", condition));
    write("T.xsd", first);
    write("parts.xsd", PARTS);
    write("p.gsmp", "opens: EF exists x : T (x.S)\n\nonly: AG forall x : T (x.S -> x.n == 3)");
    let options = Options { properties: vec![folder.path().join("p.gsmp")], ..Options::default() };
    Project::open(folder.path().join("model.xml"), &options).map_err(|why| why.to_string())
}

#[test]
fn what_is_included_and_grouped_are_attributes() {
    let condition = "self.n = 3 and self.mark and self.address.zip &lt; 2 and top.colour = 1";
    let opened = project(condition, FIRST).unwrap_or_else(|why| panic!("{why}"));
    let results = check(&opened, &Plan::default()).results;
    let verdicts: Vec<Option<bool>> = results.iter().map(|r| r.verdict.holds()).collect();
    assert_eq!(verdicts, [Some(true), Some(true)]);
    let warned = opened.diagnostics.iter().any(|d| d.message.contains("'left' contains itself"));
    assert!(warned, "what is left out is told");
}

#[test]
fn what_contains_itself_cannot_be_read() {
    let why = project("top.left.colour = 1", FIRST).err().expect("an error");
    assert!(why.contains("error[E046]") && why.contains("'left' contains itself"), "{why}");
}

#[test]
fn groups_and_files_that_are_not_there() {
    let why = project("n = 1", &FIRST.replace("ref=\"counted\"", "ref=\"counter\"")).err().expect("an error");
    assert!(why.contains("unknown group 'counter'") && why.contains("counted"), "{why}");
    let why = project("n = 1", &FIRST.replace("\"parts.xsd\"", "\"other.xsd\"")).err().expect("an error");
    assert!(why.contains("schema 'other.xsd' not found"), "{why}");
    let why = project("n = 1", &FIRST.replace("\"parts.xsd\"", "\"../parts.xsd\"")).err().expect("an error");
    assert!(why.contains("leads out of the model's folder"), "{why}");
}
