//! Predicates that refinement finds, worked out by hand.

use super::{asked, model};

/// Verdicts of a model, without runs, and the predicates that refinement found.
fn refined(text: &str) -> Option<(Vec<String>, Vec<String>)> {
    if super::tools::without_solver() {
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

/// What a task keeps is asked in the beginning what the attribute is asked that it fills.
#[test]
fn buffers_are_asked_what_they_fill() {
    if super::tools::without_solver() {
        return;
    }
    let folder = model(
        "application Purse
event Spend { sum: int }
event Note
type Purse {
  last: int
  noted: int
  stage Paying { guard on Spend; task pay: assign last = payload(Spend).sum; milestone Paid when done(pay) }
  stage Noting { guard on Note; task note: assign noted = last; milestone Noted when done(note) }
}
properties {
  large: AG forall p: Purse (p.Paying -> EX p.last > 5);
  late:  AG forall p: Purse (p.Noted -> p.noted <= p.last);
  four:  EF exists p: Purse (p.noted == p.last && p.last == 4)
}
",
    );
    let (verdicts, rounds, predicates) = asked(&folder.path().join("model.gsm"), &["--no-runs", "--refine", "0"]);
    assert_eq!((verdicts, rounds), (["false", "false", "true"].map(String::from).to_vec(), 0));
    for name in ["Purse[1]: pay.sum < 6", "Purse[1]: noted == pay.sum"] {
        assert!(predicates.contains(&(name.to_string(), 0)), "{name} in {predicates:?}");
    }
}

/// The written form of what refinement found decides as much in round 0.
#[test]
fn what_refinement_found_can_be_copied() {
    if super::tools::without_solver() {
        return;
    }
    // Instances of two kinds in one predicate.
    let shared = "application Shared
event Offer { offer: int }
event Raise
type Buyer { offer: int; stage Buying { guard on Offer } }
type Seller { ask: int; stage Selling { guard on Raise; task up: add ask; milestone Raised when done(up) } }
properties {
  near: AG forall b: Buyer (forall s: Seller (b.offer == s.ask + 3 && !s.Selling -> EX EX EX EX b.offer == s.ask + 1))
}
";
    for text in [LIMIT, BID, PRICE, LOAN, shared] {
        let folder = model(text);
        let file = folder.path().join("model.gsm");
        let args = ["check", file.to_str().expect("a path"), "--abstract", "--no-runs", "--format"];
        let json = super::gsmc(&[args.as_slice(), &["json"]].concat(), None).stdout;
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let all = json["machine"]["abstraction"]["predicates"].as_array().expect("predicates");
        let mut written: Vec<String> = Vec::new();
        for p in all.iter().filter(|p| p["round"] != 0) {
            let one = p["written"].as_str().unwrap_or_else(|| panic!("{p} cannot be written"));
            written.extend((!written.iter().any(|w| w == one)).then(|| one.to_string()));
        }
        assert!(!written.is_empty(), "{text}");
        let (verdicts, ..) = asked(&file, &["--no-runs"]);
        assert!(!verdicts.contains(&"unknown".to_string()), "{text}: {verdicts:?}");
        // As people see it, ready to be copied.
        let human = super::gsmc(&[args.as_slice(), &["human"]].concat(), None).stdout;
        let human = String::from_utf8_lossy(&human).to_string();
        let line = human.split("gsmc.toml: ").nth(1).and_then(|rest| rest.lines().next()).expect("a line to copy");
        std::fs::write(&file, format!("{text}\nabstraction {{ {line} }}\n")).expect("a file");
        let (again, rounds, predicates) = asked(&file, &["--no-runs", "--refine", "0"]);
        assert_eq!((again, rounds), (verdicts, 0), "{line}");
        let names: Vec<&String> = predicates.iter().map(|(name, _)| name).collect();
        let known = all.iter().filter_map(|p| p["name"].as_str());
        assert!(
            known.clone().all(|n| names.iter().any(|m| *m == n)),
            "{names:?} in place of {:?}",
            known.collect::<Vec<_>>()
        );
    }
}

/// A field that fills an attribute with a range has no other values.
#[test]
fn a_field_has_the_values_of_what_it_fills() {
    if super::tools::without_solver() {
        return;
    }
    let text = "application Fill
event Send { sum: int }
event Up
type T {
  last: int 0..9
  n: int
  stage A { guard on Send; task t: assign last = payload.sum; milestone M when done(t) }
  stage B { guard on Up when n < 9; task u: add n; milestone N when done(u) }
}
properties {
  fits: AG !overflow;
  nine: EF exists t: T (t.last == 9);
  more: EF exists t: T (t.n > t.last && t.last > 7)
}
";
    let folder = model(text);
    let file = folder.path().join("model.gsm");
    let (verdicts, ..) = asked(&file, &[]);
    assert_eq!(verdicts, ["true"; 3]);
    // With bounds it is the same.
    std::fs::write(&file, text.replace("n: int\n", "n: int 0..9\n")).expect("a file");
    let bounded = super::gsmc(&["check", file.to_str().expect("a path"), "--format", "json"], None).stdout;
    let json: serde_json::Value = serde_json::from_slice(&bounded).expect("JSON");
    assert!(json["results"].as_array().expect("results").iter().all(|r| r["verdict"] == "true"), "{json:#}");
}

/// Whether Ann knows what she does not see hangs on a predicate that ties it to what she sees.
#[test]
fn an_open_question_of_knowledge_names_agent_and_predicate() {
    if super::tools::without_solver() {
        return;
    }
    let folder = model(
        "application Sale
event Show { a: int }
event Hide { b: int }
type Lot { a: int; b: int; stage Shown { guard on Show }; stage Hidden { guard on Hide when b > a } }
agents {
  role Watcher { view: a; instantiation: Lot; };
  role Keeper { view: a, b; };
  agent Ann { role: Watcher; protocol: Create_Lot: true -> ; };
  agent Bob { role: Keeper; protocol: Show: true -> , Hide: true -> ; };
}
properties { hidden: AG forall l: Lot (l.b > 7 -> K(Ann, l.b > 7)) }
",
    );
    let file = folder.path().join("model.gsm");
    let args =
        ["check", file.to_str().expect("a path"), "--abstract", "--refine", "0", "--no-runs", "--format", "json"];
    let json: serde_json::Value = serde_json::from_slice(&super::gsmc(&args, None).stdout).expect("JSON");
    let result = &json["results"][0];
    assert_eq!(result["verdict"], "unknown");
    let cause = &result["cause"];
    assert_eq!((&cause["action"]["agent"], &cause["predicate"]), (&"Ann".into(), &"Lot[1]: b < 8".into()), "{cause:#}");
    assert_eq!(cause["mistaken_for"]["Lot[1]: b < 8"], true, "{cause:#}");
    assert!(result["reason"].as_str().is_some_and(|r| r.contains("whether Ann can tell that from")), "{result:#}");
}
