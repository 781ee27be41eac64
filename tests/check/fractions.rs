//! Numbers with fractions within bounds: constants are exact, and a number that is only compared with constants and copied has the verdicts that it has
//! without bounds.

#[path = "../common/tools.rs"]
mod tools;

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn gsmc(dir: &Path, model: &str, args: &[&str]) -> Value {
    std::fs::write(dir.join("model.gsm"), model).expect("a file");
    let all = [&["check", "model.gsm", "--format", "json"], args].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(all).current_dir(dir).output().expect("gsmc");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert!(found["results"].is_array(), "{model}\n{}\n{found}", String::from_utf8_lossy(&output.stderr));
    found
}

/// One type with these attributes, which `Set` carries, `F` with a field `f`, and more of its lifecycle.
fn model(attributes: &str, more: &str, properties: &[&str]) -> String {
    let fields = attributes.replace('\n', ", ");
    let plain: Vec<String> = fields.split(", ").map(|f| f.split(" = ").next().unwrap_or(f).to_string()).collect();
    format!(
        "application A\nevent Set {{ {} }}\nevent F {{ f: real }}\ntype T {{\n{attributes}\n  stage S {{ guard on create }}\n  stage Any {{ guard on Set }}\n\
         {more}\n}}\nproperties {{\n{};\n}}\n",
        plain.join(", "),
        properties.join(";\n")
    )
}

/// The verdicts of the properties, and whether each is exact and what it assumes.
fn verdicts(attributes: &str, more: &str, properties: &[&str]) -> Vec<(bool, bool, Vec<String>)> {
    let dir = tempfile::tempdir().expect("a folder");
    let results = gsmc(dir.path(), &model(attributes, more, properties), &[]);
    let one = |r: &Value| {
        let assumed = r["assumptions"].as_array().cloned().unwrap_or_default();
        let assumed = assumed.iter().filter_map(|a| a.as_str()).map(String::from).collect();
        (r["verdict"] == "true", r["exact"] == true, assumed)
    };
    results["results"].as_array().expect("results").iter().map(one).collect()
}

/// Each property in one model, with the verdict worked out by hand; all of them are exact.
fn exactly(attributes: &str, more: &str, cases: &[(&str, bool)]) {
    let properties: Vec<&str> = cases.iter().map(|(p, _)| *p).collect();
    for ((property, expected), (holds, exact, assumed)) in cases.iter().zip(verdicts(attributes, more, &properties)) {
        assert_eq!((holds, exact, assumed), (*expected, true, vec![]), "{attributes}: {property}");
    }
}

#[test]
fn a_whole_number_is_compared_exactly_with_a_fraction() {
    exactly(
        "n: int",
        "",
        &[
            ("EF exists t: T (t.n == 2 && t.n < 2.5)", true),
            ("EF exists t: T (t.n == 2.5)", false),
            ("AG forall t: T (t.n != 2.5)", true),
            ("AG forall t: T (t.n < 2.5 <-> t.n <= 2)", true),
            ("AG forall t: T (t.n >= 2.5 <-> t.n > 2)", true),
            ("AG forall t: T (2.5 > t.n <-> t.n < 3)", true),
            ("EF exists t: T (t.n > 2.5)", true),
            ("EF exists t: T (t.n + 0.5 > 2.5 && t.n * 0.5 == 1.5)", true),
            ("AG forall t: T (t.n < -0.5 <-> t.n <= -1)", true),
            ("EF exists t: T (t.n < -0.5)", true),
        ],
    );
    // The constant counts as its two neighbours.
    exactly(
        "n: int",
        "",
        &[("EF exists t: T (t.n >= 2.5)", true), ("EF exists t: T (t.n < 2.5 && t.n != 0 && t.n != 1)", true)],
    );
}

