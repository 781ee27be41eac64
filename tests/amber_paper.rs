//! The paper's own translation, in which every join and split is an event of its own, against gsmc: on models without conditions both
//! answer linear-time questions without X alike.
//!
//! The garage is compared with a program written by hand: same verdicts, and no more states in what gsmc exports.
//!
//! `GSMC_RANDOM_AMBER=50 cargo test --test amber_paper` takes more than the default few.

#[path = "common/tools.rs"]
mod tools;

use gsmc::answer::Engine;
use gsmc::check::{Plan, run};
use gsmc::lang::amber::lower::lower;
use gsmc::lang::amber::properties::AmberAtoms;
use gsmc::lang::amber::{Model, NodeIx, NodeKind, read};
use gsmc::lang::properties;
use gsmc::lang::syntax::Text;
use gsmc::source::{Diagnostics, Sources, render_all};
use gsmc::testing::amber::literal::Literal;
use gsmc::testing::amber::{Limits, seeded};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A token leaves a node along its arrows: to what is behind, or as a mark before an AndJoin.
fn push(model: &Model, from: NodeIx) -> String {
    let mut out = String::new();
    for a in model.outgoing(from) {
        out += &pass(model, a);
    }
    out
}

/// More tokens than this are not kept waiting; models that need more than one anywhere are not compared.
const MOST: usize = 4;

/// A token reaches what happens more than once, or what happens once.
fn arrive(model: &Model, to: NodeIx) -> String {
    let free = if model.nodes[to].kind.happens() { format!("!disabled[{to}] && ") } else { String::new() };
    match model.nodes[to].repeated {
        true => format!("if :: {free}triggered[{to}] < {MOST} -> triggered[{to}]++ :: else fi; "),
        false => format!("if :: {free}!executed[{to}] -> triggered[{to}] = 1 :: else fi; "),
    }
}

fn pass(model: &Model, arrow: usize) -> String {
    let to = model.arrows[arrow].to;
    let arrives = arrive(model, to);
    if model.nodes[to].kind != NodeKind::AndJoin {
        return arrives;
    }
    let (mut all, mut taken) = (Vec::new(), String::new());
    for a in model.incoming(to) {
        all.push(format!("mark[{a}]"));
        taken += &format!("mark[{a}]--; ");
    }
    let marked = match model.nodes[to].repeated {
        true => format!("mark[{arrow}] < {MOST} -> mark[{arrow}]++"),
        false => format!("!executed[{to}] -> mark[{arrow}] = 1"),
    };
    let taken = if model.nodes[to].repeated { taken } else { String::new() };
    format!("if :: {marked}; if :: {} -> {taken}{arrives}:: else fi :: else fi; ", all.join(" && "))
}

/// The state machine of a model as the paper builds it: one branch of a loop for every node and relation.
fn promela(model: &Model, formula: &str) -> String {
    let (nodes, arrows) = (model.nodes.len(), model.arrows.len().max(1));
    let mut out = format!("byte triggered[{nodes}];\nbool executed[{nodes}];\nbool disabled[{nodes}];\n");
    let _ = write!(out, "byte mark[{arrows}];\n\ninit {{\n");
    for n in (0..nodes).filter(|&n| model.nodes[n].kind.happens() && model.starts_triggered(n)) {
        let _ = writeln!(out, "  triggered[{n}] = 1;");
    }
    out += "  do\n";
    for event in &model.events {
        let ready: Vec<String> = event.parties.iter().map(|p| format!("triggered[{p}]")).collect();
        let done: String = event.parties.iter().map(|p| format!("triggered[{p}]--; executed[{p}] = 1; ")).collect();
        let hit = model.disables.iter().filter(|d| event.parties.contains(&d.from));
        let hit: String = hit.map(|d| format!("triggered[{0}] = 0; disabled[{0}] = 1; ", d.to)).collect();
        let on: String = event.parties.iter().map(|&p| push(model, p)).collect();
        let _ = writeln!(out, "  :: atomic {{ {} -> {done}{hit}{on}}}", ready.join(" && "));
    }
    for (n, node) in model.nodes.iter().enumerate().filter(|(_, n)| !n.kind.happens()) {
        let took = format!("triggered[{n}]--; executed[{n}] = 1; ");
        if node.kind == NodeKind::OrSplit {
            let ways: String = model.outgoing(n).map(|a| format!(":: true -> {}", pass(model, a))).collect();
            let _ = writeln!(out, "  :: atomic {{ triggered[{n}] -> {took}if {ways} fi }}");
        } else {
            let _ = writeln!(out, "  :: atomic {{ triggered[{n}] -> {took}{} skip }}", push(model, n));
        }
    }
    let _ = write!(out, "  od\n}}\n\nltl asked {{ {formula} }}\n");
    out
}

/// Makes a verifier of `model.pml`; `None` where SPIN or a C compiler is missing.
fn verifier(program: &str, folder: &Path, flags: &[&str]) -> Option<()> {
    std::fs::write(folder.join("model.pml"), program).unwrap();
    let made = Command::new("spin").args(["-a", "-o2", "-o3", "model.pml"]).current_dir(folder).output().ok()?;
    assert!(made.status.success(), "{program}\n{}", String::from_utf8_lossy(&made.stdout));
    let args = ["-w", "-DVECTORSZ=2048", "-o", "pan", "pan.c"];
    let cc = Command::new("cc").args(args).args(flags).current_dir(folder).output().ok()?;
    assert!(cc.status.success(), "{program}\n{}", String::from_utf8_lossy(&cc.stderr));
    Some(())
}

