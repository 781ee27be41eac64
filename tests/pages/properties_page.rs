//! The reference of the property language is checked: every block has the verdicts it says, every construct is shown.
//!
//! A block ```` ```gsmp on=EXAMPLE ```` is a property file for `examples/EXAMPLE`, or for a folder of the page's own with `on=./FOLDER`.
//! `instances=T=2` sets bounds; `engines=…` says which engines can decide each of its properties, no more and no fewer.

use crate::page::{blocks, option};
use gsmc::answer::{Engine, Verdict};
use gsmc::backend::unsupported;
use gsmc::check::{Plan, run};
use gsmc::lang::config::Overrides;
use gsmc::lang::gsm::Expr;
use gsmc::lang::gsm::ModelProperty;
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use gsmc::logic::{Bool, Formula, Path as Quantifier, PathFormula, Temporal};
use gsmc::machine::Valid;
use gsmc::source::render_all;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// A block with its properties, read and lowered.
struct Shown {
    /// Where it stands, for messages.
    place: String,
    engines: Option<Vec<Engine>>,
    properties: Vec<ModelProperty>,
    machine: Valid,
}

fn page_text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/properties.md");
    std::fs::read_to_string(path).expect("the page")
}

/// All blocks of properties; the page's own files are written first.
fn shown() -> Vec<Shown> {
    let (text, folder) = (page_text(), tempfile::tempdir().expect("a folder"));
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for block in blocks(&lines) {
        let body = format!("{}\n", lines[block.open + 1..block.close].join("\n"));
        if let Some(file) = option(&block.info, "file") {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(path, &body).expect("a file");
        }
        if let Some(on) = option(&block.info, "on") {
            let place = format!("properties.md, line {}", block.open + 1);
            // Readers do not see the block's info string.
            let said =
                on == "order-to-cash" || body.starts_with("// for ") && body.contains(on.trim_start_matches("./"));
            assert!(said, "{place} does not say what it is for");
            let file = folder.path().join("shown.gsmp");
            std::fs::write(&file, &body).expect("a file");
            let dir = match on.strip_prefix("./") {
                Some(own) => folder.path().join(own),
                None => Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(on),
            };
            let instances = option(&block.info, "instances").map(str::to_string).into_iter().collect();
            let overrides = Overrides { instances, ..Overrides::default() };
            let request = Request { dir: Some(dir), properties: vec![file], overrides, ..Request::default() };
            let engines = option(&block.info, "engines").map(|list| {
                list.split(',')
                    .map(|e| gsmc::backend::engine(e).unwrap_or_else(|| panic!("{place}: no engine {e}")))
                    .collect()
            });
            all.push(read(&request, place, engines));
        }
    }
    all
}

fn read(request: &Request, place: String, engines: Option<Vec<Engine>>) -> Shown {
    let loaded = load(request);
    let Some(app) = loaded.app else {
        panic!("{place}:\n{}", render_all(&loaded.diagnostics, &loaded.sources, false));
    };
    let machine = lower(&app, &loaded.properties, &loaded.sources).unwrap_or_else(|d| panic!("{place}: {}", d.message));
    assert!(!machine.properties.is_empty(), "{place} shows no property");
    Shown { place, engines, properties: loaded.properties, machine }
}

fn check(block: &Shown, engine: Engine) {
    let plan = Plan { engines: vec![engine], timeout: Some(Duration::from_secs(300)), ..Plan::default() };
    for r in run("model.xml", &block.machine, &plan).results {
        let place = format!("{}: {} by {engine}", block.place, r.property);
        assert_eq!(r.verdict, Verdict::of(r.expect), "{place} ({:?})", r.reason);
        assert!(r.trace.is_none_or(|t| t.certified), "{place}: its trace does not replay");
    }
}

#[test]
fn every_property_has_the_verdict_it_says() {
    for block in shown() {
        check(&block, Engine::NATIVE);
    }
}

/// The page says of each block which engines decide it, and those that are here agree.
#[test]
fn every_engine_decides_what_it_says() {
    for block in shown() {
        let Some(named) = &block.engines else { continue };
        for engine in gsmc::backend::engines() {
            for p in &block.machine.properties {
                let why = unsupported(engine, p);
                assert_eq!(why.is_none(), named.contains(&engine), "{}: {} by {engine}: {why:?}", block.place, p.name);
            }
            if engine != Engine::NATIVE && named.contains(&engine) && crate::tools::there(engine, "properties page") {
                check(&block, engine);
            }
        }
    }
}

/// Every operator of the language; a new one does not compile here until it is listed, and fails until it is shown.
const OPERATORS: [&str; 31] = [
    "!", "&&", "||", "->", "<->", "forall", "exists", "AX", "EX", "AF", "EF", "AG", "EG", "A U", "E U", "K", "EK",
    "CK", "DK", "<<>> X", "<<>> F", "<<>> G", "<<>> U", "LTL X", "LTL F", "LTL G", "LTL U", "LTL W", "LTL R", "mu",
    "nu",
];

#[test]
fn every_operator_is_shown() {
    let mut found = BTreeSet::new();
    let shown = shown();
    for p in shown.iter().flat_map(|b| &b.properties) {
        p.formula.walk(&mut |f| {
            found.insert(operator(f));
            if let Formula::Ltl(path) = f {
                linear_operators(path, &mut found);
            }
        });
    }
    let text: String = shown.iter().flat_map(|b| &b.properties).map(|p| format!(": {}\n", p.text)).collect();
    for operator in OPERATORS {
        // A part without temporal operators is one atom, with its connectives inside.
        assert!(found.contains(operator) || text.contains(operator), "no example of {operator}");
    }
    for word in ["never", "always", "reachable", "response", "possible_response", "precedence", "absence_after"] {
        assert!(text.contains(&format!(": {word}(")), "no example of {word}");
    }
}

fn operator(f: &Formula<Expr>) -> &'static str {
    match f {
        Formula::Atom(_) | Formula::Ltl(_) | Formula::Var(_) => "",
        Formula::Bool(b) => match b {
            Bool::Not(_) => "!",
            Bool::And(_) => "&&",
            Bool::Or(_) => "||",
            Bool::Implies(..) => "->",
            Bool::Iff(..) => "<->",
            Bool::Quant { exists, .. } => ["forall", "exists"][usize::from(*exists)],
        },
        Formula::Quantified(Quantifier::A, t) => temporal(t, ["AX", "AF", "AG", "A U"]),
        Formula::Quantified(Quantifier::E, t) => temporal(t, ["EX", "EF", "EG", "E U"]),
        Formula::Can(_, t) => temporal(t, ["<<>> X", "<<>> F", "<<>> G", "<<>> U"]),
        Formula::Know(kind, ..) => kind.symbol(),
        Formula::Fix(kind, ..) => kind.symbol(),
    }
}

fn temporal<F>(t: &Temporal<F>, [next, finally, globally, until]: [&'static str; 4]) -> &'static str {
    match t {
        Temporal::Next(_) => next,
        Temporal::Finally(_) => finally,
        Temporal::Globally(_) => globally,
        Temporal::Until(..) => until,
    }
}

fn linear_operators(f: &PathFormula<Expr>, found: &mut BTreeSet<&'static str>) {
    if f.as_weak_until().is_some() {
        found.insert("LTL W");
    } else if f.as_release().is_some() {
        found.insert("LTL R");
    }
    if let PathFormula::Temporal(t) = f {
        found.insert(temporal(t, ["LTL X", "LTL F", "LTL G", "LTL U"]));
    }
    for part in f.parts() {
        linear_operators(part, found);
    }
}
