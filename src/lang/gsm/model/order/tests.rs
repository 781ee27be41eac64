//! Every sentence of the definition, with orders worked out by hand.

use super::super::testing::*;
use super::*;
use crate::machine::CompareOp;

fn plain(e: &Edge) -> bool {
    !e.reversed && !e.related
}

/// `A { B }` with milestones mA and mB; B opens whenever A is open.
fn nested() -> Model {
    let mut m = Model::new(&["E1", "E2", "E3"]);
    m.ty("T").stage("A", &["mA"]).stage("A/B", &["mB"]);
    m.guard("A", &["E1"], TRUE).guard("B", &[], TRUE).achieve("mA", &["E2"], TRUE).achieve("mB", &["E3"], TRUE);
    m
}

#[test]
fn only_rules_that_can_fire_are_taken() {
    let m = nested();
    let unconditional = ["PAC-4 mA", "PAC-5 A/mA", "PAC-1 B/B.1", "PAC-4 mB", "PAC-5 B/mB", "PAC-6 B/A"];
    for (event, own) in [("E1", "PAC-1 A/A.1"), ("E2", "PAC-2 mA/mA.1"), ("E3", "PAC-2 mB/mB.1")] {
        let mut expected: Vec<&str> = unconditional.iter().copied().chain([own]).collect();
        let mut got = m.sequence(event);
        expected.sort();
        got.sort();
        assert_eq!(got, expected, "{event}");
    }
}

#[test]
fn three_valued_slices() {
    use F::*;
    let sliced = |f: F| {
        let mut m = Model::new(&["E1", "E2"]);
        m.ty("T").stage("S", &["m"]).stage("V", &[]).task("S", "T1", &[]).task("V", "T2", &[]);
        m.guard("S", &[], f);
        ["E1", "E2", "done T1"].map(|o| m.sequence(o).iter().any(|r| r.starts_with("PAC-1 S")))
    };
    // A conjunct that demands another event or task rules the rule out; the occurring one is unknown, so its negation stays.
    assert_eq!(sliced(Occurring("E1")), [true, false, false]);
    assert_eq!(sliced(not(Occurring("E1"))), [true, true, true]);
    assert_eq!(sliced(And(vec![Active("V"), Occurring("E2")])), [false, true, false]);
    assert_eq!(sliced(And(vec![Occurring("E1"), Occurring("E2")])), [false, false, false]);
    assert_eq!(sliced(Or(vec![Occurring("E1"), Done("T1")])), [true, false, true]);
    assert_eq!(sliced(Done("T2")), [false, false, false]);
    assert_eq!(sliced(not(Or(vec![Active("V"), not(Occurring("E1"))]))), [true, false, false]);
    assert_eq!(sliced(Implies(Box::new(TRUE), Box::new(Occurring("E2")))), [false, true, false]);
    assert_eq!(sliced(Implies(Box::new(Occurring("E1")), Box::new(Const(false)))), [true, true, true]);
    // Constants are known.
    assert_eq!(sliced(Const(false)), [false; 3]);
    assert_eq!(sliced(Compare(CompareOp::Gt, 1, 2)), [false; 3]);
    assert_eq!(sliced(Compare(CompareOp::Le, 1, 2)), [true; 3]);
}

#[test]
fn a_task_that_creates_counts_as_the_creation_event() {
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m"]).ty("R").stage("Q", &["q"]).task("S", "T1", &["R"]);
    m.guard("Q", &["Create_R"], TRUE).achieve("q", &[], F::Occurring("Create_R"));
    for (occurrence, expected) in [("Create_R", true), ("done T1", true), ("Create_T", false), ("E1", false)] {
        let rules = m.sequence(occurrence);
        assert_eq!(rules.contains(&"PAC-1 Q/Q.1".to_string()), expected, "{occurrence}");
        assert_eq!(rules.contains(&"PAC-2 q/q.1".to_string()), expected, "{occurrence}");
    }
}

