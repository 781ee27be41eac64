//! Small projects for the tests of the readers.

use super::load::{Loaded, Request, load};
use crate::source::render_all;
use std::path::Path;

/// Two types: an order with data of every kind, and an invoice that a task of the order creates.
pub const MODEL: &str = r#"<?xml version="1.0"?>
<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="Shop">
  <ca:Component id="Order" name="CustomerOrder">
    <ca:InformationModel rootDataItemId="Order"><ca:DataItem id="Order" schemaUri="shop.xsd" rootElement="Order"/></ca:InformationModel>
    <ca:GuardedStageModel id="Order">
      <ca:Stage id="Handling" name="Handling">
        <ca:StageGuard id="starts" name="starts" eventIds="Create_Order"/>
        <ca:Milestone id="Shipped" name="Shipped" eventIds="Ship"><ca:Condition id="ship"/></ca:Milestone>
        <ca:Milestone id="Cancelled" name="Cancelled"><ca:Condition id="cancel" expression="GSM.isEventOccurring('Cancel')"/></ca:Milestone>
        <ca:SubStage id="Packing" name="Packing">
          <ca:StageGuard id="pack" name="go" eventIds="Pack" expression="parts &lt; 3"/>
          <ca:StageGuard id="repack" name="go" eventIds="Repack"/>
          <ca:Milestone id="Packed" name="Packed" eventIds="Pack"><ca:Condition id="packed"/></ca:Milestone>
          <ca:SubStage id="Counting" name="Counting">
            <ca:StageGuard id="count" eventIds="Count"/>
            <ca:Milestone id="Counted" name="Counted" eventIds="Count"><ca:Condition id="counted"/></ca:Milestone>
          </ca:SubStage>
        </ca:SubStage>
        <ca:SubStage id="Billing" name="Billing">
          <ca:StageGuard id="bill" eventIds="Bill"/>
          <ca:Milestone id="Billed" name="Billed"><ca:Condition id="billed" expression="GSM.hasTaskCompleted('MakeInvoice')"/></ca:Milestone>
          <ca:Task id="MakeInvoice" name="MakeInvoice"><ca:Invoke serviceDefinitionId="Create_Invoice"/></ca:Task>
        </ca:SubStage>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
  <ca:Component id="Invoice" name="Invoice">
    <ca:InformationModel rootDataItemId="Invoice"><ca:DataItem id="Invoice" schemaUri="shop.xsd" rootElement="Invoice"/></ca:InformationModel>
    <ca:GuardedStageModel id="Invoice">
      <ca:Stage id="Collecting" name="Collecting">
        <ca:StageGuard id="collect" eventIds="Create_Invoice"/>
        <ca:Milestone id="Paid" name="Paid" eventIds="Pay"><ca:Condition id="pay"/></ca:Milestone>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
  <ca:EventModel id="Events">
    <ca:Event id="Ship"/><ca:Event id="Cancel"/><ca:Event id="Pack"/><ca:Event id="Repack"/><ca:Event id="Count"/>
    <ca:Event id="Bill"/><ca:Event id="Pay"/>
  </ca:EventModel>
</ca:CompositeApplication>
"#;

/// The data of [`MODEL`].
pub const SCHEMA: &str = r#"<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="Order"><xs:complexType>
    <xs:sequence>
      <xs:element name="address"><xs:complexType>
        <xs:attribute name="city" type="xs:string"/><xs:attribute name="street" type="xs:string"/>
      </xs:complexType></xs:element>
      <xs:element name="tag" type="xs:string" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:attribute name="customer" type="xs:string"/>
    <xs:attribute name="parts" type="xs:int"/>
    <xs:attribute name="express" type="xs:boolean"/>
    <xs:attribute name="speed"><xs:simpleType><xs:restriction base="xs:string">
      <xs:enumeration value="slow"/><xs:enumeration value="fast"/>
    </xs:restriction></xs:simpleType></xs:attribute>
  </xs:complexType></xs:element>
  <xs:element name="Invoice"><xs:complexType>
    <xs:attribute name="amount" type="xs:int"/>
    <xs:attribute name="ParentOrder" type="xs:int"/>
  </xs:complexType></xs:element>
</xs:schema>
"#;

/// A folder with the shop and the given files; a later file of the same name replaces an earlier one.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for the test");
    let standard = [("gsmc.toml", "model = \"model.xml\"\n"), ("model.xml", MODEL), ("shop.xsd", SCHEMA)];
    for (name, text) in standard.iter().chain(files) {
        std::fs::write(dir.path().join(name), text).expect("a file for the test");
    }
    dir
}

/// Loads the folder of [`folder`].
pub fn project(files: &[(&str, &str)]) -> (Loaded, String) {
    let dir = folder(files);
    let loaded = load(&Request { dir: Some(dir.path().to_path_buf()), ..Request::default() });
    let text = messages(&loaded, dir.path());
    (loaded, text)
}

/// All findings as text, without the folder's name.
pub fn messages(loaded: &Loaded, dir: &Path) -> String {
    render_all(&loaded.diagnostics, &loaded.sources, false).replace(&format!("{}/", dir.display()), "")
}

/// The shop with an agents file.
pub fn with_agents(agents: &str) -> (Loaded, String) {
    project(&[("gsmc.toml", "model = \"model.xml\"\nagents = \"shop.gsma\"\n"), ("shop.gsma", agents)])
}

/// The shop with two agents and a property file.
pub fn with_properties(properties: &str) -> (Loaded, String) {
    let toml = "model = \"model.xml\"\nagents = \"shop.gsma\"\nproperties = [\"shop.gsmp\"]\n[instances]\nOrder = 2\n";
    let agents = "role Buyer { view: customer; instantiation: Order; };\n\
                  role Clerk { view: parts; };\n\
                  agent ann { role: Buyer; vars: bool made = false, 0..3 n = 1; protocol: Create_Order: customer == $$ -> made = true; };\n\
                  agent bob { role: Clerk; };\n";
    project(&[("gsmc.toml", toml), ("shop.gsma", agents), ("shop.gsmp", properties)])
}
