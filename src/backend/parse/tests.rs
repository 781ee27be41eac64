//! Recorded output of the real tools, whole, cut off and spoilt.

use super::*;
use mcmas::{edges, states};
use spin::{PanSays, pan, trail};

macro_rules! recorded {
    ($tool:literal, $name:literal) => {
        include_str!(concat!("../../../backends/", $tool, "/transcripts/", $name))
    };
}

/// Every beginning of a text that ends with a line, and every text with one line missing.
fn spoilt(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let cut = (0..lines.len()).map(|n| lines[..n].join("\n"));
    let missing = (0..lines.len()).map(|n| {
        let rest: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != n).map(|(_, l)| *l).collect();
        rest.join("\n")
    });
    cut.chain(missing).collect()
}

const NUSMV: [&str; 4] =
    ["q_always_possible", "q_comes_in_the_end", "q_comes_in_the_end_ltl", "q_accepted_or_round_and_round"];

#[test]
fn nusmv_verdicts() {
    let said = nusmv::parse(recorded!("nusmv", "verdicts.out"), &NUSMV).unwrap();
    let holds: Vec<bool> = NUSMV.iter().map(|n| said.verdicts[*n]).collect();
    assert_eq!(holds, [true, false, false, true]);
    assert!(said.complete && said.traces.is_empty());
    let count = nusmv::parse(recorded!("nusmv", "count.out"), &NUSMV).unwrap();
    assert_eq!(count.states.as_deref(), Some("5"));
}

#[test]
fn nusmv_traces_with_loops() {
    let said = nusmv::parse(recorded!("nusmv", "traces.out"), &NUSMV).unwrap();
    for name in ["q_comes_in_the_end", "q_comes_in_the_end_ltl"] {
        let trace = &said.traces[name];
        assert!(trace.nodes.len() > 2 && !trace.loops.is_empty(), "{trace:?}");
        assert_eq!(trace.nodes[0].state["v_Text_1_created"], "FALSE");
        assert_eq!(trace.nodes[0].input["c_action"], "a_wilma_Create_Text_at_Text_1");
        assert!(trace.loops.iter().all(|l| *l < trace.nodes.len()));
    }
}

#[test]
fn nusmv_of_other_versions() {
    let newer = recorded!("nusmv", "traces.out")
        .replace("<counter-example type=\"0\" desc", "<counter-example type=\"0\" id=\"1\" desc")
        .replace("-- specification '", "-- specification ")
        .replace("'  is false", "  is false");
    let old = nusmv::parse(recorded!("nusmv", "traces.out"), &NUSMV).unwrap();
    assert_eq!(nusmv::parse(&newer, &NUSMV).unwrap(), old);
}

#[test]
fn nusmv_spoilt() {
    let whole = nusmv::parse(recorded!("nusmv", "traces.out"), &NUSMV).unwrap();
    for text in spoilt(recorded!("nusmv", "traces.out")) {
        if let Ok(said) = nusmv::parse(&text, &NUSMV) {
            assert!(said.verdicts.iter().all(|(n, v)| whole.verdicts[n] == *v));
        }
    }
    assert!(nusmv::parse(recorded!("nusmv", "syntax-error.out"), &NUSMV).unwrap().verdicts.is_empty());
    let sent = "-- specification 'x'  is true\n";
    assert!(nusmv::parse(sent, &[]).is_err(), "a verdict that nobody asked for");
    assert!(nusmv::parse(&sent.repeat(2), &["x"]).is_err(), "two verdicts");
    assert!(nusmv::parse("-- specification 'x'  is ", &["x"]).unwrap().verdicts.is_empty());
    assert!(nusmv::parse("-- specification 'x'  is truely", &["x"]).unwrap().verdicts.is_empty());
    assert!(!nusmv::parse("", &["x"]).unwrap().complete);
}

