//! Projects in every language that gsmc reads, with a hostile text wherever one can stand.
//!
//! A template says `«k7»` where the text number 7 stands, written as `k` says: `q` and `d` in quotes of gsmc's own languages, `t` a
//! TOML string, `x` XML, `j` XML inside quotes of an expression, `v` a cell of a table, `s` a JSON string, `c` the rest of a comment's line.

use crate::texts::Carries;
use std::path::Path;

/// A project with holes.
pub struct Template {
    /// The language.
    pub language: &'static str,
    /// What its texts can be.
    pub carries: Carries,
    /// How many there are.
    pub texts: usize,
    /// Files: name and content.
    pub files: &'static [(&'static str, &'static str)],
}

impl Template {
    /// Writes the project with these texts.
    pub fn write(&self, folder: &Path, texts: &[String]) {
        for (name, content) in self.files {
            std::fs::write(folder.join(name), filled(content, texts)).expect("a file");
        }
    }
}

fn filled(content: &str, texts: &[String]) -> String {
    let mut out = String::new();
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('«') {
        let (hole, after) = after.split_once('»').expect("a hole ends");
        let (kind, number) = hole.split_at(1);
        out.push_str(before);
        out.push_str(&written(kind, &texts[number.parse::<usize>().expect("a number")]));
        rest = after;
    }
    out + rest
}

fn written(kind: &str, text: &str) -> String {
    let own = |quote: char| {
        let escape = |c: char| if c == '\\' || c == quote { format!("\\{c}") } else { c.to_string() };
        text.chars().map(escape).collect::<String>()
    };
    let xml = |text: &str| {
        text.chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("&#{};", c as u32) })
            .collect()
    };
    match kind {
        "q" => format!("'{}'", own('\'')),
        "d" => format!("\"{}\"", own('"')),
        "x" => xml(text),
        "j" => xml(&format!("'{}'", own('\''))),
        "t" | "s" => serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f"),
        "v" => format!("\"{}\"", text.replace('"', "\"\"")),
        "c" => text.to_string(),
        other => panic!("no kind of hole: {other}"),
    }
}

/// All of them.
pub const ALL: [&Template; 5] = [&NOTATION, &XML, &EGSM, &AMBER, &CMMN];

/// gsmc's own notation, agents and properties in it.
pub const NOTATION: Template = Template {
    language: "gsm",
    carries: Carries::Line,
    texts: 31,
    files: &[
        (
            "model.gsm",
            "application «q0»
event «q1» { «q2»: bool, «q3»: «q5».«q8», num }
event «q4»
// «c28»
/// «c28»
type «q5» «d6» {
  «q7»: bool
  «q8»: { «q9», «q10» }
  tx: string
  num: int
  created by «q11» { «q7», tx }
  stage «q12» «d13» {
    guard «q14» on create
    milestone «q15» on «q1» when self.«q7»
    milestone «q16» «d17» on «q4» when num > 2
    stage «q18» {
      guard «q19» on «q1» when self.«q8» == «d10»
      milestone «q20» on «q4» when tx != «d29»
    }
  }
}
",
        ),
        (
            "agents.gsma",
            "role «q21» { view: «q7», «q8»; instantiation: «q5»; };
agent «q22» { role: «q21»; vars: 0..1 «q23» = 0; protocol: «q11»: true -> , «q1»: true -> «q23» = 1; };
// «c28»
agent «q24» { role: «q21»; protocol: «q4»: true -> ; };
",
        ),
        (
            "properties.gsmp",
            "// «c28»
«q25»: AG forall x: «q5» (x.«q15» -> x.«q12» || x.«q8» == «d9»);
@expect false
«q26»: AG forall x: «q5» (!x.«q20»);
«q27»: AG forall x: «q5» (x.«q15» -> K(«q22», «q22».«q23» == 1));
«q30»: LTL(G F exists x: «q5» (x.«q16» && x.tx == «d29»));
",
        ),
        (
            "gsmc.toml",
            "# «c28»\nmodel = \"model.gsm\"\nagents = \"agents.gsma\"\nproperties = [\"properties.gsmp\"]\n[instances]\n«t5» = 1\n",
        ),
        (
            "log.csv",
            "case,activity,time,agent,«v2»,«v7»\n«v6»,«v11»,1,«v22»,,true\n«v6»,«v1»,2,«v22»,true,\n«v13»,«v28»,1,«v24»,,\n«v13»,«v4»,2,«v17»,,\n",
        ),
        (
            "log.jsonl",
            "{\"case\":«s6»,\"activity\":«s28»,\"time\":«s13»,\"agent\":«s17»}\n{\"case\":«s0»,\"activity\":«s1»,«s2»:«s6»}\n",
        ),
    ],
};

