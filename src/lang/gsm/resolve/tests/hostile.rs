//! Files made to hurt: an error, no panic.

use super::{application, component, read};
use crate::source::Severity;

/// Reads a file that must be refused, and gives the codes of the errors.
fn refused(text: &str) -> Vec<&'static str> {
    let case = read(&[("model.xml", text)]);
    let report = case.report();
    assert!(case.diags.has_errors());
    assert!(report.len() < 10_000_000);
    let errors = case.diags.iter().filter(|d| d.severity() == Severity::Error);
    let mut codes: Vec<&str> = errors.map(|d| d.code.id).collect();
    codes.dedup();
    codes
}

#[test]
fn deep_nesting() {
    assert_eq!(refused(&"<a>".repeat(500_000)), ["E021"]);
    let deep = format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
    assert_eq!(refused(&deep), ["E021"]);
    let stage = |n| format!(r#"<ca:SubStage id="s{n}">"#);
    let open: String = (0..2_000).map(stage).collect();
    let stages = format!("<ca:Stage id=\"A\">{open}{}</ca:Stage>", "</ca:SubStage>".repeat(2_000));
    assert_eq!(refused(&application("", &component("T", &stages))), ["E021"]);
}

#[test]
fn wide_files() {
    assert_eq!(refused(&format!("<a>{}</a>", "<b/>".repeat(200_000))), ["E021"]);
    let attributes: String = (0..50_000).map(|n| format!(" a{n}=\"\"")).collect();
    assert_eq!(refused(&format!("<a{attributes}/>")), ["E021"]);
    let namespaces: String = (0..2_000).map(|n| format!("<a xmlns:n{n}=\"urn:{n}\">")).collect();
    assert_eq!(refused(&namespaces), ["E021"]);
}

#[test]
fn entities_that_multiply() {
    let bomb = r#"<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]><a>&d;</a>"#;
    assert_eq!(refused(bomb), ["E010"]);
}

#[test]
fn thousands_of_mistakes() {
    let guard =
        |n| format!(r#"<ca:StageGuard id="g{n}" eventIds="Nobody{n}" expression="GSM.isStageActive('Unknown{n}')"/>"#);
    let guards: String = (0..20_000).map(guard).collect();
    let milestone = |n| format!(r#"<ca:Milestone id="Known{n}"/>"#);
    let milestones: String = (0..20_000).map(milestone).collect();
    let stages = format!(r#"<ca:Stage id="A">{guards}{milestones}</ca:Stage>"#);
    let component =
        format!(r#"<ca:Component id="T"><ca:GuardedStageModel>{stages}</ca:GuardedStageModel></ca:Component>"#);
    let codes = refused(&application("", &component));
    assert!(codes.contains(&"E005") && codes.contains(&"E013"), "{codes:?}");
}

#[test]
fn no_prefix_of_a_model_panics() {
    let text = application(
        "<ca:Event id=\"E\"/>",
        &component("T", r#"<ca:Stage id="Ä"><ca:StageGuard expression="'é' == &#233;"/></ca:Stage>"#),
    );
    for end in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
        let case = read(&[("model.xml", &text[..end])]);
        assert!(case.diags.has_errors());
        case.report();
    }
}

#[test]
fn the_deepest_nesting_allowed_is_read() {
    let most = crate::lang::syntax::MAX_DEPTH;
    let nested = |open: &str, close: &str| {
        let deepest = (1..=most).rev().map(|n| format!("{}Flag{}", open.repeat(n), close.repeat(n)));
        let reads = |text: &String| !super::with_guard(text).diags.has_errors();
        deepest.into_iter().find(reads).map_or(0, |text| text.matches(open).count())
    };
    assert!(nested("(", ")") > 20);
    assert!(nested("!(", ")") > 20);
    assert!(nested("(true == ", ")") > 20);
    assert!(nested("U->exists(u | u.Z and ", ")") > 10);
    assert!(nested("U->exists(", ")") > 10);
    let levels = 100;
    let open: String = (0..levels).map(|n| format!(r#"<ca:SubStage id="s{n}"><ca:StageGuard/>"#)).collect();
    let stages = format!(r#"<ca:Stage id="A"><ca:StageGuard/>{open}{}</ca:Stage>"#, "</ca:SubStage>".repeat(levels));
    let files = [("model.xml", application("", &component("T", &stages))), ("data.xsd", super::schema(super::DATA))];
    let app = read(&files.each_ref().map(|(name, text)| (*name, text.as_str()))).sound(&[]);
    assert_eq!(app.types[0].stages.len(), levels + 1);
}
