//! Recorded output of the real tool, whole, cut off and spoilt.

use super::output::*;
use crate::backend::unreadable::spoilt;

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../../../backends/nusmv/transcripts/", $name))
    };
}

const NUSMV: [&str; 4] =
    ["q_always_possible", "q_comes_in_the_end", "q_comes_in_the_end_ltl", "q_accepted_or_round_and_round"];

#[test]
fn verdicts() {
    let said = parse(recorded!("verdicts.out"), &NUSMV).unwrap();
    let holds: Vec<bool> = NUSMV.iter().map(|n| said.verdicts[*n]).collect();
    assert_eq!(holds, [true, false, false, true]);
    assert!(said.complete && said.traces.is_empty());
    let count = parse(recorded!("count.out"), &NUSMV).unwrap();
    assert_eq!(count.states.as_deref(), Some("5"));
}

#[test]
fn traces_with_loops() {
    let said = parse(recorded!("traces.out"), &NUSMV).unwrap();
    for name in ["q_comes_in_the_end", "q_comes_in_the_end_ltl"] {
        let trace = &said.traces[name];
        assert!(trace.nodes.len() > 2 && !trace.loops.is_empty(), "{trace:?}");
        assert_eq!(trace.nodes[0].state["v_Text_1_created"], "FALSE");
        assert_eq!(trace.nodes[0].input["c_action"], "a_wilma_Create_Text_at_Text_1");
        assert!(trace.loops.iter().all(|l| *l < trace.nodes.len()));
    }
}

#[test]
fn of_other_versions() {
    let newer = recorded!("traces.out")
        .replace("<counter-example type=\"0\" desc", "<counter-example type=\"0\" id=\"1\" desc")
        .replace("-- specification '", "-- specification ")
        .replace("'  is false", "  is false");
    let old = parse(recorded!("traces.out"), &NUSMV).unwrap();
    assert_eq!(parse(&newer, &NUSMV).unwrap(), old);
}

#[test]
fn a_spoilt_one_gives_no_wrong_verdict() {
    let whole = parse(recorded!("traces.out"), &NUSMV).unwrap();
    for text in spoilt(recorded!("traces.out")) {
        if let Ok(said) = parse(&text, &NUSMV) {
            assert!(said.verdicts.iter().all(|(n, v)| whole.verdicts[n] == *v));
        }
    }
    assert!(parse(recorded!("syntax-error.out"), &NUSMV).unwrap().verdicts.is_empty());
    let sent = "-- specification 'x'  is true\n";
    assert!(parse(sent, &[]).is_err(), "a verdict that nobody asked for");
    assert!(parse(&sent.repeat(2), &["x"]).is_err(), "two verdicts");
    assert!(parse("-- specification 'x'  is ", &["x"]).unwrap().verdicts.is_empty());
    assert!(parse("-- specification 'x'  is truely", &["x"]).unwrap().verdicts.is_empty());
    assert!(!parse("", &["x"]).unwrap().complete);
}

#[test]
fn in_trouble() {
    assert!(total(recorded!("deadlock.err")).is_err(), "everything is true of a model without runs");
    assert!(total(recorded!("overflow.err")).is_ok());
    let said = |out: &str| parse(out, &["q_never", "q_first", "q_second"]).unwrap();
    assert!(said(recorded!("overflow.out")).verdicts.is_empty());
    let memory = said(recorded!("memory.out"));
    assert_eq!(memory.verdicts.into_iter().collect::<Vec<_>>(), [("q_first".to_string(), true)]);
    assert!(!memory.complete);
    let cut = said(recorded!("timeout.out"));
    assert!(!cut.complete && !cut.verdicts.contains_key("q_second"));
    assert_eq!(said(""), Said::default());
    let half = recorded!("traces.out").split("</counter-example>").next().unwrap();
    let half = parse(half, &NUSMV).unwrap();
    assert!(half.traces.is_empty() && half.verdicts.values().all(|v| !v), "half a trace is no trace");
}