#[test]
fn a_double_has_its_constants_and_one_number_between() {
    exactly(
        "price: real",
        "",
        &[
            ("AG forall t: T (!(t.price < 2.6))", false),
            ("EF exists t: T (t.price > 2.5 && t.price < 2.51)", true),
            ("EF exists t: T (t.price == 2.505)", true),
            ("EF exists t: T (t.price > 2.505 && t.price < 2.506)", true),
            ("EF exists t: T (t.price > 7)", true),
            ("EF exists t: T (t.price < -7)", true),
            ("EF exists t: T (t.price + 1.5 < 3 && t.price - 0.25 > 1)", true),
            ("EF exists t: T (t.price + 1.5 < 3 && t.price > 1.5)", false),
            ("EF exists t: T (2 * 1.3 == t.price && t.price == 2.6)", true),
            ("EF exists t: T (t.price > 1.0 / 4 && t.price < 0.26)", true),
        ],
    );
}

#[test]
fn facets_cut_and_an_end_that_is_excluded_is_no_value() {
    let cases = [
        ("EF exists t: T (t.price < 0)", false),
        ("EF exists t: T (t.price == 2.5)", true),
        ("EF exists t: T (t.price > 2.5)", false),
        ("EF exists t: T (t.price > 0 && t.price < 2.5)", true),
    ];
    exactly("price: real 0..2.5", "", &cases);
    let open = [("EF exists t: T (t.price == 0)", false), ("EF exists t: T (t.price == 2.5)", false)];
    exactly("price: real 0<..<2.5", "", &[&open[..], &cases[2..]].concat());
    // It begins where 0 is clamped to; nothing but what lies above 1 is left.
    exactly("price: real 1<..", "", &[("AG forall t: T (t.price > 1)", true), ("EF exists t: T (t.price > 3)", true)]);
}

#[test]
fn what_is_copied_meets_the_same() {
    exactly(
        "a: real\nb: real 0..3\nc: real = 1.5",
        "  stage Copy { guard on F\n    task t: assign a = payload.f, assign b = a, assign c = b\n    milestone M when done(t) && c > 2.25 && c < 2.5 }",
        &[("EF exists t: T (t.M)", true), ("EF exists t: T (t.b > 2.9)", true)],
    );
}

/// What lies beyond a facet sets the flag and becomes the nearest value.
#[test]
fn beyond_a_facet_copies_overflow() {
    let copy = "  stage Copy { guard on F\n    task t: assign b = payload.f\n    milestone M when done(t) && b == 3 }";
    let all = ["EF exists t: T (t.M && overflow)", "EF overflow", "EF exists t: T (t.b > 3)"];
    let told: Vec<bool> = verdicts("b: real 0..3", copy, &all).into_iter().map(|(holds, ..)| holds).collect();
    assert_eq!(told, [true, true, false]);
}

#[test]
fn a_verdict_that_rests_on_a_replaced_number_says_so() {
    let attributes = "a: real\nb: real\nc: real\nn: int";
    let add = "  stage Add { guard on F\n    task t: add c\n    milestone M when done(t) && c > 1 }";
    let asked = [
        "EF exists t: T (t.a < t.b)",
        "EF exists t: T (t.a * 2 > 3)",
        "EF exists t: T (t.M)",
        "EF exists t: T (t.n < 2.5)",
        "EF exists t: T (t.a > 1.5)",
    ];
    let all = verdicts(attributes, add, &asked);
    let names: Vec<&str> =
        all.iter().map(|(_, _, a)| a.first().map_or("", |a| a.split(" computed").next().unwrap_or(""))).collect();
    // The sentry reads c always, so that every verdict rests on it.
    assert_eq!(names, ["T.a, T.b and T.c are", "T.a and T.c are", "T.c is", "T.c is", "T.a and T.c are"]);
    assert!(all.iter().all(|(holds, exact, a)| *holds && !exact && a[0].contains("--abstract")), "{all:?}");
}

/// Results that no point is are those of their interval: worked out by hand on the points 0, between, 1, above (2).
#[test]
fn results_are_replaced_by_the_point_of_their_interval() {
    let double =
        |steps: &str| format!("  stage Go {{ guard on F\n    task t: {steps}\n    milestone M when done(t) }}");
    let told = |more: &str, asked: &str| verdicts("a: real", more, &[asked])[0].0;
    // 0 and 1 is 1, and 1 and 1 is above 1.
    assert!(told(&double("add a"), "EF exists t: T (t.M && t.a == 1)"));
    assert!(told(&double("add a"), "EF exists t: T (t.a > 1)"));
    // A third of one lies between 0 and 1, and is none of both.
    assert!(told("", "EF exists t: T (t.a == 1 && t.a / 3 > 0 && t.a / 3 < 1 && t.a / 3 != 0.3 && t.a / 3 > 0.3)"));
}

