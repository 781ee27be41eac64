//! Mistakes in expressions.

use super::with_guard;

/// The findings for each expression, one after the other.
fn complaints(expressions: &[&str]) -> String {
    let one = |e: &&str| format!("### {e}\n{}\n", with_guard(e).report());
    expressions.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn unknown_and_ambiguous_names() {
    insta::assert_snapshot!(complaints(&[
        "GSM.isMilestoneAchieved('Don')",
        "GSM.isMilestoneAchieved('U', 'x')",
        "GSM.isStageActive('Firts')",
        "GSM.isStageActive('Twin')",
        "GSM.isEventOccurring('EE')",
        "GSM.hasTaskCompleted('Wrok')",
        "GSM.isStageActive('V', 'A')",
        "Cuont == 1",
        "a",
        "A &amp;&amp; Flag",
        "City == 'x'",
        "T.Flg",
        "x.isStageActive('A')",
        "GSM.isStageActiv('A')",
    ]));
}

#[test]
fn types_that_do_not_fit() {
    insta::assert_snapshot!(complaints(&[
        "Count",
        "Flag == 'yes'",
        "Count == 'three'",
        "Note == 3",
        "Day == '2020-01-01'",
        "Note &lt; 'b'",
        "Flag &gt;= true",
        "Count + Flag == 2",
        "Count + 1",
        "'text'",
        "Status == 'Opne'",
        "Status != 'closed' || 'Shutt' == Status",
        "Line == 'x'",
        "$$ == Note",
    ]));
}

#[test]
fn operators_in_the_wrong_place_or_shape() {
    insta::assert_snapshot!(complaints(&[
        "GSM.isStageActive()",
        "GSM.isStageActive('T', 'A', 'B')",
        "GSM.isEventOccurring('U', 'E')",
        "GSM.isRelatedArtifactStageActive('Z')",
        "GSM.hasTaskCompleted('U', 'Z')",
        "GSM.outOfOrder('A')",
        "AG Flag",
        "forall x : U (x.Z)",
        "Line->size() &gt; 2",
        "Count->isEmpty()",
        "U->exist(u | u.Z)",
        "U->exists()",
        "U->size(u | u.Z)",
        "U->exists(u | u.Prise &gt; 1)",
        "U->exists(u | u)",
    ]));
}

#[test]
fn all_mistakes_of_one_expression_are_reported() {
    insta::assert_snapshot!(complaints(&[
        "Cuont == 1 &amp;&amp; (Flag == 'x' || GSM.isStageActive('Q')) and Nott != 3"
    ]));
}

#[test]
fn expressions_that_do_not_parse_name_their_element() {
    insta::assert_snapshot!(complaints(&["Flag &amp;&amp;", "(Flag", "Flag Count", "Note == 'x"]));
}

#[test]
fn decimals_are_compared_as_they_are() {
    insta::assert_snapshot!(complaints(&["Count &lt; 2.5", "Count &lt; 2.0", "U->exists(u | u.Price &gt;= 9.99)"]));
}

#[test]
fn sentries_that_never_hold() {
    insta::assert_snapshot!(complaints(&[
        "false",
        "Flag and false",
        "1 &gt; 2",
        "GSM.isEventOccurring('E') &amp;&amp; GSM.hasTaskCompleted('Work')",
        "GSM.isEventOccurring('E') &amp;&amp; GSM.isEventOccurring('Create_T')",
    ]));
}
