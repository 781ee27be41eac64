//! Lines are counted alike in files of every system.

use super::folder;
use gsmc::lang::load::{Request, open};
use gsmc::log::{Log, Options};

const XML: &str = r#"<?xml version="1.0"?>
<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication">
  <ca:EventModel><ca:Event id="E"/></ca:EventModel>
  <ca:Component id="T">
    <ca:InformationModel><ca:DataItem id="T" schemaUri="t.xsd" rootElement="T"/></ca:InformationModel>
    <ca:GuardedStageModel>
      <ca:Stage id="S"><ca:StageGuard eventIds="E"
          expression="n &lt; 3
            &amp;&amp; m > 2"/><ca:Gaurd/></ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
</ca:CompositeApplication>
"#;
const XSD: &str = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n<xs:element name=\"T\"><xs:complexType>\n\
    <xs:attribute name=\"n\" type=\"xs:int\"/>\n<xs:attribute name=\"q\" type=\"xs:int\" odd=\"1\"/>\n</xs:complexType></xs:element>\n</xs:schema>\n";
const EGSM: &str = r#"<ca:CompositeApplicationType xmlns:ca="http://siena.ibm.com/model/CompositeApplication">
  <ca:Component id="T">
    <ca:GuardedStageModel>
      <ca:Stage id="S">
        <ca:DataFlowGuard id="g" expression="isEventOccurring(E)"/>
        <ca:FaultLogger id="f" expression="and"/>
      </ca:Stage>
    </ca:GuardedStageModel>
  </ca:Component>
</ca:CompositeApplicationType>
"#;
const AMBER: &str = "amber A # a comment\n\naction a\n/* two\nlines */ action b; a -> c\nb -> a\n";
const CMMN: &str = "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\">\n<case id=\"c\">\n<casePlanModel id=\"p\">\n\
    <planItem id=\"i\"\n definitionRef=\"nothing\"/>\n</casePlanModel></case></definitions>\n";
const GSM: &str = "application A // the first\n\nevent E\n\n/// A type.\ntype T {\n  x: int 0..3\n  stage S {\n    guard g on E\n      \
    && y\n    milestone M when\n  }\n}\nagents {\n  role R { };\n  agent a { role: Q; }\n}\nproperties {\np: EF\nx.Y;\n\nEF )\n}\n";
const AGENTS: &str = "// who\nrole R {\n  view: z;\n};\nagent a { role: R;\n  protocol: E: true ->,\n F: ; };\n";
const PROPERTIES: &str = "# all\np1: AG true\n\nEF foo ==\n\n@expect maybe\nAG (\n  true;\n";

/// Place and message of everything that is wrong with files, and the comments above properties.
fn places(files: &[(&str, String)]) -> Vec<String> {
    let dir = folder(&files.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>());
    let opened = open(&Request { dir: Some(dir.path().to_path_buf()), ..Request::default() });
    let place = |d: &gsmc::source::Diagnostic| d.span.map_or(String::new(), |s| opened.sources.place(s));
    let prefix = format!("{}/", dir.path().display());
    opened
        .diagnostics
        .sorted()
        .into_iter()
        .map(|d| format!("{} {}", place(d).replace(&prefix, ""), d.message))
        .collect()
}

#[test]
fn every_reader_counts_lines_alike() {
    let toml = |model: &str| {
        format!(
            "# settings\nmodel = \"{model}\"\nagents = \"a.gsma\"\nproperties = [\"p.gsmp\"]\n\n[options]\nidle = \"x\"\n"
        )
    };
    let projects: [(&str, &str, &[&str]); 6] = [
        (
            "m.xml",
            XML,
            &["m.xml:9:24", "m.xml:9:32", "a.gsma:3:9", "t.xsd:4:", "gsmc.toml:7:", "p.gsmp:4:", "p.gsmp:6:"],
        ),
        ("m.xml", EGSM, &["m.xml:5:", "m.xml:6:", "p.gsmp:4:", "a.gsma:7:"]),
        ("m.amber", AMBER, &["m.amber:5:", "p.gsmp:4:"]),
        ("m.cmmn", CMMN, &["m.cmmn:4:", "p.gsmp:4:"]),
        ("m.gsm", GSM, &["m.gsm:10:", "m.gsm:11:", "a.gsma:7:"]),
        ("m.xml", "<a>\n<b>\n</a>\n", &["m.xml:3:"]),
    ];
    for (name, model, expected) in projects {
        let files = [("t.xsd", XSD), ("a.gsma", AGENTS), ("p.gsmp", PROPERTIES), (name, model)];
        let with = |end: &str| {
            let all = files.iter().map(|(name, text)| (*name, text.replace('\n', end)));
            places(&all.chain([("gsmc.toml", toml(name).replace('\n', end))]).collect::<Vec<_>>())
        };
        let plain = with("\n");
        for place in expected {
            assert!(plain.iter().any(|f| f.starts_with(place)), "{place} is not among {plain:#?}");
        }
        assert_eq!(plain, with("\r\n"), "{name} with two characters");
        assert_eq!(plain, with("\r"), "{name} with a carriage return");
    }
}

#[test]
fn logs_are_counted_alike() {
    let xes = "<log>\n<trace>\n<string key=\"concept:name\" value=\"c\"/>\n<event>\n<string key=\"concept:name\" value=\"E\"/>\n\
               </event>\n<event>\n</event>\n</trace>\n</log>\n";
    let logs = [
        ("a.csv", "case,activity\nc,E\n\"d\nd\",E\ne\n\nf,E\n", vec![2, 3, 5, 7]),
        ("a.jsonl", "{\"case\":\"c\",\"activity\":\"E\"}\n\n{\"case\":\"d\",\"activity\":\"E\"}\nno\n", vec![1, 3, 4]),
        ("a.xes", xes, vec![4, 7]),
    ];
    for (name, text, lines) in logs {
        for end in ["\n", "\r\n", "\r"] {
            let dir = folder(&[(name, &text.replace('\n', end))]);
            let log = Log::from(dir.path().join(name));
            let events = gsmc::log::open(&log, &Options::default()).expect("a log");
            let found: Vec<u64> = events.map(|e| e.map_or_else(|fault| fault.line.unwrap_or(0), |e| e.line)).collect();
            assert_eq!(found, lines, "{name} with {end:?}");
        }
    }
}

#[test]
fn the_one_style_has_plain_lines() {
    let text = "application A\nevent E  // so\n\ntype T { stage S { guard on E } }\n";
    for end in ["\n", "\r\n", "\r"] {
        let formatted = gsmc::lang::fmt::format(&text.replace('\n', end), gsmc::lang::syntax::Dialect::Notation);
        assert_eq!(formatted, Ok(text.to_string()), "{end:?}");
    }
}
