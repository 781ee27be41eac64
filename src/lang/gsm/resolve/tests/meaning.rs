//! What models mean: the structure that comes out.

use super::{DATA, application, component, name, read, read_with, schema, show, with_guard};
use crate::lang::gsm::EventIx;
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::resolve::ModelOptions;
use crate::lang::gsm::{DataKind, ExprKind, TaskSource, TaskStep};
use crate::machine::Domain;

/// The expression of the guard, in a short form that shows all of it.
fn meaning(guard: &str) -> String {
    let app = with_guard(guard).sound(&[]);
    show(&app, &app.types[0].stages[0].guards[0].sentry.expr)
}

#[test]
fn operators_mean_what_the_table_says() {
    for (text, expected) in [
        ("GSM.isStageActive('B')", "this.B"),
        ("Model.GSM.isStageActive(B)", "this.B"),
        ("this.isStageActive('First')", "this.A"),
        ("GSM.isStageActive('T', 'B')", "this.B"),
        ("GSM.isStageActive('U', 'Z')", "some related U v0: v0.Z"),
        ("GSM.IsStageCompleted('B')", "this.B:Completed"),
        ("GSM.isMilestoneAchieved('Done')", "this.a"),
        ("GSM.isMilestoneAchieved('U','z')", "some related U v0: v0.z"),
        ("GSM.isMilestoneAchievedOnEvent('b')", "this.b:JustAchieved"),
        ("GSM.milestoneInvalidatedOnEvent('b')", "this.b:JustInvalidated"),
        ("GSM.stageActivatedOnEvent('B')", "this.B:Opened"),
        ("GSM.StageClosedOnEvent('B')", "this.B:Closed"),
        ("GSM.isEventOccurring('E')", "@E"),
        ("GSM.isEventOccurring('T', 'E')", "@E"),
        ("GSM.isEventOccurring(Create_T)", "@Create_T"),
        ("GSM.hasTaskCompleted('Work')", "done Work"),
        ("GSM.isRelatedArtifactStageActive('U','Z')", "some related U v0: v0.Z"),
        ("GSM.hasRelatedArtifactMilestoneBeenAchieved('U','z')", "some related U v0: v0.z"),
        ("GSM.hasGroupOfAnyRelatedArtifactsMilestoneBeenAchieved('U','z')", "some related U v0: v0.z"),
        (
            "GSM.hasGroupOfAllRelatedArtifactsMilestoneBeenAchieved('U','z')",
            "(some related U v0: true & all related U v1: v1.z)",
        ),
        ("GSM.RelatedArtifactMilestoneAchievedOnEvent('U','z')", "some related U v0: v0.z:JustAchieved"),
    ] {
        assert_eq!(meaning(text), expected, "{text}");
    }
}

#[test]
fn connectives_paths_and_values() {
    for (text, expected) in [
        ("Flag &amp;&amp; !Day || Count &lt; 3", "((this.Flag & !this.Day) | this.Count < 3)"),
        ("Flag and not Day or Count lt 3", "((this.Flag & !this.Day) | this.Count < 3)"),
        ("T.Count + 1 &gt;= 2 * 3", "(this.Count + 1) >= (2 * 3)"),
        ("Address.City == 'x'", "this.Address.City == 'x'"),
        ("Zip == 4", "this.Address.Zip == 4"),
        ("this.Depot.City ne &quot;y&quot;", "this.Depot.City != 'y'"),
        ("Status == Open", "this.Status == 'Open'"),
        ("Flag xor Day", "!(this.Flag <-> this.Day)"),
        ("Flag implies Day", "(this.Flag -> this.Day)"),
        ("Flag == true", "this.Flag == true"),
        ("GSM.isStageActive('B') == Flag", "this.B == this.Flag"),
    ] {
        assert_eq!(meaning(text), expected, "{text}");
    }
}

#[test]
fn ocl_over_related_artifacts() {
    for (text, expected) in [
        ("U->exists(u | u.Price &gt; 3)", "some related U v0: v0.Price > 3"),
        ("this.U->forAll(u | u.Z and not u.z)", "all related U v0: (v0.Z & !v0.z)"),
        ("U->exists(Price = 3)", "some related U v0: v0.Price == 3"),
        ("U->size() &gt; 1", "#U > 1"),
        ("U->isEmpty()", "!some related U v0: true"),
        ("U->notEmpty()", "some related U v0: true"),
        ("U->exists(u | u.isStageActive('Z') and Flag)", "some related U v0: (v0.Z & this.Flag)"),
        (
            "U->exists(u | T->exists(t | t.Count &lt;&gt; u.Price))",
            "some related U v0: some related T v1: v1.Count != v0.Price",
        ),
    ] {
        assert_eq!(meaning(text), expected, "{text}");
    }
}

