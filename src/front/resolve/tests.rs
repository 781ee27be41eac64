//! The model reader, on text.

use crate::front::resolve::{Draft, ModelOptions, build};
use crate::front::{domains, xml};
use crate::gsm::Application;
use crate::source::{Diagnostics, Severity, Sources, render_all};
use std::path::{Path, PathBuf};

/// Reads a model file with its schemas; no agents, no properties.
fn read(path: &Path, diags: &mut Diagnostics, sources: &mut Sources) -> Option<Draft> {
    let text = std::fs::read_to_string(path).ok()?;
    let file = sources.add(path.display().to_string(), text);
    let raw = xml::read(file, sources, diags)?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    build(&raw, &ModelOptions { folder, ..ModelOptions::default() }, sources, diags)
}

/// Reads a model that must be without errors.
fn sound(path: &Path) -> Application {
    let (mut diags, mut sources) = (Diagnostics::new(), Sources::new());
    let draft = read(path, &mut diags, &mut sources);
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
        let line = "skipped: public E-GSM models are not here";
        println!("{line}");
        if let Some(list) = std::env::var_os("GSMC_SKIPPED") {
            use std::io::Write;
            let file = std::fs::OpenOptions::new().append(true).create(true).open(list);
            file.and_then(|mut f| writeln!(f, "{line}")).expect("the list of skipped tests can be written");
        }
        return;
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
