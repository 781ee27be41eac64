//! The literal execution against moves worked out by hand.

use super::literal::{Compliance, Move, Snapshot, State, Turn, initial, step};
use super::{Model, build};
use crate::lang::files;
use crate::lang::gsm::resolve::Schemas;
use crate::lang::gsm::xml;
use crate::source::{Diagnostics, Sources, render_all};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};

pub(super) fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/egsm");
    let entries = std::fs::read_dir(root).expect("cases").filter_map(|e| Some(e.ok()?.path()));
    let mut all: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

pub(super) fn read(folder: &Path) -> Model {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = files::read(&folder.join("model.xml"), None, &mut sources, &mut diags).expect("file");
    let raw = xml::read(file, &sources, &mut diags).expect("xml");
    assert!(raw.monitored, "{}", folder.display());
    let model = build(&raw, &mut Schemas::new(folder, &[], &mut sources), &mut diags);
    assert!(!diags.has_errors(), "{}", render_all(&diags, &sources, false));
    model.expect("model")
}

/// Public models, where they lie beside the project.
pub(super) fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/egsm");
    let entries = std::fs::read_dir(root).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    let mut all: Vec<PathBuf> = entries.filter(|p| p.join("model.xml").is_file()).collect();
    all.sort();
    all
}

pub(super) fn moves_of(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("moves.json")).expect("moves")).expect("json")
}

fn show(model: &Model, s: &Snapshot) -> BTreeMap<String, String> {
    let one = |ix: usize| {
        let status = s.stages[ix];
        let mut words = vec![
            match status.state {
                State::Unopened => "unopened",
                State::Opened => "opened",
                State::Closed => "closed",
            }
            .to_string(),
        ];
        match status.compliance {
            Compliance::OnTime => {}
            Compliance::OutOfOrder => words.push("outOfOrder".into()),
            Compliance::Skipped => words.push("skipped".into()),
        }
        if status.faulty {
            words.push("faulty".into());
        }
        let achieved = model.of(ix, super::model::Kind::Milestone).filter(|m| s.sentries[*m]);
        words.extend(achieved.map(|m| model.sentries[m].id.clone()));
        words.join(" ")
    };
    (0..model.stages.len()).map(|ix| (model.stages[ix].id.clone(), one(ix))).collect()
}

fn the_move(model: &Model, m: &Value) -> Move {
    let name = m[0].as_str().expect("name");
    match m[1].as_str() {
        None => Move::Event(model.events.iter().position(|e| e.id == name).expect("event")),
        Some(text) => {
            let item = model.items.iter().position(|i| i.id == name).expect("item");
            let code = model.items[item].values.iter().position(|v| v == text).map_or(0, |p| p as i64 + 1);
            Move::Item(item, code)
        }
    }
}

#[test]
fn every_move_of_every_case() {
    for folder in cases() {
        let (model, told) = (read(&folder), moves_of(&folder));
        let (mut now, _) = initial(&model).expect("settles");
        let expect = told["expect"].as_array().expect("expect");
        let moves = told["moves"].as_array().expect("moves");
        let mut texts: HashMap<usize, String> = HashMap::new();
        for (n, wanted) in expect.iter().enumerate() {
            if n > 0 {
                let m = the_move(&model, &moves[n - 1]);
                let same = match m {
                    Move::Item(i, _) => {
                        let text = moves[n - 1][1].as_str().unwrap_or_default().to_string();
                        texts.insert(i, text.clone()).is_some_and(|old| old == text)
                    }
                    Move::Event(_) => false,
                };
                if !same {
                    now = step(&model, &now, m).expect("settles").0;
                }
            }
            let wanted: BTreeMap<String, String> = serde_json::from_value(wanted.clone()).expect("map");
            assert_eq!(show(&model, &now), wanted, "{} after {n} moves", folder.display());
        }
    }
}

/// All moves that are possible in a snapshot.
fn moves(model: &Model, s: &Snapshot) -> Vec<Move> {
    let events = (0..model.events.len()).filter(|e| !model.events[*e].of_item).map(Move::Event);
    let value = |i: usize| (0..=model.items[i].values.len() as i64).map(move |v| (i, v));
    let changes = (0..model.items.len()).flat_map(value).filter(|(i, v)| *v == 0 || s.items[*i] != *v);
    events.chain(changes.map(|(i, v)| Move::Item(i, v))).collect()
}

