//! What the same words mean in properties, windows and protocols.

use super::show;
use crate::lang::gsm::Application;
use crate::lang::testing::{with_agents, with_properties};
use crate::machine::Domain;

/// The atoms of a property.
fn atoms(property: &str) -> Vec<String> {
    let (loaded, text) = with_properties(property);
    let app = loaded.app.unwrap_or_else(|| panic!("{text}"));
    let mut out = Vec::new();
    loaded.properties[0].formula.atoms(&mut |e| out.push(show(&app, e)));
    out
}

#[test]
fn properties_speak_of_some_created_instance_per_atom() {
    for (text, expected) in [
        ("EF parts == 3", "some Order v0: v0.parts == 3"),
        ("EF 3 == Order.parts + 1", "some Order v0: 3 == (v0.parts + 1)"),
        ("EF (express && parts == 3)", "(some Order v0: v0.express & some Order v1: v1.parts == 3)"),
        ("EF express == GSM.isStageActive('Order', 'Packing')", "some Order v0: v0.express == v0.Packing"),
        ("EF amount < parts", "some Invoice v0: some Order v1: v0.amount < v1.parts"),
        ("EF GSM.isMilestoneAchieved('CustomerOrder', 'Packed')", "some Order v0: v0.Packed"),
        ("EF GSM.isStageCompleted('Packing')", "some Order v0: v0.Packing:Completed"),
        ("EF overflow", "overflow"),
        ("EF (ann.made && ann.n > 1)", "(ann.made & ann.n > 1)"),
        ("EF exists x : Order (x.created)", "some Order v0: v0.created"),
        ("EF exists x : Order (x.address.city != x.street)", "some Order v0: v0.address.city != v0.address.street"),
        (
            "EF exists x : Order (x.outOfOrder('Packing') || x.skipped('Billing') || x.faulty('Handling'))",
            "some Order v0: (v0.Packing:OutOfOrder | v0.Billing:Skipped | v0.Handling:Faulty)",
        ),
        (
            "EF exists x : Order (x.isStageActive('Packing') && parts == 1)",
            "some Order v0: (v0.Packing & some Order v1: v1.parts == 1)",
        ),
        (
            "EF forall x : Order (exists y : Invoice (y.ParentOrder == 1 && x.parts == y.amount))",
            "all Order v0: some Invoice v1: (v1.ParentOrder == 1 & v0.parts == v1.amount)",
        ),
        ("EF exists x : Order (EF x.Packing)", "v0.Packing"),
        ("EF speed == fast", "some Order v0: v0.speed == 'fast'"),
    ] {
        assert_eq!(atoms(text), [expected], "{text}");
    }
}

#[test]
fn mistakes_about_instances_in_properties() {
    let properties = "EF GSM.isStageActive('Pakcing');\nEF x.outOfOrder('Packing');\nEF GSM.hasTaskCompleted('MakeInvoice');\n\
        EF GSM.isRelatedArtifactStageActive('Invoice', 'Collecting');\nEF forall x : Order (x.isStageActive('Invoice', 'Collecting'));\n\
        EF forall x : Order (x);\nEF tag == 'a';\nEF ParentOrder == 3;\n\
        EF (parts == 7 && ann.n == 9);\nEF Packed.x;";
    let (_, text) = with_properties(properties);
    insta::assert_snapshot!(text);
}

const ROLES: &str = "role Buyer { view: customer, speed; window: customer == $$ && GSM.isStageActive('Order', 'Handling'); instantiation: Order; };\n\
    role Clerk { window: customer != bob; };\n";

fn app(agents: &str) -> Application {
    let (loaded, text) = with_agents(&format!("{ROLES}{agents}"));
    loaded.app.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn windows_are_false_for_types_that_lack_what_they_ask_for() {
    let app = app("agent ann { role: Buyer; }; agent bob { role: Clerk; };");
    let windows: Vec<String> = app.roles.iter().flat_map(|r| &r.types).map(|t| show(&app, &t.window)).collect();
    assert_eq!(windows, ["(this.customer == $$ & this.Handling)", "false", "this.customer != 'bob'", "false"]);
}

#[test]
fn names_in_protocols_are_variables_then_fields_then_attributes() {
    let app = app("agent ann { role: Buyer; vars: {lo, hi} parts = lo, bool done = false; protocol:
        Create_Order: customer == $$ && speed == fast && parts == hi -> parts = lo, done = express,
        Pack: Order.parts < 2 && customer == $$ && parts != lo -> ; };
        agent bob { role: Buyer; };");
    let agents = app.agents.as_ref().expect("agents");
    let entries = agents[0].protocol.as_ref().expect("a protocol");
    let conditions: Vec<String> = entries.iter().map(|e| show(&app, &e.targets[0].condition)).collect();
    assert_eq!(conditions[0], "(?customer == $$ & ?speed == 'fast' & ann.parts == 'hi')");
    assert_eq!(conditions[1], "(this.parts < 2 & this.customer == $$ & ann.parts != 'lo')");
    let updates: Vec<String> = entries[0].targets[0].updates.iter().map(|(_, e)| show(&app, e)).collect();
    assert_eq!(updates, ["'lo'", "?express"]);
}

#[test]
fn creation_carries_what_protocols_name_and_texts_know_the_agents() {
    let app = app("agent ann { role: Buyer; protocol: Create_Order: customer == $$ || customer == 'eve' -> ; };
        agent bob { role: Buyer; }; agent cat { role: Clerk; protocol: Pack: true -> ; };");
    let create = app.events.iter().find(|e| e.id == "Create_Order").expect("a creation event");
    let names: Vec<&str> = create.payload.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["customer"]);
    let order = &app.types[0];
    let customer = &order.attrs[order.attr("customer").expect("an attribute")].domain;
    let values = ["ann", "bob", "eve"].map(str::to_string).to_vec();
    assert_eq!(*customer, Domain::Enum { values, bottom: true }, "agents of the role with a window on it, constants");
    assert_eq!(create.payload[0].domain, *customer);
}
