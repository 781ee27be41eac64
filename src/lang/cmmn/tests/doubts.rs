//! Warnings and names of what is odd in a file, and numbers beyond what is followed.

use super::{case, load};
use crate::lang::cmmn::model::{Choices, Profile, State};
use crate::testing::cmmn::explore;

/// A plan of CMMN 1.1, or of 1.0.
fn plan(version: &str, inside: &str) -> String {
    format!(
        "<definitions xmlns=\"http://www.omg.org/spec/CMMN/{version}/MODEL\"><case id=\"c0\">\
         <caseFileModel><caseFileItem id=\"f\" name=\"File\"/></caseFileModel><casePlanModel id=\"p\">{inside}\
         <humanTask id=\"t\"/></casePlanModel></case></definitions>"
    )
}

fn on(element: &str, source: &str, event: &str) -> String {
    format!("<{element} sourceRef=\"{source}\"><standardEvent>{event}</standardEvent></{element}>")
}

/// B waits for such a part.
fn waits_for(part: &str) -> String {
    plan(
        "20151109",
        &format!(
            "<planItem id=\"a\" definitionRef=\"t\"/><planItem id=\"b\" definitionRef=\"t\"><entryCriterion id=\"e\" sentryRef=\"s\"/></planItem>\
             <sentry id=\"s\">{part}</sentry>"
        ),
    )
}

#[test]
fn events_that_never_come() {
    let exit = on("planItemOnPart", "a\" exitCriterionRef=\"nowhere", "exit");
    for (part, told) in [
        (on("planItemOnPart", "a", "suspend"), "warning[W254]: task 'a' never has 'suspend'"),
        (on("planItemOnPart", "a", "compleet"), "warning[W254]: task 'a' never has 'compleet'"),
        (on("caseFileItemOnPart", "f", "complete"), "warning[W254]: a case file item never has 'complete'"),
        (exit, "warning[W253]: 'a' has no exit criterion 'nowhere': the event never occurs"),
    ] {
        let (case, findings) = load(&waits_for(&part), &Choices::default());
        assert!(findings.starts_with(told), "{findings}");
        let found = explore(&case.expect("a case"), 100);
        assert!(!found.started.contains(&2), "{part}");
    }
}

/// In CMMN 1.0 one sentry may let an item in and end it: two criteria, two names.
#[test]
fn one_sentry_for_entry_and_exit() {
    let items = format!(
        "<planItem id=\"a\" definitionRef=\"t\"/><planItem id=\"b\" definitionRef=\"t\" entryCriteriaRefs=\"s\" exitCriteriaRefs=\"s\"/>\
         <sentry id=\"s\">{}</sentry>",
        on("planItemOnPart", "a", "complete")
    );
    let case = case(&plan("20131201", &items), Profile::Spec);
    let names: Vec<&str> = case.criteria.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["b.s", "b.s.exit"]);
    // Exit beats entry: b never starts.
    let found = explore(&case, 100);
    assert_eq!(found.fired.into_iter().collect::<Vec<_>>(), [1]);
}

/// A task that repeats sixty times and then no more; a counter that goes further is not followed.
#[test]
fn counters() {
    let repeats = |most: u32| {
        let rule =
            format!("<repetitionRule><condition>${{repetitionCounter &lt; {most}}}</condition></repetitionRule>");
        plan(
            "20151109",
            &format!("<planItem id=\"a\" definitionRef=\"t\"><itemControl>{rule}</itemControl></planItem>"),
        )
    };
    for profile in super::PROFILES {
        let found = explore(&case(&repeats(60), profile), 1000);
        // Before, sixty times at work, completed.
        assert_eq!(found.snapshots.len(), 62);
        assert!(found.can_reach(&|s| s.states[0] == State::Completed)[0]);
    }
    let (case, findings) = load(&repeats(61), &Choices::default());
    assert!(findings.contains("is not understood: counters are followed up to 60"), "{findings}");
    assert_eq!(case.expect("a case").free.len(), 1);
}