/// Barcelona XML with its schema.
const XML: Template = Template {
    language: "gsm",
    carries: Carries::XmlWord,
    texts: 24,
    files: &[
        (
            "model.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ca:CompositeApplication xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"«x0»\">
  <ca:Component id=\"«x1»\" name=\"«x2»\">
    <ca:InformationModel id=\"D\" rootDataItemId=\"«x1»\"><ca:DataItem id=\"«x1»\" schemaUri=\"data.xsd\" rootElement=\"«x1»\"/></ca:InformationModel>
    <ca:GuardedStageModel id=\"L\">
      <ca:Stage id=\"«x3»\" name=\"«x4»\">
        <ca:StageGuard id=\"«x5»\" name=\"«x6»\" eventIds=\"Create_Item\"/>
        <ca:Milestone id=\"«x7»\" name=\"«x8»\"><ca:Condition id=\"«x9»\" eventIds=\"«x10»\"/></ca:Milestone>
        <ca:SubStage id=\"«x11»\" name=\"«x12»\">
          <ca:StageGuard id=\"«x13»\" eventIds=\"«x10»\"/>
          <ca:Milestone id=\"«x14»\" name=\"«x14»\"><ca:Condition id=\"«x15»\" eventIds=\"«x16»\" expression=\"kind == «j17»\"/></ca:Milestone>
        </ca:SubStage>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
  <ca:EventModel id=\"Events\">
    <ca:Event id=\"«x10»\" name=\"«x18»\"><ca:InputMsg id=\"M\" schemaUri=\"data.xsd\" rootElement=\"«x10»\"/></ca:Event>
    <ca:Event id=\"«x16»\"/>
  </ca:EventModel>
</ca:CompositeApplication>
",
        ),
        (
            "data.xsd",
            "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">
  <xs:element name=\"«x1»\"><xs:complexType>
    <xs:attribute name=\"kind\" type=\"kinds\"/><xs:attribute name=\"«x19»\" type=\"xs:boolean\"/>
  </xs:complexType></xs:element>
  <xs:element name=\"«x10»\"><xs:complexType><xs:attribute name=\"kind\" type=\"kinds\"/></xs:complexType></xs:element>
  <xs:simpleType name=\"kinds\"><xs:restriction base=\"xs:string\"><xs:enumeration value=\"«x17»\"/><xs:enumeration value=\"«x20»\"/></xs:restriction></xs:simpleType>
</xs:schema>
",
        ),
        ("agents.gsma", "role R { view: kind; instantiation: «q1»; };\nagent «q21» { role: R; protocol: «q10»: true -> , «q16»: true -> ; };\n"),
        (
            "properties.gsmp",
            "«q22»: AG forall x: «q1» (!x.«q14»);\n«q23»: EF exists x: «q1» (x.«q7» && x.kind == «d20»);\n",
        ),
        ("gsmc.toml", "model = \"model.xml\"\nagents = \"agents.gsma\"\nproperties = [\"properties.gsmp\"]\n"),
    ],
};

