//! Agents files: what they mean and how their mistakes read.

use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::{Application, ExprKind, RoleType, SentryRef, StageIx};
use crate::lang::testing::with_agents;
use crate::machine::Domain;

fn app(agents: &str) -> Application {
    let (loaded, text) = with_agents(agents);
    loaded.app.unwrap_or_else(|| panic!("{text}"))
}

fn role(agents: &str) -> (Application, RoleType) {
    let app = app(&format!("{agents}\nagent a {{ role: R; }};"));
    let role = app.roles[0].types[0].clone();
    (app, role)
}

fn events(app: &Application, role: &RoleType) -> Vec<String> {
    role.events.iter().map(|&e| app.events[e].id.clone()).collect()
}

/// Ids of the stages and milestones that are hidden.
fn hidden(app: &Application, role: &RoleType) -> Vec<String> {
    let t = &app.types[0];
    let stages = t.stages.iter().zip(&role.hidden_stages).filter(|(_, h)| **h).map(|(s, _)| s.id.clone());
    let milestones = t.milestones.iter().zip(&role.hidden_milestones).filter(|(_, h)| **h).map(|(m, _)| m.id.clone());
    stages.chain(milestones).collect()
}

#[test]
fn a_role_without_fields_sees_all_statuses_and_no_data() {
    let (app, role) = role("role R { };");
    assert!(role.view.is_empty() && !role.instantiates && hidden(&app, &role).is_empty());
    assert!(matches!(role.window.kind, ExprKind::Bool(true)));
    assert_eq!(events(&app, &role), ["Ship", "Cancel", "Pack", "Repack", "Count", "Bill"]);
}

#[test]
fn transformations_hide_and_delegate() {
    let hide = |t: &str| {
        let (app, role) = role(&format!("role R {{ transformation: {t}; }};"));
        (hidden(&app, &role).join(" "), events(&app, &role).join(" "))
    };
    let all = "Ship Cancel Pack Repack Count Bill";
    assert_eq!(hide("hide_stage_status(Order, Packing)"), ("Packing".into(), all.into()));
    assert_eq!(hide("hide_milestone(\"Order\", 'Packed')"), ("Packed".into(), all.into()));
    assert_eq!(
        hide("condense_stage(CustomerOrder, Packing)"),
        ("Counting Counted".into(), "Ship Cancel Pack Repack Bill".into())
    );
    assert_eq!(
        hide("eliminate_stage(Order, Packing)"),
        ("Packing Counting Packed Counted".into(), "Ship Cancel Bill".into())
    );
    // An event stays as long as one sentry that names it does.
    assert_eq!(hide("delegate_sentry(Order, pack)"), (String::new(), all.into()));
    assert_eq!(
        hide("delegate_sentry(Order, pack), delegate_sentry(packed)"),
        (String::new(), "Ship Cancel Repack Count Bill".into())
    );
    let everything = "Packing Counting Billing Packed Counted Billed";
    assert_eq!(hide("condense_stage(Handling)"), (everything.into(), "Ship Cancel".into()));
}

#[test]
fn delegated_sentries_are_listed_once() {
    let (_, role) = role(
        "role R { transformation: delegate_sentry(pack), condense_stage(Handling), delegate_sentry(Order, pack); };",
    );
    assert_eq!(role.delegated.iter().filter(|s| **s == SentryRef::Guard(StageIx(1), 0)).count(), 1);
}

#[test]
fn views_reach_every_type_and_nested_data() {
    let app =
        app("role R { view: parts, Order.customer, address, CustomerOrder.speed, amount; }; agent a { role: R; };");
    let view = |ty: usize| -> Vec<&str> {
        app.roles[0].types[ty].view.iter().map(|&a| app.types[ty].attrs[a].path.as_str()).collect()
    };
    let mut order = view(0);
    order.sort_unstable();
    assert_eq!(order, ["address.city", "address.street", "customer", "parts", "speed"]);
    assert_eq!(view(1), ["amount"]);
}

#[test]
fn a_window_over_what_a_type_lacks_is_false_there() {
    let (loaded, text) = with_agents("role R { window: customer == $$; }; agent a { role: R; };");
    let app = loaded.app.unwrap_or_else(|| panic!("{text}"));
    assert!(matches!(app.roles[0].types[0].window.kind, ExprKind::Compare(..)));
    assert!(matches!(app.roles[0].types[1].window.kind, ExprKind::Bool(false)));
    assert!(text.contains("warning[W058]"), "{text}");
}