#[test]
fn nusmv_in_trouble() {
    assert!(nusmv::total(recorded!("nusmv", "deadlock.err")).is_err(), "everything is true of a model without runs");
    assert!(nusmv::total(recorded!("nusmv", "overflow.err")).is_ok());
    let said = |out: &str| nusmv::parse(out, &["q_never", "q_first", "q_second"]).unwrap();
    assert!(said(recorded!("nusmv", "overflow.out")).verdicts.is_empty());
    let memory = said(recorded!("nusmv", "memory.out"));
    assert_eq!(memory.verdicts.into_iter().collect::<Vec<_>>(), [("q_first".to_string(), true)]);
    assert!(!memory.complete);
    let cut = said(recorded!("nusmv", "timeout.out"));
    assert!(!cut.complete && !cut.verdicts.contains_key("q_second"));
    assert_eq!(said(""), nusmv::Said::default());
    let half = recorded!("nusmv", "traces.out").split("</counter-example>").next().unwrap();
    let half = nusmv::parse(half, &NUSMV).unwrap();
    assert!(half.traces.is_empty() && half.verdicts.values().all(|v| !v), "half a trace is no trace");
}

#[test]
fn pan_in_trouble() {
    let says = |out: &str| pan(out, "").map(|p| p.says);
    assert_eq!(says(recorded!("spin", "pan-safety.out")), Ok(PanSays::Violated));
    assert_eq!(says(recorded!("spin", "pan-several.out")), Ok(PanSays::Holds));
    assert!(says(recorded!("spin", "pan-deadlock.out")).is_err(), "a deadlock is no violation of a claim");
    assert!(says(recorded!("spin", "pan-overflow.out")).is_err(), "the state does not fit");
    let interrupted = says(recorded!("spin", "pan-interrupted.out"));
    assert!(matches!(interrupted, Ok(PanSays::Incomplete(_))), "{interrupted:?}");
    assert!(says(recorded!("spin", "pan-timeout.out")).is_err());
    assert!(says(recorded!("spin", "spin-error.out")).is_err());
    assert_eq!(spin::stored(recorded!("spin", "pan-count.out"), "").as_deref(), Ok("4"));
    for cut in ["pan-interrupted.out", "pan-deadlock.out", "pan-memory.out", "pan-too-deep.out", "pan-timeout.out"] {
        let out = std::fs::read_to_string(format!("{}/backends/spin/transcripts/{cut}", env!("CARGO_MANIFEST_DIR")));
        assert!(spin::stored(&out.unwrap(), "").is_err(), "{cut}");
    }
}

#[test]
fn mcmas_in_trouble() {
    let said = |out: &str| mcmas::parse(out, 2).map(|s| (s.verdicts.into_iter().collect::<Vec<_>>(), s.complete));
    assert_eq!(said(recorded!("mcmas", "memory.out")), Ok((vec![(1, false)], false)));
    assert_eq!(said(recorded!("mcmas", "timeout.out")), Ok((vec![(1, false)], false)));
    assert_eq!(said(recorded!("mcmas", "missing.out")), Ok((vec![], false)));
    assert_eq!(said(""), Ok((vec![], false)));
    for out in [recorded!("mcmas", "deadlock.out"), recorded!("mcmas", "overflow.out")] {
        assert!(mcmas::parse(out, 1).is_err(), "a model with deadlocks gives no verdicts");
    }
}

#[test]
fn pan_verdicts() {
    let says = |out: &str, err: &str| pan(out, err).map(|p| p.says);
    assert_eq!(says(recorded!("spin", "pan-holds.out"), ""), Ok(PanSays::Holds));
    assert_eq!(says(recorded!("spin", "pan-cycle.out"), ""), Ok(PanSays::Violated));
    let deep = says(recorded!("spin", "pan-too-deep.out"), recorded!("spin", "pan-too-deep.err"));
    assert_eq!(deep, Ok(PanSays::TooDeep));
    let memory = says(recorded!("spin", "pan-memory.out"), recorded!("spin", "pan-memory.err"));
    assert_eq!(memory, Ok(PanSays::OutOfMemory));
    assert!(says(recorded!("spin", "pan-safety-build.out"), "").is_err(), "no search for cycles is no proof");
    assert!(says(recorded!("spin", "pan-bitstate.out"), "").is_err(), "a sample is no proof");
    assert!(says("", "").is_err());
}

