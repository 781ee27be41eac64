//! Construct by construct, what readers ignore, and with which warning.

use super::{findings, folder, toml};

/// Findings of a project, the model's name first.
fn told(name: &str, model: &str, more: &[(&str, &str)]) -> Vec<String> {
    let settings = more.iter().find(|(n, _)| *n == "settings").map_or("", |(_, text)| *text);
    let toml = toml(name) + settings;
    let mut files = vec![(name, model), ("gsmc.toml", toml.as_str())];
    files.extend(more.iter().filter(|(n, _)| *n != "settings"));
    findings(folder(&files).path())
}

/// Fails with every row whose findings are not exactly these.
fn compare(rows: Vec<(&str, Vec<String>, &[&str])>) {
    let wrong: Vec<String> = rows
        .into_iter()
        .filter(|(_, found, expected)| found != expected)
        .map(|(what, found, expected)| format!("{what}\n  expected {expected:#?}\n  found    {found:#?}"))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A Barcelona model; `$…` stands for what is inserted.
fn barcelona(stage: &str, component: &str, root: &str, events: &str) -> String {
    format!(
        r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication"><ca:EventModel><ca:Event id="E"><ca:InputMsg id="Msg" schemaUri="t.xsd" rootElement="T"/></ca:Event>{events}</ca:EventModel>
<ca:Component id="T"><ca:InformationModel rootDataItemId="T"><ca:DataItem id="T" schemaUri="t.xsd" rootElement="T"/></ca:InformationModel>{component}<ca:GuardedStageModel>
<ca:Stage id="S"><ca:StageGuard eventIds="E" expression="n &lt; 9"/><ca:Milestone id="M"><ca:Condition eventIds="E"/></ca:Milestone>{stage}</ca:Stage></ca:GuardedStageModel></ca:Component>{root}</ca:CompositeApplication>"#
    )
}

const XSD: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="T"><xs:complexType><xs:attribute name="n" type="xs:int"/><xs:attribute name="k" type="xs:int"/></xs:complexType></xs:element></xs:schema>"#;

fn xml(stage: &str, component: &str, root: &str, events: &str) -> Vec<String> {
    told("m.xml", &barcelona(stage, component, root, events), &[("t.xsd", XSD)])
}

#[test]
fn barcelona_xml() {
    let stage = |text: &str| xml(text, "", "", "");
    let task = |inside: &str| stage(&format!(r#"<ca:Task id="t"><ca:Assign>{inside}</ca:Assign></ca:Task>"#));
    let n = r#"<ca:Target refType="artifact" XPath="/T/n"/>"#;
    compare(vec![
        ("nothing", stage(""), &[]),
        ("comments and instructions", stage("<!-- a --><?b c?>"), &[]),
        ("descriptions", stage(r#"<ca:StageGuard description="d" version="1" name="x" eventIds="E"/>"#), &[]),
        (
            "unknown elements, each kind once",
            stage("<ca:Gaurd/><ca:Gaurd/><ca:Stage id=\"Q\"/>"),
            &["W031 element 'Gaurd' in 'Stage' is ignored", "W031 element 'Stage' in 'Stage' is ignored"],
        ),
        ("elements of others", stage("<x/>"), &["W031 element 'x' in 'Stage' is ignored"]),
        (
            "elements elsewhere",
            xml("", "<ca:Task id=\"t\"/>", "<ca:Stage id=\"X\"/>", "<ca:Message/>"),
            &[
                "W031 element 'Message' in 'EventModel' is ignored",
                "W031 element 'Task' in 'Component' is ignored",
                "W031 element 'Stage' in 'CompositeApplication' is ignored",
            ],
        ),
        (
            "unknown attributes, each kind once",
            stage(
                r#"<ca:StageGuard id="x" eventId="E" expression="n &gt; 8"/><ca:StageGuard id="y" eventId="E" expression="n &gt; 8"/>"#,
            ),
            &["W032 attribute 'eventId' of 'StageGuard' is ignored"],
        ),
        (
            "text",
            stage(
                "<ca:StageGuard eventIds=\"E\">n == 2</ca:StageGuard><ca:StageGuard id=\"h\" eventIds=\"E\">n == 2</ca:StageGuard>",
            ),
            &["W031 text inside 'StageGuard' is ignored"],
        ),
        (
            "a second root item",
            xml("", "<ca:InformationModel rootDataItemId=\"Q\"/>", "", ""),
            &["W032 a second 'rootDataItemId' is ignored"],
        ),
        (
            "eventIds that name nothing",
            stage("<ca:StageGuard id=\"x\" eventIds=\"E Q\"/>"),
            &["W033 no event is called 'Q'"],
        ),
        ("what a message says back", xml("", "", "", "<ca:Event id=\"F\"><ca:OutMsg id=\"O\"/></ca:Event>"), &[]),
        (
            "the source of add",
            task(&format!(r#"<ca:Mapping type="add"><ca:Source refType="constant" expression="5"/>{n}</ca:Mapping>"#)),
            &["W139 'add' counts 'n' up by one: its Source is ignored"],
        ),
        (
            "add by one",
            task(&format!(r#"<ca:Mapping type="add"><ca:Source refType="constant" expression="1"/>{n}</ca:Mapping>"#)),
            &[],
        ),
        (
            "targets elsewhere",
            task(
                r#"<ca:Mapping><ca:Source refType="constant" expression="1"/><ca:Target targetId="Q" refType="serviceRequest" XPath="/T/n"/></ca:Mapping>"#,
            ),
            &[
                "W139 targetId 'Q' is ignored: an attribute of 'T' is written",
                "W139 refType 'serviceRequest' is ignored: an attribute of 'T' is written",
            ],
        ),
        (
            "sources elsewhere",
            task(&format!(r#"<ca:Mapping><ca:Source sourceId="Q" refType="artifact" XPath="/T/k"/>{n}</ca:Mapping>"#)),
            &["W139 sourceId 'Q' is ignored: an attribute of 'T' is read"],
        ),
        (
            "path and expression",
            task(&format!(
                r#"<ca:Mapping><ca:Source refType="constant" XPath="/T/k" expression="1"/>{n}</ca:Mapping>"#
            )),
            &["W139 'XPath' is ignored beside the other"],
        ),
        (
            "the type of a mapping of an Invoke",
            stage(&format!(
                r#"<ca:Task id="t"><ca:Invoke serviceDefinitionId="Q"><ca:Mapping type="add">{n}</ca:Mapping></ca:Invoke></ca:Task>"#
            )),
            &["W139 type 'add' is ignored in an Invoke: the attribute is set"],
        ),
    ]);
}

#[test]
fn xml_schemas() {
    let of = |inside: &str, attributes: &str| {
        let xsd = XSD.replace("</xs:complexType>", &format!("{inside}</xs:complexType>"));
        let xsd = xsd.replace("name=\"k\"", &format!("name=\"k\" {attributes}"));
        told("m.xml", &barcelona("", "", "", ""), &[("t.xsd", &xsd)])
    };
    let simple = |facet: &str| {
        format!(
            r#"<xs:attribute name="q"><xs:simpleType><xs:restriction base="xs:string">{facet}</xs:restriction></xs:simpleType></xs:attribute>"#
        )
    };
    compare(vec![
        ("nothing", of("", ""), &[]),
        (
            "without meaning",
            of(
                "<xs:annotation><xs:documentation>x</xs:documentation></xs:annotation>",
                "use=\"required\" form=\"qualified\"",
            ),
            &[],
        ),
        (
            "facets",
            of(&simple(r#"<xs:pattern value="a*"/><xs:length value="3"/>"#), ""),
            &["W035 schema construct 'pattern' is ignored", "W035 schema construct 'length' is ignored"],
        ),
        ("groups", of("<xs:anyAttribute/>", ""), &["W035 schema construct 'anyAttribute' is ignored"]),
        (
            "attributes",
            of("", "maxOccur=\"5\" abstract=\"true\""),
            &["W035 schema attribute 'maxOccur' is ignored", "W035 schema attribute 'abstract' is ignored"],
        ),
        (
            "how often",
            of(r#"<xs:sequence><xs:element name="z" type="xs:int" maxOccurs="many"/></xs:sequence>"#, ""),
            &["E027 'many' is not how often something may occur"],
        ),
    ]);
}

#[test]
fn notation() {
    let of = |top: &str, body: &str| {
        told(
            "m.gsm",
            &format!(
                "application A\nevent E\n{top}\ntype T {{\n  n: int 0..3\n  stage S {{ guard on create; milestone M on E }}\n  {body}\n}}\n"
            ),
            &[],
        )
    };
    compare(vec![
        ("nothing", of("", ""), &[]),
        ("comments", of("// a", "/* b */\n  /// c"), &[]),
        (
            "what goes out carries nothing",
            of("sends F { x: int }", ""),
            &["E132 an event that is sent to the environment carries nothing here"],
        ),
        (
            "initial values of events",
            of("event F { x: int = 3 }", "stage Q { guard on F }"),
            &["E132 'x' has no initial value: whoever sends the event chooses"],
        ),
        (
            "references of events",
            of("event F { x: ref Q }", "stage Q { guard on F }"),
            &["E016 unknown artifact type 'Q'"],
        ),
        (
            "unknown lines",
            of("colour = red", "actor A"),
            &["E130 'colour' cannot stand here", "E130 'actor' cannot stand here"],
        ),
        ("unknown settings", of("options { idel = terminal }", ""), &["E101 unknown key 'idel'"]),
    ]);
}

#[test]
fn agents_properties_and_settings() {
    let model = "application A\nevent E\ntype T {\n  stage S { guard on create; milestone M on E }\n}\n";
    let agents = |role: &str, agent: &str| {
        told("m.gsm", &format!("{model}agents {{ role R {{ {role} }}; agent a {{ role: R; {agent} }}; }}\n"), &[])
    };
    let property = |text: &str| told("m.gsm", &format!("{model}properties {{ {text} }}\n"), &[]);
    let settings = |text: &str| told("m.gsm", model, &[("settings", text)]);
    compare(vec![
        ("role", agents("veiw: x;", ""), &["E060 unknown field 'veiw'"]),
        ("agent", agents("", "vras: bool x;"), &["E060 unknown field 'vras'"]),
        ("twice", agents("view: ; view: ;", ""), &["E061 'view' is given twice"]),
        ("annotation", property("@exepct true\n p: EF true"), &["E081 unknown annotation '@exepct'"]),
        (
            "annotation of nothing",
            property("p: EF true\n\n @expect false"),
            &["E083 no property follows this annotation"],
        ),
        ("key", settings("colour = 1\n"), &["E101 unknown key 'colour'"]),
        ("option", settings("[options]\nidel = \"never\"\n"), &["E101 unknown key 'idel'"]),
        ("name", settings("[instances]\nQ = 2\n"), &["E016 unknown artifact type 'Q'"]),
    ]);
}

#[test]
fn settings_of_other_languages() {
    let amber = |text: &str| told("m.amber", "amber A\naction a\n", &[("settings", text)]);
    let cmmn = |text: &str| told("m.cmmn", &case("", ""), &[("settings", text)]);
    let egsm = |text: &str| {
        told("m.gsm", "application A egsm\nevent E\ntype T { stage S { guard on E } }\n", &[("settings", text)])
    };
    let schemas = "schemas = [\"a.xsd\"]\n";
    let predicates = "[abstraction]\npredicates = [\"x > 1\"]\n";
    compare(vec![
        ("amber", amber(schemas), &["E109 'schemas' means nothing where the model's language is amber"]),
        ("amber", amber(predicates), &["E109 'abstraction' means nothing where the model's language is amber"]),
        ("amber", amber("[options]\nkeep_all = true\n"), &[]),
        ("cmmn", cmmn(schemas), &["E109 'schemas' means nothing where the model's language is cmmn"]),
        (
            "cmmn",
            cmmn("[options]\nkeep_all = true\n"),
            &["E109 'keep_all' is for GSM and AMBER models, and the model's language is cmmn"],
        ),
        (
            "cmmn",
            cmmn("[instances]\ni = \"any\"\n"),
            &[
                "W266 'instances' does nothing to 'i': there is one of it at a time: nothing lets several begin",
                "E109 'any number of instances' means nothing where the model's language is cmmn",
            ],
        ),
        (
            "egsm",
            egsm("[options]\nkeep_all = true\n"),
            &["E109 'keep_all' is for GSM and AMBER models, and the model's language is egsm"],
        ),
        ("egsm", egsm(predicates), &["E109 'abstraction' means nothing where the model's language is egsm"]),
    ]);
}

#[test]
fn egsm() {
    let model = |sentry: &str, event: &str, xsd: &str| {
        let text = format!(
            r#"<ca:CompositeApplicationType xmlns:ca="http://siena.ibm.com/model/CompositeApplication"><ca:EventModel><ca:Event id="E">{event}</ca:Event><ca:Event id="Truck_l"/><ca:Event id="Truck_e"/></ca:EventModel>
<ca:Component id="T"><ca:InformationModel><ca:DataItem id="I" schemaUri="t.xsd" rootElement="infoModel"/></ca:InformationModel><ca:GuardedStageModel><ca:Stage id="S"><ca:DataFlowGuard id="g" expression="isEventOccurring(E)"/>{sentry}</ca:Stage></ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>"#
        );
        let xsd = format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="E"/><xs:element name="Truck"><xs:complexType><xs:attribute name="status" type="xs:string"{xsd}</xs:complexType></xs:element></xs:schema>"#
        );
        told("m.xml", &text, &[("t.xsd", &xsd)])
    };
    let sentry = |text: &str| model(text, "", "/>");
    compare(vec![
        ("nothing", sentry(""), &[]),
        (
            "eventIds alone",
            sentry("<ca:FaultLogger id=\"f\" eventIds=\"E\"/>"),
            &["W184 eventIds of 'f' is ignored, and without an expression it always holds"],
        ),
        ("unknown elements", sentry("<ca:Foo/>"), &["W031 element 'Foo' in 'Stage' is ignored"]),
        (
            "languages",
            sentry("<ca:FaultLogger id=\"f\" language=\"Java\" expression=\"isEventOccurring(E)\"/>"),
            &["E029 unknown expression language 'Java'"],
        ),
        (
            "what events carry",
            model("", "<ca:InputMsg id=\"m\" schemaUri=\"t.xsd\" rootElement=\"Truck\"/>", "/>"),
            &["W190 what events carry is ignored: E"],
        ),
        (
            "data without a status",
            model("", "", "/><xs:attribute name=\"weight\" type=\"xs:int\"/>"),
            &["W190 data that is no item's status is ignored: Truck.weight"],
        ),
        (
            "initial values",
            model("", "", " default=\"idle\"/>"),
            &["W190 the initial value of 'Truck.status' is ignored: at the start it is not set"],
        ),
        ("tasks", sentry("<ca:Task id=\"t\"/>"), &["E180 stage 'S' has a task"]),
    ]);
    let notation = |body: &str| told("m.gsm", &format!("application A egsm\nevent E\ntype T {{\n{body}\n}}\n"), &[]);
    compare(vec![
        ("on E", notation("stage S { guard on E }"), &[]),
        (
            "creation",
            notation("created by C { x: int }\nstage S { guard on create }"),
            &[
                "E180 nothing is created in an E-GSM model",
                "W187 event 'C' is named 'Create_T'; its id counts",
                "W190 what events carry is ignored: C",
                "E180 nothing is created in an E-GSM model",
            ],
        ),
        (
            "attributes",
            notation("x: int\nstage S { guard on E }"),
            &["W190 data that is no item's status is ignored: x"],
        ),
    ]);
}

#[test]
fn amber() {
    let of = |lines: &str| told("m.amber", &format!("amber A\naction a\n{lines}\n"), &[]);
    compare(vec![("comments", of("# x\n// y\n/* z */"), &[])]);
    // Nothing is ignored: what is no line of AMBER is an error.
    for line in [
        "node b",
        "action b by C",
        "action b = 3",
        "block X by",
        "bound",
        "actor C sees q",
        "a -> b -[",
        "type T",
        "var x",
        "const c",
    ] {
        let found = of(line);
        assert!(found.iter().any(|f| f.starts_with('E')), "{line}: {found:?}");
    }
}

fn case(item: &str, plan: &str) -> String {
    format!(
        "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" xmlns:flowable=\"http://flowable.org/cmmn\"><case id=\"c\"><casePlanModel id=\"p\">\
         <planItem id=\"i\" definitionRef=\"t\">{item}</planItem>{plan}<humanTask id=\"t\"/></casePlanModel></case></definitions>"
    )
}

#[test]
fn cmmn() {
    let plan = |text: &str| told("m.cmmn", &case("", text), &[]);
    let item = |text: &str| {
        told(
            "m.cmmn",
            &case(
                text,
                "<sentry id=\"s\"><planItemOnPart sourceRef=\"i\"><standardEvent>complete</standardEvent></planItemOnPart></sentry>",
            ),
            &[],
        )
    };
    compare(vec![
        ("nothing", plan(""), &[]),
        (
            "documentation",
            plan("<documentation>x</documentation><textAnnotation id=\"a\"><text>x</text></textAnnotation>"),
            &[],
        ),
        (
            "unknown elements, each kind once",
            plan("<sentri id=\"q\"/><sentri/>"),
            &["W268 element 'sentri' in 'casePlanModel' is ignored"],
        ),
        (
            "elements elsewhere",
            plan("<entryCriterion sentryRef=\"s\"/><ifPart/>"),
            &[
                "W268 element 'entryCriterion' in 'casePlanModel' is ignored",
                "W268 element 'ifPart' in 'casePlanModel' is ignored",
            ],
        ),
        (
            "attributes",
            plan("<milestone id=\"m\" autoComplete=\"true\" repeat=\"yes\"/>"),
            &[
                "W268 attribute 'autoComplete' of 'milestone' is ignored",
                "W268 attribute 'repeat' of 'milestone' is ignored",
            ],
        ),
        (
            "a second if-part",
            plan("<sentry id=\"s\"><ifPart/><ifPart/></sentry>"),
            &["W268 a second 'ifPart' of a sentry is ignored"],
        ),
        (
            "values",
            plan("<stage id=\"x\" autoComplete=\"yes\"/><humanTask id=\"u\" isBlocking=\"no\"/>"),
            &[
                "W269 'yes' is no value of 'autoComplete': it is taken as if it were not there",
                "W269 'no' is no value of 'isBlocking': it is taken as if it were not there",
            ],
        ),
        (
            "values of extensions",
            item("<exitCriterion sentryRef=\"s\" flowable:exitType=\"some\" flowable:exitEventType=\"end\"/>"),
            &[
                "W269 'some' is no value of 'exitType': it is taken as if it were not there",
                "W269 'end' is no value of 'exitEventType': it is taken as if it were not there",
            ],
        ),
        (
            "rules that are not there",
            plan(
                "<planningTable><discretionaryItem id=\"d\" definitionRef=\"t\" applicabilityRuleRefs=\"r\"/></planningTable>",
            ),
            &[
                "W269 there is no applicability rule 'r': it is left out",
                "W265 Flowable does not run discretionary items: it is left out",
            ],
        ),
        (
            "details",
            plan(
                "<humanTask id=\"u\" flowable:formKey=\"f\" flowable:assignee=\"x\"><extensionElements><flowable:foo/></extensionElements></humanTask>",
            ),
            &["W270 details that change nothing here are ignored: foo, formKey"],
        ),
    ]);
}