#[test]
fn ranges_make_agents_with_names_and_variables_of_their_own() {
    let app = app("role R { instantiation: Order; };\n\
        agent 'first' { role: 'R'; };\n\
        agent B[3] { role: R; vars: bool on, 1..4 n = 2, -3..-1 m, {lo, 'hi', 7} level = 'hi'; protocol:\n\
          Create_Order: customer == $$ && n < 4 -> n = n + 1, level = lo,\n\
          Ship: on -> , Ship: !on || level == hi -> on = true, m = -2; };");
    let agents = app.agents.unwrap_or_default();
    assert_eq!(agents.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["first", "B1", "B2", "B3"]);
    let vars = &agents[2].vars;
    assert_eq!(vars.iter().map(|v| v.init).collect::<Vec<_>>(), [0, 2, -1, 1]);
    assert_eq!(vars[2].domain, Domain::Int { lo: -3, hi: -1 });
    let protocol = agents[2].protocol.as_ref().expect("a protocol");
    assert_eq!(protocol.iter().map(|e| e.targets[0].updates.len()).collect::<Vec<_>>(), [2, 0, 2]);
    let mut private = Vec::new();
    protocol[0].targets[0].updates[0].1.walk(&mut |e| {
        if let ExprKind::Private { agent, var } = e.kind {
            private.push((agent, var));
        }
    });
    assert_eq!(private, [(2, 1)]);
    assert!(agents[0].protocol.is_none());
}

#[test]
fn creation_carries_what_protocols_name() {
    let app = app("role R { instantiation: Order; };\n\
        agent a { role: R; protocol: Create_Order: customer == $$ -> ; };\n\
        agent b { role: R; protocol: Create_CustomerOrder: parts == 1 && customer == a -> ; };");
    let create = app.creation_event(TypeIx(0)).expect("a creation event");
    let mut names: Vec<&str> = app.events[create].payload.iter().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["customer", "parts"]);
}

#[test]
fn comments_quotes_and_loose_ends() {
    let app = app("// one\n/* two\n\n */ role R {; window : true ; ; instantiation: Order, } // no semicolon\n\
        agent a { role: R; protocol: Ship: true -> , };agent b { role: R; protocol: };");
    let agents = app.agents.unwrap_or_default();
    assert_eq!(agents[0].protocol.as_ref().map(Vec::len), Some(1));
    assert_eq!(agents[1].protocol.as_ref().map(Vec::len), Some(0));
}

#[test]
fn mistakes_of_form() {
    let (loaded, text) = with_agents(
        "roles R { };\n\
         role R { veiw: parts; window customer == 1; view: parts customer; window: a == ; instantiation: Order; instantiation: Order; };\n\
         agent a { role: R; vars: int n, bool on; protocol: Ship true -> ; };\n\
         agent b { role: R; protocol: Ship: true; };\n\
         agent c[0] { role: R; protocol: Ship: true -> a == 1; };\n\
         agent d[2000] { role: R; };\n\
         agent e { role: R\n\
         agent f { role: R; protocol: Ship: 'x -> ; };\n",
    );
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn mistakes_of_meaning() {
    let (loaded, text) = with_agents(
        "role R { view: part, Packing, tag; window: customer == 3; instantiation: Ordr;\n\
           transformation: hide_stage(Order, Packing), hide_milestone(Order, Paked), condense_stage(Order), delegate_sentry(Order, go),\n\
           delegate_sentry(pck), hide_stage_status(Order, Packing, x); };\n\
         role R { };\n\
         role Unused { };\n\
         agent AutoAgent { role: R; };\n\
         agent a { role: Q; };\n\
         agent a { };\n\
         agent b1 { role: R; vars: bool x, 0..3 x, 5..2 y, {u, v, u} z = w, bool k = 1, 0..9223372036854775807 big; protocol:\n\
           Ships: true -> , Create_Order: true -> , Pay: true -> , Ship: true -> xx = 1, x = true, x = false, z = q; };\n\
         agent b[1] { role: R; };\n",
    );
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_without_agents() {
    let (loaded, text) = with_agents("// nobody yet\n");
    assert!(loaded.app.is_some());
    insta::assert_snapshot!(text);
}

#[test]
fn a_window_and_a_protocol_line_for_one_type() {
    let (loaded, text) = with_agents(
        "role R { window: true; window Order: customer == $$; }; agent a { role: R; protocol: Pay Invoice: true -> ; };",
    );
    let Some(app) = loaded.app else { panic!("{text}") };
    assert!(matches!(app.roles[0].types[0].window.kind, ExprKind::Compare(..)));
    assert!(matches!(app.roles[0].types[1].window.kind, ExprKind::Bool(true)));
    let protocol = app.agents.as_ref().and_then(|a| a[0].protocol.as_ref()).expect("a protocol");
    assert_eq!(protocol[0].targets.iter().map(|t| t.ty).collect::<Vec<_>>(), [TypeIx(1)]);
    assert!(!text.contains("W060"), "{text}");
    let (_, text) = with_agents("role R { window Ordr: true; }; agent a { role: R; protocol: Pay Order: true -> ; };");
    insta::assert_snapshot!(text);
}
