//! Pages in a real browser: every `tests/browser/*.test.mjs`, run by node with playwright-core and chromium.
//!
//! Where one of the three is missing, the tests say so by name and are skipped; `tests/browser/install.sh` gets them.

use gsmc::testing::skipped;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One test per file.
macro_rules! files {
    ($($name:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*
    };
}

files! {
    amber
    cmmn
    explore
    harness
    report
}

/// Longer than any of them may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// The first of some programs on the PATH.
fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()))
}

/// Where `install.sh` puts playwright-core.
fn modules() -> Option<PathBuf> {
    let repo = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = std::env::var_os("GSMC_TOOLS").map_or_else(|| repo.join(".tools"), PathBuf::from);
    let modules = repo.join(tools).join("browser");
    modules.join("node_modules/playwright-core/package.json").is_file().then_some(modules)
}

fn run(name: &str) {
    let browser = program(&["chromium", "chromium-browser", "google-chrome"]);
    let (Some(node), Some(browser), Some(modules)) = (program(&["node", "nodejs"]), &browser, modules()) else {
        let tool = if browser.is_some() { "node with playwright-core" } else { "chromium" };
        return skipped(&format!("browser::{name}: {tool} not found (tests/browser/install.sh)"));
    };
    let repo = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = repo.join(format!("tests/browser/{name}.test.mjs"));
    let running = duct::cmd(node, [file])
        .env("GSMC", env!("CARGO_BIN_EXE_gsmc"))
        .env("GSMC_REPO", repo)
        .env("GSMC_CHROMIUM", browser)
        .env("GSMC_BROWSER_MODULES", modules)
        .env_remove("NODE_OPTIONS")
        .stdin_null()
        .stderr_to_stdout()
        .stdout_capture()
        .unchecked()
        .start()
        .expect("node starts");
    match running.wait_timeout(PATIENCE).expect("node can be waited for") {
        Some(done) => {
            let said = String::from_utf8_lossy(&done.stdout);
            assert!(done.status.success(), "{name}.test.mjs fails:\n{said}");
        }
        None => {
            running.kill().expect("node can be stopped");
            panic!("{name}.test.mjs did not end within {PATIENCE:?}");
        }
    }
}

#[test]
fn every_file_has_its_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let names = std::fs::read_dir(folder).expect("tests/browser").flatten();
    let mut names: Vec<String> = names.map(|f| f.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|n| n.ends_with(".test.mjs"));
    names.sort();
    let mut listed: Vec<String> = FILES.iter().map(|n| format!("{n}.test.mjs")).collect();
    listed.sort();
    assert_eq!(names, listed);
}