#[test]
fn pan_spoilt() {
    let holds = recorded!("spin", "pan-holds.out");
    let summary = "errors: 0";
    for text in spoilt(holds) {
        let whole = text.contains(summary) && text.contains("Full statespace") && text.contains("acceptance   cycles");
        assert_eq!(pan(&text, "").is_ok(), whole, "{text}");
    }
    for text in spoilt(recorded!("spin", "pan-cycle.out")) {
        assert_ne!(pan(&text, "").map(|p| p.says), Ok(PanSays::Holds), "{text}");
    }
    for worse in ["VECTORSZ too small", "pan:1: invalid end state (at depth 2)", "aborting"] {
        assert!(pan(&format!("{holds}\n{worse}"), "").is_err());
    }
    assert!(pan(&holds.repeat(2), "").is_err(), "two summaries");
}

#[test]
fn spin_replay() {
    let text = recorded!("spin", "replay-cycle.out");
    let width = text.lines().find_map(|l| l.trim().strip_prefix("@S ")).unwrap().split_whitespace().count();
    let replay = trail(text, width).unwrap();
    assert!(replay.cycle.is_some_and(|c| c < replay.steps.len()));
    assert!(trail(text, width + 1).is_err(), "steps of another shape");
    let end = text.find("spin: trail ends").unwrap();
    assert!(trail(&text[..end], width).is_err(), "cut off");
    assert!(trail(&text.replacen("@S ", "@S x", 1), width).is_err(), "garbled");
}

#[test]
fn mcmas_verdicts() {
    let said = mcmas::parse(recorded!("mcmas", "verdicts.out"), 4).unwrap();
    assert_eq!(said.verdicts.values().copied().collect::<Vec<_>>(), [true, false, false, true]);
    assert!(said.complete);
    assert_eq!(said.states.as_deref(), Some("5"));
    assert!(mcmas::parse(recorded!("mcmas", "verdicts.out"), 5).is_err(), "one verdict is missing");
    assert!(mcmas::parse(recorded!("mcmas", "verdicts.out"), 3).is_err(), "one too many");
    let none = mcmas::parse(recorded!("mcmas", "syntax-error.out"), 4).unwrap();
    assert!(none.verdicts.is_empty() && !none.complete);
    assert!(mcmas::parse(recorded!("mcmas", "fair.out"), 2).unwrap().complete);
}

#[test]
fn mcmas_runs() {
    let said = mcmas::parse(recorded!("mcmas", "traces.out"), 1).unwrap();
    assert_eq!(said.paths[&1], [0, 1, 2, 3, 2]);
    let edges = edges(recorded!("mcmas", "formula1.dot")).unwrap();
    assert!(said.paths[&1].windows(2).all(|w| edges.contains_key(&(w[0], w[1]))));
    assert_eq!(edges[&(2, 3)][0], "a_edgar_SendBack_at_Text_1");
    let states = states(recorded!("mcmas", "formula1.info")).unwrap();
    assert_eq!(states[&0]["v_Text_1_created"], "false");
    assert_eq!(states[&1]["v_Text_1_created"], "true");
    assert!(!states[&0].contains_key("x_g_wilma"), "variables of agents are not of the snapshot");
    let knowledge = "digraph w { \n 2 -> 3[label=\"Clerk\", arrowhead=none, style=dotted]\n}";
    assert!(mcmas::edges(knowledge).unwrap().is_empty());
    assert!(mcmas::edges("digraph w {").is_err());
}

#[test]
fn mcmas_spoilt() {
    let whole = mcmas::parse(recorded!("mcmas", "verdicts.out"), 4).unwrap();
    for text in spoilt(recorded!("mcmas", "verdicts.out")) {
        if let Ok(said) = mcmas::parse(&text, 4) {
            assert!(said.verdicts.iter().all(|(n, v)| whole.verdicts[n] == *v));
            assert!(!said.complete || said.verdicts == whole.verdicts);
        }
    }
    let glued = mcmas::parse("Unable to open file  Formula number 1: (p), is TRUE in the model", 1).unwrap();
    assert!(glued.verdicts[&1]);
    assert!(mcmas::parse("Formula number 1: (p), is TRUE in the mod", 1).unwrap().verdicts.is_empty());
}