#[test]
fn places_inside_attributes_survive_entities() {
    let case = with_guard("Flag &amp;&amp; Cuont &lt; 3");
    let d = case.diags.iter().next().expect("an unknown name");
    assert_eq!(d.span.map(|s| case.sources.text(s)), Some("Cuont"));
}

#[test]
fn event_ids_are_separated_by_blanks_or_commas_and_may_contain_blanks() {
    let events = r#"<ca:Event id="On-Order"/><ca:Event id="On Pay"/><ca:Event id="e3" name="Third"/>"#;
    let stages = r#"<ca:Stage id="A"><ca:StageGuard eventIds=" On-Order,On Pay  Third
 Create_T"/><ca:Milestone id="m" eventIds="e3"><ca:Condition/><ca:Condition eventIds="On-Order"/><ca:InvalidateCondition/></ca:Milestone></ca:Stage>"#;
    let app =
        read(&[("model.xml", &application(events, &component("T", stages))), ("data.xsd", &schema(DATA))]).sound(&[]);
    let ids = |events: &[EventIx]| events.iter().map(|&e| app.events[e].id.clone()).collect::<Vec<_>>();
    let t = &app.types[0];
    assert_eq!(ids(&t.stages[0].guards[0].sentry.events), ["On-Order", "On Pay", "e3", "Create_T"]);
    assert_eq!(ids(&t.milestones[0].achieving[0].sentry.events), ["e3"], "the milestone's, for want of own ones");
    assert_eq!(ids(&t.milestones[0].achieving[1].sentry.events), ["On-Order"]);
    assert_eq!(ids(&t.milestones[0].invalidating[0].sentry.events), Vec::<String>::new());
    assert_eq!(t.milestones[0].achieving[1].id, "m_condition2");
}

#[test]
fn a_sentry_whose_events_are_all_unknown_is_false() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard id="g" eventIds="Nope" expression="Flag"/></ca:Stage>"#;
    let app = read(&[("model.xml", &application("", &component("T", stages))), ("data.xsd", &schema(DATA))]).sound(&[]);
    let sentry = &app.types[0].stages[0].guards[0].sentry;
    assert!(sentry.events.is_empty() && matches!(sentry.expr.kind, ExprKind::Bool(false)));
}

#[test]
fn tasks_do_what_their_mappings_say() {
    let stages = r#"<ca:Stage id="A"><ca:StageGuard eventIds="E"/><ca:Task id="t"><ca:Assign>
<ca:Mapping type="add"><ca:Source/><ca:Target XPath="T/Count"/></ca:Mapping>
<ca:Mapping><ca:Source refType="serviceRequest" sourceId="Msg" XPath="/U/@Price"/><ca:Target targetId="d" refType="artifact" xPath="Address/Zip"/></ca:Mapping>
<ca:Mapping type="set"><ca:Source refType="constant" expression="'Shut'"/><ca:Target XPath="Status"/></ca:Mapping>
<ca:Mapping><ca:Source refType="artifact" XPath="T/Depot/City"/><ca:Target XPath="T/Address/City"/></ca:Mapping>
</ca:Assign>
<ca:Invoke serviceDefinitionId="Create_U"><ca:Mapping><ca:Source refType="constant" expression="7"/><ca:Target XPath="U/Price"/></ca:Mapping></ca:Invoke>
<ca:Invoke serviceDefinitionId="Bank"><ca:InputMapping><ca:Source XPath="T/Count"/><ca:Target refType="serviceRequest" XPath="Bank/Count"/></ca:InputMapping>
<ca:OutputMapping><ca:Source/><ca:Target refType="artifact" XPath="T/Note"/></ca:OutputMapping></ca:Invoke></ca:Task></ca:Stage>"#;
    let other = r#"<ca:Stage id="Z"><ca:StageGuard expression="Price &gt; 5"/></ca:Stage>"#;
    let event = r#"<ca:Event id="E"><ca:InputMsg id="Msg" schemaUri="data.xsd" rootElement="U"/></ca:Event>"#;
    let types = format!("{}{}", component("T", stages), component("U", other));
    let app = read(&[("model.xml", &application(event, &types)), ("data.xsd", &schema(DATA))]).sound(&[]);
    let (t, u) = (&app.types[0], &app.types[1]);
    let (tat, uat) = (|p: &str| t.attr(p).expect("an attribute of T"), |p: &str| u.attr(p).expect("an attribute of U"));
    let steps = &t.tasks[0].steps;
    assert!(matches!(&steps[0], TaskStep::Add { target, .. } if *target == tat("Count")));
    assert!(matches!(&steps[1], TaskStep::Set { target, source: TaskSource::Field { name, events }, .. }
        if *target == tat("Address.Zip") && name == "Price" && *events == [EventIx(0)]));
    assert!(
        matches!(&steps[2], TaskStep::Set { target, source: TaskSource::Const(2), .. } if *target == tat("Status"))
    );
    assert!(matches!(&steps[3], TaskStep::Set { target, source: TaskSource::Attr(a), .. }
        if *target == tat("Address.City") && *a == tat("Depot.City")));
    let TaskStep::Create { ty: TypeIx(1), references, data, .. } = &steps[4] else { panic!("{:?}", steps[4]) };
    assert_eq!(*references, [uat("ParentT")]);
    let price = &u.attrs[uat("Price")].domain;
    assert!(
        matches!(data.as_slice(), [(a, TaskSource::Const(code))] if *a == uat("Price") && price.show(*code) == "7")
    );
    assert!(matches!(&steps[5], TaskStep::Call { service, fills, .. } if service == "Bank" && *fills == [tat("Note")]));
}