#[test]
fn closing_the_parent_precedes_opening_the_child() {
    // mA is achieved, A closes, and then B's guard sees that A is closed.
    let m = nested();
    let expected = ["PAC-2 mA/mA.1", "PAC-4 mA", "PAC-5 A/mA", "PAC-1 B/B.1", "PAC-4 mB", "PAC-5 B/mB", "PAC-6 B/A"];
    assert_eq!(m.sequence("E2"), expected);
    let edges = [
        "PAC-2 mA/mA.1 -> PAC-5 A/mA",
        "PAC-2 mA/mA.1 -> PAC-6 B/A",
        "PAC-5 A/mA -> PAC-1 B/B.1",
        "PAC-1 B/B.1 -> PAC-4 mB",
    ];
    assert_eq!(m.edges("E2", |_| true), edges);
    // While E1 occurs A can open: the child opens after it.
    assert_eq!(m.sequence("E1")[..2], ["PAC-1 A/A.1", "PAC-4 mA"]);
    assert!(m.edges("E1", plain).contains(&"PAC-1 A/A.1 -> PAC-1 B/B.1".to_string()));
}

#[test]
fn a_reader_runs_after_a_later_writer() {
    // V stands before S in the document but waits for S to close; S closes because m is achieved.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("V", &[]).stage("S", &["m"]);
    m.guard("V", &[], F::Closed("S")).achieve("m", &["E1"], TRUE);
    assert_eq!(m.sequence("E1"), ["PAC-2 m/m.1", "PAC-4 m", "PAC-5 S/m", "PAC-1 V/V.1"]);
}

#[test]
fn on_event_atoms_read_one_polarity_and_state_atoms_both() {
    use F::*;
    // m is achieved by E1 and invalidated by E1 too; S opens by E1 and closes with m.
    let readers = |f: F| {
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &["m"]).stage("V", &[]);
        m.guard("S", &["E1"], TRUE).achieve("m", &["E1"], TRUE).invalidate("m", &["E1"], TRUE).guard("V", &[], f);
        let edges = m.edges("E1", |_| true);
        edges.into_iter().filter_map(|e| e.strip_suffix(" -> PAC-1 V/V.1").map(str::to_string)).collect::<Vec<_>>()
    };
    assert_eq!(readers(Opened("S")), ["PAC-1 S/S.1"]);
    assert_eq!(readers(Closed("S")), ["PAC-5 S/m"]);
    assert_eq!(readers(Active("S")), ["PAC-1 S/S.1", "PAC-5 S/m"]);
    assert_eq!(readers(JustAchieved("m")), ["PAC-2 m/m.1"]);
    assert_eq!(readers(JustInvalidated("m")), ["PAC-3 m/m-1", "PAC-4 m"]);
    assert_eq!(readers(Achieved("m")), ["PAC-2 m/m.1", "PAC-3 m/m-1", "PAC-4 m"]);
    assert_eq!(readers(Completed("S")), ["PAC-2 m/m.1", "PAC-3 m/m-1", "PAC-4 m"]);
    assert_eq!(readers(not(Opened("S"))), ["PAC-1 S/S.1"]);
}

#[test]
fn consequences_read_one_polarity() {
    // PAC-5 and PAC-6 read +m, not −m; PAC-4 reads +S, not −S.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m", "n"]).stage("S/D", &[]).guard("S", &["E1"], TRUE);
    m.achieve("m", &["E1"], TRUE).invalidate("n", &["E1"], TRUE);
    let expected =
        ["PAC-1 S/S.1 -> PAC-4 m", "PAC-1 S/S.1 -> PAC-4 n", "PAC-2 m/m.1 -> PAC-5 S/m", "PAC-2 m/m.1 -> PAC-6 D/S"];
    assert_eq!(m.edges("E1", |_| true), expected);
}

#[test]
fn own_attributes_add_no_edge() {
    use F::*;
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m", "n"]);
    // Each reads what another rule of S writes, but as its own attribute: in the snapshot before the step.
    m.guard("S", &[], not(Active("S"))).achieve("m", &["E1"], And(vec![Active("S"), not(Achieved("m"))]));
    m.invalidate("m", &["E1"], Achieved("m"));
    let expected = ["PAC-1 S/S.1 -> PAC-4 m", "PAC-1 S/S.1 -> PAC-4 n", "PAC-2 m/m.1 -> PAC-5 S/m"];
    assert_eq!(m.edges("E1", |_| true), expected);
    // Inside isStageCompleted only the own milestone is left out.
    m.achieve("n", &["E1"], Completed("S"));
    assert!(m.edges("E1", |_| true).contains(&"PAC-2 m/m.1 -> PAC-2 n/n.1".to_string()));
    assert!(!m.edges("E1", |_| true).iter().any(|e| e == "PAC-2 n/n.1 -> PAC-2 n/n.1"));
}

