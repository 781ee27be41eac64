//! Why a case never completes, where each of its items can start.

use super::case;
use crate::lang::cmmn::Cmmn;
use crate::lang::cmmn::model::{Profile, State};
use crate::source::Diagnostics;
use crate::testing::cmmn::explore;

const HEAD: &str = "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" xmlns:flowable=\"http://flowable.org/cmmn\">\
    <case id=\"c\"><casePlanModel id=\"plan\">";
const TAIL: &str = "<humanTask id=\"t\"/><userEventListener id=\"l\"/></casePlanModel></case></definitions>";

/// B waits for one part, C for another; Stop ends A.
fn two(mode: &str, b: &str, c: &str) -> String {
    format!(
        "{HEAD}<planItem id=\"a\" name=\"A\" definitionRef=\"t\"><exitCriterion id=\"xA\" sentryRef=\"stopped\"/></planItem>\
         <planItem id=\"b\" name=\"B\" definitionRef=\"t\"><entryCriterion id=\"cB\" sentryRef=\"sB\"/></planItem>\
         <planItem id=\"c1\" name=\"C\" definitionRef=\"t\"><entryCriterion id=\"cC\" sentryRef=\"sC\"/></planItem>\
         <planItem id=\"stop\" name=\"Stop\" definitionRef=\"l\"/>\
         <sentry id=\"stopped\"><planItemOnPart sourceRef=\"stop\"><standardEvent>occur</standardEvent></planItemOnPart></sentry>\
         <sentry id=\"sB\" {mode}>{b}</sentry><sentry id=\"sC\" {mode}>{c}</sentry>{TAIL}"
    )
}

fn after(event: &str) -> String {
    format!("<planItemOnPart sourceRef=\"a\"><standardEvent>{event}</standardEvent></planItemOnPart>")
}

fn when(event: &str, value: &str) -> String {
    format!("{}<ifPart><condition>${{x == '{value}'}}</condition></ifPart>", after(event))
}

/// What is said, and whether the literal semantics completes the case.
fn told(text: &str, profile: Profile) -> (Vec<String>, bool) {
    let case = case(text, profile);
    let completes = explore(&case, 1000).can_reach(&|s| s.states[0] == State::Completed)[0];
    let cmmn = Cmmn::new(case, 40, &[], true, &mut Diagnostics::new()).expect("a machine");
    (cmmn.what_excludes_completion(), completes)
}

#[test]
fn items_that_exclude_each_other() {
    let ends = two("", &after("complete"), &after("exit"));
    for profile in super::PROFILES {
        let (told, completes) = told(&ends, profile);
        let wanted = "B and C exclude each other, and it waits for both (criterion cB waits for 'complete' of A, criterion cC waits for \
                      'exit' of A)";
        assert_eq!((told.join("; ").as_str(), completes), (wanted, false));
    }
    let mode = "flowable:triggerMode=\"onEvent\"";
    let (both, completes) = told(&two(mode, &when("complete", "yes"), &when("complete", "no")), Profile::Flowable);
    assert!(both.len() == 1 && both[0].starts_with("B and C exclude each other") && !completes, "{both:?}");
    // What is remembered does not exclude: yes at first, no when A completes.
    let (none, completes) = told(&two("", &when("complete", "yes"), &when("complete", "no")), Profile::Flowable);
    assert_eq!((none.len(), completes), (0, true));
}

#[test]
fn a_listener_that_ends_the_case() {
    let text = format!(
        "{HEAD}<planItem id=\"a\" name=\"A\" definitionRef=\"t\"/><planItem id=\"stop\" name=\"Stop\" definitionRef=\"l\"/>\
         <sentry id=\"s\"><planItemOnPart sourceRef=\"stop\"><standardEvent>occur</standardEvent></planItemOnPart></sentry>\
         <exitCriterion id=\"out\" sentryRef=\"s\"/>{TAIL}"
    );
    for profile in super::PROFILES {
        let (told, completes) = told(&text, profile);
        let wanted = "Stop listens until it occurs, and then criterion out ends the case";
        assert_eq!((told.join("; ").as_str(), completes), (wanted, false));
    }
}

/// What is explained as a property can be typed as one.
#[test]
fn explained_formulas_are_properties() {
    use crate::lang::{Lens, standard};
    let text = two("", &after("complete"), &after("exit"));
    let cmmn = Cmmn::new(case(&text, Profile::Spec), 40, &[], true, &mut Diagnostics::new()).expect("a machine");
    for s in standard::ALL.iter().filter(|s| s.languages == ["cmmn"] && !s.formula.is_empty()) {
        let formula = s.formula.replace("'Item'", "'A'");
        let read = cmmn.with_property(&formula, &mut crate::source::Sources::new());
        assert!(read.is_ok(), "{}: {:?}", s.name, read.err());
    }
}
