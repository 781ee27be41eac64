//! "Model Checking Tool for Artifact Interoperations (MOCAI), Iteration II", ACSI D2.2.2 (P. Gonzalez, A. Griesmayer), and the first paper on GSMC,
//! "Verifying GSM-Based Business Artifacts" (P. Gonzalez, A. Griesmayer, A. Lomuscio, ICWS 2012), which prints the same formulas.

use crate::rows::{Row, agree, check_rows, corrected, example, row};

/// Section 2.1: research proposals. The propositions are milestones of the one proposal.
const PROPOSITIONS: &str = "#define Γ {PM, PO, PI, LR}
#define big (exists x : RPE (x.ProjectType == 'Big'))
#define accepted (exists x : RPE (x.Accepted))
#define revised (exists x : RPE (x.Revised))
#define approved (exists x : RPE (x.Approved))
#define rejected (exists x : RPE (x.Refused))
";

const PROPOSAL: [Row; 3] = [
    row("2.1, reachability", "EF approved", "EF exists x : RPE (x.Approved)", Some(true)),
    row(
        "2.1, knowledge of the group",
        "AG((big ∧ accepted ∧ revised) → AF E_Γ(approved ∨ rejected))",
        "AG ((exists x : RPE (x.ProjectType == 'Big')) && (exists x : RPE (x.Accepted)) && (exists x : RPE (x.Revised))
            -> AF EK({PM, PO, PI, LR}, (exists x : RPE (x.Approved)) || (exists x : RPE (x.Refused))))",
        Some(true),
    ),
    row(
        "2.1, strategy of the group",
        "AG((big ∧ accepted ∧ revised) → ⟨⟨Γ⟩⟩F approved)",
        "AG ((exists x : RPE (x.ProjectType == 'Big')) && (exists x : RPE (x.Accepted)) && (exists x : RPE (x.Revised))
            -> <<PM, PO, PI, LR>> F exists x : RPE (x.Approved))",
        None,
    ),
];

const FIGURE_8: [Row; 3] = [
    row(
        "Figure 8, first",
        "AG (  ParentFPR == 0
    || BiddingStyle != \"FreeForm\"
    || !GSM.isMilestoneAchieved('SupplierResponse', 'SelectedAsWinner')
    || EF GSM.isMilestoneAchieved('FixedPriceRequest', 'WinnerAssigned')
)",
        "AG ((exists r : SupplierResponse (r.ParentFPR == 0)) || (exists r : SupplierResponse (r.BiddingStyle != 'FreeForm'))
            || !(exists r : SupplierResponse (r.SelectedAsWinner)) || EF exists f : FixedPriceRequest (f.WinnerAssigned))",
        None,
    ),
    row(
        "Figure 8, second",
        "EF (  ParentFPR == 1
    && GSM.isMilestoneAchieved('FixedPriceRequest', 'WinnerAssigned')
    && !GSM.isMilestoneAchieved('SupplierResponse', 'SelectedAsWinner')
)",
        "EF ((exists r : SupplierResponse (r.ParentFPR == 1)) && (exists f : FixedPriceRequest (f.WinnerAssigned))
            && !exists r : SupplierResponse (r.SelectedAsWinner))",
        None,
    ),
    row(
        "Figure 8, third",
        "EF (  GSM.isMilestoneAchieved('FixedPriceRequest', 'RequesterReadySubmit')
    && EF GSM.isMilestoneAchieved('FixedPriceRequest', 'Drafted')
)",
        "EF ((exists f : FixedPriceRequest (f.RequesterReadySubmit)) && EF exists f : FixedPriceRequest (f.Drafted))",
        None,
    ),
];

/// Section 6.2 of the deliverable, section V.B of the first paper; verdicts of Table 4 and Table II.
const FIXED_PRICE: [Row; 5] = [
    row(
        "6.2, milestones can be achieved",
        "EF MilestoneAchieved('Drafted')",
        "EF exists f : FixedPriceRequest (f.Drafted)",
        Some(true),
    ),
    row(
        "6.2, winner can be assigned",
        "AG (MilestoneAchieved('SelectedAsWinner')
→ EF MilestoneAchieved('WinnerAssigned'))",
        "AG ((exists r : SupplierResponse (r.SelectedAsWinner)) -> EF exists f : FixedPriceRequest (f.WinnerAssigned))",
        Some(true),
    ),
    corrected(
        "V.B of the first paper, winner can be assigned",
        "AG (MilestoneAchieved('SelectedAsWinner') → EF MilestoneAchieved('WinnerAssigned'))",
        "AG ((exists r : SupplierResponse (r.SelectedAsWinner)) -> EF exists f : FixedPriceRequest (f.WinnerAssigned))",
        Some(true),
        "one closing parenthesis too many",
    ),
    row(
        "6.2, winner assignment consistent",
        "AG (MilestoneAchieved('WinnerAssigned') → MilestoneAchieved('SelectedAsWinner'))",
        "AG ((exists f : FixedPriceRequest (f.WinnerAssigned)) -> exists r : SupplierResponse (r.SelectedAsWinner))",
        Some(false),
    ),
    row(
        "6.2, order consistent",
        "AG (MilestoneAchieved('RequesterReadySubmit') → ¬EF StageActive('Drafting'))",
        "AG ((exists f : FixedPriceRequest (f.RequesterReadySubmit)) -> !EF exists f : FixedPriceRequest (f.Drafting))",
        Some(false),
    ),
];

/// Section 4.5: operators by other operators, with p and q for φ and ψ.
const FIXPOINTS: [Row; 4] = [
    row("4.5, EG", "νY. p ∧ EX Y", "nu Y. p && EX Y", None),
    row("4.5, EG as a fixpoint", "νY.(p ∧ EX Y)", "EG p", None),
    row("4.5, EU as a fixpoint", "µY.(q ∨ (p ∧ EX Y))", "E(p U q)", None),
    row("5.2, the grammar's until", "A ( p UNTIL q ) && E ( p UNTIL q )", "A(p U q) && E(p U q)", None),
];

#[test]
fn formulas_about_research_proposals() {
    check_rows(&example("research-proposal"), PROPOSITIONS, &PROPOSAL);
}

#[test]
fn formulas_about_fixed_price() {
    check_rows(&example("fixed-price"), "", &FIGURE_8);
    check_rows(&example("fixed-price"), "", &FIXED_PRICE);
}

#[test]
fn fixpoints_are_the_operators_they_define() {
    let (p, q) = ("#define p (exists x : RPE (x.Reviewing))", "#define q (exists x : RPE (x.Approved))");
    // The first has no parentheses: it reaches as far as AG does, so Y stands outside.
    check_rows(&example("research-proposal"), &format!("{p}\n{q}"), &FIXPOINTS[1..]);
    assert!(crate::rows::open(&example("research-proposal"), &format!("{p}\n{q}\n{}", FIXPOINTS[0].printed)).is_err());
    let definitions = format!("{p}\n{q}");
    for (at, one, other) in [
        ("4.5, AX", "AX p", "¬EX¬p"),
        ("II.B, EF", "EF p", "¬AG¬p"),
        ("4.5, implication", "AG (p → q)", "AG ¬(p ∧ ¬q)"),
    ] {
        agree(&example("research-proposal"), at, &definitions, one, other);
    }
}
