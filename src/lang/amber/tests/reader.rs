//! What is read, and what is said about mistakes.

use super::{case, model};
use crate::lang::amber::{NodeKind, read};
use crate::source::{Diagnostics, Severity, Sources, render_all};

#[test]
fn every_ill_formed_text_is_told_on_its_line() {
    let expected: serde_json::Value = serde_json::from_str(&case("ill-formed/expected.json")).expect("JSON");
    let errors = expected["errors"].as_object().expect("errors");
    assert_eq!(errors.len(), 19);
    let mut texts = Vec::new();
    for (file, wanted) in errors {
        let mut sources = Sources::new();
        let id = sources.add(file.as_str(), case(&format!("ill-formed/{file}")));
        let mut diags = Diagnostics::new();
        assert!(read(id, &sources, &mut diags).is_none(), "{file} is taken");
        let told: Vec<usize> = diags
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .map(|d| d.span.map_or(0, |s| sources.line_col(s).0))
            .collect();
        assert_eq!(told, vec![wanted["line"].as_u64().expect("line") as usize], "{file}: {}", wanted["why"]);
        assert!(diags.iter().all(|d| d.help.is_some()), "{file}: what to type");
        texts.push(render_all(&diags, &sources, false));
    }
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn all_cases_are_read() {
    for name in [
        "blocks",
        "crowded",
        "crowded-bound",
        "cyclic",
        "disabling",
        "garage",
        "joins-splits",
        "loop",
        "mismatch",
        "ten-times",
    ] {
        model(&case(&format!("{name}/model.amber"))).unwrap_or_else(|e| panic!("{name}:\n{e}"));
    }
}

#[test]
fn groups_become_nodes_named_in_order_of_appearance() {
    let m = model(
        "action a, b, c, d, e, f, g, h\n((a | b) & c) -> (d & (e | f)) -> g\nh -[x]-> \n  s:(i | j) -> k\naction i, j, k\nvar x: bool",
    );
    let m = m.unwrap_or_else(|e| panic!("{e}"));
    let made: Vec<&str> = m.nodes.iter().filter(|n| !n.kind.happens()).map(|n| n.name.as_str()).collect();
    assert_eq!(made, ["andjoin1", "orjoin1", "andsplit1", "orsplit1", "andjoin2", "orjoin2", "s", "orjoin3"]);
    let arrows: Vec<String> =
        m.arrows.iter().map(|a| format!("{}>{}", m.nodes[a.from].name, m.nodes[a.to].name)).collect();
    assert_eq!(
        arrows.join(" "),
        "a>orjoin1 b>orjoin1 orjoin1>andjoin1 c>andjoin1 andsplit1>d orsplit1>e orsplit1>f andsplit1>orsplit1 \
         d>andjoin2 e>orjoin2 f>orjoin2 orjoin2>andjoin2 andjoin1>andsplit1 andjoin2>g s>i s>j i>orjoin3 j>orjoin3 \
         h>s orjoin3>k"
    );
}

#[test]
fn everything_of_the_notation_at_once() {
    let text = r#"
# comment
amber "Everything"; bound 2 // another
type Status = {Idle, Informed}; type Customer = record { group: 1..max, status: Status }
const max = 2 + 3
define rejected = decision == no && !(X.n > 1)
var decision: {yes, no} = no
var file: Customer[2] = { {1, Idle}, {max, "Informed"} }
var low: -3..-1; var flag, other: bool = true
actor Clerk sees file.status,
  decision
action b { flag := !flag; low := any -2..-1; if flag { decision := any {yes} } else if low == -1 { file[low + 2].status := any }
  file[0] := file[1]; file[1] := { 2, Informed } }
repeated action c, d { low := -2 }
optional interaction pay
/* over
   lines */
block X by Clerk {
  entry in; exit out
  var n: byte
  repeated optional action e { n := n + 1; X.n := 0 }
  repeated interaction receive
  in -> e -> (receive & => e)
  orsplit t
  action f, g; f -> t -[n > 1]-> out; t -[else]-> g
  pay -/-> f
}
a -[rejected]-> X.in; action a
c -> d =[low < -1]=> c
b -/-> d, X
relation pay, X.receive
"#;
    let m = model(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((m.name.as_str(), m.bound, m.events.len()), ("Everything", Some(2), 8));
    assert_eq!(m.relations[0].name, "pay+receive");
    let cells: Vec<String> = m.cells.iter().map(|c| format!("{}={}", c.name, c.init)).collect();
    assert_eq!(
        cells.join(" "),
        "decision=1 file[0].group=1 file[0].status=0 file[1].group=5 file[1].status=1 low=-1 flag=1 other=1 X.n=0"
    );
    assert_eq!(m.actors[0].sees, [0, 2, 4]);
    let disabled: Vec<&str> = m.disables.iter().map(|d| m.nodes[d.to].path.as_str()).collect();
    assert_eq!(disabled, ["X.f", "d", "X.e", "X.receive", "X.f", "X.g"]);
    let repeated: Vec<&str> = m.nodes.iter().filter(|n| n.repeated).map(|n| n.path.as_str()).collect();
    assert_eq!(repeated, ["c", "d", "X.e", "X.receive", "X.andsplit1"]);
    assert!(m.nodes.iter().all(|n| n.kind != NodeKind::Exit || n.path == "X.out"));
}

#[test]
fn all_mistakes_of_a_text_are_told() {
    let text = r#"
amber One; amber Two
bound 0
type T = {a, a}; type U = V
const c = n; const k = k + 1
var n: 3..1
var m: U[0]
actor A sees m, zz
action exit
action ok { m = 1 }
action fine { z := 3; n := 4 }
block X by B { action a; define d = true }
a -> ok, fine
a => (ok)
ok -> X
-> b
relation r: X.a
"#;
    let told = model(text).err().unwrap_or_default();
    insta::assert_snapshot!(told);
}

#[test]
fn hostile_texts_are_refused_quietly() {
    for text in [
        "(".repeat(100_000),
        "block x {".repeat(10_000),
        format!("action a {{ x := {} }}", "(".repeat(100_000)),
        format!("var x: bool{}", "[2]".repeat(1000)),
        format!("type t = {}bool", "record { a: ".repeat(1000)),
        "a -> ".repeat(100_000),
        "\u{0}\u{1}".repeat(1000),
        "action \"".to_string(),
        "/*".to_string(),
        "}".repeat(1000),
        "action a; a -[".to_string(),
        "var x: 0..99999999999999999999".to_string(),
        "var x: bool[1000][1000][1000]".to_string(),
    ] {
        assert!(model(&text).is_err(), "{}", text.chars().take(30).collect::<String>());
    }
}
