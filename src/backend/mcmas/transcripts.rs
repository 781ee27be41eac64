//! Recorded output of the real tool, whole, cut off and spoilt.

use super::output::*;
use crate::backend::unreadable::spoilt;

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../../../backends/mcmas/transcripts/", $name))
    };
}

#[test]
fn in_trouble() {
    let said = |out: &str| parse(out, 2).map(|s| (s.verdicts.into_iter().collect::<Vec<_>>(), s.complete));
    assert_eq!(said(recorded!("memory.out")), Ok((vec![(1, false)], false)));
    assert_eq!(said(recorded!("timeout.out")), Ok((vec![(1, false)], false)));
    assert_eq!(said(recorded!("missing.out")), Ok((vec![], false)));
    assert_eq!(said(""), Ok((vec![], false)));
    for out in [recorded!("deadlock.out"), recorded!("overflow.out")] {
        assert!(parse(out, 1).is_err(), "a model with deadlocks gives no verdicts");
    }
}

#[test]
fn verdicts() {
    let said = parse(recorded!("verdicts.out"), 4).unwrap();
    assert_eq!(said.verdicts.values().copied().collect::<Vec<_>>(), [true, false, false, true]);
    assert!(said.complete);
    assert_eq!(said.states.as_deref(), Some("5"));
    assert!(parse(recorded!("verdicts.out"), 5).is_err(), "one verdict is missing");
    assert!(parse(recorded!("verdicts.out"), 3).is_err(), "one too many");
    let none = parse(recorded!("syntax-error.out"), 4).unwrap();
    assert!(none.verdicts.is_empty() && !none.complete);
    assert!(parse(recorded!("fair.out"), 2).unwrap().complete);
}

#[test]
fn runs() {
    let said = parse(recorded!("traces.out"), 1).unwrap();
    assert_eq!(said.paths[&1], [0, 1, 2, 3, 2]);
    let edges = edges(recorded!("formula1.dot")).unwrap();
    assert!(said.paths[&1].windows(2).all(|w| edges.contains_key(&(w[0], w[1]))));
    assert_eq!(edges[&(2, 3)][0], "a_edgar_SendBack_at_Text_1");
    let states = states(recorded!("formula1.info")).unwrap();
    assert_eq!(states[&0]["v_Text_1_created"], "false");
    assert_eq!(states[&1]["v_Text_1_created"], "true");
    assert!(!states[&0].contains_key("x_g_wilma"), "variables of agents are not of the snapshot");
    let knowledge = "digraph w { \n 2 -> 3[label=\"Clerk\", arrowhead=none, style=dotted]\n}";
    assert!(super::output::edges(knowledge).unwrap().is_empty());
    assert!(super::output::edges("digraph w {").is_err());
}

#[test]
fn a_spoilt_one_gives_no_wrong_verdict() {
    let whole = parse(recorded!("verdicts.out"), 4).unwrap();
    for text in spoilt(recorded!("verdicts.out")) {
        if let Ok(said) = parse(&text, 4) {
            assert!(said.verdicts.iter().all(|(n, v)| whole.verdicts[n] == *v));
            assert!(!said.complete || said.verdicts == whole.verdicts);
        }
    }
    let glued = parse("Unable to open file  Formula number 1: (p), is TRUE in the model", 1).unwrap();
    assert!(glued.verdicts[&1]);
    assert!(parse("Formula number 1: (p), is TRUE in the mod", 1).unwrap().verdicts.is_empty());
}