#[test]
fn rules_that_exclude_each_other_have_no_edge() {
    use F::*;
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m"]).stage("S/D", &["d"]).stage("V", &["v"]);
    // PAC-2 of d demands D, hence S (I2): PAC-1 of S demands its absence, PAC-4 of m demands m, so not S (I1).
    m.guard("S", &["E1"], TRUE).achieve("d", &["E1"], And(vec![Active("S"), not(Achieved("m"))]));
    // Only PAC-5 of S, which demands S too, is left of what writes S and m.
    let into_d: Vec<String> = m.edges("E1", |_| true).into_iter().filter(|e| e.ends_with("PAC-2 d/d.1")).collect();
    assert_eq!(into_d, ["PAC-5 S/m -> PAC-2 d/d.1"]);
    // PAC-1 of S against PAC-5 of D: the guard of S may read D without an edge.
    m.guard("S", &["E1"], Closed("D"));
    assert!(!m.edges("E1", |_| true).iter().any(|e| e.ends_with("PAC-1 S/S.2")));
    // Milestones of different stages do not exclude each other, nor do two of one stage (that would be I3).
    m.achieve("v", &["E1"], TRUE).invalidate("m", &["E1"], JustAchieved("v"));
    assert!(m.edges("E1", plain).contains(&"PAC-2 v/v.1 -> PAC-3 m/m-1".to_string()));
}

#[test]
fn two_milestones_of_one_stage_do_not_exclude_each_other() {
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m", "n"]);
    m.invalidate("m", &["E1"], F::JustInvalidated("n")).invalidate("n", &["E1"], TRUE);
    let first = m.sequence("E1").into_iter().filter(|r| r.starts_with("PAC-3")).collect::<Vec<_>>();
    assert_eq!(first, ["PAC-3 n/n-1", "PAC-3 m/m-1"]);
}

#[test]
fn opening_decides_before_its_consequences() {
    use F::*;
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m"]).stage("S/D", &["d"]);
    m.guard("S", &["E1"], And(vec![not(Completed("S")), not(Opened("D")), not(Achieved("d"))])).guard("D", &[], TRUE);
    assert!(m.order("E1").cycles.is_empty());
    // PAC-1 of S reads −m, +D and −d, which its own opening brings about: it decides first.
    let reversed = ["PAC-1 S/S.1 -> PAC-4 m", "PAC-1 S/S.1 -> PAC-1 D/D.1", "PAC-1 S/S.1 -> PAC-4 d"];
    assert_eq!(m.edges("E1", |e| e.reversed), reversed);
    assert_eq!(m.sequence("E1")[0], "PAC-1 S/S.1");
}

#[test]
fn milestones_are_decided_before_their_stage_closes() {
    use F::*;
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("A", &["a"]).stage("A/S", &["s"]).stage("S/D", &["d"]).stage("A/V", &[]);
    m.achieve("a", &["E1"], TRUE).achieve("d", &["E1"], TRUE);
    // s reads −D and −V. PAC-6(D, S) closes D because of s itself, a cycle: reversed. PAC-6(D, A) and PAC-6(V, A) close them for another
    // reason, and s sees that. PAC-5 of D is no consequence of S or A.
    m.achieve("s", &["E1"], Or(vec![Closed("D"), not(Active("V"))]));
    assert_eq!(m.edges("E1", |e| e.reversed), ["PAC-2 s/s.1 -> PAC-6 D/S"]);
    for seen in ["PAC-5 D/d -> PAC-2 s/s.1", "PAC-6 D/A -> PAC-2 s/s.1", "PAC-6 V/A -> PAC-2 s/s.1"] {
        assert!(m.edges("E1", plain).contains(&seen.to_string()), "{seen}");
    }
    // Now a waits for D, which s closes, and what a closes was seen by s: one large cycle, in which each is decided before its own
    // consequences. The milestone of a stage deeper inside is not decided before what closes for another reason.
    m.achieve("a", &["E1"], Closed("D"));
    assert!(m.edges("E1", plain).contains(&"PAC-6 D/S -> PAC-2 a/a.2".to_string()));
    let reversed = [
        "PAC-2 a/a.2 -> PAC-6 D/A",
        "PAC-2 s/s.1 -> PAC-6 D/S",
        "PAC-2 s/s.1 -> PAC-6 D/A",
        "PAC-2 s/s.1 -> PAC-6 V/A",
    ];
    assert_eq!(m.edges("E1", |e| e.reversed), reversed);
}