#[test]
fn reachable_snapshots_and_standard_questions() {
    for folder in cases() {
        let (model, told) = (read(&folder), moves_of(&folder));
        let (start, first) = initial(&model).expect("settles");
        let mut turned: BTreeSet<Turn> = first.into_iter().collect();
        // Per snapshot whether it can be reached without a violation so far.
        let mut clean: HashMap<Snapshot, bool> = HashMap::from([(start.clone(), true)]);
        let mut completed = BTreeSet::new();
        let mut todo = VecDeque::from([start]);
        while let Some(s) = todo.pop_front() {
            let is_clean = clean[&s];
            for m in moves(&model, &s) {
                let (after, turns) = step(&model, &s, m).expect("settles");
                let violated =
                    turns.iter().any(|t| matches!(t, Turn::OutOfOrder(_) | Turn::Skipped(_) | Turn::Faulty(_)));
                let still = is_clean && !violated;
                if still {
                    completed.extend(turns.iter().filter(|t| matches!(t, Turn::Completes(_))).copied());
                }
                turned.extend(turns);
                let known = clean.get(&after).copied();
                if known.is_none() || (known == Some(false) && still) {
                    clean.insert(after.clone(), still);
                    todo.push_back(after);
                }
            }
        }
        assert_eq!(clean.len() as u64, told["snapshots"].as_u64().expect("number"), "{}", folder.display());
        for (question, answer) in told["questions"].as_object().expect("questions") {
            let (kind, name) = question.trim_end_matches(')').split_once('(').expect("question");
            let stage = || model.stages.iter().position(|s| s.id == name).expect("stage");
            let guard = || model.sentries.iter().position(|s| s.id == name).expect("guard");
            let found = match kind {
                "can-open" => turned.contains(&Turn::Opens(stage())),
                "can-be-outOfOrder" => turned.contains(&Turn::OutOfOrder(stage())),
                "can-be-skipped" => turned.contains(&Turn::Skipped(stage())),
                "can-be-faulty" => turned.contains(&Turn::Faulty(stage())),
                "can-complete-compliantly" => completed.contains(&Turn::Completes(stage())),
                "dead-guard" => !turned.contains(&Turn::Guard(guard())),
                _ => panic!("unknown question {question}"),
            };
            assert_eq!(Some(found), answer.as_bool(), "{} {question}", folder.display());
        }
    }
}

#[test]
fn a_model_with_its_standard_questions_has_a_machine() {
    for folder in cases() {
        let told = moves_of(&folder);
        let whole = super::Egsm::new(read(&folder), Vec::new(), super::NESTING, true, super::Acting::default())
            .expect("a machine");
        let asked: BTreeSet<&str> = whole.machine.questions.iter().map(|q| q.name.as_str()).collect();
        let formulas = whole.machine.properties.iter().map(|p| p.name.as_str()).filter(|n| *n != "settles");
        let all: BTreeSet<&str> = asked.into_iter().chain(formulas).collect();
        let wanted = told["questions"].as_object().expect("questions").keys().map(String::as_str).collect();
        assert_eq!(all, wanted, "{}", folder.display());
    }
}

/// Its guard holds from the start, before any move, and never falls: it opens there or never.
#[test]
fn what_opens_at_the_start_has_opened() {
    use crate::lang::Lens;
    let folder = tempfile::tempdir().expect("a folder");
    let model = "<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"Start\">\
        <ca:EventModel id=\"events\"><ca:Event id=\"go\" name=\"go\"/></ca:EventModel>\
        <ca:Component id=\"C\" name=\"C\">\
        <ca:InformationModel id=\"i\" rootDataItemId=\"i\"><ca:DataItem id=\"i\" rootElement=\"i\" schemaUri=\"i.xsd\"/></ca:InformationModel>\
        <ca:GuardedStageModel id=\"l\">\
        <ca:Stage id=\"Open\" name=\"Open\"><ca:DataFlowGuard id=\"always\"/></ca:Stage>\
        <ca:Stage id=\"Shut\" name=\"Shut\"><ca:DataFlowGuard id=\"never\" expression=\"not GSM.isStageActive(Open)\"/></ca:Stage>\
        </ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>";
    std::fs::write(folder.path().join("model.xml"), model).expect("model");
    let schema = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"go\"/></xs:schema>";
    std::fs::write(folder.path().join("i.xsd"), schema).expect("schema");
    let whole = super::Egsm::new(read(folder.path()), Vec::new(), super::NESTING, true, super::Acting::default())
        .expect("a machine");
    let found = whole.findings(&|_| true, &|| false).expect("findings");
    let native = crate::native::verdict::Options { builtin: true, ..Default::default() };
    let report = crate::native::verdict::check(&whole.machine, &native);
    // The second guard is looked at after the first stage has opened.
    let wanted = [
        ("can-open(Open)", true),
        ("dead-guard(always)", false),
        ("can-open(Shut)", false),
        ("dead-guard(never)", true),
    ];
    for (name, answer) in wanted {
        let mine = found.answers.iter().find(|f| f.name == name).map(|f| f.holds);
        let theirs = report.answers.iter().find(|a| a.result.property == name).and_then(|a| a.result.verdict.holds());
        assert_eq!((mine, theirs), (Some(answer), Some(answer)), "{name}");
    }
}
