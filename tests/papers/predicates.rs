//! "Verification of GSM-Based Artifact-Centric Systems by Predicate Abstraction" (P. Gonzalez, A. Griesmayer, A. Lomuscio): its ten properties and
//! its language.

use crate::rows::{Row, check_rows, corrected, example, renamed, row};

const ORDERS: [Row; 4] = [
    corrected(
        "Property 1",
        "AG ∀x : CustomerOrder((x.BuyerId = Diogenes ∧ ¬x.Cancelled)
→ K_Diogenes EF x.Received)",
        "AG forall x : CustomerOrder ((x.BuyerId == 'Diogenes' && !x.Cancelled) -> K(Diogenes, EF x.Received))",
        Some(true),
        "≠ for =, and Diogenes.Cancelled for x.Cancelled: the sentence above it speaks of his orders, cancelled or not",
    ),
    row(
        "Property 2",
        "EF ∃x : CustomerOrder(x.BuyerId ≠ Diogenes ∧ K_Diogenes x.Received)",
        "EF exists x : CustomerOrder (x.BuyerId != 'Diogenes' && K(Diogenes, x.Received))",
        Some(false),
    ),
    row(
        "Property 3",
        "AG ∀x : CustomerOrder((x.Ready ∧ x.BuyerId = Diogenes)
→ K_Diogenes (x.PurchaseOrders = 3))",
        "AG forall x : CustomerOrder ((x.Ready && x.BuyerId == 'Diogenes') -> K(Diogenes, x.PurchaseOrders == 3))",
        Some(true),
    ),
    row(
        "Property 4",
        "EF ∃x : CustomerOrder(x.BuyerId = Diogenes ∧ x.Cancelled
∧ Diogenes.cancelled ≠ 1)",
        "EF exists x : CustomerOrder (x.BuyerId == 'Diogenes' && x.Cancelled && Diogenes.cancelled != true)",
        Some(false),
    ),
];

const BOARDS: [Row; 6] = [
    row(
        "Property 5",
        "EF ∃x : ReviewBoard(x.SendProposalsToReviewers)",
        "EF exists x : ReviewBoard (x.SendProposalsToReviewers)",
        Some(true),
    ),
    row(
        "Property 6",
        "EF ∃x : ReviewBoard(x.ReviewsTerminated)",
        "EF exists x : ReviewBoard (x.ReviewsTerminated)",
        Some(true),
    ),
    row(
        "Property 7",
        "EF ∃x : ReviewBoard(x.Reviewers.size() = x.ReviewBoardSize)",
        "EF exists x : ReviewBoard (x.Reviewers.size() == x.ReviewBoardSize)",
        Some(true),
    ),
    corrected(
        "Property 8",
        "EF ∃x : ReviewBoard(x.Reviewers.exists(FirstName = 'Diogenes'))",
        "EF exists x : ReviewBoard (x.Reviewers->exists(r | r.FirstName == 'Diogenes'))",
        Some(true),
        "a text that is no agent stands in quotes",
    ),
    row(
        "Property 9",
        "K_Manager (EF ∃x : ReviewBoard(x.ReviewsTerminated))",
        "K(Manager, EF exists x : ReviewBoard (x.ReviewsTerminated))",
        Some(true),
    ),
    row(
        "Property 10",
        "K_Leader (EF ∃x : ReviewBoard(x.ReviewsTerminated))",
        "K(Leader, EF exists x : ReviewBoard (x.ReviewsTerminated))",
        Some(false),
    ),
];

/// Section 3, the language L: ⊤, p, Z, ¬φ, φ ∧ φ, □φ, K φ, µZ.φ, νZ.φ. In a fixpoint □ is the next step.
const LANGUAGE: [Row; 5] = [
    row("L, ⊤ and ⊥", "AG ⊤ ∧ ¬EF ⊥", "AG true && !EF false", Some(true)),
    row("L, µ and □", "µZ.(q ∨ □Z)", "AF q", None),
    row("L, ν and □", "νZ.(p ∧ □Z)", "AG p", None),
    row("L, µ and ◇", "μZ. (q ∨ ◇ Z)", "EF q", None),
    row("L, knowledge inside", "νZ.(K_Diogenes p ∧ □Z)", "AG K(Diogenes, p)", None),
];

#[test]
fn properties_of_orders() {
    let names = [("CustomerId", "BuyerId"), ("Parts", "PurchaseOrders")];
    let folder = renamed("order-to-cash", &names);
    check_rows(folder.path(), "", &ORDERS);
}

#[test]
fn properties_of_review_boards() {
    check_rows(&example("research-funding"), "", &BOARDS);
}

#[test]
fn the_mu_calculus_of_the_paper() {
    let definitions =
        "#define p (!exists x : CustomerOrder (x.Cancelled))\n#define q (exists x : CustomerOrder (x.Paid))";
    check_rows(&example("order-to-cash"), definitions, &LANGUAGE);
}
