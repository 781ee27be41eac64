//! What `gsmc check` shows people: reasons that are true, colours and lines that change nothing else.

mod absent;
mod cached;
mod commands;
mod fractions;
mod guessed;
mod large;
mod parts;
mod programs;
mod reporters;
mod room;
mod shown;
mod sliced;
mod watched;
#[cfg(unix)]
mod written;

use gsmc::answer::{Engine, Results};
use gsmc::check::{Plan, run};
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use std::path::{Path, PathBuf};

/// A folder of the repository.
fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The small examples.
fn teaching() -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder("examples/teaching")).expect("examples").flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = all.filter(|p| p.join("gsmc.toml").is_file()).collect();
    all.sort();
    assert!(all.len() > 10);
    all
}

/// Copies a file of an example; its XML twin becomes the model.
fn copy_xml(example: &str, file: &str, to: &Path) {
    let text = std::fs::read_to_string(folder(example).join(file)).expect("a file");
    std::fs::write(to, text.replace("model.gsm", "model.xml")).expect("a copy");
}

/// All native answers about a project.
fn results(dir: &Path) -> Results {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    let app = loaded.app.expect("an application");
    let machine = lower(&app, &loaded.properties, &loaded.sources).expect("a machine");
    run("model.xml", &machine, &Plan { engines: vec![Engine::NATIVE], ..Plan::default() })
}
