//! Which values are needed, by the rules of the language.

use crate::lang::gsm::Application;
use crate::lang::gsm::resolve::tests::{application, component, name, read, schema};
use crate::machine::Domain;

/// `T` with attributes of these declarations and guards of these expressions.
fn files(attrs: &str, guards: &[&str]) -> (String, String) {
    let guards: String = guards.iter().map(|g| format!("<ca:StageGuard expression=\"{g}\"/>")).collect();
    let data = format!("<xs:element name=\"T\"><xs:complexType>{attrs}</xs:complexType></xs:element>");
    (application("", &component("T", &format!("<ca:Stage id=\"A\">{guards}</ca:Stage>"))), schema(&data))
}

fn app(attrs: &str, guards: &[&str], ranges: &[super::Range]) -> Application {
    let (model, data) = files(attrs, guards);
    read(&[("model.xml", &model), ("data.xsd", &data)]).sound(ranges)
}

fn findings(attrs: &str, guards: &[&str], ranges: &[super::Range]) -> String {
    let (model, data) = files(attrs, guards);
    read(&[("model.xml", &model), ("data.xsd", &data)]).settled(ranges)
}

/// Range and initial value of the number `n`.
fn number(declaration: &str, guards: &[&str], ranges: &[super::Range]) -> (i64, i64, i64) {
    let app = app(declaration, guards, ranges);
    let n = &app.types[0].attrs[0];
    let (lo, hi) = n.domain.bounds();
    (lo, hi, n.init)
}

#[test]
fn ranges_hold_zero_the_constants_and_one_value_beyond() {
    let n = r#"<xs:attribute name="n" type="xs:int"/>"#;
    for (guards, expected) in [
        (&[][..], (0, 1)),
        (&["n == 3"], (0, 3)),
        (&["n != -2"], (-2, 0)),
        (&["n &gt; 3"], (0, 4)),
        (&["n &lt;= 3"], (0, 4)),
        (&["n &lt; 3"], (0, 3)),
        (&["n &gt;= 3"], (0, 3)),
        (&["n &lt; 0"], (-1, 0)),
        (&["n &gt;= 0"], (-1, 0)),
        (&["3 &lt; n"], (0, 4)),
        (&["0 &gt; n", "n == 2 + 3"], (-1, 5)),
        (&["n + 1 == 4"], (0, 3)),
        (&["n - 1 &gt; 4"], (0, 6)),
        (&["!(n == 1 || n == 7)"], (0, 7)),
    ] {
        let (lo, hi, init) = number(n, guards, &[]);
        assert_eq!((lo, hi), expected, "{guards:?}");
        assert_eq!(init, 0);
    }
}

/// Ranges worked out by hand: what hangs together shares its constants, with room for how far apart it is compared.
#[test]
fn numbers_that_are_compared_with_one_another() {
    let attrs = r#"<xs:attribute name="n" type="xs:int"/><xs:attribute name="m" type="xs:int"/><xs:attribute name="k" type="xs:int"/>"#;
    for (guards, n, m, guessed) in [
        (&["n == m"][..], (0, 1), (0, 1), &["T.n", "T.m"][..]),
        (&["n &gt; m"], (0, 1), (0, 1), &["T.n", "T.m"]),
        (&["n == m + 5"], (0, 5), (0, 5), &["T.n", "T.m"]),
        (&["n == m - 5"], (0, 5), (0, 5), &["T.n", "T.m"]),
        (&["n == m + 5", "m == k + 5"], (0, 10), (0, 10), &["T.n", "T.m", "T.k"]),
        (&["n == m + 5", "n == m + 5"], (0, 5), (0, 5), &["T.n", "T.m"]),
        (&["n &lt; m", "m &gt; 9"], (0, 11), (0, 11), &["T.n", "T.m"]),
        (&["n + m == 10"], (-10, 10), (-10, 10), &["T.n", "T.m"]),
        (&["n * m == 12"], (-12, 12), (-12, 12), &["T.n", "T.m"]),
        (&["n * n == 9"], (-9, 9), (0, 1), &["T.n"]),
        // One number and constants: nothing is guessed.
        (&["n * 2 == 10"], (0, 6), (0, 1), &[]),
        (&["n / 3 == 4"], (0, 18), (0, 1), &[]),
        (&["20 - n == 4"], (0, 17), (0, 1), &[]),
        (&["n == 3", "m == 4"], (0, 3), (0, 4), &[]),
    ] {
        let app = app(attrs, guards, &[]);
        let range = |at: usize| app.types[0].attrs[at].domain.bounds();
        assert_eq!((range(0), range(1)), (n, m), "{guards:?}");
        assert_eq!(app.guesses.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), guessed, "{guards:?}");
    }
    // What is compared with a number of a given range is told apart from all of them.
    let given = app(attrs, &["n &gt; m + 5"], &[(name("T.m"), (0, 30))]);
    assert_eq!(given.types[0].attrs[0].domain.bounds(), (0, 36));
    assert!(given.guesses.is_empty());
}