#[test]
fn reference_attributes_by_name_or_option() {
    let types = format!("{}{}", component("T", ""), component("U", ""));
    let files = [("model.xml", &*application("", &types)), ("data.xsd", &*schema(DATA))];
    let options = ModelOptions {
        bounds: vec![(name("T"), 3), (name("U"), 2)],
        relations: vec![(name("T.Count"), name("U"))],
        ..ModelOptions::default()
    };
    let app = read_with(&files, options).sound(&[]);
    let attr = |ty: usize, path: &str| {
        let t = &app.types[ty];
        let a = &t.attrs[t.attr(path).expect("an attribute")];
        (a.kind, a.domain.clone())
    };
    assert_eq!(attr(1, "ParentT"), (DataKind::Reference(TypeIx(0)), Domain::Int { lo: 0, hi: 3 }));
    assert_eq!(attr(0, "Count"), (DataKind::Reference(TypeIx(1)), Domain::Int { lo: 0, hi: 2 }));
}

#[test]
fn egsm_items_own_their_events() {
    let model = r#"<?xml version="1.0" encoding="UTF-8"?><x:CompositeApplicationType xmlns:x="http://siena.ibm.com/model/CompositeApplication" name="ship">
<x:EventModel><x:Event id="Truck_e"/><x:Event id="Truck_l"/><x:Event id="Ready"/></x:EventModel>
<x:Component id="P"><x:InformationModel rootDataItemId="infoModel"><x:DataItem id="infoModel" rootElement="infoModel" schemaUri="data/infoModel.xsd"/></x:InformationModel>
<x:GuardedStageModel><x:Stage id="S"><x:DataFlowGuard eventIds="Truck_e" expression="(({infoModel./infoModel/Truck/status} == [At Home])) and ({infoModel./infoModel/Truck/load} &gt; [3]) and GSM.isEventOccurring(Truck_e)"/>
<x:Milestone id="m"><x:Condition eventIds="Truck_l Ready" expression="not GSM.isStageActive(S)"/></x:Milestone>
<x:ProcessFlowGuard expression="GSM.isMilestoneAchieved(m)"/><x:FaultLogger eventIds="Ready"/></x:Stage></x:GuardedStageModel></x:Component></x:CompositeApplicationType>"#;
    let data = schema(
        r#"<xs:element name="Truck"><xs:complexType><xs:attribute name="timestamp" type="xs:dateTime"/><xs:attribute name="status" type="xs:string"/><xs:attribute name="load" type="xs:int"/></xs:complexType></xs:element>
<xs:element name="Other"><xs:complexType><xs:attribute name="status" type="xs:string"/></xs:complexType></xs:element>"#,
    );
    let app = read(&[("model.xml", model), ("infoModel.xsd", &data)]).sound(&[]);
    let stage = &app.types[0].stages[0];
    assert_eq!(
        show(&app, &stage.guards[0].sentry.expr),
        "(this.Truck.status == 'At Home' & this.Truck.load > 3 & @Truck_e)"
    );
    assert_eq!((stage.guards.len(), stage.flow_guards.len(), stage.fault_loggers.len()), (1, 1, 1));
    let fields = |e: usize| app.events[e].payload.iter().map(|f| f.name.as_str()).collect::<Vec<_>>();
    assert_eq!(fields(0), ["Truck.timestamp", "Truck.status", "Truck.load"]);
    assert_eq!(fields(1), fields(0));
    assert!(fields(2).is_empty());
    let status = &app.events[0].payload[1].domain;
    assert_eq!(*status, Domain::Enum { values: vec!["At Home".to_string()], bottom: true });
    assert_eq!(app.events.len(), 4, "with the creation event");
    assert_eq!(app.events[3].id, "Create_P");
}