#[test]
fn related_slots_always_add_the_plain_edge() {
    use F::*;
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m"]).ty("R").stage("Q", &["q"]);
    // About its own slot none of these reads would count, or it would be reversed.
    m.guard("S", &["E1"], related("T", And(vec![Active("S"), Achieved("m")])));
    m.achieve("m", &["E1"], related("R", JustAchieved("q"))).achieve("q", &["E1"], TRUE);
    let expected = [
        "PAC-1 S/S.1 -> PAC-1 S/S.1",
        "PAC-2 m/m.1 -> PAC-1 S/S.1",
        "PAC-4 m -> PAC-1 S/S.1",
        "PAC-5 S/m -> PAC-1 S/S.1",
        "PAC-2 q/q.1 -> PAC-2 m/m.1",
    ];
    assert_eq!(m.edges("E1", |e| e.related), expected);
    // The self-loop and PAC-4 -> PAC-1 against PAC-1 -> PAC-4 are cyclic: document order on the opening side.
    assert_eq!(m.edges("E1", |e| e.dropped), ["PAC-1 S/S.1 -> PAC-1 S/S.1", "PAC-4 m -> PAC-1 S/S.1"]);
    assert_eq!(
        m.sequence("E1"),
        ["PAC-2 q/q.1", "PAC-2 m/m.1", "PAC-5 S/m", "PAC-1 S/S.1", "PAC-4 m", "PAC-4 q", "PAC-5 Q/q"]
    );
}

/// The race: P's milestone asks that C's is not achieved, C can re-open, which invalidates it, but only while P is open.
fn race() -> Model {
    let mut m = Model::new(&["E1", "E2", "E3", "E4"]);
    m.ty("T").stage("P", &["mP"]).stage("P/C", &["mC"]).guard("P", &["E1"], TRUE);
    m.achieve("mP", &["E3"], not(F::Achieved("mC"))).achieve("mC", &["E2"], TRUE);
    m.guard("C", &["E3"], TRUE).guard("C", &["E4"], TRUE);
    m
}

#[test]
fn in_a_cycle_closing_rules_come_first() {
    let m = race();
    let order = m.order("E3");
    assert_eq!(order.cycles.len(), 1);
    assert_eq!(m.edges("E3", |e| e.dropped), ["PAC-4 mC -> PAC-2 mP/mP.1"]);
    let expected = ["PAC-2 mP/mP.1", "PAC-4 mP", "PAC-5 P/mP", "PAC-1 C/C.1", "PAC-4 mC", "PAC-5 C/mC", "PAC-6 C/P"];
    assert_eq!(m.sequence("E3"), expected);
    // No other event has both sides of the race.
    for event in ["E1", "E2", "E4", "Create_T"] {
        assert!(m.order(event).cycles.is_empty(), "{event}");
    }
}

#[test]
fn a_cycle_on_the_closing_side_runs_in_document_order() {
    use F::*;
    // m waits for n, n for m; each closes its stage.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("S", &["m"]).stage("V", &["n"]).stage("W", &["w"]);
    m.achieve("m", &["E1"], not(JustAchieved("n"))).achieve("n", &["E1"], JustAchieved("m"));
    // w only reads the knot and runs after it, although it would be able to close earlier in the document.
    m.achieve("w", &["E1"], Achieved("n"));
    assert_eq!(m.edges("E1", |e| e.dropped), ["PAC-2 n/n.1 -> PAC-2 m/m.1"]);
    assert_eq!(m.order("E1").cycles.len(), 1);
    let decide: Vec<String> = m.sequence("E1").into_iter().filter(|r| r.starts_with("PAC-2")).collect();
    assert_eq!(decide, ["PAC-2 m/m.1", "PAC-2 n/n.1", "PAC-2 w/w.1"]);
}

#[test]
fn a_side_that_is_no_longer_cyclic_is_sorted() {
    use F::*;
    // P's guards and milestone rules: V opens when W opens (against document order); W opens when U closes; U closes by u, which
    // asks that V did not open. Closing: PAC-2 u, PAC-5 U. Opening: PAC-1 V, PAC-1 W, sorted W before V.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("V", &[]).stage("W", &[]).stage("U", &["u"]);
    m.guard("V", &[], Opened("W")).guard("W", &[], Closed("U")).achieve("u", &["E1"], not(Opened("V")));
    assert_eq!(m.sequence("E1"), ["PAC-2 u/u.1", "PAC-4 u", "PAC-5 U/u", "PAC-1 W/W.1", "PAC-1 V/V.1"]);
    assert_eq!(m.edges("E1", |e| e.dropped), ["PAC-1 V/V.1 -> PAC-2 u/u.1"]);
}