/// E-GSM in XML, with a log.
pub const EGSM: Template = Template {
    language: "egsm",
    carries: Carries::XmlWord,
    texts: 14,
    files: &[
        (
            "model.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" version=\"2.0\" name=\"«x0»\">
 <ca:EventModel id=\"em\"><ca:Event id=\"«x1»\" name=\"«x2»\"/><ca:Event id=\"«x3»\" name=\"«x3»\"/></ca:EventModel>
 <ca:Component id=\"«x4»\">
  <ca:InformationModel id=\"infoModel\" rootDataItemId=\"infoModel\"><ca:DataItem id=\"infoModel\" rootElement=\"infoModel\" schemaUri=\"infoModel.xsd\"/></ca:InformationModel>
  <ca:GuardedStageModel id=\"g\">
   <ca:Stage id=\"«x5»\" name=\"«x6»\">
    <ca:DataFlowGuard id=\"«x7»\" expression=\"GSM.isEventOccurring(«j1»)\" language=\"JEXL\"/>
    <ca:Milestone id=\"«x8»\" name=\"«x8»\"><ca:Condition id=\"c\" expression=\"GSM.isEventOccurring(«j3»)\" language=\"JEXL\"/></ca:Milestone>
    <ca:SubStage id=\"«x9»\" name=\"«x9»\">
     <ca:DataFlowGuard id=\"g9\" expression=\"GSM.isEventOccurring(«j1»)\" language=\"JEXL\"/>
     <ca:FaultLogger id=\"f9\" expression=\"GSM.isEventOccurring(«j3»)\" language=\"JEXL\"/>
     <ca:Milestone id=\"«x10»\" name=\"m\"><ca:Condition id=\"c9\" expression=\"GSM.isEventOccurring(«j3»)\" language=\"JEXL\"/></ca:Milestone>
    </ca:SubStage>
   </ca:Stage>
  </ca:GuardedStageModel>
 </ca:Component>
</ca:CompositeApplicationType>
",
        ),
        (
            "infoModel.xsd",
            "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">
 <xs:element name=\"«x1»\"><xs:complexType><xs:attribute name=\"timestamp\" type=\"xs:dateTime\" use=\"required\"/></xs:complexType></xs:element>
 <xs:element name=\"«x3»\"><xs:complexType><xs:attribute name=\"timestamp\" type=\"xs:dateTime\" use=\"required\"/></xs:complexType></xs:element>
</xs:schema>
",
        ),
        ("gsmc.toml", "model = \"model.xml\"\nproperties = []\n"),
        ("log.csv", "case,activity,time\n«v11»,«v3»,«v12»\n«v11»,«v1»,2\n«v13»,«v1»,1\n«v12»,«v13»,1\n"),
        (
            "log.xes",
            "<log><trace><string key=\"concept:name\" value=\"«x11»\"/><event><string key=\"concept:name\" value=\"«x3»\"/></event><event><string key=\"concept:name\" value=\"«x12»\"/></event></trace></log>",
        ),
    ],
};

/// AMBER.
const AMBER: Template = Template {
    language: "amber",
    carries: Carries::Line,
    texts: 16,
    files: &[
        (
            "model.amber",
            "# «c15»
amber «d0»
type «d1» = {«d2», «d3»}
var «d4»: «d1» = «d2»
define «d5» = true
actor «d6» sees «d4»
actor «d7» sees «d4»
block «d8» by «d6» {
  action «d9» { «d4» := «d3» }
  interaction «d10»
  «d9» -> «d10»
}
block «d11» by «d7» {
  interaction «d12»
}
relation «d13»: «d8».«d10», «d11».«d12»
",
        ),
        ("p.gsmp", "«q14»: AG !«d12»;\n// «c15»\nends: AF executed(«d12»);\n"),
        ("gsmc.toml", "model = \"model.amber\"\nproperties = [\"p.gsmp\"]\n"),
    ],
};

/// CMMN.
const CMMN: Template = Template {
    language: "cmmn",
    carries: Carries::XmlWord,
    texts: 12,
    files: &[
        (
            "case.cmmn",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" targetNamespace=\"http://example.org/«x0»\">
  <caseFileItemDefinition id=\"cfd\"/>
  <case id=\"«x1»\" name=\"«x2»\">
    <caseFileModel><caseFileItem id=\"claim\" name=\"«x3»\" definitionRef=\"cfd\" multiplicity=\"ExactlyOne\"/></caseFileModel>
    <casePlanModel id=\"plan\" name=\"«x4»\">
      <planItem id=\"piR\" name=\"«x5»\" definitionRef=\"tR\"/>
      <planItem id=\"piA\" definitionRef=\"tA\"><entryCriterion id=\"nA\" name=\"«x6»\" sentryRef=\"sA\"/></planItem>
      <planItem id=\"piM\" definitionRef=\"m\"><entryCriterion id=\"nM\" sentryRef=\"sM\"/></planItem>
      <sentry id=\"sA\" name=\"«x7»\"><caseFileItemOnPart id=\"sA_on1\" sourceRef=\"claim\"><standardEvent>create</standardEvent></caseFileItemOnPart></sentry>
      <sentry id=\"sM\"><planItemOnPart id=\"sM_on1\" name=\"«x8»\" sourceRef=\"piA\"><standardEvent>complete</standardEvent></planItemOnPart></sentry>
      <humanTask id=\"tR\" name=\"«x9»\"/>
      <humanTask id=\"tA\" name=\"«x10»\"/>
      <milestone id=\"m\" name=\"«x11»\"/>
    </casePlanModel>
  </case>
</definitions>
",
        ),
        ("gsmc.toml", "model = \"case.cmmn\"\n"),
    ],
};