#[test]
fn schema_beats_inference_and_options_beat_both() {
    let bounded = |lo: &str, hi: &str| {
        format!(
            r#"<xs:attribute name="n"><xs:simpleType><xs:restriction base="xs:int">{lo}{hi}</xs:restriction></xs:simpleType></xs:attribute>"#
        )
    };
    let (lo, hi) = (r#"<xs:minInclusive value="2"/>"#, r#"<xs:maxInclusive value="9"/>"#);
    assert_eq!(number(&bounded(lo, hi), &["n == 4"], &[]), (2, 9, 2));
    assert_eq!(number(&bounded(lo, ""), &["n == 4"], &[]), (2, 4, 2));
    assert_eq!(number(&bounded(lo, ""), &[], &[]), (2, 3, 2), "one value is widened upwards");
    assert_eq!(number(&bounded("", hi), &["n == 4"], &[]), (0, 9, 0));
    assert_eq!(number(&bounded(lo, hi), &["n == 1"], &[(name("T.n"), (0, 3))]), (0, 3, 0));
    assert_eq!(number(r#"<xs:attribute name="n" type="xs:positiveInteger"/>"#, &["n == 4"], &[]), (1, 4, 1));
    assert_eq!(number(r#"<xs:attribute name="n" type="xs:int" default="5"/>"#, &["n == 2"], &[]), (0, 5, 5));
    assert_eq!(number(r#"<xs:attribute name="n" type="xs:int"/>"#, &[], &[(name("T.n"), (7, 7))]), (7, 7, 7));
}

#[test]
fn texts_have_what_they_meet_and_other() {
    let attrs = r#"<xs:attribute name="s" type="xs:string" default="z"/><xs:attribute name="t" type="xs:string"/>"#;
    let app = app(attrs, &["s == 'a' || s != 'b'", "'a' == s", "t == s"], &[]);
    let values = |at: usize| match &app.types[0].attrs[at].domain {
        Domain::Enum { values, bottom: true } => values.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(values(0), ["a", "b", "z"]);
    assert_eq!(app.types[0].attrs[0].init, 3);
    assert_eq!(values(1), ["a", "b", "z"], "what it is compared with may be these");
    assert_eq!(app.guesses.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["T.s", "T.t"]);
}

#[test]
fn constants_out_of_range() {
    let n = r#"<xs:attribute name="n" type="xs:int" default="8"/>"#;
    insta::assert_snapshot!(findings(n, &["n == 4", "n &lt; 3", "n &gt; -1"], &[(name("T.n"), (0, 3))]));
}

#[test]
fn ranges_that_make_no_sense() {
    let attrs = r#"<xs:attribute name="n"><xs:simpleType><xs:restriction base="xs:int"><xs:minInclusive value="5"/><xs:maxInclusive value="2"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attribute name="m"><xs:simpleType><xs:restriction base="xs:long"><xs:minInclusive value="0"/><xs:maxInclusive value="9000000000000000000"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attribute name="b" type="xs:boolean"/>"#;
    insta::assert_snapshot!(findings(attrs, &[], &[(name("T.b"), (0, 3)), (name("T.x"), (0, 3))]));
}

/// Below that, numbers without bounds have their codes.
#[test]
fn ranges_begin_where_numbers_are_their_own_codes() {
    let n = r#"<xs:attribute name="n" type="xs:long"/>"#;
    let at = |lo: i64| findings(n, &[], &[(name("T.n"), (lo, lo + 3))]);
    assert!(at(-4611686018427387905).contains("error[E059]: 'n' begins at -4611686018427387905"));
    assert!(!at(-4611686018427387904).contains("E059"));
}

#[test]
fn fields_copied_under_another_name_carry_what_the_target_tells_apart() {
    let attrs = r#"<xs:attribute name="n" type="xs:int"/><xs:attribute name="s" type="xs:string"/><xs:attribute name="k" type="xs:int"/><xs:attribute name="j"><xs:simpleType><xs:restriction base="xs:int"><xs:minInclusive value="0"/><xs:maxInclusive value="1"/></xs:restriction></xs:simpleType></xs:attribute>"#;
    let data = format!(
        "<xs:element name=\"T\"><xs:complexType>{attrs}</xs:complexType></xs:element>\
         <xs:element name=\"M\"><xs:complexType><xs:attribute name=\"amount\" type=\"xs:int\"/><xs:attribute name=\"text\" type=\"xs:string\"/>\
         <xs:attribute name=\"k\" type=\"xs:int\"/></xs:complexType></xs:element>"
    );
    let copy = |from: &str, to: &str| {
        format!("<ca:Mapping><ca:Source {from}/><ca:Target refType=\"artifact\" XPath=\"T/{to}\"/></ca:Mapping>")
    };
    let field = |name: &str| format!("refType=\"serviceRequest\" sourceId=\"E\" XPath=\"M/{name}\"");
    let stages = format!(
        "<ca:Stage id=\"A\"><ca:StageGuard eventIds=\"E\" expression=\"n &gt; 3 || s == 'x' || k == 6\"/><ca:Task id=\"t\"><ca:Assign>{}{}{}</ca:Assign></ca:Task></ca:Stage>",
        copy(&field("amount"), "n"),
        copy(&field("text"), "s"),
        copy("refType=\"artifact\" XPath=\"T/j\"", "n"),
    );
    let event = r#"<ca:Event id="E"><ca:InputMsg schemaUri="data.xsd" rootElement="M"/></ca:Event>"#;
    let model = application(event, &component("T", &stages));
    let case = read(&[("model.xml", &model), ("data.xsd", &schema(&data))]);
    insta::assert_snapshot!(read(&[("model.xml", &model), ("data.xsd", &schema(&data))]).settled(&[]));
    let app = case.sound(&[]);
    let domains: Vec<Domain> = app.events[0].payload.iter().map(|f| f.domain.clone()).collect();
    assert_eq!(domains[0], Domain::Int { lo: 0, hi: 4 });
    assert_eq!(domains[1], Domain::Enum { values: vec!["x".to_string()], bottom: true });
    assert_eq!(domains[2], Domain::Int { lo: 0, hi: 6 }, "named like an attribute");
}