const CONSTANTS: [&str; 5] = ["0.5", "1", "1.5", "2.25", "2"];

fn condition(rng: &mut fastrand::Rng, of: &str) -> String {
    let op = ["<", "<=", "==", "!=", ">=", ">"][rng.usize(..6)];
    let left = match rng.u8(..6) {
        0 => format!("{of} + 0.25"),
        1 => format!("{of} - 1"),
        _ => of.to_string(),
    };
    format!("{left} {op} {}", CONSTANTS[rng.usize(..CONSTANTS.len())])
}

/// Doubles that are compared with constants and copied, nothing else.
fn random(rng: &mut fastrand::Rng) -> String {
    let mut declare = |name: &str| {
        let facets = ["", "", " 0..3", " -1..", " 0.5..2.25"][rng.usize(..5)];
        let initial = ["", "", " = 1.5", " = 1"][rng.usize(..4)];
        format!("  {name}: real{facets}{initial}")
    };
    let attributes: Vec<String> = ["a", "b", "c"].into_iter().map(&mut declare).collect();
    let mut stages = String::new();
    for i in 0..2 + rng.usize(..2) {
        let attr = ["a", "b", "c"][rng.usize(..3)];
        let when = if rng.bool() { format!(" when {}", condition(rng, attr)) } else { String::new() };
        let event = ["E", "F", "create"][rng.usize(..3)];
        let steps = [
            "assign b = a",
            "assign c = b",
            "assign a = 1.5",
            "assign b = payload.f",
            "assign c = payload.f",
            "assign a = c",
            "call Ask -> b",
        ];
        let step = steps[rng.usize(..steps.len())];
        let other = ["a", "b", "c"][rng.usize(..3)];
        let done = condition(rng, other);
        stages += &format!(
            "  stage S{i} {{\n    guard on {event}{when}\n    task t{i}: {step}\n    milestone m{i} when done(t{i}) && {done}\n    \
             milestone o{i} on E when {}\n  }}\n",
            condition(rng, "a")
        );
    }
    let mut atom = || match rng.usize(..9) {
        0..3 => "x.m0".to_string(),
        3..6 => "x.o1".to_string(),
        n => condition(rng, ["x.a", "x.b", "x.c"][n - 6]),
    };
    let properties = [
        format!("EF exists x: T ({} && {})", atom(), atom()),
        format!("AG forall x: T ({} -> EF ({}))", atom(), atom()),
        format!("EF exists x: T ({} && EX ({} && !({})))", atom(), atom(), atom()),
    ];
    format!(
        "application R\nevent E {{ a: real, f: real }}\nevent F {{ b: real, f: real }}\ntype T {{\n{}\n{stages}}}\nproperties {{\n{};\n}}\n",
        attributes.join("\n"),
        properties.join(";\n")
    )
}

/// With bounds the verdicts are those of all numbers, which a solver decides.
#[test]
fn verdicts_are_those_of_all_numbers() {
    if tools::without_solver() {
        return;
    }
    let (mut both, mut differ) = (0, [0; 2]);
    let many = std::env::var("GSMC_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(110);
    for seed in 0..many {
        let text = random(&mut fastrand::Rng::with_seed(seed));
        let dir = tempfile::tempdir().expect("a folder");
        let (bounded, whole) = (gsmc(dir.path(), &text, &[]), gsmc(dir.path(), &text, &["--abstract"]));
        for (b, w) in
            bounded["results"].as_array().into_iter().flatten().zip(whole["results"].as_array().into_iter().flatten())
        {
            if w["verdict"] == "unknown" {
                continue;
            }
            both += 1;
            differ[usize::from(b["verdict"] == "true")] += 1;
            assert_eq!(b["verdict"], w["verdict"], "seed {seed}: {}\n{text}", b["property"]);
            assert_eq!(b["assumptions"], Value::Null, "seed {seed}\n{text}");
        }
    }
    assert!(both > many * 2 && differ.iter().all(|n| *n > both / 10), "{both} decided both times, {differ:?}");
}
