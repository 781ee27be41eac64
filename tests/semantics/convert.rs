//! `convert` there and back: the machine of the result is the machine of the source, variable by variable, action by action, rule by
//! rule. `GSMC_CONVERT=500` tries that many random applications, `GSMC_CORPUS=DIR` the models below a folder.

use gsmc::lang::gsm::convert::{open, to_barcelona, to_notation};
use gsmc::lang::gsm::{Gsm, builtin};
use gsmc::lang::load::{Request, load};
use gsmc::source::render_all;
use gsmc::testing::random_app;
use std::path::{Path, PathBuf};

pub fn request(path: &Path) -> Request {
    Request { dir: Some(path.to_path_buf()), ..Request::default() }
}

/// The machine of a project as text, places left out: every variable, body, action, rule and property in order.
fn machine(path: &Path, what: &str) -> String {
    machine_of(&request(path), what)
}

fn machine_of(request: &Request, what: &str) -> String {
    let loaded = load(request);
    let Some(app) = loaded.app else {
        panic!("{what}:\n{}", render_all(&loaded.diagnostics, &loaded.sources, false));
    };
    let mut properties = loaded.properties;
    properties.extend(builtin(&app));
    match Gsm::new(app, properties, &loaded.sources) {
        Ok(gsm) => without_places(&format!("{:#?}", *gsm.machine)),
        Err(d) => panic!("{what}: {}", d.message),
    }
}

/// The machine as every command gets it: E-GSM has one of its own. `None` for GSM, which `machine` looks at.
fn own_machine(path: &Path, what: &str) -> Option<String> {
    let options = gsmc::Options::default();
    let project = gsmc::Project::open(path, &options).unwrap_or_else(|e| panic!("{what}: {e}"));
    (project.lens().language() != "gsm").then(|| without_places(&format!("{:#?}", project.machine())))
}