#[test]
fn a_reversed_edge_is_never_dropped() {
    use F::*;
    // Document order puts PAC-1 of D (inside S) after PAC-1 of S, so a reversed edge that goes against document order needs
    // PAC-2 of S, where S lies inside A and after D: PAC-6(D, A) stands before PAC-2 of S.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("A", &["a"]).stage("A/D", &[]).stage("A/S", &["s"]);
    m.achieve("s", &["E1"], Closed("D")).achieve("a", &["E1"], JustAchieved("s"));
    let before = |a: &str, b: &str| {
        let sequence = m.sequence("E1");
        sequence.iter().position(|r| r == a).unwrap() < sequence.iter().position(|r| r == b).unwrap()
    };
    // s -> a -> PAC-6 D/A, and PAC-6 D/A closes D, which s reads: reversed, so there is no cycle.
    assert!(m.order("E1").cycles.is_empty());
    assert!(before("PAC-2 s/s.1", "PAC-6 D/A"));

    // Now knot them: a reads s, and s reads a, so a, s and PAC-6 D/A (which PAC-2 of a second milestone reads) hang together.
    let mut m = Model::new(&["E1"]);
    m.ty("T").stage("A", &["a"]).stage("A/D", &[]).stage("A/S", &["s"]).stage("V", &["v"]);
    m.achieve("s", &["E1"], And(vec![Closed("D"), JustAchieved("v")])).achieve("a", &["E1"], JustAchieved("s"));
    m.achieve("v", &["E1"], Closed("D"));
    // Knot: PAC-2 a -> PAC-6 D/A -> PAC-2 v -> PAC-2 s -> PAC-2 a, and PAC-2 s -> PAC-6 D/A reversed.
    // Document order: PAC-2 a, then PAC-6 D/A is held back by PAC-2 s, so PAC-2 s, PAC-6 D/A, PAC-2 v.
    let knot = ["PAC-2 a/a.1", "PAC-2 s/s.1", "PAC-6 D/A", "PAC-2 v/v.1"];
    let ran: Vec<String> = m.sequence("E1").into_iter().filter(|r| knot.contains(&r.as_str())).collect();
    assert_eq!(ran, knot);
    assert_eq!(m.edges("E1", |e| e.dropped), ["PAC-2 s/s.1 -> PAC-2 a/a.1", "PAC-2 v/v.1 -> PAC-2 s/s.1"]);
}

#[test]
fn every_order_respects_its_own_precedence() {
    for m in [nested(), race()] {
        for order in orders(&m.app, &Rules::of(&m.app)) {
            let place = |r| order.sequence.iter().position(|&x| x == r).unwrap();
            assert!(order.precedence().all(|(first, then)| place(first) < place(then)));
        }
    }
}

#[test]
fn one_order_for_all_events_where_there_is_one() {
    let m = nested();
    let rules = Rules::of(&m.app);
    let common = common_order(&orders(&m.app, &rules)).expect("one order serves all");
    let labels: Vec<String> = common.iter().map(|&r| rules.list[r].label(&m.app)).collect();
    let expected = [
        "PAC-1 A/A.1",
        "PAC-2 mA/mA.1",
        "PAC-4 mA",
        "PAC-5 A/mA",
        "PAC-1 B/B.1",
        "PAC-2 mB/mB.1",
        "PAC-4 mB",
        "PAC-5 B/mB",
        "PAC-6 B/A",
    ];
    assert_eq!(labels, expected);

    // Through x, V opens before W while E1 occurs; through y, W opens before V while E2 occurs.
    let mut m = Model::new(&["E1", "E2"]);
    m.ty("T").stage("V", &[]).stage("W", &[]).stage("X", &["x"]).stage("Y", &["y"]);
    m.guard("V", &[], F::JustAchieved("y")).guard("W", &[], F::JustAchieved("x"));
    m.achieve("x", &["E1"], F::Opened("V")).achieve("y", &["E2"], F::Opened("W"));
    let all = orders(&m.app, &Rules::of(&m.app));
    assert!(all.iter().all(|o| o.cycles.is_empty()));
    assert_eq!(common_order(&all), None);
}
