//! Public models of other people, where they are at hand.

use super::read_file;
use crate::lang::gsm::Application;
use crate::lang::gsm::domains;
use crate::lang::gsm::resolve::ModelOptions;
use crate::source::{Diagnostics, Sources, render_all};
use std::path::{Path, PathBuf};

/// Reads a model that must be without errors.
fn sound(path: &Path) -> Application {
    let (mut diags, mut sources) = (Diagnostics::new(), Sources::new());
    let draft = read_file(path, ModelOptions::default(), &mut diags, &mut sources);
    let app = draft.map(|d| domains::infer(d, &[], &[], &mut diags));
    assert!(!diags.has_errors(), "{}", render_all(&diags, &sources, false));
    app.unwrap_or_else(|| panic!("{} gives no model", path.display()))
}

/// Number of start tags with one of these names.
fn tags(text: &str, names: &[&str]) -> usize {
    let tag =
        |n: &&str| [" ", ">", "/"].iter().map(|end| text.matches(&format!("<ca:{n}{end}")).count()).sum::<usize>();
    names.iter().map(tag).sum()
}

/// The application has as many of everything as its file has tags.
fn counts_agree(app: &Application, text: &str) {
    let stages = || app.types.iter().flat_map(|t| &t.stages);
    let milestones = || app.types.iter().flat_map(|t| &t.milestones);
    assert_eq!(app.types.len(), tags(text, &["Component"]));
    assert_eq!(stages().count(), tags(text, &["Stage", "SubStage"]));
    assert_eq!(milestones().count(), tags(text, &["Milestone"]));
    assert_eq!(stages().map(|s| s.guards.len()).sum::<usize>(), tags(text, &["StageGuard", "DataFlowGuard"]));
    assert_eq!(stages().map(|s| s.flow_guards.len()).sum::<usize>(), tags(text, &["ProcessFlowGuard"]));
    assert_eq!(stages().map(|s| s.fault_loggers.len()).sum::<usize>(), tags(text, &["FaultLogger"]));
    assert_eq!(milestones().map(|m| m.achieving.len()).sum::<usize>(), tags(text, &["Condition"]));
    assert_eq!(app.events.iter().filter(|e| e.declared).count(), tags(text, &["Event"]));
}

#[test]
fn public_egsm_models_load_with_the_right_counts() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/egsm");
    let Ok(folders) = std::fs::read_dir(&corpus) else {
        return crate::testing::skipped("the public E-GSM models are not here");
    };
    let mut models: Vec<PathBuf> =
        folders.flatten().map(|f| f.path().join("model.xml")).filter(|p| p.is_file()).collect();
    models.sort();
    assert_eq!(models.len(), 7);
    for path in models {
        let app = sound(&path);
        counts_agree(&app, &std::fs::read_to_string(&path).expect("the model was read before"));
    }
}

#[test]
fn the_order_to_cash_example_loads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/order-to-cash/model.xml");
    let app = sound(&path);
    let t = &app.types[0];
    assert_eq!((t.stages.len(), t.milestones.len(), app.events.len(), t.attrs.len()), (9, 11, 12, 10));
    counts_agree(&app, &std::fs::read_to_string(&path).expect("the model was read before"));
}
