//! Recorded output of the real tool, whole, cut off and spoilt.

use super::output::*;
use crate::backend::unreadable::spoilt;

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../../../backends/spin/transcripts/", $name))
    };
}

#[test]
fn pan_in_trouble() {
    let says = |out: &str| pan(out, "").map(|p| p.says);
    assert_eq!(says(recorded!("pan-safety.out")), Ok(PanSays::Violated));
    assert_eq!(says(recorded!("pan-several.out")), Ok(PanSays::Holds));
    assert!(says(recorded!("pan-deadlock.out")).is_err(), "a deadlock is no violation of a claim");
    assert!(says(recorded!("pan-overflow.out")).is_err(), "the state does not fit");
    let interrupted = says(recorded!("pan-interrupted.out"));
    assert!(matches!(interrupted, Ok(PanSays::Incomplete(_))), "{interrupted:?}");
    assert!(says(recorded!("pan-timeout.out")).is_err());
    assert!(says(recorded!("spin-error.out")).is_err());
    assert_eq!(stored(recorded!("pan-count.out"), "").as_deref(), Ok("4"));
    for cut in ["pan-interrupted.out", "pan-deadlock.out", "pan-memory.out", "pan-too-deep.out", "pan-timeout.out"] {
        let out = std::fs::read_to_string(format!("{}/backends/spin/transcripts/{cut}", env!("CARGO_MANIFEST_DIR")));
        assert!(stored(&out.unwrap(), "").is_err(), "{cut}");
    }
}

#[test]
fn pan_verdicts() {
    let says = |out: &str, err: &str| pan(out, err).map(|p| p.says);
    assert_eq!(says(recorded!("pan-holds.out"), ""), Ok(PanSays::Holds));
    assert_eq!(says(recorded!("pan-cycle.out"), ""), Ok(PanSays::Violated));
    let deep = says(recorded!("pan-too-deep.out"), recorded!("pan-too-deep.err"));
    assert_eq!(deep, Ok(PanSays::TooDeep));
    let memory = says(recorded!("pan-memory.out"), recorded!("pan-memory.err"));
    assert_eq!(memory, Ok(PanSays::OutOfMemory));
    let tautology = recorded!("pan-tautology.out");
    assert_eq!(says(tautology, recorded!("pan-tautology.err")), Ok(PanSays::Holds));
    assert!(says(tautology, "").is_err(), "pan must say why it does not look for cycles");
    assert!(says(recorded!("pan-safety-build.out"), "").is_err(), "no search for cycles is no proof");
    assert!(says(recorded!("pan-bitstate.out"), "").is_err(), "a sample is no proof");
    assert!(says("", "").is_err());
}

#[test]
fn swarms() {
    let whole = recorded!("pan-swarm.out");
    let said = marked(whole, "").unwrap();
    assert_eq!((said.violated, said.cut, said.states > 100, said.depth), (false, true, true, 99));
    assert!(said.hash_factor > 1000.0 && !said.out_of_memory);
    let found = recorded!("pan-swarm-found.out");
    let said = marked(found, "").unwrap();
    assert_eq!((said.violated, said.states, said.depth), (true, 22, 128));
    assert!(
        pan(whole, "").is_ok_and(|p| p.says == PanSays::TooDeep) && marked(recorded!("pan-holds.out"), "").is_err()
    );
    assert!(marked(recorded!("pan-bitstate.out"), "").is_ok_and(|m| (m.states, m.cut) == (9, false)));
    assert!(marked(&found.replace("pan: wrote", "pan: lost"), "").is_err(), "no trail");
    for text in spoilt(found).into_iter().chain(spoilt(whole)) {
        let told = marked(&text, "");
        let summary = text.contains("errors: ") && text.contains(" states, stored") && text.contains("hash factor: ");
        assert!(told.is_err() || summary, "{text}");
        assert!(told.is_err() || text.contains("Bit statespace search for:"), "{text}");
    }
}

#[test]
fn pan_spoilt() {
    let holds = recorded!("pan-holds.out");
    let summary = "errors: 0";
    for text in spoilt(holds) {
        let whole = text.contains(summary) && text.contains("Full statespace") && text.contains("acceptance   cycles");
        assert_eq!(pan(&text, "").is_ok(), whole, "{text}");
    }
    for text in spoilt(recorded!("pan-cycle.out")) {
        assert_ne!(pan(&text, "").map(|p| p.says), Ok(PanSays::Holds), "{text}");
    }
    for worse in ["VECTORSZ too small", "pan:1: invalid end state (at depth 2)", "aborting"] {
        assert!(pan(&format!("{holds}\n{worse}"), "").is_err());
    }
    assert!(pan(&holds.repeat(2), "").is_err(), "two summaries");
}

#[test]
fn spin_replay() {
    let text = recorded!("replay-cycle.out");
    let width = text.lines().find_map(|l| l.trim().strip_prefix("@S ")).unwrap().split_whitespace().count();
    let replay = trail(text, width).unwrap();
    assert!(replay.cycle.is_some_and(|c| c < replay.steps.len()));
    assert!(trail(text, width + 1).is_err(), "steps of another shape");
    let end = text.find("spin: trail ends").unwrap();
    assert!(trail(&text[..end], width).is_err(), "cut off");
    assert!(trail(&text.replacen("@S ", "@S x", 1), width).is_err(), "garbled");
}
