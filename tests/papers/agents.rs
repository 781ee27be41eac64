//! "Model Checking GSM-Based Multi-Agent Systems" (P. Gonzalez, A. Griesmayer, A. Lomuscio): Table 1, the example of section 4.2, and the agents file
//! of Figure 3.

use crate::rows::{Row, check_rows, corrected, open, renamed, row};

/// Table 1; verdicts of section 6.
const TABLE_1: [Row; 4] = [
    row(
        "Table 1 (1)",
        "AG ∀x : CO((x.BId = Dio ∧ ¬x.Cancelled) → K_{Dio} EF x.Received)",
        "AG forall x : CO ((x.BId == 'Dio' && !x.Cancelled) -> K(Dio, EF x.Received))",
        Some(true),
    ),
    row(
        "Table 1 (2)",
        "EF ∃x : CO(x.BId ≠ Dio ∧ K_{Dio} x.Received)",
        "EF exists x : CO (x.BId != 'Dio' && K(Dio, x.Received))",
        Some(false),
    ),
    row(
        "Table 1 (3)",
        "AG ∀x : CO((x.BId = Dio ∧ x.Ready) → K_{Dio} x.Parts = 3)",
        "AG forall x : CO ((x.BId == 'Dio' && x.Ready) -> K(Dio, x.Parts == 3))",
        Some(true),
    ),
    row(
        "Table 1 (4)",
        "EF ∃x : CO(x.BId = Dio ∧ x.Cancelled ∧ ¬Dio.cancelled)",
        "EF exists x : CO (x.BId == 'Dio' && x.Cancelled && !Dio.cancelled)",
        Some(false),
    ),
];

#[test]
fn properties_of_table_1() {
    let folder = renamed("order-to-cash", &[("CustomerOrder", "CO"), ("CustomerId", "BId"), ("Diogenes", "Dio")]);
    check_rows(folder.path(), "", &TABLE_1);
}

/// A model for the formula of section 4.2.
const ORDERS: &str = "application Orders
event Send
type Order {
  stage Sending { guard on create; milestone sent on Send }
}
agents {
  role Sender { instantiation: Order; };
  agent i { role: Sender; };
}
";

#[test]
fn the_example_of_section_4() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("orders.gsm");
    std::fs::write(&model, ORDERS).expect("a model");
    let rows = [corrected(
        "4.2",
        "AG ∀x : Order AF K_i x.sent",
        "AG forall x : Order (AF K(i, x.sent))",
        None,
        "no blank between Order and AF",
    )];
    check_rows(&model, "", &rows);
}

/// Figure 3, without a change.
const FIGURE_3: &str = r#"
role Customer {
  view: CustomerId, ManufacturerId;
  window: CustomerId == $$;
  instantiation: C0;
  transformation: condense_stage(C0, Preparing);
};

agent Diogenes {
  role: Customer;
  vars: bool cancelled = false;
  protocol:
    Create_C0: CustomerId == "Diogenes" -> cancelled = cancelled,
    OnCancel: true -> cancelled = true;
};
"#;

#[test]
fn the_agents_file_of_figure_3() {
    let folder = renamed("order-to-cash", &[("CustomerOrder", "C0")]);
    let file = folder.path().join("agents-3.gsma");
    std::fs::write(&file, FIGURE_3).expect("a file");
    // He sees what Preparing brings, not what is inside; and only he can cancel.
    let opened = open(
        folder.path(),
        "sees: EF exists x : C0 (x.Preparing && K_Diogenes x.Preparing)\n
         his: AG ∀x : C0 (x.Cancelled → Diogenes.cancelled = 1 ∧ x.CustomerId = Diogenes)\n
         other: EF ∃x : C0 (x.Cancelled)",
    );
    let opened = opened.unwrap_or_else(|why| panic!("{why}"));
    let results = gsmc::check(&opened, &gsmc::Plan::default());
    let verdicts: Vec<Option<bool>> = results.results.iter().map(|r| r.verdict.holds()).collect();
    // Nobody makes anything here: Preparing waits for an event that only Diogenes could send, and he may.
    assert_eq!(verdicts[1..], [Some(true), Some(true)]);
}