/// Leaves out where things stand in files.
fn without_places(text: &str) -> String {
    let mut out = String::new();
    let mut inside = 0;
    for line in text.lines() {
        if inside > 0 {
            inside -= 1;
            continue;
        }
        if line.contains("Span {") {
            inside = 6;
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// The first lines that differ, for people.
fn compare(a: &str, b: &str, what: &str, text: &str) {
    if let Some((n, (x, y))) = a.lines().zip(b.lines()).enumerate().find(|(_, (x, y))| x != y) {
        panic!("{what}: machines differ in line {n}:\n{x}\n{y}\n--- the text:\n{text}");
    }
    assert_eq!(a.len(), b.len(), "{what}: one machine goes on\n{text}");
}

/// Project → one `.gsm` file → XML → `.gsm`, with one machine throughout and the same text twice.
pub fn there_and_back(project: &Path, what: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let first = machine(project, what);
    let text = to_notation(&open(&request(project)).expect("a model"), true);
    let file = folder.path().join("model.gsm");
    std::fs::write(&file, &text).expect("a file");
    compare(&first, &machine(&file, &format!("{what} as notation:\n{text}")), what, &text);
    let whole = open(&request(&file)).expect("a model");
    let back = folder.path().join("back");
    std::fs::create_dir_all(&back).expect("a folder");
    let files = to_barcelona(&whole);
    files.iter().for_each(|(name, text)| std::fs::write(back.join(name), text).expect("a file"));
    let xml: String = files.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
    compare(&first, &machine(&back, &format!("{what} back as XML:\n{xml}")), what, &xml);
    if let Some(own) = own_machine(project, what) {
        for (path, text) in [(&file, &text), (&back, &xml)] {
            let other = own_machine(path, &format!("{what} as\n{text}"));
            compare(&own, &other.unwrap_or_else(|| panic!("{what} is another language in\n{text}")), what, text);
        }
    }
    let again = to_notation(&open(&request(&back)).expect("a model"), true);
    assert_eq!(text, again, "{what}: the notation of the XML of the notation");
}

/// Every folder with a gsmc.toml below a folder.
fn projects(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|p| p.is_dir()) {
        if path.join("gsmc.toml").exists() {
            out.push(path.clone());
        }
        projects(&path, out);
    }
}

#[test]
fn every_example() {
    let mut all = Vec::new();
    projects(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"), &mut all);
    let gsm = |p: &PathBuf| load(&request(p)).app.is_some();
    let all: Vec<PathBuf> = all.into_iter().filter(gsm).collect();
    assert!(all.len() >= 20, "only {} examples", all.len());
    for project in all {
        there_and_back(&project, &project.display().to_string());
    }
}

/// What random applications never have: names with blanks and umlauts, texts with quotes and signs of XML, dates, fractions, records,
/// bags, windows and protocols per type, fairness, fixpoints and strategies.
#[test]
fn what_is_rare() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/odd.gsm");
    there_and_back(&file, "the odd model");
}

/// Monitored models as notation, read as their own engine reads them.
#[test]
fn monitored_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_dir(root.join("tests/egsm")).expect("cases").flatten().map(|e| e.path());
    let cases = cases.chain([root.join("examples/shipment")]).map(|p| p.join("model.xml")).filter(|p| p.is_file());
    let read = |path: &Path, text: &str| {
        let opened = gsmc::lang::load::open(&request(path));
        let Some(lens) = opened.lens else {
            panic!("{}:\n{}{text}", path.display(), render_all(&opened.diagnostics, &opened.sources, false));
        };
        assert_eq!(lens.profile(), Some("egsm"), "{}", path.display());
        without_places(&format!("{:#?}", **lens.machine()))
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut tried = 0;
    for model in cases {
        let text = to_notation(&open(&request(&model)).expect("a model"), true);
        let file = folder.path().join("model.gsm");
        std::fs::write(&file, &text).expect("a file");
        compare(&read(&model, ""), &read(&file, &text), &model.display().to_string(), &text);
        tried += 1;
    }
    assert!(tried > 5, "only {tried} models");
}

/// Models of others: `GSMC_CORPUS=DIR` tries every model.xml below a folder.
#[test]
fn a_corpus() {
    let Ok(folder) = std::env::var("GSMC_CORPUS") else { return println!("skipped: GSMC_CORPUS names no folder") };
    let mut tried = 0;
    let mut open = vec![PathBuf::from(folder)];
    while let Some(dir) = open.pop() {
        open.extend(std::fs::read_dir(&dir).into_iter().flatten().flatten().map(|e| e.path()).filter(|p| p.is_dir()));
        let model = dir.join("model.xml");
        if model.exists() {
            there_and_back(&model, &model.display().to_string());
            tried += 1;
        }
    }
    println!("{tried} models there and back");
}

/// The teaching examples are written in the notation; beside each lies what it says in XML.
#[test]
fn the_teaching_examples_and_their_twins() {
    let mut all = Vec::new();
    projects(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching"), &mut all);
    assert!(all.len() >= 15, "only {} examples", all.len());
    for project in all {
        let twin = Request { model: Some(project.join("model.xml")), ..request(&project) };
        let what = project.display().to_string();
        compare(&machine(&project, &what), &machine_of(&twin, &what), &what, "its twin");
    }
}

#[test]
fn random_applications() {
    let count = std::env::var("GSMC_CONVERT").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    for seed in 0..count {
        let folder = tempfile::tempdir().expect("a folder");
        random_app(seed).write_to(folder.path()).expect("files");
        there_and_back(folder.path(), &format!("seed {seed}"));
    }
}

#[test]
fn the_comparison_sees_small_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = |condition: &str| {
        let file = folder.path().join("model.gsm");
        let text = format!(
            "event Go\ntype T {{ n: int 0..3\n stage S {{ guard on create; milestone M on Go when {condition} }} }}\n"
        );
        std::fs::write(&file, text).expect("a file");
        machine(&file, condition)
    };
    let first = with("n == 1");
    assert!(first.contains("T[1].M") && first.lines().count() > 100, "{first}");
    assert_eq!(first, with("n  ==  1"));
    assert_ne!(first, with("n == 2"));
}

/// The library of the guide: six stages, two types, two agents, data and five properties in sixty lines.
#[test]
fn sixty_lines_are_enough() {
    let page = include_str!("../../docs/guide/notation.md");
    let start = page.find("file=library.gsm\n").expect("the library") + "file=library.gsm\n".len();
    let text = &page[start..start + page[start..].find("```").expect("its end")];
    assert!(text.lines().count() <= 60, "{} lines", text.lines().count());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("library.gsm");
    std::fs::write(&file, text).expect("a file");
    let loaded = load(&request(&file));
    let app = loaded.app.expect("a model");
    let stages: usize = app.types.iter().map(|t| t.stages.len()).sum();
    let agents = app.agents.as_ref().map_or(0, Vec::len);
    assert_eq!((app.types.len(), stages, agents, loaded.properties.len()), (2, 6, 2, 5));
    assert!(app.types.iter().all(|t| t.attrs.len() >= 2));
    there_and_back(&file, "the library");
}
