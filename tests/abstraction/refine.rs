//! Predicates that refinement finds, worked out by hand.

use super::{asked, model};

/// Verdicts of a model, without runs, and the predicates that refinement found.
fn refined(text: &str) -> Option<(Vec<String>, Vec<String>)> {
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err() {
        super::tools::report_skipped("abstraction: z3 not found");
        return None;
    }
    let folder = model(text);
    let (verdicts, _, predicates) = asked(&folder.path().join("model.gsm"), &["--no-runs"]);
    Some((verdicts, predicates.into_iter().filter(|(_, round)| *round > 0).map(|(name, _)| name).collect()))
}

/// A limit of 10 that can be raised by one at a time: what comes in above it is not paid.
const LIMIT: &str = "application Limit
event Request { amount: int }
event Raise
type Claim {
  limit: int = 10
  amount: int
  stage Paying { guard on Request when amount <= limit && amount > 3; milestone Paid on Request }
  stage Raising { guard on Raise; task up: add limit; milestone Raised when done(up) }
}
properties {
  always: AG forall c: Claim (!c.Paying -> EX c.Paying);
  eleven: AG forall c: Claim (c.Raised && !c.Raising -> EF (c.Paying && c.amount == 11));
  ten:    AG forall c: Claim (!c.Raised && !c.Raising && c.Paying && !c.Paid -> c.amount <= 10);
  nine:   AG forall c: Claim (!c.Raised && !c.Raising && c.Paying && !c.Paid -> c.amount <= 9)
}
";

/// What a rule asks of payload and an attribute together is asked of the attribute alone: is there payload for it?
#[test]
fn payload_leaves_predicates_about_what_it_meets() {
    let Some((verdicts, found)) = refined(LIMIT) else { return };
    assert_eq!(verdicts, ["true", "true", "true", "false"]);
    for name in ["Claim[1]: limit < 4", "Claim[1]: limit < 11"] {
        assert!(found.contains(&name.to_string()), "{name} in {found:?}");
    }
}

/// The best bid so far may be 204, and then none that is better is below 205.
const BID: &str = "application Auction
event Bid { bid: int 0.. }
type Lot {
  bid: int 0..
  best: int 0..
  stage Bidding { guard on Bid when bid > best; task take: assign best = bid; milestone Taken when done(take) }
}
properties {
  room:  AG forall l: Lot (!l.Bidding && l.best < 200 -> EX (l.Bidding && l.bid < 205));
  tight: AG forall l: Lot (!l.Bidding && l.best < 205 -> EX (l.Bidding && l.bid < 205))
}
";

/// With 0.5 at first, 1.5 is more than twice the price; and whoever is lent a book until the 2nd brings it back on the 3rd too late.
const PRICE: &str = "application Price
event Offer { offer: real }
type Lot {
  price: real 0.25.. = 0.5
  offer: real
  stage Raising { guard on Offer when offer > price && offer < price * 2; task take: assign price = offer; milestone Raised when done(take) }
}
properties {
  far:  AG forall l: Lot (!l.Raising && l.price < 1.0 -> EX (l.Raising && l.offer == 1.5));
  near: AG forall l: Lot (!l.Raising && l.price < 1.5 && l.price > 0.8 -> EX (l.Raising && l.offer == 1.5))
}
";

const LOAN: &str = "application Loans
event Lend { due: date }
event Return { back: date }
type Loan {
  due: date
  back: date
  stage Out { guard on Lend when due > '2026-01-01'; milestone Late on Return when due < back; milestone InTime on Return when back <= due }
}
properties {
  first:  AG forall l: Loan (l.Out -> EX (l.InTime && l.back > '2026-01-01'));
  second: AG forall l: Loan (l.Out -> EX (l.InTime && l.back > '2026-01-02'))
}
";

#[test]
fn payload_of_every_kind_leaves_predicates() {
    let cases = [
        (BID, ["true", "false"], "Lot[1]: best < 204"),
        (PRICE, ["false", "true"], "Lot[1]: price < 0.75"),
        (LOAN, ["true", "false"], "Loan[1]: due < '2026-01-03'"),
    ];
    for (text, expected, name) in cases {
        let Some((verdicts, found)) = refined(text) else { return };
        assert_eq!(verdicts, expected, "{text}");
        assert!(found.contains(&name.to_string()), "{name} in {found:?}");
    }
}

/// Half of what is counted: other factors than one are no obstacle where the bounds on one side have none.
#[test]
fn payload_with_a_factor_leaves_predicates() {
    let text = BID.replace("bid > best;", "2 * bid < best + 10 && bid >= 3;").replace("bid < 205", "bid == 7");
    let text = text.replace("best < 200", "best > 4").replace("best < 205", "best > 3");
    let Some((verdicts, found)) = refined(&text) else { return };
    // 14 < best + 10 means best > 4; from 0 on, best becomes at most 4, 6, 7, ….
    assert_eq!(verdicts, ["true", "false"], "{found:?}");
}