/// Runs a verifier: does the claim hold, and how many states were stored?
fn verified(folder: &Path, args: &[&str]) -> Option<(bool, usize)> {
    let told = Command::new("./pan").args(["-m100000", "-w16"]).args(args).current_dir(folder).output().ok()?;
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    let errors = text.lines().find_map(|l| l.split("errors: ").nth(1))?;
    let stored = text.lines().find_map(|l| l.split(" states, stored").next().filter(|n| n.len() < l.len()))?;
    Some((errors.trim() == "0", stored.trim().parse().ok()?))
}

/// What SPIN says; `None` where it is not installed.
fn spin(program: &str, folder: &Path) -> Option<bool> {
    verifier(program, folder, &[])?;
    verified(folder, &["-a"]).map(|(holds, _)| holds)
}

#[test]
fn the_garage_by_hand_has_the_papers_verdicts_and_more_states() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (by_hand, exported) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut export = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    export.args(["export", "examples/amber/garage", "--to", "promela", "-o"]).arg(exported.path());
    let made = export.current_dir(root).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let program = std::fs::read_to_string(root.join("tests/amber/garage/paper.pml")).unwrap();
    let ours = std::fs::read_to_string(exported.path().join("model.pml")).unwrap();
    let reached = verifier(&program, by_hand.path(), &["-DNOREDUCE", "-DNOCLAIM"]);
    if reached.is_none() {
        tools::skipped("amber paper: SPIN or a C compiler not found");
        return;
    }
    // Every join and split a state of its own: 143 instead of 101.
    assert_eq!(verified(by_hand.path(), &["-n", "-E"]), Some((true, 143)));
    verifier(&program, by_hand.path(), &["-DNOREDUCE"]).unwrap();
    verifier(&ours, exported.path(), &["-DNOREDUCE"]).unwrap();
    for (name, holds) in [("prop1", true), ("prop2", false), ("prop3", false), ("prop4", true), ("prop5", true)] {
        let (theirs, stored) = verified(by_hand.path(), &["-a", "-n", "-N", name]).unwrap();
        let (ours, fewer) = verified(exported.path(), &["-a", "-n", "-N", &format!("l_{name}")]).unwrap();
        assert_eq!((theirs, ours), (holds, holds), "{name}");
        assert!(fewer <= stored, "{name}: {fewer} states exported, {stored} by hand");
    }
}

#[test]
fn every_node_an_event_of_its_own_gives_the_same_answers() {
    let wanted = std::env::var("GSMC_RANDOM_AMBER").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let limits = Limits { data: false, actors: false, ..Limits::default() };
    let (mut compared, mut held, mut looped, mut disabled) = (0, 0, 0, 0);
    for seed in 0.. {
        if compared == wanted {
            break;
        }
        let project = seeded(seed, &limits);
        let mut sources = Sources::new();
        // The paper has no program for what need not happen.
        let text = project.file("model.amber").unwrap_or_default().replace("optional ", "");
        let file = sources.add("model.amber", text.clone());
        let mut diags = Diagnostics::new();
        let model =
            read(file, &sources, &mut diags).unwrap_or_else(|| panic!("{}", render_all(&diags, &sources, false)));
        let happening: Vec<NodeIx> = (0..model.nodes.len()).filter(|&n| model.nodes[n].kind.happens()).collect();
        let graph = Literal::new(&model, false).graph(2000);
        let lost = graph.is_none_or(|g| g.states.iter().any(|s| s.overflow || s.crowded));
        if happening.len() < 3 || lost {
            continue;
        }
        compared += 1;
        let (a, b) = (happening[seed as usize % happening.len()], happening[(seed as usize / 2 + 1) % happening.len()]);
        let forms =
            ["<> A", "[] (A -> <> B)", "!B U A", "[] !A", "(<> A) -> (!A U B)", "<> (A && !B)", "<> (B -> [] A)"];
        let form = forms[seed as usize % forms.len()];
        let ours = |n: NodeIx| format!("executed('{}')", model.nodes[n].path);
        let ours = form.replace('A', &ours(a)).replace('B', &ours(b));
        let asked = sources.add("p.gsmp", format!("asked: LTL {ours};"));
        let list = properties::read(&[Text::of(asked, &sources)], &mut AmberAtoms { model: &model }, &mut diags);
        let lowered = lower(&model, &list, false).unwrap();
        let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
        let verdict = run("model.amber", &lowered.machine, &plan).results[0].verdict.holds().unwrap();
        let theirs = form.replace('A', &format!("executed[{a}]")).replace('B', &format!("executed[{b}]"));
        let folder = tempfile::tempdir().unwrap();
        let program = promela(&model, &theirs);
        let Some(said) = spin(&program, folder.path()) else {
            tools::skipped("amber paper: SPIN or a C compiler not found");
            return;
        };
        assert_eq!(verdict, said, "{ours}\n{text}\n{program}");
        held += usize::from(verdict);
        looped += usize::from(model.arrows.iter().any(|a| a.double));
        disabled += usize::from(!model.disables.is_empty());
    }
    eprintln!("{compared} compared, {held} held; {looped} with loops, {disabled} with disabling");
}
