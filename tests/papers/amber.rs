//! "Verifying Business Processes using SPIN" (W. Janssen, R. Mateescu, S. Mauw, J. Springintveld): formulas of section 3.3 about Figure 8 and of section
//! 4.2 about Figure 10, with the verdicts of Table 1.

use crate::rows::{Row, agree, check_rows, corrected, example, row};

const FIGURE_8: [Row; 2] = [
    row("3.3, liveness", "<> executed_c", "LTL F executed(c)", Some(true)),
    row("3.3, safety", "[] p", "LTL G (i <= 10)", Some(true)),
];

/// The propositions of section 4.2 are printed above the properties; the garage of the repository has them in the model.
const DEFINITIONS: &str = "#define claim_approved (decision == Approved)
#define claim_below_6000 (damage <= 6000)
#define customer_4 (customerId == 4)
#define claim_rejected  (decision == Rejected)
";

const PROPERTIES: [Row; 5] = [
    row(
        "Property 1",
        "[] (!damage_repair W claim_approved)",
        "LTL G (!executed('damage repair') W decision == 'Approved')",
        Some(true),
    ),
    row(
        "Property 2",
        "[] ((claim_below_6000 && customer_4) -> <> claim_approved)",
        "LTL G ((damage <= 6000 && customerId == 4) -> F decision == 'Approved')",
        Some(false),
    ),
    corrected(
        "Property 3",
        "[] (!deliver_car W damage_repair)",
        "LTL G (!executed('deliver car') W executed('damage repair'))",
        Some(false),
        "a quotation mark for the exclamation mark (scan)",
    ),
    corrected(
        "Property 4",
        "[] (claim_rejected -> [] !damage_repair)",
        "LTL G (decision == 'Rejected' -> G !executed('damage repair'))",
        Some(true),
        "a quotation mark before the exclamation mark (scan)",
    ),
    corrected(
        "Property 5",
        "[] (claim_rejected -> [] !submit_invoice)",
        "LTL G (decision == 'Rejected' -> G !executed('submit invoice'))",
        Some(true),
        "a quotation mark before the exclamation mark (scan)",
    ),
];

#[test]
fn formulas_about_the_loop() {
    check_rows(&example("amber/ten-times"), "#define p (i <= 10)", &FIGURE_8);
}

#[test]
fn the_five_properties_of_the_garage() {
    check_rows(&example("amber/garage"), DEFINITIONS, &PROPERTIES);
    // And with boxes and diamonds.
    let symbols = [("[]", "□"), ("<>", "◇"), ("->", "⇒"), ("!", "¬"), ("&&", "∧")];
    for r in &PROPERTIES {
        let boxes = symbols.iter().fold(r.printed.to_string(), |text, (typed, printed)| text.replace(typed, printed));
        agree(&example("amber/garage"), r.at, DEFINITIONS, &boxes, r.plain);
    }
}

#[test]
fn weak_until_is_what_the_paper_defines() {
    let (folder, d) = (example("amber/garage"), DEFINITIONS);
    let (weak, strong) =
        ("!damage_repair W claim_approved", "([] !damage_repair) || (!damage_repair U claim_approved)");
    agree(&folder, "4.2, W", d, &format!("LTL {weak}"), strong);
    agree(&folder, "3.3, <->", d, "[] (claim_approved <-> <> claim_approved)", "□ (claim_approved ⇔ ◇ claim_approved)");
    agree(
        &folder,
        "section 5, consequence",
        d,
        "consequence(damage_repair, deliver_car)",
        "[] (damage_repair -> <> deliver_car)",
    );
}
